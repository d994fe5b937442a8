"""A server in this process for tests: real storage, real sockets; whoever connects as `ada` is Ada."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import uvicorn
from starlette.datastructures import Headers
from starlette.types import Scope
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from laguna import messages
from laguna.messages import NewTable, SeatWish, TableView
from laguna.server.live.bot_jobs import BotRunner
from laguna.server.live.bus import Alone, Bus
from laguna.server.live.requests import Tables
from laguna.server.network.http_errors import Denied
from laguna.server.network.rate_limits import RateLimits
from laguna.server.network.socket import Socket
from laguna.server.network.websocket import Handshake
from laguna.server.storage import Storage
from laguna.table.entries import Person, Settings

ADA, BEN, CLEO = (Person(name, name.title()) for name in ("ada", "ben", "cleo"))
HOT_SEAT = [SeatWish("me"), SeatWish("me", name="Guest")]


@contextlib.asynccontextmanager
async def tables_at(
    database: str, bus: Bus | None = None, clock: Any = time, live_tables: int = 2_000, **of_bots: Any
) -> AsyncIterator[Tables]:
    """Live tables over this database, as a server has them."""
    storage = Storage(database)
    await storage.start()
    bus = bus or Alone()
    tables = Tables(storage, bus, BotRunner(bus, **of_bots), clock, live_tables=live_tables)
    await tables.start()
    try:
        yield tables
    finally:
        await tables.close()
        await storage.close()


class MovedClock:
    """The clocks of a machine: the wall clock can be set, and time passes when a test says so.

    Nothing else passes, however busy the machine is that runs the tests.
    """

    def __init__(self) -> None:
        self.ahead = 0.0  # how far the wall clock is off, in seconds
        self.passed = 0.0  # seconds since it was made
        self._began = time.time()

    def time(self) -> float:
        return self._began + self.passed + self.ahead

    def monotonic(self) -> float:
        return self._began + self.passed


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.sqlite'}"


class Server:
    """A listening server; `port` is where."""

    def __init__(
        self, tables: Tables, limits: dict[str, str] | None = None, small_buffers: bool = False
    ) -> None:
        self.tables = tables
        self._socket = Socket(tables, _identify, RateLimits(limits or {"all": "off"}))
        self._listener = socket.create_server(("127.0.0.1", 0))
        if small_buffers:
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
        self.port = int(self._listener.getsockname()[1])
        config = uvicorn.Config(
            self._socket,
            ws=Handshake,
            lifespan="off",
            log_config=None,
        )
        self._uvicorn = uvicorn.Server(config)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Server:
        self._task = asyncio.create_task(self._uvicorn._serve([self._listener]))
        while not self._uvicorn.started:
            await asyncio.sleep(0.005)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._uvicorn.should_exit = True
        await self._task

    def client(self, person: Person) -> Client:
        return Client(self.port, person)


async def _identify(scope: Scope) -> tuple[Person, bytes]:
    name = Headers(scope=scope).get("authorization", "")
    if not name:
        raise Denied("who", "Say who you are.")
    return Person(name, name.title()), b""


class Client:
    """A client that remembers every frame; `async with server.client(ADA) as ada`."""

    def __init__(self, port: int, person: Person) -> None:
        self._connecting = connect(
            f"ws://127.0.0.1:{port}/",
            additional_headers={"Authorization": person.id},
            compression=None,
            max_size=None,
        )
        self._ids = iter(range(1, 1_000_000))
        self._news = asyncio.Event()
        self.frames: list[messages.ServerFrame] = []
        self.closed = asyncio.Event()

    async def __aenter__(self) -> Client:
        self.socket: ClientConnection = await self._connecting
        self._task = asyncio.create_task(self._receive())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()
        await self._task

    async def _receive(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in self.socket:
                self.frames.append(messages.decode_message(text))
                self._news.set()
        self.closed.set()
        self._news.set()

    async def send(self, make: Callable[[int], messages.ClientFrame]) -> int:
        number = next(self._ids)
        await self.socket.send(messages.encode(make(number)), text=True)
        return number

    async def ask(self, make: Callable[[int], messages.ClientFrame]) -> Any:
        """Send a request and return its answer: done, hint or refused."""
        number = await self.send(make)
        return await self.until(lambda frame: getattr(frame, "id", None) == number)

    async def until(self, wanted: Callable[[Any], bool], since: int = 0) -> Any:
        """The first frame (after the first `since`) that is wanted, waiting for it if need be."""
        while True:
            for frame in self.frames[since:]:
                if wanted(frame):
                    return frame
            assert not self.closed.is_set(), f"closed; the last frame was {self.frames[-1:]}"
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 20)

    async def follow(self, table: str, seen: int = 0) -> TableView:
        done = await self.ask(lambda number: messages.Follow(number, table, seen))
        assert isinstance(done, messages.Done), done
        return self.view(table)

    def views(self, table: str) -> list[TableView]:
        kinds = (messages.Table, messages.Changed)
        return [f.view for f in self.frames if isinstance(f, kinds) and f.view.table == table]

    def view(self, table: str) -> TableView:
        """The latest view of the table."""
        return self.views(table)[-1]

    async def at_version(self, table: str, version: int) -> TableView:
        """The view, once it is of that version at least."""

        def is_there(frame: Any) -> bool:
            view = getattr(frame, "view", None)
            return view is not None and view.table == table and view.version >= version

        found: TableView = (await self.until(is_there)).view
        return found

    async def act(self, table: str, action: Any = None, seat: int | None = None) -> Any:
        """Play an action, by default the first legal one."""
        view = self.view(table)
        assert view.game is not None
        chosen = view.game["legal"][0] if action is None else action
        return await self.ask(lambda number: messages.Act(number, table, view.version, chosen, seat))


async def two_players(tables: Tables, game: str = "neptune-vesta", **settings: Any) -> str:
    """A table at which Ada and Ben have begun."""
    table = (await tables.open(ADA, NewTable(Settings(game, players=2, **settings)))).table
    await tables.request(BEN, messages.Sit(0, table))
    await tables.request(ADA, messages.Start(0, table))
    return table


async def play_one(tables: Tables, table: str) -> int:
    """Whoever has to decide plays the first legal action; returns the version then."""
    view = await tables.view(table, ADA)
    person = ADA if view.mine and view.deciders[0] in view.mine else BEN
    if person is BEN:
        view = await tables.view(table, BEN)
    assert view.game is not None
    done = await tables.request(person, messages.Act(0, table, view.version, view.game["legal"][0]))
    assert isinstance(done, messages.Done)
    assert done.version is not None
    return done.version
