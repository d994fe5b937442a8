"""Chances that are chances: of positions where the network says 70 %, 70 % should be won.

It learns from games with noise in them, in which leads are lost more often than when it plays as well as it
can. One factor on the logits corrects that; it changes no choice.
"""

from __future__ import annotations

import torch

from laguna.training.games import Games
from laguna.training.learning import best_values, judged
from laguna.training.model import Model

EVERY = 4  # actions between two looks
STEPS = 60


def certainty(games: Games, model: Model) -> float:
    """The factor on the logits that fits best to a game without noise in each place."""
    seats = torch.arange(games.seats, device=games.device)[None, :] < games.players[:, None]
    waiting = torch.ones(games.count, dtype=torch.bool, device=games.device)
    kept: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = []  # logits, in which place, of which seat
    shares = torch.zeros((games.count, games.seats), device=games.device)
    number = 0
    while bool(waiting.any()):
        games.look()
        games.choose(best_values(games, model), 0)
        told = games.observe()
        over = told["over"].bool()
        shares[over & waiting] = told["shares"][over & waiting]
        waiting &= ~over
        number += 1
        if number % EVERY == 0:
            places, whose = torch.nonzero(seats & waiting[:, None], as_tuple=True)
            outputs = judged(model, told["rows"][places, whose], told["counts"][places, whose])
            kept.append((outputs[:, 0], places, whose))
    logits = torch.cat([each[0] for each in kept])
    results = torch.cat([shares[places, whose] for _, places, whose in kept])
    return _fit(logits, results)


def _fit(logits: torch.Tensor, results: torch.Tensor) -> float:
    """By Newton's method; the loss is convex."""
    factor = torch.ones((), device=logits.device)
    for _ in range(STEPS):
        chances = torch.sigmoid(factor * logits)
        slope = ((chances - results) * logits).mean()
        curve = (chances * (1 - chances) * logits * logits).mean()
        factor = (factor - slope / curve.clamp_min(1e-9)).clamp(0.1, 10.0)
    return float(factor)


def calibrate(games: Games, model: Model) -> float:
    """Scale the logits of a model so that its chances fit; returns the factor."""
    factor = certainty(games, model)
    with torch.no_grad():
        model.last.weight[0] *= factor
        model.last.bias[0] *= factor
    return factor
