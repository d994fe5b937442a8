"""`kill -9` of the server again and again during play: what was acknowledged is there, and nothing else."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import pytest

from laguna.client import Client, FollowedTable
from laguna.server.storage import Storage
from laguna.table.entries import Acted, Started
from laguna.table.table import Table
from tests.server.nursery import Nursery
from tests.size import scaled

pytestmark = pytest.mark.anyio
KILLS = scaled(8, 100)
TABLES = 3


class Acknowledged(NamedTuple):
    """An action that the server said was done."""

    version: int
    seat: int
    action: dict[str, Any]


class Players:
    """Two people at each table: they play at random, go on to the rematch, and keep what they are told."""

    def __init__(self) -> None:
        self.found: dict[str, list[Acknowledged]] = defaultdict(list)
        self.news = asyncio.Event()

    async def play(self, client: Client, table_id: str) -> None:
        while True:
            async with client.follow(table_id) as table:
                await table.until(lambda view: view.status == "playing")
                while table.view.status == "playing":
                    if table.my_turn:
                        await self._act(table)
                    else:
                        await table.changed()
                if 0 in table.view.mine and table.view.next is None:
                    table_id = await table.rematch()
                else:
                    table_id = (await table.until(lambda view: view.next is not None)).next or ""
            async with client.follow(table_id) as table:
                if table.view.host and "start" in table.view.may:
                    await table.start()

    async def _act(self, table: FollowedTable) -> None:
        (seat,), action = table.view.mine, random.choice(table.legal)
        version = await table.act(action)
        self.found[table.id].append(Acknowledged(version, seat, action))
        self.news.set()

    async def acknowledged_again(self) -> None:
        """Wait until the server has acknowledged something from now on."""
        self.news.clear()
        async with asyncio.timeout(30):
            await self.news.wait()


async def test_kills_during_play(url: str, servers: Nursery) -> None:
    server, players = servers.server(database=url), Players()
    await server.start()
    async with AsyncExitStack() as stack:
        tasks = []
        for _ in range(TABLES):
            pair = [await stack.enter_async_context(Client(server.url)) for _ in range(2)]
            table_id = await pair[0].open_table("neptune-vesta", 2)
            async with pair[1].join(table_id), pair[0].follow(table_id) as table:
                await table.start()
            tasks += [asyncio.create_task(players.play(client, table_id)) for client in pair]
        for _ in range(KILLS):
            await players.acknowledged_again()
            await asyncio.sleep(random.uniform(0, 0.05))
            await server.kill()
            assert not [task.exception() for task in tasks if task.done()]
            await server.start()
        await players.acknowledged_again()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await server.kill()
    assert sum(map(len, players.found.values())) > KILLS
    await check(url, players.found)


async def check(url: str, found: dict[str, list[Acknowledged]]) -> None:
    """Every log replays, and its actions are exactly those that were acknowledged."""
    storage = Storage(url)
    await storage.start()
    for table_id, acknowledged in found.items():
        stored = await storage.load(table_id)
        assert stored is not None
        table = Table.from_log(table_id, stored.secret, [])
        by_version = {each.version: each for each in acknowledged}
        assert len(by_version) == len(acknowledged)
        under_way = 0
        for version, entry in enumerate(stored.entries, 1):
            if isinstance(entry, Acted):
                each = by_version.pop(version, None)
                if each is None:
                    under_way += 1
                else:
                    assert entry.seat == each.seat
                    assert entry.action == str(table.started.action(each.action, each.seat))
            table.extend([entry])
        assert not by_version  # nothing acknowledged is missing
        assert under_way <= 2  # of each player at most what was asked for when the players were stopped
        assert any(isinstance(entry, Started) for entry in stored.entries)
    await storage.close()
