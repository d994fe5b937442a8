"""The HTTP API: games, identity, tables, seat links, replays."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from msgspec import Struct
from starlette.background import BackgroundTask

import laguna
from laguna import messages
from laguna.bots import LEVELS
from laguna.errors import IllegalAction
from laguna.files import SUFFIX, GameFile, loads, read_json
from laguna.game import field_and_reason
from laguna.games import find, rulebooks
from laguna.kernel import MAX_SEATS
from laguna.rulebook import clauses, rules_text
from laguna.server.live.replay import MAX_STEPS, replay
from laguna.server.network.guard import address_of, bearer
from laguna.server.network.http_errors import Denied, refusal
from laguna.server.network.openapi import described
from laguna.server.people.identity import NOBODY
from laguna.server.services import services
from laguna.server.storage import TableRow
from laguna.table.entries import Person

T = TypeVar("T", bound=Struct)

LANGUAGES = ["en", "ru", "it"]
MAX_LISTED = 100
TABLE_ID: str = get_args(messages.TableId)[1].pattern

TableId = Annotated[str, Path(pattern=TABLE_ID, description="A table's id.")]
Seat = Annotated[int, Path(ge=0, lt=MAX_SEATS)]
ForSeat = Annotated[
    int | None, Query(ge=0, lt=MAX_SEATS, description="What this seat sees; otherwise what a spectator sees.")
]
First = Annotated[int, Query(ge=0, le=100_000, description="The first step; 0 is the setup.")]
Count = Annotated[int, Query(ge=1, le=MAX_STEPS, description="The maximum number of steps.")]

routes = APIRouter(prefix="/api")


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


# ------------------------------------------------------------------ the server


@routes.get("/health", tags=["server"], **described(messages.Health))
async def health() -> Response:
    """The server is alive."""
    return reply(messages.Health(True, laguna.__version__, "Alive."))


@routes.get("/ready", tags=["server"], **described(messages.Health, 503))
async def ready(request: Request) -> Response:
    """The server can take players: storage works, and it is not shutting down. 503 if not."""
    at = services(request)
    if at.tables.closing:
        raise Denied("unavailable", "The server is shutting down.")
    await at.storage.check()
    return reply(messages.Health(True, laguna.__version__, "Ready."))


# ------------------------------------------------------------------ what can be played


@routes.get("/games", tags=["games"], **described(messages.Catalogue))
async def games(request: Request) -> Response:
    """All games with their options and presets, and the bots. All texts come in three languages."""
    known = services(request).tables.games.known
    infos = []
    for book in rulebooks().values():
        info = msgspec.convert(book.meta.as_json(), messages.GameInfo)
        compiled, ready = known(book.meta.id)
        infos.append(msgspec.structs.replace(info, compiled=compiled, ready=ready))
    levels = [messages.LevelInfo(level.name, dict(level.about)) for level in LEVELS]
    return reply(messages.Catalogue(infos, levels, LANGUAGES))


@routes.get("/games/{game}/rules", tags=["games"], **described(messages.RulesText, 404))
async def rules(game: Annotated[str, Path(max_length=40)]) -> Response:
    """The rules of a game, in our own words, in English."""
    find(game)
    return reply(messages.RulesText(game, rules_text(game), clauses(game)))


# ------------------------------------------------------------------ who you are


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


# ------------------------------------------------------------------ tables


@routes.get("/tables", tags=["tables"], **described(list[messages.TableSummary], 401, 503))
async def open_tables(request: Request) -> Response:
    """The publicly listed tables that are not over yet, the newest first."""
    person = await onlooker(request)
    rows = await services(request).storage.listed(MAX_LISTED)
    return reply([summary(row, person) for row in rows])


@routes.get("/tables/mine", tags=["tables"], **described(list[messages.TableSummary], 401, 503))
async def my_tables(request: Request) -> Response:
    """The tables where I hold a seat, the most recently changed first."""
    person = await onlooker(request)
    rows = await services(request).storage.tables_of(person.id, MAX_LISTED)
    return reply([summary(row, person) for row in rows])


def summary(row: TableRow, person: Person) -> messages.TableSummary:
    """A row as this person may see it; people's ids never leave the server."""
    table = row.summary
    mine = [seat for seat, holders in enumerate(table.holders) if person.id in holders]
    return messages.TableSummary(
        table=row.table,
        game=table.game,
        players=table.players,
        status=table.status,
        seats=table.seats,
        clock=table.clock,
        version=row.version,
        created=row.created,
        changed=row.changed,
        mine=mine,
        my_turn=any(seat in table.deciders for seat in mine),
    )


@routes.post(
    "/tables",
    tags=["tables"],
    **described(messages.TableView, 401, 404, 409, 503, takes=messages.NewTable, status=201),
)
async def open_table(request: Request) -> Response:
    """Open a table. Anyone who knows its id may watch, and take an open seat."""
    at = services(request)
    person = await at.identity.somebody(request)
    wanted = await read(request, messages.NewTable)
    at.rates.allow("table", person.id, address_of(request.scope))
    await at.tables.games.ready(wanted.settings.game)
    if await request.is_disconnected():  # a client that did not wait gets no table either
        raise Denied("unavailable", "The client disconnected before the table was opened.")
    return reply(await at.tables.open(person, wanted), 201)


@routes.get("/tables/{table}", tags=["tables"], **described(messages.Table, 401, 404, 503))
async def look(request: Request, table: TableId) -> Response:
    """A table as I may see it, with the last lines of its log."""
    person = await onlooker(request)
    return reply(await services(request).tables.look(person, table))


def request_route(kind: type[messages.Request]) -> None:
    """A route for a socket request: the same fields, with the table's id in the address."""
    tag = kind.__struct_config__.tag
    fields = [field for field in msgspec.structs.fields(kind) if field.name not in ("id", "table")]
    body = msgspec.defstruct(
        f"{kind.__name__}Body",
        [(f.name, f.type) if f.required else (f.name, f.type, f.default) for f in fields],
        namespace={"__doc__": kind.__doc__},
        frozen=True,
        forbid_unknown_fields=True,
    )
    optional = not any(field.required for field in fields)
    returns = ANSWERS.get(kind, messages.Done)

    async def do(request: Request, table: TableId) -> Response:
        at = services(request)
        person = await at.identity.somebody(request)
        given = await read(request, body, optional)
        if tag in ("say", "hint"):
            at.rates.allow(str(tag), person.id, address_of(request.scope))
        frame: Any = kind(id=0, table=table, **msgspec.structs.asdict(given))  # type: ignore[call-arg]
        try:
            return reply(await at.tables.request(person, frame))
        except IllegalAction as error:
            return refusal(error, at.tables.problem(person, frame, error))

    routes.post(
        f"/tables/{{table}}/{tag}",
        tags=["at a table"],
        operation_id=str(tag),
        summary=kind.__name__,
        description=kind.__doc__,
        **described(returns, 401, 404, 409, 503, takes=body, optional=optional),
    )(do)


ANSWERS: dict[type[messages.Request], Any] = {
    messages.Act: messages.Done | messages.Previewed,
    messages.Hint: messages.HintGiven,
    messages.Preview: messages.Previewed,
}
for each in messages.ClientFrame.__args__:
    if each not in (messages.Ping, messages.Follow, messages.Unfollow):
        request_route(each)


# ------------------------------------------------------------------ links to seats


@routes.post(
    "/tables/{table}/seats/{seat}/link",
    tags=["seat links"],
    **described(messages.SeatLink, 401, 404, 409, 503, status=201),
)
async def new_link(request: Request, table: TableId, seat: Seat) -> Response:
    """A link that gives one of my seats to anyone who opens it, for example on another device."""
    at = services(request)
    person = await at.identity.somebody(request)
    await at.tables.check_holds(person, table, seat)
    link = await at.identity.new_link(table, seat, str(request.base_url).rstrip("/"))
    return reply(messages.SeatLink(link, seat), 201)


@routes.delete(
    "/tables/{table}/seats/{seat}/link", tags=["seat links"], **described(messages.Done, 401, 404, 409, 503)
)
async def revoke_links(request: Request, table: TableId, seat: Seat) -> Response:
    """Revoke all links to one of my seats; everyone who joined by one loses the seat."""
    at = services(request)
    person = await at.identity.somebody(request)
    await at.tables.unlink(person, table, seat)
    await at.storage.revoke_links(table, seat)
    return reply(await at.tables.unlink(person, table, seat))  # including anyone who joined in the meantime


@routes.post(
    "/links", tags=["seat links"], **described(messages.Done, 401, 404, 409, 503, takes=messages.OpenLink)
)
async def open_link(request: Request) -> Response:
    """Open a seat link: from now on I hold its seat too. The response names the table."""
    at = services(request)
    person = await at.identity.somebody(request)
    given = await read(request, messages.OpenLink)
    table, seat = await at.identity.linked(given.link)
    return reply(await at.tables.link(person, table, seat))


# ------------------------------------------------------------------ files and replays


@routes.get("/tables/{table}/file", tags=["replays"], **described(GameFile, 404, 409, 503))
async def export(request: Request, table: TableId) -> Response:
    """The game file of a finished game, secret included; anyone can check it with `laguna verify`.

    Before the end nobody can get it; until then, use `GET /api/tables/{table}`.
    """
    text = await services(request).tables.game_file(table)
    name = f'attachment; filename="{table}{SUFFIX}"'
    return Response(text, headers={"Content-Disposition": name}, media_type="application/json")


@routes.get("/tables/{table}/replay", tags=["replays"], **described(messages.Replay, 401, 404, 409, 503))
async def table_replay(
    request: Request, table: TableId, seat: ForSeat = None, first: First = 0, count: Count = MAX_STEPS
) -> Response:
    """A game step by step, as a spectator or my own seat sees it or, once it is over, as any seat does."""
    at = services(request)
    person = await at.identity.known(request)
    game, result = await at.tables.game_for(person or NOBODY, table, seat)
    steps = max(1, min(count, len(game.log) - first))
    at.rates.allow("replay", person.id if person else None, address_of(request.scope), steps)
    return reply(await asyncio.to_thread(replay, game, seat, first, count, result))


@routes.post("/replay", tags=["replays"], **described(messages.Replay, 401, 404, 409, takes=GameFile))
async def file_replay(
    request: Request, seat: ForSeat = None, first: First = 0, count: Count = MAX_STEPS
) -> Response:
    """Check a game file and view it step by step. Nothing is stored."""
    at = services(request)
    person = await at.identity.known(request)
    at.rates.allow("import", person.id if person else None, address_of(request.scope))
    body = await request.body()
    await at.tables.games.ready(game_of(read_json(body)))
    return reply(await asyncio.to_thread(lambda: replay(loads(body), seat, first, count)))


def game_of(document: Any) -> str:
    """The game that a file names: it must be compiled before the file is read."""
    game = document.get("game") if isinstance(document, dict) else None
    return find(game).meta.id
