"""How long players may think."""

from __future__ import annotations

import pytest

from laguna.errors import Refusal
from laguna.table import entries
from laguna.table.clocks import Clocks
from laguna.table.entries import Clock, decode, encode
from laguna.table.table import Table
from tests.table.tables import ANN, CLEO, NOW, PEOPLE, open_table, playing, some_action
from tests.table.test_seats import refused

MOVE = Clock(kind="move", seconds=60)
BANK = Clock(kind="bank", seconds=100, increment=5)


def test_without_a_clock_time_is_unlimited() -> None:
    clocks = Clocks(Clock(), 2)
    clocks.run([0], 0)
    assert clocks.left(0, 10**9) is None and clocks.due() is None and clocks.run_out(10**9) == []


def test_each_action_has_its_time() -> None:
    clocks = Clocks(MOVE, 2)
    clocks.run([0], 0)
    assert clocks.left(0, 59_999) == 1 and clocks.due() == 60_000
    assert clocks.run_out(59_999) == [] and clocks.run_out(60_000) == [0]
    clocks.acted(0, 50_000)
    clocks.run([1], 50_000)
    assert clocks.left(0, 90_000) == 60_000 and clocks.left(1, 90_000) == 20_000


def test_a_bank_is_used_up_and_grows_with_each_action() -> None:
    clocks = Clocks(BANK, 2)
    clocks.run([0, 1], 0)
    clocks.acted(0, 10_000)
    clocks.run([1], 10_000)
    assert clocks.left(0, 50_000) == 95_000 and clocks.left(1, 50_000) == 50_000
    clocks.run([0], 50_000)
    assert clocks.left(0, 51_000) == 94_000 and clocks.left(1, 99_000) == 50_000
    assert clocks.due() == 50_000 + 95_000


def test_a_clock_that_is_set_back_gives_no_time() -> None:
    clocks = Clocks(MOVE, 1)
    clocks.run([0], 1000)
    assert clocks.left(0, 0) == 60_000


def test_time_while_no_server_was_up_is_not_charged() -> None:
    """Neither to the player who is thinking nor, after an undo, to the one who acted."""
    table = playing("venice-2099", 2, clock=BANK)
    seat = table.deciders[0]
    assert table.resume(500_000, NOW + 520_000) == [entries.Resumed(NOW + 520_000, 500_000)]
    assert table.clocks.left(seat, NOW + 520_000) == 80_000 and table.due() == NOW + 600_000
    assert table.clocks.left(1 - seat, NOW + 520_000) == 100_000
    table.act(PEOPLE[seat], None, some_action(table, seat), None, NOW + 530_000)
    again = Table.from_log(table.id, table.secret, [decode(encode(entry)) for entry in table.entries])
    for each in (0, 1):
        assert again.clocks.left(each, NOW + 540_000) == table.clocks.left(each, NOW + 540_000)
    assert again.clocks.left(seat, NOW + 530_000) == 75_000


def test_no_more_time_is_given_back_than_has_passed() -> None:
    table = playing(clock=MOVE)
    seat = table.deciders[0]
    assert table.resume(90_000, NOW + 20_000) == [entries.Resumed(NOW + 20_000, 20_000)]
    assert table.clocks.left(seat, NOW + 20_000) == 60_000
    assert table.resume(5_000, NOW) == []


def test_where_no_clock_runs_nothing_resumes() -> None:
    assert playing().resume(1000, NOW + 1000) == [] and open_table(clock=MOVE).resume(1000, NOW + 1000) == []


def test_running_out_of_time_loses() -> None:
    table = playing(clock=MOVE)
    seat = table.deciders[0]
    assert table.due() == NOW + 60_000 and table.tick(NOW + 59_999) == []
    with refused("out-of-time"):
        table.act(PEOPLE[seat], None, some_action(table, seat), table.version, NOW + 60_000)
    assert table.tick(NOW + 60_000) == [entries.OutOfTime(NOW + 60_000, seat)]
    assert table.result and table.result.how == "out-of-time" and table.result.winners == [1 - seat]
    assert table.due() is None and table.tick(NOW + 10**9) == []


def test_with_more_players_a_bot_plays_on_for_a_player_out_of_time() -> None:
    table = playing("mille-fiori", 3, clock=MOVE)
    table.act(CLEO, None, some_action(table, 2), table.version, NOW + 1000)
    assert [entry.seat for entry in table.tick(NOW + 60_000)] == [0, 1]  # type: ignore[union-attr]
    assert table.status == "over" and table.result and table.result.winners == [2]
    table = playing("atlantis", 3, clock=MOVE)
    table.tick(NOW + 60_000)
    assert table.status == "playing" and table.bots_to_move() == [(0, "heron")] and table.due() is None


def test_bots_have_no_clock_and_people_get_theirs_back() -> None:
    table = playing("atlantis", 2, clock=Clock(kind="bank", seconds=200))
    at = NOW + 1000 * table.settings.grace
    table.leave(ANN, NOW)
    table.take_over(PEOPLE[1], 0, "random", at)
    assert table.due() is None and table.clocks.left(0, at + 10**6) == 80_000
    table.come_back(ANN, at + 10**6)
    assert table.due() == at + 10**6 + 80_000


@pytest.mark.parametrize("clock", [MOVE, BANK], ids=["move", "bank"])
def test_acting_and_undoing_gains_no_time(clock: Clock) -> None:
    """However often a player acts and undoes, there is no more thinking time than was given."""
    table = playing("venice-2099", 2, clock=clock)
    while table.started.view(0)["phase"] == "place":
        table.act(PEOPLE[table.deciders[0]], None, some_action(table, table.deciders[0]), None, NOW)
    seat, now, tries = table.deciders[0], NOW, 0
    left = table.clocks.left(seat, now)
    assert left is not None
    while tries < 100:
        now += 7_000
        try:
            table.act(PEOPLE[seat], None, some_action(table, seat), None, now)
            now += 7_000
            table.take_back(PEOPLE[seat], None, False, now)
        except Refusal as error:
            assert error.key == "out-of-time"
            break
        tries += 1
        left -= 14_000
        assert table.clocks.left(seat, now) == left
    assert 0 < tries < 100


def test_a_table_without_clock_is_never_due() -> None:
    assert open_table().due() is None and playing().due() is None
