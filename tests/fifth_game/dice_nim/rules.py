"""Dice Nim: the rules D1-D6 over one record. Action n takes n + 1 counters."""

from __future__ import annotations

import numpy as np

from dice_nim.components import DIE, ENDED, MAX_COUNTERS, MAX_PLAYERS, MAX_TAKEN, TOOK
from laguna.games.contract import Hidden
from laguna.kernel.chance import WORDS, pick, seed_stream
from laguna.kernel.events import say
from laguna.kernel.jit import rule
from laguna.kernel.records import record_type

HIDDEN = Hidden(piles=("chance",), hand="hand")
CODES = MAX_LEGAL = MAX_TAKEN
MAX_ACTIONS = MAX_COUNTERS
KINDS = 1  # of pieces: counters
EVENTS = 4

STATE = record_type(
    [
        ("chance", np.uint32, (MAX_PLAYERS, WORDS)),  # a stream for each die
        ("players", np.int32),
        ("heap", np.int32),
        ("turn", np.int32),
        ("last", np.int32),  # who took the last counter, or -1
        ("taken", np.int32, MAX_PLAYERS),
        ("hand", np.int32, (MAX_PLAYERS, 1)),  # the die of each seat
        ("event_count", np.int32),
        ("events", np.int16, (EVENTS, 5)),
    ]
)


@rule
def setup(s, options, seed):
    """D1, D2: the heap is laid out, and every player rolls a die under a cup."""
    s.players = options[0]
    s.heap = options[1]
    s.turn = 0
    s.last = -1
    s.taken[:] = 0
    s.hand[:] = 0
    s.event_count = 0
    s.events[:] = 0
    for seat in range(s.players):
        seed_stream(s.chance[seat], seed, seat)
        s.hand[seat, 0] = 1 + pick(s.chance[seat], DIE)


@rule
def to_move(s):
    """D4: the game is over once the heap is empty."""
    return -1 if s.heap == 0 else s.turn


@rule
def legal(s, out):
    """D3: one to three counters, if that many are left."""
    count = min(s.heap, MAX_TAKEN)
    for i in range(count):
        out[i] = i
    return count


@rule
def apply(s, action):
    """D3, D4: take the counters; whoever takes the last one ends the game."""
    s.event_count = 0
    s.heap -= action + 1
    s.taken[s.turn] += action + 1
    say(s, TOOK, s.turn, action + 1, s.heap, 0)
    if s.heap == 0:
        s.last = s.turn
        say(s, ENDED, s.turn, all_dice(s), 0, 0)
    s.turn = (s.turn + 1) % s.players


@rule
def all_dice(s):
    total = 0
    for seat in range(s.players):
        total += s.hand[seat, 0]
    return total


@rule
def scores(s, out):
    """D4, D5: the counters taken, and all dice for the last one."""
    for seat in range(s.players):
        out[seat] = s.taken[seat]
    if s.last >= 0:
        out[s.last] += all_dice(s)


@rule
def winners(s):
    """D5: the most points, as bits; 0 before the end."""
    if s.heap > 0:
        return 0
    best = 0
    won = 0
    for seat in range(s.players):
        points = s.taken[seat] + (all_dice(s) if seat == s.last else 0)
        if points > best:
            best = points
            won = 0
        if points == best:
            won |= 1 << seat
    return won


@rule
def held(s, seat):
    """D6: what a seat holds in secret, as a number."""
    return np.int64(s.hand[seat, 0])


@rule
def redeal(s, seat, seed):
    """D6: roll again what `seat` cannot know. After the end the dice are shown."""
    for other in range(s.players):
        seed_stream(s.chance[other], seed, other)
        if other != seat and s.heap > 0:
            s.hand[other, 0] = 1 + pick(s.chance[other], DIE)


@rule
def census(s, out):
    """Count every counter wherever it is. Returns how many kinds of pieces there are."""
    out[0] = s.heap
    for seat in range(s.players):
        out[0] += s.taken[seat]
    return KINDS
