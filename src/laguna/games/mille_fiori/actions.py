"""Mille Fiori: actions as codes, as structs and as notation."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec

from laguna.games.contract import Action, in_order
from laguna.games.mille_fiori.components import CARDS, CardType
from laguna.games.mille_fiori.names import CARD_NUMBERS, CELL_NAMES, FIRST_SHIP, CellName
from laguna.games.mille_fiori.rules import CHOOSING_EXTRA, CODES, EXTRA, KEEP, PLACE


class Card(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """M1: a card by its type and wheel."""

    type: CardType
    wheel: Annotated[int, msgspec.Meta(ge=1, le=5)]


class Keep(msgspec.Struct, tag_field="do", tag="keep", forbid_unknown_fields=True, frozen=True):
    """M5: keep this card of your hand and pass on the rest."""

    card: Card


class Extra(msgspec.Struct, tag_field="do", tag="extra", forbid_unknown_fields=True, frozen=True):
    """M38: take this card from the display."""

    card: Card


class Place(msgspec.Struct, tag_field="do", tag="place", forbid_unknown_fields=True, frozen=True):
    """M10: put a lozenge on this cell; on a ship's cell (and only there) say whether to sail too (M31)."""

    cell: CellName
    sail: bool | msgspec.UnsetType = msgspec.UNSET


class Sail(msgspec.Struct, tag_field="do", tag="sail", forbid_unknown_fields=True, frozen=True):
    """M11: move your ship instead of placing."""


class Decline(msgspec.Struct, tag_field="do", tag="decline", forbid_unknown_fields=True, frozen=True):
    """M38: take no extra card."""


Form = Keep | Extra | Place | Sail | Decline
ACTION = Form
HOW_TO_WRITE = (
    "a card to keep or take such as lion3, a cell to place on such as W12, Nb2, Tswan0 or R7, a ship's cell "
    "such as H20 (H20+ to sail as well), sail, or decline"
)
_CARD = re.compile(r"([a-z]+) ?([1-5])")


def _all_actions() -> list[Form]:
    """Every action by its code: they mean the same in every position."""
    cards = [Card(kind, wheel) for kind, wheel in CARDS]
    placed = [Place(name, False if name[0] == "H" else msgspec.UNSET) for name in CELL_NAMES]
    sailed = [Place(name, True) for name in CELL_NAMES[FIRST_SHIP:]]
    return [*map(Keep, cards), *map(Extra, cards), *placed, *sailed, Sail(), Decline()]


def _short(action: Form) -> str:
    """lion3, W12, H20+, sail, decline."""
    if isinstance(action, Keep | Extra):
        return f"{action.card.type}{action.card.wheel}"
    if isinstance(action, Place):
        return action.cell + ("+" if action.sail is True else "")
    return "sail" if isinstance(action, Sail) else "decline"


ACTIONS = in_order(_all_actions(), _short)
assert len(ACTIONS) == CODES
CODE_OF = {action.struct: action.code for action in ACTIONS}
PARSED = {action.notation.lower(): action.code for action in ACTIONS[PLACE:]}


def actions(s: Any) -> tuple[Action, ...]:
    """What each code means."""
    return ACTIONS


def encode(s: Any, action: Form) -> int:
    """The code of a structured action."""
    if action in CODE_OF:
        return CODE_OF[action]
    if isinstance(action, Keep | Extra):
        card = action.card
        raise msgspec.ValidationError(f"there is no {card.type} card with wheel {card.wheel} - at `$.card`")
    text = "is for ships' cells only" if isinstance(action, Place) and action.cell[0] != "H" else "is missing"
    raise msgspec.ValidationError(f"true or false {text} - at `$.sail`")


def parse(s: Any, text: str) -> int | None:
    """The code of an action in short form, or None. A card is kept, or taken when an extra card is due."""
    text = text.strip().lower()
    read = _CARD.fullmatch(text)
    if read is not None and (card := CARD_NUMBERS.get("".join(read.groups()))):
        return (EXTRA if s.phase == CHOOSING_EXTRA else KEEP) + card - 1
    return PARSED.get(text)


def is_public(action: Form) -> bool:
    """M42: which card is kept shows only when it is played."""
    return not isinstance(action, Keep)
