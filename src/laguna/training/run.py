"""A training run: stretches of self-play and learning, checkpoints, progress, and a test of the candidate."""

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
from laguna.training.calibration import calibrate
from laguna.training.games import Games, mix
from laguna.training.learning import Recipe, learn, play_stretch, versus
from laguna.training.model import Model

REPORT = 10.0  # seconds between two lines of progress
TEST = 60.0  # seconds between two tests of strength
TEST_GAMES = 1024  # of a test, in each round of it
MAX_TEST_GAMES = 16384
SCALES = {"neptune-vesta": 1.0}  # of the points; the evaluation's own where it is not named


@dataclass(frozen=True)
class Progress:
    """How far a run has come; `share` is the win share against the hand-made evaluation, if just tested."""

    part: float  # from 0 to 1
    stretches: int
    seconds: float
    positions: float
    win: float  # loss
    points: float  # loss
    share: float | None

    @property
    def left(self) -> float:
        """Seconds, as far as can be told."""
        return self.seconds * (1 - self.part) / max(self.part, 1e-9)


@dataclass
class Run:
    """Training a network for one game, from the start or from a checkpoint in the folder."""

    game: str
    folder: Path
    stretches: int  # a fixed number, so that the same seed trains the same network
    seed: int = 0
    device: str = "cpu"
    recipe: Recipe = field(default_factory=Recipe)
    minutes: float | None = None  # instead, as many stretches as there is time for

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
        self.spent = 0.0  # seconds
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
        """All that is left, with a line of progress now and then, a checkpoint and a test every minute."""
        games = Games(
            self.book,
            mix(self.book.meta, self.recipe.games, Random(self.seed)),
            self.seed + self.done,
            self.device,
        )
        told_at = tested_at = start = time.monotonic()
        first, positions = self.done, 0.0
        while self.part < 1:
            self._set_speed()
            told = play_stretch(games, self.model, self.recipe)
            lost = learn(self.model, self.optimizer, told, games.players, self.recipe)
            self._add_to_average()
            if self.done == first:
                start = time.monotonic()  # after everything is compiled
            self.done += 1
            positions += lost["positions"]
            now = time.monotonic()
            self.spent = now - start
            if now - told_at < REPORT and self.part < 1:
                continue
            told_at, share = now, None
            if now - tested_at > TEST or self.part >= 1:
                share = self.strength()
                tested_at = time.monotonic()
                self.curve.append({"stretches": self.done, "seconds": self.spent, "share": share, **lost})
                self.keep()
            tell(Progress(self.part, self.done, self.spent, positions, lost["win"], lost["points"], share))

    @property
    def part(self) -> float:
        """How much of the training is done."""
        return self.done / self.stretches if self.minutes is None else self.spent / (60 * self.minutes)

    def _set_speed(self) -> None:
        """A short rise, then a cosine from the fastest to the slowest."""
        slowest, fastest = self.recipe.slowest, self.recipe.fastest
        speed = slowest + (fastest - slowest) * 0.5 * (1 + math.cos(math.pi * min(self.part, 1.0)))
        for group in self.optimizer.param_groups:
            group["lr"] = speed * min(1.0, (self.done + 1) / 10)

    def _add_to_average(self) -> None:
        keep = min(self.recipe.average, self.done / (self.done + 10))
        with torch.no_grad():
            for mean, value in zip(self.average.parameters(), self.model.parameters(), strict=True):
                mean.lerp_(value, 1 - keep)

    def strength(self) -> float:
        """The candidate's win share, one action ahead with two players, against the hand-made evaluation."""
        meta = self.book.meta
        options = mix(meta, TEST_GAMES, Random(1), players=meta.players[0])
        shares = versus(Games(self.book, options, 999_983, self.device), self.average, None)
        return sum(shares) / len(shares)

    def calibrate(self) -> float:
        """Make the candidate's chances fit how often it wins; returns the factor on its logits."""
        options = mix(self.book.meta, TEST_GAMES, Random(2))
        factor = calibrate(Games(self.book, options, 777_767, self.device), self.average)
        export(self.candidate, self.book, self.average, {**self.story(), "certainty": factor})
        return factor

    def challenge(self) -> tuple[bool, list[float]]:
        """A sequential test, one action ahead: does the candidate beat the champion?"""
        champion = as_model(self.book, find_network(self.game), self.device)
        shares: list[float] = []
        number = 0
        while len(shares) < MAX_TEST_GAMES and not decided(shares):
            options = mix(self.book.meta, TEST_GAMES, Random(number))
            games = Games(self.book, options, 888_887 + number, self.device)
            found = versus(games, self.average, champion)
            half = (games.players / 2).tolist()  # so that one half is the fair share, whatever the players
            shares += [share * part for share, part in zip(found, half, strict=True)]
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
        model.counts.copy_(torch.tensor(net["counts"])[: len(model.counts)] * model.divisors[:, None])
        model.sums.copy_(torch.tensor(net["sums"]))
        model.hidden.weight.copy_(torch.tensor(net["hidden"].T))
        model.hidden.bias.copy_(torch.tensor(net["hidden_bias"]))
        model.last.weight.copy_(torch.tensor(net["last"]))
        model.last.bias.copy_(torch.tensor(net["last_bias"]))
    model.to(device)
    return model
