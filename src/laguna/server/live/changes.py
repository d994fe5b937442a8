"""The one way to a table: it is locked, read, changed, made durable and shown, and only then acknowledged.

Everything that happens to a table happens under its lock, one thing after the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from random import random
from typing import Any, TypeVarTuple

from laguna.server.live.bot_jobs import BotRunner
from laguna.server.live.broadcast import Broadcast
from laguna.server.live.bus import Bus, Notice
from laguna.server.live.clock import ServerClock
from laguna.server.live.followers import Followers
from laguna.server.live.presence import Presence
from laguna.server.live.scheduler import Scheduler
from laguna.server.live.table_cache import LiveTable, TableCache
from laguna.server.live.work import Work
from laguna.server.run_now import run_now
from laguna.server.storage import Stale, Storage, Unavailable
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
        self.not_written = cache.not_written
        self._tasks: set[asyncio.Task[None]] = set()
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
            return await self._try(live, range(TRIES), seen, method, *arguments)

    async def _try(
        self,
        live: LiveTable,
        attempts: range,
        seen: int,
        method: Callable[[Table, *Arguments, Milliseconds], list[AnyEntry]],
        *arguments: *Arguments,
    ) -> int:
        """Within the lock: change the table, and return its version."""
        for attempt in attempts:
            if attempt:  # get out of step with the other server
                await asyncio.sleep(random() * PAUSE * 2 ** (attempt - 1))
            table = await self._read(live, seen)
            with suppress(Stale):
                await self.write(live, table, method, *arguments)
                return table.version
        raise Stale

    def change_soon(
        self,
        then: Callable[[int | Exception], None],
        table_id: str,
        method: Callable[[Table, *Arguments, Milliseconds], list[AnyEntry]],
        *arguments: *Arguments,
        seen: int = 0,
    ) -> bool:
        """The same without a task, if that is possible at once; otherwise False, and nothing has happened.

        It is if the table is in memory, nobody else is changing it and the writer has room. `then` is told
        the version or the error, perhaps before this returns.
        """
        live = self._cache.find(table_id)
        table = None if live is None else self._known(live, seen)
        if live is None or table is None or not self._cache.has_room or not run_now(live.lock.acquire()):
            return False
        self._cache.touch(table_id)
        again = partial(self._try, live, range(1, TRIES), seen, method, *arguments)
        change = _Change(self, live, table, again, then)
        before = table.version
        try:
            entries = method(table, *arguments, self._clock.now())
        except Exception as error:
            change.end(error)
            return True
        if not entries:
            change.end(before)
            return True
        try:
            self._cache.append_soon(live, table, before, entries, change)
        except Exception as error:
            change.set_exception(error)
        return True

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
        self.follow_up(live, table)

    def follow_up(self, live: LiveTable, table: Table) -> None:
        """What follows from a change that is durable."""
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

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Go on with something in a task of its own."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -------------------------------------------------------------- reading

    async def _read(self, live: LiveTable, seen: int) -> Table:
        """The table as it is in the storage, as far as we can know; Unreadable if it is damaged there."""
        return self._known(live, seen) or await self._read_anew(live)

    def _known(self, live: LiveTable, seen: int) -> Table | None:
        """The table in memory, if we would know if another server had changed it."""
        table = live.table
        if table is not None and table.version >= seen and self._cache.is_current(live):
            return table
        return None

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


class _Change:
    """A change that is being written, without a task: what `Changes.change` does, from there on.

    It has the table's lock until it ends.
    """

    __slots__ = ("_again", "_changes", "_done", "_live", "_table", "_then")

    def __init__(
        self,
        changes: Changes,
        live: LiveTable,
        table: Table,
        again: Callable[[], Coroutine[Any, Any, int]],
        then: Callable[[int | Exception], None],
    ) -> None:
        self._changes = changes
        self._live = live
        self._table = table
        self._again = again
        self._then = then
        self._done = False

    def done(self) -> bool:
        """As the writer asks it."""
        return self._done

    def set_result(self, result: object) -> None:
        """It is durable."""
        self._done = True
        try:
            self._changes.follow_up(self._live, self._table)
        except Exception as error:
            self.end(error)
        else:
            self.end(self._table.version)

    def set_exception(self, error: Exception) -> None:
        """It was not written, or nobody knows; if another server was first, it is tried again."""
        self._done = True
        self._changes.not_written(self._live, error)
        if isinstance(error, Stale):
            self._changes.spawn(self._try_again())
        else:
            self.end(error)

    async def _try_again(self) -> None:
        outcome: int | Exception = Unavailable()  # if this is cancelled
        try:
            outcome = await self._again()
        except Exception as error:
            outcome = error
        finally:
            self.end(outcome)

    def end(self, outcome: int | Exception) -> None:
        """Let others at the table, and tell what came of it."""
        self._live.lock.release()
        self._then(outcome)
