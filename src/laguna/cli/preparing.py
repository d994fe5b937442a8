"""The wait before the first game, shown."""

from __future__ import annotations

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from laguna.bots import analyse
from laguna.bots.one_ply import best_action
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
