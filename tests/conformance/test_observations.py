"""Observations of every game: all that a seat may know as numbers, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import laguna
from laguna.games import find
from laguna.games.contract import Field, by_name, starts
from laguna.kernel import gpu
from laguna.kernel.jit import JIT
from tests import compiled
from tests.every import UNWRITTEN, Kind, kinds, main_kinds, observed, random_steps
from tests.size import scaled

Observe = Callable[[str, Any, int], Any]

GAMES = scaled(1, 20)  # of each kind
EVERY = scaled(5, 1)  # how many actions lie between two positions that are looked at
OTHER_ACTIONS = scaled(3, 12)  # whose positions are looked at besides the one that is played
NOT_OBSERVED = ("game", "seats", "seat", "actions")  # of a view: what is not about the position itself
TELLING_OF_CARDS = {"hand", "unseen", "lowest", "remembered"}  # what a seat holds shows in each of these

observable = [kind for kind in (kinds() if JIT else main_kinds()) if find(kind.game).observations]
every_kind = pytest.mark.parametrize("kind", observable, ids=str)
main_kind = pytest.mark.parametrize("kind", [kind for kind in observable if kind in main_kinds()], ids=str)
one_kind_a_game = pytest.mark.parametrize(
    "kind", {kind.game: kind for kind in observable if kind in main_kinds()}.values(), ids=str
)


def games_of(kind: Kind) -> Iterator[laguna.Game]:
    """Some positions of random games, the last ones among them."""
    for seed in range(GAMES):
        game = kind.new(seed)
        for number, _ in enumerate(random_steps(game, seed)):
            if number % EVERY == 0:
                yield game
        yield game


def check_nothing_hidden_is_told(kind: Kind, observe: Observe) -> None:
    """Dealing again what a seat cannot know changes nothing that it observes."""
    for number, game in enumerate(games_of(kind)):
        for seat in range(kind.players):
            other = game.imagine(seat, number)
            assert (
                observe(kind.game, other.state, seat).tolist()
                == observe(kind.game, game.state, seat).tolist()
            )


def check_all_that_is_seen_is_told(kind: Kind, observe: Observe) -> None:
    """Where a seat observes the same, its view is the same: in a game, after different actions, and in
    worlds that another seat cannot tell apart.
    """
    seen: dict[tuple[int, bytes], str] = {}
    for number, game in enumerate(games_of(kind)):
        others = [game.imagine(seat, number) for seat in range(kind.players)]
        for action in Random(number).choices(game.legal(), k=OTHER_ACTIONS) if not game.over else []:
            others.append(game.copy())
            others[-1].play(action)
        for each in (game, *others):
            for seat in range(kind.players):
                view = each.view(seat)
                shown = json.dumps({name: view[name] for name in view if name not in NOT_OBSERVED})
                told = observe(kind.game, each.state, seat).tobytes()
                assert seen.setdefault((seat, told), shown) == shown


@every_kind
def test_an_observation_is_within_its_bounds_and_leaves_the_game_as_it_is(kind: Kind) -> None:
    observations = find(kind.game).observations
    assert observations is not None
    for game in games_of(kind):
        for seat in range(kind.players):
            before = game.state_bytes()
            fields = by_name(observations.FIELDS, observed(kind.game, game.state, seat))
            assert game.state_bytes() == before
            for field in observations.FIELDS:
                values = fields[field.name]
                assert values.shape == field.shape
                assert field.low <= values.min() and values.max() <= field.high, field.name


@main_kind
def test_an_observation_tells_nothing_hidden(kind: Kind) -> None:
    check_nothing_hidden_is_told(kind, observed)


@main_kind
def test_an_observation_tells_all_that_is_seen(kind: Kind) -> None:
    check_all_that_is_seen_is_told(kind, observed)


@one_kind_a_game
def test_a_leak_would_be_noticed(kind: Kind) -> None:
    hidden = find(kind.game).rules.HIDDEN

    def with_chance(game: str, s: Any, seat: int) -> Any:
        out = observed(game, s, seat)
        out[0] = crc32(s["chance"].tobytes()) & 0x7FFF
        return out

    def with_the_hand_to_the_left(game: str, s: Any, seat: int) -> Any:
        out = observed(game, s, seat)
        out[0] = crc32(s[hidden.hand][(seat + 1) % kind.players].tobytes()) & 0x7FFF
        return out

    for leak in (with_chance, with_the_hand_to_the_left):
        with pytest.raises(AssertionError):
            check_nothing_hidden_is_told(kind, leak)


@one_kind_a_game
def test_an_omission_would_be_noticed(kind: Kind) -> None:
    """Of the own hand, in the worlds that another seat cannot tell apart."""
    observations = find(kind.game).observations
    assert observations is not None

    def without_the_hand(game: str, s: Any, seat: int) -> Any:
        out = observed(game, s, seat)
        for name, values in by_name(observations.FIELDS, out).items():
            if name in TELLING_OF_CARDS:
                values[...] = 0
        return out

    with pytest.raises(AssertionError):
        check_all_that_is_seen_is_told(kind, without_the_hand)


@one_kind_a_game
def test_many_games_are_observed_at_once_like_each_of_them(kind: Kind) -> None:
    observations = find(kind.game).observations
    assert observations is not None
    records = np.array([game.state.copy() for game in games_of(kind)], find(kind.game).rules.STATE)
    out = np.full((len(records), observations.SIZE + 1), UNWRITTEN, np.int16)
    compiled.observe_each(records, 1, out)
    assert [row.tolist() for row in out] == [[*observed(kind.game, s, 1), UNWRITTEN] for s in records]


@pytest.mark.parametrize("kind", observable if gpu.available() else [None], ids=str)
def test_a_gpu_observes_the_same(kind: Kind | None) -> None:
    if kind is None:
        pytest.skip("there is no GPU")
    from numba import cuda

    kernel = compiled.observer_on_gpu()
    observations = find(kind.game).observations
    assert observations is not None
    records = np.array([game.state.copy() for game in games_of(kind)], find(kind.game).rules.STATE)
    for seat in range(kind.players):
        out = cuda.to_device(np.full((len(records), observations.SIZE), UNWRITTEN, np.int16))
        kernel[len(records), 1](cuda.to_device(records), seat, out)
        assert out.copy_to_host().tolist() == [observed(kind.game, s, seat).tolist() for s in records]


@pytest.mark.parametrize("game", dict.fromkeys(kind.game for kind in observable))
def test_fields_are_well_described(game: str) -> None:
    observations = find(game).observations
    assert observations is not None
    fields = observations.FIELDS
    assert len({field.name for field in fields}) == len(fields)
    assert all(
        first + field.size == end
        for field, (first, end) in zip(fields, pairwise(starts(fields)), strict=True)
    )
    assert sum(field.size for field in fields) == observations.SIZE
    for field in fields:
        assert np.iinfo(np.int16).min <= field.low < field.high <= np.iinfo(np.int16).max
        assert field.name.isidentifier() and field.about and "\n" not in field.about


def test_fields_are_read_by_name_from_one_or_many() -> None:
    fields = (Field("turn", (), 0, 1, "a number"), Field("board", (2, 3), 0, 9, "a grid"))
    assert starts(fields) == (0, 1, 7)
    one = by_name(fields, np.arange(7))
    assert one["turn"] == 0 and one["board"].tolist() == [[1, 2, 3], [4, 5, 6]]
    many = by_name(fields, np.arange(14).reshape(2, 7))
    assert many["turn"].tolist() == [0, 7] and many["board"].shape == (2, 2, 3)
