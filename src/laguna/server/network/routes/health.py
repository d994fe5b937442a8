"""How the server is."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

import laguna
from laguna import messages
from laguna.server.network.http_errors import Denied
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import reply
from laguna.server.processes.neighbors import Away
from laguna.server.services import services

routes = APIRouter(prefix="/api")


@routes.get("/health", tags=["server"], **described(messages.Health))
async def health() -> Response:
    """The server is alive."""
    return reply(messages.Health(True, laguna.__version__, "Alive."))


@routes.get("/ready", tags=["server"], **described(messages.Health, 503))
async def ready(request: Request) -> Response:
    """The server can take players: storage works, all of its processes are up, and it is not shutting down.

    503 if not.
    """
    at = services(request)
    if at.tables.closing:
        raise Denied("unavailable", "The server is shutting down.")
    if not at.tables.neighbors.are_up:
        raise Away
    await at.storage.check()
    return reply(messages.Health(True, laguna.__version__, "Ready."))
