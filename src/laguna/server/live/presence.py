"""Who is connected to which table, here and on other servers, and who has left.

A person whose last socket has been gone for a while has left the table, which becomes an entry of its log.
Who is connected at the moment is not logged: followers and other servers are told.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from laguna.errors import LagunaError
from laguna.messages import Here
from laguna.server.live.bus import Bus, Notice
from laguna.server.live.followers import Followers, frame
from laguna.server.live.table_cache import LiveTable
from laguna.server.live.work import Work
from laguna.server.logs import get_log
from laguna.table.entries import AnyEntry, Milliseconds, Person
from laguna.table.table import Table

if TYPE_CHECKING:
    from laguna.server.live.changes import Changes

log = get_log("presence")

ABSENT = 60.0  # seconds without a socket before a person has left: shorter absences stay out of the log
PAUSE = 0.25  # seconds during which comings and goings are collected into one message
REPEAT = 10.0  # seconds between the times that servers tell each other who is there
BELIEVED = 25.0  # seconds for which another server's word counts


class Presence:
    """Who is here. If a person with a seat leaves or comes back, that becomes a change of the table."""

    def __init__(self, changes: Changes, followers: Followers, bus: Bus, work: Work, server: str) -> None:
        self._changes = changes
        self._followers = followers
        self._bus = bus
        self._work = work
        self._server = server
        self._elsewhere: dict[str, dict[str, tuple[float, Notice]]] = {}  # by table and server
        self._tasks: set[asyncio.Task[None]] = set()
        self._watched: set[tuple[str, str]] = set()  # tables and people who may have left

    # -------------------------------------------------------------- who is there

    def people(self, table_id: str) -> set[str]:
        """The ids of those with a seat who are connected to any server (and of all who follow here)."""
        found = self._followers.people(table_id)
        for notice in self._notices(table_id):
            found.update(notice.people)
        return found

    def seats(self, table: Table) -> list[int]:
        """The seats whose person is connected."""
        held = table.held
        return sorted({seat for person in self.people(table.id) for seat in held.get(person, ())})

    def _notices(self, table_id: str) -> list[Notice]:
        heard = self._elsewhere.get(table_id)
        if not heard:
            return []
        long_ago = time.monotonic() - BELIEVED
        return [notice for at, notice in heard.values() if at > long_ago]

    # -------------------------------------------------------------- comings and goings

    def changed(self, live: LiveTable) -> None:
        """Somebody came or went: tell followers and other servers, in a moment."""
        if not live.telling_here:
            live.telling_here = True
            asyncio.get_running_loop().call_later(PAUSE, self._tell, live)

    def _tell(self, live: LiveTable) -> None:
        live.telling_here = False
        if live.table is not None:
            own = self._own(live.table)
            if self._bus.shared:
                self._bus.publish(own)
            self._tell_followers(live.table, own)

    def _own(self, table: Table) -> Notice:
        """Who is at the table here."""
        here = self._followers.people(table.id)
        seated = {person.id for chair in table.chairs for person in chair.people}
        return Notice(
            self._server, table.id, people=tuple(sorted(here & seated)), spectators=len(here - seated)
        )

    def _tell_followers(self, table: Table, own: Notice) -> None:
        spectators = own.spectators + sum(notice.spectators for notice in self._notices(table.id))
        self._followers.tell(table.id, frame(Here(table.id, self.seats(table), spectators)))

    def heard(self, notice: Notice, live: LiveTable | None) -> None:
        """Another server says who is there."""
        if not self._followers.followed(notice.table):
            return
        servers = self._elsewhere.setdefault(notice.table, {})
        before = servers.get(notice.server)
        servers[notice.server] = (time.monotonic(), notice)
        if live is not None and live.table is not None and (before is None or before[1] != notice):
            self._tell_followers(live.table, self._own(live.table))

    def repeat(self, live: LiveTable) -> None:
        """Tell other servers again who is here: they forget."""
        if live.table is not None:
            self._bus.publish(self._own(live.table))

    def forget(self, table_id: str) -> None:
        """Nobody follows the table here any more."""
        self._elsewhere.pop(table_id, None)

    # -------------------------------------------------------------- absence

    def watch(self, table: Table) -> None:
        """The table was read: whoever does not show up soon left while it was not in memory."""
        here = self.people(table.id)
        for chair in table.chairs:
            if chair.people and chair.left_at is None and not any(each.id in here for each in chair.people):
                self.went(table.id, chair.people[0])

    def went(self, table_id: str, person: Person) -> None:
        """Check in a while whether the person is back."""
        if (table_id, person.id) not in self._watched:
            self._watched.add((table_id, person.id))
            asyncio.get_running_loop().call_later(ABSENT, self._look, table_id, person)

    def _look(self, table_id: str, person: Person) -> None:
        self._watched.discard((table_id, person.id))
        if person.id not in self.people(table_id):
            self._spawn(self._leave(table_id, person))

    async def _leave(self, table_id: str, person: Person) -> None:
        try:
            with self._work.under_way():
                await self._changes.change(table_id, _leave_unless_here, person, self)
        except LagunaError as error:
            log.info("leaving not noted", table=table_id, key=error.key)

    def call_back(self, table: Table) -> None:
        """Another server changed the table; it may believe that someone left who is connected here."""
        here = self._followers.people(table.id)
        for chair in table.chairs:
            for person in chair.people:
                if chair.left_at is not None and person.id in here:
                    self._spawn(self._return(table.id, person))

    async def _return(self, table_id: str, person: Person) -> None:
        try:
            with self._work.under_way():
                await self._changes.change(table_id, Table.come_back, person)
        except LagunaError as error:
            log.info("return not noted", table=table_id, key=error.key)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _leave_unless_here(table: Table, person: Person, presence: Presence, now: Milliseconds) -> list[AnyEntry]:
    """The person has left, unless they are back, or others hold the same seats."""
    here = presence.seats(table)
    return [] if all(seat in here for seat in table.seats_of(person.id)) else table.leave(person, now)
