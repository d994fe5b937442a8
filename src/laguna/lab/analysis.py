"""Analysis of a game: what each action was worth, and which were mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from laguna.bots import Analysis, analyse
from laguna.game import Action, Game

ENOUGH_VISITS = 30  # visits below which the search did not look at an action closely
TOLD = 3  # alternatives


@dataclass(frozen=True)
class Judgment:
    """One action of a game: what it was worth to its seat, and what would have been best."""

    number: int
    seat: int
    played: Action
    worth: float  # the seat's chance to win after the action, 0 to 1
    best: Action
    best_worth: float
    scores: tuple[float, ...] | None  # of each seat at the end, forecast after the best action
    wins: tuple[float, ...] | None
    forecasts: int  # games that these two are based on
    alternatives: tuple[tuple[Action, float], ...]

    @property
    def loss(self) -> float:
        return max(0.0, self.best_worth - self.worth)

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "seat": self.seat,
            "played": str(self.played),
            "worth": round(self.worth, 4),
            "loss": round(self.loss, 4),
            "best": str(self.best),
            "scores": self.scores and [round(score, 1) for score in self.scores],
            "wins": self.wins and [round(share, 3) for share in self.wins],
            "forecasts": self.forecasts,
            "alternatives": [
                {"action": str(action), "worth": round(worth, 4)} for action, worth in self.alternatives
            ],
        }


def look_back(
    game: Game,
    *,
    seconds: float | None,
    iterations: int | None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Judgment]:
    """Judge every action of a game, each by what its seat knew at the time."""
    actions = game.actions
    replay = game.copy()
    replay.back_to(0)
    found = []
    for number, action in enumerate(actions):
        progress(number, len(actions))
        found.append(_judge(replay, action, number + 1, seconds, iterations))
        replay.play(action)
    progress(len(actions), len(actions))
    return found


def _judge(
    game: Game, played: Action, number: int, seconds: float | None, iterations: int | None
) -> Judgment:
    looked = analyse(game, seconds=seconds, iterations=iterations, seed=number)
    seat = looked.seat
    best = looked.best
    worth = _worth(game, looked, played, seconds, iterations)
    tried = [(choice.action, choice.chances[seat]) for choice in looked.choices if choice.chances]
    best_worth = max(tried[0][1], worth)
    return Judgment(
        number,
        seat,
        played,
        worth,
        best.action,
        best_worth,
        best.scores,
        best.wins,
        best.forecasts,
        tuple(tried[:TOLD]),
    )


def _worth(
    game: Game, looked: Analysis, played: Action, seconds: float | None, iterations: int | None
) -> float:
    """The value from the search, or from a separate search after the action if it was hardly tried."""
    seat = looked.seat
    choice = next(choice for choice in looked.choices if choice.action.code == played.code)
    if choice.chances is not None and choice.visits >= ENOUGH_VISITS:
        return choice.chances[seat]
    after = game.imagine(seat, 0)
    after.play(played.code)
    if after.over:
        return (seat in after.winners) / len(after.winners)
    looked = analyse(after, seconds=seconds, iterations=iterations, seed=1, forecast=False)
    assert looked.best.chances is not None
    return looked.best.chances[seat]
