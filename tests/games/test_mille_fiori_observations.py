"""Mille Fiori: what a seat may know, as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

import laguna
from laguna.games.mille_fiori.components import DECK, GROUPS
from laguna.games.mille_fiori.names import AREA_CELLS, CARD_NAMES, CELL_NAMES, PHASES
from tests.every import fields_observed, random_steps, seat_by_seat

ID = "mille-fiori"
KINDS = CARD_NAMES[1:]
RESIDENCES = AREA_CELLS[1]


@pytest.mark.parametrize(("players", "draft"), [(2, "secret"), (3, "open"), (4, "secret")])
def test_the_view_can_be_read_from_the_fields(players: int, draft: str) -> None:
    game = laguna.new(ID, players=players, draft=draft, seed=1)
    for number, _ in enumerate(random_steps(game, 1)):
        if number % 4 == 0:
            check(game)
    check(game)


def check(game: laguna.Game) -> None:
    for seat in range(game.players):
        view, fields = game.view(seat), fields_observed(game, seat)
        assert fields["draft"] == (game.options["draft"] == "open")
        assert fields["phase"] == [name == view["phase"] for name in PHASES]
        for name in ("players", "round", "rounds", "pick", "picks", "deck_size"):
            assert fields[name] == view[name]
        check_seats(view, fields, seat)
        check_board(view, fields, seat)
        check_cards(view, fields, seat)


def check_seats(view: dict[str, Any], fields: dict[str, Any], seat: int) -> None:
    players = range(view["players"])
    for name in ("scores", "supply", "reserve", "usable", "ships", "hand_sizes"):
        assert seat_by_seat(fields[name], seat, len(players)) == view[name]
    for name in ("turn", "doge"):
        assert seat_by_seat(fields[name], seat, len(players)) == [each == view[name] for each in players]
    for name in ("deciders", "winners"):
        assert seat_by_seat(fields[name], seat, len(players)) == [each in view[name] for each in players]


def chosen(names: Iterable[Any], flags: list[int]) -> list[Any]:
    return [name for name, flag in zip(names, flags, strict=True) if flag]


def check_board(view: dict[str, Any], fields: dict[str, Any], seat: int) -> None:
    lozenges = seat_by_seat(fields["lozenges"], seat, view["players"])
    owners = [(cell, owner) for owner, own in enumerate(lozenges) for cell in chosen(CELL_NAMES, own)]
    assert sorted(owners) == sorted(view["board"].items())
    bonus = seat_by_seat(fields["bonus"], seat, view["players"])
    for area, group in enumerate(GROUPS):
        taken = [(place, owner) for owner, own in enumerate(bonus) for place in chosen(range(4), own[area])]
        assert sorted(taken) == list(enumerate(view["bonus"][group]))
    assert chosen(RESIDENCES, fields["next_residence"]) == (
        [view["next_residence"]] if view["next_residence"] else []
    )
    assert fields["symbols"] == view["symbols"]
    assert fields["fleets"] == [points or 0 for points in view["fleets"]]
    assert fields["sails_to"] == (view["sails_to"] or 0)


def cards(counts: list[int]) -> Counter[str | None]:
    return +Counter(dict(zip(KINDS, counts, strict=True)))


def check_cards(view: dict[str, Any], fields: dict[str, Any], seat: int) -> None:
    for name in ("hand", "display", "discards"):
        assert cards(fields[name]) == Counter(view[name] or [])
    for name in ("card", "kept"):
        assert cards(fields[name]) == Counter([view[name]] if view[name] else [])
    known = [None if hand is None else Counter(hand) for hand in view["remembered"]]
    remembered = zip(fields["remembers"], fields["remembered"], strict=True)
    told = [cards(hand) if remembers else None for remembers, hand in remembered]
    assert seat_by_seat(told, seat, view["players"]) == known
    extra = view["card"] if view["card"] != view["kept"] or seat != view["turn"] else None
    seen = [*view["display"], *view["discards"], view["kept"], extra]
    everything = Counter(CARD_NAMES[card] for card in DECK.tolist())
    for hand in known:
        seen += (hand or Counter()).elements()
    assert cards(fields["unseen"]) == everything - Counter(seen)
