"""Impossible positions of Venice 2099, each refused with the field and the clause."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

import laguna
from tests.every import random_steps
from tests.games.impossible import Change, put, refused, refused_after
from tests.games.test_venice_2099 import AT, BOARD, crowded, value_of

ID = "venice-2099"


def reached(phase: str, players: int = 3, cards: int = 0, coins: bool = False) -> dict[str, Any]:
    """A real position of this phase after this many cards, with coins on the board if wanted."""
    for seed in range(1, 400):
        game = laguna.new(ID, players=players, seed=seed)
        for number, _ in enumerate(random_steps(game, seed)):
            position = game.position()
            if position["phase"] == phase and number >= 4 and sum(map(len, position["played"])) >= cards:
                if not coins or position.get("coins_on"):
                    return position
                break
        if phase == "over":
            return game.position()
    raise AssertionError("no such game")


def swap_tile(new: str) -> Change:
    """The first quarter on the board becomes another tile."""

    def change(position: dict[str, Any]) -> None:
        at = next(at for at, tile in position["board"].items() if tile not in ("platform", new))
        position["board"][at] = new

    return change


def on_water(position: dict[str, Any]) -> None:
    sunk = position["played"][0][0]
    position["pawns"][0][0] = next(at for at, tile in position["board"].items() if tile == sunk)


def coins_on_a(kind: str, coins: int = 1) -> Change:
    def change(position: dict[str, Any]) -> None:
        sunk = position["played"][0][0] if position["played"][0] else ""
        wanted = {"platform": "platform", "sunk": sunk, "quarter": "red2"}[kind]
        at = next(at for at, tile in position["board"].items() if tile == wanted)
        position["coins_on"] = {at: coins}

    return change


def same_value(position: dict[str, Any]) -> None:
    twos = [at for at, tile in position["board"].items() if tile[-1] == "2"]
    position["pawns"][0][:2] = [at for at in twos if not any(at in other for other in position["pawns"][1:])][
        :2
    ]


def three_x_played(position: dict[str, Any]) -> None:
    """Everybody has played an X and must hold eight more; pawns and coins are out of the way."""
    del position["hands"]
    low = [card for cards in position["played"] for card in cards if card[-1] != "X"]
    for seat, color in enumerate(("red", "black", "green")):
        position["played"][seat] = [f"{color}X", *low[3 * seat : 3 * seat + 3]]
    platforms = [at for at, tile in position["board"].items() if tile == "platform"]
    position["pawns"] = [platforms[4 * seat : 4 * seat + 4] for seat in range(3)]
    position |= {"coins": [13] * 3, "treasures": [{}, {}, {}], "coins_on": {}}


def fell_from_a_platform(position: dict[str, Any]) -> None:
    position["fallen"]["from"] = next(at for at, tile in position["board"].items() if tile == "platform")


@pytest.mark.parametrize(
    ("change", "field", "clause"),
    [
        (put("board", "a9", "red2"), "board", None),
        (put("board", "a1", "pink2"), "board", None),
        (put("board", "a1", "red1"), "board", None),
        (put("phase", "later"), "phase", None),
        (put("turn", 5), "turn", None),
        (put("turn", "0"), "turn", None),
        (put("pawns", 0, ["z1"]), "pawns[0]", None),
        (put("played", 0, ["red2"]), "played[0]", None),
        (put("coins", 0, -1), "coins[0]", None),
        (put("coins", 0, 99), "coins[0]", None),
        (put("gondolas", 0, 3), "gondolas[0]", None),
        (put("treasures", 0, {"pink": 1}), "treasures[0]", None),
        (put("treasures", 0, {"red": 11}), "treasures[0]", None),
        (put("fallen", {"seat": 0}), "fallen", None),
        (put("surprise", 1), "position", None),
        (put("game", "neptune-vesta"), "game", None),
        (put("rules", 2), "rules", None),
        (put("turn", 3), "turn", "V7"),
        (put("coins", [13, 13]), "coins", "V5"),
        (put("hands", [[], []]), "hands", "V5"),
        (lambda p: p["board"].pop("h8"), "board", "V4"),
        (swap_tile("platform"), "board", "V4"),
        (swap_tile("red2"), "board", "V4"),
        (put("phase", "place"), "played", "V7"),
        (put("phase", "over"), "turn", "V16"),
        (lambda p: put("turn", (p["turn"] + 1) % 3)(p), "played", "V8"),
        (put("phase", "rescue"), "played", "V8"),
        (lambda p: p["played"][0].append(p["hands"][0][0]), "played", "V8"),
        (lambda p: put("played", 0, 0, p["played"][1][0])(p), "played[0]", "V2"),
        (lambda p: put("pawns", 0, 0, p["pawns"][1][0])(p), "pawns[0]", "V7"),
        (on_water, "pawns[0]", "V13"),
        (put("pawns", 0, ["a1", "a2", "a3", "a4", "a5"]), "pawns[0]", "V5"),
        (put("fallen", {"seat": 0, "from": "a1"}), "fallen", "V14"),
        (put("coins", 0, 14), "coins[0]", "V6"),
        (put("coins", 0, 0), "coins[0]", "V11"),
        (put("treasures", 0, {"red": 10}), "coins[0]", "V11"),
        (put("treasures", [{"red": 4}, {"red": 4}, {"red": 4}]), "coins[0]", "V11"),
        (coins_on_a("platform"), "coins_on", "V11"),
        (coins_on_a("sunk"), "coins_on", "V11"),
        (coins_on_a("quarter", 2), "coins_on", "V11"),
        (coins_on_a("quarter", 15), "coins_on", "V11"),
        (lambda p: p["hands"][0].pop(), "hands[0]", "V5"),
        (lambda p: put("hands", 0, 0, p["hands"][1][0])(p), "hands[0]", "V2"),
        (lambda p: put("hands", 0, 0, p["played"][1][0])(p), "hands[0]", "V2"),
    ],
)
def test_impossible_positions_name_their_field(change: Change, field: str, clause: str | None) -> None:
    refused_after(change, ID, reached("turn", cards=12, coins=True), field, clause)


@pytest.mark.parametrize(
    ("change", "field", "clause"),
    [
        (lambda p: p["pawns"][2].append(p["pawns"][0].pop()), "pawns", "V7"),
        (same_value, "pawns[0]", "V7"),
        (put("gondolas", 0, 1), "gondolas[0]", "V10"),
        (put("coins", 0, 12), "coins[0]", "V11"),
        (put("treasures", 0, {"red": 1}), "coins[0]", "V11"),
        (put("phase", "turn"), "pawns", "V13"),
        (put("phase", "moved"), "pawns", "V13"),
    ],
)
def test_impossible_set_ups_name_their_field(change: Change, field: str, clause: str) -> None:
    position = reached("place")
    assert laguna.from_position(ID, position).view()["phase"] == "place"
    while position["turn"] != 0 or len(position["pawns"][0]) < 2:
        game = laguna.from_position(ID, position)
        game.play(game.legal()[0])
        position = game.position()
    refused_after(change, ID, position, field, clause)


@pytest.mark.parametrize(
    ("change", "field", "clause"),
    [
        (put("fallen", "seat", 4), "fallen.seat", "V7"),
        (lambda p: p.pop("fallen"), "fallen", "V14"),
        (fell_from_a_platform, "fallen.from", "V13"),
        (lambda p: put("gondolas", p["fallen"]["seat"], 0)(p), "fallen.seat", "V14"),
        (put("phase", "turn"), "played", "V8"),
    ],
)
def test_impossible_rescues_name_their_field(change: Change, field: str, clause: str) -> None:
    refused_after(change, ID, reached("rescue", cards=6), field, clause)


def test_a_hand_holds_nothing_lower_than_its_owner_played() -> None:
    """Two players exchange cards, and one gets a card below what they have played."""
    game, refusals = laguna.new(ID, seed=5), 0
    for _ in random_steps(game, 5):
        position = game.position()
        hands, highest = (
            position["hands"],
            [max(map(value_of, cards), default=0) for cards in position["played"]],
        )
        for giver, taker in itertools.permutations(range(3), 2):
            if hands[giver] and hands[taker] and value_of(hands[giver][0]) < highest[taker]:
                exchanged = [list(hand) for hand in hands]
                exchanged[giver][0], exchanged[taker][0] = hands[taker][0], hands[giver][0]
                refused(ID, position | {"hands": exchanged}, "hands", "V12")
                refusals += 1
    assert refusals > 3


def test_a_pawn_that_fell_is_not_on_the_board() -> None:
    position = reached("rescue", cards=6)
    seat = position["fallen"]["seat"]
    taken = {at for pawns in position["pawns"] for at in pawns}
    platforms = [at for at, tile in position["board"].items() if tile == "platform" and at not in taken]
    while len(position["pawns"][seat]) < 4:
        position["pawns"][seat].append(platforms.pop())
    refused(ID, position, "fallen.seat", "V13")


def test_nobody_is_asked_without_a_free_quarter() -> None:
    """The same position is fine where platforms count as well (V14)."""
    game = crowded(rescue="any")
    game.play("blackX")
    position = game.position()
    laguna.from_position(ID, position)
    position["options"]["rescue"] = "quarter"
    refused(ID, position, "fallen", "V14")


@pytest.mark.parametrize(
    ("change", "field", "clause"),
    [
        (put("turn", 0), "turn", "V16"),
        (lambda p: p["played"][0].pop(), "played", "V16"),
        (put("phase", "turn"), "played", "V8"),
        (put("phase", "rescue"), "fallen", "V14"),
    ],
)
def test_impossible_ends_name_their_field(change: Change, field: str, clause: str) -> None:
    position = reached("over")
    assert laguna.from_position(ID, position).over
    refused_after(change, ID, position, field, clause)


def test_everybody_plays_a_fixed_number_of_cards() -> None:
    position = reached("over") | {"phase": "turn", "turn": 0}
    refused(ID, position, "played", "V16")


def test_a_step_leaves_its_trace() -> None:
    position = reached("bought", cards=3)
    position["pawns"][position["turn"]] = []
    refused(ID, position, "phase", "V11")
    position["phase"] = "moved"
    with pytest.raises(laguna.BadPosition):
        laguna.from_position(ID, position)
    bare = reached("moved", cards=12)
    bare["pawns"][bare["turn"]] = []
    refused(ID, bare, "phase", "V9")


def test_ten_treasures_are_all_there_are() -> None:
    position = reached("turn", cards=33)
    position["treasures"] = [{"red": 4}, {"red": 4}, {"red": 4}]
    position["coins"], position["coins_on"] = [9, 9, 9], {}
    refused(ID, position, "treasures", "V3")


def test_coins_that_are_lost_sank_with_a_quarter() -> None:
    position = reached("turn", cards=33)
    position["treasures"], position["coins_on"] = [{"red": 1}, {}, {}], {}
    at = next(at for at, tile in position["board"].items() if tile == "red2")
    position["coins"], position["coins_on"] = [11, 13, 13], {at: 1}
    refused(ID, position, "coins_on", "V13")
    position["coins"], position["treasures"] = [12, 13, 13], [{"green": 1}, {}, {}]
    refused(ID, position, "coins_on", "V11")


# ------------------------------------------------------------------ what nobody can have done

PLACED = [["a1", "b1", "c1", "d1"], ["a2", "b2", "c2", "d2"], ["a8", "b8", "c8", "d8"]]


def early(played: str, pawns: list[list[str]] = PLACED, **fields: Any) -> dict[str, Any]:
    """Three players on BOARD after the first cards, seat 0's first; no hands, no purchases, all gondolas."""
    cards = played.split()
    return {
        "players": 3, "board": BOARD, "phase": "turn", "turn": len(cards) % 3, "pawns": pawns,
        "played": [cards[seat::3] for seat in range(3)], "coins": [13] * 3, "gondolas": [2] * 3,
        "treasures": [{}, {}, {}],
    } | fields  # fmt: skip


def placed(*changes: tuple[int, str]) -> list[list[str]]:
    """PLACED with the pawns of some seats as they are given."""
    return [dict(changes)[seat].split() if seat in dict(changes) else own for seat, own in enumerate(PLACED)]


@pytest.mark.parametrize(
    "position",
    [
        early(""),
        early("", placed((0, "a1 b1 b7 a8"), (2, "c8 d8 e8 f8"))),  # two of seat 0's on platforms
        early("black3", placed((0, "a1 c1 d1 e1"))),
        early("black3", placed((0, "a1 c1 d1 a3"))),  # it walked from somewhere else
        early("brown3", placed((1, "a2 c2 d2"))),  # its pawn stood there
        early("brown3", placed((1, "a2 c2 d2 a3")), gondolas=[2, 1, 2]),  # rescued to a second 2
        early("red3 azure4", placed((2, "a8 b8")), turn=2),
        early("red3 azure4", placed((2, "a8 b8 c8")), gondolas=[2, 2, 1]),
        early("brown3", placed((0, "a1 c1 d1 a3"), (1, "a2 c2 d2")), gondolas=[1, 2, 2], phase="rescue",
              turn=0, fallen={"seat": 1, "from": "b2"}),
    ],
)  # fmt: skip
def test_what_first_turns_can_bring_is_accepted(position: dict[str, Any]) -> None:
    assert laguna.from_position(ID, position).view()["pawns"] == position["pawns"]


@pytest.mark.parametrize(
    ("position", "field", "clause", "sentence"),
    [
        (early("", placed((0, "a1 c1 d1 a3"))), "pawns[0]", "V7",
         "0 moves and 0 rescues cannot bring 1 pawn onto the value of another"),
        (early("black5", placed((0, "a1 c1 a3 c4"))), "pawns[0]", "V7",
         "1 move and 0 rescues cannot bring 2 pawns"),
        (early("black6", placed((1, "a2 c2 d2 a3"))), "pawns[1]", "V7", "0 moves"),
        (early("", gondolas=[2, 1, 2]), "gondolas[1]", "V14",
         "1 pawn rescued and 0 missing, but 0 quarters have sunk"),
        (early("red3", gondolas=[2, 0, 2]), "gondolas[1]", "V14",
         "2 pawns rescued and 0 missing, but 1 quarter has sunk"),
        (early("red3", gondolas=[2, 1, 1]), "gondolas[1]", "V14",
         "2 pawns rescued and 0 missing, but 1 quarter has sunk"),
        (early("red7", placed((1, "a2 b2 c2")), gondolas=[2, 2, 1]), "gondolas[2]", "V14",
         "1 pawn rescued and 1 missing"),
        (early("", placed((1, "a2 b2 c2"))), "pawns[1]", "V13",
         "1 pawn cannot have been placed on what has sunk"),
        (early("red3", placed((1, "a2 b2 c2"))), "pawns[1]", "V13",
         "a player's pawns are placed on different values"),
        (early("red3 azure3", placed((2, "a8 b8")), turn=2), "pawns[2]", "V13",
         "2 pawns cannot have been placed"),
        (early("red7", placed((0, "a1 b1 c1"), (1, "a2 b2 c2"))), "pawns", "V13",
         "2 pawns are missing but 1 quarter has sunk"),
        (early("red3", placed((1, "a2 b2 c2")), phase="rescue", turn=0, fallen={"seat": 1, "from": "b4"}),
         "pawns[1]", "V7", "1 pawn onto the value of another"),
    ],
)  # fmt: skip
def test_pawns_and_gondolas_that_no_turn_explains(
    position: dict[str, Any], field: str, clause: str, sentence: str
) -> None:
    refused(ID, position, field, clause)
    with pytest.raises(laguna.BadPosition, match=sentence):
        laguna.from_position(ID, position)


# Four rounds: three black quarters have sunk, three red ones, three azure ones and no green one.
FOUR_ROUNDS = "black3 red3 azure3 black4 red4 azure4 black5 red5 azure5 brown3 violet3 violet4"
ON_PLATFORMS = [[f"{column}{row}" for column in columns for row in "78"] for columns in ("ab", "cd", "ef")]


def bought(
    treasures: list[dict[str, int]],
    spent: list[int],
    played: str = FOUR_ROUNDS,
    coins_on: dict[str, int] | None = None,
) -> dict[str, Any]:
    """After the played cards, with treasures for this many coins, and the pawns on platforms."""
    coins = [13 - each for each in spent]
    return early(played, ON_PLATFORMS, treasures=treasures, coins=coins, coins_on=coins_on or {})


@pytest.mark.parametrize(
    "position",
    [
        bought([{"black": 1}, {}, {}], [1, 0, 0]),
        bought([{"black": 2}, {}, {}], [3, 0, 0]),  # on one quarter
        bought([{"black": 2}, {}, {}], [2, 0, 0]),  # on two
        bought([{"black": 1}, {"black": 1}, {"black": 1}], [4, 2, 1]),
        bought([{"green": 1}, {"green": 1}, {}], [2, 1, 0], coins_on={AT["green2"]: 3}),
        bought([{"black": 2}, {"black": 2}, {"green": 1}], [9, 6, 1], coins_on={AT["green2"]: 1}),
    ],
)
def test_prices_that_were_paid_are_accepted(position: dict[str, Any]) -> None:
    assert laguna.from_position(ID, position).view()["coins"] == position["coins"]


ONE_SUNK = "green3 red3 azure3 black4 red4 azure4"


@pytest.mark.parametrize(
    ("position", "field", "clause", "sentence"),
    [
        (bought([{"black": 1}, {}, {}], [4, 0, 0]), "coins_on", "V13",
         "4 coins cannot have sunk with the quarters where 1 treasure was bought"),
        (bought([{"black": 2}, {}, {}], [2, 0, 0], ONE_SUNK), "coins_on", "V13",
         "2 coins cannot have sunk with the quarters where 2 treasures were bought"),
        (bought([{"black": 2}, {"black": 2}, {"black": 2}], [9, 9, 9], ONE_SUNK), "treasures", "V11",
         "6 black treasures cannot have been bought on 1 sunk quarter: nobody can pay for more than 4"),
        (bought([{"green": 1}, {"black": 3}, {}], [4, 4, 0], coins_on={AT["green2"]: 1}), "coins", "V11",
         "does not add up to the 4, 4 and 0 coins spent"),
        (bought([{"black": 1}, {"red": 1}, {"black": 1}], [1, 2, 1]), "coins", "V11", "the 1, 2 and 1 coins"),
        (bought([{"black": 1}, {"red": 2}, {}], [2, 2, 0]), "coins", "V11", "the 2, 2 and 0 coins"),
        (bought([{}, {}, {}], [1, 0, 0]), "coins[0]", "V11", "0 treasures cannot have cost 1 coin"),
        (bought([{"red": 1}, {}, {}], [0, 0, 0]), "coins[0]", "V11", "1 treasure cannot have cost 0 coins"),
        (bought([{}, {}, {}], [0, 0, 0], coins_on={AT["green2"]: 1}), "coins_on", "V11",
         "1 green treasure is paid for on the board, and 0 are bought"),
        (bought([{"green": 1}, {}, {}], [1, 0, 0]), "coins_on", "V11",
         "0 green treasures are paid for on the board, and 1 is bought"),
        (bought([{"black": 2}, {}, {}], [2, 0, 0], "black3 red3 azure3"), "treasures[0]", "V11",
         "2 treasures bought in 1 turn"),
    ],
)  # fmt: skip
def test_prices_that_nobody_can_have_paid(
    position: dict[str, Any], field: str, clause: str, sentence: str
) -> None:
    refused(ID, position, field, clause)
    with pytest.raises(laguna.BadPosition, match=sentence):
        laguna.from_position(ID, position)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"coins": [13]}, "coins: 1 entry for 3 players (V5)."),
        ({"hands": [["red3"], [], []]}, "hands[0]: 1 card instead of 12 (V5)."),
        ({"phase": "place"}, "pawns: seat 0 cannot be next to place a pawn when 4, 4 and 4 are placed (V7)."),
        ({"board": {at: "platform" if tile[:3] in ("red", "gre") else tile for at, tile in BOARD.items()}},
         "board: has 4 colors instead of 6 (V4)."),
    ],
)  # fmt: skip
def test_one_is_singular_in_sentences(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(laguna.BadPosition) as refusal:
        laguna.from_position(ID, early("") | changes)
    assert str(refusal.value) == sentence


def test_a_small_board_has_five_colors_and_no_7_or_8() -> None:
    position = laguna.new(ID, players=2, seed=3).position()
    laguna.from_position(ID, position)
    refused(ID, position | {"players": 3}, "pawns", "V5")
    for new in ("red7", "platform"):
        wrong = {**position, "board": dict(position["board"])}
        swap_tile(new)(wrong)
        refused(ID, wrong, "board", "V4")
    out = next(c for c in ("black", "brown", "azure", "red", "violet", "green")
               if f"{c}2" not in position["board"].values())  # fmt: skip
    wrong = {**position, "board": dict(position["board"])}
    swap_tile(f"{out}3")(wrong)
    refused(ID, wrong, "board", "V4")
    refused(
        ID,
        {**position, "hands": [[f"{out}3", *position["hands"][0][1:]], position["hands"][1]]},
        "hands[0]",
        "V4",
    )
    refused(ID, {**position, "pawns": [["h8"], []], "turn": 1}, "pawns[0]", "V4")


def test_a_card_out_of_play_was_not_played() -> None:
    position = reached("turn", players=2, cards=6)
    position["played"][0][0] = "red8"
    refused(ID, position, "played[0]", "V4")


def test_hands_that_are_left_out_are_dealt_by_the_seed() -> None:
    position = reached("turn", cards=12)
    del position["hands"]
    one, same, other = (laguna.from_position(ID, position, seed=seed).position() for seed in (1, 1, 2))
    assert one == same != other
    assert [len(hand) for hand in one["hands"]] == [len(hand) for hand in other["hands"]]
    laguna.from_position(ID, one)


def test_hands_that_cannot_be_dealt_are_refused() -> None:
    position = reached("turn", cards=12)
    three_x_played(position)
    refused(ID, position, "played", "V12")


def test_an_edition_may_be_named_in_a_position_and_its_options_are_kept() -> None:
    position = laguna.new(ID, seed=1).position() | {"options": {"edition": "hobby-world"}}
    assert laguna.from_position(ID, position).options["x_scores"] == "values"


# ------------------------------------------------------------------ files


def damaged(**changes: Any) -> str:
    """The text of a finished two-player game with some fields changed."""
    game = laguna.new(ID, players=2, seed=3)
    for _ in random_steps(game, 3):
        pass
    return json.dumps(json.loads(game.dumps()) | changes)


@pytest.mark.parametrize(
    ("changes", "sentence", "clause"),
    [
        ({"players": 6}, "is for 2, 3, 4 or 5 players, not 6", None),
        ({"players": 3}, "3 names", None),
        ({"options": {"moves": "king"}}, "not 'king'", "V9"),
        ({"options": {"edition": "pirate"}}, "not 'pirate'", "V22"),
        ({"actions": ["@g7"]}, "Action 1 ('@g7') is not allowed: There is no g7 on a board", "V4"),
        (
            {"actions": ["@a1", "@a1"]},
            "Action 2 ('@a1') is not allowed: A pawn of Player 1 stands on a1",
            "V7",
        ),
        ({"actions": ["a1-a2"]}, "All pawns must be placed before the first turn", "V7"),
        ({"actions": ["sink"]}, "No pawn has just fallen", "V14"),
        ({"actions": ["red 9"]}, "is not an action of Venice 2099", None),
        ({"actions": []}, "its actions give: unfinished", None),
        ({"result": {"scores": [0, 0], "winners": []}}, "its actions give: scores", None),
    ],
)
def test_for_damaged_files_the_error_says_what_is_wrong(
    changes: dict[str, Any], sentence: str, clause: str | None
) -> None:
    laguna.loads(damaged())
    with pytest.raises(laguna.LagunaError) as refused:
        laguna.loads(damaged(**changes))
    assert sentence in str(refused.value) and refused.value.clause == clause
    assert len(str(refused.value)) < 500
