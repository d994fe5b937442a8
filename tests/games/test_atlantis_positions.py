"""Impossible positions of Atlantis, each refused with the field and the clause."""

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
            if phase == "start":
                return game.position()
            if phase == "early" and view["phase"] == "turn" and max(map(max, view["pawns"])) in range(5, 50):
                return game.position()
            if phase == "paying" and view["phase"] == "pay" and game.position()["move"].get("least", 0) > 1:
                return game.position()
        if phase == "over":
            return game.position()
    raise AssertionError("no such game")


def middle(phase: str = "turn") -> dict[str, Any]:
    """A real position of three players in this phase; "early" on, no pawn has arrived; while "paying",
    a tile has been paid and more is due."""
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
    position["bridges"] = [26, 26, None]


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


def bridge_over_land(position: dict[str, Any]) -> None:
    land = position["board"]
    space = next(s for s in range(27, 50) if str(s) in land and str(s + 1) in land)
    position["bridges"] = [None, space, None]


def bridge_before_land(position: dict[str, Any]) -> None:
    land = position["board"]
    space = next(s for s in range(1, 50) if s != 26 and str(s) not in land and str(s + 1) in land)
    position["bridges"] = [None, space, None]


def two_bridges_over_one_gap(position: dict[str, Any]) -> None:
    land = position["board"]
    space = next(s for s in range(1, 49) if s != 26 and not {str(s + 1), str(s + 2)} & set(land))
    position["bridges"] = [space + 1, space, None]


def bridged_without_a_gap(position: dict[str, Any]) -> None:
    """The bridge that was just built stands where there is no gap, because no land lies before it."""
    water = next(s for s in range(1, 49) if not {str(s), str(s + 1)} & set(position["board"]))
    position["bridges"] = [None, None, None]
    position["bridges"][position["turn"]] = water
    position["bridged"] = True


def all_on_atlantis(position: dict[str, Any]) -> None:
    position["pawns"] = [[0, 0, 0]] * 3


def played_before_any_move(position: dict[str, Any]) -> None:
    position["discards"] = {position["deck"].pop(): 1}


def paid_before_any_move(position: dict[str, Any]) -> None:
    position["gone"]["cards"] = {position["deck"].pop(): 1}


def taken_ahead(position: dict[str, Any]) -> None:
    """A tile of the last space is with a player."""
    position["tiles"][0].append(position["board"]["52"].pop())


def taken_below_the_foremost(position: dict[str, Any]) -> None:
    foremost = max(map(max, position["pawns"]))
    space = next(s for s in range(foremost, 53) if len(position["board"][str(s)]) == 2)
    position["tiles"][0].append(position["board"][str(space)].pop())
    for pawns in position["pawns"]:
        pawns[:] = [space if place == foremost else place for place in pawns]


def own_on_atlantis(position: dict[str, Any]) -> None:
    position["pawns"][position["turn"]] = [0, 0, 0]
    position["pawns"][position["turn"] - 1][0] = 53


def no_discards(position: dict[str, Any]) -> None:
    """All discards are in the deck."""
    position["deck"] += [item for item, count in position["discards"].items() for _ in range(count)]
    position["discards"] = {}


def other_discards(position: dict[str, Any]) -> None:
    """Only cards that lead none of the player's pawns to a space are discarded."""
    no_discards(position)
    own = position["pawns"][position["turn"]]
    shown = {position["board"][str(place)][-1][0] for place in own if 0 < place < 53}
    item = next(item for item in position["deck"] if item not in shown)
    position["deck"].remove(item)
    position["discards"] = {item: 1}
    assert 53 not in own


def from_another_pawn(position: dict[str, Any]) -> None:
    move = position["move"]
    places = [place for pawns in position["pawns"] for place in pawns if 0 < place < move["at"]]
    move["from"] = places[0]


def nothing_gone(position: dict[str, Any]) -> None:
    """What had gone is with another player, or in the deck."""
    gone = position["gone"]
    position["tiles"][position["turn"] - 1] += gone["tiles"]
    position["deck"] += [item for item, count in gone["cards"].items() for _ in range(count)]
    position["gone"] = {"tiles": [], "cards": {}}
    position["bought"] = False


def smallest_piece_not_gone(position: dict[str, Any]) -> None:
    least, gone = position["move"]["least"], position["gone"]
    position["tiles"][position["turn"] - 1] += [tile for tile in gone["tiles"] if tile[1] == least]
    gone["tiles"] = [tile for tile in gone["tiles"] if tile[1] != least]


def paid_with_the_tile_that_bought(position: dict[str, Any]) -> None:
    """A single tile has gone, and would have been paid and have bought cards."""
    nothing_gone(position)
    tile = next(t for t in position["tiles"][position["turn"] - 1] if t[1] == position["move"]["least"])
    position["tiles"][position["turn"] - 1].remove(tile)
    position["gone"]["tiles"] = [tile]
    position["bought"] = True


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
    ("pay", put("move", "least", 7), "move.least", "A12"),
    ("paying", put("move", "least", 0), "move.least", "A12"),
    ("paying", put("move", "least", 7), "move.least", "A12"),
    ("paying", nothing_gone, "move.least", "A12"),
    ("paying", smallest_piece_not_gone, "move.least", "A12"),
    ("paying", paid_with_the_tile_that_bought, "move.least", "A12"),
    ("pay", put("move", None), "move", "A8"),
    ("after", lambda p: put("bridges", p["turn"], 26)(p), "phase", "A16"),
    ("turn", bridge_over_land, "bridges[1]", "A16"),
    ("turn", bridge_before_land, "bridges[1]", "A16"),
    ("turn", two_bridges_over_one_gap, "bridges[1]", "A16"),
    ("turn", bridged_without_a_gap, "bridged", "A16"),
    ("turn", all_on_atlantis, "board", "A13"),
    ("early", all_on_atlantis, "board", "A13"),
    ("early", taken_ahead, "board.52", "A13"),
    ("early", taken_below_the_foremost, "board", "A13"),
    ("start", played_before_any_move, "discards", "A7"),
    ("start", paid_before_any_move, "gone.cards", "A7"),
    ("after", own_on_atlantis, "phase", "A16"),
    ("after", no_discards, "discards", "A7"),
    ("after", other_discards, "discards", "A7"),
    ("chain", no_discards, "discards", "A8"),
    ("pay", no_discards, "discards", "A8"),
    ("chain", from_another_pawn, "move.from", "A8"),
    ("pay", from_another_pawn, "move.from", "A8"),
    ("chain", put("idle_turns", 1), "idle_turns", "A10"),
    ("pay", put("idle_turns", 1), "idle_turns", "A10"),
    ("after", put("idle_turns", 1), "idle_turns", "A10"),
    ("over", put("idle_turns", 1), "idle_turns", "A10"),
    ("over", put("idle_turns", 3), "idle_turns", "A10"),
    ("over", lambda p: put("losses", p["turn"] - 1, 999)(p), "losses[", "A20"),
    ("over", lambda p: put("losses", p["turn"], 1)(p), "losses[", "A19"),
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
    """Three spaces, and a pawn on each of the first two; some fields as the test says.

    The discards lead from Atlantis to 2, and from there to 4.
    """
    from tests.games.test_atlantis import stage

    pawns = [[0, 0, 1], [0, 0, 2]]
    path, tiles = "1:lyre3 2:coins4 4:olive2", ["weapon2", ""]
    game = stage(path, hands=[hand, "coins"], pawns=pawns, tiles=tiles, deck=drawn, discards="coins olive")
    return game.position() | fields


@pytest.mark.parametrize(
    ("fields", "field", "clause"),
    [
        ({"bought": True, "gone": "no tiles"}, "bought", "A6"),
        ({"bridged": True, "bridges": [None, 49]}, "bridged", "A16"),
        ({"phase": "after", "bridges": [None, 2]}, "phase", "A16"),
        ({"phase": "chain", "move": {"from": 0, "at": 1}}, "move.at", "A8"),
        ({"phase": "chain", "move": {"from": 0, "at": 2}, "pawns": [[0, 0, 2], [0, 53, 2]], "hands": [1, {}],
          "deck": None}, "hands", "A8"),
        ({"phase": "chain", "move": {"from": 0, "at": 2}, "pawns": [[0, 53, 2], [0, 4, 2]], "hand": "olive"},
         "move", "A8"),
        ({"phase": "pay", "move": {"from": 3, "at": 4, "due": 2}, "pawns": [[0, 0, 4], [0, 53, 2]]},
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
    position = small(phase="pay", move={"from": 2, "at": 4, "due": 2}, pawns=[[0, 0, 4], [0, 53, 1]])
    assert [str(action) for action in laguna.from_position(ID, position).legal()] == ["pay we2"]
    position["tiles"] = [[], [["weapon", 2]]]
    with pytest.raises(laguna.BadPosition, match=r"move\.due: the player's tiles and cards") as refused:
        laguna.from_position(ID, position)
    assert refused.value.clause == "A12"


def idle_chain() -> laguna.Game:
    """Seat 1 could not move and no card was left; seat 0 plays one that leads to another pawn."""
    from tests.games.test_atlantis import stage

    game = stage("27:lyre7 29:coins7 30:wreath2", hands=["lyre wreath olive", "coins"], deck="",
                 pawns=[[0, 0, 0], [27, 53, 53]], tiles=["olive4 sickle4", ""], turn=1)  # fmt: skip
    game.play("draw")
    game.play("0 ly")
    return game


def sickle_discarded(position: dict[str, Any]) -> None:
    position["gone"]["cards"]["sickle"] -= 1
    position["discards"]["sickle"] = 1


def sickle_in_the_deck(position: dict[str, Any]) -> None:
    position["gone"]["cards"]["sickle"] -= 1
    position["deck"].append("sickle")


def test_idle_turns_go_on_into_a_move() -> None:
    """A10: until the turn has ended they stand; every position on the way is accepted."""
    game = idle_chain()
    phases = []
    while not game.over:
        position = game.position()
        phases.append((position.get("phase", "turn"), position.get("idle_turns", 0)))
        assert laguna.from_position(ID, position).position() == position
        game.play(game.legal()[0])
    position = game.position()
    assert laguna.from_position(ID, position).position() == position
    assert {("chain", 1), ("pay", 1), ("turn", 0)} <= set(phases)


@pytest.mark.parametrize(
    ("change", "field", "clause"),
    [
        (put("idle_turns", 2), "idle_turns", "A10"),
        (put("shown", [{}, {}]), "shown[1]", "A10"),
        (put("bought", True), "bought", "A6"),
        (sickle_discarded, "idle_turns", "A10"),
        (sickle_in_the_deck, "idle_turns", "A10"),
    ],
)
def test_idle_turns_must_be_possible(change: Change, field: str, clause: str) -> None:
    refused_after(change, ID, idle_chain().position(), field, clause)


@pytest.mark.parametrize(
    ("phase", "change", "sentence"),
    [
        ("turn", put("bridges", [None]), "bridges: 1 entry for 3 players (A5)."),
        ("turn", put("bridges", []), "bridges: 0 entries for 3 players (A5)."),
        ("start", lambda p: p["board"]["1"].pop(),
         "board: tiles given nowhere: 1; lower tiles left out: 0 in half A and 0 in half B (A2)."),
        ("start", lambda p: p["board"].update({"11": [None, *p["board"]["11"]]}),
         "board.11: only one tile lies there (A4)."),
        ("start", lambda p: (p.pop("deck"), put("hands", [99, 1, 6])(p)),
         "hands: cards left out: 106; cards left for them: 105 (A3)."),
        ("start", lambda p: p["tiles"][0].append(["lyre", 7]),
         "tiles: lyre 7 is given 2 times, but the game has 1 of it (A2)."),
        ("pay", put("move", "due", 0), "move.due: nothing is left to pay, so the payment is over (A11)."),
        ("pay", put("move", "least", 7), "move.least: nothing has been paid yet (A12)."),
    ],
)  # fmt: skip
def test_refusals_are_good_english(phase: str, change: Change, sentence: str) -> None:
    position = middle(phase)
    change(position)
    with pytest.raises(laguna.BadPosition) as refusal:
        laguna.from_position(ID, position)
    assert str(refusal.value) == sentence


def test_a_payment_names_its_cost() -> None:
    position = small(phase="pay", move={"from": 2, "at": 4, "due": 3}, pawns=[[0, 0, 4], [0, 53, 1]])
    with pytest.raises(laguna.BadPosition, match=r"^move\.due: the whole way costs 2 \(A11\)\.$"):
        laguna.from_position(ID, position)
    position["move"]["due"] = 1
    found = r"^move\.least: 1 of 2 has been paid, so the smallest piece must be given \(A12\)\.$"
    with pytest.raises(laguna.BadPosition, match=found):
        laguna.from_position(ID, position)
    position["move"]["least"] = 1
    position["hands"] = [{"lyre": 1}, {"coins": 1}]
    assert [str(action) for action in laguna.from_position(ID, position).legal()] == ["pay ly"]


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


def test_shown_cards_are_in_a_hand_of_which_only_the_size_is_given() -> None:
    position = small(drawn="coins olive wreath", hands=[{"lyre": 1}, 3], shown=[{}, {"coins": 2}])
    del position["deck"]
    for seed in range(5):
        hand = laguna.from_position(ID, position, seed=seed).position()["hands"][1]
        assert hand["coins"] >= 2 and sum(hand.values()) == 3
