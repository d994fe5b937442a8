"""What a process does for the others: it lets their visitors and HTTP requests to the tables it owns."""

from __future__ import annotations

import asyncio
import socket as sockets
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import msgspec
from starlette.types import ASGIApp, Message

from laguna.errors import LagunaError
from laguna.messages import MAX_FRAME
from laguna.server import metrics
from laguna.server.live.bus import Heard
from laguna.server.live.requests import Tables
from laguna.server.logs import get_log
from laguna.server.network.socket import Socket, Visitor
from laguna.server.network.websocket import WebSocket
from laguna.server.processes.link import (
    AnyToOwner,
    Asks,
    Calls,
    Ended,
    Enters,
    HttpBegins,
    HttpBody,
    HttpFailed,
    HttpRequest,
    Leaves,
    Link,
    Moved,
    Noted,
    Returns,
    read_moved,
    read_to_owner,
)
from laguna.server.processes.place import Place
from laguna.table.entries import Person
from laguna.warmup import Stage

log = get_log("processes")

MAX_MOVED = 1 << 20  # bytes that come with a socket: less than one read of the event loop

Function = Callable[..., Awaitable[str]]


class Host:
    """Listens for the other processes. `functions` are those that they may call."""

    def __init__(
        self,
        path: str,
        door: str,
        socket: Socket,
        app: ASGIApp,
        heard: Heard,
        functions: dict[str, Function],
    ) -> None:
        self.path = path
        self._door = door
        self._moving: sockets.socket | None = None
        self.socket = socket
        self.app = app
        self.heard = heard
        self.functions = functions
        self._server: asyncio.Server | None = None
        self._guests: set[_Guests] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        for path in (self.path, self._door):
            Path(path).unlink(missing_ok=True)  # of the process that died
        loop = asyncio.get_running_loop()
        self._moving = sockets.socket(sockets.AF_UNIX, sockets.SOCK_DGRAM)
        self._moving.setblocking(False)
        self._moving.bind(self._door)
        loop.add_reader(self._moving, self._take_over)
        self._server = await loop.create_unix_server(self._linked, self.path)

    def _linked(self) -> Link[AnyToOwner]:
        return _Guests(self).link

    async def close(self) -> None:
        """Finish what the others have asked for, and end the links."""
        if self._moving is not None:
            asyncio.get_running_loop().remove_reader(self._moving)
            self._moving.close()
        if self._server is not None:
            self._server.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1.0)
        for each in list(self._guests):
            each.link.close()

    def _take_over(self) -> None:
        """Go on with sockets that were in other processes."""
        assert self._moving is not None
        with suppress(BlockingIOError):
            while True:
                told, descriptors, _, _ = sockets.recv_fds(self._moving, MAX_MOVED, 1)
                moved, connection = read_moved(told), sockets.socket(fileno=descriptors[0])
                connection.setblocking(False)
                self.spawn(self._go_on(moved, connection))

    async def _go_on(self, moved: Moved, connection: sockets.socket) -> None:
        try:
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(lambda: _Arrival(self.socket, moved), connection)
        except OSError:
            connection.close()  # the client has left on the way

    def enter(self, guests: _Guests) -> None:
        self._guests.add(guests)

    def leave(self, guests: _Guests) -> None:
        self._guests.discard(guests)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Guests:
    """Everything that comes from one other process."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._visitors: dict[int, RemoteVisitor] = {}
        self.link: Link[AnyToOwner] = Link(read_to_owner, self._received, self._lost)
        host.enter(self)

    def _received(self, message: AnyToOwner) -> None:
        match message:
            case Asks(number, request):
                visitor = self._visitors[number]
                visitor.began()
                self._host.socket.begin(visitor, request)
            case Enters(number, person, name, address):
                self._visitors[number] = RemoteVisitor(
                    self._host.socket, Person(person, name), address, self.link, number
                )
            case Leaves(number):
                self._visitors.pop(number).lost()
            case HttpRequest():
                self._host.spawn(self._answer(message))
            case Noted(notice):
                self._host.heard(notice)
            case Calls(number, name, arguments):
                self._host.spawn(self._call(number, name, arguments))

    def _lost(self) -> None:
        """The other process is gone, and with it all sockets that it had."""
        self._host.leave(self)
        for visitor in self._visitors.values():
            visitor.lost()
        self._visitors.clear()

    async def _call(self, number: int, name: str, arguments: list[str]) -> None:
        try:
            self.link.send(Returns(number, await self._host.functions[name](*arguments)))
        except LagunaError as error:
            self.link.send(Returns(number, key=error.key, sentence=error.sentence))
        except Exception:
            log.exception("call of another process failed", name=name)
            self.link.send(Returns(number, key="internal", sentence="It failed."))

    async def _answer(self, asked: HttpRequest) -> None:
        """Answer an HTTP request as if it had come here; its guard has let it pass already."""
        number, scope, body, complete = asked.number, _scope(asked), asked.body, False
        given = False

        async def receive() -> Message:
            nonlocal given
            if given:
                await asyncio.Event().wait()  # that client stays until it is answered
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal complete
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "(none)")
                parts = {name: str(part) for name, part in scope.get("path_params", {}).items()}
                headers = [(bytes(name), bytes(value)) for name, value in message["headers"]]
                self.link.send(HttpBegins(number, message["status"], headers, route, parts))
            elif message["type"] == "http.response.body":
                complete = not message.get("more_body", False)
                self.link.send(HttpBody(number, bytes(message.get("body", b"")), not complete))

        try:
            await self._host.app(scope, receive, send)
        except Exception:
            log.exception("request of another process failed")
        if not complete:
            self.link.send(HttpFailed(number))


def _scope(asked: HttpRequest) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": asked.scheme,
        "path": asked.path,
        "raw_path": asked.raw_path,
        "query_string": asked.query,
        "root_path": "",
        "headers": asked.headers,
        "client": asked.client,
        "server": asked.server,
        "state": {},
        "extensions": {},
    }


class _Arrival(asyncio.Protocol):
    """A socket that has just come from another process."""

    def __init__(self, endpoint: Socket, moved: Moved) -> None:
        self._endpoint = endpoint
        self._moved = moved

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        moved = self._moved
        visitor = Visitor(self._endpoint, Person(moved.person, moved.name), moved.address, moved.token)
        connection = cast(asyncio.Transport, transport)
        visitor.socket = WebSocket(connection, set(), visitor, MAX_FRAME)
        connection.set_protocol(visitor.socket)
        visitor.arrived(moved.request, moved.rest)


class RemoteVisitor(Visitor):
    """A visitor whose socket is in another process, which has counted and limited its requests already."""

    __slots__ = ("_link", "_number")

    def __init__(
        self, endpoint: Socket, person: Person, address: str, link: Link[AnyToOwner], number: int
    ) -> None:
        super().__init__(endpoint, person, address, b"")
        self._link = link
        self._number = number

    def began(self) -> None:
        self._under_way += 1

    def tell(self, frame: bytes) -> None:
        if not self.closed:
            self._link.tell(self._number, frame)

    def ended(self) -> None:
        self._under_way -= 1
        self._link.send(Ended(self._number))


def host_of(place: Place, socket: Socket, app: ASGIApp, tables: Tables) -> Host:
    """What this process does for the others at its own tables."""

    async def erase(person_id: str) -> str:
        await tables.erasing.remove(person_id)
        return ""

    async def prepare(game: str, stage: str) -> str:
        await tables.games.ready(game, msgspec.convert(stage, Stage))
        return ""

    async def measures() -> str:
        return metrics.exposition()[0].decode()

    functions: dict[str, Function] = {"erase": erase, "prepare": prepare, "metrics": measures}
    path, door = place.socket_of(place.index), place.door_of(place.index)
    return Host(path, door, socket, app, tables.heard, functions)
