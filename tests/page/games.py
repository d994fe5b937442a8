"""What the tests know of each game: options that make it short, and how many can play."""

from __future__ import annotations

from typing import Any

from laguna.games import rulebooks

GAMES = list(rulebooks())
SHORT: dict[str, dict[str, Any]] = {"neptune-vesta": {"rounds": 1}}


def fewest(game: str) -> int:
    return int(rulebooks()[game].meta.players[0])


def most(game: str) -> int:
    return int(rulebooks()[game].meta.players[-1])
