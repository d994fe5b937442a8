"""The storage: what is acknowledged is there, a lost race is reported, a database outage is survived."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import stat
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from laguna.errors import LagunaError
from laguna.server.storage import (
    AccountTaken,
    Agent,
    BadDatabase,
    Session,
    Stale,
    Storage,
    Stored,
    Unavailable,
)
from laguna.server.storage.writer import MAX_TOGETHER, MAX_WAITING
from laguna.table.entries import Person, Said, Sat, Stood
from tests.server.samples import ANN, BOB, SECRET, acted, new_id, new_table, opened, summary

pytestmark = pytest.mark.anyio


@contextlib.contextmanager
def somebody_else_writing(url: str) -> Iterator[None]:
    """Nothing else can be written meanwhile."""
    if url.startswith("sqlite"):
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(url) as connection:
            connection.execute("LOCK TABLE tables IN EXCLUSIVE MODE")
            yield


def shown(error: BaseException | None) -> str:
    """What a log would print for an error and its causes, without the lines of code."""
    if error is None:
        return ""
    before = None if error.__suppress_context__ else error.__context__
    return "".join(traceback.format_exception_only(error)) + shown(error.__cause__ or before)


# ------------------------------------------------------------------ tables


async def test_a_table_is_loaded_as_it_was_written(storage: Storage) -> None:
    table = await new_table(storage)
    said = Said(3, ANN, None, "“Grüße”, 水, \N{SPOUTING WHALE}, \x00 and '; DROP TABLE entries; --")
    await storage.append(table, 2, [acted(2), said], summary())
    assert await storage.load(table) == Stored(SECRET, [opened(), acted(2), said])
    assert await storage.since(table, 1) == [acted(2), said]
    assert await storage.since(table, 3) == []
    assert await storage.versions([table, new_id()]) == {table: 3}
    assert await storage.load(new_id()) is None
    assert await storage.since(new_id(), 0) == []


async def test_what_was_written_is_there_for_the_next_server(url: str) -> None:
    first, second = Storage(url), Storage(url)
    await first.start()
    table = await new_table(first, entries=3)
    await first.close()
    await second.start()
    assert await second.versions([table]) == {table: 3}
    await second.close()


async def test_a_version_is_written_once(storage: Storage) -> None:
    table = await new_table(storage, entries=3)
    for first in (1, 3, 5):  # long written, just written, and one that would leave a gap
        with pytest.raises(Stale):
            await storage.append(table, first, [acted(first)], summary(status="over"))
    with pytest.raises(Stale):
        await storage.append(new_id(), 2, [acted(2)], summary())
    with pytest.raises(Stale):
        await storage.open_table(table, SECRET, [opened()], summary())
    assert await storage.since(table, 0) == [opened(), acted(2), acted(3)]
    [row] = await storage.tables_of(ANN.id, 10)
    assert (row.version, row.summary.status) == (3, "playing")


async def test_stale_concerns_one_append_only(url: str, storage: Storage) -> None:
    good, bad, twice = [await new_table(storage, entries=3) for _ in range(3)]
    with somebody_else_writing(url):  # so that all of these wait, and are written together
        waiting = [
            asyncio.ensure_future(work)
            for work in (
                storage.append(good, 4, [acted(4)], summary()),
                storage.append(bad, 3, [acted(3)], summary()),
                storage.append(twice, 4, [acted(4)], summary()),
                storage.append(twice, 4, [acted(44)], summary()),
                storage.append(good, 5, [acted(5), acted(6)], summary()),
                storage.new_person(b"token", "Ann"),
                storage.add_token("nobody", b"other"),
            )
        ]
        await asyncio.sleep(0.1)
        assert not any(work.done() for work in waiting)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(result) for result in results[:5]] == [type(None), Stale, type(None), Stale, type(None)]
    assert isinstance(results[5], Person)
    assert isinstance(results[6], RuntimeError) and "foreign key" in str(results[6]).lower()
    assert await storage.versions([good, bad, twice]) == {good: 6, bad: 3, twice: 4}
    assert await storage.since(twice, 3) == [acted(4)]


async def test_two_servers_race_for_every_version(url: str) -> None:
    servers = [Storage(url), Storage(url)]
    for server in servers:
        await server.start()
    tables = [await new_table(servers[0]) for _ in range(10)]

    async def play(server: Storage, table: str) -> int:
        won = 0
        for version in range(2, 22):
            try:
                await server.append(table, version, [acted(version)], summary())
                won += 1
            except Stale:
                pass
        return won

    wins = await asyncio.gather(*(play(server, table) for table in tables for server in servers))
    assert sum(wins) == 20 * len(tables)
    for table in tables:
        assert [entry.at for entry in await servers[1].since(table, 0)] == list(range(1, 22))
    for server in servers:
        await server.close()


async def test_servers_that_want_the_same_tables_do_not_deadlock(url: str) -> None:
    servers = [Storage(url), Storage(url)]
    for server in servers:
        await server.start()
    tables = await asyncio.gather(*(new_table(servers[0]) for _ in range(200)))
    with somebody_else_writing(url):  # so that both write much at once, each in its own order
        appends = [
            asyncio.ensure_future(server.append(table, 2, [acted(2)], summary()))
            for server, order in zip(servers, (1, -1), strict=True)
            for table in tables[::order]
        ]
        await asyncio.sleep(0.1)
    results = await asyncio.gather(*appends, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["NoneType"] * 200 + ["Stale"] * 200
    for server in servers:
        await server.close()


async def test_lists(storage: Storage) -> None:
    listed = await new_table(storage, listed=True, status="open")
    await new_table(storage, status="open")
    over = await new_table(storage, listed=True)
    assert {row.table for row in await storage.listed(10)} == {listed, over}
    await storage.append(over, 2, [acted(2)], summary(listed=True, status="over"))
    [row] = await storage.listed(10)
    assert (row.table, row.version, row.created, row.changed) == (listed, 1, 1, 1)
    assert row.summary == summary(listed=True, status="open")
    newer = new_id()
    await storage.open_table(newer, SECRET, [opened(at=7)], summary(listed=True, status="open"))
    assert [row.table for row in await storage.listed(10)] == [newer, listed]
    assert [row.table for row in await storage.listed(1)] == [newer]


async def test_the_tables_of_a_person(storage: Storage) -> None:
    both = await new_table(storage)
    anns = await new_table(storage, holders=[[ANN.id], []])
    await storage.append(anns, 2, [acted(2)], summary(holders=[[ANN.id], []]))
    assert [row.table for row in await storage.tables_of(ANN.id, 10)] == [anns, both]
    assert [row.table for row in await storage.tables_of(BOB.id, 10)] == [both]
    await storage.append(anns, 3, [Sat(3, 1, BOB)], summary(holders=[[ANN.id], [BOB.id, ANN.id]]))
    assert [row.table for row in await storage.tables_of(BOB.id, 10)] == [anns, both]
    await storage.append(both, 2, [Stood(4, 1)], summary(holders=[[ANN.id], []]))
    assert [row.table for row in await storage.tables_of(BOB.id, 10)] == [anns]
    assert [row.table for row in await storage.tables_of(ANN.id, 1)] == [both]


async def test_tables_that_wait_for_a_server(storage: Storage) -> None:
    late, early = await new_table(storage, due=200), await new_table(storage, due=100)
    await new_table(storage)
    assert await storage.waiting(99) == []
    assert await storage.waiting(100) == [early]
    assert await storage.waiting(300) == [early, late]
    assert await storage.waiting(300, limit=1) == [early]
    await storage.append(early, 2, [acted(2)], summary())
    assert await storage.waiting(300) == [late]


async def test_many_versions_at_once(storage: Storage) -> None:
    tables = await asyncio.gather(*(new_table(storage) for _ in range(20)))
    ids = [*(new_id() for _ in range(1500)), *tables]
    assert await storage.versions(ids) == dict.fromkeys(tables, 1)
    assert await storage.versions([]) == {}


# ------------------------------------------------------------------ people


async def test_a_person_has_several_tokens(storage: Storage) -> None:
    ann = await storage.new_person(b"phone", "Ann")
    bob = await storage.new_person(b"other", "Bob")
    await storage.add_token(ann.id, b"laptop")
    await storage.rename(ann.id, "Anna")
    anna = Person(ann.id, "Anna")
    assert [await holder(storage, token) for token in (b"phone", b"laptop", b"other")] == [anna, anna, bob]
    await storage.drop_token(b"phone")
    assert [await holder(storage, token) for token in (b"phone", b"laptop")] == [None, anna]
    await storage.add_token(ann.id, b"tablet")
    assert await storage.known_tokens([b"phone", b"laptop", b"tablet"]) == {b"laptop", b"tablet"}
    await storage.drop_tokens_of(ann.id)
    assert await storage.known_tokens([b"laptop", b"tablet", b"other"]) == {b"other"}


async def holder(storage: Storage, token: bytes) -> Person | None:
    known = await storage.token(token)
    return None if known is None else known.person


async def test_tokens_that_nobody_uses_are_forgotten(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000
    monkeypatch.setattr("laguna.server.storage.people._now", lambda: now)
    tokens = [bytes([first, second]) for first in range(6) for second in range(250)]
    ann = await storage.new_person(b"phone", "Ann")
    await asyncio.gather(*(storage.add_token(ann.id, token) for token in tokens))
    now = 2000
    await storage.note_use(tokens[1:], before=1001)
    await storage.note_use(tokens[:1], before=1000)  # it was used lately enough
    assert [(await storage.token(token)).used for token in tokens[:2]] == [1000, 2000]  # type: ignore[union-attr]
    await storage.drop_unused_tokens(since=1500)
    assert await storage.known_tokens([b"phone", *tokens]) == set(tokens[1:])


async def test_which_sessions_count(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000
    monkeypatch.setattr("laguna.server.storage.people._now", lambda: now)
    ann, bob = await storage.new_person(b"guest", "Ann"), await storage.new_person(b"bob", "Bob")
    await storage.make_account(ann.id, "ann", "$argon2id$hash", b"old", Agent("Firefox", "Linux"))
    now = 2000
    await storage.add_token(ann.id, b"new", Agent("program"))
    await storage.note_use([b"old"], before=1500)
    now = 3000
    await storage.add_token(ann.id, b"newest")

    async def sessions(used_since: int, made_since: int, person: str = ann.id) -> list[bytes]:
        return [each.hash for each in await storage.sessions_of(person, used_since, made_since)]

    first, second, third = await storage.sessions_of(ann.id, 0, 0)
    assert first == Session(b"newest", 3000, 3000, Agent())
    assert second == Session(b"new", 2000, 2000, Agent("program"))
    assert third == Session(b"old", 1000, 2000, Agent("Firefox", "Linux"))
    assert await sessions(2001, 0) == [b"newest"]
    assert await sessions(0, 1001) == [b"newest", b"new"]
    assert await sessions(0, 1001, bob.id) == [b"bob"]  # a guest's goes on as long as it is used
    tokens = [b"old", b"new", b"newest", b"bob", b"nobody"]
    assert await storage.known_tokens(tokens, made_since=1001) == {b"new", b"newest", b"bob"}
    [row] = await storage.accounts("", 0, 1001)
    assert (row.account, row.person, row.since, row.used, row.sessions) == ("ann", ann, 1000, 3000, 2)
    assert await storage.drop_tokens_of(ann.id, but=b"new") == 2
    assert await storage.known_tokens(tokens) == {b"new", b"bob"}
    assert await storage.drop_all_tokens(guests=False) == 1
    assert await storage.drop_all_tokens(guests=True) == 1
    [row] = await storage.accounts("AN", 0, 0)
    assert (row.used, row.sessions) == (None, 0)


async def test_a_password_that_was_just_changed_gives_no_session(storage: Storage) -> None:
    ann = await storage.new_person(b"guest", "Ann")
    await storage.make_account(ann.id, "ann", "$argon2id$hash", b"first")
    before = await storage.account("ann")
    assert before is not None and await storage.log_in(before, b"second")
    assert await storage.set_one_time_password(ann.id, "$argon2id$other", 10**15) == 2
    assert not await storage.log_in(before, b"third")
    assert not await storage.change_password(ann.id, "x", b"fourth", before=before.password_hash)
    after = await storage.account("ann")
    assert after is not None and after.one_time_until == 10**15
    assert await storage.change_password(ann.id, "$argon2id$own", b"fifth", before=after.password_hash)
    after = await storage.account("ann")
    assert after is not None and (after.password_hash, after.one_time_until) == ("$argon2id$own", None)
    every = [b"first", b"second", b"third", b"fourth", b"fifth"]
    assert await storage.known_tokens(every) == {b"fifth"}


async def test_a_new_account_and_a_new_password_make_older_tokens_void(storage: Storage) -> None:
    ann = await storage.new_person(b"guest", "Ann")
    bob = await storage.new_person(b"bob", "Bob")
    await storage.make_account(ann.id, "Ann", "$argon2id$hash", b"first")
    assert [await holder(storage, token) for token in (b"guest", b"first")] == [None, ann]
    await storage.add_token(ann.id, b"laptop")
    await storage.change_password(ann.id, "$argon2id$other", b"second")
    account = await storage.account("ann")
    assert account is not None and account.password_hash == "$argon2id$other"
    assert await storage.known_tokens([b"first", b"laptop", b"second", b"bob"]) == {b"second", b"bob"}
    with pytest.raises(AccountTaken):
        await storage.make_account(bob.id, "Ann", "$argon2id$hash", b"third")
    assert await storage.known_tokens([b"bob", b"third"]) == {b"bob"}  # what fails changes nothing


async def test_an_account_belongs_to_one_person(storage: Storage) -> None:
    ann = await storage.new_person(b"phone", "Ann")
    bob = await storage.new_person(b"other", "Bob")
    assert await storage.account("ann") is None
    assert await storage.account_of(ann.id) is None
    await storage.make_account(ann.id, "Ann", "$argon2id$hash", b"new")
    account = await storage.account("aNN")
    assert account is not None
    assert (account.person, account.account, account.password_hash) == (ann, "Ann", "$argon2id$hash")
    assert await storage.account_of(ann.id) == "Ann"
    with pytest.raises(AccountTaken, match="ANN is taken"):
        await storage.make_account(bob.id, "ANN", "$argon2id$other", b"newer")
    with pytest.raises(AccountTaken, match="already have an account: Ann"):
        await storage.make_account(ann.id, "another", "$argon2id$other", b"newest")


async def test_links_to_seats(storage: Storage) -> None:
    table = await new_table(storage)
    await storage.add_link(b"first", table, 0)
    await storage.add_link(b"second", table, 1)
    assert await storage.link(b"first") == (table, 0)
    assert await storage.link(b"unknown") is None
    await storage.revoke_links(table, 0)
    assert await storage.link(b"first") is None
    assert await storage.link(b"second") == (table, 1)


# ------------------------------------------------------------------ when the database does not answer


async def test_callers_do_not_wait_for_a_database_that_hangs(url: str, storage: Storage) -> None:
    impatient = Storage(url, patience=1)
    await impatient.start()
    table = await new_table(storage)
    with somebody_else_writing(url):
        before = time.monotonic()
        with pytest.raises(Unavailable):
            await impatient.append(table, 2, [acted(2)], summary())
        assert time.monotonic() - before < 20  # the other one writes for ever
        late = asyncio.ensure_future(impatient.append(table, 2, [acted(22)], summary()))
        await asyncio.sleep(0.1)
        late.cancel()  # not begun, so it is never written
    await impatient.close()
    version = (await storage.versions([table]))[table]
    assert version in (1, 2)  # of the first nobody can know
    await storage.append(table, version + 1, [acted(version + 1)], summary())
    assert [entry.at for entry in await storage.since(table, 0)] == list(range(1, version + 2))


async def test_a_check_is_a_real_write_and_leaves_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laguna.server.storage.FAILED", 0.5)
    monkeypatch.setattr("laguna.server.storage.WRITTEN", 0.0)
    impatient = Storage(url, patience=1)
    await impatient.start()
    await impatient.check()
    with somebody_else_writing(url):
        await impatient.ping()  # it can be read all the while
        if url.startswith("sqlite"):
            with pytest.raises(Unavailable):
                await impatient.check()
    await asyncio.sleep(1)
    await impatient.check()
    with impatient._reading.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM people").scalar() == 0
    await impatient.close()


async def test_a_recent_failure_counts(url: str) -> None:
    storage = Storage(url, patience=1)
    await storage.start()
    table = await new_table(storage)
    with somebody_else_writing(url), pytest.raises(Unavailable):
        await storage.append(table, 2, [acted(2)], summary())
    with pytest.raises(Unavailable):
        await storage.check()
    await storage.close()


async def test_a_caller_that_is_too_fast_waits_for_room(url: str, storage: Storage) -> None:
    """Beyond a bound nothing more is queued, and still nobody is forgotten."""
    table, last = await new_table(storage), 1 + MAX_WAITING + MAX_TOGETHER
    with somebody_else_writing(url):
        waiting = [
            asyncio.ensure_future(storage.append(table, version, [acted(version)], summary()))
            for version in range(2, last + 1)
        ]
        await asyncio.sleep(0.3)
        assert storage._writer is not None
        assert storage._writer._room.locked()
    await asyncio.gather(*waiting)
    assert await storage.versions([table]) == {table: last}


async def test_closing_writes_what_is_pending(url: str) -> None:
    storage = Storage(url)
    await storage.start()
    tables = [await new_table(storage) for _ in range(20)]
    appends = [asyncio.ensure_future(storage.append(t, 2, [acted(2)], summary())) for t in tables]
    await asyncio.sleep(0)
    await storage.close()
    await asyncio.gather(*appends)
    with pytest.raises(Unavailable):
        await storage.append(tables[0], 3, [acted(3)], summary())


async def test_a_closed_storage_does_not_answer(url: str) -> None:
    """Requests that a shutdown has given up get the same sentence whatever they were about to do."""
    storage = Storage(url)
    await storage.start()
    await storage.close()
    with pytest.raises(Unavailable):
        await storage.load("t" * 22)
    with pytest.raises(Unavailable):
        await storage.rename("ada", "Ada")


async def test_postgresql_stops_and_comes_back(postgresql: Any, postgresql_url: str) -> None:
    storage = Storage(postgresql_url)
    await storage.start()
    table = await new_table(storage)
    await storage.ping()
    await asyncio.to_thread(postgresql.stop)
    try:
        before = time.monotonic()
        for _ in range(3):
            with pytest.raises(Unavailable):
                await storage.append(table, 2, [acted(2)], summary())
            with pytest.raises(Unavailable):
                await storage.ping()
        assert time.monotonic() - before < 20
        with pytest.raises(Unavailable):
            await Storage(postgresql_url).start()
    finally:
        await asyncio.to_thread(postgresql.ensure_postgres_running)
    await storage.append(table, 2, [acted(2)], summary())
    assert await storage.since(table, 0) == [opened(), acted(2)]
    # Stopped and started while nobody asked: nobody notices.
    await asyncio.to_thread(postgresql.stop)
    await asyncio.to_thread(postgresql.ensure_postgres_running)
    await storage.append(table, 3, [acted(3)], summary())
    assert len(await storage.since(table, 0)) == 3
    await storage.close()


async def test_a_full_disk_is_survived(sqlite_url: str) -> None:
    storage = Storage(sqlite_url)
    await storage.start()
    table = await new_table(storage)

    def allow(pages: int) -> None:
        with storage._writing.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    allow(1)  # as many as there are
    with pytest.raises(Unavailable):
        await storage.append(table, 2, [acted(2)] * 1000, summary())
    assert await storage.since(table, 0) == [opened()]
    allow(10_000)
    await storage.append(table, 2, [acted(2)], summary())
    assert await storage.since(table, 0) == [opened(), acted(2)]
    await storage.close()


# ------------------------------------------------------------------ the database itself


async def test_sqlite_is_durable_and_private(sqlite_url: str) -> None:
    storage = Storage(sqlite_url)
    await storage.start()
    await new_table(storage)
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    files = sorted(path.parent.iterdir())
    assert [file.name for file in files] == ["laguna.db", "laguna.db-shm", "laguna.db-wal"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    with storage._writing.connect() as connection:
        asked = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked]
    assert found == ["wal", 2, 1, 5000]
    await storage.close()
    path.chmod(0o644)
    again = Storage(sqlite_url)
    await again.start()
    await again.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_postgresql_is_durable(postgresql_url: str) -> None:
    with psycopg.connect(postgresql_url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    storage = Storage(postgresql_url)
    await storage.start()
    with storage._writing.connect() as writing:
        assert writing.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
        assert writing.exec_driver_sql("SHOW statement_timeout").scalar() == "8s"
    await storage.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "laguna.db",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///laguna.db?mode=hunter2",
        "sqlite+aiosqlite:///hunter2.db",
        "mysql://ann:hunter2@localhost/laguna",
        "postgres://ann:hunter2@localhost/laguna",
        "postgresql://ann:hunter2@localhost",
        "postgresql://ann:p@hunter2@localhost/laguna",
        "postgresql://ann@localhost:hunter2/laguna",
        "postgresql+asyncpg://ann:hunter2@localhost/laguna",
    ],
)
async def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(BadDatabase, match="sqlite:///path") as refused:
        Storage(url)
    assert "hunter2" not in shown(refused.value)


async def test_passwords_and_secrets_are_revealed_to_nobody(
    url: str, storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    away = Storage("postgresql://ann:hunter2@127.0.0.1:1/laguna?sslpassword=hunter2")
    with pytest.raises(Unavailable) as refused:
        await away.start()
    texts = [repr(away), shown(refused.value)]
    await away.close()

    table = await new_table(storage)
    texts += [repr(storage), repr(await storage.load(table))]
    person = await storage.new_person(b"hunter2-token", "Ann")
    await storage.make_account(person.id, "ann", "hunter2", b"hunter2-token")
    texts.append(repr(await storage.account("ann")))
    failing = [
        storage.open_table(table, b"hunter2-secret", [opened()], summary()),
        storage.new_person(b"hunter2-token", "Bob"),
        storage.make_account(person.id, "ann", "hunter2", b"hunter2-newer"),
        storage.add_token("nobody", b"hunter2-other"),
        storage.add_link(b"hunter2-link", "nowhere", 0),
    ]
    for failed in await asyncio.gather(*failing, return_exceptions=True):
        assert isinstance(failed, Exception)
        texts.append(shown(failed))
    impatient = Storage(url, patience=1)
    await impatient.start()
    with somebody_else_writing(url), pytest.raises(Unavailable) as refused:
        await impatient.open_table(new_id(), b"hunter2-third", [opened()], summary())
    texts.append(shown(refused.value))
    await impatient.close()
    text = "\n".join([*texts, caplog.text])
    hidden = ("hunter2", b"hunter2".hex(), repr(SECRET), SECRET.hex())
    assert [word for word in hidden if word in text] == []
    assert "does not answer" in caplog.text and "did not answer" in caplog.text


async def test_errors_are_sentences() -> None:
    for error in (Stale(), Unavailable()):
        assert isinstance(error, LagunaError)
        assert error.sentence.endswith(".")
    assert (Stale().key, Unavailable().key) == ("stale", "unavailable")
