"""Intervals and tests: what a limited number of games says about all games that could be played.

Games of one deal (the same seed) are alike, so a deal counts as one observation: every array here has one
number for each deal, the mean over its games (see `by_deal`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from scipy import stats

from laguna.lab.ratings import SURE, share_interval

Array = npt.NDArray[np.float64]
LEVEL = 1 - SURE  # below it, a corrected p-value is called significant
TINY = 1e-9  # differences below it come from rounding


class Interval(Struct, frozen=True):
    """A number and its 95 % interval; the ends are None if there are too few deals to tell."""

    value: float
    low: float | None
    high: float | None


class Difference(Struct, frozen=True):
    """By how much the second of two groups of deals is above the first."""

    change: Interval
    effect: float | None  # Cohen's d: the change in units of the spread of a deal; None without spread
    p: float  # that a difference at least as large comes from chance alone
    paired: bool  # the same deals were compared with each other


def by_deal(values: npt.ArrayLike, seeds: npt.ArrayLike) -> Array:
    """The mean over the games of each deal, of a number or of a row of numbers; in the order of the seeds."""
    rows = np.asarray(values, np.float64)
    _, deal, games = np.unique(np.asarray(seeds), return_inverse=True, return_counts=True)
    sums = np.zeros((len(games), *rows.shape[1:]))
    np.add.at(sums, deal, rows)
    means: Array = (sums.T / games).T
    return means


def mean(deals: Array) -> Interval:
    """The mean with Student's interval."""
    middle = float(np.mean(deals))
    if len(deals) < 2:
        return Interval(middle, None, None)
    error = np.std(deals, ddof=1) / np.sqrt(len(deals))
    half = float(stats.t.ppf(1 - LEVEL / 2, len(deals) - 1) * error)
    return Interval(middle, middle - half, middle + half)


def share(deals: Array) -> Interval:
    """The mean of shares from 0 to 1; its interval is that of `share_interval`, as in tournaments."""
    low, middle, high = share_interval(deals.tolist())
    return Interval(middle, low, high)


def paired(before: Array, after: Array) -> Difference:
    """The difference between two measurements of the same deals."""
    change = after - before
    if np.ptp(change) < TINY:
        chance = 1.0 if abs(change[0]) < TINY else min(1.0, 2 * 0.5 ** len(change))  # the sign test
        return Difference(_always(change[0]), _effect(before, after), chance, True)
    return Difference(mean(change), _effect(before, after), float(stats.ttest_1samp(change, 0).pvalue), True)


def unpaired(before: Array, after: Array) -> Difference:
    """The difference between two groups of different deals, by Welch's test."""
    if max(np.ptp(before), np.ptp(after)) < TINY:
        change, ways = after[0] - before[0], comb(len(before) + len(after), len(after))
        chance = 1.0 if abs(change) < TINY else min(1.0, 2 / ways)  # the permutation test
        return Difference(_always(change), None, chance, False)
    test = stats.ttest_ind(after, before, equal_var=False)
    ends = test.confidence_interval(SURE)
    change = Interval(float(after.mean() - before.mean()), float(ends.low), float(ends.high))
    return Difference(change, _effect(before, after), float(test.pvalue), False)


def _always(change: Any) -> Interval:
    return Interval(float(change), float(change), float(change))


def _effect(before: Array, after: Array) -> float | None:
    if min(len(before), len(after)) < 2:
        return None
    spread = float(np.sqrt((np.var(before, ddof=1) + np.var(after, ddof=1)) / 2))
    return float(after.mean() - before.mean()) / spread if spread > TINY else None


def all_equal(deals: Array) -> float | None:
    """The p-value of the seats (columns) having the same mean, by Hotelling's test; None if it says nothing.

    Seats depend on each other (one wins what another does not), so they are compared within deals.
    """
    count, seats = deals.shape
    ahead = deals[:, 1:] - deals[:, :1]
    if count <= seats or np.ptp(ahead, axis=0).max() < TINY:
        return None
    middle = ahead.mean(axis=0)
    spread = np.atleast_2d(np.cov(ahead, rowvar=False))
    free = int(np.linalg.matrix_rank(spread))
    squared = count * float(middle @ np.linalg.pinv(spread) @ middle)
    return float(stats.f.sf(squared * (count - free) / (free * (count - 1)), free, count - free))


def differs(deals: Array, expected: float) -> float:
    """The p-value of a mean being what is expected."""
    return paired(np.full(len(deals), expected), deals).p if len(deals) > 1 else 1.0


def corrected(chances: Sequence[float]) -> list[float]:
    """Holm's correction: all of these tests together then have one false alarm as rarely as a single one."""
    order = np.argsort(chances, kind="stable")
    factors = np.arange(len(chances), 0, -1)
    raised = np.maximum.accumulate(np.array(chances, np.float64)[order] * factors) if len(order) else order
    found = np.empty(len(order))
    found[order] = np.minimum(raised, 1.0)
    return [float(each) for each in found]
