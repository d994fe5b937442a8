"""A shorter input that fails in the same way."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

SECONDS = 30.0  # to shrink for


def failure_of(check: Callable[[bytes], None], data: bytes) -> tuple[str, str, int] | None:
    """What goes wrong with an input, and where; None if nothing does."""
    try:
        check(data)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return type(error).__name__, Path(last.filename).name, last.lineno or 0
    return None


def shrunk(check: Callable[[bytes], None], data: bytes, seconds: float = SECONDS) -> bytes:
    """The input without whatever can be left out of it; the input itself if it is fine."""
    failure, end = failure_of(check, data), time.monotonic() + seconds
    if failure is None:
        return data
    shorter = True
    while shorter:
        shorter = False
        for candidate in _shorter(data):
            if time.monotonic() > end:
                return data
            if failure_of(check, candidate) == failure:
                data, shorter = candidate, True
                break
    return data


def _shorter(data: bytes) -> Iterator[bytes]:
    """Without a half, a quarter, an eighth…; without each byte; then with simpler bytes."""
    size = len(data)
    part = size
    while part:
        for start in range(0, size, part):
            yield data[:start] + data[start + part :]
        part //= 2
    for place, byte in enumerate(data):
        if byte > ord("0"):
            yield data[:place] + b"0" + data[place + 1 :]
