"""The processes of a run, and what can happen to them."""

from __future__ import annotations

import asyncio
import random
import struct
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import Engine, text

from laguna.server.storage import database
from tests.server.nats_server import NatsServer
from tests.server.nursery import Forked, Nursery, Process
from tests.torture.disk import Disk
from tests.torture.postgres import Postgres
from tests.torture.proxy import Link, Proxy
from tests.torture.schedule import NETWORK, Fault, Schedule

AT_ONCE = 4  # faults of processes
PATIENCE = 30.0  # seconds for what a server must do by itself
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
        settings: dict[str, Any] = {"database": self.url, "data": str(self._folder)}
        settings["clock"] = str(self._clock)
        if self.schedule.processes > 1:
            settings["processes"] = self.schedule.processes
            self._plant += " half_of_sockets_stay"  # otherwise nearly all of them move
        if self.schedule.shared:
            self._nats = self._stack.enter_context(NatsServer())
            self._worker = self._nursery.worker(self._nats.url)
            self._stack.push_async_callback(self._worker.kill)
            await self._worker.start()
            settings["bus"] = self._nats.url
        for _ in range(self.schedule.servers):
            await self._add_server(settings)

    def _database(self) -> str:
        if self.schedule.database == "postgresql":
            assert self._postgres is not None
            return self._stack.enter_context(self._postgres.database())
        self._disk = self._stack.enter_context(Disk(self._folder / "disk"))
        return f"sqlite:///{self._folder}/disk/laguna.sqlite"

    async def _add_server(self, settings: dict[str, Any]) -> None:
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

    @property
    def is_busy(self) -> bool:
        """With so many faults of processes that the next one should wait."""
        return len(self._under_way) >= AT_ONCE

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
            await _kill(server)
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
            frozen = processes_of(server)
            for each in frozen:
                each.suspend()
            await asyncio.sleep(fault.seconds)
            for each in frozen:
                each.resume()

    async def kill_process(self, fault: Fault) -> None:
        """One process of a server dies; the server starts it again by itself, as its database answers."""
        server = self._server(fault)
        async with self._turn(server), self._turn("database"):
            process = self._one_of(server, fault)
            process.kill()
            await asyncio.sleep(fault.seconds)
            await _until(
                lambda: not _runs(process) and self._is_whole(server), "a process was not started again"
            )

    async def freeze_process(self, fault: Fault) -> None:
        server = self._server(fault)
        async with self._turn(server):
            process = self._one_of(server, fault)
            process.suspend()
            await asyncio.sleep(fault.seconds)
            process.resume()

    def _one_of(self, server: Forked, fault: Fault) -> psutil.Process:
        processes = processes_of(server)[1:]
        return processes[fault.target // len(self.servers) % len(processes)]

    def _is_whole(self, server: Forked) -> bool:
        return sum(map(_runs, processes_of(server)[1:])) == self.schedule.processes

    async def jump(self, fault: Fault) -> None:
        """The clocks of all machines jump, and stay there."""
        now = struct.unpack("d", self._clock.read_bytes())[0] + fault.seconds
        with self._clock.open("r+b") as clock:
            clock.write(struct.pack("d", max(-A_DAY, min(A_DAY, now))))

    async def fill_disk(self, fault: Fault) -> None:
        async with self._turn("database"):
            await asyncio.to_thread(self._disk.fill, self._processes())
            await asyncio.sleep(fault.seconds)
            self._disk.free(self._processes())

    def _processes(self) -> list[int]:
        return [each.pid for server in self.servers for each in processes_of(server)]

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
            await _kill(server)
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


def processes_of(server: Forked) -> list[psutil.Process]:
    """The process of a server, if it runs, and those that it has started."""
    if server.pid is None:
        return []
    process = psutil.Process(server.pid)
    return [process, *process.children()]


async def _kill(server: Forked) -> None:
    """`kill -9`; what it had started must end by itself, and would be in the way of the next start."""
    server.freeze()  # it starts nothing more
    started = processes_of(server)[1:]
    await server.kill()
    await _until(lambda: not any(map(_runs, started)), "a process outlived its server")


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


async def _until(is_so: Callable[[], bool], otherwise: str) -> None:
    """Wait for it; TimeoutError, with these words, if it takes too long."""
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError(otherwise)
        await asyncio.sleep(0.02)


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
