"""A real server, forked in a moment, for each test of the client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.nursery import Forked, Nursery


@pytest.fixture
async def server(servers: Nursery, tmp_path: Path, anyio_backend: str) -> AsyncIterator[Forked]:
    async with servers.server(database=f"sqlite:///{tmp_path}/laguna.db") as server:
        yield server
