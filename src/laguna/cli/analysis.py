"""`laguna analyse`: the table that shows the analysis of a game."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from laguna.cli.compiling import compile_game
from laguna.cli.interrupt import Interrupted, interruptible
from laguna.game import Game
from laguna.games import find
from laguna.lab.analysis import Judgment, clear_loss, look_back

WORST = 5


def judge_all(err: Console, game: Game, seconds: float | None, iterations: int | None) -> list[Judgment]:
    """Analyze a finished or unfinished game, with a progress bar."""
    done = [0, game.played]
    try:
        return interruptible(lambda: _judged(err, game, seconds, iterations, done))
    except KeyboardInterrupt:
        raise Interrupted("Interrupted after {} of {} actions.".format(*done)) from None


def _judged(
    err: Console, game: Game, seconds: float | None, iterations: int | None, done: list[int]
) -> list[Judgment]:
    compile_game(find(game.meta.id), err, search=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("Analyzing")

        def progress(judged: int, total: int) -> None:
            done[:] = judged, total
            bar.update(task, completed=judged, total=total)

        return look_back(game, seconds=seconds, iterations=iterations, progress=progress)


def print_judgments(out: Console, game: Game, judged: list[Judgment]) -> None:
    """Print every action beside the best one, then the biggest mistakes."""
    table = Table("", "seat", "played", box=None, header_style="bold")
    for title in ("chances", "best", "lost", "score", "wins"):
        table.add_column(title, justify="right")
    clear = clear_loss(game.players)
    for each in judged:
        lost = f"-{each.loss:.1%}" if each.loss >= clear else ""
        better = str(each.best) if lost else ""
        score, wins = f"{each.scores[each.seat]:.1f}", f"{each.wins[each.seat]:.0%}"
        row = (str(each.number), game.seats[each.seat], str(each.played), f"{each.worth:.0%}")
        table.add_row(*row, better, lost, score, wins)
    out.print(table)
    out.print("Score and wins: the expected result after the best action if everyone then plays greedily.")
    worst = sorted((each for each in judged if each.loss >= clear), key=lambda each: -each.loss)[:WORST]
    for each in worst:
        others = ", ".join(f"{action} {worth:.0%}" for action, worth in each.alternatives)
        name = game.seats[each.seat]
        out.print(f"{each.number}. {name}: {each.played} was worth {each.worth:.0%}; {others}")
    if not worst:
        out.print("No action lost more than a little.")
