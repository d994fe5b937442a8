"""How far back players may go."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from laguna.game import Game
from laguna.games import find
from laguna.games.atlantis.names import NAMES
from laguna.table import permissions, redact
from laguna.table.table import Table
from laguna.table.undo import Past
from tests.games.test_atlantis import stage
from tests.size import scaled
from tests.table.tables import ANN, BOB, GAMES, NOW, PEOPLE, open_table, playing, random_play, some_action
from tests.table.test_seats import refused

WORLDS = 5
ACTIONS = scaled(600, 100_000)  # of each game
KINDS = [
    ("neptune-vesta", 2, {}),
    ("mille-fiori", 2, {}),
    ("mille-fiori", 3, {}),
    ("mille-fiori", 2, {"draft": "open"}),
    ("atlantis", 2, {}),
    ("venice-2099", 3, {}),
]


def views(game: Game) -> list[Any]:
    return [game.view(seat) for seat in (None, *range(game.players))]


def redealt(game: Game, seat: int, seed: int) -> Game:
    """The game in another world, the same to this seat."""
    other = game.copy()
    other.rules.redeal(other.state, seat, seed)
    return other


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_can_be_undone_revealed_nothing_to_anybody(kind: tuple[str, int, dict[str, Any]]) -> None:
    """After an undo all see what they saw before, and nobody learned what they could not know."""
    game, players, options = kind
    table = playing(game, players, seed=1, **options)
    taken_back = 0
    chance = random.Random(1)
    for seat, action in random_play(table, 1):
        if chance.random() < 0.4:
            continue
        person, before = PEOPLE[seat], table.started.copy()
        table.act(person, seat, action, table.version, NOW)
        if "take-back" not in permissions.kinds(table, person.id, NOW):
            continue
        taken_back += 1
        nobody_learned_anything(before, table.started, seat, action)
        table.take_back(person, table.version, False, NOW)
        assert views(table.started) == views(before)
        assert table.started.state_bytes() == before.state_bytes() and table.started.log == before.log
        assert table.deciders == before.deciders
    assert (taken_back == 0) == (game == "neptune-vesta")  # where every action draws a tile


def nobody_learned_anything(before: Game, after: Game, seat: int, action: str) -> None:
    """The seat and the public see the same now in all worlds that the seat could not tell apart before.

    And no seat sees new cards in its hand. A seat may show what is its own.
    """
    for each in range(after.players):
        assert not Counter(after.view(each)["hand"] or ()) - Counter(before.view(each)["hand"] or ())
    if len(before.deciders) > 1 or before.played + 1 != after.played:
        return  # a choice among choices kept aside, which other worlds do not have
    for world in range(WORLDS):
        other = redealt(before, seat, world)
        other.play(action, seat=seat)
        assert other.view(seat) == after.view(seat) and other.view(None) == after.view(None)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_can_be_undone_after_a_revelation(game: str) -> None:
    """In random games with every number of players."""
    made = allowed = 0
    for seed, players in enumerate(itertools.cycle(find(game).meta.players)):
        table = playing(game, players, seed=seed)
        for seat, action in random_play(table, seed):
            before = table.started.copy()
            table.act(PEOPLE[seat], seat, action, table.version, NOW)
            made += 1
            if "take-back" in permissions.kinds(table, PEOPLE[seat].id, NOW):
                allowed += 1
                assert not revealed(before, table.started), f"{action}, game {seed} of {players} players"
        if made >= ACTIONS:
            break
    assert (allowed == 0) == (game == "neptune-vesta")  # where every action draws a tile


def revealed(before: Game, after: Game) -> bool:
    """Has a hidden pile shrunk or grown, or does a seat see cards in its hand that nobody could foresee?"""
    if hidden(before) != hidden(after):
        return True
    for seat in range(before.players):
        then, now = (Counter(game.view(seat)["hand"] or ()) for game in (before, after))
        if now - then - foreseen(before):
            return True
    return False


def foreseen(game: Game) -> Counter[str]:
    """A14: in Atlantis, the next cards are known if the deck is empty and all discards are of one item."""
    view = game.view(None)
    known = game.meta.id == "atlantis" and view["deck_size"] == 0 and len(view["discards"]) == 1
    return Counter(view["discards"] if known else ())


def hidden(game: Game) -> list[Any]:
    """How many pieces lie in the deck, in stacks, and below others."""
    view = game.view(None)
    below = [space for space, on in view["board"].items() if game.meta.id == "atlantis" and on["height"] > 1]
    return [view.get("deck_size"), view.get("stack_sizes"), below]


@pytest.mark.parametrize("item", NAMES)
def test_a_drawn_card_stays_drawn_whatever_it_is(item: str) -> None:
    """Also if it was likely: only one card of the other hand might have been drawn instead."""
    other = "weapon" if item == "coins" else "coins"
    game = stage("1:lyre1 2:olive1", hands=["lyre", f"{other} {item}"], deck=" ".join([item] * 9))
    past = Past(game.rules)
    step, action = past.before(game, 0, None), game.action("0 ly")
    entry = game.play(action)
    past.acted(step, 1, action.code, ANN.id)
    assert [event.key for event in entry.events] == ["card", "took-nothing", "drew"]
    assert past.reveals(game, step)


def test_a_turn_is_undone_step_by_step_or_as_a_whole() -> None:
    table = playing("venice-2099", 2)
    while table.started.view(0)["phase"] == "place":
        table.act(PEOPLE[table.deciders[0]], None, some_action(table, table.deciders[0]), None, NOW)
    seat = table.deciders[0]
    person = PEOPLE[seat]
    start = table.started.copy()
    walk = next(action for action in start.legal() if "-" in str(action))
    table.act(person, None, str(walk), table.version, NOW)
    moved = table.started.state_bytes()
    bought = next((action for action in table.started.legal() if str(action)[0] == "$"), None)
    assert bought is not None
    table.act(person, None, str(bought), table.version, NOW)
    (entry,) = table.take_back(person, table.version, False, NOW)
    assert table.started.state_bytes() == moved and entry.actions == start.played + 1  # type: ignore[union-attr]
    table.act(person, None, str(bought), table.version, NOW)
    with refused("stale"):
        table.take_back(person, table.version - 1, True, NOW)
    (entry,) = table.take_back(person, table.version, True, NOW)
    assert table.started.state_bytes() == start.state_bytes() and entry.actions == start.played  # type: ignore[union-attr]
    assert table.deciders == [seat]


def undone(table: Table) -> list[list[int]]:
    """What each line of the log that undoes something says about it."""
    return [line.undone for line in redact.lines(table, None, 0) if line.kind == "took-back"]


def test_the_log_says_which_actions_were_undone() -> None:
    """One step, then a whole turn without the step that is gone already; also when the log is read again."""
    table = playing("venice-2099", 2)
    while table.started.view(0)["phase"] == "place":
        table.act(PEOPLE[table.deciders[0]], None, some_action(table, table.deciders[0]), None, NOW)
    person, first = PEOPLE[table.deciders[0]], table.version + 1
    walk = next(action for action in table.started.legal() if "-" in str(action))
    table.act(person, None, str(walk), None, NOW)
    bought = next(action for action in table.started.legal() if str(action)[0] == "$")
    table.act(person, None, str(bought), None, NOW)
    table.take_back(person, None, False, NOW)
    table.say(person, "another one", NOW)
    table.act(person, None, str(bought), None, NOW)
    table.take_back(person, None, True, NOW)
    assert undone(table) == [[first + 1], [first, first + 4]]
    assert undone(Table.from_log(table.id, table.secret, table.entries)) == undone(table)


def test_among_secret_choices_only_ones_own_is_undone() -> None:
    table = playing("mille-fiori", 3)
    before = table.version
    for seat in (2, 0):
        table.act(PEOPLE[seat], None, some_action(table, seat), None, NOW)
    table.take_back(PEOPLE[2], None, False, NOW)
    table.act(PEOPLE[2], None, some_action(table, 2), None, NOW)
    table.take_back(PEOPLE[2], None, False, NOW)
    assert undone(table) == [[before + 1], [before + 4]]


def test_nothing_is_undone_once_another_person_or_a_bot_has_acted() -> None:
    table = playing("venice-2099", 2)
    first = table.deciders[0]
    table.act(PEOPLE[first], None, some_action(table, first), None, NOW)
    table.act(PEOPLE[1 - first], None, some_action(table, 1 - first), None, NOW)
    with refused("nothing-to-take-back"):
        table.take_back(PEOPLE[first], None, False, NOW)
    table.take_back(PEOPLE[1 - first], None, False, NOW)
    with refused("nothing-to-take-back"):
        table.take_back(PEOPLE[first], None, False, NOW)
    table = open_table("venice-2099", players=2)
    table.sit(ANN, 0, NOW)
    table.put_bot(ANN, 1, "random", NOW)
    table.start(ANN, NOW)
    table.act(ANN, None, some_action(table, 0), None, NOW)
    table.act_as_bot(1, some_action(table, 1), table.version, NOW)
    with refused("nothing-to-take-back"):
        table.take_back(ANN, None, False, NOW)


def test_a_person_with_several_seats_undoes_across_them() -> None:
    table = open_table("venice-2099", players=2)
    table.sit(ANN, 0, NOW)
    table.sit(ANN, 1, NOW)
    table.start(ANN, NOW)
    start = table.started.state_bytes()
    for seat in (0, 1):
        table.act(ANN, None, some_action(table, seat), None, NOW)
    table.take_back(ANN, None, False, NOW)
    assert table.deciders == [1]
    table.take_back(ANN, None, False, NOW)
    assert table.started.state_bytes() == start


def test_what_was_revealed_stays() -> None:
    table = playing("neptune-vesta")
    seat = table.deciders[0]
    table.act(PEOPLE[seat], None, some_action(table, seat), None, NOW)
    with refused("revealed"):
        table.take_back(PEOPLE[seat], None, False, NOW)
    assert "take-back" not in permissions.kinds(table, PEOPLE[seat].id, NOW)


def test_a_secret_choice_can_be_changed_while_others_choose_in_any_order() -> None:
    chance = random.Random(4)
    for _ in range(20):
        table = playing("mille-fiori", 4)
        start = table.started.copy()
        order = chance.sample(range(4), 3)
        for seat in order:
            table.act(PEOPLE[seat], None, some_action(table, seat), None, NOW)
        changed = chance.choice(order)
        expected = start.copy()
        for seat in order:
            if seat != changed:
                expected.play(
                    some_action(table, seat) if seat in table.deciders else start.legal(seat)[0], seat=seat
                )
        (entry,) = table.take_back(PEOPLE[changed], None, False, NOW)
        assert entry.actions == expected.played  # type: ignore[union-attr]
        assert table.started.state_bytes() == expected.state_bytes() and table.deciders == expected.deciders
        assert views(table.started) == views(expected)
        other = str(table.started.legal(changed)[-1])
        table.act(PEOPLE[changed], None, other, None, NOW)
        expected.play(other, seat=changed)
        assert table.started.state_bytes() == expected.state_bytes()
        again = Table.from_log(table.id, table.secret, table.entries)
        assert again.started.state_bytes() == table.started.state_bytes() and again.deciders == table.deciders


def test_the_last_choice_can_be_undone_until_somebody_plays() -> None:
    """Nobody has looked at the hand that was passed on; against bots every choice is the last."""
    table = playing("mille-fiori", 2)
    table.act(BOB, None, some_action(table, 1), None, NOW)
    before = table.started.copy()
    table.act(ANN, None, some_action(table, 0), None, NOW)
    assert table.started.view(0)["phase"] == "play"
    with refused("nothing-to-take-back"):
        table.take_back(BOB, None, False, NOW)
    table.take_back(ANN, None, False, NOW)
    assert table.started.state_bytes() == before.state_bytes() and table.deciders == [0]
    assert table.started.view(1)["chosen"] == before.view(1)["chosen"] is not None
    table.act(ANN, None, some_action(table, 0), None, NOW)
    table.act(ANN, None, "sail", None, NOW)
    assert table.deciders == [1]
    with refused("nothing-to-take-back"):
        table.take_back(BOB, None, False, NOW)
