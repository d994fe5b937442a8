"""What a server does at tables on its own: bots move, clocks run out.

The server that changed a table lets its bots move. If it dies, another one finds the table in a sweep; if two
servers do the same thing, the storage accepts it from one.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from laguna.errors import LagunaError
from laguna.server import metrics
from laguna.server.live.bot_jobs import BotRunner, job_for
from laguna.server.live.clock import ServerClock
from laguna.server.live.table_cache import LiveTable, TableCache
from laguna.server.logs import get_log
from laguna.server.storage import Storage, Unreadable
from laguna.table.entries import Milliseconds
from laguna.table.table import Table

if TYPE_CHECKING:
    from laguna.server.live.changes import Changes

log = get_log("duties")

AT_ONCE = 1_000  # tables that one sweep takes care of
OVERDUE = 2_000  # milliseconds after which a sweep does what another server should have done


class Scheduler:
    """Bots and clocks of the tables in memory, and of those that no other server attends to."""

    def __init__(
        self, changes: Changes, cache: TableCache, storage: Storage, bots: BotRunner, clock: ServerClock
    ) -> None:
        self._changes = changes
        self._cache = cache
        self._games = cache.games
        self._storage = storage
        self._bots = bots
        self._clock = clock
        self._due: list[tuple[Milliseconds, str]] = []  # a heap, with every table at most once
        self._queued: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def close(self) -> None:
        """Stop; whatever is due will be done by another server, or by this one when it starts again."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()

    def attend(self, live: LiveTable, table: Table) -> None:
        """The table changed: let its bots think, and remember when its next clock runs out."""
        if self._closed:
            return
        for seat, level in table.bots_to_move():
            if seat not in live.thinking:
                live.thinking.add(seat)
                self._spawn(self._move(live, table, seat, level))
        due = table.due()
        if due is not None and live.id not in self._queued:
            self._queued.add(live.id)
            heapq.heappush(self._due, (due, live.id))
            self._set_timer()

    async def sweep(self) -> None:
        """Take care of tables where a bot or a clock is overdue; one that fails does so alone."""
        most = AT_ONCE + len(self._cache.unreadable)  # those stay overdue, and must not hide the others
        owns = self._cache.place.owns
        for table_id in await self._storage.waiting(self._clock.now() - OVERDUE, most, owns):
            live = self._cache.find(table_id)
            if live is not None and live.thinking:
                continue
            try:
                await self._changes.refresh(table_id)
                await self._changes.change(table_id, Table.tick)
                live = self._cache.find(table_id)
                if live is not None and live.table is not None:
                    self.attend(live, live.table)
            except Unreadable:
                continue  # it is in the log
            except LagunaError as error:
                log.warning("sweep failed", table=table_id, key=error.key)
            except Exception:
                log.exception("sweep failed", table=table_id)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -------------------------------------------------------------- bots

    async def _move(self, live: LiveTable, table: Table, seat: int, level: str) -> None:
        """Let a bot move, once the game's bots are ready; afterwards it may have to move again."""
        version = table.version
        assert table.game is not None
        try:
            await self._games.ready(table.settings.game, "bots")
            if table.version == version:  # otherwise see again who has to decide
                action = await self._bots.move(job_for(table.game, seat, level))
                await self._changes.change(live.id, Table.act_as_bot, seat, action, version)
                metrics.actions.labels("bot").inc()
            again = True
        except LagunaError as error:
            again = error.key == "stale"  # the game went on without it; anything else waits for a sweep
            if not again:
                log.warning("bot did not move", table=live.id, level=level, key=error.key)
        except Exception:
            log.exception("bot did not move", table=live.id, level=level)
            again = False
        finally:
            live.thinking.discard(seat)
        if again and live.table is not None:
            self.attend(live, live.table)

    # -------------------------------------------------------------- clocks

    def _set_timer(self) -> None:
        """One timer, for the earliest."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._due and not self._closed:
            wait = max(0, self._due[0][0] - self._clock.now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        """Those that were due earliest may have moved on since: they are queued again."""
        now = self._clock.now()
        while self._due and self._due[0][0] <= now:
            table_id = heapq.heappop(self._due)[1]
            self._queued.discard(table_id)
            live = self._cache.find(table_id)
            if live is None or live.table is None:
                continue  # a sweep finds it
            due = live.table.due()
            if due is None:
                continue
            if due <= now:
                self._spawn(self._tick(table_id))
            else:
                self._queued.add(table_id)
                heapq.heappush(self._due, (due, table_id))
        self._timer = None
        self._set_timer()

    async def _tick(self, table_id: str) -> None:
        try:
            await self._changes.change(table_id, Table.tick)
            live = self._cache.find(table_id)
            if live is not None and live.table is not None:
                self.attend(live, live.table)
        except LagunaError as error:
            log.warning("clock not stopped", table=table_id, key=error.key)
        except Exception:
            log.exception("clock not stopped", table=table_id)
