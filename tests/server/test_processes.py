"""A server in several processes: whichever takes a connection, people notice nothing of it."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from laguna import files, messages
from laguna.client import Client, Refused, play
from laguna.errors import BadOption
from laguna.messages import Say
from laguna.server.processes.place import Place
from laguna.server.settings import load
from laguna.server.storage import Storage
from tests.server.nursery import Forked, Nursery
from tests.server.running import running
from tests.server.samples import new_table
from tests.server.test_kill import Players, check
from tests.size import scaled

pytestmark = pytest.mark.anyio
KILLS = scaled(3, 60)
TABLES = 4
PLACE = Place(0, 2, "run")  # who owns a table does not depend on the place that is asked


@asynccontextmanager
async def serving(servers: Nursery, url: str, **settings: Any) -> AsyncIterator[Forked]:
    """A server with two processes; a test that leaves it with an error finds nothing of it left, either."""
    wanted = {"plant": "half_of_sockets_stay"} | settings  # otherwise nearly all of them move
    async with servers.server(database=url, processes=2, **wanted) as server:
        yield server


def processes(server: Forked) -> list[psutil.Process]:
    return sorted(psutil.Process(server.pid).children(), key=lambda each: each.pid)


async def asked(url: str, method: str, path: str, token: str = "", **more: Any) -> httpx.Response:
    """The answer to a request over a connection of its own: any process may get it."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=150) as http:
        return await http.request(method, path, **more)


def socket_of(url: str, token: str) -> connect:
    headers = {"Authorization": f"Bearer {token}"}
    return connect(f"ws{url.removeprefix('http')}/api/socket", additional_headers=headers)


async def measured(url: str) -> dict[str, float]:
    """The metrics, each added up over its labels."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families((await asked(url, "GET", "/metrics")).text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + sample.value
    return found


async def tables_of_both(client: Client, players: int = 2, **wanted: Any) -> list[str]:
    """A table of each process."""
    found: dict[int, str] = {}
    while len(found) < 2:
        async with Client(client.url, client.token) as another:  # over another connection
            table = await another.open_table("neptune-vesta", players, **wanted)
        found[PLACE.owner(table)] = table
    return [found[0], found[1]]


# ------------------------------------------------------------------ play


async def test_whole_games_whoever_takes_the_connections(servers: Nursery, url: str) -> None:
    async with serving(servers, url) as server, AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Client(server.url)) for _ in range(8)]
        seen = [await stack.enter_async_context(Client(server.url)) for _ in range(4)]
        tables = [await tables_of_both(people[0]), await tables_of_both(people[2])]

        async def game(table_id: str, first: Client, second: Client, spectator: Client) -> None:
            async with spectator.follow(table_id) as shown:
                async with first.follow(table_id) as one, second.join(table_id) as two:
                    await one.start()
                    await asyncio.gather(play(one, "random"), play(two, "random"))
                await shown.until(lambda view: view.status == "over")
            file = (await asked(server.url, "GET", f"/api/tables/{table_id}/file")).text
            assert files.loads(file).over

        await asyncio.gather(
            game(tables[0][0], people[0], people[1], seen[0]),
            game(tables[0][1], people[0], people[3], seen[1]),
            game(tables[1][0], people[2], people[5], seen[2]),
            game(tables[1][1], people[2], people[7], seen[3]),
        )
        found = await measured(server.url)
        assert found["laguna_processes"] == 2
        assert found["laguna_forwarded_total"] > 20 and found["laguna_sockets_moved_total"]
        storage = Storage(url)
        await storage.start()
        stored = [await storage.load(table_id) for pair in tables for table_id in pair]
        await storage.close()
        acts = sum(type(entry).__name__ == "Acted" for each in stored if each for entry in each.entries)
        assert found["laguna_actions_total"] == acts > 4 * 20


async def test_every_request_over_http_reaches_the_owner(servers: Nursery, url: str) -> None:
    async with serving(servers, url) as server:
        ann, ben = [(await asked(server.url, "POST", "/api/tokens")).json()["token"] for _ in range(2)]
        for _ in range(2):
            wanted = {"settings": {"game": "neptune-vesta", "players": 2}}
            table = (await asked(server.url, "POST", "/api/tables", ann, json=wanted)).json()["table"]
            at = f"/api/tables/{table}"
            assert (await asked(server.url, "POST", f"{at}/sit", ben)).status_code == 200
            early = await asked(server.url, "GET", f"{at}/file", ben)
            assert (early.status_code, early.json()["key"]) == (409, "not-over")
            assert (await asked(server.url, "POST", f"{at}/start", ann)).status_code == 200
            link = await asked(server.url, "POST", f"{at}/seats/1/link", ben)
            cleo = (await asked(server.url, "POST", "/api/tokens")).json()["token"]
            opened = await asked(server.url, "POST", "/api/links", cleo, json={"link": link.json()["link"]})
            assert opened.json()["table"] == table
            view = (await asked(server.url, "GET", at, cleo)).json()["view"]
            assert view["mine"] == [1]
            mover = ann if view["deciders"] == [0] else ben
            wrong = await asked(server.url, "POST", f"{at}/act", mover, json={"version": 3, "action": "x"})
            assert wrong.status_code in (409, 422) and wrong.json()["key"] not in ("internal", "unavailable")
            body = {"text": "x" * 20_000}
            assert (await asked(server.url, "POST", f"{at}/say", ann, json=body)).status_code in (413, 422)
        nowhere = await asked(server.url, "GET", f"/api/tables/{'A' * 22}")
        assert (nowhere.status_code, nowhere.json()["key"]) == (404, "no-table")
        listed = (await asked(server.url, "GET", "/api/tables/mine", ann)).json()
        assert len(listed) == 2


async def test_spectators_of_every_process_see_the_same(servers: Nursery, url: str) -> None:
    async with serving(servers, url) as server, AsyncExitStack() as stack:
        ann = await stack.enter_async_context(Client(server.url))
        table_id = await ann.open_table("neptune-vesta", seats=["me", "me"], start=True)
        others = [await stack.enter_async_context(Client(server.url)) for _ in range(10)]
        shown = [await stack.enter_async_context(each.follow(table_id)) for each in others]
        async with ann.follow(table_id) as table:
            for _ in range(6):
                await table.act(table.legal[0])
            version = table.view.version
            views = [await each.until(lambda view: view.version >= version) for each in shown]
        assert all(view == views[0] for view in views)
        assert [line.version for line in shown[0].lines] == [line.version for line in shown[9].lines]


async def test_one_socket_follows_tables_of_both_processes(servers: Nursery, sqlite_url: str) -> None:
    async with serving(servers, sqlite_url) as server, Client(server.url) as client:
        first, second = await tables_of_both(client, seats=["me", "me"], start=True)
        async with client.follow(first) as one, client.follow(second) as two:
            for _ in range(5):
                await asyncio.gather(one.act(one.legal[0]), two.act(two.legal[0]))
            with pytest.raises(Refused):
                await one.act("z99")
        async with client.follow(first) as one:
            assert one.view.version > 5


# ------------------------------------------------------------------ what fails


async def test_processes_are_killed_while_people_play(servers: Nursery, url: str) -> None:
    players = Players()
    async with serving(servers, url) as server, AsyncExitStack() as stack:
        tasks = []
        for _ in range(TABLES // 2):
            pair = [await stack.enter_async_context(Client(server.url)) for _ in range(2)]
            for table_id in await tables_of_both(pair[0]):
                async with pair[1].join(table_id), pair[0].follow(table_id) as table:
                    await table.start()
                tasks += [asyncio.create_task(players.play(client, table_id)) for client in pair]
        for number in range(KILLS):
            await players.acknowledged_again()
            await asyncio.sleep(random.uniform(0, 0.05))
            processes(server)[number % 2].kill()
            await up(server)
            assert not [task.exception() for task in tasks if task.done()]
        await players.acknowledged_again()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert sum(map(len, players.found.values())) > KILLS
    await check(url, players.found)


async def up(server: Forked) -> None:
    """Wait until all of its processes are."""
    async with asyncio.timeout(30):
        while True:
            if len(processes(server)) == 2 and await ready(server):
                return
            await asyncio.sleep(0.02)


async def ready(server: Forked) -> bool:
    """Does a process say that all of them are up?"""
    try:
        return (await asked(server.url, "GET", "/api/ready")).status_code == 200
    except httpx.TransportError:
        return False  # it was a connection of one that died


async def test_a_request_waits_for_a_process_that_is_starting(servers: Nursery, sqlite_url: str) -> None:
    async with serving(servers, sqlite_url) as server, Client(server.url) as client:
        tables = await tables_of_both(client, seats=["me", "me"], start=True)
        for each in processes(server):
            each.kill()
            async with asyncio.timeout(20):
                for table_id in tables:
                    async with client.follow(table_id) as table:
                        await table.act(table.legal[0])
        versions = []
        for table_id in tables:
            view = (await asked(server.url, "GET", f"/api/tables/{table_id}", client.token or "")).json()
            versions.append(view["view"]["version"])
        assert min(versions) >= 4


async def test_what_was_asked_for_is_done_although_the_socket_is_gone(
    servers: Nursery, sqlite_url: str
) -> None:
    """The process that owns the table is starting while the request waits for it, and the client leaves."""
    async with serving(servers, sqlite_url) as server, Client(server.url) as ann, AsyncExitStack() as stack:
        table_id = (await tables_of_both(ann))[1]
        sockets = [await stack.enter_async_context(socket_of(server.url, ann.token or "")) for _ in range(8)]
        processes(server)[1].kill()
        while await ready(server):
            await asyncio.sleep(0.01)  # until the other one knows: what it sends before that is lost
        said = 0
        for each in sockets:
            with suppress(ConnectionClosed):  # it was one of those of the process that died
                await asyncio.wait_for(await each.ping(), 20)
                await each.send(messages.encode(Say(1, table_id, "Still here")), text=True)
                await each.close()
                said += 1
        assert said
        await up(server)
        log = (await asked(server.url, "GET", f"/api/tables/{table_id}", ann.token or "")).json()["lines"]
        assert sum(line.get("text") == "Still here" for line in log) == said


async def test_the_end_of_the_parent_ends_all(servers: Nursery, sqlite_url: str) -> None:
    server = servers.server(database=sqlite_url, processes=2)
    await server.start()
    children = processes(server)
    folders = {Path(path).parent for path in sockets_of(children)}
    assert len(folders) == 1
    await server.kill()
    _, alive = psutil.wait_procs(children, timeout=5)
    assert not alive and not any(folder.exists() for folder in folders)
    async with server:  # nothing keeps the database, nor the address
        assert (await asked(server.url, "GET", "/api/ready")).status_code == 200


def sockets_of(children: list[psutil.Process]) -> list[str]:
    """Over which processes talk."""
    found = [str(each.laddr) for child in children for each in child.net_connections("unix")]
    return [path for path in found if "laguna-" in path]


def test_it_is_stopped_like_any_server(tmp_path: Path) -> None:
    """A real one, not forked: sockets get a goodbye, no process stays, and the exit code is 0."""
    with running(tmp_path, "--processes", "2") as server:
        parent = psutil.Process(server.process.pid)
        children = parent.children()
        assert len(children) == 2
        goodbyes = asyncio.run(goodbyes_of(server.url, server.process.pid))
        assert goodbyes == ["closing"] * 6
        assert server.process.wait(30) == 0
        assert not psutil.wait_procs(children, timeout=1)[1]
        assert not [line for line in server.log.read_text().splitlines() if '"error"' in line]


async def goodbyes_of(url: str, pid: int) -> list[str]:
    """Why six sockets were closed when that process was told to end."""
    token = (await asked(url, "POST", "/api/tokens")).json()["token"]
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(socket_of(url, token)) for _ in range(6)]
        os.kill(pid, signal.SIGTERM)
        found = []
        for each in sockets:
            async for text in each:
                said = files.read_json(text)
                if said["is"] == "bye":
                    found.append(said["key"])
        return found


async def test_an_address_and_a_database_are_for_one_server(
    servers: Nursery, sqlite_url: str, tmp_path: Path
) -> None:
    async with serving(servers, sqlite_url) as server:
        code, said = await ended("--port", str(server.port), "--set", f"data={tmp_path}/other")
        assert code == 2 and said.startswith(f"laguna: 127.0.0.1 port {server.port} cannot be used")
        code, said = await ended("--port", "0", "--database", sqlite_url)
        assert code == 2 and said.startswith("laguna: Another server is using the database")


async def ended(*words: str) -> tuple[int | None, str]:
    """The exit code of a server that cannot start, and the last line that it wrote."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "laguna", "serve", "--processes", "2", *words),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    said = (await process.communicate())[1].decode()
    return process.returncode, said.strip().splitlines()[-1]


# ------------------------------------------------------------------ people


async def test_a_revoked_token_closes_sockets_in_every_process(servers: Nursery, url: str) -> None:
    async with serving(servers, url) as server, AsyncExitStack() as stack:
        ann = await stack.enter_async_context(Client(server.url))
        table_id = await ann.open_table("neptune-vesta", seats=["me", "me"], start=True)
        devices = [await stack.enter_async_context(Client(server.url, ann.token)) for _ in range(8)]
        tables = [await stack.enter_async_context(each.follow(table_id)) for each in devices]
        began = time.monotonic()
        await ann.log_out(everywhere=True)
        for table in tables:
            with pytest.raises(Refused):
                while True:
                    await asyncio.wait_for(table.changed(), 20)
        assert time.monotonic() - began < 20


async def test_a_person_is_erased_from_the_tables_of_every_process(servers: Nursery, url: str) -> None:
    async with serving(servers, url) as server, Client(server.url) as ann, Client(server.url) as ben:
        await ben.rename("Benedetta")
        tables = await tables_of_both(ann)
        for table_id in tables:
            async with ben.join(table_id):
                pass
        gone = await asked(server.url, "POST", "/api/me/delete", ben.token or "", json={})
        assert gone.status_code == 204
        for table_id in tables:
            shown = await asked(server.url, "GET", f"/api/tables/{table_id}", ann.token or "")
            assert "Benedetta" not in shown.text
            assert [seat["kind"] for seat in shown.json()["view"]["seats"]] == ["person", "open"]


async def test_limits_that_one_process_counts_and_those_that_each_does(
    servers: Nursery, sqlite_url: str
) -> None:
    async with serving(servers, sqlite_url, max_sockets=6) as server, AsyncExitStack() as stack:
        token = (await asked(server.url, "POST", "/api/tokens")).json()["token"]
        full = []
        for _ in range(12):
            opened = await stack.enter_async_context(socket_of(server.url, token))
            assert files.read_json(await opened.recv())["is"] == "hello"
            full.append(opened)
        await asyncio.sleep(0.5)
        refused = sum(each.close_code is not None for each in full)
        assert 6 <= refused < 12  # each process takes its half
    async with serving(servers, sqlite_url, limits={"guest": "3/10m"}) as server:
        answers = [(await asked(server.url, "POST", "/api/tokens")).status_code for _ in range(6)]
        assert answers == [200, 200, 200, 429, 429, 429] or answers == [201, 201, 201, 429, 429, 429]


@pytest.mark.proof
async def test_one_process_compiles_for_all(tmp_path: Path) -> None:
    """With an empty cache a game is compiled once, whichever process is asked for a table."""
    cache = {"LAGUNA_CACHE": str(tmp_path / "cache"), "LAGUNA_LOG_FORMAT": "json"}
    with running(tmp_path / "data", "--processes", "2", **cache) as server:
        token = (await asked(server.url, "POST", "/api/tokens")).json()["token"]
        wanted = {"settings": {"game": "neptune-vesta", "players": 2}, "seats": [{"kind": "me"}] * 2}
        opened = await asyncio.gather(
            *(asked(server.url, "POST", "/api/tables", token, json=wanted) for _ in range(6))
        )
        assert [each.status_code for each in opened] == [201] * 6
        assert len({PLACE.owner(each.json()["table"]) for each in opened}) == 2
        log = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
        compiled = [line["process"] for line in log if line["event"] == "compiling"]
        assert compiled and set(compiled) == {0}


# ------------------------------------------------------------------ parts


async def test_a_neighbor_is_no_other_server(storage: Storage) -> None:
    """Its marks do not keep the clocks of our tables running, and its reviews are not taken from it."""
    await storage.mark_up("elsewhere", 0, 10)
    await storage.mark_up("run.0.a", 20, 30)
    await storage.mark_up("run.1.b", 20, 40)
    assert await storage.marks(0, "run.1.c") == [(0, 10), (20, 40)]
    assert await storage.marks(0, "run.0.c") == [(0, 10), (20, 30)]
    assert len(await storage.marks(0, "alone")) == len(await storage.marks(0)) == 3
    tables = [await new_table(storage) for _ in range(3)]
    for table_id, server in zip(tables, ["before", "run.0.a", "run.1.b"], strict=True):
        await storage.begin_review(table_id, 5)
        assert await storage.claim_review(table_id, server, 1, 1000)
    await storage.release_reviews("run.1.c", others=True)
    assert set(await storage.unfinished_reviews(2, 10)) == {tables[0], tables[2]}
    assert await storage.unfinished_reviews(2, 10, lambda table_id: table_id == tables[2]) == [tables[2]]


def test_every_table_has_one_owner() -> None:
    ids = [f"{number:022}" for number in range(1000)]
    for count in (2, 3, 7):
        places = [Place(index, count, "run") for index in range(count)]
        owned = [sum(place.owns(table_id) for table_id in ids) for place in places]
        assert sum(owned) == len(ids)
        assert min(owned) > 0.7 * len(ids) / count
    assert Place().owns("any") and Place(1, 2, "run").new_name().startswith("run.1.")


@pytest.mark.parametrize("value", ["0", "-1", "65", "two", "1.5", ""])
def test_a_wrong_number_of_processes_gets_a_sentence(value: str) -> None:
    with pytest.raises(BadOption, match=r"The setting processes .* is wrong"):
        load({"processes": value}, {})


def test_windows_has_no_sockets_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert load({}, {}).processes == 1
    with pytest.raises(BadOption, match="on Windows a server has one process"):
        load({"processes": 2}, {})
