"""Our own websockets against a well-known client, and against frames that no client should send."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from laguna.server.network import websocket
from laguna.server.network.websocket import (
    HANDSHAKE,
    MAX_PARTS,
    MAX_WAITING,
    TOO_LARGE,
    TOO_MANY,
    Handshake,
    WebSocket,
    frame_of,
)

pytestmark = pytest.mark.anyio

MAX_MESSAGE = 100_000
MAX_SMALL_FRAMES = 100_000  # pings, pongs and parts that an echo puts up with
SCOPES: list[Scope] = []


class Echo:
    """Sends back what it receives."""

    socket: WebSocket

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.small_frames = 0
        self.gone = asyncio.Event()

    def received(self, text: bytes) -> None:
        if text == b"wait":
            self.socket.pause()
            asyncio.get_running_loop().call_later(0.1, self.socket.resume)
        self.socket.send(frame_of(text))

    def counted(self) -> bool:
        self.small_frames += 1
        return self.small_frames <= MAX_SMALL_FRAMES

    def refused(self, code: int) -> None:
        self.codes.append(code)
        self.socket.send(frame_of(b"sorry"))

    def overflowed(self) -> None:
        self.socket.abort()

    def lost(self) -> None:
        self.gone.set()


class Application:
    def __init__(self) -> None:
        self.echo = Echo()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        SCOPES.append(scope)
        assert (await receive())["type"] == "websocket.connect"
        if scope["path"] == "/no":
            await send({"type": "websocket.close", "reason": "no"})
        elif scope["path"] == "/broken":
            raise ZeroDivisionError
        else:
            accepted = scope["extensions"][HANDSHAKE].accept(self.echo, MAX_MESSAGE)
            assert accepted is not None
            self.echo.socket = accepted


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[int, Echo]]:
    application = Application()
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, ws=Handshake, lifespan="off", log_config=None))
    task = asyncio.create_task(server._serve([listener]))
    while not server.started:
        await asyncio.sleep(0.005)
    yield listener.getsockname()[1], application.echo
    server.should_exit = True
    await task


def client(port: int, path: str = "/") -> connect:
    return connect(f"ws://127.0.0.1:{port}{path}", compression=None, max_size=None)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, MAX_MESSAGE])
async def test_messages_of_every_length_come_back(size: int) -> None:
    text = "é" + "x" * (size - 2) if size > 1 else "x" * size
    async with serving() as (port, _), client(port) as ours:
        await ours.send(text)
        assert await ours.recv() == text


async def test_fragments_pings_and_order() -> None:
    async with serving() as (port, echo), client(port) as ours:
        await ours.send(["ab", "cd", "", "ef"])
        assert await ours.recv() == "abcdef"
        await (await ours.ping(b"there?"))
        for number in range(500):
            await ours.send(str(number))
        assert [await ours.recv() for _ in range(500)] == [str(number) for number in range(500)]
    await echo.gone.wait()


async def test_a_pause_keeps_what_arrives_in_the_meantime() -> None:
    async with serving() as (port, _), client(port) as ours:
        texts = ["wait", *map(str, range(100))]
        for text in texts:
            await ours.send(text)
        assert [await ours.recv() for _ in texts] == texts


async def test_a_message_that_is_too_long_is_refused_with_a_reason() -> None:
    for message in ("x" * (MAX_MESSAGE + 1), ["x" * MAX_MESSAGE, "x"]):
        async with serving() as (port, echo), client(port) as ours:
            with pytest.raises(ConnectionClosed) as closed:
                await ours.send(message)
                assert await ours.recv() == "sorry"
                await ours.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == TOO_LARGE
            assert echo.codes == [TOO_LARGE]


async def test_a_message_in_too_many_parts_is_refused() -> None:
    async with serving() as (port, echo), client(port) as ours:
        for letter in "xy":  # each message is counted by itself; the client adds an empty last part
            await ours.send([letter] * (MAX_PARTS - 1))
            assert await ours.recv() == letter * (MAX_PARTS - 1)
        with pytest.raises(ConnectionClosed) as closed:
            await ours.send([""] * MAX_PARTS)
            assert await ours.recv() == "sorry"
            await ours.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == TOO_LARGE
        assert echo.codes == [TOO_LARGE]


@pytest.mark.parametrize("frame", [b"\x89\x80", b"\x8a\x80"])  # a ping, a pong
async def test_every_frame_that_is_not_a_message_is_counted(
    frame: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.server.test_websocket.MAX_SMALL_FRAMES", 3)
    async with serving() as (port, echo):
        reader, writer = await raw(port)
        writer.write((frame + bytes(4)) * 5)
        found = await reader.read()
        assert found.endswith(frame_of(b"sorry") + frame_of(TOO_MANY.to_bytes(2, "big"), 8))
        assert (echo.codes, echo.small_frames) == ([TOO_MANY], 4)
        writer.close()
        await echo.gone.wait()


async def test_unread_pongs_are_bounded() -> None:
    async with serving() as (port, echo):
        reader, writer = await raw(port)
        reader._transport.pause_reading()  # type: ignore[attr-defined]
        most = 0
        for _ in range(1000):  # 64 MB
            writer.write(masked(0x89, b"x" * 125) * 500)
            try:
                await asyncio.wait_for(writer.drain(), 20)
            except ConnectionError:
                break
            most = max(most, echo.socket.waiting)
            if echo.gone.is_set():
                break
        assert echo.gone.is_set()
        assert most < 2 * MAX_WAITING
        writer.transport.abort()


async def test_closing_from_either_side() -> None:
    async with serving() as (port, echo), client(port) as ours:
        await ours.close(1000, "enough")
        await echo.gone.wait()
    async with serving() as (port, echo), client(port) as ours:
        await ours.send("hello")
        await ours.recv()
        echo.socket.close(1000)
        echo.socket.send(frame_of(b"never sent"))
        with pytest.raises(ConnectionClosed) as closed:
            await ours.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1000
        await echo.gone.wait()


async def test_a_refused_client_gets_an_http_response() -> None:
    async with serving() as (port, _):
        for path, status in [("/no", 403), ("/broken", 500)]:
            with pytest.raises(InvalidStatus) as denied:
                async with client(port, path):
                    pass
            assert denied.value.response.status_code == status
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        assert b" 400 " in await reader.readline()
        writer.close()


async def test_the_scope_is_that_of_asgi() -> None:
    async with serving() as (port, _), client(port, "/a%20table?seen=1") as ours:
        await ours.send("hello")
        await ours.recv()
    scope = SCOPES[-1]
    assert (scope["path"], scope["raw_path"], scope["query_string"]) == (
        "/a table",
        b"/a%20table",
        b"seen=1",
    )
    assert (b"host", f"127.0.0.1:{port}".encode()) in scope["headers"]
    assert scope["client"][0] == "127.0.0.1"
    assert scope["scheme"] == "ws"


async def raw(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection after the handshake, for arbitrary frames."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n"
    )
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def masked(first: int, payload: bytes) -> bytes:
    return bytes([first, 0x80 | len(payload), 0, 0, 0, 0]) + payload


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (b"\x81\x01a", 1002),  # not masked
        (masked(0xC1, b"a"), 1002),  # a reserved bit
        (masked(0x83, b"a"), 1002),  # no such kind
        (masked(0x8B, b"a"), 1002),
        (masked(0x80, b"a"), 1002),  # goes on with nothing
        (masked(0x01, b"a") + masked(0x81, b"b"), 1002),  # begins anew in the middle
        (masked(0x09, b"a"), 1002),  # a ping in parts
        (b"\x89\xfe\x00\x7e\x00\x00\x00\x00" + b"a" * 126, 1002),  # too long a ping
        (masked(0x82, b"a"), 1003),  # no text
        (b"\x81\xff\x7f" + b"\xff" * 7, 1009),  # as long as can be
    ],
)
async def test_frames_that_violate_the_protocol_end_the_connection(frames: bytes, code: int) -> None:
    async with serving() as (port, echo):
        reader, writer = await raw(port)
        writer.write(frames + masked(0x81, b"unheard"))
        found = await reader.read()
        assert found == frame_of(b"sorry") + frame_of(code.to_bytes(2, "big"), 8)
        assert echo.codes == [code]
        writer.close()
        await echo.gone.wait()


async def test_frames_in_pieces_of_any_size() -> None:
    draw = Random(1)
    async with serving() as (port, _):
        reader, writer = await raw(port)
        texts = [os.urandom(draw.choice([0, 3, 125])).hex().encode()[:125] for _ in range(60)]
        sent = b"".join(masked(0x81, text) + masked(0x8A, b"") for text in texts)
        while sent:
            size = draw.randrange(1, 40)
            writer.write(sent[:size])
            sent = sent[size:]
            if draw.random() < 0.2:
                await asyncio.sleep(0.001)
        expected = b"".join(map(frame_of, texts))
        assert await reader.readexactly(len(expected)) == expected
        writer.close()


async def test_many_frames_in_one_piece_are_handled_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "MAX_AT_ONCE", 10)
    async with serving() as (port, _):
        reader, writer = await raw(port)
        texts = [str(number).encode() for number in range(1000)]
        writer.write(b"".join(masked(0x81, text) + masked(0x8A, b"") for text in texts))
        expected = b"".join(map(frame_of, texts))
        assert await reader.readexactly(len(expected)) == expected
        writer.close()


async def test_noise_is_survived() -> None:
    draw = Random(2)
    async with serving() as (port, _echo):
        for _ in range(100):
            _, writer = await raw(port)
            writer.write(draw.randbytes(draw.randrange(1, 300)))
            writer.close()
        async with client(port) as ours:
            await ours.send("still there")
            assert await ours.recv() == "still there"
