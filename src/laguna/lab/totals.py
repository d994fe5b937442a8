"""What many games add up to: wins, scores, lengths and branching, in whole numbers, so in any order alike."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from laguna.kernel import MAX_SEATS
from laguna.lab.ratings import interval_of_sums

if TYPE_CHECKING:
    from laguna.lab.results import Results
    from laguna.lab.simulation import Simulation

UNIT = math.lcm(*range(1, MAX_SEATS + 1))  # parts of a win, so that a shared one can be divided


class Totals:
    """The sums over the games added so far; each piece must hold whole seeds, in order."""

    def __init__(self, plan: Simulation) -> None:
        self.plan = plan
        self.names = plan.head.bots
        self.games = self.seeds = self.actions = self.choices = self.actions_squared = 0
        self.shortest, self.longest = 1 << 30, 0
        size = (len(self.names), plan.players)
        self.played, self.won, self.points, self.points_squared = (np.zeros(size, np.int64) for _ in range(4))
        # Of each bot and of each seat: what it won of a seed's games, and the square of that.
        self.bot_sums, self.seat_sums = (
            np.zeros((len(self.names), 2), np.int64),
            np.zeros((plan.players, 2), np.int64),
        )

    def add(self, piece: Results) -> None:
        plan = self.plan
        games = len(piece)
        self.games += games
        self.seeds += games // plan.rotations
        lengths = piece.actions.astype(np.int64)
        self.actions += int(lengths.sum())
        self.actions_squared += int((lengths * lengths).sum())
        self.choices += int(piece.choices.sum())
        self.shortest = min(self.shortest, int(lengths.min()))
        self.longest = max(self.longest, int(lengths.max()))
        shares = piece.winners * (UNIT // piece.winners.sum(axis=1, keepdims=True))
        self._add_by_seat(piece, shares)
        for number in range(len(self.names)):
            _add_sums(self.bot_sums[number], _by_seed((shares * (piece.bots == number)).sum(axis=1), plan))
        for seat in range(plan.players):
            _add_sums(self.seat_sums[seat], _by_seed(shares[:, seat], plan))

    def _add_by_seat(self, piece: Results, shares: Any) -> None:
        scores = piece.scores.astype(np.int64)
        for seat in range(self.plan.players):
            for number in range(len(self.names)):
                mine = piece.bots[:, seat] == number
                self.played[number, seat] += np.count_nonzero(mine)
                self.won[number, seat] += shares[mine, seat].sum()
                self.points[number, seat] += scores[mine, seat].sum()
                self.points_squared[number, seat] += (scores[mine, seat] ** 2).sum()

    def summary(self) -> dict[str, Any]:
        """Wins with 95 % intervals, mean scores, lengths and branching, as JSON-safe data."""
        plan = self.plan
        return {
            "game": plan.game,
            "players": plan.players,
            "options": plan.options,
            "bots": list(plan.bots),
            "rotated": plan.rotate,
            "seed": plan.seed,
            "games": self.games,
            "bot_results": [self._bot(number, name) for number, name in enumerate(self.names)],
            "seats": [self._seat(seat) for seat in range(plan.players)],
            "actions": {
                "mean": self.actions / self.games,
                "deviation": _deviation(self.games, self.actions, self.actions_squared),
                "shortest": self.shortest,
                "longest": self.longest,
            },
            "branching": self.choices / self.actions,
        }

    def _bot(self, number: int, name: str) -> dict[str, Any]:
        """A bot's mean share of the win in each seat that it took."""
        seats = int(self.plan.bots.count(name)) * self.plan.rotations
        played = int(self.played[number].sum())
        return {
            "bot": name,
            "win_share": self._interval(self.bot_sums[number], seats),
            "mean_score": int(self.points[number].sum()) / played,
            "mean_score_by_seat": [
                int(points) / int(count) if count else None
                for points, count in zip(self.points[number], self.played[number], strict=True)
            ],
        }

    def _seat(self, seat: int) -> dict[str, Any]:
        points, squared = int(self.points[:, seat].sum()), int(self.points_squared[:, seat].sum())
        return {
            "seat": seat,
            "win_share": self._interval(self.seat_sums[seat], self.plan.rotations),
            "mean_score": points / self.games,
            "deviation": _deviation(self.games, points, squared),
        }

    def _interval(self, sums: Any, parts: int) -> tuple[float, float, float]:
        """The mean of one number for each seed, a share of so many parts, with its interval."""
        one = UNIT * parts
        return interval_of_sums(self.seeds, int(sums[0]) / one, int(sums[1]) / one**2)


def _by_seed(shares: Any, plan: Simulation) -> Any:
    return shares.reshape(-1, plan.rotations).sum(axis=1)


def _add_sums(sums: Any, values: Any) -> None:
    sums += (values.sum(), (values * values).sum())


def _deviation(count: int, total: int, squares: int) -> float:
    """The standard deviation of whole numbers from their sum and that of their squares."""
    return math.sqrt(max(0, count * squares - total * total)) / count
