"""An action that can be played at once needs no task; everything else about it stays as it is."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from laguna import messages
from laguna.errors import LagunaError
from laguna.messages import Act, Changed, Done, Refused, Say
from laguna.server.live import work
from laguna.server.live.requests import Tables
from laguna.server.live.summary import summary_of
from laguna.server.storage import Stale, Unavailable
from laguna.table.entries import Person, Said
from tests.server.serving import ADA, BEN, Server, play_one, sqlite, tables_at, two_players

pytestmark = pytest.mark.anyio


async def next_act(tables: Tables, table: str) -> tuple[Person, Act]:
    """Who has to decide, and a legal action."""
    for person in (ADA, BEN):
        view = await tables.view(table, person)
        if view.game is not None and view.game["legal"]:
            return person, Act(7, table, view.version, view.game["legal"][0])
    raise AssertionError("nobody has to decide")


def tasks() -> set[Any]:
    return {task.get_coro().__qualname__ for task in asyncio.all_tasks()}  # type: ignore[union-attr]


async def ended(outcomes: list[Any]) -> Any:
    while not outcomes:
        await asyncio.sleep(0.005)
    return outcomes[0]


async def test_it_is_acknowledged_once_it_is_durable(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        person, act = await next_act(tables, table)
        before, outcomes = tasks(), list[Any]()
        assert tables.act_soon(person, act, outcomes.append)
        assert not outcomes and tasks() == before
        assert await ended(outcomes) == Done(7, 5, table)
        assert (await tables._storage.versions([table]))[table] == 5
        assert await play_one(tables, table) == 6


async def test_what_is_not_allowed_is_refused_at_once_and_changes_nothing(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        person, act = await next_act(tables, table)
        outcomes: list[Any] = []
        assert tables.act_soon(BEN if person is ADA else ADA, act, outcomes.append)
        assert isinstance(outcomes[0], LagunaError) and outcomes[0].key == "not-your-turn"
        assert await play_one(tables, table) == 5


async def test_what_would_have_to_wait_is_left_to_a_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        person, act = await next_act(tables, table)
        outcomes: list[Any] = []

        def possible() -> bool:
            return tables.act_soon(person, act, outcomes.append)

        live = tables._cache.find(table)
        assert live is not None
        async with live.lock:
            assert not possible()
            waiting = asyncio.create_task(live.lock.acquire())
            await asyncio.sleep(0)
        assert not possible(), "others have waited longer"
        await waiting
        live.lock.release()
        for owner, name, value in (
            (work, "MAX_REQUESTS", 0),
            (tables._work, "closing", True),
            (live, "table", None),
            (tables._storage._work(), "_closing", True),
        ):
            with monkeypatch.context() as patch:
                patch.setattr(owner, name, value)
                assert not possible(), name
        tables._cache.doubtful.add(table)
        assert not possible()
        tables._cache.doubtful.clear()
        assert not outcomes
        assert possible()
        assert await ended(outcomes) == Done(7, 5, table)


async def test_a_change_by_another_server_is_seen_and_the_action_is_tried_again(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        async with server.client(ADA) as ada, server.client(BEN) as ben:
            for client in (ada, ben):
                await client.follow(table)
            live = tables._cache.find(table)
            assert live is not None and live.table is not None
            person, _ = await next_act(tables, table)
            client = ada if person is ADA else ben
            said = Said(live.table.entries[-1].at, BEN, 1, "from elsewhere")
            await tables._storage.append(table, 5, [said], summary_of(live.table))
            assert (await client.act(table)).version == 6
            for each in (ada, ben):
                await each.at_version(table, 6)
                lines = [line for frame in each.frames if isinstance(frame, Changed) for line in frame.lines]
                assert [line.version for line in lines] == [5, 6]
                assert lines[0].text == "from elsewhere"


async def test_if_others_are_always_first_the_player_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        person, act = await next_act(tables, table)
        outcomes: list[Any] = []

        async def late(*_: object) -> None:
            raise Stale

        with monkeypatch.context() as patch:
            patch.setattr(tables._storage, "append_soon", lambda *args: args[-1].set_exception(Stale()))
            patch.setattr(tables._storage, "append", late)
            assert tables.act_soon(person, act, outcomes.append)
            assert isinstance(await ended(outcomes), Stale)
        assert await play_one(tables, table) == 5


async def test_if_the_storage_does_not_answer_nothing_is_shown_and_the_table_is_read_again(
    tmp_path: Path,
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        async with server.client(ADA) as ada, server.client(BEN) as ben:
            for client in (ada, ben):
                await client.follow(table)
            person, _ = await next_act(tables, table)
            client = ada if person is ADA else ben
            tables._storage._work()._patience = 0.2
            blocking = sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)
            blocking.execute("BEGIN IMMEDIATE")
            refused = await client.act(table)
            assert isinstance(refused, Refused) and refused.key == Unavailable().key
            assert not [frame for each in (ada, ben) for frame in each.frames if isinstance(frame, Changed)]
            live = tables._cache.find(table)
            assert live is not None and live.table is None and not live.lock.locked()
            blocking.execute("ROLLBACK")
            blocking.close()
            tables._storage._work()._patience = 10.0
            version = await play_one(tables, table)
            assert version in (5, 6), "nobody knows whether it was written"
            assert (await tables._storage.versions([table]))[table] == version


async def test_a_visitors_requests_are_carried_out_in_their_order(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        async with server.client(ADA) as ada, server.client(BEN) as ben:
            for client in (ada, ben):
                await client.follow(table)
            person, act = await next_act(tables, table)
            client = ada if person is ADA else ben
            for request in (Say(1001, table, "before"), act, Say(1002, table, "after")):
                await client.send(lambda _, request=request: request)  # type: ignore[misc]
            await client.until(lambda frame: getattr(frame, "id", None) == 1002)
            lines = [line for frame in client.frames if isinstance(frame, Changed) for line in frame.lines]
            assert [line.text or line.kind for line in lines] == ["before", "acted", "after"]


async def test_the_player_sees_the_change_before_the_acknowledgement(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        async with server.client(ADA) as ada, server.client(BEN) as ben:
            for client in (ada, ben):
                await client.follow(table)
            person, _ = await next_act(tables, table)
            client = ada if person is ADA else ben
            await client.act(table)
            assert [type(frame) for frame in client.frames[-2:]] == [messages.Changed, messages.Done]


async def test_closing_waits_for_it(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        person, act = await next_act(tables, table)
        outcomes: list[Any] = []
        assert tables.act_soon(person, act, outcomes.append)
        await tables.close()
        assert outcomes == [Done(7, 5, table)]
