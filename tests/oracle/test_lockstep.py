"""The engine beside its naive referee, action by action, over thousands of random games.

The referee is the second opinion for every optimisation: same legal actions in the same order, same
scores, same end, same hidden tiles after every action.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import laguna
from laguna.games import rulebooks
from laguna.kernel.chance import SEEDS
from laguna.kernel.jit import JIT
from tests.every import Kind, kinds
from tests.oracle import neptune_vesta

GAMES = 400 if JIT else 5


def neptune_vesta_agrees(match: neptune_vesta.Match, game: laguna.Game) -> None:
    position = game.position()
    board = {cell: (("red", "blue")[color], value) for cell, (color, value) in match.board.items()}
    assert {cell: tuple(tile) for cell, tile in position["board"].items()} == board
    assert [position["hands"]["red"], position["hands"]["blue"]] == match.hands
    assert [position["stacks"]["red"], position["stacks"]["blue"]] == match.stacks
    assert position["lighthouse"] == match.lighthouse
    assert position.get("round", 1) == match.round_number
    assert position["starter"] == match.starter
    assert game.scores == match.wins
    if game.actions:
        assert _events(game.log[-1].events) == match.events


def _events(events: tuple[laguna.Event, ...]) -> list[tuple[Any, ...]]:
    """What the referee tells too: lines and ends of rounds."""
    told: list[tuple[Any, ...]] = []
    for event in events:
        if event.key == "line":
            told.append(("line", *(event.arguments[name] for name in ("line", "seat", "points"))))
        elif event.key in ("round-lighthouse", "round-full", "round-draw"):
            told.append(("round", event.arguments["seat"]))
    return told


REFEREES: dict[str, tuple[Callable[..., Any], Callable[[Any, laguna.Game], None]]] = {
    "neptune-vesta": (
        lambda seed, players, **options: neptune_vesta.Match(seed, **options),
        neptune_vesta_agrees,
    ),
}


def test_every_game_has_a_referee() -> None:
    assert set(REFEREES) == set(rulebooks())


@pytest.mark.parametrize("kind", kinds(), ids=str)
def test_lockstep(kind: Kind) -> None:
    make, agrees = REFEREES[kind.game]
    chance = random.Random(str(kind))
    for _ in range(GAMES):
        seed = chance.randrange(SEEDS)
        game, match = kind.new(seed), make(seed, kind.players, **kind.options)
        agrees(match, game)
        while not game.over:
            assert match.seat == game.seat and not match.over
            legal = game.legal()
            assert [action.value for action in legal] == match.legal()
            action = chance.choice(legal)
            game.play(action)
            match.play(action.value)
            agrees(match, game)
        assert match.over and match.legal() == []
        assert game.winners == match.winners()
