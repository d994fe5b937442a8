"""What servers tell each other: that a table has changed, who is at it, who logged out, bot moves to compute.

A notice only says that it is time to check the storage, so losing one costs seconds, never a move: whoever
follows a table also asks the storage for its version from time to time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
import nats
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from laguna.server.logs import get_log

log = get_log("bus")

MAX_NOTICES = 10_000  # waiting to be sent; more are lost
JOBS = "laguna.bots"
WORKERS = "laguna-workers"  # the queue group: each job goes to one worker
TABLE = "laguna.table."
PEOPLE = "laguna.people"


class Notice(Struct, frozen=True, array_like=True):
    """From one server to the others that have this table: its version, or else who is connected to it there.

    Without a table, to all others: tokens of this `person` are void.
    """

    server: str
    table: str = ""
    version: int | None = None
    people: tuple[str, ...] = ()  # of the seats, by their ids
    spectators: int = 0
    person: str = ""


Heard = Callable[[Notice], None]


class Bus(Protocol):
    """The link between servers. `shared` says whether there can be others."""

    shared: bool

    async def start(self, heard: Heard) -> None: ...
    async def close(self) -> None: ...
    def publish(self, notice: Notice) -> None: ...
    def listen(self, table: str) -> None: ...
    def forget(self, table: str) -> None: ...
    async def ask(self, job: bytes, seconds: float) -> bytes | None:
        """A worker's answer to a bot job; None if there is no worker, or none that answers in time."""


class Alone:
    """One server, no workers: there is nobody to tell."""

    shared = False

    async def start(self, heard: Heard) -> None:
        pass

    async def close(self) -> None:
        pass

    def publish(self, notice: Notice) -> None:
        pass

    def listen(self, table: str) -> None:
        pass

    def forget(self, table: str) -> None:
        pass

    async def ask(self, job: bytes, seconds: float) -> bytes | None:
        return None


async def connect(url: str, name: str, **more: Any) -> Client:
    """A connection that is made, and made again after every loss, as soon as there is a server."""
    return await nats.connect(
        url,
        name=name,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        ping_interval=10,
        error_cb=_note_error,
        **more,
    )


async def disconnect(client: Client) -> None:
    """Send what is pending, if there is a connection to send it over, and close it."""
    with contextlib.suppress(nats.errors.Error, OSError, TimeoutError, RuntimeError):  # uvloop: it is closed
        await client.close()


async def _note_error(error: Exception) -> None:
    log.info("bus trouble", error=type(error).__name__)  # its text may hold the address with a password


class Nats:
    """A bus over NATS. It never makes anybody wait: without a connection, notices are lost."""

    shared = True

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: Client | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._sending: asyncio.Task[None] | None = None
        self._notices: asyncio.Queue[Notice] = asyncio.Queue(MAX_NOTICES)
        self._changes: asyncio.Queue[str] = asyncio.Queue()  # tables to look at in `_wanted`
        self._wanted: set[str] = set()
        self._subscribed: dict[str, Subscription] = {}
        self._heard: Heard | None = None

    @property
    def connected(self) -> bool:
        return self._client is not None and self._client.is_connected

    async def start(self, heard: Heard) -> None:
        """Start connecting; the server can work in the meantime."""
        self._heard = heard
        self._connecting = asyncio.create_task(self._connect())

    async def close(self) -> None:
        for task in (self._connecting, self._sending):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if self._client is not None:
            while self.connected and not self._notices.empty():
                await self._send(self._notices.get_nowait())
            await disconnect(self._client)

    async def _connect(self) -> None:
        self._client = await connect(self._url, "laguna serve", no_echo=True)
        with contextlib.suppress(nats.errors.Error):  # open sockets are checked every minute anyway
            await self._client.subscribe(PEOPLE, cb=self._hear)
        self._sending = asyncio.gather(self._send_notices(), self._subscribe())  # type: ignore[assignment]

    async def _send_notices(self) -> None:
        while True:
            await self._send(await self._notices.get())

    async def _send(self, notice: Notice) -> None:
        assert self._client is not None
        with contextlib.suppress(nats.errors.Error):  # not connected and the buffer is full: it is lost
            subject = TABLE + notice.table if notice.table else PEOPLE
            await self._client.publish(subject, msgspec.msgpack.encode(notice))

    async def _subscribe(self) -> None:
        """Carry out `listen` and `forget` one after the other; nats-py subscribes again after a loss."""
        assert self._client is not None
        while True:
            table = await self._changes.get()
            with contextlib.suppress(nats.errors.Error):
                if table in self._wanted and table not in self._subscribed:
                    self._subscribed[table] = await self._client.subscribe(TABLE + table, cb=self._hear)
                elif table not in self._wanted and table in self._subscribed:
                    await self._subscribed.pop(table).unsubscribe()

    async def _hear(self, message: Msg) -> None:
        assert self._heard is not None
        try:
            notice = msgspec.msgpack.decode(message.data, type=Notice)
        except msgspec.DecodeError:
            log.warning("unreadable notice on the bus")
            return
        self._heard(notice)

    def publish(self, notice: Notice) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._notices.put_nowait(notice)

    def listen(self, table: str) -> None:
        self._wanted.add(table)
        self._changes.put_nowait(table)

    def forget(self, table: str) -> None:
        self._wanted.discard(table)
        self._changes.put_nowait(table)

    async def ask(self, job: bytes, seconds: float) -> bytes | None:
        if self._client is None or not self._client.is_connected:
            return None
        try:
            answer = await self._client.request(JOBS, job, timeout=seconds)
        except (nats.errors.Error, TimeoutError):  # no worker, too late, or no connection any more
            return None
        return answer.data
