"""What results say about strength: Elo with intervals, and when a match is decided."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

ELO = 400 / math.log(10)
SAMPLES = 2000
SURE = 0.95
PRIOR = 0.5  # half a drawn game with everyone keeps ratings finite
MAX_STEPS = 100
MAX_STEP = 2.0  # in units of ELO, so that no step overshoots

# Points of bot i against bot j, by [i, j]; a drawn comparison is half a point each.
Points = npt.NDArray[np.float64]


def elo(points: Points, prior: float | Points = PRIOR) -> npt.NDArray[np.float64]:
    """Bradley–Terry ratings in Elo, with mean 0, by Newton's method; for many tables of points at once."""
    bots = points.shape[-1]
    won = (points + prior) * (1 - np.eye(bots))
    played = won + np.swapaxes(won, -1, -2)
    ratings = np.zeros(points.shape[:-1])
    for _ in range(MAX_STEPS):
        expected = 1 / (1 + np.exp(ratings[..., None, :] - ratings[..., :, None]))
        missing = (won - played * expected).sum(axis=-1)
        weights = played * expected * (1 - expected)
        slopes = np.eye(bots) * weights.sum(axis=-1)[..., None] - weights
        slopes += weights.max(axis=(-1, -2), keepdims=True)  # otherwise all ratings could rise together
        step = np.linalg.solve(slopes, missing[..., None])[..., 0].clip(-MAX_STEP, MAX_STEP)
        ratings += step - step.mean(axis=-1, keepdims=True)
        if np.abs(step).max() < 1e-6:
            break
    return ELO * ratings


def elo_intervals(deals: Sequence[Points]) -> list[tuple[float, float, float]]:
    """(low, rating, high) of each bot, 95 %.

    They are computed from the deals and two imaginary ones for each pair, one lost and one won, as in
    `share_interval`: deals that all ended alike have no spread, yet a bot that won them all may still lose
    the next. The interval comes from the Bayesian bootstrap, in which every deal has a random weight; for two
    bots that win or lose entire deals, that is exactly the Beta distribution of the share.
    """
    table = np.array(deals)
    total = table.sum(axis=0)
    one_deal = (total + total.T) / len(table)  # the points at stake for a pair in a deal
    chance = np.random.default_rng(0)
    weights = chance.exponential(size=(SAMPLES, len(table)))
    imagined = chance.exponential(size=(SAMPLES, *total.shape)) * one_deal
    drawn = elo(np.tensordot(weights, table, 1) + imagined, prior=0.0)
    low, high = np.quantile(drawn, [(1 - SURE) / 2, (1 + SURE) / 2], axis=0)
    ratings = elo(total, prior=one_deal)
    return list(zip(low.tolist(), ratings.tolist(), high.tolist(), strict=True))


def share_interval(shares: Sequence[float]) -> tuple[float, float, float]:
    """(low, mean, high): the mean of one number per deal, with its 95 % interval."""
    deals = np.array(shares, np.float64)
    return interval_of_sums(len(deals), float(np.sum(deals)), float(np.sum(deals * deals)))


def interval_of_sums(count: int, total: float, squares: float) -> tuple[float, float, float]:
    """The same from how many deals there are, the sum of their numbers, and that of their squares.

    The interval is computed from the deals and two imaginary ones, one lost and one won: deals that all ended
    alike have no spread, yet a bot that won them all may still lose the next.
    """
    number, middle = count + 2, (total + 1) / (count + 2)
    spread = math.sqrt(max(0.0, squares + 1 - number * middle**2) / (number - 1))
    half = 1.96 * spread / math.sqrt(number)
    return max(0.0, middle - half), total / count, min(1.0, middle + half)


def decided(shares: Sequence[float], elo_bound: float = 25.0, error: float = 0.025) -> bool:
    """SPRT: is it settled whether the first bot is better by this Elo, or worse by it?

    `shares` holds the first bot's share of each deal (all rotations together); the likelihood ratio
    is that of a normal mean, with the spread seen so far.
    """
    if len(shares) < 10:
        return False
    high = 1 / (1 + math.exp(-elo_bound / ELO))
    spread = max(float(np.var(shares, ddof=1)), 1e-3)
    ratio = (2 * high - 1) * (float(np.sum(shares)) - len(shares) / 2) / spread
    return abs(ratio) >= math.log((1 - error) / error)
