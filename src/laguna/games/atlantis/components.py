"""Atlantis: what is in the box, as data (A1–A5), and the kinds of things the rules note."""

from __future__ import annotations

import numpy as np

ITEMS = 7  # A1: amphora, wreath, olive, coins, weapon, lyre, sickle
VALUES = 7
MAX_PLAYERS = 4
PAWNS = 3  # A3

# A tile is item * 8 + value, so a set of tiles fits into the bits of one integer; 0 is no tile.
TILE_CODES = ITEMS * 8
VALUE_OF = 7
ITEM_SHIFT = 3
EVERY_ITEM = sum(1 << (item << ITEM_SHIFT) for item in range(ITEMS))  # shifted by a value: its tiles

ATLANTIS = 0
SPACES = 52
MAINLAND = SPACES + 1
LAST_OF_A = 26  # A4: the water of the set-up lies behind this space
LAST_BEFORE_GAP = SPACES - 2  # A15: the last space that can have a gap, and land behind it
HALVES = 2
HALF = 42


def _tiles_of(half: int) -> list[int]:
    """A2: by item, then value; the first three items have their 7 in A, the others in B."""
    highest = [7 if (item < 3) == (half == 0) else 6 for item in range(ITEMS)]
    return [item << ITEM_SHIFT | value for item in range(ITEMS) for value in (1, 2, 3, 4, 5, highest[item])]


TILES = np.array([_tiles_of(half) for half in range(HALVES)], np.int8)
# A4: how many tiles lie on each space at first; place 0 is Atlantis.
HEIGHTS = np.array([0] + [2] * 10 + [1] * 10 + [2] * 12 + [1] * 10 + [2] * 10, np.int8)
STACKS_OF_HALF = 16  # A4: how many lower tiles are hidden in each half

COPIES = 15
CARDS = ITEMS * COPIES
CARD_VALUE = 1  # A12, A21
CARDS_BOUGHT = np.array([value // 2 for value in range(VALUES + 1)], np.int64)  # A6: by a tile of each value
FIRST_HAND = 4  # A5: of seat 0; every further seat has one more
DRAW_WITHOUT_MOVE = 2  # A10
DRAW_AT_THE_END = 4  # A18

TURN, CHAIN, PAY, AFTER, OVER = range(5)  # phases

# The kinds of events; each event has a kind, a seat and three numbers.
(BOUGHT, BRIDGED, PLAYED, CROSSED, OWES, PAID_TILE, PAID_CARD, TOOK, TOOK_NOTHING, DREW, SHUFFLED, SHOWED,
 ALL_ARRIVED, STUCK, SETTLED) = range(15)  # fmt: skip
