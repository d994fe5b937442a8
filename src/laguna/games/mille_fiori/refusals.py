"""Mille Fiori: why an action is not allowed."""

from __future__ import annotations

from typing import Any

from laguna.errors import IllegalAction, either
from laguna.games.mille_fiori import rules
from laguna.games.mille_fiori.components import (
    AREA_OF,
    AREA_OF_TYPE,
    BELOW,
    CELL_TYPE,
    COMMONERS,
    FIRST,
    HARBOR,
    NOBLES,
    RESIDENCES,
    SEA_END,
    SHIPS,
    TRADE,
    TYPE_OF,
    WORKSHOPS,
)
from laguna.games.mille_fiori.names import (
    CARD_NAMES,
    CELL_NAMES,
    FIRST_SHIP,
    NAMES,
    board,
    card_list,
    display_list,
)
from laguna.games.mille_fiori.rules import (
    CHOOSING_EXTRA,
    EXTRA,
    KEEP,
    KEEPING,
    PLACE,
    PLACE_AND_SAIL,
    SAIL,
)

_PLACING = ("M14", "M18", "M22", "M22", "M27", "M31")  # the clause that says where cards of an area go


def refusal(s: Any, code: int, seat: int | None = None) -> IllegalAction:
    """Why an action of a seat (None: the one to move) is not allowed, and what is."""
    seat = int(s.turn) if seat is None else seat
    if s.phase == KEEPING:
        return _cannot_keep(s, code, seat)
    if s.phase == CHOOSING_EXTRA:
        return _cannot_take(s, code, seat)
    return _cannot_play(s, code, seat)


def _refuse(key: str, why: str, allowed: str, clause: str, **arguments: Any) -> IllegalAction:
    return IllegalAction(key, f"{why}; {allowed} ({clause}).", clause=clause, **arguments)


def _cannot_keep(s: Any, code: int, seat: int) -> IllegalAction:
    """M5: only a card of the hand can be kept."""
    hand = _different(card_list(s.hand[seat]))
    allowed = f"{NAMES[seat]} may keep {either(hand)}"
    if code >= EXTRA:
        why = "A card must be kept before any is played"
        return _refuse("keep-first", why, allowed, "M5", seat=seat, hand=hand)
    card = CARD_NAMES[1 + code - KEEP]
    why = f"There is no {card} in {NAMES[seat]}'s hand"
    return _refuse("not-in-hand", why, allowed, "M5", seat=seat, card=card, hand=hand)


def _cannot_take(s: Any, code: int, seat: int) -> IllegalAction:
    """M38: only a card of the display can be taken."""
    display = _different(display_list(s))
    allowed = f"{NAMES[seat]} may take {either([*display, 'none (decline)'])}"
    if not EXTRA <= code < PLACE:
        why = "An extra card must be taken or declined at once"
        return _refuse("extra-card-first", why, allowed, "M38", seat=seat, display=display)
    card = CARD_NAMES[1 + code - EXTRA]
    why = f"There is no {card} in the display"
    return _refuse("not-in-display", why, allowed, "M38", seat=seat, card=card, display=display)


def _cannot_play(s: Any, code: int, seat: int) -> IllegalAction:
    """M10–M12: the card in play can be placed or sailed."""
    card = CARD_NAMES[rules.card_in_play(s.record)]
    may = _may_place(s)
    allowed = f"{NAMES[seat]} may place on {either(may)}, or sail" if may else f"{NAMES[seat]} may sail"
    if not PLACE <= code < SAIL:
        why = f"{card} must be played now"
        return _refuse("play-the-card", why, allowed, "M10", seat=seat, card=card, cells=may)
    sails = code >= PLACE_AND_SAIL
    cell = code - PLACE_AND_SAIL + FIRST_SHIP if sails else code - PLACE
    key, clause, why = _cannot_place(s, cell, sails, seat)
    first = _filled_first(s, cell) if key in ("not-next", "not-supported", "not-leftmost") else []
    facts = {"seat": seat, "card": card, "cell": CELL_NAMES[cell], "cells": may, "first": first}
    return _refuse(key, why, allowed, clause, **facts)


def _cannot_place(s: Any, cell: int, sails: bool, seat: int) -> tuple[str, str, str]:
    """Why the card in play cannot be placed on a cell: a key, the clause, half a sentence."""
    name, area = CELL_NAMES[cell], int(AREA_OF[cell])
    card = int(rules.card_in_play(s.record))
    kind = int(TYPE_OF[card])
    if rules.lozenges_to_use(s.record, seat) == 0:
        return "no-lozenge", "M12", f"{NAMES[seat]} has no lozenge to place"
    owner = board(s).get(name)
    if owner is not None:
        return "cell-taken", _PLACING[area], f"{name} already holds a lozenge of {NAMES[owner]}"
    if AREA_OF_TYPE[kind] != area or (area in (WORKSHOPS, TRADE) and CELL_TYPE[cell] != kind):
        return "wrong-card", _PLACING[int(AREA_OF_TYPE[kind])], f"{CARD_NAMES[card]} cannot go to {name}"
    if area == RESIDENCES:
        return "not-next", "M18", f"{name} is not the next free residence"
    if area in (NOBLES, COMMONERS):
        return "not-supported", "M22", f"the two cells below {name} are not both filled"
    if sails and s.ships[seat] == SEA_END:
        return "ship-at-end", "M35", f"{NAMES[seat]}'s ship is at the end of the route and cannot sail"
    return "not-leftmost", "M31", f"{name} is not the first free ship of its row"


def _filled_first(s: Any, cell: int) -> list[str]:
    """M18, M22, M31: the free cells directly below this one, or the one that comes next in its row."""
    area = int(AREA_OF[cell])
    first, filled = int(FIRST[area]), sum(s.own[area])
    place = cell - first
    if area in (NOBLES, COMMONERS):
        needed = int(BELOW[place]) & ~filled
        return [CELL_NAMES[first + each] for each in range(place) if needed >> each & 1]
    start = place - place % SHIPS if area == HARBOR else 0
    return [CELL_NAMES[first + next(each for each in range(start, place) if not filled >> each & 1)]]


def _may_place(s: Any) -> list[str]:
    """The cells where the card in play may be placed."""
    kind = int(TYPE_OF[rules.card_in_play(s.record)])
    if rules.lozenges_to_use(s.record, int(s.turn)) == 0:
        return []
    bits, first = int(rules.open_cells(s.record, kind)), int(FIRST[AREA_OF_TYPE[kind]])
    return [CELL_NAMES[first + place] for place in range(32) if bits >> place & 1]


def _different(cards: list[str]) -> list[str]:
    return list(dict.fromkeys(cards))
