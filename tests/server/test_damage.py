"""A table that cannot be read harms nobody else: bots and clocks of the others go on, lists still work."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from laguna import messages
from laguna.messages import NewTable, SeatWish
from laguna.server import metrics
from laguna.server.live import scheduler
from laguna.server.live.requests import Tables
from laguna.server.storage import Unreadable
from laguna.table.entries import Settings
from tests.server.running import running
from tests.server.serving import ADA, play_one, sqlite, tables_at, two_players

pytestmark = pytest.mark.anyio

NEPTUNE = Settings("neptune-vesta", players=2)
BOTS = [SeatWish("bot", "heron"), SeatWish("bot", "heron")]
SENTENCE = "This table cannot be read: its log is damaged. The details are in the server's log."


@contextmanager
def database(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / "tables.sqlite")) as connection, connection:
        yield connection


def truncate(connection: sqlite3.Connection, table: str) -> None:
    """Half of an entry's text is lost."""
    connection.execute(
        "UPDATE entries SET entry = substr(entry, 1, 9) WHERE table_id = ? AND version = 2", [table]
    )


def misname(connection: sqlite3.Connection, table: str) -> None:
    """The entry is JSON, but of no known kind."""
    connection.execute(
        """UPDATE entries SET entry = '{"is":"danced","at":1}' WHERE table_id = ? AND version = 2""", [table]
    )


def garble(connection: sqlite3.Connection, table: str) -> None:
    """The bytes are not even text."""
    connection.execute(
        "UPDATE entries SET entry = CAST(x'7b2269FF' AS TEXT) WHERE table_id = ? AND version = 2", [table]
    )


def lose(connection: sqlite3.Connection, table: str) -> None:
    """An entry in the middle is gone."""
    connection.execute("DELETE FROM entries WHERE table_id = ? AND version = 2", [table])


def lose_the_last(connection: sqlite3.Connection, table: str) -> None:
    """The log looks whole, but what was acknowledged last is gone."""
    connection.execute(
        "DELETE FROM entries WHERE table_id = ? AND version = (SELECT version FROM tables WHERE id = ?)",
        [table, table],
    )


def empty(connection: sqlite3.Connection, table: str) -> None:
    connection.execute("DELETE FROM entries WHERE table_id = ?", [table])


def confuse(connection: sqlite3.Connection, table: str) -> None:
    """Every entry can be read, but somebody sits where there is no seat."""
    connection.execute(
        "UPDATE entries SET entry = replace(entry, '\"seat\":0', '\"seat\":4') WHERE table_id = ?", [table]
    )


Damage = Callable[[sqlite3.Connection, str], None]
DAMAGES: list[Damage] = [truncate, misname, garble, lose, lose_the_last, empty, confuse]


async def bots_that_wait(tables: Tables, count: int) -> list[str]:
    """Tables of bots alone, at which nobody has let them move."""
    tables._scheduler.close()
    return [(await tables.open(ADA, NewTable(NEPTUNE, BOTS, start=True))).table for _ in range(count)]


def make_overdue(connection: sqlite3.Connection, tables: list[str]) -> None:
    """All of them waited for a minute, the first the longest."""
    for number, table in enumerate(tables):
        connection.execute("UPDATE tables SET due = due - ? WHERE id = ?", [120_000 - number, table])


def versions(folder: Path, tables: list[str]) -> list[int]:
    with database(folder) as connection:
        known = dict(connection.execute("SELECT id, version FROM tables").fetchall())
    return [known[table] for table in tables]


@pytest.mark.proof
async def test_one_damaged_table_does_not_stop_the_others_of_a_server(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        opened = await bots_that_wait(tables, 6)
    with database(tmp_path) as connection:
        truncate(connection, opened[0])
        make_overdue(connection, opened)
    damaged, others = opened[0], opened[1:]
    before = versions(tmp_path, others)
    with running(tmp_path, "--database", sqlite(tmp_path)) as server:
        deadline = time.monotonic() + 60
        while any(now <= then for now, then in zip(versions(tmp_path, others), before, strict=True)):
            assert time.monotonic() < deadline, "not all of the other tables went on"
            time.sleep(0.2)
        with httpx.Client(base_url=server.url, timeout=30) as visitor:
            token = visitor.post("/api/tokens").json()["token"]
            visitor.headers["authorization"] = f"Bearer {token}"
            for answer in (
                visitor.get(f"/api/tables/{damaged}"),
                visitor.get(f"/api/tables/{damaged}/replay"),
                visitor.post(f"/api/tables/{damaged}/say", json={"text": "hello"}),
            ):
                assert (answer.status_code, answer.json()["key"]) == (503, "unreadable-table")
                assert answer.json()["sentence"] == SENTENCE
            assert "laguna_tables_unreadable 1.0" in visitor.get("/metrics").text
        url = server.url.replace("http", "ws") + "/api/socket"
        with connect(url, additional_headers={"authorization": f"Bearer {token}"}, proxy=None) as socket:
            socket.recv(10)
            socket.send(json.dumps({"do": "follow", "id": 5, "table": damaged}))
            found = json.loads(socket.recv(10))
            assert (found["is"], found["id"], found["sentence"]) == ("refused", 5, SENTENCE)
        server.stop()
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
        [line] = [line for line in lines if line["event"] == "table cannot be read"]
        assert (line["table"], line["entry"], line["level"]) == (damaged, 2, "error")
        assert not [line for line in lines if "exception" in line]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
async def test_each_kind_of_damage_is_reported_in_one_sentence(damage: Damage, tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table, other = await two_players(tables), await two_players(tables)
    with database(tmp_path) as connection:
        damage(connection, table)
    async with tables_at(sqlite(tmp_path)) as tables:
        with pytest.raises(Unreadable) as refused:
            await tables.view(table, ADA)
        assert (refused.value.key, refused.value.sentence) == ("unreadable-table", SENTENCE)
        with pytest.raises(Unreadable):
            await tables.request(ADA, messages.Say(0, table, "hello"))
        assert await play_one(tables, other) == 5


async def test_a_damaged_table_is_not_read_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        waiting = await bots_that_wait(tables, 2)
    with database(tmp_path) as connection:
        whole = connection.execute(
            "SELECT entry FROM entries WHERE table_id = ? AND version = 2", waiting[:1]
        ).fetchone()[0]
        truncate(connection, waiting[0])
        make_overdue(connection, waiting)
    async with tables_at(sqlite(tmp_path)) as tables:
        reads = count_reads(tables, monkeypatch)
        for _ in range(5):
            await tables._scheduler.sweep()
            with pytest.raises(Unreadable):
                await tables.view(waiting[0], ADA)
        assert reads.count(waiting[0]) == 1
        assert metrics.tables_unreadable._value.get() == 1

        with database(tmp_path) as connection:  # somebody mends it while the server runs
            connection.execute(
                "UPDATE entries SET entry = ? WHERE table_id = ? AND version = 2", [whole, waiting[0]]
            )
        monkeypatch.setattr("laguna.server.live.table_cache.READ_AGAIN", 0.0)
        assert (await tables.view(waiting[0], ADA)).status == "playing"
        assert metrics.tables_unreadable._value.get() == 0


def count_reads(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    reads: list[str] = []
    load = tables._storage.load

    async def counted(table_id: str) -> Any:
        reads.append(table_id)
        return await load(table_id)

    monkeypatch.setattr(tables._storage, "load", counted)
    return reads


async def test_many_damaged_tables_do_not_hide_those_after_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "AT_ONCE", 2)
    async with tables_at(sqlite(tmp_path)) as tables:
        waiting = await bots_that_wait(tables, 4)
    before = versions(tmp_path, waiting)[3]
    with database(tmp_path) as connection:
        for table in waiting[:3]:
            truncate(connection, table)
        make_overdue(connection, waiting)
    async with tables_at(sqlite(tmp_path)) as tables:
        for _ in range(3):
            await tables._scheduler.sweep()
        while (await tables.view(waiting[3], ADA)).version == before:
            await tables._storage.ping()


async def test_a_failure_at_one_table_does_not_end_a_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is, not only what was thought of."""
    async with tables_at(sqlite(tmp_path)) as tables:
        waiting = await bots_that_wait(tables, 3)
    with database(tmp_path) as connection:
        make_overdue(connection, waiting)
    async with tables_at(sqlite(tmp_path)) as tables:
        change = tables._changes.change
        changed: list[str] = []

        async def fails(table_id: str, *others: Any) -> int:
            changed.append(table_id)
            if table_id == waiting[0]:
                raise ZeroDivisionError
            return await change(table_id, *others)

        monkeypatch.setattr(tables._changes, "change", fails)
        await tables._scheduler.sweep()
        assert set(changed) == set(waiting)


async def test_a_list_leaves_out_the_tables_that_cannot_be_read(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        opened = [
            (await tables.open(ADA, NewTable(Settings("neptune-vesta", listed=True)))).table for _ in range(4)
        ]
        with database(tmp_path) as connection:
            for table, damage in ((opened[1], "'{\"status'"), (opened[3], "CAST(x'FF' AS TEXT)")):
                connection.execute(f"UPDATE tables SET summary = {damage} WHERE id = ?", [table])
        wanted = {opened[0], opened[2]}
        assert {row.table for row in await tables._storage.listed(10)} == wanted
        assert {row.table for row in await tables._storage.tables_of(ADA.id, 10)} == wanted
