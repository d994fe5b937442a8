"""Venice 2099, clause by clause. Every test is named after the clause it proves."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import msgspec
import pytest

import laguna
from laguna.games.venice_2099.events import FACTS
from laguna.games.venice_2099.names import cards_of
from laguna.games.venice_2099.views import VIEW
from laguna.kernel.jit import JIT
from tests.every import random_steps

ID = "venice-2099"
COLORS = ("black", "brown", "azure", "red", "violet", "green")
VALUES = ("2", "3", "4", "5", "6", "7", "8", "X")
QUARTERS = [color + value for color in COLORS for value in VALUES]
CARDS_EACH = {2: 10, 3: 12, 4: 9, 5: 7}
PAWNS_EACH = {2: 3, 3: 4, 4: 3, 5: 3}
PUT_AWAY = {2: 5, 3: 6, 4: 6, 5: 7}
HOBBY_WORLD = {"rescue": "quarter", "x_scores": "values", "tie_break": "pawns"}
PIATNIK = {"rescue": "any", "x_scores": "count", "tie_break": "pawn_points"}

# The board of most tests: a row for each color from black in row 1 to green in row 6, its values
# 2 … X from column a to column h, and two rows of platforms. So d4 is the red 5.
BOARD = {f"{column}{row + 1}": color + value for row, color in enumerate(COLORS)
         for column, value in zip("abcdefgh", VALUES, strict=True)}  # fmt: skip
BOARD |= {f"{column}{row}": "platform" for row in "78" for column in "abcdefgh"}
AT = {tile: at for at, tile in BOARD.items() if tile != "platform"}


def value_of(card: str) -> int:
    return VALUES.index(card[-1])


def stage(
    pawns: list[str],
    hand: str,
    *,
    players: int = 3,
    turn: int = 0,
    rounds: int | None = None,
    sunk: str = "",
    fields: dict[str, Any] | None = None,
    **options: Any,
) -> laguna.Game:
    """A position on BOARD in which the player in turn holds this hand; each word of `pawns` is a seat's.

    As many rounds were played as the hand lacks cards. `sunk` names cards that the player in turn has
    played; the other cards that lie on the table or in other hands are chosen here.
    """
    own = hand.split()
    played: list[list[str]] = [[] for _ in range(players)]
    hands: list[list[str]] = [[] for _ in range(players)]
    played[turn], hands[turn] = sunk.split(), own
    rounds = CARDS_EACH[players] - len(own) if rounds is None else rounds
    standing = {BOARD[at] for word in pawns for at in word.split()}
    fixed = set(own) | set(played[turn])
    spare = sorted((card for card in QUARTERS if card[-1] != "2" and card not in fixed), key=value_of)
    least = min(map(value_of, own), default=7)
    for seat in range(players):
        while len(played[seat]) < rounds + (seat < turn):
            fits = [
                card for card in spare if card not in standing and (seat != turn or value_of(card) <= least)
            ]
            played[seat].append(fits[0])
            spare.remove(fits[0])
    for seat in range(players):
        while seat != turn and len(hands[seat]) < CARDS_EACH[players] - len(played[seat]):
            hands[seat].append(spare.pop())
    missing = [PAWNS_EACH[players] - len(word.split()) for word in pawns]
    assert sum(missing) <= sum(map(len, played)), "each missing pawn needs a quarter that has sunk"
    position: dict[str, Any] = {
        "players": players,
        "options": options,
        "board": BOARD,
        "phase": "turn",
        "turn": turn,
        "pawns": [word.split() for word in pawns],
        "played": played,
        "hands": hands,
        "coins": [CARDS_EACH[players] + 1] * players,
        "gondolas": [2] * players,
        "treasures": [{} for _ in range(players)],
    } | (fields or {})
    return laguna.from_position(ID, position)


FOUR_EACH = ["a1 b1 c1 d1", "a7 b7 c7 d7", "a8 b8 c8 d8"]  # pawns of three players
TWELVE = "red3 azure3 red4 red5 red6 red7 red8 redX azure5 azure6 azure7 azure8"  # a whole hand
SEVEN = "red8 redX azure8 azureX violet8 violetX brown8"  # after five rounds


def kinds_of(game: laguna.Game) -> Counter[str]:
    return Counter(action.value["do"] for action in game.legal())


def targets(game: laguna.Game, do: str, start: str | None = None) -> set[str]:
    """Where an action of this kind may lead."""
    values = [action.value for action in game.legal() if action.value["do"] == do]
    found = [value for value in values if start in (None, value.get("from"))]
    return {value["to"] if "to" in value else value["at"] for value in found}


def refused(game: laguna.Game, action: Any) -> laguna.IllegalAction:
    """The refusal of an action, which must change nothing."""
    before = game.state_bytes()
    with pytest.raises(laguna.IllegalAction) as error:
        game.play(action)
    assert game.state_bytes() == before
    assert "may" in str(error.value) and str(error.value).endswith(f"({error.value.clause}).")
    return error.value


def past_set_up(game: laguna.Game) -> laguna.Game:
    while game.view()["phase"] == "place":
        game.play(game.legal()[0])
    return game


# ------------------------------------------------------------------ components


@pytest.mark.parametrize("players", [3, 4, 5])
def test_v1_48_quarters_and_16_platforms(players: int) -> None:
    tiles = Counter(laguna.new(ID, players=players, seed=1).view()["board"].values())
    assert tiles.pop("platform") == 16
    assert tiles == dict.fromkeys(QUARTERS, 1)


def test_v1_a_sunk_quarter_is_water_and_platforms_never_are() -> None:
    game = laguna.new(ID, seed=2)
    for _ in random_steps(game, 2):
        board = game.view()["board"]
        assert {board[at] for at in game.view()["water"]} == set(itertools.chain(*game.view()["played"]))
    assert len(game.view()["water"]) == 36


def test_v2_42_cards_and_none_of_them_sinks_a_2() -> None:
    position = laguna.new(ID, seed=3).position()
    unseen = set(laguna.new(ID, seed=3).view()["unseen"])
    assert unseen == {quarter for quarter in QUARTERS if quarter[-1] != "2"} and len(unseen) == 42
    assert set(itertools.chain(*position["hands"])) <= unseen
    with pytest.raises(laguna.IllegalAction) as error:
        past_set_up(laguna.new(ID, seed=3)).play({"do": "card", "color": "red", "value": "2"})
    assert error.value.key == "unreadable"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_v2_the_2s_are_above_water_at_the_end(players: int) -> None:
    for seed in range(10):
        game = laguna.new(ID, players=players, seed=seed)
        for _ in random_steps(game, seed):
            pass
        view = game.view()
        left = {tile for at, tile in view["board"].items() if at not in view["water"]}
        assert {tile for tile in view["board"].values() if tile[-1] == "2"} <= left


@pytest.mark.parametrize("players", [3, 4, 5])
def test_v3_ten_treasures_a_color_and_two_gondolas_a_player(players: int) -> None:
    view = laguna.new(ID, players=players, seed=4).view()
    assert view["stock"] == dict.fromkeys(COLORS, 10)
    assert view["gondolas"] == [2] * players


# ------------------------------------------------------------------ set-up


@pytest.mark.parametrize("players", [3, 4, 5])
def test_v4_an_eight_by_eight_square_face_up(players: int) -> None:
    view = laguna.new(ID, players=players, seed=5).view()
    assert list(view["board"]) == [column + row for row in "12345678" for column in "abcdefgh"]
    assert view["side"] == 8 and view["water"] == []


def test_v4_two_players_have_36_tiles_on_six_by_six_and_25_cards() -> None:
    taken_out = Counter[str]()
    for seed in range(120):
        game = laguna.new(ID, players=2, seed=seed)
        view = game.view()
        assert list(view["board"]) == [column + row for row in "123456" for column in "abcdef"]
        tiles = Counter(view["board"].values())
        assert tiles.pop("platform") == 6
        (color,) = set(COLORS) - {tile[:-1] for tile in tiles}
        taken_out[color] += 1
        assert set(tiles) == {c + v for c in COLORS if c != color for v in "23456X"} and len(tiles) == 30
        assert (
            set(view["unseen"]) == {tile for tile in tiles if tile[-1] != "2"} and len(view["unseen"]) == 25
        )
    assert set(taken_out) == set(COLORS), "chance takes out any color"


def test_v4_squares_beyond_a_small_board_are_refused() -> None:
    game = laguna.new(ID, players=2, seed=6)
    assert refused(game, "@g1").clause == refused(game, "@a7").clause == "V4"


def test_v4_the_shuffle_depends_on_the_seed_alone() -> None:
    boards = {tuple(laguna.new(ID, seed=seed).view()["board"].values()) for seed in range(20)}
    assert len(boards) == 20
    assert laguna.new(ID, seed=1).view()["board"] == laguna.new(ID, seed=1, moves="rook").view()["board"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_v5_cards_dealt_pawns_and_cards_put_away(players: int) -> None:
    game = laguna.new(ID, players=players, seed=7)
    view = game.view(0)
    assert view["hand_sizes"] == [CARDS_EACH[players]] * players == [len(view["hand"])] * players
    assert view["put_away"] == PUT_AWAY[players]
    past_set_up(game)
    assert [len(pawns) for pawns in game.view()["pawns"]] == [PAWNS_EACH[players]] * players


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_v6_coins_are_cards_plus_one(players: int) -> None:
    view = laguna.new(ID, players=players, seed=8).view()
    assert view["coins"] == [CARDS_EACH[players] + 1] * players
    assert view["treasures"] == [{}] * players


def test_v6_two_players_have_both_gondolas_and_treasures_of_the_five_colors_in_play() -> None:
    game = laguna.new(ID, players=2, seed=8)
    colors = {tile[:-1] for tile in game.view()["board"].values() if tile != "platform"}
    for seat in (None, 0, 1):
        view = game.view(seat)
        assert view["stock"] == dict.fromkeys(colors, 10) and len(colors) == 5
        assert view["gondolas"] == [2, 2]
    assert laguna.from_position(ID, game.position()).view()["stock"] == view["stock"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_v7_one_pawn_at_a_time_clockwise_from_seat_0(players: int) -> None:
    game = laguna.new(ID, players=players, seed=9)
    order = []
    while game.view()["phase"] == "place":
        order.append(game.seat)
        game.play(game.legal()[-1])
    assert order == list(range(players)) * PAWNS_EACH[players]
    assert game.seat == 0


def test_v7_own_pawns_start_on_different_values_but_platforms_have_none() -> None:
    game = laguna.from_position(ID, empty_board())
    for at in ("a1", "a7", "h6", "b7", "b8", "d2", "c7", "c8"):  # seat 0: a 2 and two platforms
        game.play(f"@{at}")
    assert game.seat == 2
    for at in ("a7", "b7", "c8", "h6"):
        assert refused(game, f"@{at}").clause == "V7"
    double = refused(game, "@h1")  # seat 2 stands on greenX
    assert (double.key, double.arguments["stands"]) == ("same-value", "h6")
    game.play("@h7")
    free = targets(game, "place")
    assert not free & {f"a{row}" for row in range(1, 7)}, "seat 0 stands on a 2"
    assert {"d7", "h1", "b1"} <= free and not free & {"a1", "a7", "h7"}


def empty_board(**options: Any) -> dict[str, Any]:
    """Three players on BOARD before the first pawn."""
    return {
        "players": 3, "options": options, "board": BOARD, "phase": "place", "turn": 0, "pawns": [[], [], []],
        "played": [[], [], []], "coins": [13] * 3, "gondolas": [2] * 3, "treasures": [{}, {}, {}],
    }  # fmt: skip


def test_v7_the_limit_holds_at_set_up_only() -> None:
    game = stage(["a1 b1 c1 d1", *FOUR_EACH[1:]], TWELVE)
    game.play("b1~a2")  # a second 2
    assert game.view()["pawns"][0] == ["a1", "c1", "d1", "a2"]


def test_v7_there_are_no_turns_before_all_pawns_are_placed() -> None:
    game = laguna.new(ID, seed=10)
    card = game.view(0)["hand"][0]
    for action in (card, "a1-a2", "a1~b2", "$a1"):
        assert refused(game, action).clause == "V7"
    past_set_up(game)
    assert refused(game, "@a1").clause == "V7"


# ------------------------------------------------------------------ the turn


def test_v8_move_then_buy_then_card() -> None:
    game = stage(FOUR_EACH, TWELVE)
    assert set(kinds_of(game)) == {"walk", "gondola", "buy", "card"}
    game.play("a1-a2")
    assert set(kinds_of(game)) == {"buy", "card"}
    game.play("$a2")
    assert kinds_of(game) == {"card": 2}
    game.play("red3")
    assert game.seat == 1


def test_v8_every_optional_step_can_be_left_out() -> None:
    for steps in (["red3"], ["a1-a2", "red3"], ["$a1", "red3"], ["a1~h8", "red3"], ["a1~a2", "$a2", "red3"]):
        game = stage(FOUR_EACH, TWELVE)
        for step in steps:
            game.play(step)
        assert game.seat == 1


def test_v8_nothing_twice_and_nothing_out_of_order() -> None:
    game = stage(FOUR_EACH, TWELVE)
    game.play("a1-a2")
    assert (refused(game, "a2-a3").key, refused(game, "a2~a3").clause) == ("moved", "V8")
    game.play("$a2")
    for action in ("$a2", "$b1", "a2-a3", "a2~a3"):
        assert (refused(game, action).key, refused(game, action).clause) == ("bought", "V8")


def test_v8_a_single_lowest_card_is_still_a_decision() -> None:
    game = stage(FOUR_EACH, TWELVE.replace("azure3", "azure4"))
    game.play("$a1")
    assert [str(action) for action in game.legal()] == ["red3"]


@pytest.mark.parametrize("moves", ["queen", "rook"])
def test_v9_straight_lines_end_at_water_pawns_and_the_edge(moves: str) -> None:
    """In whole games, against lines drawn one step at a time."""
    walks = 0
    for seed in range(3):
        game = laguna.new(ID, seed=seed, moves=moves)
        for _ in random_steps(game, seed):
            view = game.view()
            if view["phase"] != "turn":
                continue
            blocked = set(view["water"]).union(*view["pawns"])
            for start in view["pawns"][view["active"]]:
                expected = naive_lines(start, blocked, diagonal=moves == "queen")
                assert targets(game, "walk", start) == expected
                walks += len(expected)
    assert walks > 1000


def naive_lines(start: str, blocked: set[str], diagonal: bool) -> set[str]:
    found = set()
    for right, down in itertools.product((-1, 0, 1), repeat=2):
        if (right, down) == (0, 0) or (not diagonal and right and down):
            continue
        column, row = ord(start[0]) + right, int(start[1]) + down
        while (at := f"{chr(column)}{row}") in BOARD and at not in blocked:
            found.add(at)
            column, row = column + right, row + down
    return found


def test_v9_a_queen_on_the_first_board() -> None:
    game = stage(["d4 f4 a1 h8", "b2 d6 c8 d8", "e8 f8 g8 a8"], TWELVE)
    straight = {"d1", "d2", "d3", "d5", "a4", "b4", "c4", "e4"}
    diagonal = {"c3", "e5", "f6", "g7", "e3", "f2", "g1", "c5", "b6", "a7"}
    assert targets(game, "walk", "d4") == straight | diagonal
    assert refused(game, "d4-d7").key == "out-of-reach"  # d6 is in the way
    assert refused(game, "d4-h4").clause == refused(game, "d4-e6").clause == "V9"
    assert refused(game, "d4-f4").key == "taken"
    assert refused(game, "d4-d4").key == "taken", "the square it stands on is not free"
    assert refused(game, "c4-c5").key == "no-pawn"


def test_v9_corners_beside_a_diagonal_do_not_matter() -> None:
    game = stage(["d4 a1 b1 c1", "d5 e4 c8 d8", "c4 d3 g8 a8"], TWELVE)
    assert {"c3", "e5", "e3", "c5"} <= targets(game, "walk", "d4")
    assert not {"d5", "e4", "c4", "d3"} & targets(game, "walk", "d4")


def test_v9_a_rook_does_not_walk_diagonally() -> None:
    game = stage(["d4 f4 a1 h8", "b2 d6 c8 d8", "e8 f8 g8 a8"], TWELVE, moves="rook")
    assert targets(game, "walk", "d4") == {"d1", "d2", "d3", "d5", "a4", "b4", "c4", "e4"}
    assert refused(game, "d4-c3").key == "out-of-reach"


def test_v9_a_walker_turns_corners_over_shared_sides() -> None:
    """From the corner a8 there is no way past the pawns: nobody walks diagonally between them."""
    game = stage(["a8 a6 b7 c7", "c8 h8 h7 h6", "e1 f1 g1 a1"], TWELVE, moves="walk")
    assert targets(game, "walk", "a8") == {"a7", "b8"}
    everywhere = set(BOARD) - set(itertools.chain(*game.view()["pawns"])) - {"a7", "b8"}
    assert targets(game, "walk", "b7") == everywhere | {"a7", "b8"}
    assert targets(game, "walk", "a6") == everywhere | {"a7"}


@pytest.mark.parametrize(
    ("start", "around"),
    [("h2", ["h1 g2", "h3"]), ("h6", ["h5 g6", "h7"]), ("a3", ["a2 b3", "a4"]), ("a7", ["a6 b7", "a8"])],
)
def test_v9_nobody_walks_off_one_edge_and_back_in_at_the_other(start: str, around: list[str]) -> None:
    """Pawns stand on all sides of an edge square; the squares at the other end of the rows are free."""
    first, second = around
    game = stage([f"{start} c1 d1 e1", f"{first} c8 d8", f"{second} b1 f1 g1"], TWELVE, moves="walk")
    assert targets(game, "walk", start) == set()
    assert targets(game, "walk", "c1"), "others walk"


def test_v9_a_pawn_may_cross_and_stop_on_platforms() -> None:
    game = stage(["d6 a1 b1 c1", "h1 g2 f3 c2", "e1 f1 g1 a2"], TWELVE)
    assert {"d7", "d8", "e7", "f8"} <= targets(game, "walk", "d6")


def test_v9_water_stops_a_pawn() -> None:
    """Seat 0 has sunk the red 3 on b4: from d4 only c4 is left on that side, from a4 nothing."""
    game = stage(["d4 a4 c1 e1", *FOUR_EACH[1:]], TWELVE)
    game.play("red3")
    while game.seat != 0:
        game.play(game.legal()[-1])
    assert "b4" in game.view()["water"]
    assert targets(game, "walk", "a4") & {"b4", "c4"} == set()
    assert refused(game, "d4-b4").key == "water"
    assert targets(game, "walk", "d4") & {"a4", "b4", "c4"} == {"c4"} - set(game.view()["water"])


def test_v10_a_gondola_goes_to_any_free_tile() -> None:
    game = stage(FOUR_EACH, TWELVE)
    free = set(BOARD) - set(itertools.chain(*game.view()["pawns"]))
    for start in ("a1", "b1", "c1", "d1"):
        assert targets(game, "gondola", start) == free
    entry = game.play("a1~h7")
    assert game.view()["gondolas"] == [1, 2, 2] and "h7" in game.view()["pawns"][0]
    assert entry.events[0].clause == "V10" and entry.events[0].arguments["left"] == 1
    assert refused(game, "h7~h8").clause == "V8"


def test_v10_without_a_gondola_or_a_free_tile_there_is_no_ride() -> None:
    game = stage(FOUR_EACH, TWELVE[:-7], rounds=1, fields={"gondolas": [0, 2, 2]})
    assert kinds_of(game)["gondola"] == 0
    assert (refused(game, "a1~h8").key, refused(game, "a1~h8").clause) == ("no-gondola", "V10")
    game = stage(FOUR_EACH, TWELVE)
    assert refused(game, "a1~a7").key == refused(game, "a1~b1").key == "taken"
    assert refused(game, "h8~a2").key == "no-pawn", "nobody brings a pawn in that is not there"


def test_v10_a_ride_with_the_last_gondola_is_the_turns_move_too() -> None:
    game = stage(FOUR_EACH, TWELVE[:-7], rounds=1, fields={"gondolas": [1, 2, 2]})
    game.play("a1~h7")
    assert game.view()["gondolas"][0] == 0 and game.view()["phase"] == "moved"
    assert kinds_of(game)["walk"] == kinds_of(game)["gondola"] == 0 and kinds_of(game)["card"]
    assert (refused(game, "h7-h8").key, refused(game, "h7-h8").clause) == ("moved", "V8")


def test_v10_the_second_gondola_may_rescue_in_the_same_turn() -> None:
    game = stage(["b4 a1 c1 d1", *FOUR_EACH[1:]], TWELVE)
    game.play("a1~h8")
    game.play("red3")  # under the own pawn
    assert game.seat == 0 and game.view()["gondolas"][0] == 1
    game.play("~h7")
    assert game.view()["gondolas"][0] == 0 and game.view()["pawns"][0] == ["c1", "d1", "h7", "h8"]


@pytest.mark.parametrize(("lying", "price"), [(0, 1), (1, 2), (3, 4), (7, 8)])
def test_v11_the_price_is_the_coins_there_and_one_more(lying: int, price: int) -> None:
    """The worked example: 0, 1, 3 coins make prices of 1, 2, 4."""
    count = lying.bit_length()  # treasures that these coins have paid for
    fields: dict[str, Any] = {"coins": [13, 13 - lying, 13]}
    if lying:
        fields |= {"coins_on": {"a1": lying}, "treasures": [{}, {"black": count}, {}]}
    game = stage(FOUR_EACH, SEVEN, fields=fields)
    assert game.view()["prices"]["a1"] == price
    entry = game.play("$a1")
    view = game.view()
    assert view["coins"][0] == 13 - price
    assert view["coins_on"]["a1"] == lying + price
    assert view["treasures"][0] == {"black": 1}
    assert view["stock"]["black"] == 10 - count - 1
    assert entry.events[0].arguments == {"seat": 0, "at": "a1", "color": "black", "price": price}
    assert entry.events[0].clause == "V11"


def test_v11_never_on_a_platform_and_never_for_more_coins_than_one_has() -> None:
    fields = {"coins_on": {"a1": 7, "a2": 3}, "coins": [3, 13, 13],
              "treasures": [{"black": 3, "brown": 2}, {}, {}]}  # fmt: skip
    game = stage(["a1 a2 b3 h7", *FOUR_EACH[1:]], SEVEN, fields=fields)
    assert targets(game, "buy") == {"b3"}
    assert refused(game, "$h7").key == "platform"
    dear = refused(game, "$a1")
    assert (dear.key, dear.clause, dear.arguments["price"], dear.arguments["coins"]) == (
        "too-dear",
        "V11",
        8,
        3,
    )
    assert refused(game, "$a2").arguments["price"] == 4
    nowhere = refused(game, "$c1")
    color = game.view()["board"]["c1"][:-1]
    assert (nowhere.key, nowhere.arguments["kind"], nowhere.arguments["color"]) == ("no-pawn", "buy", color)


def test_v11_the_view_shows_the_price_wherever_a_treasure_can_be_bought() -> None:
    """Whoever stands on a quarter and can pay its price may buy, and nobody else."""
    for seed in range(5):
        game = laguna.new(ID, players=2 + seed % 4, seed=seed)
        for _ in random_steps(game, seed):
            view = game.view(game.seat)
            assert all(view["board"][at] != "platform" and at not in view["water"] for at in view["prices"])
            if view["phase"] in ("turn", "moved"):
                own, coins = view["pawns"][game.seat or 0], view["coins"][game.seat or 0]
                assert targets(game, "buy") == {at for at in own if view["prices"].get(at, math.inf) <= coins}


def test_v11_a_color_sells_out() -> None:
    """Ten black treasures are bought; standing on a black quarter buys nothing any more."""
    fields = {
        "coins_on": {"a1": 3, "f1": 3, "g1": 3, "h1": 3}, "coins": [13, 5, 6],
        "treasures": [{}, {"black": 5}, {"black": 5}],
    }  # fmt: skip
    sunk = "black3 black4 red3 red4 violet3"
    game = stage(["d1 a2 b3 h7", *FOUR_EACH[1:]], SEVEN, sunk=sunk, fields=fields)
    assert game.view()["stock"]["black"] == 0
    assert "d1" not in game.view()["prices"] and game.view()["prices"]["a2"] == 1
    assert "d1" not in targets(game, "buy")
    assert refused(game, "$d1").key == "sold-out"


def test_v12_only_cards_of_the_lowest_value_by_color() -> None:
    game = stage(FOUR_EACH, TWELVE)
    cards = [action.value for action in game.legal() if action.value["do"] == "card"]
    assert cards == [{"do": "card", "color": c, "value": "3"} for c in ("azure", "red")]
    assert refused(game, "red4").key == refused(game, "redX").key == "not-lowest"
    assert refused(game, "green3").key == "not-in-hand"
    assert refused(game, "green4").clause == "V12"
    assert game.view(0)["lowest"] == refused(game, "red4").arguments["lowest"] == "3"
    assert game.view()["lowest"] is None, "a spectator has no cards"


def test_v12_an_x_is_the_highest() -> None:
    game = stage(FOUR_EACH, "redX azureX green8")
    assert [str(action) for action in game.legal() if action.value["do"] == "card"] == ["green8"]
    game = stage(FOUR_EACH, "redX azureX")
    assert {str(action) for action in game.legal() if action.value["do"] == "card"} == {"redX", "azureX"}


def test_v13_the_tile_turns_to_water_and_its_coins_are_gone() -> None:
    fields = {"coins_on": {"b4": 1}, "coins": [13, 12, 13], "treasures": [{}, {"red": 1}, {}]}
    game = stage(FOUR_EACH, TWELVE[:-7], rounds=1, fields=fields)
    entry = game.play("red3")
    keys = [(event.key, event.clause) for event in entry.events]
    assert keys == [("sank", "V13"), ("washed-away", "V13")]
    view = game.view()
    assert "b4" in view["water"] and view["coins_on"] == {} and view["coins"] == [13, 12, 13]
    assert view["board"]["b4"] == "red3", "what lies under the water is remembered"


def test_v14_the_active_players_own_pawn_falls() -> None:
    game = stage(["b4 a1 c1 d1", *FOUR_EACH[1:]], TWELVE)
    entry = game.play("red3")
    assert [event.key for event in entry.events] == ["sank", "fell"]
    assert game.seat == 0 and game.view()["phase"] == "rescue"
    assert game.view()["fallen"] == {"seat": 0, "from": "b4"} and "b4" not in game.view()["pawns"][0]
    assert kinds_of(game) == {"rescue": 64 - 11 - 1, "sink": 1}
    game.play("sink")
    assert len(game.view()["pawns"][0]) == 3 and game.view()["gondolas"][0] == 2 and game.seat == 1


def test_v14_another_players_pawn_falls_and_its_owner_decides_out_of_turn() -> None:
    game = stage([FOUR_EACH[0], FOUR_EACH[1], "b4 b8 c8 d8"], TWELVE)
    game.play("red3")
    assert game.seat == 2 and game.view()["active"] == 0
    assert game.view(0)["legal"] == [] and len(game.view(2)["legal"]) == 53
    with pytest.raises(laguna.IllegalAction):
        game.play("sink", seat=0)
    entry = game.play("~h8", seat=2)
    assert entry.events[0].clause == "V14" and entry.events[0].arguments == {"seat": 2, "at": "h8", "left": 1}
    assert game.seat == 1, "the turn goes on clockwise from the active player"
    assert game.view()["gondolas"] == [2, 2, 1]


@pytest.mark.parametrize(("rescue", "platforms"), [("any", True), ("quarter", False)])
def test_v14_the_target_of_a_rescue_is_an_option(rescue: str, platforms: bool) -> None:
    game = stage(["b4 a1 c1 d1", *FOUR_EACH[1:]], TWELVE, rescue=rescue)
    game.play("red3")
    found = targets(game, "rescue")
    assert any(BOARD[at] == "platform" for at in found) == platforms
    free = {at for at, tile in BOARD.items() if platforms or tile != "platform"}
    assert found == free - {"b4"} - set(itertools.chain(*game.view()["pawns"]))
    assert refused(game, "~b4").key == "water"
    assert refused(game, "~a1").key == "taken"
    if not platforms:
        assert (refused(game, "~h8").key, refused(game, "~h8").clause) == ("no-quarter", "V14")


def test_v14_without_a_gondola_nobody_is_asked() -> None:
    game = stage(["b4 a1 c1 d1", *FOUR_EACH[1:]], TWELVE[:-7], rounds=1, fields={"gondolas": [0, 2, 2]})
    entry = game.play("red3")
    assert [event.key for event in entry.events] == ["sank", "fell", "lost"]
    assert len(game.view()["pawns"][0]) == 3 and game.seat == 1


@pytest.mark.parametrize(("gondolas", "asked"), [([2, 2, 0], False), ([0, 2, 2], True)])
def test_v14_the_owners_gondola_counts_and_not_the_active_players(gondolas: list[int], asked: bool) -> None:
    """Seat 0 sinks the quarter under a pawn of seat 2, and one of the two has no gondola left."""
    pawns = [FOUR_EACH[0], FOUR_EACH[1], "b4 b8 c8 d8"]
    game = stage(pawns, TWELVE[:-7], rounds=1, fields={"gondolas": gondolas})
    entry = game.play("red3")
    if asked:
        assert game.seat == 2 and game.view()["phase"] == "rescue"
        game.play("~h8")
        assert game.view()["gondolas"] == [0, 2, 1]
    else:
        assert [event.key for event in entry.events] == ["sank", "fell", "lost"]
        assert game.seat == 1 and len(game.view()["pawns"][2]) == 3 and game.view()["gondolas"] == gondolas


def test_v14_without_a_free_quarter_nobody_is_asked() -> None:
    """Five players, the last card but one: 14 quarters are left, all taken but the one that sinks."""
    game = crowded(rescue="quarter")
    entry = game.play("blackX")
    assert [event.key for event in entry.events] == ["sank", "fell", "lost"]
    assert game.view()["gondolas"][3] == 2 and game.seat == 4
    assert len(targets(play(crowded(rescue="any"), "blackX"), "rescue")) == 16


def play(game: laguna.Game, *actions: str) -> laguna.Game:
    for action in actions:
        game.play(action)
    return game


def crowded(**options: Any) -> laguna.Game:
    """33 cards are played, blackX comes now: 15 quarters are above water and every one bears a pawn."""
    cards = [color + value for value in VALUES[1:] for color in COLORS]
    held = ["blackX", "brownX"]
    kept = [*(color + "2" for color in COLORS), *cards[-9:]]
    assert set(held) <= set(kept)
    sinking = [card for card in cards if card not in kept]
    played: list[list[str]] = [sinking[seat::5][:7] for seat in range(5)]
    counts = [len(each) for each in played]
    assert counts == [7, 7, 7, 6, 6]
    at = [AT[quarter] for quarter in kept]
    pawns = [at[0:3], at[3:6], at[6:9], at[9:12], at[12:15]]
    position = {
        "players": 5, "options": options, "board": BOARD, "phase": "turn", "turn": 3, "pawns": pawns,
        "played": played, "hands": [[], [], [], ["blackX"], ["brownX"]], "coins": [8] * 5,
        "gondolas": [2] * 5, "treasures": [{}] * 5,
    }  # fmt: skip
    return laguna.from_position(ID, position)


def test_v15_a_player_without_pawns_plays_on_and_scores() -> None:
    game = stage(["", FOUR_EACH[1], FOUR_EACH[2]], "red8 redX azure8 azureX")
    assert kinds_of(game) == {"card": 2}
    game.play("red8")
    assert game.seat == 1 and game.scores[0] == 13
    assert refused(stage(["", *FOUR_EACH[1:]], "red8"), 128).key == "no-pawn"
    second = refused(stage(["a1", *FOUR_EACH[1:]], "red8"), 128 + 64)
    assert "Player 1 has 1 pawn on the board, not 2" in str(second)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_v16_the_game_ends_when_every_dealt_card_is_played(players: int) -> None:
    game = laguna.new(ID, players=players, seed=11)
    for _ in random_steps(game, 11):
        pass
    assert [len(cards) for cards in game.view()["played"]] == [CARDS_EACH[players]] * players
    cards = Counter(
        entry.seat for entry in game.log[1:] if entry.action and entry.action.value["do"] == "card"
    )
    assert cards == dict.fromkeys(range(players), CARDS_EACH[players])
    assert "V16" in [event.clause for event in game.log[-1].events]
    assert game.legal() == []


def last_card(pawns: list[str], **more: Any) -> laguna.Game:
    """Seat 2 holds the last card, redX."""
    return stage(pawns, "redX", turn=2, rounds=11, **more)


def test_v16_after_the_last_rescue() -> None:
    game = last_card([FOUR_EACH[0], "a7 b7 c7 d7", "h4 a8 b8 c8"])
    game.play("redX")
    assert not game.over and game.seat == 2
    game.play("~h8")
    assert game.over and game.view()["active"] == 2


def ending(left: dict[str, str], players: int = 4) -> list[str]:
    """The cards that must have been played so that of each color these values are above water."""
    return [c + v for c in COLORS for v in VALUES[1:] if v not in left[c].split()]


def finished(
    left: dict[str, str],
    pawns: list[str],
    treasures: list[dict[str, int]],
    coins: list[int],
    coins_on: dict[str, int] | None = None,
    **options: Any,
) -> laguna.Game:
    """A finished game of four players with these quarters above water (the 2s always are)."""
    cards = sorted(ending(left), key=value_of)
    assert len(cards) == 36
    position = {
        "players": 4, "options": options, "board": BOARD, "phase": "over", "turn": 3,
        "pawns": [word.split() for word in pawns], "played": [cards[seat::4] for seat in range(4)],
        "coins": coins, "gondolas": [2] * 4, "treasures": treasures, "coins_on": coins_on or {},
    }  # fmt: skip
    return laguna.from_position(ID, position)


# Above water in the worked example: black 4, violet 3, green 2, azure, red and brown 1.
EXAMPLE = {"black": "6 8 X", "violet": "7 8", "green": "7", "azure": "", "red": "", "brown": ""}


def worked_example(**options: Any) -> laguna.Game:
    """Blue, yellow, orange and white at the end of both rulebooks' example.

    Where only sums are printed, quarters that add up to them are filled in. Of "6 + 8" and "4 + 7" the
    coins must be 6 and 4: four treasures cost four of ten coins at least.
    """
    pawns = ["g1 h1 a7", "f6 e1 a1", "g5 b7 c7", "f5 a8"]
    treasures = [
        {"black": 2, "red": 2, "green": 1, "brown": 1},  # 2 + 12 + 3 + 6
        {"red": 1, "green": 2, "violet": 1, "brown": 2},  # 6 + 6 + 2 + 12
        {"black": 1, "red": 1, "violet": 1, "azure": 1},  # 1 + 6 + 2 + 6
        {"violet": 1, "azure": 3},  # 2 + 18
    ]
    return finished(EXAMPLE, pawns, treasures, [1, 1, 6, 4], **options)


@pytest.mark.parametrize("x_scores", ["count", "values"])
def test_v17_v19_the_view_shows_what_treasures_and_pawns_score(x_scores: str) -> None:
    """Before the end and after it, the parts add up to the scores."""
    for players in (2, 3, 4, 5):
        game = laguna.new(ID, players=players, seed=players, x_scores=x_scores)
        for _ in itertools.chain(random_steps(game, players), [None]):
            view = game.view()
            worth = {treasure["color"]: treasure["worth"] for treasure in view["market"]}
            treasures = [
                sum(worth[color] * count for color, count in held.items()) for held in view["treasures"]
            ]
            pawns = [sum(view["pawn_points"].get(at, 0) for at in own) for own in view["pawns"]]
            assert list(map(sum, zip(treasures, pawns, view["coins"], strict=True))) == game.scores
            above = Counter(tile[:-1] for at, tile in view["board"].items() if at in view["pawn_points"])
            assert {treasure["color"]: treasure["quarters"] for treasure in view["market"]} == above
            assert {treasure["color"]: treasure["left"] for treasure in view["market"]} == view["stock"]


def test_v17_the_worked_example() -> None:
    game = worked_example()
    assert game.over and game.scores == [40, 42, 29, 31] and game.winners == [1]
    blue, yellow, orange, white = game.view()["breakdown"]
    lines = {line["color"]: (line["count"], line["quarters"], line["each"], line["points"])
             for line in blue["treasures"]}  # fmt: skip
    assert lines == {
        "black": (2, 4, 1, 2),
        "red": (2, 1, 6, 12),
        "green": (1, 2, 3, 3),
        "brown": (1, 1, 6, 6),
    }
    assert [(line["points"], line["clause"]) for line in blue["pawns"]] == [
        (8, "V18"),
        (8, "V19"),
        (0, "V18"),
    ]
    assert [line["points"] for line in yellow["treasures"]] == [12, 6, 2, 6]
    assert sum(line["points"] for line in yellow["pawns"]) == 15
    assert sorted(line["points"] for line in orange["treasures"]) == [1, 2, 6, 6]
    assert sorted(line["points"] for line in white["treasures"]) == [2, 18]
    assert [each["coins"]["points"] for each in (blue, yellow, orange, white)] == [1, 1, 6, 4]


@pytest.mark.parametrize(
    ("above", "worth"), [("2", 6), ("2 3", 3), ("2 3 4", 2), ("2 3 4 5", 1), ("2 X 8 7 6 5", 1)]
)
def test_v17_a_treasure_is_worth_6_3_2_1(above: str, worth: int) -> None:
    """Red has this many quarters; green has the others that must be above water at the end."""
    left = dict.fromkeys(COLORS, "") | {"red": above[2:]}
    missing = 6 - len(left["red"].split())
    left["green"] = " ".join(VALUES[1 : 1 + missing])
    game = finished(left, ["", "", "", ""], [{"red": 2}, {}, {}, {}], [8, 10, 10, 10])
    assert game.scores == [8 + 2 * worth, 10, 10, 10]


def test_v17_a_color_is_never_gone() -> None:
    for seed in range(20):
        game = laguna.new(ID, players=5, seed=seed)
        for _ in random_steps(game, seed):
            pass
        for lines in game.view()["breakdown"]:
            assert all(line["quarters"] >= 1 and line["each"] >= 1 for line in lines["treasures"])


def test_v18_a_pawn_scores_its_value_and_nothing_on_a_platform() -> None:
    game = finished(EXAMPLE, ["a1 e1 g1", "a7 b7 c7", "f5", "f6 a2"], [{}] * 4, [10] * 4)
    assert game.scores == [10 + 2 + 6 + 8, 10, 10 + 7, 10 + 7 + 2]


@pytest.mark.parametrize(("x_scores", "points"), [("count", 2 * 4), ("values", 2 * (2 + 6 + 8))])
def test_v19_an_x_scores_by_its_color(x_scores: str, points: int) -> None:
    game = finished(EXAMPLE, ["h1", "a7", "b7", "c7"], [{}] * 4, [10] * 4, x_scores=x_scores)
    assert game.scores == [10 + points, 10, 10, 10]
    (line,) = game.view()["breakdown"][0]["pawns"]
    assert line == {"at": "h1", "tile": "blackX", "points": points, "clause": "V19"}


def test_v19_the_worked_example_with_values() -> None:
    assert worked_example(x_scores="values").scores == [64, 42, 29, 31]


def test_v19_a_lonely_x() -> None:
    """The 2 is always there: an X with it scores 2 × 2, or 2 × 2 by values."""
    left = dict.fromkeys(COLORS, "") | {"red": "X", "green": "3 4 5 6 7"}
    for x_scores in ("count", "values"):
        game = finished(left, ["h4", "", "", ""], [{}] * 4, [10] * 4, x_scores=x_scores)
        assert game.scores[0] == 14


def test_v20_coins_count_and_gondolas_do_not() -> None:
    game = finished(EXAMPLE, [""] * 4, [{"azure": 1}, {}, {}, {}], [9, 10, 10, 10])
    assert game.scores == [9 + 6, 10, 10, 10]
    assert game.view()["gondolas"] == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("tie_break", "pawns", "treasures", "coins", "winners"),
    [
        # Seat 0 has 7 points from one pawn, seat 1 has 6 from three.
        (
            "pawn_points",
            ["f5", "a2 a3 a4", "", ""],
            [{"violet": 1}, {"green": 1}, {}, {}],
            [9, 9, 10, 10],
            [0],
        ),
        ("pawns", ["f5", "a2 a3 a4", "", ""], [{"violet": 1}, {"green": 1}, {}, {}], [9, 9, 10, 10], [1]),
        # Both have 18: seat 0 has 8 of them from a pawn on the black X, seat 1 has 7 from one on a 7.
        ("pawn_points", ["h1", "f5", "", ""], [{}, {"violet": 1}, {}, {}], [10, 9, 10, 10], [0]),
        ("pawn_points", ["a1", "a2", "a7", "b7"], [{}] * 4, [10] * 4, [0, 1]),
        ("pawns", ["a1", "a2 a7", "", ""], [{}] * 4, [10] * 4, [1]),
        ("pawns", ["a1 b7", "a2 a7", "", ""], [{}] * 4, [10] * 4, [0, 1]),
    ],
)
def test_v21_ties(
    tie_break: str, pawns: list[str], treasures: Any, coins: list[int], winners: list[int]
) -> None:
    game = finished(EXAMPLE, pawns, treasures, coins, tie_break=tie_break)
    assert game.scores[0] == game.scores[1] == max(game.scores)
    assert game.winners == winners
    second = [lines["tie_break"] for lines in game.view()["breakdown"]]
    assert all(each["by"] == tie_break and each["clause"] == "V21" for each in second)
    best = max(second[0]["value"], second[1]["value"])
    assert winners == [seat for seat in (0, 1) if second[seat]["value"] == best]


def test_v21_the_log_has_every_score_and_the_winners() -> None:
    for seed in range(5):
        game = laguna.new(ID, players=4, seed=seed)
        for _ in random_steps(game, seed):
            pass
        shown = Counter[int]()
        for event in game.log[-1].events:
            if event.clause in ("V17", "V18", "V19", "V20"):
                shown[event.arguments["seat"]] += event.arguments["points"]
        assert [shown[seat] for seat in range(4)] == game.scores
        assert game.log[-1].events[-1].arguments == {"winners": game.winners}


# ------------------------------------------------------------------ editions


def test_v22_an_edition_sets_three_options_and_moves_belongs_to_none() -> None:
    assert laguna.new(ID).options == {"moves": "queen"} | PIATNIK
    assert laguna.new(ID, edition="piatnik").options == {"moves": "queen"} | PIATNIK
    assert laguna.new(ID, edition="hobby-world").options == {"moves": "queen"} | HOBBY_WORLD
    assert laguna.new(ID, edition="hobby-world", moves="rook").options == {"moves": "rook"} | HOBBY_WORLD


@pytest.mark.parametrize("edition", ["piatnik", "hobby-world"])
@pytest.mark.parametrize("name", list(PIATNIK))
@pytest.mark.parametrize("other", [PIATNIK, HOBBY_WORLD])
def test_v22_a_named_option_overrides_the_edition(edition: str, name: str, other: dict[str, str]) -> None:
    base = PIATNIK if edition == "piatnik" else HOBBY_WORLD
    options: dict[str, Any] = {"edition": edition, name: other[name]}
    game = laguna.new(ID, seed=1, **options)
    assert game.options == {"moves": "queen"} | base | {name: other[name]}


def test_v22_a_file_keeps_the_effective_options() -> None:
    game = laguna.new(ID, seed=12, edition="hobby-world", x_scores="count")
    for _ in random_steps(game, 12):
        pass
    text = game.dumps()
    assert "edition" not in text and '"x_scores": "count"' in text and '"rescue": "quarter"' in text
    assert laguna.loads(text).dumps() == text
    assert "edition" not in game.position()["options"]


def test_v22_an_unknown_edition_names_the_known_ones() -> None:
    with pytest.raises(
        laguna.BadOption, match=r"'piatnik' or 'hobby-world', not 'ravensburger' \(V22\)"
    ) as error:
        laguna.new(ID, edition="ravensburger")
    assert error.value.clause == "V22"


def test_v22a_scores_at_any_time_winners_only_at_the_end() -> None:
    game = laguna.new(ID, seed=13)
    assert game.scores == [13, 13, 13]
    game = stage(["a1 e1 g1 h1", *FOUR_EACH[1:]], TWELVE)
    assert game.scores == [13 + 2 + 6 + 8 + 16, 13, 13]
    for _ in random_steps(game, 13):
        assert game.winners == [] and len(game.scores) == 3 and game.view()["breakdown"] is None
    assert game.winners


def test_v22a_a_fallen_pawn_scores_nothing() -> None:
    game = stage(["b4 h8 h7 g8", *FOUR_EACH[1:]], TWELVE)
    assert game.scores[0] == 13 + 3
    game.play("red3")
    assert game.scores[0] == 13


# ------------------------------------------------------------------ who knows what


def test_v23_a_seat_sees_its_own_hand_and_only_sizes_of_the_rest() -> None:
    game = laguna.new(ID, seed=14)
    hands = game.position()["hands"]
    for seat in range(3):
        view = game.view(seat)
        assert view["hand"] == hands[seat]
        assert len(view["unseen"]) == 30 and not set(view["unseen"]) & set(view["hand"])
        assert not {"hands", "away", "chance", "seed"} & set(view)
    assert game.view()["hand"] is None and len(game.view()["unseen"]) == 42


def test_v23_views_and_events_are_what_their_types_say() -> None:
    kinds = {facts.key: facts for facts in FACTS}
    told = set()
    for players in (2, 3, 4, 5):
        game = laguna.new(ID, players=players, seed=players)
        for _ in itertools.chain(random_steps(game, players), [None]):
            for seat in (None, *range(players)):
                assert msgspec.convert(game.view(seat), VIEW) == game.typed_view(seat)
            for event in game.log[-1].events:
                told.add(event.key)
                assert msgspec.convert(event.as_json()["arguments"], kinds[event.key]) == event.arguments
    assert told == set(kinds)


def test_v23_played_cards_reveal_what_is_not_in_a_hand() -> None:
    game = laguna.new(ID, players=5, seed=15)
    for _ in random_steps(game, 15):
        position, view = game.position(), game.view()
        for seat in range(5):
            least = max(map(value_of, position["played"][seat]), default=1)
            assert view["at_least"][seat] == VALUES[least]
            assert all(value_of(card) >= least for card in position["hands"][seat])


def test_v23_a_redealt_hand_never_holds_less_than_its_owner_played() -> None:
    for players in (2, 3, 4, 5):
        game = laguna.new(ID, players=players, seed=16)
        for number, _ in enumerate(random_steps(game, 16)):
            seat, before = number % players, game.position()
            after = game.imagine(seat, number).position()
            assert after["hands"][seat] == before["hands"][seat]
            assert {**after, "hands": None} == {**before, "hands": None}
            seen = set(itertools.chain(*before["played"]))
            for other in range(players):
                least = max(map(value_of, before["played"][other]), default=0)
                assert len(after["hands"][other]) == len(before["hands"][other])
                assert all(value_of(card) >= least and card not in seen for card in after["hands"][other])


def possible_hands(game: laguna.Game, seat: int) -> set[tuple[tuple[str, ...], ...]]:
    """All the ways to deal what the seat has not seen to the other hands, found by trying everything."""
    view = game.view(seat)
    others = [other for other in range(game.players) if other != seat]

    def deal(left: frozenset[str], seats: list[int]) -> list[tuple[tuple[str, ...], ...]]:
        if not seats:
            return [()]
        least = max(map(value_of, view["played"][seats[0]]), default=0)
        fits = sorted(card for card in left if value_of(card) >= least)
        found = []
        for hand in itertools.combinations(fits, view["hand_sizes"][seats[0]]):
            found += [(hand, *rest) for rest in deal(left - set(hand), seats[1:])]
        return found

    return set(deal(frozenset(view["unseen"]), others))


def late_game(players: int, seed: int, cards: int) -> laguna.Game:
    """A real game in which this many cards are left in hands."""
    game = laguna.new(ID, players=players, seed=seed)
    for _ in random_steps(game, seed):
        if sum(game.view()["hand_sizes"]) == cards:
            return game
    raise AssertionError


@pytest.mark.parametrize(
    ("players", "seed", "cards"),
    [(2, 0, 12), (3, 2, 5), (3, 2, 6), (4, 4, 4), (4, 0, 6), (4, 2, 6), (5, 2, 4), (5, 0, 5), (5, 2, 5)],
)
def test_v23_redeal_is_uniform_over_all_that_is_possible(players: int, seed: int, cards: int) -> None:
    """Every way to deal that the played cards allow comes up, no other does, and all equally often."""
    game = late_game(players, seed, cards)
    seat = game.view()["active"]
    possible = possible_hands(game, seat)
    assert 50 < len(possible) < 4000
    draws = 12 * len(possible) + 200
    seen = Counter(
        tuple(tuple(sorted(hand)) for other, hand in enumerate(hands) if other != seat)
        for hands in (redealt(game, seat, number) for number in range(draws))
    )
    assert set(seen) <= possible
    expected = draws / len(possible)
    chi_square = sum((seen[world] - expected) ** 2 / expected for world in possible)
    freedom = len(possible) - 1
    assert chi_square < freedom + 5 * math.sqrt(2 * freedom)


def redealt(game: laguna.Game, seat: int, seed: int) -> list[list[str]]:
    from laguna.kernel.records import copy_of

    s = copy_of(game.state)
    game.rules.redeal(s, seat, seed)
    return [cards_of(s.hand[other]) for other in range(game.players)]


@pytest.mark.skipif(JIT, reason="scripts every draw, which needs the rules interpreted; see test_coverage")
@pytest.mark.parametrize(("players", "seed", "cards"), [(3, 2, 5), (4, 4, 4), (5, 2, 4), (5, 0, 4)])
def test_v23_all_sequences_of_draws_give_every_possible_deal_equally_often(
    monkeypatch: pytest.MonkeyPatch, players: int, seed: int, cards: int
) -> None:
    """Exact, on the rules themselves: go through every outcome of every draw of a redeal."""
    game = late_game(players, seed, cards)
    seat = game.view()["active"]
    script: list[int] = []  # what the draws give, counted through like an odometer
    limits: list[int] = []

    def scripted(stream: Any, n: int) -> int:
        limits.append(n)
        if len(limits) > len(script):
            script.append(0)
        return script[len(limits) - 1]

    monkeypatch.setattr(game.rules, "draw", scripted)
    dealt: Counter[Any] = Counter()
    while not dealt or script:
        limits.clear()
        hands = redealt(game, seat, 0)
        dealt[tuple(tuple(sorted(hand)) for other, hand in enumerate(hands) if other != seat)] += 1
        while script and script[-1] == limits[len(script) - 1] - 1:
            script.pop()
        if script:
            script[-1] += 1
    assert set(dealt) == possible_hands(game, seat)
    assert len(set(dealt.values())) == 1


def test_v23_dealing_from_the_highest_bound_down_is_exactly_uniform() -> None:
    """Proof by counting on every small case: each complete deal has the same probability.

    Three hands draw from six cards of values 3 to 5, under every combination of bounds and sizes.
    """
    cards = ["a3", "b3", "a4", "b4", "a5", "b5"]

    def ways(left: frozenset[str], hands: list[tuple[int, int]]) -> Counter[tuple[frozenset[str], ...]]:
        """The chance of each deal, as 1 / product of choices: here its inverse, an exact integer."""
        if not hands:
            return Counter({(): 1})
        (bound, size), *rest = hands
        fits = [card for card in left if int(card[1]) >= bound]
        found: Counter[tuple[frozenset[str], ...]] = Counter()
        for hand in itertools.combinations(fits, size):
            for deal, inverse in ways(left - set(hand), rest).items():
                found[(frozenset(hand), *deal)] = inverse * math.comb(len(fits), size)
        return found

    cases = 0
    for bounds in itertools.combinations_with_replacement((5, 4, 3), 3):
        for sizes in itertools.product(range(3), repeat=3):
            hands = list(zip(bounds, sizes, strict=True))
            needed = [sum(size for bound, size in hands if bound >= least) for least in (3, 4, 5)]
            if any(need > len([card for card in cards if int(card[1]) >= least])
                   for need, least in zip(needed, (3, 4, 5), strict=True)):  # fmt: skip
                continue
            deals = ways(frozenset(cards), hands)
            assert set(deals.values()) == {len(deals)}, "each deal has the chance 1 / number of deals"
            cases += 1
    assert cases > 100


def test_v23_everything_played_is_public_and_nothing_is_shown_at_the_end() -> None:
    game = laguna.new(ID, seed=17)
    for _ in random_steps(game, 17):
        pass
    for seat in (None, 0, 1, 2):
        assert all(entry["action"] for entry in game.log_for(seat)[1:])
    assert len(game.view()["unseen"]) == 6, "the cards put away stay unseen"


# ------------------------------------------------------------------ writing it down


def test_notation_is_read_generously_and_written_strictly() -> None:
    game = stage(FOUR_EACH, TWELVE)
    for text, written in {
        "a1-a2": "a1-a2", " A1 - A2 ": "a1-a2", "a1~H8": "a1~h8", "$ a1": "$a1",
        "RED 3": "red3", "re3": "red3",
    }.items():  # fmt: skip
        assert str(game.action(text)) == written
    for text in (
        "",
        "a1",
        "a1a2",
        "a9-a1",
        "red",
        "red2",
        "red9",
        "3red",
        "$",
        "@",
        "sinks",
        "i1-a1",
        "redX!",
    ):
        with pytest.raises(laguna.IllegalAction) as error:
            game.play(text)
        assert error.value.key == "unreadable" and "c4-c7" in str(error.value)


@pytest.mark.parametrize(
    "action",
    [{}, {"do": "pass"}, {"do": "walk", "from": "a1"}, {"do": "walk", "from": "a1", "to": "a2", "by": "foot"},
     {"do": "buy", "at": "A1"}, {"do": "card", "color": "red", "value": 3}, {"do": "place", "at": "j1"},
     {"do": "card", "color": "pink", "value": "3"}, {"do": "walk", "start": "a1", "to": "a2"},
     {"do": "sink", "at": "a1"}, {"at": "a1"}],
)  # fmt: skip
def test_structured_actions_are_checked_field_by_field(action: dict[str, Any]) -> None:
    with pytest.raises(laguna.IllegalAction) as error:
        stage(FOUR_EACH, TWELVE).play(action)
    assert error.value.key == "unreadable"


def test_a_rescue_is_refused_when_nothing_fell_and_all_else_when_something_did() -> None:
    game = stage(["b4 a1 c1 d1", *FOUR_EACH[1:]], TWELVE)
    assert refused(game, "~h8").clause == refused(game, "sink").clause == "V14"
    game.play("red3")
    for action in ("azure3", "a1-a2", "a1~a2", "$a1"):
        assert refused(game, action).clause == "V14"
    assert refused(game, "@h8").clause == "V7"


# ------------------------------------------------------------------ what bots expect


def test_v19_bots_know_both_ways_to_score_an_x() -> None:
    """Black is above water: its X promises twice the sum of many values, or twice their number."""
    from laguna.games.venice_2099 import evaluation

    pawns = ["h1 a2 b1 c1", *FOUR_EACH[1:]]
    looks = {
        way: float(evaluation.evaluate(stage(pawns, TWELVE, x_scores=way).state, 0))
        for way in ("count", "values")
    }
    assert looks["values"] > looks["count"]


def test_v13_bots_expect_nothing_from_a_quarter_they_will_sink() -> None:
    from laguna.games.venice_2099 import evaluation

    on_own_card = stage(["d4 a4 e7 f7", *FOUR_EACH[1:]], TWELVE)  # the red 5, whose card the seat holds
    elsewhere = stage(["d1 a4 e7 f7", *FOUR_EACH[1:]], TWELVE)  # the black 5
    assert evaluation.evaluate(elsewhere.state, 0) > evaluation.evaluate(on_own_card.state, 0)
