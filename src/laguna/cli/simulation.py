"""`laguna simulate`: the progress and the totals."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from laguna.cli.compiling import compile_game
from laguna.cli.interrupt import Interrupted, interruptible
from laguna.cli.progress import progress_bar
from laguna.games import find
from laguna.lab.simulation import Simulation, check_output, player, simulate
from laguna.lab.totals import Totals


def run(
    out: Console,
    err: Console,
    plan: Simulation,
    output: Path | None,
    device: str,
    cores: int | None,
    ray: str | None,
) -> dict[str, Any]:
    """Play with a progress bar, print the totals and return them."""
    if output is not None:
        check_output(output)
    player(plan, device, cores, ray)  # bad arguments are refused before anything is compiled
    done = [0, plan.total]
    start = time.perf_counter()
    try:
        totals = interruptible(lambda: _played(err, plan, output, device, cores, ray, done))
    except KeyboardInterrupt:
        raise Interrupted(_interrupted(output, *done)) from None
    found = totals.summary()
    print_totals(out, found)
    new = done[1] - done[2]
    seconds = time.perf_counter() - start
    out.print(f"{new:,} games in {seconds:.1f} seconds, {new / seconds:,.0f} a second")
    if output is not None:
        out.print(f"Written to {output}.")
    return found


def _played(
    err: Console,
    plan: Simulation,
    output: Path | None,
    device: str,
    cores: int | None,
    ray: str | None,
    done: list[int],
) -> Totals:
    """`done` is kept up to date: games that are finished, all games, those that were finished before."""
    if plan.quick is None:
        compile_game(find(plan.game), err, search=True)
    with progress_bar(err) as bar:
        task = bar.add_task(f"{find(plan.game).meta.title}: games", total=plan.total)

        def progress(finished: int, total: int) -> None:
            if len(done) == 2:
                done.append(finished)
            done[:2] = finished, total
            bar.update(task, completed=finished)

        return simulate(plan, output, device=device, cores=cores, ray=ray, progress=progress)


def _interrupted(output: Path | None, done: int, total: int, *_: int) -> str:
    if output is None:
        return f"Interrupted after {done:,} of {total:,} games; use --output to keep them next time."
    kept = f"{done:,} of {total:,} games are kept beside {str(output)!r}"
    return f"Interrupted: {kept}; run the same command again to resume."


def print_totals(out: Console, found: dict[str, Any]) -> None:
    """Print wins with their intervals and scores, by bot and by seat, then lengths and branching."""
    rotated = ", all seats rotated" if len(found["bot_results"]) > 1 and found["rotated"] else ""
    out.print(f"{found['game']}, {found['players']} players, {found['games']:,} games{rotated}")
    table = Table(box=None, header_style="bold")
    table.add_column("", overflow="fold")  # bot names can be long
    for title in ("wins", "95 % interval", "mean score"):
        table.add_column(title, justify="right", no_wrap=True)
    names = [(bot["bot"], bot) for bot in found["bot_results"]] if len(found["bot_results"]) > 1 else []
    for name, row in [*names, *((f"seat {seat['seat']}", seat) for seat in found["seats"])]:
        low, share, high = row["win_share"]
        table.add_row(name, f"{share:.2%}", f"{low:.2%} – {high:.2%}", f"{row['mean_score']:.2f}")
    out.print(table)
    actions = found["actions"]
    lengths = f"{actions['mean']:.1f} actions a game ({actions['shortest']} to {actions['longest']})"
    out.print(f"{lengths}, {found['branching']:.1f} legal actions a decision")
