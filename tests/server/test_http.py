"""The HTTP API: tables from opening to replay, and what is refused."""

from __future__ import annotations

import asyncio
import gzip
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace
from starlette.requests import Request

import laguna
from laguna import messages
from laguna.bots import LEVELS
from laguna.server.app import Application
from laguna.server.live import loading
from laguna.server.live.replay import replay
from laguna.server.network import page
from laguna.server.network.headers import HEADERS
from laguna.server.network.page import Page
from tests.every import random_steps
from tests.server.visiting import HERE, browser, client, program, served

pytestmark = pytest.mark.anyio
FILES = Path(__file__).parents[1] / "files"
QUICK = {"game": "neptune-vesta", "options": {"rounds": 1}}
NO_TABLE = "A" * 22


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Application]:
    async with served(tmp_path) as application:
        yield application


async def asked(visitor: httpx.AsyncClient, path: str, body: Any = None, status: int = 200) -> Any:
    """What a POST is answered, which must have this status."""
    answer = await visitor.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def opened(visitor: httpx.AsyncClient, **more: Any) -> str:
    view = await asked(visitor, "/api/tables", {"settings": QUICK} | more, 201)
    return str(view["table"])


async def two_at_a_table(
    server: Application, **settings: Any
) -> tuple[httpx.AsyncClient, httpx.AsyncClient, str]:
    """A browser and a program, the first of whom opened the table; the game has started."""
    ann, bob = await browser(server), await program(server, "192.0.2.2")
    table = f"/api/tables/{await opened(ann, settings=settings or QUICK)}"
    await asked(bob, f"{table}/sit", {})
    await asked(ann, f"{table}/start")
    return ann, bob, table


async def view_of(visitor: httpx.AsyncClient, table: str) -> Any:
    return (await visitor.get(table)).json()["view"]


async def act(visitor: httpx.AsyncClient, table: str, **more: Any) -> Any:
    view = await view_of(visitor, table)
    action = random.Random(view["version"]).choice(view["game"]["legal"])
    return await asked(visitor, f"{table}/act", {"version": view["version"], "action": action} | more)


async def play_out(people: list[httpx.AsyncClient], table: str) -> Any:
    view = await view_of(people[0], table)
    while view["status"] == "playing":
        await act(people[view["deciders"][0]], table)
        view = await view_of(people[0], table)
    return view


# ------------------------------------------------------------------ what can be played


async def test_games_with_options_presets_levels_and_texts(server: Application) -> None:
    catalogue = (await client(server).get("/api/games")).json()
    assert [game["id"] for game in catalogue["games"]] == list(laguna.games())
    assert [level["name"] for level in catalogue["levels"]] == [level.name for level in LEVELS]
    for game in catalogue["games"]:
        assert isinstance(game.pop("compiled"), bool) and isinstance(game.pop("ready"), bool)
        game.pop("preparation")
        game.pop("lessons")
        game.pop("puzzles")
        assert game | {"options": 0, "presets": 0} == laguna.games()[game["id"]].as_json() | {
            "options": 0,
            "presets": 0,
        }
        for option in game["options"] + game["presets"]:
            assert option["about"].keys() == set(catalogue["languages"]) == {"en", "ru", "it"}
            assert option["default"] in [choice["value"] for choice in option["choices"]]
    (venice,) = (game for game in catalogue["games"] if game["id"] == "venice-2099")
    assert venice["presets"][0]["choices"][1]["sets"]["tie_break"] == "pawns"


async def test_rules_text(server: Application) -> None:
    rules = (await client(server).get("/api/games/neptune-vesta/rules")).json()
    assert rules["text"].startswith("# ") and "N10" in rules["clauses"]
    italian = (await client(server).get("/api/games/neptune-vesta/rules?language=it")).json()
    assert italian["language"] == "it" and italian["text"].startswith("# Nettuno e Vesta")
    assert italian["clauses"].keys() == rules["clauses"].keys() and "(N9)" in italian["guide"]
    other = await client(server).get("/api/games/neptune-vesta/rules?language=de")
    assert other.status_code == 422 and other.json()["key"] == "language"
    nothing = await client(server).get("/api/games/chess/rules")
    assert nothing.status_code == 404 and nothing.json()["key"] == "unknown-game"


# ------------------------------------------------------------------ a game, from opening to rematch


async def test_a_whole_game_over_http(server: Application) -> None:
    ann, bob, table = await two_at_a_table(server)
    assert (await view_of(bob, table))["mine"] == [1]
    refused = await asked(ann, f"{table}/rematch", status=409)
    assert refused["sentence"]
    over = await play_out([ann, bob], table)
    assert over["status"] == "over" and over["result"]["how"] == "played" and over["secret"]
    again = await asked(bob, f"{table}/rematch")
    following = await view_of(ann, f"/api/tables/{again['table']}")
    assert following["previous"] == over["table"] and following["mine"] == [0]


async def test_every_request_of_the_socket_has_a_route(server: Application) -> None:
    ann, bob, table = await two_at_a_table(server, game="venice-2099", players=2, grace=0)
    said = await asked(bob, f"{table}/say", {"text": "Ahoy"})
    assert said["is"] == "done"
    lines = (await client(server).get(table)).json()["lines"]
    assert lines[-1] | {"at": 0} == lines[-1] | {"at": 0, "kind": "said", "text": "Ahoy", "seat": 1}
    mover = [ann, bob][(await view_of(ann, table))["deciders"][0]]
    acted = await act(mover, table)
    back = await asked(mover, f"{table}/take-back", {"version": acted["version"], "turn": True})
    assert (await view_of(ann, table))["game"]["actions"] == 0 and back["version"] == acted["version"] + 1
    hint = await asked(mover, f"{table}/hint", {"seconds": 0.05})
    assert hint["is"] == "hint" and hint["choices"]
    preview = await asked(mover, f"{table}/preview", {"action": hint["choices"][0]["value"]})
    assert preview["is"] == "previewed" and preview["version"] == hint["version"]
    await asked(bob, f"{table}/leave")
    await asked(ann, f"{table}/take-over", {"seat": 1, "level": "turtle"})
    assert (await view_of(ann, table))["seats"][1]["level"] == "turtle"
    await asked(bob, f"{table}/resign")
    assert (await view_of(ann, table))["result"]["how"] == "resigned"


async def test_seats_before_the_start(server: Application) -> None:
    ann, bob = await browser(server), await program(server)
    table = f"/api/tables/{await opened(ann, seats=[{'kind': 'open'}, {'kind': 'bot', 'level': 'turtle'}])}"
    await asked(bob, f"{table}/sit", {"seat": 0})
    assert (await asked(ann, f"{table}/sit", {}, 409))["key"]
    await asked(bob, f"{table}/stand", {"seat": 0})
    assert (await asked(bob, f"{table}/put-bot", {"seat": 0, "level": "heron"}, 409))["key"]
    await asked(ann, f"{table}/put-bot", {"seat": 0, "level": "heron"})
    assert [seat["level"] for seat in (await view_of(ann, table))["seats"]] == ["heron", "turtle"]


async def test_what_is_refused_at_a_table(server: Application) -> None:
    ann, bob, table = await two_at_a_table(server)
    view = await view_of(ann, table)
    version = view["version"]
    mover, other = [ann, bob] if view["deciders"] == [0] else [bob, ann]
    turn = await asked(other, f"{table}/act", {"version": version, "action": "1Ra1"}, 409)
    assert turn["key"] == "not-your-turn"
    illegal = await asked(mover, f"{table}/act", {"version": version, "action": "9Rz9"}, 409)
    assert illegal["key"] == "unreadable"
    first = await act(mover, table)
    stale = await asked(other, f"{table}/act", {"version": version, "action": "1Ra1"}, 409)
    assert stale["key"] == "stale" and first["version"] == version + 1
    assert (await asked(other, f"{table}/act", {"action": "1Ra1"}, 422))["key"] == "body"
    stranger = await program(server)
    assert (await asked(stranger, f"{table}/act", {"version": version + 1, "action": "1Ra1"}, 409))["key"]
    nobody = client(server, origin=HERE)
    assert (await asked(nobody, f"{table}/say", {"text": "x"}, 401))["key"] == "who"
    assert (await asked(ann, f"/api/tables/{NO_TABLE}/start", status=404))["key"] == "no-table"
    assert (await client(server).get(f"/api/tables/{NO_TABLE}")).status_code == 404


async def test_lists_of_tables(server: Application) -> None:
    ann, bob = await browser(server), await browser(server)
    hidden = await opened(ann)
    listed = await opened(ann, settings=QUICK | {"listed": True})
    (row,) = (await bob.get("/api/tables")).json()
    assert (row["table"], row["mine"], row["my_turn"], row["status"]) == (listed, [], False, "open")
    mine = (await ann.get("/api/tables/mine")).json()
    assert {row["table"] for row in mine} == {hidden, listed} and all(row["mine"] == [0] for row in mine)
    assert (await client(server).get("/api/tables/mine")).json() == []
    await asked(bob, f"/api/tables/{listed}/sit")
    await asked(ann, f"/api/tables/{listed}/start")
    begins = (await view_of(ann, f"/api/tables/{listed}"))["deciders"] == [0]
    assert [row["my_turn"] for row in (await ann.get("/api/tables/mine")).json()] == [begins, False]
    assert [row["my_turn"] for row in (await bob.get("/api/tables/mine")).json()] == [not begins]


# ------------------------------------------------------------------ seat links


async def test_a_seat_link_gives_the_seat_until_it_is_revoked(server: Application) -> None:
    ann, bob, table = await two_at_a_table(server)
    made = await asked(ann, f"{table}/seats/0/link", status=201)
    assert made["seat"] == 0 and made["link"].startswith(f"{HERE}/#link=")
    phone, tablet = await browser(server), await browser(server)
    assert (await asked(phone, "/api/links", {"link": made["link"]}))["table"] in table
    await asked(tablet, "/api/links", {"link": made["link"].partition("=")[2]})
    assert (await view_of(phone, table))["mine"] == [0]
    await asked(phone, f"{table}/say", {"text": "from the phone"})
    assert (await asked(bob, f"{table}/seats/0/link", status=409))["key"] == "not-your-seat"
    assert (await bob.delete(f"{table}/seats/0/link")).status_code == 409
    assert (await ann.delete(f"{table}/seats/0/link")).status_code == 200
    assert (await view_of(phone, table))["mine"] == [] == (await view_of(tablet, table))["mine"]
    assert (await view_of(ann, table))["mine"] == [0]
    assert (await asked(phone, "/api/links", {"link": made["link"]}, 404))["key"] == "no-link"
    assert (await asked(phone, "/api/links", {"link": "x"}, 404))["key"] == "no-link"


async def test_only_the_first_holder_revokes(server: Application) -> None:
    ann, _, table = await two_at_a_table(server)
    link = (await asked(ann, f"{table}/seats/0/link", status=201))["link"]
    phone = await browser(server)
    await asked(phone, "/api/links", {"link": link})
    assert (await phone.delete(f"{table}/seats/0/link")).status_code == 409
    tablet = await browser(server)
    await asked(tablet, "/api/links", {"link": link})


# ------------------------------------------------------------------ files and replays


async def test_the_game_file_comes_at_the_end(server: Application) -> None:
    ann, bob, table = await two_at_a_table(server)
    early = await ann.get(f"{table}/file")
    assert early.status_code == 409 and early.json()["key"] == "not-over"
    over = await play_out([ann, bob], table)
    answer = await client(server).get(f"{table}/file")
    assert answer.headers["content-disposition"].endswith('.laguna.json"')
    game = laguna.loads(answer.text)
    assert game.scores == over["result"]["scores"] and len(game.actions) == over["game"]["actions"]
    again = await client(server, origin=HERE).post("/api/replay", content=answer.content)
    assert again.json()["steps"] == (await ann.get(f"{table}/replay")).json()["steps"]


async def test_replay_of_a_table(server: Application) -> None:
    ann, bob, table = await two_at_a_table(server)
    before = (await client(server).get("/api/tables/" + NO_TABLE + "/replay")).status_code
    assert before == 404
    for _ in range(6):
        await act([ann, bob][(await view_of(ann, table))["deciders"][0]], table)
    found = (await client(server).get(f"{table}/replay")).json()
    assert found["actions"] == 6 and not found["over"] and found["result"] is None
    assert [step["number"] for step in found["steps"]] == list(range(7))
    assert all(step["view"]["seat"] is None and step["view"]["legal"] == [] for step in found["steps"])
    part = (await ann.get(f"{table}/replay", params={"seat": 0, "first": 2, "count": 3})).json()
    assert [step["number"] for step in part["steps"]] == [2, 3, 4]
    assert all(step["view"]["seat"] == 0 for step in part["steps"])
    other = await ann.get(f"{table}/replay", params={"seat": 1})
    assert other.status_code == 409 and other.json()["key"] == "not-your-seat"
    await asked(bob, f"{table}/resign")
    over = (await client(server).get(f"{table}/replay", params={"seat": 1})).json()
    assert over["result"]["how"] == "resigned" and over["steps"][-1]["view"]["seat"] == 1


@pytest.mark.parametrize("file", sorted(FILES.glob("*.laguna.json")), ids=lambda path: path.name)
async def test_replay_of_a_file(server: Application, file: Path) -> None:
    robot = await program(server)
    answer = await robot.post("/api/replay", content=file.read_bytes())
    assert answer.status_code == 200
    game = laguna.loads(file.read_text())
    found = answer.json()
    assert found["actions"] == len(game.actions) and found["result"]["scores"] == game.scores
    assert [step["action"] for step in found["steps"]] == [line["action"] for line in game.log_for(None)][
        :500
    ]
    assert (await robot.post("/api/replay", params={"seat": 4}, content=file.read_bytes())).status_code in (
        200,
        422,
    )


def test_a_replay_shows_what_was_seen_then() -> None:
    game = laguna.new("mille-fiori", players=3, seed=5)
    seen = []
    for _ in random_steps(game, 5):
        seen.append([game.view(seat) for seat in (None, 1)])
        if len(seen) == 40:
            break
    for column, seat in enumerate((None, 1)):
        shown = msgspec.json.decode(msgspec.json.encode(replay(game, seat)))
        assert [step["view"] for step in shown["steps"]] == [views[column] for views in seen]


def test_a_step_tells_its_action_structured_and_who_decides_next() -> None:
    game = laguna.load(FILES / "mille-fiori-four-greedy.laguna.json")
    entries, past = game.entries_for(2), game.copy()
    steps = replay(game, 2).steps
    assert [step.value for step in steps] == [entry.action and entry.action.value for entry in entries]
    assert sum(step.value is None for step in steps) > 10  # what the others kept is secret
    for step in reversed(steps):
        past.back_to(step.number)
        assert step.deciders == past.deciders
    log = replay(game, 2, first=5, count=9, views=False).steps
    assert log == [replace(step, view=None, deciders=[]) for step in steps[5:14]]


def test_a_replay_of_a_running_game_is_the_same_whatever_is_hidden() -> None:
    """Everything that the reader cannot know is dealt and chosen again: not a byte may differ."""
    game = laguna.new("mille-fiori", players=3, seed=8)
    secrets = 0
    for step, _ in enumerate(random_steps(game, 8)):
        if step % 9 != 4:
            continue
        for reader in (None, 0, 2):
            twin = game
            for known in range(3) if reader is None else [reader]:
                twin = twin.imagine(known, seed=step)
            whole, own = (messages.encode(replay(each, reader, views=False)) for each in (game, twin))
            assert whole == own
            now, then = (messages.encode(replay(each, reader, game.played)) for each in (game, twin))
            assert now == then
            secrets += whole != messages.encode(replay(game, 1, views=False))  # another seat reads more
    assert secrets > 20


async def test_a_bad_file_is_refused(server: Application) -> None:
    robot = await program(server)
    text = (FILES / "neptune-vesta-match.laguna.json").read_text()
    wrong = {
        "": 400,
        "{": 400,
        "[" * 100_000: 422,
        "[]": 404,
        '{"laguna": 1, "game": "chess"}': 404,
        '{"laguna": 9, "game": "atlantis"}': 422,
        text.replace('"rules": 1', '"rules": 7'): 422,
        text.replace('"1', '"9', 3): 422,
        " " * 1_000_001: 413,
        "9" * 5000: 422,
        '{"laguna": 1, "game": "neptune-vesta", "seed": ' + "9" * 5000 + "}": 422,
        '{"laguna": 1, "game": "\\ud800"}': 400,
        text.replace('"Neptune"', '"\\ud83d"'): 400,
        text.replace('"rounds"', '"\\ud83d"'): 400,
    }
    for bad, status in wrong.items():
        answer = await robot.post("/api/replay", content=bad)
        assert answer.status_code == status and answer.json()["sentence"], bad[:40]


# ------------------------------------------------------------------ the guard


@pytest.mark.parametrize(
    ("body", "status", "key"),
    [
        (b"", 400, "no-json"),
        (b"{", 400, "no-json"),
        (b"\xff", 400, "no-json"),
        (b'{"settings": ' + b"[" * 10_000, 422, "body"),
        (b'{"settings": {"game": "neptune-vesta", "options": ' + b'{"a":' * 2_000, 422, "body"),
        (b"[]", 422, "body"),
        (b"{}", 422, "body"),
        (b'{"settings": {"game": "chess"}}', 404, "unknown-game"),
        (b'{"settings": {"game": "neptune-vesta", "players": 3}}', 422, "players"),
        (b'{"settings": {"game": "neptune-vesta", "options": {"rounds": 2}}}', 422, "option-value"),
        (b'{"settings": {"game": "neptune-vesta", "stakes": 1}}', 422, "body"),
        (b'{"settings": {"game": "neptune-vesta"}, "seats": [{"kind": "cat"}]}', 422, "body"),
        (
            b'{"settings": {"game": "neptune-vesta"}, "seats": [{"kind": "bot", "level": "cat"}]}',
            422,
            "unknown-bot",
        ),
        (b" " * 17_000, 413, "too-large"),
        (b'{"settings": {"game": "neptune-vesta", "players": ' + b"9" * 5000 + b"}}", 422, "body"),
        (b'{"settings": {"game": "neptune-vesta", "options": {"rounds": ' + b"9" * 5000, 422, "body"),
        (b'{"settings": {"game": "\\ud800"}}', 400, "no-json"),
        (b'{"settings": {"game": "\\udc00"}}', 400, "no-json"),
        (b'{"settings": {"game": "\xed\xa0\x80"}}', 400, "no-json"),
        (b'{"settings": {"game": "neptune-vesta", "options": {"\\ud800": 1}}}', 400, "no-json"),
    ],
)
async def test_bad_bodies(server: Application, body: bytes, status: int, key: str) -> None:
    robot = await program(server)
    answer = await robot.post("/api/tables", content=body)
    assert (answer.status_code, answer.json()["key"]) == (status, key)
    assert "`" not in answer.json()["sentence"], "in words for people"

    async def in_pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 1000):
            yield body[start : start + 1000]

    answer = await robot.post("/api/tables", content=in_pieces())  # without a length
    assert (answer.status_code, answer.json()["key"]) == (status, key)


async def test_a_body_that_does_not_arrive(server: Application, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laguna.server.network.guard.BODY_SECONDS", 0.05)
    robot = await program(server)

    async def endless() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(30)

    answer = await robot.post("/api/tables", content=endless())
    assert answer.status_code == 408 and answer.json()["key"] == "too-slow"


async def test_a_client_that_leaves_while_it_sends_a_body_is_no_error(
    server: Application, caplog: pytest.LogCaptureFixture
) -> None:
    pieces = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(pieces)

    async def send(message: Any) -> None:
        pass

    headers = [(b"host", b"localhost"), (b"authorization", b"Bearer none")]
    scope = {
        "type": "http", "method": "POST", "path": "/api/tokens", "raw_path": b"/api/tokens",
        "query_string": b"", "headers": headers, "http_version": "1.1", "scheme": "http",
        "client": ("192.0.2.1", 50_000),
    }  # fmt: skip
    await server(scope, receive, send)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("depth", [3, 50, 900, 950, 1000, 2000])
async def test_actions_are_not_nested_deeply(server: Application, depth: int) -> None:
    robot = await program(server)
    seats = [{"kind": "me"}, {"kind": "me"}]
    table = await opened(robot, seats=seats, start=True)
    action = '{"do":' * depth + "1" + "}" * depth
    answer = await robot.post(f"/api/tables/{table}/act", content=f'{{"version": 5, "action": {action}}}')
    assert answer.status_code == 422 and answer.json()["key"] == "body"


@pytest.mark.parametrize("game", laguna.games())
def test_every_action_can_be_sent_as_a_value(game: str) -> None:
    played = laguna.new(game, seed=3)
    for _ in random_steps(played, 3):
        for action in played.legal():
            assert msgspec.convert(action.value, messages.ActionForm) == action.value


async def test_methods_that_nothing_here_has(server: Application) -> None:
    robot = await program(server)
    for method in ("TRACE", "CONNECT", "PROPFIND", "OPTIONS"):
        answer = await robot.request(method, "/api/games")
        assert answer.status_code == 405, method
        assert "authorization" not in answer.text.lower()


async def test_bad_addresses(server: Application) -> None:
    visitor = await browser(server)
    for path, status in {
        "/api/nothing": 404,
        "/nothing": 404,
        "/api/tables/short": 422,
        f"/api/tables/{NO_TABLE}/replay?count=0": 422,
        f"/api/tables/{NO_TABLE}/replay?seat=x": 422,
        "/api/log-in": 405,
        "/api/games/" + "x" * 50 + "/rules": 422,
        "/" + "x" * 5000: 413,
    }.items():
        answer = await visitor.get(path)
        assert answer.status_code == status and answer.json()["sentence"], path


LONG = "x" * 10_000


@pytest.mark.parametrize(
    "body",
    [
        {LONG: 1},
        {"settings": {"game": LONG}},
        {"settings": {"game": "neptune-vesta", LONG: 1}},
        {"settings": {"game": "neptune-vesta", "options": {LONG: 1}}},
        {"settings": {"game": "neptune-vesta", "options": {"rounds": LONG}}},
        {"settings": {"game": "neptune-vesta", "clock": {"kind": LONG}}},
        {"settings": {"game": "neptune-vesta"}, "seats": [{"kind": LONG}]},
        {"settings": {"game": "neptune-vesta"}, "seats": [{"kind": "bot", "level": LONG}]},
    ],
)
async def test_refusals_do_not_repeat_what_they_were_sent(server: Application, body: Any) -> None:
    answer = await (await program(server)).post("/api/tables", json=body)
    assert answer.status_code in (404, 422) and answer.json()["sentence"]
    assert "x" * 81 not in answer.text


async def test_replays_are_limited_by_their_steps(tmp_path: Path) -> None:
    """A whole game costs as much as each of its steps asked for alone."""
    async with served(tmp_path, limits={"replay": "100/6000s 250/6000s"}) as server:
        robot, other = await program(server), await program(server)
        table = await opened(robot, seats=[{"kind": "me"}, {"kind": "me"}], start=True)
        for _ in range(19):
            view = (await robot.get(f"/api/tables/{table}")).json()["view"]
            act = {"version": view["version"], "action": view["game"]["legal"][0]}
            assert (await robot.post(f"/api/tables/{table}/act", json=act)).status_code == 200
        whole, part = f"/api/tables/{table}/replay", f"/api/tables/{table}/replay?first=3&count=1"
        assert len((await robot.get(whole)).json()["steps"]) == 20
        assert [(await robot.get(whole)).status_code for _ in range(3)] == [200] * 3
        assert [(await robot.get(part)).status_code for _ in range(20)] == [200] * 20
        denied = await robot.get(part)
        assert denied.status_code == 429 and int(denied.headers["retry-after"]) >= 1
        assert [(await other.get(whole)).status_code for _ in range(6)] == [200] * 5 + [429]
        nobody = client(server)  # from the same address
        assert [(await nobody.get(whole)).status_code for _ in range(4)] == [200] * 2 + [429] * 2


async def test_looking_at_the_past_step_by_step_is_not_too_much(tmp_path: Path) -> None:
    """The page asks for one step at a time, as quickly as somebody can click."""
    async with served(tmp_path, limits={}) as server:
        robot = await program(server)
        table = await opened(robot, seats=[{"kind": "me"}, {"kind": "me"}], start=True)
        part = f"/api/tables/{table}/replay?first=0&count=1"
        assert {(await robot.get(part)).status_code for _ in range(150)} == {200}


async def test_requests_are_limited(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"request": "3/m 7/m", "table": "1/m"}) as server:
        robot, other = await program(server), await program(server)
        assert (await robot.post("/api/tables", json={"settings": QUICK})).status_code == 201
        assert (await robot.post("/api/tables", json={"settings": QUICK})).status_code == 429
        assert [(await robot.get("/api/me")).status_code for _ in range(2)] == [200, 429]
        assert [(await other.get("/api/me")).status_code for _ in range(2)] == [200, 429]  # the address, now


async def test_every_response_has_the_security_headers(server: Application) -> None:
    robot = await program(server)
    answers = [
        await robot.get("/"),
        await robot.get("/api/me"),
        await robot.get("/api/nothing"),
        await robot.post("/api/tables", content=b" " * 17_000),
        await robot.post("/api/me", headers={"origin": "http://evil.test"}),
        await robot.get("/metrics"),
    ]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
    policy = answers[0].headers["content-security-policy"]
    assert (
        "default-src 'none'" in policy
        and "script-src 'self';" in policy
        and "frame-ancestors 'none'" in policy
        and "unsafe" not in policy
    )
    assert answers[1].headers["cache-control"] == "no-store"
    assert "strict-transport-security" not in answers[0].headers


async def test_the_address_behind_a_proxy(tmp_path: Path) -> None:
    limits = {"guest": "1/h"}
    async with served(tmp_path, limits=limits, trusted_proxies=["10.0.0.0/8"]) as server:
        ours, forged = client(server, "10.0.0.1"), client(server, "192.0.2.1")
        for address, status in [("198.51.100.1", 200), ("198.51.100.2", 200), ("198.51.100.1", 429)]:
            answer = await ours.get(
                "/api/me", headers={"x-forwarded-for": f"203.0.113.9, {address}, 10.9.9.9"}
            )
            ours.cookies.clear()
            assert answer.status_code == status
        for address, status in [("198.51.100.3", 200), ("198.51.100.4", 429)]:
            answer = await forged.get("/api/me", headers={"x-forwarded-for": address})
            forged.cookies.clear()
            assert answer.status_code == status


# ------------------------------------------------------------------ the server itself


async def test_health_and_readiness(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = client(server)
        assert (await visitor.get("/api/health")).json()["version"] == laguna.__version__
        assert (await visitor.get("/api/ready")).json()["ready"] is True
        await server.services.tables.close()
        assert (await visitor.get("/api/ready")).status_code == 503
        assert (await visitor.get("/api/health")).status_code == 200
        robot = await program(server)
        assert (await robot.post("/api/tables", json={"settings": QUICK})).status_code == 503


HERE_ITSELF = "http://127.0.0.1:8099"


async def test_metrics_are_for_this_machine_or_whoever_has_the_token(tmp_path: Path) -> None:
    async with served(tmp_path / "a") as server:
        text = await client(server, "127.0.0.1", HERE_ITSELF).get("/metrics")
        assert text.status_code == 200 and "laguna_http_seconds_bucket" in text.text
        assert (await client(server, "192.0.2.1").get("/metrics")).status_code == 403
        itself = client(server, "127.0.0.1", HERE_ITSELF)
        proxied = await itself.get("/metrics", headers={"x-forwarded-for": "192.0.2.1"})
        assert proxied.status_code == 403
        assert (await client(server, "127.0.0.1", "http://localhost").get("/metrics")).status_code == 200
        rebound = await client(server, "127.0.0.1", "http://rebound.example:8099").get("/metrics")
        assert rebound.status_code == 403 and rebound.json()["key"] == "metrics"
    async with served(tmp_path / "b", metrics_token="amber") as server:
        for token, status in [("amber", 200), ("ambre", 403), ("", 403)]:
            answer = await client(server, "192.0.2.1").get(
                "/metrics", headers={"authorization": f"Bearer {token}"}
            )
            assert answer.status_code == status
        assert (await client(server, "127.0.0.1", HERE_ITSELF).get("/metrics")).status_code == 403
    async with served(tmp_path / "c", metrics=False) as server:
        assert (await client(server, "127.0.0.1", HERE_ITSELF).get("/metrics")).status_code == 403


async def test_metrics_name_routes_and_never_addresses(server: Application) -> None:
    await client(server).get(f"/api/tables/{NO_TABLE}")
    await client(server).get("/somewhere/else")
    text = (await client(server, "127.0.0.1", HERE_ITSELF).get("/metrics")).text
    assert 'route="/api/tables/{table}"' in text
    assert NO_TABLE not in text and "somewhere" not in text


async def test_without_a_page_there_is_a_short_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "FOLDER", tmp_path / "missing")
    async with served(tmp_path) as server:
        answer = await client(server).get("/")
        assert answer.status_code == 200 and "The server is running." in answer.text


async def test_the_page(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Laguna</title>")
    (tmp_path / "assets" / "a1b2.js").write_text("1;")
    visitor = httpx.AsyncClient(transport=httpx.ASGITransport(Page(tmp_path)), base_url=HERE)
    front = await visitor.get("/")
    assert "Laguna" in front.text and front.headers["cache-control"] == "no-cache"
    assert (await visitor.get("/table/abc")).text == front.text
    script = await visitor.get("/assets/a1b2.js")
    assert "immutable" in script.headers["cache-control"] and "javascript" in script.headers["content-type"]
    assert script.headers["vary"] == "accept-encoding" and "content-encoding" not in script.headers
    with pytest.raises(Exception, match="404"):
        await visitor.get("/assets/gone.js")
    with pytest.raises(Exception, match="404"):
        await visitor.get("/%2e%2e/secret.txt")


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, GZIP;q=0.5", "gzip"), ("identity", None)],
)
async def test_the_page_is_sent_as_the_build_has_compressed_it(
    tmp_path: Path, accepted: str, encoding: str | None
) -> None:
    words = "Laguna! " * 99
    (tmp_path / "index.html").write_text(words)
    (tmp_path / "index.html.gz").write_bytes(gzip.compress(words.encode()))
    (tmp_path / "index.html.br").write_bytes(b"as Brotli writes it")
    visitor = httpx.AsyncClient(transport=httpx.ASGITransport(Page(tmp_path)), base_url=HERE)
    visitor.headers["accept-encoding"] = accepted
    async with visitor.stream("GET", "/") as front:
        sent = b"".join([piece async for piece in front.aiter_raw()])
    assert front.headers.get("content-encoding") == encoding and front.headers["vary"] == "accept-encoding"
    assert front.headers["content-type"].startswith("text/html") and int(
        front.headers["content-length"]
    ) == len(sent)
    assert (
        sent
        == (
            tmp_path / {"br": "index.html.br", "gzip": "index.html.gz", None: "index.html"}[encoding]
        ).read_bytes()
    )
    again = await visitor.get("/", headers={"if-none-match": front.headers["etag"]})
    assert again.status_code == 304 and again.headers["vary"] == "accept-encoding"
    other = await visitor.get(
        "/", headers={"if-none-match": front.headers["etag"], "accept-encoding": "identity"}
    )
    assert other.status_code == (304 if encoding is None else 200)


async def test_a_client_waiting_for_a_game_sees_its_progress(
    server: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def known() -> dict[str, bool]:
        games = (await client(server).get("/api/games")).json()["games"]
        return next(game for game in games if game["id"] == "neptune-vesta")

    monkeypatch.setattr(loading, "is_warm", lambda *_: False)
    assert not (before := await known())["compiled"] and not before["ready"]
    monkeypatch.setattr(loading, "is_warm", lambda *_: True)
    assert (before := await known())["compiled"] and not before["ready"]
    await opened(await browser(server))
    assert (after := await known())["compiled"] and after["ready"]


async def test_a_client_that_does_not_wait_for_a_game_gets_no_table(
    server: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(_: object) -> bool:
        return True

    ann = await browser(server)
    monkeypatch.setattr(Request, "is_disconnected", gone)
    await asked(ann, "/api/tables", {"settings": QUICK}, 503)
    assert (await ann.get("/api/tables/mine")).json() == []
