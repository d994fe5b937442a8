"""`laguna train`: progress, and what came of it."""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from laguna.bots.network import network_path
from laguna.cli.interrupt import Interrupted
from laguna.errors import BadOption, LagunaError

if TYPE_CHECKING:
    from laguna.training.run import Progress, Run

DEVICES = ("auto", "cpu", "cuda")
NEEDED = "Training needs PyTorch: pip install 'laguna-table[train]'."
SMALL_GAMES, SMALL_STRETCH, SMALL_BATCH = 256, 24, 4096  # without a GPU


def train(
    out: Console,
    err: Console,
    game: str,
    minutes: float | None,
    stretches: int | None,
    games: int | None,
    seed: int,
    device: str,
    folder: Path,
    install: bool,
) -> None:
    """Train, go on from a checkpoint if there is one, and challenge the champion."""
    if (minutes is None) == (stretches is None):
        raise BadOption("budget", "Training needs either --minutes or --stretches.")
    run = _prepare(err, game, minutes, stretches, games, seed, device, folder)
    if run.resume():
        err.print(f"Resuming after {run.done} stretches ({run.checkpoint}).")
    try:
        run.train(lambda progress: err.print(_line(progress)))
    except KeyboardInterrupt:
        run.keep()
        kept = f"{run.done} stretches are kept in {str(folder)!r}; run the same command again to resume."
        raise Interrupted(f"Interrupted: {kept}") from None
    err.print(f"Calibrated: the candidate's logits were multiplied by {run.calibrate():.2f}.")
    err.print("Testing the candidate against the champion …")
    better, shares = run.challenge()
    out.print(f"The candidate, {run.candidate}, has {sum(shares) / len(shares):.1%} of {len(shares)} games")
    out.print("against the champion, both one action ahead; 50 % is the fair share.")
    if not better:
        out.print("That does not make it the new champion.")
    elif install:
        shutil.copyfile(run.candidate, network_path(run.book))
        out.print("It is the new champion, and installed.")
    else:
        out.print("It is better. With --install, it would have become the new champion.")
    out.print(f"To play with it: LAGUNA_NETWORKS={folder} and a bot named search:0.2s,network=candidate.")


def _prepare(
    err: Console,
    game: str,
    minutes: float | None,
    stretches: int | None,
    games: int | None,
    seed: int,
    device: str,
    folder: Path,
) -> Run:
    """Check what was asked, choose the device, and set up."""
    if device not in DEVICES:
        raise BadOption("device", f"--device must be auto, cpu or cuda, not {device!r:.40}.")
    if minutes is not None and not 0 < minutes <= 10_000:
        raise BadOption("budget", f"--minutes must be more than 0 and at most 10000, not {minutes:g}.")
    try:
        from laguna.training.games import gpu_works
        from laguna.training.learning import Recipe
        from laguna.training.run import Run
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise LagunaError("train", NEEDED) from None
    if device == "cuda" and not gpu_works():
        raise LagunaError("device", "There is no GPU that both PyTorch and numba-cuda can use.")
    on_gpu = device != "cpu" and gpu_works()
    recipe = Recipe()
    if not on_gpu:
        recipe = replace(recipe, games=SMALL_GAMES, stretch=SMALL_STRETCH, batch=SMALL_BATCH)
        err.print("Training on the processor: small, and hundreds of times slower than on a GPU.")
    if games is not None:
        recipe = replace(recipe, games=games)
    return Run(game, folder, stretches or 1, seed, "cuda" if on_gpu else "cpu", recipe, minutes)


def _line(progress: Progress) -> str:
    """A line of progress."""
    left = time.strftime("%H:%M:%S", time.gmtime(progress.left))
    line = f"{progress.part:6.1%}  {progress.stretches} stretches  {progress.positions:,.0f} positions  "
    line += f"loss {progress.win:.4f} (win) {progress.points:.4f} (points)  {left} left"
    if progress.share is not None:
        line += f"  wins {progress.share:.1%} against the hand-made evaluation"
    return line
