"""One step of many games at once: compiled, the same source for the processor and the GPU.

Every step has four parts. `look`: what the seat to move knows, and what it may do. `try_action`: the position
after each such action, as a network is told about it. `choose`: the best of them, which is played in the real
game. `observe`: what each seat is told then, or how the game ended.
"""

from __future__ import annotations

import numpy as np

from laguna.bots.network import final_logit, share_of_win
from laguna.kernel.chance import draw, seed_stream, word
from laguna.kernel.dispatch import apply, glance, inputs, legal, redeal, scores, setup, to_move
from laguna.kernel.jit import rule

RANDOM = 1000  # steps of a probability


@rule
def begin(games, options, seeds, streams, g):
    """Set up a new game with its own options."""
    setup(games[g], options[g], seeds[g])
    seed_stream(streams[g], seeds[g], 1 << 20)


@rule
def look(games, known, codes, counts, movers, streams, g):
    """Deal again what the seat to move cannot know, and list its actions."""
    known[g] = games[g]
    s = known[g]
    movers[g] = to_move(s)
    redeal(s, to_move(s), word(streams[g]))
    counts[g] = legal(s, codes[g])


@rule
def try_action(known, codes, first, owner, trial, rows, counts, looks, by_hand, p):
    """Play action `p` of the list in a copy. `looks` gets how good a finished game is, NaN for another.

    With `by_hand` it gets what the hand-made evaluation says at a glance, and there are no rows and counts.
    """
    g = owner[p]
    trial[0] = known[g]
    s = trial[0]
    seat = to_move(s)
    apply(s, np.int64(codes[g, p - first[g]]))
    if by_hand:
        looks[p] = glance(s, seat)
    elif to_move(s) < 0:
        looks[p] = final_logit(s, seat)
        rows[p, :] = 0
        counts[p, :] = 0
    else:
        looks[p] = np.nan
        inputs(s, seat, rows[p], counts[p])


@rule
def choose(games, codes, first, counts, values, epsilon, streams, g):
    """Play the action with the highest value in the real game; `epsilon` in a thousand are random."""
    best = first[g]
    for p in range(first[g], first[g] + counts[g]):
        if values[p] > values[best]:
            best = p
    if epsilon > 0 and draw(streams[g], RANDOM) < epsilon:
        best = first[g] + draw(streams[g], np.int64(counts[g]))
    apply(games[g], np.int64(codes[g, best - first[g]]))
    return best


@rule
def observe(games, options, seeds, streams, rows, counts, over, shares, points, now, g, step):
    """What each seat is told; of a finished game the shares of the win and points, and a new one begins."""
    s = games[g]
    players = options[g, 0]
    scores(s, now[g])
    over[g] = to_move(s) < 0
    if over[g]:
        for seat in range(players):
            shares[g, seat] = share_of_win(s, seat)
            points[g, seat] = now[g, seat]
        seeds[g] += step
        begin(games, options, seeds, streams, g)
        return
    for seat in range(players):
        inputs(s, seat, rows[g, seat], counts[g, seat])


# ------------------------------------------------------------------ all of them, one after the other


@rule
def begin_all(games, options, seeds, streams):
    for g in range(len(games)):
        begin(games, options, seeds, streams, g)


@rule
def look_at_all(games, known, codes, counts, movers, streams):
    for g in range(len(games)):
        look(games, known, codes, counts, movers, streams, g)


@rule
def try_all(known, codes, first, owner, trial, rows, counts, looks, by_hand):
    for p in range(len(owner)):
        try_action(known, codes, first, owner, trial, rows, counts, looks, by_hand, p)


@rule
def choose_for_all(games, codes, first, counts, values, epsilon, streams):
    for g in range(len(games)):
        choose(games, codes, first, counts, values, epsilon, streams, g)


@rule
def observe_all(games, options, seeds, streams, rows, counts, over, shares, points, now, step):
    for g in range(len(games)):
        observe(games, options, seeds, streams, rows, counts, over, shares, points, now, g, step)
