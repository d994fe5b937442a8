"""What the tests know about each game: options that make it short, and how many can play."""

from __future__ import annotations

from typing import Any

from laguna.games import rulebooks
from tests.size import scaled

GAMES = list(rulebooks())
SHORT: dict[str, dict[str, Any]] = {"neptune-vesta": {"rounds": 1}}


def in_turn(number: int) -> list[str]:
    """The games for a long test: all in `make proof`; in `make test` one, which depends on `number`."""
    return scaled([GAMES[number % len(GAMES)]], GAMES)


def fewest(game: str) -> int:
    return int(rulebooks()[game].meta.players[0])


def most(game: str) -> int:
    return int(rulebooks()[game].meta.players[-1])
