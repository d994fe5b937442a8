"""HTTP requests go to the process that owns the table in their path, or that alone counts such requests."""

from __future__ import annotations

import re

from fastapi import Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from laguna.errors import LagunaError
from laguna.server.network.http_errors import refusal
from laguna.server.network.routes.common import TABLE_ID
from laguna.server.processes.neighbors import Neighbor, Neighbors

AT_A_TABLE = re.compile(rf"/(api/tables|table|replay)/({TABLE_ID.strip('^$')})(/.*)?")
# Passwords and new guests are counted in one place, and one process compiles and says how far that is.
AT_THE_FIRST = re.compile(r"/api/(games|log-in|tokens|me(/(account|delete|password|devices/.*))?)")


class Passing:
    """Wraps the application behind the guard, which has looked at the request already."""

    def __init__(self, app: ASGIApp, neighbors: Neighbors) -> None:
        self.app = app
        self.neighbors = neighbors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        there = self._there(scope["path"]) if scope["type"] == "http" else None
        if there is None:
            await self.app(scope, receive, send)
            return
        try:
            body = await _whole(receive)
            if body is not None:
                await there.http(scope, body, send)
        except LagunaError as error:
            await refusal(error)(scope, receive, send)

    def _there(self, path: str) -> Neighbor | None:
        """The process that must answer, or had better do so; None for this one."""
        found = AT_A_TABLE.fullmatch(path)
        if found is None:
            there = self.neighbors.first if AT_THE_FIRST.fullmatch(path) else None
            return there if there is not None and there.is_up else None
        there = self.neighbors.owner_of(found[2])
        needed = path.startswith("/api/")  # a page is the same everywhere, but for its preview
        return there if there is not None and (needed or there.is_up) else None


async def _whole(receive: Receive) -> bytes | None:
    """The body; None if the client went away."""
    parts = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


class PassedOn(Response):
    """The answer of another process to the same request."""

    def __init__(self, there: Neighbor, body: bytes) -> None:
        super().__init__()
        self._there = there
        self._body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._there.http(scope, self._body, send)
        except LagunaError as error:
            await refusal(error)(scope, receive, send)


async def passed_on(request: Request, there: Neighbor) -> Response:
    return PassedOn(there, await request.body())
