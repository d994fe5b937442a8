"""Mille Fiori: what a beginner should look at before keeping, placing or taking a card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

from msgspec import UNSET, UnsetType

from laguna.errors import counted
from laguna.games.contract import Event, Facts, event
from laguna.games.mille_fiori.actions import Place
from laguna.games.mille_fiori.components import (
    AREA_OF,
    BONUS_NEEDS,
    BONUS_POINTS,
    CELL_TYPE,
    COMMONERS,
    FIRST,
    GROUPS,
    HARBOR,
    NOBLES,
    RESIDENCE_NUMBERS,
    RESIDENCES,
    TRADE,
    TYPES,
    CardType,
    Group,
)
from laguna.games.mille_fiori.names import AREA_CELLS, CELL_NAMES, NAMES

GOOD = 8  # points that a card should bring to be worth pointing out
LAST = 3  # lozenges left in a supply that may soon end the game

Thing = int  # what is collected in an area: a residence's number, or the type of a cell
THINGS: dict[str, Thing] = {
    name: int(RESIDENCE_NUMBERS[cell - FIRST[RESIDENCES]] if AREA_OF[cell] == RESIDENCES else CELL_TYPE[cell])
    for cell, name in enumerate(CELL_NAMES)
}
AREA: dict[str, int] = {name: int(AREA_OF[cell]) for cell, name in enumerate(CELL_NAMES)}


class Where(Facts, frozen=True):
    """A card that can be played now: on a cell, by sailing to a space, or a harbor card for both."""

    card: str
    points: int  # all that it brings at once
    cell: str | UnsetType = UNSET
    space: int | UnsetType = UNSET


class Bonus(Where, frozen=True, kw_only=True):
    """M13: this card earns a bonus cell."""

    key: ClassVar = "bonus"
    group: Group
    bonus: int  # the points of the bonus cell


class ExtraCard(Where, frozen=True):
    """M38: this card earns an extra card."""

    key: ClassVar = "extra-card"


class Most(Where, frozen=True):
    """M10, M11: no card, and no place for it, brings more points."""

    key: ClassVar = "most"


class Gives(Facts, frozen=True):
    """M24, M28, M32: the cell that brings most points brings another player even more."""

    key: ClassVar = "gives"
    cell: str
    points: int
    seat: int
    theirs: int


class PassedOn(Facts, frozen=True):
    """M5, M13: a card of your hand is all that your left neighbor needs for a bonus cell."""

    key: ClassVar = "passed-on"
    seat: int
    card: str
    group: Group
    points: int


class OneMissing(Facts, frozen=True):
    """M13: one more thing earns a bonus cell, but no card that can be chosen brings it."""

    key: ClassVar = "one-missing"
    group: Group
    points: int
    missing: CardType | UnsetType = UNSET  # among the residences any new number


class EndNear(Facts, frozen=True):
    """M39: the last round of the deck begins, or a supply is almost used up."""

    key: ClassVar = "end-near"
    reason: Literal["deck", "lozenges"]
    seat: int  # whose supply it is; your own seat in the last round
    left: int  # lozenges of that supply


FACTS = (Bonus, ExtraCard, Most, Gives, PassedOn, OneMissing, EndNear)


class Way(NamedTuple):
    """One way to play a card, and what it brings: points, those of a bonus cell among them, an extra card."""

    card: str
    cell: str | None
    space: int | None
    points: int
    bonus: int
    extra: bool

    @property
    def place(self) -> dict[str, Any]:
        given = {"cell": self.cell, "space": self.space}
        return {name: value for name, value in given.items() if value is not None}

    def __str__(self) -> str:
        cell = f"{self.card} on {self.cell}" if self.cell else f"{self.card}"
        return f"{cell}, sailing to space {self.space}," if self.space is not None else cell


def advice(view: Any, preview: Callable[[Any], Sequence[Event]]) -> list[Event]:
    """What the seat of this view should look at, the most important first."""
    ways = sorted(_ways(view), key=lambda way: -way.points)
    found = [*_bonus(ways), *_extra_card(ways)]
    told = {(each.arguments.card, each.arguments.cell, each.arguments.space) for each in found}
    found += _most(ways, told)
    found += _gives(view, ways, preview) if view.phase == "play" else []
    if view.phase == "keep":
        found += [*_passed_on(view), *_end_near(view)]
    found += _one_missing(view, ways) if view.phase != "play" else []
    return found


def _ways(view: Any) -> Iterator[Way]:
    """All ways to play the cards that the seat chooses from, or has to play."""
    for prospect in view.prospects:
        space = prospect.sails_to if prospect.sails_to != view.ships[view.seat] else None
        for cell, points in prospect.cells.items():
            bonus, extra = prospect.bonus.get(cell, 0), cell in prospect.extra
            yield Way(prospect.card, cell, space if cell[0] == "H" else None, points, bonus, extra)
        if space is not None:
            yield Way(prospect.card, None, space, prospect.sailing, 0, "sea" in prospect.extra)


# ------------------------------------------------------------------ what a card brings


def _bonus(ways: list[Way]) -> Iterator[Event]:
    for way in [way for way in ways if way.bonus][:1]:
        group = GROUPS[AREA[way.cell or ""]]
        facts = Bonus(way.card, way.points, **way.place, group=group, bonus=way.bonus)
        sentence = f"{way} earns the bonus cell of {way.bonus} ({group}): {way.points} points in all."
        yield event("M13", facts, sentence)


def _extra_card(ways: list[Way]) -> Iterator[Event]:
    for way in [way for way in ways if way.extra][:1]:
        facts = ExtraCard(way.card, way.points, **way.place)
        sentence = f"{way} earns an extra card and brings {counted(way.points, 'point')}."
        yield event("M38", facts, sentence)


def _most(ways: list[Way], told: set[Any]) -> Iterator[Event]:
    """Unless it is told already what this way brings."""
    for way in ways[:1]:
        facts = Most(way.card, way.points, **way.place)
        if way.points >= GOOD and (facts.card, facts.cell, facts.space) not in told:
            yield event("M10", facts, f"{way} brings most now: {way.points} points.")


_SCORED_BY_ALL = {NOBLES: "M24", COMMONERS: "M24", TRADE: "M28", HARBOR: "M32"}


def _gives(view: Any, ways: list[Way], preview: Callable[[Any], Sequence[Event]]) -> Iterator[Event]:
    if not ways or ways[0].cell is None or AREA[ways[0].cell] not in _SCORED_BY_ALL:
        return
    placed = [action for action in view.legal if isinstance(action, Place) and action.cell == ways[0].cell]
    points = [0] * view.players
    best = max(placed, key=lambda action: action.sail is True)  # on a ship with sailing, if that is possible
    for each in preview(best):
        if each.key in ("points", "bonus"):
            points[each.arguments.seat] += each.arguments.points
    most = max(range(view.players), key=lambda seat: points[seat])
    own = points[view.seat]
    if points[most] > own:
        sentence = f"{ways[0].cell} brings you {own}, but {NAMES[most]} {points[most]}."
        yield event(
            _SCORED_BY_ALL[AREA[ways[0].cell]], Gives(ways[0].cell, own, most, points[most]), sentence
        )


# ------------------------------------------------------------------ what is to come


def _earns_bonus(view: Any, seat: int, cell: str) -> bool:
    """M13: a lozenge of this seat here would be the last thing it needs; another one goes to the bonus."""
    if AREA[cell] >= len(GROUPS) or view.usable[seat] < 2:
        return False
    own = _collected(view, seat, AREA[cell])
    return THINGS[cell] not in own and len(own) == BONUS_NEEDS[AREA[cell]] - 1


def _collected(view: Any, seat: int, area: int) -> set[Thing]:
    return {THINGS[cell] for cell in AREA_CELLS[area] if view.board.get(cell) == seat}


def _bonus_cell(view: Any, cell: str) -> tuple[Group, int]:
    """The area of a cell, and the points of its best free bonus cell."""
    group = GROUPS[AREA[cell]]
    return group, int(BONUS_POINTS[len(getattr(view.bonus, group))])


def _passed_on(view: Any) -> Iterator[Event]:
    """Of several such cards the one for the dearest bonus; after the last pick nobody takes up the rest."""
    left = (view.seat + 1) % view.players
    found = []
    for prospect in view.prospects if view.pick < view.picks else []:
        for cell in prospect.cells:
            if _earns_bonus(view, left, cell):
                group, points = _bonus_cell(view, cell)
                found.append(PassedOn(left, prospect.card, group, points))
    for facts in sorted(found, key=lambda facts: -facts.points)[:1]:
        what = f"the bonus cell of {facts.points} ({facts.group})"
        sentence = f"{facts.card} is all that {NAMES[left]}, to whom you pass the rest, needs for {what}."
        yield event("M5", facts, sentence)


def _one_missing(view: Any, ways: list[Way]) -> Iterator[Event]:
    """The dearest bonus that one more thing earns, if there is still a free cell for it."""
    at_hand = {GROUPS[AREA[way.cell]] for way in ways if way.cell and way.bonus}
    open_bonus = []
    for area, group in enumerate(GROUPS):
        free = [cell for cell in AREA_CELLS[area] if cell not in view.board]
        cells = [cell for cell in free if _earns_bonus(view, view.seat, cell)]
        if cells and group not in at_hand:
            missing = UNSET if area == RESIDENCES else TYPES[THINGS[cells[0]]]
            open_bonus.append(OneMissing(group, _bonus_cell(view, cells[0])[1], missing))
    for facts in sorted(open_bonus, key=lambda facts: -facts.points)[:1]:
        thing = "another number" if facts.missing is UNSET else facts.missing
        sentence = f"You lack only {thing} for the bonus cell of {facts.points} ({facts.group})."
        yield event("M13", facts, sentence)


def _end_near(view: Any) -> Iterator[Event]:
    left, seat = min((count, seat) for seat, count in enumerate(view.supply))
    if 0 < left <= LAST:
        lozenges = counted(left, "lozenge")
        sentence = f"{NAMES[seat]} has {lozenges} left in the supply: with the last one the last turns begin."
        yield event("M39", EndNear("lozenges", seat, left), sentence)
    elif view.round == view.rounds and view.pick == 1:
        sentence = f"The last round begins: you keep {counted(view.picks, 'more card')}."
        yield event("M39", EndNear("deck", view.seat, view.supply[view.seat]), sentence)
