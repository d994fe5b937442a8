"""`laguna dataset`: games for learning, made and looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from laguna.errors import BadOption

commands = typer.Typer(help="Games for learning: make them, show them, write them as game files.")
out = Console(markup=False, highlight=False)
err = Console(stderr=True, markup=False, highlight=False)

ResultsFile = Annotated[Path, typer.Argument(metavar="FILE", help="A results file.")]
SHOWN = 10


@commands.command()
def show(
    file: ResultsFile,
    games: Annotated[int, typer.Option(min=0, help="How many games to list.")] = SHOWN,
) -> None:
    """Show what a results file holds, and its first games."""
    from laguna.lab.results import read

    found = read(file)
    head = found.head
    out.print(f"{head.book.meta.title}, {head.players} players, rules {head.rules}, {len(found):,} games")
    out.print(f"options: {', '.join(f'{name}={value}' for name, value in head.options.items()) or 'none'}")
    out.print(f"bots: {', '.join(head.bots)}; first seed {head.seed}; played by Laguna {head.program}")
    kept = [name for name in ("codes", "visits", "values") if getattr(found, name) is not None]
    out.print(f"actions: {', '.join(kept) if kept else 'only counted'}")
    table = Table("seed", "rotation", "bots", "scores", "winners", "actions", box=None, header_style="bold")
    for row in found.where(slice(0, games)).table_rows():
        table.add_row(*map(_cell, (row.seed, row.rotation, row.bots, row.scores, row.winners, row.actions)))
    out.print(table)


def _cell(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


@commands.command()
def games(
    file: ResultsFile,
    folder: Annotated[Path, typer.Option(help="A folder for the game files; it may not exist yet.")],
    first: Annotated[int, typer.Option(min=0, help="The number of the first game to write.")] = 0,
    count: Annotated[int | None, typer.Option(min=1, help="How many; by default all the rest.")] = None,
) -> None:
    """Write games of a results file as game files, one for each game."""
    from laguna.cli.interrupt import Interrupted
    from laguna.lab.datasets import write_games
    from laguna.lab.results import read

    found = read(file)
    if first >= len(found):
        raise BadOption("first", f"--first must be less than {len(found)}, the number of games in the file.")
    chosen = found.where(slice(first, None if count is None else first + count))
    written = 0
    try:
        with err.status(f"Writing {len(chosen):,} games…"):
            for _ in write_games(chosen, folder):
                written += 1
    except KeyboardInterrupt:
        kept = f"{written:,} of {len(chosen):,} games are written in {str(folder)!r}"
        raise Interrupted(f"Interrupted: {kept}.") from None
    out.print(f"{written:,} game files written in {folder}.")
