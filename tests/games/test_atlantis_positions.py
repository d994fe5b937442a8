"""Positions of Atlantis that cannot be, each refused with the field and the clause."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest

import laguna
from tests.every import random_steps
from tests.games.impossible import Change, put, refused, refused_after

ID = "atlantis"


@cache
def _middle(phase: str) -> dict[str, Any]:
    for seed in range(200):
        game = laguna.new(ID, seed=seed)
        for _ in random_steps(game, seed):
            view = game.view()
            late = phase == "after" or (len(game.actions) > 40 and all(map(len, view["tiles"])))
            if late and view["phase"] == phase:
                return game.position()
        if phase == "over":
            return game.position()
    raise AssertionError("no such game")


def middle(phase: str = "turn") -> dict[str, Any]:
    """A real position of three players in this phase."""
    return copy.deepcopy(_middle(phase))


def on_water(position: dict[str, Any]) -> None:
    water = next(space for space in range(1, 53) if str(space) not in position["board"])
    position["pawns"][0] = [0, 0, water]


def together(position: dict[str, Any]) -> None:
    place = next(place for pawns in position["pawns"][1:] for place in pawns if 0 < place < 53)
    position["pawns"][0] = [0, 0, place]


def top_unknown(position: dict[str, Any]) -> None:
    next(iter(position["board"].values()))[-1] = None


def wrong_half(position: dict[str, Any]) -> None:
    space = next(space for space in position["board"] if int(space) < 27)
    position["board"][space][-1] = ["lyre", 7]


def twice_in_a_half(position: dict[str, Any]) -> None:
    one, other, *_ = (space for space in position["board"] if int(space) > 27)
    position["board"][one][-1] = position["board"][other][-1]


def three_high(position: dict[str, Any]) -> None:
    single = next(space for space in position["board"] if 10 < int(space) < 21)
    position["board"][single] = [None, position["board"][single][-1]]


def given_away(position: dict[str, Any]) -> None:
    position["tiles"][1].append(position["tiles"][0][0])


def two_spots(position: dict[str, Any]) -> None:
    position["bridges"] = [7, 7, None]


def a_card_more(position: dict[str, Any]) -> None:
    item = position["deck"].pop()
    other = "lyre" if item != "lyre" else "olive"
    position["deck"].append(other)


def open_hand(position: dict[str, Any]) -> None:
    position["hands"][0] = sum(position["hands"][0].values())


def chain_in_the_dark(position: dict[str, Any]) -> None:
    position["hands"][position["turn"]] = sum(position["hands"][position["turn"]].values())
    del position["deck"]


def nobody_there(position: dict[str, Any]) -> None:
    position["move"]["at"] = next(
        place for place in range(1, 53) if place not in position["pawns"][position["turn"]]
    )


CASES: list[tuple[str, Change, str, str | None]] = [
    ("turn", put("board", "53", [["lyre", 1]]), "board", None),
    ("turn", put("board", "0", [["lyre", 1]]), "board", None),
    ("turn", put("board", "1", []), "board", None),
    ("turn", put("board", "1", [["lyre", 8]]), "board", None),
    ("turn", put("board", "1", [["harp", 1]]), "board", None),
    ("turn", put("pawns", 0, [0, 0]), "pawns", None),
    ("turn", put("pawns", 0, [0, 0, 54]), "pawns", None),
    ("turn", put("hands", 0, {"lyre": -1}), "hands", None),
    ("turn", put("hands", 0, {"harp": 1}), "hands", None),
    ("turn", put("bridges", 0, 51), "bridges", None),
    ("turn", put("phase", "lunch"), "phase", None),
    ("turn", put("chance", "a", [0, 0, 0]), "chance.a", None),
    ("turn", put("surprise", 1), "position", None),
    ("turn", put("turn", 4), "turn", None),
    ("turn", put("turn", 3), "turn", "A5"),
    ("turn", lambda p: p["pawns"].pop(), "pawns", "A5"),
    ("turn", lambda p: p["hands"].append({}), "hands", "A5"),
    ("turn", lambda p: p["tiles"].pop(), "tiles", "A5"),
    ("turn", put("bridges", []), "bridges", "A5"),
    ("turn", put("shown", []), "shown", "A5"),
    ("turn", top_unknown, "board", "A4"),
    ("turn", three_high, "board", "A4"),
    ("turn", wrong_half, "board", "A2"),
    ("turn", twice_in_a_half, "board", "A2"),
    ("turn", lambda p: p["board"].popitem(), "board", "A2"),
    ("turn", given_away, "tiles", "A2"),
    ("turn", put("tiles", 0, [["lyre", 6]] * 2), "tiles[0]", "A2"),
    ("turn", lambda p: p["gone"]["tiles"].append(["lyre", 1]), "tiles", "A2"),
    ("turn", put("hands", 0, dict.fromkeys(("lyre", "olive", "coins"), 15)), "hands", "A3"),
    ("turn", put("discards", {}), "deck", "A3"),
    ("turn", a_card_more, "deck", "A3"),
    ("turn", open_hand, "hands", "A3"),
    ("turn", put("shown", [{"lyre": 15}, {}, {}]), "shown[0]", "A10"),
    ("turn", on_water, "pawns[0]", "A15"),
    ("turn", together, "pawns", "A8"),
    ("turn", put("pawns", 0, [53, 53, 53]), "pawns[0]", "A18"),
    ("turn", two_spots, "bridges[1]", "A16"),
    ("turn", put("phase", "chain"), "move", "A8"),
    ("turn", put("phase", "pay"), "move", "A8"),
    ("turn", put("move", {"from": 0, "at": 1}), "move", "A8"),
    ("turn", put("phase", "over"), "pawns[0]", "A19"),
    ("turn", put("losses", [0, 0, 0]), "losses", "A20"),
    ("turn", put("idle_turns", 1), "idle_turns", "A10"),
    ("turn", put("idle_turns", 3), "idle_turns", "A10"),
    ("chain", put("move", "at", 53), "pawns", "A8"),
    ("pay", nobody_there, "move.at", "A7"),
    ("chain", lambda p: put("move", "from", p["move"]["at"])(p), "move.from", "A7"),
    ("chain", put("move", "due", 1), "move.due", "A11"),
    ("chain", chain_in_the_dark, "hands", "A8"),
    ("pay", put("move", "due", 0), "move.due", "A11"),
    ("pay", put("move", "due", 99), "move.due", "A11"),
    ("pay", put("move", "least", 7), "move.due", "A11"),
    ("pay", put("move", None), "move", "A8"),
    ("after", lambda p: put("bridges", p["turn"], 50)(p), "phase", "A16"),
    ("over", put("losses", [0, 0]), "losses", "A5"),
    ("over", lambda p: p.pop("losses"), "losses", "A20"),
    ("over", put("pawns", 0, [0, 53, 53]), "pawns[0]", "A19"),
]  # fmt: skip


@pytest.mark.parametrize(("phase", "change", "field", "clause"), CASES)
def test_impossible_positions_name_their_field(
    phase: str, change: Change, field: str, clause: str | None
) -> None:
    refused_after(change, ID, middle(phase), field, clause)


def small(hand: str = "lyre", drawn: str = "sickle", **fields: Any) -> dict[str, Any]:
    """Three spaces, and a pawn on each of the first two; some fields as the test says."""
    from tests.games.test_atlantis import stage

    pawns = [[0, 0, 1], [0, 0, 2]]
    path, tiles = "1:lyre3 2:coins4 4:olive2", ["weapon2", ""]
    game = stage(path, hands=[hand, "coins"], pawns=pawns, tiles=tiles, deck=drawn)
    return game.position() | fields


@pytest.mark.parametrize(
    ("fields", "field", "clause"),
    [
        ({"bought": True, "gone": "no tiles"}, "bought", "A6"),
        ({"bridged": True, "bridges": [None, 49]}, "bridged", "A16"),
        ({"phase": "after", "bridges": [None, 2]}, "phase", "A16"),
        ({"phase": "chain", "move": {"from": 0, "at": 1}}, "move.at", "A8"),
        ({"phase": "chain", "move": {"from": 0, "at": 2}, "pawns": [[0, 0, 2], [0, 0, 2]], "hands": [1, {}],
          "deck": None}, "hands", "A8"),
        ({"phase": "chain", "move": {"from": 0, "at": 2}, "pawns": [[0, 0, 2], [0, 4, 2]], "hand": "olive"},
         "move", "A8"),
        ({"phase": "pay", "move": {"from": 3, "at": 4, "due": 2}, "pawns": [[0, 0, 4], [0, 0, 2]]},
         "move.from", "A7"),
        ({"hands": [99, 1], "deck": None}, "hands", "A3"),
        ({"hands": [0, 1], "deck": None, "shown": [{"lyre": 1}, {}]}, "shown[0]", "A10"),
    ],
)  # fmt: skip
def test_impossible_turns_name_their_field(fields: dict[str, Any], field: str, clause: str | None) -> None:
    position = small(**fields)
    if fields.get("gone"):
        position["gone"] = {"tiles": [], "cards": small()["gone"]["cards"]}
        position["tiles"][1] = small()["gone"]["tiles"]
    refused(ID, position, field, clause)


def test_a_payment_that_cannot_be_made_is_refused() -> None:
    position = small(phase="pay", move={"from": 2, "at": 4, "due": 2}, pawns=[[0, 0, 4], [0, 0, 1]])
    assert [str(action) for action in laguna.from_position(ID, position).legal()] == ["pay we2"]
    position["tiles"] = [[], [["weapon", 2]]]
    with pytest.raises(laguna.BadPosition, match=r"move\.due: the player's tiles and cards") as refused:
        laguna.from_position(ID, position)
    assert refused.value.clause == "A12"


def test_what_is_left_out_is_dealt_by_the_seed() -> None:
    position = middle()
    whole = copy.deepcopy(position)
    del position["deck"], position["chance"]
    for seat in (1, 2):
        position["hands"][seat] = sum(position["hands"][seat].values())
    for stack in position["board"].values():
        if len(stack) == 2:
            stack[0] = None
    one, same, other = (laguna.from_position(ID, position, seed=seed).position() for seed in (1, 1, 2))
    assert one == same != other
    for dealt in (one, other):
        assert dealt["hands"][0] == whole["hands"][0]
        assert [sum(hand.values()) for hand in dealt["hands"]] == [sum(h.values()) for h in whole["hands"]]
        for space, stack in dealt["board"].items():
            assert len(stack) == len(whole["board"][space]) and stack[-1] == whole["board"][space][-1]
        assert laguna.from_position(ID, dealt).position() == dealt
    game = laguna.from_position(ID, position, seed=3)
    for _ in random_steps(game, seed=3):
        pass
    assert game.over


def test_shown_cards_are_in_a_hand_of_which_only_the_size_is_told() -> None:
    position = small(drawn="coins olive wreath", hands=[{"lyre": 1}, 3], shown=[{}, {"coins": 2}])
    del position["deck"]
    for seed in range(5):
        hand = laguna.from_position(ID, position, seed=seed).position()["hands"][1]
        assert hand["coins"] >= 2 and sum(hand.values()) == 3
