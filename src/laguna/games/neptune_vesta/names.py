"""Neptune & Vesta: what cells, tiles and players are called."""

from __future__ import annotations

from typing import Literal

import msgspec

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


class Tile(msgspec.Struct, array_like=True, frozen=True):
    """N2: a tile on the board, written as ["red", 7]."""

    color: Color
    value: int


# The tile that each number stands for on the board.
TILES = tuple(Tile(COLORS[code // BLUE_TILE], code & VALUE_OF) for code in range(2 * BLUE_TILE))
