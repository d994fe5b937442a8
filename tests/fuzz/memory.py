"""A connection without a network, and an event loop without waiting: what frames and requests travel over."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast


class Wire(asyncio.Transport):
    """The server's end of a connection. What it writes is kept; `hang_up` ends it as a client would."""

    def __init__(self, loop: asyncio.AbstractEventLoop | Turns) -> None:
        super().__init__({"peername": ("192.0.2.1", 50_000), "sockname": ("192.0.2.2", 80)})
        self.written = bytearray()
        self.protocol: Any = None
        self._loop = loop
        self._closing = False
        self._reading = True

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self.protocol  # type: ignore[no-any-return]

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        if not self._closing:
            self.written += data

    def get_write_buffer_size(self) -> int:
        return len(self.written)  # this client reads nothing

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        pass

    def is_reading(self) -> bool:
        return self._reading and not self._closing

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        self._reading = True

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        self.hang_up()

    def abort(self) -> None:
        self.hang_up()

    def hang_up(self) -> None:
        if not self._closing:
            self._closing = True
            self._loop.call_soon(lambda: self.protocol.connection_lost(None))


class Turns:
    """As much of an event loop as a websocket needs: it runs what was called soon, and nothing later."""

    def __init__(self) -> None:
        self._soon: deque[tuple[Callable[..., Any], tuple[Any, ...]]] = deque()

    def call_soon(self, callback: Callable[..., Any], *args: Any) -> None:
        self._soon.append((callback, args))

    def call_later(self, delay: float, callback: Callable[..., Any], *args: Any) -> None:
        pass

    def run(self) -> None:
        """All that is waiting, and what that calls soon."""
        while self._soon:
            callback, args = self._soon.popleft()
            callback(*args)

    @contextmanager
    def running(self) -> Iterator[None]:
        """This is the event loop that asyncio finds."""
        asyncio._set_running_loop(cast(asyncio.AbstractEventLoop, self))
        try:
            yield
        finally:
            asyncio._set_running_loop(None)
