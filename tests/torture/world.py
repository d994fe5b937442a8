"""The processes of a run, and what can happen to them."""

from __future__ import annotations

import asyncio
import random
import struct
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import psutil
from sqlalchemy import Engine, text

from laguna.server.storage import database
from tests.server.nats_server import NatsServer
from tests.server.nursery import Forked, Nursery, Process
from tests.torture.disk import Disk
from tests.torture.postgres import Postgres
from tests.torture.proxy import Link, Proxy
from tests.torture.schedule import NETWORK, Fault, Schedule

SHUTDOWN = 2.0  # seconds that a server may take to finish what is in progress
A_DAY = 86_400.0
DAMAGE = ("truncated", "lost")  # what happens to an entry


class World:
    """`async with World(…) as world:` servers behind proxies, a database, perhaps a bus and a worker."""

    def __init__(
        self, schedule: Schedule, folder: Path, nursery: Nursery, postgres: Postgres | None, plant: str = ""
    ) -> None:
        self.schedule = schedule
        self.tables: list[str] = []  # once they are open
        self.damaged: set[str] = set()
        self.happened: Counter[str] = Counter()  # faults by kind
        self.problems: list[str] = []  # of the servers
        self.servers: list[Forked] = []
        self._folder = folder
        self._nursery = nursery
        self._postgres = postgres
        self._plant = f"impatient {plant}"
        self._clock = folder / "clock"
        self._stack = AsyncExitStack()
        self._proxies: list[Proxy] = []
        self._nats: NatsServer | None = None
        self._worker: Process | None = None
        self._turns: dict[object, asyncio.Lock] = {}  # who has something happen to it at the moment
        self._under_way: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> World:
        try:
            await self._start_all()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def _start_all(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._clock.write_bytes(struct.pack("d", 0.0))
        self.url = self._database()
        settings = {"database": self.url, "data": str(self._folder), "clock": str(self._clock)}
        if self.schedule.shared:
            self._nats = self._stack.enter_context(NatsServer())
            self._worker = self._nursery.worker(self._nats.url)
            self._stack.push_async_callback(self._worker.kill)
            await self._worker.start()
            settings["bus"] = self._nats.url
        if self.schedule.processes > 1:
            settings["processes"] = str(self.schedule.processes)
            self._plant += " half_of_sockets_stay"  # otherwise nearly all of them move
        for _ in range(self.schedule.servers):
            await self._add_server(settings)

    def _database(self) -> str:
        if self.schedule.database == "postgresql":
            assert self._postgres is not None
            return self._stack.enter_context(self._postgres.database())
        self._disk = self._stack.enter_context(Disk(self._folder / "disk"))
        return f"sqlite:///{self._folder}/disk/laguna.sqlite"

    async def _add_server(self, settings: dict[str, str]) -> None:
        server = self._nursery.server(
            **settings, plant=self._plant, shutdown_seconds=SHUTDOWN, log_format="json", bot_threads=1
        )
        self._stack.push_async_callback(server.kill)
        await server.start()
        self.servers.append(server)
        proxy = Proxy(server.port, random.Random(self.schedule.seed))
        self._proxies.append(await self._stack.enter_async_context(proxy))

    async def __aexit__(self, *_: object) -> None:
        await self.healed()
        await self._stack.aclose()

    @property
    def ports(self) -> list[int]:
        """Where people connect."""
        return [proxy.port for proxy in self._proxies]

    async def healed(self) -> None:
        """Wait until every fault is over, and note which servers ended without being told to."""
        while self._under_way:
            await asyncio.wait(self._under_way)
        for number, server in enumerate(self.servers):
            if server.pid is not None and psutil.Process(server.pid).status() == psutil.STATUS_ZOMBIE:
                self.problems.append(f"server {number} ended by itself")

    # -------------------------------------------------------------- faults

    def strike(self, fault: Fault) -> None:
        """Let a fault begin; it ends by itself. One that has nothing to happen to is not counted."""
        if fault.kind in NETWORK:
            links: list[Link] = [link for proxy in self._proxies for link in proxy.links]
            if links:
                links[fault.target % len(links)].begin(fault.kind, fault.seconds)
                self.happened[fault.kind] += 1
            return
        task = asyncio.create_task(self._strike(FAULTS[fault.kind], fault))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _strike(self, carry_out: Callable[[World, Fault], Awaitable[None]], fault: Fault) -> None:
        try:
            await carry_out(self, fault)
            self.happened[fault.kind] += 1
        except Exception as error:
            self.problems.append(f"{fault.kind}: {type(error).__name__} {error}")

    def _turn(self, of: object) -> asyncio.Lock:
        return self._turns.setdefault(of, asyncio.Lock())

    def _server(self, fault: Fault) -> Forked:
        return self.servers[fault.target % len(self.servers)]

    async def _start(self, server: Forked) -> None:
        """Once there is a database that answers."""
        async with self._turn("database"):
            await server.start()

    async def kill(self, fault: Fault) -> None:
        server = self._server(fault)
        async with self._turn(server):
            await server.kill()
            await asyncio.sleep(fault.seconds / 4)
            await self._start(server)

    async def restart(self, fault: Fault) -> None:
        server = self._server(fault)
        async with self._turn(server):
            await server.stop()
            await self._start(server)

    async def freeze(self, fault: Fault) -> None:
        server = self._server(fault)
        async with self._turn(server):
            server.freeze()
            await asyncio.sleep(fault.seconds)
            server.thaw()

    def _pids(self) -> list[int]:
        """Of all servers, and of the processes that they have."""
        parents = [psutil.Process(each.pid) for each in self.servers if each.pid]
        return [each.pid for parent in parents for each in (parent, *parent.children())]

    def _process(self, fault: Fault) -> psutil.Process | None:
        """One of several processes of a server; None while it has none."""
        server = self._server(fault)
        children = psutil.Process(server.pid).children() if server.pid else []
        return children[fault.target % len(children)] if children else None

    async def kill_process(self, fault: Fault) -> None:
        async with self._turn(self._server(fault)):
            if process := self._process(fault):
                with suppress(psutil.NoSuchProcess):  # it was dying already
                    process.kill()

    async def freeze_process(self, fault: Fault) -> None:
        async with self._turn(self._server(fault)):
            if process := self._process(fault):
                with suppress(psutil.NoSuchProcess):  # it was dying already
                    process.suspend()
                    await asyncio.sleep(fault.seconds)
                    process.resume()

    async def jump(self, fault: Fault) -> None:
        """The clocks of all machines jump, and stay there."""
        now = struct.unpack("d", self._clock.read_bytes())[0] + fault.seconds
        with self._clock.open("r+b") as clock:
            clock.write(struct.pack("d", max(-A_DAY, min(A_DAY, now))))

    async def fill_disk(self, fault: Fault) -> None:
        async with self._turn("database"):
            await asyncio.to_thread(self._disk.fill, self._pids())
            await asyncio.sleep(fault.seconds)
            self._disk.free(self._pids())

    async def kill_database(self, fault: Fault) -> None:
        assert self._postgres is not None
        async with self._turn("database"):
            await asyncio.to_thread(self._postgres.kill)
            await asyncio.sleep(fault.seconds / 4)
            await asyncio.to_thread(self._postgres.start)

    async def freeze_database(self, fault: Fault) -> None:
        assert self._postgres is not None
        async with self._turn("database"):
            self._postgres.freeze()
            await asyncio.sleep(fault.seconds)
            self._postgres.thaw()

    async def kill_bus(self, fault: Fault) -> None:
        assert self._nats is not None
        async with self._turn(self._nats):
            await asyncio.to_thread(self._nats.stop)
            await asyncio.sleep(fault.seconds)
            await asyncio.to_thread(self._nats.start)

    async def freeze_bus(self, fault: Fault) -> None:
        assert self._nats is not None
        async with self._turn(self._nats):
            self._nats.freeze()
            await asyncio.sleep(fault.seconds)
            self._nats.thaw()

    async def kill_worker(self, fault: Fault) -> None:
        assert self._worker is not None
        async with self._turn(self._worker):
            await self._worker.kill()
            await asyncio.sleep(fault.seconds)
            await self._worker.start()

    async def freeze_worker(self, fault: Fault) -> None:
        assert self._worker is not None
        async with self._turn(self._worker):
            self._worker.freeze()
            await asyncio.sleep(fault.seconds)
            self._worker.thaw()

    async def damage(self, fault: Fault) -> None:
        """An entry is damaged, a server that has to read it starts, and somebody mends the entry."""
        table, server = self.tables[fault.target % len(self.tables)], self._server(fault)
        self.damaged.add(table)
        async with self._turn(server), self._turn("damage"):
            async with self._turn("database"):
                entry = await asyncio.to_thread(self._change, table, DAMAGE[fault.target % 2])
            await server.kill()
            await self._start(server)
            await asyncio.sleep(fault.seconds)
            async with self._turn("database"):
                await asyncio.to_thread(self._change, table, entry)

    def _change(self, table: str, entry: str) -> str:
        """Put another text for the second entry of the table, or one of `DAMAGE`; returns what it was."""
        engine: Engine = database.writing_engine(database.parse(self.url))
        which = {"table": table, "entry": entry}
        where = "WHERE table_id = :table AND version = 2"
        with engine.begin() as connection:
            before = str(connection.scalar(text(f"SELECT entry FROM entries {where}"), which) or "")
            connection.execute(text(f"DELETE FROM entries {where}"), which)
            if entry != "lost":
                which["entry"] = before[:9] if entry == "truncated" else entry
                connection.execute(text("INSERT INTO entries VALUES (:table, 2, :entry)"), which)
        engine.dispose()
        return before


FAULTS: dict[str, Callable[[World, Fault], Awaitable[None]]] = {
    "kill": World.kill,
    "restart": World.restart,
    "freeze": World.freeze,
    "process-kill": World.kill_process,
    "process-freeze": World.freeze_process,
    "clock": World.jump,
    "damage": World.damage,
    "disk-full": World.fill_disk,
    "database-kill": World.kill_database,
    "database-freeze": World.freeze_database,
    "bus-kill": World.kill_bus,
    "bus-freeze": World.freeze_bus,
    "worker-kill": World.kill_worker,
    "worker-freeze": World.freeze_worker,
}
