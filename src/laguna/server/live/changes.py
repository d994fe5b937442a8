"""The one way to a table: it is locked, read, changed, made durable and shown, and only then acknowledged.

Everything that happens to a table happens under its lock, one thing after the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import random
from typing import TypeVarTuple

from laguna.server.live.bot_jobs import BotRunner
from laguna.server.live.broadcast import Broadcast
from laguna.server.live.bus import Bus, Notice
from laguna.server.live.clock import ServerClock
from laguna.server.live.followers import Followers
from laguna.server.live.presence import Presence
from laguna.server.live.scheduler import Scheduler
from laguna.server.live.table_cache import LiveTable, TableCache
from laguna.server.live.work import Work
from laguna.server.storage import Stale, Storage
from laguna.table.entries import AnyEntry, Milliseconds
from laguna.table.table import Table

TRIES = 8  # for a change, if other servers keep getting there first
PAUSE = 0.002  # seconds before the second try; longer before each later one
SHORT = 1_000  # milliseconds without a server that are not worth an entry

Arguments = TypeVarTuple("Arguments")


class Changes:
    """Reads and changes tables, and sees to what follows: followers are shown the change, bots and clocks
    run.

    A change is a method of `Table` (or a function like one) with its arguments; the time is added here. It
    either raises and leaves the table as it is, or returns the new entries.
    """

    def __init__(
        self,
        cache: TableCache,
        storage: Storage,
        followers: Followers,
        bus: Bus,
        bots: BotRunner,
        clock: ServerClock,
        work: Work,
        server: str,
    ) -> None:
        self._cache = cache
        self._bus = bus
        self._clock = clock
        self._server = server
        self.presence = Presence(self, followers, bus, work, server)
        self.broadcast = Broadcast(followers, self.presence, clock)
        self.scheduler = Scheduler(self, cache, storage, bots, clock)

    async def change(
        self,
        table_id: str,
        method: Callable[[Table, *Arguments, Milliseconds], list[AnyEntry]],
        *arguments: *Arguments,
        seen: int = 0,
    ) -> int:
        """Change the table, and return its version once that is durable and shown.

        It is tried again if another server changed the table in the meantime. `seen` is a version that is
        known to exist.
        """
        live = self._cache.touch(table_id)
        async with live.lock:
            for attempt in range(TRIES):
                table = await self._read(live, seen)
                try:
                    await self.write(live, table, method, *arguments)
                    return table.version
                except Stale:
                    await asyncio.sleep(random() * PAUSE * 2**attempt)  # out of step with the other server
            raise Stale

    @asynccontextmanager
    async def at(self, table_id: str, seen: int = 0) -> AsyncIterator[tuple[LiveTable, Table]]:
        """The table, locked, and read if necessary: for looking at it, and for `write`."""
        live = self._cache.touch(table_id)
        async with live.lock:
            yield live, await self._read(live, seen)

    async def write(
        self,
        live: LiveTable,
        table: Table,
        method: Callable[[Table, *Arguments, Milliseconds], list[AnyEntry]],
        *arguments: *Arguments,
    ) -> None:
        """Within the lock: one change, made durable and shown; Stale if another server was first."""
        before = table.version
        entries = method(table, *arguments, self._clock.now())
        if not entries:
            return
        await self._cache.append(live, table, before, entries)
        self.broadcast.show(live, table)
        if self._bus.shared:
            self._bus.publish(Notice(self._server, live.id, table.version))
        self.scheduler.attend(live, table)

    async def refresh(self, table_id: str) -> None:
        """Check whether another server changed the table, and show the change."""
        live = self._cache.find(table_id)
        if live is not None:
            async with live.lock:
                await self._read_anew(live)

    # -------------------------------------------------------------- reading

    async def _read(self, live: LiveTable, seen: int) -> Table:
        """The table as it is in the storage, as far as we can know; Unreadable if it is damaged there."""
        table = live.table
        if table is not None and table.version >= seen and self._cache.is_current(live):
            return table
        return await self._read_anew(live)

    async def _read_anew(self, live: LiveTable) -> Table:
        """Show what other servers wrote; start the bots and clocks of a table that is new in memory."""
        known = live.table is not None
        table = await self._cache.read(live)
        if not known:
            self.presence.watch(table)
            if not self._bus.shared:  # no other server will let its bots move
                self.scheduler.attend(live, table)
        if table.version > live.shown:
            self.broadcast.show(live, table)
            self.presence.call_back(table)
        return table if known else await self._resume(live, table)

    async def _resume(self, live: LiveTable, table: Table) -> Table:
        """The table that was just read; clocks that ran while no server was up are given that time back."""
        if table.due() is None:
            return table
        down = await self._clock.down_since(table.entries[-1].at)
        if down < SHORT:
            return table
        try:
            await self.write(live, table, Table.resume, down)
        except Stale:  # another server has done it
            return await self._read_anew(live)
        return table
