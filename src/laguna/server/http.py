"""The HTTP API: what can be played, who you are, tables, links to seats, replays."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from msgspec import Struct

import laguna
from laguna import messages
from laguna.bots import LEVELS
from laguna.errors import LagunaError
from laguna.files import GameFile, loads
from laguna.game import field_and_reason
from laguna.games import find, rulebooks
from laguna.rulebook import clauses, rules_text
from laguna.server import metrics
from laguna.server.guard import address_of, bearer, is_local
from laguna.server.identity import NOBODY
from laguna.server.openapi import told
from laguna.server.problems import Denied
from laguna.server.replay import MOST_STEPS, replay
from laguna.server.services import Services, services

T = TypeVar("T", bound=Struct)

LANGUAGES = ["en", "ru", "it"]
MOST_LISTED = 100
TABLE_ID: str = messages.TableId.__metadata__[0].pattern

TableId = Annotated[str, Path(pattern=TABLE_ID, description="A table's id.")]
Seat = Annotated[int, Path(ge=0, le=4)]
ForSeat = Annotated[int | None, Query(ge=0, le=4, description="As this seat sees it; else as a spectator.")]
First = Annotated[int, Query(ge=0, le=100_000, description="The first step, 0 being the set-up.")]
Count = Annotated[int, Query(ge=1, le=MOST_STEPS, description="How many steps at most.")]

routes = APIRouter(prefix="/api")


async def read(request: Request, kind: type[T], optional: bool = False) -> T:
    """The body as that kind of message; Denied if it is none."""
    body = await request.body()
    try:
        return msgspec.json.decode(body or b"{}" if optional else body, type=kind)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(error)
        told = f"{field}: {reason}." if field else f"{reason}."
        raise Denied("body", told, field=field) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Denied("no-json", "The body of the request is not whole JSON text.") from None


def reply(message: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(message), status, media_type="application/json")


async def onlooker(request: Request) -> Any:
    """Who asks, or nobody: enough to look at what is public."""
    return await services(request).identity.known(request) or NOBODY


# ------------------------------------------------------------------ the server


@routes.get("/health", tags=["server"], **told(messages.Health))
async def health() -> Response:
    """The server is alive."""
    return reply(messages.Health(True, laguna.__version__, "Alive."))


@routes.get("/ready", tags=["server"], **told(messages.Health, 503))
async def ready(request: Request) -> Response:
    """It can take players: storage answers, and it is not shutting down. 503 if not."""
    at = services(request)
    if at.closing:
        raise Denied("unavailable", "The server is shutting down.")
    await at.storage.ping()
    return reply(messages.Health(True, laguna.__version__, "Ready."))


# ------------------------------------------------------------------ what can be played


@routes.get("/games", tags=["games"], **told(messages.Catalogue))
async def games() -> Response:
    """All games with their options and presets, and the bots; every text in three languages."""
    infos = [msgspec.convert(book.meta.as_json(), messages.GameInfo) for book in rulebooks().values()]
    levels = [messages.LevelInfo(level.name, dict(level.about)) for level in LEVELS]
    return reply(messages.Catalogue(infos, levels, LANGUAGES))


@routes.get("/games/{game}/rules", tags=["games"], **told(messages.RulesText, 404))
async def rules(game: Annotated[str, Path(max_length=40)]) -> Response:
    """The rules of a game, in our own words (English)."""
    find(game)
    return reply(messages.RulesText(game, rules_text(game), clauses(game)))


# ------------------------------------------------------------------ who you are


@routes.get("/me", tags=["people"], **told(messages.Me, 401, 503))
async def me(request: Request) -> Response:
    """Who I am. A browser that is not known yet becomes a guest, and gets a cookie."""
    if (
        request.headers.get("sec-fetch-site") == "cross-site"
        and request.headers["sec-fetch-mode"] != "navigate"
    ):
        raise Denied("origin", "Only our own page may ask this.")
    identity = services(request).identity
    person, token = await identity.me(request)
    answer = reply(await identity.tell(person))
    if token:
        identity.give(request, answer, token)
    return answer


@routes.post("/me", tags=["people"], **told(messages.Me, 401, 503, takes=messages.Rename))
async def rename(request: Request) -> Response:
    """Be called otherwise, at tables where I sit down from now on."""
    identity = services(request).identity
    person = await identity.somebody(request)
    given = await read(request, messages.Rename)
    return reply(await identity.tell(await identity.rename(person, given.name)))


@routes.post(
    "/me/account", tags=["people"], **told(messages.Me, 401, 409, 503, takes=messages.Credentials, status=201)
)
async def make_account(request: Request) -> Response:
    """Give myself an account, so that I can come back from anywhere with its password."""
    identity = services(request).identity
    person = await identity.somebody(request)
    given = await read(request, messages.Credentials)
    await identity.make_account(person, given, address_of(request.scope))
    return reply(messages.Me(person.name, given.account), 201)


@routes.post("/log-in", tags=["people"], **told(messages.Me, 401, 503, takes=messages.Credentials))
async def log_in(request: Request) -> Response:
    """Come back to my account; the browser gets a cookie."""
    identity = services(request).identity
    given = await read(request, messages.Credentials)
    person, token = await identity.log_in(given, address_of(request.scope))
    answer = reply(await identity.tell(person))
    identity.give(request, answer, token)
    return answer


@routes.post("/log-out", tags=["people"], **told(None, 401, 503, status=204))
async def log_out(request: Request) -> Response:
    """Forget this browser (or this token); a guest cannot come back after that."""
    identity = services(request).identity
    await identity.log_out(request)
    answer = Response(status_code=204)
    identity.give(request, answer, None)
    return answer


@routes.post(
    "/tokens",
    tags=["people"],
    **told(messages.Token, 401, 503, takes=messages.Credentials, optional=True, status=201),
)
async def new_token(request: Request) -> Response:
    """A token for a program: of a new guest, or with a body of the account named there."""
    identity = services(request).identity
    if await request.body():
        given = await read(request, messages.Credentials)
        person, token = await identity.log_in(given, address_of(request.scope))
    else:
        person, token = await identity.guest(address_of(request.scope))
    return reply(messages.Token(token, person.name), 201)
