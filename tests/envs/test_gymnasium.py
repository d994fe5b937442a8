"""Our games as Gymnasium's: a learner against bots, which are given nothing that they may not know."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

import laguna
import laguna.envs.gymnasium
from laguna.bots import find_bot
from laguna.envs import env_id, zero_sum
from laguna.errors import BadOption, LagunaError
from laguna.games import rulebooks
from tests.size import scaled

GAMES = [game for game, book in rulebooks().items() if book.observations]
QUICK: dict[str, Any] = {"bots": "random", "rounds": 1}
every_game = pytest.mark.parametrize("game", GAMES)


def make(game: str = "neptune-vesta", **arguments: Any) -> Any:
    return gymnasium.make(env_id(game), **arguments)


def play(env: Any, steps: int, seed: int = 1) -> list[Any]:
    """Random legal actions from here on, and another episode after the end; all that the learner is told."""
    chance, told = np.random.default_rng(seed), []
    for _ in range(steps):
        told.append(env.step(int(chance.choice(np.flatnonzero(env.unwrapped.action_masks())))))
        if told[-1][2]:
            told.append(env.reset())
    return told


# ------------------------------------------------------------------ Gymnasium's own test


@every_game
def test_it_passes_gymnasiums_check_without_warnings(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Pixels are drawn for one game: they take long."""
    drawn = scaled(game == "neptune-vesta", True)
    check_env(make(game, bots="random").unwrapped, skip_render_check=not drawn)
    assert bool(capsys.readouterr().out) == drawn  # human


@every_game
def test_whole_episodes_satisfy_the_passive_checker(game: str) -> None:
    for players in laguna.catalogue()[game].players:
        env = make(game, players=players, bots="random")
        env.reset(seed=3)
        ended = [each for each in play(env, 150) if len(each) == 5 and each[2]]
        assert all(reward in (-1, players - 1) or -1 < reward < players - 1 for _, reward, *_ in ended)
        assert ended and not any(truncated for *_, truncated, _ in ended)


def test_many_are_made_at_once() -> None:
    envs = gymnasium.make_vec(env_id("neptune-vesta"), num_envs=3, vectorization_mode="sync", **QUICK)
    observation, info = envs.reset(seed=1)
    assert observation.shape[0] == 3 and observation.dtype == np.int16
    for _ in range(60):
        _, _, _, _, info = envs.step([np.argmax(mask) for mask in info["action_mask"]])


# ------------------------------------------------------------------ the same games as ours


@every_game
def test_an_episode_is_a_game_of_ours_against_bots(game: str) -> None:
    """The bots are asked for their own seats, clockwise from the learner, and play the first legal action."""
    asked: set[int] = set()

    def bot_of(seat: int) -> Any:
        def first(imagined: laguna.Game, seed: int) -> Any:
            assert imagined.seat == seat
            asked.add(seat)
            return imagined.legal()[0]

        return first

    players = max(laguna.catalogue()[game].players)
    learner, table = players - 1, laguna.new(game, players=players, seed=7)
    env = make(game, players=players, seat=learner, bots=[bot_of(seat) for seat in range(players - 1)])
    _, info = env.reset(seed=7)
    terminated, reward = False, 0
    while not terminated:
        while table.seat != learner:
            table.play(table.legal()[0])
        assert np.flatnonzero(info["action_mask"]).tolist() == sorted(action.code for action in table.legal())
        assert reward == 0
        code = table.legal()[-1].code
        table.play(code)
        _, reward, terminated, _, info = env.step(code)
        while table.seat not in (None, learner):
            table.play(table.legal()[0])
        assert env.unwrapped.position == laguna.State(table)
    assert reward == zero_sum(players, table.winners)[learner] and not info["action_mask"].any()
    assert asked == set(range(players - 1))


def test_bots_are_given_imagined_games() -> None:
    """They differ from the real one in the learner's tiles, though what the bot may see is the same."""
    guessed: list[bool] = []

    def looking(imagined: laguna.Game, seed: int) -> Any:
        real = env.position.game()
        assert imagined.view(1) == real.view(1)
        guessed.append(imagined.view(0)["hand"] == real.view(0)["hand"])
        return imagined.legal()[0]

    env = make(bots=looking, seat=0).unwrapped
    env.reset(seed=next(seed for seed in range(9) if laguna.new("neptune-vesta", seed=seed).seat == 0))
    play(env, 20)
    assert len(guessed) >= 20 and guessed.count(False) > 10


def test_opponents_are_found_by_name() -> None:
    names = ["greedy", "heron"]
    made = [make("venice-2099", players=3, bots=bots) for bots in (names, [find_bot(name) for name in names])]
    by_name, by_function = ([env.reset(seed=2), *play(env, 20)] for env in made)
    assert data_equivalence(by_name, by_function, exact=True)
    other = make("venice-2099", players=3, bots="random")
    assert not data_equivalence(by_name, [other.reset(seed=2), *play(other, 20)], exact=True)


def test_a_random_seat_is_every_seat() -> None:
    env = make("atlantis", players=4, bots="random")
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(20)]
    assert set(seats) == {0, 1, 2, 3}
    assert {
        make("atlantis", players=4, bots="random", seat=2).reset(seed=seed)[1]["seat"] for seed in range(5)
    } == {2}


# ------------------------------------------------------------------ seeds, copies, positions


@pytest.mark.parametrize("bots", ["random", "heron", "search:10"])
def test_a_seed_decides_everything(bots: str) -> None:
    made = [make(bots=bots, rounds=1) for _ in range(2)]
    first, again = ([env.reset(seed=4), *play(env, 60), env.reset(), env.reset()] for env in made)
    assert data_equivalence(first, again, exact=True)
    assert not data_equivalence(first[0], made[0].reset(seed=5), exact=True)


@pytest.mark.parametrize("steps", [0, 5, 30])
def test_copies_and_pickles_go_on_in_the_same_way(steps: int) -> None:
    env = make(**QUICK, render_mode="ansi")
    env.reset(seed=4)
    play(env, steps)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    shown, told = env.render(), play(env, 60)
    for other in others:
        assert other.render() == shown and data_equivalence(told, play(other, 60), exact=True)


def test_an_episode_goes_on_from_a_state() -> None:
    env = make(**QUICK)
    env.reset(seed=4)
    play(env, 5)
    kept, seat = env.unwrapped.position.clone(), env.unwrapped.learner
    play(env, 3)
    observation, info = env.reset(options={"state": kept})
    assert env.unwrapped.position == kept and info["seat"] == seat
    assert (observation == kept.observation(seat)).all()


def test_a_state_in_which_the_learner_never_decides_is_refused() -> None:
    table = laguna.new("neptune-vesta", seed=1, rounds=1)
    while not table.over:
        table.play(table.legal()[0])
    table.undo()
    assert table.seat is not None
    learner = 1 - table.seat
    env = make(bots=lambda imagined, seed: imagined.legal()[0], rounds=1, seat=learner).unwrapped
    env.reset(seed=1)
    before = env.position.clone()
    with pytest.raises(
        BadOption, match=f"the game is over before the learner, seat {learner}, decides again"
    ):
        env.reset(options={"state": laguna.State(table)})
    assert env.position == before


# ------------------------------------------------------------------ what is refused


def test_an_illegal_action_ends_the_episode_and_says_why() -> None:
    env = make("neptune-vesta", seat=0)
    _, info = env.reset(seed=1)
    play(env, 2)
    wrong = int(np.argmin(env.unwrapped.action_masks()))
    _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (-1, True, False) and info["illegal"].endswith(".")
    with pytest.raises(BadOption, match=r"The episode is over: call reset\(\)\."):
        env.step(wrong)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"players": 9}, "is for 2 players, not 9"),
        ({"rounds": 2}, "The option rounds"),
        ({"cards": 2}, "has no option 'cards'"),
        ({"render_mode": "3d"}, "The render modes are"),
        ({"bots": "nobody"}, "There is no bot 'nobody'"),
        ({"bots": ["greedy", "greedy"]}, "bots: must be one bot, or a list of 1"),
        ({"bots": [5]}, "bots: a bot is a name"),
        ({"bots": 5}, "bots: must be one bot"),
        ({"seat": 2}, "seat: the learner's seat, if it is not 'random', must be a whole number from 0 to 1"),
        ({"seat": "first"}, "seat: the learner's seat"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*not in the possible render_modes")
def test_bad_arguments_get_a_sentence(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(LagunaError, match=why):
        make(**arguments)


def test_bad_seeds_get_a_sentence_and_change_nothing() -> None:
    env = make(**QUICK).unwrapped
    with pytest.raises(BadOption, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    before = env.position.clone()
    wrong: list[Any] = [-1, 1 << 60, "x"]
    for seed in wrong:
        with pytest.raises(BadOption, match="A seed must be"):
            env.reset(seed=seed)
    assert env.position == before
