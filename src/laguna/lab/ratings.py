"""What results tell about strength: Elo with intervals, and when a match is decided."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

ELO = 400 / math.log(10)
SAMPLES = 400  # of the bootstrap
SURE = 0.95
PRIOR = 0.5  # half a drawn game with everybody keeps ratings finite

# Points of bot i against bot j, by [i, j]; a drawn comparison is half a point each.
Points = npt.NDArray[np.float64]


def elo(points: Points) -> npt.NDArray[np.float64]:
    """Bradley–Terry ratings in Elo, their mean 0, by the usual iteration."""
    bots = len(points)
    won = points + PRIOR * (1 - np.eye(bots))
    played = won + won.T
    strength = np.ones(bots)
    for _ in range(500):
        expected = (played / (strength[:, None] + strength[None, :]) * (1 - np.eye(bots))).sum(axis=1)
        strength = won.sum(axis=1) / expected
        strength /= np.exp(np.log(strength).mean())
    return np.asarray(ELO * np.log(strength))


def elo_intervals(deals: Sequence[Points]) -> list[tuple[float, float, float]]:
    """(low, rating, high) of each bot: 95 % by drawing whole deals again and again."""
    table = np.array(deals)
    chance = np.random.default_rng(0)
    drawn = [elo(table[chance.integers(0, len(table), len(table))].sum(axis=0)) for _ in range(SAMPLES)]
    low, high = np.quantile(drawn, [(1 - SURE) / 2, (1 + SURE) / 2], axis=0)
    return list(zip(low.tolist(), elo(table.sum(axis=0)).tolist(), high.tolist(), strict=True))


def share_interval(shares: Sequence[float]) -> tuple[float, float, float]:
    """(low, mean, high): the mean of one number a deal, with its 95 % interval.

    The interval is that of the deals and two imagined ones, one lost and one won: deals that all ended
    alike have no spread, and a bot that won them all may still lose the next.
    """
    deals = np.array([*shares, 0.0, 1.0])
    half = 1.96 * float(np.std(deals, ddof=1)) / math.sqrt(len(deals))
    middle = float(np.mean(deals))
    return max(0.0, middle - half), float(np.mean(shares)), min(1.0, middle + half)


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
