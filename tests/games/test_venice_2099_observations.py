"""Venice 2099: what a seat may know, as numbers."""

from __future__ import annotations

from typing import Any

import pytest

import laguna
from laguna.games.venice_2099.components import CARD_VALUES, COLORS, VALUES
from laguna.games.venice_2099.names import PHASES, SQUARE_NAMES
from tests.every import fields_observed, random_steps, seat_by_seat

ID = "venice-2099"
BOARD_FIELDS = ("coins_on", "prices", "pawn_points")


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"moves": "walk", "x_scores": "values"}),
        (3, {"moves": "rook", "rescue": "quarter"}),
        (4, {"tie_break": "pawns"}),
        (5, {}),
    ],
)
def test_the_view_can_be_read_from_the_fields(players: int, options: dict[str, Any]) -> None:
    game = laguna.new(ID, players=players, seed=1, **options)
    fallen = 0
    for number, _ in enumerate(random_steps(game, 1)):
        fallen += game.view()["fallen"] is not None
        if number % 3 == 0 or game.view()["fallen"]:
            check(game)
    check(game)
    assert fallen


def check(game: laguna.Game) -> None:
    for seat in range(game.players):
        view, fields = game.view(seat), fields_observed(game, seat)
        assert fields["players"] == game.players
        check_options(game, fields)
        check_board(view, fields, seat)
        check_seats(view, fields, seat)
        check_cards(view, fields, seat)
        market = [(each["color"], each["left"], each["quarters"], each["worth"]) for each in view["market"]]
        told = zip(COLORS, fields["stock"], fields["quarters"], fields["worth"], strict=True)
        colors = {each[0] for each in market}
        for each in told:
            assert each in market if each[0] in colors else each[1:] == (0, 0, 0)
        assert fields["phase"] == [name == view["phase"] for name in PHASES]


def check_options(game: laguna.Game, fields: dict[str, Any]) -> None:
    for option in game.meta.options:
        assert fields[option.name] == option.code(game.options[option.name])


def squares(rows: list[list[int]]) -> dict[str, int]:
    """The numbers of the squares that are not 0."""
    flat = [value for row in rows for value in row]
    return {name: value for name, value in zip(SQUARE_NAMES, flat, strict=True) if value}


def check_board(view: dict[str, Any], fields: dict[str, Any], seat: int) -> None:
    board = dict.fromkeys(squares(fields["platforms"]), "platform")
    colors = {at: color for color, rows in zip(COLORS, fields["colors"], strict=True) for at in squares(rows)}
    values = {at: value for value, rows in zip(VALUES, fields["values"], strict=True) for at in squares(rows)}
    assert colors.keys() == values.keys() and not board.keys() & colors.keys()
    board |= {at: colors[at] + values[at] for at in colors}
    assert board == view["board"]
    assert sorted(squares(fields["water"])) == sorted(view["water"])
    for name in BOARD_FIELDS:
        assert squares(fields[name]) == {at: value for at, value in view[name].items() if value}
    pawns = [list(squares(rows)) for rows in fields["pawns"]]
    assert seat_by_seat(pawns, seat, view["players"]) == view["pawns"]
    fallen = view["fallen"]
    assert list(squares(fields["fallen_from"])) == ([fallen["from"]] if fallen else [])
    whose = fallen["seat"] if fallen else None
    assert seat_by_seat(fields["fallen"], seat, view["players"]) == is_seat(view, whose)


def is_seat(view: dict[str, Any], *seats: int | None) -> list[bool]:
    return [each in seats for each in range(view["players"])]


def check_seats(view: dict[str, Any], fields: dict[str, Any], seat: int) -> None:
    players = view["players"]
    for name in ("scores", "coins", "gondolas", "hand_sizes"):
        assert seat_by_seat(fields[name], seat, players) == view[name]
    for name in ("turn", "active"):
        assert seat_by_seat(fields[name], seat, players) == is_seat(view, view[name])
    assert seat_by_seat(fields["winners"], seat, players) == is_seat(view, *view["winners"])
    treasures = seat_by_seat(fields["treasures"], seat, players)
    assert [{color: own for color, own in zip(COLORS, each, strict=True) if own} for each in treasures] == (
        view["treasures"]
    )
    at_least = seat_by_seat(fields["at_least"], seat, players)
    assert [CARD_VALUES[value - 1] for value in at_least] == view["at_least"]


def cards(rows: list[list[int]]) -> list[str]:
    return [
        color + value
        for value, row in zip(CARD_VALUES, rows, strict=True)
        for color, held in zip(COLORS, row, strict=True)
        if held
    ]


def check_cards(view: dict[str, Any], fields: dict[str, Any], seat: int) -> None:
    assert cards(fields["hand"]) == view["hand"]
    assert cards(fields["unseen"]) == view["unseen"]
    assert fields["put_away"] == view["put_away"]
    assert seat_by_seat([cards(rows) for rows in fields["played"]], seat, view["players"]) == view["played"]
    assert (CARD_VALUES[fields["lowest"] - 1] if fields["lowest"] else None) == view["lowest"]
