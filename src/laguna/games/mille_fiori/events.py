"""Mille Fiori: what the rules did, put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar

from msgspec import UNSET, UnsetType

from laguna.games.contract import Event, Facts, event
from laguna.games.mille_fiori import components as box
from laguna.games.mille_fiori.components import GOOD_NAMES, GROUPS, ROWS, Good, Group
from laguna.games.mille_fiori.names import CARD_NAMES, CELL_NAMES, CELL_NUMBERS, NAMES


class RoundStart(Facts, frozen=True):
    """M5: a round begins; this seat has the Doge."""

    key: ClassVar = "round-start"
    round: int
    seat: int


class RoundEnd(Facts, frozen=True):
    """M8: the cards left over join the display."""

    key: ClassVar = "round-end"
    round: int


class DeckEnd(Facts, frozen=True):
    """M39: the game is over, as the deck is dealt out."""

    key: ClassVar = "deck-end"
    round: int


class LozengesEnd(Facts, frozen=True):
    """M40: the game is over, as a supply is empty and all have played."""

    key: ClassVar = "lozenges-end"
    round: int


class LastLozenge(Facts, frozen=True):
    """M39: this seat's supply is the first to be empty."""

    key: ClassVar = "last-lozenge"
    seat: int


class Placed(Facts, frozen=True):
    """M10: a card shows, and puts a lozenge on this cell."""

    key: ClassVar = "place"
    seat: int
    card: str
    cell: str


class PlacedAndSailed(Facts, frozen=True):
    """M31: a harbor card puts a lozenge on this ship's cell, and the seat's own ship sails."""

    key: ClassVar = "place-and-sail"
    seat: int
    card: str
    cell: str


class Sailed(Facts, frozen=True):
    """M11: a card shows, and moves the seat's ship."""

    key: ClassVar = "sail"
    seat: int
    card: str


class Points(Facts, frozen=True):
    """M43: points, for a cell (of trade with its good), for the fleet of a row or for a space of the sea."""

    key: ClassVar = "points"
    seat: int
    points: int
    cell: str | UnsetType = UNSET
    good: Good | UnsetType = UNSET
    row: int | UnsetType = UNSET
    space: int | UnsetType = UNSET


class BonusTaken(Facts, frozen=True):
    """M13: a bonus cell of this group."""

    key: ClassVar = "bonus"
    seat: int
    points: int
    group: Group


class ExtraCard(Facts, frozen=True):
    """M38: this seat has earned an extra card."""

    key: ClassVar = "extra-card"
    seat: int


class NoExtraCard(Facts, frozen=True):
    """M38: this seat has earned an extra card, but the display is empty."""

    key: ClassVar = "no-extra-card"
    seat: int


FACTS = (
    RoundStart,
    RoundEnd,
    DeckEnd,
    LozengesEnd,
    LastLozenge,
    Placed,
    PlacedAndSailed,
    Sailed,
    Points,
    BonusTaken,
    ExtraCard,
    NoExtraCard,
)


def events(s: Any) -> list[Event]:
    """What the last action did, as the rules noted it."""
    return [_TELL[kind](*numbers) for kind, *numbers in s.events[: s.event_count]]


def scoring(s: Any, log: Iterable[Event]) -> list[Event]:
    """M41: the score is all points that were scored on the way."""
    return [event for event in log if "points" in event.arguments]


# ------------------------------------------------------------------ rounds and the end


def _round_start(seat: int, number: int, *_: int) -> Event:
    return event("M5", RoundStart(number, seat), f"Round {number}: {NAMES[seat]} has the Doge.")


def _round_end(seat: int, number: int, *_: int) -> Event:
    return event("M8", RoundEnd(number), f"Round {number} is over: the cards left over join the display.")


def _deck_end(seat: int, number: int, *_: int) -> Event:
    return event("M39", DeckEnd(number), "The deck is dealt out: the game is over.")


def _lozenges_end(seat: int, number: int, *_: int) -> Event:
    return event("M40", LozengesEnd(number), "A supply is empty and all have played: the game is over.")


def _last_lozenge(seat: int, *_: int) -> Event:
    text = f"{NAMES[seat]} has placed the last lozenge of the supply: these are the last turns."
    return event("M39", LastLozenge(seat), text)


# ------------------------------------------------------------------ cards


def _placed(seat: int, card: int, cell: int, _: int) -> Event:
    facts = Placed(seat, _card(card), CELL_NAMES[cell])
    return event("M10", facts, f"{NAMES[seat]} places {facts.card} on {facts.cell}.")


def _placed_and_sailed(seat: int, card: int, cell: int, _: int) -> Event:
    facts = PlacedAndSailed(seat, _card(card), CELL_NAMES[cell])
    return event("M31", facts, f"{NAMES[seat]} places {facts.card} on {facts.cell} and sails.")


def _sailed(seat: int, card: int, *_: int) -> Event:
    facts = Sailed(seat, _card(card))
    return event("M11", facts, f"{NAMES[seat]} sails with {facts.card}.")


def _card(number: int) -> str:
    return CARD_NAMES[number] or ""


def _extra_card(clause: str, why: str, seat: int, *_: int) -> Event:
    return event(clause, ExtraCard(seat), f"{NAMES[seat]} earns an extra card for {why}.")


def _no_extra_card(seat: int, *_: int) -> Event:
    text = f"{NAMES[seat]} would earn an extra card, but the display is empty."
    return event("M38", NoExtraCard(seat), text)


# ------------------------------------------------------------------ points

_GOODS = {"goblet": "goblets", "carafe": "carafes", "earrings": "earrings", "swan": "swans"}
_BONUS = (
    ("M16", "all four raw materials"),
    ("M20", "four different residences"),
    ("M25", "all three symbols of the nobles"),
    ("M25", "all three symbols of the commoners"),
    ("M29", "all four goods"),
)  # by group


def _points(clause: str, facts: Points, why: str) -> Event:
    return event(clause, facts, f"{facts.points} to {NAMES[facts.seat]} for {why}.")


def _cell_points(clause: str, why: str, seat: int, points: int, cell: int, _: int) -> Event:
    name = CELL_NAMES[cell]
    return _points(clause, Points(seat, points, cell=name), why.format(cell=name))


def _good_points(seat: int, points: int, cell: int, _: int) -> Event:
    good = GOOD_NAMES[(cell - CELL_NUMBERS["Tgoblet0"]) // ROWS]
    return _points("M28", Points(seat, points, cell=CELL_NAMES[cell], good=good), f"the {_GOODS[good]}")


def _fleet_points(seat: int, points: int, row: int, _: int) -> Event:
    return _points("M32", Points(seat, points, row=row), f"the fleet of row {row}")


def _sea_points(seat: int, points: int, space: int, _: int) -> Event:
    return _points("M34", Points(seat, points, space=space), f"stopping on space {space}")


def _sea_end_points(seat: int, points: int, space: int, _: int) -> Event:
    return _points("M35", Points(seat, points, space=space), "reaching the end of the sea route")


def _bonus(seat: int, points: int, area: int, _: int) -> Event:
    clause, why = _BONUS[area]
    text = f"{points} to {NAMES[seat]}, a bonus for {why}."
    return event(clause, BonusTaken(seat, points, GROUPS[area]), text)


_TELL: dict[int, Callable[..., Event]] = {
    box.ROUND_STARTED: _round_start,
    box.ROUND_ENDED: _round_end,
    box.DECK_DEALT_OUT: _deck_end,
    box.SUPPLY_USED_UP: _lozenges_end,
    box.LAST_LOZENGE_LAID: _last_lozenge,
    box.PLACED: _placed,
    box.PLACED_AND_SAILED: _placed_and_sailed,
    box.SAILED: _sailed,
    box.WORKSHOPS_SCORED: partial(_cell_points, "M15", "the connected workshops at {cell}"),
    box.RESIDENCES_SCORED: partial(_cell_points, "M19", "the residences up to {cell}"),
    box.TOWNSPERSON_SCORED: partial(_cell_points, "M23", "{cell}"),
    box.TRIANGLE_SCORED: partial(_cell_points, "M24", "the triangle below {cell}"),
    box.GOOD_SCORED: _good_points,
    box.FLEET_SCORED: _fleet_points,
    box.SEA_SPACE_SCORED: _sea_points,
    box.SEA_END_SCORED: _sea_end_points,
    box.BONUS_CELL_TAKEN: _bonus,
    box.EXTRA_CARD_BY_WORKSHOPS: partial(_extra_card, "M17", "the third workshop around a symbol"),
    box.EXTRA_CARD_BY_RESIDENCES: partial(_extra_card, "M21", "a third or fifth different residence"),
    box.EXTRA_CARD_BY_TOP_CELL: partial(_extra_card, "M26", "a top townsperson"),
    box.EXTRA_CARD_BY_TRADE: partial(_extra_card, "M30", "being outnumbered on a good"),
    box.EXTRA_CARD_BY_SEA_SPACE: partial(_extra_card, "M34", "the space where the ship stopped"),
    box.EXTRA_CARD_BY_SEA_END: partial(_extra_card, "M35", "the end of the sea route"),
    box.DISPLAY_WAS_EMPTY: _no_extra_card,
}
