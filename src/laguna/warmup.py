"""Compiling a game before it is needed: the steps, and whether it has been done.

A finished warm-up leaves a marker in the game's cache folder, one for each `Part`, so the next start knows
that it will be quick. `python -m laguna.warmup GAME` compiles all parts. Servers run it as a child process,
for one stage after the other: first what a table needs, so that people can begin, then what bots need.
`--assist` is a second process for the same stage: it begins where the first one ends, and neither compiles
what the other is working on.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from laguna.bots import analyse, forecast, instinct, tree
from laguna.bots.network import accumulator_type, no_network
from laguna.bots.one_ply import best_action, greedy
from laguna.errors import LagunaError
from laguna.fair import SECRET_BYTES
from laguna.game import Game, from_position, from_position_live, new
from laguna.games import Rulebook, find
from laguna.kernel import MAX_SEATS, calls
from laguna.kernel.cache import cache_folder
from laguna.kernel.chance import WORDS
from laguna.kernel.jit import JIT
from laguna.kernel.records import blanks
from laguna.table.result import breakdown

Stage = Literal["table", "bots"]  # of a server: what a table without bots calls, then all the rest
Part = Literal["rules", "search", "table", "server"]  # to play, to let bots search, that stage, both stages
PARTS: dict[Stage, tuple[Part, ...]] = {"table": ("table",), "bots": ("rules", "search", "server")}
REPORT = 0.5  # seconds between two reports
Step = tuple[str, Callable[[], object]]
Progress = tuple[int, int, str]  # steps done, steps in total, what comes next


def is_warm(book: Rulebook, part: Part) -> bool:
    """Has this part of the game been compiled from exactly these sources?"""
    return not JIT or _mark(book, part).exists() or (part == "table" and _mark(book, "server").exists())


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

    def observe() -> None:
        size = 0 if book.observations is None else book.observations.SIZE
        calls.observed(records, 0, np.zeros(size, np.int16))
        calls.mask(records, 0, out, np.zeros(rules.CODES, np.int8))

    def set_up() -> None:
        rules.setup(s, np.array(options, np.int64), 0)

    def choose() -> None:
        set_up()
        best_action(s, blanks(rules.STATE, 1), out, stream, 0, 0.0)

    return [
        ("setup", set_up),
        ("legal actions", lambda: (calls.standing(records, out, points), calls.choices(records, 0, out))),
        ("observations", observe),
        ("turns", lambda: calls.act(records, int(out[0]))),
        ("hidden information", lambda: calls.deal_again(records, 0, 0)),
        ("bots", choose),
    ]


def _search_step(book: Rulebook) -> Step:
    return "search", lambda: analyse(new(book.meta.id, seed=0), iterations=10)


# ------------------------------------------------------------------ all that a server calls


def exercise(game: str) -> None:
    """Call all compiled code of a game that a server uses, so that it is compiled and loaded."""
    for stage in get_args(Stage):
        exercise_stage(game, stage)


def exercise_stage(game: str, stage: Stage) -> None:
    """The same for one stage; that of the bots needs what a table calls."""
    if stage == "table":
        _play(game)
    else:
        _let_bots_play(game)


def _play(game: str) -> None:
    """A whole game as people play it: views, previews, refusals and scores call the rules, too."""
    played = new(game, seed=0)
    while not played.over:
        if played.played % 12 == 0:
            _ask_everything(played)
        seat = played.deciders[-1]
        for each in range(played.players):
            played.view(each)
        played.play(played.legal(seat)[0], seat)
    _ask_everything(played)
    played.undo()


def _ask_everything(game: Game) -> None:
    for code in range(game.rules.CODES):
        with suppress(LagunaError):
            game.check(code)
    for action in game.legal()[:1]:
        game.preview(action)
    breakdown(game)


def _let_bots_play(game: str) -> None:
    """Bots, and positions of game files and tables."""
    played = new(game, seed=0)
    while not played.over:
        if played.played % 12 == 0:
            _read_positions(game, played)
        assert played.seat is not None
        bot = greedy if played.played % 2 else instinct
        played.play(bot(played.imagine(played.seat, 1), 1))
    from_position(game, played.position())
    played.undo()
    analyse(played, seconds=1e-6, threads=1, hurry=True)
    forecast(played, played.legal()[0].code, games=1)


def _read_positions(game: str, played: Game) -> None:
    """The position with all its fields, and with those left out that may be: they are then dealt."""
    whole = played.position()
    from_position(game, whole)
    from_position_live(game, played.position(undrawn=False), bytes(SECRET_BYTES))
    for name in whole:
        with suppress(LagunaError):
            from_position(game, {field: value for field, value in whole.items() if field != name})


# ------------------------------------------------------------------ in a process of its own


def _assist(book: Rulebook, stage: Stage) -> None:
    """Compile what the exercise reaches last, without calling it."""
    from numba import float64, int64, typeof

    rules = book.rules
    records, stream = blanks(rules.STATE, 1), np.zeros(WORDS, np.uint32)
    out, points = np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(MAX_SEATS, np.int64)
    results = np.zeros(MAX_SEATS)
    net, accumulator = typeof(no_network(book.meta.id)), typeof(blanks(accumulator_type(book.inputs), 1)[0])
    one, some = typeof(records[0]), typeof(records)
    task, tally = typeof(blanks(tree.TASK, 1)[0]), typeof(blanks(tree.TALLY, 1)[0])
    codes, numbers, sums, chance = typeof(out), typeof(points), typeof(results), typeof(stream)
    wanted: dict[Stage, list[tuple[Any, tuple[Any, ...]]]] = {
        "table": [(calls.act, (some, int64)), (calls.standing, (some, codes, numbers))],
        "bots": [
            (tree.forecast, (task, one, some, codes, sums, tally, chance)),
            (tree.judge, (task, one, some, chance, codes, sums, sums, sums, net, accumulator)),
            (best_action, (one, some, codes, chance, int64, float64)),
        ],
    }
    for function, types in wanted[stage]:
        function.compile(types)


def _report() -> None:
    """Say again and again how much processor time was used so far, until nobody listens any more."""
    with suppress(OSError):
        while True:
            print(f"{time.process_time():.2f}", flush=True)
            time.sleep(REPORT)


def _shared() -> AbstractContextManager[None]:
    if not JIT:
        return nullcontext()
    from laguna.kernel.numba_cache import sharing_work

    return sharing_work()


def _prepare(book: Rulebook, stage: Stage) -> None:
    exercise_stage(book.meta.id, stage)
    for part in PARTS[stage]:
        mark_warm(book, part)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m laguna.warmup", description="Compile everything for a game."
    )
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--nice", action="store_true", help="run at low priority")
    parser.add_argument("--stage", choices=get_args(Stage), action="append", help="only this one")
    parser.add_argument("--assist", action="store_true", help="compile the other half of the stage")
    parser.add_argument("--report", action="store_true", help="print the processor time used so far")
    given = parser.parse_args()
    if given.nice and hasattr(os, "nice"):
        os.nice(19)
    if given.report:
        threading.Thread(target=_report, daemon=True).start()
    with _shared():
        for game in given.games:
            for stage in given.stage or get_args(Stage):
                (_assist if given.assist else _prepare)(find(game), stage)
    if given.report:
        print(f"{time.process_time():.2f}", flush=True)


if __name__ == "__main__":
    main()
