"""Records: a game's whole state as one flat piece of memory."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Fields = list[tuple[Any, ...]]


def record_type(fields: Fields) -> np.dtype[Any]:
    """A record type whose fields are aligned (a GPU needs that) without any padding.

    Padding would be bytes that no field owns, and records are compared byte for byte.
    List wider fields first and the assertion holds by itself.
    """
    plain = np.dtype(fields)
    aligned = np.dtype(fields, align=True)
    if plain.itemsize != aligned.itemsize:
        raise ValueError(f"fields leave padding ({plain.itemsize} bytes used of {aligned.itemsize})")
    return np.dtype((np.record, aligned))


def blank(state: np.dtype[Any]) -> Any:
    """A record of zeros: one numpy record that owns its memory."""
    return blanks(state, 1)[0]


def blanks(state: np.dtype[Any], count: int) -> npt.NDArray[Any]:
    """Many records of zeros in one block."""
    return np.zeros(count, state)


def copy_of(record: Any) -> Any:
    """The same record in memory of its own."""
    return from_bytes(record.dtype, record.tobytes())


def from_bytes(state: np.dtype[Any], data: bytes) -> Any:
    """A record from its bytes."""
    return alone(state, data)[0]


def alone(state: np.dtype[Any], data: bytes) -> npt.NDArray[Any]:
    """A record from its bytes, alone in an array: what `laguna.kernel.calls` takes."""
    return np.frombuffer(bytearray(data), state)


def plain(record: Any, data: bytes | None = None) -> Any:
    """A copy to read from: all fields as numbers and lists of numbers, and the `record` itself.

    Python reads a field of a numpy record in microseconds, a field of this in nanoseconds. Each list is
    unpacked when it is first read, since most readers want few of them; of `events`, only those noted
    are there. Calls of compiled rules need the record. `data` are its bytes, if they are known.
    """
    return _plain_type(record.dtype)(record, record.tobytes() if data is None else data)


class _Plain:
    """What `plain` returns; there is a subclass for each type of record."""

    _numbers: struct.Struct  # all fields that are single numbers
    _names: tuple[str, ...]  # of these fields

    def __init__(self, record: Any, data: bytes) -> None:
        self.record = record
        self._data = memoryview(data)

    def __getattr__(self, name: str) -> Any:
        """Called once, for the first number that is read: all of them are there from then on."""
        if name not in self._names:
            raise AttributeError(f"The record has no field {name!r}.")
        self.__dict__.update(zip(self._names, self._numbers.unpack_from(self._data), strict=True))
        return self.__dict__[name]


class _Lists:
    """A field with many numbers, unpacked when it is first read."""

    def __init__(self, name: str, kind: np.dtype[Any], begin: int) -> None:
        self.name, self.begin = name, begin
        self.letter: Any = kind.base.char
        self.shape = kind.shape
        self.row = kind.itemsize // kind.shape[0]

    def __get__(self, s: Any, owner: Any) -> Any:
        count = s.event_count if self.name == "events" else self.shape[0]
        found = []
        if count:
            part = s._data[self.begin : self.begin + count * self.row]
            found = part.cast(self.letter, (count, *self.shape[1:])).tolist()
        s.__dict__[self.name] = found
        return found


@cache
def _plain_type(state: np.dtype[Any]) -> type[_Plain]:
    """NumPy's letters for numbers are those of `struct`, which adds no padding: the fields are aligned."""
    letters, names, end = "", [], 0
    own: dict[str, Any] = {}
    for name, (kind, begin, *_) in sorted((state.fields or {}).items(), key=lambda field: field[1][1]):
        if kind.shape:
            own[name] = _Lists(name, kind, begin)
        else:
            letters += f"{begin - end}x{kind.char}"
            names.append(name)
            end = begin + kind.itemsize
    return type("Plain", (_Plain,), own | {"_numbers": struct.Struct(letters), "_names": tuple(names)})
