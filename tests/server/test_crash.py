"""`kill -9` at any moment: all that was acknowledged is there, and nothing is there only in part."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import time

import psycopg
import pytest

from laguna.server.storage import Storage
from tests.server.busy import append_forever
from tests.server.samples import new_table
from tests.size import scaled

pytestmark = pytest.mark.anyio
ROUNDS = scaled(8, 50)
TABLES = 8


WARM = ["__main__", "psycopg", "sqlalchemy.dialects.postgresql.psycopg", "tests.server.busy"]


def killed_server(url: str, tables: list[str], patient: bool, later: float) -> list[int]:
    """Let a server go on for a moment, kill it, and return the last version acknowledged for each table."""
    context = multiprocessing.get_context("forkserver")  # from one that has everything imported
    hear, tell = context.Pipe(duplex=False)
    server = context.Process(target=append_forever, args=(url, tables, tell))
    server.start()
    tell.close()
    assert hear.recv() is None
    if patient:
        hear.poll(10)  # until it has acknowledged something
    time.sleep(later)
    server.kill()
    server.join()
    acknowledged = [0] * len(tables)
    try:
        while True:
            number, version = hear.recv()
            acknowledged[number] = version
    except EOFError:
        hear.close()
    return acknowledged


def wait_for_postgresql(url: str) -> None:
    """Until what the killed server had in progress is finished or rolled back."""
    others = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    with psycopg.connect(url, autocommit=True) as connection:
        while connection.execute(others).fetchone() != (0,):
            time.sleep(0.001)


async def test_what_was_acknowledged_survives(url: str) -> None:
    multiprocessing.set_forkserver_preload(WARM)
    storage = Storage(url)
    await storage.start()
    tables = [await new_table(storage) for _ in range(TABLES)]
    await storage.close()
    known, in_time = [1] * TABLES, 0
    for attempt in range(ROUNDS):
        later = random.uniform(0, 0.02)
        acknowledged = await asyncio.to_thread(killed_server, url, tables, attempt % 2 == 0, later)
        in_time += any(acknowledged)
        if url.startswith("postgresql"):
            await asyncio.to_thread(wait_for_postgresql, url)
        storage = Storage(url)
        await storage.start()
        versions = await storage.versions(tables)
        for number, table in enumerate(tables):
            found = max(known[number], acknowledged[number])
            added = [entry.at for entry in await storage.since(table, known[number])]
            assert added == list(range(known[number] + 1, versions[table] + 1))
            assert versions[table] in (found, found + 2)  # at most the one that was under way
            known[number] = versions[table]
        await storage.close()
    assert in_time >= ROUNDS / 2  # otherwise nothing was tried
