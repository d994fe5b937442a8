"""The websocket: one for each client, for as many tables as it follows.

A plain ASGI application, below any framework: at thousands of frames a second every layer is felt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.types import Receive, Scope, Send

from laguna import messages
from laguna.errors import LagunaError
from laguna.messages import MOST_FRAME, PROTOCOL, Bye, Done, Follow, Hello, Hint, Ping, Refused, Say, Unfollow
from laguna.server.guard import address_of
from laguna.server.hub import BEAT, Connection
from laguna.server.logs import get_log
from laguna.server.rates import Rates
from laguna.server.tables import Tables
from laguna.table.entries import Person

log = get_log("socket")

MOST_AT_ONCE = 16  # requests of one socket under way; further ones are not read yet
MOST_TABLES = 64  # that one socket may follow
MOST_DISREGARDED = 100  # refusals for haste in a row, before the socket is closed

Identify = Callable[[Scope], Awaitable[Person]]


class _Numbered(msgspec.Struct):
    """What can be said of a frame that makes no sense otherwise."""

    id: messages.RequestId


_number_of = msgspec.json.Decoder(_Numbered).decode


class Socket:
    """The endpoint. `identify` knows a person by the headers, or raises; `rates` limit what one may ask."""

    def __init__(self, tables: Tables, identify: Identify, rates: Rates, most_sockets: int = 20_000) -> None:
        self._tables = tables
        self._identify = identify
        self._rates = rates
        self._most_sockets = most_sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        address = address_of(scope)
        try:
            person = await self._identify(scope)
            self._rates.allow("socket", person.id, None)
        except LagunaError as error:
            log.info("socket denied", key=error.key, address=address)
            await send({"type": "websocket.close", "code": 1008, "reason": error.key})
            return
        await send({"type": "websocket.accept"})
        scope.clear()  # thousands of idle sockets need no headers
        hub = self._tables.hub
        if len(hub.connections) >= self._most_sockets or self._tables.closing:
            bye = Bye("full", "This server takes no more connections now; try again.", 5.0)
            await send({"type": "websocket.send", "text": messages.encode(bye).decode()})
            await send({"type": "websocket.close", "code": 1013})
            return
        task = asyncio.current_task()
        assert task is not None
        connection = Connection(person, address, send, task)
        hub.enter(connection)
        try:
            connection.tell(_text(Hello(PROTOCOL, person.name, 2 * BEAT)))
            await self._read(connection, receive)
        except asyncio.CancelledError:
            if not connection.closed:
                raise
        finally:
            self._tables.gone(connection)

    async def _read(self, connection: Connection, receive: Receive) -> None:
        """Take frames until the socket closes. Requests run beside each other, up to a limit."""
        under_way: set[asyncio.Task[None]] = set()
        disregarded = 0
        while (event := await receive())["type"] == "websocket.receive":
            request = self._request(connection, event.get("text"))
            if request is None:
                continue
            try:
                self._allow(connection, request)
                disregarded = 0
            except LagunaError as error:
                connection.tell(_text(_refused(request.id, error)))
                disregarded += 1
                if disregarded >= MOST_DISREGARDED:
                    connection.close(error.key, error.sentence, error.arguments.get("seconds", 1.0))
                continue
            if isinstance(request, Ping):
                connection.tell(_text(Done(request.id)))
                continue
            task = asyncio.create_task(self._answer(connection, request))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            if len(under_way) >= MOST_AT_ONCE:
                await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)

    def _request(self, connection: Connection, text: str | None) -> messages.ClientFrame | None:
        """The frame's request; one that cannot be read is refused, and without even an id it is the last."""
        if text is None or len(text) > MOST_FRAME:
            told = f"A frame is a text of at most {MOST_FRAME} characters."
            connection.close("too-large" if text else "malformed", told)
            return None
        try:
            request: messages.ClientFrame = messages.decode_request(text)
            return request
        except (msgspec.DecodeError, RecursionError) as error:
            try:
                number = _number_of(text).id
            except (msgspec.DecodeError, RecursionError):
                connection.close("malformed", f"That is no request: {error}.")
                return None
            connection.tell(_text(Refused(number, "malformed", f"That is no request: {error}.")))
            return None

    def _allow(self, connection: Connection, request: messages.Request) -> None:
        self._rates.allow("frame", connection.person.id, connection.address)
        if isinstance(request, Say):
            self._rates.allow("say", connection.person.id, connection.address)
        elif isinstance(request, Hint):
            self._rates.allow("hint", connection.person.id, connection.address)

    async def _answer(self, connection: Connection, request: messages.ClientFrame) -> None:
        """Do what is asked. It is never broken off, not even when the socket is gone meanwhile."""
        try:
            if isinstance(request, Follow):
                answer: messages.Message = await self._follow(connection, request)
            elif isinstance(request, Unfollow):
                await self._tables.unfollow(connection, request.table)
                answer = Done(request.id, table=request.table)
            else:
                answer = await self._tables.request(connection.person, request)
        except LagunaError as error:
            answer = _refused(request.id, error)
        except Exception:
            log.exception("request failed", request=type(request).__name__)
            answer = Refused(request.id, "internal", "Something went wrong in the server; it was noted.")
        connection.tell(_text(answer))

    async def _follow(self, connection: Connection, request: Follow) -> Done:
        if len(connection.tables) >= MOST_TABLES and request.table not in connection.tables:
            raise LagunaError("too-many-tables", f"One connection follows at most {MOST_TABLES} tables.")
        version = await self._tables.follow(connection, request.table, request.seen)
        return Done(request.id, version, request.table)


def _text(message: messages.Message) -> str:
    return messages.encode(message).decode()


def _refused(number: int, error: LagunaError) -> Refused:
    return Refused(number, error.key, error.sentence, error.clause, _plain(error.arguments))


def _plain(arguments: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(arguments, enc_hook=str)
    return plain
