"""Neptune & Vesta: what is in the box, as data (N1–N3, N10)."""

from __future__ import annotations

import numpy as np

RED, BLUE = 0, 1  # Vesta, seat 0; Neptune, seat 1
SEATS = 2
SIDE = 5
ZONE = SIDE * SIDE
CELLS = SEATS * ZONE  # N1: cell = zone * 25 + row * 5 + column
CENTER = 12  # of a zone, counted from its first cell

VALUES = 10
COPIES = 3
STACK = VALUES * COPIES  # N2
HAND = 3  # N7

# A tile on the board is its value plus BLUE_TILE if blue; 0 is a free cell.
BLUE_TILE = 16
VALUE_OF = BLUE_TILE - 1

LIGHTHOUSE_END = 10  # N3
ONE_COLOR = 3  # N10: five tiles of one color
NO_COMBINATION = -3

# N4: the tiles of one color before they are shuffled.
TILES = np.repeat(np.arange(1, VALUES + 1, dtype=np.int8), COPIES)

MAJORITY, HIGHEST, SUM = 0, 1, 2  # N19

# What can happen: the kinds of events, see events.py.
ROUND_STARTED, LINE_COMPLETED, LIGHTHOUSE_MOVED, LIGHTHOUSE_ARRIVED, BOARD_FULL, ROUND_DRAWN = range(6)
