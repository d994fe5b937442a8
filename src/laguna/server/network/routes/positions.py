"""Positions for the board editor. Nothing is stored and no table is asked: it is about what was sent."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from laguna import messages
from laguna.files import GameFile, loads, read_json
from laguna.game import Game, from_position, set_up
from laguna.kernel.chance import SEEDS
from laguna.server.live.replay import game_after
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import counted, read, ready, reply
from laguna.server.network.routes.replays import ForSeat, game_of

Actions = Annotated[
    int | None,
    Query(ge=0, le=100_000, description="After so many actions of a game file; by default after all."),
]

routes = APIRouter(prefix="/api")


@routes.post(
    "/positions",
    tags=["positions"],
    **described(messages.CheckedPosition, 401, 404, takes=messages.PositionCheck),
)
async def check(request: Request) -> Response:
    """Check a position. If it is impossible, the problem names the `field` and the `clause` it breaks."""
    await counted(request, "position")
    given = await read(request, messages.PositionCheck)
    await ready(request, given.game)
    game = await asyncio.to_thread(from_position, given.game, given.position, seed=_seed())
    return _told(game, given.seat)


@routes.post(
    "/positions/file", tags=["positions"], **described(messages.CheckedPosition, 401, 404, takes=GameFile)
)
async def of_file(request: Request, actions: Actions = None, seat: ForSeat = None) -> Response:
    """The position of a game file after some of its actions, or of a position file.

    Of a game, decks and whatever else nobody had drawn by then are left out.
    """
    await counted(request, "import")
    body = await request.body()
    document = read_json(body)
    await ready(request, game_of(document))
    if "laguna" in document:
        game = await asyncio.to_thread(_after, body, actions)
        return _told(game, seat, undrawn=False)
    game = await asyncio.to_thread(from_position, document["game"], document, seed=_seed())
    return _told(game, seat)


@routes.post(
    "/games/{game}/position",
    tags=["positions"],
    **described(messages.CheckedPosition, 401, 404, takes=messages.PositionStart, optional=True),
)
async def start(request: Request, game: Annotated[str, Path(max_length=40)]) -> Response:
    """The position at the start of a new game, dealt anew for each request."""
    await counted(request, "position")
    given = await read(request, messages.PositionStart, optional=True)
    await ready(request, game)
    return _told(set_up(game, given.players, _seed(), None, given.options), given.seat)


def _seed() -> int:
    return secrets.randbelow(SEEDS)


def _after(file: bytes, actions: int | None) -> Game:
    game = loads(file)
    return game if actions is None else game_after(game, actions)


def _told(game: Game, seat: int | None, undrawn: bool = True) -> Response:
    position = game.position(undrawn=undrawn)
    return reply(messages.CheckedPosition(game.meta.id, position, game.typed_view(seat)))
