"""The result of a game: who won, and where each seat's score comes from."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from laguna.game import Game
from laguna.games import find
from laguna.games.contract import Event
from laguna.kernel.records import plain
from laguna.messages import Result, ScoreLine


def result(game: Game, how: str, gave_up: Collection[int]) -> Result:
    """The result of a game that was played to the end, or that all seats but one resigned."""
    others = [seat for seat in range(game.players) if seat not in gave_up]
    scores = game.scores
    if len(others) > 1:
        best = max(scores[seat] for seat in others)
        won = [seat for seat in game.winners if seat in others]
        others = won or [seat for seat in others if scores[seat] == best]
    return Result(how=how, winners=others, scores=scores, breakdown=breakdown(game))


def ranks(result: Result, gave_up: Sequence[int]) -> list[int]:
    """The place of each seat: winners first, then by score; equal scores share a place.

    Those who gave up come after all the others, and the first to do so is last.
    """

    def standing(seat: int) -> tuple[int, int]:
        if seat in gave_up:
            return 2, -gave_up.index(seat)
        return (0, 0) if seat in result.winners else (1, -result.scores[seat])

    standings = [standing(seat) for seat in range(len(result.scores))]
    return [sorted(standings).index(each) + 1 for each in standings]


def breakdown(game: Game) -> list[ScoreLine]:
    """Each seat's score by clause; a seat's points add up to its score."""
    found: dict[tuple[int, str, str], list[Event]] = {}
    for event in _scoring(game):
        found.setdefault((event.arguments["seat"], event.clause, event.key), []).append(event)
    lines = []
    for (seat, clause, key), events in sorted(found.items()):
        points = sum(event.arguments["points"] for event in events)
        text = f"{points} to {game.meta.seat_name(seat)} in {len(events)} scorings."
        sentence = events[0].sentence if len(events) == 1 else text
        lines.append(ScoreLine(seat, clause, key, points, sentence))
    return lines


def _scoring(game: Game) -> list[Event]:
    """Where the scores come from: what the game says about the position, or about what happened in it."""
    happened = (event for entry in game.log for event in entry.events)
    return find(game.meta.id).events.scoring(plain(game.state), happened)
