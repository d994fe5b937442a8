"""Checks that run compiled, generic over games, because they look at every action of thousands of games."""

from __future__ import annotations

import numpy as np

from laguna.kernel.chance import WORDS, draw, seed_stream
from laguna.kernel.dispatch import apply, census, legal, observe, random_action, setup, to_move
from laguna.kernel.jit import rule

FINE = 0
NO_LEGAL_ACTION, TOO_MANY_LEGAL, NO_SUCH_CODE, LISTED_TWICE = 1, 2, 3, 4
OTHER_RANDOM_ACTION, PIECES_CHANGED, TOO_LONG, ACTS_AFTER_THE_END = 5, 6, 7, 8


@rule
def audit(s, options, seed, max_legal, codes, max_actions, chooser, copied, out, seen, before, after):
    """Play the random game of this seed and check every step; FINE or what is wrong."""
    setup(s, options, seed)
    seed_stream(chooser, seed, 99)
    kinds = census(s, before)
    seen[:] = -1
    step = 0
    while to_move(s) >= 0:
        count = legal(s, out)
        if count < 1:
            return NO_LEGAL_ACTION
        if count > max_legal:
            return TOO_MANY_LEGAL
        for i in range(count):
            if out[i] < 0 or out[i] >= codes:
                return NO_SUCH_CODE
            if seen[out[i]] == step:
                return LISTED_TWICE
            seen[out[i]] = step
        for i in range(WORDS):
            copied[i] = chooser[i]
        chosen = np.int64(out[draw(chooser, count)])
        if random_action(s, copied, out) != chosen:
            return OTHER_RANDOM_ACTION
        apply(s, chosen)
        census(s, after)
        for i in range(kinds):
            if before[i] != after[i]:
                return PIECES_CHANGED
        step += 1
        if step > max_actions:
            return TOO_LONG
    if legal(s, out) != 0:
        return ACTS_AFTER_THE_END
    return FINE


@rule
def observe_each(records, seat, out):
    """What the seat observes in each of the games, a row for each."""
    for number in range(len(records)):
        observe(records[number], seat, out[number])


def observer_on_gpu():
    """A GPU kernel that does what `observe_each` does, with a thread for each game."""
    from numba import cuda

    @cuda.jit
    def observe_one(records, seat, out):
        number = cuda.grid(1)
        if number < records.shape[0]:
            observe(records[number], seat, out[number])

    return observe_one
