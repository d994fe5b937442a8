"""One run: a world with its people, the faults of a schedule, and in the end what the checker says."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
from msgspec import Struct
from sqlalchemy import text

from laguna.games import rulebooks
from laguna.server.storage import Storage, Unreadable, database
from tests.server.nursery import Nursery
from tests.server.prepared import somebody
from tests.torture.checker import Checker, Violation
from tests.torture.people import Device, Tally
from tests.torture.postgres import Postgres
from tests.torture.schedule import ROUNDS, Schedule, Seating
from tests.torture.world import World

BOT = "heron"
DIED, NO_DATABASE = "a process died", '"exit_code": 2'  # a server's log says so
STILL = 0.6  # seconds after a fault before the next one comes all the same
STUCK = 60.0  # seconds in which nobody sees anything new: games will not end, though nothing is broken now


class Outcome(Struct, frozen=True):
    """What came of a run."""

    schedule: str
    seed: int
    faults: dict[str, int]  # by kind, those that happened
    games: int  # that were played to the end
    people: int
    connections: int
    answers: int
    entries: int
    seconds: float
    violations: list[str]


class Seated(NamedTuple):
    """A table, and everybody at it."""

    table: str
    devices: list[Device]


class Services(NamedTuple):
    """What runs share, since it takes long to start."""

    nursery: Nursery
    postgres: Postgres | None
    log: Path  # of all servers
    folder: Path


@contextmanager
def services(postgres: bool = True) -> Iterator[Services]:
    """A nursery, and PostgreSQL if runs need it, in a temporary folder."""
    with ExitStack() as stack:
        temporary = tempfile.TemporaryDirectory(prefix="laguna-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(temporary))
        log = folder / "log"
        log.touch()
        nursery = Nursery(list(rulebooks()), log)
        stack.callback(nursery.close)
        yield Services(nursery, stack.enter_context(Postgres(folder)) if postgres else None, log, folder)


async def carry_out(schedule: Schedule, services: Services, plant: str = "") -> Outcome:
    """Run a schedule; `plant` is what is wrong with its servers."""
    began, logged = time.monotonic(), services.log.stat().st_size
    folder, tally = services.folder / f"run-{schedule.seed}", Tally()
    try:
        async with World(schedule, folder, services.nursery, services.postgres, plant) as world:
            seated = await _seat_all(world, tally)
            world.tables += [each.table for each in seated]
            devices = [device for each in seated for device in each.devices]
            playing = [asyncio.create_task(device.run()) for device in devices]
            await _strike(world, tally, playing)
            await world.healed()
            await _finish(devices, playing)
            violations, entries = await _check(world, seated)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    violations += [Violation("trouble", "", text) for text in world.problems]
    logs = _lines(services.log, logged)
    violations += [Violation("server's log", "", text) for text in _exceptions(logs)]
    deaths = sum(DIED in line and NO_DATABASE not in line for line in logs) - world.happened["process-kill"]
    if deaths > 0:
        violations.append(Violation("trouble", "", f"{deaths} processes died by themselves"))
    return Outcome(
        schedule.name,
        schedule.seed,
        dict(world.happened),
        sum(all(device.over for device in each.devices) for each in seated),
        len(devices),
        tally.connections,
        tally.answers,
        entries,
        round(time.monotonic() - began, 1),
        [str(each) for each in violations],
    )


async def _seat_all(world: World, tally: Tally) -> list[Seated]:
    async with AsyncExitStack() as stack:
        storage = Storage(world.url)
        await storage.start()
        stack.push_async_callback(storage.close)
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=60))
        return [
            await _seat(world, number, tally, storage, http) for number in range(len(world.schedule.tables))
        ]


async def _seat(world: World, number: int, tally: Tally, storage: Storage, http: httpx.AsyncClient) -> Seated:
    """Open a table and make the devices of everybody there; they sit down by themselves."""
    plan, server = world.schedule.tables[number], world.servers[number % len(world.servers)]
    people = plan.players - plan.bots + plan.spectators
    known = [await somebody(storage) for _ in range(people)]
    table = await _open(http, server.url, known[0][1], plan)
    persons = [known[0]] * plan.devices + known[1:]
    playing = plan.devices + plan.players - plan.bots - 1
    return Seated(
        table,
        [
            Device(
                f"{world.schedule.seed}-{number}-{place}",
                world.ports,
                token,
                person,
                table,
                place < playing,
                tally,
            )
            for place, (person, token) in enumerate(persons)
        ],
    )


async def _open(http: httpx.AsyncClient, url: str, token: str, plan: Seating) -> str:
    open_seats = plan.players - plan.bots - 1
    seats = [{"kind": "me"}] + [{"kind": "open"}] * open_seats + [{"kind": "bot", "level": BOT}] * plan.bots
    settings = {"game": plan.game, "players": plan.players}
    if plan.game == "neptune-vesta":
        settings["options"] = ROUNDS
    if plan.clock:
        settings["clock"] = {"kind": "move", "seconds": 3600}
    wanted, headers = {"settings": settings, "seats": seats}, {"Authorization": f"Bearer {token}"}
    answer = await http.post(f"{url}/api/tables", json=wanted, headers=headers)
    return str(answer.json()["table"])


async def _strike(world: World, tally: Tally, playing: Sequence[asyncio.Task[None]]) -> None:
    """Each fault comes when there were so many answers, or when the games stand still.

    On a slow machine faults must not come faster than they pass, or nothing would ever go on.
    """
    for fault in world.schedule.faults:
        until = time.monotonic() + STILL
        while world.is_busy or (tally.answers < fault.at and time.monotonic() < until):
            await asyncio.sleep(0.005)
        if all(task.done() for task in playing):
            return
        world.strike(fault)


async def _finish(devices: Sequence[Device], playing: Sequence[asyncio.Task[None]]) -> None:
    """Let the games end, as long as they go on."""
    before, seen = -1, 0
    while seen > before and not all(task.done() for task in playing):
        await asyncio.wait(playing, timeout=STUCK)
        before, seen = seen, sum(device.view.version for device in devices if device.view)
    for task in playing:
        task.cancel()
    for result in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(result, Exception):
            raise result  # a mistake in a script, not in the server


async def _check(world: World, seated: Sequence[Seated]) -> tuple[list[Violation], int]:
    """Everything that is wrong, and how many entries the logs have."""
    found: list[Violation] = []
    entries = 0
    async with AsyncExitStack() as stack:
        storage = Storage(world.url)
        await storage.start()
        stack.push_async_callback(storage.close)
        anew = httpx.Limits(max_keepalive_connections=0)  # a server may close one that waits, just now
        client = httpx.AsyncClient(base_url=world.servers[0].url, timeout=60, limits=anew)
        http = await stack.enter_async_context(client)
        for table, devices in seated:
            try:
                stored = await storage.load(table)
            except Unreadable as error:
                found.append(_unreadable(world.url, table, error))
                continue
            assert stored is not None
            entries += len(stored.entries)
            checker = Checker(table, stored, [each.record for each in devices], table in world.damaged)
            found += await asyncio.to_thread(checker.violations)
            if all(device.over for device in devices):
                found += await _of_file(checker, http, table)
            else:
                views = [None if each.view is None else each.view.version for each in devices]
                found.append(
                    Violation("not finished", table, f"of {len(stored.entries)} versions, seen {views}")
                )
    return found, entries


async def _of_file(checker: Checker, http: httpx.AsyncClient, table: str) -> list[Violation]:
    """What is wrong with the file of a finished game."""
    try:
        text = (await http.get(f"/api/tables/{table}/file")).text
    except httpx.HTTPError as error:
        return [Violation("no file", table, f"{type(error).__name__} {error}")]
    return list(checker.file_violations(text))


def _unreadable(url: str, table: str, error: Unreadable) -> Violation:
    """Why a log cannot be read in the end, when no damage is left."""
    versions = text(
        "SELECT version FROM entries WHERE table_id = :table GROUP BY version HAVING count(*) > 1"
    )
    engine = database.reading_engine(database.parse(url))
    with engine.connect() as connection:
        twice = list(connection.scalars(versions, {"table": table}))
    engine.dispose()
    if twice:
        return Violation("version written twice", table, f"{twice}")
    return Violation("unreadable log", table, f"entry {error.entry}: {error.why}")


def _lines(log: Path, start: int) -> list[str]:
    with log.open("rb") as opened:
        opened.seek(start)
        return opened.read().decode(errors="replace").splitlines()


def _exceptions(lines: Sequence[str]) -> list[str]:
    """What the servers did not expect."""
    found = []
    for line in lines:
        if not line.startswith("{"):
            found.append(line)
        elif "exception" in (said := json.loads(line)):
            found.append(f"{said['event']}: {said['exception'].splitlines()[-1]}")
    return found
