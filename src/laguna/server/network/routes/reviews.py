"""Reviews of finished games."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from laguna import messages
from laguna.server.network.guard import address_of
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import TableId, reply
from laguna.server.services import services

routes = APIRouter(prefix="/api/tables/{table}/review")


@routes.post("", tags=["replays"], **described(messages.Review, 401, 404, 409, 503))
async def ask(request: Request, table: TableId) -> Response:
    """Have a finished game reviewed, action by action, or see how far that is. Everyone gets the same one."""
    at = services(request)
    person = await at.identity.known(request)

    def allow() -> None:
        at.rates.allow("review", person.id if person else None, address_of(request.scope))

    return reply(await at.tables.review(table, allow))


@routes.get("", tags=["replays"], **described(messages.Review, 401, 404, 409, 503))
async def look(request: Request, table: TableId) -> Response:
    """The review of a finished game as far as it is done, without starting one."""
    return reply(await services(request).tables.review(table))
