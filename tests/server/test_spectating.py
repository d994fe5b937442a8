"""Watching a table: what a spectator learns, with and without the table's leave to look into hands."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from laguna import messages
from laguna.messages import Act, Done, Follow, Refused, Sit, Start
from laguna.server.app import Application
from laguna.server.storage import Storage
from tests.server import plants
from tests.server.nursery import Forked, Nursery
from tests.server.recorded import Recorder, new_token, open_table, recorder
from tests.server.test_http import QUICK, act, asked, opened, two_at_a_table
from tests.server.test_traffic import Traffic, leaks
from tests.server.visiting import browser, served
from tests.size import scaled

pytestmark = pytest.mark.anyio
GAME = "mille-fiori"  # hands, a draft, and cards that are kept in secret
ROUNDS = scaled(20, 80)  # actions: hands have gone around by then


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Application]:
    async with served(tmp_path) as application:
        yield application


async def watched_game(server: Forked, database: str, pry: bool = False, **settings: Any) -> Traffic:
    """Two play; a spectator asks before each action to see as a seat does, and with `pry` a player, too."""
    address = f"127.0.0.1:{server.port}"
    async with server, AsyncExitStack() as stack:
        tokens = [await new_token(address) for _ in range(3)]
        table = await open_table(address, tokens[0], GAME, 2, **settings)
        ann, bob, eve = [await stack.enter_async_context(recorder(address, token, table)) for token in tokens]
        await bob.ask(Sit)
        started = await ann.ask(Start)
        assert isinstance(started, Done)
        version = started.version or 0
        for _ in range(ROUNDS):
            await eve.ask(Follow, seat=0)
            if pry:
                await ann.ask(Follow, seat=1)
            version = await played([ann, bob], version)
            await eve.until(version)
    storage = Storage(database)
    await storage.start()
    stored = await storage.load(table)
    await storage.close()
    return Traffic(stored, [ann, bob, eve])


async def played(people: list[Recorder], version: int) -> int:
    """Somebody acts at random; the version after it."""
    for person in people:
        await person.until(version)
    views = [person.view for person in people if person.view is not None]
    seat = random.choice(views[0].deciders)
    action = random.choice((views[seat].game or {})["legal"])
    done = await people[seat].ask(Act, version=views[seat].version, action=action)
    assert isinstance(done, Done), done
    return done.version or 0


def refusals(recorded: Recorder) -> set[str]:
    frames = [messages.decode_message(text) for text in recorded.frames]
    return {frame.key for frame in frames if isinstance(frame, Refused)}


# ------------------------------------------------------------------ what is learned


async def test_without_the_setting_nothing_is_learned(sqlite_url: str, servers: Nursery) -> None:
    traffic = await watched_game(servers.server(database=sqlite_url), sqlite_url, pry=True)
    for reader in (0, 1, None):
        for found, twin in leaks(traffic, reader):
            assert found == twin
    assert refusals(traffic.recorders[2]) == {"closed-hands"}
    assert refusals(traffic.recorders[0]) == {"own-seat"}


async def test_a_planted_leak_is_caught(
    sqlite_url: str, servers: Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = servers.server(database=sqlite_url, plant=plants.open_hands.__name__)
    traffic = await watched_game(server, sqlite_url)
    plants.open_hands(monkeypatch.setattr)  # here too, so that it is written again as it was
    assert any(found != twin for found, twin in leaks(traffic, None))


async def test_with_the_setting_a_spectator_sees_what_the_seat_sees_and_no_more(
    sqlite_url: str, servers: Nursery
) -> None:
    traffic = await watched_game(servers.server(database=sqlite_url), sqlite_url, pry=True, open_hands=True)
    for reader, watched in ((0, None), (1, None), (None, 0)):
        for found, twin in leaks(traffic, reader, watched):
            assert found == twin
    ann, _, eve = traffic.recorders
    own, seen = games(ann), games(eve)
    both = own.keys() & seen.keys()
    assert len(both) >= ROUNDS and all(own[version] == seen[version] for version in both)
    assert refusals(eve) == set() and refusals(ann) == {"own-seat"}


def games(recorded: Recorder) -> dict[int, Any]:
    """The game in each version of the table, as it was last shown."""
    frames = [messages.decode_message(text) for text in recorded.frames]
    views = [frame.view for frame in frames if isinstance(frame, messages.Table | messages.Changed)]
    return {view.version: view.game for view in views if view.game is not None}


# ------------------------------------------------------------------ who may, and when


async def test_a_spectator_who_sits_down_sees_only_the_own_seat(sqlite_url: str, servers: Nursery) -> None:
    server = servers.server(database=sqlite_url)
    address = f"127.0.0.1:{server.port}"
    async with server, AsyncExitStack() as stack:
        tokens = [await new_token(address) for _ in range(2)]
        table = await open_table(address, tokens[0], GAME, 2, open_hands=True)
        ann, bob = [await stack.enter_async_context(recorder(address, token, table)) for token in tokens]
        assert isinstance(await bob.ask(Follow, seat=0), Done)  # still a spectator
        await bob.ask(Sit)
        started = await ann.ask(Start)
        assert isinstance(started, Done)
        await bob.until(started.version or 0)
        assert bob.view is not None and bob.view.game is not None
        assert bob.view.mine == [1] and (bob.view.game or {})["seat"] == 1
        assert isinstance(await bob.ask(Follow, seat=4), Refused)


async def test_replays_of_a_running_game_follow_the_same_rule(server: Application) -> None:
    eve = await browser(server, "192.0.2.3")
    for open_hands, status in ((False, 409), (True, 200)):
        ann, bob, table = await two_at_a_table(server, **QUICK, open_hands=open_hands)
        await act(ann if (await ann.get(table)).json()["view"]["deciders"] == [0] else bob, table)
        assert (await eve.get(f"{table}/replay")).status_code == 200
        assert (await eve.get(f"{table}/replay?seat=0")).status_code == status
        assert (await ann.get(f"{table}/replay?seat=1")).status_code == 409
        await asked(ann, f"{table}/resign", {})
        for person in (ann, eve):
            assert (await person.get(f"{table}/replay?seat=1")).status_code == 200


async def test_hands_are_closed_unless_the_host_opens_them_from_the_beginning(server: Application) -> None:
    ann = await browser(server)
    table = f"/api/tables/{await opened(ann)}"
    assert (await ann.get(table)).json()["view"]["settings"]["open_hands"] is False
    refused = await asked(ann, "/api/tables", {"settings": QUICK | {"open_hands": "yes"}}, 422)
    assert refused["key"] == "body" and "open_hands" in refused["sentence"]
