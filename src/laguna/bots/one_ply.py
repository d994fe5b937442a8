"""Bots that look one action ahead: greedy, two gentler ones that err as people do, and the network alone.

A gentle bot overlooks some of its possibilities and misjudges the others a little; among what it
sees it means well. So it misses things, but does not throw the game away on purpose.
"""

from __future__ import annotations

import numpy as np

from laguna.bots.network import accumulator_type, final_logit, find_network, refresh
from laguna.errors import BadOption
from laguna.game import Action, Game
from laguna.games import find
from laguna.kernel import MAX_SEATS
from laguna.kernel.chance import WORDS, draw, seed_stream
from laguna.kernel.dispatch import apply, evaluate, legal, scores, to_move
from laguna.kernel.jit import rule
from laguna.kernel.records import blanks

PERCENT = 100
FINE = 1000  # steps of a misjudgment


@rule
def best_action(s, scratch, out, stream, overlook, misjudge):
    """Try every legal action on a copy; equally good ones are equally likely.

    Each action is overlooked with a probability of `overlook` percent, and misjudged by at most `misjudge`.
    """
    seat = to_move(s)
    count = legal(s, out)
    best = 0.0
    chosen = -1
    ties = 0
    for i in range(count):
        if overlook > 0 and draw(stream, PERCENT) < overlook:
            continue
        scratch[0] = s
        apply(scratch[0], np.int64(out[i]))
        value = evaluate(scratch[0], seat)
        if misjudge > 0:
            value += misjudge * (draw(stream, FINE) + draw(stream, FINE) - FINE) / FINE
        if chosen < 0 or value > best:
            best = value
            chosen = out[i]
            ties = 1
        elif value == best:
            ties += 1
            if draw(stream, ties) == 0:
                chosen = out[i]
    return chosen if chosen >= 0 else out[draw(stream, count)]


def one_ply(game: Game, seed: int, overlook: int, misjudge: float) -> Action:
    """The action that looks best; `misjudge` is measured in good leads (`evaluation.SCALE`)."""
    rules = game.rules
    stream = np.zeros(WORDS, np.uint32)
    seed_stream(stream, seed, 0)
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    wrong = misjudge * float(find(game.meta.id).evaluation.SCALE)
    return game.action(int(best_action(game.state, blanks(rules.STATE, 1), out, stream, overlook, wrong)))


def greedy(game: Game, seed: int) -> Action:
    """The action that looks best right away."""
    return one_ply(game, seed, 0, 0.0)


@rule
def best_for_network(s, scratch, out, points, net, accumulator, stream, overlook, misjudge, greed):
    """The action after which the network sees the best chance; a won game is better than any chance.

    Actions are overlooked and misjudged as in `best_action`. With `greed`, the seat's own points to expect in
    the end count as well, whatever others have: so much for each `net.scale` of them.
    """
    seat = to_move(s)
    count = legal(s, out)
    best = -1e30
    chosen = -1
    for i in range(count):
        if overlook > 0 and draw(stream, PERCENT) < overlook:
            continue
        scratch[0] = s
        apply(scratch[0], np.int64(out[i]))
        if to_move(scratch[0]) < 0:
            value = 1e9 * final_logit(scratch[0], seat)
        else:
            refresh(net, accumulator, scratch[0], seat)
            value = np.float64(accumulator.logit)
            if greed > 0:
                scores(scratch[0], points)
                value += greed * (points[seat] + accumulator.to_come) / net.scale
        if misjudge > 0:
            value += misjudge * (draw(stream, FINE) + draw(stream, FINE) - FINE) / FINE
        if value > best:
            best = value
            chosen = out[i]
    return chosen if chosen >= 0 else out[draw(stream, count)]


def network(game: Game, seed: int, overlook: int = 0, misjudge: float = 0.0, greed: float = 0.0) -> Action:
    """The action after which the network sees the best chance to win; see `best_for_network`."""
    rules, net = game.rules, find_network(game.meta.id)
    if net is None:
        raise BadOption("network", f"{game.meta.title} has no network.")
    accumulator = blanks(accumulator_type(find(game.meta.id).inputs), 1)[0]
    out, points, stream = np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(MAX_SEATS), np.zeros(WORDS, np.uint32)
    seed_stream(stream, seed, 0)
    scratch = blanks(rules.STATE, 1)
    return game.action(
        int(
            best_for_network(
                game.state, scratch, out, points, net, accumulator, stream, overlook, misjudge, greed
            )
        )
    )
