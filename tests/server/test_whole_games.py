"""Games to the end over websockets: people, a bot and spectators, at one table of two servers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

import laguna
from laguna.client import Client, FollowedTable
from laguna.games import find, rulebooks
from laguna.messages import Line, TableView
from tests.server.nats_server import NatsServer
from tests.server.nursery import Nursery
from tests.size import scaled

pytestmark = pytest.mark.anyio
LONGEST = 120  # seconds for a game


class Person:
    """One person with a connection to each server, who acts through one and the other in turn."""

    def __init__(self, sides: list[FollowedTable]) -> None:
        self.sides = sides
        self.acted = 0

    async def play(self) -> None:
        seen = 0
        while True:
            side = self.sides[self.acted % 2]
            view = await side.until(lambda view, seen=seen: view.version >= seen and self._wanted(view))  # type: ignore[misc]
            if view.status == "over":
                return
            seen = await side.act(random.choice(side.legal))
            self.acted += 1

    def _wanted(self, view: TableView) -> bool:
        return "act" in view.may or view.status == "over"


@asynccontextmanager
async def at_both(
    stack: AsyncExitStack, urls: list[str], table_id: str
) -> AsyncIterator[list[FollowedTable]]:
    """Somebody new who follows the table through both servers."""
    first = await stack.enter_async_context(Client(urls[0]))
    second = await stack.enter_async_context(Client(urls[1], first.token))
    async with first.follow(table_id) as here, second.follow(table_id) as there:
        yield [here, there]


@pytest.mark.parametrize("game", scaled(["venice-2099"], list(rulebooks())))
async def test_a_whole_game_at_two_servers(game: str, postgresql_url: str, servers: Nursery) -> None:
    players = max(find(game).meta.players)
    async with AsyncExitStack() as stack:
        nats = stack.enter_context(NatsServer())
        both = [servers.server(database=postgresql_url, bus=nats.url) for _ in range(2)]
        for server in both:
            await stack.enter_async_context(server)
        urls = [server.url for server in both]
        host = await stack.enter_async_context(Client(urls[0]))
        people = players if players == 2 else players - 1  # a bot sits on the last seat of the larger games
        seats = ["me"] + ["open"] * (people - 1) + ["heron"] * (players - people)
        table_id = await host.open_table(game, players, seats=seats)
        everybody = [
            await stack.enter_async_context(at_both(stack, urls, table_id)) for _ in range(people - 1)
        ]
        for sides in everybody:
            await sides[0].sit()
        again = await stack.enter_async_context(Client(urls[1], host.token))
        hosting = [await stack.enter_async_context(each.follow(table_id)) for each in (host, again)]
        watching = await stack.enter_async_context(at_both(stack, urls, table_id))
        await hosting[0].start()
        persons = [Person(hosting), *map(Person, everybody)]
        async with asyncio.timeout(LONGEST):
            await asyncio.gather(*(person.play() for person in persons))
        sides = [side for person in persons for side in person.sides] + watching
        for side in sides:
            await side.until(lambda view: view.status == "over")
        check_views([side.view for side in sides])
        check_lines([side.lines for side in sides], players - people)
        check_file(await host.game_file(table_id), hosting[0].view)
        assert all(person.acted > 3 for person in persons)


def check_views(views: list[TableView]) -> None:
    """All saw the same end, and spectators nothing but what is public."""
    assert len({view.version for view in views}) == 1
    assert all(view.result == views[0].result and view.secret == views[0].secret for view in views)
    assert all(view.game is not None and view.game["over"] for view in views)
    for spectator in views[-2:]:
        assert spectator.mine == [] and spectator.game is not None and spectator.game["seat"] is None


def check_lines(all_lines: list[list[Line]], bots: int) -> None:
    """Nobody missed anything, whichever server sent it."""
    for lines in all_lines:
        versions = [line.version for line in lines]
        assert versions == list(range(versions[0], versions[0] + len(versions)))
    public = [[(line.version, line.kind, line.seat, line.bot) for line in lines] for lines in all_lines]
    length = min(map(len, public))
    assert all(lines[-length:] == public[0][-length:] for lines in public)
    assert any(line.bot for line in all_lines[0]) == bool(bots)


def check_file(text: str, view: TableView) -> None:
    """The game file replays to the same end."""
    game = laguna.loads(text)
    assert game.over and view.result is not None
    assert (game.scores, game.winners) == (view.result.scores, view.result.winners)
