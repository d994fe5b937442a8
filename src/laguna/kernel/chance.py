"""Chance: the generator inside every record, unbiased draws, shuffles.

The generator is sfc32 (Chris Doty-Humphrey, PractRand): four 32-bit words, three of them mixed
chaotically and one a counter, so no cycle is shorter than 2**32 and the mean one is about 2**127.
Published runs of PractRand and TestU01 found no flaw in it. It needs only 32-bit additions, shifts
and xors (fast on a GPU, where 64-bit products are not), and 16 bytes of state let every deck have a
stream of its own. It is not cryptographic: whoever sees enough raw output can compute the rest.

The same source runs interpreted, so every step masks to 32 bits inside a 64-bit integer.
"""

from __future__ import annotations

import numpy as np

from laguna.kernel.jit import rule

WORDS = 4
MASK = 0xFFFFFFFF
SEEDS = 1 << 53  # every JSON reader can hold a smaller number exactly


@rule
def seed_stream(stream, seed, number):
    """Start `stream` as stream `number` of `seed`; the 15 steps mix the seed into every bit."""
    stream[0] = np.int64(seed) & MASK
    stream[1] = (np.int64(seed) >> 32) & MASK
    stream[2] = number
    stream[3] = 1
    for _ in range(15):
        word(stream)


@rule
def word(stream):
    """The next 32 random bits."""
    a = np.int64(stream[0])
    b = np.int64(stream[1])
    c = np.int64(stream[2])
    n = np.int64(stream[3])
    out = (a + b + n) & MASK
    stream[0] = b ^ (b >> 9)
    stream[1] = (c + (c << 3)) & MASK
    stream[2] = (((c << 21) & MASK | (c >> 11)) + out) & MASK
    stream[3] = (n + 1) & MASK
    return out


@rule
def draw(stream, n):
    """A uniform integer in 0 … n-1 (Lemire's method, rejection included, so no bias)."""
    n = np.int64(n)
    product = word(stream) * n
    if (product & MASK) < n:
        least = (MASK + 1) % n
        while (product & MASK) < least:
            product = word(stream) * n
    return product >> 32


@rule
def shuffle(stream, things, count):
    """Fisher–Yates over the first `count` entries of `things`."""
    for i in range(count - 1, 0, -1):
        j = draw(stream, i + 1)
        kept = things[i]
        things[i] = things[j]
        things[j] = kept


@rule
def shuffle_anew(stream, things, count):
    """Shuffle so that the outcome depends on what there is, not on the order it was in before.

    A redeal must use this: else the order that nobody may know would show through.
    """
    for i in range(1, count):
        moved = things[i]
        j = i
        while j > 0 and things[j - 1] > moved:
            things[j] = things[j - 1]
            j -= 1
        things[j] = moved
    shuffle(stream, things, count)
