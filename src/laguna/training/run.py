"""A training run: rollouts of self-play and learning, checkpoints, progress, and a test of the candidate."""

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
from laguna.lab.tournament import Plan, deal_shares, run
from laguna.training import calibration
from laguna.training.games import Games
from laguna.training.learning import Recipe, SearchTargets, learn, play_rollout, versus
from laguna.training.mixing import mix_many
from laguna.training.model import Model
from laguna.training.searched import networks_in, play_searched

REPORT = 10.0  # seconds between two lines of progress
TEST = 60.0  # seconds between two tests of strength
TEST_GAMES = 1024  # of a test, in each round of it
MAX_TEST_GAMES = 16384
MAX_SEARCHED_GAMES = 1000  # of a test with searches
CALIBRATING = 400  # games with searches


@dataclass(frozen=True)
class Progress:
    """How far a run has come; `share` is the win share against the hand-made evaluation, if just tested."""

    part: float  # from 0 to 1
    rollouts: int
    seconds: float
    positions: float
    win: float  # loss
    points: float  # loss
    share: float | None

    @property
    def left(self) -> float:
        """Seconds, as far as can be told."""
        return self.seconds * max(1 - self.part, 0.0) / max(self.part, 1e-9)


@dataclass
class Run:
    """Training a network for one game, from the start or from a checkpoint in the folder."""

    game: str
    folder: Path
    rollouts: int  # a fixed number, so that the same seed trains the same network
    seed: int = 0
    device: str = "cpu"
    recipe: Recipe = field(default_factory=Recipe)
    minutes: float | None = None  # instead, as many rollouts as there is time for

    def __post_init__(self) -> None:
        self.book = find(self.game)
        if self.book.inputs is None:
            raise LagunaError("network", f"{self.book.meta.title} has no inputs for a network (inputs.py).")
        _ = self.book.rules
        torch.manual_seed(self.seed)
        self.model = Model(self.book.inputs).to(self.device)
        self.average = copy.deepcopy(self.model)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.recipe.learning_rate)
        self.done = 0
        self.spent = 0.0  # seconds
        self.searched: SearchTargets | None = None  # from search
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
        try:
            kept = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
            self.model.load_state_dict(kept["model"])
            self.average.load_state_dict(kept["average"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.done, self.spent, self.curve = int(kept["done"]), float(kept["spent"]), list(kept["curve"])
        except Exception as error:  # whatever PyTorch raises for a file that is something else
            text = f"The checkpoint {self.checkpoint} is damaged or does not fit; remove it to start anew."
            raise LagunaError("checkpoint", text) from error
        return True

    def start_from(self, name: str) -> None:
        """Go on from a network instead of from random weights."""
        net = find_network(self.game, name)
        if net is None:
            raise LagunaError("network", f"{self.book.meta.title} has no network yet to start from.")
        self.model = as_model(self.book, net, self.device)
        self.average = copy.deepcopy(self.model)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.recipe.learning_rate)

    def play_searched(self, count: int, iterations: int, progress: Callable[[int, int], None]) -> int:
        """Play so many games with searches of the network as it is now, to learn from.

        They are kept in the folder as they are played: a resumed run goes on with those that are missing, by
        the same network. Returns the number of positions.
        """
        kept = self.folder / f"{self.game}.searched"
        start = self.folder / self.game / "start.bin"
        if not start.exists():
            export(start, self.book, self.average, self.story())
        found = play_searched(
            self.game, self.folder, start.stem, count, self.seed, iterations, kept=kept, progress=progress
        )
        self.searched = SearchTargets.of(found, self.model.scale, self.device)
        return len(found)

    def keep(self) -> None:
        """Write the checkpoint and the candidate, each whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "done": self.done,
            "spent": self.spent,
            "curve": self.curve,
        }
        part = self.checkpoint.with_suffix(".part")
        torch.save(kept, part)
        part.replace(self.checkpoint)
        export(self.candidate, self.book, self.average, self.story())

    def story(self) -> dict[str, Any]:
        """How it was trained, for the file."""
        return {"rollouts": self.done, "seed": self.seed, "recipe": asdict(self.recipe)}

    def train(self, tell: Callable[[Progress], None]) -> None:
        """All that is left, with a line of progress now and then, a checkpoint and a test every minute."""
        games = Games(
            self.book,
            mix_many(self.book.meta, self.recipe.games, Random(self.seed)),
            self.seed + self.done,
            self.device,
        )
        told_at = tested_at = start = time.monotonic()
        first, before, positions = self.done, self.spent, 0.0
        while self.part < 1:
            self._set_learning_rate()
            told = play_rollout(games, self.model, self.recipe)
            lost = learn(self.model, self.optimizer, told, games.players, self.recipe, self.searched)
            self._add_to_average()
            if self.done == first:
                start = time.monotonic()  # after everything is compiled
            self.done += 1
            positions += lost["positions"]
            now = time.monotonic()
            self.spent = before + now - start
            if now - told_at < REPORT and self.part < 1:
                continue
            told_at, share = now, None
            if now - tested_at > TEST or self.part >= 1:
                share = self.strength()
                tested_at = time.monotonic()
                self.curve.append({"rollouts": self.done, "seconds": self.spent, "share": share, **lost})
                self.keep()
            tell(Progress(self.part, self.done, self.spent, positions, lost["win"], lost["points"], share))

    @property
    def part(self) -> float:
        """How much of the training is done."""
        return self.done / self.rollouts if self.minutes is None else self.spent / (60 * self.minutes)

    def _set_learning_rate(self) -> None:
        """A short rise, then a cosine from the first to the last."""
        last, first = self.recipe.final_learning_rate, self.recipe.learning_rate
        rate = last + (first - last) * 0.5 * (1 + math.cos(math.pi * min(self.part, 1.0)))
        for group in self.optimizer.param_groups:
            group["lr"] = rate * min(1.0, (self.done + 1) / 10)

    def _add_to_average(self) -> None:
        keep = min(self.recipe.ema_decay, self.done / (self.done + 10))
        with torch.no_grad():
            for mean, value in zip(self.average.parameters(), self.model.parameters(), strict=True):
                mean.lerp_(value, 1 - keep)

    def strength(self) -> float:
        """The candidate's win share, one action ahead with two players, against the hand-made evaluation."""
        meta = self.book.meta
        options = mix_many(meta, TEST_GAMES, Random(1), players=meta.players[0])
        shares = versus(Games(self.book, options, 999_983, self.device), self.average, None)
        return sum(shares) / len(shares)

    def calibrate(self, searches: int = 0) -> dict[int, float]:
        """Make the candidate's chances fit how often it wins; the factors on its logits by players.

        It plays one action ahead, or with so many iterations of a search.
        """
        if searches:
            export(self.candidate, self.book, self.average, self.story())
            name = self.candidate.stem
            played = play_searched(self.game, self.folder, name, CALIBRATING, 777_767, searches, epsilon=0)
            factors = calibration.of_searched(played, self.average, self.device)
        else:
            options = mix_many(self.book.meta, TEST_GAMES, Random(2))
            games = Games(self.book, options, 777_767, self.device)
            factors = calibration.of_network(games, self.average)
        export(self.candidate, self.book, self.average, self.story(), factors)
        return factors

    def challenge(self) -> tuple[bool, list[float]]:
        """A sequential test, one action ahead: does the candidate beat the champion?"""
        found = find_network(self.game)
        champion = None if found is None else as_model(self.book, found, self.device)
        shares: list[float] = []
        number = 0
        while len(shares) < MAX_TEST_GAMES and not decided(shares):
            options = mix_many(self.book.meta, TEST_GAMES, Random(number))
            games = Games(self.book, options, 888_887 + number, self.device)
            won = versus(games, self.average, champion)
            half = (games.players / 2).tolist()  # so that one half is the fair share, whatever the players
            shares += [share * part for share, part in zip(won, half, strict=True)]
            number += 1
        return share_interval(shares)[1] > 0.5 and decided(shares), shares

    def challenge_by_search(
        self, iterations: int, progress: Callable[[int, int], None]
    ) -> tuple[bool, list[float]]:
        """The same with searches, each deal from all seats of the smallest table; the share of each deal."""
        candidate, champion = f"search:{iterations},network={self.candidate.stem}", f"search:{iterations}"
        others = min(self.book.meta.players) - 1
        plan = Plan(self.game, (candidate, *[champion] * others), MAX_SEARCHED_GAMES, {}, self.seed)
        with networks_in(self.folder):
            played = run(plan, stop_early=True, progress=progress)
        shares = [share * plan.players / 2 for share in deal_shares(plan, played, candidate)]
        return share_interval(shares)[1] > 0.5 and decided(shares), shares


def export(
    path: Path,
    book: Rulebook,
    model: Model,
    story: dict[str, Any],
    certainty: dict[int, float] | None = None,
) -> None:
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
    save(path, book, weights, model.scale, story, certainty or {})


def as_model(book: Rulebook, net: Any, device: str) -> Model:
    """A network for PyTorch again."""
    model = Model(book.inputs)
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
