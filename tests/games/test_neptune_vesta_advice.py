"""Neptune & Vesta: what the teacher says is true."""

from __future__ import annotations

from typing import Any

import laguna
from tests.every import random_steps
from tests.size import scaled

ID = "neptune-vesta"


def said(game: laguna.Game) -> dict[str, Any]:
    return {event.key: event.arguments for event in game.advice()}


def test_what_is_said_happens() -> None:
    """In random games: the tile that wins does; the best one moves the lighthouse that far, none farther."""
    seen: set[str] = set()
    for seed in range(scaled(3, 12)):
        game = laguna.new(ID, seed=seed)
        for _ in random_steps(game, seed):
            facts = said(game)
            seen |= facts.keys()
            mine = game.seat
            if won := facts.get("wins"):
                events = game.copy().play(f"{won.tile}{won.at}").events
                assert any(e.key == "round-lighthouse" and e.arguments.seat == mine for e in events)
            gains = {str(action): gain(game, action) for action in game.legal()}
            if best := facts.get("scores"):
                assert gains[f"{best.tile}{best.at}"] == best.points == max(gains.values())
            elif "wins" not in facts:
                assert max(gains.values()) <= 0
            if danger := facts.get("danger"):
                toward = -game.view()["lighthouse"] if mine == 0 else game.view()["lighthouse"]
                assert danger.seat != mine and danger.places == 10 - toward <= 4
    assert seen == {"wins", "scores", "one-missing", "danger"}


def gain(game: laguna.Game, action: Any) -> int:
    """The points that the lines completed by this action bring the seat to move."""
    lines = [event.arguments for event in game.copy().play(action).events if event.key == "line"]
    return sum(line.points if line.seat == game.seat else -line.points for line in lines)


def test_a_line_that_is_lost_is_lost_whatever_is_placed() -> None:
    for seed in range(scaled(2, 6)):
        game = laguna.new(ID, seed=seed)
        for _ in random_steps(game, seed):
            lost = said(game).get("one-missing")
            if lost is None:
                continue
            for action in game.legal():
                if action.value["at"] == lost.at:
                    lines = [e.arguments for e in game.copy().play(action).events if e.key == "line"]
                    assert next(line for line in lines if line.line == lost.line).seat == lost.seat
