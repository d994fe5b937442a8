"""Every game, player count and option: what the conformance suite runs over."""

from __future__ import annotations

import hashlib
import itertools
import random
from typing import Any, NamedTuple

import numpy as np

import laguna
from laguna.games import rulebooks

UNWRITTEN = -7777


class Kind(NamedTuple):
    """One way to play one game."""

    game: str
    players: int
    options: dict[str, Any]

    def new(self, seed: int) -> laguna.Game:
        return laguna.new(self.game, players=self.players, seed=seed, **self.options)

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options.items()]
        return ",".join([self.game, f"{self.players}p", *chosen])


def kinds() -> list[Kind]:
    """All combinations."""
    found = []
    for book in rulebooks().values():
        names = [option.name for option in book.meta.options]
        choices = [list(option.choices) for option in book.meta.options]
        for players in book.meta.players:
            for values in itertools.product(*choices):
                found.append(Kind(book.meta.id, players, dict(zip(names, values, strict=True))))
    return found


def main_kinds() -> list[Kind]:
    """Every player count, and every choice of every option, at least once: for the slower tests."""
    found = []
    for book in rulebooks().values():
        usual = {option.name: option.default for option in book.meta.options}
        found += [Kind(book.meta.id, players, usual) for players in book.meta.players]
        for option in book.meta.options:
            for choice in option.choices:
                if choice != option.default:
                    found.append(Kind(book.meta.id, book.meta.usual_players, usual | {option.name: choice}))
    return found


def random_steps(game: laguna.Game, seed: int) -> Any:
    """Play to the end at random, yielding before every action."""
    chance = random.Random(seed)
    while not game.over:
        yield
        game.play(chance.choice(game.legal()))


def fingerprint(kind: Kind, seed: int) -> str:
    """A hash of the record after every action of a random game."""
    digest = hashlib.sha256()
    game = kind.new(seed)
    for _ in random_steps(game, seed):
        digest.update(game.state_bytes())
    digest.update(game.state_bytes())
    return digest.hexdigest()


def told_to(inputs: Any, s: Any, seat: int) -> tuple[list[int], list[int]]:
    """The rows and counts that a network is given for a seat, over memory that held something else."""
    rows = np.full(inputs.SLOTS, UNWRITTEN, np.int16)
    counts = np.full(len(inputs.COUNTS), UNWRITTEN, np.int16)
    inputs.inputs(s, seat, rows, counts)
    return rows.tolist(), counts.tolist()
