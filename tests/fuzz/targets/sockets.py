"""Websockets: frames in pieces of any size, and the messages in them."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from laguna import messages
from laguna.server.network.rate_limits import RateLimits
from laguna.server.network.socket import Socket, Visitor
from laguna.server.network.websocket import BINARY, CLOSE, CONTINUATION, FINAL, PING, PONG, TEXT, WebSocket
from laguna.table.entries import Person
from tests.fuzz.memory import Turns, Wire
from tests.fuzz.targets.target import Check, Target, Wrong

MOST = 1000  # bytes of a message here
SMALL = 40  # pings, pongs and parts that the receiver puts up with
TABLE = "A" * 22
DIGEST = "0a" * 32

Heard = list[tuple[str, Any]]


class Ear:
    """Notes what arrives; some messages make it pause, as a busy server does."""

    socket: WebSocket

    def __init__(self, turns: Turns) -> None:
        self.heard: Heard = []
        self.small = 0
        self._turns = turns

    def received(self, text: bytes) -> None:
        if len(text) > MOST:
            raise Wrong("a message is too long")
        self.heard.append(("message", text))
        self.socket.send(text)
        if text.startswith(b"wait"):
            self.socket.pause()
            self._turns.call_soon(self.socket.resume)

    def counted(self) -> bool:
        self.small += 1
        return self.small <= SMALL

    def refused(self, code: int) -> None:
        self.heard.append(("refused", code))

    def overflowed(self) -> None:
        self.heard.append(("overflowed", None))
        self.socket.abort()

    def lost(self) -> None:
        self.heard.append(("lost", None))


def fed(turns: Turns, pieces: list[bytes]) -> tuple[Heard, bytes]:
    """What was heard and what was answered."""
    ear, wire = Ear(turns), Wire(turns)
    socket = wire.protocol = ear.socket = WebSocket(wire, set(), ear, MOST)
    for piece in pieces:
        if not wire.is_closing():
            socket.data_received(piece)
            turns.run()
            if len(socket._rest) > MOST + 14 and not wire.is_closing():
                raise Wrong(f"{len(socket._rest)} bytes are kept of a frame")
    wire.hang_up()
    turns.run()
    return ear.heard, bytes(wire.written)


def frames() -> Check:
    """Bytes are understood alike however they arrive; the first byte says how they are cut."""
    turns = Turns()

    def check(data: bytes) -> None:
        cuts, data = random.Random(data[0] if data else 0), data[1:]
        places = sorted(cuts.randrange(len(data) + 1) for _ in range(cuts.randrange(6)))
        pieces = [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]
        with turns.running():
            whole, in_pieces = fed(turns, [data]), fed(turns, pieces)
        if in_pieces != whole:
            raise Wrong(f"cut at {places}, these frames mean something else")
        if [kind for kind, _ in whole[0]].count("lost") != 1:
            raise Wrong("the end was not noticed once")

    return check


def frame(kind: int, payload: bytes, final: bool = True, mask: bytes = b"\0\0\0\0", wide: int = 0) -> bytes:
    """A client's frame; `wide`: in how many bytes its length is written."""
    size = len(payload)
    wide = wide or (0 if size < 126 else 2 if size < 65_536 else 8)
    length = bytes([128 | {0: size, 2: 126, 8: 127}[wide]]) + (size.to_bytes(wide, "big") if wide else b"")
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes([final * FINAL | kind]) + length + mask + masked


def conversations() -> list[bytes]:
    found = [
        frame(TEXT, b'{"do": "ping", "id": 1}', mask=b"abcd"),
        frame(TEXT, b"x" * 126) + frame(TEXT, b"wait") + frame(TEXT, b"after"),
        frame(TEXT, b"one", final=False)
        + frame(CONTINUATION, b"two", final=False)
        + frame(CONTINUATION, b""),
        frame(TEXT, b"one", final=False) + frame(PING, b"?") + frame(CONTINUATION, b"two"),
        frame(PING, b"there?") + frame(PONG, b"") + frame(PING, b"p" * 125),
        frame(CLOSE, b"\x03\xe8") + frame(TEXT, b"too late"),
        frame(CLOSE, b""),
        frame(BINARY, b"\x00\x01"),
        frame(CONTINUATION, b"of nothing"),
        frame(TEXT, b"short", wide=2) + frame(TEXT, b"short", wide=8),
        frame(TEXT, b"x" * MOST) + frame(TEXT, b"x" * (MOST + 1)),
        frame(TEXT, b"", final=False) * 50,
        frame(PING, b"", final=False),
        frame(TEXT | 0x40, b"compressed"),
        bytes([FINAL | TEXT, 5]) + b"naked",
        bytes([FINAL | TEXT, 255]) + b"\xff" * 12,
        frame(TEXT, b"wait") * 3 + frame(PING, b"!") * (SMALL + 2),
    ]
    return [bytes([cut]) + each for cut, each in enumerate(found)]


# ------------------------------------------------------------------ messages


class Quiet(Socket):
    """An endpoint that reads requests but does nothing about them."""

    def __init__(self) -> None:
        self.rates = RateLimits({"all": "off"})
        self.begun = 0

    def begin(self, visitor: Visitor, request: messages.ClientFrame) -> None:
        again = messages.decode_request(messages.encode(request))
        if again != request:
            raise Wrong(f"{request} is written as {again}")
        self.begun += 1
        visitor.ended()


def requests() -> Check:
    """Every message is begun, answered with a sentence, or ends the connection with one."""
    turns = Turns()

    def check(data: bytes) -> None:
        with turns.running():
            endpoint, wire = Quiet(), Wire(turns)
            visitor = Visitor(endpoint, Person("someone", "Someone"), "192.0.2.1", b"")
            visitor.socket = WebSocket(wire, set(), visitor, messages.MAX_FRAME)
            visitor.received(data)
            turns.run()
        if endpoint.begun + bool(wire.written) != 1:
            raise Wrong("there is no answer, or more than one")
        if len(wire.written) > 1000:
            raise Wrong("the answer is long")

    return check


def all_requests() -> list[bytes]:
    """One of each kind, with every field."""
    examples: dict[str, Any] = {
        "table": TABLE, "seat": 1, "version": 7, "seen": 3, "level": "dolphin", "text": "Hello!",
        "turn": True, "seconds": 1.5, "if_goes_on": True, "seal": DIGEST, "share": DIGEST, "head": DIGEST,
        "action": {"do": "place", "at": ["a", 1], "with": {"b": 2}},
    }  # fmt: skip
    found = []
    for kind in messages.ClientFrame.__args__:
        fields = {"do": kind.__struct_config__.tag, "id": 1}
        fields |= {name: examples[name] for name in kind.__struct_fields__ if name != "id"}
        found.append(msgspec.json.encode(fields))
        if "action" in fields:
            found.append(msgspec.json.encode(fields | {"action": "1Ra1"}))
    return found


def words() -> list[bytes]:
    names = [f'"{name}": '.encode() for name in ("do", "id", "table", "seat", "version", "action", "text")]
    kinds = [f'"{kind.__struct_config__.tag}"'.encode() for kind in messages.ClientFrame.__args__]
    odd = [b"null", b"true", b"-1", b"1e999", b"9" * 25, b"\\ud800", b"\xed\xa0\x80", b"[[", b"{}", b"1.5"]
    return [*names, *kinds, *odd, f'"{TABLE}"'.encode()]


def targets() -> list[Target]:
    return [
        Target(
            "frames",
            "websocket frames, whole and in pieces",
            frames,
            conversations,
            lambda: [each[1:7] for each in conversations()],
            ["laguna.server.network.websocket"],
            longest=1400,
        ),
        Target(
            "messages",
            "what clients say over a websocket",
            requests,
            all_requests,
            words,
            ["laguna.server.network.socket"],
            longest=600,
        ),
    ]
