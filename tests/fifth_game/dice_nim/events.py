"""Dice Nim: what the rules did, put into words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from dice_nim.components import TOOK
from dice_nim.meta import META
from laguna.errors import counted
from laguna.games.contract import Event, Facts, event


class Took(Facts, frozen=True):
    """D3: so many counters were taken, so many are left."""

    key: ClassVar = "took"
    seat: int
    counters: int
    heap: int


class Ended(Facts, frozen=True):
    """D4: the last counter was taken; it brings the points of all dice."""

    key: ClassVar = "ended"
    seat: int
    dice: int


class Counters(Facts, frozen=True):
    """D5: points for counters taken."""

    key: ClassVar = "counters"
    seat: int
    points: int


class Dice(Facts, frozen=True):
    """D4: points for the last counter."""

    key: ClassVar = "dice"
    seat: int
    points: int


FACTS = (Took, Ended, Counters, Dice)


def events(s: Any) -> list[Event]:
    """What the last action did, as the rules noted it."""
    return [_event(*numbers) for numbers in s.events[: s.event_count]]


def _event(kind: int, seat: int, first: int, second: int, _: int) -> Event:
    name = META.seat_name(seat)
    if kind == TOOK:
        sentence = f"{name} takes {counted(first, 'counter')}; {second} left."
        return event("D3", Took(seat, first, second), sentence)
    return event("D4", Ended(seat, first), f"{name} takes the last counter: the dice show {first}.")


def scoring(s: Any, log: Iterable[Event]) -> list[Event]:
    """D4, D5: where the scores come from."""
    found = [
        event("D5", Counters(seat, taken), f"{META.seat_name(seat)} has taken {counted(taken, 'counter')}.")
        for seat, taken in enumerate(s.taken[: s.players])
        if taken
    ]
    if s.last >= 0:
        dice = sum(die for (die,) in s.hand[: s.players])
        found.append(event("D4", Dice(s.last, dice), f"{META.seat_name(s.last)} gets {dice} for the dice."))
    return found
