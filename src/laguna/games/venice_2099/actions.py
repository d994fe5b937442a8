"""Venice 2099: actions as codes, as structs and as notation."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

import msgspec

from laguna.games.contract import Action, in_order
from laguna.games.venice_2099.components import (
    CARD_VALUES,
    COLOR_COUNT,
    COLORS,
    OUT,
    SQUARES,
    CardValue,
    Color,
)
from laguna.games.venice_2099.names import SQUARE_NAMES, SQUARE_NUMBERS, Square, card_value, mover, squares_of
from laguna.games.venice_2099.rules import BUY, CARD, GONDOLA, PLACE, RESCUE, SINK, WALKS, lowest_value


class _Step(msgspec.Struct, forbid_unknown_fields=True, frozen=True, tag_field="do"):
    """One small decision."""


class Place(_Step, frozen=True, tag="place"):
    """V7: put a pawn on this square during set-up."""

    at: Square


class Rescue(_Step, frozen=True, tag="rescue"):
    """V14: bring your fallen pawn here by gondola."""

    to: Square


class Walk(_Step, frozen=True, tag="walk"):
    """V9: your pawn walks."""

    start: Square = msgspec.field(name="from")
    to: Square


class Gondola(_Step, frozen=True, tag="gondola"):
    """V10: your pawn goes by gondola."""

    start: Square = msgspec.field(name="from")
    to: Square


class Buy(_Step, frozen=True, tag="buy"):
    """V11: buy a treasure of the color of the quarter on which your pawn stands."""

    at: Square


class Card(_Step, frozen=True, tag="card"):
    """V12: play this prophecy card."""

    color: Color
    value: CardValue


class Sink(_Step, frozen=True, tag="sink"):
    """V14: let your fallen pawn sink."""


ACTION = Place | Rescue | Walk | Gondola | Buy | Card | Sink
HOW_TO_WRITE = (
    "@c4 to place a pawn, c4-c7 to walk, c4~h1 to go by gondola, $c7 to buy, redX to play a card, "
    "~h1 to rescue or sink to let sink"
)
_NOTATION = re.compile(
    r"@ ?(?P<place>[a-h][1-8])"
    r"|(?P<walk>[a-h][1-8]) ?- ?(?P<walk_to>[a-h][1-8])"
    r"|(?P<ride>[a-h][1-8]) ?~ ?(?P<ride_to>[a-h][1-8])"
    r"|~ ?(?P<rescue>[a-h][1-8])"
    r"|\$ ?(?P<buy>[a-h][1-8])"
    r"|(?P<color>[a-z]{2,6}) ?(?P<value>[3-8x])"
    r"|(?P<sink>sink)"
)


# ------------------------------------------------------------------ what each code means


def _notation(action: Any) -> str:
    """The short form of an action: @c4, c4-c7, c4~h1, $c7, redX, ~h1, sink."""
    match action:
        case Place(at):
            return f"@{at}"
        case Rescue(to):
            return f"~{to}"
        case Walk(start, to):
            return f"{start}-{to}"
        case Gondola(start, to):
            return f"{start}~{to}"
        case Buy(at):
            return f"${at}"
        case Card(color, value):
            return f"{color}{value}"
    return "sink"


PLACES = in_order(map(Place, SQUARE_NAMES), _notation, PLACE)
RESCUES = in_order(map(Rescue, SQUARE_NAMES), _notation, RESCUE)
SINKS = in_order([Sink()], _notation, SINK)


@cache
def _moves(kind: type[Walk | Gondola], pawn: int, start: int) -> tuple[Action | None, ...]:
    """All moves of a pawn from a square; each is made once."""
    if start == OUT:
        return (None,) * SQUARES
    first = (WALKS if kind is Walk else GONDOLA) + pawn * SQUARES
    return in_order([kind(SQUARE_NAMES[start], to) for to in SQUARE_NAMES], _notation, first)


@cache
def _purchase(pawn: int, start: int) -> Action | None:
    return None if start == OUT else in_order([Buy(SQUARE_NAMES[start])], _notation, BUY + pawn)[0]


@cache
def _cards(value: CardValue | None) -> tuple[Action | None, ...]:
    """V12: the cards of a value; without one there is no card to play."""
    if value is None:
        return (None,) * COLOR_COUNT
    return in_order([Card(color, value) for color in COLORS], _notation, CARD)


def lowest(s: Any, seat: int) -> CardValue | None:
    """V12: the lowest value in a seat's hand, which it has to play; None if it has no cards."""
    return _lowest_of(s.hand[seat])


@lru_cache(maxsize=10_000)
def _lowest_of(hand: int) -> CardValue | None:
    return card_value(int(lowest_value(hand)) * COLOR_COUNT) if hand else None


def actions(s: Any) -> list[Action | None]:
    """What each code means now; None where it names a pawn or a card that is not there."""
    own = list(enumerate(s.pawns[mover(s)]))
    found: list[Action | None] = [*PLACES, *RESCUES]
    for kind in (Walk, Gondola):
        for pawn, start in own:
            found += _moves(kind, pawn, start)
    found += [_purchase(pawn, start) for pawn, start in own]
    found += _cards(lowest(s, mover(s)))
    found += SINKS
    return found


# ------------------------------------------------------------------ which code is meant


def encode(s: Any, action: Any) -> int:
    """The code of a structured action; refused where it names a pawn or a card that is not there."""
    match action:
        case Place(at):
            return PLACE + SQUARE_NUMBERS[at]
        case Rescue(to):
            return RESCUE + SQUARE_NUMBERS[to]
        case Walk(start, to):
            return WALKS + _pawn(s, "walk", start) * SQUARES + SQUARE_NUMBERS[to]
        case Gondola(start, to):
            return GONDOLA + _pawn(s, "gondola", start) * SQUARES + SQUARE_NUMBERS[to]
        case Buy(at):
            return BUY + _pawn(s, "buy", at)
        case Card(color, value):
            return CARD + _color(s, color, value)
    return SINK


def _pawn(s: Any, kind: str, at: str) -> int:
    """The number of the mover's pawn on a square."""
    own = squares_of(s, mover(s))
    if at in own:
        return own.index(at)
    from laguna.games.venice_2099.refusals import no_pawn  # refusals give examples of actions

    raise no_pawn(s, kind, at)


def _color(s: Any, color: Color, value: CardValue) -> int:
    """The number of the color of a card of the lowest value in the mover's hand."""
    if value == lowest(s, mover(s)):
        return COLORS.index(color)
    from laguna.games.venice_2099.refusals import no_card

    raise no_card(s, color + value)


def parse(s: Any, text: str) -> int | None:
    """The code of an action in short form, or None if it is not one."""
    read = _NOTATION.fullmatch(text.strip().lower())
    if read is None:
        return None
    part = read.groupdict()
    if part["place"]:
        return encode(s, Place(part["place"]))
    if part["walk"]:
        return encode(s, Walk(part["walk"], part["walk_to"]))
    if part["ride"]:
        return encode(s, Gondola(part["ride"], part["ride_to"]))
    if part["rescue"]:
        return encode(s, Rescue(part["rescue"]))
    if part["buy"]:
        return encode(s, Buy(part["buy"]))
    if part["sink"]:
        return SINK
    # Two letters are enough: the terminal writes az5 for the azure 5.
    color = next((each for each in COLORS if each.startswith(part["color"])), None)
    value = next(each for each in CARD_VALUES if each == part["value"].upper())
    return None if color is None else encode(s, Card(color, value))


def is_public(action: Any) -> bool:
    """V23: everybody sees what is done."""
    return True
