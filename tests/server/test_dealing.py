"""Dealing from shares over the network: two servers, restarts, people who do not answer, bots, rematches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from laguna import messages
from laguna.client import Client, FollowedTable, Refused, play
from laguna.client.client import ShareBody
from laguna.fair import seal_of
from tests.server.nats_server import NatsServer
from tests.server.nursery import Forked, Nursery

pytestmark = pytest.mark.anyio
NOBODY = "nobody chose it"


@asynccontextmanager
async def two_servers(url: str, servers: Nursery) -> AsyncIterator[list[Forked]]:
    """On one database, with a bus between them."""
    async with AsyncExitStack() as stack:
        nats = stack.enter_context(NatsServer())
        settings = {"database": url, "bus": nats.url, "plant": "impatient_dealing"}
        yield [await stack.enter_async_context(servers.server(**settings)) for _ in range(2)]


@asynccontextmanager
async def seated(ann: Client, bob: Client) -> AsyncIterator[tuple[FollowedTable, FollowedTable]]:
    """A table that Ann opened, and at which Bob has sat down."""
    table_id = await ann.open_table("neptune-vesta", rounds=1)
    async with ann.follow(table_id) as anns, bob.join(table_id) as bobs:
        await anns.until(lambda view: view.fair is not None and None not in view.fair.seals)
        yield anns, bobs


def silence(table: FollowedTable) -> None:
    """Its share will not be opened."""
    table.witness._broken = "This client says nothing."


async def test_people_at_two_servers_deal_and_check(postgresql_url: str, servers: Nursery) -> None:
    async with (
        two_servers(postgresql_url, servers) as (one, other),
        Client(one.url) as ann,
        Client(other.url) as bob,
        seated(ann, bob) as (anns, bobs),
    ):
        await anns.start()
        await bobs.until(lambda view: view.status == "playing")
        assert [line.kind for line in anns.lines].count("shared") == 2
        await anns.resign()
        await bobs.until(lambda view: view.status == "over")
        for client in (ann, bob):
            assert any(NOBODY in sentence for sentence in await client.check_deal(anns.id))


async def test_a_server_that_dies_while_it_deals_goes_on_when_it_is_back(url: str, servers: Nursery) -> None:
    server = servers.server(database=url, plant="impatient_dealing")
    async with server, Client(server.url) as ann, Client(server.url) as bob, seated(ann, bob) as (anns, bobs):
        silence(bobs)
        await anns._connection.ask(lambda id: messages.Start(id, anns.id))
        await anns.until(lambda view: view.fair is not None and view.fair.awaited == [1])
        await server.kill()
        await server.start()
        view = await anns.until(lambda view: view.status == "playing")
        assert view.fair is not None and view.fair.awaited == []
        await anns.resign()
        assert f"Without a share: {view.seats[1].name}." in await ann.check_deal(anns.id)


async def test_against_bots_the_game_is_dealt_before_it_can_be_followed(
    servers: Nursery, sqlite_url: str
) -> None:
    async with servers.server(database=sqlite_url) as server, Client(server.url) as client:
        table_id = await client.open_table("neptune-vesta", seats=["me", "random"], start=True, rounds=1)
        async with client.follow(table_id) as table:
            assert table.view.status == "playing"
            await play(table, "random")
            assert any(NOBODY in sentence for sentence in await client.check_deal(table_id))
            again = await table.rematch()
        async with client.follow(again) as table:
            assert table.view.status == "playing"
            await table.resign()
            assert any(NOBODY in sentence for sentence in await client.check_deal(again))
        assert client.witnesses[table_id].seal != client.witnesses[again].seal


async def test_a_rematch_with_others_is_sealed_by_everyone_who_comes(
    servers: Nursery, sqlite_url: str
) -> None:
    async with (
        servers.server(database=sqlite_url) as server,
        Client(server.url) as ann,
        Client(server.url) as bob,
        seated(ann, bob) as (anns, bobs),
    ):
        await anns.start()
        await anns.resign()
        following = await anns.rematch()
        async with ann.follow(following) as anns, bob.follow(following) as bobs:
            await bobs.until(lambda view: view.fair is not None and None not in view.fair.seals)
            await anns.start()
            await anns.resign()
            assert any(NOBODY in sentence for sentence in await bob.check_deal(following))


async def test_requests_about_shares_over_http(servers: Nursery, sqlite_url: str) -> None:
    """A client of its own, which knows no websocket."""
    share = b"s" * 32
    async with servers.server(database=sqlite_url) as server, Client(server.url) as client:
        table_id = await client.open_table("atlantis", 2, seats=["open", "heron"])
        path = f"/api/tables/{table_id}"
        for body, refusal in (("not hex", "body"), (share.hex(), "no-seat")):
            with pytest.raises(Refused) as refused:
                await client._ask("POST", f"{path}/share", messages.Done, ShareBody(body))
            assert refused.value.key == refusal
        sit = messages.Sit(0, table_id, 0, seal_of(share))
        await client.connection.ask(lambda id: messages.Sit(id, sit.table, sit.seat, sit.seal))
        await client._request("POST", f"{path}/start", None)
        await client._ask("POST", f"{path}/share", messages.Done, ShareBody(share.hex()))
        (mine,) = await client.my_tables()
        assert mine.status == "playing"
