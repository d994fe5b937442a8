"""The websocket endpoint: one socket per client, for all the tables it follows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
from starlette.types import Receive, Scope, Send

from laguna import messages
from laguna.errors import LagunaError, short
from laguna.messages import MAX_FRAME, PROTOCOL, Act, Done, Follow, Hello, Ping, Refused, Unfollow
from laguna.server.live.followers import BEAT, Connection, frame
from laguna.server.live.requests import Tables
from laguna.server.live.work import Closing
from laguna.server.logs import get_log
from laguna.server.network import quotas
from laguna.server.network.guard import address_of, denial
from laguna.server.network.http_errors import INTERNAL
from laguna.server.network.rate_limits import RateLimits, TooMany
from laguna.server.network.websocket import HANDSHAKE, MAX_PARTS, TOO_LARGE, TOO_MANY, Handshake
from laguna.server.processes.neighbors import Neighbor
from laguna.table import redact
from laguna.table.entries import Person

log = get_log("socket")

MAX_AT_ONCE = 16  # requests of one socket in progress; no more are read until one finishes
MAX_TABLES = 64  # that one socket may follow
MOVES, BETWEEN_MOVES = 10, 0.005  # tries to move to another process, and seconds between them
MAX_DISREGARDED = 100  # rate-limit refusals in a row before the socket is closed

Identify = Callable[[Scope], Awaitable[tuple[Person, bytes]]]


class _Numbered(msgspec.Struct):
    """What can still be read from an otherwise invalid frame."""

    id: messages.RequestId


_number_of = msgspec.json.Decoder(_Numbered).decode


class Socket:
    """An ASGI application for websockets. `identify` finds person and token from the headers, or raises."""

    def __init__(
        self, tables: Tables, identify: Identify, rates: RateLimits, max_sockets: int = 20_000
    ) -> None:
        self.tables = tables
        self.rates = rates
        self._identify = identify
        self._most_sockets = max_sockets
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handshake: Handshake = scope["extensions"][HANDSHAKE]
        address = address_of(scope)
        try:
            person, token = await self._identify(scope)
            self.rates.allow("socket", person.id, None)
        except LagunaError as error:
            log.info("socket denied", key=error.key, address=address)
            await send(denial(error))
            return
        visitor = Visitor(self, person, address, token)
        accepted = handshake.accept(visitor, MAX_FRAME)
        if accepted is None:
            return
        visitor.socket = accepted
        visitor.tell(frame(Hello(PROTOCOL, person.name, 2 * BEAT)))
        self.enter(visitor)

    def begin(self, visitor: Visitor, request: messages.ClientFrame) -> None:
        """Carry out a request. It is never cancelled, not even if the socket goes away in the meantime.

        An action needs no task, as a rule; but it must not overtake what this visitor asked for before.
        """
        owner = None if isinstance(request, Ping) else self.tables.neighbors.owner_of(request.table)
        if owner is not None:
            self._pass_on(visitor, request, owner)
            return
        if visitor.waits_for_one and isinstance(request, Act):
            end = partial(self._end, visitor, request)
            if self.tables.act_soon(visitor.person, request, end):
                return
        task = asyncio.get_running_loop().create_task(self._answer(visitor, request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def enter(self, visitor: Visitor) -> None:
        """From now on there is this connection; or not, if there are too many."""
        followers = self.tables.followers
        full = len(followers.connections) >= self._most_sockets
        followers.enter(visitor)
        if full or self.tables.closing:
            visitor.close("full", "This server cannot take more connections now; try again later.", 5.0)

    def _pass_on(self, visitor: Visitor, request: messages.ClientFrame, owner: Neighbor) -> None:
        """Let another process carry out a request. The socket moves there if all it does is there."""
        if not isinstance(request, Follow) or not visitor.is_free or self.tables.neighbors.know(visitor):
            owner.ask(visitor, request)
            return

        loop = asyncio.get_running_loop()

        def move(tries: int) -> None:
            if owner.take(visitor, request):
                return
            if tries > 1 and owner.is_up:
                loop.call_later(BETWEEN_MOVES, move, tries - 1)
            else:
                owner.ask(visitor, request)
                visitor.socket.resume()

        visitor.socket.pause()  # what comes after this request is read there
        loop.call_soon(move, MOVES)

    async def _answer(self, visitor: Visitor, request: messages.ClientFrame) -> None:
        outcome: messages.Message | BaseException = Closing()  # if this is cancelled
        try:
            outcome = await self._do(visitor, request)
        except Exception as error:
            outcome = error
        finally:
            self._end(visitor, request, outcome)

    def _end(
        self, visitor: Visitor, request: messages.ClientFrame, outcome: messages.Message | BaseException
    ) -> None:
        """A request has ended: tell what came of it."""
        visitor.ended()
        if isinstance(outcome, Closing):
            return  # no answer: the client is told goodbye, reconnects elsewhere and asks again
        if isinstance(outcome, BaseException):
            outcome = self._refused(visitor, request, outcome)
        visitor.tell(frame(outcome))

    def _refused(
        self, visitor: Visitor, request: messages.ClientFrame, error: BaseException
    ) -> messages.Message:
        kind = type(request).__name__
        if not isinstance(error, LagunaError):
            log.error("request failed", request=kind, exc_info=error)
            return Refused.because(INTERNAL, request.id)
        log.info(
            "request refused",
            request=kind,
            key=error.key,
            address=visitor.address,
            person=visitor.person.id,
        )
        return Refused.because(self.tables.problem(visitor.person, request, error), request.id)

    async def _do(self, visitor: Visitor, request: messages.ClientFrame) -> messages.Message:
        if isinstance(request, Follow):
            if len(visitor.tables) >= MAX_TABLES and request.table not in visitor.tables:
                raise LagunaError(
                    "too-many-tables", f"One connection can follow at most {MAX_TABLES} tables."
                )
            version = await self.tables.following.follow(visitor, request.table, request.seen, request.seat)
            return Done(request.id, version, request.table)
        if isinstance(request, Unfollow):
            self.tables.following.unfollow(visitor, request.table)
            return Done(request.id, table=request.table)
        return await self.tables.request(visitor.person, request)


class Visitor(Connection):
    """A connection that sends requests."""

    __slots__ = ("_disregarded", "_endpoint", "_under_way")

    def __init__(self, endpoint: Socket, person: Person, address: str, token: bytes) -> None:
        super().__init__(person, address, token)
        self._endpoint = endpoint
        self._under_way = 0
        self._disregarded = 0  # rate-limited requests in a row

    @property
    def is_free(self) -> bool:
        """Does it follow nothing, and is only one of its requests in progress?"""
        return not self.tables and self._under_way == 1

    def arrived(self, request: messages.ClientFrame, rest: bytes) -> None:
        """The socket was in another process until it asked for this; it has read so much more already."""
        self._endpoint.enter(self)
        self._under_way += 1
        self._endpoint.begin(self, request)
        self.socket.take_up(rest)

    def received(self, text: bytes) -> None:
        """Requests run concurrently, up to a limit; tables keep their own requests in order."""
        if self.closed:
            return
        try:
            request: messages.ClientFrame = messages.decode_request(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._cannot_read(text, error)
            return
        if not self._may(request):
            return
        if isinstance(request, Ping):
            self.tell(frame(Done(request.id)))
            return
        self._under_way += 1
        if self._under_way >= MAX_AT_ONCE:
            self.socket.pause()
        self._endpoint.begin(self, request)

    @property
    def waits_for_one(self) -> bool:
        """Is one request in progress, and no other?"""
        return self._under_way == 1

    def refuse(self, request: messages.Request, error: LagunaError) -> None:
        """Refuse what no table was asked for."""
        self.tell(frame(Refused.because(redact.error(None, self.person.id, error), request.id)))

    def ended(self) -> None:
        """A request of this connection has finished."""
        self._under_way -= 1
        self.socket.resume()

    def _cannot_read(self, text: bytes, error: Exception) -> None:
        """Refuse an invalid request by its id, and count it; without even an id, close the connection."""
        message = f"That is not a valid request: {short(str(error), 80)}."
        try:
            number = _number_of(text).id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.close("malformed", message)
            return
        if self._may(Ping(number)):
            self.tell(frame(Refused("malformed", message, id=number)))

    def _may(self, request: messages.Request) -> bool:
        try:
            self._endpoint.rates.allow("frame", self.person.id, self.address)
            quotas.allow(self._endpoint.rates, request, self.person.id, self.address)
        except TooMany as error:
            self.refuse(request, error)
            if self._disregard():
                self.close(error.key, error.sentence, error.arguments["seconds"])
            return False
        self._disregarded = 0
        return True

    def counted(self) -> bool:
        """Count a ping, a pong or part of a message as a frame, too."""
        try:
            self._endpoint.rates.allow("frame", self.person.id, self.address)
        except TooMany:
            return not self._disregard()
        self._disregarded = 0
        return True

    def _disregard(self) -> bool:
        """Count a rate-limited frame; True if there were too many in a row."""
        self._disregarded += 1
        return self._disregarded >= MAX_DISREGARDED

    def refused(self, code: int) -> None:
        if code == TOO_LARGE:
            self.close(
                "too-large", f"A message must have at most {MAX_FRAME} bytes, in at most {MAX_PARTS} frames."
            )
        elif code == TOO_MANY:
            self.close("too-many", "Too many frames at once; reconnect in a second.", 1.0)
        else:
            self.close("malformed", "Frames must be websocket text frames that contain JSON.")

    def lost(self) -> None:
        self._endpoint.tables.following.gone(self)
        self._endpoint.tables.neighbors.gone(self)
