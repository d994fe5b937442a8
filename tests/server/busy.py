"""A server as busy as can be, for `test_crash`; it imports nothing that makes starting it slow."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection

from laguna.server.storage import Storage
from tests.server.samples import acted, summary


def append_forever(url: str, tables: list[str], tell: Connection) -> None:
    """Append to each table, two entries at a time, and report what was acknowledged; None once it begins."""
    asyncio.run(_main(url, tables, tell))


async def _main(url: str, tables: list[str], tell: Connection) -> None:
    storage = Storage(url)
    await storage.start()
    versions = await storage.versions(tables)
    tell.send(None)

    async def go_on(number: int, table: str) -> None:
        version = versions[table]
        while True:
            await storage.append(table, version + 1, [acted(version + 1), acted(version + 2)], summary())
            version += 2
            tell.send((number, version))

    await asyncio.gather(*(go_on(number, table) for number, table in enumerate(tables)))
