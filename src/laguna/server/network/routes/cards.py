"""Cards: what is shown where a link to a game is posted."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from laguna.errors import BadOption, either, quoted
from laguna.games.contract import LANGUAGES
from laguna.server.live.cards import Kind, card_of
from laguna.server.network.guard import address_of
from laguna.server.network.openapi import pictured
from laguna.server.network.routes.common import TableId
from laguna.server.people.identity import NOBODY
from laguna.server.services import services

KINDS: dict[Kind, str] = {"svg": "image/svg+xml", "png": "image/png"}
LASTING = "public, max-age=3600"  # a name may still change
PASSING = "public, max-age=60"  # of a game that is not over

Language = Annotated[str, Query(max_length=10, description="en, ru or it.")]

routes = APIRouter(prefix="/api")


@routes.get("/tables/{table}/card.svg", tags=["cards"], **pictured(KINDS["svg"], 404, 409, 503))
async def svg_card(request: Request, table: TableId, language: Language = "en") -> Response:
    """A picture of a finished game: the board at the end, the players and their scores; 1200 by 630.

    Until the end it shows only which game is played.
    """
    return await card(request, table, language, "svg")


@routes.get("/tables/{table}/card.png", tags=["cards"], **pictured(KINDS["png"], 404, 409, 503))
async def png_card(request: Request, table: TableId, language: Language = "en") -> Response:
    """The same in pixels."""
    return await card(request, table, language, "png")


async def card(request: Request, table: str, language: str, kind: Kind) -> Response:
    if language not in LANGUAGES:
        raise BadOption("language", f"Cards are in {either(LANGUAGES)}, not in {quoted(language, 40)}.")
    at = services(request)
    view = await at.tables.view(table, NOBODY)
    allow = partial(at.rates.allow, "card", None, address_of(request.scope))
    picture = await at.cards.picture(card_of(view, language), kind, allow)
    headers = {
        "cache-control": LASTING if view.status == "over" else PASSING,
        "etag": f'"{hashlib.sha256(picture).hexdigest()[:32]}"',
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(picture, headers=headers, media_type=KINDS[kind])
