"""Mille Fiori: what the cards that a seat chooses from would bring if they were played now."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from laguna.games.contract import Fields
from laguna.games.mille_fiori import rules
from laguna.games.mille_fiori.components import BONUS_POINTS, NO_CARD, WHEEL_OF
from laguna.games.mille_fiori.names import CARD_NAMES, CELL_NAMES, FIRST_SHIP
from laguna.games.mille_fiori.rules import CHOOSING_EXTRA, KEEPING, PLACE, PLACE_AND_SAIL, PLAYING, SAIL
from laguna.kernel import calls


class Prospect(Fields, frozen=True):
    """M10–M12: what a card would bring its player if it were played now; extra cards are not played."""

    card: str
    cells: dict[str, int]  # the points for a lozenge on each cell where it may go; on a ship with sailing
    sails_to: int  # M35: the space where the ship would stop
    sailing: int  # the points for that
    most: int  # the points of the best of these
    bonus: dict[str, int]  # M13: the points of the bonus cell that a lozenge on this cell would earn
    extra: list[str]  # M38: the cells, or "sea" for sailing alone, that would earn an extra card


def prospects(s: Any, seat: int) -> list[Prospect]:
    """Of each different card that the seat may keep or take now, or that it has to play."""
    cards = _cards(s, seat)
    if not cards:
        return []
    starts = np.repeat(s.record.reshape(1), len(cards))
    starts["phase"], starts["turn"] = PLAYING, seat
    starts["extra_card"] = cards
    if s.phase == CHOOSING_EXTRA:  # M38: a card that is taken is no longer in the display
        starts["display"][np.arange(len(cards)), cards] -= 1
        starts["display_size"] -= 1
    ways = [_legal(starts[i : i + 1]) for i in range(len(cards))]
    ends = np.repeat(starts, [len(codes) for codes in ways])
    for i, code in enumerate(code for codes in ways for code in codes):
        calls.act(ends[i : i + 1], code)
    brought = zip(
        (ends["points"][:, seat] - s.points[seat]).tolist(),
        _bonus_points(s, ends),
        (ends["phase"] == CHOOSING_EXTRA).tolist(),
        strict=True,
    )
    return [
        _prospect(s, seat, card, {code: Brought(*next(brought)) for code in codes})
        for card, codes in zip(cards, ways, strict=True)
    ]


class Brought(NamedTuple):
    """What one way to play a card brings: points, those of a bonus cell among them, an extra card."""

    points: int
    bonus: int
    extra: bool


def _bonus_points(s: Any, ends: Any) -> list[int]:
    """M13: of the bonus cell that was taken in each of these, 0 if none was."""
    taken = (ends["bonus"] != 0) & (np.array(s.bonus) == 0)
    points: list[int] = (taken * BONUS_POINTS[: taken.shape[2]]).sum(axis=(1, 2)).tolist()
    return points


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


def _prospect(s: Any, seat: int, card: int, ways: dict[int, Brought]) -> Prospect:
    best: dict[str, Brought] = {}  # of the ways to place it on a cell
    for code, brought in ways.items():
        if code != SAIL:
            cell = CELL_NAMES[code - PLACE_AND_SAIL + FIRST_SHIP if code >= PLACE_AND_SAIL else code - PLACE]
            best[cell] = max(brought, best.get(cell, brought))
    return Prospect(
        card=CARD_NAMES[card] or "",
        cells={cell: brought.points for cell, brought in best.items()},
        sails_to=int(rules.stops_at(s.ships[seat], int(WHEEL_OF[card]))),
        sailing=ways[SAIL].points,
        most=max(brought.points for brought in ways.values()),
        bonus={cell: brought.bonus for cell, brought in best.items() if brought.bonus},
        extra=[
            *(cell for cell, brought in best.items() if brought.extra),
            *(["sea"] if ways[SAIL].extra else []),
        ],
    )
