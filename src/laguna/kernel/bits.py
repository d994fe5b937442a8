"""Sets of up to 63 cells as the bits of one integer."""

from __future__ import annotations

from laguna.kernel.jit import rule


@rule
def lowest(bits):
    """The number of the lowest bit that is set; `bits` must not be 0."""
    number = 0
    if bits & 0xFFFFFFFF == 0:
        bits >>= 32
        number += 32
    if bits & 0xFFFF == 0:
        bits >>= 16
        number += 16
    if bits & 0xFF == 0:
        bits >>= 8
        number += 8
    if bits & 0xF == 0:
        bits >>= 4
        number += 4
    if bits & 0x3 == 0:
        bits >>= 2
        number += 2
    return number + 1 - (bits & 1)


@rule
def nth(bits, n):
    """The number of the n-th bit that is set, counted from 0; there must be more than n."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@rule
def size(bits):
    """How many bits are set."""
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return bits + (bits >> 32) & 127
