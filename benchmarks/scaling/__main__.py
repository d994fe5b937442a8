"""What a million people at tables need, and what gives way first: `python -m benchmarks.scaling`.

Measures unit costs on this machine (a few minutes; it should have nothing else to do), simulates what people
at tables do and how long a server process lets them wait, and prints the tables of docs/scaling.md.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

import laguna
from benchmarks.scaling.costs import TABLES, GameCosts, Idle, Writing, game_costs, idle, writing
from benchmarks.scaling.people import Habits, Load, load
from benchmarks.scaling.waiting import Process, Waits, capacity

GIB = 1 << 30
P99 = 50.0  # milliseconds that 99 of 100 actions wait at most
DAY = 86_400
console = Console(width=120)


class Measured(Struct):
    """All unit costs, as `--save` writes them."""

    games: list[GameCosts]
    idle: Idle
    sqlite: Writing
    postgresql: Writing | None


def measure(postgresql: str | None) -> Measured:
    games = []
    for game in laguna.games():
        console.print(f"Measuring {game}…")
        games.append(game_costs(game))
    console.print("Measuring memory and storage…")
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".benchmark-") as folder:
        sqlite = asyncio.run(writing(f"sqlite:///{folder}/laguna.db"))
    server = None if postgresql is None else asyncio.run(writing(postgresql))
    return Measured(games, idle(), sqlite, server)


def show(title: str, columns: list[str], rows: list[list[Any]]) -> None:
    table = Table(*columns, title=title, title_justify="left", box=None, padding=(0, 2))
    for row in rows:
        table.add_row(*map(str, row))
    console.print(table, "")


def show_costs(found: Measured) -> None:
    show(
        "Unit costs",
        ["", "players", "actions", "processor, µs", "sent, bytes", "stored, bytes", "memory of a table, KiB"],
        [
            [
                each.game,
                each.players,
                f"{each.actions:.0f}",
                f"{each.processor * 1e6:.0f}",
                f"{each.sent:,.0f}",
                f"{each.stored:.0f}",
                f"{each.memory / 1024:.0f}",
            ]
            for each in found.games
        ],
    )
    databases = [("SQLite", found.sqlite), ("PostgreSQL", found.postgresql)]
    show(
        "",
        ["", "commit, ms", "each action in it, µs"],
        [[name, f"{one.commit * 1e3:.2f}", f"{one.append * 1e6:.0f}"] for name, one in databases if one],
    )
    console.print(
        f"Memory: {found.idle.table / 1024:.1f} KiB an idle table, "
        f"{found.idle.socket / 1024:.1f} KiB an idle socket\n"
    )


def show_check(found: Measured) -> None:
    """The simulation beside what the same server really did."""
    rows = []
    for each in found.games:
        simulated = Process(each.processor, found.sqlite).closed(TABLES, 10)
        rows.append(
            [
                each.game,
                f"{each.rate:,.0f}",
                f"{simulated.rate:,.0f}",
                f"{each.p99:.0f}",
                f"{simulated.p99:.0f}",
            ]
        )
    columns = ["", "actions/s", "simulated", "p99, ms", "simulated"]
    show(f"{TABLES} tables whose players never think", columns, rows)


def waits(handling: float, database: Writing) -> Waits:
    """One process: shown at several loads, and the most that it can take."""
    best = capacity(handling, database, P99)
    rows = []
    for part in (0.25, 0.5, 0.75, 1.0, 1.1, 1.25):
        found = Process(handling, database).open(part * best.rate, 30)
        rows.append(
            [f"{part * best.rate:,.0f}", f"{found.rate:,.0f}", f"{found.p50:.1f}", f"{found.p99:,.0f}"]
        )
    show("One process", ["actions/s that come", "acknowledged", "p50, ms", "p99, ms"], rows)
    return best


def show_needs(found: Measured, people: int, seen: Load, process: Waits, database: Writing) -> None:
    tables = people / seen.people
    actions = tables * seen.per_table
    weighted = list(zip(seen.by_game, found.games, strict=True))
    sent = sum(share * each.sent for share, each in weighted)
    stored = sum(share * each.stored for share, each in weighted)
    table = sum(share * each.memory for share, each in weighted)
    processes = math.ceil(actions / process.rate)
    memory = people * found.idle.socket + tables * table
    rows = [
        ["tables", f"{tables:,.0f}"],
        ["acknowledged actions a second", f"{actions:,.0f}"],
        ["tables opened a second", f"{tables * seen.opened:,.0f}"],
        [f"server processes (p99 below {P99:.0f} ms)", f"{processes:,}"],
        ["memory of sockets and tables, GiB", f"{memory / GIB:.1f}"],
        ["sockets to a process", f"{people / processes:,.0f}"],
        ["tables to a process (`live_tables`)", f"{tables / processes:,.0f}"],
        ["views sent a second, MB", f"{actions * seen.people * sent / 1e6:,.0f}"],
        ["database, GB a day", f"{actions * stored * DAY / 1e9:,.0f}"],
        ["databases that write all the time", f"{actions * database.append:.1f}"],
        ["notices on the bus a second", f"{actions:,.0f}"],
    ]
    show(f"{people:,} people at tables", ["", "needed"], rows)
    each = actions / people
    limits = {
        "one server process": process.rate / each,
        "one database": 1 / database.append / each,
        "64 GiB of memory": people * 64 * GIB / memory,
    }
    rows = [[name, f"{limits[name]:,.0f}"] for name in sorted(limits, key=limits.__getitem__)]
    show("What gives way first", ["if there is only", "people at tables"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--people", type=int, default=1_000_000, help="at tables at the same time")
    parser.add_argument("--postgresql", metavar="URL", help="an empty database to measure")
    parser.add_argument("--standby", type=float, default=2.0, help="ms to a database's synchronous standby")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the unit costs here")
    parser.add_argument("--costs", type=Path, metavar="FILE", help="take the unit costs from here")
    parser.add_argument("--tables", type=int, default=2_000, help="that are simulated")
    parser.add_argument("--seed", type=int, default=0)
    for name, default in Habits()._asdict().items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=default)
    asked = parser.parse_args()
    if asked.costs:
        found = msgspec.json.decode(asked.costs.read_bytes(), type=Measured)
    else:
        found = measure(asked.postgresql)
    if asked.save:
        asked.save.write_bytes(msgspec.json.format(msgspec.json.encode(found)))
    show_costs(found)
    show_check(found)
    habits = Habits(*(getattr(asked, name) for name in Habits._fields))
    seen = load(found.games, habits, asked.tables, 1_800, asked.seed)
    console.print(
        f"{asked.tables:,} tables in half an hour: {seen.per_table:.3f} actions a second at a table with "
        f"{seen.people:.1f} people; {seen.busiest:.2f} times the average in the busiest second\n"
    )
    handling = sum(share * each.processor for share, each in zip(seen.by_game, found.games, strict=True))
    one = found.postgresql or found.sqlite
    database = Writing(one.commit + asked.standby / 1e3, one.append)
    show_needs(found, asked.people, seen, waits(handling, database), database)


if __name__ == "__main__":
    main()
