"""Who you are: guests, accounts, tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from starlette.background import BackgroundTask

from laguna import messages
from laguna.server.network.guard import address_of, bearer
from laguna.server.network.http_errors import Denied
from laguna.server.network.openapi import described
from laguna.server.network.routes.common import read, reply
from laguna.server.people.agents import PROGRAM, agent_of
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
    found, token = await identity.me(request)
    answer = reply(found)
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
    token = await identity.make_account(person, given, address_of(request.scope), agent_of(request))
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
    account, token = await identity.change_password(
        person, given, address_of(request.scope), agent_of(request)
    )
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


DeviceId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$", description="The `id` of a device.")]


@routes.get("/me/devices", tags=["people"], **described(list[messages.Device], 401, 503))
async def devices(request: Request) -> Response:
    """The browsers and programs in which I am logged in: this one, then the latest used; at most 100."""
    identity = services(request).identity
    person = await identity.somebody(request)
    return reply(await identity.devices(person, request))


@routes.post(
    "/me/devices/{device}/end",
    tags=["people"],
    **described(None, 401, 404, 503, takes=messages.Confirmation, optional=True, status=204),
)
async def end_device(request: Request, device: DeviceId) -> Response:
    """Log out one of my devices; its open connections are closed. An account needs its password."""
    person = await confirmed(request)
    await services(request).identity.end_device(person, device)
    return await ended(request, person)


@routes.post(
    "/me/devices/end-others",
    tags=["people"],
    **described(None, 401, 503, takes=messages.Confirmation, optional=True, status=204),
)
async def end_other_devices(request: Request) -> Response:
    """Log out all of my devices but this one. An account needs its password."""
    person = await confirmed(request)
    await services(request).identity.end_other_devices(person, request)
    return await ended(request, person)


async def confirmed(request: Request) -> Person:
    """The person who asks, and who has given the password again."""
    identity = services(request).identity
    person = await identity.somebody(request)
    given = await read(request, messages.Confirmation, optional=True)
    await identity.confirm(person, given.password, address_of(request.scope))
    return person


async def ended(request: Request, person: Person) -> Response:
    await services(request).tables.sessions.tokens_changed(person.id)
    return Response(status_code=204)


@routes.post("/log-in", tags=["people"], **described(messages.Me, 401, 503, takes=messages.LogIn))
async def log_in(request: Request) -> Response:
    """Log in to my account; the browser gets a cookie."""
    identity = services(request).identity
    given = await read(request, messages.LogIn)
    person, token = await identity.log_in(given, address_of(request.scope), agent_of(request))
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
    **described(messages.Token, 401, 503, takes=messages.LogIn, optional=True, status=201),
)
async def new_token(request: Request) -> Response:
    """A token for a program: for a new guest or, with a body, for the account it names."""
    identity = services(request).identity
    if await request.body():
        given = await read(request, messages.LogIn)
        person, token = await identity.log_in(given, address_of(request.scope), PROGRAM)
    else:
        person, token = await identity.guest(address_of(request.scope), PROGRAM)
    return reply(messages.Token(token, person.name), 201)
