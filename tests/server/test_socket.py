"""The websocket as a client sees it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import structlog
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from laguna import messages
from laguna.messages import Bye, Changed, Done, Follow, Hello, Ping, Refused, Say, Table, Unfollow
from laguna.server import logs
from laguna.server.live import broadcast
from laguna.server.network import socket
from tests.server.serving import ADA, BEN, CLEO, Server, sqlite, tables_at, two_players

pytestmark = pytest.mark.anyio


@pytest.fixture
def logged() -> Iterator[StringIO]:
    """What the server logs, as it does when it serves."""
    stream = StringIO()
    root, level = logging.getLogger(), logging.getLogger().level
    handlers = root.handlers[:]
    logs.set_up("json", stream=stream)
    yield stream
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


async def test_hello_ping_and_a_game_between_two(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server:
        table = await two_players(live)
        async with server.client(ADA) as ada, server.client(BEN) as ben, server.client(CLEO) as cleo:
            hello = await ada.until(lambda frame: True)
            assert isinstance(hello, Hello)
            assert (hello.protocol, hello.name) == (messages.PROTOCOL, "Ada")
            assert await ada.ask(Ping) == Done(1)
            for client in (ada, ben, cleo):
                await client.follow(table)
            for _ in range(20):
                view = ada.view(table)
                mover = ada if view.deciders == [0] else ben
                done = await mover.act(table)
                assert isinstance(done, Done), done
                assert done.version is not None
                for client in (ada, ben, cleo):
                    await client.at_version(table, done.version)
            for client in (ada, ben, cleo):
                assert [view.version for view in client.views(table)] == list(range(4, 25))
            assert cleo.view(table).game is not None
            assert cleo.view(table).game["legal"] == []  # type: ignore[index]


async def test_what_changed_comes_before_done(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server:
        table = await two_players(live)
        async with server.client(ADA) as ada:
            await ada.follow(table)
            for _ in range(20):
                done = await ada.ask(lambda number: Say(number, table, "and then?"))
                assert ada.view(table).version >= done.version
            numbers = [await ada.send(lambda n, k=k: Say(n, table, f"line {k}")) for k in range(40)]  # type: ignore[misc]
            await ada.until(lambda frame: getattr(frame, "id", None) == numbers[-1])
            assert [frame.id for frame in ada.frames if isinstance(frame, Done)][-40:] == numbers
            found = [line.text for f in ada.frames if isinstance(f, Changed) for line in f.lines]
            assert found[-40:] == [f"line {k}" for k in range(40)]  # in the order they were sent


async def test_follow_sends_what_was_missed_or_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "MAX_LINES", 10)
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server:
        table = await two_players(live)
        for number in range(12):
            await live.request(CLEO, Say(0, table, f"line {number}"))
        async with server.client(CLEO) as cleo:
            for seen, kind, first, count in [
                (0, Table, 7, 10),
                (3, Table, 7, 10),  # too long ago
                (6, Changed, 7, 10),
                (15, Changed, 16, 1),
                (16, Changed, None, 0),
                (99, Table, 7, 10),  # never was
            ]:
                mark = len(cleo.frames)
                view = await cleo.follow(table, seen)
                frame: Any = await cleo.until(lambda f: isinstance(f, Table | Changed), mark)
                assert isinstance(frame, kind), (seen, frame)
                assert view.version == 16
                assert len(frame.lines) == count
                assert not frame.lines or frame.lines[0].version == first
                if isinstance(frame, Changed):
                    assert frame.since == seen


async def test_one_socket_follows_several_tables_until_it_unfollows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "MAX_TABLES", 3)
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server:
        opened = [await two_players(live) for _ in range(4)]
        async with server.client(CLEO) as cleo:
            for table in opened[:3]:
                await cleo.follow(table)
            refused = await cleo.ask(lambda number: Follow(number, opened[3]))
            assert refused.key == "too-many-tables"
            await cleo.ask(lambda number: Unfollow(number, opened[0]))
            await cleo.follow(opened[3])
            for table in opened:
                await live.request(ADA, Say(0, table, "hello"))
            await cleo.at_version(opened[3], 5)
            assert [cleo.view(table).version for table in opened] == [4, 5, 5, 5]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"do": "dance", "id": 7}', "malformed"),
        ('{"do": "act", "id": 7}', "malformed"),
        ('{"do": "act", "id": 7, "table": "short", "version": 1, "action": "x"}', "malformed"),
        ('{"do": "ping", "id": 7, "more": 1}', "malformed"),
        ('{"do": "sit", "id": 7, "table": "' + "x" * 22 + '", "seat": ' + "9" * 5000 + "}", "malformed"),
        ('{"do": "sit", "id": 7, "table": "' + "x" * 22 + '"}', "no-table"),
    ],
)
async def test_what_makes_no_sense_is_refused_by_its_number(text: str, key: str, tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server, server.client(ADA) as ada:
        await ada.socket.send(text)
        refused = await ada.until(lambda frame: isinstance(frame, Refused))
        assert (refused.id, refused.key) == (7, key)
        await ada.ask(Ping)


@pytest.mark.parametrize(
    ("frame", "key"),
    [
        ("nonsense", "malformed"),
        ('{"do": "ping"}', "malformed"),
        ("[" * 5000, "malformed"),
        (b"\x00\x01", "malformed"),
        ('{"do": "ping", "id": ' + "9" * 5000 + "}", "malformed"),
        ('{"do": "say", "id": 1, "table": "' + "x" * 22 + '", "text": "\\ud800"}', "malformed"),
        ('{"do": "say", "id": 1, "table": "' + "x" * 22 + '", "text": "\\udc00"}', "malformed"),
        (json.dumps({"do": "say", "id": 1, "table": "x" * 22, "text": "x" * 9000}), "too-large"),
    ],
)
async def test_what_cannot_even_be_answered_ends_the_connection(
    frame: str | bytes, key: str, tmp_path: Path, logged: StringIO
) -> None:
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server, server.client(ADA) as ada:
        await ada.socket.send(frame)
        await ada.closed.wait()
        bye = ada.frames[-1]
        assert isinstance(bye, Bye)
        assert (bye.key, bye.again) == (key, None)
        assert not live.followers.connections
    assert "Traceback" not in logged.getvalue()


async def test_an_internal_failure_is_reported_without_internal_details(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logged: StringIO
) -> None:
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server, server.client(ADA) as ada:
        table = await two_players(live)

        async def broken(*_: object) -> None:
            raise ZeroDivisionError("in the depths")

        monkeypatch.setattr(live, "request", broken)
        refused = await ada.ask(lambda number: Say(number, table, "my secret"))
        assert (refused.key, "depths" in refused.sentence) == ("internal", False)
        monkeypatch.undo()
        assert isinstance(await ada.ask(lambda number: Say(number, table, "hello")), Done)
    assert "ZeroDivisionError" in logged.getvalue()
    assert "my secret" not in logged.getvalue()


async def test_a_client_that_asks_too_often_is_refused_and_then_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "MAX_DISREGARDED", 5)
    async with (
        tables_at(sqlite(tmp_path)) as live,
        Server(live, {"frame": "10/m", "say": "2/m"}) as server,
    ):
        table = await two_players(live)
        async with server.client(ADA) as ada:
            said = [await ada.ask(lambda number: Say(number, table, "hello")) for _ in range(4)]
            assert [getattr(each, "key", "done") for each in said] == ["done", "done", *["too-many"] * 2]
            for _ in range(20):
                await ada.send(Ping)
            await ada.closed.wait()
            bye = ada.frames[-1]
            assert isinstance(bye, Bye)
            assert bye.key == "too-many"
            assert bye.again


async def test_requests_that_make_no_sense_count_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "MAX_DISREGARDED", 5)
    async with (
        tables_at(sqlite(tmp_path)) as live,
        Server(live, {"frame": "10/m"}) as server,
        server.client(ADA) as ada,
    ):
        for number in range(1, 31):
            await ada.socket.send(f'{{"do": "dance", "id": {number}}}')
        await ada.until(lambda frame: isinstance(frame, Bye) or getattr(frame, "id", 0) == 30)
        keys = [frame.key for frame in ada.frames if isinstance(frame, Refused)]
        assert keys == ["malformed"] * 10 + ["too-many"] * 5
        assert isinstance(ada.frames[-1], Bye) and ada.frames[-1].key == "too-many"


@pytest.mark.parametrize(
    "text",
    [
        '{"do": "LONG", "id": 7}',
        '{"do": "ping", "id": 7, "LONG": 1}',
        '{"do": "sit", "id": 7, "table": "LONG"}',
        '{"do": "put-bot", "id": 7, "table": "TABLE", "seat": 1, "level": "LONG"}',
        '{"do": "act", "id": 7, "table": "TABLE", "version": 4, "action": "LONG"}',
        '{"do": "act", "id": 7, "table": "TABLE", "version": 4, "action": {"do": "LONG"}}',
        '{"do": "act", "id": 7, "table": "TABLE", "version": 4, "action": {"LONG": 1}}',
        '{"do": "preview", "id": 7, "table": "TABLE", "action": {"do": "place", "LONG": 1}}',
        '{"do": "LONG"}',
    ],
)
async def test_refusals_do_not_repeat_what_they_were_sent(text: str, tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server:
        table = await two_players(live)
        mover = ADA if (await live.view(table, ADA)).deciders == [0] else BEN
        async with server.client(mover) as client:
            await client.socket.send(text.replace("LONG", "x" * 7_000).replace("TABLE", table))
            found: Any = await client.until(lambda frame: isinstance(frame, Refused | Bye))
            assert "x" * 81 not in messages.encode(found).decode()


@pytest.mark.parametrize(
    "frames",
    [b"\x89\x80" + bytes(4), b"\x8a\x80" + bytes(4), b"\x00\x80" + bytes(4)],
    ids=["pings", "pongs", "parts"],
)
async def test_frames_that_are_not_requests_count_too(
    frames: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "MAX_DISREGARDED", 5)
    begun = b"\x01\x80" + bytes(4)  # the first part of a message
    async with (
        tables_at(sqlite(tmp_path)) as live,
        Server(live, {"frame": "10/m"}) as server,
        server.client(ADA) as ada,
    ):
        ada.socket.transport.write((begun if frames[0] == 0 else frames) + frames * 13)
        await asyncio.sleep(0.2)
        assert not ada.closed.is_set()
        ada.socket.transport.write(frames)
        await ada.closed.wait()
        bye = ada.frames[-1]
        assert isinstance(bye, Bye)
        assert (bye.key, bye.again) == ("too-many", 1.0)


async def test_unknown_people_are_not_let_in_and_a_full_server_says_so(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server:
        with pytest.raises(InvalidStatus) as denied:
            async with connect(f"ws://127.0.0.1:{server.port}/"):
                pass
        assert denied.value.response.status_code == 403
        server._socket._most_sockets = 1
        async with server.client(ADA) as ada, server.client(BEN) as ben:
            await ada.ask(Ping)
            bye = await ben.until(lambda frame: isinstance(frame, Bye))
            assert (bye.key, bye.again is not None) == ("full", True)


async def test_a_client_that_disconnects_during_a_request_finds_it_done(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server:
        table = await two_players(live)
        async with server.client(ADA) as ada:
            view = await ada.follow(table)
            await ada.send(lambda number: Say(number, table, "I am off"))
            ada.socket.transport.abort()
            await ada.closed.wait()
        async with server.client(ADA) as again:
            while (await again.follow(table, view.version)).version == view.version:
                await asyncio.sleep(0.01)
            rest = [f for f in again.frames if isinstance(f, Changed)][-1]
            assert [line.text for line in rest.lines if line.text] == ["I am off"]
