"""How the engine's Venice 2099 is compared with the referee's."""

from __future__ import annotations

from typing import Any

import laguna
from tests.oracle.venice_2099 import PLATFORM, Match

PHASES = {"place": "setup", "moved": "turn", "bought": "turn"}  # ours: the referee's, where they differ


def referee(seed: int, players: int, **options: Any) -> Match:
    return Match(seed, players, **options)


def agrees(match: Match, game: laguna.Game) -> None:
    """Everything on the table and under it is the same."""
    position = game.position()
    tiles = {at: "platform" if tile == PLATFORM else "".join(tile) for at, tile in match.tiles.items()}
    assert position["board"] == tiles
    assert position["hands"] == [["".join(card) for card in hand] for hand in match.hands]
    played = [card for cards in position["played"] for card in cards]
    assert sorted(played) == sorted("".join(card) for card in match.played)
    assert position["pawns"] == [sorted(pawns, key=match.squares.index) for pawns in match.pawns]
    assert PHASES.get(position["phase"], position["phase"]) == match.phase
    assert position["turn"] == match.turn
    assert position["coins"] == match.coins
    assert position["gondolas"] == match.gondolas
    assert position.get("coins_on", {}) == match.coins_on
    assert [dict.fromkeys(held, 0) | mine for held, mine in _pairs(match, position)] == match.treasures
    assert set(game.view()["water"]) == match.sunk
    assert game.scores == match.scores()
    if game.actions:
        assert _events(game.log[-1].events) == match.events
    if game.over:
        _same_breakdown(match, game.view()["breakdown"])


def _pairs(match: Match, position: dict[str, Any]) -> Any:
    return zip(match.treasures, position["treasures"], strict=True)


def _events(events: tuple[laguna.Event, ...]) -> list[tuple[Any, ...]]:
    """What the referee reports too: all but rides and the final scores."""
    found: list[tuple[Any, ...]] = []
    names = {"bought": "seat color price", "sank": "at", "washed-away": "at coins", "fell": "seat at",
             "rescued": "seat at", "lost": "seat"}  # fmt: skip
    for event in events:
        if event.key in names:
            key = event.key.replace("-", " ")
            found.append((key, *(event.arguments[name] for name in names[event.key].split())))
    return found


def _same_breakdown(match: Match, breakdown: list[dict[str, Any]]) -> None:
    for points, ours in zip(match.breakdown(), breakdown, strict=True):
        treasures = {color: worth for color, worth in points["treasures"].items() if worth}
        assert {line["color"]: line["points"] for line in ours["treasures"]} == treasures
        assert {line["at"]: line["points"] for line in ours["pawns"]} == points["pawns"]
        assert ours["coins"]["points"] == points["coins"]
