"""What all routes share: reading a body, counting, replying, and the parts of an address."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar, get_args

import msgspec
from fastapi import Path, Request
from fastapi.responses import Response
from msgspec import Struct

from laguna import messages
from laguna.game import field_and_reason
from laguna.games import find
from laguna.kernel import MAX_SEATS
from laguna.server.network.guard import address_of
from laguna.server.network.http_errors import Denied
from laguna.server.people.identity import NOBODY
from laguna.server.services import services
from laguna.table.entries import Person

T = TypeVar("T", bound=Struct)

TABLE_ID: str = get_args(messages.TableId)[1].pattern

TableId = Annotated[str, Path(pattern=TABLE_ID, description="A table's id.")]
Seat = Annotated[int, Path(ge=0, lt=MAX_SEATS)]


async def read(request: Request, kind: type[T], optional: bool = False) -> T:
    """The body as that kind of message; raises Denied if it is not one."""
    body = await request.body()
    try:
        return msgspec.json.decode(body or b"{}" if optional else body, type=kind)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(error)
        raise Denied("body", f"{field or 'body'}: {reason}.", field=field) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Denied("no-json", "The body of the request is not valid JSON.") from None


def reply(message: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(message), status, media_type="application/json")


async def onlooker(request: Request) -> Person:
    """The person making the request, or nobody, which is enough for public things."""
    return await services(request).identity.known(request) or NOBODY


async def counted(request: Request, kind: str) -> Person:
    """The person making the request, or nobody, once it is counted against a limit."""
    person = await onlooker(request)
    count(request, person, kind)
    return person


def count(request: Request, person: Person, kind: str, times: int = 1) -> None:
    """Count the request against a limit.

    Those who have no identity are counted by their addresses alone: together they are not one person.
    """
    identity = None if person is NOBODY else person.id
    services(request).rates.allow(kind, identity, address_of(request.scope), times)


async def ready(request: Request, game: str) -> None:
    """Wait until positions of the game can be read, which needs the last stage of its compilation."""
    await services(request).tables.games.ready(find(game).meta.id, "bots")
