"""Acting, stale requests, bots, resigning, and one person with several seats."""

from __future__ import annotations

import random

import pytest

from laguna.errors import IllegalAction, Refusal
from laguna.table import entries, redact
from laguna.table.table import Table
from tests.table.tables import (
    ANN,
    BOB,
    CLEO,
    DAN,
    EVE,
    NOW,
    PEOPLE,
    open_table,
    playing,
    random_play,
    some_action,
)
from tests.table.test_seats import refused


def test_an_action_is_taken_in_every_form_and_logged_as_notation() -> None:
    table = playing("mille-fiori", 2, draft="open")
    seat = table.deciders[0]
    action = table.started.legal()[0]
    (entry,) = table.act(PEOPLE[seat], None, action.value, table.version, NOW)
    assert entry == entries.Acted(NOW, seat, str(action))


def test_a_player_who_may_not_act_is_told_why() -> None:
    table = playing("atlantis", 3)
    seat = table.deciders[0]
    waiting = PEOPLE[(seat + 1) % 3]
    action = some_action(table, seat)
    with refused("no-seat"):
        table.act(EVE, None, action, None, NOW)
    with refused("not-your-turn"):
        table.act(waiting, None, action, None, NOW)
    with refused("not-your-seat"):
        table.act(waiting, seat, action, None, NOW)
    with pytest.raises(IllegalAction):
        table.act(PEOPLE[seat], None, "end", None, NOW)
    with refused("not-playing"):
        open_table().act(ANN, None, action, None, NOW)


def test_an_action_is_stale_once_the_game_has_moved_on_but_not_after_chat() -> None:
    table = playing()
    first = table.deciders[0]
    seen = table.version
    table.say(EVE, "hello", NOW)
    table.leave(PEOPLE[1 - first], NOW)
    table.act(PEOPLE[first], None, some_action(table, first), seen, NOW)
    second = 1 - first
    with refused("stale") as found:
        table.act(PEOPLE[second], None, some_action(table, second), seen, NOW)
    assert found.value.arguments["version"] == table.version
    with refused("stale"):  # from the future: this server is behind another one
        table.act(PEOPLE[second], None, some_action(table, second), table.version + 1, NOW)
    table.act(PEOPLE[second], None, some_action(table, second), table.version, NOW)


def test_secret_choices_of_others_do_not_make_mine_stale() -> None:
    table = playing("mille-fiori", 3)
    seen = table.version
    assert table.deciders == [0, 1, 2]
    for seat in (2, 0):
        table.act(PEOPLE[seat], None, some_action(table, seat), seen, NOW)
    table.take_back(PEOPLE[2], table.version, False, NOW)
    table.act(PEOPLE[2], None, some_action(table, 2), table.version, NOW)
    table.act(PEOPLE[1], None, some_action(table, 1), seen, NOW)
    assert table.started.view(0)["phase"] == "play"
    with refused("stale"):
        table.act(PEOPLE[0], None, "sail", seen, NOW)


def test_bot_actions_pass_the_same_checks() -> None:
    table = open_table("mille-fiori", players=3)
    for seat in (0, 1):
        table.put_bot(ANN, seat, "random", NOW)
    table.sit(BOB, 2, NOW)
    table.start(ANN, NOW)
    assert table.bots_to_move() == [(0, "random"), (1, "random")]
    seen = table.version
    (entry,) = table.act_as_bot(1, some_action(table, 1), seen, NOW)
    assert isinstance(entry, entries.Acted) and entry.bot
    assert table.bots_to_move() == [(0, "random")]
    with refused("not-your-turn"):
        table.act_as_bot(1, some_action(table, 0), seen, NOW)
    with refused("no-bot"):
        table.act_as_bot(2, some_action(table, 2), seen, NOW)
    table.act_as_bot(0, some_action(table, 0), seen, NOW)
    table.act(BOB, None, some_action(table, 2), table.version, NOW)
    with refused("stale"):
        table.act_as_bot(table.deciders[0], "sail", seen, NOW)


def test_with_two_players_resigning_ends_the_game() -> None:
    table = playing()
    table.resign(ANN, None, NOW)
    assert table.status == "over" and table.result and table.result.how == "resigned"
    assert table.result.winners == [1] and table.deciders == []
    with refused("not-playing"):
        table.act(BOB, None, "1Ra1", None, NOW)


def test_with_more_players_a_bot_plays_on_and_cannot_win() -> None:
    for seed in range(20):
        chance = random.Random(seed)
        table = playing("venice-2099", 3, seed=seed)
        table.resign(CLEO, None, NOW)
        assert table.status == "playing" and table.chairs[2].resigned and table.chairs[2].level == "heron"
        with refused("resigned"):
            table.resign(CLEO, None, NOW)
        while table.status == "playing":
            seat = table.deciders[0]
            action = str(chance.choice(table.started.legal()))
            if seat == 2:
                assert table.bots_to_move() == [(2, "heron")]
                with refused("resigned"):
                    table.act(CLEO, None, action, None, NOW)
                table.act_as_bot(2, action, table.version, NOW)
            else:
                table.act(PEOPLE[seat], None, action, table.version, NOW)
        assert table.result and table.result.how == "played"
        scores = table.result.scores
        assert 2 not in table.result.winners
        assert all(scores[seat] == max(scores[:2]) for seat in table.result.winners)
        if 2 in table.started.winners:
            break
    assert 2 in table.started.winners  # the bot was best in one of these games, and did not win


def test_the_last_player_who_has_not_resigned_wins() -> None:
    table = playing("atlantis", 4)
    for person in (ANN, CLEO, DAN):
        assert table.status == "playing"
        table.resign(person, None, NOW)
    assert table.result and table.result.winners == [1] and table.result.how == "resigned"


def test_one_person_with_several_seats_sees_one_at_a_time() -> None:
    table = open_table("atlantis", players=3)
    table.sit(ANN, 0, NOW)
    table.sit(BOB, 1, NOW)
    table.sit(type(ANN)(ANN.id, "Ann's aunt"), 2, NOW)
    table.start(ANN, NOW)
    assert table.started.seats == ["Ann", "Bob", "Ann's aunt"]
    shown = []
    for seat, _ in random_play(table, 1):
        view = redact.table_view(table, ANN.id, NOW, {0, 1, 2})
        assert view.game and view.mine == [0, 2]
        shown.append((seat, view.game["seat"]))
    assert {(0, 0), (1, 0), (2, 2)} == set(shown)


def test_the_secret_choice_of_one_seat_is_hidden_from_the_other_seat_of_the_same_person() -> None:
    table = open_table("mille-fiori", players=2)
    table.sit(ANN, 0, NOW)
    table.sit(ANN, 1, NOW)
    table.start(ANN, NOW)
    table.act(ANN, 0, some_action(table, 0), table.version, NOW)
    view = redact.table_view(table, ANN.id, NOW, {0, 1})
    assert view.game and view.game["seat"] == 1
    assert redact.lines(table, ANN.id, table.version - 1)[0].action is None


@pytest.mark.parametrize("game", ["neptune-vesta", "mille-fiori", "atlantis", "venice-2099"])
def test_the_log_replays_to_the_same_table(game: str) -> None:
    table = playing(game)
    for number, (seat, _) in enumerate(random_play(table, 5)):
        if number % 3 == 2:
            person = PEOPLE[1 - seat]
            try:
                table.take_back(person, table.version, number % 2 == 0, NOW)
            except Refusal:
                table.say(person, "a pity", NOW)
    stored = [entries.decode(entries.encode(entry)) for entry in table.entries]
    again = Table.from_log(table.id, table.secret, stored)
    assert again.entries == table.entries and again.started.log == table.started.log
    for person_id in (ANN.id, BOB.id, None):
        assert redact.table_view(again, person_id, NOW, ()) == redact.table_view(table, person_id, NOW, ())
        assert redact.lines(again, person_id, 0) == redact.lines(table, person_id, 0)
