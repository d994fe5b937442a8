"""Neptune & Vesta: what a network is told about a position: only what the seat may know."""

from __future__ import annotations

import numpy as np

from laguna.games.neptune_vesta.components import (
    BLUE_TILE,
    CELLS,
    COPIES,
    HAND,
    HIGHEST,
    LIGHTHOUSE_END,
    MAJORITY,
    SIDE,
    VALUE_OF,
    VALUES,
    ZONE,
)
from laguna.games.neptune_vesta.rules import FIRST_COLUMN, FIRST_ROW
from laguna.kernel.jit import rule

VERSION = 1  # of the inputs: a network trained for another does not fit
POINTS_UNIT = 1.0  # what the points still to be scored are divided by
OWN_VIEW = False  # in a search, the chances that the seats see are made to add up to 1

# An open line: tiles (0-4) and how many of them are own x equal pairs (0, 1, 2, 3, 6). With `majority` x
# whether a tile that would add to the largest set of equals is in hand, among the own tiles to come, and
# among the unseen ones of the other; with the other options x who is ahead x the first and last of these.
TILES_BEFORE = np.array([0, 1, 3, 6, 10], np.int64)  # the first number for so many tiles
PAIRS = np.array([0, 1, 2, 3, 0, 0, 4], np.int64)  # which of the five numbers of pairs it is
SHAPES = 15 * 5
BY_MAJORITY = 1
BY_VALUES = BY_MAJORITY + SHAPES * 8
LIGHTHOUSE = BY_VALUES + 2 * SHAPES * 3 * 4  # where it is x whose turn it is
TIME = LIGHTHOUSE + 2 * (2 * LIGHTHOUSE_END + 1)  # free cells x who is ahead
MATCH = TIME + CELLS * 3  # round x own wins x wins of the other x who starts it; the only round is 0
LINE_TO = MATCH + 4 * 2 * 2 * 2  # the option
IN_HAND = LINE_TO + 3  # a tile: its value x whose turn it is
EQUAL_IN_HAND = IN_HAND + (VALUES + 1) * 2  # pairs of equal tiles in hand: 0, 1 or 3
ROWS = EQUAL_IN_HAND + 4
SLOTS = 4 * SIDE + 4 + HAND + 1

# Tiles of each value: the own to come, those of the other that are unseen; then the lighthouse, the free
# cells, and how many more tiles of one's own the seat has in its zone than the other (N15).
COUNTS = np.array([3.0] * (2 * VALUES) + [5.0, 24.0, 5.0], np.float32)

EVERY_VALUE = sum(COPIES << (4 * value) for value in range(VALUES))  # four bits for each value


@rule
def inputs(s, seat, rows, counts):
    """Write a row for each slot, and the counts."""
    own, other, lead = unseen(s, seat)
    in_hand = np.int64(0)
    pairs = 0
    for i in range(HAND):
        tile = np.int64(s.hand[seat, i])
        in_hand |= (np.int64(1) << tile) >> 1
        for j in range(i):
            pairs += tile > 0 and tile == s.hand[seat, j]
    own_values = values_of(own)
    other_values = values_of(other)
    slot = 0
    for zone in range(0, CELLS, ZONE):
        for i in range(SIDE):
            row = zone + i * SIDE
            column = zone + i
            rows[slot] = 0
            rows[slot + 1] = 0
            if s.free >> row & FIRST_ROW != 0:
                rows[slot] = line_row(s, seat, row, 1, in_hand, own_values, other_values)
            if s.free >> column & FIRST_COLUMN != 0:
                rows[slot + 1] = line_row(s, seat, column, SIDE, in_hand, own_values, other_values)
            slot += 2
    my_turn = 1 if s.turn == seat else 0
    lighthouse = s.lighthouse if seat == 0 else -s.lighthouse
    rows[slot] = LIGHTHOUSE + (lighthouse + LIGHTHOUSE_END) * 2 + my_turn
    rows[slot + 1] = TIME + min(s.free_cells, CELLS - 1) * 3 + sign(lighthouse)
    rows[slot + 2] = match_row(s, seat)
    rows[slot + 3] = LINE_TO + s.line_to
    for i in range(HAND):
        rows[slot + 4 + i] = IN_HAND + np.int64(s.hand[seat, i]) * 2 + my_turn
    rows[slot + 4 + HAND] = EQUAL_IN_HAND + pairs
    for value in range(VALUES):
        counts[value] = own >> (4 * value) & 15
        counts[VALUES + value] = other >> (4 * value) & 15
    counts[2 * VALUES] = lighthouse
    counts[2 * VALUES + 1] = s.free_cells
    counts[2 * VALUES + 2] = lead


@rule
def unseen(s, seat):
    """The own tiles to come and the unseen ones of the other, four bits a value; and the lead of N15."""
    own = np.int64(EVERY_VALUE)
    other = np.int64(EVERY_VALUE)
    lead = 0
    for cell in range(CELLS):
        tile = np.int64(s.board[cell])
        if tile > 0:
            one = np.int64(1) << (4 * ((tile & VALUE_OF) - 1))
            color = tile // BLUE_TILE
            if color == seat:
                own -= one
                lead += cell // ZONE == seat
            else:
                other -= one
                lead -= cell // ZONE == color
    for i in range(HAND):
        if s.hand[seat, i] > 0:
            own -= np.int64(1) << (4 * (np.int64(s.hand[seat, i]) - 1))
    return own, other, lead


@rule
def values_of(tiles):
    """The values of which there is a tile, as bits; `tiles` has four bits for each value."""
    found = np.int64(0)
    for value in range(VALUES):
        found |= np.int64((tiles >> (4 * value) & 15) > 0) << value
    return found


@rule
def line_row(s, seat, first, step, in_hand, own_values, other_values):
    """An open line as the seat sees it."""
    own = 0
    other = 0
    pairs = 0
    own_high = np.int64(0)
    other_high = np.int64(0)
    once = np.int64(0)
    twice = np.int64(0)
    thrice = np.int64(0)
    for i in range(SIDE):
        tile = np.int64(s.board[first + i * step])
        if tile == 0:
            continue
        value = tile & VALUE_OF
        one = np.int64(1) << (value - 1)
        pairs += (once & one != 0) + (twice & one != 0) + (thrice & one != 0)
        thrice |= twice & one
        twice |= once & one
        once |= one
        if tile // BLUE_TILE == seat:
            own += 1
            own_high = max(own_high, value) if s.line_to == HIGHEST else own_high + value
        else:
            other += 1
            other_high = max(other_high, value) if s.line_to == HIGHEST else other_high + value
    most = thrice if thrice != 0 else twice if twice != 0 else once
    shape = (TILES_BEFORE[own + other] + own) * 5 + PAIRS[pairs]
    now = np.int64(most & in_hand != 0)
    answer = np.int64(most & other_values != 0)
    if s.line_to == MAJORITY:
        later = np.int64(most & own_values != 0)
        return BY_MAJORITY + ((shape * 2 + now) * 2 + later) * 2 + answer
    ahead = sign(own_high - other_high if own_high != other_high else np.int64(own - other))
    return BY_VALUES + ((((s.line_to - HIGHEST) * SHAPES + shape) * 3 + ahead) * 2 + now) * 2 + answer


@rule
def match_row(s, seat):
    """N16–N18: how the match stands."""
    number = 0 if s.rounds == 1 else s.round_number
    wins = min(s.wins[seat], 1) * 2 + min(s.wins[1 - seat], 1)
    return MATCH + (number * 4 + wins) * 2 + (s.starter == seat)


@rule
def sign(number):
    """0, 1 or 2: below 0, 0, above."""
    return np.int64(number > 0) - np.int64(number < 0) + 1
