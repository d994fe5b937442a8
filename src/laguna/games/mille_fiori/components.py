"""Mille Fiori: what is in the box, as data (M1–M4, M14–M35).

Cells are numbered in the order in which they are offered: workshops, residences, nobles, commoners
(each pyramid from the bottom up), trade by good and row, harbor by row. Cards are numbered from 1 by
type and wheel; equal cards have the same number and 0 is no card.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

MAX_PLAYERS = 4

# ------------------------------------------------------------------ cards

CardType = Literal[
    "pigment", "quartz", "ash", "lime", "residence", "lion", "coin", "cross", "fish", "shell", "crab",
    "goblet", "carafe", "earrings", "swan", "harbor",
]  # fmt: skip
WHEELS: dict[CardType, tuple[int, ...]] = {
    "pigment": (1, 1, 2, 2, 3, 3, 4, 4, 5),
    "quartz": (1, 2, 3, 3, 3, 4, 5),
    "ash": (1, 2, 2, 3, 4, 4, 5),
    "lime": (1, 1, 2, 3, 4, 5, 5),
    "residence": (1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5),
    "lion": (1, 2, 3, 5),
    "coin": (1, 2, 3, 5),
    "cross": (1, 2, 3, 4),
    "fish": (1, 2, 3, 4),
    "shell": (1, 2, 3, 4),
    "crab": (1, 2, 3, 5),
    "goblet": (1, 2, 3, 4, 5),
    "carafe": (1, 2, 3, 4, 5),
    "earrings": (1, 2, 3, 4, 5),
    "swan": (1, 2, 3, 4, 5),
    "harbor": (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5),
}  # M1: the wheel numbers of the cards of each type
TYPES = tuple(WHEELS)
PIGMENT, RESIDENCE, LION, FISH, GOBLET, HARBOR_CARD = (
    TYPES.index(name) for name in ("pigment", "residence", "lion", "fish", "goblet", "harbor")
)

# Each kind of card once, as its type and wheel.
CARDS = tuple((name, wheel) for name, wheels in WHEELS.items() for wheel in sorted(set(wheels)))
CARD_KINDS = len(CARDS)
NO_CARD = 0
TYPE_OF = np.array([-1, *(TYPES.index(name) for name, _ in CARDS)], np.int8)
WHEEL_OF = np.array([0, *(wheel for _, wheel in CARDS)], np.int8)

# M4: the cards before they are shuffled.
DECK = np.array(
    [1 + CARDS.index((name, wheel)) for name, wheels in WHEELS.items() for wheel in wheels], np.int8
)
CARD_COUNT = len(DECK)

# M4–M7, by number of players.
OPENED = np.array([0, 0, 9, 4, 9], np.int8)
PICKS = np.array([0, 0, 3, 4, 4], np.int8)
ROUNDS = np.array([0, 0, 10, 7, 5], np.int8)
HAND = 5

SECRET, OPEN = 0, 1  # M9

# ------------------------------------------------------------------ board

WORKSHOPS, RESIDENCES, NOBLES, COMMONERS, TRADE, HARBOR = range(6)
Group = Literal["workshops", "residences", "nobles", "commoners", "trade"]
Area = Group | Literal["harbor"]
GROUPS: tuple[Group, ...] = ("workshops", "residences", "nobles", "commoners", "trade")
AREAS: tuple[Area, ...] = (*GROUPS, "harbor")
BONUS_GROUPS = len(GROUPS)  # M3: all areas but the harbor
AREA_SIZE = (30, 20, 12, 12, 20, 15)
FIRST = np.array([sum(AREA_SIZE[:area]) for area in range(7)], np.int16)  # the first cell of each area
CELLS = sum(AREA_SIZE)
AREA_OF = np.repeat(np.arange(6, dtype=np.int8), AREA_SIZE)

# M14: the raw materials, row by row.
WORKSHOP_ROWS = ("P A P L A L A", "Q L Q A P Q P Q", "P A Q L P Q L P", "Q L P A L P A")
# Where they lie: half a cell is one step to the right.
WORKSHOP_X = (
    (1, 3, 5, 7, 9, 11, 15),
    (0, 2, 4, 6, 8, 10, 14, 16),
    (1, 3, 7, 9, 11, 13, 15, 17),
    (2, 6, 8, 10, 12, 14, 16),
)
WORKSHOP_TYPES = tuple("PQAL".index(letter) for row in WORKSHOP_ROWS for letter in row.split())

# M15: the cells that touch each workshop cell.
NEIGHBORS = (
    (1, 7, 8), (0, 2, 8, 9), (1, 3, 9, 10), (2, 4, 10, 11), (3, 5, 11, 12), (4, 12), (13, 14),
    (0, 8, 15), (0, 1, 7, 9, 15, 16), (1, 2, 8, 10, 16), (2, 3, 9, 11, 17), (3, 4, 10, 12, 17, 18),
    (4, 5, 11, 18, 19), (6, 14, 20, 21), (6, 13, 21, 22),
    (7, 8, 16, 23), (8, 9, 15, 23), (10, 11, 18, 24, 25), (11, 12, 17, 19, 25, 26), (12, 18, 20, 26, 27),
    (13, 19, 21, 27, 28), (13, 14, 20, 22, 28, 29), (14, 21, 29),
    (15, 16), (17, 25), (17, 18, 24, 26), (18, 19, 25, 27), (19, 20, 26, 28), (20, 21, 27, 29), (21, 22, 28),
)  # fmt: skip
NEIGHBOR_BITS = np.array([sum(1 << cell for cell in cells) for cells in NEIGHBORS], np.int64)

# M17: the three cells around each extra-card symbol.
TRIPLES = (
    (0, 7, 8), (1, 2, 9), (3, 10, 11), (4, 5, 12), (6, 13, 14),
    (15, 16, 23), (17, 24, 25), (18, 19, 26), (20, 27, 28), (21, 22, 29),
)  # fmt: skip
TRIPLE_BITS = np.array(
    [next(sum(1 << each for each in triple) for triple in TRIPLES if cell in triple) for cell in range(30)],
    np.int64,
)

# M18: the numbers of the row.
RESIDENCE_NUMBERS = np.array([2, 4, 3, 5, 1, 4, 2, 3, 1, 5, 10, 2, 3, 4, 5, 10, 1, 5, 4, 3], np.int8)

# M22: the symbols of the two pyramids, bottom, middle, top.
NOBLE_ROWS = ("cross coin lion cross coin", "lion cross coin lion", "coin lion cross")
COMMONER_ROWS = ("crab shell fish crab shell", "fish crab shell fish", "shell fish crab")
PYRAMID_TYPES = tuple(TYPES.index(name) for row in NOBLE_ROWS + COMMONER_ROWS for name in row.split())
PYRAMID = 12
MIDDLE, TOP = 5, 9  # the first cell of these levels, counted from the first of the pyramid
LEVEL_POINTS = np.array([1] * 5 + [3] * 4 + [6] * 3, np.int8)  # M23
# M22, M24: bits of the two cells a cell stands on, and of the whole triangle below it.
BELOW = np.array([0] * 5 + [3 << i for i in range(4)] + [3 << (MIDDLE + i) for i in range(3)], np.int64)
TRIANGLE = BELOW | np.array([0] * TOP + [7 << i for i in range(3)], np.int64)

Good = Literal["goblet", "carafe", "earrings", "swan"]
GOOD_NAMES: tuple[Good, ...] = ("goblet", "carafe", "earrings", "swan")
GOODS = len(GOOD_NAMES)
ROWS = 5  # M27, M31
SHIPS = 3
FLEET_POINTS = np.array([0, 1, 3, 6, 10], np.int8)  # M32

# M34: the points of the spaces; the ship starts on space 0.
SEA_POINTS = np.array([0, 1, 1, 1, 3, 1, 10, 0, 1, 5, 1, 1, 10, 10, 1, 5, 0, 1, 1, 1, 10], np.int8)
SEA_END = 20
SEA_EXTRA_CARDS = (7, 16, 20)
SEA_EXTRA_BITS = sum(1 << space for space in SEA_EXTRA_CARDS)

# M14, M22, M27: the card type whose symbol each cell shows.
CELL_TYPE = np.array(
    [
        *WORKSHOP_TYPES,
        *[RESIDENCE] * 20,
        *PYRAMID_TYPES,
        *[GOBLET + good for good in range(GOODS) for _ in range(ROWS)],
        *[HARBOR_CARD] * 15,
    ],
    np.int8,
)


def _bits(chosen: npt.NDArray[np.bool_]) -> int:
    """The cells that are chosen, as bits counted from the first of their area."""
    first = int(FIRST[AREA_OF[chosen.argmax()]])
    return sum(1 << (int(cell) - first) for cell in np.flatnonzero(chosen))


# The area where a card of each type is placed, and the cells of that area with its symbol.
AREA_OF_TYPE = np.array([AREA_OF[np.equal(CELL_TYPE, kind).argmax()] for kind in range(len(TYPES))], np.int8)
TYPE_BITS = np.array([_bits(np.equal(CELL_TYPE, kind)) for kind in range(len(TYPES))], np.int64)

# M16, M20, M25, M29: what is collected in each area (cells that count as the same), and how many
# different ones earn the bonus. Residences are collected by number, all else by symbol.
_number = np.zeros(CELLS, np.int8)
_number[AREA_OF == RESIDENCES] = RESIDENCE_NUMBERS
_sets = [[int(bits) for bits in TYPE_BITS[area == AREA_OF_TYPE]] for area in range(BONUS_GROUPS)]
_sets[RESIDENCES] = [_bits(_number == number) for number in (1, 2, 3, 4, 5, 10)]
COLLECTIONS = np.array([sets + [0] * (6 - len(sets)) for sets in _sets], np.int64)
BONUS_NEEDS = np.array([4, 4, 3, 3, 4], np.int8)

# M13: what the bonus cells of an area score, in the order they are taken.
BONUS_POINTS = np.array([20, 15, 10, 5], np.int8)

# ------------------------------------------------------------------ lozenges

LOZENGES = 30  # M2: of each player
RESERVE = 3

# ------------------------------------------------------------------ events

# What can happen: the kinds of events, see events.py.
(
    ROUND_STARTED,
    ROUND_ENDED,
    DECK_DEALT_OUT,
    SUPPLY_USED_UP,
    LAST_LOZENGE_LAID,
    PLACED,
    PLACED_AND_SAILED,
    SAILED,
    WORKSHOPS_SCORED,
    RESIDENCES_SCORED,
    TOWNSPERSON_SCORED,
    TRIANGLE_SCORED,
    GOOD_SCORED,
    FLEET_SCORED,
    SEA_SPACE_SCORED,
    SEA_END_SCORED,
    BONUS_CELL_TAKEN,
    # An extra card, by what earned it.
    EXTRA_CARD_BY_WORKSHOPS,
    EXTRA_CARD_BY_RESIDENCES,
    EXTRA_CARD_BY_TOP_CELL,
    EXTRA_CARD_BY_TRADE,
    EXTRA_CARD_BY_SEA_SPACE,
    EXTRA_CARD_BY_SEA_END,
    DISPLAY_WAS_EMPTY,
) = range(24)
