"""Several servers share tables: over one database and a real NATS, which may fail."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import laguna
from laguna import messages
from laguna.bots import BOTS
from laguna.game import Action, Game
from laguna.messages import Done, Here, NewTable, Say, SeatWish
from laguna.server.live import background, presence
from laguna.server.live.bot_jobs import decode_answer, encode, job_for
from laguna.server.live.bus import Nats, Notice
from laguna.server.live.requests import Tables
from laguna.table.entries import Settings
from tests.server.nats_server import NatsServer
from tests.server.serving import ADA, BEN, Server, play_one, sqlite, tables_at, two_players

pytestmark = pytest.mark.anyio

NEPTUNE = Settings("neptune-vesta", players=2)
WORKER = "import asyncio, sys; from laguna.server.worker import work; asyncio.run(work(sys.argv[1], 1))"


@pytest.fixture(scope="module")
def nats() -> Iterator[NatsServer]:
    with NatsServer() as server:
        yield server


async def until(true: Callable[[], Any]) -> None:
    while not true():
        await asyncio.sleep(0.01)


async def connected(*buses: Nats) -> None:
    await until(lambda: all(bus.connected for bus in buses))


async def test_a_table_is_reached_through_two_servers_alternately(url: str, nats: NatsServer) -> None:
    buses = Nats(nats.url), Nats(nats.url)
    async with (
        tables_at(url, buses[0]) as one,
        tables_at(url, buses[1]) as two,
        Server(one) as first,
        Server(two) as second,
    ):
        await connected(*buses)
        table = await two_players(one)
        async with first.client(ADA) as ada, second.client(BEN) as ben:
            await ada.follow(table)
            await ben.follow(table)
            await until(lambda: table in buses[0]._subscribed and table in buses[1]._subscribed)
            for _ in range(40):
                view = ada.view(table)
                done = await (ada if view.deciders == [0] else ben).act(table)
                assert isinstance(done, Done), done
                assert done.version is not None
                views = [await each.at_version(table, done.version) for each in (ada, ben)]
                assert views[0].deciders == views[1].deciders
            for each in (ada, ben):  # neither misses a version or hears one twice
                assert [view.version for view in each.views(table)] == list(range(4, 45))


async def test_simultaneous_requests_to_both_servers_all_get_through(url: str, nats: NatsServer) -> None:
    async with tables_at(url, Nats(nats.url)) as one, tables_at(url, Nats(nats.url)) as two:
        table = await two_players(one)

        async def chat(tables: Tables, name: str) -> None:
            for number in range(20):
                await tables.request(ADA, Say(0, table, f"{name} {number}"))

        await asyncio.gather(chat(one, "one"), chat(two, "two"))
        lines = [line.text for line in (await two.look(ADA, table)).lines if line.text]
        for name in ("one", "two"):
            assert [line for line in lines if line.startswith(name)] == [f"{name} {n}" for n in range(20)]


async def test_what_was_seen_on_one_server_is_known_on_the_other(url: str, nats: NatsServer) -> None:
    """Without following, and before any notice could have come."""
    async with tables_at(url, Nats(nats.url)) as one, tables_at(url, Nats(nats.url)) as two:
        table = await two_players(one)
        for turn in range(10):
            version = await play_one((one, two)[turn % 2], table)
            assert (await (two, one)[turn % 2].view(table, ADA)).version == version


async def test_a_lost_notice_is_healed_by_the_poll(
    tmp_path: Path, nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "POLL", 0.2)
    monkeypatch.setattr(Nats, "publish", lambda self, notice: None)
    database = sqlite(tmp_path)
    async with (
        tables_at(database, Nats(nats.url)) as one,
        tables_at(database, Nats(nats.url)) as two,
        Server(two) as second,
    ):
        table = await two_players(one)
        async with second.client(BEN) as ben:
            await ben.follow(table)
            version = await play_one(one, table)
            assert (await ben.at_version(table, version)).version == version


async def test_servers_work_without_the_bus_and_find_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "POLL", 0.2)
    nats = NatsServer()  # not there yet
    buses = Nats(nats.url), Nats(nats.url)
    database = sqlite(tmp_path)
    async with (
        tables_at(database, buses[0]) as one,
        tables_at(database, buses[1]) as two,
        Server(two) as second,
    ):
        table = await two_players(one)
        async with second.client(BEN) as ben:
            await ben.follow(table)
            await ben.at_version(table, await play_one(one, table))
            for _ in range(2):
                nats.start()
                await connected(*buses)
                monkeypatch.setattr(background, "POLL", 60)
                await asyncio.sleep(0.3)
                await until(lambda: table in buses[1]._subscribed)
                await ben.at_version(table, await play_one(one, table))
                nats.stop()
                await until(lambda: not buses[0].connected)
                await play_one(one, table)  # nobody waits for the bus
    nats.stop()


def test_a_bus_that_is_gone_can_be_closed() -> None:
    """On the event loop of servers, with a notice that nobody takes."""
    uvloop = pytest.importorskip("uvloop")

    async def lose_and_close() -> None:
        with NatsServer() as server:
            bus = Nats(server.url)
            await bus.start(lambda notice: None)
            await connected(bus)
            server.stop()
            await until(lambda: not bus.connected)
            bus.publish(Notice("one", "a", 1))
            await until(lambda: bus._client and bus._client.pending_data_size)
            await bus.close()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(lose_and_close())


async def test_presence_is_known_across_servers(
    tmp_path: Path, nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "ABSENT", 0.6)
    monkeypatch.setattr(presence, "PAUSE", 0.01)
    database = sqlite(tmp_path)
    buses = Nats(nats.url), Nats(nats.url)
    async with (
        tables_at(database, buses[0]) as one,
        tables_at(database, buses[1]) as two,
        Server(one) as first,
        Server(two) as second,
    ):
        await connected(*buses)
        table = await two_players(one)
        async with first.client(ADA) as ada:
            await ada.follow(table)
            async with first.client(BEN) as ben:
                await ben.follow(table)
                await ada.until(lambda f: isinstance(f, Here) and f.seats == [0, 1])
            await until(lambda: table in buses[0]._subscribed)
            mark = len(ada.frames)
            async with second.client(BEN) as ben:  # goes on elsewhere
                await ben.follow(table)
                await ada.until(lambda f: isinstance(f, Here) and f.seats == [0, 1], mark)
                await asyncio.sleep(1)
                assert [seat.left_at for seat in (await one.view(table, ADA)).seats] == [None, None]
            while (await one.view(table, ADA)).seats[1].left_at is None:
                await asyncio.sleep(0.02)


async def test_a_person_who_is_here_after_all_is_back(tmp_path: Path, nats: NatsServer) -> None:
    """Another server wrote that somebody has left who is connected to this one."""
    database = sqlite(tmp_path)
    buses = Nats(nats.url), Nats(nats.url)
    async with (
        tables_at(database, buses[0]) as one,
        tables_at(database, buses[1]) as two,
        Server(two) as at,
    ):
        await connected(*buses)
        table = await two_players(one)
        async with at.client(BEN) as ben:
            await ben.follow(table)
            await until(lambda: table in buses[1]._subscribed)
            await one.request(BEN, messages.Leave(0, table))
            await ben.at_version(table, 6)
            assert ben.view(table).seats[1].left_at is None


# ------------------------------------------------------------------ bots


@pytest.mark.proof
async def test_a_worker_computes_the_moves_of_bots(
    tmp_path: Path, nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    here: list[int] = []

    def not_here(game: Game, seed: int) -> Action:
        here.append(seed)
        return game.legal()[0]

    monkeypatch.setitem(BOTS, "heron", not_here)
    worker = subprocess.Popen([sys.executable, "-c", WORKER, nats.url])
    try:
        bus = Nats(nats.url)
        async with tables_at(sqlite(tmp_path), bus) as tables:
            await connected(bus)
            probe = encode(job_for(laguna.new("neptune-vesta", seed=1), 0, "heron"))
            while (answer := await bus.ask(probe, 5)) is None or decode_answer(answer).problem:
                await asyncio.sleep(0.05)  # it is not there yet, or still loads the game
            seats = [SeatWish("bot", "heron"), SeatWish("bot", "heron")]
            view = await tables.open(ADA, NewTable(NEPTUNE, seats, start=True))
            while (await tables.view(view.table, ADA)).status != "over":
                await asyncio.sleep(0.02)
            assert here == []
    finally:
        worker.kill()
        worker.wait()


async def test_without_workers_bots_still_move(tmp_path: Path, nats: NatsServer) -> None:
    bus = Nats(nats.url)
    async with tables_at(sqlite(tmp_path), bus) as tables:
        await connected(bus)
        seats = [SeatWish("bot", "heron"), SeatWish("bot", "greedy")]
        view = await tables.open(ADA, NewTable(NEPTUNE, seats, start=True))
        while (await tables.view(view.table, ADA)).status != "over":
            await asyncio.sleep(0.02)


async def test_a_worker_that_answers_nonsense_or_nothing_is_not_waited_for(
    tmp_path: Path, nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from laguna.server.live.bus import JOBS, WORKERS, connect

    bus = Nats(nats.url)
    rogue = await connect(nats.url, "rogue")
    answers = iter([b"nonsense", b"", None])

    async def answer(message: Any) -> None:
        found = next(answers, None)
        if found is not None:
            await message.respond(found)

    await rogue.subscribe(JOBS, queue=WORKERS, cb=answer)
    await rogue.flush()
    async with tables_at(sqlite(tmp_path), bus, patience=0.2) as tables:
        await connected(bus)
        seats = [SeatWish("bot", "heron"), SeatWish("bot", "heron")]
        view = await tables.open(ADA, NewTable(NEPTUNE, seats, start=True))
        while (await tables.view(view.table, ADA)).version < view.version + 5:
            await asyncio.sleep(0.02)
    await rogue.close()


async def test_notices_reach_those_who_listen_and_only_them(nats: NatsServer) -> None:
    heard: list[Notice] = []
    one, two = Nats(nats.url), Nats(nats.url)
    await one.start(lambda notice: None)
    await two.start(heard.append)
    await connected(one, two)
    two.listen("a")
    await until(lambda: "a" in two._subscribed)
    assert two._client is not None
    await two._client.flush()
    for number in range(3):
        one.publish(Notice("one", "a", number))
        one.publish(Notice("one", "b", number))
    await until(lambda: len(heard) == 3)
    assert [notice.version for notice in heard] == [0, 1, 2]
    two.forget("a")
    await until(lambda: "a" not in two._subscribed)
    one.publish(Notice("one", "a", 9))
    await asyncio.sleep(0.1)
    assert len(heard) == 3
    await one.close()
    await two.close()
