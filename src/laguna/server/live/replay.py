"""A game step by step, from the game itself: only what a spectator, or one seat, may see of it.

And a position of a finished game, to go on from.
"""

from __future__ import annotations

from typing import Any

from laguna.errors import BadOption
from laguna.game import Game
from laguna.messages import Replay, ReplayStep, Result

MAX_STEPS = 500  # in one answer


def replay(
    game: Game, seat: int | None = None, first: int = 0, count: int = MAX_STEPS, result: Result | None = None
) -> Replay:
    """Steps `first` to `first + count` of a game, the set-up being number 0."""
    log = game.entries_for(seat)
    last = min(first + count, len(log))
    past = game.copy()
    past.back_to(last - 1)
    steps = []
    for entry in reversed(log[first:last]):
        action = None if entry.action is None else entry.action.notation
        view = past.typed_view(seat)
        steps.append(ReplayStep(entry.number or 0, entry.seat, action, list(entry.events), view))
        if entry.number:
            past.undo()
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
        steps=steps[::-1],
        result=result,
    )


def position_after(game: Game, actions: int) -> dict[str, Any]:
    """The position after so many actions, to go on from: what nobody had drawn by then is left out of it."""
    if actions > game.played:
        raise BadOption("actions", f"The game has only {game.played} actions.", most=game.played)
    past = game.copy()
    past.back_to(actions)
    if past.over:
        raise BadOption("actions", "After that action the game was over.", most=game.played - 1)
    return past.position(undrawn=False)
