"""Inputs like other inputs: a few small changes to one that is known."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

MOST_CHANGES = 4
ODD_BYTES = b'\x00\x7f\x80\xff"\\{}[],: \n0'


def mutated(
    chance: Random, data: bytes, others: Sequence[bytes], words: Sequence[bytes], longest: int
) -> bytes:
    """The input with a few changes; parts of the others and words may be put into it."""
    for _ in range(chance.randint(1, MOST_CHANGES)):
        data = _changed(chance, data, others, words)
    return data[:longest]


def _changed(chance: Random, data: bytes, others: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    size = len(data)
    start = chance.randrange(size + 1)
    end = min(size, start + int(2 ** (chance.random() * 6)))
    change = chance.randrange(8)
    if change == 0:  # leave out
        return data[:start] + data[end:]
    if change == 1:  # repeat
        return data[:end] + data[start:end] * chance.randint(1, 8) + data[end:]
    if change == 2 and size:  # flip one bit
        place = chance.randrange(size)
        return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]
    if change == 3 and size:  # another byte
        place = chance.randrange(size)
        return data[:place] + bytes([chance.choice(ODD_BYTES)]) + data[place + 1 :]
    if change == 4 and words:  # a word instead
        return data[:start] + chance.choice(words) + data[end:]
    if change == 5 and words:  # a word more
        return data[:start] + chance.choice(words) + data[start:]
    if change == 6:  # go on like another
        other = chance.choice(others)
        return data[:start] + other[chance.randrange(len(other) + 1) :]
    return data[:start] + chance.randbytes(chance.randint(1, 4)) + data[end:]
