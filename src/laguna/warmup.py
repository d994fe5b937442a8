"""Compiling a game before it is needed: the steps, and whether it has been done.

A finished warm-up leaves a marker in the game's cache folder, one for each `Part`, so the next start knows
that it will be quick. `python -m laguna.warmup [--nice] GAME` compiles all parts; servers run it as a child
process.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from laguna.bots import analyse
from laguna.bots.one_ply import best_action, greedy
from laguna.errors import LagunaError
from laguna.game import Game, from_position, new
from laguna.games import Rulebook, find
from laguna.kernel import calls
from laguna.kernel.cache import cache_folder
from laguna.kernel.chance import WORDS
from laguna.kernel.jit import JIT
from laguna.kernel.records import blanks
from laguna.table.result import breakdown

Part = Literal["rules", "search", "server"]  # to play, to let bots search, everything that a server calls
Step = tuple[str, Callable[[], object]]
Progress = tuple[int, int, str]  # steps done, steps in total, what comes next


def is_warm(book: Rulebook, part: Part) -> bool:
    """Has this part of the game been compiled from exactly these sources?"""
    return not JIT or _mark(book, part).exists()


def mark_warm(book: Rulebook, part: Part) -> None:
    if JIT:
        with suppress(OSError):  # a read-only folder
            _mark(book, part).touch()


def mark_cold(book: Rulebook, part: Part) -> None:
    with suppress(OSError):
        _mark(book, part).unlink(missing_ok=True)


def _mark(book: Rulebook, part: Part) -> Path:
    return cache_folder(book.path, bots=True) / f"{part}.warm"


def warm_up(book: Rulebook, search: bool = False) -> Iterator[Progress]:
    """Compile step by step, yielding the progress before each step and at the end."""
    steps = [*_rules_steps(book), *([_search_step(book)] if search else [])]
    for number, (label, compile_it) in enumerate(steps):
        yield number, len(steps), label
        compile_it()
    mark_warm(book, "search" if search else "rules")
    yield len(steps), len(steps), "ready"


def _rules_steps(book: Rulebook) -> list[Step]:
    """Each function that Python calls directly, applied to a game of its own."""
    rules = book.rules
    options = book.meta.encode(*book.meta.resolve(None, {}))
    records = blanks(rules.STATE, 1)
    s = records[0]
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    points = np.zeros(options[0], np.int64)
    stream = np.zeros(WORDS, np.uint32)

    def set_up() -> None:
        rules.setup(s, np.array(options, np.int64), 0)

    def choose() -> None:
        set_up()
        best_action(s, blanks(rules.STATE, 1), out, stream, 0, 0.0)

    return [
        ("setup", set_up),
        ("legal actions", lambda: (calls.standing(records, out, points), calls.choices(records, 0, out))),
        ("turns", lambda: calls.act(records, int(out[0]))),
        ("hidden information", lambda: rules.redeal(s, 0, 0)),
        ("bots", choose),
    ]


def _search_step(book: Rulebook) -> Step:
    return "search", lambda: analyse(new(book.meta.id, seed=0), iterations=10)


# ------------------------------------------------------------------ all that a server calls


def exercise(game: str) -> None:
    """Call all compiled code of a game that a server uses, so that it is compiled and loaded."""
    played = new(game, seed=0)
    while not played.over:
        if played.played % 12 == 0:
            _ask_everything(played)
        seat = played.deciders[-1]
        for each in range(played.players):
            played.view(each)
        played.play(played.legal(seat)[0], seat)
        if played.seat is not None:
            played.play(greedy(played.imagine(played.seat, 1), 1))
    _ask_everything(played)
    played.undo()
    analyse(played, seconds=1e-6, threads=1, hurry=True)


def _ask_everything(game: Game) -> None:
    """Refusals, scores and positions: words and positions call the rules, too."""
    for code in range(game.rules.CODES):
        with suppress(LagunaError):
            game.check(code)
    breakdown(game)
    from_position(game.meta.id, game.position())


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m laguna.warmup", description="Compile everything for a game."
    )
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--nice", action="store_true", help="run at low priority")
    given = parser.parse_args()
    if given.nice and hasattr(os, "nice"):
        os.nice(19)
    for game in given.games:
        exercise(game)
        for part in get_args(Part):
            mark_warm(find(game), part)


if __name__ == "__main__":
    main()
