"""How the engine's Neptune & Vesta is compared with the referee's."""

from __future__ import annotations

from typing import Any

import laguna
from tests.oracle.neptune_vesta import Match


def referee(seed: int, players: int, **options: Any) -> Match:
    return Match(seed, **options)


def agrees(match: Match, game: laguna.Game) -> None:
    """Everything on the table and under it is the same."""
    position = game.position()
    board = {cell: (("red", "blue")[color], value) for cell, (color, value) in match.board.items()}
    assert {cell: tuple(tile) for cell, tile in position["board"].items()} == board
    assert [position["hands"]["red"], position["hands"]["blue"]] == match.hands
    assert [position["stacks"]["red"], position["stacks"]["blue"]] == match.stacks
    assert position["lighthouse"] == match.lighthouse
    assert position.get("round", 1) == match.round_number
    assert position["starter"] == match.starter
    assert game.scores == match.wins
    if game.actions:
        assert _events(game.log[-1].events) == match.events


def _events(events: tuple[laguna.Event, ...]) -> list[tuple[Any, ...]]:
    """What the referee reports too: lines, and ends of rounds with the clause that ended them."""
    found: list[tuple[Any, ...]] = []
    for event in events:
        if event.key == "line":
            found.append(("line", *(event.arguments[name] for name in ("line", "seat", "points"))))
        elif event.key in ("round-lighthouse", "round-full", "round-draw"):
            found.append(("round", event.arguments["seat"], event.clause))
    return found
