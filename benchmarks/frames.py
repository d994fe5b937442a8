"""Our websocket frames beside those of the library `websockets` (its Sans-I/O protocol), in the same run.

    python -m benchmarks.frames

For both: messages received and sent per second, as a busy table has them, and the memory of an idle socket.
"""

from __future__ import annotations

import asyncio
import time
import tracemalloc
from typing import Any

from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from laguna.server.network.websocket import WebSocket, frame_of

MESSAGES = 100_000
REQUEST = b'{"do":"act","id":17,"table":"abcdefghijklmnopqrstuv","version":123,"action":"c4-c7"}'
VIEW = b"x" * 3000
IDLE = 2000  # sockets


class Nowhere(asyncio.Transport):
    """A transport that accepts everything."""

    def write(self, data: Any) -> None: ...

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0


class Counter:
    """A receiver that counts messages."""

    def __init__(self) -> None:
        self.messages = 0

    def received(self, text: bytes) -> None:
        self.messages += 1

    def counted(self) -> bool:
        return True

    def refused(self, code: int) -> None: ...

    def overflowed(self) -> None: ...

    def lost(self) -> None: ...


def theirs() -> ServerProtocol:
    return ServerProtocol(state=OPEN, max_size=8192)


def ours(owner: Counter) -> WebSocket:
    return WebSocket(Nowhere(), set(), owner, 8192)


def receive_ours(data: bytes) -> float:
    counter = Counter()
    socket = ours(counter)
    began = time.process_time()
    for _ in range(MESSAGES):
        socket.data_received(data)
    assert counter.messages == MESSAGES
    return MESSAGES / (time.process_time() - began)


def receive_theirs(data: bytes) -> float:
    socket, messages = theirs(), 0
    began = time.process_time()
    for _ in range(MESSAGES):
        socket.receive_data(data)
        messages += len(socket.events_received())
    assert messages == MESSAGES
    return MESSAGES / (time.process_time() - began)


def send_ours() -> float:
    began = time.process_time()
    for _ in range(MESSAGES):
        frame_of(VIEW)
    return MESSAGES / (time.process_time() - began)


def send_theirs() -> float:
    socket = theirs()
    began = time.process_time()
    for _ in range(MESSAGES):
        socket.send_text(VIEW)
        socket.data_to_send()
    return MESSAGES / (time.process_time() - began)


def idle(make: Any) -> float:
    """Bytes of one socket."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [make() for _ in range(IDLE)]
    size = (tracemalloc.get_traced_memory()[0] - before) / len(kept)
    tracemalloc.stop()
    return size


async def main() -> None:
    masked = Frame(Opcode.TEXT, REQUEST).serialize(mask=True)
    rows = [
        ("messages received/s", receive_ours(masked), receive_theirs(masked)),
        ("messages sent/s", send_ours(), send_theirs()),
        ("bytes of an idle socket", idle(lambda: ours(Counter())), idle(theirs)),
    ]
    print(f"{'':26}{'ours':>12}{'websockets':>12}{'ratio':>8}")
    for name, one, other in rows:
        print(f"{name:26}{one:12,.0f}{other:12,.0f}{one / other:8.2f}")


if __name__ == "__main__":
    asyncio.run(main())
