"""What must be true after any run, from the records of all devices and the log of their table.

- Every acknowledged request is in the log, exactly once, at the version that was acknowledged; and the log
  has nothing else that people did, but what was asked for and never answered.
- What was acknowledged before something else was asked for comes before it in the log.
- Everything that a device saw is what the log says, as its person may see it, and stays the same when all
  that is hidden from that person is dealt again. No version is missing, comes twice or goes back.
- Every entry is one that could be made then: nothing was taken back that had revealed something, nobody ran
  out of time, time does not go back.
- The game is over, and its file proves that it was dealt from the secret that was committed to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import laguna
from laguna import messages
from laguna.errors import LagunaError, Refusal
from laguna.fair import commitment
from laguna.messages import Act, Changed, Done, Follow, Refused, Say, Sit, Start, TakeBack
from laguna.server.storage import Stored
from laguna.table import entries, permissions
from laguna.table.entries import Acted, AnyEntry, Said, Sat, Started, TookBack
from laguna.table.table import Table
from tests.server.twins import Writer, twin_of
from tests.torture.records import Asked, Heard, Record

UNKNOWN = ("unavailable",)  # refusals after which it may have been done all the same
NEVER = ("internal", "unreadable-table", "who", "no-table")  # refusals that nobody should get
TWIN = 6  # one frame of so many is written again from a twin


CHANGES = Act | TakeBack | Say | Sit | Start


class Violation(NamedTuple):
    """Something that must never happen: what kind of thing, at which table, and the details."""

    kind: str
    table: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind} at {self.table}: {self.text}"


class Request(NamedTuple):
    """A request for a change, by whom, and when it was acknowledged as which version."""

    record: Record
    asked: Asked
    done_at: float = 0.0
    version: int = 0


class Checker:
    """Checks one table. `damaged`: its log was damaged for a while, so requests may be refused for that."""

    def __init__(
        self, table_id: str, stored: Stored, records: Sequence[Record], damaged: bool = False
    ) -> None:
        self._id = table_id
        self._stored = stored
        self._records = records
        self._damaged = damaged
        self._done: dict[int, Request] = {}  # by version
        self._unknown: list[Request] = []

    def violations(self) -> list[Violation]:
        found = [*self._answers(), *self._order(), *self._replay()]
        for record in self._records:
            found += self._stream(record)
        return found

    def _wrong(self, kind: str, text: str) -> Violation:
        return Violation(kind, self._id, text)

    # -------------------------------------------------------------- what was acknowledged

    def _answers(self) -> Iterator[Violation]:
        for record in self._records:
            answers: dict[int, list[Heard]] = defaultdict(list)
            for event in record.events:
                if isinstance(event, Heard) and isinstance(event.frame, Done | Refused):
                    answers[event.frame.id].append(event)
            for number, asked in record.asked.items():
                yield from self._refusals(answers[number])
                if isinstance(asked.request, CHANGES):
                    yield from self._outcome(Request(record, asked), answers[number])

    def _refusals(self, answers: list[Heard]) -> Iterator[Violation]:
        for each in answers:
            if not isinstance(each.frame, Refused) or each.frame.key not in NEVER:
                continue
            if not (self._damaged and each.frame.key == "unreadable-table"):
                yield self._wrong("refused", f"{each.frame.key}: {each.frame.sentence}")

    def _outcome(self, request: Request, answers: list[Heard]) -> Iterator[Violation]:
        """Note whether the request was done; a doubled one is answered twice, but done once at most."""
        done = [each for each in answers if isinstance(each.frame, Done)]
        if len(done) > 1:
            yield self._wrong("done twice", f"{request.asked.request} was acknowledged {len(done)} times")
        for each in done:
            assert isinstance(each.frame, Done)
            version = each.frame.version or 0
            if version in self._done:
                other = self._done[version].asked.request
                yield self._wrong("done twice", f"version {version}: {other} and {request.asked.request}")
            self._done[version] = request._replace(done_at=each.at, version=version)
        keys = [each.frame.key for each in answers if isinstance(each.frame, Refused)]
        if not done and (not keys or any(key in UNKNOWN for key in keys)):
            self._unknown.append(request)

    def _order(self) -> Iterator[Violation]:
        """What was asked for after an acknowledgement comes after it in the log."""
        asked = sorted(self._done.values(), key=lambda each: each.asked.at)
        answered = sorted(self._done.values(), key=lambda each: each.done_at, reverse=True)
        latest = 0
        for each in asked:
            while answered and answered[-1].done_at < each.asked.at:
                latest = max(latest, answered.pop().version)
            if each.version <= latest:
                yield self._wrong(
                    "out of order", f"version {each.version} was asked for after {latest} was acknowledged"
                )

    # -------------------------------------------------------------- the log, and what was seen of it

    def _replay(self) -> Iterator[Violation]:
        seen: dict[int, list[tuple[Writer, Heard]]] = defaultdict(list)
        for record in self._records:
            writer = Writer(record.person, {})
            for event in record.views:
                seen[event.frame.view.version].append((writer, event))  # type: ignore[union-attr]
        lost, table = dict(self._done), Table.from_log(self._id, self._stored.secret, [])
        for version, entry in enumerate(self._stored.entries, 1):
            yield from self._explained(table, version, entry, lost.pop(version, None))
            yield from self._possible(table, version, entry)
            try:
                table.extend([entry])
            except Exception as error:
                yield self._wrong("impossible entry", f"version {version}: {type(error).__name__} {error}")
                return
            for number, (writer, event) in enumerate(seen.pop(version, [])):
                yield from self._shown(table, writer, event, (version + number) % TWIN == 0)
        for version, request in lost.items():
            yield self._wrong("acknowledged but lost", f"version {version}: {request.asked.request}")
        for version in seen:
            yield self._wrong("two histories", f"somebody saw version {version}; the log ends before it")

    def _explained(
        self, table: Table, version: int, entry: AnyEntry, request: Request | None
    ) -> Iterator[Violation]:
        """What people did was asked for, by the request that was acknowledged or one without an answer."""
        if request is not None:
            if not _is_of(request, entry, table):
                yield self._wrong(
                    "acknowledged but lost", f"version {version} is {entry}, not {request.asked.request}"
                )
            return
        asked_for = isinstance(entry, TookBack | Said | Started) or (
            isinstance(entry, Acted) and not entry.bot
        )
        if not asked_for:
            return
        found = next((each for each in self._unknown if _is_of(each, entry, table)), None)
        if found is None:
            yield self._wrong("not asked for", f"version {version}: {entry}")
        else:
            self._unknown.remove(found)

    def _possible(self, table: Table, version: int, entry: AnyEntry) -> Iterator[Violation]:
        if table.entries and entry.at < table.entries[-1].at:
            yield self._wrong("time goes back", f"version {version}")
        if isinstance(entry, entries.OutOfTime):
            yield self._wrong("out of time", f"version {version}: nobody was slow")
        if isinstance(entry, TookBack) and not _may_take_back(table, entry):
            yield self._wrong("taken back what was revealed", f"version {version}")

    def _shown(self, table: Table, writer: Writer, event: Heard, twin: bool) -> Iterator[Violation]:
        """A frame that shows the table at this version."""
        frame: Any = event.frame
        written, missed = writer.write(frame, table), False
        if written != event.text and isinstance(frame, Changed):
            other = writer.write(frame, table, missed=True)
            missed = _alike(other, event.text) > _alike(written, event.text)
            written = other if missed else written
        if written != event.text:
            same = _skeleton(messages.decode_message(written)) == _skeleton(frame)
            kind = "saw what they may not" if same else "two histories"
            yield self._wrong(kind, f"version {table.version}: {_difference(written, event.text)}")
        elif twin and table.status == "playing":
            mine = table.seats_of(writer.id)
            again = writer.write(frame, twin_of(table, table.shown_seat(writer.id), table.version), missed)
            if len(mine) < 2 and again != event.text:
                yield self._wrong(
                    "saw what they may not", f"version {table.version}: {_difference(again, event.text)}"
                )

    def _stream(self, record: Record) -> Iterator[Violation]:
        """One device: versions follow each other, on each connection each is told once."""
        known, following = 0, set[int]()
        for event in record.events:
            if isinstance(event, Asked):
                if isinstance(event.request, Follow):
                    following.add(event.request.id)
                continue
            match event.frame:
                case Done(id=number) | Refused(id=number):
                    following.discard(number)
                case messages.Table(view=view) | Changed(view=view):
                    if view.version < known:
                        yield self._wrong("went back", f"from version {known} to {view.version}")
                    if isinstance(event.frame, Changed) and event.frame.since > known:
                        yield self._wrong("gap", f"from version {known} to {event.frame.since}")
                    if isinstance(event.frame, Changed) and event.frame.since < known and not following:
                        yield self._wrong("heard twice", f"what came after {event.frame.since}, at {known}")
                    known = view.version

    # -------------------------------------------------------------- the end

    def file_violations(self, text: str) -> Iterator[Violation]:
        """The finished game as its file has it."""
        try:
            game = laguna.loads(text)
        except LagunaError as error:
            yield self._wrong("does not verify", str(error))
            return
        for record in self._records:
            view: messages.TableView = record.views[-1].frame.view  # type: ignore[union-attr]
            first: messages.TableView = record.views[0].frame.view  # type: ignore[union-attr]
            if view.status != "over" or view.result is None or game.secret is None:
                yield self._wrong("not finished", f"a device saw {view.status} at version {view.version}")
            elif commitment(game.secret) != first.commitment or view.secret != game.secret.hex():
                yield self._wrong("does not verify", "the secret is not the one that was committed to")
            elif view.result.how == "played" and (game.scores, game.winners) != (
                view.result.scores,
                view.result.winners,
            ):
                yield self._wrong("does not verify", f"{game.scores}, but {view.result.scores} were shown")


def _is_of(request: Request, entry: AnyEntry, table: Table) -> bool:
    """Could this entry come from that request, now?"""
    asked, person = request.asked.request, request.record.person
    match entry, asked:
        case Acted(), Act():
            return entry.seat in table.seats_of(person.id) and _notation(table, entry, asked) == entry.action
        case TookBack(), TakeBack():
            return entry.seat in table.seats_of(person.id)
        case Said(), Say():
            return (entry.person.id, entry.text) == (person.id, asked.text)
        case Sat(), Sit():
            return entry.person.id == person.id
        case Started(), Start():
            return person.id == table.host.id
    return False


def _notation(table: Table, entry: Acted, asked: Act) -> str | None:
    try:
        return str(table.started.action(asked.action, entry.seat))
    except LagunaError:
        return None


def _may_take_back(table: Table, entry: TookBack) -> bool:
    person = table.chairs[entry.seat].people[0]
    for whole_turn in (False, True):
        try:
            steps = permissions.take_back(table, person.id, entry.at, whole_turn)
        except Refusal:
            return False
        if table.past.left(table.started, steps) == entry.actions:
            return True
    return False


def _skeleton(frame: Any) -> list[Any]:
    """What happened, without what only some may know."""
    lines = [(line.version, line.at, line.kind, line.seat, line.bot, line.number) for line in frame.lines]
    return [frame.view.version, frame.view.status, frame.view.deciders, lines]


def _alike(first: bytes, second: bytes) -> int:
    """With how many bytes both begin."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(first), len(second)))


def _difference(right: bytes, wrong: bytes) -> str:
    """Where two frames differ."""
    place = _alike(right, wrong)
    parts = [each[max(0, place - 60) : place + 60].decode(errors="replace") for each in (wrong, right)]
    return f"…{parts[0]}… instead of …{parts[1]}…"
