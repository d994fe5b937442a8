"""What can be played."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from laguna import messages
from laguna.bots import LEVELS
from laguna.games import find, rulebooks
from laguna.rulebook import clauses, rules_text
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import reply
from laguna.server.services import services

LANGUAGES = ["en", "ru", "it"]

routes = APIRouter(prefix="/api")


@routes.get("/games", tags=["games"], **described(messages.Catalogue))
async def games(request: Request) -> Response:
    """All games with their options and presets, and the bots. All texts come in three languages."""
    loader = services(request).tables.games
    infos = []
    for book in rulebooks().values():
        info = msgspec.convert(book.meta.as_json(), messages.GameInfo)
        compiled, ready = loader.known(book.meta.id)
        preparation = loader.preparation(book.meta.id)
        infos.append(msgspec.structs.replace(info, compiled=compiled, ready=ready, preparation=preparation))
    levels = [messages.LevelInfo(level.name, dict(level.about), level.strength) for level in LEVELS]
    return reply(messages.Catalogue(infos, levels, LANGUAGES))


@routes.get("/games/{game}/rules", tags=["games"], **described(messages.RulesText, 404))
async def rules(game: Annotated[str, Path(max_length=40)]) -> Response:
    """The rules of a game, in our own words, in English."""
    find(game)
    return reply(messages.RulesText(game, rules_text(game), clauses(game)))
