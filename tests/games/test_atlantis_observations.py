"""Atlantis: what a seat may know, as numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import laguna
from laguna.games.atlantis.components import SPACES
from laguna.games.atlantis.names import NAMES, PHASES
from tests.every import fields_observed, random_steps, seat_by_seat

ID = "atlantis"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_view_can_be_read_from_the_fields(players: int) -> None:
    game = laguna.new(ID, players=players, seed=2)
    phases = set()
    for number, _ in enumerate(random_steps(game, 2)):
        phases.add(game.view()["phase"])
        if number % 4 == 0:
            check(game)
    check(game)
    assert {"turn", "pay"} < phases


def check(game: laguna.Game) -> None:
    for seat in range(game.players):
        view, fields = game.view(seat), fields_observed(game, seat)
        assert fields["players"] == game.players
        assert fields["phase"] == [name == view["phase"] for name in PHASES]
        assert fields["deck_size"] == view["deck_size"]
        move = view["move"] or {"from": 0, "at": 0, "due": 0}
        assert [fields[name] for name in ("start", "at", "due")] == [
            move[name] for name in ("from", "at", "due")
        ]
        check_seats(view, fields, seat)
        check_path(view, fields, seat)
        check_cards_and_tiles(game, view, fields, seat)


def check_seats(view: dict[str, Any], fields: dict[str, Any], seat: int) -> None:
    players = range(view["players"])
    for name in ("scores", "hand_sizes", "tiles_worth", "losses"):
        assert seat_by_seat(fields[name], seat, len(players)) == view[name]
    assert seat_by_seat(fields["turn"], seat, len(players)) == [each == view["turn"] for each in players]
    assert seat_by_seat(fields["winners"], seat, len(players)) == [
        each in view["winners"] for each in players
    ]
    pawns = [[place for place, count in enumerate(own) for _ in range(count)] for own in fields["pawns"]]
    assert seat_by_seat(pawns, seat, len(players)) == view["pawns"]
    named = [[space for space, there in enumerate(own, 1) if there] for own in fields["bridges"]]
    expected = [[space] if space else [] for space in view["bridges"]]
    assert seat_by_seat(named, seat, len(players)) == expected


def check_path(view: dict[str, Any], fields: dict[str, Any], seat: int) -> None:
    board: dict[str, Any] = {}
    for i in range(SPACES):
        items = [name for name, there in zip(NAMES, fields["items"], strict=True) if there[i]]
        assert bool(items) == (fields["values"][i] > 0) == (fields["heights"][i] > 0)
        if items:
            board[str(i + 1)] = {"tile": [items[0], fields["values"][i]], "height": fields["heights"][i]}
    assert board == view["board"]
    gaps = {i + 1: fields["tolls"][i] for i in range(SPACES) if fields["gaps"][i]}
    assert gaps == {gap["after"]: gap["cost"] for gap in view["gaps"]}
    assert not any(toll for i, toll in enumerate(fields["tolls"], 1) if i not in gaps)


def tiles(grid: list[list[int]]) -> Counter[tuple[str, int]]:
    counts = Counter[tuple[str, int]]()
    for name, row in zip(NAMES, grid, strict=True):
        counts.update({(name, value): count for value, count in enumerate(row, 1) if count})
    return counts


def tiles_of(listed: list[Any]) -> Counter[tuple[str, int]]:
    return Counter((item, value) for item, value in listed)


def cards(counts: list[int]) -> dict[str, int]:
    return {name: count for name, count in zip(NAMES, counts, strict=True) if count}


def check_cards_and_tiles(game: laguna.Game, view: dict[str, Any], fields: dict[str, Any], seat: int) -> None:
    players = view["players"]
    for name in ("hand", "discards"):
        assert cards(fields[name]) == view[name]
    assert dict(zip(NAMES, fields["unseen"], strict=True)) == view["unseen"]
    assert cards(fields["gone_cards"]) == view["gone"]["cards"]
    assert tiles(fields["gone_tiles"]) == tiles_of(view["gone"]["tiles"])
    own = [tiles(grid) for grid in fields["tiles"]]
    assert seat_by_seat(own, seat, players) == [tiles_of(each) for each in view["tiles"]]
    position = game.position()
    told = seat_by_seat(fields["shown"], seat, players)
    assert [cards(each) for each in told] == position.get("shown", [{}] * players)
    lower = [stack[0] for stack in position["board"].values() if len(stack) == 2]
    assert tiles(fields["unseen_tiles"]) == tiles_of(lower)
    for name in ("bought", "bridged", "idle_turns"):
        assert fields[name] == position.get(name, 0)
    assert fields["least"] == (position.get("move") or {}).get("least", 0)


def test_cards_that_were_shown_are_told_to_all() -> None:
    """A10, A22: those of the seat that looks, and those of others."""
    for seed in range(50):
        game = laguna.new(ID, players=2, seed=seed)
        for _ in random_steps(game, seed):
            if any(game.position().get("shown", [])):
                check(game)
                assert any(map(any, fields_observed(game, 0)["shown"]))
                return
    raise AssertionError("no hand was shown")
