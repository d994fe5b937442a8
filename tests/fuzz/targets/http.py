"""A whole server in this process, asked in raw bytes: HTTP, a websocket's handshake, and what follows it."""

from __future__ import annotations

import asyncio
import atexit
import json
import logging
import re
import shutil
import tempfile
import traceback
from collections.abc import Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from structlog.testing import capture_logs
from uvicorn.server import ServerState

import laguna
from laguna.lessons import lessons_of
from laguna.puzzles import puzzles_of
from laguna.server.app import Application
from laguna.server.network.http_timeouts import TimedHttp
from laguna.server.network.openapi import document
from laguna.server.network.routes import routes
from laguna.server.network.websocket import Handshake, WebSocket
from laguna.server.settings import load
from tests.fuzz.memory import Wire
from tests.fuzz.targets.sockets import TABLE, all_requests, frame
from tests.fuzz.targets.target import Check, Target, Wrong
from tests.server.visiting import program

PATIENCE = 30.0  # seconds for a request
TABLE_HERE, TOKEN = TABLE.encode(), b"TOKEN"  # in an input: a table that exists, and a token
UPGRADE = b"Upgrade: websocket"
AGAIN = 500  # inputs until somebody else sits at another table: the last may have been thrown out
# Not asked: after these a guest's token is void, and a hint takes the time that it is asked to take.
LEFT_OUT = ("log-out", "/me/delete", "/me/account", "/hint")
FIRST_LINE = re.compile(rb"HTTP/1\.1 (\d{3}) ")


class Noting(logging.Handler):
    """Notes the failures that are logged."""

    def __init__(self, failures: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._failures = failures

    def emit(self, record: logging.LogRecord) -> None:
        self._failures.append(self.format(record))


def _told(line: MutableMapping[str, Any]) -> str:
    """A failure in our own log, with its traceback."""
    error = line.get("exc_info")
    error = error if isinstance(error, BaseException) else None
    return f"{line['event']}\n{''.join(traceback.format_exception(error)) if error else ''}"


class Site:
    """The server, a table on it, and somebody who sits there."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.failures: list[str] = []
        self.loop.set_exception_handler(lambda _, about: self.failures.append(str(about)))
        folder = Path(tempfile.mkdtemp(prefix="laguna-fuzz-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        logging.getLogger("uvicorn.error").addHandler(Noting(self.failures))
        settings = {"data": str(folder), "limits": {"all": "off"}, "max_sockets": 1_000_000}
        self.application = Application(load(settings, {}))
        self._running = self.application.running()
        self.loop.run_until_complete(self._running.__aenter__())
        self.config = uvicorn.Config(
            self.application,
            lifespan="off",
            http=TimedHttp,
            ws=Handshake,
            proxy_headers=False,
            log_config=None,
        )
        self.config.load()
        self.state = ServerState()
        self.count = 0

    def close(self) -> None:
        self.loop.run_until_complete(self._running.__aexit__(None, None, None))
        self.loop.close()

    async def _moved_in(self) -> tuple[bytes, bytes]:
        visitor = await program(self.application)
        seats = [{"kind": "me"}, {"kind": "me"}]
        wanted = {"settings": {"game": "neptune-vesta"}, "seats": seats, "start": True}
        table = (await visitor.post("/api/tables", json=wanted)).json()["table"]
        await visitor.aclose()
        return visitor.headers["authorization"].partition(" ")[2].encode(), table.encode()

    def asked(self, data: bytes) -> bytes:
        """Everything that is answered to these bytes."""
        if self.count % AGAIN == 0:
            self.token, self.table = self.loop.run_until_complete(self._moved_in())
        self.count += 1
        data = data.replace(TOKEN, self.token).replace(TABLE_HERE, self.table)
        with capture_logs() as lines:
            answer = self.loop.run_until_complete(self._asked(data))
        self.failures += [_told(line) for line in lines if line["log_level"] in ("error", "critical")]
        return answer

    async def _asked(self, data: bytes) -> bytes:
        wire = Wire(self.loop)
        protocol = TimedHttp(config=self.config, server_state=self.state, app_state={}, _loop=self.loop)
        wire.protocol = protocol
        protocol.connection_made(wire)
        head, end, rest = data.partition(b"\r\n\r\n")
        for piece in [head + end, rest] if UPGRADE in head else [data]:  # frames come after the handshake
            if not wire.is_closing():
                wire.protocol.data_received(piece)
            await self._until(lambda: not self._is_busy(wire, protocol))
        wire.hang_up()
        await self._until(lambda: not self.state.tasks)
        if self.state.connections:
            raise Wrong("a connection is still counted after its end")
        return bytes(wire.written)

    def _is_busy(self, wire: Wire, protocol: TimedHttp) -> bool:
        """Is something under way that needs no more from the client?"""
        if isinstance(wire.protocol, WebSocket):
            return getattr(wire.protocol.owner, "_under_way", 0) > 0
        waits = protocol.cycle is not None and protocol.cycle.more_body
        return bool(self.state.tasks) and not waits

    async def _until(self, done: Callable[[], bool]) -> None:
        end = self.loop.time() + PATIENCE
        await asyncio.sleep(0)
        while not done():
            if self.loop.time() > end:
                raise Wrong("a request never ends")
            await asyncio.sleep(0.0005)
        await asyncio.sleep(0)


def http() -> Check:
    site = Site()
    for each in seeds():
        site.asked(each)  # what is loaded only once takes longer than an answer may

    def check(data: bytes) -> None:
        answer = site.asked(data)
        if answer and not FIRST_LINE.match(answer):
            raise Wrong(f"it answers {answer[:100]!r}")
        for status in FIRST_LINE.findall(answer):
            if status == b"500":
                raise Wrong("the server failed")
        if b'"key":"internal"' in answer:
            raise Wrong("a request failed")
        if site.failures:
            failures = "\n".join(site.failures)
            site.failures.clear()
            raise Wrong(failures)

    return check


# ------------------------------------------------------------------ seeds


def written(method: str, path: str, body: bytes = b"", *lines: str) -> bytes:
    head = [f"{method} {path} HTTP/1.1", "Host: localhost:80", "Authorization: Bearer TOKEN", *lines]
    if body:
        head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*head, "", ""]).encode() + body


def bodies(schema: dict[str, Any], schemas: dict[str, Any]) -> bytes:
    """A body with a value for every field that is required."""
    schema = schemas[schema["$ref"].rpartition("/")[2]]
    values = {name: example(schema["properties"][name], schemas) for name in schema.get("required", ())}
    return json.dumps(values).encode()


def example(schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return json.loads(bodies(schema, schemas))
    if "anyOf" in schema:
        return example(schema["anyOf"][0], schemas)
    simple = {
        "integer": 1,
        "string": "neptune-vesta",
        "boolean": True,
        "array": [],
        "object": {},
        "number": 1.0,
    }
    return simple.get(schema.get("type", "string"))


def every_route() -> list[bytes]:
    app = FastAPI()
    app.include_router(routes)
    described = document(app)
    game = "neptune-vesta"
    known = {
        "table": TABLE, "game": game, "lesson": lessons_of(game).lessons[0].id,
        "puzzle": puzzles_of(game).puzzles[0].id, "seat": "0", "language": "en", "kind": "svg",
    }  # fmt: skip
    found = []
    for path, methods in described["paths"].items():
        address = re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], "1"), path)
        for method, operation in methods.items():
            takes = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            body = bodies(takes["schema"], described["components"]["schemas"]) if takes else b""
            if method != "delete" and not any(word in address for word in LEFT_OUT):
                found.append(written(method.upper(), address, body))
    return found


def seeds() -> Sequence[bytes]:
    hands = [
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: QUFBQUFBQUFBQUFBQUFBQQ==",
        "Sec-WebSocket-Version: 13",
    ]
    talks = [
        written("GET", "/api/socket", b"", *hands) + frame(1, each)
        for each in all_requests()
        if b"hint" not in each
    ]
    chunked = written("POST", "/api/tokens", b"", "Transfer-Encoding: chunked") + b"2\r\n{}\r\n0\r\n\r\n"
    two = written("GET", "/api/games") + written("GET", "/api/tables")
    return [
        *every_route(),
        *talks,
        chunked,
        two,
        b"GET / HTTP/1.0\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]


def words() -> list[bytes]:
    lines = [
        b"GET ",
        b"POST ",
        b"DELETE ",
        b" HTTP/1.1\r\n",
        b"\r\n",
        b"Origin: ",
        b"Host: ",
        b"Cookie: laguna=",
    ]
    lines += [
        b"Content-Length: ",
        b"Transfer-Encoding: ",
        b"chunked",
        b"Expect: 100-continue",
        b"Accept-Encoding: ",
    ]
    lines += [b"Range: bytes=0-1", b"Upgrade: websocket"]
    addresses = [b"/api/", b"/..", b"%00", b"%ff", b"?", b"&", TABLE_HERE, TOKEN]
    return [*lines, *addresses, *(name.encode() for name in laguna.games())]


def targets() -> list[Target]:
    watched = ["laguna.server.network", "laguna.server.people", "laguna.server.live", "laguna.table"]
    return [Target("http", "a server, asked in raw bytes", http, seeds, words, watched, longest=2048)]
