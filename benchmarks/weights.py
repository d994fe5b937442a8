"""Find the weights of Mille Fiori's evaluation: what each of its features is worth by the end of the game.

Bots that look one action ahead play games with the current weights, with an occasional random action. From
positions along the way, a linear regression learns to predict the final lead. This is repeated a few times
with the new weights. `python -m benchmarks.weights` prints a table for `evaluation.py`, and how often the new
weights win against the existing ones.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from laguna.games.mille_fiori import evaluation, rules
from laguna.games.mille_fiori.components import MAX_PLAYERS
from laguna.kernel.chance import WORDS, draw, seed_stream
from laguna.kernel.records import blanks

Floats = npt.NDArray[np.float64]

COLUMNS = 2 * evaluation.PROMISES
ROWS = 200  # positions used from one game, at most
ASTRAY = 60  # of 1000 actions are random in some games, in others twice as many or none
LOOKED_AT = 25  # of 100 positions
RIDGE = 50.0
THREADS = os.cpu_count() or 1


@numba.njit(nogil=True)
def greedy(s: Any, weights: Any, trial: Any, out: Any, stream: Any) -> Any:
    """The action after which the position looks best with these weights."""
    seat = s.turn
    best = -1e30
    chosen = np.int64(-1)
    for i in range(rules.legal(s, out)):
        trial[0] = s
        rules.apply(trial[0], np.int64(out[i]))
        value = evaluation.lead(trial[0], seat, weights) + 1e-6 * draw(stream, 1000)
        if value > best:
            best = value
            chosen = np.int64(out[i])
    return chosen


@numba.njit(nogil=True)
def difference(s: Any, seat: int, other: int, row: Any) -> None:
    """The regression's input for two players: their features, alone and multiplied by the time left."""
    found = np.zeros(evaluation.PROMISES)
    for sign, who in ((1.0, seat), (-1.0, other)):
        found[:] = 0.0
        evaluation.count_promises(s, who, found)
        row[: evaluation.PROMISES] += sign * found
        row[evaluation.PROMISES :] += sign * evaluation.time_left(s, who) * found


@numba.njit(nogil=True)
def play(
    count: int, seed: int, options: Any, weights: Any, s: Any, trial: Any, squares: Any, sums: Any
) -> None:
    """Play games and add up the normal equations of the final leads."""
    stream = np.zeros(WORDS, np.uint32)
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    players = options[0]
    rows = np.zeros((ROWS, COLUMNS))
    pairs = np.zeros((ROWS, 3), np.int64)
    for game in range(seed, seed + count):
        rules.setup(s, options, game)
        seed_stream(stream, game, 7)
        astray = ASTRAY * draw(stream, 3)
        looked = 0
        rows[:] = 0.0
        while rules.to_move(s) >= 0:
            if draw(stream, 1000) < astray:
                action = np.int64(out[draw(stream, rules.legal(s, out))])
            else:
                action = greedy(s, weights, trial, out, stream)
            rules.apply(s, action)
            if rules.to_move(s) >= 0 and looked < ROWS and draw(stream, 100) < LOOKED_AT:
                seat = draw(stream, players)
                other = (seat + 1 + draw(stream, players - 1)) % players
                difference(s, seat, other, rows[looked])
                pairs[looked, 0] = seat
                pairs[looked, 1] = other
                pairs[looked, 2] = s.points[seat] - s.points[other]
                looked += 1
        for i in range(looked):
            gained = s.points[pairs[i, 0]] - s.points[pairs[i, 1]] - pairs[i, 2]
            sums += gained * rows[i]
            for j in range(COLUMNS):
                if rows[i, j] != 0.0:
                    squares[j] += rows[i, j] * rows[i]


@numba.njit(nogil=True)
def compare(deals: int, seed: int, options: Any, one: Any, two: Any, s: Any, trial: Any) -> Any:
    """The share of games that `one` wins against `two` in all other seats, seats rotated."""
    stream = np.zeros(WORDS, np.uint32)
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    players = options[0]
    won = 0.0
    for deal in range(seed, seed + deals):
        for own in range(players):
            rules.setup(s, options, deal)
            seed_stream(stream, deal, 9)
            while rules.to_move(s) >= 0:
                weights = one if s.turn == own else two
                rules.apply(s, greedy(s, weights, trial, out, stream))
            winners = rules.winners(s)
            if winners >> own & 1:
                won += 1.0 / rules.how_many(winners)
    return won / (deals * players)


def options(players: int) -> npt.NDArray[np.int64]:
    return np.array([players, 0], np.int64)


def scratch() -> tuple[Any, Any]:
    return blanks(rules.STATE, 1)[0], blanks(rules.STATE, 1)


def fit(weights: Floats, games: int, seed: int) -> Floats:
    """Weights from this many games with each number of players."""

    def part(number: int) -> tuple[Floats, Floats]:
        squares, sums = np.zeros((COLUMNS, COLUMNS)), np.zeros(COLUMNS)
        for players in range(2, MAX_PLAYERS + 1):
            first = (seed * 64 + number) * 10_000_000
            play(games // THREADS, first, options(players), weights, *scratch(), squares, sums)
        return squares, sums

    with ThreadPoolExecutor(THREADS) as pool:
        parts = list(pool.map(part, range(THREADS)))
    squares, sums = (sum(each[i] for each in parts) for i in range(2))
    found = np.linalg.solve(squares + RIDGE * np.eye(COLUMNS), sums)
    return np.ascontiguousarray(found.reshape(2, evaluation.PROMISES).T)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.weights", description=__doc__)
    parser.add_argument("--games", type=int, default=40_000, help="for each number of players, each time")
    parser.add_argument("--times", type=int, default=3, help="how many times to repeat this")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.games < THREADS or asked.times < 1 or asked.seed < 0:
        parser.error(
            f"Games must be at least {THREADS} (one per core), times at least 1, and the seed not negative."
        )
    weights = evaluation.WEIGHTS
    for time in range(asked.times):
        weights = fit(weights, asked.games, asked.seed + time)
        for players in range(2, MAX_PLAYERS + 1):
            share = float(compare(1000, 1, options(players), weights, evaluation.WEIGHTS, *scratch()))
            text = (
                f"time {time + 1}, {players} players: {share:.1%} of the games (if equal: {1 / players:.0%})"
            )
            print(text, flush=True)
    print("\n".join(f"[{end:.2f}, {more:.2f}]," for end, more in weights))


if __name__ == "__main__":
    main()
