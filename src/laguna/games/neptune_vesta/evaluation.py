"""Neptune & Vesta: how good a position looks, for bots that do not search to the end."""

from __future__ import annotations

import math

import numpy as np

from laguna.games.neptune_vesta.components import BLUE_TILE, CELLS, RED, SIDE, VALUE_OF, ZONE
from laguna.kernel.jit import rule

SCALE = 4.4  # a lead of this much is a good lead
CERTAINTY = 1.0  # how much such a lead says about who will win
PLAYOUT = 4  # actions before a position is judged
CARE = 1  # random actions to choose each of them from
HALVING = False  # PUCT at the root
WIN = 100.0
TURN = 0.7  # to have the next turn

# What an open line brings the color that leads in it, in points of the lighthouse: by tiles, lead and pairs
# (three and more alike). Means over games of searching bots, times 0.75, which predicted winners best.
PROMISE = np.zeros((SIDE, SIDE, 4))
PROMISE[1, 1] = 0.5
PROMISE[2, 2] = 0.8, 1.9, 1.9, 1.9
PROMISE[3, 1] = 0.3, 1.4, 1.4, 3.1
PROMISE[3, 3] = 0.3, 2.1, 2.1, 3.8
PROMISE[4, 2] = -1.5, 1.2, 1.9, 2.7
PROMISE[4, 4] = -1.0, 2.1, 3.3, 4.2


@rule
def evaluate(s, seat):
    """Where the lighthouse is heading, as far as this round decides the match; higher is better."""
    lead = s.wins[seat] - s.wins[1 - seat]
    if s.over:
        return lead * WIN
    sight = in_sight(s) if seat == RED else -in_sight(s)
    if lead == 0 and s.round_number == s.rounds:
        return sight
    return half_decided(sight, lead)


@rule
def half_decided(sight, lead):
    """N16, N17: a round that does not decide the match by itself moves the chances by half.

    Without this a search would see no difference between any actions once somebody has won a round.
    """
    chance = 0.25 + 0.25 * lead + 0.5 / (1.0 + math.exp(-2.0 * sight / SCALE))
    return SCALE / 2.0 * math.log(chance / (1.0 - chance))


@rule
def in_sight(s):
    """The lighthouse and what the open lines promise, positive toward red."""
    sight = s.lighthouse + (TURN if s.turn == RED else -TURN)
    for zone in range(0, CELLS, ZONE):
        for i in range(SIDE):
            sight += promise(s.board, zone + i * SIDE, 1)
            sight += promise(s.board, zone + i, SIDE)
    return sight


@rule
def promise(board, first, step):
    """What an open line is heading for, positive toward red."""
    tiles = 0
    lead = 0
    pairs = 0
    for i in range(SIDE):
        tile = board[first + i * step]
        if tile == 0:
            continue
        tiles += 1
        lead += 1 if tile < BLUE_TILE else -1
        for j in range(i):
            other = board[first + j * step]
            pairs += other != 0 and ((tile ^ other) & VALUE_OF) == 0
    if tiles == SIDE or lead == 0:
        return 0.0
    points = PROMISE[tiles, abs(lead), min(pairs, 3)]
    return points if lead > 0 else -points
