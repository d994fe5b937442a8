"""What happens in a run: its servers, its tables, and its faults in order. All of it follows from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

Database = Literal["sqlite", "postgresql"]

NETWORK = {  # how often each fault of a connection is drawn; `proxy.py` says what it does
    "cut": 12,
    "half": 10,
    "delay": 10,
    "split": 8,
    "stall": 8,
    "drop": 10,
    "double": 14,
    "swap": 10,
    "garble": 8,
    "garble-answer": 6,
}
PROCESSES = {"kill": 5, "freeze": 4, "restart": 2, "clock": 4, "damage": 2}
OF_SQLITE = {"disk-full": 4}
OF_POSTGRESQL = {"database-kill": 1, "database-freeze": 3}
OF_PROCESSES = {"process-kill": 5, "process-freeze": 3}  # of a server that has several
OF_BUS = {"bus-kill": 2, "bus-freeze": 2, "worker-kill": 2, "worker-freeze": 2}

ROUNDS = {"rounds": 1}
GAMES = {"neptune-vesta": 14, "venice-2099": 3, "mille-fiori": 2, "atlantis": 1}
WORLDS: list[tuple[int, int, Database]] = [  # servers, the processes of each, and their database
    (1, 1, "sqlite"),
    (3, 1, "postgresql"),
    (1, 2, "sqlite"),
    (1, 1, "postgresql"),
    (3, 1, "postgresql"),
    (1, 1, "sqlite"),
    (1, 2, "postgresql"),
]
USUAL, CROWD, EVERY = 20, 100, 15  # games in a run of a campaign; every so many runs there is a crowd
FAULTS_A_GAME = 6
LENGTHS = {"neptune-vesta": 30, "venice-2099": 48, "mille-fiori": 130, "atlantis": 98}  # usual, in actions


class Fault(Struct, frozen=True):
    """One fault: once people have had so many answers, of that kind, at that server or table."""

    at: int
    kind: str
    target: int = 0  # which server, connection or table: counted modulo those there are
    seconds: float = 0.0  # for how long; of a clock: how far it jumps


class Seating(Struct, frozen=True):
    """A table: its game, and who is at it."""

    game: str
    players: int
    bots: int = 0  # on the last seats
    devices: int = 1  # of the first player: two play one seat
    spectators: int = 0
    clock: bool = False


class Schedule(Struct, frozen=True):
    """Everything that is decided before a run begins."""

    seed: int
    servers: int
    database: Database
    tables: list[Seating]
    faults: list[Fault]
    processes: int = 1  # of each server

    @property
    def shared(self) -> bool:
        """Are there a bus and a worker?"""
        return self.servers > 1

    @property
    def name(self) -> str:
        servers = "server" if self.servers == 1 else "servers"
        processes = f" of {self.processes} processes" if self.processes > 1 else ""
        return f"{self.servers} {servers}{processes}, {self.database}, {len(self.tables)} games"

    def without(self, faults: Sequence[Fault]) -> Schedule:
        """The same with only these faults."""
        return replace(self, faults=list(faults))


def drawn(
    seed: int,
    games: int,
    faults: int,
    servers: int = 1,
    database: Database = "sqlite",
    only: str | None = None,
    processes: int = 1,
) -> Schedule:
    """The schedule of that seed; `only` is the game of all tables."""
    dice = random.Random(seed)
    tables = [_table(dice, only) for _ in range(games)]
    kinds = NETWORK | PROCESSES | (OF_SQLITE if database == "sqlite" else OF_POSTGRESQL)
    kinds |= OF_BUS if servers > 1 else {}
    kinds |= OF_PROCESSES if processes > 1 else {}
    answers = sum(LENGTHS[table.game] for table in tables)
    last = int(0.8 * answers)  # while games are still on
    times = sorted(dice.randrange(last) for _ in range(faults))
    return Schedule(seed, servers, database, tables, [_fault(dice, kinds, at) for at in times], processes)


def of_campaign(seed: int) -> Schedule:
    """The schedule of that seed in a campaign: each world in turn, now and then a crowd."""
    servers, processes, database = WORLDS[seed % len(WORLDS)]
    games = CROWD if seed % EVERY == 0 else USUAL
    return drawn(seed, games, games * FAULTS_A_GAME, servers, database, processes=processes)


def _table(dice: random.Random, only: str | None) -> Seating:
    game = only or dice.choices(list(GAMES), list(GAMES.values()))[0]
    players = 2 if game in ("neptune-vesta", "atlantis") else dice.choice([2, 2, 3])
    return Seating(
        game,
        players,
        bots=int(dice.random() < 0.25),
        devices=1 + (dice.random() < 0.3),
        spectators=int(dice.random() < 0.4),
        clock=dice.random() < 0.3,
    )


def _fault(dice: random.Random, kinds: dict[str, int], at: int) -> Fault:
    kind = dice.choices(list(kinds), list(kinds.values()))[0]
    seconds = round(dice.uniform(0.05, 0.8), 3)
    if kind == "clock":
        seconds = round(dice.choice([-1, 1]) * dice.uniform(1, 3 * 3600), 3)
    return Fault(at, kind, dice.randrange(1_000_000), seconds)


def read(path: Path) -> Schedule:
    return msgspec.json.decode(path.read_bytes(), type=Schedule)


def write(schedule: Schedule, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(schedule), indent=1) + b"\n")
