"""Datasets: the decisions of recorded games, to learn from, and the games as game files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from laguna.errors import BadFile, LagunaError
from laguna.files import SUFFIX
from laguna.game import Game, set_up, short_name
from laguna.lab.results import Results
from laguna.state import State


class Decision(NamedTuple):
    """One decision of a recorded game."""

    state: State  # before it; it changes when the next decision is asked for, so clone it to keep it
    code: int  # of the action that was played
    seat: int  # that decided
    share: float  # of the win that this seat had in the end
    game: int  # the row of the game
    visits: Any = None  # of the search, for each of `state.legal`; None if it did not search
    value: float | None = None  # the chance to win that the search found for the seat


def decisions(found: Results, *, forced: bool = True) -> Iterator[Decision]:
    """Every decision of every game, in order; without `forced`, only those with several legal actions.

    A state holds all that the record holds, hidden information too; `state.redeal(seat, seed)` deals again
    what the seat that decides cannot know.
    """
    if found.codes is None:
        raise BadFile("no-codes", "These results have no actions; play the games with --actions.")
    shares = found.shares
    for game in range(len(found)):
        state = State(_begin(found, game))
        place = int(found.codes.starts[game])
        for number, code in enumerate(found.codes[game].tolist()):
            seat = _check(state, code, found, game, number)
            if forced or len(state.legal) > 1:
                searched = {} if found.visits is None else _search(found, place + number, state)
                yield Decision(state, code, seat, float(shares[game, seat]), game, **searched)
            state.apply(code)
        _check_end(found, game, state)


def _begin(found: Results, game: int) -> Game:
    head = found.head
    names = [short_name(head.bots[bot]) for bot in found.bots[game]]
    return set_up(head.game, head.players, int(found.seed[game]), names, head.options)


def _check(state: State, code: int, found: Results, game: int, number: int) -> int:
    """The seat that decides; BadFile if it may not play this."""
    if state.seat is None or code not in state.legal:
        text = f"Action {number + 1} of the game in row {game + 1} (code {code}) is not allowed."
        raise BadFile("illegal-action", text)
    return state.seat


def _check_end(found: Results, game: int, state: State) -> None:
    scores, winners = found.scores[game].tolist(), np.flatnonzero(found.winners[game]).tolist()
    if not state.over or (state.scores, state.winners) != (scores, winners):
        raise BadFile("result", f"The game in row {game + 1} does not end as its result says.")


def _search(found: Results, place: int, state: State) -> dict[str, Any]:
    assert found.visits is not None
    visits = found.visits[place]
    if not len(visits):
        return {}
    if len(visits) != len(state.legal):
        raise BadFile("results", f"The visits of decision {place + 1} do not fit its legal actions.")
    value = np.nan if found.values is None else float(found.values[place])
    return {"visits": visits, "value": None if np.isnan(value) else value}


def game_of(found: Results, number: int) -> Game:
    """The game in a row, replayed with everything a `Game` has."""
    if found.codes is None:
        raise BadFile("no-codes", "These results have no actions; play the games with --actions.")
    game = _begin(found, number)
    try:
        for code in found.codes[number].tolist():
            game.play(code)
    except LagunaError as error:
        text = f"Action {game.played + 1} of the game in row {number + 1} is not allowed: {error}"
        raise BadFile("illegal-action", text, clause=error.clause) from None
    _check_end(found, number, State(game))
    return game


def write_games(found: Results, folder: Path) -> Iterator[Path]:
    """Write each game to a file of its own, yielding its path; existing files are never replaced."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile("no-file", f"{str(folder)!r} cannot be made: {error.strerror}.") from None
    for number in range(len(found)):
        name = f"{found.head.game}-{found.seed[number]}-{found.rotation[number]}{SUFFIX}"
        path = folder / name
        if path.exists():
            raise BadFile("exists", f"{str(path)!r} already exists; choose another folder.")
        draft = path.with_suffix(".part")  # the process may be killed at any time
        draft.write_text(game_of(found, number).dumps(), encoding="utf-8")
        draft.replace(path)
        yield path
