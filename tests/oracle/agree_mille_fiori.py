"""How the engine's Mille Fiori is compared with the referee's."""

from __future__ import annotations

from typing import Any

import laguna
from laguna.games.mille_fiori import positions
from tests.oracle.mille_fiori import Card, Match


def referee(seed: int, players: int, **options: Any) -> Match:
    return Match(seed, players, **options)


def written(cards: list[Card]) -> list[str]:
    return [f"{kind}{wheel}" for kind, wheel in cards]


def agrees(match: Match, game: laguna.Game) -> None:
    """Everything on the table and under it is the same."""
    position = positions.write(game.state)
    where = (position.phase, position.round, position.pick, int(game.state.doge))
    assert where == (match.phase, match.round_number, match.pick, match.doge)
    assert position.hands == [written(hand) for hand in match.hands]
    assert (position.deck, position.display) == (written(match.deck), written(match.display))
    assert position.discards == written(match.discards)
    kept = [card and f"{card[0]}{card[1]}" for card in match.kept]
    if match.card and position.extra_card is None:
        kept[match.seat] = f"{match.card[0]}{match.card[1]}"
    elif match.card:
        assert position.extra_card == f"{match.card[0]}{match.card[1]}"
    assert position.kept == kept
    assert (position.board, position.bonus) == (match.lozenges, match.bonus)
    left = [supply + reserve for supply, reserve in zip(match.supply, match.reserve, strict=True)]
    assert game.state.lozenges.tolist()[: match.players] == left
    assert all(reserve == min(count, 3) for count, reserve in zip(left, match.reserve, strict=True))
    assert (position.ships, position.points) == (match.ships, match.points)
    assert game.view()["reason"] == match.reason
    if game.actions:
        events = [event for event in game.log[-1].events if event.key in ("points", "bonus")]
        found = [(event.clause, event.arguments["seat"], event.arguments["points"]) for event in events]
        assert found == match.events
