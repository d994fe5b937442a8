"""Lessons: the format, and every lesson of every game played to its end."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

import laguna
from laguna.errors import BadFile, LagunaError, Refusal
from laguna.game import Action
from laguna.games import rulebooks
from laguna.lessons import Lesson, LessonTable, Task, Wrong, fits, lessons_of, read_lessons
from laguna.rulebook import clauses
from laguna.table.entries import Person

ADA = Person("ada", "Ada")
ALL = [(game, lesson) for game in rulebooks() for lesson in lessons_of(game).lessons]
each_lesson = pytest.mark.parametrize(
    ("game", "lesson"), ALL, ids=[f"{game}-{lesson.id}" for game, lesson in ALL]
)


def after(game: str, lesson: Lesson, actions: list[str]) -> LessonTable:
    at = LessonTable(game, lesson, ADA, now=1)
    for action in actions:
        at.act(action)
    return at


def legal(at: LessonTable) -> list[tuple[Action, dict[str, Any]]]:
    return [(action, msgspec.to_builtins(action.value)) for action in at.table.started.legal()]


def accepted(at: LessonTable, task: Task) -> list[Action]:
    """The legal actions that do the task."""
    game, found = at.table.started, []
    for action, value in legal(at):
        events = {event.key for event in game.copy().play(action).events} if task.events else set()
        if any(fits(value, pattern) for pattern in task.accept) and (
            not task.events or events & {*task.events}
        ):
            found.append(action)
    return found


def refused_by(task: Task, value: dict[str, Any]) -> Wrong | None:
    return next((wrong for wrong in task.wrong if fits(value, wrong.match)), None)


@pytest.mark.parametrize("game", ["atlantis", "mille-fiori", "neptune-vesta", "venice-2099"])
def test_every_game_has_six_to_ten_lessons_and_a_short_game(game: str) -> None:
    file = lessons_of(game)
    assert 6 <= len(file.lessons) <= 10
    laguna.new(game, players=file.players, **file.options)


@each_lesson
def test_a_lesson_can_be_done_in_every_way_that_it_accepts(game: str, lesson: Lesson) -> None:
    done: list[str] = []
    for number, task in enumerate(lesson.tasks):
        at = after(game, lesson, done)
        assert at.task == task and at.table.deciders == [lesson.seat]
        ways = [str(way) for way in accepted(at, task)]
        assert ways, f"nothing does {task.id}"
        for way in ways:
            assert after(game, lesson, [*done, way]).done == number + 1
        done.append(ways[0])
    at = after(game, lesson, done)
    assert at.task is None
    with pytest.raises(Refusal, match="done"):
        at.act("anything")


@each_lesson
def test_what_is_beside_the_point_is_answered_and_changes_nothing(game: str, lesson: Lesson) -> None:
    at = after(game, lesson, [])
    for task in lesson.tasks:
        right = accepted(at, task)
        said = set()
        for action, value in legal(at):
            if action in right:
                continue
            before = at.table.version, at.table.started.state_bytes()
            with pytest.raises(Refusal) as refusal:
                at.act(str(action))
            assert (at.table.version, at.table.started.state_bytes()) == before
            wrong = refused_by(task, value)
            assert refusal.value.arguments["text"] == (wrong.text if wrong else None)
            assert refusal.value.clause in clauses(game)
            said.add(refusal.value.arguments["text"])
        assert {wrong.text for wrong in task.wrong} <= said, "a sentence that nobody can get to read"
        at.act(str(right[0]))


@each_lesson
def test_lessons_cite_clauses_that_exist(game: str, lesson: Lesson) -> None:
    cited = {
        *lesson.clauses,
        *(wrong.clause for task in lesson.tasks for wrong in task.wrong if wrong.clause),
    }
    assert cited <= clauses(game).keys()


def file_with(**changes: Any) -> bytes:
    task = {"id": "play", "accept": [{"do": "place"}]}
    lesson = {"id": "one", "clauses": ["N8"], "position": {}, "tasks": [task]} | changes
    return json.dumps({"lessons": [lesson]}).encode()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{", "not valid JSON"),
        (b"[]", "must be an object"),
        (file_with(id="No capitals"), "id"),
        (file_with(tasks=[]), "tasks"),
        (file_with(clauses=[]), "clauses"),
        (file_with(hint="x"), "hint"),
        (file_with(tasks=[{"id": "a", "accept": [{}]}] * 2), "two have the same"),
        (file_with(tasks=[{"id": "a", "accept": []}]), "accept"),
    ],
)
def test_a_damaged_file_is_refused_with_a_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(BadFile, match=sentence):
        read_lessons(content)


def test_there_is_no_such_lesson() -> None:
    with pytest.raises(LagunaError, match="There is no lesson 'nothing'"):
        lessons_of("neptune-vesta").find("nothing")
