"""Analysis of a game: what each action was worth, and which were mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from laguna.bots import Analysis, Choice, analyse, forecast
from laguna.game import Action, Game

ENOUGH_VISITS = 30  # visits below which the search did not look at an action closely
CLEAR = 0.06  # of an even share of the win: what an action must have lost to be called a mistake
WORLDS = 4  # in which an action that may be a mistake is compared with the best one
FORECASTS = 64  # games played to the end for the expected scores
TOLD = 3  # alternatives

Shares = tuple[float, ...]  # of every seat


@dataclass(frozen=True)
class Judgment:
    """One action of a game: what it was worth to its seat, and what would have been best."""

    number: int
    seat: int
    played: Action
    forced: bool  # nothing else was possible, so it was not searched
    worth: float  # the seat's chance to win after the action, 0 to 1
    chances: Shares  # of every seat after the action; after the last one of a game, the result
    expected: Shares  # final scores after the action, forecast
    best: Action
    best_worth: float
    best_chances: Shares
    visits: int  # of the best action
    scores: Shares  # of each seat at the end, forecast after the best action
    wins: Shares
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
            "forced": self.forced,
            "worth": round(self.worth, 4),
            "loss": round(self.loss, 4),
            "chances": [round(chance, 4) for chance in self.chances],
            "expected": [round(score, 1) for score in self.expected],
            "best": str(self.best),
            "scores": [round(score, 1) for score in self.scores],
            "wins": [round(share, 3) for share in self.wins],
            "forecasts": self.forecasts,
            "alternatives": [
                {"action": str(action), "worth": round(worth, 4)} for action, worth in self.alternatives
            ],
        }


@dataclass(frozen=True)
class Budget:
    """For each search: either seconds or iterations, with which the result is always the same."""

    seconds: float | None = None
    iterations: int | None = None

    def part(self, parts: int) -> Budget:
        """One of so many equal parts."""
        return Budget(
            None if self.seconds is None else self.seconds / parts,
            None if self.iterations is None else max(1, self.iterations // parts),
        )


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
    found: list[Judgment] = []
    for number, action in enumerate(actions, 1):
        progress(number - 1, len(actions))
        if len(replay.legal()) > 1 or not found:
            found.append(judge(replay, action, number, Budget(seconds, iterations)))
        else:
            found.append(_forced(found[-1], replay, action))
        replay.play(action)
    if found and game.over:
        chances, scores = result(game)
        found[-1] = replace(found[-1], chances=chances, expected=scores)
    progress(len(actions), len(actions))
    return found


def clear_loss(players: int) -> float:
    """How much of a seat's chance to win an action must have cost to be called a mistake."""
    return CLEAR / players


def result(game: Game) -> tuple[Shares, Shares]:
    """How a finished game ended: each seat's share of the win, and its score."""
    shares = tuple((seat in game.winners) / len(game.winners) for seat in range(game.players))
    return shares, tuple(map(float, game.scores))


def judge(game: Game, played: Action, number: int, budget: Budget) -> Judgment:
    """Judge the action that the seat to move played here, by what that seat can know.

    `number` is that of the action in its game: it seeds all searches.
    """
    looked = analyse(game, seconds=budget.seconds, iterations=budget.iterations, seed=number, forecast=False)
    seat, best = looked.seat, looked.best
    assert best.chances is not None
    chances = _chances(game, looked, played, number, budget)
    after = forecast(game, played.code, games=FORECASTS, seed=number * FORECASTS)
    instead = after
    if best.action.code != played.code:
        instead = forecast(game, best.action.code, games=FORECASTS, seed=number * FORECASTS)
    tried = [(each.action, each.chances[seat]) for each in looked.choices if each.chances]
    return Judgment(
        number=number,
        seat=seat,
        played=played,
        forced=len(looked.choices) == 1,
        worth=chances[seat],
        chances=chances,
        expected=after.scores,
        best=best.action,
        best_worth=max(best.chances[seat], chances[seat]),
        best_chances=best.chances,
        visits=best.visits,
        scores=instead.scores,
        wins=instead.wins,
        forecasts=instead.games,
        alternatives=tuple(tried[:TOLD]),
    )


def _chances(game: Game, looked: Analysis, played: Action, number: int, budget: Budget) -> Shares:
    """Everyone's chances after the action: those that the search tells.

    If it hardly looked at the action, or found it clearly worse than the best, the two are compared once
    more with as much effort for each: a search spends little on what it does not like.
    """
    best = looked.best
    assert best.chances is not None
    choice = next(choice for choice in looked.choices if choice.action.code == played.code)
    if choice is best or not _is_doubtful(looked, choice):
        assert choice.chances is not None
        return choice.chances
    played_chances, best_chances = ([0.0] * game.players for _ in range(2))
    for world in range(WORLDS):
        imagined = game.imagine(looked.seat, number * WORLDS + world)
        for sums, action in ((played_chances, choice.action), (best_chances, best.action)):
            for seat, chance in enumerate(_chances_after(imagined, action, world, budget.part(WORLDS))):
                sums[seat] += chance / WORLDS
    differences = zip(best.chances, best_chances, played_chances, strict=True)
    return tuple(min(1.0, max(0.0, chance - lost + kept)) for chance, lost, kept in differences)


def _is_doubtful(looked: Analysis, choice: Choice) -> bool:
    if choice.chances is None or looked.best.chances is None or choice.visits < ENOUGH_VISITS:
        return True
    lost = looked.best.chances[looked.seat] - choice.chances[looked.seat]
    return lost >= clear_loss(len(choice.chances))


def _chances_after(world: Game, action: Action, seed: int, budget: Budget) -> Shares:
    """Everyone's chances in this world after the action."""
    after = world.copy()
    after.play(action.code)
    if after.over:
        return result(after)[0]
    looked = analyse(after, seconds=budget.seconds, iterations=budget.iterations, seed=seed, forecast=False)
    assert looked.best.chances is not None
    return looked.best.chances


def _forced(before: Judgment, game: Game, action: Action) -> Judgment:
    """A forced action changes nothing: the outlook is that after the action before."""
    assert game.seat is not None
    worth = before.chances[game.seat]
    return replace(
        before,
        number=before.number + 1,
        seat=game.seat,
        played=action,
        forced=True,
        worth=worth,
        best=action,
        best_worth=worth,
        best_chances=before.chances,
        visits=0,
        scores=before.expected,
        alternatives=((action, worth),),
    )
