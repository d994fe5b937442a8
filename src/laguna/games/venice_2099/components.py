"""Venice 2099: what is in the box, as data (V1–V6)."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

Color = Literal["black", "brown", "azure", "red", "violet", "green"]  # V1
CardValue = Literal["3", "4", "5", "6", "7", "8", "X"]  # V2: there is no card for a 2
COLORS: tuple[Color, ...] = get_args(Color)
CARD_VALUES: tuple[CardValue, ...] = get_args(CardValue)
VALUES = ("2", *CARD_VALUES)
COLOR_COUNT = len(COLORS)
VALUE_COUNT = len(VALUES)
X = VALUE_COUNT - 1
POINTS = np.array([2, 3, 4, 5, 6, 7, 8, 0], np.int64)  # V18; V19 says what an X is worth

# A quarter, and the card that sinks it, is value * 6 + color, so a hand's lowest card is its lowest bit.
QUARTERS = VALUE_COUNT * COLOR_COUNT
FIRST_CARD = COLOR_COUNT  # V2: of the 3s
CARDS = QUARTERS - FIRST_CARD
PLATFORM = QUARTERS
NO_TILE = -1  # a square that a small board does not have

SIDE = 8
SQUARES = SIDE * SIDE  # square = row * 8 + column, on a small board too
HALF = SQUARES // 2  # sets of squares are kept as bits in two halves
OUT = SQUARES  # the place of a pawn that is not on the board

MAX_PLAYERS = 5
MAX_PAWNS = 4
# By the number of players (V4, V5).
SIDES = np.array([0, 0, 6, 8, 8, 8], np.int64)
PLATFORMS = np.array([0, 0, 6, 16, 16, 16], np.int64)
CARDS_EACH = np.array([0, 0, 10, 12, 9, 7], np.int64)
PAWNS_EACH = np.array([0, 0, 3, 4, 3, 3], np.int64)
SMALL_BOARD = 2  # players: without two values and a color (V4)
FIRST_TAKEN_OUT, LAST_TAKEN_OUT = VALUES.index("7"), VALUES.index("8")

GONDOLAS_EACH = 2  # V3
TREASURES = 10  # of each color, V3
WORTH = np.array([0, 6, 3, 2, 1, 1, 1, 1, 1], np.int64)  # V17: of a treasure, by quarters above water

QUEEN, ROOK, WALK = 0, 1, 2  # V9
ANY, QUARTER = 0, 1  # V14
COUNT, SUM_OF_VALUES = 0, 1  # V19
PAWN_POINTS, PAWNS_LEFT = 0, 1  # V21

# What is being decided: a pawn's place at set-up, a turn from its start, after its move, after its
# purchase, the rescue of a fallen pawn; or nothing any more.
PLACING, START, MOVED, BOUGHT, RESCUING, OVER = range(6)

# What can happen: the kinds of events, see events.py.
(
    GONDOLA_TAKEN,
    TREASURE_BOUGHT,
    QUARTER_SANK,
    COINS_SANK,
    PAWN_FELL,
    PAWN_RESCUED,
    PAWN_LOST,
    GAME_ENDED,
    TREASURES_SCORED,
    PAWNS_SCORED,
    X_PAWNS_SCORED,
    COINS_SCORED,
    GAME_WON,
) = range(13)

STRAIGHT = ((0, 1), (0, -1), (1, 0), (-1, 0))  # row and column steps
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LONGEST_RAY = SIDE - 1


def _rays() -> np.ndarray:
    """The squares beyond each square in each direction, nearest first; NO_TILE beyond the edge."""
    rays = np.full((SQUARES, 8, LONGEST_RAY + 1), NO_TILE, np.int8)
    for square in range(SQUARES):
        for direction, (down, right) in enumerate(STRAIGHT + DIAGONAL):
            row, column = square // SIDE + down, square % SIDE + right
            step = 0
            while 0 <= row < SIDE and 0 <= column < SIDE:
                rays[square, direction, step] = row * SIDE + column
                row, column, step = row + down, column + right, step + 1
    return rays


RAYS = _rays()
