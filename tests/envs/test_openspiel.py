"""Our games as OpenSpiel's: its own tests, its bots, and nothing told that a seat cannot know."""

from __future__ import annotations

import random
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import laguna
from laguna.envs import openspiel
from laguna.games import rulebooks

SHORT = "laguna_neptune_vesta(rounds=1,deals=8)"
NAMES = [f"{openspiel.name_of(game)}(deals=8)" for game in rulebooks()]


def after(name: str, actions: int, seed: int = 3) -> Any:
    """A state after so many random actions, or at the end."""
    state, chance = pyspiel.load_game(name).new_initial_state(), Random(seed)
    for _ in range(actions + 1):
        if not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", [*NAMES, "laguna_venice_2099(players=4,moves=rook,deals=8)"])
def test_it_passes_openspiels_own_test(name: str) -> None:
    random.seed(1)
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", list(rulebooks()))
def test_a_history_is_a_whole_game_of_ours(game: str) -> None:
    state = after(f"{openspiel.name_of(game)}(deals=8)", 10_000)
    deal, *actions = state.history()
    table = laguna.new(game, seed=deal)
    for code in actions:
        table.play(code)
    assert table.over and state.is_terminal()
    won = [seat in table.winners for seat in range(table.players)]
    assert state.returns() == [table.players * each / len(table.winners) - 1 for each in won]
    assert sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_told_that_a_seat_cannot_know(name: str) -> None:
    """Dealing again what the player cannot know changes nothing that it is told, but what others are told."""
    others = 0
    for actions in (0, 7, 23):
        state = after(name, actions)
        player = state.current_player()
        for seed in range(4):
            twin = state.resample_from_infostate(player, Random(seed).random)
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.observation_string(player) == state.observation_string(player)
            assert twin.observation_tensor(player) == state.observation_tensor(player)
            assert twin.legal_actions() == state.legal_actions() and twin.history() == state.history()
            other = (player + 1) % state.num_players()
            others += twin.observation_string(other) != state.observation_string(other)
    assert others > 0


def test_a_secret_choice_is_hidden_in_others_information() -> None:
    state = after("laguna_mille_fiori(players=2,draft=secret,deals=8)", 0)
    first = state.current_player()
    one, two = (state.child(action) for action in state.legal_actions()[:2])
    assert one.information_state_string(first) != two.information_state_string(first)
    assert one.information_state_string(1 - first) == two.information_state_string(1 - first)


@pytest.mark.parametrize("name", NAMES)
def test_the_tensor_is_what_networks_are_told(name: str) -> None:
    state = after(name, 9)
    book = state.get_game().book
    rows, counts = np.zeros(book.inputs.SLOTS, np.int16), np.zeros(len(book.inputs.COUNTS), np.int16)
    book.inputs.inputs(state.dealt.record, 1, rows, counts)
    told = np.array(state.observation_tensor(1))
    assert told[: book.inputs.ROWS].sum() == (rows > 0).sum()
    assert np.allclose(told[book.inputs.ROWS :], counts / book.inputs.COUNTS)


def test_a_resampled_state_survives_serialization() -> None:
    state = after(SHORT, 5)
    twin = state.resample_from_infostate(state.current_player(), Random(5).random)
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), twin))
    assert str(read) == str(twin) != str(state) and read.legal_actions() == twin.legal_actions()


def test_openspiels_searches_play_it() -> None:
    game = pyspiel.load_game(SHORT)
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    blind = ismcts.ISMCTSBot(game, evaluator, 2.0, 6, random_state=chance)
    seeing = mcts.MCTSBot(game, 2.0, 6, evaluator, random_state=chance)
    state = after(SHORT, 30)
    while not state.is_terminal():
        bot = blind if state.current_player() == 0 else seeing
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert sum(state.returns()) == 0


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("laguna_atlantis(players=9)", "players"),
        ("laguna_neptune_vesta(rounds=2)", "rounds"),
        ("laguna_atlantis(deals=0)", "deals must be from 1"),
    ],
)
def test_impossible_parameters_get_a_sentence(name: str, why: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=why):
        pyspiel.load_game(name)
