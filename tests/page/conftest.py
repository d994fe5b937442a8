"""A real server on a real SQLite file, and a real Chromium; one of each for all tests of a process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from laguna.server.network.page import FOLDER
from tests.page.browser import browser
from tests.page.visitor import Visitor
from tests.server.nursery import Nursery

Visits = Callable[..., Visitor]


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's, for what only time or an operator changes."""
    if "LAGUNA_SITE" in os.environ:
        pytest.skip("the database of a running server is its own")
    return tmp_path_factory.mktemp("site") / "laguna.sqlite"


@pytest.fixture(scope="session")
def site(request: pytest.FixtureRequest) -> str:
    """The address of a server with the built page and all games loaded; LAGUNA_SITE names a running one."""
    if named := os.environ.get("LAGUNA_SITE"):
        return named
    assert (FOLDER / "index.html").is_file(), "the page is not built: make page-tests does that"
    database: Path = request.getfixturevalue("database")
    servers: Nursery = request.getfixturevalue("servers")
    server = servers.server(data=str(database.parent), database=f"sqlite:///{database}")
    asyncio.run(server.start())  # before Playwright, which has a loop of its own
    return server.url


@pytest.fixture(scope="session")
def chrome(site: str) -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture
def visit(chrome: Browser, site: str) -> Iterator[Visits]:
    """Makes visitors: people with a browser of their own. Nothing may have gone wrong in any of them."""
    visitors: list[Visitor] = []

    def make(**wishes: Any) -> Visitor:
        visitors.append(Visitor(chrome, site, **wishes))
        return visitors[-1]

    yield make
    problems = [problem for each in visitors for problem in each.problems]
    for each in visitors:
        each.context.close()
    assert problems == []
