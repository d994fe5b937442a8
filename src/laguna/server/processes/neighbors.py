"""The other processes of this server: what this one asks them for, and passes on from them."""

from __future__ import annotations

import asyncio
import os
import socket
from array import array
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING

from starlette.types import Scope, Send

from laguna.errors import LagunaError
from laguna.messages import ClientFrame, Follow
from laguna.server import metrics
from laguna.server.live.bus import Bus, Heard, Notice
from laguna.server.live.work import Closing, Work
from laguna.server.logs import get_log
from laguna.server.processes.link import (
    AnyFromOwner,
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
    Tells,
    encode,
    read_from_owner,
)
from laguna.server.processes.place import ALONE, Place
from laguna.server.storage import Unavailable

if TYPE_CHECKING:
    from laguna.server.network.socket import Visitor

log = get_log("processes")

PATIENCE = 10.0  # seconds for a process that is starting; then requests to it are refused
BETWEEN_TRIES = 0.05  # seconds
AGAIN = 0.5  # seconds after which clients of a process that died come back


class Away(Unavailable):
    """The process that owns a table is not there."""

    def __init__(self) -> None:
        sentence = "A part of this server is starting again; try again in a moment."
        LagunaError.__init__(self, "unavailable", sentence)


class Failed(LagunaError):
    """What another process answered to a call."""


class Neighbor:
    """Another process. If it dies, whoever depended on it is told to connect again, and so resumes."""

    def __init__(self, path: str, door: str, work: Work) -> None:
        self._path = path
        self._door = door
        self._courier: socket.socket | None = None  # takes descriptors there
        self._work = work
        self._connected = asyncio.Event()
        self._link: Link[AnyFromOwner] | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._numbers = count(1)
        self._visitors: dict[int, Visitor] = {}
        self._number_of: dict[Visitor, int] = {}
        self._under_way = 0  # requests of visitors
        self._waiting: list[tuple[Visitor, ClientFrame]] = []  # for the link
        self._too_late: asyncio.TimerHandle | None = None
        self._answers: dict[int, asyncio.Queue[HttpBegins | HttpBody | HttpFailed]] = {}
        self._calls: dict[int, asyncio.Future[str]] = {}

    @property
    def is_up(self) -> bool:
        return self._link is not None

    # -------------------------------------------------------------- the link

    def start(self) -> None:
        self._connecting = asyncio.get_running_loop().create_task(self._connect())

    async def _connect(self) -> None:
        """Again and again, until the other process listens."""
        loop = asyncio.get_running_loop()
        while self._link is None:
            try:
                _, self._link = await loop.create_unix_connection(
                    lambda: Link(read_from_owner, self._received, self._lost), self._path
                )
            except OSError:
                await asyncio.sleep(BETWEEN_TRIES)
        self._connected.set()
        waiting, self._waiting = self._waiting, []
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None
        for visitor, request in waiting:
            self._send_request(visitor, request)

    async def _linked(self) -> Link[AnyFromOwner]:
        """The link, as soon as there is one; Away if that takes too long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._connected.wait(), PATIENCE)
        if self._link is None:
            raise Away
        return self._link

    def close(self) -> None:
        if self._courier is not None:
            self._courier.close()
        if self._connecting is not None:
            self._connecting.cancel()
        if self._link is not None:
            self._link.close()

    def _lost(self) -> None:
        """The other process is gone, and with it everything that it was to tell."""
        self._link = None
        self._connected.clear()
        visitors = list(self._visitors.values())
        self._visitors.clear()
        self._number_of.clear()
        for visitor in visitors:
            visitor.close("closing", "A part of this server is starting again; connect again.", AGAIN)
            visitor.socket.resume()
        for _ in range(self._under_way):
            self._work.end()
        self._under_way = 0
        for number, answer in self._answers.items():
            answer.put_nowait(HttpFailed(number))
        for call in self._calls.values():
            if not call.done():
                call.set_exception(Away())
        if not self._work.closing:
            log.warning("another process is gone", sockets=len(visitors))
            self.start()

    def _received(self, message: AnyFromOwner) -> None:
        match message:
            case Tells(numbers, frame):
                for number in numbers:
                    if visitor := self._visitors.get(number):
                        visitor.tell(frame)
            case Ended(number):
                self._under_way -= 1
                self._work.end()
                if visitor := self._visitors.get(number):
                    visitor.ended()
            case HttpBegins(number) | HttpBody(number) | HttpFailed(number):
                if answer := self._answers.get(number):
                    answer.put_nowait(message)
            case Returns(number, value, key, sentence):
                call = self._calls.get(number)
                if call is not None and not call.done():
                    if key:
                        call.set_exception(Failed(key, sentence))
                    else:
                        call.set_result(value)

    # -------------------------------------------------------------- sockets

    def ask(self, visitor: Visitor, request: ClientFrame) -> None:
        """Pass a request on; its answer reaches the visitor, who is told when it has ended."""
        try:
            self._work.begin()
        except Closing:
            visitor.ended()  # the client is told goodbye
            return
        metrics.forwarded.inc()
        self._under_way += 1
        if self._link is not None:
            self._send_request(visitor, request)
            return
        self._waiting.append((visitor, request))
        if self._too_late is None:
            loop = asyncio.get_running_loop()
            self._too_late = loop.call_later(PATIENCE, self._refuse_waiting)

    def take(self, visitor: Visitor, request: Follow) -> bool:
        """Move the visitor's whole socket there, with its request; False if that cannot be done now."""
        let_go = visitor.socket.let_go() if self._link is not None and not visitor.closed else None
        if let_go is None:
            return False
        descriptor, rest = let_go
        person = visitor.person
        moved = Moved(person.id, person.name, visitor.address, visitor.token, request, rest)
        if self._courier is None:
            self._courier = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._courier.setblocking(False)
        try:
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [descriptor]))
            self._courier.sendmsg([encode(moved)], [rights], 0, self._door)
        except OSError:  # many move at this moment, it is dying, or too much was read
            return False
        finally:
            os.close(descriptor)
        visitor.socket.forget()
        metrics.moved.inc()
        return True

    def knows(self, visitor: Visitor) -> bool:
        return visitor in self._number_of

    def _send_request(self, visitor: Visitor, request: ClientFrame) -> None:
        assert self._link is not None
        number = self._number_of.get(visitor)
        if number is None:
            number = self._number_of[visitor] = next(self._numbers)
            self._visitors[number] = visitor
            self._link.send(Enters(number, visitor.person.id, visitor.person.name, visitor.address))
        self._link.send(Asks(number, request))
        if visitor.closed:  # what was asked for is done all the same
            self.gone(visitor)

    def _refuse_waiting(self) -> None:
        waiting, self._waiting, self._too_late = self._waiting, [], None
        for visitor, request in waiting:
            self._under_way -= 1
            self._work.end()
            visitor.ended()
            visitor.refuse(request, Away())

    def gone(self, visitor: Visitor) -> None:
        """The visitor's socket is closed."""
        number = self._number_of.pop(visitor, None)
        if number is not None:
            del self._visitors[number]
            if self._link is not None:
                self._link.send(Leaves(number))

    # -------------------------------------------------------------- HTTP

    async def http(self, scope: Scope, body: bytes, send: Send) -> None:
        """Have the request answered there; Away if it cannot be."""
        with self._work.under_way():
            link, number = await self._linked(), next(self._numbers)
            metrics.forwarded.inc()
            answer = self._answers[number] = asyncio.Queue()
            link.send(_http_request(number, scope, body))
            begun = False
            try:
                while True:
                    match await answer.get():
                        case HttpBegins(_, status, headers, route, parts):
                            scope["route"], scope["path_params"] = SimpleNamespace(path=route), parts
                            begun = True
                            await send(
                                {"type": "http.response.start", "status": status, "headers": list(headers)}
                            )
                        case HttpBody(_, piece, more):
                            await send({"type": "http.response.body", "body": piece, "more_body": more})
                            if not more:
                                return
                        case HttpFailed() if begun:
                            return  # uvicorn closes the connection: the rest will never come
                        case HttpFailed():
                            raise Away
            finally:
                del self._answers[number]

    # -------------------------------------------------------------- among processes

    def note(self, notice: Notice) -> None:
        if self._link is not None:
            self._link.send(Noted(notice))

    async def call(self, name: str, *arguments: str, seconds: float | None = None) -> str:
        """Call one of the other process's functions (see `Host`).

        Failed if it raised, Away if the process is not there or does not answer within these `seconds`.
        """
        link, number = await self._linked(), next(self._numbers)
        self._calls[number] = asyncio.get_running_loop().create_future()
        try:
            link.send(Calls(number, name, list(arguments)))
            async with asyncio.timeout(seconds):
                return await self._calls[number]
        except TimeoutError:
            raise Away from None
        finally:
            del self._calls[number]


def _http_request(number: int, scope: Scope, body: bytes) -> HttpRequest:
    return HttpRequest(
        number,
        scope["method"],
        scope["path"],
        scope.get("raw_path") or scope["path"].encode(),
        scope["query_string"],
        list(scope["headers"]),
        scope["client"],
        scope["server"],
        scope["scheme"],
        body,
    )


class Neighbors:
    """All other processes; there are none in a server of one process."""

    def __init__(self, place: Place = ALONE, work: Work | None = None) -> None:
        self.place = place
        work = work or Work()
        others = [index for index in range(place.count) if index != place.index]
        self._others = {
            index: Neighbor(place.socket_of(index), place.door_of(index), work) for index in others
        }

    def __iter__(self) -> Iterator[Neighbor]:
        return iter(self._others.values())

    @property
    def are_up(self) -> bool:
        return all(each.is_up for each in self._others.values())

    @property
    def first(self) -> Neighbor | None:
        """The process that does what only one may do; None if that is this one."""
        return self._others.get(0)

    def owner_of(self, table_id: str) -> Neighbor | None:
        """The process that owns the table; None if this one does."""
        return self._others.get(self.place.owner(table_id)) if self._others else None

    def start(self) -> None:
        for each in self._others.values():
            each.start()

    def close(self) -> None:
        for each in self._others.values():
            each.close()

    def know(self, visitor: Visitor) -> bool:
        """Does something of the visitor's depend on it staying here?"""
        return any(each.knows(visitor) for each in self._others.values())

    def gone(self, visitor: Visitor) -> None:
        for each in self._others.values():
            each.gone(visitor)

    def note(self, notice: Notice) -> None:
        for each in self._others.values():
            each.note(notice)


class WithNeighbors:
    """A bus that also tells the other processes whose tokens were revoked; a table has one owner there."""

    def __init__(self, bus: Bus, neighbors: Neighbors) -> None:
        self._bus = bus
        self._neighbors = neighbors
        self.shared = bus.shared

    async def start(self, heard: Heard) -> None:
        await self._bus.start(heard)

    async def close(self) -> None:
        await self._bus.close()

    def publish(self, notice: Notice) -> None:
        self._bus.publish(notice)
        if notice.person:
            self._neighbors.note(notice)

    def listen(self, table: str) -> None:
        self._bus.listen(table)

    def forget(self, table: str) -> None:
        self._bus.forget(table)

    async def ask(self, job: bytes, seconds: float) -> bytes | None:
        return await self._bus.ask(job, seconds)
