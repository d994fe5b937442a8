"""A copy of a SQLite database in use: consistent, and put in place only when it is complete."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import mkstemp

from laguna.server.storage.database import VERSION_TABLE, parse, sqlite_path
from laguna.server.storage.errors import BadDatabase


def backup(url: str, target: Path) -> None:
    """Copy the database in its current state to `target`, replacing an older copy; servers may keep writing.

    The copy is one file that `laguna serve` can open as it is. If anything goes wrong, BadDatabase is raised
    and `target` stays unchanged.
    """
    source = sqlite_path(parse(url))
    if source is None:
        raise BadDatabase("backup", "This copies only SQLite databases; for PostgreSQL, use pg_dump.")
    _check_paths(source, target)
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = mkstemp(prefix=f".{target.name}.", dir=target.parent)  # readable by its owner only
    except OSError as error:
        raise _failed(f"{error.strerror}, {error.filename}") from None
    os.close(handle)
    beside = Path(name)
    try:
        _copy(source, beside)
        _flush(beside)
        beside.replace(target)
        _flush(target.parent)
    except sqlite3.Error as error:
        raise _failed(error) from None
    except OSError as error:
        raise _failed(f"{error.strerror}, {error.filename}") from None
    finally:
        beside.unlink(missing_ok=True)


def _check_paths(source: Path, target: Path) -> None:
    if not source.is_file():
        raise _failed(f"there is no database {source}")
    if target.exists() and target.samefile(source):
        raise _failed("the copy cannot be the database itself")
    if target.with_name(f"{target.name}-wal").exists():
        raise _failed(f"{target} is a database in use")


def _copy(source: Path, copy: Path) -> None:
    with closing(sqlite3.connect(source)) as reader, closing(sqlite3.connect(copy)) as writer:
        reader.execute("PRAGMA query_only = ON")
        known = reader.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [VERSION_TABLE]).fetchone()
        if known is None:
            raise _failed(f"{source} is not a Laguna database")
        reader.backup(
            writer
        )  # all pages in one step: a single point in time, and writers are not kept waiting
        writer.execute("PRAGMA journal_mode = DELETE")  # one file, without side files
        found = writer.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise _failed(f"the database is damaged ({found})")


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _failed(why: object) -> BadDatabase:
    return BadDatabase("backup", f"No backup was made: {why}.")
