"""Databases of every release are opened and brought to the newest revision; others are left alone."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from laguna.server.storage import Agent, BadDatabase, Storage, backup
from laguna.server.storage.database import VERSION_TABLE
from laguna.server.storage.schema import metadata
from tests.server.first_release import ANN_TOKEN, LINK, PASSWORD_HASH, replayed
from tests.server.samples import acted, new_table, opened, summary

pytestmark = pytest.mark.anyio
FIRST_RELEASE = Path(__file__).parent.parent / "files" / "first-release.db"


def path_of(sqlite_url: str) -> Path:
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    path.parent.mkdir(exist_ok=True)
    return path


async def test_the_revisions_lead_to_the_schema(storage: Storage) -> None:
    with storage._reading.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": VERSION_TABLE, "compare_type": True}
        )
        assert compare_metadata(context, metadata) == []


async def test_servers_that_start_at_once(url: str) -> None:
    servers = [Storage(url) for _ in range(6)]
    await asyncio.gather(*(server.start() for server in servers))
    table = await new_table(servers[0])
    for server in servers:
        assert await server.versions([table]) == {table: 1}
        await server.close()


async def test_the_first_release_is_read(sqlite_url: str) -> None:
    shutil.copy(FIRST_RELEASE, path_of(sqlite_url))
    storage = Storage(sqlite_url)
    await storage.start()
    await storage.drop_unused_tokens(int(time.time() * 1000) - 60_000)  # the upgrade logs nobody out
    known = await storage.token(ANN_TOKEN)
    assert known is not None and known.person.name == "Ann"
    ann = known.person
    assert {each.agent for each in await storage.sessions_of(ann.id, 0, 0)} == {Agent()}  # nothing is known
    account = await storage.account("ann")
    assert account is not None and (account.person, account.password_hash) == (ann, PASSWORD_HASH)
    assert account.one_time_until is None

    [listed] = await storage.listed(10)
    assert (listed.summary.status, listed.summary.game) == ("open", "mille-fiori")
    assert await storage.link(LINK) == (listed.table, 0)
    assert await storage.waiting(10**15) == [listed.table]

    [finished] = [row for row in await storage.tables_of(ann.id, 10) if row.summary.status == "over"]
    stored = await storage.load(finished.table)
    assert stored is not None and len(stored.entries) == finished.version
    game = replayed(stored)
    assert game.over and game.winners == [0]

    await storage.append(listed.table, listed.version + 1, [acted(2)], summary())  # and it is written on
    await storage.close()


async def test_a_newer_database_is_left_alone(url: str) -> None:
    storage = Storage(url)
    await storage.start()
    with storage._writing.begin() as connection:
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    await storage.close()
    with pytest.raises(BadDatabase, match="newer version of Laguna") as refused:
        await Storage(url).start()
    assert refused.value.key == "newer-database"


async def test_somebody_elses_database_is_left_alone(url: str) -> None:
    if url.startswith("sqlite"):
        path_of(url)
    other = Storage(url)
    with other._writing.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE recipes (cake TEXT)")
    await other.close()
    before = path_of(url).read_bytes() if url.startswith("sqlite") else b""
    with pytest.raises(BadDatabase, match="is not a Laguna database"):
        await Storage(url).start()
    if before:
        assert path_of(url).read_bytes() == before
        assert [file.name for file in path_of(url).parent.iterdir()] == ["laguna.db"]


async def test_a_file_that_is_not_a_database(sqlite_url: str) -> None:
    path = path_of(sqlite_url)
    path.write_text("Dear diary, " * 1000)
    path.chmod(0o644)
    with pytest.raises(BadDatabase, match="is not a Laguna database"):
        await Storage(sqlite_url).start()
    assert path.read_text().startswith("Dear diary") and path.stat().st_mode & 0o777 == 0o644


async def test_a_place_where_no_file_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, why in ((tmp_path, "Is a directory"), (tmp_path / "file" / "laguna.db", "File exists")):
        with pytest.raises(BadDatabase, match=f"{path} cannot be used: {why}, {tmp_path}"):
            await Storage(f"sqlite:///{path}").start()


# ------------------------------------------------------------------ backup


async def test_a_backup_during_writes(sqlite_url: str, tmp_path: Path) -> None:
    storage = Storage(sqlite_url)
    await storage.start()
    table = await new_table(storage)
    target = tmp_path / "copies" / "copy.db"
    going_on = True

    async def write() -> int:
        version = 1
        while going_on:
            version += 1
            await storage.append(table, version, [acted(version)], summary())
        return version

    writing = asyncio.ensure_future(write())
    for _ in range(5):  # the later ones replace the earlier
        [before] = (await storage.versions([table])).values()
        await asyncio.to_thread(backup, sqlite_url, target)
        assert [file.name for file in target.parent.iterdir()] == ["copy.db"]
        assert target.stat().st_mode & 0o777 == 0o600
        with contextlib.closing(sqlite3.connect(target)) as copy:
            versions = [row[0] for row in copy.execute("SELECT version FROM entries ORDER BY version")]
        assert versions == list(range(1, len(versions) + 1)) and len(versions) >= before
    going_on = False
    assert await writing > len(versions)
    await storage.close()

    restored = Storage(f"sqlite:///{target}")
    await restored.start()
    stored = await restored.load(table)
    assert stored is not None and stored.entries[:2] == [opened(), acted(2)]
    await restored.close()


async def test_a_backup_that_fails_leaves_the_older_one(sqlite_url: str, tmp_path: Path) -> None:
    path, target = path_of(sqlite_url), tmp_path / "copy.db"
    target.write_bytes(b"the older copy")

    def fails(url: str, to: Path, why: str) -> None:
        with pytest.raises(BadDatabase, match=f"No backup was made: .*{why}"):
            backup(url, to)
        assert target.read_bytes() == b"the older copy"
        assert {file.name for file in tmp_path.iterdir()} <= {"copy.db", "data", "used.db-wal"}

    fails(sqlite_url, target, "there is no database")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (cake TEXT)")
    fails(sqlite_url, target, "not a Laguna database")
    path.write_text("Dear diary, " * 1000)
    fails(sqlite_url, target, "file is not a database")
    shutil.copy(FIRST_RELEASE, path)
    fails(sqlite_url, path, "the database itself")
    (tmp_path / "used.db-wal").touch()
    fails(sqlite_url, tmp_path / "used.db", "a database in use")
    fails(sqlite_url, target / "below.db", "File exists")
    damaged = bytearray(path.read_bytes())
    for page in range(2, len(damaged) // 4096):
        damaged[page * 4096 + 3 : page * 4096 + 9] = b"\xff" * 6
    path.write_bytes(damaged)
    fails(sqlite_url, target, "damaged|malformed")
    with pytest.raises(BadDatabase, match="pg_dump"):
        backup("postgresql://localhost/laguna", target)
