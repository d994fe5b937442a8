"""How fast the storage acknowledges: `python -m benchmarks.storage sqlite:///FILE` or `… postgresql://…`.

Each caller appends one action after another to its own table, as a server does for its tables.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from typing import NamedTuple

from laguna.messages import SeatView
from laguna.server.storage import Storage, Summary
from laguna.table.entries import Acted, Opened, Person, Settings

SECONDS = 4.0
HOST = Person("someone", "Someone")
SEATS = [SeatView(seat, "red", "person", "Someone") for seat in range(2)]
SUMMARY = Summary("playing", "neptune-vesta", 2, SEATS, [["someone"], ["other"]], [0], due=1_700_000_000_000)


async def play(storage: Storage, until: float, waits: list[float]) -> None:
    table = secrets.token_urlsafe(16)
    opened = Opened(0, Settings("neptune-vesta", 2), HOST, "0" * 64, 1)
    await storage.open_table(table, secrets.token_bytes(32), [opened], SUMMARY)
    version = 1
    while (before := time.perf_counter()) < until:
        version += 1
        await storage.append(table, version, [Acted(version, 0, "1Ra1")], SUMMARY)
        waits.append(time.perf_counter() - before)


class Appends(NamedTuple):
    """What so many callers measured together."""

    callers: int
    rate: float  # appends per second
    p50: float  # milliseconds
    p99: float
    busy: float  # share of a core


async def measure(storage: Storage, callers: int) -> Appends:
    waits: list[float] = []
    busy, began = time.process_time(), time.perf_counter()
    await asyncio.gather(*(play(storage, began + SECONDS, waits) for _ in range(callers)))
    busy, took = time.process_time() - busy, time.perf_counter() - began
    waits.sort()
    p50, p99 = (waits[int(len(waits) * part)] * 1000 for part in (0.5, 0.99))
    return Appends(callers, len(waits) / took, p50, p99, busy / took)


async def main(url: str) -> None:
    storage = Storage(url)
    await storage.start()
    for callers in (1, 64, 512):
        found = await measure(storage, callers)
        print(f"{callers:4} callers: {found.rate:7.0f} appends/s", end=", ")
        print(f"p50 {found.p50:6.2f} ms, p99 {found.p99:6.2f} ms", end=", ")
        print(f"{found.busy:4.0%} of a core, {found.busy / found.rate * 1e6:4.0f} µs each")
    await storage.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
