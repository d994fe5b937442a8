"""Neptune & Vesta: why an action is not allowed."""

from __future__ import annotations

from typing import Any

from laguna.errors import IllegalAction, either
from laguna.games.neptune_vesta.actions import PLACES
from laguna.games.neptune_vesta.names import CELL_NAMES, CELL_NUMBERS, NAMES, TILES


def refusal(s: Any, code: int) -> IllegalAction:
    """Why an action of the seat to move is not allowed, and what is."""
    seat = s.turn
    tile = PLACES[code]
    hand = [value for value in s.hand[seat] if value]
    free = [name for cell, name in enumerate(CELL_NAMES) if s.board[cell] == 0]
    allowed = f"{NAMES[seat]} may place {either(sorted(set(hand)))} on any of the {len(free)} free cells"
    if tile.tile not in hand:
        return IllegalAction(
            "not-in-hand",
            f"There is no {tile.tile} in {NAMES[seat]}'s hand; {allowed} (N8).",
            clause="N8",
            seat=seat,
            tile=tile.tile,
            hand=hand,
        )
    there = TILES[s.board[CELL_NUMBERS[tile.at]]]
    return IllegalAction(
        "cell-taken",
        f"{tile.at} already holds the {there.color} {there.value}; {allowed}, such as {free[0]} (N8).",
        clause="N8",
        seat=seat,
        at=tile.at,
        color=there.color,
        value=there.value,
        free=free,
    )
