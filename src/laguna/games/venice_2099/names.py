"""Venice 2099: what squares, tiles, cards, players and phases are called."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta

from laguna.games.venice_2099.components import (
    CARD_VALUES,
    COLOR_COUNT,
    COLORS,
    FIRST_CARD,
    OUT,
    RESCUING,
    SIDE,
    SQUARES,
    VALUES,
    CardValue,
)
from laguna.games.venice_2099.meta import META

Phase = Literal["place", "turn", "moved", "bought", "rescue", "over"]
Square = Annotated[str, Meta(pattern="^[a-h][1-8]$")]
Tile = Annotated[str, Meta(pattern=f"^(platform|({'|'.join(COLORS)})[2-8X])$")]
CardName = Annotated[str, Meta(pattern=f"^({'|'.join(COLORS)})[3-8X]$")]

PHASES: tuple[Phase, ...] = get_args(Phase)  # in the order of their numbers
COLUMNS = "abcdefgh"
SQUARE_NAMES = tuple(COLUMNS[square % SIDE] + str(square // SIDE + 1) for square in range(SQUARES))
SQUARE_NUMBERS = {name: square for square, name in enumerate(SQUARE_NAMES)}
# A tile or a card by its number: black2, …, greenX, platform.
TILE_NAMES = (*(color + value for value in VALUES for color in COLORS), "platform")
TILE_NUMBERS = {name: tile for tile, name in enumerate(TILE_NAMES)}


def player(seat: int) -> str:
    return META.seat_name(seat)


def card_value(card: int) -> CardValue:
    """The value of a card by its number."""
    return CARD_VALUES[(card - FIRST_CARD) // COLOR_COUNT]


def cards_of(bits: Any) -> list[str]:
    """The cards of a set, lowest first."""
    return list(_cards(int(bits)))


@lru_cache(maxsize=4096)  # an action changes one set
def _cards(bits: int) -> list[str]:
    return [name for card, name in enumerate(TILE_NAMES) if bits >> card & 1]


def squares_of(s: Any, seat: int) -> list[str]:
    """Where the pawns of a seat stand, in the order of the board."""
    return [SQUARE_NAMES[square] for square in s.pawns[seat] if square != OUT]


def mover(s: Any) -> int:
    """Who decides; at the end, the seat that had the last turn."""
    seat: int = s.fallen if s.phase == RESCUING else s.turn
    return seat
