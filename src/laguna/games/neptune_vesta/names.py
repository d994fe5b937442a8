"""Neptune & Vesta: what cells, tiles and players are called."""

from __future__ import annotations

from typing import Literal

from laguna.games.neptune_vesta.components import BLUE_TILE, CELLS, SEATS, SIDE, VALUE_OF, ZONE
from laguna.games.neptune_vesta.meta import META

Color = Literal["red", "blue"]

COLORS: tuple[Color, Color] = ("red", "blue")
NAMES = tuple(META.seat_name(seat) for seat in range(SEATS))
ZONES = "RB"
COLUMNS = "abcde"


def cell_name(cell: int) -> str:
    """N1: Rc3 is the center of the red zone."""
    zone, place = divmod(cell, ZONE)
    row, column = divmod(place, SIDE)
    return f"{ZONES[zone]}{COLUMNS[column]}{row + 1}"


CELL_NAMES = tuple(cell_name(cell) for cell in range(CELLS))
CELL_NUMBERS = {name: cell for cell, name in enumerate(CELL_NAMES)}


def tile_words(tile: int) -> tuple[Color, int]:
    """A tile on the board as its color and value."""
    return COLORS[tile // BLUE_TILE], tile & VALUE_OF
