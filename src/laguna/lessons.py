"""Lessons: small positions on the real board, each with something to do. They make a game's tutorial.

A game's lessons are the file `lessons.json` in its folder; docs/lessons.md describes the format. Nothing
about a lesson in progress is stored: it is replayed from the learner's actions so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from laguna.errors import BadFile, Refusal
from laguna.game import field_and_reason
from laguna.games import find
from laguna.games.contract import Event
from laguna.practice import PracticeTable
from laguna.table.entries import Milliseconds, Person, Seat
from laguna.table.state import ActionForm

FILE = "lessons.json"
BOT = "turtle"  # who sits at the other seats; the file says what they do
NAME = r"^[a-z0-9-]{1,40}$"

Name = Annotated[str, Meta(pattern=NAME)]
Pattern = dict[str, Any]  # some fields of an action, with their values


class Wrong(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said about an action that the rules allow but the task does not."""

    match: Pattern
    text: Name
    clause: str | None = None


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to do: an action that fits one of `accept` and, if any are named, causes one of `events`."""

    id: Name
    accept: Annotated[list[Pattern], Meta(min_length=1)]
    events: list[Name] = []
    point: list[str] = []  # the spots of the board or hand that it is about
    wrong: list[Wrong] = []  # the first that matches is said
    then: list[str] = []  # what happens afterwards without the learner, in notation


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """One lesson: a position, and what the learner does in it."""

    id: Name
    clauses: Annotated[list[str], Meta(min_length=1)]  # what it teaches
    position: dict[str, Any]
    tasks: Annotated[list[Task], Meta(min_length=1)]
    seat: Seat = 0  # the learner's


class LessonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The lessons of a game, in the order in which they are learned, and how a short first game is played."""

    lessons: list[Lesson]
    players: int | None = None  # of the first game; None: the usual number
    options: dict[str, int | str] = {}

    def find(self, name: str) -> Lesson:
        for lesson in self.lessons:
            if lesson.id == name:
                return lesson
        raise Refusal("unknown-lesson", f"There is no lesson {name!r:.40}.")


@cache
def lessons_of(game: str) -> LessonFile:
    """The lessons of a game; none if it has no file of them."""
    path = find(game).path / FILE
    return read_lessons(path.read_bytes()) if path.is_file() else LessonFile([])


def read_lessons(content: bytes) -> LessonFile:
    """The lessons of a file; raises BadFile if it is not one."""
    try:
        file = msgspec.json.decode(content, type=LessonFile)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(error)
        raise BadFile("lessons", f"{field or 'lessons'}: {reason}.", field=field) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadFile("lessons", "The file of lessons is not valid JSON.") from None
    ids = [[lesson.id for lesson in file.lessons]]
    ids += [[task.id for task in lesson.tasks] for lesson in file.lessons]
    for names in ids:
        if len(set(names)) < len(names):
            raise BadFile("lessons", f"id: two have the same, among {', '.join(names)}.", field="id")
    return file


class LessonTable(PracticeTable):
    """A table at which one person does a lesson. What others do is in the lesson."""

    def __init__(self, game: str, lesson: Lesson, learner: Person, now: Milliseconds) -> None:
        super().__init__("lesson", game, lesson.position, lesson.seat, learner, BOT, now)
        self.lesson = lesson
        self.done = 0  # how many tasks

    @property
    def task(self) -> Task | None:
        """What to do now; None if the lesson is done."""
        return self.lesson.tasks[self.done] if self.done < len(self.lesson.tasks) else None

    @property
    def goes_on(self) -> bool:
        return self.task is not None

    def steps(self, action: ActionForm) -> Iterator[None]:
        """Do this, one by one; refused by the rules, or with what is wrong about it for the task."""
        task = self.task
        if task is None:
            raise Refusal("lesson-done", "This lesson is done.")
        tried = self.table.started.copy()
        played = tried.play(action, seat=self.seat)
        assert played.action is not None
        self._check(task, msgspec.to_builtins(played.action.value), played.events)
        self._act(action)
        self.done += 1
        yield
        for reply in task.then:
            self._follow(reply)
            yield

    def _check(self, task: Task, action: Pattern, events: Iterable[Event]) -> None:
        happened = not task.events or any(event.key in task.events for event in events)
        if happened and any(fits(action, pattern) for pattern in task.accept):
            return
        for wrong in task.wrong:
            if fits(action, wrong.match):
                raise self._refusal(task, wrong.text, wrong.clause)
        raise self._refusal(task, None, None)

    def _refusal(self, task: Task, text: str | None, clause: str | None) -> Refusal:
        sentence = "The rules allow that, but this lesson asks for something else."
        clause = clause or self.lesson.clauses[0]
        return Refusal("lesson", sentence, clause, lesson=self.lesson.id, task=task.id, text=text)


def fits(action: Mapping[str, Any], pattern: Pattern) -> bool:
    """Does the action have all these fields, with these values?"""
    return all(name in action and action[name] == value for name, value in pattern.items())
