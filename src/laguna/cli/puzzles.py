"""`laguna puzzles`: making a game's puzzles, and checking them with a deeper search."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from laguna.cli.interrupt import Interrupted, interruptible
from laguna.errors import BadOption
from laguna.games import find

if TYPE_CHECKING:
    from laguna.lab.puzzles import Progress
    from laguna.puzzles import PuzzleFile

WANTED = 0.97  # of the puzzles must keep their solution
DEPTHS = re.compile(r"(\d{1,4})x|(\d{1,8})")

commands = typer.Typer(help="Make a game's puzzles, and check them.", no_args_is_help=True)
out = Console(markup=False, highlight=False)
err = Console(stderr=True, markup=False, highlight=False)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's id (see `laguna games`).")]
Cores = Annotated[int | None, typer.Option(min=1, max=1024, help="By default all.")]


@commands.command()
def make(
    game: GameName,
    folder: Annotated[Path, typer.Option(help="For the journal and the puzzles; rerun to resume.")],
    count: Annotated[int, typer.Option(help="Keep at most so many puzzles, as varied as possible.")] = 150,
    games: Annotated[int, typer.Option(help="Look at so many games between bots.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the games: the same, the same puzzles.")] = 0,
    depth: Annotated[int, typer.Option(help="Iterations of each of the searches that must agree.")] = 8000,
    gap: Annotated[float, typer.Option(help="How much better the chance of the best action must be.")] = 0.05,
    opening: Annotated[int, typer.Option(help="Actions of each player that are not looked at.")] = 0,
    cores: Cores = None,
    add: Annotated[
        bool, typer.Option("--add", help="Keep those in the game's folder and add to them.")
    ] = False,
    install: Annotated[bool, typer.Option("--install", help="Put them into the game's folder.")] = False,
) -> None:
    """Look for positions with one clearly best action in games between bots."""
    from laguna.lab import puzzles as lab
    from laguna.puzzles import FILE, puzzles_of

    plan = lab.Plan(game, games, seed, depth, gap, opening)
    given = puzzles_of(game).puzzles if add else []
    done = [0, games, 0]
    try:
        _compile(game)
        with _Bar(f"{find(game).meta.title}: games", "puzzles", done) as progress:
            file = lab.make(plan, count, folder, kept=given, cores=cores, progress=progress)
    except KeyboardInterrupt:
        kept = "{} of {} games and {} puzzles are kept in {!r}".format(*done, str(folder))
        raise Interrupted(f"Interrupted: {kept}; run the same command again to resume.") from None
    _print_puzzles(file, folder / FILE)
    if install:
        shutil.copyfile(folder / FILE, find(game).path / FILE)
        out.print(f"Installed in {find(game).path / FILE}.", soft_wrap=True)


@commands.command()
def check(
    game: GameName,
    depth: Annotated[
        str, typer.Option(help="10x: ten times as deep as they were made; or iterations.")
    ] = "10x",
    count: Annotated[int, typer.Option(help="Check so many, chosen at random.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Which ones are chosen, and of the searches.")] = 0,
    folder: Annotated[
        Path | None, typer.Option(help="Where the puzzles are; by default the game's folder.")
    ] = None,
    cores: Cores = None,
    drop: Annotated[bool, typer.Option("--drop", help="Remove those that lose their solution.")] = False,
) -> None:
    """Search puzzles again, deeper, and report how many keep their solution; exit code 1 below 97 %."""
    from laguna.lab import puzzles as lab
    from laguna.puzzles import FILE, write_puzzles

    path = (folder or find(game).path) / FILE
    file = lab.read_file(path)
    iterations = _iterations(depth, file.depth)
    done = [0, 0, 0]
    try:
        _compile(game)
        with _Bar(f"{find(game).meta.title}: puzzles", "kept", done) as progress:
            checked = lab.check(game, file, count, iterations, seed=seed, cores=cores, progress=progress)
    except KeyboardInterrupt:
        raise Interrupted(
            "Interrupted: {2} of {0} puzzles kept their solution so far.".format(*done)
        ) from None
    lost = [each for each in checked if not each.kept]
    for each in lost:
        out.print(f"{each.id}: {' '.join(each.found)} instead (ahead by {-each.lead:.1%})")
    share = 1 - len(lost) / len(checked) if checked else 1.0
    out.print(f"{len(checked)} puzzles, {iterations:,} iterations: {share:.1%} keep their solution.")
    if drop and lost:
        path.write_bytes(write_puzzles(lab.without(file, checked)))
        out.print(f"{len(lost)} removed from {path}.", soft_wrap=True)
    if share < WANTED:
        raise typer.Exit(1)


def _compile(game: str) -> None:
    from laguna.cli.compiling import compile_game

    interruptible(lambda: compile_game(find(game), err, search=True))


def _iterations(text: str, made: int) -> int:
    """`10x` as a multiple of the depth at which they were made, or a number of iterations."""
    found = DEPTHS.fullmatch(text)
    if found is None:
        raise BadOption("depth", f"--depth is written as 10x or as a number of iterations, not {text!r:.40}.")
    return int(found[1]) * made if found[1] else int(found[2])


class _Bar:
    """A progress bar with the time left; `done` is kept up to date for what is said after Ctrl-C."""

    def __init__(self, title: str, unit: str, done: list[int]) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[found]} " + unit, markup=False),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=err, transient=True)
        self._task = self._bar.add_task(title, found=0)
        self._done = done

    def __enter__(self) -> Progress:
        self._bar.start()
        return self._show

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _show(self, done: int, total: int, found: int) -> None:
        self._done[:] = done, total, found
        self._bar.update(self._task, completed=done, total=total, found=found)


def _print_puzzles(file: PuzzleFile, path: Path) -> None:
    players = Counter(puzzle.players for puzzle in file.puzzles)
    ratings = sorted(puzzle.rating for puzzle in file.puzzles)
    by_players = ", ".join(f"{players[count]} for {count}" for count in sorted(players))
    text = f"{len(ratings)} puzzles in {path}"
    if ratings:
        text += f": {by_players} players; rated {ratings[0]} to {ratings[-1]}, half of them"
        text += f" below {ratings[len(ratings) // 2]}"
    out.print(f"{text}.", soft_wrap=True)
