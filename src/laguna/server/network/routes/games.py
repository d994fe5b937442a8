"""What can be played."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from laguna import messages
from laguna.bots import LEVELS
from laguna.games import find, rulebooks
from laguna.games.contract import LANGUAGES
from laguna.lessons import lessons_of
from laguna.puzzles import puzzles_of
from laguna.rulebook import clauses, guide_text, language_of_rules, rules_text
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import reply
from laguna.server.services import services

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
        lessons = len(lessons_of(book.meta.id).lessons)
        puzzles = len(puzzles_of(book.meta.id).puzzles)
        now = {"compiled": compiled, "ready": ready, "preparation": preparation}
        infos.append(msgspec.structs.replace(info, **now, lessons=lessons, puzzles=puzzles))
    levels = [messages.LevelInfo(level.name, dict(level.about), level.strength) for level in LEVELS]
    return reply(messages.Catalogue(infos, levels, list(LANGUAGES)))


@routes.get("/games/{game}/rules", tags=["games"], **described(messages.RulesText, 404, 422))
async def rules(
    game: Annotated[str, Path(max_length=40)], language: Annotated[str, Query(max_length=20)] = "en"
) -> Response:
    """The rules of a game, in our own words; in English if they have not been translated."""
    find(game)
    text, guide = rules_text(game, language), guide_text(game, language)
    own = language_of_rules(game, language)
    return reply(messages.RulesText(game, text, clauses(game, language), language=own, guide=guide))
