"""A game step by step, from the game itself: only what a spectator, or one seat, may see of it."""

from __future__ import annotations

from laguna.game import Game
from laguna.messages import Replay, ReplayStep, Result

MAX_STEPS = 500  # in one answer


def replay(
    game: Game, seat: int | None = None, first: int = 0, count: int = MAX_STEPS, result: Result | None = None
) -> Replay:
    """Steps `first` to `first + count` of a game, the set-up being number 0."""
    log = game.log_for(seat)
    last = min(first + count, len(log))
    past = game.copy()
    for _ in range(len(log) - last):
        past.undo()
    steps = []
    for line in reversed(log[first:last]):
        steps.append(
            ReplayStep(line["number"], line["seat"], line["action"], line["events"], past.view(seat))
        )
        if line["number"]:
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
