"""Ratings by OpenSkill's Plackett–Luce model: how strong somebody is at one game, for any number of players.

A rating is an estimate, `mu`, and how unsure it is, `sigma`. People see a cautious number: `mu - 3 sigma`,
on a scale where a newcomer has 1000 and 200 points mean three wins in four games of two.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from openskill.models import PlackettLuce

MODEL = PlackettLuce()
ZERO = 1000  # what a newcomer has
POINTS = 48  # for 1 of mu: 200 / 48 is OpenSkill's beta, a lead with which one wins 76 % of the time
PROVISIONAL = 10  # games, fewer of which say little


class Rating(Struct, frozen=True):
    """Somebody's strength at a game, after so many rated games."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    games: int = 0

    @property
    def shown(self) -> int:
        """The number that people see."""
        return round(ZERO + POINTS * (self.mu - 3 * self.sigma))

    @property
    def uncertainty(self) -> int:
        """By how many points the strength may well be off, either way: two standard deviations."""
        return round(POINTS * 2 * self.sigma)

    @property
    def provisional(self) -> bool:
        return self.games < PROVISIONAL


def after(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The players' ratings after a game that ended with these places; 1 is the best."""
    teams = [[MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in ratings]
    rated = MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(new.mu, new.sigma, old.games + 1) for [new], old in zip(rated, ratings, strict=True)]
