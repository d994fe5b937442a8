"""Deleting people: what identifies them goes, their names in the logs become "Someone", the games stay.

What belongs to the person alone goes in one transaction, and `erased` notes what is left to do: the names in
the logs, table by table. Whatever interrupts that, a server takes it up again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, select, update

from laguna.fair import SOMEONE
from laguna.server.storage import schema
from laguna.server.storage.errors import log
from laguna.server.storage.inserting import insert_new
from laguna.table.entries import Milliseconds, PersonId

_erased, _mentions = schema.erased.c, schema.mentions.c


class Erasure(Struct, frozen=True):
    """Somebody who was deleted, and when; `done`: nothing can have brought the name back since."""

    person: PersonId
    at: Milliseconds
    done: bool


def erase(connection: Connection, person_id: str, now: Milliseconds) -> None:
    """Delete everything that belongs to the person alone; the account first, which ratings wait for."""
    for table in (schema.accounts, schema.tokens, schema.rating_changes, schema.ratings, schema.holders):
        connection.execute(delete(table).where(table.c.person_id == person_id))
    connection.execute(delete(schema.people).where(schema.people.c.id == person_id))
    insert_new(connection, schema.erased, [{"person_id": person_id, "at": now, "done": False}])


def mentions_of(connection: Connection, person_id: str) -> list[str]:
    """The tables whose logs name the person."""
    asked = select(_mentions.table_id).where(_mentions.person_id == person_id).order_by(_mentions.table_id)
    return list(connection.scalars(asked))


def erasures(connection: Connection) -> list[Erasure]:
    return [Erasure(row.person_id, row.at, row.done) for row in connection.execute(select(schema.erased))]


def finish(connection: Connection, person_id: str) -> None:
    connection.execute(update(schema.erased).where(_erased.person_id == person_id).values(done=True))


def forget(connection: Connection, person_id: str) -> None:
    """Every server has noticed: nothing of this is needed any more."""
    connection.execute(delete(schema.mentions).where(_mentions.person_id == person_id))
    connection.execute(delete(schema.erased).where(_erased.person_id == person_id))


# ------------------------------------------------------------------ names in logs


def remove_name(connection: Connection, person_id: str, ids: Sequence[str]) -> None:
    """Replace the person's name in the logs and summaries of these tables."""
    for table_id in ids:
        _in_entries(connection, person_id, table_id)
        _in_summary(connection, person_id, table_id)


def _in_entries(connection: Connection, person_id: str, table_id: str) -> None:
    entries = schema.entries.c
    asked = select(entries.version, entries.entry).where(
        entries.table_id == table_id, entries.entry.contains(person_id, autoescape=True)
    )
    for version, text in connection.execute(asked).all():
        entry = _read(text, f"entry {version} of table {table_id}")
        keys = [key for key in ("host", "person") if entry.get(key, {}).get("id") == person_id]
        if not keys:
            continue
        entry |= {key: {"id": person_id, "name": SOMEONE, "gone": True} for key in keys}
        connection.execute(
            update(schema.entries)
            .where(entries.table_id == table_id, entries.version == version)
            .values(entry=msgspec.json.encode(entry).decode())
        )


def _in_summary(connection: Connection, person_id: str, table_id: str) -> None:
    tables = schema.tables.c
    row = connection.execute(select(tables.version, tables.summary).where(tables.id == table_id)).first()
    if row is None:
        return
    summary = _read(row.summary, f"the summary of table {table_id}")
    holders = summary.get("holders", [])
    seats = [seat for seat, each in enumerate(holders) if each and each[0] == person_id]
    if not seats:
        return
    for seat in seats:
        summary["seats"][seat]["name"] = None
    connection.execute(
        update(schema.tables)
        .where(tables.id == table_id, tables.version == row.version)
        .values(summary=msgspec.json.encode(summary).decode())
    )


def _read(text: str, what: str) -> dict[str, Any]:
    """The document; a damaged one is left as it is, since nobody can tell what it said."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeEncodeError):
        log.error("A name could not be removed: %s is damaged", what)
        return {}
