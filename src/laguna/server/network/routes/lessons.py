"""The lessons of a game's tutorial. Nothing is stored: the learner's actions come with every request."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from laguna import messages
from laguna.games import find
from laguna.lessons import NAME, LessonTable, lessons_of
from laguna.server.network.openapi import described
from laguna.server.network.routes import practice
from laguna.server.network.routes.common import ready, reply
from laguna.table.entries import Milliseconds, Person

Game = Annotated[str, Path(max_length=40)]
Name = Annotated[str, Path(pattern=NAME, description="A lesson's id.")]

routes = APIRouter(prefix="/api/games/{game}/lessons")


@routes.get("", tags=["games"], **described(messages.Lessons, 404))
async def listed(game: Game) -> Response:
    """The lessons of a game, in order."""
    file = lessons_of(find(game).meta.id)
    infos = [messages.LessonInfo(each.id, each.clauses, len(each.tasks)) for each in file.lessons]
    return reply(messages.Lessons(game, infos, file.players, file.options))


@routes.post(
    "/{lesson}", tags=["games"], **described(messages.LessonState, 401, 404, 409, takes=messages.LessonTry)
)
async def play(request: Request, game: Game, lesson: Name) -> Response:
    """A lesson after these actions of the learner; then the next one is played, or only previewed."""

    async def begin(person: Person, now: Milliseconds) -> LessonTable:
        wanted = lessons_of(find(game).meta.id).find(lesson)
        await ready(request, game)
        return LessonTable(game, wanted, person, now)

    return await practice.play(request, "lesson", messages.LessonTry, begin, _tried)


def _tried(at: LessonTable, tried: messages.LessonTry) -> messages.LessonState:
    """Carry out the request; raises what the rules or the lesson say against it."""
    for action in tried.actions:
        at.act(action)
    preview, changes = None, []
    if tried.action is not None and tried.preview:
        preview = practice.preview(at, tried.action)
    elif tried.action is not None:
        changes = practice.changes(at, at.steps(tried.action))
    return messages.LessonState(
        view=practice.view(at),
        lines=practice.lines(at, 0),
        task=at.task.id if at.task else None,
        done=at.done,
        point=at.task.point if at.task else [],
        preview=preview,
        changes=changes,
    )
