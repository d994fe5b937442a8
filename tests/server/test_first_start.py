"""The first game of its kind: a table opens once its rules are compiled; its bots move when they can."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from laguna import messages
from laguna.errors import Refusal
from laguna.kernel.jit import JIT
from laguna.messages import NewTable, SeatWish
from laguna.server.live import loading
from laguna.server.live.estimates import Estimates
from laguna.server.live.requests import Tables
from laguna.table.entries import Clock, Settings
from tests.server.running import running
from tests.server.serving import ADA, HOT_SEAT, sqlite, tables_at

pytestmark = pytest.mark.anyio

NEPTUNE = Settings("neptune-vesta", players=2)
TWO_BOTS = [SeatWish("bot", level="shell"), SeatWish("bot", level="dolphin")]


def only_the_table_is_compiled(monkeypatch: pytest.MonkeyPatch, released: asyncio.Event) -> None:
    """What bots need is compiled once `released`; until then a child reports a little work."""

    async def child(*_: object, **__: object) -> Any:
        async def report() -> Any:
            yield b"0.5\n"
            yield b"no number\n"
            await released.wait()

        async def wait() -> int:
            await released.wait()
            return 0

        return SimpleNamespace(wait=wait, kill=released.set, stdout=report())

    monkeypatch.setattr(loading, "is_warm", lambda _, part: part == "table")
    monkeypatch.setattr(asyncio, "create_subprocess_exec", child)
    monkeypatch.setattr(Estimates, "learn", lambda *_: None)


async def eventually(tables: Tables, table: str, version: int) -> None:
    """Returns once the table has gone on from that version."""
    async with asyncio.timeout(60):
        while (await tables.view(table, ADA)).version == version:
            await asyncio.sleep(0.02)


async def test_a_table_opens_before_its_bots_are_ready_and_they_move_as_soon_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = asyncio.Event()
    only_the_table_is_compiled(monkeypatch, released)
    async with tables_at(sqlite(tmp_path)) as tables:
        opened = await tables.open(ADA, NewTable(NEPTUNE, TWO_BOTS, start=True))
        assert opened.status == "playing" and tables.loading == []
        await asyncio.sleep(0.3)
        assert (await tables.view(opened.table, ADA)).version == opened.version
        told = tables.games.preparation("neptune-vesta")
        assert told is not None and told.stage == "bots" and 0 < told.share < 1
        released.set()
        await eventually(tables, opened.table, opened.version)
        assert tables.games.preparation("neptune-vesta") is None


async def test_a_hint_has_to_wait_for_the_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released = asyncio.Event()
    only_the_table_is_compiled(monkeypatch, released)
    async with tables_at(sqlite(tmp_path)) as tables:
        table = (await tables.open(ADA, NewTable(NEPTUNE, HOT_SEAT, start=True))).table
        with pytest.raises(Refusal, match="getting ready"):
            await tables.request(ADA, messages.Hint(1, table, seconds=0.1))
        released.set()
        await tables.games.ready("neptune-vesta", "bots")
        assert isinstance(await tables.request(ADA, messages.Hint(2, table, seconds=0.1)), messages.HintGiven)


async def test_with_clocks_a_table_waits_for_its_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise they would lose time by getting ready."""
    released = asyncio.Event()
    only_the_table_is_compiled(monkeypatch, released)
    async with tables_at(sqlite(tmp_path)) as tables:
        timed = Settings("neptune-vesta", players=2, clock=Clock("move", 30))
        opening = asyncio.create_task(tables.open(ADA, NewTable(timed, TWO_BOTS, start=True)))
        await tables.games.ready("neptune-vesta")
        await asyncio.sleep(0.1)
        assert not opening.done()
        released.set()
        assert (await opening).status == "playing"


@pytest.mark.proof
@pytest.mark.skipif(not JIT, reason="about compiling")
def test_with_an_empty_cache_the_table_is_there_long_before_the_bots(tmp_path: Path) -> None:
    """The real thing: a server, its children, and what it tells those who wait."""
    cache = tmp_path / "cache"
    with (
        running(tmp_path / "data", LAGUNA_CACHE=str(cache)) as server,
        httpx.Client(base_url=server.url, headers={"Origin": server.url}, timeout=600) as visitor,
    ):
        visitor.get("/api/me")

        def neptune() -> Any:
            games = visitor.get("/api/games").json()["games"]
            return next(game for game in games if game["id"] == "neptune-vesta")

        seats = [{"kind": "bot", "level": "dolphin"}, {"kind": "bot", "level": "shell"}]
        wish = {"settings": {"game": "neptune-vesta"}, "seats": seats, "start": True}
        opened = visitor.post("/api/tables", json=wish).json()
        assert opened["status"] == "playing"
        info = neptune()
        assert info["ready"] and info["preparation"]["stage"] == "bots"
        shares = []
        while (info := neptune())["preparation"] is not None:
            shares.append(info["preparation"]["share"])
            time.sleep(0.2)
        assert shares == sorted(shares) and 0 < shares[-1] < 1
        while visitor.get(f"/api/tables/{opened['table']}").json()["view"]["version"] == opened["version"]:
            time.sleep(0.1)
    assert "neptune-vesta" in (cache / "timings.json").read_text()
