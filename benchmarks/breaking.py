"""How a server bears more than it can do on this machine: `python -m benchmarks.breaking`.

A real `laguna serve` with a SQLite file on disk, loaded from other processes, one kind of load after the
other: tables at which people play without a pause, sockets, tables of bots, reviews. Each grows beyond what
the server takes. Meanwhile a probe plays at a table of its own, ten actions a second, as an ordinary person
would. Shown is what the server does and what it refuses, with which sentence, how long the probe's actions
take, how much memory the server uses, and after how many seconds the probe is served as before. The exit code
is 1 if the server did not refuse what was too much, or did not recover.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks.load.crowds import Probe, Seen
from benchmarks.load.tally import Measured, clock
from benchmarks.server import MIB, PEER, Server, generator, laguna

CALM = 3.0  # seconds that the probe plays before and after each load
RECOVERY = 10.0  # seconds within which the probe must be served as before
T = TypeVar("T")


class Row:
    """A load, while it lasts and after it."""

    def __init__(self, server: Server, load: str, too_much: bool) -> None:
        self.server, self.load, self.too_much = server, load, too_much
        self.done = self.refused = ""
        self.sentences: list[str] = []
        self.began = clock()
        self.ended = self.began
        self.memory = 0

    def end(self) -> None:
        self.ended, self.memory = clock(), self.server.memory

    def cells(self, probe: Probe) -> list[str]:
        during = probe.worst(self.began, self.ended)
        return [
            self.load,
            self.done,
            self.refused,
            f"{_at(during, 0.5):,.0f}, {_at(during, 0.99):,.0f}",
            f"{self.memory / MIB:.0f}",
            f"{self.recovery(probe):.1f}",
        ]

    def recovery(self, probe: Probe) -> float:
        """Seconds after the load until no action of the probe took longer than before it."""
        usual = max(50.0, _at(probe.worst(self.began - CALM, self.began), 1.0))
        slow = [
            at
            for at, ms in zip(probe.at, probe.took, strict=True)
            if self.ended <= at < self.ended + RECOVERY and (ms is None or ms > usual)
        ]
        return max(slow, default=self.ended) - self.ended


def _at(times: list[float], part: float) -> float:
    return times[min(len(times) - 1, int(len(times) * part))] if times else float("nan")


@contextmanager
def running(what: str, server: Server, count: int, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A load generator that stays until the block ends."""
    command = generator(what, server, count, *more)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=PEER.parents[2]
    ) as process:
        yield process


def _line(process: subprocess.Popen[str], kind: type[T]) -> T:
    assert process.stdout is not None
    return msgspec.json.decode(process.stdout.readline() or sys.exit("The load generator failed."), type=kind)


def people(server: Server, asked: argparse.Namespace) -> Iterator[Row]:
    """Tables at which people play without a pause."""
    for tables in asked.tables:
        row = Row(server, f"{tables:,} tables without a pause", tables == asked.tables[-1])
        with running("crowd", server, tables, *asked.game, "--seconds", str(asked.seconds)) as process:
            found, row.sentences = _line(process, tuple[Measured, list[str]])
            row.end()
        row.done, row.refused = f"{found.actions:,.0f} actions/s", f"{found.refused:,}"
        yield row


def standing(server: Server, what: str, count: int, load: str, asked: argparse.Namespace) -> Row:
    """A load that stays for some seconds."""
    row = Row(server, f"{count:,} {load}", what != "bots")  # too many bots play quickly instead
    with running(what, server, count, *asked.game) as process:
        found = _line(process, Seen)
        time.sleep(asked.seconds)
        row.end()
    row.done, row.refused, row.sentences = f"{found.accepted:,}", f"{found.refused:,}", found.sentences
    return row


def loads(server: Server, asked: argparse.Namespace) -> Iterator[Row]:
    """One load after the other, with calm in between."""
    time.sleep(CALM)
    for row in people(server, asked):
        yield row
        time.sleep(RECOVERY)
    for what, count, load in (
        ("many-sockets", asked.sockets + 500, "sockets"),
        ("bots", asked.bots, "tables of bots"),
        ("reviews", asked.reviews, "reviews"),
    ):
        yield standing(server, what, count, load, asked)
        time.sleep(RECOVERY)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=[40, 160, 640, 1280])
    parser.add_argument("--sockets", type=int, default=20_000, help="that the server takes; 500 more try")
    parser.add_argument("--bots", type=int, default=200, help="tables")
    parser.add_argument("--reviews", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=10, help="that each load lasts")
    asked = parser.parse_args()
    asked.game = ["--game", "neptune-vesta", "--players", "2"]
    with (
        laguna(f"max_sockets={asked.sockets}") as server,
        running("probe", server, 1, *asked.game) as process,
    ):
        rows = []
        for row in loads(server, asked):
            print(f"{row.load}: {row.done}, refused {row.refused}", file=sys.stderr)
            rows.append(row)
        assert process.stdin is not None
        process.stdin.close()
        probe = _line(process, Probe)
    table = Table(
        "load", "served", "refused", "a calm player, ms, p50, p99", "MiB", "calm after, s", box=None
    )
    for row in rows:
        table.add_row(*row.cells(probe))
    Console().print(table)
    for sentence in sorted({sentence for row in rows for sentence in row.sentences}):
        print(sentence)
    refused = all(row.refused != "0" for row in rows if row.too_much)
    return 0 if refused and all(row.recovery(probe) < RECOVERY for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
