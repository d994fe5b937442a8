"""Deleting people while tables are in play, here and on other servers.

The name is removed from the storage, and every table in memory that has it is read again. A server that did
not hear of it, or was writing at that moment, could bring the name back: so each server looks for people who
were deleted, and the logs are gone through once more a little later. That also finishes what was interrupted.
"""

from __future__ import annotations

from contextlib import suppress

from laguna.errors import LagunaError
from laguna.fair import SOMEONE
from laguna.server.live.changes import Changes
from laguna.server.live.clock import ServerClock
from laguna.server.live.followers import Followers
from laguna.server.live.table_cache import TableCache
from laguna.server.logs import get_log
from laguna.server.processes.neighbors import Away, Failed, Neighbors
from laguna.server.storage import Storage
from laguna.table import redact
from laguna.table.entries import Milliseconds, Person
from laguna.table.table import Table

log = get_log("erasing")

LOOK = 20.0  # seconds between looks for people whom other servers erased
SETTLED: Milliseconds = 60_000  # after which every server has looked, and no old name can be written any more
FORGOTTEN: Milliseconds = 86_400_000
PATIENCE = 30.0  # seconds for another process of this server
TOGETHER = 20  # tables in one transaction: others want to write, too


class Erasing:
    """Removes people from the tables where they are named."""

    def __init__(
        self,
        changes: Changes,
        cache: TableCache,
        storage: Storage,
        followers: Followers,
        clock: ServerClock,
        neighbors: Neighbors,
    ) -> None:
        self._changes = changes
        self._followers = followers
        self._cache = cache
        self._storage = storage
        self._clock = clock
        self._neighbors = neighbors
        self._looked: Milliseconds = 0

    async def erase(self, person: Person) -> None:
        """Delete the person. Once the first write is durable the rest happens, whatever comes in between."""
        await self._storage.erase(person.id, self._clock.now())
        with suppress(Away, Failed):  # then `look` does it again
            await self._remove_everywhere(person.id)

    async def look(self) -> None:
        """Read tables again that have the name of somebody erased elsewhere; finish what was begun."""
        now = self._clock.now()
        for each in await self._storage.erasures():
            if each.at >= self._looked:
                await self._read_again(await self._storage.mentions_of(each.person))
            if not each.done and each.at < now - SETTLED:
                await self._remove_everywhere(each.person)
                await self._storage.finish_erasure(each.person)
            if each.done and each.at < now - FORGOTTEN:
                await self._storage.forget_erasure(each.person)
        self._looked = now - SETTLED  # servers' clocks differ a little

    async def _remove_everywhere(self, person_id: str) -> None:
        """In all processes of this server; Away if one of them is not there."""
        await self.remove(person_id)
        for each in self._neighbors:
            await each.call("erase", person_id, seconds=PATIENCE)

    async def remove(self, person_id: str) -> None:
        """Their name goes from the logs, and they leave the games of this process that are not over."""
        owns = self._cache.place.owns
        tables = await self._storage.mentions_of(person_id)
        for first in range(0, len(tables), TOGETHER):
            some = tables[first : first + TOGETHER]
            await self._storage.remove_name(person_id, some)
            await self._read_again(some)
            for row in await self._storage.rows(some):
                if row.summary.status != "over" and owns(row.table):
                    await self._leave(row.table, person_id)

    async def _read_again(self, tables: list[str]) -> None:
        """Read those that are in memory again; whoever looks at one sees the name disappear."""
        for table_id in tables:
            if not (live := self._cache.find(table_id)):
                continue
            async with live.lock:
                before, live.table = live.table, None
            if before is None or not self._followers.followed(table_id):
                continue
            try:
                async with self._changes.at(table_id) as (_, table):
                    if redact.lines(table, None, 0) != redact.lines(before, None, 0):
                        self._changes.broadcast.show_anew(table)
            except LagunaError as error:
                log.warning("not shown anew", table=table_id, key=error.key)

    async def _leave(self, table_id: str, person_id: str) -> None:
        try:
            await self._changes.change(table_id, Table.forget, Person(person_id, SOMEONE, gone=True))
        except LagunaError as error:
            log.warning("not left", table=table_id, key=error.key)
