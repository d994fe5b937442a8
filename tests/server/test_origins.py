"""Tables that begin elsewhere: from a position, or from a finished game after some of its actions."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import laguna
from laguna.server.app import Application
from tests.every import random_steps
from tests.server.test_http import (
    FILES,
    NO_TABLE,
    QUICK,
    asked,
    opened,
    play_out,
    two_at_a_table,
    view_of,
)
from tests.server.visiting import browser, program, served
from tests.test_fair import verify

pytestmark = pytest.mark.anyio
HOT_SEAT = [{"kind": "me"}, {"kind": "me", "name": "Guest"}]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Application]:
    async with served(tmp_path) as application:
        yield application


async def finished(server: Application, **settings: Any) -> tuple[httpx.AsyncClient, str]:
    """Somebody, and the id of a table whose game is over."""
    ann, bob, table = await two_at_a_table(server, **(settings or QUICK))
    return ann, str((await play_out([ann, bob], table))["table"])


async def opened_from(visitor: httpx.AsyncClient, status: int = 201, **more: Any) -> Any:
    """The answer to opening a table that is to begin elsewhere."""
    wish = {"settings": {"game": "neptune-vesta"}, "seats": HOT_SEAT, "start": True}
    return await asked(visitor, "/api/tables", wish | more, status)


def a_position(game: str, actions: int, **options: Any) -> dict[str, Any]:
    played = laguna.new(game, seed=4, **options)
    for _ in random_steps(played, 1):
        if played.played == actions:
            break
    return played.position(undrawn=False)


async def test_a_game_goes_on_from_an_earlier_one(
    server: Application,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ann, table = await finished(server)
    view = await opened_from(ann, origin={"table": table, "actions": 9})
    assert view["origin"] == {"table": table, "actions": 9} and view["previous"] is None
    assert view["settings"]["options"] == (await view_of(ann, f"/api/tables/{table}"))["settings"]["options"]
    earlier = (await ann.get(f"/api/tables/{table}/replay", params={"seat": view["deciders"][0]})).json()
    then = earlier["steps"][9]["view"]
    changing = ("actions", "seats")
    assert {name: value for name, value in view["game"].items() if name not in changing} == {
        name: value for name, value in then.items() if name not in changing
    }
    address = f"/api/tables/{view['table']}"
    over = await play_out([ann, ann], address)
    assert over["status"] == "over" and over["secret"]
    file = tmp_path / "game.laguna.json"
    file.write_text(await checked_file(ann, address, over))
    assert verify(monkeypatch, str(file), "--commitment", over["commitment"]) == 0
    assert "began from the position in the file" in capsys.readouterr().out


async def checked_file(visitor: httpx.AsyncClient, address: str, over: Any) -> str:
    """The game file, which tells the whole game and cannot be changed."""
    text = (await visitor.get(f"{address}/file")).text
    game = laguna.loads(text)
    assert game.start is not None and game.scores == over["result"]["scores"] and game.dumps() == text
    steps = (await visitor.get(f"{address}/replay")).json()
    assert steps["actions"] == game.played and steps["steps"][-1]["view"]["over"]
    forged = json.loads(text)
    forged["start"]["hands"]["red"], forged["start"]["hands"]["blue"] = 2 * [[1, 2, 3]]
    with pytest.raises(laguna.LagunaError):
        laguna.loads(json.dumps(forged))
    return text


async def test_what_was_not_drawn_then_is_drawn_anew(server: Application) -> None:
    """Whoever saw the earlier game cannot know what this one will deal."""
    ann, table = await finished(server)
    stacks = []
    for _ in range(3):
        view = await opened_from(ann, origin={"table": table, "actions": 1})
        await asked(ann, f"/api/tables/{view['table']}/resign", {"seat": 0})
        game = laguna.loads((await ann.get(f"/api/tables/{view['table']}/file")).text)
        game.back_to(0)
        stacks.append(str(game.position()["stacks"]))
    assert len(set(stacks)) == 3


async def test_a_table_survives_a_restart_and_its_rematch_begins_there_too(tmp_path: Path) -> None:
    position = a_position("neptune-vesta", 6)
    async with served(tmp_path) as server:
        robot = await program(server)
        view = await opened_from(robot, position=position)
        address = f"/api/tables/{view['table']}"
        first = await view_of(robot, address)
        token = robot.headers["authorization"]
    async with served(tmp_path) as server:
        robot = await program(server)
        robot.headers["authorization"] = token
        assert (await view_of(robot, address))["game"] == first["game"]
        await asked(robot, f"{address}/resign", {"seat": 0})
        again = await asked(robot, f"{address}/rematch")
        view = await view_of(robot, f"/api/tables/{again['table']}")
        assert view["game"]["board"] == first["game"]["board"] and view["status"] == "playing"


@pytest.mark.parametrize("game", list(laguna.games()))
async def test_any_position_of_any_game_can_be_played(server: Application, game: str) -> None:
    robot = await program(server)
    position = a_position(game, 11)
    seats = [{"kind": "me"}] * position["players"]
    view = await opened_from(robot, position=position, seats=seats, settings={"game": game})
    assert view["settings"]["players"] == position["players"] and view["origin"] is None
    seat = view["deciders"][0]
    expected = laguna.from_position(game, position).view(seat)
    assert view["game"] | {"seats": 0} == expected | {"seats": 0}


async def test_bots_play_on_from_a_position(server: Application) -> None:
    ann = await browser(server)
    seats = [{"kind": "bot", "level": "heron"}, {"kind": "bot", "level": "heron"}]
    view = await opened_from(ann, position=a_position("neptune-vesta", 20, rounds=1), seats=seats)
    while view["status"] == "playing":
        view = await view_of(ann, f"/api/tables/{view['table']}")
    assert view["result"]["how"] == "played"


# ------------------------------------------------------------------ what is refused


async def test_nothing_of_a_running_game_can_be_gone_on_from(server: Application) -> None:
    ann, _, table = await two_at_a_table(server)
    name = table.rpartition("/")[2]
    refused = await opened_from(ann, 409, origin={"table": name, "actions": 0})
    assert refused["key"] == "not-over"
    answer = await ann.get(f"{table}/position", params={"actions": 0})
    assert answer.status_code == 409 and answer.json()["key"] == "not-over"
    waiting = await opened(ann)
    assert (await opened_from(ann, 409, origin={"table": waiting, "actions": 0}))["key"] == "not-over"


async def test_origins_that_are_refused(server: Application) -> None:
    ann, table = await finished(server)
    most = (await ann.get(f"/api/tables/{table}/replay")).json()["actions"]
    for actions in (most, most + 1):
        refused = await opened_from(ann, 422, origin={"table": table, "actions": actions})
        assert refused["key"] == "actions" and refused["sentence"]
    refused = await opened_from(ann, 404, origin={"table": NO_TABLE, "actions": 0})
    assert refused["key"] == "no-table"
    other = {"settings": {"game": "atlantis"}, "origin": {"table": table, "actions": 3}}
    assert (await opened_from(ann, 422, **other))["key"] == "other-game"
    both = {"position": a_position("neptune-vesta", 3), "origin": {"table": table, "actions": 3}}
    assert (await opened_from(ann, 422, **both))["key"] == "two-beginnings"
    for broken in ({"table": table}, {"table": "x", "actions": 1}, {"table": table, "actions": -1}):
        assert (await opened_from(ann, 422, origin=broken))["key"] == "body"


async def test_positions_that_are_refused_say_why(server: Application) -> None:
    ann = await browser(server)
    good = a_position("neptune-vesta", 6)
    refused = await opened_from(ann, 422, position=good | {"lighthouse": 10})
    assert refused["key"] == "at-end" and refused["clause"] == "N14"
    for wrong, key in (
        ({}, "form-missing"),
        (good | {"game": "atlantis"}, "other-game"),
        (good | {"nonsense": 1}, "form-unknown"),
        (good | {"hands": {"red": [[[]]]}}, "form-entries"),
    ):
        assert (await opened_from(ann, 422, position=wrong))["key"] == key
    settings = {"game": "neptune-vesta", "options": {"rounds": 1}}
    assert (await opened_from(ann, 422, position=good, settings=settings))["key"] == "position-settings"
    ended = laguna.new("neptune-vesta", seed=1, rounds=1)
    for _ in random_steps(ended, 1):
        pass
    assert (await opened_from(ann, 422, position=ended.position()))["key"] == "position-over"
    assert (await opened_from(ann, 422, position=[1]))["key"] == "body"
    assert (await ann.get("/api/tables/mine")).json() == []


# ------------------------------------------------------------------ positions to go on from


async def test_the_position_of_a_finished_game_and_of_a_file_are_the_same(server: Application) -> None:
    ann, table = await finished(server)
    file = (await ann.get(f"/api/tables/{table}/file")).text
    for actions in (0, 5):
        one = await ann.get(f"/api/tables/{table}/position", params={"actions": actions})
        other = await ann.post("/api/positions/file", params={"actions": actions}, content=file)
        assert one.status_code == other.status_code == 200
        assert one.json() == other.json()["position"]
        assert "stacks" not in one.json() and one.json()["hands"]
    assert (await opened_from(ann, position=one.json()))["status"] == "playing"


async def test_positions_of_files_are_refused_with_a_sentence(server: Application) -> None:
    robot = await program(server)
    file = sorted(FILES.glob("*.laguna.json"))[0].read_bytes()
    most = laguna.loads(file).played

    async def refused(actions: int, content: bytes) -> Any:
        answer = await robot.post("/api/positions/file", params={"actions": actions}, content=content)
        assert answer.status_code == 422
        return answer.json()["key"]

    assert await refused(most + 1, file) == "actions"
    assert await refused(-1, file) == "address"
    assert await refused(0, file.replace(b'"laguna": 1', b'"laguna": 7')) == "format"
