"""A deal that nobody can choose: sealed shares, opened when all that the deal follows from is fixed."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import laguna
from laguna.bots import FORMER_NAMES
from laguna.fair import new_secret, seal_of
from laguna.game import from_position_live
from laguna.table import redact
from laguna.table.entries import BotSat, Dealing, Person, Sealed, Settings, Shared, Started, decode, encode
from laguna.table.state import OPENING_TIME
from laguna.table.table import Table
from tests.table.tables import (
    ANN,
    BOB,
    CLEO,
    GAMES,
    NOW,
    PEOPLE,
    dealt_from_shares,
    open_table,
    playing,
    random_play,
    sealed_table,
    share_of,
    some_action,
)
from tests.table.test_seats import refused

SEAL = seal_of(bytes.fromhex(share_of(0)))


def stored(table: Table) -> Table:
    """The table as another server reads it."""
    return Table.from_log(table.id, table.secret, [decode(encode(entry)) for entry in table.entries])


def kinds(table: Table) -> list[type]:
    return [type(entry) for entry in table.entries if isinstance(entry, Sealed | Dealing | Shared | Started)]


# ------------------------------------------------------------------ the protocol


@pytest.mark.parametrize("game", GAMES)
def test_the_game_is_dealt_with_the_last_share(game: str) -> None:
    table = sealed_table(game)
    table.start(ANN, NOW)
    assert table.status == "open" and table.awaited == [0, 1] and table.game is None
    table.share(BOB, share_of(1), NOW)
    assert table.awaited == [0] and stored(table).awaited == [0]
    assert [type(entry) for entry in table.share(ANN, share_of(0), NOW)] == [Shared, Started]
    assert table.status == "playing" and table.awaited == []
    assert kinds(table) == [Sealed, Sealed, Dealing, Shared, Shared, Started]
    assert stored(table).started == table.started


def test_nobody_sits_stands_or_puts_bots_while_the_game_is_dealt() -> None:
    table = sealed_table()
    table.start(ANN, NOW)
    before = list(table.entries)
    for request in (
        lambda: table.sit(CLEO, None, NOW),
        lambda: table.stand(BOB, 1, NOW),
        lambda: table.put_bot(ANN, 1, "heron", NOW),
        lambda: table.start(ANN, NOW),
        lambda: table.seal(ANN, SEAL, NOW),
    ):
        with refused("dealing"):
            request()
    assert table.entries == before
    assert not {"sit", "stand", "put-bot", "start"} & set(redact.table_view(table, ANN.id, NOW, ()).may)


def test_a_share_must_fit_its_seal_and_is_opened_once() -> None:
    table = sealed_table()
    with refused("not-dealing"):
        table.share(ANN, share_of(0), NOW)
    table.start(ANN, NOW)
    with refused("share"):
        table.share(ANN, share_of(1), NOW)
    with refused("no-seat"):
        table.share(CLEO, share_of(1), NOW)
    table.share(ANN, share_of(0), NOW)
    with refused("share"):
        table.share(ANN, share_of(0), NOW)


def test_a_sealed_share_cannot_be_replaced_but_leaves_with_its_player() -> None:
    table = sealed_table()
    assert table.seal(ANN, seal_of(b"another"), NOW) == []
    table.stand(BOB, 1, NOW)
    assert table.seals == [SEAL, None]
    table.sit(CLEO, 1, NOW)
    assert redact.table_view(table, None, NOW, ()).fair == laguna.messages.FairView([SEAL, None])


def test_without_seals_the_game_starts_at_once() -> None:
    table = open_table()
    table.sit(ANN, 0, NOW)
    table.put_bot(ANN, 1, "heron", NOW)
    assert [type(entry) for entry in table.start(ANN, NOW)] == [Started]
    assert table.status == "playing" and stored(table).started == table.started


def test_one_person_opens_the_share_of_all_their_seats_and_bots_need_nothing() -> None:
    """Shared device: one share for both seats. The bot's share follows from the secret."""
    table = open_table("venice-2099", players=3)
    for seat in (0, 2):
        table.sit(ANN, seat, NOW, SEAL)
    table.put_bot(ANN, 1, "heron", NOW)
    table.start(ANN, NOW)
    assert table.awaited == [0, 2]
    table.share(ANN, share_of(0), NOW)
    deal = table.started.deal
    assert deal is not None and deal.seals == [SEAL, None, SEAL]
    assert deal.shares[0] == deal.shares[2] == share_of(0) and deal.shares[1] not in (None, share_of(0))


def test_a_second_device_of_a_seat_may_open_the_share() -> None:
    table = sealed_table()
    table.link(CLEO, 0, NOW)
    table.start(ANN, NOW)
    assert [type(entry) for entry in table.share(CLEO, share_of(0), NOW)] == [Shared]


@pytest.mark.parametrize("opened", [0, 1])
def test_a_share_that_is_not_opened_in_time_is_left_out(opened: int) -> None:
    table = sealed_table()
    table.start(ANN, NOW)
    if opened:
        table.share(ANN, share_of(0), NOW + 1)
    assert table.due() == NOW + OPENING_TIME
    assert table.tick(NOW + OPENING_TIME - 1) == []
    assert [type(entry) for entry in table.tick(NOW + OPENING_TIME)] == [Started]
    deal = table.started.deal
    assert deal is not None and deal.shares == [share_of(0) if opened else None, None]
    with refused("not-dealing"):
        table.share(BOB, share_of(1), NOW + OPENING_TIME)
    assert table.due() is None and stored(table).started == table.started


def test_while_no_server_is_up_the_time_to_open_shares_stands_still() -> None:
    table = sealed_table()
    table.start(ANN, NOW)
    table.resume(60_000, NOW + 60_000)
    assert table.due() == NOW + 60_000 + OPENING_TIME == stored(table).due()


def test_at_the_next_table_everybody_draws_a_new_share() -> None:
    table = dealt_from_shares()
    for _ in random_play(table, 1):
        pass
    following = table.next_table("u" * 22, ANN, new_secret(), NOW)
    assert following.seals == [None, None]
    assert [type(entry) for entry in following.seal(BOB, SEAL, NOW)] == [Sealed]


def test_somebody_deleted_while_the_game_is_dealt_has_left_it() -> None:
    table = sealed_table()
    table.start(ANN, NOW)
    table.forget(Person(BOB.id, "Someone", gone=True), NOW)
    assert table.chairs[1].left_at == NOW
    table.tick(NOW + OPENING_TIME)
    assert table.status == "playing"


def test_a_deleted_name_changes_no_deal() -> None:
    """The entries as they are once Bob is deleted: the deal rests on a mark of his name."""
    table = dealt_from_shares()
    gone = Person(BOB.id, laguna.fair.SOMEONE, gone=True)
    entries = [
        msgspec.structs.replace(entry, person=gone) if getattr(entry, "person", None) == BOB else entry
        for entry in table.entries
    ]
    again = Table.from_log(table.id, table.secret, entries)
    assert again.started == table.started and again.heads == table.heads
    for _ in random_play(again, 1):
        pass
    assert laguna.loads(again.game_file()).seats == ["Ann", "Someone"]


def test_a_table_from_before_there_were_shares_is_dealt_as_ever() -> None:
    """Its log has no marks of names; its file has no deal, and its view no head."""
    new = playing()
    old = Table.from_log(new.id, new.secret, [*new.entries[:-1], Started(NOW)])
    settings = old.settings
    as_ever = laguna.game.set_up_live(settings.game, 2, old.secret, ["Ann", "Bob"], settings.options)
    assert old.started == as_ever != new.started
    assert old.started.deal is None and '"deal"' not in old.started.dumps()
    assert redact.table_view(old, ANN.id, NOW, ()).fair is None


# ------------------------------------------------------------------ who could choose the deal


def hand_value(table: Table, seat: int) -> int:
    """How good the deal is for a seat: the sum of its tiles."""
    return sum(table.started.view(seat)["hand"])


def test_an_operator_who_draws_a_hundred_secrets_cannot_foresee_the_deal() -> None:
    """The best of a hundred secrets for a guessed share is an average one for the share opened later."""
    guessed = [share_of(0), share_of(1)]
    tries = range(100)
    foreseen = [hand_value(dealt_from_shares(shares=guessed, seed=seed), 0) for seed in tries]
    best = max(tries, key=foreseen.__getitem__)
    chance = random.Random(5)
    real = [
        hand_value(dealt_from_shares(shares=[share_of(0), chance.randbytes(32).hex()], seed=best), 0)
        for _ in range(100)
    ]
    average = sum(foreseen) / 100
    spread = max(foreseen) - average
    assert foreseen[best] == max(foreseen)
    assert abs(sum(real) / 100 - average) < spread / 3


@pytest.mark.parametrize(
    "change",
    [{"id": "u" * 22}, {"options": {"rounds": 1}}, {"seed": 1}],
    ids=["table", "options", "secret"],
)
def test_the_deal_is_bound_to_what_it_is_for(change: dict[str, Any]) -> None:
    table, other = dealt_from_shares(), dealt_from_shares(**change)
    assert table.terms != other.terms and table.heads != other.heads
    assert table.started.view(0)["hand"] != other.started.view(0)["hand"]


def test_the_deal_is_bound_to_the_names_on_the_seats() -> None:
    deals = set()
    for name in ("Bob", "Bobby"):
        table = open_table()
        table.sit(ANN, 0, NOW)
        table.sit(Person(BOB.id, name), 1, NOW)
        table.start(ANN, NOW)
        deals.add(table.started.state_bytes())
    assert len(deals) == 2


def test_every_share_changes_the_deal_and_the_last_cannot_be_chosen_after_the_others() -> None:
    """An accomplice who sees the other shares open can only hold back the one that was sealed before."""
    one, other = dealt_from_shares(), dealt_from_shares(shares=[share_of(0), share_of(2)])
    assert one.started != other.started
    table = sealed_table()
    table.start(ANN, NOW)
    table.share(ANN, share_of(0), NOW)
    for chosen in range(2, 50):
        with refused("share"):
            table.share(BOB, share_of(chosen), NOW)


def test_what_a_position_leaves_open_is_dealt_from_the_shares_too() -> None:
    start = laguna.new("neptune-vesta", seed=2).position(undrawn=False)
    settings = Settings("neptune-vesta")
    stacks = []
    for share in (share_of(0), share_of(1)):
        table = Table.open("t" * 22, settings, ANN, bytes(32), NOW, position=start)
        table.sit(ANN, 0, NOW, seal_of(bytes.fromhex(share)))
        table.put_bot(ANN, 1, "heron", NOW)
        table.start(ANN, NOW)
        table.share(ANN, share, NOW)
        stacks.append(table.started.position()["stacks"])
        assert laguna.loads(table.started.dumps()) == table.started
    alone = from_position_live("neptune-vesta", start, bytes(32)).position()["stacks"]
    assert stacks[0] != stacks[1] != alone != stacks[0]


# ------------------------------------------------------------------ the chain of actions


@pytest.mark.parametrize("game", GAMES)
def test_the_chain_follows_the_game_back_and_forth(game: str) -> None:
    options = {"draft": "secret"} if game == "mille-fiori" else {}
    table = dealt_from_shares(game, 3 if game != "neptune-vesta" else 2, options=options)
    chance = random.Random(3)
    for _ in random_play(table, 2):
        assert table.heads == table.started.heads
        person = chance.choice(PEOPLE[: len(table.chairs)])
        if "take-back" in redact.table_view(table, person.id, NOW, ()).may and chance.random() < 0.3:
            table.take_back(person, None, False, NOW)
            assert table.heads == table.started.heads
    assert len(table.heads) == table.started.played + 1
    view = redact.table_view(table, None, NOW, ()).fair
    assert view is not None and view.head == table.heads[-1] and view.seals == []
    assert stored(table).heads == table.heads


def test_an_action_for_a_game_that_went_otherwise_is_refused() -> None:
    table, other = dealt_from_shares(), dealt_from_shares()
    seat = table.deciders[0]
    first, second = [str(action) for action in table.started.legal(seat)[:2]]
    table.act(PEOPLE[seat], seat, first, None, NOW)
    other.act(PEOPLE[seat], seat, second, None, NOW)
    seat = table.deciders[0]
    action, version = some_action(table, seat), table.version
    with refused("head"):
        table.act(PEOPLE[seat], seat, action, None, NOW, other.heads[-1])
    assert table.version == version
    table.act(PEOPLE[seat], seat, action, None, NOW, table.heads[-1])


def test_no_head_betrays_a_secret_choice() -> None:
    """Whoever tries every card with what is public does not find the head: it takes the secret."""
    table = dealt_from_shares("mille-fiori", 2, options={"draft": "secret"})
    seat = table.deciders[0]
    before = table.heads[-1]
    choices = [str(action) for action in table.started.legal(seat)]
    table.act(PEOPLE[seat], seat, choices[0], None, NOW)
    after = table.heads[-1]
    assert after != before
    assert laguna.fair.next_head(table.secret, before, choices[0]) == after
    guesses = {laguna.fair.next_head(key, before, each) for each in choices for key in (bytes(32), b"")}
    assert after not in guesses


def test_a_bot_that_was_renamed_since_changes_no_deal() -> None:
    """The file has the name that the bot had when the game was dealt."""
    old = next(iter(FORMER_NAMES))
    table = open_table()
    table.sit(ANN, 0, NOW)
    table._add(BotSat(NOW, 1, old))
    table.start(ANN, NOW)
    table.resign(ANN, 0, NOW)
    assert table.chairs[1].level == FORMER_NAMES[old]
    assert laguna.loads(table.game_file()).seats == ["Ann", old]
