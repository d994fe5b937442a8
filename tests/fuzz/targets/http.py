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
from collections.abc import MutableMapping, Sequence
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
from laguna.server.network.websocket import Handshake
from laguna.server.settings import load
from tests.fuzz.memory import Wire
from tests.fuzz.targets.sockets import all_requests, frame
from tests.fuzz.targets.target import Check, Target, Wrong
from tests.server.visiting import program

AT_ONCE = 0.02  # seconds for all that needs no more input
PATIENCE = 20.0  # seconds for the rest, once the client has gone
TABLE, TOKEN = b"TABLE", b"TOKEN"  # in an input: a table that exists, and a token
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
        self.token, self.table = self.loop.run_until_complete(self._moved_in())
        self.state = ServerState()

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
        data = data.replace(TOKEN, self.token).replace(TABLE, self.table)
        with capture_logs() as lines:
            answer = self.loop.run_until_complete(self._asked(data))
        self.failures += [_told(line) for line in lines if line["log_level"] in ("error", "critical")]
        return answer

    async def _asked(self, data: bytes) -> bytes:
        wire = Wire(self.loop)
        protocol = TimedHttp(config=self.config, server_state=self.state, app_state={}, _loop=self.loop)
        wire.protocol = protocol
        protocol.connection_made(wire)
        protocol.data_received(data)
        await self._tasks_done(AT_ONCE)
        wire.hang_up()
        await self._tasks_done(PATIENCE)
        if self.state.tasks:
            raise Wrong("a request never ends")
        await asyncio.sleep(0)
        if self.state.connections:
            raise Wrong("a connection is still counted after its end")
        return bytes(wire.written)

    async def _tasks_done(self, seconds: float) -> None:
        end = self.loop.time() + seconds
        await asyncio.sleep(0)
        while self.state.tasks and (left := end - self.loop.time()) > 0:
            await asyncio.wait(set(self.state.tasks), timeout=left)
            await asyncio.sleep(0)


def http() -> Check:
    site = Site()

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
        "table": "TABLE", "game": game, "lesson": lessons_of(game).lessons[0].id,
        "puzzle": puzzles_of(game).puzzles[0].id, "seat": "0", "language": "en", "kind": "svg",
    }  # fmt: skip
    found = []
    for path, methods in described["paths"].items():
        address = re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], "1"), path)
        for method, operation in methods.items():
            takes = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            body = bodies(takes["schema"], described["components"]["schemas"]) if takes else b""
            if "log-out" not in address and method != "delete":
                found.append(written(method.upper(), address, body))
    return found


def seeds() -> Sequence[bytes]:
    hands = [
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
    ]
    said = [request.replace(b"A" * 22, TABLE) for request in all_requests()]
    talks = [
        written("GET", "/api/socket", b"", *hands) + frame(1, each) for each in said if b"hint" not in each
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
    addresses = [b"/api/", b"/..", b"%00", b"%ff", b"?", b"&", TABLE, TOKEN]
    return [*lines, *addresses, *(name.encode() for name in laguna.games())]


def targets() -> list[Target]:
    watched = ["laguna.server.network", "laguna.server.people", "laguna.server.live", "laguna.table"]
    return [Target("http", "a server, asked in raw bytes", http, seeds, words, watched, longest=2048)]
