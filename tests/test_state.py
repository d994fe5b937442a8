"""`laguna.State` follows the same rules as `Game`, without its log and words."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.errors import BadOption, IllegalAction
from laguna.games import find, rulebooks

WAYS = [(game, players) for game, book in rulebooks().items() for players in book.meta.players]


@pytest.mark.parametrize(("game", "players"), WAYS)
def test_a_state_follows_the_game(game: str, players: int) -> None:
    table = laguna.new(game, players=players, seed=11)
    state, chance = laguna.State(table), Random(5)
    while not table.over:
        assert (state.seat, state.over, state.winners) == (table.seat, False, [])
        assert state.scores == table.scores and state.legal == [action.code for action in table.legal()]
        code = chance.choice(state.legal)
        table.play(code)
        state.apply(code)
    assert (state.seat, state.over, state.legal) == (None, True, [])
    assert (state.scores, state.winners) == (table.scores, table.winners)
    assert state == laguna.State(table)


@pytest.mark.parametrize("game", list(rulebooks()))
def test_clones_copies_and_pickles_go_their_own_way(game: str) -> None:
    state = laguna.State(laguna.new(game, seed=3))
    before = state.clone()
    others = [state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    assert all(each == state for each in others)
    state.apply(state.legal[-1])
    assert state != before and all(each == before for each in others)
    for each in others:
        each.apply(each.legal[-1])
        assert each == state and each.legal == state.legal


@pytest.mark.parametrize("game", list(rulebooks()))
def test_a_redealt_state_tells_its_seat_the_same(game: str) -> None:
    table = laguna.new(game, seed=4)
    for _ in range(12):
        table.play(table.legal()[0])
    state = laguna.State(table)
    seat = table.seat
    assert seat is not None
    for seed in range(5):
        other = state.clone()
        other.redeal(seat, seed)
        assert other.legal == state.legal
        assert other.game().view(seat) == state.game().view(seat)
        assert other == laguna.State(table.imagine(seat, seed))


@pytest.mark.parametrize(("game", "players"), WAYS)
def test_what_seats_may_choose_and_know(game: str, players: int) -> None:
    """Before their turn, too, as at a table; nothing is told that a seat cannot know."""
    table, chance = laguna.new(game, players=players, seed=6), Random(2)
    observations = find(game).observations
    while not table.over:
        state = laguna.State(table)
        for seat in range(players):
            codes = [action.code for action in table.legal(seat)]
            assert state.choices(seat) == codes
            assert np.flatnonzero(state.action_mask(seat)).tolist() == sorted(codes)
            if observations is not None:
                observed = state.observation(seat)
                assert observed.shape == (observations.SIZE,) and observed.dtype == np.int16
                other = state.clone()
                other.redeal(seat, 1)
                assert (other.observation(seat) == observed).all()
        table.play(chance.choice(table.legal()))
    assert (state.meta, state.options) == (table.meta, table.options)
    assert not any(laguna.State(table).choices(seat) for seat in range(players))


def test_what_a_code_means_is_told_by_a_game() -> None:
    state = laguna.State(laguna.new("neptune-vesta", seed=7, rounds=1))
    assert [str(action) for action in state.game().legal()][:2] == ["1Ra1", "1Rb1"]
    assert state.game().options == {"rounds": 1, "line_to": "majority"}
    assert repr(state) == "<laguna.State neptune-vesta, 2 players, seat 1 to move>"
    assert state != laguna.State(laguna.new("neptune-vesta", seed=7, rounds=3)) and state != 5


def test_bad_arguments_get_a_sentence() -> None:
    state = laguna.State(laguna.new("atlantis", seed=1))
    before = state.clone()
    wrong: list[Any] = [-1, 10**9, "a", 1.5]
    for code in wrong:
        with pytest.raises(IllegalAction, match="A code is a whole number from 0 to"):
            state.apply(code)
    with pytest.raises(BadOption, match="A seat must be"):
        state.redeal(9, 1)
    with pytest.raises(BadOption, match="A seed must be"):
        state.redeal(0, -1)
    for ask in (state.choices, state.action_mask, state.observation):
        with pytest.raises(BadOption, match="A seat must be"):
            ask(-1)
    assert state == before


@pytest.mark.parametrize("game", list(rulebooks()))
def test_it_is_many_times_quicker_than_a_game(game: str) -> None:
    table = laguna.new(game, seed=2)
    state, code = laguna.State(table), table.legal()[0].code

    def seconds(make: Callable[[], None]) -> float:
        start = time.process_time()
        for _ in range(400):
            make()
        return time.process_time() - start

    def with_state() -> None:
        state.clone().apply(code)

    def with_game() -> None:
        table.copy().play(code)

    for each in (with_state, with_game):
        each()
    assert seconds(with_state) * 5 < seconds(with_game)
