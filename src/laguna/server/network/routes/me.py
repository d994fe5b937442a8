"""A page of one's own: my games, my results and ratings, all of it as an archive, and goodbye."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response, StreamingResponse

from laguna import messages
from laguna.games import find
from laguna.kernel import MAX_SEATS
from laguna.server.network.guard import address_of
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import TABLE_ID, onlooker, read, reply
from laguna.server.network.routes.people import logged_out
from laguna.server.people import history
from laguna.server.people.export import archive
from laguna.server.people.history import Against, Outcome, Wanted
from laguna.server.services import services
from laguna.table.entries import Person

MAX_GAMES = 100  # in one answer

routes = APIRouter(prefix="/api")


def wanted(
    game: Annotated[str | None, Query(max_length=40)] = None,
    players: Annotated[int | None, Query(ge=1, le=MAX_SEATS)] = None,
    rated: bool | None = None,
    result: Outcome | None = None,
    against: Annotated[Against | None, Query(description="At least one other person, or bots only.")] = None,
    level: Annotated[str | None, Query(max_length=20, description="With this bot.")] = None,
    opponent: Annotated[str | None, Query(max_length=40, description="With a person of this name.")] = None,
) -> Wanted:
    return Wanted(game, players, rated, result, against, level, opponent)


Filter = Annotated[Wanted, Depends(wanted)]
After = Annotated[str | None, Query(pattern=TABLE_ID, description="Only games after this one in the list.")]
Count = Annotated[int, Query(ge=1, le=MAX_GAMES)]


async def reader(request: Request) -> Person:
    """The person who asks for their games; that may mean going through thousands of them."""
    at = services(request)
    person = await at.identity.somebody(request)
    at.rates.allow("history", person.id, address_of(request.scope))
    return person


@routes.get("/me/games", tags=["my games"], **described(messages.PlayedGames, 401, 503))
async def my_games(request: Request, wanted: Filter, after: After = None, count: Count = 20) -> Response:
    """My games, running and over, the newest first; `after` is the `next` of the answer before."""
    person = await reader(request)
    return reply(await history.page(services(request).storage, person, wanted, after, count))


@routes.get("/me/results", tags=["my games"], **described(messages.MyResults, 401, 503))
async def my_results(request: Request, wanted: Filter) -> Response:
    """My results by game, by opponent and by number of players, in games that fit the filter."""
    person = await reader(request)
    return reply(await history.results(services(request).storage, person, wanted))


@routes.get("/me/ratings", tags=["my games"], **described(list[messages.GameRating], 401, 503))
async def my_ratings(request: Request) -> Response:
    """My ratings, and how they came about; a guest has none."""
    at = services(request)
    person = await at.identity.somebody(request)
    return reply(await history.ratings(at.storage, person))


@routes.get("/games/{game}/ratings", tags=["games"], **described(messages.Leaderboard, 401, 404, 503))
async def best_rated(request: Request, game: Annotated[str, Path(max_length=40)]) -> Response:
    """The best rated people at a game."""
    find(game)
    return reply(await history.leaderboard(services(request).storage, game, await onlooker(request)))


_archive = described(None, 401, 503)
_archive["responses"][200] = {"description": "A zip archive.", "content": {"application/zip": {}}}


@routes.get("/me/export", tags=["my games"], **_archive)
async def export(request: Request) -> Response:
    """Everything of mine as a zip archive: profile, ratings, games with their files, what I wrote."""
    at = services(request)
    person = await at.identity.somebody(request)
    at.rates.allow("export", person.id, address_of(request.scope))
    return StreamingResponse(
        archive(at.storage, at.tables, person),
        media_type="application/zip",
        headers={"Content-Disposition": 'attachment; filename="laguna.zip"'},
    )


@routes.post(
    "/me/delete",
    tags=["people"],
    **described(None, 401, 409, 503, takes=messages.Farewell, optional=True, status=204),
)
async def delete_me(request: Request) -> Response:
    """Delete me, at once and for good: account, tokens and ratings. Games stay, without my name.

    An account needs its password; a guest is just forgotten. I have left the games that are not over.
    """
    at = services(request)
    person = await at.identity.somebody(request)
    given = await read(request, messages.Farewell, optional=True)
    await at.identity.confirm(person, given.password, address_of(request.scope))
    await at.tables.erase(person)
    return await logged_out(request, person)
