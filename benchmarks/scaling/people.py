"""What people at tables do: how many actions a second, from the turns of real games and assumed thinking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.scaling.costs import GameCosts

Times = npt.NDArray[np.float64]


class Habits(NamedTuple):
    """How people play. These are assumptions: change them by flags."""

    think: float = 8.0  # seconds before the first action of a turn, the median
    go_on: float = 2.0  # seconds before each further action of it, the median
    spread: float = 0.9  # of the logarithm of both
    pause: float = 60.0  # seconds between two games at a table, on average
    bot_seats: float = 0.2  # the share of seats that bots have
    bot_thinks: float = 1.5  # seconds


class Load(NamedTuple):
    """What a table of each game and a person cause."""

    tables: int  # simulated
    seconds: int
    per_table: float  # actions a second
    by_game: list[float]  # share of the actions
    opened: float  # tables a second, per table
    people: float  # at a table, on average
    busiest: float  # actions in the busiest second, per second on average


def table_times(
    games: Sequence[GameCosts], habits: Habits, end: float, chance: np.random.Generator
) -> list[Times]:
    """When actions are played at one table, for each game: one game after the other, games at random."""
    found: list[list[Times]] = [[] for _ in games]
    now = -chance.uniform(0, end)  # in the middle of something when the simulation begins
    while now < end:
        number = int(chance.integers(len(games)))
        played = games[number].turns
        now += chance.exponential(habits.pause)
        times = now + np.cumsum(_waits(played[int(chance.integers(len(played)))], habits, chance))
        found[number].append(times)
        now = times[-1]
    return [np.concatenate([*parts, np.zeros(0)]) for parts in found]


def _waits(turns: Sequence[int], habits: Habits, chance: np.random.Generator) -> Times:
    """How long everybody thinks, action by action."""
    first = np.concatenate([np.eye(1, length, dtype=bool)[0] for length in turns])
    medians = np.where(first, habits.think, habits.go_on)
    waits = medians * np.exp(habits.spread * chance.standard_normal(len(first)))
    by_bot = np.repeat(chance.random(len(turns)) < habits.bot_seats, turns)
    return np.where(by_bot, habits.bot_thinks, waits)


def load(games: Sequence[GameCosts], habits: Habits, tables: int, seconds: int, seed: int) -> Load:
    """Simulate this many tables for this long."""
    chance = np.random.default_rng(seed)
    seen = [table_times(games, habits, seconds, chance) for _ in range(tables)]
    by_game = [np.concatenate([times[number] for times in seen]) for number in range(len(games))]
    by_game = [times[(times >= 0) & (times < seconds)] for times in by_game]
    counts = np.array([len(times) for times in by_game])
    per_second = np.bincount(np.concatenate(by_game).astype(int), minlength=seconds)
    games_played = sum(count / game.actions for count, game in zip(counts, games, strict=True))
    seats = (
        sum(game.players * count / game.actions for game, count in zip(games, counts, strict=True))
        / games_played
    )
    return Load(
        tables,
        seconds,
        counts.sum() / tables / seconds,
        (counts / counts.sum()).tolist(),
        games_played / tables / seconds,
        seats * (1 - habits.bot_seats),
        per_second.max() / per_second.mean(),
    )
