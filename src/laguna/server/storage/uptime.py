"""When servers were up, by their own marks: one row for each start of a server."""

from __future__ import annotations

from sqlalchemy import Connection, func, insert, select, text, update

from laguna.server.storage import schema
from laguna.server.storage.servers import of_neighbors
from laguna.table.entries import Milliseconds

_marks = schema.uptime.c


def clock(connection: Connection) -> Milliseconds | None:
    """The time by the database's own clock; None for SQLite, which has none."""
    if connection.dialect.name != "postgresql":
        return None
    return int(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp()) * 1000")) or 0)


def mark_up(connection: Connection, server: str, since: Milliseconds, until: Milliseconds) -> None:
    known = connection.execute(update(schema.uptime).where(_marks.server == server).values(until=until))
    if not known.rowcount:
        connection.execute(insert(schema.uptime).values(server=server, since=since, until=until))


def last_mark(connection: Connection) -> Milliseconds | None:
    found: Milliseconds | None = connection.scalar(select(func.max(_marks.until)))
    return found


def marks(
    connection: Connection, after: Milliseconds, server: str = ""
) -> list[tuple[Milliseconds, Milliseconds]]:
    counted = (_marks.until > after) & ~of_neighbors(_marks.server, server)
    asked = select(_marks.since, _marks.until).where(counted).order_by(_marks.since)
    return [(row.since, row.until) for row in connection.execute(asked)]
