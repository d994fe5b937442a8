"""A table for practice: it is made for one request, which says all that its person has done so far."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from fastapi import Request
from fastapi.responses import Response
from msgspec import Struct
from msgspec.structs import replace

from laguna import messages
from laguna.errors import IllegalAction
from laguna.practice import PracticeTable
from laguna.server.network.http_errors import refusal
from laguna.server.network.routes.common import counted, read, reply
from laguna.table import redact
from laguna.table.entries import Milliseconds, Person
from laguna.table.state import ActionForm

At = TypeVar("At", bound=PracticeTable)
Tried = TypeVar("Tried", bound=Struct)


async def play(
    request: Request,
    limit: str,
    takes: type[Tried],
    begin: Callable[[Person, Milliseconds], Awaitable[At]],
    carry_out: Callable[[At, Tried], Struct],
) -> Response:
    """What comes of it: `begin` makes the table, and `carry_out` does there what the request says."""
    person = await counted(request, limit)
    tried = await read(request, takes)
    at = await begin(person, round(time.time() * 1000))
    try:
        return reply(await asyncio.to_thread(carry_out, at, tried))
    except IllegalAction as error:
        return refusal(error, redact.error(at.table, person.id, error))


def view(at: PracticeTable) -> messages.TableView:
    """The table as the person sees it; when there is nothing left to do, nobody has to decide."""
    table = at.table
    whole = redact.table_view(table, at.person.id, table.entries[-1].at, range(len(table.chairs)))
    return replace(whole, may=["act"]) if at.goes_on else replace(whole, may=[], deciders=[])


def lines(at: PracticeTable, since: int) -> list[messages.Line]:
    return redact.lines(at.table, at.person.id, since)


def preview(at: PracticeTable, action: ActionForm) -> messages.Previewed:
    found = at.table.started.preview(action, at.seat)
    return messages.Previewed(0, at.table.id, at.table.version, found.events, found.goes_on)


def changes(at: PracticeTable, steps: Iterator[None]) -> list[messages.Changed]:
    """What happens, one by one."""
    found, since = [], at.table.version
    for _ in steps:
        found.append(messages.Changed(since, view(at), lines(at, since)))
        since = at.table.version
    return found
