"""The only way out: what a person may know about a table, built field by field.

Everything that leaves the server about a table (views, log lines, refusals, game files) is made here, and
contains only what is named here. `person_id` is None for an unknown person. Anyone without a seat sees only
what is public, unless they watch a seat that `permissions.sees` lets them see.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec import to_builtins

from laguna.bots import current_name
from laguna.errors import IllegalAction, LagunaError, Refusal
from laguna.game import Game
from laguna.messages import ClockView, FairView, Line, Problem, SeatView, TableView, encode
from laguna.table import entries, permissions
from laguna.table.entries import AnyEntry, Milliseconds, Person
from laguna.table.state import Chair, State
from laguna.table.table import Table


def table_view(
    table: Table,
    person_id: str | None,
    now: Milliseconds,
    here: Collection[int],
    watched: int | None = None,
) -> TableView:
    """The table as this person may see it; `here` are the seats whose person is connected.

    Someone with several seats sees the game from one of them: the one that has to decide, or else the one
    that acted last. `watched` is the seat whose view the person asked for.
    """
    seat = _reader(table, person_id, watched)
    game = None if table.game is None else table.game.typed_view(seat)
    return TableView(**_public(table, now, here), **_own(table, person_id, now), game=game)


class Update:
    """What came after version `since`: what all readers see alike is made and encoded once.

    What only an entry that is no action changes is encoded once for all updates until then, and kept in the
    table's `memo`.
    """

    def __init__(self, table: Table, since: int, now: Milliseconds, here: Collection[int]) -> None:
        self._table = table
        self._since = since
        self._now = now
        self._view = _lasting_encoded(table, here)[:-1] + b"," + encode(_passing(table, now))[1:-1]
        self._game = None if table.game is None else encode(table.game.public_view())[:-1]
        self._lines: dict[int | None, bytes] = {}  # by reader, if one of them is secret
        secret = table.secret_actions
        self._is_secret = secret and any(each in secret for each in range(since + 1, table.version + 1))

    def changed(self, person_id: str | None, watched: int | None = None) -> bytes:
        """The message `Changed` for this person, encoded: what `table_view` and `lines` say."""
        table, seat = self._table, _reader(self._table, person_id, watched)
        game = b"null"
        if table.game is not None and self._game is not None:
            game = b"%b,%b" % (self._game, table.game.own_view_json(seat)[1:])
        own = _own_encoded(table, person_id, self._now)[1:-1]
        parts = (self._since, self._view, own, game, self._lines_for(seat))
        return b'{"is":"changed","since":%d,"view":%b,%b,"game":%b},"lines":%b}' % parts

    def _lines_for(self, seat: int | None) -> bytes:
        """Encoded; all readers see the same of public actions."""
        reader = seat if self._is_secret else None
        found = self._lines.get(reader)
        if found is None:
            found = self._lines[reader] = encode(_lines(self._table, reader, self._since))
        return found


def _public(table: Table, now: Milliseconds, here: Collection[int]) -> dict[str, Any]:
    """The fields of a view that are the same for all readers."""
    return _lasting(table, here) | _passing(table, now)


def _lasting(table: Table, here: Collection[int]) -> dict[str, Any]:
    """Those that stay as they are while the game goes on."""
    over = table.status == "over"
    dealt_from_seed = table.file is not None and table.file.seed is not None
    clocks = {} if table.clocks.limited else {"clocks": _clocks(table, 0)}
    return {
        "table": table.id,
        "status": table.status,
        "settings": table.settings,
        "commitment": table.commitment,
        "seats": seats(table, here),
        "result": table.result,
        "secret": table.secret.hex() if over and not dealt_from_seed else None,
        "previous": table.previous,
        "next": table.next,
        "origin": table.origin,
        "from_file": table.file is not None,
        **clocks,
    }


def _lasting_encoded(table: Table, here: Collection[int]) -> bytes:
    key = ("lasting", *here)
    found: bytes | None = table.memo.get(key)
    if found is None:
        found = table.memo[key] = encode(_lasting(table, here))
    return found


def _passing(table: Table, now: Milliseconds) -> dict[str, Any]:
    """Those that every action may change."""
    clocks = {"clocks": _clocks(table, now)} if table.clocks.limited else {}
    return {
        "version": table.version,
        "deciders": table.deciders,
        "at": now,
        "fair": _fair(table),
        **clocks,
    }


def _own(table: Table, person_id: str | None, now: Milliseconds) -> dict[str, Any]:
    """The other fields of a view, except for the game."""
    return {
        "mine": list(table.seats_of(person_id)),
        "host": person_id == table.host.id,
        "may": permissions.kinds(table, person_id, now),
    }


def _own_encoded(table: Table, person_id: str | None, now: Milliseconds) -> bytes:
    """They depend on little while the game goes on, and what they are then is kept."""
    steady = permissions.steady(table, person_id)
    if steady is None:
        return encode(_own(table, person_id, now))
    key = ("own", person_id, *steady)
    found: bytes | None = table.memo.get(key)
    if found is None:
        found = table.memo[key] = encode(_own(table, person_id, now))
    return found


def _fair(table: Table) -> FairView | None:
    """What is published about the deal. Terms and heads hide behind the secret, as the commitment does."""
    if table.status == "open":
        terms = None if table.terms is None else table.terms.hex()
        return FairView(list(table.seals), table.awaited, terms)
    if table.terms is None:
        return None
    return FairView(terms=table.terms.hex(), head=table.heads[-1])


def seats(table: State, here: Collection[int]) -> list[SeatView]:
    """The seats as everyone sees them."""
    name = table.meta.seat_name
    return [
        SeatView(
            seat=seat,
            color=name(seat),
            kind=chair.kind,
            name=_seat_name(chair),
            level=chair.level,
            here=seat in here,
            left_at=chair.left_at,
            resigned=chair.resigned,
        )
        for seat, chair in enumerate(table.chairs)
    ]


def _seat_name(chair: Chair) -> str | None:
    return _name(chair.people[0]) if chair.people else chair.level


def _name(person: Person) -> str | None:
    """None for somebody whose name was deleted: the reader's page says "someone"."""
    return None if person.gone else person.name


def _clocks(table: Table, now: Milliseconds) -> list[ClockView]:
    clocks = table.clocks
    return [
        ClockView(seat, clocks.left(seat, now), clocks.is_running(seat)) for seat in range(len(table.chairs))
    ]


def _reader(table: Table, person_id: str | None, watched: int | None) -> int | None:
    """The seat as which this person sees the game; None: a spectator. What is allowed may have changed."""
    if watched is not None and permissions.sees(table, person_id, watched):
        return watched
    return table.shown_seat(person_id)


def lines(table: Table, person_id: str | None, since: int, watched: int | None = None) -> list[Line]:
    """The log after version `since`, as this person may see it."""
    return _lines(table, _reader(table, person_id, watched), since)


def _lines(table: Table, seat: int | None, since: int) -> list[Line]:
    new = table.entries[since:]
    return [_line(table, seat, version, entry) for version, entry in enumerate(new, since + 1)]


def _line(table: Table, reader: int | None, version: int, entry: AnyEntry) -> Line:
    """The log line of an entry; a secret action is shown only to the seat that chose it."""
    events = list(table.events[version - 1])
    kind = KINDS[type(entry)]
    number = table.played[version - 1]
    match entry:
        case entries.Acted(at, seat, action, bot):
            if reader != seat and version in table.secret_actions:
                return Line(version, at, kind, seat, bot=bot, number=number, events=events)
            value = table.acted[version].struct
            return Line(
                version, at, kind, seat, action=action, value=value, bot=bot, number=number, events=events
            )
        case entries.Opened(at=at, host=host):
            return Line(version, at, kind, name=_name(host))
        case entries.Sat(at, seat, person) | entries.Linked(at, seat, person):
            return Line(version, at, kind, seat, name=_name(person))
        case entries.BotSat(at, seat, level) | entries.TakenOver(at, seat, level):
            return Line(version, at, kind, seat, level=current_name(level))
        case entries.TookBack(at, seat, actions):
            undone = table.undone[version]
            return Line(version, at, kind, seat, actions=actions, undone=undone, number=number)
        case entries.Said(at, person, said_by, text):
            return Line(version, at, kind, said_by, name=_name(person), text=text)
        case entries.Rematched(at, next_table):
            return Line(version, at, kind, table=next_table)
        case entries.Started(at) | entries.Dealing(at) | entries.Resumed(at):
            return Line(version, at, kind, events=events)
    return Line(version, entry.at, kind, entry.seat)


KINDS: dict[type, str] = {each: each.__struct_config__.tag for each in entries.AnyEntry.__args__}


def error(table: Table | None, person_id: str | None, refused: LagunaError) -> Problem:
    """Why a request was refused; details about a seat's hand go only to the person holding that seat.

    `table` is the one that was asked, if any: without it nothing that the rules say is passed on.
    """
    if isinstance(refused, IllegalAction) and not _may_read(table, person_id, refused):
        return Problem("not-allowed", "You cannot do that now.")
    plain = to_builtins(refused.arguments, enc_hook=str)
    return Problem(refused.key, refused.sentence, refused.clause, plain)


def _may_read(table: Table | None, person_id: str | None, refused: IllegalAction) -> bool:
    """Whether a person may see the rules' refusal: only the holder of the seat it is about."""
    if table is None:
        return False
    mine = table.seats_of(person_id)
    about = refused.arguments.get("seat")
    return about in mine if about is not None else any(seat in mine for seat in table.deciders)


def export(table: Table, person_id: str | None) -> str:
    """The game file; during the game it contains secrets, so it is refused to everyone."""
    return table.game_file()


def finished_game(table: Table) -> Game:
    """A copy of the whole game, once it is over; until then it is refused to everyone."""
    if table.status != "over":
        raise Refusal("not-over", "That is possible when the game is over.")
    return table.started.copy()
