"""A client whose connection is cut in the middle of every kind of action, and which resumes by itself."""

from __future__ import annotations

import random
import time
from typing import NamedTuple

import pytest

from laguna.client import Client, FollowedTable
from laguna.games import rulebooks
from laguna.server.storage import Storage
from laguna.table.entries import Acted
from laguna.table.table import Table
from tests.server.nursery import Nursery
from tests.server.prepared import kinds, on_the_way, somebody, write
from tests.server.wire import Cut, Wire
from tests.size import scaled

pytestmark = pytest.mark.anyio


class Case(NamedTuple):
    """An action of this kind may be played at the table, and the wire is to be cut in this way."""

    table: Table
    kind: str
    cut: Cut


async def play(table: FollowedTable, kind: str, cut: Cut, wire: Wire) -> int:
    """Play an action of that kind while the wire is cut; the version at which it was done."""
    action = random.choice([action for action in table.legal if action["do"] == kind])
    before, wire.cut = wire.cuts, cut
    version = await table.act(action)
    await wire.was_cut(before)
    return version


@pytest.mark.parametrize("game", scaled(list(rulebooks())[::2], list(rulebooks())))
async def test_every_kind_of_action_survives_every_cut(game: str, sqlite_url: str, servers: Nursery) -> None:
    storage = Storage(sqlite_url)
    await storage.start()
    person, token = await somebody(storage)
    now = time.time_ns() // 1_000_000
    cases = [Case(table, kind, cut) for cut in Cut for kind, table in on_the_way(game, person, now)]
    for case in cases:
        await write(storage, case.table)
    async with (
        servers.server(database=sqlite_url) as server,
        Wire(server.port) as wire,
        Client(f"http://127.0.0.1:{wire.port}", token) as client,
    ):
        for table, kind, cut in cases:
            async with client.follow(table.id) as followed:
                version = await play(followed, kind, cut, wire)
                assert version == table.version + 1
                if followed.my_turn:  # and it goes on as if nothing had been
                    assert await followed.act(random.choice(followed.legal)) == version + 1
    assert wire.cuts == len(cases) == len(kinds(game)) * len(Cut)
    for case in cases:
        await check(storage, case)
    await storage.close()


async def check(storage: Storage, case: Case) -> None:
    """The action is in the log once: what follows it is another one, or the end."""
    new = await storage.since(case.table.id, case.table.version)
    case.table.extend(new)
    assert all(isinstance(entry, Acted) for entry in new)
    assert len(new) == 2 or (len(new) == 1 and case.table.status == "over")
