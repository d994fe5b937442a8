"""Chance for the naive referee: the sfc32 generator in plain Python."""

from typing import Any

WORD = 2**32


class Stream:
    """One stream of chance; the same seed and number give the same draws."""

    def __init__(self, seed: int, number: int) -> None:
        self.a = seed % WORD
        self.b = (seed >> 32) % WORD
        self.c = number % WORD
        self.n = 1
        for _ in range(15):
            self.step()

    def step(self) -> int:
        """The next 32-bit word."""
        t = (self.a + self.b + self.n) % WORD
        self.n = (self.n + 1) % WORD
        self.a = self.b ^ (self.b >> 9)
        self.b = (self.c + (self.c << 3)) % WORD
        rotated = ((self.c << 21) % WORD) | (self.c >> 11)
        self.c = (rotated + t) % WORD
        return t

    def draw(self, n: int) -> int:
        """A number from 0 to n-1, all equally likely (Lemire, with rejection)."""
        m = self.step() * n
        if m % WORD < n:
            threshold = WORD % n
            while m % WORD < threshold:
                m = self.step() * n
        return m >> 32

    def shuffle(self, things: list[Any]) -> None:
        """Fisher–Yates in place, from the last thing down to the second."""
        for i in range(len(things) - 1, 0, -1):
            j = self.draw(i + 1)
            things[i], things[j] = things[j], things[i]
