"""The bots: legal, honest, and greedy is better than random."""

from __future__ import annotations

import pytest

import laguna
from laguna.bots import BOTS, FORMER_NAMES, LEVELS, ask, current_name, find_bot
from laguna.bots import random as random_bot
from laguna.games import rulebooks
from laguna.kernel.jit import JIT
from tests.every import Kind, main_kinds, random_steps

QUICK = ("random", "greedy", "turtle", "heron", "seal")  # test_search.py has the others
every_kind = pytest.mark.parametrize("kind", main_kinds(), ids=str)


@every_kind
@pytest.mark.parametrize("name", QUICK)
def test_a_bot_plays_legal_actions_to_the_end_and_does_not_touch_the_game(kind: Kind, name: str) -> None:
    game, bot = kind.new(seed=1), find_bot(name)
    while not game.over:
        before = game.state_bytes()
        action = ask(bot, game, len(game.actions))
        assert game.state_bytes() == before
        game.play(action)
    with pytest.raises(laguna.LagunaError):
        ask(bot, game, 0)


@every_kind
@pytest.mark.parametrize("name", QUICK)
def test_a_bot_does_not_depend_on_what_its_seat_cannot_know(kind: Kind, name: str) -> None:
    game, bot = kind.new(seed=2), find_bot(name)
    for number, _ in enumerate(random_steps(game, seed=2)):
        other = game.copy()
        other.rules.redeal(other.state, game.seat, 1000 + number)
        assert ask(bot, game, number) == ask(bot, other, number)


def test_a_bot_that_peeks_cannot_see() -> None:
    """A cheater that looks for the opponent's tiles finds only imagined ones."""
    game = laguna.new("neptune-vesta", seed=3)
    seat = game.seat
    assert seat is not None
    seen = set()

    def cheater(imagined: laguna.Game, seed: int) -> laguna.Action:
        seen.add(tuple(imagined.state.hand[1 - seat].tolist()))
        return random_bot(imagined, seed)

    for seed in range(50):
        ask(cheater, game, seed)
    assert len(seen) > 20


@pytest.mark.parametrize("game", list(rulebooks()))
def test_greedy_beats_random(game: str) -> None:
    rounds = 30 if JIT else 2
    points = 0.0
    for seed in range(rounds):
        for greedy_seat in (0, 1):
            table = laguna.new(game, players=2, seed=seed)
            while not table.over:
                name = "greedy" if table.seat == greedy_seat else "random"
                table.play(ask(find_bot(name), table, seed * 1000 + len(table.actions)))
            points += (greedy_seat in table.winners) / len(table.winners)
    assert points >= 0.95 * 2 * rounds


def test_every_level_says_how_it_plays() -> None:
    assert [level.name for level in LEVELS] == ["turtle", "heron", "seal", "dolphin", "kraken"]
    assert [level.strength for level in LEVELS] == [1, 2, 3, 4, 5]
    for level in LEVELS:
        assert set(level.about) == {"en", "ru", "it"} and all(level.about.values())
        found = find_bot(level.name)  # the level's own, perhaps with threads
        assert getattr(found, "func", found) is getattr(level.bot, "func", level.bot)
        assert getattr(level.bot, "keywords", {}).items() <= getattr(found, "keywords", {}).items()


def test_former_names_are_still_understood() -> None:
    for former, name in FORMER_NAMES.items():
        assert former not in BOTS and current_name(former) == name
        assert find_bot(former) == find_bot(name)
    assert current_name("heron") == "heron"
