"""Websockets (RFC 6455) under uvicorn, lean enough for thousands of idle ones.

uvicorn's own keep some 20 kB and a task for each. Here the library `websockets` does the handshake and the
application accepts or refuses over ASGI as usual; from then on complete messages go straight from the
transport to a receiver and back, and a socket is a small object without a task. Pass `Handshake` to uvicorn
as `ws`.
"""

from __future__ import annotations

import asyncio
import http
import os
from typing import Any, Protocol, cast
from urllib.parse import unquote

from starlette.types import Message, Scope
from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.exceptions import SecurityError
from websockets.frames import apply_mask  # type: ignore[attr-defined]
from websockets.http11 import MAX_LINE_LENGTH, MAX_NUM_HEADERS, Request, Response
from websockets.server import ServerProtocol

from laguna.server.logs import get_log
from laguna.server.network.headers import HEADERS

log = get_log("websocket")

HANDSHAKE = "laguna.handshake"  # the extension of the ASGI scope through which an application accepts
LAST_WORDS = 5.0  # seconds for a client to read what is pending and close, before it is dropped
MAX_EARLY = 65_536  # bytes that a client may send before it is accepted
MAX_PARTS = 100  # frames of one message
MAX_AT_ONCE = 1000  # frames of one client before others get a turn
MAX_WAITING = 1_000_000  # bytes that a client may leave unread

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FINAL, MASKED, RESERVED = 0x80, 0x80, 0x70
NORMAL, GOING_AWAY, WRONG, NOT_TEXT, TOO_MANY, TOO_LARGE, LATER = 1000, 1001, 1002, 1003, 1008, 1009, 1013
PING_FRAME = bytes([FINAL | PING, 0])


def frame_of(payload: bytes, kind: int = TEXT) -> bytes:
    """A complete frame, as a server sends it."""
    size = len(payload)
    if size < 126:
        return bytes((FINAL | kind, size)) + payload
    if size < 65_536:
        return bytes((FINAL | kind, 126)) + size.to_bytes(2, "big") + payload
    return bytes((FINAL | kind, 127)) + size.to_bytes(8, "big") + payload


class Receiver(Protocol):
    """The owner of a socket."""

    def received(self, text: bytes) -> None:
        """A complete message. Nothing was checked except that it is marked as text."""

    def counted(self) -> bool:
        """A ping, a pong or part of a message arrived; False if that is one too many."""

    def refused(self, code: int) -> None:
        """The client sent something invalid: too much, or not text."""

    def overflowed(self) -> None:
        """More than `MAX_WAITING` bytes are waiting for the client."""

    def lost(self) -> None:
        """The socket is gone."""


class WebSocket(asyncio.Protocol):
    """An open websocket. Messages of more than `most` bytes are refused."""

    __slots__ = (
        "_closing",
        "_connections",
        "_deaf",
        "_message",
        "_out",
        "_parts",
        "_paused",
        "_rest",
        "_transport",
        "heard",
        "most",
        "owner",
    )

    def __init__(
        self, transport: asyncio.Transport, connections: set[Any], owner: Receiver, most: int
    ) -> None:
        self.owner = owner
        self.most = most
        self.heard = True  # any traffic since the last check
        self._transport = transport
        self._connections = connections
        self._connections.add(self)
        self._out: list[bytes] = []  # frames to send in this iteration of the event loop
        self._rest = b""  # of a frame that is not complete yet
        self._message: bytearray | None = None  # the parts received of a message in several frames
        self._parts = 0  # how many of its frames have arrived
        self._paused = False
        self._deaf = False
        self._closing = False

    # -------------------------------------------------------------- sending

    def send(self, frame: bytes) -> None:
        """Send a frame, batched with others of this event loop iteration; see `waiting` for slow clients."""
        if not self._closing:
            if not self._out:
                asyncio.get_running_loop().call_soon(self._flush)
            self._out.append(frame)

    def _flush(self) -> None:
        frames, self._out = self._out, []
        if frames and not self._transport.is_closing():
            self._transport.write(b"".join(frames))
            if self.waiting > MAX_WAITING:
                self.owner.overflowed()

    @property
    def waiting(self) -> int:
        """The number of bytes that the client has not read yet."""
        return self._transport.get_write_buffer_size()

    def close(self, code: int = NORMAL) -> None:
        """Close after sending pending data; a client that does not read or answer it is dropped."""
        if not self._closing:
            self.send(frame_of(code.to_bytes(2, "big"), CLOSE))
            self._closing = True
            self._flush()
            asyncio.get_running_loop().call_later(LAST_WORDS, self._transport.abort)

    def abort(self) -> None:
        self._transport.abort()

    # -------------------------------------------------------------- moving to another process

    def let_go(self) -> tuple[int, bytes] | None:
        """A descriptor of the paused connection, and what was read of it but not used yet.

        None if it cannot be given away now: part of a message was read, or something is not sent yet.
        """
        self._flush()
        if self._closing or self._transport.is_closing() or self._message is not None or self.waiting:
            return None
        return os.dup(self._transport.get_extra_info("socket").fileno()), self._rest

    def forget(self) -> None:
        """Somebody else has the connection now: end it here, without a word to the client."""
        self._closing = True
        self._transport.abort()

    def take_up(self, rest: bytes) -> None:
        """Go on with a connection of which this has been read already."""
        self._rest = rest
        asyncio.get_running_loop().call_soon(self.data_received, b"")

    def shutdown(self) -> None:
        """As uvicorn calls it."""
        self.close(GOING_AWAY)

    # -------------------------------------------------------------- receiving

    def pause(self) -> None:
        """Stop reading messages for a while."""
        if not self._paused:
            self._paused = True
            if not self._transport.is_closing():
                self._transport.pause_reading()

    def resume(self) -> None:
        if self._paused:
            self._paused = False
            self.data_received(b"")
            if not self._paused and not self._transport.is_closing():
                self._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        self.heard = True
        if self._deaf:
            return
        data = self._rest + data if self._rest else data
        start = taken = 0
        while not self._paused and (end := self._take(data, start)):
            start = end
            taken += 1
            if taken == MAX_AT_ONCE:
                self.pause()
                asyncio.get_running_loop().call_soon(self.resume)
        self._rest = b"" if self._deaf else data[start:] if start else data

    def _take(self, data: bytes, start: int) -> int:
        """Take the frame that begins at `start` and return where the next begins; 0 if it is incomplete."""
        body = start + 2
        if len(data) < body:
            return 0
        first, length = data[start], data[start + 1] & 127
        if length > 125:
            body += 2 if length == 126 else 8
            if len(data) < body:
                return 0
            length = int.from_bytes(data[start + 2 : body], "big")
        kind = first & 15
        if not data[start + 1] & MASKED or first & RESERVED:
            return self._fail(WRONG)
        if kind >= CLOSE and (length > 125 or not first & FINAL):
            return self._fail(WRONG)
        if length + len(self._message or b"") > self.most:
            return self._fail(TOO_LARGE)
        end = body + 4 + length
        if len(data) < end:
            return 0
        payload = apply_mask(data[body + 4 : end], data[body : body + 4])
        return end if self._frame(kind, bool(first & FINAL), payload) else 0

    def _frame(self, kind: int, final: bool, payload: bytes) -> bool:
        """Handle a complete frame; False if it was the last."""
        if kind == CLOSE:
            self.close()
            self._transport.close()
            return False
        code = self._accept(kind, final, payload)
        if code:
            self._fail(code)
        return not code

    def _accept(self, kind: int, final: bool, payload: bytes) -> int:
        """Take a frame; 0, or the code that says what is wrong with it."""
        goes_on = self._message is not None
        if kind == TEXT and final and not goes_on:
            self._hand_on(payload)
        elif not self.owner.counted():
            return TOO_MANY
        elif kind == PING:
            self.send(frame_of(payload, PONG))
        elif kind == (CONTINUATION if goes_on else TEXT):
            return self._add_part(final, payload)
        elif kind != PONG:
            return NOT_TEXT if kind == BINARY else WRONG
        return 0

    def _add_part(self, final: bool, payload: bytes) -> int:
        """Take one of several frames of a message; 0, or the code for too many of them."""
        if self._message is None:
            self._message, self._parts = bytearray(), 0
        self._message += payload
        self._parts += 1
        if self._parts > MAX_PARTS:
            return TOO_LARGE
        if final:
            message, self._message = bytes(self._message), None
            self._hand_on(message)
        return 0

    def _hand_on(self, message: bytes) -> None:
        if not self._closing:
            self.owner.received(message)

    def _fail(self, code: int) -> int:
        """Close and stop reading: what follows cannot be understood."""
        if not self._closing:
            self.owner.refused(code)
        self.close(code)
        self._deaf = True
        if self._transport.can_write_eof():
            self._transport.write_eof()  # then the client closes; closing first might lose what was sent
        return 0

    def connection_lost(self, error: Exception | None) -> None:
        self._closing = True
        self._connections.discard(self)
        self.owner.lost()


class Handshake(asyncio.Protocol):
    """A connection that asks to become a websocket.

    The application finds it in its scope as the extension `HANDSHAKE` and calls `accept`, or sends
    `websocket.close` as with any ASGI server, which is HTTP's 403 (429 with the code `LATER`).
    """

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None
    ) -> None:
        self._app = config.loaded_app
        self._root_path = config.root_path
        self._server = server_state
        self._app_state = app_state
        self._http = ServerProtocol()
        self._response: Response | None = None
        self._early = b""
        self._answered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._server.connections.add(cast(Any, self))

    def connection_lost(self, error: Exception | None) -> None:
        self._answered = True
        self._server.connections.discard(cast(Any, self))

    def shutdown(self) -> None:
        """As uvicorn calls it."""
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        if self._response is not None:  # handshake already seen: early frames from an impatient client
            self._early += data
            if len(self._early) > MAX_EARLY:
                self._transport.abort()
            return
        self._http.receive_data(data)
        for request in self._http.events_received():
            if isinstance(request, Request):
                self._response = self._http.accept(request)
                if self._response.status_code != 101:
                    self._answer(self._response)
                else:
                    task = asyncio.create_task(self._ask(self._scope(request)))
                    self._server.tasks.add(task)
                    task.add_done_callback(self._server.tasks.discard)
        if self._http.handshake_exc is not None and not self._answered:
            self._refuse(self._http.handshake_exc)

    def _refuse(self, error: Exception) -> None:
        """Answer something that is not a readable handshake; the library has already closed its side."""
        if isinstance(error.__cause__ or error, SecurityError):
            status = http.HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            text = (
                f"A websocket handshake must have at most {MAX_NUM_HEADERS} headers, "
                f"of at most {MAX_LINE_LENGTH} bytes each.\n"
            )
        else:
            status = http.HTTPStatus.BAD_REQUEST
            text = (
                "A websocket handshake must be a plain GET request without a body: "
                "it has neither Content-Length nor Transfer-Encoding.\n"
            )
        log.info("handshake refused", status=status.value)
        self._answered = True
        self._transport.write(_dressed(self._http.reject(status, text)).serialize())
        self._transport.close()

    def _scope(self, request: Request) -> Scope:
        path, _, query = request.path.partition("?")
        peer, here = (self._transport.get_extra_info(name) for name in ("peername", "sockname"))
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if self._transport.get_extra_info("sslcontext") else "ws",
            "server": tuple(here[:2]) if isinstance(here, tuple) else None,
            "client": tuple(peer[:2]) if isinstance(peer, tuple) else None,
            "root_path": self._root_path,
            "path": self._root_path + unquote(path),
            "raw_path": (self._root_path + path).encode("ascii"),
            "query_string": query.encode("ascii"),
            "headers": [
                (name.lower().encode("ascii"), value.encode("latin-1"))
                for name, value in request.headers.raw_items()
            ],
            "subprotocols": [],
            "state": self._app_state.copy(),
            "extensions": {HANDSHAKE: self},
        }

    async def _ask(self, scope: Scope) -> None:
        try:
            await self._app(scope, self._receive, cast(Any, self._send))
        except Exception:
            log.exception("handshake failed")
        if not self._answered:
            self._answer(
                self._http.reject(
                    http.HTTPStatus.INTERNAL_SERVER_ERROR, "The details are in the server's log.\n"
                )
            )

    async def _receive(self) -> Any:
        return {"type": "websocket.disconnect" if self._answered else "websocket.connect", "code": 1006}

    async def _send(self, message: Message) -> None:
        if message["type"] == "websocket.close" and not self._answered:
            later = message.get("code") == LATER
            status = http.HTTPStatus.TOO_MANY_REQUESTS if later else http.HTTPStatus.FORBIDDEN
            self._answer(self._http.reject(status, message.get("reason", "") + "\n"))

    def _answer(self, response: Response) -> None:
        """Refuse the websocket."""
        self._answered = True
        self._write(_dressed(response))
        self._transport.close()

    def _write(self, response: Response) -> None:
        self._http.send_response(response)
        self._transport.write(b"".join(self._http.data_to_send()))

    def accept(self, owner: Receiver, most: int) -> WebSocket | None:
        """Accept the websocket, with `owner` receiving its messages; None if the client is already gone."""
        if self._answered or self._transport.is_closing():
            return None
        assert self._response is not None
        self._answered = True
        self._write(self._response)
        self._server.connections.discard(cast(Any, self))
        websocket = WebSocket(self._transport, self._server.connections, owner, most)
        self._transport.set_protocol(websocket)
        if self._early:
            asyncio.get_running_loop().call_soon(websocket.data_received, self._early)
        return websocket


def _dressed(response: Response) -> Response:
    """With the headers that all other responses have."""
    for name, value in HEADERS.items():
        response.headers[name] = value
    return response
