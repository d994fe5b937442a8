"""Atlantis: how good a position looks, for bots that do not search to the end."""

from __future__ import annotations

from laguna.games.atlantis.components import MAINLAND, OVER, PAWNS
from laguna.kernel.jit import rule

SCALE = 12.0  # a lead of this much is a good lead
CERTAINTY = 2.0  # how much such a lead says about who will win
PLAYOUT = 6  # actions before a position is judged
CARE = 1  # random actions to choose each of them from
HALVING = False  # PUCT at the root
STEP = 0.2  # a pawn one space nearer to the mainland
ARRIVED = 5.0  # a pawn that brings a card each turn
WATER = 1.0  # what is still to be crossed
WIN = 100.0


@rule
def evaluate(s, seat):
    """How far a player is ahead of the best opponent; higher is better, and the end decides."""
    best = -1000.0
    for other in range(s.players):
        if other != seat:
            best = max(best, prospects(s, other))
    lead = prospects(s, seat) - best
    if s.phase == OVER and lead != 0:
        return lead + (WIN if lead > 0 else -WIN)
    return lead


@rule
def prospects(s, seat):
    """Points less debts, how far the pawns have come, and the water that lies ahead of them."""
    value = s.purse[seat] + s.hand_size[seat] * 1.0 - s.losses[seat]
    if s.turn == seat:
        value -= s.due
    for i in range(PAWNS):
        place = s.pawns[seat, i]
        value += STEP * place - WATER * (s.toll[MAINLAND] - s.toll[place])
        if place == MAINLAND:
            value += ARRIVED
    return value
