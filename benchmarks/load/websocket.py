"""A minimal websocket client, so that the load generator itself is not the bottleneck.

It speaks as much of the protocol (RFC 6455) as these servers use: complete text frames, pings, close.
"""

from __future__ import annotations

import asyncio
import base64
import os
from typing import Protocol, cast

from websockets.speedups import apply_mask

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Player(Protocol):
    """The user of a websocket."""

    socket: WebSocket

    def on_text(self, text: bytes) -> None: ...


class WebSocket(asyncio.Protocol):
    """Passes every text to its player; `opened` is done once the server has accepted."""

    def __init__(self, host: str, path: str, headers: dict[str, str], player: Player) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._request = {"Host": host, "Upgrade": "websocket", "Connection": "Upgrade"} | headers
        self._request |= {
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        }
        self._path = path
        self._on_text = player.on_text
        player.socket = self
        self._received = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        lines = [f"GET {self._path} HTTP/1.1", *(f"{name}: {value}" for name, value in self._request.items())]
        self._transport.write("\r\n".join([*lines, "", ""]).encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(f"no websocket: {bytes(self._received[:200])!r}"))

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self.opened.done():
            head, found, _ = self._received.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head[:20]:
                self._transport.close()
                return
            del self._received[: len(head) + 4]
            self.opened.set_result(None)
        self._frames()

    def _frames(self) -> None:
        """Take every complete frame out of what was received."""
        data, start = self._received, 0
        while len(data) - start >= 2:
            head, length, body = data[start] & 15, data[start + 1], start + 2
            if length >= 126:
                body += 2 if length == 126 else 8
                length = int.from_bytes(data[start + 2 : body]) if len(data) >= body else len(data)
            if len(data) < body + length:
                break
            start = body + length
            payload = bytes(data[body:start])
            if head == TEXT:
                self._on_text(payload)
            elif head == PING:
                self._send(PONG, payload)
            elif head == CLOSE:
                self._transport.close()
        del data[:start]

    def send(self, text: bytes) -> None:
        self._send(TEXT, text)

    def _send(self, head: int, payload: bytes) -> None:
        mask, size = os.urandom(4), len(payload)
        length = bytes([128 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
        self._transport.write(bytes([128 | head]) + length + mask + apply_mask(payload, mask))

    def close(self) -> None:
        self._transport.close()


async def open_websocket(port: int, path: str, headers: dict[str, str], player: Player) -> WebSocket:
    """A websocket to this port of the loopback."""
    host = "127.0.0.1"
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: WebSocket(f"{host}:{port}", path, headers, player), host, port
    )
    async with asyncio.timeout(30):
        await socket.opened
    return socket
