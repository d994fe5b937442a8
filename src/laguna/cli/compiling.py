"""Progress bars for the compilation before a game is first played."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from laguna.errors import LagunaError
from laguna.games import Rulebook
from laguna.warmup import Part, is_warm, warm_up


def compile_game(book: Rulebook, console: Console, search: bool = False) -> None:
    """Compile a game, with a progress bar, unless that was done before.

    `search` also compiles the bots that search, which doubles the time.
    """
    if is_warm(book, "search" if search else "rules"):
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        title = book.meta.title
        task = progress.add_task(f"Compiling {title} (only once)")
        for done, steps, label in warm_up(book, search):
            progress.update(task, completed=done, total=steps)
            progress.update(task, description=f"Compiling {title} (only once): {label}", refresh=True)


def compile_games(books: list[Rulebook], console: Console, part: Part) -> None:
    """Compile games in parallel, each in its own process, and report each one as it finishes."""
    with (
        console.status(f"Compiling {len(books)} games (only once)…"),
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        for each in as_completed([pool.submit(_compile, book, part) for book in books]):
            console.print(f"{each.result().meta.title}: ready")


def _compile(book: Rulebook, part: Part) -> Rulebook:
    commands = {
        "rules": ["laguna", "warm-up"],
        "search": ["laguna", "warm-up", "--search"],
        "server": ["laguna.warmup"],
    }
    if not is_warm(book, part):
        command = [sys.executable, "-m", *commands[part], book.meta.id]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            reason = done.stderr.strip().splitlines()[-1:] or ["the compiler was killed"]
            raise LagunaError("not-compiled", f"{book.meta.title} could not be compiled: {reason[0]}.")
    return book
