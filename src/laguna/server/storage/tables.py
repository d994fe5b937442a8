"""Tables in the database: their logs, and what lists and sweeps need to know about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Insert, Row, Select, Update, bindparam, delete, insert, select, update
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.dialects.sqlite import pysqlite
from sqlalchemy.exc import IntegrityError

from laguna.messages import Result, SeatView
from laguna.server.storage import ratings, schema
from laguna.server.storage.errors import Stale, Unreadable, log
from laguna.server.storage.inserting import insert_new
from laguna.server.storage.ratings import RatedGame
from laguna.table.entries import (
    Acted,
    AnyEntry,
    BotSat,
    Clock,
    Linked,
    Milliseconds,
    Opened,
    OutOfTime,
    PersonId,
    Resigned,
    Said,
    Sat,
    Stood,
    Unlinked,
    decode,
    encode,
)

_SEATING = (Opened, Sat, Linked, Unlinked, BotSat, Stood)  # entries that may change who holds a seat
_ENDING = (Acted, Resigned, OutOfTime)  # entries that may end a game; there are none after its end
_AT_ONCE = 500  # ids per query


class Summary(Struct, frozen=True, dict=True):
    """A table as lists and sweeps see it, written with every append.

    It is stored as JSON, so a field is never renamed or given another meaning; new ones get defaults.
    """

    status: str  # open, playing or over
    game: str
    players: int
    seats: list[SeatView]
    holders: list[list[PersonId]]  # for each seat the people who hold it
    deciders: list[int] = []
    clock: Clock = Clock()
    listed: bool = False
    due: Milliseconds | None = None  # when a server must look at the table: a bot to move, a clock runs out
    rated: bool = False
    ended: Milliseconds | None = None  # when the game was over; with the result and everybody's place
    result: Result | None = None  # without its breakdown
    ranks: list[int] = []

    @cached_property
    def json(self) -> str:
        return _encode_summary(self).decode()

    def seats_of(self, person_id: PersonId) -> list[int]:
        """The seats that this person holds."""
        return [seat for seat, people in enumerate(self.holders) if person_id in people]


class TableRow(Struct, frozen=True):
    """A table in a list."""

    table: str
    version: int
    created: Milliseconds
    changed: Milliseconds
    summary: Summary


class Stored(Struct, frozen=True):
    """A table, ready to be replayed."""

    secret: bytes
    entries: list[AnyEntry]

    def __repr__(self) -> str:
        return f"Stored({len(self.entries)} entries)"  # never print the secret


class Append(Struct, frozen=True):
    """Entries to be written as the versions `first`, `first + 1`, …, as the database takes them."""

    table: str
    first: int
    entries: list[str]
    columns: dict[str, Any]  # of the table's row
    people: frozenset[str] | None = None  # who hold its seats; None if that did not change
    named: frozenset[str] = frozenset()  # who are named in the entries
    rated: RatedGame | None = None  # that ends with them


_encode_summary = msgspec.json.Encoder().encode
_decode_summary = msgspec.json.Decoder(Summary).decode


def prepared(table_id: str, first: int, entries: Sequence[AnyEntry], summary: Summary) -> Append:
    """An append with everything encoded, so that encoding errors reach only its caller."""
    append = Append(
        table_id,
        first,
        [encode(entry).decode() for entry in entries],
        {
            "version": first + len(entries) - 1,
            "status": summary.status,
            "listed": summary.listed,
            "due": summary.due,
            "ended": summary.ended,
            "changed": entries[-1].at,
            "summary": summary.json,
        },
    )
    if summary.ended is None and all(isinstance(entry, Acted) for entry in entries):
        return append  # as nearly always
    seating = any(isinstance(entry, _SEATING) for entry in entries)
    return replace(
        append,
        people=frozenset(person for seat in summary.holders for person in seat) if seating else None,
        named=frozenset(filter(None, map(_named, entries))),
        rated=_rated(table_id, entries, summary),
    )


def _named(entry: AnyEntry) -> PersonId | None:
    match entry:
        case Opened(host=person) | Sat(person=person) | Linked(person=person) | Said(person=person):
            return person.id
    return None


def _rated(table_id: str, entries: Sequence[AnyEntry], summary: Summary) -> RatedGame | None:
    """The rated game that ends with these entries."""
    ends = summary.ended is not None and any(isinstance(entry, _ENDING) for entry in entries)
    if not summary.rated or summary.ended is None or not ends:
        return None
    people = [holders[0] for holders in summary.holders]
    return RatedGame(table_id, summary.game, summary.ended, dict(zip(people, summary.ranks, strict=True)))


# ------------------------------------------------------------------ writing

_INSERT_TABLE = insert(schema.tables)
_INSERT_ENTRY = insert(schema.entries)
_INSERT_HOLDER = insert(schema.holders)
_DELETE_HOLDERS = delete(schema.holders).where(schema.holders.c.table_id == bindparam("of"))
_APPENDED = ("version", "status", "listed", "due", "ended", "changed", "summary")  # columns that may change
_GO_ON = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("of"), schema.tables.c.version == bindparam("before"))
    .values({column: bindparam(column) for column in _APPENDED})
)


@cache
def _sql(statement: Insert | Update, database: str) -> str:
    """The text of a statement whose parameters are named and need no conversion."""
    sqlite = pysqlite.dialect(paramstyle="named")
    return str(statement.compile(dialect=sqlite if database == "sqlite" else psycopg.dialect()))


def _write(connection: Connection, statement: Insert | Update, rows: list[dict[str, Any]]) -> int:
    """Execute it for each row, without what SQLAlchemy does for each of them; how many rows changed."""
    return connection.exec_driver_sql(_sql(statement, connection.dialect.name), rows).rowcount


def open_table(connection: Connection, secret: bytes, created: Milliseconds, append: Append) -> None:
    """A new table with its first entries; Stale if there is already one with that id."""
    row = {"id": append.table, "secret": secret, "created": created, **append.columns}
    try:
        connection.execute(_INSERT_TABLE, row)
    except IntegrityError:
        raise Stale from None
    _write_entries(connection, [append])
    _write_holders(connection, {append.table: append.people or frozenset()})
    _write_beside(connection, [append])


def write_appends(connection: Connection, appends: Sequence[Append]) -> None:
    """Write them all, or raise Stale if some table is not at the version that its append continues from.

    The rows of the tables come first, in the given order: that locks them against other servers.
    """
    rows: dict[str, dict[str, Any]] = {}
    people: dict[str, frozenset[str]] = {}
    for append in appends:
        row = rows.get(append.table)
        if row is None:
            rows[append.table] = {"of": append.table, "before": append.first - 1, **append.columns}
        elif row["version"] == append.first - 1:
            row.update(append.columns)
        else:
            raise Stale
        if append.people is not None:
            people[append.table] = append.people
    if _write(connection, _GO_ON, list(rows.values())) != len(rows):
        raise Stale
    _write_entries(connection, appends)
    if people:
        connection.execute(_DELETE_HOLDERS, [{"of": table} for table in people])
        _write_holders(connection, people)
    _write_beside(connection, appends)


def _write_entries(connection: Connection, appends: Iterable[Append]) -> None:
    rows = [
        {"table_id": append.table, "version": version, "entry": entry}
        for append in appends
        for version, entry in enumerate(append.entries, append.first)
    ]
    _write(connection, _INSERT_ENTRY, rows)


def _write_holders(connection: Connection, people: dict[str, frozenset[str]]) -> None:
    rows = [{"table_id": table, "person_id": person} for table in people for person in people[table]]
    if rows:
        connection.execute(_INSERT_HOLDER, rows)


def _write_beside(connection: Connection, appends: Iterable[Append]) -> None:
    """What follows from some entries, in the same transaction: who is named in the log, and ratings."""
    named = [{"table_id": append.table, "person_id": each} for append in appends for each in append.named]
    if named:
        insert_new(connection, schema.mentions, named)
    rated = [append.rated for append in appends if append.rated is not None]
    if rated:
        ratings.write(connection, rated)


# ------------------------------------------------------------------ reading


def load(connection: Connection, table_id: str) -> Stored | None:
    tables = schema.tables.c
    row = connection.execute(select(tables.secret, tables.version).where(tables.id == table_id)).one_or_none()
    if row is None:
        return None
    entries = since(connection, table_id, 0)
    if len(entries) < row.version:  # there may be more: another server has just written them
        raise Unreadable(len(entries) + 1, "it is missing")
    return Stored(bytes(row.secret), entries)


def since(connection: Connection, table_id: str, version: int) -> list[AnyEntry]:
    entries = schema.entries.c
    found = connection.execute(
        select(entries.version, entries.entry)
        .where(entries.table_id == table_id, entries.version > version)
        .order_by(entries.version)
    ).all()  # read all rows first: a half-read result would keep the reader's snapshot open
    return [_entry(number, *row) for number, row in enumerate(found, version + 1)]


def _entry(number: int, version: int, text: str) -> AnyEntry:
    """The entry of that number."""
    if version != number:
        raise Unreadable(number, "it is missing")
    try:
        entry: AnyEntry = decode(text)
        return entry
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise Unreadable(number, str(error)[:100]) from None


def versions(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    tables = schema.tables.c
    found: dict[str, int] = {}
    for first in range(0, len(ids), _AT_ONCE):
        asked = select(tables.id, tables.version).where(tables.id.in_(ids[first : first + _AT_ONCE]))
        found.update((row.id, row.version) for row in connection.execute(asked))
    return found


_ROW = select(
    schema.tables.c.id,
    schema.tables.c.version,
    schema.tables.c.created,
    schema.tables.c.changed,
    schema.tables.c.summary,
)


def _rows(found: Iterable[Row[str, int, int, int, str]]) -> list[TableRow]:
    """The readable rows: one damaged summary must not hide the others."""
    rows = []
    for row in found:
        try:
            summary = _decode_summary(row.summary)
        except (msgspec.DecodeError, UnicodeEncodeError):
            log.error("The summary of table %s cannot be read", row.id)
        else:
            rows.append(TableRow(row.id, row.version, row.created, row.changed, summary))
    return rows


def listed(connection: Connection, limit: int) -> list[TableRow]:
    tables = schema.tables.c
    asked = _ROW.where(tables.listed, tables.status != "over").order_by(tables.created.desc()).limit(limit)
    return _rows(connection.execute(asked))


def tables_of(connection: Connection, person_id: str, limit: int) -> list[TableRow]:
    tables, holders = schema.tables.c, schema.holders.c
    asked = (
        _ROW.join(schema.holders, holders.table_id == tables.id)
        .where(holders.person_id == person_id)
        .order_by(tables.changed.desc())
        .limit(limit)
    )
    return _rows(connection.execute(asked))


def games_of(connection: Connection, person_id: str) -> list[str]:
    """The ids of the tables where a person played or plays, the newest first."""
    tables, holders = schema.tables.c, schema.holders.c
    asked = (
        select(tables.id)
        .join(schema.holders, holders.table_id == tables.id)
        .where(holders.person_id == person_id, tables.status != "open")
        .order_by(tables.created.desc(), tables.id)
    )
    return list(connection.scalars(asked))


def rows(connection: Connection, ids: Sequence[str]) -> list[TableRow]:
    """These tables, in this order; those that cannot be read are left out."""
    found = {row.table: row for row in _rows(connection.execute(_ROW.where(schema.tables.c.id.in_(ids))))}
    return [found[table] for table in ids if table in found]


def without_result(connection: Connection, after: str, limit: int) -> list[str]:
    """Games that are over, of before results were kept in the summary: ids after this one, in order."""
    tables = schema.tables.c
    asked = select(tables.id).where(tables.status == "over", tables.ended.is_(None), tables.id > after)
    return list(connection.scalars(asked.order_by(tables.id).limit(limit)))


def rewrite_summary(connection: Connection, table_id: str, version: int, summary: Summary) -> None:
    """Replace the summary, unless the table has changed since that version."""
    tables = schema.tables.c
    connection.execute(
        update(schema.tables)
        .where(tables.id == table_id, tables.version == version)
        .values(summary=summary.json, ended=summary.ended)
    )


def waiting(
    connection: Connection, now: Milliseconds, limit: int, owned: Callable[[str], bool] | None = None
) -> list[str]:
    tables = schema.tables.c
    asked = select(tables.id).where(tables.due <= now).order_by(tables.due)
    return first_owned(connection, asked, limit, owned)


def first_owned(
    connection: Connection, asked: Select[str], limit: int, owned: Callable[[str], bool] | None
) -> list[str]:
    """The first so many ids, of all tables or of those that are `owned`."""
    if owned is None:
        return list(connection.scalars(asked.limit(limit)))
    return list(islice(filter(owned, connection.scalars(asked).all()), limit))
