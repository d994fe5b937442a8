"""Open sockets depend on a token: use renews it, and a socket whose token is gone is closed on every server.

A token of an account also has an end that no use moves: then its owner logs in again. A guest could not.

A server that revokes tokens notifies the others at once. That notice may be lost, like any on the bus, so
each server also checks from time to time whether the tokens of its sockets still exist.
"""

from __future__ import annotations

import asyncio
import time

from laguna.errors import LagunaError
from laguna.server.live.bus import Bus, Notice
from laguna.server.live.followers import Followers
from laguna.server.logs import get_log
from laguna.server.storage import Storage
from laguna.table.entries import Milliseconds

log = get_log("sessions")

LOOK = 60.0  # seconds between checks of the tokens of all open sockets
DAY = 86_400_000  # milliseconds


class Lifetime:
    """How long a token lasts, unused and at most. Use is noted so rarely that most requests write nothing."""

    def __init__(self, token_days: int, session_days: int) -> None:
        self._unused: Milliseconds = token_days * DAY
        self._at_most: Milliseconds = session_days * DAY
        self._noted_every: Milliseconds = min(DAY, self._unused // 10)

    def expired_before(self) -> Milliseconds:
        """Tokens last used before this time are no longer valid."""
        return now() - self._unused

    def ended_before(self) -> Milliseconds:
        """Tokens of accounts made before this time are no longer valid."""
        return now() - self._at_most

    def noted_before(self) -> Milliseconds:
        """Use is recorded if the last one was before this time."""
        return now() - self._noted_every


class Sessions:
    """The tokens that this server's sockets depend on."""

    def __init__(
        self, storage: Storage, followers: Followers, bus: Bus, server: str, lifetime: Lifetime
    ) -> None:
        self._storage = storage
        self._followers = followers
        self._bus = bus
        self._server = server
        self._lifetime = lifetime
        self._tasks: set[asyncio.Task[None]] = set()

    async def tokens_changed(self, person: str) -> None:
        """Tokens of this person were revoked: close their sockets, here and on other servers."""
        self._bus.publish(Notice(self._server, person=person))
        await self._look_at(person)

    def heard(self, person: str) -> None:
        """Another server reports that tokens of this person were revoked."""
        task = asyncio.get_running_loop().create_task(self._look_at(person))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_at(self, person: str) -> None:
        try:
            await self._close_void(self._held(person))
        except LagunaError as error:
            log.warning("sockets not checked", key=error.key)  # the next full check will find them

    async def look_at_all(self) -> None:
        """Renew tokens in use, delete unused ones, and close the sockets of those that are void."""
        held = self._held()
        if held:
            await self._storage.note_use(list(held), self._lifetime.noted_before())
        await self._storage.drop_unused_tokens(self._lifetime.expired_before())
        await self._close_void(held)

    def _held(self, person: str | None = None) -> set[bytes]:
        """The tokens that open sockets depend on, of everyone or of one person."""
        sockets = self._followers.connections
        return {each.token for each in sockets if each.token and person in (None, each.person.id)}

    async def _close_void(self, held: set[bytes]) -> None:
        if held:
            known = await self._storage.known_tokens(list(held), self._lifetime.ended_before())
            self._followers.close_all_by(
                held - known, "logged-out", "This device was logged out, or has a new token."
            )


def now() -> Milliseconds:
    return time.time_ns() // 1_000_000
