"""Thinking time: players neither lose nor gain by what a machine's clock does, or by a server's outage."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from laguna.server.live import background
from laguna.server.live.bus import Alone
from laguna.server.live.requests import Tables
from laguna.table.entries import Clock
from tests.server.running import Running, running
from tests.server.serving import ADA, MovedClock, play_one, sqlite, tables_at, two_players

pytestmark = pytest.mark.anyio

MINUTE = Clock("move", 60)
BANK = Clock("bank", 100, increment=2)


async def seconds_left(tables: Tables, table: str) -> list[int]:
    """On each seat's clock."""
    view = await tables.view(table, ADA)
    return [round((clock.left or 0) / 1000) for clock in view.clocks]


async def kinds(tables: Tables, table: str) -> list[str]:
    return [line.kind for line in (await tables.look(ADA, table)).lines]


async def sweep(tables: Tables) -> None:
    """Whatever is due by now is done at once."""
    tables._scheduler._ring()
    await tables._scheduler.sweep()
    await asyncio.sleep(0.05)


# ------------------------------------------------------------------ while a server is up


@pytest.mark.parametrize("jump", [3_000, -6_600])
async def test_setting_the_clock_of_the_machine_changes_no_thinking_time(jump: int, tmp_path: Path) -> None:
    clock = MovedClock()
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:
        table = await two_players(tables, clock=BANK)
        clock.ahead = jump
        await sweep(tables)
        assert await seconds_left(tables, table) == [100, 100]
        for _ in range(6):  # each of the two spends 10 seconds and gains 2, three times
            clock.passed += 10
            await play_one(tables, table)
        assert await seconds_left(tables, table) == [76, 76]
        clock.passed += 75
        await sweep(tables)
        assert (await tables.view(table, ADA)).status == "playing"
        clock.passed += 3
        await sweep(tables)
        assert (await tables.view(table, ADA)).result.how == "out-of-time"  # type: ignore[union-attr]


# ------------------------------------------------------------------ across restarts


@pytest.mark.parametrize("jump", [0, 3_000, -6_600])
async def test_a_restart_charges_nobody_whatever_the_clock_says_then(jump: int, tmp_path: Path) -> None:
    clock = MovedClock()
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:
        table = await two_players(tables, clock=MINUTE)
        mover = (await tables.view(table, ADA)).deciders[0]
        clock.passed += 20
        assert (await seconds_left(tables, table))[mover] == 40
    clock.passed += 500
    clock.ahead = jump
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:
        await sweep(tables)
        assert (await seconds_left(tables, table))[mover] == 40
        clock.passed += 15
        assert (await seconds_left(tables, table))[mover] == 25
        await play_one(tables, table)
        assert (await seconds_left(tables, table))[1 - mover] == 60
        assert (await kinds(tables, table))[-2:] == (
            ["started", "acted"] if jump < 0 else ["resumed", "acted"]
        )
        at = [line.at for line in (await tables.look(ADA, table)).lines]
        assert at == sorted(at)
        clock.passed += 61
        await sweep(tables)
        assert (await tables.view(table, ADA)).result.how == "out-of-time"  # type: ignore[union-attr]
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:  # the log alone tells all of it
        assert (await kinds(tables, table))[-1] == "out-of-time"


async def test_several_restarts_and_a_table_that_nobody_asks_for(tmp_path: Path) -> None:
    """All time while it was up counts and all time while it was down does not, even before the last start."""
    clock = MovedClock()
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:
        table = await two_players(tables, clock=Clock("move", 600))
        mover = (await tables.view(table, ADA)).deciders[0]
        clock.passed += 100
    for _ in range(3):
        clock.passed += 300  # down
        async with tables_at(sqlite(tmp_path), clock=clock):
            clock.passed += 50  # up
    clock.passed += 1000
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:
        assert (await seconds_left(tables, table))[mover] == 600 - 100 - 3 * 50
        assert (await tables.view(table, ADA)).version == 5


async def test_after_a_crash_all_is_charged_up_to_the_last_mark(tmp_path: Path) -> None:
    clock = MovedClock()
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:
        table = await two_players(tables, clock=MINUTE)
        mover = (await tables.view(table, ADA)).deciders[0]
        clock.passed += 20
        await tables._clock.mark()
        clock.passed += 8

        async def crashed() -> None:
            pass

        tables._clock.mark = crashed  # type: ignore[method-assign]
    clock.passed += 500
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:
        assert (await seconds_left(tables, table))[mover] == 40


async def test_a_table_without_a_running_clock_does_not_notice_a_restart(tmp_path: Path) -> None:
    clock = MovedClock()
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:
        table = await two_players(tables)
    clock.passed += 500
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:
        assert (await tables.view(table, ADA)).version == 4


# ------------------------------------------------------------------ several servers


async def test_while_one_server_is_up_time_runs_whoever_else_starts(tmp_path: Path) -> None:
    clock = MovedClock()
    async with tables_at(sqlite(tmp_path), clock=clock) as one:
        table = await two_players(one, clock=MINUTE)
        mover = (await one.view(table, ADA)).deciders[0]
        clock.passed += 20
        await one._clock.mark()
        async with tables_at(sqlite(tmp_path), clock=clock) as two:
            assert (await seconds_left(two, table))[mover] == 40
            clock.passed += 10
            assert (await seconds_left(two, table))[mover] == 30
            assert "resumed" not in await kinds(two, table)


class Shared(Alone):
    """A bus of several servers that lost its connection: nobody hears anything."""

    shared = True


async def test_a_server_that_starts_beside_another_knows_that_one_was_up(tmp_path: Path) -> None:
    clock = MovedClock()
    async with tables_at(sqlite(tmp_path), Shared(), clock) as one:
        table = await two_players(one, clock=MINUTE)
        mover = (await one.view(table, ADA)).deciders[0]
        clock.passed += 8  # it marks again in two seconds
        async with tables_at(sqlite(tmp_path), Shared(), clock) as two:
            assert (await seconds_left(two, table))[mover] == 52
            assert "resumed" not in await kinds(two, table)


async def test_servers_sharing_a_postgresql_use_its_time(postgresql_url: str) -> None:
    wrong = MovedClock()
    wrong.ahead = 3_000
    async with tables_at(postgresql_url) as one:
        table = await two_players(one, clock=MINUTE)
        mover = (await one.view(table, ADA)).deciders[0]
        async with tables_at(postgresql_url, clock=wrong) as two:
            assert 58 <= (await seconds_left(two, table))[mover] <= 60
            assert abs(one._clock.now() - two._clock.now()) < 1_000
            await play_one(two, table)
            assert 58 <= (await seconds_left(one, table))[1 - mover] <= 60


async def test_marks_are_made_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "MARK", 0.05)
    async with tables_at(sqlite(tmp_path)) as tables:
        before = await tables._storage.last_mark()
        assert before is not None
        while (await tables._storage.last_mark() or 0) < before + 200:
            await asyncio.sleep(0.02)


# ------------------------------------------------------------------ real servers


@pytest.mark.proof
def test_a_server_that_was_down_for_longer_than_a_clock_lasts(tmp_path: Path) -> None:
    """As an operator sees it: stop, wait, start."""
    with running(tmp_path) as server:
        visitor, table = open_table(server)
        before = clock_of(visitor, table)
        assert server.stop() == 0
    time.sleep(5)
    with running(tmp_path) as server:
        visitor.base_url = httpx.URL(server.url)
        now = visitor.get(f"/api/tables/{table}").json()
        assert now["view"]["status"] == "playing" and now["lines"][-1]["kind"] == "resumed"
        assert before - 3_000 < clock_of(visitor, table) <= before
        time.sleep(5)
        assert visitor.get(f"/api/tables/{table}").json()["view"]["result"]["how"] == "out-of-time"
        visitor.close()


def open_table(server: Running) -> tuple[httpx.Client, str]:
    """A game of one person against themselves, with four seconds for each action."""
    visitor = httpx.Client(base_url=server.url, timeout=60)
    visitor.headers["authorization"] = f"Bearer {visitor.post('/api/tokens').json()['token']}"
    wanted: dict[str, Any] = {
        "settings": {"game": "neptune-vesta", "clock": {"kind": "move", "seconds": 4}},
        "seats": [{"kind": "me"}, {"kind": "me"}],
        "start": True,
    }
    return visitor, visitor.post("/api/tables", json=wanted).json()["table"]


def clock_of(visitor: httpx.Client, table: str) -> int:
    view = visitor.get(f"/api/tables/{table}").json()["view"]
    return int(view["clocks"][view["deciders"][0]]["left"])
