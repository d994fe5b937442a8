"""Any request by anybody at any time: it is done and logged, or refused and nothing has changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from laguna import messages
from laguna.errors import IllegalAction, Refusal
from laguna.table import entries, permissions, redact
from laguna.table.entries import AnyEntry, Clock, Person, Settings
from laguna.table.table import Table
from tests.size import scaled
from tests.table.tables import ANN, BOB, CLEO, DAN, NOW

WHO = (ANN, BOB, CLEO, DAN)
TABLES = [
    ("neptune-vesta", 2, {}),
    ("mille-fiori", 2, {}),
    ("mille-fiori", 3, {}),
    ("mille-fiori", 3, {"draft": "open"}),
    ("atlantis", 3, {}),
    ("venice-2099", 2, {}),
]
CLOCKS = [Clock(), Clock(kind="move", seconds=40), Clock(kind="bank", seconds=60, increment=5)]
NEXT = "n" * 22


def frozen(table: Table) -> bytes:
    """All that makes a table, as bytes."""
    game = table.game
    aside = [] if game is None else [[seat, str(action)] for seat, action in sorted(game._aside.items())]
    now = table.entries[-1].at
    seen = [redact.table_view(table, person.id, now, ()) for person in WHO]
    state = b"" if game is None else game.state_bytes()
    clocks = [table.clocks.left(seat, now) for seat in range(len(table.chairs))]
    found = [table.entries, table.status, table.deciders, table.news, aside, clocks, table.due(), seen]
    return messages.encode(found) + state


def copied(table: Table) -> Table:
    return Table.from_log(table.id, table.secret, table.entries)


person = st.sampled_from(WHO)
seat = st.integers(0, 3)
level = st.sampled_from(["heron", "random", "random", "whale"])


class AnyRequests(RuleBasedStateMachine):
    """A table and four people who try everything, most of it at the wrong moment."""

    @initialize(
        kind=st.sampled_from(TABLES),
        clock=st.sampled_from(CLOCKS),
        seed=st.integers(0, 9),
        begun=st.integers(0, 3),
        grace=st.sampled_from([0, 30]),
        bot=st.booleans(),
    )
    def open(self, kind: Any, clock: Clock, seed: int, begun: int, grace: int, bot: bool) -> None:
        game, players, options = kind
        chosen = Settings(game=game, players=players, options=options, clock=clock, grace=grace)
        self.now = NOW
        self.chance = random.Random(seed)
        self.table = Table.open("t" * 22, chosen, ANN, self.chance.randbytes(32), NOW)
        if begun:  # one in four begins with open seats
            for each in range(players):
                self.table.sit(WHO[each % begun], each, NOW)
            if bot:
                self.table.stand(ANN, 1, NOW)
                self.table.put_bot(ANN, 1, "random", NOW)
            self.table.start(ANN, NOW)

    def ask(self, request: Callable[[], list[AnyEntry]]) -> None:
        table = self.table
        before, version = frozen(table), table.version
        try:
            new = request()
        except (Refusal, IllegalAction) as error:
            assert frozen(table) == before
            assert error.key and error.sentence.endswith(".")
        else:
            assert table.entries[version:] == new and table.version == version + len(new)

    @rule(person=person, seat=st.none() | seat)
    def sit(self, person: Person, seat: int | None) -> None:
        self.ask(lambda: self.table.sit(person, seat, self.now))

    @rule(person=person, seat=seat)
    def stand(self, person: Person, seat: int) -> None:
        self.ask(lambda: self.table.stand(person, seat, self.now))

    @rule(person=person, seat=seat, level=level)
    def put_bot(self, person: Person, seat: int, level: str) -> None:
        self.ask(lambda: self.table.put_bot(person, seat, level, self.now))

    @rule(person=person)
    def start(self, person: Person) -> None:
        self.ask(lambda: self.table.start(person, self.now))

    @rule(person=person, seat=seat)
    def link(self, person: Person, seat: int) -> None:
        self.ask(lambda: self.table.link(person, seat, self.now))

    @rule(person=person, seat=seat)
    def unlink(self, person: Person, seat: int) -> None:
        self.ask(lambda: self.table.unlink(person, seat, self.now))

    @rule(person=person, seat=st.none() | seat, form=st.sampled_from(["nonsense", 5, {"do": "keep"}, {}]))
    def act_wrongly(self, person: Person, seat: int | None, form: Any) -> None:
        self.ask(lambda: self.table.act(person, seat, form, None, self.now))

    @rule(seed=st.integers(0, 999), times=st.integers(1, 6))
    def play(self, seed: int, times: int) -> None:
        """What the rules allow, by those who have to decide."""
        chance, table = random.Random(seed), self.table
        for _ in range(times if table.status == "playing" else 0):
            if table.deciders:
                seat = chance.choice(table.deciders)
                self.act(
                    seat,
                    str(chance.choice(table.started.legal(seat))),
                    table.chairs[seat].people,
                    table.version,
                )

    @rule(person=person, choice=st.integers(0, 999), seen=st.integers(-2, 1))
    def play_for_others(self, person: Person, choice: int, seen: int) -> None:
        """What the rules allow, by anybody, having seen enough or not."""
        if self.table.deciders:
            seat = self.table.deciders[choice % len(self.table.deciders)]
            legal = self.table.started.legal(seat)
            self.act(seat, str(legal[choice % len(legal)]), [person], self.table.version + seen)

    def act(self, seat: int, action: str, people: list[Person], version: int) -> None:
        table = self.table
        if table.chairs[seat].level is not None:
            self.ask(lambda: table.act_as_bot(seat, action, version, self.now))
        else:
            self.ask(lambda: table.act(people[0], seat, action, version, self.now))

    @rule(person=person, whole_turn=st.booleans(), knows=st.booleans())
    def take_back(self, person: Person, whole_turn: bool, knows: bool) -> None:
        version = self.table.version if knows else None
        self.ask(lambda: self.table.take_back(person, version, whole_turn, self.now))

    @rule(person=person, seat=st.none() | seat, sure=st.integers(0, 5))
    def resign(self, person: Person, seat: int | None, sure: int) -> None:
        if sure == 5:
            self.ask(lambda: self.table.resign(person, seat, self.now))

    @rule(person=person)
    def leave(self, person: Person) -> None:
        self.ask(lambda: self.table.leave(person, self.now))

    @rule(person=person)
    def come_back(self, person: Person) -> None:
        self.ask(lambda: self.table.come_back(person, self.now))

    @rule(person=person, seat=seat, level=level)
    def take_over(self, person: Person, seat: int, level: str) -> None:
        gone = [each for each, chair in enumerate(self.table.chairs) if chair.left_at is not None]
        seat = gone[seat % len(gone)] if gone else seat
        self.ask(lambda: self.table.take_over(person, seat, level, self.now))

    @rule(person=person, text=st.sampled_from(["hello", " ", "\x00"]))
    def say(self, person: Person, text: str) -> None:
        self.ask(lambda: self.table.say(person, text, self.now))

    @rule(person=person)
    def rematch(self, person: Person) -> None:
        self.ask(lambda: self.table.rematch(person, NEXT, self.now))

    @rule(seconds=st.integers(-1, 15))
    def time_passes(self, seconds: int) -> None:
        self.now += seconds * 1000
        due, version = self.table.due(), self.table.version
        self.ask(lambda: self.table.tick(self.now))
        assert (self.table.version > version) == (due is not None and due <= self.now)

    @rule(person=person)
    def what_may_be_done_is_exactly_what_is_accepted(self, person: Person) -> None:
        table, now = self.table, max(self.now, self.table.entries[-1].at)
        allowed = permissions.kinds(table, person.id, now)
        seats = range(len(table.chairs))
        tries: dict[str, list[tuple[Any, ...]]] = {
            "sit": [(Table.sit, seat) for seat in seats],
            "stand": [(Table.stand, seat) for seat in seats],
            "put-bot": [(Table.put_bot, seat, "heron") for seat in seats],
            "start": [(Table.start,)],
            "act": [(Table.act, seat, str(table.started.legal(seat)[0]), None) for seat in table.deciders],
            "take-back": [(Table.take_back, None, False), (Table.take_back, None, True)],
            "resign": [(Table.resign, None)],
            "take-over": [(Table.take_over, seat, "heron") for seat in seats],
            "rematch": [(Table.rematch, NEXT)],
            "say": [(Table.say, "hello")],
        }
        for kind, ways in tries.items():
            accepted = any(self.is_accepted(way, person, *arguments, now) for way, *arguments in ways)
            assert accepted == (kind in allowed), kind
        assert ("leave" in allowed) == bool(copied(table).leave(person, now))
        assert ("hint" in allowed) == ("act" in allowed)

    def is_accepted(self, way: Callable[..., Any], *arguments: Any) -> bool:
        try:
            way(copied(self.table), *arguments)
        except Refusal:
            return False
        return True

    @invariant()
    def the_table_is_consistent(self) -> None:
        table = self.table
        times = [entry.at for entry in table.entries]
        assert table.version == len(times) == len(table.events) and times == sorted(times)
        assert all(seen <= table.version for seen in (*table.news, *table.acted_at))
        running = [seat for seat in range(len(table.chairs)) if table.clocks.is_running(seat)]
        assert set(running) <= set(table.deciders)
        if table.settings.clock.kind != "none":
            assert running == [seat for seat in table.deciders if table.chairs[seat].level is None]
            assert all((table.clocks.left(seat, times[-1]) or 0) >= 0 for seat in range(len(table.chairs)))
        assert (table.game is None) == (table.status == "open") and (table.result is None) == (
            table.status != "over"
        )
        if table.game is not None and table.status == "playing":
            assert table.deciders == table.game.deciders != []

    def teardown(self) -> None:
        table = self.table
        stored = [entries.decode(entries.encode(entry)) for entry in table.entries]
        again = Table.from_log(table.id, table.secret, stored)
        assert frozen(again) == frozen(table)
        assert [redact.lines(again, person.id, 0) for person in WHO] == [
            redact.lines(table, person.id, 0) for person in WHO
        ]


TestAnyRequests = AnyRequests.TestCase
TestAnyRequests.settings = settings(
    max_examples=scaled(25, 200),
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
