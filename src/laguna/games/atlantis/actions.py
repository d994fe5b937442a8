"""Atlantis: actions as codes, as structs and as notation."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
import numpy as np

from laguna.errors import IllegalAction, either
from laguna.games.atlantis import rules
from laguna.games.atlantis.components import (
    ATLANTIS,
    ITEM_SHIFT,
    ITEMS,
    LAST_BEFORE_GAP,
    MAINLAND,
    SPACES,
    VALUES,
)
from laguna.games.atlantis.meta import META
from laguna.games.atlantis.names import NAMES, Item, Tile, place_name, tile_of
from laguna.games.contract import Action, in_order


class Form(msgspec.Struct, forbid_unknown_fields=True, frozen=True, tag_field="do", tag=str.lower):
    """What all actions have in common: `do` says which of these it is."""


class Buy(Form, frozen=True):
    """A6: give up this tile of yours for cards."""

    tile: Tile


class Bridge(Form, frozen=True):
    """A16: over the gap behind this space."""

    after: Annotated[int, msgspec.Meta(ge=ATLANTIS, le=MAINLAND)]


class Move(Form, frozen=True, rename={"start": "from"}):
    """A7: your pawn on this space, by this card."""

    start: Annotated[int, msgspec.Meta(ge=ATLANTIS, le=SPACES)]
    card: Item


class On(Form, frozen=True):
    """A8: the next card of a chain."""

    card: Item


class Pay(Form, frozen=True, omit_defaults=True):
    """A12: one piece of a payment, either a tile or a card."""

    tile: Tile | msgspec.UnsetType = msgspec.UNSET
    card: Item | msgspec.UnsetType = msgspec.UNSET


class Draw(Form, frozen=True):
    """A10: no move is legal."""


class End(Form, frozen=True):
    """A16: no bridge after the move; draw and end the turn."""


ACTION = Buy | Bridge | Move | On | Pay | Draw | End
HOW_TO_WRITE = (
    "a pawn's space and an item, such as 0 co (the pawn on 0, by coins), on ly, pay ol4, pay co, buy we5, "
    "bridge 26, draw or end"
)


def _actions() -> list[Any]:
    """Actions mean the same in every position here, so each is made once; in the order of their codes."""
    tiles = [tile_of(item << ITEM_SHIFT | value) for item in range(ITEMS) for value in range(1, VALUES + 1)]
    made: list[Any] = [Buy(tile) for tile in tiles if tile.value > 1]
    made += [Bridge(space) for space in range(1, LAST_BEFORE_GAP + 1)]
    made += [Move(space, name) for space in range(MAINLAND) for name in NAMES]
    made += [Draw(), *(On(name) for name in NAMES)]
    made += [Pay(tile=tile) for tile in tiles]
    return [*made, *(Pay(card=name) for name in NAMES), End()]


def _notation(action: Any) -> str:
    if isinstance(action, Move):
        return f"{action.start} {action.card[:2]}"
    word = type(action).__name__.lower()
    if isinstance(action, Bridge):
        return f"{word} {action.after}"
    if isinstance(action, Buy) or (isinstance(action, Pay) and action.tile is not msgspec.UNSET):
        assert action.tile is not msgspec.UNSET
        return f"{word} {action.tile.item[:2]}{action.tile.value}"
    return f"{word} {action.card[:2]}" if isinstance(action, On | Pay) and action.card else word


ACTIONS = in_order(_actions(), _notation)
CODES = {action.struct: action.code for action in ACTIONS}
CODES_WRITTEN = {action.notation: action.code for action in ACTIONS}
ITEMS_WRITTEN = {name[:2]: name for name in NAMES}  # no two begin alike
_ITEM = "|".join(f"{short}(?:{name[2:]})?" for short, name in ITEMS_WRITTEN.items())
_WRITTEN = re.compile(
    rf"(?:(?P<word>draw|end)"
    rf"|(?P<bridge>bridge) ?(?P<after>\d{{1,2}})"
    rf"|(?:move )?(?P<start>\d{{1,2}}) ?(?P<card>{_ITEM})"
    rf"|(?P<do>buy|pay|on) (?P<item>{_ITEM})(?: ?(?P<value>[1-7]))?)"
)


def actions(s: Any) -> tuple[Action, ...]:
    """What each code means."""
    return ACTIONS


def encode(s: Any, action: Any) -> int:
    """The code of a structured action."""
    if action in CODES:
        return CODES[action]
    match action:
        case Pay():
            raise refuse(s, "one-piece", "One piece is paid at a time, a tile or a card", "A12")
        case Buy(tile):
            text = "A tile of value 1 buys no card"
            raise refuse(s, "buys-nothing", text, "A6", tile=[tile.item, tile.value])
        case Bridge(after):
            raise no_gap(s, after)
    raise AssertionError(action)


def parse(s: Any, text: str) -> int | None:
    """The code of an action in short form, or None if it is not one; items may be written out."""
    read = _WRITTEN.fullmatch(re.sub(r"\s+", " ", text.strip()).lower()) if len(text) <= 40 else None
    if read is None:
        return None
    if read["word"]:
        written = read["word"]
    elif read["bridge"]:
        after = int(read["after"])
        return encode(s, Bridge(after)) if after <= MAINLAND else None
    elif read["card"]:
        written = f"{int(read['start'])} {read['card'][:2]}"
    else:
        written = f"{read['do']} {read['item'][:2]}{read['value'] or ''}"
        if read["do"] == "buy" and read["value"] == "1":
            return encode(s, Buy(Tile(ITEMS_WRITTEN[read["item"][:2]], 1)))
    return CODES_WRITTEN.get(written)


def is_public(action: Any) -> bool:
    """A22: everybody sees cards played and paid, tiles given up and bridges."""
    return True


# ------------------------------------------------------------------ what may be done instead


def legal(s: Any) -> list[Action]:
    """What the seat to move may do."""
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    return [ACTIONS[code] for code in out[: rules.legal(s.record, out)].tolist()]


def refuse(s: Any, key: str, sentence: str, clause: str, **arguments: Any) -> IllegalAction:
    """Why not, and what the player may do instead."""
    other = [str(action) for action in legal(s)]
    may = either(other) if len(other) < 5 else f"{', '.join(other[:4])} and {len(other) - 4} more"
    return IllegalAction(
        key,
        f"{sentence}; {META.seat_name(s.turn)} may play {may} ({clause}).",
        clause=clause,
        seat=s.turn,
        **arguments,
    )


def no_gap(s: Any, after: int) -> IllegalAction:
    text = f"There is no gap behind {place_name(after)}"
    return refuse(s, "no-gap", text, "A15", after=after, place=after)
