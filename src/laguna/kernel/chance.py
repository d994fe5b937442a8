"""Chance: the generators inside every record, unbiased draws, shuffles.

A simulation's generator is sfc32 (Chris Doty-Humphrey, PractRand): four 32-bit words, three of them mixed
chaotically and one a counter, so no cycle is shorter than 2**32 and the mean one is about 2**127.
Published runs of PractRand and TestU01 found no flaw in it. It needs only 32-bit additions, shifts
and xors (fast on a GPU, where 64-bit products are not), and 16 bytes of state let every deck have a
stream of its own. It is not cryptographic: whoever sees enough raw output can compute the rest.

A live game must not be predictable from what is seen of it, so its streams are keyed: the same four
words are then a key of 127 bits (`key_stream`), and each random word comes from ChaCha8, whose first output
replaces the key at once (Bernstein's fast key erasure). `shuffle` and `pick`, which the rules use, work on
streams of either sort.

The same source runs interpreted, so every step masks to 32 bits inside a 64-bit integer.
"""

from __future__ import annotations

import numpy as np

from laguna.kernel.jit import rule

WORDS = 4
MASK = 0xFFFFFFFF
SEEDS = 1 << 53  # every JSON reader can hold a smaller number exactly
KEYED_BEFORE = -1  # the seed for a set-up whose streams have been keyed beforehand
KEYED = 1 << 31  # in the last word; sfc32's counter would need 2**31 steps to get there


def key_stream(stream, key):
    """Start `stream` as a keyed one from 16 secret bytes."""
    for i in range(WORDS):
        stream[i] = int.from_bytes(key[4 * i : 4 * i + 4], "little")
    stream[3] |= KEYED


@rule
def seed_stream(stream, seed, number):
    """Start `stream` as stream `number` of `seed`; the 15 steps mix the seed into every bit."""
    if seed == KEYED_BEFORE:
        return
    stream[0] = np.int64(seed) & MASK
    stream[1] = (np.int64(seed) >> 32) & MASK
    stream[2] = number
    stream[3] = 1
    for _ in range(15):
        word(stream)


@rule
def word(stream):
    """The next 32 random bits of a seeded stream."""
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
def keyed_word(stream):
    """The next 32 bits of a keyed stream; what was the key is gone."""
    key0, key1, key2, key3, out = chacha8(
        np.int64(stream[0]), np.int64(stream[1]), np.int64(stream[2]), np.int64(stream[3])
    )
    stream[0] = key0
    stream[1] = key1
    stream[2] = key2
    stream[3] = key3 | KEYED
    return out


@rule
def chacha8(k0, k1, k2, k3):
    """The first five words of ChaCha8's block 0 for a key of 128 bits and the nonce 0."""
    a0, a1, a2, a3 = 0x61707865, 0x3120646E, 0x79622D36, 0x6B206574  # "expand 16-byte k"
    b0, b1, b2, b3 = k0, k1, k2, k3
    c0, c1, c2, c3 = k0, k1, k2, k3
    d0, d1, d2, d3 = 0, 0, 0, 0
    for _ in range(4):
        a0, b0, c0, d0 = quarter_round(a0, b0, c0, d0)
        a1, b1, c1, d1 = quarter_round(a1, b1, c1, d1)
        a2, b2, c2, d2 = quarter_round(a2, b2, c2, d2)
        a3, b3, c3, d3 = quarter_round(a3, b3, c3, d3)
        a0, b1, c2, d3 = quarter_round(a0, b1, c2, d3)
        a1, b2, c3, d0 = quarter_round(a1, b2, c3, d0)
        a2, b3, c0, d1 = quarter_round(a2, b3, c0, d1)
        a3, b0, c1, d2 = quarter_round(a3, b0, c1, d2)
    return (
        (a0 + 0x61707865) & MASK,
        (a1 + 0x3120646E) & MASK,
        (a2 + 0x79622D36) & MASK,
        (a3 + 0x6B206574) & MASK,
        (b0 + k0) & MASK,
    )


@rule
def quarter_round(a, b, c, d):
    """ChaCha's mixing of four words."""
    a = (a + b) & MASK
    d = turned(d ^ a, 16)
    c = (c + d) & MASK
    b = turned(b ^ c, 12)
    a = (a + b) & MASK
    d = turned(d ^ a, 8)
    c = (c + d) & MASK
    b = turned(b ^ c, 7)
    return a, b, c, d


@rule
def turned(x, n):
    """A 32-bit word rotated left."""
    return ((x << n) & MASK) | (x >> (32 - n))


@rule
def draw(stream, n):
    """A uniform integer in 0 … n-1 from a seeded stream (Lemire's method with rejection, so no bias)."""
    n = np.int64(n)
    product = word(stream) * n
    if (product & MASK) < n:
        least = (MASK + 1) % n
        while (product & MASK) < least:
            product = word(stream) * n
    return product >> 32


@rule
def keyed_draw(stream, n):
    """The same from a keyed stream."""
    n = np.int64(n)
    least = (MASK + 1) % n
    product = keyed_word(stream) * n
    while (product & MASK) < least:
        product = keyed_word(stream) * n
    return product >> 32


@rule
def pick(stream, n):
    """A uniform integer in 0 … n-1 from a stream of either sort."""
    return keyed_draw(stream, n) if stream[3] >= KEYED else draw(stream, n)


@rule
def shuffle(stream, things, count):
    """Fisher–Yates over the first `count` entries of `things`, from a stream of either sort."""
    if stream[3] >= KEYED:
        keyed_shuffle(stream, things, count)
        return
    for i in range(count - 1, 0, -1):
        j = draw(stream, i + 1)
        kept = things[i]
        things[i] = things[j]
        things[j] = kept


@rule
def keyed_shuffle(stream, things, count):
    """Separate from `shuffle`, which checks the sort of stream once: simulations pay nothing for it."""
    for i in range(count - 1, 0, -1):
        j = keyed_draw(stream, i + 1)
        kept = things[i]
        things[i] = things[j]
        things[j] = kept


@rule
def shuffle_anew(stream, things, count):
    """Shuffle so that the outcome depends on what there is, not on the order it was in before.

    A redeal must use this: otherwise the order, which nobody may know, would show through.
    """
    for i in range(1, count):
        moved = things[i]
        j = i
        while j > 0 and things[j - 1] > moved:
            things[j] = things[j - 1]
            j -= 1
        things[j] = moved
    shuffle(stream, things, count)
