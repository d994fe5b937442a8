"""Atlantis: where a card would lead a pawn: compiled, since a view asks this for many cards."""

from __future__ import annotations

from typing import Any

from laguna.games.atlantis import rules
from laguna.kernel.jit import quick_rule

NOWHERE = -1


@quick_rule
def landing(shows: Any, place: Any, leaves: Any, occupied: Any, land: Any) -> tuple[int, bool, int]:
    """The space a card leads to, whether a pawn stands there, and the space whose tile is taken."""
    end = rules.next_space(shows, place)
    if rules.stands_on(occupied, end):
        return end, True, 0
    if leaves != NOWHERE:
        occupied &= ~(1 << leaves)  # A13: the space the pawn has left is free
    return end, False, rules.space_to_take(land, occupied, end)
