"""`laguna train`: progress, and what came of it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from laguna.bots.network import FOLDER, network_path
from laguna.cli.interrupt import Interrupted
from laguna.errors import BadOption, LagunaError, either

if TYPE_CHECKING:
    from laguna.training.learning import Recipe
    from laguna.training.run import Progress, Run

DEVICES = ("auto", "cpu", "cuda")
NEEDED = "Training needs PyTorch: pip install 'laguna-table[train]'."
SMALL_GAMES, SMALL_ROLLOUT, SMALL_BATCH = 256, 24, 4096  # without a GPU
SEARCH_REPORT = 10.0  # seconds between two lines of progress
MAX_CONSTANT = 1 << 20


@dataclass(frozen=True)
class TrainingOptions:
    """What to train, and how."""

    game: str
    minutes: float | None
    rollouts: int | None
    games: int | None
    seed: int
    device: str
    folder: Path
    start: str | None
    search_games: int
    search_iterations: int
    constants: list[str]
    install: bool


def train(out: Console, err: Console, options: TrainingOptions) -> None:
    """Train, go on from a checkpoint if there is one, and challenge the champion."""
    run = _prepare(err, options)
    if run.resume():
        err.print(f"Resuming after {run.done} rollouts ({run.checkpoint}).")
    elif options.start is not None:
        run.start_from(options.start)
        err.print(f"Starting from the network {options.start}.")
    try:
        if options.search_games:
            tell = _teller(err, "games with searches")
            made = run.play_searched(options.search_games, options.search_iterations, tell)
            err.print(f"{made:,} positions with targets from search.")
        run.train(lambda progress: err.print(_line(progress), soft_wrap=True))
    except KeyboardInterrupt:
        run.keep()
        kept = f"{run.done} rollouts are kept in {str(run.folder)!r}; run the same command again to resume."
        raise Interrupted(f"Interrupted: {kept}") from None
    _calibrate_and_challenge(out, err, run, options)


def _calibrate_and_challenge(out: Console, err: Console, run: Run, options: TrainingOptions) -> None:
    """Make the candidate's chances fit, and find out whether it beats the champion."""
    found = run.calibrate(options.search_iterations if options.search_games else 0)
    factors = ", ".join(f"{factor:.2f} ({players} players)" for players, factor in found.items())
    err.print(f"Calibrated: the candidate's logits are multiplied by {factors}.", soft_wrap=True)
    err.print("Testing the candidate against the champion …")
    if options.search_games:
        better, shares = run.challenge_by_search(options.search_iterations, _teller(err, "games played"))
        how = f"of {len(shares)} deals against the champion, both searching; 50 % is the fair share."
    else:
        better, shares = run.challenge()
        how = f"of {len(shares)} games against the champion, both one action ahead; 50 % is the fair share."
    out.print(f"The candidate, {run.candidate}, has {sum(shares) / len(shares):.1%}", how, soft_wrap=True)
    if not better:
        out.print("That does not make it the new champion.")
    elif options.install:
        shutil.copyfile(run.candidate, network_path(run.book))
        out.print("It is the new champion, and installed.")
    else:
        out.print("It is better. With --install, it would have become the new champion.")
    named = f"To play with it: {FOLDER}={run.folder} and a bot named search:0.2s,network=candidate."
    out.print(named, soft_wrap=True)


def _teller(err: Console, what: str) -> Callable[[int, int], None]:
    """Tells now and then how many of all games are done."""
    told_at = start = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal told_at
        now = time.monotonic()
        if done and (now - told_at > SEARCH_REPORT or done == total):
            told_at = now
            left = _clock((now - start) * (total - done) / done)
            err.print(f"{done} of {total} {what}, at most {left} left", soft_wrap=True)

    return tell


def _prepare(err: Console, options: TrainingOptions) -> Run:
    """Check what was asked, choose the device, and set up."""
    if (options.minutes is None) == (options.rollouts is None):
        raise BadOption("budget", "Training needs either --minutes or --rollouts.")
    if options.device not in DEVICES:
        raise BadOption("device", f"--device must be auto, cpu or cuda, not {options.device!r:.40}.")
    if options.minutes is not None and not 0 < options.minutes <= 10_000:
        text = f"--minutes must be more than 0 and at most 10000, not {options.minutes:g}."
        raise BadOption("budget", text)
    try:
        from laguna.training.games import gpu_works
        from laguna.training.learning import Recipe
        from laguna.training.run import Run
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise LagunaError("train", NEEDED) from None
    if options.device == "cuda" and not gpu_works():
        raise LagunaError("device", "There is no GPU that both PyTorch and numba-cuda can use.")
    on_gpu = options.device != "cpu" and gpu_works()
    recipe = Recipe()
    if not on_gpu:
        recipe = replace(recipe, games=SMALL_GAMES, rollout=SMALL_ROLLOUT, batch=SMALL_BATCH)
        err.print("Training on the processor: small, and hundreds of times slower than on a GPU.")
    if options.games is not None:
        recipe = replace(recipe, games=options.games)
    recipe = replace(recipe, **_constants(options.constants, recipe))
    device, rollouts = "cuda" if on_gpu else "cpu", options.rollouts or 1
    return Run(options.game, options.folder, rollouts, options.seed, device, recipe, options.minutes)


def _constants(given: list[str], recipe: Recipe) -> dict[str, Any]:
    """Parse `noise=0.1`."""
    usual = {name: value for name, value in asdict(recipe).items() if name != "games"}
    found: dict[str, Any] = {}
    for each in given:
        name, _, text = each.partition("=")
        if name not in usual:
            raise BadOption("constant", f"--set knows {either(usual, 'and')}, not {name!r:.40}.")
        try:
            value = type(usual[name])(text)
        except ValueError:
            raise BadOption("constant", f"{name} must be a number, not {text!r:.40}.") from None
        if not 0 <= value <= MAX_CONSTANT or (isinstance(value, int) and value < 1):
            raise BadOption("constant", f"{name} cannot be {text}.")
        found[name] = value
    return found


def _clock(seconds: float) -> str:
    return time.strftime("%H:%M:%S", time.gmtime(seconds))


def _line(progress: Progress) -> str:
    """A line of progress."""
    line = f"{progress.part:6.1%}  {progress.rollouts} rollouts  {progress.positions:,.0f} positions  "
    line += f"loss {progress.win:.4f} (win) {progress.points:.4f} (points)  {_clock(progress.left)} left"
    if progress.share is not None:
        line += f"  wins {progress.share:.1%} against the hand-made evaluation"
    return line
