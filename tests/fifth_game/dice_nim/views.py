"""Dice Nim: what a seat may see."""

from __future__ import annotations

from typing import Any

from dice_nim.actions import Take
from laguna.games.contract import GameView


class DiceNimView(GameView, frozen=True, kw_only=True):
    """D6: what a seat may know."""

    legal: list[Take]
    heap: int
    taken: list[int]
    hand: list[int] | None  # your die
    dice: list[int] | None  # of all, once the game is over


VIEW = DiceNimView


def public(s: Any, **common: Any) -> dict[str, Any]:
    """D6: what everyone may know, and nothing else."""
    return dict(
        heap=s.heap,
        taken=s.taken[: s.players],
        dice=[die for (die,) in s.hand[: s.players]] if s.heap == 0 else None,
        **common,
    )


def own(s: Any, *, seat: int | None, **common: Any) -> dict[str, Any]:
    """D6: what this seat (None: a spectator) sees besides, and nothing else."""
    return dict(hand=None if seat is None else list(s.hand[seat]), seat=seat, **common)
