"""Game files, and games step by step."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from laguna import messages
from laguna.files import SUFFIX, GameFile, loads, read_json
from laguna.games import find
from laguna.kernel import MAX_SEATS
from laguna.server.live.replay import MAX_STEPS, replay
from laguna.server.network.guard import address_of
from laguna.server.network.openapi import described
from laguna.server.network.routes import common
from laguna.server.network.routes.common import TableId, counted, onlooker, ready, reply
from laguna.server.services import services

ForSeat = Annotated[
    int | None, Query(ge=0, lt=MAX_SEATS, description="What this seat sees; otherwise what a spectator sees.")
]
First = Annotated[int, Query(ge=0, le=100_000, description="The first step; 0 is the setup.")]
Count = Annotated[int, Query(ge=1, le=MAX_STEPS, description="The maximum number of steps.")]
Views = Annotated[bool, Query(description="Whether each step comes with the view; otherwise only the log.")]

Actions = Annotated[int, Query(ge=0, le=100_000, description="How many actions were played by then.")]

routes = APIRouter(prefix="/api")


@routes.get("/tables/{table}/file", tags=["replays"], **described(GameFile, 404, 409, 503))
async def export(request: Request, table: TableId) -> Response:
    """The game file of a finished game, secret included; anyone can check it with `laguna verify`.

    Before the end nobody can get it; until then, use `GET /api/tables/{table}`.
    """
    text = await services(request).tables.game_file(table)
    name = f'attachment; filename="{table}{SUFFIX}"'
    return Response(text, headers={"Content-Disposition": name}, media_type="application/json")


@routes.get("/tables/{table}/replay", tags=["replays"], **described(messages.Replay, 401, 404, 409, 503))
async def table_replay(
    request: Request,
    table: TableId,
    seat: ForSeat = None,
    first: First = 0,
    count: Count = MAX_STEPS,
    views: Views = True,
) -> Response:
    """A game step by step, as a spectator or my own seat sees it or, once it is over, as any seat does."""
    person = await onlooker(request)
    game, result = await services(request).tables.game_for(person, table, seat)
    steps = max(1, min(count, len(game.log) - first)) if views else 1  # it is the views that cost
    common.count(request, person, "replay", steps)
    return reply(await asyncio.to_thread(replay, game, seat, first, count, result, views))


@routes.post("/replay", tags=["replays"], **described(messages.Replay, 401, 404, 409, takes=GameFile))
async def file_replay(
    request: Request, seat: ForSeat = None, first: First = 0, count: Count = MAX_STEPS, views: Views = True
) -> Response:
    """Check a game file and view it step by step. Nothing is stored."""
    await counted(request, "import")
    body = await request.body()
    await ready(request, game_of(read_json(body)))
    return reply(await asyncio.to_thread(lambda: replay(loads(body), seat, first, count, views=views)))


@routes.post("/tables/file", tags=["replays"], **described(messages.Done, 401, 404, 409, 503, takes=GameFile))
async def open_file(request: Request) -> Response:
    """Check the file of a finished game and keep it as a table, so that the game can be reviewed.

    The table is known only to those who have its address or the file, and is never rated.
    """
    at = services(request)
    person = await at.identity.somebody(request)
    address = address_of(request.scope)
    at.rates.allow("import", person.id, address)
    body = await request.body()
    await ready(request, game_of(read_json(body)))
    game = await asyncio.to_thread(loads, body)
    return reply(await at.tables.open_file(game, lambda: at.rates.allow("table", person.id, address)))


@routes.get(
    "/tables/{table}/position",
    tags=["replays"],
    **described(messages.PositionFile, 401, 404, 409, 503),
)
async def table_position(request: Request, table: TableId, actions: Actions) -> Response:
    """The position of a finished game after so many actions, to go on from at another table.

    It says what everyone holds; decks and whatever else nobody had drawn yet are left out.
    """
    await counted(request, "replay")
    return reply(await services(request).tables.position(table, actions))


def game_of(document: Any) -> str:
    """The game that a file names: it must be compiled before the file is read."""
    game = document.get("game") if isinstance(document, dict) else None
    return find(game).meta.id
