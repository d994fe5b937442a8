"""Before the start, coming and going, links, chat, the next table."""

from __future__ import annotations

import hashlib

import pytest

from laguna.errors import BadOption, LagunaError, Refusal, UnknownGame
from laguna.table import entries, redact
from laguna.table.entries import Clock, Person, Settings
from laguna.table.permissions import MAX_DEVICES
from laguna.table.table import Table
from tests.table.tables import ANN, BOB, CLEO, DAN, EVE, NOW, SECRET, open_table, playing, some_action


def refused(key: str):  # type: ignore[no-untyped-def]
    return pytest.raises(Refusal, match=r"\.$", check=lambda error: error.key == key)


def test_a_new_table_has_all_settings_and_commits_to_its_secret() -> None:
    table = open_table("mille-fiori", options={"draft": "open"})
    assert table.settings.players == 4 and table.settings.options == {"draft": "open"}
    assert (
        open_table("venice-2099", options={"edition": "hobby-world"}).settings.options["rescue"] == "quarter"
    )
    assert table.commitment == hashlib.sha256(SECRET).hexdigest()
    assert table.status == "open" and table.version == 1 and len(table.chairs) == 4


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(UnknownGame):
        open_table("chess")
    with pytest.raises(BadOption):
        open_table(players=3)
    with pytest.raises(BadOption, match="second"):
        open_table(clock=Clock(kind="bank"))
    with refused("name"):
        Table.open("t" * 22, Settings(game="atlantis"), Person("x", "a\nb"), SECRET, NOW)


def test_a_log_is_replayed_only_with_its_own_secret() -> None:
    table = playing()
    with pytest.raises(LagunaError, match="secret"):
        Table.from_log(table.id, b"another", table.entries)


def test_seats_are_taken_and_left() -> None:
    table = open_table(players=3, game="atlantis")
    assert table.sit(ANN, None, NOW) == [entries.Sat(NOW, 0, ANN)]
    with refused("seated"):
        table.sit(ANN, None, NOW)
    with refused("taken"):
        table.sit(BOB, 0, NOW)
    table.sit(BOB, 2, NOW)
    assert table.seats_of(BOB.id) == [2]
    with refused("not-your-seat"):
        table.stand(BOB, 0, NOW)
    with refused("seat"):
        table.sit(CLEO, 3, NOW)
    table.stand(ANN, 2, NOW)  # the host frees any seat
    assert table.seats_of(BOB.id) == []
    table.sit(CLEO, 1, NOW)
    table.sit(CLEO, 2, NOW)
    with refused("taken"):
        table.sit(DAN, None, NOW)


def test_only_the_host_puts_bots_and_starts() -> None:
    table = open_table()
    table.sit(BOB, 0, NOW)
    with refused("not-host"):
        table.put_bot(BOB, 1, "heron", NOW)
    with refused("taken"):
        table.put_bot(ANN, 0, "heron", NOW)
    with refused("unknown-bot"):
        table.put_bot(ANN, 1, "search:9999s", NOW)
    with refused("open-seats"):
        table.start(ANN, NOW)
    table.put_bot(ANN, 1, "heron", NOW)
    table.put_bot(ANN, 1, "turtle", NOW)
    with refused("not-host"):
        table.start(BOB, NOW)
    table.start(ANN, NOW)
    assert table.status == "playing" and table.started.seats == ["Bob", "turtle"]
    for late in (
        lambda: table.sit(CLEO, None, NOW),
        lambda: table.stand(BOB, 0, NOW),
        lambda: table.start(ANN, NOW),
    ):
        with refused("started"):
            late()


def test_a_bot_takes_over_after_the_grace_period_until_the_person_is_back() -> None:
    table = playing(players=2)
    seat = table.deciders[0]
    gone, other = (ANN, BOB) if seat == 0 else (BOB, ANN)
    assert table.leave(gone, NOW) == [entries.Left(NOW, seat)]
    assert table.leave(gone, NOW) == []
    grace = table.settings.grace * 1000
    with refused("not-gone"):
        table.take_over(other, seat, "heron", NOW + grace - 1)
    with refused("no-seat"):
        table.take_over(EVE, seat, "heron", NOW + grace)
    with refused("unknown-bot"):
        table.take_over(other, seat, "whale", NOW + grace)
    table.take_over(other, seat, "heron", NOW + grace)
    assert table.bots_to_move() == [(seat, "heron")]
    with refused("not-gone"):
        table.take_over(other, seat, "heron", NOW + grace)
    assert table.come_back(gone, NOW + grace) == [entries.Returned(NOW + grace, seat)]
    assert table.bots_to_move() == [] and table.come_back(gone, NOW + grace) == []


def test_a_player_who_acts_is_back() -> None:
    table = playing()
    seat = table.deciders[0]
    person = (ANN, BOB)[seat]
    table.leave(person, NOW)
    before = list(table.entries)
    with pytest.raises(LagunaError):
        table.act(person, None, "nonsense", table.version, NOW)
    assert table.entries == before and table.chairs[seat].left_at == NOW
    new = table.act(person, None, some_action(table, seat), table.version, NOW)
    assert [type(entry) for entry in new] == [entries.Returned, entries.Acted]


def test_a_link_gives_the_seat_to_another_device_until_it_is_revoked() -> None:
    table = playing()
    seat = table.deciders[0]
    owner, other = (ANN, BOB) if seat == 0 else (BOB, ANN)
    assert table.link(EVE, seat, NOW) == [entries.Linked(NOW, seat, EVE)]
    assert table.link(EVE, seat, NOW) == []
    with refused("not-your-seat"):
        table.unlink(other, seat, NOW)
    with refused("not-your-seat"):
        table.unlink(EVE, seat, NOW)
    table.act(EVE, None, some_action(table, seat), table.version, NOW)
    table.unlink(owner, seat, NOW)
    assert table.seats_of(EVE.id) == [] and table.seats_of(owner.id) == [seat]
    assert table.unlink(owner, seat, NOW) == []
    for number in range(MAX_DEVICES - 1):
        table.link(Person(f"device-{number}", "Eve"), seat, NOW)
    with refused("devices"):
        table.link(EVE, seat, NOW)


def test_a_link_to_an_open_seat_is_an_invitation() -> None:
    table = open_table()
    assert table.link(BOB, 1, NOW) == [entries.Sat(NOW, 1, BOB)]
    table.put_bot(ANN, 0, "heron", NOW)
    with refused("taken"):
        table.link(CLEO, 0, NOW)


def test_everybody_may_speak() -> None:
    table = playing()
    assert table.say(BOB, "  good   luck ", NOW) == [entries.Said(NOW, BOB, 1, "good luck")]
    assert table.say(EVE, "hello", NOW) == [entries.Said(NOW, EVE, None, "hello")]
    for text in ("", "  ", "x" * 501, "bell \x07"):
        with refused("text"):
            table.say(EVE, text, NOW)


def test_a_bot_that_was_renamed_is_read_by_its_former_name() -> None:
    table = open_table()
    table.sit(BOB, 0, NOW)
    assert table.put_bot(ANN, 1, "shell", NOW) == [entries.BotSat(NOW, 1, "turtle")]
    stored = [
        entries.BotSat(NOW, 1, "shell") if entry == table.entries[-1] else entry for entry in table.entries
    ]
    stored += [entries.Started(NOW), entries.Left(NOW, 0), entries.TakenOver(NOW, 0, "shell")]
    read = Table.from_log(table.id, SECRET, stored)
    assert [chair.level for chair in read.chairs] == ["turtle", "turtle"] and read.started.seats[
        1
    ] == "turtle"
    assert [line.level for line in redact.lines(read, None, 0) if line.level] == ["turtle", "turtle"]
    assert read.bots_to_move() == [(read.deciders[0], "turtle")]


def test_a_rematch_seats_the_same_people_at_the_next_table() -> None:
    table = open_table("atlantis", players=3)
    table.sit(ANN, 0, NOW)
    table.put_bot(ANN, 1, "turtle", NOW)
    table.sit(BOB, 2, NOW)
    table.start(ANN, NOW)
    with refused("not-over"):
        table.rematch(BOB, "n" * 22, NOW)
    table.link(EVE, 2, NOW)
    table.resign(ANN, None, NOW)
    table.resign(BOB, None, NOW)
    with refused("no-seat"):
        table.rematch(CLEO, "n" * 22, NOW)
    table.rematch(BOB, "n" * 22, NOW)
    assert table.next == "n" * 22
    with refused("rematched"):
        table.rematch(ANN, "m" * 22, NOW)
    following = table.next_table("n" * 22, BOB, b"x" * 32, NOW)
    assert following.previous == table.id and following.host == BOB and following.settings == table.settings
    assert [chair.kind for chair in following.chairs] == ["person", "bot", "person"]
    assert following.seats_of(EVE.id) == [2] and not any(chair.resigned for chair in following.chairs)
    following.start(BOB, NOW)


def test_the_log_keeps_its_order_when_clocks_of_servers_differ() -> None:
    table = playing()
    (said,) = table.say(ANN, "early", NOW - 5000)
    assert said.at == NOW
