"""The naive referee of Venice 2099 against the spec, by itself."""

import itertools
import random
from collections import Counter

import pytest

from .chance import Stream
from .venice_2099 import (
    COLORS,
    MOVES,
    PLATFORM,
    PLAYERS,
    RESCUE,
    TIE_BREAK,
    VALUES,
    X_SCORES,
    Action,
    Match,
    Tile,
)

GAMES_PER_OPTION = 12
OPTIONS = list(itertools.product(MOVES, RESCUE, X_SCORES, TIE_BREAK))

CARDS = {2: 10, 3: 12, 4: 9, 5: 7}
PAWNS = {2: 3, 3: 4, 4: 3, 5: 3}
SQUARES = [column + row for row in "12345678" for column in "abcdefgh"]
SMALL_SQUARES = [column + row for row in "123456" for column in "abcdef"]


def squares_of(players: int) -> list[str]:
    return SMALL_SQUARES if players == 2 else SQUARES


def cards(text: str) -> list[Tile]:
    """Cards from text such as "red3 azureX"."""
    return [(word[:-1], word[-1]) for word in text.split()]


def ordered(
    players: int = 3,
    pawns: tuple[str, ...] = (),
    hand: str = "",
    moves: str = "queen",
    rescue: str = "any",
    x_scores: str = "count",
    tie_break: str = "pawn_points",
) -> Match:
    """Seat 0 to move on an unshuffled board: row 1 black 2 to X, row 2 brown and so on.

    Rows 7 and 8 are platforms. With two players green is out, row 6 is platforms.
    Pawns are text per seat such as "a1 b4"; the hand is that of seat 0.
    """
    match = Match(1, players, moves, rescue, x_scores, tie_break)
    values = VALUES
    colors = COLORS
    if players == 2:
        values = ["2", "3", "4", "5", "6", "X"]
        colors = COLORS[:5]
        match.missing_color = "green"
    tiles = [(color, value) for color in colors for value in values]
    tiles += [PLATFORM] * (len(match.squares) - len(tiles))
    match.tiles = dict(zip(match.squares, tiles, strict=True))
    for seat, text in enumerate(pawns):
        match.pawns[seat] = text.split()
    if hand != "":
        match.hands[0] = cards(hand)
    match.phase = "turn"
    return match


def ended(match: Match) -> Match:
    """The same position with every card played."""
    match.hands = [[] for _ in match.hands]
    match.phase = "over"
    match.over = True
    return match


def drown_all_but(match: Match, kept: str) -> None:
    """Every quarter to water but those named."""
    for square in match.squares:
        if match.tiles[square] != PLATFORM and match.tiles[square] not in cards(kept):
            match.sunk.add(square)


def of_kind(match: Match, kind: str) -> list[Action]:
    return [action for action in match.legal() if action["do"] == kind]


def targets(match: Match, kind: str, start: str) -> str:
    """Where one pawn can go, as text in the order of the list."""
    return " ".join(action["to"] for action in of_kind(match, kind) if action["from"] == start)


def place(match: Match, square: str) -> None:
    match.play({"do": "place", "at": square})


def walk(match: Match, start: str, end: str) -> None:
    match.play({"do": "walk", "from": start, "to": end})


def gondola(match: Match, start: str, end: str) -> None:
    match.play({"do": "gondola", "from": start, "to": end})


def buy(match: Match, square: str) -> None:
    match.play({"do": "buy", "at": square})


def card(match: Match, text: str) -> None:
    color, value = cards(text)[0]
    match.play({"do": "card", "color": color, "value": value})


def everything(match: Match) -> str:
    """All that a match holds, as text to compare."""
    return repr({name: sorted(held) if name == "sunk" else held for name, held in vars(match).items()})


def refused(match: Match, action: Action, clause: str) -> None:
    """An action is refused with its clause named, and nothing has changed."""
    before = everything(match)
    with pytest.raises(ValueError, match=clause):
        match.play(action)
    assert everything(match) == before


# Components and setup


def test_v1_quarters_and_platforms() -> None:
    tiles = Counter(Match(7, 4).tiles.values())
    assert tiles.pop(PLATFORM) == 16
    assert len(tiles) == 48
    assert set(tiles.values()) == {1}
    assert {color for color, _ in tiles} == {"black", "brown", "azure", "red", "violet", "green"}
    assert {value for _, value in tiles} == set("2345678X")


@pytest.mark.parametrize("players", [3, 4, 5])
def test_v2_v5_cards(players: int) -> None:
    match = Match(7, players)
    dealt = [card for hand in match.hands for card in hand]
    assert [len(hand) for hand in match.hands] == [CARDS[players]] * players
    assert len(match.put_away) == {3: 6, 4: 6, 5: 7}[players]
    assert sorted(dealt + match.put_away) == sorted((color, value) for color in COLORS for value in "345678X")


def test_v2_v4_v5_two_players() -> None:
    for seed in range(30):
        match = Match(seed, 2)
        colors = [color for color in COLORS if color != match.missing_color]
        assert len(colors) == 5
        assert list(match.tiles) == match.squares == SMALL_SQUARES
        tiles = Counter(match.tiles.values())
        assert tiles.pop(PLATFORM) == 6
        assert tiles == {(color, value): 1 for color in colors for value in "23456X"}
        dealt = [card for hand in match.hands for card in hand]
        assert [len(hand) for hand in match.hands] == [10, 10]
        assert len(match.put_away) == 5
        assert len(dealt + match.put_away) == 25
        assert sorted(dealt + match.put_away) == sorted(
            (color, value) for color in colors for value in "3456X"
        )


def test_v4_the_color_taken_out_is_drawn() -> None:
    missing = Counter(Match(seed, 2).missing_color for seed in range(600))
    assert set(missing) == set(COLORS)
    assert all(60 < count < 140 for count in missing.values())


def test_v4_the_missing_color_is_the_first_draw() -> None:
    for seed in range(30):
        assert Match(seed, 2).missing_color == COLORS[Stream(seed, 0).draw(6)]


@pytest.mark.parametrize("players", PLAYERS)
def test_v4_v5_streams_of_chance(players: int) -> None:
    """Stream 0 lays the tiles from a1 on, stream 1 deals from the end, seat by seat."""
    seed = 2**40 + 99
    match = Match(seed, players)
    on_board, in_hands = Stream(seed, 0), Stream(seed, 1)
    quarters = [(color, value) for color in COLORS for value in VALUES]
    if players == 2:
        missing = COLORS[on_board.draw(6)]
        quarters = [each for each in quarters if each[0] != missing and each[1] not in "78"]
    tiles = quarters + [PLATFORM] * (6 if players == 2 else 16)
    on_board.shuffle(tiles)
    assert [match.tiles[square] for square in squares_of(players)] == tiles

    deck = [each for each in quarters if each[1] != "2"]
    in_hands.shuffle(deck)
    for hand in match.hands:
        size = CARDS[players]
        deck, dealt = deck[:-size], deck[-size:]
        assert hand == sorted(dealt, key=lambda each: ("345678X".index(each[1]), COLORS.index(each[0])))
    assert match.put_away == deck


def test_v4_squares_in_reading_order() -> None:
    match = Match(1, 5)
    assert match.squares[:3] == ["a1", "b1", "c1"]
    assert match.squares[7:10] == ["h1", "a2", "b2"]
    assert match.squares == list(match.tiles) == SQUARES
    assert match.squares[-1] == "h8"


@pytest.mark.parametrize(("players", "coins"), [(2, 11), (3, 13), (4, 10), (5, 8)])
def test_v3_v6_what_everybody_has(players: int, coins: int) -> None:
    match = Match(1, players)
    assert match.coins == [coins] * players
    assert match.gondolas == [2] * players
    assert match.treasures == [dict.fromkeys(COLORS, 0)] * players
    assert match.pawns == [[]] * players
    assert (match.sunk, match.coins_on, match.played, match.events) == (set(), {}, [], [])
    assert (match.phase, match.seat, match.turn, match.over) == ("setup", 0, 0, False)
    assert match.scores() == [coins] * players
    assert match.winners() == []


@pytest.mark.parametrize(("players", "pawns"), [(2, 3), (3, 4), (4, 3), (5, 3)])
def test_v5_v7_one_pawn_at_a_time_clockwise(players: int, pawns: int) -> None:
    match = Match(1, players)
    chooser = random.Random(players)
    for _ in range(pawns):
        for seat in range(players):
            assert (match.phase, match.seat, match.turn) == ("setup", seat, seat)
            assert all(action["do"] == "place" for action in match.legal())
            match.play(chooser.choice(match.legal()))
            assert match.events == []
    assert [len(squares) for squares in match.pawns] == [pawns] * players
    assert (match.phase, match.seat, match.turn) == ("turn", 0, 0)
    assert {action["do"] for action in match.legal()} >= {"walk", "gondola", "card"}


def test_v7_first_pawn_on_any_tile() -> None:
    match = Match(1, 3)
    assert match.legal() == [{"do": "place", "at": square} for square in SQUARES]


def set_up() -> Match:
    """The ordered board with no pawn placed."""
    match = ordered(3)
    match.phase = "setup"
    return match


def test_v7_own_pawns_on_different_values() -> None:
    match = set_up()
    place(match, "c1")  # 4
    place(match, "h2")  # X, seat 1
    place(match, "c3")  # 4, seat 2: the limit is each player's own
    allowed = [action["at"] for action in match.legal()]
    quarters = [square for square in SQUARES[:48] if square[0] != "c" and square != "h2"]
    assert allowed == quarters + SQUARES[48:]
    refused(match, {"do": "place", "at": "c5"}, "V7")
    place(match, "h4")  # X
    allowed = [action["at"] for action in match.legal()]
    assert match.seat == 1
    assert "h1" not in allowed  # X is a value of its own
    assert "g1" in allowed
    assert "c2" in allowed
    assert "h7" in allowed


def test_v7_any_number_on_platforms() -> None:
    match = set_up()
    for row in "78":
        for column in "abcdef":
            place(match, column + row)
    assert match.pawns == [["a7", "d7", "a8", "d8"], ["b7", "e7", "b8", "e8"], ["c7", "f7", "c8", "f8"]]
    assert match.phase == "turn"


def test_v7_only_free_tiles() -> None:
    match = set_up()
    place(match, "c1")
    place(match, "a7")
    refused(match, {"do": "place", "at": "c1"}, "V7")
    refused(match, {"do": "place", "at": "a7"}, "V7")
    refused(match, {"do": "place", "at": "i1"}, "V7")
    refused(match, {"do": "walk", "from": "c1", "to": "c2"}, "V7")


def test_v7_two_players_have_36_squares() -> None:
    match = Match(3, 2)
    assert [action["at"] for action in match.legal()] == SMALL_SQUARES
    refused(match, {"do": "place", "at": "g1"}, "V7")
    refused(match, {"do": "place", "at": "a7"}, "V7")


def test_v7_the_limit_holds_at_set_up_only() -> None:
    match = ordered(3, ("c1 d3",))
    walk(match, "d3", "c3")
    assert match.pawns[0] == ["c1", "c3"]


# Turn


def test_actions_are_listed_in_order() -> None:
    """A pawn placed later but on an earlier square comes first."""
    match = ordered(3, ("c2 a2 h8",), "green3 black3 red3 brown4", moves="rook")
    match.coins_on = {"a2": 1}
    actions = match.legal()
    kinds = [action["do"] for action in actions]
    assert kinds == sorted(kinds, key=["walk", "gondola", "buy", "card"].index)
    for kind in ["walk", "gondola"]:
        pairs = [(action["from"], action["to"]) for action in of_kind(match, kind)]
        assert pairs == sorted(pairs, key=lambda pair: (SQUARES.index(pair[0]), SQUARES.index(pair[1])))
        assert {start for start, _ in pairs} == {"a2", "c2", "h8"}
    assert actions[-5:] == [
        {"do": "buy", "at": "a2"},
        {"do": "buy", "at": "c2"},
        {"do": "card", "color": "black", "value": "3"},
        {"do": "card", "color": "red", "value": "3"},
        {"do": "card", "color": "green", "value": "3"},
    ]


def test_bounds_426_actions() -> None:
    match = ordered(
        3,
        ("a1 c1 e1 g1", "a3 c3 e3 g3", "a5 c5 e5 g5"),
        "black3 brown3 azure3 red3 violet3 green3",
        moves="walk",
    )
    assert len(match.legal()) == 426


def kinds_offered(match: Match) -> list[str]:
    return list(dict.fromkeys(action["do"] for action in match.legal()))


def test_v8_move_then_buy_then_card() -> None:
    match = ordered(3, ("a1 h8",), "red3 green3")
    assert kinds_offered(match) == ["walk", "gondola", "buy", "card"]
    walk(match, "a1", "d1")
    assert kinds_offered(match) == ["buy", "card"]
    assert (match.seat, match.turn, match.phase) == (0, 0, "turn")
    buy(match, "d1")
    assert kinds_offered(match) == ["card"]
    card(match, "red3")
    assert (match.seat, match.turn) == (1, 1)


def test_v8_every_optional_step_can_be_left_out() -> None:
    for steps in [[], ["walk"], ["buy"], ["walk", "buy"], ["gondola"], ["gondola", "buy"]]:
        match = ordered(3, ("a1",), "red3")
        for step in steps:
            match.play(of_kind(match, step)[0])
        card(match, "red3")
        assert match.seat == 1
        assert match.hands[0] == []


def test_v8_no_moving_after_buying() -> None:
    match = ordered(3, ("a1 h8",), "red3")
    buy(match, "a1")
    assert kinds_offered(match) == ["card"]
    refused(match, {"do": "walk", "from": "a1", "to": "b1"}, "V8")
    refused(match, {"do": "gondola", "from": "a1", "to": "b1"}, "V8")
    refused(match, {"do": "buy", "at": "a1"}, "V8")


def test_v8_each_turn_begins_anew() -> None:
    match = ordered(3, ("a1", "a3", "a5"), "red3 red4")
    match.hands[1] = cards("green3")
    match.hands[2] = cards("green4")
    walk(match, "a1", "b1")
    buy(match, "b1")
    card(match, "red3")
    assert match.seat == 1
    assert kinds_offered(match) == ["walk", "gondola", "buy", "card"]
    assert {action["from"] for action in of_kind(match, "walk")} == {"a3"}
    card(match, "green3")
    card(match, "green4")
    assert match.seat == 0
    assert kinds_offered(match) == ["walk", "gondola", "buy", "card"]


def test_v8_what_is_not_legal_changes_nothing() -> None:
    match = ordered(3, ("a1 h8", "c3"), "red3 blackX")
    wrong: list[Action] = [
        {},
        {"do": "pass"},
        {"do": "sink"},
        {"do": "rescue", "to": "a2"},
        {"do": "place", "at": "a2"},
        {"do": "walk", "from": "c3", "to": "c4"},
        {"do": "walk", "from": "a1", "to": "a1"},
        {"do": "walk", "from": "a1", "to": "a9"},
        {"do": "walk", "from": "a1"},
        {"do": "gondola", "from": "c3", "to": "c4"},
        {"do": "buy", "at": "c3"},
        {"do": "buy", "at": "b1"},
        {"do": "card", "color": "blue", "value": "3"},
        {"do": "card", "color": "red", "value": "4"},
        {"do": "card", "color": "red"},
        {"do": "card", "color": "red", "value": "3", "at": "b4"},
        {"do": "card", "color": "red", "value": 3},  # type: ignore[dict-item]
    ]
    for action in wrong:
        refused(match, action, "V8")


def test_v9_queen_goes_in_eight_directions() -> None:
    match = ordered(3, ("d4",))
    reached = targets(match, "walk", "d4").split()
    assert len(reached) == 27
    column = {"d" + row for row in "1235678"}
    row = {column + "4" for column in "abcefgh"}
    diagonals = {"a1", "b2", "c3", "e5", "f6", "g7", "h8", "a7", "b6", "c5", "e3", "f2", "g1"}
    assert set(reached) == column | row | diagonals
    assert reached == [square for square in SQUARES if square in reached]


def test_v9_rook_goes_in_four() -> None:
    match = ordered(3, ("d4",), moves="rook")
    assert targets(match, "walk", "d4") == "d1 d2 d3 a4 b4 c4 e4 f4 g4 h4 d5 d6 d7 d8"


def test_v9_water_and_pawns_stop_a_line() -> None:
    match = ordered(3, ("d4 f4", "d6", "b2"))
    match.sunk = {"d3", "f6", "e3"}
    assert targets(match, "walk", "d4") == "c3 a4 b4 c4 e4 c5 d5 e5 b6 a7"
    match.moves = "rook"
    assert targets(match, "walk", "d4") == "a4 b4 c4 e4 d5"


def test_v9_the_line_ends_at_the_edge() -> None:
    match = ordered(2, ("f1",))
    assert targets(match, "walk", "f1") == "a1 b1 c1 d1 e1 e2 f2 d3 f3 c4 f4 b5 f5 a6 f6"


def test_v9_corners_of_a_diagonal_do_not_count() -> None:
    match = ordered(3, ("d4", "d5"))
    match.sunk = {"e4"}
    assert {"e5", "f6", "g7", "h8"} <= set(targets(match, "walk", "d4").split())


def test_v9_platforms_can_be_passed_and_stopped_on() -> None:
    for moves in MOVES:
        match = ordered(3, ("a8",), moves=moves)
        reached = targets(match, "walk", "a8").split()
        assert {"a7", "c8", "h8"} <= set(reached)
        assert {"a6", "a1"} <= set(reached)  # on across a7


def test_v9_walk_goes_round_corners() -> None:
    match = ordered(2, ("a1",), moves="walk")
    # A wall of water and pawns, with one gap at d3; c5 is enclosed, its corners do not help.
    match.sunk = {"a3", "b3", "e3", "f3", "b5", "c4", "d5"}
    match.pawns[1] = ["c3", "c6"]
    reached = targets(match, "walk", "a1").split()
    assert "c5" not in reached
    assert "a1" not in reached
    assert "c3" not in reached
    assert set(reached) == set(SMALL_SQUARES) - match.sunk - {"a1", "c3", "c5", "c6"} - {
        "a4",
        "b4",
        "a5",
        "a6",
        "b6",
    }


def test_v9_walk_needs_edges_not_corners() -> None:
    match = ordered(2, ("a1",), moves="walk")
    match.sunk = {"a2", "b1"}
    assert targets(match, "walk", "a1") == ""
    match.moves = "rook"
    assert targets(match, "walk", "a1") == ""
    match.moves = "queen"
    assert targets(match, "walk", "a1") == "b2 c3 d4 e5 f6"


def test_v9_a_pawn_walks() -> None:
    match = ordered(3, ("a1 d4", "c3"), "red3")
    walk(match, "d4", "d8")
    assert sorted(match.pawns[0]) == ["a1", "d8"]
    assert match.gondolas == [2, 2, 2]


def test_v10_gondola_to_any_free_tile() -> None:
    match = ordered(3, ("a1 d4", "c3"), "red3")
    match.sunk = {"b1", "a2", "b2"}
    free = [square for square in SQUARES if square not in ["a1", "d4", "c3", "b1", "a2", "b2"]]
    assert targets(match, "gondola", "a1").split() == free
    assert targets(match, "gondola", "d4").split() == free
    assert targets(match, "walk", "a1") == ""
    gondola(match, "a1", "h8")
    assert sorted(match.pawns[0]) == ["d4", "h8"]
    assert match.gondolas == [1, 2, 2]


def test_v10_the_gondola_is_the_move() -> None:
    match = ordered(3, ("a1 d4",), "red3")
    gondola(match, "a1", "h3")
    assert kinds_offered(match) == ["buy", "card"]
    assert [action["at"] for action in of_kind(match, "buy")] == ["h3", "d4"]
    match = ordered(3, ("a1 d4",), "red3")
    walk(match, "a1", "b1")
    assert kinds_offered(match) == ["buy", "card"]


def test_v10_without_a_card_no_gondola() -> None:
    match = ordered(3, ("a1",), "red3")
    match.gondolas = [0, 2, 2]
    assert kinds_offered(match) == ["walk", "buy", "card"]
    refused(match, {"do": "gondola", "from": "a1", "to": "h8"}, "V8")


def test_v10_the_second_gondola_may_rescue_in_the_same_turn() -> None:
    match = ordered(3, ("a1",), "red3")
    gondola(match, "a1", "b4")
    card(match, "red3")
    assert (match.phase, match.seat, match.turn, match.gondolas[0]) == ("rescue", 0, 0, 1)
    match.play({"do": "rescue", "to": "h8"})
    assert match.gondolas == [0, 2, 2]
    assert match.pawns[0] == ["h8"]
    assert match.seat == 1


def test_v10_v15_no_gondola_for_a_pawn_that_is_out() -> None:
    match = ordered(3, ("b4", "a1"), "red3 green3")
    card(match, "red3")
    match.play({"do": "sink"})
    assert match.pawns[0] == []
    assert match.gondolas[0] == 2
    match.turn = match.seat = 0
    assert kinds_offered(match) == ["card"]


def test_v11_prices_1_2_4() -> None:
    """The rulebook's example: violet for 1, brown for 2, black for 4 coins."""
    match = ordered(3, ("d5 c2 b1 a8",), "red3")
    match.coins_on = {"c2": 1, "b1": 3}
    assert [action["at"] for action in of_kind(match, "buy")] == ["b1", "c2", "d5"]
    for square, color, price in [("d5", "violet", 1), ("c2", "brown", 2), ("b1", "black", 4)]:
        match.bought = False
        before = match.coins[0]
        on_quarter = match.coins_on.get(square, 0)
        buy(match, square)
        assert match.events == [("bought", 0, color, price)]
        assert match.coins[0] == before - price
        assert match.coins_on[square] == on_quarter + price
        assert match.treasures[0][color] == 1


def test_v11_price_doubles_for_everybody() -> None:
    match = ordered(3, ("d5",), "red3")
    on_quarter = []
    for _ in range(4):
        match.bought = False
        match.coins = [13, 13, 13]
        buy(match, "d5")
        on_quarter.append(match.coins_on["d5"])
    assert on_quarter == [1, 3, 7, 15]
    match.bought = False
    match.coins = [13, 13, 13]
    assert of_kind(match, "buy") == []
    # Another quarter of the same color has its own price.
    match.pawns[0] = ["e5"]
    buy(match, "e5")
    assert match.coins[0] == 12


def test_v11_the_price_must_be_paid_in_full() -> None:
    match = ordered(3, ("d5",), "red3")
    match.coins_on = {"d5": 3}
    match.coins = [3, 13, 13]
    assert of_kind(match, "buy") == []
    refused(match, {"do": "buy", "at": "d5"}, "V8")
    match.coins[0] = 4
    buy(match, "d5")
    assert match.coins[0] == 0


def test_v11_two_quarters_of_a_color_are_two_choices() -> None:
    match = ordered(3, ("d5 b5",), "red3")
    assert of_kind(match, "buy") == [{"do": "buy", "at": "b5"}, {"do": "buy", "at": "d5"}]


def test_v11_never_on_a_platform_or_without_a_pawn() -> None:
    match = ordered(3, ("a8", "d5"), "red3")
    assert of_kind(match, "buy") == []


def test_v11_ten_treasures_per_color() -> None:
    match = ordered(3, ("d5 d1",), "red3")
    match.treasures[1]["violet"] = 6
    match.treasures[2]["violet"] = 3
    assert len(of_kind(match, "buy")) == 2
    match.treasures[0]["violet"] = 1
    assert of_kind(match, "buy") == [{"do": "buy", "at": "d1"}]


def test_v12_lowest_value_in_hand() -> None:
    for hand, offered in [
        ("red3 green3 black4", "red3 green3"),
        ("green3 red3 blackX", "red3 green3"),
        ("black8 redX brown8", "black8 brown8"),
        ("greenX blackX", "blackX greenX"),
        ("violet7 azure8 redX", "violet7"),
    ]:
        match = ordered(3, ("a1",), hand)
        assert of_kind(match, "card") == [
            {"do": "card", "color": color, "value": value} for color, value in cards(offered)
        ]
        match.hands[0].reverse()
        assert len(of_kind(match, "card")) == len(cards(offered))


def test_v12_only_the_own_hand() -> None:
    match = ordered(3, ("a1",), "red4")
    match.hands[1] = cards("green3")
    assert of_kind(match, "card") == [{"do": "card", "color": "red", "value": "4"}]


def test_v13_the_tile_turns_to_water() -> None:
    match = ordered(3, ("a1", "a3"), "red3 red5")
    match.coins_on = {"b4": 3, "c4": 7}
    card(match, "red3")
    assert match.sunk == {"b4"}
    assert match.coins_on == {"c4": 7}
    assert match.hands[0] == cards("red5")
    assert match.played == cards("red3")
    assert match.events == [("sank", "b4"), ("washed away", "b4", 3)]
    assert match.coins == [13, 13, 13]
    assert match.seat == 1
    match.hands[1] = cards("blackX")
    card(match, "blackX")
    assert match.sunk == {"b4", "h1"}
    assert match.events == [("sank", "h1")]


def test_v13_only_the_pawn_on_it_falls() -> None:
    match = ordered(3, ("a4 b3", "b4", "c4 b5"), "red3")
    card(match, "red3")
    assert match.events == [("sank", "b4"), ("fell", 1, "b4")]
    assert match.pawns == [["a4", "b3"], [], ["c4", "b5"]]
    assert match.fallen == (1, "b4")


# Rescue


def test_v14_rescue_of_anothers_pawn() -> None:
    match = ordered(4, ("a1", "a2", "b4 h8"), "red3")
    card(match, "red3")
    assert (match.phase, match.seat, match.turn) == ("rescue", 2, 0)
    free = [square for square in SQUARES if square not in ["a1", "a2", "b4", "h8"]]
    assert match.legal() == [{"do": "rescue", "to": square} for square in free] + [{"do": "sink"}]
    match.play({"do": "rescue", "to": "c7"})
    assert match.events == [("rescued", 2, "c7")]
    assert sorted(match.pawns[2]) == ["c7", "h8"]
    assert match.gondolas == [2, 2, 1, 2]
    assert match.fallen is None
    assert (match.phase, match.seat, match.turn) == ("turn", 1, 1)  # after seat 0, not after seat 2


def test_v14_rescue_of_the_own_pawn() -> None:
    match = ordered(4, ("b4", "a2"), "red3")
    card(match, "red3")
    assert (match.phase, match.seat, match.turn) == ("rescue", 0, 0)
    match.play({"do": "rescue", "to": "a1"})
    assert match.gondolas == [1, 2, 2, 2]
    assert (match.phase, match.seat, match.turn) == ("turn", 1, 1)


def test_v14_the_owner_may_let_it_sink() -> None:
    match = ordered(4, ("a1", "a2", "b4 h8"), "red3")
    card(match, "red3")
    match.play({"do": "sink"})
    assert match.events == [("lost", 2)]
    assert match.pawns[2] == ["h8"]
    assert match.gondolas == [2, 2, 2, 2]
    assert match.fallen is None
    assert (match.phase, match.seat, match.turn) == ("turn", 1, 1)


def test_v14_quarters_only() -> None:
    match = ordered(4, ("a1", "a2", "b4 h8"), "red3", rescue="quarter")
    match.sunk = {"c3"}
    card(match, "red3")
    free = [square for square in SQUARES[:48] if square not in ["a1", "a2", "b4", "c3"]]
    assert match.legal() == [{"do": "rescue", "to": square} for square in free] + [{"do": "sink"}]
    refused(match, {"do": "rescue", "to": "a8"}, "V14")


def test_v14_refused_during_a_rescue() -> None:
    match = ordered(4, ("a1", "a2", "b4 h8"), "red3")
    card(match, "red3")
    wrong: list[Action] = [
        {"do": "rescue", "to": "b4"},
        {"do": "rescue", "to": "a1"},
        {"do": "rescue", "to": "c7", "from": "b4"},
        {"do": "sink", "at": "b4"},
        {"do": "gondola", "from": "h8", "to": "c7"},
        {"do": "card", "color": "red", "value": "4"},
    ]
    for action in wrong:
        refused(match, action, "V14")


def test_v14_without_a_gondola_nobody_is_asked() -> None:
    match = ordered(4, ("a1", "a2", "b4 h8"), "red3")
    match.gondolas = [2, 2, 0, 2]
    card(match, "red3")
    assert match.events == [("sank", "b4"), ("fell", 2, "b4"), ("lost", 2)]
    assert match.pawns[2] == ["h8"]
    assert match.fallen is None
    assert (match.phase, match.seat) == ("turn", 1)


@pytest.mark.parametrize("rescue", RESCUE)
@pytest.mark.parametrize("last_card", [True, False])
def test_v14_without_a_target_nobody_is_asked(rescue: str, last_card: bool) -> None:
    """Five players: 14 or 13 quarters left, each under a pawn, and the fifteenth falls."""
    match = ordered(5, (), "red3", rescue=rescue)
    pawns = ["a1", "a2", "a3", "a4", "a5", "a6", "h1", "h2", "h3", "h4", "h5", "h6", "g1"]
    kept = set(pawns)
    if last_card:
        match.hands = [cards("red3"), [], [], [], []]
    else:
        match.hands = [cards("red3"), cards("black8"), [], [], []]
        pawns.append("g2")
        kept.add("g2")
    match.sunk = set(SQUARES[:48]) - kept - {"b4"}
    match.pawns = [pawns[3 * seat : 3 * seat + 3] for seat in range(5)]
    match.pawns[4].append("b4")
    assert len(kept) == (13 if last_card else 14)
    card(match, "red3")
    assert match.events[:2] == [("sank", "b4"), ("fell", 4, "b4")]
    if rescue == "quarter":
        assert match.events[2:] == [("lost", 4)]
        assert match.gondolas[4] == 2
        assert match.over == last_card
        assert match.seat == (0 if last_card else 1)
    else:
        assert match.phase == "rescue"
        assert match.seat == 4
        assert len(match.legal()) == 17  # the platforms, or sink


def test_v14_rescues_count_across_turns() -> None:
    match = ordered(3, ("b4",), "red3 red4 red5")
    for number, value in enumerate(["3", "4", "5"]):
        match.turn = match.seat = 0
        match.pawns[0] = [{"3": "b4", "4": "c4", "5": "d4"}[value]]
        card(match, "red" + value)
        if number < 2:
            match.play({"do": "rescue", "to": "a1"})
            assert match.gondolas[0] == 1 - number
    assert match.events[-1] == ("lost", 0)
    assert match.pawns[0] == []


def test_v15_without_pawns_only_cards() -> None:
    match = ordered(2, ("", "a2"), "red3 red4")
    match.hands[1] = cards("violet3 violet4")
    match.treasures[0]["brown"] = 2
    assert match.legal() == [{"do": "card", "color": "red", "value": "3"}]
    card(match, "red3")
    card(match, "violet3")
    assert match.seat == 0
    card(match, "red4")
    card(match, "violet4")
    assert match.over
    assert match.scores()[0] == 2 * 1 + 11


# End and scoring


def test_v16_ends_with_the_last_card() -> None:
    match = ordered(2, ("a1", "a2"), "red3")
    match.hands[1] = cards("red4")
    card(match, "red3")
    assert not match.over
    card(match, "red4")
    assert match.over
    assert (match.phase, match.seat, match.turn) == ("over", 1, 1)
    assert match.legal() == []
    refused(match, {"do": "walk", "from": "a1", "to": "b1"}, "V16")
    refused(match, {"do": "card", "color": "red", "value": "4"}, "V16")


@pytest.mark.parametrize("answer", ["rescue", "sink"])
def test_v16_after_the_last_rescue(answer: str) -> None:
    match = ordered(2, ("c4", "a2"))
    match.hands = [[], cards("red4")]
    match.turn = match.seat = 1
    card(match, "red4")
    assert (match.over, match.phase, match.seat, match.turn) == (False, "rescue", 0, 1)
    assert match.winners() == []
    match.play(of_kind(match, answer)[0])
    assert (match.over, match.phase, match.seat, match.turn) == (True, "over", 0, 1)
    assert match.legal() == []
    assert match.winners() != []


@pytest.mark.parametrize(
    ("above_water", "worth"), [(1, 6), (2, 3), (3, 2), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1)]
)
def test_v17_treasures(above_water: int, worth: int) -> None:
    match = ordered(3)
    match.sunk = {column + "4" for column in "hgfedcb"[: 8 - above_water]}
    match.treasures[1]["red"] = 3
    match.treasures[1]["green"] = 2
    points = match.breakdown()[1]["treasures"]
    assert points == {"black": 0, "brown": 0, "azure": 0, "red": 3 * worth, "violet": 0, "green": 2}
    assert match.scores() == [13, 3 * worth + 2 + 13, 13]


def test_v18_pawns_and_platforms() -> None:
    match = ordered(3, ("a1 b2 g4 c8", "d4"))
    assert match.breakdown()[0]["pawns"] == {"a1": 2, "b2": 3, "g4": 8, "c8": 0}
    assert match.breakdown()[1]["pawns"] == {"d4": 5}
    assert match.scores() == [13 + 13, 5 + 13, 13]


@pytest.mark.parametrize(
    ("sunk", "count", "values"),
    [
        ("", 16, 70),
        ("g4", 14, 54),
        ("b4 c4 d4 e4 f4 g4", 4, 4),
        ("e1 f1 g1", 16, 70),
        ("c4 d4 e4 g4", 8, 24),
    ],
)
def test_v19_a_pawn_on_an_x(sunk: str, count: int, values: int) -> None:
    for option, points in [("count", count), ("values", values)]:
        match = ordered(3, ("", "h4"), x_scores=option)
        match.sunk = set(sunk.split())
        assert match.breakdown()[1]["pawns"] == {"h4": points}


def test_v20_coins_count_gondolas_do_not() -> None:
    match = ordered(3)
    match.coins = [4, 0, 7]
    match.gondolas = [0, 1, 2]
    match.coins_on = {"a1": 7}
    assert match.scores() == [4, 0, 7]
    assert [points["coins"] for points in match.breakdown()] == [4, 0, 7]


def test_v21_most_points_win() -> None:
    match = ended(ordered(3, ("h8 g8", "g1", "f1")))
    match.coins = [16, 0, 0]
    assert match.scores() == [16, 8, 7]
    assert match.winners() == [0]


def test_v21_ties() -> None:
    """8 points each: seat 0 by a pawn, seat 1 by coins with three pawns, seat 2 by both."""
    for tie_break, winners in [("pawn_points", [0]), ("pawns", [1])]:
        match = ended(ordered(3, ("g1", "a8 b8 c8", "b2 d8"), tie_break=tie_break))
        match.coins = [0, 8, 5]
        assert match.scores() == [8, 8, 8]
        assert match.winners() == winners
        match.coins = [0, 8, 6]  # the most points come first
        assert match.winners() == [2]


def test_v21_only_the_tied_are_compared() -> None:
    """Seat 0 has more from pawns and more pawns, but fewer points."""
    for tie_break in TIE_BREAK:
        match = ended(ordered(3, ("g1 b1 a8 b8", "a2", "a3"), tie_break=tie_break))
        match.coins = [0, 10, 10]
        assert match.scores() == [11, 12, 12]
        assert match.winners() == [1, 2]


def test_v21_an_x_counts_in_the_tie_break() -> None:
    match = ended(ordered(3, ("h1", "g2", "")))
    match.sunk = {"b1", "c1", "d1"}
    match.coins = [0, 2, 10]
    assert match.scores() == [10, 10, 10]
    assert match.winners() == [0]


def test_v21_still_tied_is_shared() -> None:
    for tie_break in TIE_BREAK:
        match = ended(ordered(4, ("g1", "g2", "c8"), tie_break=tie_break))
        match.coins = [1, 1, 9, 0]
        assert match.scores() == [9, 9, 9, 0]
        assert match.winners() == ([0, 1] if tie_break == "pawn_points" else [0, 1, 2])


def test_v22a_scores_at_any_time_winners_only_at_the_end() -> None:
    match = set_up()
    place(match, "g1")
    assert match.scores() == [21, 13, 13]
    assert match.winners() == []
    match = ordered(3, ("b4",), "red3")
    match.treasures[0]["red"] = 1
    assert match.scores()[0] == 13 + 3 + 1
    card(match, "red3")
    assert match.phase == "rescue"
    assert match.scores()[0] == 13 + 1  # a fallen pawn stands nowhere
    assert match.breakdown()[0]["pawns"] == {}
    assert match.winners() == []


def worked_example(x_scores: str = "count") -> Match:
    """Where the rulebooks show sums only, tiles that add up to them are filled in."""
    match = ordered(4, ("g1 h1 a7", "g6 f5 b7", "e1 c7 d7", "c5 e7"), x_scores=x_scores)
    drown_all_but(
        match, "black2 black6 black8 blackX violet2 violet4 violet7 green2 green8 azure2 red2 brown2"
    )
    match.treasures[0].update(violet=1, azure=2, green=1, brown=1)
    match.treasures[1].update(red=1, brown=1, violet=1, azure=2)
    match.treasures[2].update(black=1, red=1, violet=1, brown=1)
    match.treasures[3].update(violet=1, azure=3)
    match.coins = [1, 1, 8, 7]
    return ended(match)


def test_worked_example() -> None:
    match = worked_example()
    assert [len(match.above_water(color)) for color in COLORS] == [4, 1, 1, 1, 3, 2]
    blue, yellow, orange, white = match.breakdown()
    assert blue == {
        "treasures": {"black": 0, "brown": 6, "azure": 12, "red": 0, "violet": 2, "green": 3},
        "pawns": {"g1": 8, "h1": 8, "a7": 0},
        "coins": 1,
    }
    assert sorted(yellow["treasures"].values()) == [0, 0, 2, 6, 6, 12]
    assert sorted(yellow["pawns"].values()) == [0, 7, 8]
    assert sorted(orange["treasures"].values()) == [0, 0, 1, 2, 6, 6]
    assert sorted(white["treasures"].values()) == [0, 0, 0, 0, 2, 18]
    assert match.scores() == [40, 42, 29, 31]
    assert match.winners() == [1]


def test_worked_example_with_values() -> None:
    """Hobby World's wording: the X of black is worth 2 × (2 + 6 + 8)."""
    match = worked_example("values")
    assert match.scores() == [64, 42, 29, 31]
    assert match.winners() == [0]


def test_unknown_options() -> None:
    for players in [0, 1, 6]:
        with pytest.raises(ValueError, match="V5"):
            Match(1, players)
    with pytest.raises(ValueError, match="V9"):
        Match(1, 3, moves="knight")
    with pytest.raises(ValueError, match="V14"):
        Match(1, 3, rescue="platform")
    with pytest.raises(ValueError, match="V19"):
        Match(1, 3, x_scores="double")
    with pytest.raises(ValueError, match="V21"):
        Match(1, 3, tie_break="coins")


# Whole games


def choose(actions: list[Action], chooser: random.Random) -> Action:
    """First a kind, then one of it, so that purchases and sinking are not rare."""
    kinds = sorted({action["do"] for action in actions})
    kind = chooser.choice(kinds)
    return chooser.choice([action for action in actions if action["do"] == kind])


class Ledger:
    """What a game must still hold, kept from the actions alone."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.tiles = dict(match.tiles)
        self.all_cards = sorted([card for hand in match.hands for card in hand] + match.put_away)
        self.dealt = [list(hand) for hand in match.hands]
        self.put_away = list(match.put_away)
        self.coins_in_game = sum(match.coins)
        self.bought: Counter[str] = Counter()
        self.rode: Counter[int] = Counter()
        self.lost: Counter[int] = Counter()
        self.cards_played: list[list[Tile]] = [[] for _ in match.hands]

    def play(self, action: Action) -> None:
        match = self.match
        seat, turn = match.seat, match.turn
        if action["do"] == "buy":
            self.bought[self.tiles[action["at"]][0]] += 1
        if action["do"] in ["gondola", "rescue"]:
            self.rode[seat] += 1
        if action["do"] == "card":
            card = (action["color"], action["value"])
            self.cards_played[seat].append(card)
            assert seat == turn
            square = next(square for square in self.tiles if self.tiles[square] == card)
            self.coins_in_game -= match.coins_on.get(square, 0)
        match.play(action)
        for event in match.events:
            if event[0] == "lost":
                assert isinstance(event[1], int)
                self.lost[event[1]] += 1
        if match.phase == "rescue":
            assert match.turn == turn
        elif action["do"] in ["card", "rescue", "sink"] and not match.over:
            assert match.turn == match.seat == (turn + 1) % match.players

    def check(self) -> None:
        match = self.match
        assert match.tiles == self.tiles
        # coins
        assert sum(match.coins) + sum(match.coins_on.values()) == self.coins_in_game
        assert min(match.coins) >= 0
        for square, coins in match.coins_on.items():
            assert coins in [1, 3, 7, 15]
            assert square not in match.sunk
            assert self.tiles[square] != PLATFORM
        # treasures
        for color in COLORS:
            taken = sum(treasures[color] for treasures in match.treasures)
            assert taken == self.bought[color] <= 10
        # cards
        played = [card for cards in self.cards_played for card in cards]
        assert sorted(match.played) == sorted(played)
        held = [card for hand in match.hands for card in hand]
        assert sorted(held + played + match.put_away) == self.all_cards
        assert match.put_away == self.put_away
        assert {self.tiles[square] for square in match.sunk} == set(played)
        for seat, cards in enumerate(self.cards_played):
            assert sorted(cards + match.hands[seat]) == sorted(self.dealt[seat])
            order = ["345678X".index(value) for _, value in cards + match.hands[seat]]
            assert order == sorted(order)  # V12, V23
        # pawns and gondolas
        squares = [square for squares in match.pawns for square in squares]
        assert len(squares) == len(set(squares))
        assert not set(squares) & match.sunk
        for seat in range(match.players):
            assert match.gondolas[seat] == 2 - self.rode[seat] >= 0
            in_water = match.fallen is not None and match.fallen[0] == seat
            if match.phase != "setup":
                assert len(match.pawns[seat]) + in_water + self.lost[seat] == PAWNS[match.players]
        # scores
        for total, points in zip(match.scores(), match.breakdown(), strict=True):
            assert (
                total == sum(points["treasures"].values()) + sum(points["pawns"].values()) + points["coins"]
            )


def assert_listed_once_and_in_order(match: Match) -> None:
    kinds = ["place", "walk", "gondola", "buy", "card", "rescue", "sink"]

    def rank(action: Action) -> tuple[int, ...]:
        squares = [match.squares.index(action[name]) for name in ["from", "to", "at"] if name in action]
        colors = [COLORS.index(action["color"])] if "color" in action else []
        return (kinds.index(action["do"]), *squares, *colors)

    ranks = [rank(action) for action in match.legal()]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(("moves", "rescue", "x_scores", "tie_break"), OPTIONS)
def test_random_games_to_the_end(
    players: int, moves: str, rescue: str, x_scores: str, tie_break: str
) -> None:
    chooser = random.Random(f"{players} {moves} {rescue} {x_scores} {tie_break}")
    for seed in range(GAMES_PER_OPTION):
        match = Match(seed, players, moves, rescue, x_scores, tie_break)
        ledger = Ledger(match)
        ledger.check()
        while not match.over:
            actions = match.legal()
            assert 1 <= len(actions) <= 426
            assert match.winners() == []
            seat = match.seat
            ledger.play(choose(actions, chooser))
            ledger.check()
        assert match.seat == seat
        assert match.turn == players - 1
        assert match.legal() == []
        assert match.hands == [[]] * players
        assert len(match.sunk) == players * CARDS[players]
        left = [square for square in match.squares if square not in match.sunk]
        values = [match.tiles[square][1] for square in left if match.tiles[square] != PLATFORM]
        assert values.count("2") == (5 if players == 2 else 6)  # V2
        assert len(values) == {2: 10, 3: 12, 4: 12, 5: 13}[players]
        scores = match.scores()
        assert match.winners() != []
        assert all(scores[winner] == max(scores) for winner in match.winners())


def walks_by_looking_between(match: Match, start: str) -> set[str]:
    """V9 once more: for each end, the squares between it and the start."""
    standing = {square for squares in match.pawns for square in squares}
    free = set(match.squares) - standing - match.sunk
    if match.moves == "walk":
        region = {start}
        while True:
            wider = set(region)
            for square in free:
                near = {
                    other
                    for other in region
                    if abs(ord(other[0]) - ord(square[0])) + abs(int(other[1]) - int(square[1])) == 1
                }
                if near:
                    wider.add(square)
            if wider == region:
                return region - {start}
            region = wider
    reached = set()
    for end in free:
        across, along = ord(end[0]) - ord(start[0]), int(end[1]) - int(start[1])
        steps = max(abs(across), abs(along))
        straight = 0 in [across, along]
        diagonal = abs(across) == abs(along) and match.moves == "queen"
        if not straight and not diagonal:
            continue
        line = [
            chr(ord(start[0]) + across * step // steps) + str(int(start[1]) + along * step // steps)
            for step in range(1, steps + 1)
        ]
        if set(line) <= free:
            reached.add(end)
    return reached


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("players", PLAYERS)
def test_v9_v10_looked_at_from_the_other_end(players: int, moves: str) -> None:
    chooser = random.Random(9)
    match = Match(9, players, moves)
    while not match.over:
        assert_listed_once_and_in_order(match)
        if match.phase == "turn" and not match.moved and not match.bought:
            standing = {square for squares in match.pawns for square in squares}
            for start in match.pawns[match.seat]:
                expected = walks_by_looking_between(match, start)
                assert set(targets(match, "walk", start).split()) == expected
                if match.gondolas[match.seat] > 0:
                    everywhere = set(match.squares) - standing - match.sunk
                    assert set(targets(match, "gondola", start).split()) == everywhere
        match.play(choose(match.legal(), chooser))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_same_seed_and_actions_give_the_same_match(players: int) -> None:
    chooser = random.Random(8)
    one, two = Match(2**40 + 9, players), Match(2**40 + 9, players)
    while not one.over:
        action = choose(one.legal(), chooser)
        one.play(action)
        two.play(dict(action))
        assert everything(one) == everything(two)
    assert two.over
