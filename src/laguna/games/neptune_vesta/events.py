"""Neptune & Vesta: what the rules did, put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Literal

from laguna.errors import counted
from laguna.games.contract import Event, Facts, event
from laguna.games.neptune_vesta.components import (
    BOARD_FULL,
    LIGHTHOUSE_ARRIVED,
    LIGHTHOUSE_MOVED,
    LINE_COMPLETED,
    MAJORITY,
    ROUND_DRAWN,
    ROUND_STARTED,
    SIDE,
    ZONE,
)
from laguna.games.neptune_vesta.names import COLORS, COLUMNS, NAMES, ZONES


class Line(Facts, frozen=True):
    """N10: a row or column is complete; the clause that chose who gets its points."""

    key: ClassVar = "line"
    line: str  # "Rb" is a column, "R3" a row
    seat: int
    points: int
    receiver_clause: Literal["N9", "N19"]


class Lighthouse(Facts, frozen=True):
    """N11: the lighthouse has moved, in favor of this seat."""

    key: ClassVar = "lighthouse"
    seat: int
    movement: int
    lighthouse: int


class RoundStart(Facts, frozen=True):
    """N6: this seat starts the round."""

    key: ClassVar = "round-start"
    seat: int
    round: int


class RoundLighthouse(Facts, frozen=True):
    """N14: the lighthouse has reached the end of the track."""

    key: ClassVar = "round-lighthouse"
    seat: int
    round: int


class RoundFull(Facts, frozen=True):
    """N15: all cells are full."""

    key: ClassVar = "round-full"
    seat: int
    round: int


class RoundDraw(Facts, frozen=True):
    """N15: all cells are full and nobody is ahead."""

    key: ClassVar = "round-draw"
    seat: None
    round: int


class Rounds(Facts, frozen=True):
    """N16: how many rounds a seat has won."""

    key: ClassVar = "rounds"
    seat: int
    points: int


FACTS = (Line, Lighthouse, RoundStart, RoundLighthouse, RoundFull, RoundDraw, Rounds)


def events(s: Any) -> list[Event]:
    """What the last action did, as the rules noted it."""
    return [_TELL[kind](s, *numbers) for kind, *numbers in s.events[: s.event_count]]


def _line(s: Any, seat: int, points: int, first: int, step: int) -> Event:
    """N10, with the clause that chose the receiver: N9, or N19 for the variants."""
    zone, column = first // ZONE, step == SIDE
    name = COLUMNS[first % SIDE] if column else str(first % ZONE // SIDE + 1)
    facts = Line(ZONES[zone] + name, seat, points, "N9" if s.line_to == MAJORITY else "N19")
    line = f"{'Column' if column else 'Row'} {name} of the {COLORS[zone]} zone"
    how = "has no combination" if points < 0 else "is complete"
    return event("N10", facts, f"{line} {how}: {points} to {NAMES[seat]}.")


def _lighthouse(s: Any, seat: int, movement: int, lighthouse: int, _: int) -> Event:
    facts = Lighthouse(seat, movement, lighthouse)
    return event("N11", facts, f"The lighthouse is now {track_words(lighthouse)}.")


def _round_start(s: Any, seat: int, number: int, *_: int) -> Event:
    why = "with the lower tile" if number == 1 else "having not started the round before"
    return event("N6", RoundStart(seat, number), f"Round {number}: {NAMES[seat]} starts, {why}.")


def _lighthouse_arrived(s: Any, seat: int, number: int, *_: int) -> Event:
    sentence = f"{NAMES[seat]} wins round {number}: the lighthouse has reached 10."
    return event("N14", RoundLighthouse(seat, number), sentence)


def _board_full(s: Any, seat: int, number: int, *_: int) -> Event:
    return event("N15", RoundFull(seat, number), f"{NAMES[seat]} wins round {number}: all cells are full.")


def _round_draw(s: Any, seat: int, number: int, *_: int) -> Event:
    sentence = f"Round {number} is drawn: the lighthouse is on 0."
    return event("N15", RoundDraw(None, number), sentence)


_TELL: dict[int, Callable[..., Event]] = {
    ROUND_STARTED: _round_start,
    LINE_COMPLETED: _line,
    LIGHTHOUSE_MOVED: _lighthouse,
    LIGHTHOUSE_ARRIVED: _lighthouse_arrived,
    BOARD_FULL: _board_full,
    ROUND_DRAWN: _round_draw,
}


def track_words(lighthouse: int) -> str:
    """Where the lighthouse stands, for people: no signs."""
    if lighthouse == 0:
        return "on 0"
    return f"on {abs(lighthouse)} for {NAMES[0 if lighthouse > 0 else 1]}"


def scoring(s: Any, log: Iterable[Event]) -> list[Event]:
    """N16: the scores as they stand are rounds won, not the points that moved the lighthouse."""
    return [
        event("N16", Rounds(seat, won), f"{NAMES[seat]} has won {counted(won, 'round')}.")
        for seat, won in enumerate(s.wins)
        if won
    ]
