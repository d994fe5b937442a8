"""A server for a test, and those who visit it: browsers and programs, over ASGI."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from laguna.server.app import Application
from laguna.server.settings import load

HERE = "http://laguna.test"


@asynccontextmanager
async def served(folder: Path, **settings: Any) -> AsyncIterator[Application]:
    """A server on an SQLite file in that folder, without limits unless some are given."""
    usual = {"data": str(folder), "limits": {"all": "off"}, "origins": [HERE]}
    application = Application(load(usual | settings, {}))
    async with application.running():
        yield application


def client(
    application: Application, address: str = "192.0.2.1", url: str = HERE, **headers: str
) -> httpx.AsyncClient:
    """Somebody at that address who sends these headers."""
    transport = httpx.ASGITransport(application, client=(address, 50_000))
    return httpx.AsyncClient(transport=transport, base_url=url, headers=headers)


async def browser(application: Application, address: str = "192.0.2.1", url: str = HERE) -> httpx.AsyncClient:
    """A page that was just opened: a guest with a cookie."""
    visitor = client(application, address, url, origin=url)
    assert (await visitor.get("/api/me")).status_code == 200
    return visitor


async def program(application: Application, address: str = "192.0.2.1") -> httpx.AsyncClient:
    """A program with a token."""
    visitor = client(application, address)
    visitor.headers["authorization"] = f"Bearer {(await visitor.post('/api/tokens')).json()['token']}"
    return visitor
