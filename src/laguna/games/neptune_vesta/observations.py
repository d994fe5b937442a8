"""Neptune & Vesta: what a seat may know, as named numbers (N20).

Cells are told in the order of the actions' codes, for both seats alike: the red zone, then the blue one, rows
1-5, columns a-e. Whose tiles they are is told from the seat that looks.
"""

from __future__ import annotations

import numpy as np

from laguna.games.contract import Field, starts
from laguna.games.neptune_vesta.components import (
    BLUE_TILE,
    CELLS,
    COPIES,
    HAND,
    LIGHTHOUSE_END,
    SEATS,
    SIDE,
    STACK,
    SUM,
    VALUE_OF,
    VALUES,
)
from laguna.games.neptune_vesta.rules import winners
from laguna.kernel.jit import rule

FIELDS = (
    Field("seat", (), 0, SEATS - 1, "which side you are: 0 Vesta, red; 1 Neptune, blue"),
    Field("rounds", (), 1, 3, "the option: rounds in the match, 1 or 3"),
    Field("line_to", (), 0, SUM, "the option: lines go to the majority (0), highest tile (1), sum (2)"),
    Field("turn", (SEATS,), 0, 1, "1 for who places a tile now: you, the other; none when the match is over"),
    Field("over", (), 0, 1, "1 when the match is over"),
    Field("winners", (SEATS,), 0, 1, "1 for who has won the match: you, the other; both if it is shared"),
    Field("round", (), 1, 3, "the number of this round"),
    Field("starter", (SEATS,), 0, 1, "1 for who started this round: you, the other"),
    Field("wins", (SEATS,), 0, 2, "rounds won: by you, by the other; these are the scores"),
    Field("lighthouse", (), -LIGHTHOUSE_END, LIGHTHOUSE_END, "10 is your end, -10 the other's"),
    Field("board", (2 * SEATS, SIDE, SIDE), 0, VALUES, "values: your tiles in each zone, then the other's"),
    Field("hand", (VALUES,), 0, HAND, "your tiles of each value 1-10"),
    Field("hand_sizes", (SEATS,), HAND - 1, HAND, "tiles in hand: yours, the other's"),
    Field("stack_sizes", (SEATS,), 0, STACK - HAND - 1, "tiles left in the stack: yours, the other's"),
    Field("unseen", (SEATS, VALUES), 0, COPIES, "tiles not seen this round, by value: yours, the other's"),
)
(
    SEAT, ROUNDS, LINE_TO, TURN, OVER, WINNERS, ROUND, STARTER, WINS, LIGHTHOUSE, BOARD, OWN_HAND, HAND_SIZES,
    STACK_SIZES, UNSEEN, SIZE,
) = starts(FIELDS)  # fmt: skip


@rule
def observe(s, seat, out):
    """Write every field as the seat sees it."""
    out[:SIZE] = 0
    out[SEAT] = seat
    out[ROUNDS] = s.rounds
    out[LINE_TO] = s.line_to
    out[OVER] = s.over
    out[ROUND] = s.round_number
    out[LIGHTHOUSE] = s.lighthouse if seat == 0 else -s.lighthouse
    won = winners(s)
    for steps in range(SEATS):
        color = seat if steps == 0 else 1 - seat
        out[TURN + steps] = s.turn == color and s.over == 0
        out[STARTER + steps] = s.starter == color
        out[WINNERS + steps] = won >> color & 1
        out[WINS + steps] = s.wins[color]
        out[STACK_SIZES + steps] = s.stack_size[color]
        for i in range(HAND):
            out[HAND_SIZES + steps] += s.hand[color, i] > 0
    tiles(s, seat, out)


@rule
def tiles(s, seat, out):
    """N2: the tiles on the board and in the own hand, and those that the seat has not seen."""
    seen = others_seen = 0  # how many of each value, two bits for each
    for cell in range(CELLS):  # without branches: which tile lies where is hard for a processor to foresee
        tile = np.int64(s.board[cell])
        value = tile & VALUE_OF
        own = np.int64(tile // BLUE_TILE == seat)
        out[BOARD + cell] = value * own
        out[BOARD + CELLS + cell] = value * (1 - own)
        one = np.int64(tile > 0) << 2 * value
        seen += one * own
        others_seen += one * (1 - own)
    for i in range(HAND):
        value = np.int64(s.hand[seat, i])
        if value > 0:
            out[OWN_HAND + value - 1] += 1
            seen += 1 << 2 * value
    for value in range(1, VALUES + 1):
        out[UNSEEN + value - 1] = COPIES - (seen >> 2 * value & COPIES)
        out[UNSEEN + VALUES + value - 1] = COPIES - (others_seen >> 2 * value & COPIES)
