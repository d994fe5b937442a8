"""One server per SQLite file, and no new database where one was lost.

Beside the database there is a small file, `laguna.sqlite-server` for `laguna.sqlite`, which a server keeps
locked until it ends, however it ends. Once the database has been set up, that file is no longer empty.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from laguna.server.storage.database import parse, sqlite_path
from laguna.server.storage.errors import BadDatabase, log

BACKUPS = "laguna-[0-9]*.sqlite"  # as `laguna backup` names them


@contextmanager
def claimed(url: str, backups: Path) -> Iterator[Callable[[], None]]:
    """Claim the database for this server; BadDatabase if another one is using it, or if it was emptied.

    Yields a function to call once the database is set up. PostgreSQL can be shared by any number of servers.
    """
    path = sqlite_path(parse(url))
    if path is None:
        yield lambda: None
        return
    path = path.resolve()
    check_not_emptied(url, backups)
    with closing(_locked(path)) as lock:
        yield lambda: _note_use(path, lock)


def check_not_emptied(url: str, backups: Path) -> None:
    """Raises BadDatabase if a SQLite file is empty although it once had content."""
    path = sqlite_path(parse(url))
    if path is None:
        return
    path = path.resolve()
    why = _why_not_new(path, backups)
    if why is None or not _is_empty(path):
        return
    if path.exists():
        raise BadDatabase(
            "emptied-database",
            f"The database {path} is empty, although {why}. Replace it with a backup, "
            "or remove the empty file to start with a new database.",
        )
    log.warning("%s is missing, although %s: creating a new database", path, why)


def _why_not_new(path: Path, backups: Path) -> str | None:
    """The evidence that the database was used before, if any."""
    note = _note(path)
    if note.exists() and note.stat().st_size:
        return "a server has used it before"
    for folder in (backups, path.parent):
        if any(copy != path for copy in folder.glob(BACKUPS)):
            return f"there are backups in {folder}"
    return None


def _is_empty(path: Path) -> bool:
    if not path.exists() or not path.stat().st_size:
        return True
    try:
        with closing(sqlite3.connect(path)) as database:
            return not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.Error:
        return False  # whatever it is, it is not empty


def _note(path: Path) -> Path:
    return path.with_name(f"{path.name}-server")


def _locked(path: Path) -> sqlite3.Connection:
    """SQLite's own lock, on a separate file: it works on every system and ends with the process."""
    note = _note(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(note, os.O_RDWR | os.O_CREAT, 0o600))
        lock = sqlite3.connect(note, timeout=0, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path, error) from None
    try:
        lock.execute("PRAGMA locking_mode = EXCLUSIVE")  # kept after a transaction ends
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise BadDatabase(
                "database-in-use",
                f"Another server is using the database {path}. A SQLite file is for one server: stop the "
                "other one, or give this one its own database (--database); several servers need PostgreSQL.",
            ) from None
        raise _unusable(path, error) from None
    return lock


def _note_use(path: Path, lock: sqlite3.Connection) -> None:
    if not _note(path).stat().st_size:
        try:
            lock.execute("PRAGMA user_version = 1")
            lock.execute("COMMIT")
        except sqlite3.Error as error:
            raise _unusable(path, error) from None


def _unusable(path: Path, error: Exception) -> BadDatabase:
    why = f"{error.strerror}, {error.filename}" if isinstance(error, OSError) else error
    return BadDatabase("unusable-database", f"The database {path} cannot be used: {why}.")
