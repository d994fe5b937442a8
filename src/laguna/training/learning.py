"""Learning by playing against oneself: TD(λ) over stretches of many games at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from laguna.training.games import Games
from laguna.training.model import Model

CHUNK = 1 << 20  # positions that are judged at once


@dataclass(frozen=True)
class Recipe:
    """The constants of learning."""

    games: int = 8192  # at once
    stretch: int = 48  # actions of each game between two rounds of learning
    batch: int = 16384  # positions
    passes: int = 1  # over each stretch
    trust: float = 0.9  # λ: how far results reach back; the rest is what the network expects itself
    noise: float = 0.2  # on the logits of actions, so that games differ
    wild: int = 10  # of a thousand actions are any
    fastest: float = 2e-3  # steps, falling to
    slowest: float = 3e-5
    points: float = 0.25  # weight of the expected points beside the chance to win
    margin: float = 0.03  # of the expected points, in the choice of actions
    average: float = 0.995  # of the averaged weights that play in the end


def judged(model: Model, rows: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """The outputs for any number of positions."""
    with torch.no_grad():
        parts = zip(rows.split(CHUNK), counts.split(CHUNK), strict=True)
        return torch.cat([model(*part) for part in parts])


def play_on(games: Games, model: Model, recipe: Recipe) -> None:
    """One action in every game, chosen by the network one action ahead, with noise."""
    games.look()
    values = best_values(games, model, recipe.margin)
    noise = -torch.log(-torch.log(torch.rand_like(values).clamp_(1e-9, 1 - 1e-7)))
    games.choose(values + recipe.noise * noise, recipe.wild)


def play_stretch(games: Games, model: Model, recipe: Recipe) -> dict[str, torch.Tensor]:
    """What every seat was told after every action of a stretch: [action, game, seat, …]."""
    seen = []
    for _ in range(recipe.stretch):
        play_on(games, model, recipe)
        seen.append(games.observe())
    return {name: torch.stack([each[name] for each in seen]) for name in seen[0]}


def targets(told: dict[str, torch.Tensor], outputs: torch.Tensor, scale: float, trust: float) -> torch.Tensor:
    """TD(λ): what each position was worth in the end, as far as is known: the win, and the points in all.

    Points count in all here, since those still to come depend on when one looks.
    """
    seats = told["shares"].shape[2]
    expected = torch.stack(
        [torch.sigmoid(outputs[..., 0]), told["now"][..., :seats] / scale + outputs[..., 1]], -1
    )
    ended = torch.stack([told["shares"], told["points"] / scale], -1)
    over = told["over"].bool()[:, :, None, None]
    found = torch.empty_like(expected)
    value = expected[-1]
    for number in range(len(expected) - 1, -1, -1):
        found[number] = value
        # What the position before should have expected: this result, or a mix of what follows.
        value = torch.where(over[number], ended[number], trust * value + (1 - trust) * expected[number])
    return found


def learn(
    model: Model, optimizer: Any, told: dict[str, torch.Tensor], players: torch.Tensor, recipe: Recipe
) -> dict[str, float]:
    """Steps toward the targets of one stretch; the mean losses."""
    steps, games, seats, slots = told["rows"].shape
    rows, counts = told["rows"].view(-1, slots), told["counts"].flatten(0, 2)
    outputs = judged(model, rows, counts).view(steps, games, seats, 2)
    goals = targets(told, outputs, model.scale, recipe.trust)
    goals[..., 1] -= told["now"][..., :seats] / model.scale
    plays = torch.arange(seats, device=rows.device)[None, :] < players[:, None]
    usable = plays[None] & ~told["over"].bool()[:, :, None]
    usable[-1] = False  # what follows is not known
    numbers = torch.nonzero(usable.reshape(-1)).squeeze(1)
    goals = goals.view(-1, 2)
    lost = torch.zeros(2, device=rows.device)
    batches = 0
    for _ in range(recipe.passes):
        for some in numbers[torch.randperm(len(numbers), device=rows.device)].split(recipe.batch):
            found = model(rows[some], counts[some])
            goal = goals[some]
            winning = functional.binary_cross_entropy_with_logits(found[:, 0], goal[:, 0])
            points = functional.smooth_l1_loss(found[:, 1], goal[:, 1])
            optimizer.zero_grad(set_to_none=True)
            (winning + recipe.points * points).backward()
            optimizer.step()
            lost += torch.stack([winning.detach(), points.detach()])
            batches += 1
    win, score = (lost / max(batches, 1)).tolist()
    return {"win": win, "points": score, "positions": float(len(numbers))}


def versus(games: Games, model: Model, other: Model | None) -> list[float]:
    """One action ahead without noise, one game in each place: the model in one seat, the other in the rest.

    `other` None is the hand-made evaluation. Returns the model's share of the win in each game.
    """
    places = torch.arange(games.count, device=games.device)
    seats = places % games.players
    shares = torch.full((games.count,), torch.nan, device=games.device)
    while bool(shares.isnan().any()):
        games.look()
        mine = (games.movers == seats)[games.owner.long()]
        theirs = games.after(by_hand=True)[2] if other is None else best_values(games, other)
        games.choose(torch.where(mine, best_values(games, model), theirs), 0)
        told = games.observe()
        first = told["over"].bool() & shares.isnan()
        shares[first] = told["shares"][first, seats[first]]
    found: list[float] = shares.tolist()
    return found


def best_values(games: Games, model: Model, margin: float = 0.0) -> torch.Tensor:
    """How good each action looks to the seat that chooses, with a little for the points."""
    rows, counts, looks = games.after()
    outputs = judged(model, rows, counts)
    return torch.where(looks.isnan(), outputs[:, 0] + margin * outputs[:, 1], looks)
