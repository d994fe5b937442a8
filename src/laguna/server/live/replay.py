"""A game step by step, from the game itself: only what a spectator, or one seat, may see of it.

And a position of a finished game, to go on from.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from laguna.errors import BadOption
from laguna.game import Entry, Game
from laguna.messages import Replay, ReplayStep, Result

MAX_STEPS = 500  # in one answer


def replay(
    game: Game,
    seat: int | None = None,
    first: int = 0,
    count: int = MAX_STEPS,
    result: Result | None = None,
    views: bool = True,
) -> Replay:
    """Steps `first` to `first + count` of a game, 0 being the set-up; without `views`, only the log."""
    log = game.entries_for(seat)
    steps = [_told(entry) for entry in log[first : first + count]]
    if views:
        steps = _seen(game, seat, steps)
    if result is None and game.over:
        result = Result("played", game.winners, game.scores)
    return Replay(
        game=game.meta.id,
        players=game.players,
        options=dict(game.options),
        seats=list(game.seats),
        seat=seat,
        over=game.over,
        actions=len(log) - 1,
        steps=steps,
        result=result,
    )


def _told(entry: Entry) -> ReplayStep:
    """A step as the log tells it."""
    number, seat, events = entry.number or 0, entry.seat, list(entry.events)
    if entry.action is None:
        return ReplayStep(number, seat, None, events)
    return ReplayStep(number, seat, entry.action.notation, events, value=entry.action.value)


def _seen(game: Game, seat: int | None, steps: list[ReplayStep]) -> list[ReplayStep]:
    """These steps, which follow each other, with what that seat saw: the game is played backward."""
    past = game.copy()
    seen = []
    for step in reversed(steps):
        past.back_to(step.number)
        seen.append(replace(step, view=past.typed_view(seat), deciders=list(past.deciders)))
    return seen[::-1]


def game_after(game: Game, actions: int) -> Game:
    """The game as it was after so many actions."""
    if actions > game.played:
        raise BadOption("actions", f"The game has only {game.played} actions.", most=game.played)
    past = game.copy()
    past.back_to(actions)
    return past


def position_after(game: Game, actions: int) -> dict[str, Any]:
    """The position after so many actions, to go on from: what nobody had drawn by then is left out of it."""
    past = game_after(game, actions)
    if past.over:
        raise BadOption("actions", "After that action the game was over.", most=game.played - 1)
    return past.position(undrawn=False)
