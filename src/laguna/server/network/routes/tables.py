"""Tables: lists of them, a new one, and every request of the socket."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import Response

from laguna import messages
from laguna.errors import IllegalAction
from laguna.server.live.requests import begins_elsewhere
from laguna.server.network import quotas
from laguna.server.network.guard import address_of
from laguna.server.network.http_errors import Denied, refusal
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import TableId, onlooker, read, reply
from laguna.server.services import services
from laguna.server.storage import TableRow
from laguna.table.entries import Person

MAX_LISTED = 100

routes = APIRouter(prefix="/api")


@routes.get("/tables", tags=["tables"], **described(list[messages.TableSummary], 401, 503))
async def open_tables(request: Request) -> Response:
    """The publicly listed tables that are not over yet, the newest first."""
    person = await onlooker(request)
    rows = await services(request).storage.listed(MAX_LISTED)
    return reply([summary(row, person) for row in rows])


@routes.get("/tables/mine", tags=["tables"], **described(list[messages.TableSummary], 401, 503))
async def my_tables(request: Request) -> Response:
    """The tables where I hold a seat, the most recently changed first."""
    person = await onlooker(request)
    rows = await services(request).storage.tables_of(person.id, MAX_LISTED)
    return reply([summary(row, person) for row in rows])


def summary(row: TableRow, person: Person) -> messages.TableSummary:
    """A row as this person may see it; people's ids never leave the server."""
    table = row.summary
    mine = table.seats_of(person.id)
    return messages.TableSummary(
        table=row.table,
        game=table.game,
        players=table.players,
        status=table.status,
        seats=table.seats,
        clock=table.clock,
        version=row.version,
        created=row.created,
        changed=row.changed,
        mine=mine,
        my_turn=any(seat in table.deciders for seat in mine),
        rated=table.rated,
    )


@routes.post(
    "/tables",
    tags=["tables"],
    **described(messages.TableView, 401, 404, 409, 503, takes=messages.NewTable, status=201),
)
async def open_table(request: Request) -> Response:
    """Open a table. Anyone who knows its id may watch, and take an open seat."""
    at = services(request)
    person = await at.identity.somebody(request)
    wanted = await read(request, messages.NewTable)
    quotas.allow_table(at.rates, wanted, person.id, address_of(request.scope))
    await at.tables.games.ready_for(wanted.settings, begins_elsewhere(wanted))
    if await request.is_disconnected():  # a client that did not wait gets no table either
        raise Denied("unavailable", "The client disconnected before the table was opened.")
    return reply(await at.tables.open(person, wanted), 201)


@routes.get("/tables/{table}", tags=["tables"], **described(messages.Table, 401, 404, 503))
async def look(request: Request, table: TableId) -> Response:
    """A table as I may see it, with the last lines of its log."""
    person = await onlooker(request)
    return reply(await services(request).tables.look(person, table))


def request_route(kind: type[messages.Request]) -> None:
    """A route for a socket request: the same fields, with the table's id in the address."""
    tag = kind.__struct_config__.tag
    fields = [field for field in msgspec.structs.fields(kind) if field.name not in ("id", "table")]
    body = msgspec.defstruct(
        f"{kind.__name__}Body",
        [(f.name, f.type) if f.required else (f.name, f.type, f.default) for f in fields],
        namespace={"__doc__": kind.__doc__},
        frozen=True,
        forbid_unknown_fields=True,
    )
    optional = not any(field.required for field in fields)
    returns = ANSWERS.get(kind, messages.Done)

    async def do(request: Request, table: TableId) -> Response:
        at = services(request)
        person = await at.identity.somebody(request)
        given = await read(request, body, optional)
        frame: Any = kind(id=0, table=table, **msgspec.structs.asdict(given))  # type: ignore[call-arg]
        quotas.allow(at.rates, frame, person.id, address_of(request.scope))
        try:
            return reply(await at.tables.request(person, frame))
        except IllegalAction as error:
            return refusal(error, at.tables.problem(person, frame, error))

    routes.post(
        f"/tables/{{table}}/{tag}",
        tags=["at a table"],
        operation_id=str(tag),
        summary=kind.__name__,
        description=kind.__doc__,
        **described(returns, 401, 404, 409, 503, takes=body, optional=optional),
    )(do)


ANSWERS: dict[type[messages.Request], Any] = {
    messages.Act: messages.Done | messages.Previewed,
    messages.Hint: messages.HintGiven,
    messages.Advise: messages.Advised,
    messages.Preview: messages.Previewed,
}
for each in messages.ClientFrame.__args__:
    if each not in (messages.Ping, messages.Follow, messages.Unfollow):
        request_route(each)
