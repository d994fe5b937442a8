"""A real server on a real SQLite file, and a real Chromium; one of each for all tests of a process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from laguna.games import rulebooks
from laguna.server.network.page import FOLDER
from tests.page.browser import browser
from tests.page.visitor import Visitor
from tests.server.nursery import Nursery

Visits = Callable[..., Visitor]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the built page and all games loaded; LAGUNA_SITE names a running one."""
    if named := os.environ.get("LAGUNA_SITE"):
        yield named
        return
    assert (FOLDER / "index.html").is_file(), "the page is not built: make page-tests does that"
    folder: Path = tmp_path_factory.mktemp("site")
    nursery = Nursery(list(rulebooks()))
    server = nursery.server(data=str(folder), database=f"sqlite:///{folder}/laguna.sqlite")
    asyncio.run(server.start())  # before Playwright, which has a loop of its own
    yield server.url
    nursery.close()


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
