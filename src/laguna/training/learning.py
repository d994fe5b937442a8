"""Learning by playing against oneself: TD(λ) over rollouts of many games at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from laguna.training.games import Games
from laguna.training.model import Model
from laguna.training.searched import Searched

CHUNK = 1 << 20  # positions that are judged at once


@dataclass(frozen=True)
class Recipe:
    """The constants of learning."""

    games: int = 8192  # at once
    rollout: int = 48  # actions of each game between two rounds of learning
    batch: int = 16384  # positions
    passes: int = 1  # over each rollout
    td_lambda: float = 0.9  # how far results reach back; the rest is what the network expects itself
    noise: float = 0.2  # on the logits of actions, so that games differ
    epsilon: float = 0.01  # of all actions are random
    learning_rate: float = 2e-3  # falling to
    final_learning_rate: float = 3e-5
    points: float = 0.25  # weight of the expected points beside the chance to win
    margin: float = 0.03  # of the expected points, in the choice of actions
    ema_decay: float = 0.995  # of the averaged weights that play in the end
    searched: float = 1.0  # weight of positions with targets from search, if there are any


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
    games.choose(values + recipe.noise * noise, recipe.epsilon)


def play_rollout(games: Games, model: Model, recipe: Recipe) -> dict[str, torch.Tensor]:
    """What every seat was told after every action of a rollout: [action, game, seat, …]."""
    seen = []
    for _ in range(recipe.rollout):
        play_on(games, model, recipe)
        seen.append(games.observe())
    return {name: torch.stack([each[name] for each in seen]) for name in seen[0]}


def targets(
    told: dict[str, torch.Tensor], outputs: torch.Tensor, scale: float, td_lambda: float
) -> torch.Tensor:
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
        mixed = td_lambda * value + (1 - td_lambda) * expected[number]
        value = torch.where(over[number], ended[number], mixed)
    return found


@dataclass(frozen=True)
class SearchTargets:
    """Positions with targets from search, where the network learns."""

    rows: torch.Tensor
    counts: torch.Tensor
    targets: torch.Tensor

    @staticmethod
    def of(searched: Searched, scale: float, device: str) -> SearchTargets:
        targets = torch.tensor(searched.targets, device=device)
        targets[:, 1] /= scale
        rows = torch.tensor(searched.rows, device=device)
        return SearchTargets(rows, torch.tensor(searched.counts, device=device), targets)

    def some(self, count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """So many of them, by chance."""
        chosen = torch.randint(len(self.rows), (count,), device=self.rows.device)
        return self.rows[chosen], self.counts[chosen], self.targets[chosen]


def losses(
    model: Model, rows: torch.Tensor, counts: torch.Tensor, goals: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Of the chances to win, and of the points."""
    found = model(rows, counts)
    winning = functional.binary_cross_entropy_with_logits(found[:, 0], goals[:, 0])
    return winning, functional.smooth_l1_loss(found[:, 1], goals[:, 1])


def learn(
    model: Model,
    optimizer: Any,
    told: dict[str, torch.Tensor],
    players: torch.Tensor,
    recipe: Recipe,
    searched: SearchTargets | None = None,
) -> dict[str, float]:
    """Steps toward the targets of one rollout, and of some from search; the mean losses of the former."""
    steps, games, seats, slots = told["rows"].shape
    rows, counts = told["rows"].view(-1, slots), told["counts"].flatten(0, 2)
    outputs = judged(model, rows, counts).view(steps, games, seats, 2)
    goals = targets(told, outputs, model.scale, recipe.td_lambda)
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
            winning, points = losses(model, rows[some], counts[some], goals[some])
            loss = winning + recipe.points * points
            if searched is not None:
                winning_too, points_too = losses(model, *searched.some(recipe.batch))
                loss = loss + recipe.searched * (winning_too + recipe.points * points_too)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
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
        games.choose(torch.where(mine, best_values(games, model), theirs))
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
