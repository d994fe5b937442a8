"""The checker, on a game that is played here without a server: all is well, and then one thing is not."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from laguna import messages
from laguna.messages import Act, Changed, ClientFrame, Done, Follow, Refused, Say, Sit, Start, TakeBack
from laguna.server.live.requests import carry_out
from laguna.server.storage import Stored
from laguna.table import redact
from laguna.table.entries import Acted, AnyEntry, Person, Said, Settings, TookBack
from laguna.table.table import Table
from tests.torture.checker import Checker
from tests.torture.records import Asked, Heard, Record
from tests.torture.shrink import shrunk

ADA, BEN, CLEO = (Person(name, name.title()) for name in ("ada", "ben", "cleo"))
SECRET = bytes(range(32))


class Played:
    """A game of two with a spectator, each with a record as a perfect server and network leave it."""

    def __init__(self, game: str = "mille-fiori", actions: int = 12) -> None:
        self.records = [Record(person) for person in (ADA, BEN, CLEO)]
        self._now = 1.0
        self._number = 0
        self.table = Table.open("t" * 22, Settings(game, 2), ADA, SECRET, 1)
        for record in self.records:
            table = messages.Table(self._view(record), self._lines(record, 0))
            self._hear(record, messages.encode(table))
        for record in self.records[:2]:
            self._ask(record, Sit(0, self.table.id))
        self._ask(self.records[0], Start(0, self.table.id))
        dice = random.Random(game)
        for _ in range(actions):
            record = self.records[dice.choice(self.table.deciders)]
            seat = self.table.seats_of(record.person.id)[0]
            action = dice.choice(self.table.started.legal(seat)).value
            self._ask(record, Act(0, self.table.id, self.table.version, action))
        self._ask(self.records[2], Say(0, self.table.id, "well played"))

    def _time(self) -> float:
        self._now += 1.0
        return self._now

    def _ask(self, record: Record, request: ClientFrame) -> None:
        self._number += 1
        request = replace(request, id=self._number)
        record.events.append(Asked(self._time(), 1, request))
        before = self.table.version
        carry_out(self.table, record.person, request, round(self._time()))
        update = redact.Update(self.table, before, round(self._now), [0])
        for each in self.records:
            self._hear(each, update.changed(each.person.id))
        self._hear(record, messages.encode(Done(request.id, self.table.version, self.table.id)))

    def _hear(self, record: Record, text: bytes) -> None:
        record.events.append(Heard(self._time(), 1, text, messages.decode_message(text)))

    def _view(self, record: Record) -> messages.TableView:
        return redact.table_view(self.table, record.person.id, round(self._now), [0])

    def _lines(self, record: Record, since: int) -> list[messages.Line]:
        return redact.lines(self.table, record.person.id, since)

    def last(self, kind: type[AnyEntry]) -> int:
        """The index of the last entry of that kind."""
        return max(number for number, entry in enumerate(self.table.entries) if isinstance(entry, kind))

    def wrong(self) -> set[str]:
        stored = Stored(SECRET, self.table.entries)
        return {each.kind for each in Checker(self.table.id, stored, self.records).violations()}

    def change(self, record: Record, wanted: type, change: Callable[[Heard], Heard | None]) -> None:
        """Put another frame for the record's last one of that kind, or none."""
        events = record.events
        place = max(
            i for i, each in enumerate(events) if isinstance(each, Heard) and isinstance(each.frame, wanted)
        )
        changed = change(events[place])  # type: ignore[arg-type]
        events[place : place + 1] = [] if changed is None else [changed]


def saying(text: str) -> Callable[[Heard], Heard]:
    """The same frame with another view."""

    def changed(heard: Heard) -> Heard:
        frame = heard.frame
        assert isinstance(frame, Changed)
        frame = replace(frame, view=replace(frame.view, commitment=text))
        return heard._replace(frame=frame, text=messages.encode(frame))

    return changed


@pytest.mark.parametrize("game", ["mille-fiori", "neptune-vesta"])
def test_nothing_is_wrong_with_a_good_game(game: str) -> None:
    assert Played(game).wrong() == set()


def test_what_somebody_missed_comes_in_one_piece() -> None:
    played = Played()
    record, table = played.records[2], played.table
    since = table.version - 3
    record.events.append(Asked(90.0, 2, Follow(900, table.id, since)))
    missed = Changed(since, played._view(record), played._lines(record, since))
    played._hear(record, messages.encode(missed))
    assert played.wrong() == set()
    played.change(record, Changed, saying("0" * 64))
    assert played.wrong() == {"saw what they may not"}


def test_an_acknowledged_action_that_is_missing() -> None:
    played = Played()
    del played.table.entries[played.last(Acted) :]
    assert played.wrong() >= {"acknowledged but lost", "two histories"}


def test_another_action_in_the_place_of_the_acknowledged_one() -> None:
    played = Played()
    place = played.last(Said)
    entry = played.table.entries[place]
    assert isinstance(entry, Said)
    played.table.entries[place] = replace(entry, text="badly played")
    assert played.wrong() >= {"acknowledged but lost", "saw what they may not"}


def test_something_that_nobody_asked_for() -> None:
    played = Played()
    played.table.entries.append(Said(10_000, CLEO, None, "well played"))
    assert played.wrong() == {"not asked for"}


def test_what_was_never_answered_may_be_there_once() -> None:
    played = Played()
    record = played.records[2]
    played.change(record, Done, lambda heard: None)
    assert played.wrong() == set()
    played.table.entries.append(played.table.entries[-1])
    assert played.wrong() == {"not asked for"}


def test_what_was_refused_must_not_be_there() -> None:
    played = Played()
    refused = Refused("stale", "The game has moved on.", id=0)
    played.change(
        played.records[2],
        Done,
        lambda heard: heard._replace(frame=replace(refused, id=heard.frame.id)),  # type: ignore[union-attr]
    )
    assert played.wrong() == {"not asked for"}


def test_two_acknowledgements_of_one_request() -> None:
    played = Played()
    events = played.records[2].events
    events.append(events[-1])
    assert "done twice" in played.wrong()


def test_what_was_asked_for_later_comes_first() -> None:
    played = Played()
    events = played.records[0].events
    place = next(
        i for i, each in enumerate(events) if isinstance(each, Asked) and isinstance(each.request, Start)
    )
    events[place] = events[place]._replace(at=2.0)
    assert played.wrong() == set()  # it may take long
    events[place] = events[place]._replace(at=1_000.0)
    assert played.wrong() == {"out of order"}


def test_a_server_that_failed() -> None:
    played = Played()
    record = played.records[2]
    record.events.append(Asked(90.0, 1, Follow(900, played.table.id)))
    record.events.append(Heard(91.0, 1, b"", Refused("internal", "Something went wrong.", id=900)))
    assert played.wrong() == {"refused"}


def test_a_view_that_says_something_else() -> None:
    played = Played()
    played.change(played.records[2], Changed, saying("0" * 64))
    assert played.wrong() == {"saw what they may not"}


def test_a_secret_choice_that_is_shown() -> None:
    played = Played(actions=1)
    choice = played.table.entries[played.last(Acted)]
    assert isinstance(choice, Acted)
    other = played.records[1 - choice.seat]

    def telling(heard: Heard) -> Heard:
        frame = heard.frame
        assert isinstance(frame, Changed)
        line = replace(frame.lines[-1], action=choice.action)
        frame = replace(frame, lines=[*frame.lines[:-1], line])
        return heard._replace(frame=frame, text=messages.encode(frame))

    del played.table.entries[-1]  # what was said after it
    for record in played.records:
        played.change(record, Changed, lambda heard: None)
    played.records[2].events = [each for each in played.records[2].events if not isinstance(each, Asked)]
    played.change(played.records[2], Done, lambda heard: None)
    assert played.wrong() == set()
    played.change(other, Changed, telling)
    assert played.wrong() == {"saw what they may not"}


def test_a_version_that_is_missing_comes_twice_or_goes_back() -> None:
    played = Played()
    events = played.records[2].events
    views = [place for place, each in enumerate(events) if each in played.records[2].views]
    missing, again = events[views[4]], events[views[3]]
    del events[views[4]]
    assert played.wrong() == {"gap"}
    events.insert(views[4], missing)
    assert played.wrong() == set()
    events.insert(views[4], again)
    assert played.wrong() == {"heard twice"}
    events[views[4] : views[4] + 1] = []
    events.append(again)
    assert played.wrong() == {"went back", "heard twice"}


def test_a_take_back_of_what_was_revealed() -> None:
    played = Played("neptune-vesta", actions=1)
    del played.table.entries[-1]  # what was said after it
    acted = played.table.entries[-1]
    assert isinstance(acted, Acted)
    played.table.entries.append(TookBack(acted.at, acted.seat, 0))
    record = played.records[acted.seat]
    record.events.append(Asked(90.0, 1, TakeBack(900, played.table.id, len(played.table.entries) - 1)))
    assert "taken back what was revealed" in played.wrong()


@pytest.mark.anyio
async def test_shrinking_leaves_what_is_needed() -> None:
    tried = []

    async def fails(items: list[int]) -> bool:
        tried.append(items)
        return {3, 17} <= set(items)

    assert await shrunk(range(40), fails) == [3, 17]
    assert len(tried) < 60
