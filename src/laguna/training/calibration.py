"""Chances that are chances: of positions where the network says 70 %, 70 % should be won.

It learns from games with noise in them, in which leads are lost more often than when it plays as well as it
can. A factor on the logits for each number of players corrects that; it changes no choice one action ahead.
How often leads are lost depends on how well the game is played: for a network that searches, `of_searched`.
"""

from __future__ import annotations

import torch

from laguna.training.games import Games
from laguna.training.learning import best_values, judged
from laguna.training.model import Model
from laguna.training.searched import Searched

EVERY = 4  # actions between two looks
STEPS = 60


def of_network(games: Games, model: Model) -> dict[int, float]:
    """By number of players, the factor on the logits that fits best to a game without noise in each place."""
    seats = torch.arange(games.seats, device=games.device)[None, :] < games.players[:, None]
    waiting = torch.ones(games.count, dtype=torch.bool, device=games.device)
    kept: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = []  # logits, in which place, of which seat
    shares = torch.zeros((games.count, games.seats), device=games.device)
    number = 0
    while bool(waiting.any()):
        games.look()
        games.choose(best_values(games, model))
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
    players = torch.cat([games.players[places] for _, places, _ in kept])
    return _by_players(logits, results, players)


def of_searched(searched: Searched, model: Model, device: str) -> dict[int, float]:
    """The same for games in which every seat searched."""
    rows, counts = (torch.tensor(each, device=device) for each in (searched.rows, searched.counts))
    results, players = (torch.tensor(each, device=device) for each in (searched.shares, searched.players))
    return _by_players(judged(model, rows, counts)[:, 0], results, players)


def _by_players(logits: torch.Tensor, results: torch.Tensor, players: torch.Tensor) -> dict[int, float]:
    counts = sorted(set(players.tolist()))
    return {count: _fit(logits[players == count], results[players == count]) for count in counts}


def _fit(logits: torch.Tensor, results: torch.Tensor) -> float:
    """By Newton's method; the loss is convex."""
    factor = torch.ones((), device=logits.device)
    for _ in range(STEPS):
        chances = torch.sigmoid(factor * logits)
        slope = ((chances - results) * logits).mean()
        curve = (chances * (1 - chances) * logits * logits).mean()
        factor = (factor - slope / curve.clamp_min(1e-9)).clamp(0.1, 10.0)
    return float(factor)
