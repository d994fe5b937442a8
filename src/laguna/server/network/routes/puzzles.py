"""The puzzles of a game. Nothing is stored: the solver's actions come with every request.

Before a puzzle is over, nothing of its solution leaves the server, and of its position only what the solver's
seat may see.
"""

from __future__ import annotations

import asyncio
import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from msgspec.structs import replace

from laguna import messages
from laguna.game import Game as GameInProgress
from laguna.games import find
from laguna.puzzles import FINE, ID, Puzzle, PuzzleFile, PuzzleTable, Step, puzzles_of
from laguna.server.network.openapi import described
from laguna.server.network.routes import practice
from laguna.server.network.routes.common import ready, reply
from laguna.table.entries import Milliseconds, Person

Game = Annotated[str, Path(max_length=40)]
Id = Annotated[str, Path(pattern=ID, description="A puzzle's id.")]

routes = APIRouter(prefix="/api/games/{game}/puzzles")


@routes.get("", tags=["games"], **described(messages.Puzzles, 404))
async def listed(game: Game) -> Response:
    """The puzzles of a game."""
    file = await _puzzles(game)
    return reply(messages.Puzzles(game, [_info(puzzle) for puzzle in file.puzzles]))


@routes.get("/today", tags=["games"], **described(messages.PuzzleOfTheDay, 404))
async def today(game: Game) -> Response:
    """The puzzle of the day."""
    day = datetime.datetime.now(datetime.UTC).date()
    puzzle = (await _puzzles(game)).of_the_day(day)
    return reply(messages.PuzzleOfTheDay(game, day.isoformat(), _info(puzzle)))


@routes.post(
    "/{puzzle}", tags=["games"], **described(messages.PuzzleState, 401, 404, 409, takes=messages.PuzzleTry)
)
async def play(request: Request, game: Game, puzzle: Id) -> Response:
    """A puzzle after these actions of the solver; then the next one is played, or only previewed."""

    async def begin(person: Person, now: Milliseconds) -> PuzzleTable:
        wanted = (await _puzzles(game)).find(puzzle)
        await ready(request, game)
        return PuzzleTable(game, wanted, person, now)

    return await practice.play(request, "puzzle", messages.PuzzleTry, begin, _tried)


async def _puzzles(game: str) -> PuzzleFile:
    """On another thread: the first time, a long file is read."""
    return await asyncio.to_thread(puzzles_of, find(game).meta.id)


def _info(puzzle: Puzzle) -> messages.PuzzleInfo:
    return messages.PuzzleInfo(puzzle.id, puzzle.rating, puzzle.players)


def _tried(at: PuzzleTable, tried: messages.PuzzleTry) -> messages.PuzzleState:
    """Carry out the request; raises what the rules say against it."""
    start = at.table.started.copy()
    for action in tried.actions:
        at.act(action)
    preview, changes = None, []
    if tried.action is not None and tried.preview:
        preview = practice.preview(at, tried.action)
    elif tried.action is not None:
        changes = practice.changes(at, at.steps(tried.action))
    elif tried.give_up:
        changes = practice.changes(at, at.show())
    state = messages.PuzzleState(
        puzzle=_info(at.puzzle),
        seat=at.seat,
        view=practice.view(at),
        lines=practice.lines(at, 0),
        result=_result(at, tried.give_up),
        done=at.done,
        preview=preview,
        changes=changes,
    )
    return _told(at, state, start)


def _result(at: PuzzleTable, given_up: bool) -> str:
    if at.step is not None:
        return "open"
    return "wrong" if at.wrong is not None else "shown" if given_up else "solved"


def _told(at: PuzzleTable, state: messages.PuzzleState, start: GameInProgress) -> messages.PuzzleState:
    """With what may be told now: after a wrong action what it cost, and in the end everything."""
    puzzle = at.puzzle
    if at.wrong is not None:
        step = puzzle.steps[at.done]
        for each in puzzle.steps[: at.done]:
            start.play(each.action)
        return replace(state, tried=_choice(start, step, at.wrong), best=step.chances[step.action] / FINE)
    if at.step is not None:
        return state
    first = puzzle.steps[0]
    others = [_choice(start, first, each.action) for each in first.tries]
    if others:
        others[0] = replace(others[0], then=_refuted(at, others[0].action))
    solution = []
    for step in puzzle.steps:
        solution.append(_choice(start, step, step.action))
        start.play(step.action)
    return replace(state, solution=solution, others=others, levels=puzzle.solved)


def _refuted(at: PuzzleTable, wrong: str) -> list[messages.Line]:
    """What strong players do after a wrong first action, as the solver would see it."""
    table = at.afresh()
    steps = table.steps(wrong)
    next(steps)
    tried = table.table.version
    for _ in steps:
        pass
    return practice.lines(table, tried)


def _choice(game: GameInProgress, step: Step, notation: str) -> messages.PuzzleChoice:
    events = game.preview(notation).events
    return messages.PuzzleChoice(notation, game.action(notation).value, step.chances[notation] / FINE, events)
