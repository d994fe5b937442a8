"""Tables in memory: every change is checked, made durable, shown, and only then acknowledged.

Whatever is under way with a table happens under its lock, one after the other. If the storage refuses a
change (another server was first) or fails, the table in memory is thrown away and read anew: nothing is
ever shown that is not durable.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import random
from typing import Protocol

from laguna.errors import LagunaError
from laguna.server import metrics
from laguna.server.live.clock import ServerClock
from laguna.server.live.loading import GameLoader
from laguna.server.live.summary import summary_of
from laguna.server.logs import get_log
from laguna.server.storage import Stale, Storage, Stored, Unreadable
from laguna.table.entries import AnyEntry, Milliseconds, Opened
from laguna.table.table import Table

log = get_log("tables")

MAX_LIVE = 2_000  # tables in memory; those not asked for longest are dropped first
IDLE = 600.0  # seconds after which a table that nobody asks for is dropped
TRIES = 8  # for a change, when other servers keep being first
READ_AGAIN = 60.0  # seconds for which a table that could not be read is not tried again
SHORT = 1_000  # milliseconds without a server that are not worth an entry
PAUSE = 0.002  # seconds before the second try; longer before each further one

Make = Callable[[Table, Milliseconds], list[AnyEntry]]


class NoTable(LagunaError):
    """There is no such table."""


class LiveTable:
    """A table in memory; `table` is None until it is read, after a failure, and when it is dropped."""

    __slots__ = ("id", "lock", "shown", "table", "telling_here", "thinking", "touched")

    def __init__(self, id: str) -> None:
        self.id = id
        self.table: Table | None = None
        self.lock = asyncio.Lock()
        self.shown = 0  # the version that followers know; 0 before the table is first read
        self.touched = 0.0
        self.thinking: set[int] = set()  # seats whose bot is at it
        self.telling_here = False


class Watcher(Protocol):
    """Who is told about tables in memory. All of it is called under the table's lock."""

    def loaded(self, live: LiveTable) -> None:
        """The table was read from the storage."""

    def changed(self, live: LiveTable, since: int, ours: bool) -> None:
        """There is more than followers know; `ours`: it was this server that wrote it."""

    def is_current(self, live: LiveTable) -> bool:
        """Would we have heard if another server had changed it?"""

    def is_needed(self, live: LiveTable) -> bool:
        """Must what is known about it, other than the table itself, be kept?"""


class TableCache:
    """The tables in memory, at most `MAX_LIVE`; reads them from the storage as they are asked for."""

    def __init__(self, storage: Storage, games: GameLoader, watcher: Watcher, clock: ServerClock) -> None:
        self._storage = storage
        self._games = games
        self._watcher = watcher
        self._clock = clock
        self._live: dict[str, LiveTable] = {}  # the longest untouched first
        self.doubtful: set[str] = set()  # the storage failed in the middle of something
        self.unreadable: dict[str, tuple[float, Unreadable]] = {}  # and when that was seen

    def now(self) -> Milliseconds:
        return self._clock.now()

    def find(self, table_id: str) -> LiveTable | None:
        """What is in memory of a table now, without waiting for anything."""
        return self._live.get(table_id)

    def __len__(self) -> int:
        return len(self._live)

    # -------------------------------------------------------------- use

    async def add(self, table: Table) -> LiveTable:
        """A new table: write it and keep it."""
        await self._storage.open_table(table.id, table.secret, table.entries, summary_of(table))
        live = self._touch(table.id)
        live.table = table
        live.shown = table.version
        return live

    async def change(self, table_id: str, make: Make, seen: int = 0) -> int:
        """Let `make` change the table, and return its version once that is durable and shown.

        `make` raises and leaves the table as it is, or returns the new entries. It is asked again if
        another server changed the table in between. `seen` is a version that is known to exist.
        """
        live = self._touch(table_id)
        async with live.lock:
            for attempt in range(TRIES):
                table = await self._read(live, seen)
                try:
                    await self.write(live, make)
                    return table.version
                except Stale:
                    await asyncio.sleep(random() * PAUSE * 2**attempt)  # not in step with the other server
            raise Stale

    @asynccontextmanager
    async def at(self, table_id: str, seen: int = 0) -> AsyncIterator[tuple[LiveTable, Table]]:
        """The table, read if need be and locked: for looking at it, and for `write`."""
        live = self._touch(table_id)
        async with live.lock:
            yield live, await self._read(live, seen)

    async def write(self, live: LiveTable, make: Make) -> None:
        """Within the lock: one change, made durable and shown; Stale if another server was first."""
        table = live.table
        assert table is not None
        before = table.version
        entries = make(table, self.now())
        if not entries:
            return
        try:
            await self._storage.append(table.id, before + 1, entries, summary_of(table))
        except BaseException as error:  # also when we are cancelled: nobody knows what was written
            live.table = None
            if not isinstance(error, Stale):
                self.doubtful.add(live.id)
            raise
        self._show(live, table, ours=True)

    async def refresh(self, table_id: str) -> None:
        """Look whether another server changed the table, and show it."""
        live = self._live.get(table_id)
        if live is not None:
            async with live.lock:
                await self._read(live, seen=0, anew=True)

    # -------------------------------------------------------------- how

    def _touch(self, table_id: str) -> LiveTable:
        """The entry for that table, now the last to be dropped."""
        live = self._live.pop(table_id, None) or LiveTable(table_id)
        self._live[table_id] = live
        live.touched = time.monotonic()
        return live

    async def _read(self, live: LiveTable, seen: int, anew: bool = False) -> Table:
        """The table as it is in the storage, as far as we may know; Unreadable if it is damaged there."""
        when, known = self.unreadable.get(live.id, (0.0, None))
        if known is not None and time.monotonic() < when + READ_AGAIN:
            raise known.with_traceback(None)
        try:
            table = await self._read_now(live, seen, anew)
        except Unreadable as error:
            self._set_aside(live, error)
            raise
        if known is not None:
            del self.unreadable[live.id]
            metrics.tables_unreadable.set(len(self.unreadable))
        return table

    def _set_aside(self, live: LiveTable, error: Unreadable) -> None:
        """The table fails alone: it is in the log once, counted, and left alone for a while."""
        if live.id not in self.unreadable:
            log.error("table cannot be read", table=live.id, entry=error.entry, why=error.why)
        kept = Unreadable(error.entry, error.why, error.sentence)  # without all that led to it
        self.unreadable[live.id] = (time.monotonic(), kept)
        self.doubtful.discard(live.id)
        metrics.tables_unreadable.set(len(self.unreadable))

    async def _read_now(self, live: LiveTable, seen: int, anew: bool) -> Table:
        table = live.table
        if table is None:
            return await self._load(live)
        if anew or table.version < seen or live.id in self.doubtful or not self._watcher.is_current(live):
            try:
                if entries := await self._storage.since(live.id, table.version):
                    _extend(table, entries)
            except BaseException:
                live.table = None
                raise
            self.doubtful.discard(live.id)
            self._show(live, table, ours=False)
        return table

    async def _load(self, live: LiveTable) -> Table:
        stored = await self._storage.load(live.id)
        if stored is None:
            self._live.pop(live.id, None)
            raise NoTable("no-table", "There is no such table.")
        await self._games.ready(_game_of(stored))
        table = Table(live.id, stored.secret)
        await asyncio.to_thread(_extend, table, stored.entries)
        live.table = table
        self.doubtful.discard(live.id)
        live.shown = live.shown or table.version
        self._watcher.loaded(live)
        self._show(live, table, ours=False)
        return await self._resumed(live, table)

    async def _resumed(self, live: LiveTable, table: Table) -> Table:
        """The table that was just read; if its clocks ran while no server was up, they did not."""
        if table.due() is None:
            return table
        down = await self._clock.down_since(table.entries[-1].at)
        if down < SHORT:
            return table
        try:
            await self.write(live, lambda table, now: table.resume(down, now))
        except Stale:  # another server has seen to it
            return await self._load(live)
        return table

    def _show(self, live: LiveTable, table: Table, ours: bool) -> None:
        since, live.shown = live.shown, table.version
        if live.shown > since:
            self._watcher.changed(live, since, ours)

    def drop_idle(self) -> None:
        """Let go of tables that nobody asked for lately, and of the oldest if there are too many."""
        long_ago = time.monotonic() - IDLE
        most = len(self._live) - MAX_LIVE
        for number, live in enumerate(list(self._live.values())):
            if number >= most and live.touched > long_ago:
                break
            if live.lock.locked() or live.thinking:
                continue
            live.table = None
            if not self._watcher.is_needed(live):
                del self._live[live.id]
        metrics.tables.set(len(self._live))


def _game_of(stored: Stored) -> str:
    first = stored.entries[0] if stored.entries else None
    if not isinstance(first, Opened):
        raise Unreadable(1, "the table was not opened")
    return first.settings.game


def _extend(table: Table, entries: list[AnyEntry]) -> None:
    """Replay what the storage has; Unreadable if that cannot have happened, or not by these rules."""
    try:
        table.extend(entries)
    except Exception as error:
        other_rules = isinstance(error, LagunaError) and error.key == "rules-version"
        # The text of another error may tell what is hidden, and the log is no place for that.
        raise Unreadable(
            table.version + 1, type(error).__name__, str(error) if other_rules else ""
        ) from error
