"""Neptune & Vesta: what a seat may know, as numbers."""

from __future__ import annotations

from typing import Any

import pytest

import laguna
from laguna.games.neptune_vesta.names import CELL_NAMES, COLORS
from tests.every import fields_observed, random_steps, seat_by_seat

SMALL: dict[str, Any] = {
    "options": {"line_to": "sum"},
    "starter": 1,
    "turn": 0,
    "lighthouse": 4,
    "board": {"Rc3": ["red", 2], "Bc3": ["blue", 7], "Bb1": ["blue", 2]},
    "hands": {"red": [1, 9, 9], "blue": [3, 4, 10]},
    "round": 2,
    "wins": [0, 1],
}


def test_a_small_position_as_each_side_observes_it() -> None:
    game = laguna.from_position("neptune-vesta", SMALL)
    vesta, neptune = fields_observed(game, 0), fields_observed(game, 1)
    assert (vesta["seat"], vesta["lighthouse"], vesta["wins"], vesta["turn"]) == (0, 4, [0, 1], [1, 0])
    assert (neptune["seat"], neptune["lighthouse"], neptune["wins"], neptune["turn"]) == (
        1,
        -4,
        [1, 0],
        [0, 1],
    )
    assert vesta["starter"] == [0, 1] and neptune["starter"] == [1, 0]
    assert vesta["rounds"] == 3 and vesta["line_to"] == 2 and vesta["round"] == 2 and vesta["over"] == 0
    empty = [0] * 5
    red_zone = [empty, empty, [0, 0, 2, 0, 0], empty, empty]
    blue_zone = [[0, 2, 0, 0, 0], empty, [0, 0, 7, 0, 0], empty, empty]
    nothing = [empty] * 5
    assert vesta["board"] == [red_zone, nothing, nothing, blue_zone]
    assert neptune["board"] == [nothing, blue_zone, red_zone, nothing]
    assert vesta["hand"] == [1, 0, 0, 0, 0, 0, 0, 0, 2, 0]
    assert neptune["hand"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 1]
    assert vesta["unseen"] == [[2, 2, 3, 3, 3, 3, 3, 3, 1, 3], [3, 2, 3, 3, 3, 3, 2, 3, 3, 3]]
    assert vesta["stack_sizes"] == [26, 25] and vesta["hand_sizes"] == [3, 3]


@pytest.mark.parametrize("options", [{}, {"rounds": 1, "line_to": "highest"}])
def test_the_view_can_be_read_from_the_fields(options: dict[str, Any]) -> None:
    game = laguna.new("neptune-vesta", seed=3, **options)
    check(game)
    for _ in random_steps(game, 3):
        check(game)
    check(game)


def check(game: laguna.Game) -> None:
    for seat in range(2):
        view, fields = game.view(seat), fields_observed(game, seat)
        board = {}
        for plane, rows in enumerate(fields["board"]):
            steps, zone = divmod(plane, 2)
            for place, value in enumerate(value for row in rows for value in row):
                if value:
                    board[CELL_NAMES[zone * 25 + place]] = [COLORS[(seat + steps) % 2], value]
        assert board == view["board"]
        assert fields["seat"] == seat
        assert fields["lighthouse"] == view["lighthouse"] * (1 if seat == 0 else -1)
        hand = [value for value, count in enumerate(fields["hand"], 1) for _ in range(count)]
        assert hand == view["hand"]
        for name in ("hand_sizes", "stack_sizes", "wins"):
            assert seat_by_seat(fields[name], seat, 2) == view[name]
        assert seat_by_seat(fields["unseen"], seat, 2) == [view["unseen"][color] for color in COLORS]
        assert (fields["round"], bool(fields["over"])) == (view["round"], view["over"])
        assert seat_by_seat(fields["turn"], seat, 2) == [each == view["turn"] for each in range(2)]
        assert seat_by_seat(fields["starter"], seat, 2) == [each == view["starter"] for each in range(2)]
        assert seat_by_seat(fields["winners"], seat, 2) == [each in view["winners"] for each in range(2)]
        assert fields["rounds"] == view["options"]["rounds"]
        assert ("majority", "highest", "sum")[fields["line_to"]] == view["options"]["line_to"]
