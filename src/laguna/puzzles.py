"""Puzzles: positions from games between bots in which one action is clearly the best.

A game's puzzles are the file `puzzles.json` in its folder; docs/puzzles.md describes the format and how the
file is made. Nothing about a puzzle in progress is stored: it is replayed from the solver's actions so far.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from laguna.errors import BadFile, Refusal
from laguna.game import field_and_reason
from laguna.games import find
from laguna.practice import PracticeTable
from laguna.table.entries import Milliseconds, Person, Seat
from laguna.table.state import ActionForm

FILE = "puzzles.json"
BOT = "kraken"  # who sits at the other seats; the file says what they do
ID = r"^[a-z2-7]{6}$"
FINE = 1000  # chances are kept in thousandths

Id = Annotated[str, Meta(pattern=ID)]
Notation = Annotated[str, Meta(min_length=1, max_length=40)]
Thousandths = Annotated[int, Meta(ge=0, le=FINE)]
Share = Annotated[float, Meta(ge=0, le=1)]


class Try(Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong action that looks natural, and what strong players do then, in notation."""

    action: Notation
    then: list[Notation] = []


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision of the solver: the action to find, and the solver's chance to win after every legal one."""

    action: Notation
    chances: Annotated[dict[Notation, Thousandths], Meta(min_length=2)]
    tries: list[Try] = []


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and what its seat has to find: one action, or a few in the same turn."""

    id: Id
    seat: Seat  # the solver's
    position: dict[str, Any]
    steps: Annotated[list[Step], Meta(min_length=1, max_length=4)]
    rating: int
    solved: dict[str, Share]  # how often each level of bots finds it

    @property
    def players(self) -> int:
        return int(self.position["players"])


class PuzzleFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The puzzles of a game, in the order of their ids, and how many iterations the search had."""

    depth: Annotated[int, Meta(ge=1)]
    puzzles: list[Puzzle]

    def find(self, name: str) -> Puzzle:
        for puzzle in self.puzzles:
            if puzzle.id == name:
                return puzzle
        raise Refusal("unknown-puzzle", f"There is no puzzle {name!r:.40}.")

    def of_the_day(self, day: datetime.date) -> Puzzle:
        """The puzzle of a day, the same for everyone: all have their turn before the first comes again."""
        if not self.puzzles:
            raise Refusal("no-puzzles", "This game has no puzzles.")
        return self.puzzles[day.toordinal() % len(self.puzzles)]


@cache
def puzzles_of(game: str) -> PuzzleFile:
    """The puzzles of a game; none if it has no file of them."""
    path = find(game).path / FILE
    return read_puzzles(path.read_bytes()) if path.is_file() else PuzzleFile(1, [])


def read_puzzles(content: bytes) -> PuzzleFile:
    """The puzzles of a file; raises BadFile if it is not one."""
    try:
        file = msgspec.json.decode(content, type=PuzzleFile)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(error)
        raise BadFile("puzzles", f"{field or 'puzzles'}: {reason}.", field=field) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadFile("puzzles", "The file of puzzles is not valid JSON.") from None
    ids = [puzzle.id for puzzle in file.puzzles]
    if len(set(ids)) < len(ids):
        raise BadFile("puzzles", "id: two puzzles have the same.", field="id")
    for puzzle in file.puzzles:
        if any(step.action not in step.chances for step in puzzle.steps):
            raise BadFile("puzzles", f"{puzzle.id}: the chances lack the action to find.", field="steps")
    return file


def write_puzzles(file: PuzzleFile) -> bytes:
    """The file's content, a line for each puzzle, so that changes are easy to see."""
    lines = ",\n".join(msgspec.json.encode(puzzle).decode() for puzzle in file.puzzles)
    return f'{{"depth": {file.depth}, "puzzles": [\n{lines}\n]}}\n'.encode()


class PuzzleTable(PracticeTable):
    """A table at which one person tries a puzzle. It ends with the first wrong action."""

    def __init__(self, game: str, puzzle: Puzzle, solver: Person, now: Milliseconds) -> None:
        super().__init__("puzzle", game, puzzle.position, puzzle.seat, solver, BOT, now)
        self.puzzle = puzzle
        self.done = 0  # how many steps
        self.wrong: str | None = None  # the action that was not the one to find

    def afresh(self) -> PuzzleTable:
        """Another table with the same puzzle at its beginning."""
        return PuzzleTable(self.game, self.puzzle, self.person, self.now)

    @property
    def step(self) -> Step | None:
        """What is to be found now; None once it is solved, or was answered wrongly."""
        over = self.wrong is not None or self.done == len(self.puzzle.steps)
        return None if over else self.puzzle.steps[self.done]

    @property
    def goes_on(self) -> bool:
        return self.step is not None

    def steps(self, action: ActionForm) -> Iterator[None]:
        """The solver's action, then one by one what strong players do if it was wrong.

        Refused by the rules, or because the puzzle is over.
        """
        step = self.step
        if step is None:
            raise Refusal("puzzle-over", "This puzzle is over.")
        chosen = str(self.table.started.action(action, self.seat))
        self._act(action)
        if chosen == step.action:
            self.done += 1
            yield
            return
        self.wrong = chosen
        yield
        known = [each.then for each in step.tries if each.action == chosen]
        for reply in known[0] if known else []:
            self._follow(reply)
            yield

    def show(self) -> Iterator[None]:
        """Play what is left of the solution, one by one."""
        while (step := self.step) is not None:
            yield from self.steps(step.action)
