"""Neptune & Vesta: the rules N4–N20 over one record. Plain Python that Numba compiles.

Rounds are numbered from 1, seats are 0 (Vesta, red) and 1 (Neptune, blue). An action is
(value - 1) * 50 + cell: put one's own tile of that value on that cell.
"""

from __future__ import annotations

import numpy as np

from laguna.games.contract import Hidden
from laguna.games.neptune_vesta.components import (
    BLUE,
    BLUE_TILE,
    BOARD_FULL,
    CELLS,
    CENTER,
    HAND,
    HIGHEST,
    LIGHTHOUSE_ARRIVED,
    LIGHTHOUSE_END,
    LIGHTHOUSE_MOVED,
    LINE_COMPLETED,
    MAJORITY,
    NO_COMBINATION,
    ONE_COLOR,
    RED,
    ROUND_DRAWN,
    ROUND_STARTED,
    SEATS,
    SIDE,
    STACK,
    TILES,
    VALUE_OF,
    VALUES,
    ZONE,
)
from laguna.kernel.bits import nth
from laguna.kernel.chance import WORDS, draw, seed_stream, shuffle, shuffle_anew
from laguna.kernel.events import say
from laguna.kernel.jit import rule
from laguna.kernel.records import record_type

HIDDEN = Hidden(piles=("chance", "stack", "stack_size"), hand="hand")
CODES = VALUES * CELLS
MAX_LEGAL = HAND * (CELLS - SEATS)
MAX_ACTIONS = 3 * (CELLS - SEATS)
KINDS = SEATS * VALUES  # of pieces, for the census
EVENTS = 8  # at most five: a row, a column, the lighthouse, the end of a round, the start of the next

STATE = record_type(
    [
        ("free", np.int64),  # the free cells, as bits
        ("chance", np.uint32, (SEATS, WORDS)),  # one stream for each color's stack
        ("rounds", np.int32),  # option N18
        ("line_to", np.int32),  # option N19
        ("round_number", np.int32),
        ("starter", np.int32),
        ("turn", np.int32),
        ("lighthouse", np.int32),
        ("over", np.int32),
        ("free_cells", np.int32),
        ("wins", np.int32, SEATS),
        ("stack_size", np.int32, SEATS),
        ("event_count", np.int32),
        ("events", np.int8, (EVENTS, 5)),  # kind, seat and three numbers: what the last action did
        ("board", np.int8, CELLS),
        ("stack", np.int8, (SEATS, STACK)),  # the top is the last
        ("hand", np.int8, (SEATS, HAND)),  # ascending, 0 where no tile is
    ]
)

BOTH_ZONES = (1 << CELLS) - 1
FIRST_ROW = 0b11111
FIRST_COLUMN = 0b00001_00001_00001_00001_00001


@rule
def setup(s, options, seed):
    """N4–N7: a new match. `options` holds the players (two), rounds and the line_to choice."""
    s.rounds = options[1]
    s.line_to = options[2]
    s.round_number = 1
    s.over = 0
    s.event_count = 0
    s.events[:] = 0
    s.wins[:] = 0
    for color in range(SEATS):
        seed_stream(s.chance[color], seed, color)
    shuffle_stacks(s)
    s.starter = turn_up_first_tiles(s)
    begin_round(s)
    say(s, ROUND_STARTED, s.starter, s.round_number, 0, 0)


@rule
def shuffle_stacks(s):
    """N4: both stacks whole, shuffled face down."""
    for color in range(SEATS):
        s.stack_size[color] = STACK
        for i in range(STACK):
            s.stack[color, i] = TILES[i]
        shuffle(s.chance[color], s.stack[color], STACK)


@rule
def turn_up_first_tiles(s):
    """N5, N6: turn up pairs until they differ; who starts round 1.

    The deciding pair ends on top of the stacks, where N5 takes it from, and the tiles set aside
    before it are shuffled into the rest.
    """
    while True:
        for pair in range(STACK):
            top = STACK - 1 - pair
            red = s.stack[RED, top]
            blue = s.stack[BLUE, top]
            if red != blue:
                if pair > 0:
                    shuffle_back(s, RED, top)
                    shuffle_back(s, BLUE, top)
                return RED if red < blue else BLUE
        shuffle_stacks(s)


@rule
def shuffle_back(s, color, place):
    """N6: the set-aside tiles (those above `place`) are shuffled into the stack below `place`."""
    stack = s.stack[color]
    chosen = stack[place]
    # Set aside one after the other, they come back on top of the stack in that order.
    for i in range((STACK - 1 - place) // 2):
        low = place + 1 + i
        high = STACK - 1 - i
        kept = stack[low]
        stack[low] = stack[high]
        stack[high] = kept
    for i in range(place, STACK - 1):
        stack[i] = stack[i + 1]
    shuffle(s.chance[color], stack, STACK - 1)
    stack[STACK - 1] = chosen


@rule
def begin_round(s):
    """N4, N5, N7: lighthouse on 0, top tiles on the centers, three tiles in each hand."""
    s.turn = s.starter
    s.lighthouse = 0
    s.free_cells = CELLS - SEATS
    s.free = BOTH_ZONES & ~(1 << CENTER | 1 << (ZONE + CENTER))
    s.board[:] = 0
    s.hand[:] = 0
    for color in range(SEATS):
        s.board[color * ZONE + CENTER] = take_top(s, color) + color * BLUE_TILE
        for _ in range(HAND):
            draw_tile(s, color)


@rule
def take_top(s, color):
    s.stack_size[color] -= 1
    top = s.stack_size[color]
    tile = s.stack[color, top]
    s.stack[color, top] = 0
    return tile


@rule
def draw_tile(s, seat):
    """N7, N8: one tile into the hand, which is kept in ascending order with free places first."""
    hand = s.hand[seat]
    tile = take_top(s, seat)
    i = 1
    while i < HAND and hand[i] < tile:
        hand[i - 1] = hand[i]
        i += 1
    hand[i - 1] = tile


@rule
def to_move(s):
    """The seat that acts next; -1 when the match is over."""
    return -1 if s.over else s.turn


@rule
def legal(s, out):
    """N8: every different tile of the hand on every free cell, by value, zone, row, column."""
    if s.over:
        return 0
    hand = s.hand[s.turn]
    board = s.board
    first = (np.int64(hand[0]) - 1) * CELLS
    free = 0
    for cell in range(CELLS):
        out[free] = first + cell
        free += board[cell] == 0
    count = free
    for i in range(1, HAND):
        if hand[i] != hand[i - 1]:
            more = (np.int64(hand[i]) - hand[0]) * CELLS
            for k in range(free):
                out[count + k] = out[k] + more
            count += free
    return count


@rule
def mark_legal(s, out, mask):
    """The same as a row of all codes, without writing the list."""
    mask[:] = False
    if s.over:
        return
    board = s.board
    for i in range(HAND):
        first = (np.int64(s.hand[s.turn, i]) - 1) * CELLS
        for cell in range(CELLS):
            mask[first + cell] = board[cell] == 0


@rule
def random_action(s, stream, out):
    """The action that `draw` would choose from the legal list, without writing the list."""
    hand = s.hand[s.turn]
    second = hand[1] != hand[0]
    third = hand[2] != hand[1]
    choice = draw(stream, (1 + second + third) * s.free_cells)
    tile = choice // s.free_cells
    if tile > 0 and not second:
        tile = 2
    return (np.int64(hand[tile]) - 1) * CELLS + nth(s.free, choice % s.free_cells)


@rule
def apply(s, action):
    """N8: place the tile, score the lines it completes, draw; then the other player's turn."""
    value = action // CELLS + 1
    cell = action % CELLS
    seat = s.turn
    s.event_count = 0
    leave_hand(s.hand[seat], value)
    s.board[cell] = value + seat * BLUE_TILE
    s.free_cells -= 1
    s.free &= ~(1 << cell)
    move_lighthouse(s, score_lines(s, cell))
    if abs(s.lighthouse) == LIGHTHOUSE_END:
        end_round(s, LIGHTHOUSE_ARRIVED, RED if s.lighthouse > 0 else BLUE)
    elif s.free_cells == 0:
        end_round(s, BOARD_FULL, winner_on_full_board(s))
    else:
        draw_tile(s, seat)
        s.turn = 1 - seat


@rule
def leave_hand(hand, value):
    """Take the tile out; the free place is the first, so the rest stays in order."""
    i = HAND - 1
    while hand[i] != value:
        i -= 1
    while i > 0:
        hand[i] = hand[i - 1]
        i -= 1
    hand[0] = 0


@rule
def score_lines(s, cell):
    """N9, N12: the completed row and column, each to its receiver; how far the lighthouse moves."""
    row = cell - cell % SIDE
    column = cell - cell % ZONE + cell % SIDE
    movement = 0
    if s.free & (FIRST_ROW << row) == 0:
        movement += score_line(s, row, 1)
    if s.free & (FIRST_COLUMN << column) == 0:
        movement += score_line(s, column, SIDE)
    return movement


@rule
def move_lighthouse(s, movement):
    """N11: toward red's end is positive; it stops on 10 and what is beyond is lost."""
    before = s.lighthouse
    s.lighthouse = min(max(before + movement, -LIGHTHOUSE_END), LIGHTHOUSE_END)
    if s.lighthouse != before:
        say(s, LIGHTHOUSE_MOVED, RED if movement > 0 else BLUE, movement, s.lighthouse, 0)


@rule
def score_line(s, first, step):
    """N9–N11: the points of a completed line, positive toward red."""
    points = line_points(s.board, first, step)
    receiver = line_receiver(s.board, first, step, s.line_to)
    say(s, LINE_COMPLETED, receiver, points, first, step)
    return points if receiver == RED else -points


@rule
def line_points(board, first, step):
    """N10: 1, 3, 6, 10 for two to five equal values is the number of equal pairs."""
    pairs = 0
    blue = 0
    for i in range(SIDE):
        tile = board[first + i * step]
        blue += tile > BLUE_TILE
        for j in range(i):
            pairs += ((tile ^ board[first + j * step]) & VALUE_OF) == 0
    points = pairs
    if blue == 0 or blue == SIDE:
        points += ONE_COLOR
    return points if points > 0 else NO_COMBINATION


@rule
def line_receiver(board, first, step, line_to):
    """N9, N19: who gets the line's points; if highest values or sums are equal, the majority decides."""
    majority = 0
    red = 0
    blue = 0
    for i in range(SIDE):
        tile = np.int64(board[first + i * step])
        value = tile & VALUE_OF
        if tile < BLUE_TILE:
            majority += 1
            red = max(red, value) if line_to == HIGHEST else red + value
        else:
            majority -= 1
            blue = max(blue, value) if line_to == HIGHEST else blue + value
    lead = majority if line_to == MAJORITY or red == blue else red - blue
    return RED if lead > 0 else BLUE


@rule
def winner_on_full_board(s):
    """N15: the lighthouse's side; on 0, more tiles of one's own in one's own zone; equal: -1, a draw."""
    if s.lighthouse != 0:
        return RED if s.lighthouse > 0 else BLUE
    lead = 0
    for cell in range(ZONE):
        lead += s.board[cell] < BLUE_TILE
        lead -= s.board[ZONE + cell] > BLUE_TILE
    if lead == 0:
        return -1
    return RED if lead > 0 else BLUE


@rule
def end_round(s, how, winner):
    """N14–N16: count the win; then the next round at once, or the end of the match."""
    say(s, how if winner >= 0 else ROUND_DRAWN, winner, s.round_number, 0, 0)
    if winner >= 0:
        s.wins[winner] += 1
    if s.round_number == s.rounds or max(s.wins[RED], s.wins[BLUE]) == 2:
        s.over = 1
        return
    s.round_number += 1
    s.starter = 1 - s.starter
    shuffle_stacks(s)
    begin_round(s)
    say(s, ROUND_STARTED, s.starter, s.round_number, 0, 0)


@rule
def scores(s, out):
    """N16: the rounds each player has won."""
    out[RED] = s.wins[RED]
    out[BLUE] = s.wins[BLUE]


@rule
def winners(s):
    """N17: the winners as bits (1 for seat 0, 2 for seat 1); 0 before the end."""
    if not s.over:
        return 0
    if s.wins[RED] == s.wins[BLUE]:
        return 3
    return 1 if s.wins[RED] > s.wins[BLUE] else 2


@rule
def held(s, seat):
    """N20: what a seat holds in secret, as a number."""
    tiles = np.int64(0)
    for i in range(HAND):
        tiles = tiles * 16 + s.hand[seat, i]
    return tiles


@rule
def redeal(s, seat, seed):
    """N20: shuffle again what `seat` cannot know: both stacks, the other hand, all future chance."""
    other = 1 - seat
    held = 0
    for i in range(HAND):
        if s.hand[other, i] > 0:
            s.stack[other, s.stack_size[other]] = s.hand[other, i]
            s.stack_size[other] += 1
            s.hand[other, i] = 0
            held += 1
    for color in range(SEATS):
        seed_stream(s.chance[color], seed, color)
        shuffle_anew(s.chance[color], s.stack[color], s.stack_size[color])
    for _ in range(held):
        draw_tile(s, other)


@rule
def census(s, out):
    """Count every tile wherever it is: by color, then value. Returns how many kinds there are."""
    out[:KINDS] = 0
    for cell in range(CELLS):
        tile = s.board[cell]
        if tile > 0:
            out[(tile // BLUE_TILE) * VALUES + (tile & VALUE_OF) - 1] += 1
    for color in range(SEATS):
        for i in range(s.stack_size[color]):
            out[color * VALUES + s.stack[color, i] - 1] += 1
        for i in range(HAND):
            if s.hand[color, i] > 0:
                out[color * VALUES + s.hand[color, i] - 1] += 1
    return KINDS
