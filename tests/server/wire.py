"""A wire between a client and a server that can be cut at a chosen moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum

Share = Callable[[bytes], tuple[bytes, bool]]


class Cut(Enum):
    """When the wire is cut."""

    HALF_REQUEST = "only half of the request has passed"
    NO_ANSWER = "the request has passed, nothing of the answer"
    HALF_ANSWER = "half of the answer has passed"
    AFTER_ANSWER = "the answer has passed"


class Wire:
    """`async with Wire(port) as wire:` passes on what comes to `wire.port`; `wire.cut = …` cuts it once."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._ends: set[asyncio.StreamWriter] = set()
        self.cut: Cut | None = None
        self.cuts = 0
        self._news = asyncio.Event()

    async def __aenter__(self) -> Wire:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1")
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self._abort()
        await self._server.wait_closed()

    async def was_cut(self, before: int) -> None:
        """Wait until it has been cut more than `before` times."""
        while self.cuts <= before:
            self._news.clear()
            await self._news.wait()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to)
        self._ends |= {writer, there_writer}
        await asyncio.gather(
            self._pass(reader, there_writer, self._request), self._pass(there_reader, writer, self._answer)
        )

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, share: Share) -> None:
        try:
            while data := await reader.read(1 << 20):
                part, last = share(data)
                writer.write(part)
                await writer.drain()
                if last:
                    await asyncio.sleep(0.001)  # so that it arrives before the end does
                    self._cut_now()
        except OSError:
            pass
        finally:
            writer.transport.abort()
            self._ends.discard(writer)

    def _request(self, data: bytes) -> tuple[bytes, bool]:
        """What passes toward the server, and whether it is the last."""
        if self.cut is Cut.HALF_REQUEST:
            return data[: len(data) // 2], True
        return data, False

    def _answer(self, data: bytes) -> tuple[bytes, bool]:
        """What passes toward the client, and whether it is the last."""
        if self.cut is Cut.NO_ANSWER:
            return b"", True
        if self.cut is Cut.HALF_ANSWER:
            return data[: len(data) // 2], True
        return data, self.cut is Cut.AFTER_ANSWER

    def _cut_now(self) -> None:
        self.cut = None
        self.cuts += 1
        self._news.set()
        self._abort()

    def _abort(self) -> None:
        for end in list(self._ends):
            end.transport.abort()
