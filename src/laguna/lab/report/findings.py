"""What the games of one results file say: seats, bots, scores, lengths, and where the points come from."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from laguna.lab.report import statistics
from laguna.lab.report.replay import Replayed, Row
from laguna.lab.report.statistics import Interval, by_deal
from laguna.lab.results import Results

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
BALANCED = 0.02  # of its games: how much more often a bot may have had one seat than another


class Spread(Struct, frozen=True):
    """How numbers are distributed over games: their mean, and the quantiles of `QUANTILES`."""

    mean: Interval
    quantiles: tuple[float, ...]


class Seat(Struct, frozen=True):
    """What a seat was worth."""

    seat: int
    name: str
    wins: Interval  # share of the wins; a shared win counts in parts
    score: Spread
    p: float  # of an advantage or disadvantage as large as this in a fair game, corrected for all seats


class Bot(Struct, frozen=True):
    """How a bot did."""

    name: str
    games: int  # in which it played
    wins: Interval  # share of the wins of one of its seats
    score: Interval


class Basis(Struct, frozen=True):
    """What the figures rest on."""

    game: str
    title: str
    players: int
    options: dict[str, int | str]
    bots: tuple[str, ...]
    games: int
    deals: int
    seeds: tuple[int, int]  # the lowest and the highest
    rules: int
    program: str
    replayed: int  # games that were played again to see what happened in them


class Findings(Struct, frozen=True):
    """All figures of one results file."""

    basis: Basis
    fair_share: float
    seats: list[Seat]
    wins_differ: float | None  # p-value of all seats winning equally often; None if it cannot be tested
    scores_differ: float | None
    bots: list[Bot]
    seats_by_bot: bool  # did a bot sit in some seats more often than in others?
    winners: Spread  # scores
    others: Spread | None  # None if everyone won every game
    margin: Spread | None
    ties: Interval  # share of games with several winners
    actions: Spread
    choices: Spread
    points: list[Row]
    happened: list[Row]
    details: list[Row]
    played_at: list[Row]
    taken_from: list[Row]


def find_out(results: Results, replayed: Replayed | None) -> Findings:
    """The figures of these games; without `replayed`, nothing is said about what happened in them."""
    margin, decided = margins(results), undivided(results)
    rows = replayed or Replayed(0, [], [], [], [], [], results.seed[:0])
    return Findings(
        basis=_basis(results, rows.games),
        fair_share=1 / results.head.players,
        seats=_seats(results),
        wins_differ=statistics.all_equal(by_deal(results.shares, results.seed)),
        scores_differ=statistics.all_equal(by_deal(results.scores, results.seed)),
        bots=_bots(results),
        seats_by_bot=not _is_balanced(results),
        winners=_spread(winner_scores(results), results.seed),
        others=_spread(other_scores(results)[decided], results.seed[decided]) if decided.any() else None,
        margin=_spread(margin[decided], results.seed[decided]) if decided.any() else None,
        ties=statistics.share(by_deal(ties(results), results.seed)),
        actions=_spread(results.actions, results.seed),
        choices=_spread(choices_per_decision(results), results.seed),
        points=rows.points,
        happened=rows.happened,
        details=rows.details,
        played_at=rows.played_at,
        taken_from=rows.taken_from,
    )


# ------------------------------------------------------------------ measures of each game


def winner_scores(results: Results) -> npt.NDArray[np.float64]:
    """The mean score of the winners of each game."""
    scores: npt.NDArray[np.float64] = (results.scores * results.shares).sum(axis=1)
    return scores


def undivided(results: Results) -> npt.NDArray[np.bool_]:
    """The games that not everybody won."""
    mask: npt.NDArray[np.bool_] = np.logical_not(results.winners.all(axis=1))
    return mask


def other_scores(results: Results) -> npt.NDArray[np.float64]:
    """The mean score of those who did not win each game; 0 where everybody did."""
    others = ~results.winners
    sums = (results.scores * others).sum(axis=1)
    means: npt.NDArray[np.float64] = sums / np.maximum(others.sum(axis=1), 1)
    return means


def margins(results: Results) -> npt.NDArray[np.float64]:
    """By how much the winners' best score is above the others' best; meaningless where all won."""
    lowest = np.int64(np.iinfo(np.int64).min // 2)
    best = [
        np.where(mask, results.scores, lowest).max(axis=1) for mask in (results.winners, ~results.winners)
    ]
    leads: npt.NDArray[np.float64] = (best[0] - best[1]).astype(np.float64)
    return leads


def ties(results: Results) -> npt.NDArray[np.float64]:
    """1 for each game with several winners."""
    several: npt.NDArray[np.float64] = (results.winners.sum(axis=1) > 1).astype(np.float64)
    return several


def choices_per_decision(results: Results) -> npt.NDArray[np.float64]:
    """How many legal actions a decision had, on the mean of each game."""
    found: npt.NDArray[np.float64] = results.choices / results.actions
    return found


# ------------------------------------------------------------------ what is told of them


def _basis(results: Results, replayed: int) -> Basis:
    head = results.head
    return Basis(
        game=head.game,
        title=head.book.meta.title,
        players=head.players,
        options=head.options,
        bots=head.bots,
        games=len(results),
        deals=len(np.unique(results.seed)),
        seeds=(int(results.seed.min()), int(results.seed.max())),
        rules=head.rules,
        program=head.program,
        replayed=replayed,
    )


def _spread(values: npt.NDArray[np.floating | np.integer], seeds: npt.NDArray[np.int64]) -> Spread:
    quantiles = tuple(float(each) for each in np.quantile(values, QUANTILES))
    return Spread(statistics.mean(by_deal(values, seeds)), quantiles)


def _seats(results: Results) -> list[Seat]:
    players = results.head.players
    wins = by_deal(results.shares, results.seed)
    chances = statistics.corrected(
        [statistics.differs(wins[:, seat], 1 / players) for seat in range(players)]
    )
    meta = results.head.book.meta
    return [
        Seat(
            seat,
            meta.seat_name(seat),
            statistics.share(wins[:, seat]),
            _spread(results.scores[:, seat], results.seed),
            chances[seat],
        )
        for seat in range(players)
    ]


def _bots(results: Results) -> list[Bot]:
    """The bots by their share of the wins, the best first."""
    found = []
    for number, name in enumerate(results.head.bots):
        mine = results.bots == number
        played = mine.any(axis=1)
        if played.any():
            seats, seeds = mine[played].sum(axis=1), results.seed[played]
            wins = by_deal((results.shares * mine)[played].sum(axis=1) / seats, seeds)
            scores = by_deal((results.scores * mine)[played].sum(axis=1) / seats, seeds)
            found.append(Bot(name, int(played.sum()), statistics.share(wins), statistics.mean(scores)))
    return sorted(found, key=lambda bot: -bot.wins.value)


def _is_balanced(results: Results) -> bool:
    """Has every bot had every seat equally often?"""
    for number in range(len(results.head.bots)):
        times = (results.bots == number).sum(axis=0)
        if np.ptp(times) > BALANCED * times.sum():
            return False
    return True
