"""Who follows which table over which socket.

Nobody waits for a slow reader: what it has not read is kept in its own bounded buffer, and a reader that
leaves too much unread is cut off. An idle connection costs a few small objects and no task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from laguna import messages
from laguna.server import metrics
from laguna.server.logs import get_log
from laguna.server.network.websocket import PING_FRAME, WebSocket, frame_of
from laguna.table.entries import Person

log = get_log("followers")

BEAT = 15.0  # seconds: a connection hears something at least this often, and must answer
BEATS_AT_ONCE = 100
ANOTHER_TOKEN = 1.0  # seconds for the response with the new token to arrive


def frame(message: messages.Message) -> bytes:
    """A message as it goes over the wire."""
    return frame_of(messages.encode(message))


BEAT_FRAME = frame(messages.Beat())


class Connection:
    """One socket of one person."""

    __slots__ = ("address", "closed", "person", "quiet", "socket", "tables", "token", "watched")

    socket: WebSocket  # once it is accepted

    def __init__(self, person: Person, address: str, token: bytes = b"") -> None:
        self.person = person
        self.address = address
        self.token = token  # the hash of the token it depends on
        self.tables: frozenset[str] = frozenset()  # the tables it follows
        self.watched: dict[str, int] = {}  # the seat whose view it asked for, by table
        self.quiet = True  # nothing was sent since the last beat
        self.closed = False  # nothing more is sent

    def tell(self, frame: bytes) -> None:
        """Send it as soon as the client can take it."""
        if not self.closed:
            self.socket.send(frame)
            self.quiet = False

    def overflowed(self) -> None:
        """Cut off a client that does not keep up."""
        if not self.closed:
            metrics.cut_off.inc()
            log.info("socket cut off: too slow", bytes=self.socket.waiting)
            self.close("too-slow", "This connection was too slow; resume from the last version you saw.", 1.0)

    def close(self, key: str, sentence: str, again: float | None = None) -> None:
        """Say goodbye and close; a client that does not read it in time is dropped."""
        if not self.closed:
            self.closed = True
            self.socket.send(frame(messages.Bye(key, sentence, again=again)))
            self.socket.close()


class Followers:
    """All connections of this server."""

    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self._followers: dict[str, dict[Connection, None]] = {}
        self._beating: asyncio.Task[None] | None = None
        self._empty = asyncio.Event()

    # -------------------------------------------------------------- who is here

    def enter(self, connection: Connection) -> None:
        self.connections.add(connection)
        self._empty.clear()
        metrics.sockets.set(len(self.connections))
        if self._beating is None:
            self._beating = asyncio.get_running_loop().create_task(self._beat())

    def leave(self, connection: Connection) -> list[str]:
        """The connection is gone; returns the tables that it followed."""
        connection.closed = True
        self.connections.discard(connection)
        if not self.connections:
            self._empty.set()
        metrics.sockets.set(len(self.connections))
        left = list(connection.tables)
        for table in left:
            self.unfollow(connection, table)
        return left

    def follow(self, connection: Connection, table: str, seat: int | None = None) -> None:
        """The connection follows the table, as `seat` sees it as long as that is allowed."""
        connection.watched.pop(table, None)
        if seat is not None:
            connection.watched[table] = seat
        if table not in connection.tables and not connection.closed:
            self._followers.setdefault(table, {})[connection] = None
            connection.tables |= {table}
            metrics.followers.inc()

    def unfollow(self, connection: Connection, table: str) -> None:
        if table in connection.tables:
            followers = self._followers[table]
            del followers[connection]
            if not followers:
                del self._followers[table]
            connection.tables -= {table}
            connection.watched.pop(table, None)
            metrics.followers.dec()

    def followed(self, table: str) -> bool:
        return table in self._followers

    def of(self, table: str) -> Collection[Connection]:
        """The connections that follow the table."""
        return self._followers.get(table, ())

    @property
    def tables(self) -> list[str]:
        """Every table that somebody here follows."""
        return list(self._followers)

    def people(self, table: str) -> set[str]:
        """The ids of all who follow the table here."""
        return {connection.person.id for connection in self._followers.get(table, ())}

    # -------------------------------------------------------------- telling them

    def tell(self, table: str, frame: bytes) -> None:
        """The same to all who follow."""
        for connection in self.of(table):
            connection.tell(frame)

    def close_all_by(self, tokens: set[bytes], key: str, sentence: str) -> None:
        """Those tokens are void: whoever has a new one by then reconnects with it."""
        for connection in self.connections:
            if connection.token in tokens:
                connection.close(key, sentence, ANOTHER_TOKEN)

    async def close(self, again: float) -> None:
        """Say goodbye to all and wait until they are gone; they may resume, here or elsewhere."""
        if self._beating is not None:
            self._beating.cancel()
        for connection in list(self.connections):
            connection.close("closing", "This server is shutting down; connect again.", again)
        if self.connections:
            await self._empty.wait()

    async def _beat(self) -> None:
        """Tell those who have heard nothing for a while that the server is up; ask all whether they are."""
        while True:
            await asyncio.sleep(BEAT)
            for number, connection in enumerate(list(self.connections)):
                if not connection.socket.heard:
                    log.info("socket dropped: silent")
                    connection.socket.abort()
                    continue
                connection.socket.heard = False
                connection.socket.send(PING_FRAME)
                if connection.quiet:
                    connection.tell(BEAT_FRAME)
                connection.quiet = True
                if number % BEATS_AT_ONCE == BEATS_AT_ONCE - 1:
                    await asyncio.sleep(0.01)
