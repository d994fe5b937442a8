"""Search: a budget of seconds or iterations in, ranked actions out."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from laguna.bots import tree
from laguna.errors import BadOption
from laguna.game import Action, Game
from laguna.games import find
from laguna.kernel.chance import WORDS
from laguna.kernel.playout import MOST_SEATS
from laguna.kernel.records import blanks

MEMORY = 64_000_000  # bytes for all trees of one search together, their scratch memory included
MOST_THREADS = 64  # so that every tree has room
CHUNK = 0.004  # seconds between two looks at the clock
MOST_SECONDS = 3600.0
MOST_ITERATIONS = 100_000_000
FORECAST = 2  # actions tried by forecasts for each iteration: 5 to 10 % of the time
SURELY = 1.3  # a search may become so many times faster later on: what is decided even then is decided
FORESEEN = 256  # iterations after which it can be told how many there will be
SHORTEST_LINE = 20  # visits below which a continuation is mere guessing


@dataclass(frozen=True)
class Choice:
    """An action as the search sees it: how often it was tried, and what each seat may expect of it.

    `expected` is what the search goes by, won games and leads mixed. `scores` and `wins` are forecasts,
    means of games that greedy players finished; only actions that led the search for a while have them.
    """

    action: Action
    visits: int
    expected: tuple[float, ...]  # for each seat, from 0 (lost) to 1 (won)
    scores: tuple[float, ...] | None
    wins: tuple[float, ...] | None


@dataclass(frozen=True)
class Analysis:
    """What a search found, best action first."""

    seat: int
    choices: tuple[Choice, ...]
    line: tuple[Action, ...]  # how the game would go on
    iterations: int
    seconds: float

    @property
    def best(self) -> Choice:
        return self.choices[0]


class _Tree:
    """One tree and its scratch memory, at most `memory` bytes together, run by one thread."""

    def __init__(self, game: Game, seed: int, memory: int, playout: int | None, forecast: bool) -> None:
        rules, hints = game.rules, find(game.meta.id).hints
        assert game.seat is not None
        self.root = game.state
        self.task = blanks(tree.TASK, 1)[0]
        self.task.seed, self.task.seat, self.task.seats = seed, game.seat, game.players
        self.task.scale = hints.SCALE
        self.halving = hints.HALVING
        self.task.playout = hints.PLAYOUT if playout is None else playout
        self.task.care = hints.CARE if playout is None else 1
        self.task.forecast = FORECAST if forecast else 0
        self.used = np.array([tree.FREE], np.int64)
        self.tallies = blanks(tree.TALLY, rules.CODES)
        self.scratch = (
            blanks(rules.STATE, 1),
            blanks(rules.STATE, 1),
            blanks(rules.STATE, 1),
            np.zeros(rules.MOST_LEGAL, np.int16),
            np.zeros(rules.CODES, np.int32),
            np.zeros(tree.MOST_MET, np.int32),
            np.zeros(MOST_SEATS),
            np.zeros(MOST_SEATS),
        )
        self.stream = np.zeros(WORDS, np.uint32)
        others = (self.task, self.used, self.tallies, *self.scratch, self.stream)
        left = memory - sum(each.nbytes for each in others)
        self.nodes = blanks(tree.NODE, left // tree.NODE.itemsize)

    def run(self, count: int, total: int) -> None:
        """Run iterations; `total` is how many there will have been in the end, as far as can be told."""
        self.task.count = count
        self.task.total = total if self.halving else 0
        tree.iterate(self.task, self.root, self.nodes, self.used, *self.scratch, self.tallies, self.stream)

    def run_until(self, deadline: float, clock: Callable[[], float], hurry: bool) -> None:
        """Look at the clock every few milliseconds; the first step is small, for it may be slow."""
        count = 8
        total = MOST_ITERATIONS  # nobody can tell yet
        while (start := clock()) < deadline:
            self.run(count, total)
            took = max(clock() - start, 1e-6)
            left = max(deadline - start - took, 0.0)
            if hurry and tree.decided(self.task, self.nodes, SURELY * count * left / took):
                return
            if self.task.done >= FORESEEN:
                total = int(self.task.done) + int(count * left / took)
            count = max(1, min(int(count * min(min(CHUNK, left) / took, 4.0)), 1 << 20))

    def children(self, place: int) -> list[Any]:
        found = []
        child = int(self.nodes[place].first)
        while child != tree.NONE:
            found.append((child, self.nodes[child]))
            child = int(self.nodes[child].following)
        return found


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="laguna-search")


def analyse(
    game: Game,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    playout: int | None = None,
    forecast: bool = True,
    own_time: bool = False,
    hurry: bool = False,
) -> Analysis:
    """Search for the seat to move, knowing only what it may know.

    With `seconds` all cores search, or as many threads as named, one tree each; in `own_time` they are
    seconds that each thread really computes, so that a busy machine makes a search late but not weak. With
    `iterations` one tree is searched, and the same seed gives the same answer on every machine. `playout`
    overrides how many actions are played below the tree, which are then chosen at random; without
    `forecast` no game is played to its end to tell scores and wins. In a `hurry` a thread stops before its
    time when the rest of it could not bring another action to the front any more, as far as can be told, and
    nobody waits for nothing.
    """
    if game.seat is None:
        raise BadOption("over", "The game is over; there is nothing to search for.")
    _check_budget(seconds, iterations)
    start = time.perf_counter()
    known = game.imagine(game.seat, seed)
    codes = [action.code for action in known.legal()]
    threads = 1 if iterations is not None else min(threads or os.cpu_count() or 1, MOST_THREADS)
    trees = [_Tree(known, seed + thread, MEMORY // threads, playout, forecast) for thread in range(threads)]
    if iterations is not None:
        trees[0].run(iterations, iterations)
    else:
        assert seconds is not None
        budget = seconds

        def search(each: _Tree) -> None:
            if own_time:
                each.run_until(time.thread_time() + budget, time.thread_time, hurry)
            else:
                each.run_until(start + budget, time.perf_counter, hurry)

        list(_pool().map(search, trees))
    return _summary(known, codes, trees, time.perf_counter() - start)


def _check_budget(seconds: float | None, iterations: int | None) -> None:
    if (seconds is None) == (iterations is None):
        raise BadOption("budget", "A search needs either seconds or iterations.")
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        raise BadOption("budget", f"Seconds to search are more than 0 and at most {MOST_SECONDS:.0f}.")
    if iterations is not None and not 0 < iterations <= MOST_ITERATIONS:
        raise BadOption("budget", f"Iterations are from 1 to {MOST_ITERATIONS}.")


def _summary(game: Game, codes: list[int], trees: list[_Tree], seconds: float) -> Analysis:
    visits = dict.fromkeys(codes, 0)
    for each in trees:
        for _, node in each.children(tree.ROOT):
            visits[int(node.action)] += int(node.visits)
    choices = _choices(game, visits, trees)
    assert game.seat is not None
    seat = game.seat
    choices.sort(key=lambda choice: (-choice.visits, -choice.expected[seat], choice.action.code))
    done = sum(int(each.task.done) for each in trees)
    return Analysis(seat, tuple(choices), _line(game, trees[0], choices[0].action), done, seconds)


def _choices(game: Game, visits: dict[int, int], trees: list[_Tree]) -> list[Choice]:
    """What all trees together tell of each action."""
    fields = ("results", "forecasts", "scores", "wins")
    results, forecasts, scores, wins = (
        np.sum([each.tallies[name] for each in trees], axis=0) for name in fields
    )

    def mean(sums: Any, count: int) -> tuple[float, ...]:
        return tuple(float(each) / count for each in sums[: game.players])

    found = []
    for code, count in visits.items():
        told = (
            mean(sums[code], int(forecasts[code])) if forecasts[code] else None for sums in (scores, wins)
        )
        found.append(Choice(game.action(code), count, mean(results[code], max(count, 1)), *told))
    return found


def _line(game: Game, searched: _Tree, best: Action) -> tuple[Action, ...]:
    """The best action and its most visited continuation, as long as it was looked at often."""
    game = game.copy()
    line: list[Action] = []
    place = tree.ROOT
    legal = {best.code: best}
    while not game.over:
        children = searched.children(place)
        known = [(int(node.visits), child) for child, node in children if int(node.action) in legal]
        visits, child = max(known, default=(0, 0))
        if visits < SHORTEST_LINE:
            break
        line.append(legal[int(searched.nodes[child].action)])
        game.play(line[-1])
        place = child
        legal = {action.code: action for action in game.legal()}
    return tuple(line)
