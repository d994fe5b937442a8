"""`laguna accounts`: what an operator does about accounts, as it is typed; servers may be running."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pty
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from laguna.client import Client, Refused
from laguna.server.people.identity import HASHER
from laguna.server.storage import Agent, Storage
from laguna.server.storage.database import VERSION_TABLE
from tests.keyboard import Done, Keyboard
from tests.server.nursery import Nursery
from tests.server.test_migrations import FIRST_RELEASE
from tests.server.test_sessions import ANN, check_logged_out, devices

T = TypeVar("T")

NOW = int(time.time() * 1000)
Accounts = Callable[..., Done]


@pytest.fixture
def accounts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str) -> Accounts:
    """`laguna accounts` on each database in turn."""
    run = Keyboard(monkeypatch, capsys, columns=120)
    return lambda command, *words: run("accounts", command, *words, "--database", url)


async def _prepare(url: str) -> None:
    storage = Storage(url)
    await storage.start()
    for name, account, agent in [
        ("Ann", "ann.1", Agent("Firefox", "Linux")),
        ("[Bob] ✓", "Bob", Agent("program")),
        ("Zoe", None, Agent("Chrome", "Android")),
    ]:
        person = await storage.new_person(name.encode(), name)
        if account:
            await storage.make_account(person.id, account, "no hash", name.encode() + b" 2", agent)
    ann = await storage.account("ANN.1")
    assert ann is not None
    await storage.add_token(ann.person.id, b"phone", Agent("browser", "iPhone"))
    await storage.add_token(ann.person.id, b"of before")
    await storage.close()


@pytest.fixture
def prepared(url: str) -> None:
    """Ann with three devices, Bob with a program, and a guest."""
    asyncio.run(_prepare(url))


def sessions(accounts: Accounts) -> dict[str, int]:
    return {each["account"]: each["sessions"] for each in json.loads(accounts("list", "--json").out)}


def asked(url: str, what: Callable[[Storage], Awaitable[T]]) -> T:
    """What is in the database."""

    async def look() -> T:
        storage = Storage(url)
        await storage.open()
        try:
            return await what(storage)
        finally:
            await storage.close()

    return asyncio.run(look())


def tokens(url: str) -> set[bytes]:
    """All tokens that there are, with those of guests."""
    made = [b"Ann 2", b"phone", b"of before", "[Bob] ✓ 2".encode(), b"Zoe"]
    return asked(url, lambda storage: storage.known_tokens(made))


@pytest.mark.usefixtures("prepared")
def test_accounts_are_listed_and_shown(accounts: Accounts) -> None:
    today = time.strftime("%Y-%m-%d", time.gmtime(NOW / 1000))
    listed = accounts("list")
    assert listed.code == 0
    head, *rows = [line.split() for line in listed.out.splitlines()]
    assert head == ["account", "name", "since", "last", "used", "sessions"]
    assert rows == [["ann.1", "Ann", today, today, "3"], ["Bob", "[Bob]", "✓", today, today, "1"]]
    assert "Zoe" not in listed.out  # a guest
    for wanted, found in [("AN", ["ann.1"]), ("[b", ["Bob"]), ("%", []), ("zoe", [])]:
        fitting = json.loads(accounts("list", "--search", wanted, "--json").out)
        assert [each["account"] for each in fitting] == found
    assert accounts("list", "--search", "x").out == "There are no such accounts.\n"

    shown = accounts("show", "Ann.1").out
    assert shown.startswith(f"ann.1: Ann, here since {today}\n")
    for device in ("Firefox on Linux", "browser on iPhone", "?"):
        assert f"{today}  {today}  {device}" in " ".join(shown.split(" ")).replace("   ", "  ")
    described = json.loads(accounts("show", "ann.1", "--json").out)
    assert described["name"] == "Ann" and described["one_time_password_until"] is None
    assert {(each["client"], each["system"]) for each in described["sessions"]} == {
        ("Firefox", "Linux"), ("browser", "iPhone"), (None, None)
    }  # fmt: skip


@pytest.mark.usefixtures("prepared")
def test_sessions_are_ended(accounts: Accounts, url: str) -> None:
    assert accounts("end-sessions", "ANN.1", "--yes").out == "3 sessions ended.\n"
    assert sessions(accounts) == {"ann.1": 0, "Bob": 1}
    assert "not logged in anywhere" in accounts("show", "ann.1").out
    assert accounts("end-sessions", "--everyone", "--yes").out == "1 session ended.\n"
    assert tokens(url) == {b"Zoe"}  # a guest could not come back
    assert accounts("end-sessions", "--everyone", "--guests", "--yes").out == "1 session ended.\n"
    assert tokens(url) == set()


@pytest.mark.usefixtures("prepared")
def test_what_is_asked_wrongly_changes_nothing(accounts: Accounts, url: str) -> None:
    before = tokens(url)
    for words, sentence in [
        (("end-sessions",), "Name an account, or say --everyone."),
        (("end-sessions", "Bob", "--everyone", "--yes"), "Name an account, or say --everyone."),
        (("end-sessions", "Bob", "--guests", "--yes"), "--guests goes with --everyone."),
        (("end-sessions", "Zoe", "--yes"), "There is no account 'Zoe'; `laguna accounts list` shows all."),
        (("show", "x" * 500), f"There is no account '{'x' * 59}; `laguna accounts list` shows all."),
        (("password", "nobody", "--yes"), "There is no account 'nobody'; `laguna accounts list` shows all."),
        (
            ("end-sessions", "bob"),
            "End all sessions of Bob ([Bob] ✓)? Add --yes: there is no terminal to ask at.",
        ),
        (
            ("password", "bob"),
            "Replace the password of Bob ([Bob] ✓)? Add --yes: there is no terminal to ask at.",
        ),
    ]:
        done = accounts(*words)
        assert (done.code, done.out, done.err) == (2, "", f"laguna: {sentence}\n")
    assert tokens(url) == before


def at_a_terminal(typed: str, *words: str) -> tuple[int, str]:
    """The command with a person at a terminal, who types that."""
    person, terminal = pty.openpty()
    os.write(person, typed.encode())
    done = subprocess.run(
        [sys.executable, "-m", "laguna", "accounts", *words],
        stdin=terminal, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    os.close(person)
    os.close(terminal)
    return done.returncode, done.stdout


def test_the_operator_is_asked(sqlite_url: str) -> None:
    asyncio.run(_prepare(sqlite_url))
    before = tokens(sqlite_url)
    for command in (["end-sessions", "bob"], ["end-sessions", "--everyone"], ["password", "bob"]):
        code, out = at_a_terminal("n\n", *command, "--database", sqlite_url)
        assert code == 1 and out.endswith("Nothing was changed.\n")
    assert tokens(sqlite_url) == before
    code, out = at_a_terminal("y\n", "end-sessions", "bob", "--database", sqlite_url)
    assert code == 0 and out.endswith("1 session ended.\n")


def chosen(done: Done) -> str:
    """The password that was printed."""
    return done.out.splitlines()[2].strip()


@pytest.mark.usefixtures("prepared")
def test_a_one_time_password_is_set(accounts: Accounts, url: str) -> None:
    done = accounts("password", "ANN.1", "--yes")
    assert done.out.startswith("One-time password of ann.1, valid until ") and "3 sessions ended." in done.out
    assert len(chosen(done)) == 19 and len(set(chosen(done))) > 6
    again = accounts("password", "ann.1", "--yes")
    assert chosen(again) != chosen(done) and "0 sessions ended." in again.out
    shown = accounts("show", "ann.1").out
    assert "has a one-time password that must be replaced by" in shown and chosen(again) not in shown
    ann = asked(url, lambda storage: storage.account("ann.1"))
    bob = asked(url, lambda storage: storage.account("bob"))
    assert ann is not None and HASHER.verify(ann.password_hash, chosen(again))
    assert 2.9 < ((ann.one_time_until or 0) - NOW) / 86_400_000 < 3.1
    assert bob is not None and bob.password_hash == "no hash" and bob.one_time_until is None
    assert sessions(accounts) == {"ann.1": 0, "Bob": 1}


def test_a_database_is_used_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = Keyboard(monkeypatch, capsys, columns=200)
    path = tmp_path / "laguna.db"
    place = ("--database", f"sqlite:///{path}")
    assert "there is no such file" in run("accounts", "list", *place).err and not path.exists()
    shutil.copy(FIRST_RELEASE, path)
    before = path.read_bytes()
    done = run("accounts", "list", *place)
    assert done.code == 2 and "is at revision 0001; a server of this version brings it to 0006" in done.err
    assert path.read_bytes() == before
    path.write_text("Dear diary, " * 1000)
    assert "file is not a database" in run("accounts", "list", *place).err
    path.unlink()
    path.touch()
    assert "is not a Laguna database" in run("accounts", "list", *place).err

    async def newer() -> None:
        storage = Storage(place[1])
        await storage.start()
        with storage._writing.begin() as connection:
            connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
        await storage.close()

    asyncio.run(newer())
    assert "was written by a newer version of Laguna" in run("accounts", "list", *place).err
    assert "it must begin with sqlite://… or postgresql://…" in run("accounts", "list", "--database", "x").err
    away = run("accounts", "list", "--database", "postgresql://nobody:secret@127.0.0.1:1/laguna")
    assert away.code == 2 and "not responding" in away.err and "secret" not in away.err


@pytest.mark.anyio
async def test_running_servers_notice(tmp_path: Path, servers: Nursery, url: str) -> None:
    """Somebody at the table is logged out by the operator, gets a one-time password and comes back."""

    async def operator(*words: str) -> str:
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "laguna", "accounts", *words, "--yes", "--database", url],
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    async with (
        servers.server(database=url, data=str(tmp_path), plant="looks_at_tokens_often") as server,
        contextlib.AsyncExitStack() as stack,
    ):
        clients = await devices([server.url, server.url], stack)
        assert await operator("end-sessions", ANN[0]) == "2 sessions ended.\n"
        await check_logged_out(*clients)
        again = await stack.enter_async_context(Client(server.url))
        await again.log_in(*ANN)
        one_time = (await operator("password", ANN[0])).splitlines()[2].strip()
        with pytest.raises(Refused, match="not valid"):
            await again.me()
        other = await stack.enter_async_context(Client(server.url))
        with pytest.raises(Refused, match="one-time password"):
            await other.log_in(ANN[0], one_time)
        assert (await other.log_in(ANN[0], one_time, "pearl diver 8")).account == ANN[0]
        with pytest.raises(Refused, match="Wrong account name or password"):
            await other.log_in(*ANN)
