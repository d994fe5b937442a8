"""Compiling a game ahead of its first use, step by step, so that the wait can be shown.

A finished warm-up leaves a mark in the game's cache folder: the next start knows that it will be quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import numpy as np

from laguna.kernel import door
from laguna.kernel.cache import cache_folder
from laguna.kernel.jit import JIT
from laguna.kernel.records import blanks

Step = tuple[str, Callable[[], object]]
Progress = tuple[int, int, str]  # steps done, steps in all, what comes next


def is_warm(game: Path, part: str) -> bool:
    """Was this part of the game in this folder compiled before, from exactly these sources?"""
    return not JIT or _mark(game, part).exists()


def mark_warm(game: Path, part: str) -> None:
    if JIT:
        with suppress(OSError):  # a folder that may only be read
            _mark(game, part).touch()


def mark_cold(game: Path, part: str) -> None:
    with suppress(OSError):
        _mark(game, part).unlink(missing_ok=True)


def _mark(game: Path, part: str) -> Path:
    return cache_folder(game, bots=True) / f"{part}.warm"


def warm_up(
    game: Path, part: str, rules: ModuleType, options: list[int], more: list[Step]
) -> Iterator[Progress]:
    """Compile step by step, telling the progress before each step and at the end."""
    steps = [*_steps(rules, options), *more]
    for number, (label, compile_it) in enumerate(steps):
        yield number, len(steps), label
        compile_it()
    mark_warm(game, part)
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
