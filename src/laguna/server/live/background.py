"""What a server does periodically, or when other servers notify it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from laguna.errors import LagunaError
from laguna.server.live.bus import Bus, Notice
from laguna.server.live.changes import Changes
from laguna.server.live.clock import MARK, ServerClock
from laguna.server.live.erasing import LOOK as LOOK_FOR_ERASED
from laguna.server.live.erasing import Erasing
from laguna.server.live.followers import Followers
from laguna.server.live.old_games import OldResults
from laguna.server.live.presence import REPEAT
from laguna.server.live.reviews import Reviews
from laguna.server.live.table_cache import TableCache
from laguna.server.logs import get_log
from laguna.server.people.sessions import LOOK, Sessions
from laguna.server.storage import Storage

log = get_log("tables")

POLL = 3.0  # seconds between checks of the versions of tables that others may have changed
SWEEP = 5.0  # seconds between searches for tables that no server attends to


class Background:
    """Sweeps, polls, marks that the server is up, and listens to other servers."""

    def __init__(
        self,
        changes: Changes,
        cache: TableCache,
        storage: Storage,
        followers: Followers,
        bus: Bus,
        clock: ServerClock,
        sessions: Sessions,
        reviews: Reviews,
        erasing: Erasing,
        old_results: OldResults,
    ) -> None:
        self._changes = changes
        self._cache = cache
        self._storage = storage
        self._followers = followers
        self._bus = bus
        self._clock = clock
        self._sessions = sessions
        self._reviews = reviews
        self._erasing = erasing
        self._old_results = old_results
        self._loops: list[asyncio.Task[None]] = []
        self._refreshing: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    async def start(self) -> None:
        await self._clock.start()
        await self._bus.start(self.heard)
        self._loops = [
            asyncio.create_task(self._repeat(SWEEP, self._sweep)),
            asyncio.create_task(self._repeat(SWEEP, self._reviews.sweep)),
            asyncio.create_task(self._repeat(POLL, self._poll)),
            asyncio.create_task(self._repeat(LOOK, self._sessions.look_at_all)),
            asyncio.create_task(self._repeat(MARK, self._clock.mark)),
            asyncio.create_task(self._repeat(LOOK_FOR_ERASED, self._erasing.look)),
            asyncio.create_task(self._old_results.write()),
        ]
        if self._bus.shared:
            self._loops.append(asyncio.create_task(self._repeat(REPEAT, self._tell_others)))

    def close(self) -> None:
        """Start nothing more."""
        self._closed = True
        for loop in self._loops:
            loop.cancel()

    async def _repeat(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await work()
            except LagunaError as error:
                log.warning("will try again", work=work.__name__, key=error.key)
            except Exception:
                log.exception("will try again", work=work.__name__)
            await asyncio.sleep(seconds)

    async def _sweep(self) -> None:
        self._cache.drop_idle()
        await self._changes.scheduler.sweep()

    # -------------------------------------------------------------- other servers

    def heard(self, notice: Notice) -> None:
        """Another server, or another process of this one, tells us something."""
        if notice.person:
            self._sessions.heard(notice.person)
            return
        live = self._cache.find(notice.table)
        if notice.version is None:
            self._changes.presence.heard(notice, live)
        elif live is not None and notice.version > live.shown:
            self._refresh(notice.table)

    async def _poll(self) -> None:
        """A notice can be lost, and the storage can fail, so compare versions."""
        watched = set(self._cache.doubtful)
        if self._bus.shared:
            watched.update(self._followers.tables)
        if not watched:
            return
        for table_id, version in (await self._storage.versions(list(watched))).items():
            live = self._cache.find(table_id)
            if table_id in self._cache.doubtful or (live is not None and version > live.shown):
                self._refresh(table_id)

    def _refresh(self, table_id: str) -> None:
        """Read the table again, unless that is already under way."""
        if table_id not in self._refreshing and not self._closed:
            task = asyncio.create_task(self._refresh_now(table_id))
            self._refreshing[table_id] = task
            task.add_done_callback(lambda _: self._refreshing.pop(table_id))

    async def _refresh_now(self, table_id: str) -> None:
        try:
            await self._changes.refresh(table_id)
        except LagunaError as error:
            log.info("not refreshed", table=table_id, key=error.key)

    async def _tell_others(self) -> None:
        """Tell other servers again who is here: they forget."""
        for table_id in self._followers.tables:
            live = self._cache.find(table_id)
            if live is not None:
                self._changes.presence.repeat(live)
