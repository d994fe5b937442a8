"""Targets from search: games in which every seat searches, and what the searches expected.

A search sees further than the network it judges with, so what it expects is a better lesson than what the
network expects itself. Such games are slow: they are played on all cores, and learned from together with
the many quick ones of `games.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from random import Random
from typing import Any
from zipfile import BadZipFile

import numpy as np

from laguna.bots import analyse
from laguna.bots.network import FOLDER
from laguna.errors import LagunaError
from laguna.game import new
from laguna.games import Rulebook, find
from laguna.lab.workers import results
from laguna.training.mixing import mix

ITERATIONS = 400  # of each search
MAX_OPENING = 6  # a game begins with up to so many random actions, so that games differ
EPSILON = 0.04  # of the later actions are random, too
KEPT_TOGETHER = 200  # games in a file
TD_LAMBDA = 0.7  # how far later searches and results reach back
DECISIONS = np.dtype([("mover", np.int8), ("expected", np.float32), ("random", np.bool_)])


@dataclass(frozen=True)
class Searched:
    """Positions of searched games, as each seat is told about them, and what came of them.

    `targets` are the chance to win and the points still to come, the latter not divided yet; `shares` are the
    shares of the win in the end.
    """

    rows: np.ndarray
    counts: np.ndarray
    targets: np.ndarray
    shares: np.ndarray
    players: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    def save(self, path: Path) -> None:
        """Write them, whole or not at all."""
        part = path.with_suffix(".part.npz")
        np.savez(part, **asdict(self))
        part.replace(path)

    @staticmethod
    def join(parts: Sequence[Searched]) -> Searched:
        names = [field.name for field in fields(Searched)]
        return Searched(*(np.concatenate([getattr(each, name) for each in parts]) for name in names))

    @staticmethod
    def load(path: Path, book: Rulebook) -> Searched:
        """Read them again; refused with a sentence if they are of another game or damaged."""
        assert book.inputs is not None
        wide = {"rows": (book.inputs.SLOTS,), "counts": (len(book.inputs.COUNTS),), "targets": (2,)}
        shapes: dict[str, tuple[int, ...]] = wide | {"shares": (), "players": ()}
        try:
            with np.load(path, allow_pickle=False) as kept:
                found = {name: kept[name] for name in shapes}
        except (OSError, ValueError, KeyError, BadZipFile):
            found = {}
        sizes = {len(each) for each in found.values()}
        if len(sizes) != 1 or any(found[name].shape[1:] != shape for name, shape in shapes.items()):
            text = f"The searched games in {path} are damaged or do not fit; remove them to play others."
            raise LagunaError("searched", text)
        return Searched(**found)


@contextmanager
def networks_in(folder: Path) -> Iterator[None]:
    """Let child processes find the networks of this folder by name."""
    before = os.environ.get(FOLDER)
    os.environ[FOLDER] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[FOLDER]
        else:
            os.environ[FOLDER] = before


def play_searched(
    game: str,
    folder: Path,
    network: str,
    count: int,
    seed: int,
    iterations: int = ITERATIONS,
    epsilon: float = EPSILON,
    kept: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Searched:
    """So many games of a network in this folder, of all player counts and options, on all cores.

    Every few games are kept in a file of the folder `kept`, if there is one, and not played again.
    """
    book, chance = find(game), Random(seed)
    tasks = []
    for number in range(count):
        players, given = mix(book.meta, chance)
        tasks.append((game, players, given, network, seed * 1_000_003 + number, iterations, epsilon))
    parts: list[Searched] = []
    for first in range(0, count, KEPT_TOGETHER):
        file = None if kept is None else kept / f"{first}.npz"
        if file is not None and file.exists():
            parts.append(Searched.load(file, book))
            continue
        found = []
        with networks_in(folder):
            for played in results(play, tasks[first : first + KEPT_TOGETHER], os.cpu_count() or 1):
                found.append(played)
                progress(first + len(found), count)
        parts.append(Searched.join(found))
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            parts[-1].save(file)
    return Searched.join(parts)


def play(
    game: str,
    players: int,
    given: dict[str, Any],
    network: str,
    seed: int,
    iterations: int,
    epsilon: float,
) -> Searched:
    """One game in which every seat searches."""
    table, chance, module = new(game, players=players, seed=seed, **given), Random(seed), find(game).inputs
    assert module is not None
    opening = chance.randrange(MAX_OPENING + 1)
    rows, counts, points = [], [], []
    decisions: list[tuple[int, float, bool]] = []
    while not table.over:
        legal = table.legal()
        if len(legal) == 1:
            table.play(legal[0])
            continue
        assert table.seat is not None
        told = np.zeros((players, module.SLOTS), np.int16)
        numbers = np.zeros((players, len(module.COUNTS)), np.int16)
        for seat in range(players):
            module.inputs(table.state, seat, told[seat], numbers[seat])
        best = analyse(
            table, iterations=iterations, seed=chance.randrange(1 << 30), forecast=False, network=network
        ).best
        assert best.chances is not None
        any_one = len(decisions) < opening or chance.random() < epsilon
        rows.append(told)
        counts.append(numbers)
        points.append(table.scores)
        decisions.append((table.seat, best.chances[table.seat], any_one))
        table.play(chance.choice(legal) if any_one else best.action)
    shares = np.array([(seat in table.winners) / len(table.winners) for seat in range(players)])
    wins = chances_to_win(np.array(decisions, DECISIONS), shares)
    to_come = np.array(table.scores) - np.array(points)
    targets = np.stack([wins, to_come], -1).astype(np.float32)
    won = np.tile(shares, len(decisions)).astype(np.float32)
    seats = np.full(len(won), players, np.int8)
    return Searched(np.concatenate(rows), np.concatenate(counts), targets.reshape(-1, 2), won, seats)


def chances_to_win(decisions: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """TD(λ) for every seat at every decision: its next searches, and who won in the end.

    Nothing that came of a random action counts against the seat that made it.
    """
    found = np.zeros((len(decisions), len(shares)))
    value = shares.astype(np.float64)
    for number in range(len(decisions) - 1, -1, -1):
        mover, expected, any_one = decisions[number]
        reach = 0.0 if any_one else TD_LAMBDA
        value[mover] = reach * value[mover] + (1 - reach) * expected
        found[number] = value
    return found
