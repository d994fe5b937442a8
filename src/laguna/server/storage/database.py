"""From a URL to a database that is ready to use: opening it, and upgrading it to the newest revision."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Any

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from laguna.server.storage.errors import BadDatabase, cause, is_away, log, unavailable

READERS = 4  # connections (and threads) for reading
BUSY = 5  # seconds that SQLite waits for another process to finish writing
TRIES, BETWEEN_TRIES = 100, 0.05  # attempts to switch to WAL, and seconds between them
CONNECT = 3  # seconds to reach PostgreSQL
ANSWER = 8  # seconds for PostgreSQL to answer a statement
VERSION_TABLE = "laguna_version"
MIGRATIONS = Path(__file__).parent / "migrations"
_STARTING = 0x4C4147554E41  # the advisory lock of starting servers: LAGUNA


def parse(url: str) -> URL:
    """A database's URL, checked: `sqlite:///path` or `postgresql://user:password@host/name`."""
    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):  # their texts may quote a password
        raise BadDatabase("bad-url", _HOW_TO_WRITE) from None
    if parts.drivername == "sqlite" and parts.database not in (None, "", ":memory:") and not parts.query:
        return parts
    if parts.drivername == "postgresql" and parts.database and "@" not in (parts.host or ""):
        return parts.set(drivername="postgresql+psycopg")
    raise BadDatabase("bad-url", _HOW_TO_WRITE)


_HOW_TO_WRITE = (
    "Give the database as sqlite:///path/to/file or as postgresql://user:password@host/name; "
    "write an @ in the password as %40."
)


def shown(url: URL) -> str:
    """The database's name in logs and errors, without user and password."""
    where = url.host or ""
    return f"{url.get_backend_name()}://{where}/{url.database}"


def sqlite_path(url: URL) -> Path | None:
    """The path of a SQLite database; None for PostgreSQL."""
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def writing_engine(url: URL) -> Engine:
    """One connection, whose transactions hold the write lock from the start."""
    engine = _engine(url, pool_size=1)
    if sqlite_path(url):
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    else:
        event.listen(engine, "connect", _prepare_postgresql)
    return engine


def reading_engine(url: URL) -> Engine:
    """A few read-only connections; each statement stands alone."""
    engine = _engine(url, pool_size=READERS, isolation_level="AUTOCOMMIT")

    def only_read(connection: Any, record: Any) -> None:
        if sqlite_path(url):
            _prepare_sqlite(connection, record)
            connection.execute("PRAGMA query_only = ON")
        else:
            _prepare_postgresql(connection, record)
            connection.execute("SET default_transaction_read_only = on")

    event.listen(engine, "connect", only_read)
    return engine


def _engine(url: URL, **options: Any) -> Engine:
    return create_engine(url, max_overflow=0, hide_parameters=True, connect_args=_connecting(url), **options)


def _connecting(url: URL) -> dict[str, Any]:
    if sqlite_path(url):
        return {"timeout": BUSY}
    # A server that vanished from the network is noticed within seconds, instead of after TCP's hours.
    return {
        "connect_timeout": CONNECT,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": ANSWER * 1000,
        "application_name": "laguna",
    }


def _prepare_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # transactions begin when SQLAlchemy says so, savepoints work
    # Bytes that are not text must only affect their own row: the code that decodes it reports them.
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _prepare_postgresql(connection: Any, record: Any) -> None:
    before = connection.autocommit
    connection.autocommit = True
    connection.execute(f"SET statement_timeout = '{ANSWER}s'")
    # A server that froze in the middle of a transaction must not block the others.
    connection.execute(f"SET idle_in_transaction_session_timeout = '{ANSWER}s'")
    # Durable means durable; settings for standby servers stay as they are.
    commits = "current_setting('synchronous_commit')"
    connection.execute(f"SELECT set_config('synchronous_commit', 'on', false) WHERE {commits} = 'off'")
    connection.autocommit = before


# ------------------------------------------------------------------ ready to use


def prepare(url: URL, engine: Engine) -> None:
    """Create the database if it is new, and upgrade it to the newest revision; BadDatabase or Unavailable.

    Servers that start at the same time wait for each other.
    """
    path = sqlite_path(url)
    if path:
        _make_file(url, path)
    try:
        with engine.begin() as connection:
            if not path:
                connection.execute(text("SET LOCAL statement_timeout = 0"))
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _STARTING})
            _migrate(connection, shown(url))
        if path:
            _settle_file(path, engine)
    except DBAPIError as error:
        if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise _foreign(shown(url)) from None
        if path is None and is_away(error):
            raise unavailable(error) from None
        raise _unusable(shown(url), cause(error)) from None


def check_current(url: URL, engine: Engine) -> None:
    """Raises BadDatabase unless the database exists and is at the newest revision; changes nothing."""
    path = sqlite_path(url)
    if path and not path.is_file():
        raise _unusable(shown(url), "there is no such file")
    try:
        with engine.connect() as connection:
            current = MigrationContext.configure(
                connection, opts={"version_table": VERSION_TABLE}
            ).get_current_revision()
    except DBAPIError as error:
        if path is None and is_away(error):
            raise unavailable(error) from None
        raise _unusable(shown(url), cause(error)) from None
    script = _revisions()
    if current is None:
        raise _foreign(shown(url))
    _check_known(script, current, shown(url))
    if current != script.get_current_head():
        raise BadDatabase(
            "older-database",
            f"{shown(url)} is at revision {current}; a server of this version brings it to "
            f"{script.get_current_head()} when it starts.",
            revision=current,
        )


def _make_file(url: URL, path: Path) -> None:
    """Create an empty file if there is none, and its folder; both are accessible only to their owner."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise _unusable(shown(url), f"{error.strerror}, {error.filename}") from None


def _settle_file(path: Path, engine: Engine) -> None:
    """Set the file's permanent properties, once it is known to be Laguna's: its mode and its WAL."""
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    connection = engine.raw_connection()  # the journal cannot be changed within a transaction
    try:
        _keep_log(connection.cursor())
    finally:
        connection.close()


def _keep_log(cursor: Any) -> None:
    """SQLite does not wait if another server changes the journal at the same time, so try again."""
    for left in reversed(range(TRIES)):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if not left:
                raise
            time.sleep(BETWEEN_TRIES)


def _migrate(connection: Connection, name: str) -> None:
    script = _revisions()
    newest = script.get_current_head()
    context = MigrationContext.configure(
        connection,
        opts={
            "version_table": VERSION_TABLE,
            "fn": lambda revision, context: script._upgrade_revs("head", revision),
        },
    )
    current = context.get_current_revision()
    if current == newest:
        return
    if current is None and inspect(connection).get_table_names():
        raise _foreign(name)
    if current is not None:
        _check_known(script, current, name)
    with Operations.context(context):
        context.run_migrations()
    log.info("%s is now at revision %s", name, newest)


def _revisions() -> ScriptDirectory:
    return ScriptDirectory(MIGRATIONS, version_locations=[MIGRATIONS])


def _check_known(script: ScriptDirectory, current: str, name: str) -> None:
    if current not in {known.revision for known in script.walk_revisions()}:
        raise BadDatabase(
            "newer-database",
            f"{name} was written by a newer version of Laguna (revision {current}; "
            f"this one knows {script.get_current_head()}).",
            revision=current,
        )


def _foreign(name: str) -> BadDatabase:
    return BadDatabase("foreign-database", f"{name} is not a Laguna database, and is left as it is.")


def _unusable(name: str, why: str) -> BadDatabase:
    return BadDatabase("unusable-database", f"The database {name} cannot be used: {why}.")
