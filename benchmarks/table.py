"""What every action costs a server, in microseconds of one core: `python -m benchmarks.table`.

Random games with the usual number of players. For every action, this does what a table does: play it from its
text, then build the view of the seat to move and that of another seat, and encode both as JSON. A game caches
answers until the next action, so the legal actions are taken from a fresh copy. Every position is measured in
several runs and the fastest counts, so a busy machine matters little.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

import laguna

RUNS = 7
SEEDS = range(3)
STEPS = ("play", "legal", "view", "next view", "JSON")
ACTION = ("play", "view", "next view", "JSON")  # what an action costs a server

Times = dict[str, float]
to_json = msgspec.json.Encoder().encode


def timed(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """The CPU time of this thread in microseconds, and what the call returned."""
    began = time.thread_time_ns()
    found = call(*arguments)
    return (time.thread_time_ns() - began) / 1e3, found


def one_run(game: str, seed: int) -> list[Times]:
    """A random game, the same in every run: the times of each of its actions."""
    chance = random.Random(seed)
    match = laguna.new(game, seed=seed)
    found = []
    while not match.over:
        legal, actions = timed(match.copy().legal)
        play, _ = timed(match.play, str(chance.choice(actions)), match.seat)
        first = match.seat or 0
        view, shown = timed(match.view, first)
        next_view, next_shown = timed(match.view, (first + 1) % match.players)
        written, _ = timed(lambda views: [to_json(view) for view in views], (shown, next_shown))
        found.append(dict(zip(STEPS, (play, legal, view, next_view, written), strict=True)))
    return found


def measure(game: str) -> list[Times]:
    """The fastest times of each action in a few games."""
    one_run(game, 0)
    found = []
    for seed in SEEDS:
        runs = [one_run(game, seed) for _ in range(RUNS)]
        found += [
            {step: min(each[step] for each in same) for step in STEPS} for same in zip(*runs, strict=True)
        ]
    return found


def main() -> None:
    table = Table("µs, mean (most)", *STEPS, "actions/s", box=None)
    for game in laguna.games():
        found = measure(game)
        cells = []
        for step in STEPS:
            times = [each[step] for each in found]
            cells.append(f"{sum(times) / len(times):,.0f} ({max(times):,.0f})")
        whole = sum(each[step] for each in found for step in ACTION) / len(found)
        table.add_row(game, *cells, f"{1e6 / whole:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
