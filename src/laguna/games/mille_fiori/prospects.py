"""Mille Fiori: what the cards that a seat chooses from would bring if they were played now."""

from __future__ import annotations

from typing import Any

import numpy as np

from laguna.games.contract import Fields
from laguna.games.mille_fiori import rules
from laguna.games.mille_fiori.components import BONUS_POINTS, NO_CARD, WHEEL_OF
from laguna.games.mille_fiori.names import CARD_NAMES, CELL_NAMES, FIRST_SHIP
from laguna.games.mille_fiori.rules import CHOOSING_EXTRA, KEEPING, PLACE, PLACE_AND_SAIL, PLAYING, SAIL
from laguna.kernel.jit import quick_rule
from laguna.kernel.records import blanks

WHEELS = WHEEL_OF.tolist()


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
    return [_prospect(s, seat, card, ways) for card, ways in zip(cards, _ways(s, seat, cards), strict=True)]


Brought = tuple[int, int, bool]  # by playing a card: points, those of a bonus cell among them, an extra card


def _ways(s: Any, seat: int, cards: list[int]) -> list[dict[int, Brought]]:
    """What each way to play each card brings, by its code."""
    records = s.record.reshape(1)
    out, found = (
        np.empty(rules.MAX_LEGAL, np.int16),
        np.empty((len(cards) * rules.MAX_LEGAL, COLUMNS), np.int16),
    )
    count = _try_all(records, blanks(rules.STATE, 2), seat, np.array(cards, np.int16), out, found)
    ways: list[dict[int, Brought]] = [{} for _ in cards]
    for number, code, points, bonus, extra in found[:count].tolist():
        ways[number][code] = points, bonus, extra == 1
    return ways


COLUMNS = 5  # of a row that `_try_all` writes: the number of the card, the code, and what it brings


@quick_rule
def _try_all(records: Any, trials: Any, seat: int, cards: Any, out: Any, found: Any) -> int:
    """Play every card in every way from here, and write down what each brings; how many ways there are."""
    now, start, end = records[0], trials[0:1], trials[1:2]
    count = 0
    for i in range(len(cards)):
        start[0] = now
        start[0].phase, start[0].turn = PLAYING, seat
        start[0].extra_card = cards[i]
        if now.phase == CHOOSING_EXTRA:  # M38: a card that is taken is no longer in the display
            start[0].display[cards[i]] -= 1
            start[0].display_size -= 1
        ways = rules.legal(start[0], out)
        for j in range(ways):
            end[0] = start[0]
            rules.apply(end[0], np.int64(out[j]))
            row = found[count]
            row[0], row[1] = i, out[j]
            row[2] = end[0].points[seat] - now.points[seat]
            row[3] = bonus_points(now, end[0])
            row[4] = end[0].phase == CHOOSING_EXTRA
            count += 1
    return count


@quick_rule
def bonus_points(before: Any, after: Any) -> int:
    """M13: of the bonus cell that was taken between these, 0 if none was."""
    points = 0
    for group in range(before.bonus.shape[0]):
        for place in range(before.bonus.shape[1]):
            if before.bonus[group, place] == 0 and after.bonus[group, place] != 0:
                points += BONUS_POINTS[place]
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


def _prospect(s: Any, seat: int, card: int, ways: dict[int, Brought]) -> Prospect:
    best: dict[str, Brought] = {}  # of the ways to place it on a cell
    for code, brought in ways.items():
        if code != SAIL:
            cell = CELL_NAMES[code - PLACE_AND_SAIL + FIRST_SHIP if code >= PLACE_AND_SAIL else code - PLACE]
            best[cell] = max(brought, best.get(cell, brought))
    sailing, _, sea = ways[SAIL]
    return Prospect(
        card=CARD_NAMES[card] or "",
        cells={cell: points for cell, (points, _, _) in best.items()},
        sails_to=int(rules.stops_at(s.ships[seat], WHEELS[card])),
        sailing=sailing,
        most=max(points for points, _, _ in ways.values()),
        bonus={cell: bonus for cell, (_, bonus, _) in best.items() if bonus},
        extra=[*(cell for cell, (_, _, extra) in best.items() if extra), *(["sea"] if sea else [])],
    )


@quick_rule
def supply_is_empty(records: Any) -> Any:
    """M39, M40: as the rules say."""
    return rules.supply_is_empty(records[0])


@quick_rule
def card_in_play(records: Any) -> Any:
    """The card that the seat to move plays, as the rules say."""
    return rules.card_in_play(records[0])
