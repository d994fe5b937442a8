"""Dice Nim: how good a position looks, for bots that do not search to the end."""

from __future__ import annotations

from dice_nim.components import MAX_TAKEN
from laguna.kernel.jit import rule

SCALE = 4.0  # a lead of this much is a good lead
CERTAINTY = 1.0  # how much such a lead says about who will win
PLAYOUT = 8  # actions before a position is judged
CARE = 1  # random actions to choose each of them from
HALVING = False  # PUCT at the root


@rule
def evaluate(s, seat):
    """The lead over the best of the others; facing a multiple of four is bad, as always in Nim."""
    dice = 0
    best = 0
    for each in range(s.players):
        dice += s.hand[each, 0]
    for each in range(s.players):
        if each != seat:
            best = max(best, s.taken[each] + (dice if each == s.last else 0))
    own = s.taken[seat] + (dice if seat == s.last else 0)
    threat = 2.0 if s.turn != seat and s.heap % (MAX_TAKEN + 1) == 0 else 0.0
    return own - best + (threat if s.heap > 0 else 0.0)
