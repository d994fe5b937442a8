"""What a load generator counts."""

from __future__ import annotations

import asyncio
import gc
import sys
import time

from msgspec import Struct

WARM_UP = 2.0  # seconds that are not measured
clock = time.perf_counter


class Measured(Struct):
    """The results of a run: acknowledged actions per second, milliseconds from request to acknowledgement."""

    tables: int
    actions: float
    total: int  # actions, warm-up included
    p50: float
    p99: float
    games: int
    refused: int
    busy: float  # this generator's own share of a core


class Tally:
    """Counts the actions of all players, once it is switched on."""

    def __init__(self) -> None:
        self.on = False
        self.latencies: list[float] = []
        self.total = 0  # including before it was switched on
        self.games = 0
        self.refused = 0
        self.refusals: dict[str, str] = {}  # key -> sentence
        self.goodbye: str | None = None

    def acknowledged(self, sent: float) -> None:
        self.total += 1
        if self.on:
            self.latencies.append(clock() - sent)

    def refuse(self, key: str, sentence: str) -> None:
        self.refused += 1
        self.refusals[key] = sentence

    async def measure(self, tables: int, seconds: float) -> Measured:
        await asyncio.sleep(WARM_UP)
        gc.collect()
        gc.disable()
        self.on, began, used = True, clock(), time.process_time()
        await asyncio.sleep(seconds)
        self.on, took, used = False, clock() - began, time.process_time() - used
        if self.goodbye:
            sys.exit(f"The server said goodbye: {self.goodbye}")
        waits = sorted(self.latencies) or [float("inf")]
        p50, p99 = (1000 * waits[int(len(waits) * part)] for part in (0.5, 0.99))
        rate = len(self.latencies) / took
        return Measured(tables, rate, self.total, p50, p99, self.games, self.refused, used / took)
