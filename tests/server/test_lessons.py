"""Lessons over HTTP, and the advice of a teacher at a table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from laguna.lessons import lessons_of
from laguna.server.app import Application
from tests.server.test_http import asked, opened, two_at_a_table, view_of
from tests.server.visiting import browser, served

pytestmark = pytest.mark.anyio
GAME = "neptune-vesta"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Application]:
    async with served(tmp_path) as application:
        yield application


def path_of(lesson: str) -> str:
    return f"/api/games/{GAME}/lessons/{lesson}"


async def test_a_lesson_is_played_by_sending_all_actions(server: Application) -> None:
    visitor = await browser(server)
    listed = (await visitor.get(f"/api/games/{GAME}/lessons")).json()
    assert [each["id"] for each in listed["lessons"]] == [each.id for each in lessons_of(GAME).lessons]
    for info in listed["lessons"]:
        actions: list[Any] = []
        state = await asked(visitor, path_of(info["id"]), {})
        while state["task"] is not None:
            assert state["view"]["may"] == ["act"] and state["done"] == len(actions)
            state = await first_that_is_accepted(visitor, info["id"], actions, state)
        assert state["done"] == info["tasks"] and state["view"]["may"] == []
        again = await asked(visitor, path_of(info["id"]), {"actions": actions})
        assert again["view"]["game"] == state["view"]["game"] and again["task"] is None


async def first_that_is_accepted(
    visitor: httpx.AsyncClient, lesson: str, actions: list[Any], state: Any
) -> Any:
    for action in state["view"]["game"]["legal"]:
        tried = await visitor.post(path_of(lesson), json={"actions": actions, "action": action})
        if tried.status_code == 200:
            actions.append(action)
            return tried.json()
        problem = tried.json()
        assert problem["key"] == "lesson" and problem["arguments"]["lesson"] == lesson and problem["clause"]
    raise AssertionError(f"nothing does {state['task']}")


async def test_a_preview_in_a_lesson_changes_nothing_and_says_why_not(server: Application) -> None:
    visitor = await browser(server)
    lesson = path_of(lessons_of(GAME).lessons[0].id)
    state = await asked(visitor, lesson, {})
    action = state["view"]["game"]["legal"][0]
    previewed = await asked(visitor, lesson, {"action": action, "preview": True})
    assert previewed["preview"]["goes_on"] is False and previewed["view"] | {"at": 0} == state["view"] | {
        "at": 0
    }
    taken = next(iter(state["view"]["game"]["board"]))
    refused = await asked(visitor, lesson, {"action": action | {"at": taken}, "preview": True}, 409)
    assert refused["key"] == "cell-taken" and refused["clause"] == "N8"


async def test_lessons_refuse_what_is_not_one(server: Application) -> None:
    visitor = await browser(server)
    assert (await asked(visitor, path_of("nothing"), {}, 404))["key"] == "unknown-lesson"
    assert (await asked(visitor, "/api/games/chess/lessons/one", {}, 404))["key"] == "unknown-game"
    assert (await visitor.get("/api/games/chess/lessons")).status_code == 404
    first = path_of(lessons_of(GAME).lessons[0].id)
    assert (await asked(visitor, first, {"actions": ["7Rc3"] * 41}, 422))["key"] == "body"
    assert (await asked(visitor, first, {"actions": ["nonsense"]}, 409))["sentence"]


async def test_a_teacher_advises_only_where_everybody_else_is_a_bot(server: Application) -> None:
    ada = await browser(server)
    seats = [{"kind": "me"}, {"kind": "bot", "level": "turtle"}]
    table = f"/api/tables/{await opened(ada, seats=seats, start=True)}"
    while "advise" not in (await view_of(ada, table))["may"]:
        pass
    advised = await asked(ada, f"{table}/advise")
    assert advised["version"] == (await view_of(ada, table))["version"] and isinstance(
        advised["advice"], list
    )
    ann, bob, shared = await two_at_a_table(server)
    for person in (ann, bob):
        assert "advise" not in (await view_of(person, shared))["may"]
    assert (await asked(ann, f"{shared}/advise", status=409))["key"] in ("other-people", "not-your-turn")
