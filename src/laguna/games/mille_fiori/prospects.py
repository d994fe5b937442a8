"""Mille Fiori: what the cards that a seat chooses from would bring if they were played now."""

from __future__ import annotations

from typing import Any

import numpy as np

from laguna.games.contract import Fields
from laguna.games.mille_fiori import rules
from laguna.games.mille_fiori.components import NO_CARD, WHEEL_OF
from laguna.games.mille_fiori.names import CARD_NAMES, CELL_NAMES, FIRST_SHIP
from laguna.games.mille_fiori.rules import CHOOSING_EXTRA, KEEPING, PLACE, PLACE_AND_SAIL, PLAYING, SAIL
from laguna.kernel import calls


class Prospect(Fields, frozen=True):
    """M10–M12: what a card would bring its player if it were played now, without the cards it may earn."""

    card: str
    cells: dict[str, int]  # the points for a lozenge on each cell where it may go; on a ship with sailing
    sails_to: int  # M35: the space where the ship would stop
    sailing: int  # the points for that
    most: int  # the points of the best of these


def prospects(s: Any, seat: int) -> list[Prospect]:
    """Of each different card that the seat may keep or take now, or that it has to play."""
    cards = _cards(s, seat)
    if not cards:
        return []
    starts = np.repeat(s.record.reshape(1), len(cards))
    starts["phase"], starts["turn"] = PLAYING, seat
    starts["extra_card"] = cards
    ways = [_legal(starts[i : i + 1]) for i in range(len(cards))]
    ends = np.repeat(starts, [len(codes) for codes in ways])
    for i, code in enumerate(code for codes in ways for code in codes):
        calls.act(ends[i : i + 1], code)
    brought = iter((ends["points"][:, seat] - s.points[seat]).tolist())
    return [
        _prospect(s, seat, card, {code: next(brought) for code in codes})
        for card, codes in zip(cards, ways, strict=True)
    ]


def _cards(s: Any, seat: int) -> list[int]:
    """M5, M38, M10: the different cards of the hand, of the display, or the card in play."""
    if s.phase == KEEPING:
        return sorted({card for card in s.hand[seat] if card != NO_CARD})
    if seat != s.turn:
        return []
    if s.phase == CHOOSING_EXTRA:
        return [card for card, count in enumerate(s.display) if count]
    return [s.extra_card or s.kept[seat]] if s.phase == PLAYING else []


def _legal(records: Any) -> list[int]:
    out, points = np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(int(records[0].players), np.int64)
    codes: list[int] = out[: calls.standing(records, out, points)[2]].tolist()
    return codes


def _prospect(s: Any, seat: int, card: int, points: dict[int, int]) -> Prospect:
    cells: dict[str, int] = {}
    for code, brought in points.items():
        if code == SAIL:
            continue
        cell = CELL_NAMES[code - PLACE_AND_SAIL + FIRST_SHIP if code >= PLACE_AND_SAIL else code - PLACE]
        cells[cell] = max(brought, cells.get(cell, 0))
    stop = int(rules.stops_at(s.ships[seat], int(WHEEL_OF[card])))
    return Prospect(CARD_NAMES[card] or "", cells, stop, points[SAIL], max(points.values()))
