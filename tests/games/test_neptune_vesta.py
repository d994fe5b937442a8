"""Neptune & Vesta, clause by clause. Every test is named after the clause it proves."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

import laguna
from tests.every import random_steps

ID = "neptune-vesta"
COLORS = ("red", "blue")
COLUMNS, ROWS = "abcde", "12345"
ROW_1 = [f"R{column}1" for column in COLUMNS]  # away from the centers
FILLER = [f"B{column}{row}" for row, columns in zip("13524", ("ace", "ab", "bd", "be", "ad"), strict=True)
          for column in columns]  # cells whose tiles complete no line  # fmt: skip


def tiles(text: str) -> list[tuple[str, int]]:
    """Tiles from words such as "r4 b10"."""
    return [({"r": "red", "b": "blue"}[word[0]], int(word[1:])) for word in text.split()]


def stage(
    cells: dict[str, tuple[str, int]],
    *,
    turn: int,
    hand: list[int],
    lighthouse: int = 0,
    fields: dict[str, Any] | None = None,
    **options: Any,
) -> laguna.Game:
    """A position of round 2 with these tiles; centers and tiles that make the counts possible are added."""
    board = dict(cells)
    used = Counter(board.values())
    used.update((COLORS[turn], value) for value in hand)
    other_hand: list[int] = []

    def spare(color: str) -> tuple[str, int]:
        values = [value for value in range(10, 0, -1) if used[color, value] < 3]
        tile = (color, min(values, key=lambda value: used[color, value]))
        used[tile] += 1
        return tile

    for zone, color in zip("RB", COLORS, strict=True):
        if f"{zone}c3" not in board:
            board[f"{zone}c3"] = spare(color)
    free = iter(cell for cell in FILLER if cell not in board)
    while (count := [sum(tile[0] == color for tile in board.values()) for color in COLORS])[0] != count[1]:
        board[next(free)] = spare(COLORS[0 if count[0] < count[1] else 1])
    while len(other_hand) < 3:
        other_hand.append(spare(COLORS[1 - turn])[1])
    hands = [hand, other_hand] if turn == 0 else [other_hand, hand]
    position: dict[str, Any] = {
        "options": options,
        "starter": turn,
        "turn": turn,
        "lighthouse": lighthouse,
        "board": board,
        "hands": dict(zip(COLORS, hands, strict=True)),
        "round": 1 if options.get("rounds") == 1 else 2,
    } | (fields or {})
    if position["round"] == 1:  # N6: the lower center starts
        low, high = sorted([position["board"]["Rc3"][1], position["board"]["Bc3"][1]])
        assert low < high
    return laguna.from_position(ID, position)


def complete(line: str, *, turn: int, **more: Any) -> tuple[int, dict[str, Any]]:
    """Play the last tile of a line into row 1 of the red zone; the lighthouse and the line's event."""
    *laid, last = tiles(line)
    assert last[0] == COLORS[turn]
    spare = [value for value in (1, 2, 3, 9, 10) if value != last[1]][:2]
    game = stage(dict(zip(ROW_1, laid, strict=False)), turn=turn, hand=[last[1], *spare], **more)
    entry = game.play(f"{last[1]}{ROW_1[4]}")
    (event,) = [event for event in entry.events if event.key == "line"]
    return game.view()["lighthouse"], dict(event.arguments)


# ------------------------------------------------------------------ components


def test_n1_two_zones_of_five_by_five_cells() -> None:
    game = laguna.new(ID, seed=1)
    cells = {action.value["at"] for action in game.legal()} | set(game.view()["board"])
    assert cells == {z + c + r for z, c, r in itertools.product("RB", COLUMNS, ROWS)}


def test_n1_a_line_is_a_row_or_a_column_inside_one_zone() -> None:
    """Five tiles in a row across both zones complete nothing; five down a column do."""
    across = dict(zip(["Rc2", "Rd2", "Re2", "Ba2"], tiles("r5 b5 r5 b5"), strict=True))
    assert stage(across, turn=0, hand=[5, 1, 2]).play("5Bb2").events == ()
    down = dict(zip(["Ra1", "Ra2", "Ra3", "Ra4"], tiles("r5 b5 r5 b6"), strict=True))
    (line, _) = stage(down, turn=0, hand=[6, 1, 2]).play("6Ra5").events
    assert line.arguments["line"] == "Ra"


def test_n2_thirty_tiles_each_three_of_every_value() -> None:
    position = laguna.new(ID, seed=2).position()
    for color in COLORS:
        board = [value for owner, value in position["board"].values() if owner == color]
        all_tiles = board + position["hands"][color] + position["stacks"][color]
        assert Counter(all_tiles) == dict.fromkeys(range(1, 11), 3)


def test_n3_the_track_is_signed_plus_for_red_minus_for_blue() -> None:
    assert complete("r4 r4 b1 b2 r9", turn=0)[0] == 1
    assert complete("b4 b4 r1 r2 b9", turn=1)[0] == -1


# ------------------------------------------------------------------ beginning a round


def test_n4_the_lighthouse_starts_on_0_with_whole_stacks() -> None:
    view = laguna.new(ID, seed=3).view()
    assert view["lighthouse"] == 0
    assert view["stack_sizes"] == [26, 26]


def test_n5_the_top_tiles_lie_on_the_centers() -> None:
    board = laguna.new(ID, seed=4).view()["board"]
    assert set(board) == {"Rc3", "Bc3"}
    assert board["Rc3"][0] == "red" and board["Bc3"][0] == "blue"


def test_n6_the_lower_center_starts_round_1() -> None:
    started = set()
    for seed in range(200):
        game = laguna.new(ID, seed=seed)
        red, blue = (game.view()["board"][cell][1] for cell in ("Rc3", "Bc3"))
        assert red != blue, "equal tiles are set aside"
        assert game.seat == (0 if red < blue else 1)
        started.add(game.seat)
    assert started == {0, 1}


def test_n6_tiles_set_aside_are_shuffled_back() -> None:
    """A tenth of all deals begin with a tie: all 30 tiles are still there, three of each value."""
    ties = 0
    for seed in range(300):
        game = laguna.new(ID, seed=seed)
        position = game.position()
        ties += position["chance"]["red"][3] > 1 + 15 + 29  # a second shuffle drew more words
        for color in COLORS:
            assert len(position["stacks"][color]) == 26
    assert 10 < ties < 60


def test_n6_if_all_thirty_pairs_are_equal_all_is_shuffled_again() -> None:
    """If both streams are the same, all pairs are equal; the engine shuffles again until they differ."""
    from laguna.games.neptune_vesta import rules
    from laguna.kernel.chance import seed_stream
    from laguna.kernel.records import blank

    s = blank(rules.STATE)
    for color in (0, 1):
        seed_stream(s.chance[color], 5, 0)
    rules.shuffle_stacks(s)
    assert (s.stack[0] == s.stack[1]).all()
    s.chance[1, 0] ^= 1  # from here on the streams differ
    starter = rules.turn_up_first_tiles(s)
    assert starter == (0 if s.stack[0, 29] < s.stack[1, 29] else 1)
    assert sorted(s.stack[0]) == sorted(s.stack[1]) == sorted(list(range(1, 11)) * 3)


def test_n6_later_rounds_start_with_the_other_player_without_comparing() -> None:
    equal_centers = 0
    for seed in range(40):
        game = laguna.new(ID, seed=seed)
        starters = [game.seat]
        for _ in random_steps(game, seed):
            if any(event.key == "round-start" for event in game.log[-1].events[1:]):
                starters.append(game.seat)
                centers = game.view()["board"]
                equal_centers += centers["Rc3"][1] == centers["Bc3"][1]
        assert len(starters) >= 2
        assert all(a != b for a, b in itertools.pairwise(starters))
    assert equal_centers > 0


def test_n6_the_other_player_starts_after_a_drawn_round_too() -> None:
    game = full_board_but_one(lighthouse=-1, rounds=3)
    before = game.view()["starter"]
    game.play("1Re1")
    view = game.view()
    assert view["wins"] == [0, 0] and view["round"] == 3
    assert view["starter"] == 1 - before == view["turn"]


def test_n7_each_player_draws_three_tiles() -> None:
    game = laguna.new(ID, seed=5)
    assert game.view()["hand_sizes"] == [3, 3]
    assert len(game.view(0)["hand"]) == len(game.view(1)["hand"]) == 3


# ------------------------------------------------------------------ a turn


def test_n8_place_one_of_three_tiles_on_any_free_cell_of_either_zone() -> None:
    game = laguna.new(ID, seed=6)
    seat = game.seat
    assert seat is not None
    hand, taken = set(game.view(seat)["hand"]), set(game.view()["board"])
    cells = [z + c + r for z, r, c in itertools.product("RB", ROWS, COLUMNS) if z + c + r not in taken]
    expected = [{"do": "place", "tile": tile, "at": at} for tile in sorted(hand) for at in cells]
    assert [action.value for action in game.legal()] == expected


def test_n8_a_tile_is_drawn_and_the_turn_passes() -> None:
    game = laguna.new(ID, seed=7)
    seat = game.seat
    assert seat is not None
    game.play(game.legal()[0])
    assert game.seat == 1 - seat
    assert len(game.view(seat)["hand"]) == 3
    assert game.view()["stack_sizes"][seat] == 25


def test_n8_nothing_is_drawn_after_the_tile_that_ends_the_round() -> None:
    game = stage(dict(zip(ROW_1, tiles("r4 r4 r4 b4"), strict=False)), turn=1, hand=[4, 1, 2], lighthouse=5,
                 rounds=3, fields={"wins": [1, 0]})  # fmt: skip
    game.play("4Re1")
    assert game.over
    assert game.view()["hand_sizes"] == [3, 2]


@pytest.mark.parametrize(
    ("action", "key"),
    [
        ("9Ra1", "not-in-hand"),
        ({"do": "place", "tile": 5, "at": "Rc3"}, "cell-taken"),
        ("5Rb1", "cell-taken"),
    ],
)
def test_n8_refusals_name_the_clause_and_what_may_be_done(action: Any, key: str) -> None:
    game = stage({"Rb1": ("blue", 3)}, turn=0, hand=[5, 6, 7])
    before = game.state_bytes()
    with pytest.raises(laguna.IllegalAction) as refused:
        game.play(action)
    error = refused.value
    assert (error.clause, error.key) == ("N8", key)
    assert "5, 6 or 7" in str(error) and "free cells" in str(error)
    assert game.state_bytes() == before


@pytest.mark.parametrize("reds", [0, 1, 2, 3, 4, 5])
def test_n9_the_points_go_to_the_color_with_more_tiles_whoever_placed_the_last(reds: int) -> None:
    values = ["4", "4", "1", "2", "9"]
    colors = "r" * reds + "b" * (5 - reds)
    for last in set(colors):
        order = colors.replace(last, "", 1) + last
        line = " ".join(color + value for color, value in zip(order, values, strict=True))
        _, event = complete(line, turn="rb".index(last))
        assert event["seat"] == (0 if reds >= 3 else 1)
        assert event["receiver_clause"] == "N9"


@pytest.mark.parametrize(
    ("line", "receiver", "points"),
    [
        ("r4 b4 r1 b2 r9", 0, 1),
        ("r2 r2 b8 b8 r5", 0, 2),
        ("b6 b6 r6 b1 b2", 1, 3),
        ("b1 b2 b3 b4 b5", 1, 3),
        ("r7 r7 b7 b5 r5", 0, 4),
        ("b1 b1 r1 r1 b9", 1, 6),
        ("r4 r4 b4 b4 r4", 0, 10),
        ("b1 r2 b3 r4 b5", 1, -3),
        ("r4 r4 r4 r5 r5", 0, 7),
        ("r4 r4 r5 r5 r6", 0, 5),
    ],
)
def test_n10_combinations_of_the_worked_examples(line: str, receiver: int, points: int) -> None:
    lighthouse, event = complete(line, turn="rb".index(line.split()[4][0]))
    assert (event["line"], event["seat"], event["points"]) == ("R1", receiver, points)
    if points != 10:
        assert lighthouse == (points if receiver == 0 else -points)


def test_n11_points_pull_toward_the_receiver_and_negative_ones_push_away() -> None:
    assert complete("r4 b4 r1 b2 r9", turn=0, lighthouse=-3)[0] == -2
    assert complete("r1 b2 r3 b4 r5", turn=0, lighthouse=2)[0] == -1
    assert complete("b1 r2 b3 r4 b5", turn=1, lighthouse=2)[0] == 5


def test_n11_the_lighthouse_stops_on_10_and_the_rest_is_lost() -> None:
    wins = {"wins": [1, 0]}
    assert complete("r4 r4 b4 b4 r4", turn=0, lighthouse=5, fields=wins)[0] == 10


def corner(lighthouse: int, row: str, column: str, tile: str, **more: Any) -> laguna.Game:
    """Four tiles in row 1 and four in column e of the red zone; `tile` may go to their corner Re1."""
    cells = dict(zip(["Ra1", "Rb1", "Rc1", "Rd1"], tiles(row), strict=True))
    cells |= dict(zip(["Re2", "Re3", "Re4", "Re5"], tiles(column), strict=True))
    ((color, value),) = tiles(tile)
    return stage(cells, turn=COLORS.index(color), hand=[value, 9, 10], lighthouse=lighthouse, **more)


def test_n12_row_and_column_score_each_to_its_receiver() -> None:
    game = corner(0, "r5 r5 r1 b2", "b6 b6 b7 b1", "b3")
    entry = game.play("3Re1")
    lines = [(e.arguments["line"], e.arguments["seat"], e.arguments["points"]) for e in entry.events[:2]]
    assert lines == [("R1", 0, 1), ("Re", 1, 4)]
    assert game.view()["lighthouse"] == -3


def test_n12_the_two_movements_are_added_before_the_lighthouse_counts() -> None:
    """+3 from 8 would reach 10, but -4 comes with it: the round goes on."""
    game = corner(8, "r5 r5 r5 b2", "b6 b6 b7 b1", "b3")
    game.play("3Re1")
    assert game.view()["lighthouse"] == 7 and game.view()["round"] == 2


def test_n13_tiles_stay_on_the_board() -> None:
    game = corner(0, "r5 r5 r1 b2", "b6 b6 b7 b1", "b3")
    before = game.view()["board"]
    game.play("3Re1")
    assert game.view()["board"] == before | {"Re1": ["blue", 3]}


# ------------------------------------------------------------------ ends


def test_n14_reaching_10_wins_the_round_at_once() -> None:
    game = stage(dict(zip(ROW_1, tiles("r4 r4 r4 b1"), strict=False)), turn=0, hand=[2, 9, 10], lighthouse=7)
    entry = game.play("2Re1")
    assert entry.events[2].clause == "N14" and entry.events[2].arguments == {"seat": 0, "round": 2}
    assert game.scores == [1, 0]


def test_n14_even_if_the_opponents_minus_3_pushed_it_there() -> None:
    game = stage(dict(zip(ROW_1, tiles("b1 b2 b3 r4"), strict=False)), turn=1, hand=[5, 9, 10], lighthouse=8)
    game.play("5Re1")
    assert game.scores == [1, 0]


def full_board_but_one(lighthouse: int, rounds: int) -> laguna.Game:
    """49 tiles, Re1 free for blue's 1, which makes +2 for red in row 1 and +1 for blue in column e."""
    board: dict[str, tuple[str, int]] = {}
    cells = [z + c + r for z, r, c in itertools.product("RB", ROWS, COLUMNS) if z + c + r != "Re1"]
    fixed = dict(zip(["Ra1", "Rb1", "Rc1", "Rd1"], tiles("r1 r2 r2 b4"), strict=True))
    fixed |= dict(zip(["Re2", "Re3", "Re4", "Re5"], tiles("b5 r6 b7 r7"), strict=True))
    fixed |= {"Rc3": ("red", 8), "Bc3": ("blue", 9)}
    left = Counter({(color, value): 3 for color in COLORS for value in range(1, 11)})
    left.subtract(fixed.values())
    left["blue", 1] -= 1
    counts = Counter(color for color, _ in fixed.values())
    for cell in cells:
        if cell in fixed:
            board[cell] = fixed[cell]
            continue
        color = "red" if counts["red"] < 25 else "blue"
        value = max(range(1, 11), key=lambda value: left[color, value])
        left[color, value] -= 1
        counts[color] += 1
        board[cell] = (color, value)
    assert counts == {"red": 25, "blue": 24}
    hands = {}
    for color, fixed_hand in (("red", []), ("blue", [1])):
        hands[color] = list(fixed_hand)
        while len(hands[color]) < 3:
            value = max(range(1, 11), key=lambda value: left[color, value])
            left[color, value] -= 1
            hands[color].append(value)
    position = {
        "options": {"rounds": rounds},
        "round": 1 if rounds == 1 else 2,
        "starter": 0,
        "turn": 1,
        "lighthouse": lighthouse,
        "board": board,
        "hands": hands,
    }
    return laguna.from_position(ID, position)


@pytest.mark.parametrize("rounds", [1, 3])
def test_n14_comes_before_n15_when_the_last_tile_brings_the_lighthouse_to_10(rounds: int) -> None:
    game = full_board_but_one(lighthouse=9, rounds=rounds)
    entry = game.play("1Re1")
    (end,) = [event for event in entry.events if event.key.startswith("round-") and event.clause != "N6"]
    assert (end.clause, end.key) == ("N14", "round-lighthouse")
    assert end.sentence.endswith("the lighthouse has reached 10.") and game.scores == [1, 0]


@pytest.mark.parametrize(("lighthouse", "winner"), [(3, 0), (-4, 1)])
def test_n15_on_a_full_board_the_side_of_the_lighthouse_wins(lighthouse: int, winner: int) -> None:
    game = full_board_but_one(lighthouse, rounds=1)
    entry = game.play("1Re1")
    assert game.over and game.winners == [winner]
    assert entry.events[-1].clause == "N15"
    assert len(game.view()["board"]) == 50


def test_n15_on_0_own_tiles_in_ones_own_zone_decide_and_are_always_equal() -> None:
    """25 tiles of each color: reds in the red zone = 25 - blues there = blues in the blue zone."""
    game = full_board_but_one(lighthouse=-1, rounds=1)
    entry = game.play("1Re1")
    assert game.view()["lighthouse"] == 0
    assert entry.events[-1].key == "round-draw"
    board = game.view()["board"]
    own = [sum(at[0] == zone and tile[0] == color for at, tile in board.items())
           for zone, color in zip("RB", COLORS, strict=True)]  # fmt: skip
    assert own[0] == own[1]


def test_n15_the_comparison_itself() -> None:
    """The clause is kept although play cannot reach it: a board with 13 and 12 own tiles."""
    from laguna.games.neptune_vesta import rules
    from laguna.kernel.records import blank

    s = blank(rules.STATE)
    s.board[:25], s.board[25:] = 17, 1
    s.board[:13] = 1
    s.board[25:37] = 17
    assert rules.winner_on_full_board(s) == 0
    s.board[25:40] = 17
    assert rules.winner_on_full_board(s) == 1
    s.board[25:] = 1
    s.board[25:38] = 17
    assert rules.winner_on_full_board(s) == -1


def test_n15_every_draw_in_random_games_has_equal_counts() -> None:
    draws = 0
    for seed in range(200):
        game = laguna.new(ID, seed=seed, rounds=1)
        for _ in random_steps(game, seed):
            pass
        if game.view()["lighthouse"] == 0:
            draws += 1
            assert game.winners == [0, 1]
    assert draws > 0


def won(wins: list[int], round_number: int) -> laguna.Game:
    """Vesta is about to win the round."""
    fields = {"wins": wins, "round": round_number}
    line = dict(zip(ROW_1, tiles("r4 r4 r4 b1"), strict=False))
    game = stage(line, turn=0, hand=[2, 9, 10], lighthouse=9, fields=fields)
    game.play("2Re1")
    return game


def test_n16_two_wins_end_the_match_and_the_last_board_stays() -> None:
    game = won([1, 0], 2)
    assert game.over and game.scores == [2, 0]
    assert game.view()["board"]["Re1"] == ["red", 2]
    assert game.legal() == []


def test_n16_otherwise_the_next_round_is_set_up_at_once() -> None:
    game = won([0, 1], 2)
    view = game.view()
    assert not game.over and view["round"] == 3 and view["lighthouse"] == 0
    assert set(view["board"]) == {"Rc3", "Bc3"}
    assert view["hand_sizes"] == [3, 3] and view["stack_sizes"] == [26, 26]


def test_n16_at_most_three_rounds() -> None:
    game = won([0, 0], 3)
    assert game.over and game.scores == [1, 0]


@pytest.mark.parametrize(("wins", "winners"), [([1, 0], [0]), ([0, 0], [0]), ([0, 1], [0, 1])])
def test_n17_more_round_wins_wins_and_equal_wins_are_shared(wins: list[int], winners: list[int]) -> None:
    game = won(wins, 3)
    assert game.over and game.winners == winners


def test_n17_there_are_no_winners_before_the_end() -> None:
    assert won([0, 0], 2).winners == []


@pytest.mark.parametrize("wins", [[0, 0], [1, 0], [0, 1]])
def test_n17_bots_still_care_after_a_won_round(wins: list[int]) -> None:
    """Whoever leads, the lighthouse makes a clear difference, the same for both seats."""
    from laguna.games.neptune_vesta import evaluation

    def looks(lighthouse: int, seat: int = 0) -> float:
        game = stage({}, turn=0, hand=[1, 2, 3], lighthouse=lighthouse, rounds=3, fields={"wins": wins})
        return float(evaluation.evaluate(game.state, seat))

    assert looks(4) - looks(-4) > 0.2 * evaluation.SCALE
    assert looks(4, seat=1) == pytest.approx(-looks(4))


def test_n17_to_bots_a_won_match_is_worth_more_than_any_prospect() -> None:
    from laguna.games.neptune_vesta import evaluation

    game = laguna.new("neptune-vesta", seed=1, rounds=1)
    while not game.over:
        assert abs(evaluation.evaluate(game.state, 0)) < evaluation.WIN
        game.play(game.legal()[0])
    (winner,) = game.winners
    assert (
        evaluation.evaluate(game.state, winner)
        == evaluation.WIN
        == -evaluation.evaluate(game.state, 1 - winner)
    )


def test_n18_rounds_is_3_or_1() -> None:
    assert laguna.new(ID).options["rounds"] == 3
    game = laguna.new(ID, seed=8, rounds=1)
    while not game.over:
        game.play(game.legal()[0])
    assert game.view()["round"] == 1
    with pytest.raises(laguna.BadOption) as refused:
        laguna.new(ID, rounds=2)
    assert refused.value.clause == "N18"


@pytest.mark.parametrize(
    ("line_to", "line", "receiver"),
    [
        ("highest", "b9 r4 r4 b1 r2", 1),
        ("highest", "r9 b4 b4 r1 b2", 0),
        ("highest", "r9 b9 b4 r1 b2", 1),
        ("highest", "b9 r9 r4 b9 r2", 0),
        ("highest", "b9 r9 b4 r10 b1", 0),
        ("sum", "b9 b10 r1 r1 r2", 1),
        ("sum", "r9 r8 b4 b4 b2", 0),
        ("sum", "r3 r3 b1 b1 b4", 1),
        ("sum", "b3 b3 r1 r1 r4", 0),
    ],
)
def test_n19_variants_choose_the_receiver_and_ties_go_to_the_majority(
    line_to: str, line: str, receiver: int
) -> None:
    _, event = complete(line, turn="rb".index(line.split()[4][0]), line_to=line_to)
    assert (event["seat"], event["receiver_clause"]) == (receiver, "N19")


def test_n19_the_receiver_takes_minus_3_as_well() -> None:
    lighthouse, event = complete("b9 r1 r2 b3 r4", turn=0, line_to="highest")
    assert (event["seat"], event["points"], lighthouse) == (1, -3, 3)


# ------------------------------------------------------------------ who knows what


def test_n20_a_seat_sees_its_own_hand_and_only_sizes_of_the_rest() -> None:
    game = laguna.new(ID, seed=9)
    hands = game.position()["hands"]
    for seat, color in enumerate(COLORS):
        view = game.view(seat)
        assert view["hand"] == hands[color]
        assert not {"hands", "stacks", "stack", "chance", "seed"} & set(view)
    assert game.view(None)["hand"] is None


def test_n20_unseen_values_can_be_counted() -> None:
    game = stage(dict(zip(ROW_1, tiles("r4 r4 b4"), strict=False)), turn=0, hand=[4, 9, 10])
    unseen = game.view(0)["unseen"]
    assert unseen["red"][3] == 0 and unseen["blue"][3] == 2
    assert game.view(1)["unseen"]["red"][3] == 1
    assert game.view(None)["unseen"]["red"][3] == 1


def test_n20_redeal_is_uniform_over_all_that_is_possible() -> None:
    """Near the end 10 hands × 2 × 2 orders of blue's and red's stacks are possible, all equally likely."""
    game = full_board_but_one(lighthouse=2, rounds=1)
    position = game.position()
    hidden = sorted(position["hands"]["red"] + position["stacks"]["red"])
    own = position["stacks"]["blue"]
    possible = {
        (tuple(sorted(order[:3])), order[3:], mine)
        for order in itertools.permutations(hidden)
        for mine in itertools.permutations(own)
    }
    weight = Counter(
        (tuple(sorted(order[:3])), order[3:], mine)
        for order in itertools.permutations(hidden)
        for mine in itertools.permutations(own)
    )
    draws = 60 * len(possible)
    seen: Counter[Any] = Counter()
    for seed in range(draws):
        dealt = game.imagine(1, seed).position()
        seen[tuple(dealt["hands"]["red"]), tuple(dealt["stacks"]["red"]), tuple(dealt["stacks"]["blue"])] += 1
    assert set(seen) == possible
    expected = {world: draws * weight[world] / weight.total() for world in possible}
    chi_square = sum((seen[world] - expected[world]) ** 2 / expected[world] for world in possible)
    freedom = len(possible) - 1
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5


def test_n20_nothing_hidden_is_shown_at_the_end_of_a_round() -> None:
    game = won([0, 1], 2)
    for entry in game.log_for(1):
        assert set(entry) == {"number", "seat", "action", "events"}
        for event in entry["events"]:
            assert not {"hand", "hands", "stack", "stacks"} & set(event["arguments"])


def test_n8_a_tile_that_was_drawn_is_no_longer_in_the_stack() -> None:
    """Equal games are equal bytes: nothing is left where it lay."""
    game = laguna.new(ID, seed=3)
    for _ in random_steps(game, 3):
        for color in (0, 1):
            stack, size = game.state.stack[color], int(game.state.stack_size[color])
            assert stack[:size].all() and not stack[size:].any()


def test_n10_the_view_shows_what_each_line_counts_as_it_stands() -> None:
    game = stage({"Ra1": ("red", 4), "Rb1": ("blue", 4), "Rc1": ("red", 7)}, turn=0, hand=[1, 2, 4])
    lines = game.view()["lines"]
    assert lines["R1"] == {"points": 1, "seat": None}
    assert lines["Rc"] == {"points": -3, "seat": None}, "five of one color are not expected"
    assert set(lines) == {line for at in game.view()["board"] for line in (at[:2], at[0] + at[2])}


@pytest.mark.parametrize("line_to", ["majority", "highest", "sum"])
def test_n9_n19_a_complete_line_shows_what_it_counted_and_for_whom(line_to: str) -> None:
    game, chance, told = laguna.new(ID, seed=5, rounds=1, line_to=line_to), random.Random(5), {}
    while not game.over:
        for event in game.play(chance.choice(game.legal())).events:
            if event.key == "line":
                told[event.arguments["line"]] = {name: event.arguments[name] for name in ("points", "seat")}
        lines = game.view()["lines"]
        assert {name: line for name, line in lines.items() if line["seat"] is not None} == told
    assert told
