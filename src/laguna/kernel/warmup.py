"""Compiling a game ahead of its first use, step by step, so that the wait can be shown.

A finished warm-up leaves a mark in the cache folder: the next start knows that it will be quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

import numpy as np

from laguna.kernel import door
from laguna.kernel.jit import JIT, cache_folder
from laguna.kernel.records import blanks

Step = tuple[str, Callable[[], object]]
Progress = tuple[int, int, str]  # steps done, steps in all, what comes next


def is_warm(mark: str) -> bool:
    """Was this game (or this part of it) compiled before, from exactly these sources?"""
    return not JIT or (cache_folder() / f"{mark}.warm").exists()


def warm_up(mark: str, rules: ModuleType, options: list[int], more: list[Step]) -> Iterator[Progress]:
    """Compile step by step, telling the progress before each step and at the end."""
    steps = [*_steps(rules, options), *more]
    for number, (label, compile_it) in enumerate(steps):
        yield number, len(steps), label
        compile_it()
    if JIT:
        (cache_folder() / f"{mark}.warm").touch()
    yield len(steps), len(steps), "ready"


def _steps(rules: ModuleType, options: list[int]) -> list[Step]:
    """Each function that Python calls by itself, on a game of its own."""
    records = blanks(rules.STATE, 1)
    s = records[0]
    out = np.zeros(rules.MOST_LEGAL, np.int16)
    points = np.zeros(options[0], np.int64)
    return [
        ("the set-up", lambda: rules.setup(s, np.array(options, np.int64), 0)),
        ("what is legal", lambda: (door.standing(records, out, points), door.choices(records, 0, out))),
        ("the turn", lambda: door.act(records, int(out[0]))),
        ("what others may know", lambda: rules.redeal(s, 0, 0)),
    ]
