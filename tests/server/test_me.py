"""A page of one's own over HTTP: my games and results, ratings, the archive, and goodbye."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import random
import secrets
import shutil
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

import laguna
from laguna import messages
from laguna.messages import Result, SeatView
from laguna.server import rating
from laguna.server.app import Application
from laguna.server.live import erasing
from laguna.server.live.old_games import OldResults
from laguna.server.live.summary import summary_of
from laguna.server.people.identity import COOKIE, hash_of
from laguna.server.storage import Rating, Stale, Storage, Summary, Unavailable
from laguna.table import redact
from laguna.table.entries import Acted, Opened, Person, Resigned, Sat, Settings
from laguna.table.result import ranks
from laguna.table.table import Table
from tests.server.nursery import Nursery
from tests.server.samples import SECRET, new_id
from tests.server.serving import sqlite, tables_at
from tests.server.test_http import QUICK, asked, opened, play_out, two_at_a_table, view_of
from tests.server.test_migrations import FIRST_RELEASE
from tests.server.visiting import browser, client, program, served
from tests.size import scaled

pytestmark = pytest.mark.anyio
PASSWORD = "a long enough password"
RATED = QUICK | {"rated": True}
KILLS = scaled(4, 40)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Application]:
    async with served(tmp_path) as application:
        yield application


async def account(server: Application, name: str) -> httpx.AsyncClient:
    """Somebody with an account of that name, who goes by it."""
    visitor = await browser(server)
    await asked(visitor, "/api/me", {"name": name.title()})
    await asked(visitor, "/api/me/account", {"account": name, "password": PASSWORD}, 201)
    return visitor


async def person_of(server: Application, visitor: httpx.AsyncClient) -> Person:
    found = await server.services.storage.token(hash_of(visitor.cookies[COOKIE]))
    assert found is not None
    return found.person


async def got(visitor: httpx.AsyncClient, path: str, **query: Any) -> Any:
    answer = await visitor.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def refused(visitor: httpx.AsyncClient, path: str, body: Any, status: int = 409) -> str:
    """The key of a refusal."""
    return str((await asked(visitor, path, body, status))["key"])


# ------------------------------------------------------------------ history

OTHERS = {
    "ben": SeatView(1, "blue", "person", "Ben"),
    "kraken": SeatView(1, "blue", "bot", "kraken", "kraken"),
    "turtle": SeatView(1, "blue", "bot", "turtle", "turtle"),
}


async def keep(storage: Storage, person: Person, at: int, other: str, **changes: Any) -> str:
    """A game of the person on the first seat, opened at that time; by default it is over and won, 7 to 3."""
    seats = [SeatView(0, "red", "person", person.name), OTHERS[other]]
    holders = [[person.id], [other] if other == "ben" else []]
    summary = Summary("over", "neptune-vesta", 2, seats, holders)
    result = Result("played", [0], [7, 3])
    summary = replace(summary, **({"ended": at + 5, "result": result, "ranks": [1, 2]} | changes))
    table = new_id()
    entry = Opened(at, Settings(summary.game, 2), person, "c" * 64, 1)
    await storage.open_table(table, SECRET, [entry], summary)
    return table


LOST = {"result": Result("resigned", [1], [5, 6]), "ranks": [2, 1]}
SHARED = {"result": Result("played", [0, 1], [4, 4]), "ranks": [1, 1]}
RUNNING: dict[str, Any] = {"status": "playing", "result": None, "ranks": [], "ended": None}


async def test_pages_of_thousands_of_games(server: Application) -> None:
    ann, storage = await browser(server), server.services.storage
    person = await person_of(server, ann)
    count = scaled(230, 3000)
    kept = [await keep(storage, person, 1000 + number // 2, "ben") for number in range(count)]
    found: list[str] = []
    query: dict[str, Any] = {"count": 100}
    while True:
        page = await got(ann, "/api/me/games", **query)
        found += [game["table"] for game in page["games"]]
        if page["next"] is None:
            break
        assert len(page["games"]) == 100
        await keep(storage, person, 10**6, "ben")  # a new game does not move the pages that follow
        query["after"] = page["next"]
    assert sorted(found) == sorted(kept)
    times = [kept.index(table) // 2 for table in found]
    assert times == sorted(times, reverse=True)
    assert (await got(ann, "/api/me/results"))["all"]["games"] == count + (count - 1) // 100


async def test_filters_and_results(server: Application) -> None:
    ann, storage = await browser(server), server.services.storage
    person = await person_of(server, ann)
    won = await keep(storage, person, 1, "ben")
    lost = await keep(storage, person, 2, "ben", rated=True, **LOST)
    shared = await keep(storage, person, 3, "kraken", **SHARED)
    atlantis = await keep(storage, person, 4, "turtle", game="atlantis", players=3)
    running = await keep(storage, person, 5, "kraken", **RUNNING)
    hot_seat = await keep(storage, person, 6, "ben", holders=[[person.id], [person.id]])
    await keep(storage, person, 7, "ben", status="open", result=None, ended=None)  # has not begun

    async def tables(**query: Any) -> list[str]:
        return [game["table"] for game in (await got(ann, "/api/me/games", **query))["games"]]

    assert await tables() == [hot_seat, running, atlantis, shared, lost, won]
    assert await tables(game="atlantis") == await tables(players=3) == [atlantis]
    assert await tables(rated="true") == [lost]
    assert await tables(result="running") == [running]
    assert await tables(result="won") == [atlantis, won]
    assert await tables(result="lost") == [lost] and await tables(result="shared") == [shared]
    assert await tables(against="people") == await tables(opponent="BEN") == [lost, won]
    assert await tables(against="bots") == [running, atlantis, shared]
    assert await tables(level="kraken", result="shared") == [shared]
    assert await tables(opponent="Nobody") == []

    results = await got(ann, "/api/me/results")
    assert results["all"] | {"share": 0} == {
        **{"games": 4, "won": 2, "shared": 1, "share": 0},
        **{"average": (7 + 5 + 4 + 7) / 4, "best": 7},
    }
    assert results["all"]["share"] == pytest.approx(2.5 / 4)
    by_opponent = {line["name"] or line["level"]: line["games"] for line in results["by_opponent"]}
    assert by_opponent == {"Ben": 2, "kraken": 1, "turtle": 1}
    assert {line["game"]: line["won"] for line in results["by_game"]} == {"neptune-vesta": 1, "atlantis": 1}
    assert [(line["players"], line["games"]) for line in results["by_players"]] == [(2, 3), (3, 1)]
    assert (await got(ann, "/api/me/results", result="running"))["all"] is None


@pytest.mark.parametrize(
    "query",
    [
        {"count": 0},
        {"count": 101},
        {"after": "no table"},
        {"result": "maybe"},
        {"players": 9},
        {"rated": "perhaps"},
        {"opponent": "x" * 41},
        {"against": "everybody"},
    ],
)
async def test_bad_questions(server: Application, query: dict[str, Any]) -> None:
    ann = await browser(server)
    answer = await ann.get("/api/me/games", params=query)
    assert answer.status_code == 422 and answer.json()["sentence"]


async def test_only_my_own_games(server: Application) -> None:
    ann, bob, _ = await two_at_a_table(server)
    stranger = await browser(server, "192.0.2.9")
    assert [len((await got(each, "/api/me/games"))["games"]) for each in (ann, bob, stranger)] == [1, 1, 0]
    assert (await client(server).get("/api/me/games")).status_code == 401
    assert (await client(server).get("/api/me/export")).status_code == 401


async def test_games_of_before_results_were_kept(tmp_path: Path) -> None:
    shutil.copy(FIRST_RELEASE, tmp_path / "tables.sqlite")
    async with tables_at(sqlite(tmp_path)) as tables:
        storage = tables._storage
        account = await storage.account("ann")
        assert account is not None
        await OldResults(storage, tables.games).write()
        assert await storage.without_result("", 10) == []
        rows = await storage.rows(await storage.games_of(account.person.id))
        [over] = [row.summary for row in rows if row.summary.status == "over"]
        assert over.result is not None and over.result.winners == [0] and over.ranks == [1, 2]
        assert {row.table for row in rows} <= set(await storage.mentions_of(account.person.id))


# ------------------------------------------------------------------ what is rated


async def test_rated_tables_are_for_people_with_accounts(server: Application) -> None:
    ann, guest = await account(server, "ann"), await browser(server, "192.0.2.2")
    assert await refused(guest, "/api/tables", {"settings": RATED}) == "rated-account"
    table = f"/api/tables/{await opened(ann, settings=RATED)}"
    view = await view_of(ann, table)
    settings = view["settings"]
    assert settings["rated"] and not settings["hints"] and not settings["open_hands"]
    assert "put-bot" not in view["may"]
    assert await refused(guest, f"{table}/sit", {}) == "rated-account"
    assert await refused(ann, f"{table}/sit", {"seat": 1}) == "rated-seat"
    assert await refused(ann, f"{table}/put-bot", {"seat": 1, "level": "turtle"}) == "rated-bot"
    link = (await asked(ann, f"{table}/seats/0/link", {}, 201))["link"]
    assert await refused(guest, "/api/links", {"link": link}) == "rated-account"
    bob = await account(server, "bob")
    assert await refused(bob, "/api/links", {"link": link}) == "rated-link"
    for seats in ([{"kind": "me"}, {"kind": "me"}], [{"kind": "me"}, {"kind": "bot", "level": "turtle"}]):
        await refused(ann, "/api/tables", {"settings": RATED, "seats": seats})
    position = laguna.new("neptune-vesta", seed=1).position()
    assert await refused(ann, "/api/tables", {"settings": RATED, "position": position}, 422) == "rated"
    await asked(bob, f"{table}/sit", {})
    await asked(ann, f"{table}/start")
    assert await refused(ann, f"{table}/hint", {}) == "no-hints"
    [listed] = await got(ann, "/api/tables/mine")
    assert listed["rated"]


async def rated_game(*people: httpx.AsyncClient) -> str:
    """A rated game has started; the address of its table."""
    table = f"/api/tables/{await opened(people[0], settings=RATED)}"
    for person in people[1:]:
        await asked(person, f"{table}/sit", {})
    await asked(people[0], f"{table}/start")
    return table


async def test_a_rated_game_counts_when_it_ends(server: Application) -> None:
    ann, bob = await account(server, "ann"), await account(server, "bob")
    table = await rated_game(ann, bob)
    assert await got(ann, "/api/me/ratings") == []
    await asked(bob, f"{table}/resign", {})
    await asked(ann, f"{table}/say", {"text": "Thank you!"})  # what comes after the end changes nothing
    [mine], [his] = [await got(each, "/api/me/ratings") for each in (ann, bob)]
    assert mine["rating"] > rating.ZERO and mine["rating"] > his["rating"]
    assert mine["provisional"] and mine["games"] == his["games"] == 1
    [point] = mine["history"]
    assert (point["rating"], point["change"]) == (mine["rating"], mine["rating"] - rating.ZERO)
    [game] = (await got(ann, "/api/me/games"))["games"]
    assert game["rated"] and game["rating"] == point and game["result"] == "won" and game["how"] == "resigned"

    board = await got(bob, "/api/games/neptune-vesta/ratings")
    assert [(each["place"], each["name"], each["me"]) for each in board["people"]] == [
        (1, "Ann", False),
        (2, "Bob", True),
    ]
    assert board["rated"] == 2
    assert (await got(client(server), "/api/games/atlantis/ratings"))["people"] == []
    assert (await ann.get("/api/games/chess/ratings")).status_code == 404


async def test_other_games_are_not_rated(server: Application) -> None:
    ann, bob = await account(server, "ann"), await account(server, "bob")
    table = f"/api/tables/{await opened(ann)}"
    await asked(bob, f"{table}/sit", {})
    await asked(ann, f"{table}/start")
    await asked(bob, f"{table}/resign", {})
    assert await got(ann, "/api/me/ratings") == []


async def test_nobody_gets_into_a_rated_rematch_unasked(server: Application) -> None:
    ann, bob = await account(server, "ann"), await account(server, "bob")
    table = await rated_game(ann, bob)
    await asked(bob, f"{table}/resign", {})
    following = f"/api/tables/{(await asked(ann, f'{table}/rematch', {}))['table']}"
    assert [seat["kind"] for seat in (await view_of(ann, following))["seats"]] == ["person", "open"]
    await asked(bob, f"{following}/sit", {})
    await asked(ann, f"{following}/start")


def test_the_places() -> None:
    played = Result("played", [2], [5, 9, 9, 5])
    assert ranks(played, []) == [3, 2, 1, 3]
    assert ranks(Result("played", [0, 3], [8, 2, 1, 8]), []) == [1, 3, 4, 1]
    assert ranks(Result("played", [0], [1, 30, 2, 40]), [3, 1]) == [1, 3, 2, 4]  # who gave up first is last


def test_ratings_are_familiar_numbers() -> None:
    newcomer = Rating()
    assert newcomer.shown == 1000 and newcomer.provisional
    first, second, third = rating.after([newcomer] * 3, [1, 2, 3])
    assert first.shown > second.shown > third.shown and first.games == 1
    stronger = [
        [rating.MODEL.rating(mu=25 + 200 / rating.POINTS, sigma=0.01)],
        [rating.MODEL.rating(sigma=0.01)],
    ]
    assert rating.MODEL.predict_win(stronger)[0] == pytest.approx(0.76, abs=0.005)


# ------------------------------------------------------------------ once and only once


async def rated_people(storage: Storage, count: int) -> list[Person]:
    people = []
    for number in range(count):
        person = await storage.new_person(secrets.token_bytes(32), f"Person {number}")
        await storage.make_account(person.id, f"account{number}", "hash", secrets.token_bytes(32))
        people.append(person)
    return people


def rated_summary(people: list[Person], **changes: Any) -> Summary:
    seats = [SeatView(seat, "red", "person", person.name) for seat, person in enumerate(people)]
    holders = [[person.id] for person in people]
    return replace(Summary("playing", "atlantis", len(people), seats, holders, rated=True), **changes)


async def rated_table(storage: Storage, people: list[Person]) -> str:
    table = new_id()
    opening = Opened(1, Settings("atlantis", len(people), rated=True), people[0], "c" * 64, 1)
    sat = [Sat(1, seat, person) for seat, person in enumerate(people)]
    await storage.open_table(table, SECRET, [opening, *sat], rated_summary(people))
    return table


async def end(storage: Storage, table: str, people: list[Person], at: int) -> None:
    places = random.sample(range(1, len(people) + 1), len(people))
    result = Result("played", [places.index(1)], [10 - place for place in places])
    over = rated_summary(people, status="over", ended=at, result=result, ranks=places)
    await storage.append(table, len(people) + 2, [Acted(at, 0, "1Ra1")], over)


async def check_chain(storage: Storage, person: Person, game: str, games: int) -> None:
    """Each change goes on where another one ended: none is lost, none counts twice."""
    changes = await storage.rating_changes(person.id, game, 10_000)
    now = (await storage.ratings_of(person.id)).get(game, Rating())
    assert len(changes) == now.games == games
    before = sorted(each.before.mu for each in changes)
    after = sorted(each.after.mu for each in changes)
    assert sorted([*before, now.mu]) == sorted([Rating().mu, *after])


async def test_servers_that_rate_the_same_people_at_once(storage: Storage, url: str) -> None:
    other = Storage(url)
    await other.start()
    people = await rated_people(storage, 4)
    seated = [random.sample(people, random.choice([2, 3])) for _ in range(scaled(24, 200))]
    tables = [await rated_table(storage, each) for each in seated]
    ends = [
        end(each, table, sitting, 100 + number)
        for number, (table, sitting) in enumerate(zip(tables, seated, strict=True))
        for each in (storage, other)  # both want to write the same end
    ]
    outcomes = await asyncio.gather(*ends, return_exceptions=True)
    assert sum(outcome is None for outcome in outcomes) == len(tables)
    assert all(isinstance(outcome, Stale) for outcome in outcomes if outcome is not None)
    for person in people:
        await check_chain(storage, person, "atlantis", sum(person in sitting for sitting in seated))
    await other.close()


async def test_kills_while_rated_games_end(url: str, servers: Nursery) -> None:
    server = servers.server(database=url)
    await server.start()
    people = [httpx.AsyncClient(base_url=server.url) for _ in range(2)]
    for number, each in enumerate(people):
        token = (await asked(each, "/api/tokens", None, 201))["token"]
        each.headers["authorization"] = f"Bearer {token}"
        made = await asked(each, "/api/me/account", {"account": f"player{number}", "password": PASSWORD}, 201)
        each.headers["authorization"] = f"Bearer {made['token']}"
    tables = []
    for _ in range(KILLS):
        tables.append(await rated_game(*people))
        ending = asyncio.create_task(people[1].post(f"{tables[-1]}/resign", json={}))
        await asyncio.sleep(random.uniform(0, 0.02))
        await server.kill()
        await asyncio.gather(ending, return_exceptions=True)
        await server.start()
        if random.random() < 0.5:  # asked again, as a client does that heard nothing
            await people[1].post(f"{tables[-1]}/resign", json={})
    await server.kill()
    storage = Storage(url)
    await storage.start()
    over = 0
    for table in tables:
        stored = await storage.load(table.rpartition("/")[2])
        assert stored is not None
        over += any(isinstance(entry, Resigned) for entry in stored.entries)
    for number in range(2):
        found = await storage.account(f"player{number}")
        assert found is not None
        await check_chain(storage, found.person, "neptune-vesta", over)
    await storage.close()
    for each in people:
        await each.aclose()


# ------------------------------------------------------------------ the archive


async def unpacked(visitor: httpx.AsyncClient) -> dict[str, str]:
    answer = await visitor.get("/api/me/export")
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


async def test_everything_of_ones_own(server: Application) -> None:
    ann, bob = await account(server, "ann"), await account(server, "bob")
    rated = await rated_game(ann, bob)
    await asked(ann, f"{rated}/say", {"text": "Good luck"})
    await asked(bob, f"{rated}/say", {"text": "You will need it"})
    await play_out([ann, bob], rated)
    running = await opened(
        ann, settings=QUICK, seats=[{"kind": "me"}, {"kind": "me", "name": "=1+1"}], start=True
    )
    watched = await opened(bob)
    await asked(ann, f"/api/tables/{watched}/say", {"text": "I only watch"})

    files = await unpacked(ann)
    played = rated.rpartition("/")[2]
    game_file = f"games/{played}.laguna.json"
    assert set(files) == {
        *("README.txt", "profile.json", "ratings.json", "games.json", "games.csv", "chat.json", game_file)
    }
    assert laguna.loads(files[game_file]).over
    profile = json.loads(files["profile.json"])
    assert (profile["name"], profile["account"]) == ("Ann", "ann")
    assert [each["client"] for each in profile["devices"]] == ["browser"]  # the test's own, on no list
    assert [line["text"] for line in json.loads(files["chat.json"])] == ["Good luck", "I only watch"]
    [mine] = json.loads(files["ratings.json"])
    assert mine["games"] == 1 and mine["history"][0]["mu"] == mine["mu"]
    games = {game["table"]: game for game in json.loads(files["games.json"])}
    assert set(games) == {played, running} and games[running]["scores"] == []
    lines = {line["table"]: line for line in csv.DictReader(io.StringIO(files["games.csv"]))}
    assert lines[played]["opponents"] == "Bob" and lines[played]["rating"] == str(mine["rating"])
    person = await person_of(server, bob)
    assert not any(person.id in text or "You will need it" in text for text in files.values())


async def test_the_archive_is_limited(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"export": "2/h"}) as server:
        ann = await browser(server)
        answers = [(await ann.get("/api/me/export")).status_code for _ in range(3)]
        assert answers == [200, 200, 429]


async def everything(server: Application, visitor: httpx.AsyncClient, table: str) -> str:
    """All that somebody can learn here, with the table's id left out."""
    answers = [await got(visitor, f"/api/me/{what}") for what in ("games", "results", "ratings")]
    return json.dumps([*answers, await unpacked(visitor)]).replace(table, "TABLE")


async def test_nothing_of_a_running_game_is_learned(
    server: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games that differ in nothing but what is dealt: whoever plays them must get the same answers."""
    ann, storage = await browser(server), server.services.storage
    person = await person_of(server, ann)

    async def told(secret: bytes, number: int) -> str:
        table = Table.open(new_id(), Settings("mille-fiori", 2), person, secret, 1000)
        table.sit(person, 0, 1000)
        table.sit(Person("ben", "Ben"), 1, 1000)
        table.start(person, 1000)
        await storage.open_table(table.id, table.secret, table.entries, summary_of(table))
        found = await everything(server, ann, table.id)
        assert secret.hex() not in found
        with storage._writing.begin() as connection:
            for each in ("mentions", "holders"):
                connection.exec_driver_sql(f"DELETE FROM {each}")
        return found

    first, second = [await told(bytes([number] * 32), number) for number in (1, 2)]
    assert "mille-fiori" in first and first == second

    seats = redact.seats

    def telling(table: Any, here: Any) -> list[SeatView]:
        hand = table.game.view(1)["hand"]
        return [replace(seat, name=str(hand)) for seat in seats(table, here)]

    monkeypatch.setattr(redact, "seats", telling)
    assert await told(bytes([1] * 32), 1) != await told(bytes([2] * 32), 2)  # a planted leak is found


# ------------------------------------------------------------------ goodbye


def texts(storage: Storage) -> str:
    """All that is kept of tables and people."""
    with storage._reading.connect() as connection:
        return "\n".join(
            str(row)
            for table in ("entries", "tables", "people", "accounts", "tokens", "ratings", "rating_changes")
            for row in connection.exec_driver_sql(f"SELECT * FROM {table}")
        )


async def test_an_account_is_deleted_and_the_games_stay(server: Application) -> None:
    zoe, bob = await account(server, "zoe"), await account(server, "bob")
    over = await rated_game(zoe, bob)
    await asked(zoe, f"{over}/say", {"text": "Hello"})
    await play_out([zoe, bob], over)
    running = f"/api/tables/{await opened(bob, settings=QUICK | {'grace': 0})}"
    await asked(zoe, f"{running}/sit", {})
    await asked(bob, f"{running}/start")
    waiting = f"/api/tables/{await opened(zoe)}"
    before = (await got(bob, "/api/me/ratings"))[0]["rating"]

    for body in ({}, {"password": "wrong password"}):
        assert await refused(zoe, "/api/me/delete", body, 403) == "current-password"
    assert (await zoe.post("/api/me/delete", json={"password": PASSWORD})).status_code == 204
    assert (await zoe.get("/api/me/ratings")).status_code == 401
    assert "Zoe" not in texts(server.services.storage)

    for table in (over, running):
        whole = await got(bob, table)
        assert "Zoe" not in json.dumps(whole)
        assert [seat["kind"] for seat in whole["view"]["seats"]] == ["person", "person"]
        assert None in [seat["name"] for seat in whole["view"]["seats"]]
    [said] = [line for line in (await got(bob, over))["lines"] if line["kind"] == "said"]
    assert (said["name"], said["text"]) == (None, "Hello")
    file = (await bob.get(f"{over}/file")).text
    assert laguna.loads(file).seats[0] == "Someone" and "Zoe" not in file
    assert [seat["kind"] for seat in (await view_of(bob, waiting))["seats"]] == ["open", "open"]

    assert (await view_of(bob, running))["seats"][1]["left_at"] is not None
    await asked(bob, f"{running}/take-over", {"seat": 1, "level": "turtle"})
    [his] = await got(bob, "/api/me/ratings")
    assert his["rating"] == before  # what was won from her stays
    assert [each["name"] for each in (await got(bob, "/api/games/neptune-vesta/ratings"))["people"]] == [
        "Bob"
    ]
    [someone] = (await got(bob, "/api/me/results"))["by_opponent"]
    assert someone["name"] is None and someone["level"] is None

    following = f"/api/tables/{(await asked(bob, f'{over}/rematch', {}))['table']}"
    assert [seat["kind"] for seat in (await view_of(bob, following))["seats"]] == ["open", "person"]
    await account(server, "zoe")  # the name of the account is free again


async def test_a_rated_game_ends_after_somebody_was_deleted(server: Application) -> None:
    zoe, bob = await account(server, "zoe"), await account(server, "bob")
    table = await rated_game(zoe, bob)
    assert (await zoe.post("/api/me/delete", json={"password": PASSWORD})).status_code == 204
    await asked(bob, f"{table}/resign", {})
    [his] = await got(bob, "/api/me/ratings")
    assert his["games"] == 1
    assert len((await got(bob, "/api/games/neptune-vesta/ratings"))["people"]) == 1


async def test_a_guest_is_forgotten(server: Application) -> None:
    zoe = await program(server)
    await asked(zoe, "/api/me", {"name": "Zoe"})
    table = await opened(zoe, seats=[{"kind": "me"}, {"kind": "me", "name": "Zoe's sister"}], start=True)
    assert (await zoe.post("/api/me/delete")).status_code == 204
    assert "Zoe" not in texts(server.services.storage)
    assert (await zoe.get("/api/me")).status_code == 401
    view = await view_of(await browser(server), f"/api/tables/{table}")
    assert [(seat["name"], seat["left_at"] is not None) for seat in view["seats"]] == [(None, True)] * 2


async def test_an_interrupted_farewell_is_finished(
    server: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    zoe, storage = await program(server), server.services.storage
    await asked(zoe, "/api/me", {"name": "Zoe"})
    await opened(zoe)
    remove_name = storage.remove_name

    async def fails(*_: Any) -> None:
        raise Unavailable

    monkeypatch.setattr(storage, "remove_name", fails)
    assert (await zoe.post("/api/me/delete")).status_code == 503
    assert (await zoe.get("/api/me")).status_code == 401 and "Zoe" in texts(storage)
    monkeypatch.setattr(storage, "remove_name", remove_name)
    monkeypatch.setattr(erasing, "SETTLED", 0)
    await asyncio.sleep(0.002)
    await server.services.tables.erasing.look()
    assert "Zoe" not in texts(storage)
    [erased] = await storage.erasures()
    assert erased.done
    monkeypatch.setattr(erasing, "FORGOTTEN", 0)
    await server.services.tables.erasing.look()
    assert await storage.erasures() == [] and await storage.mentions_of(erased.person) == []


async def test_other_servers_forget_the_name_too(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as here, tables_at(sqlite(tmp_path)) as there:
        zoe = await here._storage.new_person(b"token", "Zoe")
        wish = messages.NewTable(Settings("neptune-vesta", 2), [messages.SeatWish("me")])
        table = (await here.open(zoe, wish)).table
        assert (await there.view(table, zoe)).seats[0].name == "Zoe"  # in memory there
        await here.erase(zoe)
        await there.erasing.look()
        for tables in (here, there):
            assert "Zoe" not in str(await tables.look(Person("ben", "Ben"), table))
