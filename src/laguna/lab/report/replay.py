"""What happened in games: a sample is played again from its codes, and its events and places are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct, structs

from laguna import drawing
from laguna.errors import BadFile, IllegalAction, LagunaError
from laguna.game import Entry, Game, set_up
from laguna.games.contract import Event
from laguna.lab.report import statistics
from laguna.lab.report.statistics import Interval, by_deal
from laguna.lab.results import Results
from laguna.rulebook import sections
from laguna.table.result import breakdown

AMOUNTS = ("points", "cost", "price", "coins")  # the facts that are added up
MAX_VALUES = 24  # a fact with more different values than this is not looked at value by value
SAMPLE_SEED = 1

Progress = Callable[[int, int], None]
Array = npt.NDArray[np.float64]


class Row(Struct, frozen=True):
    """Something that is counted for each seat of a game: points, events, actions at a spot."""

    label: str
    clause: str
    mean: Interval  # per seat and game
    seats: list[Interval]
    winners: Interval | None  # per winner and game; None if everybody won every game
    others: Interval | None
    ahead: Interval | None  # the winners of a game above its others
    p: float  # of the winners being ahead or behind as far as that by chance, corrected for all rows


@dataclass(frozen=True)
class Replayed:
    """What was counted in a sample of games."""

    games: int
    points: list[Row]  # where the scores come from; they add up to the scores
    happened: list[Row]  # events, and the points or costs they name
    details: list[Row]  # events by the values of their facts
    played_at: list[Row]  # spots of the board on which something was put, or which were chosen
    taken_from: list[Row]  # spots from which something was taken away
    seeds: npt.NDArray[np.int64]
    points_by_game: dict[str, Array] = field(default_factory=dict)  # by label: a row of seats for each game


def sample_of(results: Results, most: int) -> Results:
    """At most so many games; the same of all results of the same seeds, so that these can be compared."""
    ordered = results.sorted()
    if len(ordered) <= most:
        return ordered
    chosen = np.random.default_rng(SAMPLE_SEED).choice(len(ordered), most, replace=False)
    return ordered.where(np.sort(chosen))


def replay(sample: Results, maps: bool, progress: Progress = lambda done, total: None) -> Replayed:
    """Play these games again; with `maps`, also find where on the board their actions took place."""
    points, happened, details, played_at, taken_from = (_Counts(sample) for _ in range(5))
    for number in range(len(sample)):
        game, moments = _play(sample, number, maps)
        for line in breakdown(game):
            points.add((line.clause, line.key), number, line.seat, line.points)
        for entry in game.log[1:]:
            for event in entry.events:
                _count_event(happened, details, number, entry, event)
        if maps:
            _count_places(played_at, taken_from, number, game, moments)
        progress(number + 1, len(sample))
    naming = _Naming(sample.head.game)
    few = details.only(_with_few_values(details.by_key))
    scored = {(*kind, "points") for kind in points.by_key}  # which the other table has
    others = happened.only(key for key in happened.by_key if key not in scored)
    return Replayed(
        games=len(sample),
        points=points.rows(naming.of_kinds(points.by_key)),
        happened=others.rows(naming.of_amounts(others.by_key)),
        details=few.rows(naming.of_values(few.by_key)),
        played_at=played_at.rows({key: key for key in played_at.by_key}),
        taken_from=taken_from.rows({key: key for key in taken_from.by_key}),
        seeds=sample.seed,
        points_by_game={label: points.by_key[key] for key, label in naming.of_kinds(points.by_key).items()},
    )


def _play(sample: Results, number: int, views: bool) -> tuple[Game, list[drawing.Moment]]:
    """A game from its codes and, if wanted, a moment for each of its actions."""
    assert sample.codes is not None
    head, seed = sample.head, int(sample.seed[number])
    game = set_up(head.game, head.players, seed, None, head.options)
    moments = []
    try:
        for code in sample.codes[number]:
            entry = game.play(int(code))
            if views:
                assert entry.action is not None
                happened = [event.as_json() for event in entry.events]
                moments.append(drawing.Moment(entry.action.value, happened, game.view()))
    except IllegalAction as error:
        text = f"The game of seed {seed} cannot be played again from its codes: {error}"
        raise BadFile("replay", text) from None
    if game.scores != sample.scores[number].tolist():
        text = f"The game of seed {seed} ends with other scores when it is played again from its codes."
        raise BadFile("replay", text)
    return game, moments


# ------------------------------------------------------------------ counting


class _Counts:
    """Numbers by game and seat, for each thing that is counted."""

    def __init__(self, sample: Results, by_key: dict[Any, Array] | None = None) -> None:
        self._sample = sample
        self.by_key: dict[Any, Array] = by_key or {}

    def add(self, key: Any, game: int, seat: int, amount: float = 1) -> None:
        if key not in self.by_key:
            self.by_key[key] = np.zeros(self._sample.scores.shape)
        self.by_key[key][game, seat] += amount

    def only(self, keys: Iterable[Any]) -> _Counts:
        return _Counts(self._sample, {key: self.by_key[key] for key in keys})

    def rows(self, labels: dict[Any, str]) -> list[Row]:
        """A row for each key, the most frequent first, with p-values corrected for all of them."""
        found = [self._row(label, key) for key, label in labels.items()]
        raised = statistics.corrected([row.p for row in found])
        rows = [structs.replace(row, p=p) for row, p in zip(found, raised, strict=True)]
        return sorted(rows, key=lambda row: -abs(row.mean.value))

    def _row(self, label: str, key: Any) -> Row:
        values, seeds = self.by_key[key], self._sample.seed
        clause = key[0] if isinstance(key, tuple) else ""
        mean = statistics.mean(by_deal(values.mean(axis=1), seeds))
        seats = [statistics.mean(by_deal(column, seeds)) for column in values.T]
        won = self._sample.winners
        decided = ~won.all(axis=1)
        if not decided.any():
            return Row(label, clause, mean, seats, None, None, None, 1.0)
        winners, others = (
            by_deal((values * mask).sum(axis=1)[decided] / mask.sum(axis=1)[decided], seeds[decided])
            for mask in (won, ~won)
        )
        ahead = statistics.paired(others, winners)
        return Row(
            label,
            clause,
            mean,
            seats,
            statistics.mean(winners),
            statistics.mean(others),
            ahead.change,
            ahead.p,
        )


def _count_event(happened: _Counts, details: _Counts, number: int, entry: Entry, event: Event) -> None:
    """Count an event for the seat that it names, or else for the one that acted."""
    named = event.arguments.get("seat")
    seat = entry.seat if named is None else named
    assert seat is not None
    happened.add((event.clause, event.key, "times"), number, seat)
    for name, value in dict(event.arguments).items():
        if name in AMOUNTS:
            happened.add((event.clause, event.key, name), number, seat, value)
        if name != "seat" and isinstance(value, str | int):
            details.add((event.clause, event.key, name, value), number, seat)


def _with_few_values(keys: Iterable[tuple[str, str, str, Any]]) -> list[Any]:
    """The facts that have several values, but not too many."""
    known = list(keys)
    values = Counter(key[:3] for key in known)
    return [key for key in known if 1 < values[key[:3]] <= MAX_VALUES]


def _count_places(
    played_at: _Counts,
    taken_from: _Counts,
    number: int,
    game: Game,
    moments: list[drawing.Moment],
) -> None:
    where = drawing.places(game.meta.title, game.meta.id, moments)
    for entry, places in zip(game.log[1:], where, strict=True):
        assert entry.seat is not None
        for counts, spots in ((played_at, places.to), (taken_from, places.gone)):
            for spot in spots:
                counts.add(spot, number, entry.seat)


# ------------------------------------------------------------------ what it is called


class _Naming:
    """What a kind of event is called: the section of the rules that its clause is in, and its key."""

    def __init__(self, game: str) -> None:
        try:
            self._sections = sections(game)
        except LagunaError:  # a game without a rules text
            self._sections = {}

    def of_kinds(self, keys: Iterable[tuple[str, str]]) -> dict[Any, str]:
        """Without the section if all kinds are in the same one."""
        known = sorted(keys)
        several = len({self._sections.get(clause) for clause, _ in known}) > 1
        return {key: self._kind(*key, several) for key in known}

    def of_amounts(self, keys: Iterable[tuple[str, str, str]]) -> dict[Any, str]:
        return {key: f"{self._kind(key[0], key[1], True)}, {key[2]}" for key in sorted(keys)}

    def of_values(self, keys: Iterable[tuple[str, str, str, Any]]) -> dict[Any, str]:
        return {
            key: f"{self._kind(key[0], key[1], True)}, {key[2]} {key[3]}" for key in sorted(keys, key=str)
        }

    def _kind(self, clause: str, key: str, with_section: bool) -> str:
        section = self._sections.get(clause) if with_section else None
        return f"{section}: {_words(key)} ({clause})" if section else f"{_words(key)} ({clause})"


def _words(key: str) -> str:
    return key.replace("-", " ")
