"""One-ply greedy: the action after which the position looks best to the evaluation of `hints.py`."""

from __future__ import annotations

import numpy as np

from laguna.game import Action, Game
from laguna.kernel.chance import WORDS, draw, seed_stream
from laguna.kernel.dispatch import apply, evaluate, legal, to_move
from laguna.kernel.jit import rule
from laguna.kernel.records import blanks


@rule
def best_action(s, scratch, out, stream):
    """Try every legal action on a copy; of equally good ones any is as likely."""
    seat = to_move(s)
    best = 0.0
    chosen = -1
    ties = 0
    for i in range(legal(s, out)):
        scratch[0] = s
        apply(scratch[0], np.int64(out[i]))
        value = evaluate(scratch[0], seat)
        if chosen < 0 or value > best:
            best = value
            chosen = out[i]
            ties = 1
        elif value == best:
            ties += 1
            if draw(stream, ties) == 0:
                chosen = out[i]
    return chosen


def greedy(game: Game, seed: int) -> Action:
    """The action that looks best at once."""
    rules = game.rules
    stream = np.zeros(WORDS, np.uint32)
    seed_stream(stream, seed, 0)
    out = np.zeros(rules.MOST_LEGAL, np.int16)
    return game.action(int(best_action(game.state, blanks(rules.STATE, 1), out, stream)))
