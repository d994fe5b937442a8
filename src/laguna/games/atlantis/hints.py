"""Atlantis: how good a position looks, for bots that do not read it to the end."""

from __future__ import annotations

from laguna.games.atlantis.components import MAINLAND, PAWNS
from laguna.kernel.jit import rule

STEP = 0.08  # a pawn one space nearer to the mainland
ARRIVED = 2.0  # a pawn that brings a card each turn
WATER = 0.7  # what is still to be crossed


@rule
def evaluate(s, seat):
    """What a player has and still owes, and the pawns' ways, less the best opponent's; higher is better."""
    best = -1000.0
    for other in range(s.players):
        if other != seat:
            best = max(best, prospects(s, other))
    return prospects(s, seat) - best


@rule
def prospects(s, seat):
    """Points so far, with the ways that are behind the pawns and the water that is before them."""
    value = s.purse[seat] + s.hand_size[seat] * 1.0 - s.losses[seat]
    if s.turn == seat:
        value -= s.due
    for i in range(PAWNS):
        place = s.pawns[seat, i]
        value += STEP * place - WATER * (s.toll[MAINLAND] - s.toll[place])
        if place == MAINLAND:
            value += ARRIVED
    return value
