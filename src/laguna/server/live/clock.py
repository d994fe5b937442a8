"""The time of a server: it runs evenly, whatever the machine's clock does, and across restarts.

While it is up, a server regularly marks that in the database. Time during which no server was up is charged
to nobody: a table whose clocks were running gets an entry that says so, see `Table.resume`.
"""

from __future__ import annotations

from types import ModuleType

from laguna.server.logs import get_log
from laguna.server.storage import Storage
from laguna.table.entries import Milliseconds

log = get_log("clock")

MARK = 10.0  # seconds between two marks
SET_BACK = 1_000  # milliseconds that a clock may lag behind the last mark without a line in the log


class ServerClock:
    """Milliseconds since 1970: the machine's, or PostgreSQL's, at the start, then counted from there."""

    def __init__(self, storage: Storage, server: str, machine: ModuleType, shared: bool) -> None:
        self._storage = storage
        self._server = server  # its name
        # Another server may well be up after its last mark; a lone one was not.
        self._believed = int(MARK * 1000) if shared else 0
        self._monotonic = machine.monotonic
        self._begin(int(machine.time() * 1000))

    def _begin(self, now: Milliseconds) -> None:
        self._zero = now / 1000 - self._monotonic()
        self._since = now

    def now(self) -> Milliseconds:
        return int((self._zero + self._monotonic()) * 1000)

    async def start(self) -> None:
        """Agree with servers that were up before, or still are: time never goes back behind the last mark."""
        now = await self._storage.clock() or self.now()
        last = await self._storage.last_mark() or now
        if last - now > SET_BACK:
            log.warning("the clock was set back: time goes on from the last mark", ms=last - now)
        self._begin(max(now, last))
        await self.mark()

    async def mark(self) -> None:
        """This server has been up from its start until now."""
        await self._storage.mark_up(self._server, self._since, self.now())

    async def down_since(self, then: Milliseconds) -> Milliseconds:
        """For how long no server was up since then, as far as the marks show."""
        if then >= self._since:
            return 0
        marks = await self._storage.marks(then - self._believed, self._server)
        down, reached = 0, then
        for since, until in [*marks, (self._since, self.now())]:
            down += max(0, since - reached)
            reached = max(reached, until + self._believed)
        return down
