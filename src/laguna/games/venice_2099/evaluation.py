"""Venice 2099: how good a position looks, for bots that do not search to the end."""

from __future__ import annotations

from laguna.games.venice_2099.components import (
    COLOR_COUNT,
    COUNT,
    MAX_PAWNS,
    OUT,
    PLATFORM,
    POINTS,
    X,
)
from laguna.games.venice_2099.rules import card_count, hand_size, quarters_of
from laguna.kernel.jit import rule

SCALE = 12.0  # a lead of this much is a good lead
CERTAINTY = 1.0  # how much such a lead says about who will win
PLAYOUT = 4  # actions before a position is judged
CARE = 1  # random actions to choose each of them from
HALVING = False  # PUCT at the root
GONDOLA = 0.4  # a gondola in hand, for each of the player's turns to come
BARGAIN = 0.5  # of what the best purchase at hand would gain, now and in the next turn


@rule
def evaluate(s, seat):
    """Expected final points, compared with the average of the others; higher is better.

    It uses only what `seat` knows: the table and its own hand, never another's.
    """
    doubtful = s.above & ~s.hand[seat]  # the quarters that may stay: not sunk, and none that `seat` will sink
    staying = chance_to_stay(s, seat)
    balance = 0.0
    for other in range(s.players):
        points = expected_points(s, other, doubtful, staying)
        balance += points if other == seat else -points / (s.players - 1)
    return balance


@rule
def chance_to_stay(s, seat):
    """How likely a quarter is to stay: its card, which the seat has not seen, must have been put away."""
    away = card_count(s.away)
    unseen = away
    for other in range(s.players):
        if other != seat:
            unseen += hand_size(s, other)
    return away / unseen


@rule
def expected_points(s, seat, doubtful, staying):
    """Coins, gondolas, treasures and pawns of a player as they are expected to count."""
    turns = hand_size(s, seat)
    points = s.coins[seat] + GONDOLA * s.gondolas[seat] * turns
    for color in range(COLOR_COUNT):
        if s.treasures[seat, color] > 0:
            points += s.treasures[seat, color] * 6.0 / quarters_left(color, doubtful, staying)
    bargain = 0.0
    for i in range(MAX_PAWNS):
        square = s.pawns[seat, i]
        if square == OUT:
            break
        tile = s.tile[square]
        if tile != PLATFORM:
            left = quarters_left(tile % COLOR_COUNT, doubtful, staying)
            stays = chance_of(tile, doubtful, staying)
            points += stays * pawn_worth(s, tile, left, doubtful, staying)
            if s.coins_on[square] < s.coins[seat] and s.stock[tile % COLOR_COUNT] > 0:
                bargain = max(bargain, 6.0 / left - s.coins_on[square] - 1)
    return points + BARGAIN * bargain * min(turns, 2)


@rule
def quarters_left(color, doubtful, staying):
    """How many quarters of a color to expect at the end: the 2 (V2), and some of the others.

    6, 3, 2 and 1 points (V17) are close to 6 divided by this.
    """
    return 1 + staying * (quarters_of(doubtful, color) - 1)


@rule
def chance_of(tile, doubtful, staying):
    """How likely a quarter is to be above water at the end."""
    if (doubtful >> tile) & 1 == 0:
        return 0.0
    return 1.0 if tile < COLOR_COUNT else staying


@rule
def pawn_worth(s, tile, left, doubtful, staying):
    """V18, V19: what a pawn on this quarter will score if it stays, when `left` of its color do."""
    value = tile // COLOR_COUNT
    if value != X:
        return POINTS[value] * 1.0
    if s.x_scores == COUNT:
        return 2.0 * left
    points = 0.0
    for other in range(X):
        points += 2.0 * POINTS[other] * chance_of(other * COLOR_COUNT + tile % COLOR_COUNT, doubtful, staying)
    return points
