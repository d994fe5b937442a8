"""A complete server: its parts assembled, started, and stopped without losing anything."""

from __future__ import annotations

import asyncio
import hmac
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from laguna.errors import LagunaError
from laguna.server import logs
from laguna.server.live.bot_jobs import BotRunner
from laguna.server.live.bus import Alone, Nats
from laguna.server.live.cards import Cards
from laguna.server.live.requests import Tables
from laguna.server.network import page
from laguna.server.network.guard import Guard, address_of, bearer, is_local, is_own_host
from laguna.server.network.http_errors import INTERNAL, Denied, refusal, respond
from laguna.server.network.http_timeouts import TimedHttp
from laguna.server.network.listening import address_of_server, listen
from laguna.server.network.openapi import document
from laguna.server.network.rate_limits import RateLimits
from laguna.server.network.routes import routes
from laguna.server.network.socket import Socket
from laguna.server.network.websocket import Handshake
from laguna.server.people.identity import Identity
from laguna.server.processes.host import host_of
from laguna.server.processes.passing import Passing
from laguna.server.processes.place import ALONE, Place
from laguna.server.processes.sums import exposition
from laguna.server.processes.supervisor import Start, spawn, supervise
from laguna.server.services import Services, services
from laguna.server.settings import ServerSettings
from laguna.server.storage import Storage, Unavailable, claimed
from laguna.table.entries import Person

log = logs.get_log("server")

BETWEEN_TRIES = 2.0  # seconds, while the database is not up yet


class Application:
    """The ASGI application. `running()` starts and stops its parts, and so does its lifespan."""

    def __init__(self, settings: ServerSettings, place: Place = ALONE) -> None:
        storage = Storage(settings.database_url, queue=not place.alone)
        rates = RateLimits(settings.limits)
        bus = Nats(settings.bus) if settings.bus else Alone()
        cores = max(1, (os.cpu_count() or 1) // place.count)
        bots = BotRunner(bus, settings.threads_for_bots, cores=cores)
        tables = Tables(
            storage,
            bus,
            bots,
            token_days=settings.token_days,
            session_days=settings.session_days,
            live_tables=settings.live_tables,
            place=place,
        )
        self.services = Services(
            settings, storage, tables, Identity(settings, storage, rates), rates, Cards()
        )
        self.api = self._api()
        socket = Socket(tables, self._identify, rates, settings.max_sockets)
        self._place = place
        self._host = None if place.alone else host_of(place, socket, self.api, tables)
        api = self.api if place.alone else Passing(self.api, tables.neighbors)
        guard = Guard(api, socket, settings, rates)
        proxied: Any = guard  # the same protocol under other names
        self._outermost: Any = ProxyHeadersMiddleware(proxied, list(settings.trusted_proxies))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._outermost(scope, receive, send)

    async def _identify(self, scope: Scope) -> tuple[Person, bytes]:
        return await self.services.identity.at_socket(HTTPConnection(scope))

    def _api(self) -> FastAPI:
        @asynccontextmanager
        async def lifespan(_: FastAPI) -> AsyncIterator[None]:
            async with self.running():
                yield

        api = FastAPI(lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)
        api.state.services = self.services
        api.include_router(routes)
        api.add_api_route("/api/openapi.json", _openapi, include_in_schema=False)
        api.add_api_route("/metrics", _metrics, include_in_schema=False)
        if page.FOLDER.is_dir():
            api.router.routes.append(page.Rest("/", page.Page(page.FOLDER)))
        else:
            api.add_api_route("/", page.words, include_in_schema=False)
        for kind, handler in HANDLERS.items():
            api.add_exception_handler(kind, handler)
        return api

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Storage starts first and stops last: work in progress is finished and written before it closes."""
        parts = self.services
        async with self._storage_started():
            try:
                if self._host is not None:
                    await self._host.start()
                await parts.tables.start()
                parts.tables.games.start()
                try:
                    yield
                finally:
                    if not parts.tables.closing:
                        await parts.tables.close(parts.settings.shutdown_seconds)
            finally:
                if self._host is not None:
                    await self._host.close()
                parts.identity.close()

    @asynccontextmanager
    async def _storage_started(self) -> AsyncIterator[None]:
        """Open the database, exclusively if it is a file; wait for one that is not up yet.

        Of several processes, their parent has opened it exclusively.
        """
        settings, storage = self.services.settings, self.services.storage
        with (
            claimed(settings.database_url, settings.backups)
            if self._place.alone
            else nullcontext(lambda: None) as note_use
        ):
            while not await self._is_up():
                await asyncio.sleep(BETWEEN_TRIES)
            try:
                note_use()
                yield
            finally:
                await storage.close()

    async def _is_up(self) -> bool:
        try:
            await self.services.storage.start()
        except Unavailable:
            log.warning("waiting for the database", seconds=BETWEEN_TRIES)
            return False
        return True


# ------------------------------------------------------------------ routes of no other file


async def _openapi(request: Request) -> Response:
    return JSONResponse(document(request.app))


async def _metrics(request: Request) -> Response:
    """Only with the token or, if none is set, only for direct requests from this machine itself."""
    settings = services(request).settings
    directly = "x-forwarded-for" not in request.headers and "forwarded" not in request.headers
    if settings.metrics_token:
        allowed = hmac.compare_digest(
            (bearer(request.headers) or "").encode(), settings.metrics_token.encode()
        )
    else:
        by_name = is_own_host(request.headers.get("host", "").lower(), settings)
        allowed = directly and by_name and is_local(address_of(request.scope))
    if not settings.metrics or not allowed:
        raise Denied("metrics", "Metrics are not public.")
    text, kind = await exposition(services(request).tables.neighbors)
    return Response(text, media_type=kind)


# ------------------------------------------------------------------ errors


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, LagunaError)
    return refusal(error)


async def _invalid(_: Request, error: Exception) -> Response:
    """Part of the address is wrong."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    field = ".".join(map(str, first["loc"][1:]))
    return refusal(Denied("address", f"{field}: {first['msg']}.", field=field))


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        return refusal(Denied("method", f"{request.method:.10} is not possible here."))
    return refusal(Denied("no-page", "There is nothing at this address."))


async def _gone(_: Request, error: Exception) -> Response:
    """The client went away before its request was complete: nobody reads this."""
    return refusal(Denied("too-slow", "The rest of the request did not arrive."))


async def _failed(_: Request, error: Exception) -> Response:
    log.exception("request failed", exc_info=error)
    return respond(INTERNAL, 500)


HANDLERS: dict[Any, Any] = {
    LagunaError: _refused,
    RequestValidationError: _invalid,
    HTTPException: _not_found,
    ClientDisconnect: _gone,
    Exception: _failed,
}


# ------------------------------------------------------------------ serving


class _Server(uvicorn.Server):
    """uvicorn, but it reports when it is up, and says goodbye to sockets before closing them."""

    def __init__(self, config: uvicorn.Config, parts: Services, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._parts = parts
        self._is_up = started

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Unlike uvicorn's, this does not re-raise signals: there is more to close afterwards."""
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._is_up()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        await self._parts.tables.close(self._parts.settings.shutdown_seconds)
        await super().shutdown(sockets)


def run(
    settings: ServerSettings, started: Callable[[str], None] = lambda url: None, start: Start = spawn
) -> None:
    """Serve until a signal arrives; `started` is called with the address once people can connect.

    `start` starts a process, if there are to be several.
    """
    if settings.processes > 1:
        supervise(settings, started, start)
        return
    logs.set_up(settings.log_format, settings.log_level)
    application = Application(settings)
    listener = listen(settings.host, settings.port)
    url = address_of_server(settings, listener)
    log.info("starting", **settings.describe())
    serve(application, listener, lambda: started(url))
    log.info("stopped")


def serve(application: Application, listener: socket.socket, started: Callable[[], None]) -> None:
    """Serve with this process; `started` is called once people can connect."""
    settings = application.services.settings
    config = uvicorn.Config(
        application,
        lifespan="off",
        loop="auto",
        http=TimedHttp,
        ws=Handshake,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=max(1, round(settings.shutdown_seconds)),
    )
    server = _Server(config, application.services, started)

    async def all_of_it() -> None:
        async with application.running():
            await server.serve([listener])

    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(all_of_it())
