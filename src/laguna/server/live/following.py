"""Following tables: a follower gets what it missed, and everything from then on."""

from __future__ import annotations

from laguna.server.live.bus import Bus
from laguna.server.live.changes import Changes
from laguna.server.live.followers import Connection, Followers, frame
from laguna.server.live.table_cache import TableCache
from laguna.server.live.work import Work
from laguna.table import permissions
from laguna.table.entries import Person
from laguna.table.table import Table


class Following:
    """Lets connections follow tables, and stop."""

    def __init__(
        self, changes: Changes, cache: TableCache, followers: Followers, bus: Bus, work: Work
    ) -> None:
        self._changes = changes
        self._cache = cache
        self._followers = followers
        self._bus = bus
        self._work = work

    async def follow(self, connection: Connection, table_id: str, seen: int, seat: int | None = None) -> int:
        """Send the connection what it has not seen, and everything from now on; maybe as `seat` sees it."""
        with self._work.under_way():
            async with self._changes.at(table_id, seen) as (live, table):
                person = connection.person
                if seat is not None:
                    permissions.watch(table, person.id, seat)
                await self._changes.write(live, table, Table.come_back, person)
                self._bus.listen(table_id)
                self._followers.follow(connection, table_id, seat)
                self._changes.presence.changed(live)
                connection.tell(frame(self._changes.broadcast.missed(table, person.id, seen, seat)))
                return table.version

    def unfollow(self, connection: Connection, table_id: str) -> None:
        if table_id in connection.tables:
            self._followers.unfollow(connection, table_id)
            self._went(connection.person, table_id)

    def gone(self, connection: Connection) -> None:
        """The socket is closed."""
        for table_id in self._followers.leave(connection):
            self._went(connection.person, table_id)

    def _went(self, person: Person, table_id: str) -> None:
        presence, live = self._changes.presence, self._cache.find(table_id)
        if live is not None:
            presence.changed(live)
        holds = live is None or live.table is None or live.table.seats_of(person.id)
        if holds and not self._work.closing:
            presence.went(table_id, person)
        if not self._followers.followed(table_id):
            self._bus.forget(table_id)
            presence.forget(table_id)
