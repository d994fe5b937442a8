"""A link between two processes of a server: batches of messages over a Unix socket.

Each process opens a link to every other one, and asks over it for what the other one owns. What is sent in
one iteration of the event loop travels together, and arrives in the order in which it was sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from laguna import messages
from laguna.server.live.bus import Notice
from laguna.server.logs import get_log

log = get_log("processes")

MAX_UNSENT = 64 << 20  # bytes that the other process may leave unread: it hangs, and the link is cut

# ------------------------------------------------------------------ to the owner of tables


class Moved(Struct, array_like=True):
    """A socket that goes on in the process that owns the table it asks to follow; with its descriptor."""

    person: str
    name: str
    address: str
    token: bytes
    request: messages.Follow
    rest: bytes  # of what was read


class ToOwner(Struct, array_like=True, tag_field="kind"):
    pass


class Enters(ToOwner, tag=1):
    """From now on there is a connection of that number."""

    number: int
    person: str
    name: str
    address: str


class Asks(ToOwner, tag=2):
    """The connection asks for something at a table."""

    number: int
    request: messages.ClientFrame


class Leaves(ToOwner, tag=3):
    """The connection is gone."""

    number: int


class HttpRequest(ToOwner, tag=4):
    """A complete HTTP request, as its ASGI scope has it."""

    number: int
    method: str
    path: str
    raw_path: bytes
    query: bytes
    headers: list[tuple[bytes, bytes]]
    client: tuple[str, int] | None
    server: tuple[str, int | None] | None
    scheme: str
    body: bytes


class Noted(ToOwner, tag=5):
    """What servers tell each other over a bus."""

    notice: Notice


class Calls(ToOwner, tag=6):
    """A function of the other process is called."""

    number: int
    name: str
    arguments: list[str]


# ------------------------------------------------------------------ and back


class FromOwner(Struct, array_like=True, tag_field="kind"):
    pass


class Tells(FromOwner, tag=1):
    """A websocket frame for these connections."""

    numbers: list[int]
    frame: bytes


class Ended(FromOwner, tag=2):
    """A request of the connection has been carried out."""

    number: int


class HttpBegins(FromOwner, tag=3):
    """The answer to an HTTP request begins; with the route that it took, and the parts of its path."""

    number: int
    status: int
    headers: list[tuple[bytes, bytes]]
    route: str
    parts: dict[str, str]


class HttpBody(FromOwner, tag=4):
    """A piece of the answer's body."""

    number: int
    body: bytes
    more: bool


class HttpFailed(FromOwner, tag=5):
    """There is no answer, or no more of it: what happened is in the log."""

    number: int


class Returns(FromOwner, tag=6):
    """What the function returned, or the key and the sentence of an error."""

    number: int
    value: str = ""
    key: str = ""
    sentence: str = ""


AnyToOwner = Enters | Asks | Leaves | HttpRequest | Noted | Calls
AnyFromOwner = Tells | Ended | HttpBegins | HttpBody | HttpFailed | Returns

T = TypeVar("T")

read_from_owner = msgspec.msgpack.Decoder(list[AnyFromOwner]).decode
read_to_owner = msgspec.msgpack.Decoder(list[AnyToOwner]).decode
read_moved = msgspec.msgpack.Decoder(Moved).decode
encode = msgspec.msgpack.Encoder().encode


class Link(asyncio.Protocol, Generic[T]):
    """One end of a link; `receive` gets the messages of a batch one by one, `lost` is called at its end."""

    def __init__(
        self, read: Callable[[bytes], list[T]], receive: Callable[[T], None], lost: Callable[[], None]
    ) -> None:
        self._read = read
        self._receive = receive
        self._lost = lost
        self._out: list[Any] = []  # to send in this iteration of the event loop
        self._received = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(MAX_UNSENT)

    def connection_lost(self, error: Exception | None) -> None:
        self._lost()

    def close(self) -> None:
        """Send what is pending, and end the link."""
        self._flush()
        self._transport.close()

    # -------------------------------------------------------------- sending

    def send(self, message: ToOwner | FromOwner) -> None:
        if not self._out:
            asyncio.get_running_loop().call_soon(self._flush)
        self._out.append(message)

    def tell(self, number: int, frame: bytes) -> None:
        """Send a connection a frame; one that goes to several in a row travels once."""
        last = self._out[-1] if self._out else None
        if type(last) is Tells and last.frame is frame:
            last.numbers.append(number)
        else:
            self.send(Tells([number], frame))

    def _flush(self) -> None:
        messages, self._out = self._out, []
        if messages and not self._transport.is_closing():
            batch = encode(messages)
            self._transport.write(len(batch).to_bytes(4, "big") + batch)
            if self._transport.get_write_buffer_size() > MAX_UNSENT:
                log.error("another process does not read", bytes=self._transport.get_write_buffer_size())
                self._transport.abort()

    # -------------------------------------------------------------- receiving

    def data_received(self, data: bytes) -> None:
        received = self._received
        received += data
        start = 0
        while len(received) - start >= 4:
            end = start + 4 + int.from_bytes(received[start : start + 4], "big")
            if len(received) < end:
                break
            for message in self._read(bytes(memoryview(received)[start + 4 : end])):
                self._receive(message)
            start = end
        del received[:start]
