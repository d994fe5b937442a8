"""The wait before the first game, shown."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from laguna.bots import analyse
from laguna.bots.one_ply import best_action
from laguna.errors import LagunaError
from laguna.game import new
from laguna.games import Rulebook
from laguna.kernel.chance import WORDS
from laguna.kernel.records import blank, blanks
from laguna.kernel.warmup import Step, is_warm, warm_up


def prepare(book: Rulebook, console: Console, search: bool = False) -> None:
    """Compile a game that was never compiled here, with a progress bar; nothing if it was.

    `search` compiles the searching bots too, which takes as long again.
    """
    meta = book.meta
    part = "search" if search else "rules"
    if is_warm(book.path, part):
        return
    options = meta.encode(*meta.resolve(None, {}))
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"Compiling {meta.title}, once")
        more = _bot_steps(book, options, search)
        for done, steps, label in warm_up(book.path, part, book.rules, options, more):
            progress.update(task, completed=done, total=steps)
            progress.update(task, description=f"Compiling {meta.title}, once: {label}", refresh=True)


def prepare_all(books: list[Rulebook], console: Console, search: bool, server: bool) -> None:
    """Compile games side by side, each in a process of its own, and tell when one is ready."""

    part = "server" if server else "search" if search else "rules"

    def compiled(book: Rulebook) -> str:
        if is_warm(book.path, part):
            return book.meta.title
        command = ["laguna.server.preparing"] if server else ["laguna", "warm-up", *["--search"] * search]
        done = subprocess.run(
            [sys.executable, "-m", *command, book.meta.id], stderr=subprocess.PIPE, text=True
        )
        if done.returncode:
            told = done.stderr.strip().splitlines()[-1:] or ["it was stopped"]
            raise LagunaError("not-compiled", f"{book.meta.title} could not be compiled: {told[0]}.")
        return book.meta.title

    with (
        console.status(f"Compiling {len(books)} games, once…"),
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        for each in as_completed([pool.submit(compiled, book) for book in books]):
            console.print(f"{each.result()}: ready")


def _bot_steps(book: Rulebook, options: list[int], search: bool) -> list[Step]:
    rules = book.rules
    s = blank(rules.STATE)
    out = np.zeros(rules.MOST_LEGAL, np.int16)
    stream = np.zeros(WORDS, np.uint32)

    def choose() -> None:
        rules.setup(s, np.array(options, np.int64), 0)
        best_action(s, blanks(rules.STATE, 1), out, stream, 0, 0.0)

    def look_ahead() -> None:
        analyse(new(book.meta.id, seed=0), iterations=10)

    return [("the bots", choose), ("their search", look_ahead)] if search else [("the bots", choose)]
