"""Positions for the board editor: checked, read from files, dealt; nothing of a table is in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import laguna
from laguna.games import rulebooks
from laguna.server.app import Application
from tests.server.test_http import asked, two_at_a_table, view_of
from tests.server.visiting import browser, served

pytestmark = pytest.mark.anyio
GAME = "neptune-vesta"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Application]:
    async with served(tmp_path) as application:
        yield application


async def refused(visitor: httpx.AsyncClient, path: str, body: Any, status: int = 422) -> dict[str, Any]:
    answer = await visitor.post(path, json=body)
    assert answer.status_code == status, answer.text
    problem: dict[str, Any] = answer.json()
    return problem


async def checked(visitor: httpx.AsyncClient, position: Any, **more: Any) -> Any:
    return await asked(visitor, "/api/positions", {"game": GAME, "position": position, **more})


@pytest.mark.parametrize("game", list(rulebooks()))
async def test_a_dealt_position_is_possible_in_every_game(server: Application, game: str) -> None:
    visitor = await browser(server)
    dealt = await asked(visitor, f"/api/games/{game}/position", {"seat": 0})
    again = await asked(visitor, "/api/positions", {"game": game, "position": dealt["position"], "seat": 0})
    assert again["position"] == dealt["position"]
    assert again["view"] == laguna.from_position(game, dealt["position"]).view(0) == dealt["view"]


async def test_players_and_options_of_a_dealt_position(server: Application) -> None:
    visitor = await browser(server)
    start = "/api/games/venice-2099/position"
    dealt = await asked(visitor, start, {"players": 2, "options": {"moves": "rook"}})
    assert (dealt["position"]["players"], dealt["position"]["options"]["moves"]) == (2, "rook")
    other = await asked(visitor, start, {"players": 2, "options": {"moves": "rook"}})
    assert other["position"] != dealt["position"], "each is dealt anew"
    assert (await refused(visitor, start, {"players": 1}))["key"] == "players"
    assert (await refused(visitor, start, {"options": {"moves": "hop"}}))["key"] == "option-value"
    assert (await refused(visitor, "/api/games/chess/position", {}, 404))["key"] == "unknown-game"


async def test_an_impossible_position_is_refused_with_field_and_clause(server: Application) -> None:
    visitor = await browser(server)
    position = laguna.new(GAME, seed=7).position()
    problem = await refused(
        visitor, "/api/positions", {"game": GAME, "position": position | {"lighthouse": 10}}
    )
    assert problem["sentence"] == "lighthouse: on 10 the round is over (N14)."
    assert problem["arguments"]["field"] == "lighthouse" and problem["clause"] == "N14"
    assert problem["key"] == "at-end"
    for wrong, field, key in (
        ({"board": 5}, "board", "form-kind"),
        ({"hands": {"red": [1]}}, "hands.red", "form-entries"),
        ({"spam": 1}, "position", "form-unknown"),
    ):
        problem = await refused(visitor, "/api/positions", {"game": GAME, "position": position | wrong})
        assert (problem["key"], problem["arguments"]["field"]) == (key, field)
    problem = await refused(visitor, "/api/positions", {"game": "atlantis", "position": position})
    assert (problem["key"], problem["arguments"]["field"]) == ("other-game", "game")


async def test_what_is_left_out_is_dealt_and_differs_each_time(server: Application) -> None:
    visitor = await browser(server)
    position = laguna.new(GAME, seed=7).position()
    del position["stacks"], position["chance"]
    one, other = await checked(visitor, position), await checked(visitor, position)
    assert {name: one["position"][name] for name in position} == position
    assert one["position"]["stacks"] != other["position"]["stacks"], "or its order would be known beforehand"


async def test_a_view_is_what_that_seat_sees(server: Application) -> None:
    visitor = await browser(server)
    position = laguna.new(GAME, seed=7).position()
    assert (await checked(visitor, position))["view"]["hand"] is None
    assert (await checked(visitor, position, seat=1))["view"]["hand"] == position["hands"]["blue"]
    problem = await refused(visitor, "/api/positions", {"game": GAME, "position": position, "seat": 4})
    assert problem["key"] == "seat"


async def test_the_position_of_a_file(server: Application) -> None:
    visitor = await browser(server)
    game = laguna.new(GAME, seed=7)
    start = game.position()
    game.play(game.legal()[0])
    file = "/api/positions/file"

    async def of(text: str, query: str = "") -> Any:
        answer = await visitor.post(file + query, content=text, headers={"Content-Type": "application/json"})
        return answer.json()

    game_now, at_first = game.position(undrawn=False), laguna.new(GAME, seed=7).position(undrawn=False)
    assert (await of(game.dumps()))["position"] == game_now
    assert (await of(game.dumps(), "?actions=0"))["position"] == at_first
    assert (await asked(visitor, file, start))["position"] == start
    assert (await of(game.dumps(), "?actions=2"))["key"] == "actions"
    assert (await of("{"))["key"] == "no-json"
    assert (await of('{"game": "neptune-vesta", "laguna": 1}'))["key"] == "game-file"
    assert (await of('{"turn": 1}'))["key"] == "unknown-game"


async def test_a_running_game_stays_unknown(server: Application) -> None:
    """Its own view is not a position, its file is refused, and what is dealt here is dealt without it."""
    ada, _, table = await two_at_a_table(server)
    assert (await ada.get(f"{table}/file")).status_code == 409
    view = (await view_of(ada, table))["game"]
    assert (await refused(ada, "/api/positions", {"game": GAME, "position": view}))["key"] == "form-unknown"
    dealt = (await asked(ada, f"/api/games/{GAME}/position", {}))["position"]
    # The two tiles of the setup alone are the same once in a hundred deals.
    assert (dealt["board"], dealt["hands"]["red"]) != (view["board"], view["hand"])


async def test_positions_are_limited(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"position": "2/h off", "import": "1/h off"}) as application:
        visitor = await browser(application)
        position = laguna.new(GAME, seed=7).position()
        for _ in range(2):
            await checked(visitor, position)
        await refused(visitor, "/api/positions", {"game": GAME, "position": position}, 429)
        await refused(visitor, f"/api/games/{GAME}/position", {}, 429)
        await asked(visitor, "/api/positions/file", position)
        await refused(visitor, "/api/positions/file", position, 429)
