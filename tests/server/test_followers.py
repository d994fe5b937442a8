"""Connections with bounded queues: a slow one is cut off and delays nobody."""

from __future__ import annotations

import asyncio
import socket
import struct
from pathlib import Path
from typing import Any

import pytest

from laguna import messages
from laguna.messages import Beat, Bye, Changed, Done, Here, Resign, Say
from laguna.server.live import followers, presence
from laguna.server.network import websocket
from laguna.table import redact
from tests.server.serving import ADA, BEN, CLEO, Server, sqlite, tables_at, two_players

pytestmark = pytest.mark.anyio


async def test_the_public_part_of_a_view_is_made_once_and_the_rest_once_for_each_player_and_all_spectators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str | None] = []
    public, own = redact._passing, redact._own

    def counted(table: Any, *rest: Any) -> Any:
        made.append("everyone")
        return public(table, *rest)

    def counted_own(table: Any, person_id: str | None, *rest: Any) -> Any:
        made.append(person_id)
        return own(table, person_id, *rest)

    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        people = [ADA, ADA, BEN, *(type(ADA)(f"guest{n}", "Guest") for n in range(5))]
        clients = [await server.client(person).__aenter__() for person in people]
        for client in clients:
            await client.follow(table)
        monkeypatch.setattr(redact, "_passing", counted)
        monkeypatch.setattr(redact, "_own", counted_own)
        await tables.request(ADA, Say(0, table, "hello"))
        for client in clients:
            await client.at_version(table, 5)
        assert sorted(map(str, made)) == ["", "ada", "ben", "everyone"]
        seen = [client.frames[-1] for client in clients[3:]]
        assert all(frame == seen[0] for frame in seen)
        for client in clients:
            await client.__aexit__()


async def test_followers_see_a_deleted_name_disappear(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        await tables.request(BEN, Resign(0, table))
        async with server.client(CLEO) as cleo:
            await cleo.follow(table)
            await cleo.at_version(table, 5)
            heard = len(cleo.frames)
            await tables.erase(ADA)
            while not (shown := [each for each in cleo.frames[heard:] if isinstance(each, messages.Table)]):
                await asyncio.sleep(0.01)
        assert [seat.name for seat in shown[-1].view.seats] == [None, "Ben"]
        assert shown[-1].view.version == 5 and "Ada" not in str(shown[-1])


async def test_a_client_that_does_not_read_is_cut_off_and_delays_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "LAST_WORDS", 0.3)
    monkeypatch.setattr(websocket, "MAX_WAITING", 100_000)
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables, small_buffers=True) as server:
        table = await two_players(tables)
        stuck = await deaf_follower(server.port, table)
        async with server.client(BEN) as ben:
            await ben.follow(table)
            while "cleo" not in tables.followers.people(table):
                await asyncio.sleep(0.01)
            longest = 0.0
            loop = asyncio.get_running_loop()
            while "cleo" in tables.followers.people(table):
                began = loop.time()
                await ben.ask(lambda number: Say(number, table, "x" * 500))
                longest = max(longest, loop.time() - began)
            assert longest < 10  # it could be forever
            assert [c.person.id for c in tables.followers.connections] == ["ben"]
        stuck.close()
        async with server.client(CLEO) as cleo:  # it can resume
            view = await cleo.follow(table, 3)
            assert view.version == (await tables.view(table, CLEO)).version


async def deaf_follower(port: int, table: str) -> socket.socket:
    """Follows a table as Cleo, and never reads a byte."""
    stuck = socket.create_connection(("127.0.0.1", port))
    stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stuck.sendall(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nAuthorization: cleo\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n"
    )
    await asyncio.sleep(0.2)
    text = messages.encode(messages.Follow(1, table))
    stuck.sendall(struct.pack("!BBL", 0x81, 0x80 | len(text), 0) + text)
    return stuck


async def test_a_silent_connection_gets_a_beat(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(followers, "BEAT", 0.05)
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server, server.client(ADA) as ada:
        await ada.until(lambda frame: isinstance(frame, Beat))


async def test_presence_is_broadcast_and_absence_becomes_an_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "ABSENT", 2)  # time to come again, on a busy machine too
    monkeypatch.setattr(presence, "PAUSE", 0.01)

    def here(seats: list[int], spectators: int) -> Any:
        return lambda frame: (
            isinstance(frame, Here) and (frame.seats, frame.spectators) == (seats, spectators)
        )

    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables, grace=0)
        async with server.client(ADA) as ada:
            await ada.follow(table)
            await ada.until(here([0], 0))
            async with server.client(CLEO) as cleo:
                await cleo.follow(table)
                await ada.until(here([0], 1))
                async with server.client(BEN) as ben:
                    await ben.follow(table)
                    await ada.until(here([0, 1], 1))
                    assert [seat.here for seat in ben.view(table).seats] == [True, True]
                async with server.client(BEN) as ben:  # soon enough
                    await ben.follow(table)
                    await asyncio.sleep(2.2)
                    assert (await tables.view(table, ADA)).version == 4
                    monkeypatch.setattr(presence, "ABSENT", 0.1)
                mark = len(ada.frames)
                await ada.until(here([0], 1), mark)
                view = await ada.at_version(table, 5)
                assert view.seats[1].left_at is not None
                await ada.ask(lambda number: messages.TakeOver(number, table, 1, "heron"))
                async with server.client(BEN) as ben:
                    view = await ben.follow(table)
                    assert (view.seats[1].left_at, view.seats[1].level) == (None, None)
                kinds = [line.kind for line in (await tables.look(ADA, table)).lines]
                assert "returned" in kinds


async def test_one_of_two_devices_is_enough_to_be_present(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "ABSENT", 0.1)
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        await tables.link(CLEO, table, 0)
        async with server.client(CLEO) as cleo, server.client(BEN) as ben:
            await cleo.follow(table)
            await ben.follow(table)
            async with server.client(ADA) as ada:
                await ada.follow(table)
            await asyncio.sleep(0.4)
            assert [seat.left_at for seat in (await tables.view(table, BEN)).seats] == [None, None]


async def test_leaving_on_purpose_takes_effect_at_once(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        async with server.client(ADA) as ada:
            await ada.follow(table)
            done = await ada.ask(lambda number: messages.Leave(number, table))
            assert isinstance(done, Done)
            assert ada.view(table).seats[0].left_at is not None


async def test_closing_says_when_to_reconnect(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        async with server.client(ADA) as ada, server.client(BEN) as ben:
            await ada.follow(table)
            under_way = [await ada.send(lambda n: Say(n, table, "last words")) for _ in range(5)]
            await asyncio.sleep(0.002)
            await tables.close()
            for client in (ada, ben):
                await client.closed.wait()
                bye = client.frames[-1]
                assert isinstance(bye, Bye)
                assert (bye.key, bye.again is not None) == ("closing", True)
            done = [frame.id for frame in ada.frames if isinstance(frame, Done) and frame.id in under_way]
            stored = (await tables._storage.versions([table]))[table]
            assert stored == 4 + len(done)  # what was not done was not begun
            found = [frame for frame in ada.frames if isinstance(frame, Changed)]
            assert len(found) == len(done)


async def test_a_client_that_does_not_answer_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followers, "BEAT", 0.6)
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        dead = await deaf_follower(server.port, await two_players(tables))
        async with server.client(ADA):
            while len(tables.followers.connections) < 2:
                await asyncio.sleep(0.01)
            while len(tables.followers.connections) > 1:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.5)
            assert [each.person.id for each in tables.followers.connections] == ["ada"]
        dead.close()


async def test_followers_forget_connections_that_are_gone(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables, Server(tables) as server:
        table = await two_players(tables)
        async with server.client(CLEO) as one:
            await one.follow(table)
            await one.follow(table)
            async with server.client(CLEO) as two:
                await two.follow(table)
                assert len(tables.followers.connections) == 2
            await one.ask(lambda number: messages.Unfollow(number, table))
            while len(tables.followers.connections) > 1:
                await asyncio.sleep(0.01)
            assert tables.followers.tables == []
            tables.followers.close_all_by({b""}, "logged-out", "You have logged out.")
            await one.closed.wait()
        while tables.followers.connections:
            await asyncio.sleep(0.01)
