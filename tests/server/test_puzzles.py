"""Puzzles over HTTP: tried, failed, solved, given up; and nothing of the solution before its time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from laguna.game import from_position
from laguna.puzzles import Puzzle, puzzles_of
from laguna.server.app import Application
from tests.server.test_http import asked
from tests.server.visiting import HERE, browser, client, served

pytestmark = pytest.mark.anyio
GAME = "neptune-vesta"
TOLD_LATER = ("tried", "best", "solution", "others", "levels")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Application]:
    async with served(tmp_path) as application:
        yield application


def path_of(puzzle: Puzzle) -> str:
    return f"/api/games/{GAME}/puzzles/{puzzle.id}"


def first() -> Puzzle:
    return puzzles_of(GAME).puzzles[0]


def told(state: Any) -> list[str]:
    return [name for name in TOLD_LATER if state[name]]


async def test_the_list_and_the_puzzle_of_the_day(server: Application) -> None:
    visitor = await browser(server)
    listed = (await visitor.get(f"/api/games/{GAME}/puzzles")).json()
    file = puzzles_of(GAME)
    expected = [{"id": each.id, "rating": each.rating, "players": each.players} for each in file.puzzles]
    assert listed == {"game": GAME, "puzzles": expected}
    today = (await visitor.get(f"/api/games/{GAME}/puzzles/today")).json()
    again = (await (await browser(server)).get(f"/api/games/{GAME}/puzzles/today")).json()
    assert today["puzzle"] in expected and today == again
    catalogue = (await visitor.get("/api/games")).json()
    counts = {each["id"]: each["puzzles"] for each in catalogue["games"]}
    assert counts == {game: len(puzzles_of(game).puzzles) for game in counts}


async def test_a_puzzle_is_solved_by_sending_all_actions(server: Application) -> None:
    visitor = await browser(server)
    for puzzle in puzzles_of(GAME).puzzles[:3]:
        actions: list[str] = []
        state = await asked(visitor, path_of(puzzle), {})
        assert state["result"] == "open" and state["view"]["may"] == ["act"] and told(state) == []
        for step in puzzle.steps:
            body = {"actions": actions, "action": step.action}
            state = await asked(visitor, path_of(puzzle), body)
            actions.append(step.action)
        assert state["result"] == "solved" and state["view"]["may"] == [] and state["view"]["deciders"] == []
        assert [each["action"] for each in state["solution"]] == actions
        assert state["solution"][0]["chance"] > max(each["chance"] for each in state["others"])
        assert state["levels"] == puzzle.solved and state["others"][0]["then"]
        again = await asked(visitor, path_of(puzzle), {"actions": actions})
        assert again["view"]["game"] == state["view"]["game"] and again["result"] == "solved"
        beyond = await asked(visitor, path_of(puzzle), {"actions": [*actions, actions[0]]}, 409)
        assert beyond["key"] == "puzzle-over"


async def test_a_wrong_action_is_answered_without_the_solution(server: Application) -> None:
    visitor = await browser(server)
    puzzle = first()
    step = puzzle.steps[0]
    natural = step.tries[0]
    state = await asked(visitor, path_of(puzzle), {"action": natural.action})
    assert state["result"] == "wrong" and told(state) == ["tried", "best"] and state["done"] == 0
    assert state["tried"]["chance"] == step.chances[natural.action] / 1000
    assert state["best"] == step.chances[step.action] / 1000 > state["tried"]["chance"]
    replies = [line for change in state["changes"][1:] for line in change["lines"]]
    assert len(replies) == len(natural.then) and replies[0]["seat"] != puzzle.seat
    known = {step.action, *(each.action for each in step.tries)}
    other = next(action for action in step.chances if action not in known)
    state = await asked(visitor, path_of(puzzle), {"action": other})
    assert state["result"] == "wrong" and len(state["changes"]) == 1


async def test_a_solution_is_shown_to_those_who_give_up(server: Application) -> None:
    visitor = await browser(server)
    puzzle = first()
    state = await asked(visitor, path_of(puzzle), {"give_up": True})
    assert state["result"] == "shown" and len(state["changes"]) == len(puzzle.steps)
    assert [each["action"] for each in state["solution"]] == [step.action for step in puzzle.steps]


async def test_a_preview_tells_nothing_about_the_solution(server: Application) -> None:
    visitor = await browser(server)
    puzzle = first()
    fresh = await asked(visitor, path_of(puzzle), {})
    for action in (puzzle.steps[0].action, puzzle.steps[0].tries[0].action):
        state = await asked(visitor, path_of(puzzle), {"action": action, "preview": True})
        assert state["preview"]["events"] == [
            event.as_json() for event in from_position(GAME, puzzle.position).preview(action).events
        ]
        same = {**fresh, "preview": None, "view": {**fresh["view"], "at": 0}}
        assert {**state, "preview": None, "view": {**state["view"], "at": 0}} | {"lines": []} == same | {
            "lines": []
        }


async def test_puzzles_refuse_what_is_not_one(server: Application) -> None:
    visitor = await browser(server)
    assert (await asked(visitor, f"/api/games/{GAME}/puzzles/aaaaaa", {}, 404))["key"] == "unknown-puzzle"
    assert (await asked(visitor, "/api/games/chess/puzzles/aaaaaa", {}, 404))["key"] == "unknown-game"
    assert (await visitor.get("/api/games/chess/puzzles/today")).status_code == 404
    puzzle = path_of(first())
    assert (await asked(visitor, puzzle, {"actions": ["7Rc3"] * 5}, 422))["key"] == "body"
    assert (await asked(visitor, puzzle, {"action": "nonsense"}, 409))["sentence"]
    assert (await visitor.post(f"/api/games/{GAME}/puzzles/NO", json={})).status_code == 422


async def test_people_without_an_identity_are_counted_by_their_addresses(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"puzzle": "1/h 2/h"}) as server:
        for address in ("192.0.2.1", "192.0.2.2"):
            nobody = client(server, address, origin=HERE)
            for status in (200, 200, 429):
                assert (await nobody.post(path_of(first()), json={})).status_code == status
