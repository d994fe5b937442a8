"""Records: a game's whole state as one flat piece of memory."""

from __future__ import annotations

from types import SimpleNamespace
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


def plain(record: Any) -> Any:
    """A copy to read from: all fields as numbers and lists of numbers, and the `record` itself.

    Python reads a field of a numpy record in microseconds, a field of this in nanoseconds. Calls of compiled
    rules need the record.
    """
    fields = zip(record.dtype.names, record.item(), strict=True)
    numbers = {name: value if isinstance(value, int) else value.tolist() for name, value in fields}
    return SimpleNamespace(record=record, **numbers)
