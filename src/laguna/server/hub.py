"""Who follows which table over which socket, and what waits to be sent to them.

Nobody waits for a slow reader: what is told to a connection goes into its own bounded queue, and one
that overflows is cut off. A connection costs a writing task only while there is something to write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from starlette.types import Send

from laguna import messages
from laguna.server import metrics
from laguna.server.logs import get_log
from laguna.table.entries import Person

log = get_log("hub")

MOST_FRAMES = 256  # waiting for one connection
MOST_BYTES = 1_000_000
LAST_WORDS = 5.0  # seconds for a connection that is closed to take what waits for it
BEAT = 15.0  # a connection hears something at least this often
BEATS_AT_ONCE = 100

_beat = messages.encode(messages.Beat()).decode()


class Connection:
    """One socket of one person: `send` is the ASGI one, `reader` the task that reads from it."""

    __slots__ = (
        "_bye",
        "_frames",
        "_reader",
        "_send",
        "_size",
        "_writer",
        "address",
        "closed",
        "person",
        "quiet",
        "tables",
    )

    def __init__(self, person: Person, address: str, send: Send, reader: asyncio.Task[Any]) -> None:
        self.person = person
        self.address = address
        self.tables: set[str] = set()  # that it follows
        self.quiet = True  # nothing was told since the last look
        self.closed = False  # nothing more is sent, or can be
        self._send = send
        self._reader = reader
        self._frames: list[str] = []
        self._size = 0
        self._bye = False
        self._writer: asyncio.Task[None] | None = None

    def tell(self, frame: str) -> None:
        """Send it when the socket has time; a connection that cannot keep up is cut off."""
        if self._bye:
            return
        self._frames.append(frame)
        self._size += len(frame)
        self.quiet = False
        if len(self._frames) > MOST_FRAMES or self._size > MOST_BYTES:
            metrics.cut_off.inc()
            log.info("socket cut off: too slow", frames=len(self._frames), bytes=self._size)
            self._frames.clear()
            self.close("too-slow", "This connection was too slow; follow again from what was seen last.", 1.0)
        elif self._writer is None:
            self._writer = asyncio.get_running_loop().create_task(self._write())

    def close(self, key: str, sentence: str, again: float | None = None) -> None:
        """Send what waits, say goodbye and close; a socket that takes nothing is dropped soon after."""
        if self._bye:
            return
        self._bye = True
        self._frames.append(messages.encode(messages.Bye(key, sentence, again)).decode())
        loop = asyncio.get_running_loop()
        if self._writer is None:
            self._writer = loop.create_task(self._write())
        loop.call_later(LAST_WORDS, self._give_up)

    def _give_up(self) -> None:
        """It did not take its last words in time."""
        if not self.closed:
            self.abandon()
            self._reader.cancel()

    def abandon(self) -> None:
        """The socket is gone: there is nobody to tell anything."""
        self._bye = self.closed = True
        self._frames.clear()
        if self._writer is not None:
            self._writer.cancel()

    async def drained(self) -> None:
        """Wait until everything told so far is written, or cannot be."""
        if self._writer is not None:
            await asyncio.wait([self._writer])

    async def _write(self) -> None:
        try:
            while self._frames:
                frames, self._frames = self._frames, []
                for frame in frames:
                    await self._send({"type": "websocket.send", "text": frame})
                    self._size -= len(frame)
            if self._bye and not self.closed:
                self.closed = True
                await self._send({"type": "websocket.close", "code": 1000})
        except OSError:  # the client is gone; the reading side notices too
            self._bye = self.closed = True
        finally:
            self._writer = None


class Hub:
    """All connections of this server."""

    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self._followers: dict[str, dict[Connection, None]] = {}
        self._beating: asyncio.Task[None] | None = None

    # -------------------------------------------------------------- who is here

    def enter(self, connection: Connection) -> None:
        self.connections.add(connection)
        metrics.sockets.set(len(self.connections))
        if self._beating is None:
            self._beating = asyncio.get_running_loop().create_task(self._beat())

    def leave(self, connection: Connection) -> list[str]:
        """The connection is gone; the tables that it followed."""
        self.connections.discard(connection)
        metrics.sockets.set(len(self.connections))
        left = list(connection.tables)
        for table in left:
            self.unfollow(connection, table)
        connection.abandon()
        return left

    def follow(self, connection: Connection, table: str) -> None:
        self._followers.setdefault(table, {})[connection] = None
        if table not in connection.tables:
            connection.tables.add(table)
            metrics.followers.inc()

    def unfollow(self, connection: Connection, table: str) -> None:
        followers = self._followers.get(table)
        if followers is None or connection not in followers:
            return
        del followers[connection]
        if not followers:
            del self._followers[table]
        connection.tables.discard(table)
        metrics.followers.dec()

    def followed(self, table: str) -> bool:
        return table in self._followers

    @property
    def tables(self) -> list[str]:
        """Every table that somebody here follows."""
        return list(self._followers)

    def people(self, table: str) -> set[str]:
        """The ids of all who follow the table here."""
        return {connection.person.id for connection in self._followers.get(table, ())}

    def followers(self, table: str) -> Iterable[Connection]:
        return self._followers.get(table, ())

    # -------------------------------------------------------------- telling them

    def tell(self, table: str, frame: str) -> None:
        """The same to all who follow."""
        for connection in self._followers.get(table, ()):
            connection.tell(frame)

    def tell_each(self, table: str, receiver: Callable[[str], str], frame: Callable[[str], str]) -> None:
        """To each what it may see: `receiver` says as whom a person sees it, one `frame` is made for each."""
        frames: dict[str, str] = {}
        for connection in self._followers.get(table, ()):
            seen_as = receiver(connection.person.id)
            if seen_as not in frames:
                frames[seen_as] = frame(seen_as)
            connection.tell(frames[seen_as])

    def close_all_of(self, person: str, key: str, sentence: str) -> None:
        """Whoever is logged out, or somebody else now, has to connect anew."""
        for connection in self.connections:
            if connection.person.id == person:
                connection.close(key, sentence, 0.0)

    async def close(self, again: float) -> None:
        """Say goodbye to all and wait until they have heard it; they may resume, here or elsewhere."""
        if self._beating is not None:
            self._beating.cancel()
        for connection in self.connections:
            connection.close("closing", "This server closes; connect again.", again)
        await asyncio.gather(*(connection.drained() for connection in self.connections))

    async def _beat(self) -> None:
        """Tell those who have heard nothing for a while that the server is there; few at a time."""
        while True:
            await asyncio.sleep(BEAT)
            for number, connection in enumerate(list(self.connections)):
                if connection.quiet:
                    connection.tell(_beat)
                connection.quiet = True
                if number % BEATS_AT_ONCE == BEATS_AT_ONCE - 1:
                    await asyncio.sleep(0.01)
