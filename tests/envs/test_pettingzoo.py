"""Our games as PettingZoo's: its own tests, the same games as ours, and nothing told that is secret."""

from __future__ import annotations

import copy
import pickle
import warnings
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

import laguna
from laguna.envs import pettingzoo, zero_sum
from laguna.envs.rendering import render
from laguna.errors import BadOption, IllegalAction, LagunaError
from laguna.games import rulebooks
from tests.size import scaled

with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore", DeprecationWarning
    )  # PettingZoo imports a game of its own by its old name
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

GAMES = [game for game, book in rulebooks().items() if book.observations]
every_game = pytest.mark.parametrize("game", GAMES)
every_way = pytest.mark.parametrize(
    "way",
    [pettingzoo.env, pettingzoo.raw_env, pettingzoo.parallel_env],
    ids=["env", "raw_env", "parallel_env"],
)


def play(env: Any, steps: int) -> list[Any]:
    """Random legal actions, and another game after the end; all that agents and rewards said."""
    told: list[Any] = []
    for _ in range(steps):
        if not env.agents:
            told.append(env.reset())
        if env.metadata["is_parallelizable"]:
            actions = {agent: sample(env, agent) for agent in env.agents}
            told.append((actions, env.step(actions)))
        else:
            agent, (seen, reward, terminated, _, _) = env.agent_selection, env.last()
            action = None if terminated else sample(env, agent)
            told.append((agent, seen, reward, action))
            env.step(action)
    return told


def sample(env: Any, agent: str) -> Any:
    """A random legal action, drawn by the agent's action space."""
    position, seat = env.unwrapped.position, env.possible_agents.index(agent)
    space = env.action_space(agent)
    codes = position.choices(seat) or [space.n - 1]
    return codes[space.np_random.integers(len(codes))]


def seeded(env: Any, seed: int = 5) -> Any:
    """At the start of an episode; actions are drawn from the same seed."""
    env.reset(seed=seed)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + number)
    return env


# ------------------------------------------------------------------ PettingZoo's own tests


# They want a plain Box and a mask that is never empty, but of none of PettingZoo's own classic games.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@every_game
def test_it_passes_the_api_test(game: str) -> None:
    for players in laguna.catalogue()[game].players:
        api_test(pettingzoo.env(game, players=players))


@every_game
def test_it_passes_the_seed_tests(game: str) -> None:
    seed_test(partial(pettingzoo.env, game))
    parallel_seed_test(partial(pettingzoo.parallel_env, game))


@pytest.mark.parametrize("game", scaled(["neptune-vesta"], GAMES))
def test_it_passes_the_render_test(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(pettingzoo.env, game), {"svg": lambda drawn: drawn.startswith("<svg")})
    assert capsys.readouterr().out.count("\n") > 20  # human


@every_game
def test_it_passes_the_parallel_test(game: str) -> None:
    for players in laguna.catalogue()[game].players:
        parallel_api_test(pettingzoo.parallel_env(game, players=players))


# ------------------------------------------------------------------ the same games as ours


@every_game
def test_an_episode_is_a_game_of_ours(game: str) -> None:
    env, table, chance = pettingzoo.env(game), laguna.new(game, seed=7), Random(1)
    env.reset(seed=7)
    assert env.possible_agents == [f"player_{seat}" for seat in range(table.players)]
    for agent in env.agent_iter():
        seat = env.possible_agents.index(agent)
        seen, reward, terminated, truncated, _ = env.last()
        assert not truncated and terminated == table.over
        legal = [action.code for action in table.legal()]
        assert sorted(legal) == np.flatnonzero(seen["action_mask"]).tolist()
        if terminated:
            assert reward == zero_sum(table.players, table.winners)[seat]
            env.step(None)
            continue
        assert seat == table.seat and reward == 0
        others = [env.observe(other)["action_mask"] for other in env.agents if other != agent]
        assert not np.any(others)
        code = chance.choice(legal)
        table.play(code)
        env.step(code)
    assert table.over and env.agents == []


@every_game
def test_a_parallel_episode_is_a_game_of_ours(game: str) -> None:
    """The same actions, played at our table in the opposite order of seats."""
    env, table = seeded(pettingzoo.parallel_env(game), seed=7), laguna.new(game, seed=7)
    wait = env.action_space("player_0").n - 1
    while env.agents:
        deciding = table.deciders
        actions = {agent: sample(env, agent) for agent in env.agents}
        assert [seat for seat, code in enumerate(actions.values()) if code != wait] == deciding
        seen, rewards, terminated, truncated, _ = env.step(actions)
        for seat in reversed(deciding):
            table.play(actions[f"player_{seat}"], seat)
        assert set(terminated.values()) == {table.over} and not any(truncated.values())
        for seat, each in enumerate(seen.values()):
            codes = [action.code for action in table.legal(seat)] or [wait]
            assert sorted(codes) == np.flatnonzero(each["action_mask"]).tolist()
    assert table.over and list(rewards.values()) == zero_sum(table.players, table.winners)
    assert env.position == laguna.State(table)


def test_all_keep_a_card_at_once_in_mille_fioris_draft() -> None:
    env = pettingzoo.parallel_env("mille-fiori", players=4, draft="secret")
    seen, _ = env.reset(seed=1)
    asked = [seen]
    for _ in range(4):
        asked.append(
            env.step({agent: np.flatnonzero(each["action_mask"])[0] for agent, each in asked[-1].items()})[0]
        )
    deciding = [sum(not each["action_mask"][-1] for each in seen.values()) for seen in asked]
    assert deciding == [4, 1, 1, 1, 1]


def test_what_others_keep_is_not_told_to_whoever_is_asked_later() -> None:
    """In Mille Fiori's draft, one after the other: the last is told the same, whatever the others keep."""
    env = pettingzoo.env("mille-fiori", players=3)
    told = []
    for choice in (0, -1):
        env.reset(seed=1)
        for _ in range(2):
            env.step(env.unwrapped.position.legal[choice])
        assert env.agent_selection == "player_2"
        told.append(env.last()[0])
    assert data_equivalence(told[0], told[1], exact=True)
    assert not data_equivalence(env.observe("player_0"), told[1], exact=True)


@every_game
def test_what_is_drawn_is_what_the_seat_to_move_may_see(game: str) -> None:
    """Dealing again what it cannot know changes nothing that it sees, but what another seat sees."""
    for way in (pettingzoo.raw_env, pettingzoo.parallel_env):
        env = seeded(way(game, render_mode="ansi"))
        play(env, 21)
        position = env.position
        seat = position.seat
        assert seat is not None
        others = [render(position, other, "ansi") for other in range(position.players) if other != seat]
        shown = env.render()
        assert "\x1b" not in shown and shown.strip() and shown not in others
        for seed in range(3):
            position.redeal(seat, seed)
            assert env.render() == shown
        assert others != [
            render(position, other, "ansi") for other in range(position.players) if other != seat
        ]


def test_several_that_choose_at_once_are_not_shown_each_others_cards() -> None:
    env = seeded(pettingzoo.parallel_env("mille-fiori", render_mode="ansi"))
    assert len([seat for seat in range(env.position.players) if env.position.choices(seat)]) > 1
    assert env.render() == render(env.position, None, "ansi")


# ------------------------------------------------------------------ seeds, copies, positions


@every_way
def test_a_seed_decides_every_later_game(way: Any) -> None:
    made = [seeded(way("neptune-vesta", rounds=1)) for _ in range(2)]
    told, again = (play(env, 120) for env in made)
    assert data_equivalence(told, again, exact=True)
    other = seeded(way("neptune-vesta", rounds=1), seed=6)
    assert not data_equivalence(told, play(other, 120), exact=True)


@every_way
def test_the_seed_of_an_environment_is_that_of_its_first_reset(way: Any) -> None:
    env, other = way("neptune-vesta", seed=9), way("neptune-vesta")
    env.reset()
    other.reset(seed=9)
    assert (
        env.unwrapped.position
        == other.unwrapped.position
        == laguna.State(laguna.new("neptune-vesta", seed=9))
    )
    env.reset()
    other.reset()
    assert env.unwrapped.position == other.unwrapped.position


@every_way
@pytest.mark.parametrize("steps", [0, 9, 60])
def test_copies_and_pickles_go_on_in_the_same_way(way: Any, steps: int) -> None:
    env = seeded(way("neptune-vesta", rounds=1, render_mode="ansi"))
    play(env, steps)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    told = play(env, 120)
    assert all(data_equivalence(told, play(other, 120), exact=True) for other in others)


@every_way
def test_an_episode_goes_on_from_a_state(way: Any) -> None:
    env = seeded(way("neptune-vesta", rounds=1))
    play(env, 11)
    kept = env.unwrapped.position.clone()
    play(env, 3)
    env.reset(seed=1, options={"state": kept})
    assert env.unwrapped.position == kept
    play(env, 1)
    assert env.unwrapped.position != kept and len(env.agents) == 2


@every_way
def test_a_state_of_another_game_is_refused(way: Any) -> None:
    env = seeded(way("neptune-vesta", rounds=1))
    before = env.unwrapped.position.clone()
    over = laguna.new("neptune-vesta", seed=1, rounds=1)
    while not over.over:
        over.play(over.legal()[0])
    others = [laguna.new("neptune-vesta", seed=1), laguna.new("venice-2099", players=2), over]
    wrong: list[Any] = [*map(laguna.State, others), others[0], 5]
    for state in wrong:
        with pytest.raises(
            BadOption, match=r"^state: must be a laguna.State of Neptune & Vesta with 2 players"
        ):
            env.reset(seed=1, options={"state": state})
    assert env.unwrapped.position == before


# ------------------------------------------------------------------ what is refused


def test_an_illegal_action_ends_the_episode() -> None:
    env = seeded(pettingzoo.env("neptune-vesta"))
    mover = env.agent_selection
    env.step(int(np.argmin(env.last()[0]["action_mask"])))
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], terminated, truncated, _ = env.last()
        assert terminated and truncated
        env.step(None)
    assert rewards == {"player_0": 0.0, "player_1": 0.0, mover: -1.0} and env.agents == []


def test_without_wrappers_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    env = seeded(pettingzoo.raw_env("neptune-vesta"))
    before = env.position.clone()
    wrong: list[Any] = [int(np.argmin(env.last()[0]["action_mask"])), 10**6, -1, "x", None, 1.5]
    for action in wrong:
        with pytest.raises(IllegalAction):
            env.step(action)
    assert env.position == before and env.agents == env.possible_agents


def test_an_illegal_action_ends_a_parallel_episode_for_all() -> None:
    env = seeded(pettingzoo.parallel_env("neptune-vesta"))
    seat, wait = env.position.seat, env.action_space("player_0").n - 1
    actions = dict.fromkeys(env.agents, wait)  # also of the one that has something to decide
    _, rewards, terminated, truncated, _ = env.step(actions)
    assert [rewards[f"player_{each}"] for each in (seat, 1 - seat)] == [-1, 0]
    assert all(terminated.values()) and not any(truncated.values()) and env.agents == []
    with pytest.raises(BadOption, match=r"step\(\) needs an action of no agent: call reset\(\)\."):
        env.step(actions)


def test_a_parallel_step_needs_everybody() -> None:
    env = seeded(pettingzoo.parallel_env("neptune-vesta"))
    wrong: list[Any] = [{}, {"player_0": 1}, None, {"player_0": 1, "player_1": 1, "player_2": 1}]
    for actions in wrong:
        with pytest.raises(BadOption, match="needs an action of player_0 and player_1"):
            env.step(actions)


@every_way
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"players": 9}, "is for 2 players, not 9"),
        ({"rounds": 2}, "The option rounds"),
        ({"cards": 2}, "has no option 'cards'"),
        ({"render_mode": "3d"}, "The render modes are human, ansi, svg or rgb_array, not '3d'"),
        ({"seed": -1}, "A seed must be"),
    ],
)
def test_bad_arguments_get_a_sentence(way: Any, arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(LagunaError, match=why):
        way(**{"game": "neptune-vesta"} | arguments)


def test_there_is_nothing_before_a_reset() -> None:
    made: list[Any] = [pettingzoo.raw_env("neptune-vesta"), pettingzoo.parallel_env("neptune-vesta")]
    for env in made:
        with pytest.raises(BadOption, match="call reset"):
            env.step({} if env.metadata["is_parallelizable"] else 0)
        with pytest.raises(BadOption, match="call reset"):
            _ = env.position
