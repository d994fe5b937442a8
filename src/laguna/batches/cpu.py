"""Batches on the processor: compiled loops over lanes, on all cores."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from laguna.batches import loops
from laguna.games import Rulebook
from laguna.games.contract import Field, by_name
from laguna.kernel.chance import WORDS
from laguna.kernel.jit import JIT
from laguna.kernel.records import blanks

LANES_A_THREAD = 128  # at least: waking a thread takes as long as some dozens of steps


class Processor:
    """Runs the loops. Compiled code does not hold Python's lock, so threads share the lanes."""

    def __init__(self, book: Rulebook, threads: int) -> None:
        self.threads = threads if JIT else 1
        self._scratch = [
            loops.Scratch(
                np.zeros(book.rules.MAX_LEGAL, np.int16),
                blanks(book.rules.STATE, 1),
                np.zeros(WORDS, np.uint32),
            )
            for _ in range(self.threads)
        ]

    def array(self, values: np.ndarray[Any, Any]) -> Any:
        """An array of this device with these values."""
        return values

    def fetch(self, array: Any) -> Any:
        """The values of an array of this device, as numpy's."""
        return array

    def write(self, array: Any, values: np.ndarray[Any, Any]) -> None:
        """Put values into an array of this device."""
        array[:] = values

    def public(self, array: Any) -> Any:
        """The array as users get it."""
        return array

    def named(self, fields: Sequence[Field], array: Any) -> dict[str, Any]:
        """The parts of observations by name: views into them."""
        return by_name(fields, array)

    def given(self, array: Any) -> Any:
        """An array that a user made, of any library, in memory of this device."""
        return np.asarray(array)

    def codes(self, array: Any) -> Any:
        """Actions of any whole-number type in one type, so that nothing is compiled twice."""
        return np.ascontiguousarray(array, np.int64)

    def first_illegal(self, games: Any, masks: Any, actions: Any) -> int:
        """The first lane whose action may not be played; -1 if there is none."""
        return int(loops.first_illegal(games, masks, actions))

    def run(self, name: str, games: Any, *arguments: Any) -> None:
        """Call the function of `loops` with this name for every lane."""
        loop, count = getattr(loops, f"{name}_all"), len(games)
        parts = max(1, min(self.threads, count // LANES_A_THREAD))
        bounds = [count * part // parts for part in range(parts + 1)]
        others = [
            _pool(parts - 1).submit(
                loop, bounds[part], bounds[part + 1], self._scratch[part], games, *arguments
            )
            for part in range(1, parts)
        ]
        loop(0, bounds[1], self._scratch[0], games, *arguments)
        for other in others:
            other.result()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="laguna-batch")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a child has none of its parent's threads


def cores() -> int:
    """How many of the machine's processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
