"""Tables in memory, read from the storage when they are needed.

If the storage refuses a change (another server was first) or fails, the table in memory is discarded and read
again: nothing is ever shown that is not durable.
"""

from __future__ import annotations

import asyncio
import time

from laguna.errors import LagunaError
from laguna.server import metrics
from laguna.server.live.followers import Followers
from laguna.server.live.loading import GameLoader
from laguna.server.live.summary import summary_of
from laguna.server.logs import get_log
from laguna.server.processes.place import ALONE, Place
from laguna.server.storage import Receiver, Stale, Storage, Stored, Unavailable, Unreadable
from laguna.table.entries import AnyEntry, Opened
from laguna.table.table import Table

log = get_log("tables")

QUIET = 60.0  # seconds after which a table forgets what can be worked out again
IDLE = 600.0  # seconds after which a table that nobody asks for is dropped
READ_AGAIN = 60.0  # seconds for which a table that could not be read is not tried again


class NoTable(LagunaError):
    """There is no such table."""


class Elsewhere(Unavailable):
    """Another process of this server owns the table: it should have been asked."""


class LiveTable:
    """A table in memory; `table` is None until it is read, after a failure, and when it is dropped."""

    __slots__ = ("id", "lock", "shown", "table", "telling_here", "thinking", "touched")

    def __init__(self, id: str) -> None:
        self.id = id
        self.table: Table | None = None
        self.lock = asyncio.Lock()
        self.shown = 0  # the version that followers know; 0 before the table is first read
        self.touched = 0.0
        self.thinking: set[int] = set()  # seats whose bot is thinking
        self.telling_here = False


class TableCache:
    """The tables in memory. Reading and appending happen under the table's lock.

    There are at most `max_live`, and the least recently used are dropped first. `shared`: other servers have
    the same tables, and tell us about those that somebody follows here. Of the processes of one server, only
    the owner of a table ever has it.
    """

    def __init__(
        self,
        storage: Storage,
        games: GameLoader,
        followers: Followers,
        shared: bool,
        max_live: int,
        place: Place = ALONE,
    ) -> None:
        self._max_live = max_live
        self.place = place
        self._storage = storage
        self.games = games
        self._followers = followers
        self._shared = shared
        self._live: dict[str, LiveTable] = {}  # the least recently used first
        self.doubtful: set[str] = set()  # the storage failed in the middle of something
        self.unreadable: dict[str, tuple[float, Unreadable]] = {}  # and when that was found

    def __len__(self) -> int:
        return len(self._live)

    def find(self, table_id: str) -> LiveTable | None:
        """What is in memory for a table now, without waiting for anything."""
        return self._live.get(table_id)

    def touch(self, table_id: str) -> LiveTable:
        """The entry for that table, read or not; now the last to be dropped."""
        live = self._live.pop(table_id, None) or self._new(table_id)
        self._live[table_id] = live
        live.touched = time.monotonic()
        return live

    def _new(self, table_id: str) -> LiveTable:
        if not self.place.owns(table_id):
            raise Elsewhere
        return LiveTable(table_id)

    def is_current(self, live: LiveTable) -> bool:
        """Would we know if the table in the storage had changed?"""
        return live.id not in self.doubtful and (not self._shared or self._followers.followed(live.id))

    # -------------------------------------------------------------- writing

    async def add(self, table: Table) -> LiveTable:
        """A new table: write it and keep it."""
        await self._storage.open_table(table.id, table.secret, table.entries, summary_of(table))
        live = self.touch(table.id)
        live.table = table
        live.shown = table.version
        return live

    async def append(self, live: LiveTable, table: Table, before: int, entries: list[AnyEntry]) -> None:
        """Write the entries that the table has since version `before`; Stale if another server was first."""
        try:
            await self._storage.append(table.id, before + 1, entries, summary_of(table))
        except BaseException as error:  # cancellation too: nobody knows what was written
            self.not_written(live, error)
            raise

    @property
    def has_room(self) -> bool:
        """May `append_soon` be called?"""
        return self._storage.has_room

    def append_soon(
        self, live: LiveTable, table: Table, before: int, entries: list[AnyEntry], receiver: Receiver
    ) -> None:
        """The same without waiting; if the receiver is told of an error, it must call `not_written`."""
        self._storage.append_soon(table.id, before + 1, entries, summary_of(table), receiver)

    def not_written(self, live: LiveTable, error: BaseException) -> None:
        """What the table in memory has is not in the storage, or perhaps not: it is read again."""
        live.table = None
        if not isinstance(error, Stale):
            self.doubtful.add(live.id)

    # -------------------------------------------------------------- reading

    async def read(self, live: LiveTable) -> Table:
        """The table as it is in the storage; Unreadable if it is damaged there."""
        when, known = self.unreadable.get(live.id, (0.0, None))
        if known is not None and time.monotonic() < when + READ_AGAIN:
            raise known.with_traceback(None)
        try:
            table = await self._load(live) if live.table is None else await self._extended(live, live.table)
        except Unreadable as error:
            self._set_aside(live, error)
            raise
        self.doubtful.discard(live.id)
        if known is not None:
            del self.unreadable[live.id]
            metrics.tables_unreadable.set(len(self.unreadable))
        return table

    def _set_aside(self, live: LiveTable, error: Unreadable) -> None:
        """Only this table fails: it is logged once, counted, and left alone for a while."""
        if live.id not in self.unreadable:
            log.error("table cannot be read", table=live.id, entry=error.entry, why=error.why)
        kept = Unreadable(error.entry, error.why, error.sentence)  # without the chain of causes
        self.unreadable[live.id] = (time.monotonic(), kept)
        self.doubtful.discard(live.id)
        metrics.tables_unreadable.set(len(self.unreadable))

    async def _extended(self, live: LiveTable, table: Table) -> Table:
        """The table in memory, with what other servers have written since."""
        try:
            if entries := await self._storage.since(live.id, table.version):
                extend(table, entries)
        except BaseException:
            live.table = None
            raise
        return table

    async def _load(self, live: LiveTable) -> Table:
        stored = await self._storage.load(live.id)
        if stored is None:
            self._live.pop(live.id, None)
            raise NoTable("no-table", "There is no such table.")
        opened = opening_of(stored)
        await self.games.ready_for(opened.settings, opened.position is not None)
        table = Table(live.id, stored.secret)
        await asyncio.to_thread(extend, table, stored.entries)
        live.table = table
        live.shown = live.shown or table.version
        return table

    # -------------------------------------------------------------- forgetting

    def drop_idle(self) -> None:
        """Drop tables that nobody has asked for lately, and the oldest if there are too many."""
        now = time.monotonic()
        too_many = len(self._live) - self._max_live
        for number, live in enumerate(list(self._live.values())):
            if live.touched > now - QUIET and number >= too_many:
                break
            if live.table is not None:
                live.table.memo = {}  # it is worked out again if the game goes on
            if live.lock.locked() or live.thinking or (live.touched > now - IDLE and number >= too_many):
                continue
            live.table = None
            if not self._followers.followed(live.id):
                del self._live[live.id]
        metrics.tables.set(len(self._live))


def opening_of(stored: Stored) -> Opened:
    first = stored.entries[0] if stored.entries else None
    if not isinstance(first, Opened):
        raise Unreadable(1, "the table was not opened")
    return first


def extend(table: Table, entries: list[AnyEntry]) -> None:
    """Replay what the storage has; Unreadable if that cannot have happened, or not by these rules."""
    try:
        table.extend(entries)
    except Exception as error:
        other_rules = isinstance(error, LagunaError) and error.key == "rules-version"
        # The text of any other error may reveal hidden information, which does not belong in the log.
        raise Unreadable(
            table.version + 1, type(error).__name__, str(error) if other_rules else ""
        ) from error
