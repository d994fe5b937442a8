"""Tables straight from the storage: games of long ago, which nobody plays or watches now."""

from __future__ import annotations

import asyncio

from laguna.errors import LagunaError
from laguna.server.live.loading import GameLoader
from laguna.server.live.summary import summary_of
from laguna.server.live.table_cache import NoTable, extend, opening_of
from laguna.server.logs import get_log
from laguna.server.processes.place import ALONE, Place
from laguna.server.storage import Storage
from laguna.table.table import Table

log = get_log("tables")

AT_ONCE = 100  # ids per query
PAUSE = 0.05  # seconds between two old games: they are in no hurry


async def read_stored(storage: Storage, games: GameLoader, table_id: str) -> Table:
    """The table as it is in the storage, without keeping it in memory; Unreadable if it is damaged there."""
    stored = await storage.load(table_id)
    if stored is None:
        raise NoTable("no-table", "There is no such table.")
    opened = opening_of(stored)
    await games.ready_for(opened.settings, opened.position is not None)
    table = Table(table_id, stored.secret)
    await asyncio.to_thread(extend, table, stored.entries)
    return table


class OldResults:
    """Writes the results of games that were over before summaries had any, one after the other."""

    def __init__(self, storage: Storage, games: GameLoader, place: Place = ALONE) -> None:
        self._storage = storage
        self._games = games
        self._place = place

    async def write(self) -> None:
        """Go through them once. One that cannot be read fails alone, and is tried when a server starts."""
        last = ""
        try:
            while ids := await self._storage.without_result(last, AT_ONCE):
                for table_id in filter(self._place.owns, ids):
                    await self._write(table_id)
                    await asyncio.sleep(PAUSE)
                last = ids[-1]
        except LagunaError as error:
            log.warning("old results not written", key=error.key)

    async def _write(self, table_id: str) -> None:
        try:
            table = await read_stored(self._storage, self._games, table_id)
            await self._storage.rewrite_summary(table_id, table.version, summary_of(table))
        except LagunaError as error:
            log.info("old result not known", table=table_id, key=error.key)
        except Exception:
            log.exception("old result not known", table=table_id)
