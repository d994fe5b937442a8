"""Can the database still be read and written? Cheap enough to check every second."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, delete, insert, select

from laguna.server.storage import schema


def read(connection: Connection) -> None:
    """Read a row of every table; with SQLite from the file, not from memory."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA shrink_memory")
    for table in schema.metadata.sorted_tables:
        connection.execute(select(table).limit(1)).first()


def write(connection: Connection) -> None:
    """Write a person and delete them before anyone sees them: the pages are written anyway."""
    nobody = secrets.token_urlsafe(16)
    connection.execute(insert(schema.people).values(id=nobody, name="", created=0))
    connection.execute(delete(schema.people).where(schema.people.c.id == nobody))
