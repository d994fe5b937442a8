"""A TCP proxy between clients and a server that does to their bytes what bad networks do, and worse.

TCP itself never duplicates, reorders or changes bytes, and websocket frames have no checksum, so what happens
to bytes within a message is chosen such that no other valid message can come of it: some are lost or come
twice, so that the length is wrong. Whole messages of a client are doubled and swapped: each is one frame, so
the server cannot tell that the client did not send them so.
"""

from __future__ import annotations

import asyncio
import random

from websockets.frames import apply_mask  # type: ignore[attr-defined]

PATIENT = 0.1  # seconds that a message to be swapped waits for the next one
PIECE = 7  # bytes at a time when the stream is split


class Link:
    """One connection through the proxy."""

    def __init__(self, client: asyncio.StreamWriter, server: asyncio.StreamWriter, dice: random.Random):
        self._client, self._server = client, server
        self._dice = dice
        self._next: dict[str, set[str]] = {"up": set(), "down": set()}  # to be done to the next bytes
        self._until: dict[str, float] = {}  # what lasts, until when
        self._held = b""  # a message that lets the next one pass first

    def begin(self, kind: str, seconds: float) -> None:
        """Let a fault of that kind happen to this connection."""
        if kind == "cut":
            self.cut()
        elif kind in ("half", "double", "swap", "garble"):
            self._next["up"].add(kind)
        elif kind == "garble-answer":
            self._next["down"].add("garble")
        elif kind == "drop":  # what comes later must not pass, even if it comes before the cut
            self._until[kind] = float("inf")
            asyncio.get_running_loop().call_later(seconds, self.cut)
        else:
            self._until[kind] = asyncio.get_running_loop().time() + seconds

    def cut(self) -> None:
        """Both sides notice at once: what was under way is lost."""
        for end in (self._client, self._server):
            end.transport.abort()

    async def pass_on(self, reader: asyncio.StreamReader, way: str) -> None:
        """Pass bytes on in one direction until either side ends."""
        writer = self._server if way == "up" else self._client
        try:
            while data := await reader.read(1 << 16):
                await self._last(way)
                if not self._lasts("drop"):
                    await self._send(writer, self._changed(data, way))
        except OSError:
            pass
        finally:
            self.cut()

    def _lasts(self, kind: str) -> bool:
        return self._until.get(kind, 0.0) > asyncio.get_running_loop().time()

    async def _last(self, way: str) -> None:
        """Wait as long as the network is slow, or the client does not read."""
        if self._lasts("delay"):
            await asyncio.sleep(self._dice.uniform(0.02, 0.1))
        if way == "down" and self._lasts("stall"):
            await asyncio.sleep(self._until["stall"] - asyncio.get_running_loop().time())

    async def _send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        size = PIECE if self._lasts("split") else len(data)
        for start in range(0, len(data), size or 1):
            if writer.is_closing():
                raise ConnectionResetError
            writer.write(data[start : start + size])
            await asyncio.sleep(0)
        await writer.drain()

    # -------------------------------------------------------------- what happens to the next bytes

    def _changed(self, data: bytes, way: str) -> bytes:
        todo = self._next[way]
        if "half" in todo:
            self._server.write(data[: len(data) // 2])
            asyncio.get_running_loop().call_later(0.01, self.cut)
            self._until["drop"] = float("inf")
            return b""
        if "garble" in todo:
            todo.discard("garble")
            return self._garbled(data)
        messages = requests_of(data) if todo or self._held else None
        if messages is None:
            return data
        if "double" in todo and (actions := [each for each in messages if is_action(each)]):
            todo.discard("double")
            messages += actions
        if "swap" in todo:
            todo.discard("swap")
            self._held = messages.pop()
            asyncio.get_running_loop().call_later(PATIENT, self._let_go)
        elif self._held:
            messages.append(self._taken())
        return b"".join(messages)

    def _garbled(self, data: bytes) -> bytes:
        """One to three bytes are lost or come twice."""
        place, size = self._dice.randrange(len(data)), self._dice.randint(1, 3)
        times = self._dice.choice([0, 2])
        return data[:place] + times * data[place : place + size] + data[place + size :]

    def _let_go(self) -> None:
        if self._held and not self._server.is_closing():
            self._server.write(self._taken())

    def _taken(self) -> bytes:
        held, self._held = self._held, b""
        return held


def requests_of(data: bytes) -> list[bytes] | None:
    """The frames of a client, if the bytes are complete ones and all of them are texts."""
    frames = []
    while data:
        if len(data) < 8 or data[0] != 0x81 or not data[1] & 0x80:
            return None
        end = _body(data) + 4 + _length(data)
        if len(data) < end:
            return None
        frames.append(data[:end])
        data = data[end:]
    return frames


def is_action(frame: bytes) -> bool:
    """Does this frame of a client ask to act? Said twice, other requests may well be done twice."""
    body = _body(frame)
    text: bytes = apply_mask(frame[body + 4 :], frame[body : body + 4])
    return b'"do":"act"' in text


def _body(frame: bytes) -> int:
    """Where the mask begins; the requests of our people are short."""
    return 4 if frame[1] & 127 == 126 else 2


def _length(frame: bytes) -> int:
    return int.from_bytes(frame[2:4], "big") if frame[1] & 127 == 126 else frame[1] & 127


class Proxy:
    """`async with Proxy(port, dice) as proxy:` passes on what comes to `proxy.port`."""

    def __init__(self, to: int, dice: random.Random) -> None:
        self._to = to
        self._dice = dice
        self.links: dict[Link, None] = {}  # in the order in which they came

    async def __aenter__(self) -> Proxy:
        self._listener = await asyncio.start_server(self._connected, "127.0.0.1")
        self.port = int(self._listener.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        for link in list(self.links):
            link.cut()
        await self._listener.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        link = Link(writer, there_writer, self._dice)
        self.links[link] = None
        try:
            await asyncio.gather(link.pass_on(reader, "up"), link.pass_on(there_reader, "down"))
        except asyncio.CancelledError:
            pass  # the run was interrupted
        finally:
            del self.links[link]
