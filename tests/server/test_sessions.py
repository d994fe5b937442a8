"""Logging out takes effect everywhere: on every server, and on sockets that are already open."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest

from laguna.client import Client, FollowedTable, Refused
from laguna.server.people import sessions
from laguna.server.people.identity import hash_of
from tests.server.nats_server import NatsServer
from tests.server.nursery import Forked, Nursery

pytestmark = pytest.mark.anyio
ANN = ("Ann.1", "coral reef 7")


@pytest.fixture(scope="module")
def nats() -> Iterator[NatsServer]:
    with NatsServer() as server:
        yield server


@pytest.fixture
async def two_servers(
    tmp_path: Path, servers: Nursery, postgresql_url: str, nats: NatsServer, anyio_backend: str
) -> AsyncIterator[tuple[Forked, Forked]]:
    """Two servers on one database and one bus."""
    shared = {"database": postgresql_url, "data": str(tmp_path), "bus": nats.url}
    for _ in range(3):  # on a busy machine two servers once did not find each other over the bus
        async with servers.server(**shared) as one, servers.server(**shared) as two:
            with contextlib.suppress(TimeoutError):
                await hear_each_other(one, two)
                yield one, two
                return
    raise TimeoutError("the servers do not hear each other")


async def hear_each_other(one: Forked, two: Forked) -> None:
    """Who is on the other server is known only through the bus."""
    async with Client(one.url) as ada, Client(two.url) as ben:
        table = await ada.open_table("neptune-vesta")
        async with ada.follow(table) as adas, ben.join(table) as bens, asyncio.timeout(25):
            while not adas.here == bens.here == [0, 1]:
                await asyncio.sleep(0.05)


async def devices(urls: list[str], stack: contextlib.AsyncExitStack) -> list[Client]:
    """Ann's devices, each connected to one of those servers and following her table."""
    first = await stack.enter_async_context(Client(urls[0]))
    await first.make_account(*ANN)
    table = await first.open_table("neptune-vesta")
    clients = [first]
    for url in urls[1:]:
        clients.append(await stack.enter_async_context(Client(url)))
        await clients[-1].log_in(*ANN)
    for each in clients:
        await stack.enter_async_context(each.follow(table))
    return clients


def table_of(client: Client) -> FollowedTable:
    [table] = client.connection.tables.values()
    assert isinstance(table, FollowedTable)
    return table


async def check_logged_out(*out: Client, others: Sequence[Client] = ()) -> None:
    """Their sockets are closed for good; the others go on as if nothing had happened."""
    for client in out:
        with pytest.raises(Refused):
            await table_of(client).until(lambda view: False)
    for client in others:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await table_of(client).until(lambda view: False)


@pytest.mark.proof
async def test_logging_out_everywhere_closes_sockets_on_all_servers(
    two_servers: tuple[Forked, Forked],
) -> None:
    one, two = two_servers
    async with contextlib.AsyncExitStack() as stack:
        clients = await devices([one.url, one.url, two.url, two.url], stack)
        other = await stack.enter_async_context(Client(two.url))
        await stack.enter_async_context(other.follow(*clients[0].connection.tables))
        await clients[0].log_out(everywhere=True)
        await check_logged_out(*clients, others=[other])


async def test_logging_out_closes_only_that_device(two_servers: tuple[Forked, Forked]) -> None:
    one, two = two_servers
    async with contextlib.AsyncExitStack() as stack:
        clients = await devices([one.url, one.url, two.url], stack)
        laptop = await stack.enter_async_context(
            Client(two.url, clients[0].token)
        )  # the same token elsewhere
        await stack.enter_async_context(laptop.follow(*clients[0].connection.tables))
        await clients[0].log_out()
        await check_logged_out(clients[0], laptop, others=clients[1:])


async def test_logging_out_a_device_closes_its_sockets_on_all_servers(
    two_servers: tuple[Forked, Forked],
) -> None:
    one, two = two_servers
    async with contextlib.AsyncExitStack() as stack:
        clients = await devices([one.url, two.url, two.url, one.url], stack)
        [second] = [each.id for each in await clients[1].devices() if each.this]
        await clients[0].end_device(second, ANN[1])
        await check_logged_out(clients[1], others=[clients[0], *clients[2:]])
        await clients[2].end_other_devices(ANN[1])
        await check_logged_out(clients[0], clients[3], others=[clients[2]])
        assert [(each.this, each.client) for each in await clients[2].devices()] == [(True, "program")]


@pytest.mark.proof
async def test_a_new_password_closes_the_sockets_of_other_devices(two_servers: tuple[Forked, Forked]) -> None:
    one, two = two_servers
    async with contextlib.AsyncExitStack() as stack:
        clients = await devices([one.url, one.url, two.url], stack)
        await clients[1].change_password(ANN[1], "pearl diver 8")
        await check_logged_out(clients[0], clients[2], others=[clients[1]])
        await table_of(clients[1]).say("I am still here.")


async def test_a_guest_who_makes_an_account_at_the_table_continues_with_the_new_token(
    two_servers: tuple[Forked, Forked],
) -> None:
    one, two = two_servers
    async with contextlib.AsyncExitStack() as stack:
        guest = await stack.enter_async_context(Client(one.url))
        table = await guest.open_table("neptune-vesta")
        thief = await stack.enter_async_context(Client(two.url, guest.token))
        for each in (guest, thief):
            await stack.enter_async_context(each.follow(table))
        await guest.make_account(*ANN)
        await check_logged_out(thief, others=[guest])


async def test_without_the_bus_sockets_are_closed_by_the_next_check(
    tmp_path: Path, servers: Nursery, postgresql_url: str
) -> None:
    """Two servers that cannot hear each other; the second looks as often as a test can wait."""
    shared = {"database": postgresql_url, "data": str(tmp_path)}
    async with (
        servers.server(**shared) as one,
        servers.server(**shared, plant="looks_at_tokens_often") as two,
        contextlib.AsyncExitStack() as stack,
    ):
        clients = await devices([one.url, two.url], stack)
        await clients[0].log_out(everywhere=True)
        await check_logged_out(clients[1])


async def test_an_open_socket_counts_as_use_of_its_token(tmp_path: Path, servers: Nursery) -> None:
    database = tmp_path / "laguna.sqlite"
    async with (
        servers.server(
            database=f"sqlite:///{database}", data=str(tmp_path), plant="looks_at_tokens_often"
        ) as server,
        contextlib.AsyncExitStack() as stack,
    ):
        [client] = await devices([server.url], stack)
        with contextlib.closing(sqlite3.connect(database)) as sql, sql:
            days = "100 * 86400000"
            sql.execute(f"UPDATE tokens SET created = created - {days}, used = used - {days}")
        await asyncio.sleep(1)  # it looks twice meanwhile
        await check_logged_out(others=[client])
        with contextlib.closing(sqlite3.connect(database)) as sql:
            used = sql.execute("SELECT used FROM tokens WHERE hash = ?", [hash_of(client.token or "")])
            assert sessions.now() - used.fetchone()[0] < 60_000


async def test_a_session_that_ends_closes_its_socket(tmp_path: Path, servers: Nursery) -> None:
    database = tmp_path / "laguna.sqlite"
    async with (
        servers.server(
            database=f"sqlite:///{database}", data=str(tmp_path), plant="looks_at_tokens_often"
        ) as server,
        contextlib.AsyncExitStack() as stack,
    ):
        clients = await devices([server.url, server.url], stack)
        guest = await stack.enter_async_context(Client(server.url))
        await stack.enter_async_context(guest.follow(*clients[0].connection.tables))
        with contextlib.closing(sqlite3.connect(database)) as sql, sql:
            old = [hash_of(each.token or "") for each in (clients[0], guest)]
            sql.execute("UPDATE tokens SET created = created - 366 * 86400000 WHERE hash IN (?, ?)", old)
        await check_logged_out(clients[0], others=[clients[1], guest])
