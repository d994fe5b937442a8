"""Processes of one server write to a SQLite file one after the other.

SQLite itself lets a writer who has to wait sleep and try again, so some wait long while the file is free. A
lock of the system on a file beside the database wakes the next one at once.
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path

if sys.platform != "win32":
    import fcntl


def turns(database: Path) -> AbstractContextManager[object]:
    """`with` waits for this process's turn, and ends it. It ends with the process, too."""
    return _Turns(database.with_name(f"{database.name}-turns"))


class _Turns:
    """The file is opened when it is first needed: by then there is a folder for it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1

    def __enter__(self) -> None:
        if self._file < 0:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)
