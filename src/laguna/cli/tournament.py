"""`laguna tournament`: the progress and the tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from laguna.bots.lookahead import MAX_SECONDS
from laguna.cli.compiling import compile_game
from laguna.cli.interrupt import Interrupted, interruptible
from laguna.cli.progress import progress_bar
from laguna.cli.session import write_new
from laguna.errors import BadOption
from laguna.games import find
from laguna.lab.tournament import Plan, Played, run, summary

MIN_SECONDS = 0.001  # as precise as a bot's name


def timed(bots: list[str], seconds: float) -> list[str]:
    """The same bots, with these seconds for any that is named just `search`."""
    if not MIN_SECONDS <= seconds <= MAX_SECONDS:
        text = f"--seconds must be from {MIN_SECONDS:g} to {MAX_SECONDS:g}, not {seconds:g}."
        raise BadOption("budget", text)
    return [f"search:{round(seconds, 3):g}s" if bot == "search" else bot for bot in bots]


def fill_seats(bots: list[str], players: int) -> tuple[str, ...]:
    """One bot for each seat; the last one named takes the remaining seats."""
    if not 1 <= len(bots) <= players:
        raise BadOption("bots", f"Name 1 to {players} bots for {players} players, not {len(bots)}.")
    return tuple(bots + [bots[-1]] * (players - len(bots)))


def hold(
    out: Console,
    err: Console,
    plan: Plan,
    folder: Path | None,
    keep: bool,
    stop_early: bool,
    as_json: Path | None,
    as_csv: Path | None,
    ray: str | None = None,
) -> None:
    """Play the tournament with a progress bar and print the results."""
    done = [0, plan.games]
    try:
        interruptible(lambda: compile_game(find(plan.game), err, search=True))
        games = _played(err, plan, folder, keep, stop_early, done, ray)
    except KeyboardInterrupt:
        raise Interrupted(_interrupted(folder, *done)) from None
    totals = summary(plan, games)
    print_summary(out, totals)
    if as_json:
        write_new(as_json, json.dumps(totals, indent=2) + "\n")
    if as_csv:
        _write_csv(as_csv, plan, games)


def _played(
    err: Console,
    plan: Plan,
    folder: Path | None,
    keep: bool,
    stop_early: bool,
    done: list[int],
    ray: str | None,
) -> list[Played]:
    """Play with a progress bar; `done` is kept up to date."""
    with progress_bar(err) as bar:
        task = bar.add_task(f"{find(plan.game).meta.title}: games")

        def progress(finished: int, total: int) -> None:
            done[:] = finished, total
            bar.update(task, completed=finished, total=total)

        return run(plan, folder, keep=keep, stop_early=stop_early, ray=ray, progress=progress)


def _interrupted(folder: Path | None, done: int, total: int) -> str:
    if folder is None:
        return f"Interrupted after {done} of {total} games; use --folder to keep them next time."
    kept = f"{done} of {total} games are kept in {str(folder)!r}"
    return f"Interrupted: {kept}; run the same command again to resume."


def _write_csv(path: Path, plan: Plan, games: list[Played]) -> None:
    """One row per game and seat."""
    if path.exists():
        raise BadOption("exists", f"{str(path)!r} already exists; choose another name.")
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["deal", "rotation", "seat", "bot", "score", "won", "actions"])
        for game in games:
            for seat, bot in enumerate(plan.seats(game.rotation)):
                won = (seat in game.winners) / len(game.winners)
                table.writerow([game.deal, game.rotation, seat, bot, game.scores[seat], won, game.actions])


def print_summary(out: Console, totals: dict[str, Any]) -> None:
    """Print win shares and Elo with their intervals, then scores by seat and a crosstable."""
    out.print(f"{totals['game']}, {totals['players']} players, {totals['games']} games, all seats rotated")
    table = Table(box=None, header_style="bold")
    table.add_column("", overflow="fold")  # bot names can be long
    for title in ("wins", "95 % interval", "Elo", "95 % interval"):
        table.add_column(title, justify="right", no_wrap=True)
    for result in totals["results"]:
        low, share, high = result["win_share"]
        worst, rating, best = result["elo"]
        intervals = (f"{low:.1%} – {high:.1%}", f"{rating:+.0f}", f"{worst:+.0f} … {best:+.0f}")
        table.add_row(result["bot"], f"{share:.1%}", *intervals)
    out.print(table)
    out.print()
    _print_crosstable(out, totals["results"])


def _print_crosstable(out: Console, results: list[dict[str, Any]]) -> None:
    table = Table(box=None, header_style="bold")
    table.add_column("", overflow="fold")
    table.add_column("mean score by seat")
    for result in results:
        table.add_column(f"beat {result['bot']}", justify="right", overflow="fold")
    for result in results:
        means = ["-" if mean is None else f"{mean:.1f}" for mean in result["mean_score_by_seat"]]
        points = [
            "" if other["bot"] == result["bot"] else f"{result['points_against'][other['bot']]:g}"
            for other in results
        ]
        table.add_row(result["bot"], "  ".join(means), *points)
    out.print(table)
