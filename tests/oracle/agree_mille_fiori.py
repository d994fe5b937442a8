"""How the engine's Mille Fiori is compared with the referee's."""

from __future__ import annotations

from typing import Any

import laguna
from tests.oracle.mille_fiori import Card, Match


def referee(seed: int, players: int, **options: Any) -> Match:
    return Match(seed, players, **options)


def written(cards: list[Card]) -> list[str]:
    return [f"{kind}{wheel}" for kind, wheel in cards]


def agrees(match: Match, game: laguna.Game) -> None:
    """Everything on the table and under it is the same."""
    view, position = game.view(), game.position()
    assert view["phase"] == match.phase
    assert (view["round"], view["pick"], view["doge"]) == (match.round_number, match.pick, match.doge)
    assert position["hands"] == [written(hand) for hand in match.hands]
    assert position["deck"] == written(match.deck)
    assert view["display"] == written(match.display)
    assert view["discards"] == written(match.discards)
    kept = [card and f"{card[0]}{card[1]}" for card in match.kept]
    if match.card and "extra_card" not in position:
        kept[match.seat] = f"{match.card[0]}{match.card[1]}"
    assert position["kept"] == kept
    if match.card:
        assert game.view(match.seat)["card"] == f"{match.card[0]}{match.card[1]}"
    assert view["board"] == match.lozenges
    assert view["bonus"] == match.bonus
    assert (view["supply"], view["reserve"], view["ships"]) == (match.supply, match.reserve, match.ships)
    assert game.scores == match.points == match.scores()
    assert view["reason"] == match.reason
    if game.actions:
        events = [event for event in game.log[-1].events if event.key in ("points", "bonus")]
        told = [(event.clause, event.arguments["seat"], event.arguments["points"]) for event in events]
        assert told == match.events
