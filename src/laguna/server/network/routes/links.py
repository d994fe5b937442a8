"""Links that give a seat to whoever opens them."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from laguna import messages
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import Seat, TableId, read, reply
from laguna.server.processes.passing import passed_on
from laguna.server.services import services

routes = APIRouter(prefix="/api")


@routes.post(
    "/tables/{table}/seats/{seat}/link",
    tags=["seat links"],
    **described(messages.SeatLink, 401, 404, 409, 503, status=201),
)
async def new_link(request: Request, table: TableId, seat: Seat) -> Response:
    """A link that gives one of my seats to anyone who opens it, for example on another device."""
    at = services(request)
    person = await at.identity.somebody(request)
    await at.tables.check_holds(person, table, seat)
    link = await at.identity.new_link(table, seat, str(request.base_url).rstrip("/"))
    return reply(messages.SeatLink(link, seat), 201)


@routes.delete(
    "/tables/{table}/seats/{seat}/link", tags=["seat links"], **described(messages.Done, 401, 404, 409, 503)
)
async def revoke_links(request: Request, table: TableId, seat: Seat) -> Response:
    """Revoke all links to one of my seats; everyone who joined by one loses the seat."""
    at = services(request)
    person = await at.identity.somebody(request)
    await at.tables.unlink(person, table, seat)
    await at.storage.revoke_links(table, seat)
    return reply(await at.tables.unlink(person, table, seat))  # including anyone who joined in the meantime


@routes.post(
    "/links", tags=["seat links"], **described(messages.Done, 401, 404, 409, 503, takes=messages.OpenLink)
)
async def open_link(request: Request) -> Response:
    """Open a seat link: from now on I hold its seat too. The response names the table."""
    at = services(request)
    person = await at.identity.somebody(request)
    given = await read(request, messages.OpenLink)
    table, seat = await at.identity.linked(given.link)
    if (there := at.tables.neighbors.owner_of(table)) is not None:
        return await passed_on(request, there)
    return reply(await at.tables.link(person, table, seat))
