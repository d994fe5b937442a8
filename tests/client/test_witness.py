"""What a client finds when the operator of a server cheats, and that it finds nothing when nobody does."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from laguna import messages
from laguna.client.errors import Unfair
from laguna.client.witness import Witness
from laguna.fair import commitment
from laguna.table import redact
from laguna.table.entries import Person, Settings
from laguna.table.state import OPENING_TIME
from laguna.table.table import Table
from tests.size import scaled
from tests.table.tables import ANN, BOB, NOW, random_play

Change = Callable[[messages.TableView], messages.TableView]
SECRET = random.Random(1).randbytes(32)


class Seen:
    """A person whose client is shown a table after every change, as a server would."""

    def __init__(self, table: Table, person: Person) -> None:
        self.table = table
        self.person = person
        self.witness = Witness(random.Random(person.name).randbytes(32))
        self.version = 0

    def look(self, change: Change = lambda view: view) -> None:
        view = change(redact.table_view(self.table, self.person.id, NOW, ()))
        lines = redact.lines(self.table, self.person.id, self.version)
        frame = messages.decode_message(messages.encode(messages.Changed(self.version, view, lines)))
        assert isinstance(frame, messages.Changed)
        self.witness.see(frame.view, frame.lines)
        self.version = self.table.version

    def open_share(self) -> None:
        share = self.witness.share
        assert share is not None
        self.table.share(self.person, share, NOW)
        self.witness.accepted = True


def sit_down(secret: bytes = SECRET, game: str = "neptune-vesta") -> tuple[Table, Seen, Seen]:
    table = Table.open("t" * 22, Settings(game=game, players=2), ANN, secret, NOW)
    ann, bob = Seen(table, ANN), Seen(table, BOB)
    for each in (ann, bob):
        table.sit(each.person, None, NOW, each.witness.seal)
        ann.look()
        bob.look()
    return table, ann, bob


def begin(game: str = "neptune-vesta") -> tuple[Table, Seen, Seen]:
    table, ann, bob = sit_down(game=game)
    table.start(ANN, NOW)
    for each in (ann, bob):
        ann.look()
        bob.look()
        each.open_share()
    return table, ann, bob


def play_on(table: Table, *everybody: Seen) -> None:
    """To the end, or for a while until Ann resigns."""
    longest = scaled(12, 1000)
    for number, _ in enumerate(random_play(table, 2)):
        for each in everybody:
            each.look()
        if number == longest:
            table.resign(ANN, None, NOW)
            break
    for each in everybody:
        each.look()


def found(seen: Seen, text: str | None = None) -> list[str]:
    return seen.witness.check(seen.table.id, text or seen.table.game_file())


@pytest.mark.parametrize("game", ["neptune-vesta", "mille-fiori"])
def test_an_honest_game_is_found_right(game: str) -> None:
    table, ann, bob = begin(game)
    play_on(table, ann, bob)
    for each in (ann, bob):
        sentences = found(each)
        assert any("nobody chose it" in sentence for sentence in sentences)
        assert f"The {table.started.played} actions in the file are those that were played." in sentences


def test_actions_that_were_taken_back_are_no_cheating() -> None:
    table, ann, bob = begin("venice-2099")
    taken = 0
    for seat, _ in random_play(table, 3):
        ann.look()
        bob.look()
        for person in (ANN, BOB):
            if seat % 2 and "take-back" in redact.table_view(table, person.id, NOW, ()).may:
                table.take_back(person, None, False, NOW)
                taken += 1
        if taken > 20:
            break
    play_on(table, ann, bob)
    assert taken and found(ann) and found(bob)


def test_a_share_that_came_too_late_is_said_to_be_missing() -> None:
    table, ann, bob = sit_down()
    table.start(ANN, NOW)
    ann.look()
    ann.open_share()
    table.tick(NOW + OPENING_TIME)
    play_on(table, ann, bob)
    assert "Without a share: Bob." in found(ann)
    assert "did not arrive in time" in " ".join(found(bob))


def test_a_client_that_only_watches_had_no_share() -> None:
    table, ann, bob = begin()
    other = Seen(table, Person("other", "Other"))
    other.look()
    play_on(table, ann, bob, other)
    assert "had no share in the deal" in " ".join(found(other))


def test_nothing_is_sealed_twice_nor_opened_before_all_is_fixed() -> None:
    table, ann, _ = sit_down()
    assert not ann.witness.wants_to_seal and ann.witness.share is None
    table.stand(ANN, 0, NOW)
    ann.look()
    assert not ann.witness.wants_to_seal
    table.sit(ANN, 0, NOW)
    ann.look()
    assert ann.witness.wants_to_seal


# ------------------------------------------------------------------ cheating


def suited(secrets: int, shares: list[str], fits: Callable[[Table], int]) -> Table:
    """The game as it would be with the best of that many secrets for somebody who knows the shares."""

    def with_secret(number: int) -> Table:
        table, ann, bob = sit_down(random.Random(100 + number).randbytes(32))
        for seen, share in zip((ann, bob), shares, strict=True):
            seen.witness = Witness(bytes.fromhex(share))
            table.stand(seen.person, table.seats_of(seen.person.id)[0], NOW)
            table.sit(seen.person, None, NOW, seen.witness.seal)
        table.start(ANN, NOW)
        for seen, share in zip((ann, bob), shares, strict=True):
            table.share(seen.person, share, NOW)
        return table

    return max(map(with_secret, range(secrets)), key=fits)


def test_an_operator_who_draws_a_hundred_secrets_once_the_shares_are_known_is_caught() -> None:
    """The game goes on with the one that gives Bob the best tiles, and everything fits but the commitment."""
    table, ann, bob = sit_down()
    table.start(ANN, NOW)
    ann.look()
    bob.look()
    shares = [share for each in (ann, bob) if (share := each.witness.share) is not None]
    chosen = suited(100, shares, lambda table: sum(table.started.view(1)["hand"]))
    chosen_hand = sum(chosen.started.view(1)["hand"])
    for each in (ann, bob):
        each.open_share()
    assert chosen_hand >= sum(table.started.view(1)["hand"])
    for each in (ann, bob):
        each.table = chosen
    play_on(chosen, ann, bob)
    for each in (ann, bob):
        with pytest.raises(Unfair, match="commitment was changed"):
            found(each)


def test_an_operator_who_keeps_the_commitment_but_not_the_secret_is_caught() -> None:
    table, ann, _ = begin()
    play_on(table, ann)
    other, *_ = begin()
    document = json.loads(table.game_file())
    secret = bytes(32)
    document |= {"secret": secret.hex(), "commitment": commitment(secret)}
    del document["deal"], document["head"]
    document |= {"actions": [], "result": None}
    with pytest.raises(Unfair, match="not the one that was committed to"):
        found(ann, json.dumps(document))
    assert other.commitment == table.commitment


def changed_view(**fields: Any) -> Change:
    return lambda view: replace(view, **fields)


def changed_fair(**fields: Any) -> Change:
    return lambda view: replace(view, fair=view.fair and replace(view.fair, **fields))


@pytest.mark.parametrize(
    "change", [changed_view(commitment="0" * 64), changed_fair(terms="0" * 64), changed_fair(head="0" * 64)]
)
def test_what_was_published_cannot_be_published_otherwise(change: Change) -> None:
    table, ann, _ = begin()
    ann.look()
    ann.look(change)
    play_on(table, ann)
    with pytest.raises(Unfair):
        found(ann)


def test_no_share_is_opened_once_the_server_contradicts_itself() -> None:
    table, ann, _ = sit_down()
    table.start(ANN, NOW)
    ann.look(changed_view(commitment="0" * 64))
    assert ann.witness.share is None


def test_shares_are_not_opened_for_a_second_deal() -> None:
    """After they were, the operator would know what to deal: terms that change are refused."""
    table, ann, _ = begin()
    ann.look()
    again = sit_down()[0]
    again.seals = list(table.seals)
    again.start(ANN, NOW)
    ann.table = again
    ann.look(changed_fair(terms="0" * 64))
    assert ann.witness.share is None


def test_an_accepted_share_that_was_left_out_is_noticed() -> None:
    table, ann, bob = sit_down()
    table.start(ANN, NOW)
    ann.look()
    bob.look()
    ann.witness.accepted = True
    table.tick(NOW + OPENING_TIME)
    play_on(table, ann, bob)
    with pytest.raises(Unfair, match="left out"):
        found(ann)
    assert found(bob)


def test_another_game_with_the_same_deal_is_noticed() -> None:
    """The operator writes the file of a game that goes otherwise from the fifth action on."""
    table, ann, _ = begin("atlantis")
    play_on(table, ann)
    other = table.started.copy()
    other.back_to(4)
    chance = random.Random(9)
    while not other.over:
        other.play(chance.choice(other.legal()))
    with pytest.raises(Unfair, match="not the one that was played"):
        found(ann, other.dumps())


def test_a_cut_file_is_noticed() -> None:
    table, ann, _ = begin("atlantis")
    play_on(table, ann)
    short = table.started.copy()
    short.undo()
    with pytest.raises(Unfair):
        found(ann, short.dumps())


def test_the_file_of_another_table_is_noticed() -> None:
    table, ann, _ = begin()
    play_on(table, ann)
    ann.witness.check(table.id, table.game_file())
    with pytest.raises(Unfair, match="another table"):
        ann.witness.check("u" * 22, table.game_file())


def test_a_seal_that_was_not_taken_is_noticed() -> None:
    """The table that was opened with it has started at once."""
    table = Table.open("t" * 22, Settings("neptune-vesta"), ANN, SECRET, NOW)
    table.sit(ANN, 0, NOW)
    table.put_bot(ANN, 1, "heron", NOW)
    table.start(ANN, NOW)
    ann = Seen(table, ANN)
    ann.witness.opened(redact.table_view(table, ANN.id, NOW, ()))
    table.resign(ANN, 0, NOW)
    with pytest.raises(Unfair, match="did not take the seal"):
        found(ann)


def test_a_server_that_hides_the_chain_is_noticed() -> None:
    table, ann, _ = begin()
    ann.look(changed_fair(head=None))
    play_on(table, ann)
    with pytest.raises(Unfair, match="chain"):
        found(ann)


def test_who_missed_a_part_of_the_game_is_told() -> None:
    table, ann, bob = begin()
    ann.look()
    play_on(table, bob)
    ann.version = table.version - 2
    ann.look()
    assert "This client missed a part of the game, which it cannot compare." in found(ann)
    assert "missed" not in " ".join(found(bob))
