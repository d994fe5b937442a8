"""The client against a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import ServerConnection, serve

from laguna.client import Client, FollowedTable, Refused, Unanswered, Unreachable, play
from laguna.client.table import Form
from laguna.errors import BadOption
from tests.server.nats_server import free_port
from tests.server.nursery import Forked
from tests.server.wire import Cut, Wire

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def alone(url: str) -> AsyncIterator[FollowedTable]:
    """A game that one client plays for both seats."""
    async with Client(url) as client:
        table_id = await client.open_table("neptune-vesta", seats=["me", "me"], start=True)
        async with client.follow(table_id) as table:
            yield table


@asynccontextmanager
async def two(url: str) -> AsyncIterator[tuple[FollowedTable, FollowedTable]]:
    """A game of two, who moves first."""
    async with Client(url) as ann, Client(url) as bob:
        table_id = await ann.open_table("neptune-vesta")
        async with ann.follow(table_id) as anns, bob.join(table_id) as bobs:
            version = await anns.start()
            await bobs.until(lambda view: view.version >= version)
            yield (anns, bobs) if anns.my_turn else (bobs, anns)


# ------------------------------------------------------------------ who and where


async def test_a_token_identifies_somebody(server: Forked) -> None:
    async with Client(server.url) as guest:
        await guest.rename("Ann")
        table_id = await guest.open_table("atlantis", 3)
    async with Client(server.url, guest.token) as again, Client(server.url) as other:
        assert (await again.me()).name == "Ann"
        assert [table.table for table in await again.my_tables()] == [table_id]
        assert await other.my_tables() == []


async def test_a_wrong_token_is_refused(server: Forked) -> None:
    async with Client(server.url, "nobody's") as client:
        with pytest.raises(Refused) as refused:
            await client.me()
        assert refused.value.key == "who"
        with pytest.raises(Refused):
            async with client.follow("A" * 22):
                pass


async def test_games_and_listed_tables(server: Forked) -> None:
    async with Client(server.url) as client:
        catalogue = await client.games()
        assert {game.id for game in catalogue.games} >= {"neptune-vesta", "venice-2099"}
        assert await client.tables() == []
        table_id = await client.open_table("neptune-vesta", listed=True, rounds=1)
        (listed,) = await client.tables()
        assert (listed.table, listed.game, listed.status) == (table_id, "neptune-vesta", "open")


async def test_no_such_table(server: Forked) -> None:
    async with Client(server.url) as client:
        with pytest.raises(Refused, match="There is no such table"):
            async with client.follow("A" * 22):
                pass


async def test_a_seat_link_gives_the_seat_until_it_is_revoked(server: Forked) -> None:
    async with Client(server.url) as client, Client(server.url) as device:
        table_id = await client.open_table("neptune-vesta", seats=["me", "me"], start=True)
        link = (await client.link(table_id, 1)).link
        async with device.join(link) as table:
            assert table.view.mine == [1]
            await client.revoke_links(table_id, 1)
            await table.until(lambda view: view.mine == [])
        with pytest.raises(Refused):
            await device.open_link(link)


# ------------------------------------------------------------------ at the table


async def test_what_one_player_does_the_other_sees(server: Forked) -> None:
    async with two(server.url) as (first, second):
        action = first.legal[0]
        version = await first.act(action)
        assert first.version == version and not first.my_turn and first.legal == []
        view = await second.until(lambda view: view.version >= version)
        assert second.my_turn and view.deciders == second.view.mine
        line = second.lines[-1]
        assert (line.kind, line.seat, line.version) == ("acted", first.view.mine[0], version)


async def test_a_refusal_says_why(server: Forked) -> None:
    async with two(server.url) as (first, second):
        with pytest.raises(Refused) as illegal:
            await first.act(f"{first.game['hand'][0]}Rc3")
        assert (illegal.value.key, illegal.value.clause) == ("cell-taken", "N8")
        assert "Rc3" in illegal.value.sentence
        before = second.version
        with pytest.raises(Refused) as early:
            await second.act({"do": "place", "tile": 1, "at": "Ra1"})
        assert early.value.key == "not-your-turn" and second.version == before


async def test_chat_resigning_and_the_rematch(server: Forked) -> None:
    async with two(server.url) as (first, second):
        await first.say("Good luck!")
        await second.until(lambda view: second.lines[-1].text == "Good luck!")
        await second.resign()
        view = await first.until(lambda view: view.status == "over")
        assert view.result is not None
        assert (view.result.how, view.result.winners) == ("resigned", first.view.mine)
        following = await first.rematch()
        assert (await second.until(lambda view: view.next is not None)).next == following


async def test_changed_reports_every_change_once(server: Forked) -> None:
    async with alone(server.url) as table:
        assert (await table.changed()).version == table.version  # the first view
        waiting = asyncio.create_task(table.changed())
        await table.act(table.legal[0])
        assert (await waiting).version == table.version
        await table.act(table.legal[0])
        assert (await table.changed()).version == table.version  # it came before we asked
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(table.changed(), 0.1)


async def test_a_hot_seat_view_is_that_of_the_seat_to_decide(server: Forked) -> None:
    async with alone(server.url) as table:
        for _ in range(4):
            assert table.view.mine == [0, 1]
            assert [table.game["seat"]] == table.view.deciders
            await table.act(table.legal[0])


async def test_take_back(server: Forked) -> None:
    async with Client(server.url) as client:
        table_id = await client.open_table("venice-2099", 2, seats=["me", "me"], start=True)
        async with client.follow(table_id) as table:
            before = table.game
            await table.act(table.legal[0])
            assert table.game != before and "take-back" in table.view.may
            await table.take_back()
            assert table.game == before and table.lines[-1].kind == "took-back"


# ------------------------------------------------------------------ playing


async def test_play_with_a_function_a_coroutine_and_names(server: Forked) -> None:
    async def thinking(table: FollowedTable) -> Form:
        await asyncio.sleep(0)
        return table.legal[-1]

    async with two(server.url) as (first, second):
        results = await asyncio.gather(play(first, lambda table: table.legal[0]), play(second, thinking))
        assert results[0] == results[1] and results[0].how == "played"
    async with two(server.url) as (first, second):
        await asyncio.gather(play(first, "random"), play(second, "random"))
        with pytest.raises(BadOption, match="random or hint"):
            await play(first, "heron")


async def test_play_by_hint(server: Forked) -> None:
    async with Client(server.url) as client:
        table_id = await client.open_table("neptune-vesta", seats=["me", "turtle"], start=True, rounds=1)
        async with client.follow(table_id) as table:
            await table.until(lambda view: "act" in view.may)
            choices = await table.hint(0.05)
            assert choices[0]["action"] in [choice["action"] for choice in choices]
            assert (await table.preview(choices[0]["value"])).version == table.version
            playing = asyncio.create_task(play(table, "hint"))
            await table.until(lambda view: (view.game or {})["actions"] >= 4)
            playing.cancel()


# ------------------------------------------------------------------ bad connections


async def test_it_resumes_after_a_drop_and_misses_nothing(server: Forked) -> None:
    async with two(server.url) as (first, second):
        players = [first, second]
        for number in range(8):
            acting = players[number % 2]
            await acting.until(lambda view: "act" in view.may)
            await acting.act(acting.legal[0])
            players[number // 2 % 2]._connection.drop()
        for table in players:
            await table.until(lambda view: (view.game or {})["actions"] == 8)
            assert [line.version for line in table.lines] == list(range(1, table.version + 1))


async def test_it_reconnects_when_the_server_is_back(server: Forked) -> None:
    async with alone(server.url) as table:
        await table.act(table.legal[0])
        await server.kill()
        acting = asyncio.create_task(table.act(table.legal[0]))
        await asyncio.sleep(0.1)
        assert not acting.done()
        await server.start()
        assert await acting == table.version
        assert table.game["actions"] == 2


async def test_chat_is_not_sent_twice(server: Forked) -> None:
    async with Wire(server.port) as wire, alone(f"http://127.0.0.1:{wire.port}") as table:
        wire.cut = Cut.NO_ANSWER
        await table.say("once")
        wire.cut = Cut.HALF_REQUEST
        with pytest.raises(Unanswered) as unanswered:
            await table.say("never")
        assert unanswered.value.arguments == {"request": "say"}
        await table.say("last")
        assert [line.text for line in table.lines if line.kind == "said"] == ["once", "last"]


@pytest.mark.parametrize("cut", Cut)
async def test_every_request_survives_a_cut(server: Forked, cut: Cut) -> None:
    async with Wire(server.port) as wire, Client(f"http://127.0.0.1:{wire.port}") as client:
        table_id = await client.open_table("neptune-vesta", seats=["open", "open"])
        async with client.follow(table_id) as table:
            for request in (
                lambda: table.sit(0),
                lambda: table.stand(0),
                lambda: table.sit(),
                lambda: table.put_bot(1, "random"),
                lambda: table.start(),
                lambda: table.resign(),
                lambda: table.rematch(),
            ):
                before, wire.cut = wire.cuts, cut
                await request()
                await wire.was_cut(before)
    silent = ("acted", "sealed", "dealing", "shared")
    kinds = [line.kind for line in table.lines if line.kind not in silent]
    assert kinds == ["opened", "sat", "stood", "sat", "bot-sat", "started", "resigned", "rematched"]


async def test_a_server_that_is_not_there() -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(Unreachable):
        async with Client(nowhere):
            pass
    async with Client(nowhere, "token", patience=0.2) as client:
        with pytest.raises(Unreachable, match=r"cannot be reached"):
            async with client.follow("A" * 22):
                pass


async def test_what_json_cannot_hold_is_not_sent(server: Forked) -> None:
    async with alone(server.url) as table, Client(server.url) as client:
        for asked in (
            client.rename("\ud800"),
            client.open_table("neptune-vesta", rounds=10**5000),
            table.say("half a whale: \ud83d"),
            table.preview({"do": "place", "tile": 10**5000}),
        ):
            with pytest.raises(BadOption, match="cannot be sent"):
                await asked
        await table.say("a whole whale: \N{SPOUTING WHALE}")


NONSENSE = [b"", b"[]", b"{", b'{"token": "\xff", "name": ""}', b'{"token":' + b"9" * 5000, b"[" * 100_000]


@pytest.mark.parametrize("said", NONSENSE)
@pytest.mark.parametrize("status", [200, 500])
async def test_a_server_that_answers_nonsense_is_reported_in_a_sentence(said: bytes, status: int) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {status} Whatever\r\nContent-Length: {len(said)}\r\n\r\n".encode() + said)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(answer, "127.0.0.1") as listening:
        port = listening.sockets[0].getsockname()[1]
        with pytest.raises(Refused, match="answered"):
            async with Client(f"http://127.0.0.1:{port}"):
                pass


@pytest.mark.parametrize("said", [b"{", b'{"is": "hello", "name": "\xff"}', b"[" * 100_000])
async def test_nonsense_frames_do_not_make_the_client_wait_forever(said: bytes) -> None:
    async def talk(socket: ServerConnection) -> None:
        await socket.send(said, text=True)
        await socket.wait_closed()

    async with serve(talk, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        async with Client(f"http://127.0.0.1:{port}", "token", patience=0.2) as client:
            with pytest.raises(Unreachable):
                async with asyncio.timeout(20), client.follow("A" * 22):
                    pass
