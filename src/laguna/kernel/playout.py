"""Random playouts: whole games of uniformly random actions, generic over games."""

from __future__ import annotations

from laguna.kernel import MAX_SEATS
from laguna.kernel.chance import seed_stream
from laguna.kernel.dispatch import (
    apply,
    phase,
    phases,
    random_action,
    scores,
    setup,
    to_move,
    winners,
)
from laguna.kernel.jit import rule

CHOICES = 1 << 20  # the stream number of the choices, far from those of any game's decks
# What a batch adds up: games, moves, then score and wins of each seat (a shared win counts for all).
TOTALS = 2 + 2 * MAX_SEATS


@rule
def random_game(s, options, seed, chooser, out):
    """Play the game of this seed to its end; returns how many actions it took.

    Phase by phase, so that the threads of a GPU that play side by side do the same more often.
    """
    setup(s, options, seed)
    seed_stream(chooser, seed, CHOICES)
    moves = 0
    while to_move(s) >= 0:
        for part in range(phases(s)):
            while phase(s) == part:
                apply(s, random_action(s, chooser, out))
                moves += 1
    return moves


@rule
def add_up(s, moves, seats, points, totals):
    """Add a finished game to the totals."""
    totals[0] += 1
    totals[1] += moves
    scores(s, points)
    won = winners(s)
    for seat in range(seats):
        totals[2 + seat] += points[seat]
        totals[2 + MAX_SEATS + seat] += (won >> seat) & 1


@rule
def random_games(s, options, seats, first_seed, count, chooser, out, points, totals):
    """Play the games of `count` seeds in a row and add them up."""
    for seed in range(first_seed, first_seed + count):
        moves = random_game(s, options, seed, chooser, out)
        add_up(s, moves, seats, points, totals)
