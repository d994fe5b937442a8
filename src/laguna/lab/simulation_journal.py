"""The games of a simulation that are finished, beside the results file that they will become.

The first line says which simulation it is; then come pieces, each with its length and checksum. A process may
be killed at any time: a piece that was not written completely is played again.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from laguna.errors import BadFile
from laguna.lab.results import Lists, Results

if TYPE_CHECKING:
    from laguna.lab.simulation import Simulation

PIECE = struct.Struct("<QQII")  # the first number, how many games, how many bytes, their checksum


class Journal:
    """An open journal; it belongs to this process until it is closed."""

    def __init__(self, output: Path, plan: Simulation) -> None:
        self.path = output.with_name(f"{output.name}.journal")
        self.plan = plan
        self._places: dict[int, tuple[int, int]] = {}  # by first number: how many games, and where they are
        head = (json.dumps(_identity(plan), sort_keys=True) + "\n").encode()
        try:
            self._file: BinaryIO = self.path.open("r+b" if self.path.exists() else "w+b")
        except OSError as error:
            text = f"{str(self.path)!r} cannot be written: {error.strerror}."
            raise BadFile("no-file", text) from None
        try:
            self._read(head)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read(self, head: bytes) -> None:
        """Find the complete pieces, and forget what follows the last of them."""
        first = self._file.readline()
        if not first.endswith(b"\n"):  # new, or the process was killed before it wrote anything
            self._file.seek(0)
            self._file.write(head)
            first = head
        if first != head:
            raise BadFile(
                "other-simulation",
                f"{str(self.path)!r} holds another simulation; name another file, or delete it.",
            )
        end = self._file.tell()
        while len(found := self._file.read(PIECE.size)) == PIECE.size:
            number, count, size, checksum = PIECE.unpack(found)
            data = self._file.read(size)
            if len(data) < size or zlib.crc32(data) != checksum:
                break
            self._places[number] = (count, end + PIECE.size)
            end = self._file.tell()
        self._file.seek(end)
        self._file.truncate()

    @property
    def done(self) -> int:
        """How many of the plan's games are finished."""
        return sum(max(0, min(count, self.plan.total - first)) for first, (count, _) in self._places.items())

    def missing(self) -> list[tuple[int, int]]:
        """The ranges of games still to be played."""
        found, start = [], 0
        for first in sorted(self._places):
            if first > start and start < self.plan.total:
                found.append((start, min(first, self.plan.total) - start))
            start = first + self._places[first][0]
        if start < self.plan.total:
            found.append((start, self.plan.total - start))
        return found

    def add(self, first: int, piece: Results) -> None:
        data = _packed(piece)
        place = self._file.seek(0, 2)
        self._file.write(PIECE.pack(first, len(piece), len(data), zlib.crc32(data)) + data)
        self._file.flush()
        self._places[first] = (len(piece), place + PIECE.size)

    def pieces(self) -> Iterator[Results]:
        """The plan's games, in order."""
        for first in sorted(self._places):
            if first < self.plan.total:
                yield self._piece(first).where(slice(0, self.plan.total - first))

    def _piece(self, first: int) -> Results:
        self._file.seek(self._places[first][1] - PIECE.size)
        size = PIECE.unpack(self._file.read(PIECE.size))[2]
        return _unpacked(self.plan, self._file.read(size))

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


def _identity(plan: Simulation) -> dict[str, Any]:
    """What must be the same to resume; more games may be asked for."""
    asked = dataclasses.asdict(plan) | {"games": None, "bots": list(plan.bots)}
    return {"simulation": asked, "rules": plan.head.rules}


def _packed(piece: Results) -> bytes:
    """The columns, uncompressed; everything else follows from the plan."""
    columns = {name: getattr(piece, name) for name in _COLUMNS}
    for name in ("codes", "visits"):
        lists = getattr(piece, name)
        if lists is not None:
            columns |= {f"{name}_flat": lists.flat, f"{name}_starts": lists.starts}
    if piece.values is not None:
        columns["values"] = piece.values
    file = BytesIO()
    np.savez(file, **columns)
    return file.getvalue()


def _unpacked(plan: Simulation, data: bytes) -> Results:
    with np.load(BytesIO(data), allow_pickle=False) as columns:
        found: dict[str, Any] = {name: columns[name] for name in _COLUMNS}
        for name in ("codes", "visits"):
            if f"{name}_flat" in columns:
                found[name] = Lists(columns[f"{name}_flat"], columns[f"{name}_starts"])
        return Results(plan.head, **found, values=columns.get("values"))


_COLUMNS = ("seed", "rotation", "bots", "scores", "winners", "actions", "choices")
