"""`laguna report`: a page, pictures and numbers about simulated games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from laguna.cli.interrupt import Interrupted, interruptible
from laguna.errors import BadFile, BadOption

if TYPE_CHECKING:
    from laguna.lab.report import Report

out = Console(markup=False, highlight=False)
err = Console(stderr=True, markup=False, highlight=False)


def report(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS…", help="Files of `laguna simulate`; the first is the base."),
    ],
    output: Annotated[Path, typer.Option(metavar="FILE", help="The page, a new file.")] = Path("report.html"),
    sample: Annotated[
        int, typer.Option(help="Play at most so many games of each kind again, to see what happens in them.")
    ] = 200,
    png: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also write each picture as a PNG.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also write each picture as an SVG.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Also write all numbers as JSON.")
    ] = None,
) -> None:
    """Make a page about results files: seats, scores, where points come from, maps, and what a change does.

    Several files must differ in one thing, such as an option or the bots; each is compared with the first.
    """
    from laguna.cli.session import write_new

    for path in (output, json_file):
        if path and path.exists():
            raise BadOption("exists", f"{str(path)!r} already exists; choose another name.")
    for folder in (png, svg):
        if folder and folder.exists() and not folder.is_dir():
            raise BadOption("folder", f"{str(folder)!r} is not a folder.")
    try:
        made = interruptible(lambda: _made(files, sample))
    except KeyboardInterrupt:
        raise Interrupted("Interrupted; nothing was written.") from None
    write_new(output, made.html)
    out.print(f"The report is in {output}.", soft_wrap=True)
    if json_file:
        write_new(json_file, json.dumps(made.as_json(), indent=1) + "\n")
    _write_pictures(made, png, svg)


def _made(files: list[Path], sample: int) -> Report:
    """The report, with a progress bar for the games that are played again."""
    from laguna.cli.progress import progress_bar
    from laguna.lab.report import make_report

    with progress_bar(err) as bar:
        tasks = {}

        def progress(title: str, done: int, total: int) -> None:
            if title not in tasks:
                tasks[title] = bar.add_task(title)
            bar.update(tasks[title], completed=done, total=total)

        return make_report(files, sample, progress)


def _write_pictures(made: Report, png: Path | None, svg: Path | None) -> None:
    """Each picture as a file of its own, in new or existing folders; other files there stay as they are."""
    from laguna.cli.session import write_new

    for folder in (png, svg):
        if folder:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise BadFile("no-folder", f"{str(folder)!r} cannot be made: {error.strerror}.") from None
    for name, picture in made.pictures().items() if png or svg else ():
        if png:
            write_new(png / f"{name}.png", picture.png())
        if svg:
            write_new(svg / f"{name}.svg", picture.svg)
