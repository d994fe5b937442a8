"""Mille Fiori: what cells, cards and players are called, and what lies on the table in those names."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec

from laguna.games.mille_fiori.components import (
    AREA_SIZE,
    AREAS,
    CARDS,
    FIRST,
    GOOD_NAMES,
    GROUPS,
    MAX_PLAYERS,
    NO_CARD,
    RESIDENCES,
    ROWS,
    SHIPS,
    WORKSHOPS,
)
from laguna.games.mille_fiori.meta import META

NAMES = tuple(META.seat_name(seat) for seat in range(MAX_PLAYERS))
Phase = Literal["keep", "play", "extra", "over"]
PHASES: tuple[Phase, ...] = ("keep", "play", "extra", "over")

CARD_NAMES = (None, *(f"{kind}{wheel}" for kind, wheel in CARDS))
_WRITTEN = tuple(name or "" for name in CARD_NAMES)
CARD_NUMBERS = {name: number for number, name in enumerate(CARD_NAMES) if name}

LEVELS = [f"{level}{place}" for level, size in zip("bmt", (5, 4, 3), strict=True) for place in range(size)]
CELL_NAMES = (
    *(f"W{place}" for place in range(AREA_SIZE[WORKSHOPS])),
    *(f"R{place}" for place in range(AREA_SIZE[RESIDENCES])),
    *(f"{pyramid}{level}" for pyramid in "NC" for level in LEVELS),
    *(f"T{good}{row}" for good in GOOD_NAMES for row in range(ROWS)),
    *(f"H{row}{ship}" for row in range(ROWS) for ship in range(SHIPS)),
)
CELL_NUMBERS = {name: cell for cell, name in enumerate(CELL_NAMES)}
AREA_CELLS = [CELL_NAMES[FIRST[area] : FIRST[area + 1]] for area in range(len(AREAS))]
FIRST_SHIP = CELL_NAMES.index("H00")

# The same as patterns, short enough for a message.
CARD_PATTERN = (
    "(pigment|quartz|ash|lime|residence|goblet|carafe|earrings|swan|harbor)[1-5]"
    "|(lion|coin|crab)[1235]|(cross|fish|shell)[1-4]"
)
CELL_PATTERN = (
    "W[12]?[0-9]|R1?[0-9]|[NC](b[0-4]|m[0-3]|t[0-2])|T(goblet|carafe|earrings|swan)[0-4]|H[0-4][0-2]"
)
CellName = Annotated[str, msgspec.Meta(pattern=f"^({CELL_PATTERN})$")]


def card_list(cards: list[int]) -> list[str]:
    """Names of the cards in a row of the record."""
    return [_WRITTEN[card] for card in cards if card != NO_CARD]


def display_list(s: Any) -> list[str]:
    """The cards of the display, each as often as it lies there."""
    return [card for card, count in zip(_WRITTEN, s.display, strict=True) if count for _ in range(count)]


def board(s: Any) -> dict[str, int]:
    """Whose lozenge lies on each cell that is filled."""
    owners: dict[str, int] = {}
    for area, own in enumerate(s.own):
        for seat, bits in enumerate(own):
            if bits:
                owners |= _owned(area, seat, bits)
    return owners


@lru_cache(maxsize=4096)  # an action fills one cell
def _owned(area: int, seat: int, bits: int) -> dict[str, int]:
    return {name: seat for place, name in enumerate(AREA_CELLS[area]) if bits >> place & 1}


def bonus(s: Any) -> dict[str, list[int]]:
    """The seats on each group's bonus cells, from 20 points downward."""
    return {group: [seat - 1 for seat in s.bonus[area] if seat] for area, group in enumerate(GROUPS)}
