"""Unit costs, measured on this machine with the real parts: tables, storage, a server under load."""

from __future__ import annotations

import asyncio
import random
import secrets
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from msgspec import Struct

import laguna
from benchmarks.server import bytes_per_socket, bytes_per_table, played, settle, standing
from benchmarks.server import laguna as started_server
from benchmarks.storage import measure
from laguna.bots import ask, find_bot
from laguna.games import find
from laguna.messages import Changed
from laguna.server.live.followers import frame
from laguna.server.live.summary import summary_of
from laguna.server.storage import Storage
from laguna.table import redact
from laguna.table.entries import AnyEntry, Person, Settings
from laguna.table.table import Table

ANN = Person("ann", "Ann")
BOT_GAMES = 12  # for the lengths of games and turns
STORED_GAMES = 20  # for their size in the database
KEPT_GAMES = 10  # for their size in memory
CALLERS = 512  # that write to the database at the same time
TRIES = 3  # of which the quickest counts: a machine that does something else at times only makes it slower
TABLES = 40  # at which the load generator plays
SECONDS = 8.0


class GameCosts(Struct):
    """What one game costs, with its usual number of players."""

    game: str
    players: int
    turns: list[list[int]]  # for each game played, how many actions each turn had
    sent: float  # bytes to one follower for one action
    stored: float  # bytes in the database for one action, with its share of the table's own row
    memory: float  # bytes of a server's memory for a table in the middle of a game
    processor: float  # seconds of a server's processor for one acknowledged action
    rate: float  # acknowledged actions/s of a server whose players never think
    p99: float  # milliseconds they then wait

    @property
    def actions(self) -> float:
        return mean(sum(turns) for turns in self.turns)


class Writing(Struct):
    """What it takes to make actions durable, in seconds."""

    commit: float  # a transaction
    append: float  # each action in it


def game_costs(game: str) -> GameCosts:
    players = find(game).meta.usual_players
    sizes, stored = asyncio.run(_stored_games(game, players))
    turns = [_turns(game, players, seed) for seed in range(BOT_GAMES)]
    with started_server() as server:
        flags = ["--game", game, "--players", str(players)]
        with standing("tables", server, 1, *flags):
            settle(server)
        found, used = played("play", server, TABLES, *flags, "--seconds", str(SECONDS))
    memory, processor = memory_of(game, players), used / found.total
    return GameCosts(game, players, turns, mean(sizes), stored, memory, processor, found.actions, found.p99)


def _turns(game: str, players: int, seed: int) -> list[int]:
    """The lengths of the turns of a game between champions that do not search."""
    match, bot = laguna.new(game, players=players, seed=seed), find_bot("network")
    turns: list[int] = []
    before: int | None = None
    while not match.over:
        if match.seat != before:
            turns.append(0)
        before = match.seat
        turns[-1] += 1
        match.play(ask(bot, match, len(match.actions)))
    return turns


def _random_game(table: Table) -> Iterator[list[AnyEntry]]:
    """Play on to the end at random; the new entries of each action."""
    while table.status == "playing":
        seat = table.deciders[0]
        action = str(random.choice(table.started.legal(seat)))
        yield table.act(ANN, seat, action, None, len(table.entries))


def memory_of(game: str, players: int) -> float:
    """The bytes of a table halfway through its game, on average."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    tables = [played_out(game, players) for _ in range(KEPT_GAMES)]
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / len(tables) / 2


def played_out(game: str, players: int) -> Table:
    table = started_table(game, players)
    for _ in _random_game(table):
        pass
    return table


def started_table(game: str, players: int) -> Table:
    """A new table at which one person has all seats."""
    table = Table.open(secrets.token_urlsafe(16), Settings(game, players), ANN, secrets.token_bytes(32), 0)
    for seat in range(players):
        table.sit(ANN, seat, 0)
    table.start(ANN, 0)
    return table


async def _stored_games(game: str, players: int) -> tuple[list[int], float]:
    """The bytes that each action sends to a follower, and what an action takes in a database file."""
    sizes: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "laguna.db"
        storage = Storage(f"sqlite:///{file}")
        await storage.start()
        empty = file.stat().st_size
        for _ in range(STORED_GAMES):
            table = started_table(game, players)
            await storage.open_table(table.id, table.secret, table.entries, summary_of(table))
            before = table.version
            for entries in _random_game(table):
                await storage.append(table.id, before + 1, entries, summary_of(table))
                view = redact.table_view(table, ANN.id, table.version, ())
                changed = Changed(before, view, redact.lines(table, ANN.id, before))
                sizes.append(len(frame(changed)))
                before = table.version
        await storage.close()
        stored = (file.stat().st_size - empty) / len(sizes)
    return sizes, stored


class Idle(Struct):
    """Bytes of a server's memory."""

    table: float  # in memory, nobody connected
    socket: float  # connected, nothing happens


def idle(tables: int = 500, sockets: int = 2_000) -> Idle:
    game = ["--game", "neptune-vesta", "--players", "2"]
    with started_server() as server:
        return Idle(bytes_per_table(server, tables, *game), bytes_per_socket(server, sockets, *game)[0])


async def writing(url: str) -> Writing:
    """How long a commit takes, and how much longer with each action in it: from one caller, and from many."""
    storage = Storage(url)
    await storage.start()
    alone, together = [
        max([(await measure(storage, callers)).rate for _ in range(TRIES)]) for callers in (1, CALLERS)
    ]
    await storage.close()
    append = 1 / together  # commits hardly count there
    return Writing(max(0.0, 1 / alone - append), append)
