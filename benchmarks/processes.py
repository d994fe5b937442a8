"""What a server gains from several processes: `python -m benchmarks.processes`.

The same random players as in `benchmarks.server` play at a server with one process and at one with several,
in turns. If there are cores for it, every process has one of its own and the players have the others, so that
the actions per second can be compared. Otherwise all share the cores, and what could be done with a core for
each process and others for the players follows from the processor time of an action, summed over all
of its processes. The exit code is 1 if that is less than promised.
"""

from __future__ import annotations

import argparse
import os
import sys
import urllib.request
from pathlib import Path
from statistics import median

from msgspec import Struct
from prometheus_client.parser import text_string_to_metric_families
from rich.console import Console
from rich.table import Table

from benchmarks.server import Server, laguna, played, settle, standing

MIN_GAIN = 0.8  # of each process: two do at least 1.6 times as much as one
PLAYERS = 2  # cores for the load generator and the rest of the machine


class Found(Struct):
    """One measurement."""

    rate: float  # acknowledged actions per second
    p99: float  # ms from act to done
    cost: float  # microseconds of processor time of an action, in all processes of the server
    passed_on: float  # requests passed on to another process, for each action
    together: float  # actions in a commit
    writing: float  # share of the time in which a transaction was under way or waited for its turn


def metrics(server: Server) -> dict[str, float]:
    """Added up over their labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics") as answer:
        text = answer.read().decode()
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0.0) + sample.value
    return found


def pin(server: Server, count: int) -> None:
    """A core for each process of the server, the last ones for this one and the players."""
    cores = sorted(os.sched_getaffinity(0))
    workers = server.pids[1:] or server.pids
    for pid, core in zip(workers, cores, strict=False):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {core})
    os.sched_setaffinity(0, cores[count:])


def measure(processes: int, most: int, pinned: bool, asked: argparse.Namespace) -> Found:
    game = ["--game", asked.game, "--players", str(asked.players)]
    with laguna(f"processes={processes}") as server:
        with standing("tables", server, 8 * processes, *game):
            settle(server)
        all_cores = os.sched_getaffinity(0)
        if pinned:
            pin(server, most)
        before = metrics(server)
        measured, used = played("play", server, asked.tables, *game, "--seconds", str(asked.seconds))
        after = metrics(server)
        os.sched_setaffinity(0, all_cores)
    more = {name: value - before.get(name, 0.0) for name, value in after.items()}
    commits = more["laguna_storage_commit_seconds_count"]
    return Found(
        measured.actions,
        measured.p99,
        1e6 * used / measured.total,
        more["laguna_forwarded_total"] / measured.total,
        measured.total / commits,
        more["laguna_storage_commit_seconds_sum"] / (measured.total / measured.actions) / processes,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="of each; the medians are shown")
    parser.add_argument("--game", default="neptune-vesta")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--tables", type=int, default=160)
    parser.add_argument("--seconds", type=float, default=8)
    asked = parser.parse_args()
    count = asked.processes
    pinned = len(os.sched_getaffinity(0)) >= count + PLAYERS
    found: dict[int, list[Found]] = {1: [], count: []}
    for _ in range(asked.rounds):
        for processes, measurements in found.items():
            measurements.append(measure(processes, count, pinned, asked))
    table = Table("measured", "1 process", f"{count} processes", box=None)
    rows = {
        "acknowledged actions/s": ("rate", ",.0f"),
        "from act to done, ms, p99": ("p99", ".0f"),
        "processor time of an action, µs, all processes": ("cost", ",.0f"),
        "requests passed on to another process, for each action": ("passed_on", ".2f"),
        "actions in a commit": ("together", ".0f"),
        "of the time, a process writes or waits for its turn": ("writing", ".0%"),
    }
    middle = {
        name: [median(getattr(each, name) for each in found[number]) for number in (1, count)]
        for name, _ in rows.values()
    }
    for about, (name, form) in rows.items():
        table.add_row(about, *(format(value, form) for value in middle[name]))
    Console().print(table)
    (one, several), (cost, more) = middle["rate"], middle["cost"]
    gain = several / one if pinned else count * cost / more
    how = "measured, a core for each" if pinned else f"derived: {count} × {cost:,.0f} / {more:,.0f}"
    kept = gain >= MIN_GAIN * count
    print(f"{count} processes × 1 process: {gain:.2f} ({how}), promised ≥ {MIN_GAIN * count:.1f}", end=" ")
    print("ok" if kept else "MISSED")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
