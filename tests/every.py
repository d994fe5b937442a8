"""Every game, player count and option: what the conformance suite runs over."""

from __future__ import annotations

import hashlib
import itertools
import random
from typing import Any, NamedTuple

import numpy as np

import laguna
from laguna.games import find, rulebooks
from laguna.games.contract import by_name
from laguna.kernel.dispatch import observe

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
    """A hash of the record before every action of a random game, and of some observations."""
    digest = hashlib.sha256()
    game = kind.new(seed)
    for number, _ in enumerate(random_steps(game, seed)):
        digest.update(game.state_bytes())
        if find(kind.game).observations and number % 8 == 0:
            for seat in range(kind.players):
                digest.update(observed(kind.game, game.state, seat).tobytes())
    digest.update(game.state_bytes())
    return digest.hexdigest()


def told_to(inputs: Any, s: Any, seat: int) -> tuple[list[int], list[int]]:
    """The rows and counts that a network is given for a seat, over memory that held something else."""
    rows = np.full(inputs.SLOTS, UNWRITTEN, np.int16)
    counts = np.full(len(inputs.COUNTS), UNWRITTEN, np.int16)
    inputs.inputs(s, seat, rows, counts)
    return rows.tolist(), counts.tolist()


def observed(game: str, s: Any, seat: int) -> np.ndarray[Any, Any]:
    """What a seat observes, written over memory that held something else."""
    observations = find(game).observations
    assert observations is not None
    out = np.full(observations.SIZE, UNWRITTEN, np.int16)
    observe(s, seat, out)
    return out


def fields_observed(game: laguna.Game, seat: int) -> dict[str, Any]:
    """The fields of what a seat observes, by name, as numbers and lists."""
    observations = find(game.meta.id).observations
    assert observations is not None
    fields = by_name(observations.FIELDS, observed(game.meta.id, game.state, seat))
    return {name: values.tolist() for name, values in fields.items()}


def seat_by_seat(values: list[Any], seat: int, players: int) -> list[Any]:
    """What is told clockwise from a seat, in the order of the seats."""
    assert not any(np.any(each) for each in values[players:]), "seats that are not taken are zeros"
    return [values[(each - seat) % players] for each in range(players)]
