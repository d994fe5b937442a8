"""A judged action of a finished game: what bots and workers answer, and what is stored."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from laguna.game import Game
from laguna.games.contract import AnyAction
from laguna.lab.analysis import Budget, Judgment, clear_loss, judge
from laguna.messages import HintChoice, Outlook


class Judged(Struct, frozen=True):
    """An action, judged by what its seat knew then. A forced one has no outlook of its own.

    It is stored as JSON, so a field is never renamed or given another meaning; new ones get defaults.
    """

    number: int
    seat: int
    action: str
    value: AnyAction
    forced: bool = False
    loss: float = 0.0
    before: Outlook | None = None  # with the best action; None if it was not searched
    after: Outlook | None = None
    best: HintChoice | None = None  # where it was clearly better


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Judged).decode


def judged(game: Game, played: str, number: int, iterations: int) -> Judged:
    """Judge what the seat to move played; the game may be an imagined one, in which it knows the same."""
    found = judge(game, game.check(played), number, Budget(iterations=iterations))
    is_clear = found.loss >= clear_loss(game.players)
    return Judged(
        number=number,
        seat=found.seat,
        action=str(found.played),
        value=found.played.value,
        loss=round(found.loss, 4),
        before=outlook(found.best_chances, found.scores),
        after=outlook(found.chances, found.expected),
        best=_better(game, found) if is_clear else None,
    )


def outlook(chances: tuple[float, ...], scores: tuple[float, ...]) -> Outlook:
    return Outlook([round(chance, 4) for chance in chances], [round(score, 1) for score in scores])


def _better(game: Game, found: Judgment) -> HintChoice:
    """The best action as a hint tells it, with what it was certain to do."""
    then = outlook(found.best_chances, found.scores)
    return HintChoice(
        action=str(found.best),
        value=found.best.value,
        chance=then.chances[found.seat],
        chances=then.chances,
        scores=then.scores,
        forecasts=found.forecasts,
        visits=found.visits,
        events=game.preview(found.best.code, found.seat).events,
    )
