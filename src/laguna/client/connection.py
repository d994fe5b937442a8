"""One websocket to a server, reconnected whenever it breaks."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Protocol

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from laguna import messages
from laguna.client.errors import ConnectionLost, Refused, Unreachable
from laguna.errors import BadOption, LagunaError

FIRST_DELAY, LONGEST_DELAY = 0.05, 5.0  # seconds before the next attempt
OPENING = 10.0  # seconds for the handshake and the greeting
FINAL = (400, 401, 403, 404)  # HTTP statuses that trying again would not change
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)  # what decoding may raise

Answer = messages.Done | messages.HintGiven | messages.Advised | messages.Previewed
TableFrame = messages.Table | messages.Changed | messages.Here


def encode(message: msgspec.Struct) -> bytes:
    """Encode a message for the server; raises BadOption for values that JSON cannot represent."""
    try:
        return messages.encode(message)
    except ValueError:
        text = "Half a character, or a number with thousands of digits, cannot be sent."
        raise BadOption("body", text) from None


class Follower(Protocol):
    """A table followed over this connection."""

    id: str

    def receive(self, frame: TableFrame) -> None: ...
    def connected(self) -> None: ...
    def disconnected(self) -> None: ...
    def fail(self, error: Exception) -> None: ...


class Connection:
    """Sends requests and passes frames on to the tables that are followed.

    No request is ever sent twice from here: one that is pending when the websocket breaks ends with
    `ConnectionLost`, and the caller decides what to do.
    """

    def __init__(self, url: str, headers: Callable[[], Mapping[str, str]], patience: float) -> None:
        self.url = url
        self.tables: dict[str, Follower] = {}
        self._headers = headers
        self._patience = patience
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._socket: ClientConnection | None = None
        self._settled = asyncio.Event()  # set when there is a websocket, or there will never be one
        self._failure: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def ask(self, make: Callable[[int], messages.ClientFrame]) -> Answer:
        """Send one request and wait for its answer; raises Refused, ConnectionLost or Unreachable."""
        self._task = self._task or asyncio.create_task(self._keep())
        await self._settled.wait()
        if self._socket is None:
            raise self._failure or ConnectionLost
        request = make(next(self._ids))
        text = encode(request)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[request.id] = answer
        try:
            with suppress(WebSocketException):  # the receiving side notices it too, and fails the answer
                await self._socket.send(text, text=True)
            return await answer
        finally:
            self._waiting.pop(request.id, None)

    def follow(self, table: Follower) -> None:
        """Pass frames to this table from now on."""
        self.tables[table.id] = table
        if self._socket is not None:
            table.connected()
        self._task = self._task or asyncio.create_task(self._keep())

    async def unfollow(self, table: Follower) -> None:
        """Stop following this table; nothing to do if the connection is gone."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
            if self._socket is not None:
                with suppress(ConnectionLost, LagunaError):
                    await self.ask(lambda id: messages.Unfollow(id, table.id))

    def drop(self) -> None:
        """Cut the websocket abruptly, as a bad network would. A new one is opened at once."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._fail(Unreachable(self.url, "this client is closed"))

    # -------------------------------------------------------------- the websocket

    async def _keep(self) -> None:
        """Connect, receive until the connection breaks, and connect again."""
        clock = asyncio.get_running_loop().time
        delays, last_seen = _delays(), clock()
        while True:
            delay = None
            try:
                async with self._connect() as socket:
                    await self._greet(socket)
                    delays = _delays()
                    delay = await self._receive(socket)
            except Refused as refused:
                return self._fail(refused)
            except InvalidStatus as error:
                if error.response.status_code in FINAL:
                    return self._fail(Refused("refused", f"The server refuses the connection: {error}."))
            except (OSError, TimeoutError, WebSocketException, *UNREADABLE) as error:
                if clock() - last_seen > self._patience:
                    return self._fail(Unreachable(self.url, error or "it stopped responding"))
            if self._socket is not None:
                last_seen = clock()
                self._lose()
            await asyncio.sleep(next(delays) if delay is None else delay)

    def _connect(self) -> connect:
        """Open a websocket; the server's own heartbeat replaces the library's."""
        return connect(
            self.url,
            additional_headers=dict(self._headers()),
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=OPENING,
            close_timeout=1,
        )

    async def _greet(self, socket: ClientConnection) -> None:
        """Wait for the greeting; after that, requests may be sent."""
        async with asyncio.timeout(OPENING):
            hello = messages.decode_message(await socket.recv(decode=False))
        if isinstance(hello, messages.Bye):
            raise Refused.because(hello)
        if not isinstance(hello, messages.Hello) or hello.protocol != messages.PROTOCOL:
            raise Refused("protocol", f"{self.url} speaks a different protocol version than this client.")
        self._silence = 2 * hello.heartbeat
        self._socket = socket
        self._settled.set()
        for table in list(self.tables.values()):
            table.connected()

    async def _receive(self, socket: ClientConnection) -> float:
        """Pass on every frame until the server says goodbye; return how long to wait before reconnecting."""
        while True:
            async with asyncio.timeout(self._silence):
                frame = messages.decode_message(await socket.recv(decode=False))
            match frame:
                case messages.Done() | messages.Previewed() | messages.Refused():
                    self._answer(frame)
                case messages.HintGiven() | messages.Advised():
                    self._answer(frame)
                case messages.Bye():
                    if frame.again is None:
                        raise Refused.because(frame)
                    return frame.again
                case messages.Table() | messages.Changed():
                    self._hand_on(frame.view.table, frame)
                case messages.Here():
                    self._hand_on(frame.table, frame)

    def _answer(self, frame: Answer | messages.Refused) -> None:
        waiting = self._waiting.pop(frame.id, None)
        if waiting is None or waiting.done():
            return
        if isinstance(frame, messages.Refused):
            waiting.set_exception(Refused.because(frame))
        else:
            waiting.set_result(frame)

    def _hand_on(self, table_id: str, frame: TableFrame) -> None:
        if table_id in self.tables:
            self.tables[table_id].receive(frame)

    def _lose(self) -> None:
        """The websocket is gone: fail everything that is waiting for an answer."""
        self._socket = None
        self._settled.clear()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionLost())
        for table in list(self.tables.values()):
            table.disconnected()

    def _fail(self, error: Exception) -> None:
        """There will be no new websocket."""
        self._lose()
        self._failure = error
        self._settled.set()
        for table in list(self.tables.values()):
            table.fail(error)


def _delays() -> Iterator[float]:
    """Exponential backoff with jitter, so that clients of a restarted server do not return all at once."""
    delay = FIRST_DELAY
    while True:
        yield delay * random.uniform(0.5, 1.0)
        delay = min(2 * delay, LONGEST_DELAY)
