"""Neptune & Vesta: actions as codes, as structs and as notation."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec

from laguna.games.contract import Action, in_order
from laguna.games.neptune_vesta.components import CELLS, VALUES
from laguna.games.neptune_vesta.names import CELL_NAMES, CELL_NUMBERS


class Place(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """N8: put your tile of this value on this cell."""

    do: Literal["place"]
    tile: Annotated[int, msgspec.Meta(ge=1, le=VALUES)]
    at: Annotated[str, msgspec.Meta(pattern="^[RB][a-e][1-5]$")]


ACTION = Place
HOW_TO_WRITE = "a tile's value and a cell, such as 7Bc1: value 7 on column c, row 1 of the blue zone"
_NOTATION = re.compile(r"(10|[1-9]) ?([RB])([a-e])([1-5])", re.IGNORECASE)


# Actions mean the same in every position here, so each is made once.
PLACES = tuple(Place("place", value, name) for value in range(1, VALUES + 1) for name in CELL_NAMES)
ACTIONS = in_order(PLACES, lambda place: f"{place.tile}{place.at}")


def actions(s: Any) -> tuple[Action, ...]:
    """What each code means."""
    return ACTIONS


def encode(s: Any, action: Place) -> int:
    """The code of a structured action."""
    return (action.tile - 1) * CELLS + CELL_NUMBERS[action.at]


def parse(s: Any, text: str) -> int | None:
    """The code of an action in short form, or None if it is not one."""
    read = _NOTATION.fullmatch(text.strip())
    if read is None:
        return None
    value, zone, column, row = read.groups()
    return (int(value) - 1) * CELLS + CELL_NUMBERS[zone.upper() + column.lower() + row]


def is_public(action: Place) -> bool:
    """N20: everybody sees which tile is placed where."""
    return True
