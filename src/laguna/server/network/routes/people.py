"""Who you are: guests, accounts, tokens."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.background import BackgroundTask

from laguna import messages
from laguna.server.network.guard import address_of, bearer
from laguna.server.network.http_errors import Denied
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import read, reply
from laguna.server.services import services
from laguna.table.entries import Person

routes = APIRouter(prefix="/api")


@routes.get("/me", tags=["people"], **described(messages.Me, 401, 503))
async def me(request: Request) -> Response:
    """My identity. A new browser becomes a guest and gets a cookie."""
    site, mode = (request.headers.get(f"sec-fetch-{part}") for part in ("site", "mode"))
    if site == "cross-site" and mode != "navigate":
        raise Denied("origin", "Only our own page may request this.")
    identity = services(request).identity
    person, token = await identity.me(request)
    answer = reply(await identity.tell(person))
    if token:
        identity.give(request, answer, token)
    return answer


@routes.post("/me", tags=["people"], **described(messages.Me, 401, 503, takes=messages.Rename))
async def rename(request: Request) -> Response:
    """Change my name, for tables where I sit down from now on."""
    identity = services(request).identity
    person = await identity.somebody(request)
    given = await read(request, messages.Rename)
    return reply(await identity.tell(await identity.rename(person, given.name)))


@routes.post(
    "/me/account",
    tags=["people"],
    **described(messages.Renewed, 401, 409, 503, takes=messages.Credentials, status=201),
)
async def make_account(request: Request) -> Response:
    """Create an account for myself, so that I can log in from anywhere with its password."""
    identity = services(request).identity
    person = await identity.somebody(request)
    given = await read(request, messages.Credentials)
    token = await identity.make_account(person, given, address_of(request.scope))
    return renewed(request, person, given.account, token, 201)


@routes.post(
    "/me/password",
    tags=["people"],
    **described(messages.Renewed, 401, 409, 503, takes=messages.NewPassword),
)
async def change_password(request: Request) -> Response:
    """Change the password of my account; every other device is logged out."""
    identity = services(request).identity
    person = await identity.somebody(request)
    given = await read(request, messages.NewPassword)
    account, token = await identity.change_password(person, given, address_of(request.scope))
    return renewed(request, person, account, token)


def renewed(request: Request, person: Person, account: str, token: str, status: int = 200) -> Response:
    """Hand out the new token (to a browser as its cookie), then close sockets that use the old ones."""
    at = services(request)
    by_header = bearer(request.headers) is not None
    answer = reply(messages.Renewed(person.name, account, token if by_header else None), status)
    if not by_header:
        at.identity.give(request, answer, token)
    answer.background = BackgroundTask(at.tables.sessions.tokens_changed, person.id)
    return answer


@routes.post("/log-in", tags=["people"], **described(messages.Me, 401, 503, takes=messages.Credentials))
async def log_in(request: Request) -> Response:
    """Log in to my account; the browser gets a cookie."""
    identity = services(request).identity
    given = await read(request, messages.Credentials)
    person, token = await identity.log_in(given, address_of(request.scope))
    answer = reply(await identity.tell(person))
    identity.give(request, answer, token)
    return answer


@routes.post("/log-out", tags=["people"], **described(None, 401, 503, status=204))
async def log_out(request: Request) -> Response:
    """Log out this browser (or this token); a guest cannot come back after that."""
    at = services(request)
    person = await at.identity.somebody(request)
    await at.identity.log_out(request)
    return await logged_out(request, person)


@routes.post("/log-out-everywhere", tags=["people"], **described(None, 401, 503, status=204))
async def log_out_everywhere(request: Request) -> Response:
    """Log out every browser and every token of mine; open connections are closed too."""
    at = services(request)
    person = await at.identity.somebody(request)
    await at.identity.log_out_everywhere(person)
    return await logged_out(request, person)


async def logged_out(request: Request, person: Person) -> Response:
    """Close sockets that use a revoked token, and delete the cookie."""
    at = services(request)
    await at.tables.sessions.tokens_changed(person.id)
    answer = Response(status_code=204)
    at.identity.give(request, answer, None)
    return answer


@routes.post(
    "/tokens",
    tags=["people"],
    **described(messages.Token, 401, 503, takes=messages.Credentials, optional=True, status=201),
)
async def new_token(request: Request) -> Response:
    """A token for a program: for a new guest or, with a body, for the account it names."""
    identity = services(request).identity
    if await request.body():
        given = await read(request, messages.Credentials)
        person, token = await identity.log_in(given, address_of(request.scope))
    else:
        person, token = await identity.guest(address_of(request.scope))
    return reply(messages.Token(token, person.name), 201)
