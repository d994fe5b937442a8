"""A training run: stretches of self-play and learning, with checkpoints, progress, and a test of the candidate."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import torch

from laguna.bots.network import find_network, save
from laguna.errors import LagunaError
from laguna.games import Rulebook, find
from laguna.lab.ratings import decided, share_interval
from laguna.training.games import Games, mix
from laguna.training.learning import Recipe, learn, play_stretch, versus
from laguna.training.model import Model

REPORT = 10.0  # seconds between two lines of progress
TEST = 60.0  # seconds between two tests of strength
TEST_GAMES = 1024  # of a test, in each round of it
MAX_TEST_GAMES = 16384
SCALES = {"neptune-vesta": 1.0}  # of the points; the evaluation's own where it is not named


@dataclass
class Progress:
    """How far a run has come; `share` is the win share against the champion (or the hand-made evaluation)."""

    done: int
    total: int
    seconds: float
    positions: float
    win: float
    points: float
    share: float | None = None

    @property
    def left(self) -> float:
        return self.seconds * (self.total - self.done) / max(self.done, 1)


@dataclass
class Run:
    """Training a network for one game, from the start or from a checkpoint in the folder."""

    game: str
    folder: Path
    stretches: int
    seed: int = 0
    device: str = "cpu"
    recipe: Recipe = field(default_factory=Recipe)

    def __post_init__(self) -> None:
        self.book = find(self.game)
        if self.book.inputs is None:
            raise LagunaError("network", f"{self.book.meta.title} has no inputs for a network (inputs.py).")
        _ = self.book.rules
        torch.manual_seed(self.seed)
        scale = SCALES.get(self.game, float(self.book.evaluation.SCALE))
        self.model = Model(self.book.inputs, scale).to(self.device)
        self.average = copy.deepcopy(self.model)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.recipe.fastest)
        self.done = 0
        self.curve: list[dict[str, Any]] = []

    @property
    def checkpoint(self) -> Path:
        return self.folder / f"{self.game}.checkpoint"

    @property
    def candidate(self) -> Path:
        return self.folder / self.game / "candidate.bin"

    def resume(self) -> bool:
        """Go on from the checkpoint, if there is one."""
        if not self.checkpoint.exists():
            return False
        kept = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        self.model.load_state_dict(kept["model"])
        self.average.load_state_dict(kept["average"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.done, self.curve = kept["done"], kept["curve"]
        return True

    def keep(self) -> None:
        """Write the checkpoint and the candidate, each whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "done": self.done,
            "curve": self.curve,
        }
        part = self.checkpoint.with_suffix(".part")
        torch.save(kept, part)
        part.replace(self.checkpoint)
        export(self.candidate, self.book, self.average, self.story())

    def story(self) -> dict[str, Any]:
        """How it was trained, for the file."""
        return {"stretches": self.done, "seed": self.seed, "recipe": asdict(self.recipe)}

    def train(self, tell: Callable[[Progress], None]) -> None:
        """All stretches that are left, with a checkpoint and a test of strength every minute."""
        meta, recipe = self.book.meta, self.recipe
        options = mix(meta, recipe.games, Random(self.seed))
        games = Games(self.book, options, self.seed * 1000 + self.done, self.device)
        start, told_at, tested_at, first = time.monotonic(), 0.0, time.monotonic(), self.done
        positions = 0.0
        while self.done < self.stretches:
            self._set_speed()
            told = play_stretch(games, self.model, recipe)
            lost = learn(self.model, self.optimizer, told, games.players, recipe)
            self._add_to_average()
            self.done += 1
            positions += lost["positions"]
            now = time.monotonic()
            at_end = self.done == self.stretches
            if now - told_at > REPORT or at_end:
                told_at = now
                share = None
                if now - tested_at > TEST or at_end:
                    tested_at = now
                    share = self.strength()
                    self.curve.append(
                        {"stretches": self.done, "seconds": now - start, "share": share, **lost}
                    )
                    self.keep()
                part = (self.done - first) / max(self.stretches - first, 1)
                seconds = (now - start) / max(part, 1e-9) * self.done / self.stretches
                tell(Progress(self.done, self.stretches, seconds, positions / (now - start), lost["win"],
                              lost["points"], share))  # fmt: skip

    def _set_speed(self) -> None:
        """A short rise, then a cosine from the fastest to the slowest."""
        part = self.done / self.stretches
        slowest, fastest = self.recipe.slowest, self.recipe.fastest
        speed = slowest + (fastest - slowest) * 0.5 * (1 + math.cos(math.pi * part))
        for group in self.optimizer.param_groups:
            group["lr"] = speed * min(1.0, (self.done + 1) / 10)

    def _add_to_average(self) -> None:
        keep = min(self.recipe.average, self.done / (self.done + 10))
        with torch.no_grad():
            for mean, value in zip(self.average.parameters(), self.model.parameters(), strict=True):
                mean.lerp_(value, 1 - keep)

    def strength(self, games: int = TEST_GAMES) -> float:
        """The candidate's win share, one action ahead with two players, against the hand-made evaluation."""
        meta = self.book.meta
        options = mix(meta, games, Random(1), players=meta.players[0])
        shares = versus(Games(self.book, options, 999_983, self.device), self.average, None)
        return sum(shares) / len(shares)

    def challenge(self) -> tuple[bool, list[float]]:
        """A sequential test, one action ahead: does the candidate beat the champion?"""
        champion = as_model(self.book, find_network(self.game), self.device)
        shares: list[float] = []
        number = 0
        while len(shares) < MAX_TEST_GAMES and not decided(shares):
            options = mix(self.book.meta, TEST_GAMES, Random(number))
            games = Games(self.book, options, 888_887 + number, self.device)
            found = versus(games, self.average, champion)
            fair = (1 / games.players).tolist()
            shares += [min(1.0, each / part / 2) for each, part in zip(found, fair, strict=True)]
            number += 1
        return share_interval(shares)[1] > 0.5 and decided(shares), shares


def export(path: Path, book: Rulebook, model: Model, story: dict[str, Any]) -> None:
    """Write the network as the bots read it: the divisors of the counts are part of their weights."""
    state = {name: value.detach().cpu().numpy() for name, value in model.state_dict().items()}
    state["rows"][0] = 0
    weights = {
        "rows": state["rows"],
        "counts": state["counts"] / state["divisors"][:, None],
        "sums": state["sums"],
        "hidden": state["hidden.weight"].T,
        "hidden_bias": state["hidden.bias"],
        "last": state["last.weight"],
        "last_bias": state["last.bias"],
    }
    save(path, book, weights, model.scale, story)


def as_model(book: Rulebook, net: Any, device: str) -> Model | None:
    """A network for PyTorch again; None stays None."""
    if net is None:
        return None
    model = Model(book.inputs, float(net["scale"]))
    with torch.no_grad():
        model.rows.copy_(torch.tensor(net["rows"]))
        model.counts.copy_(torch.tensor(net["counts"]) * model.divisors[:, None])
        model.sums.copy_(torch.tensor(net["sums"]))
        model.hidden.weight.copy_(torch.tensor(net["hidden"].T))
        model.hidden.bias.copy_(torch.tensor(net["hidden_bias"]))
        model.last.weight.copy_(torch.tensor(net["last"]))
        model.last.bias.copy_(torch.tensor(net["last_bias"]))
    return model.to(device)
