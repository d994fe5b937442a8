"""Does the database still give what it holds, and take what is new? Cheap enough to ask every second."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, delete, insert, select

from laguna.server.storage import schema


def read(connection: Connection) -> None:
    """A row of every table; of SQLite from the file, not from memory."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA shrink_memory")
    for table in schema.metadata.sorted_tables:
        connection.execute(select(table).limit(1)).first()


def write(connection: Connection) -> None:
    """A person who is gone again before anybody sees them: the pages are written all the same."""
    nobody = secrets.token_urlsafe(16)
    connection.execute(insert(schema.people).values(id=nobody, name="", created=0))
    connection.execute(delete(schema.people).where(schema.people.c.id == nobody))
