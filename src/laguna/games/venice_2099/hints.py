"""Venice 2099: how good a position looks, for bots that do not read it to the end."""

from __future__ import annotations

from laguna.games.venice_2099.components import (
    COLOR_COUNT,
    COUNT,
    MOST_PAWNS,
    OUT,
    PLATFORM,
    POINTS,
    VALUE_COUNT,
    X,
)
from laguna.games.venice_2099.rules import card_count, hand_size
from laguna.kernel.jit import rule

GONDOLA = 0.4  # a gondola in hand, for each own turn to come
BARGAIN = 0.5  # of what the best purchase at hand would gain


@rule
def evaluate(s, seat):
    """Expected final points, compared with the average of the others; higher is better.

    It reads only what `seat` knows: the table and its own hand, never another's.
    """
    staying = chance_to_stay(s, seat)
    own = expected_points(s, seat, seat, staying)
    others = 0.0
    for other in range(s.players):
        if other != seat:
            others += expected_points(s, seat, other, staying)
    return own - others / (s.players - 1)


@rule
def chance_to_stay(s, seat):
    """How likely a quarter stays whose card the seat has not seen: the card must have been put away."""
    unseen = card_count(s.away)
    away = unseen
    for other in range(s.players):
        if other != seat:
            unseen += hand_size(s, other)
    return away / unseen


@rule
def stays(s, seat, quarter, staying):
    """How likely a quarter is above water at the end, as far as the seat can tell."""
    if (s.above >> quarter) & 1 == 0 or (s.hand[seat] >> quarter) & 1:
        return 0.0
    return 1.0 if quarter < COLOR_COUNT else staying


@rule
def expected_points(s, seat, whose, staying):
    """Treasures, pawns, coins and gondolas of a player, as `seat` expects them to count."""
    points = s.coins[whose] * 1.0
    turns = hand_size(s, whose)
    points += GONDOLA * s.gondolas[whose] * turns
    for color in range(COLOR_COUNT):
        if s.treasures[whose, color] > 0:
            points += s.treasures[whose, color] * worth(s, seat, color, staying)
    bargain = 0.0
    for i in range(MOST_PAWNS):
        square = s.pawns[whose, i]
        if square == OUT:
            break
        tile = s.tile[square]
        if tile == PLATFORM:
            continue
        points += pawn_worth(s, seat, tile, staying)
        gain = worth(s, seat, tile % COLOR_COUNT, staying) - s.coins_on[square] - 1
        if s.coins_on[square] < s.coins[whose] and s.stock[tile % COLOR_COUNT] > 0:
            bargain = max(bargain, gain)
    return points + BARGAIN * bargain * min(turns, 2)


@rule
def worth(s, seat, color, staying):
    """V17: 6, 3, 2, 1 points for 1, 2, 3, 4 quarters left is close to 6 / quarters."""
    left = 0.0
    for value in range(VALUE_COUNT):
        left += stays(s, seat, value * COLOR_COUNT + color, staying)
    return 6.0 / max(left, 1.0)


@rule
def pawn_worth(s, seat, tile, staying):
    """V18, V19: the points of the quarter, as far as it is expected to stay."""
    value = tile // COLOR_COUNT
    if value != X:
        return POINTS[value] * stays(s, seat, tile, staying)
    points = 2.0 if s.x_scores == COUNT else 0.0
    for other in range(X):
        each = 2.0 if s.x_scores == COUNT else 2.0 * POINTS[other]
        points += each * stays(s, seat, other * COLOR_COUNT + tile % COLOR_COUNT, staying)
    return points * stays(s, seat, tile, staying)
