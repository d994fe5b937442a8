"""How the engine's Atlantis is compared with the referee's."""

from __future__ import annotations

from typing import Any

import laguna
from tests.oracle.atlantis import MAINLAND, Match


def referee(seed: int, players: int, **options: Any) -> Match:
    return Match(seed, players, **options)


def agrees(match: Match, game: laguna.Game) -> None:
    """Everything on the table and under it is the same."""
    position = game.position()
    path = {str(space): [[item, value] for item, value, _ in stack] for space, stack in enumerate(match.path)}
    assert position["board"] == {space: stack for space, stack in path.items() if stack}
    assert position["pawns"] == match.pawns
    assert [_whole(hand) for hand in position["hands"]] == [_whole(hand) for hand in match.hands]
    assert position["tiles"] == [[list(tile) for tile in tiles] for tiles in match.tiles]
    assert position["deck"] == match.deck
    assert _whole(position["discards"]) == _whole(match.discards)
    assert sorted(map(tuple, position["gone"]["tiles"])) == sorted(match.gone.tiles)
    assert _whole(position["gone"]["cards"]) == _whole(match.gone.cards)
    assert position["bridges"] == match.bridges
    assert position.get("phase", "turn") == match.phase
    move = position.get("move") or {"due": 0}
    assert move.get("due", 0) == (match.due if match.phase == "pay" else 0)
    assert bool(position.get("bought")) == match.bought or match.over
    assert position.get("idle_turns", 0) == match.idle_turns or match.over
    assert position.get("losses") in (match.losses, None)
    assert game.scores == match.scores()
    assert game.state.toll[MAINLAND] == match.cost_of_way(0, MAINLAND)
    if game.actions:
        assert _events(game.log[-1].events) == [event[:5] for event in match.events]


def _whole(cards: dict[str, int]) -> dict[str, int]:
    return {item: count for item, count in cards.items() if count}


def _events(events: tuple[laguna.Event, ...]) -> list[tuple[Any, ...]]:
    """What the referee reports too, in its words."""
    named = [_as_named(event["key"], event["arguments"]) for event in (each.as_json() for each in events)]
    return [event for event in named if event is not None]


def _as_named(key: str, a: Any) -> tuple[Any, ...] | None:
    if key in ("bought", "paid-tile"):
        return ("bought" if key == "bought" else "paid tile", a["seat"], *a["tile"])
    if key == "shows":
        shown = [item for item, count in a["hand"].items() for _ in range(count)]
        return ("shows", a["seat"], *shown)[:5]
    if key == "took":
        return ("took", a["seat"], a["space"], *a["tile"])
    fields = {
        "bridge": ("bridge", "seat", "after"),
        "card": ("card", "seat", "card", "from", "to"),
        "gap": ("gap", "after", "cost"),
        "paid-card": ("paid card", "seat", "card"),
        "drew": ("drew", "seat", "cards"),
    }
    if key == "settled":
        return ("loss", a["seat"], -a["points"])
    if key not in fields:
        return None
    word, *names = fields[key]
    return (word, *(a[name] for name in names))
