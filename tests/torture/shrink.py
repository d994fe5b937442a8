"""From a schedule that fails to one with few faults that still does (delta debugging)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def shrunk(items: Sequence[T], fails: Callable[[list[T]], Awaitable[bool]]) -> list[T]:
    """What is left once no half, quarter, … and no single item can be left out without it failing no more."""
    kept = list(items)
    if kept and await fails([]):
        return []
    size = len(kept) // 2
    while size:
        start = 0
        while start < len(kept):
            fewer = kept[:start] + kept[start + size :]
            if fewer and await fails(fewer):
                kept = fewer
            else:
                start += size
        size //= 2
    return kept
