"""The generator: the same as the referee's, uniform draws, uniform shuffles."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from laguna.kernel.bits import lowest, nth
from laguna.kernel.chance import (
    KEYED,
    KEYED_BEFORE,
    SEEDS,
    WORDS,
    chacha8,
    draw,
    key_stream,
    keyed_word,
    pick,
    seed_stream,
    shuffle,
    shuffle_anew,
    word,
)
from laguna.kernel.jit import JIT
from tests.oracle.chance import Stream

MANY = 24_000 if JIT else 2_400


def stream(seed: int, number: int = 0) -> np.ndarray:
    words = np.zeros(WORDS, np.uint32)
    seed_stream(words, seed, number)
    return words


def chi_square_bound(freedom: int) -> float:
    """About five standard deviations above the mean."""
    return freedom + 5 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("seed", [0, 1, 2**32, SEEDS - 1])
@pytest.mark.parametrize("number", [0, 1, 1 << 20])
def test_the_generator_is_sfc32_as_the_referee_has_it(seed: int, number: int) -> None:
    ours, theirs = stream(seed, number), Stream(seed, number)
    assert [word(ours) for _ in range(200)] == [theirs.step() for _ in range(200)]


@pytest.mark.parametrize("bound", [1, 2, 7, 52, 1000, 2**31 - 1])
def test_draws_are_the_referees(bound: int) -> None:
    ours, theirs = stream(9), Stream(9, 0)
    assert [draw(ours, bound) for _ in range(300)] == [theirs.draw(bound) for _ in range(300)]


def test_draws_are_rejected_where_they_would_be_biased() -> None:
    """With a bound just above 2**31 nearly half of all words are thrown away."""
    ours = stream(3)
    for _ in range(1000):
        assert 0 <= draw(ours, 2**31 + 1) <= 2**31
    assert 1800 < int(ours[3]) - 16 < 2200


@pytest.mark.parametrize("bound", [2, 3, 10, 48])
def test_draws_are_uniform(bound: int) -> None:
    ours = stream(11)
    seen = Counter(int(draw(ours, bound)) for _ in range(MANY))
    expected = MANY / bound
    assert sum((seen[i] - expected) ** 2 / expected for i in range(bound)) < chi_square_bound(bound - 1)


@pytest.mark.parametrize("way", [shuffle, shuffle_anew], ids=["shuffle", "shuffle_anew"])
def test_shuffles_are_uniform_over_all_orders(way) -> None:  # type: ignore[no-untyped-def]
    """Chi-square over the 24 orders of four things, each shuffle from a stream of its own seed."""
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(MANY):
        things = np.array([3, 1, 4, 2], np.int8)
        way(stream(seed), things, 4)
        seen[tuple(things.tolist())] += 1
    assert set(seen) == set(itertools.permutations([1, 2, 3, 4]))
    expected = MANY / 24
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < chi_square_bound(23)


def test_every_place_of_a_shuffled_stack_is_uniform() -> None:
    """30 tiles: which tile lies where, over neighboring seeds, as games use them."""
    seen = np.zeros((30, 30))
    games = MANY // 4
    for seed in range(games):
        things = np.arange(30, dtype=np.int8)
        shuffle(stream(seed, 1), things, 30)
        seen[np.arange(30), things] += 1
    expected = games / 30
    assert ((seen - expected) ** 2 / expected).sum() < chi_square_bound(29 * 29)


def test_shuffle_anew_does_not_depend_on_the_order_before() -> None:
    for order in itertools.permutations([1, 2, 2, 5]):
        things = np.array(order, np.int8)
        shuffle_anew(stream(8), things, 4)
        first = np.array([1, 2, 2, 5], np.int8)
        shuffle_anew(stream(8), first, 4)
        assert things.tolist() == first.tolist()


def test_streams_of_one_seed_and_neighboring_seeds_are_unrelated() -> None:
    """Bits agree half of the time."""
    for first, second in [((5, 0), (5, 1)), ((5, 0), (6, 0)), ((5, 0), (5 + 2**32, 0))]:
        one, two = stream(*first), stream(*second)
        pairs = [(int(word(one)), int(word(two))) for _ in range(1000)]
        agree = sum(32 - (a ^ b).bit_count() for a, b in pairs)
        assert abs(agree - 16_000) < 5 * (32_000 / 4) ** 0.5


# ------------------------------------------------------------------ keyed streams


def keyed(key: bytes) -> np.ndarray:
    words = np.zeros(WORDS, np.uint32)
    key_stream(words, key)
    return words


def test_the_block_is_chacha8() -> None:
    """The published test vector for a key of 128 zero bits and the nonce 0."""
    expected = bytes.fromhex("e28a5fa4a67f8c5defed3e6fb7303486aa8427d3")
    assert b"".join(int(each).to_bytes(4, "little") for each in chacha8(0, 0, 0, 0)) == expected


def test_a_key_is_gone_once_it_was_used() -> None:
    ours = keyed(bytes(range(16)))
    seen = set()
    for _ in range(100):
        seen.add(tuple(ours.tolist()))
        assert ours[3] >= KEYED
        keyed_word(ours)
    assert len(seen) == 100


def test_keyed_shuffles_are_uniform_over_all_orders() -> None:
    ours, rounds = keyed(bytes(range(16, 32))), MANY // 4
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(rounds):
        things = np.array([1, 2, 3], np.int8)
        shuffle(ours, things, 3)
        seen[tuple(things.tolist())] += 1
    assert len(seen) == 6
    assert sum((count - rounds / 6) ** 2 / (rounds / 6) for count in seen.values()) < chi_square_bound(5)


def test_keyed_draws_are_rejected_where_they_would_be_biased() -> None:
    """Picks from a stream of either sort; just above 2**31 nearly half of all words are rejected."""
    ours, theirs = keyed(bytes(range(16))), keyed(bytes(range(16)))
    for _ in range(50):
        assert 0 <= pick(ours, 2**31 + 1) <= 2**31
    words = 0
    while ours.tolist() != theirs.tolist():
        keyed_word(theirs)
        words += 1
    assert 60 < words < 200
    assert pick(stream(4), 30) == draw(stream(4), 30)


def test_a_stream_that_is_keyed_is_not_seeded_again_by_a_set_up() -> None:
    ours = keyed(bytes(range(16)))
    before = ours.tolist()
    seed_stream(ours, KEYED_BEFORE, 0)
    assert ours.tolist() == before


# ------------------------------------------------------------------ bits


@pytest.mark.parametrize("bits", [1, 2, 0b1011000, 1 << 49, (1 << 50) - 1, 1 << 32, 1 << 31 | 1 << 62])
def test_bits_are_numbered_from_the_lowest(bits: int) -> None:
    places = [i for i in range(63) if bits >> i & 1]
    assert lowest(bits) == places[0]
    assert [nth(bits, n) for n in range(len(places))] == places
