"""Impossible positions of Neptune & Vesta, each refused with the field and the clause."""

from __future__ import annotations

import json
from typing import Any

import pytest

import laguna
from tests.every import random_steps
from tests.games.impossible import Change, put, refused, refused_after
from tests.games.test_neptune_vesta import full_board_but_one

ID = "neptune-vesta"


def middle(over: bool = False) -> dict[str, Any]:
    """A real position: of round 1 after 12 actions, or of a one-round match that Vesta's tile ended."""
    for seed in range(12, 200):
        game = laguna.new(ID, seed=seed, rounds=1 if over else 3)
        for _ in random_steps(game, seed):
            if len(game.actions) == 12 and not over:
                return game.position()
        if abs(game.view()["lighthouse"]) == 10 and game.position()["turn"] == 0:
            return game.position()
    raise AssertionError("no such game")


def swap_center(position: dict[str, Any]) -> None:
    board = position["board"]
    board["Rc3"], board["Bc3"] = board["Bc3"], board["Rc3"]


def equal_centers(position: dict[str, Any]) -> None:
    position["board"]["Rc3"][1] = position["board"]["Bc3"][1]


def drop_a_red_tile(position: dict[str, Any]) -> None:
    for at, tile in list(position["board"].items()):
        if tile[0] == "red" and at != "Rc3":
            del position["board"][at]


def fill(position: dict[str, Any]) -> None:
    board, count = position["board"], {"red": 0, "blue": 0}
    for color, _ in board.values():
        count[color] += 1
    for cell in (z + c + r for z in "RB" for c in "abcde" for r in "12345"):
        if cell not in board:
            color = min(count, key=lambda color: count[color])
            board[cell] = [color, 1]
            count[color] += 1
    position["turn"] = position["starter"]


@pytest.mark.parametrize(
    ("change", "field", "clause"),
    [
        (put("board", "Ra9", ["red", 1]), "board", None),
        (put("board", "Rc3", ["green", 1]), "board", None),
        (put("board", "Rc3", ["red", 11]), "board", None),
        (put("board", "Rc3", ["red"]), "board", None),
        (put("hands", "red", [1, 2, 3, 4]), "hands.red", None),
        (put("hands", "red", [1]), "hands.red", None),
        (put("hands", "green", [1, 2, 3]), "hands", None),
        (put("stacks", "red", [-1]), "stacks.red", None),
        (put("chance", "red", [0, 0, 0]), "chance.red", None),
        (put("chance", "red", [0, 0, 0, 2**32]), "chance.red", None),
        (put("lighthouse", 11), "lighthouse", None),
        (put("lighthouse", "3"), "lighthouse", None),
        (put("turn", 2), "turn", None),
        (put("surprise", 1), "position", None),
        (put("game", "venice"), "game", None),
        (put("rules", 2), "rules", None),
        (put("options", []), "options", None),
        (put("round", 4), "round", None),
        (put("hands", "red", [1, 1, 1]), "hands.red", "N2"),
        (put("hands", "red", [1, 2]), "hands.red", "N8"),
        (put("stacks", "red", []), "stacks.red", "N2"),
        (put("stacks", "red", [1] * 25), "stacks.red", "N2"),
        (put("wins", [1, 0]), "wins", "N16"),
        (put("lighthouse", 10), "lighthouse", "N14"),
        (put("lighthouse", -10), "lighthouse", "N14"),
        (put("over", True), "over", "N16"),
        (swap_center, "board.Rc3", "N5"),
        (equal_centers, "board", "N6"),
        (drop_a_red_tile, "board", "N8"),
        (lambda p: put("starter", 1 - p["starter"])(p), "starter", "N6"),
        (lambda p: put("turn", 1 - p["turn"])(p), "turn", "N8"),
        (fill, "board", "N15"),
    ],
)  # fmt: skip
def test_impossible_positions_name_their_field(change: Change, field: str, clause: str | None) -> None:
    refused_after(change, ID, middle(), field, clause)


@pytest.mark.parametrize(
    ("change", "field", "clause"),
    [
        (put("round", 2), "round", "N18"),
        (put("wins", [1, 1]), "wins", "N16"),
        (put("over", False), "wins", "N16"),
        (put("lighthouse", 0), "over", "N15"),
        (put("hands", "red", [1, 2, 3]), "hands.red", "N8"),
    ],
)
def test_impossible_ends_name_their_field(change: Change, field: str, clause: str | None) -> None:
    refused_after(change, ID, middle(over=True), field, clause)


def test_the_last_rounds_winner_is_among_the_wins() -> None:
    position = middle(over=True)
    position["wins"].reverse()
    with pytest.raises(laguna.BadPosition, match=r"wins: .* won the last round and has no win"):
        laguna.from_position(ID, position)


def filled(lighthouse: int, **fields: Any) -> dict[str, Any]:
    """A match that is over with a full board, 25 tiles of each color."""
    game = full_board_but_one(lighthouse, rounds=fields.pop("rounds", 3))
    position = game.position()
    position["hands"]["blue"].remove(1)
    position["board"]["Re1"] = ["blue", 1]
    return position | {"over": True, "turn": 1} | fields


@pytest.mark.parametrize(
    ("position", "winners"),
    [
        (filled(0, rounds=1), [0, 1]),
        (filled(0, round=3), [0, 1]),
        (filled(0, round=3, wins=[1, 0]), [0]),
        (filled(0, round=3, wins=[1, 1]), [0, 1]),
        (filled(2, rounds=1, wins=[1, 0]), [0]),
        (filled(2, round=2, wins=[2, 0]), [0]),
        (filled(-2, round=3, wins=[1, 1]), [0, 1]),
        (filled(-2, round=3, wins=[1, 2]), [1]),
        (filled(-2, round=3, wins=[0, 1]), [1]),
    ],
)
def test_possible_ends_are_accepted(position: dict[str, Any], winners: list[int]) -> None:
    game = laguna.from_position(ID, position)
    assert game.over and game.winners == winners


@pytest.mark.parametrize(
    ("position", "clause", "sentence"),
    [
        (filled(0, rounds=1, wins=[1, 0]), "N15",
         "the last round was drawn, and 1 win in 0 rounds before it is impossible"),
        (filled(0, round=2, wins=[2, 0]), "N15",
         "the last round was drawn, so the wins were 2:0 before it and the match was over"),
        (filled(0, round=3, wins=[2, 1]), "N15", "the wins were 2:1 before it"),
        (filled(0, round=3, wins=[0, 2]), "N15", "the wins were 0:2 before it"),
        (filled(2, round=3, wins=[1, 2]), "N15", "Vesta won the last round, so the wins were 0:2"),
        (filled(-2, round=3, wins=[2, 1]), "N15", "Neptune won the last round, so the wins were 2:0"),
        (filled(-2, round=3, wins=[2, 0]), "N15", "Neptune won the last round and has no win"),
    ],
)  # fmt: skip
def test_wins_fit_the_end_of_the_last_round(position: dict[str, Any], clause: str, sentence: str) -> None:
    refused(ID, position, "wins", clause)
    with pytest.raises(laguna.BadPosition, match=sentence):
        laguna.from_position(ID, position)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"hands": {"red": [1, 2], "blue": [1, 2, 3]}}, "hands.red: 2 tiles in hand instead of 3 (N8)."),
        ({"wins": [1, 0]}, "wins: 1 win in 0 finished rounds (N16)."),
        ({"round": 2, "wins": [1, 1]}, "wins: 2 wins in 1 finished round (N16)."),
        ({"round": 2, "options": {"rounds": 1}}, "round: there is no round 2 in a match of 1 round (N18)."),
    ],
)
def test_one_is_singular_in_sentences(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(laguna.BadPosition) as refusal:
        laguna.from_position(ID, middle() | changes)
    assert str(refusal.value) == sentence


def test_two_wins_are_the_end() -> None:
    position = middle()
    position |= {"round": 3, "wins": [2, 0]}
    with pytest.raises(laguna.BadPosition, match="over: with two wins"):
        laguna.from_position(ID, position)


def test_two_tiles_on_a_cell_are_refused_in_the_file() -> None:
    text = json.dumps(middle()).replace('"Rc3":', '"Rc3": ["red", 1], "Rc3":')
    from laguna.files import read_json

    with pytest.raises(laguna.BadFile, match="'Rc3' appears twice"):
        read_json(text)


def test_a_finished_line_that_was_not_scored_is_fine() -> None:
    position = middle()
    position["lighthouse"] = 5
    assert laguna.from_position(ID, position).view()["lighthouse"] == 5


def test_what_is_left_out_is_shuffled_by_the_seed() -> None:
    position = middle()
    del position["stacks"], position["chance"]
    one, same, other = (laguna.from_position(ID, position, seed=seed).position() for seed in (1, 1, 2))
    assert one == same != other
    assert sorted(one["stacks"]["red"]) == sorted(other["stacks"]["red"])
