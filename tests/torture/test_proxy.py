"""What reaches a client is always the beginning of what was sent to it, as TCP promises."""

from __future__ import annotations

import asyncio
import random
import time

import pytest

from tests.torture.proxy import Proxy

pytestmark = pytest.mark.anyio
SENT = b"".join(number.to_bytes(4, "big") for number in range(20_000))


async def chatter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A server that says all of it, a little at a time."""
    try:
        for start in range(0, len(SENT), 40):
            writer.write(SENT[start : start + 40])
            await asyncio.sleep(0)
    except OSError:
        pass
    writer.close()


async def heard(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    found = b""
    try:
        while data := await reader.read(1 << 16):
            found += data
            time.sleep(0.001)  # as on a busy machine
    except OSError:
        pass
    writer.close()
    return found


@pytest.mark.parametrize("kind", ["cut", "drop", "delay", "split", "stall"])
async def test_nothing_is_missing_in_the_middle(kind: str) -> None:
    dice = random.Random(kind)
    server = await asyncio.start_server(chatter, "127.0.0.1")
    async with Proxy(int(server.sockets[0].getsockname()[1]), dice) as proxy:
        hearing = [asyncio.create_task(heard(proxy.port)) for _ in range(12)]
        while len(proxy.links) < len(hearing):
            await asyncio.sleep(0)
        for link in list(proxy.links):
            link.begin(kind, dice.uniform(0.0, 0.02))
            await asyncio.sleep(0.001)
        for found in await asyncio.gather(*hearing):
            assert SENT.startswith(found)
    server.close()
