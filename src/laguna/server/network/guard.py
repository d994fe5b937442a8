"""The checks that every HTTP request and every socket must pass before anything else handles it.

Origin checks, body sizes, rate limits by address, security headers; also the request log and its metrics.
Addresses behind proxies are left to uvicorn (`ProxyHeadersMiddleware`, added by `app.py`).
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import time
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from laguna.errors import LagunaError
from laguna.files import MAX_BYTES
from laguna.server import metrics
from laguna.server.logs import get_log
from laguna.server.network.headers import CSP, HEADERS, HSTS
from laguna.server.network.http_errors import Denied, refusal
from laguna.server.network.rate_limits import RateLimits, TooMany
from laguna.server.network.websocket import LATER
from laguna.server.settings import ServerSettings

SAFE = ("GET", "HEAD", "OPTIONS")
METHODS = (*SAFE, "POST", "PUT", "PATCH", "DELETE")
SOCKET = "/api/socket"
TOKENS = "/api/tokens"  # where a program without credentials gets a token
FILES = {"/api/replay", "/api/positions/file"}  # where complete game files are uploaded
MAX_BODY = 16_384
BODY_SECONDS = 15.0  # to wait for the next piece of a body
MAX_ADDRESS = 4_096  # characters in path and query

FRAMED = "/embed/"  # pages that other sites may show in a frame
CARD = re.compile(r"/api/tables/[^/]+/card\.(svg|png)")  # pictures that other sites may show

log = get_log("http")


def bearer(headers: Headers) -> str | None:
    """The token sent by a program, if any."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def check_origin(scope: Scope, settings: ServerSettings) -> None:
    """Raises Denied for another site's page, and for a program with neither an Origin nor a token.

    Used for everything that changes something, and for sockets: browsers send an Origin with those. A client
    that sends none is not a browser, so its cookies alone must not count.
    """
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is None:
        if bearer(headers) is None:
            raise Denied(
                "origin",
                "A page must send its Origin, and a program must send Authorization: Bearer with a token "
                f"(POST {TOKENS} to get one).",
            )
        return
    host = headers.get("host", "").lower()
    scheme = "https" if scope["scheme"] in ("https", "wss") else "http"
    our_own = is_own_host(host, settings) and origin.lower() == f"{scheme}://{host}"
    if not our_own and origin not in settings.allowed_origins:
        raise Denied(
            "origin",
            f"Pages from {origin!r:.100} may not use this server; "
            "its settings public_url and origins list those that may.",
            origin=origin[:100],
        )


def is_own_host(host: str, settings: ServerSettings) -> bool:
    """Is this lower-case Host header one of our own addresses, so that the page must have come from us?

    Any other name may belong to an attacker who points it at this machine (DNS rebinding). An IP address
    cannot.
    """
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    try:
        ipaddress.ip_address(name.strip("[]"))
        return True
    except ValueError:
        return name != "" and name in {"localhost", *settings.own_names}


def own_origin(scope: Scope, settings: ServerSettings) -> str | None:
    """What our own addresses begin with; None if we were asked by a name that may not be ours."""
    if settings.public_url:
        return settings.public_url
    host = Headers(scope=scope).get("host", "").lower()
    scheme = "https" if is_https(scope, settings) else "http"
    return f"{scheme}://{host}" if is_own_host(host, settings) else None


def denial(error: LagunaError) -> Message:
    """Refuse a socket before it is accepted: with HTTP 403, or 429 if the client may try again later."""
    code = LATER if isinstance(error, TooMany) else 1008
    return {"type": "websocket.close", "code": code, "reason": error.key}


def is_https(scope: Scope, settings: ServerSettings) -> bool:
    return scope["scheme"] in ("https", "wss") or settings.public_url.startswith("https://")


def address_of(scope: Scope) -> str:
    """The client's address; `local` through a Unix socket."""
    client = scope.get("client")
    return str(client[0]) if client else "local"


def is_local(address: str) -> bool:
    """Does the request come from this machine itself?"""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "local"


class Guard:
    """Wraps the application and the socket, which counts its frames against the same `rates`."""

    def __init__(self, app: ASGIApp, socket: ASGIApp, settings: ServerSettings, rates: RateLimits) -> None:
        self.app = app
        self.socket = socket
        self.settings = settings
        self.rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["path"] != SOCKET:
                raise Denied("no-page", "There is no socket at this address.")
            check_origin(scope, self.settings)
            self.rates.allow("socket", None, address_of(scope))
        except LagunaError as error:
            log.info("socket denied", key=error.key, address=address_of(scope))
            await receive()
            await send(denial(error))
            return
        await self.socket(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        status = 500

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._dress(scope, MutableHeaders(scope=message))
            await send(message)

        most = MAX_BYTES if scope["path"] in FILES else MAX_BODY
        try:
            self._check(scope, most)
        except LagunaError as error:
            await refusal(error)(scope, receive, send_guarded)
        else:
            await self.app(scope, _counted(receive, most), send_guarded)
        finally:
            self._note(scope, status, time.perf_counter() - begun)

    def _check(self, scope: Scope, most: int) -> None:
        headers = Headers(scope=scope)
        if scope["path"].startswith("/api/"):
            self.rates.allow("request", None, address_of(scope))
        if len(scope["path"]) + len(scope["query_string"]) > MAX_ADDRESS:
            raise Denied("too-large", f"An address must have at most {MAX_ADDRESS} characters.")
        if scope["method"] not in SAFE and not (scope["path"] == TOKENS and "origin" not in headers):
            check_origin(scope, self.settings)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:20]) > most:
            raise _too_large(most)

    def _dress(self, scope: Scope, headers: MutableHeaders) -> None:
        for name, value in HEADERS.items():
            headers[name] = value
        if scope["path"].startswith(FRAMED):
            headers["content-security-policy"] = CSP.replace("frame-ancestors 'none'", "frame-ancestors *")
            del headers["x-frame-options"]
        elif CARD.fullmatch(scope["path"]):
            headers["cross-origin-resource-policy"] = "cross-origin"
        if is_https(scope, self.settings):
            headers["strict-transport-security"] = HSTS
        if scope["path"].startswith("/api/"):
            headers.setdefault("cache-control", "no-store")

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        """Log and measure by route, not by address, which may contain anything."""
        route = getattr(scope.get("route"), "path", "(none)")
        method = scope["method"] if scope["method"] in METHODS else "other"
        metrics.http_seconds.labels(method, route, status).observe(seconds)
        details: dict[str, Any] = (
            {"table": table} if (table := scope.get("path_params", {}).get("table")) else {}
        )
        log.info(
            "request",
            method=method,
            route=route,
            status=status,
            ms=round(seconds * 1000, 1),
            address=address_of(scope),
            **details,
        )


def _too_large(most: int) -> Denied:
    return Denied("too-large", f"At most {most} bytes can be sent here.", most=most)


def _counted(receive: Receive, most: int) -> Receive:
    """A `receive` that refuses a body that is too long, whatever its headers said, or too slow."""
    got = 0
    complete = False

    async def counted() -> Message:
        nonlocal got, complete
        if complete:
            return await receive()  # wait for the client to disconnect
        try:
            message = await asyncio.wait_for(receive(), BODY_SECONDS)
        except TimeoutError:
            raise Denied("too-slow", "The rest of the request did not arrive.") from None
        got += len(message.get("body", b""))
        if got > most:
            raise _too_large(most)
        complete = not message.get("more_body", False)
        return message

    return counted
