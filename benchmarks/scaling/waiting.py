"""How long an action waits for its acknowledgement: one server process, simulated.

Actions come, the process handles them one after the other, and its writer makes all that wait durable in one
transaction, then the next. Handling times are drawn from an exponential distribution around the mean, which
varies more than what was measured.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from typing import NamedTuple

from benchmarks.scaling.costs import Writing

MAX_TOGETHER = 500  # actions in a transaction


class Waits(NamedTuple):
    """How actions fared."""

    rate: float  # acknowledged per second
    p50: float  # milliseconds
    p99: float


class Process:
    """A server process under load. With `players`, each acts again as soon as it is told."""

    def __init__(self, handling: float, writing: Writing, seed: int = 0) -> None:
        self._handling, self._writing = handling, writing
        self._chance = random.Random(seed)
        self._events: list[tuple[float, int, str]] = []
        self._came: dict[int, float] = {}
        self._waiting: deque[int] = deque()  # to be handled
        self._handled: list[int] = []  # to be written
        self._writes: list[int] = []
        self._busy = False
        self._waits: list[float] = []

    def open(self, rate: float, seconds: float) -> Waits:
        """Actions that come at this rate, whatever becomes of the earlier ones."""
        now, number = 0.0, 0
        while (now := now + self._chance.expovariate(rate)) < seconds:
            heapq.heappush(self._events, (now, number, "comes"))
            number += 1
        return self._run(seconds, again=False)

    def closed(self, players: int, seconds: float) -> Waits:
        """Players who never think, as those of the load generator."""
        for player in range(players):
            heapq.heappush(self._events, (0.0, player, "comes"))
        return self._run(seconds, again=True)

    def _run(self, seconds: float, again: bool) -> Waits:
        while self._events and self._events[0][0] < seconds:
            now, number, what = heapq.heappop(self._events)
            if what == "comes":
                self._came[number] = now
                self._waiting.append(number)
            elif what == "handled":
                self._busy = False
                self._handled.append(number)
            else:
                self._acknowledge(now, again)
            self._handle(now)
            self._write(now)
        waits = sorted(self._waits)
        p50, p99 = (1000 * waits[int(len(waits) * part)] for part in (0.5, 0.99))
        return Waits(len(waits) / seconds, p50, p99)

    def _handle(self, now: float) -> None:
        if self._waiting and not self._busy:
            self._busy = True
            took = self._chance.expovariate(1 / self._handling)
            heapq.heappush(self._events, (now + took, self._waiting.popleft(), "handled"))

    def _write(self, now: float) -> None:
        if self._handled and not self._writes:
            self._writes, self._handled = self._handled[:MAX_TOGETHER], self._handled[MAX_TOGETHER:]
            took = self._writing.commit + len(self._writes) * self._writing.append
            heapq.heappush(self._events, (now + took, -1, "written"))

    def _acknowledge(self, now: float, again: bool) -> None:
        for number in self._writes:
            self._waits.append(now - self._came.pop(number))
            if again:
                heapq.heappush(self._events, (now, number, "comes"))
        self._writes = []


def capacity(handling: float, writing: Writing, p99: float, seconds: float = 30.0) -> Waits:
    """The highest rate at which 99 of 100 actions wait less than `p99` milliseconds."""
    low, high = 0.0, 1 / handling
    best = Process(handling, writing).open(high / 100, seconds)
    for _ in range(8):
        rate = (low + high) / 2
        found = Process(handling, writing).open(rate, seconds)
        if found.p99 < p99:
            low, best = rate, found
        else:
            high = rate
    return best
