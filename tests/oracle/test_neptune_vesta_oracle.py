"""The naive referee of Neptune & Vesta against the spec, by itself."""

import itertools
import random
from collections import Counter

import pytest

from .chance import WORD, Stream
from .neptune_vesta import (
    ALL_TILES,
    BLUE,
    CELLS,
    CENTERS,
    LINE_TO,
    RED,
    ROUNDS,
    Action,
    Match,
    Tile,
    combinations_add_up,
    larger_sum,
    lines_through,
    majority,
    owner_of_highest,
    receiver,
)

GAMES_PER_OPTION = 300
OPTIONS = list(itertools.product(ROUNDS, LINE_TO))


def tiles(text: str) -> list[Tile]:
    """Tiles from a line of text such as "r4 r4 b1"."""
    return [("rb".index(word[0]), int(word[1:])) for word in text.split()]


def lay(match: Match, cells: str, text: str) -> None:
    """Put tiles on cells, both given in the same order."""
    match.board.update(zip(cells.split(), tiles(text), strict=True))


def bare(line_to: str = "majority", lighthouse: int = 0, seat: int = RED) -> Match:
    """A match with an empty board, ready for a position made by hand."""
    match = Match(seed=1, line_to=line_to)
    match.board = {}
    match.lighthouse = lighthouse
    match.seat = seat
    return match


def place(match: Match, value: int, cell: str) -> None:
    """Place a tile of the player to move, who is handed it first."""
    match.hands[match.seat] = [value, value, value]
    match.play({"do": "place", "tile": value, "at": cell})


def fill_but_ba1(match: Match) -> None:
    """49 cells; any 10 on Ba1 gives blue +1 in its row, red +1 in its column.

    With that last tile 25 tiles of each color are on the board.
    """
    match.board = {}
    lay(match, "Bb1 Bc1 Bd1 Be1", "b1 b1 b2 r3")
    lay(match, "Ba2 Ba3 Ba4 Ba5", "r1 r1 r2 b3")
    last = match.seat
    rest = [last] * 20 + [1 - last] * 21
    for cell in CELLS:
        if cell not in match.board and cell != "Ba1":
            match.board[cell] = (rest.pop(), 5)


def finish_round(match: Match, winner: int | None) -> None:
    """End the running round with one tile, as it is wished."""
    if winner is None:
        match.lighthouse = 0
        fill_but_ba1(match)
        place(match, 10, "Ba1")
    else:
        match.board = {}
        match.lighthouse = [9, -9][winner]
        lay(match, "Ra1 Rb1 Rc1 Rd1", ["r1 r1 r2 r3", "b1 b1 b2 b3"][winner])
        place(match, 10, "Re1")
    assert match.events[-1] == ("round", winner, "N15" if winner is None else "N14")


def everything(match: Match) -> str:
    """All that a match holds, as text to compare."""
    return repr((vars(match), [vars(stream) for stream in match.streams]))


def turned_up(seed: int) -> list[list[int]]:
    """Both shuffled stacks of round 1, the tile turned up first in front."""
    stacks = []
    for number in [0, 1]:
        stack = list(ALL_TILES)
        Stream(seed, number).shuffle(stack)
        stacks.append(stack[::-1])
    return stacks


def seed_with_ties(wanted: int) -> int:
    """The first seed whose round 1 begins with exactly that many equal pairs."""
    for seed in itertools.count():
        red, blue = turned_up(seed)
        ties = 0
        while red[ties] == blue[ties]:
            ties += 1
        if ties == wanted:
            return seed
    raise AssertionError("unreachable: the seeds never end")


def assert_tiles_conserved(match: Match) -> None:
    for seat in [RED, BLUE]:
        laid = [value for color, value in match.board.values() if color == seat]
        seen = laid + match.hands[seat] + match.stacks[seat]
        assert sorted(seen) == ALL_TILES


# Chance


def test_stream_words() -> None:
    """The words were made by a C program of the same generator."""
    first = Stream(0x123456789ABCDEF0, 0)
    second = Stream(0x123456789ABCDEF0, 1)
    assert [first.step() for _ in range(4)] == [
        2118023650,
        97344594,
        775321526,
        3043567720,
    ]
    assert [second.step() for _ in range(4)] == [
        1932964220,
        4031104141,
        2078158293,
        4036828234,
    ]


def test_stream_draw_is_uniform() -> None:
    stream = Stream(5, 0)
    counts = Counter(stream.draw(6) for _ in range(60_000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert all(9_500 < count < 10_500 for count in counts.values())


def test_stream_draw_rejects_words_that_would_be_unfair() -> None:
    n = 3 * 2**30  # a quarter of all words must be rejected
    stream, words = Stream(7, 0), Stream(7, 0)
    rejected = 0
    for _ in range(400):
        m = words.step() * n
        while m % WORD < 2**30:
            rejected += 1
            m = words.step() * n
        assert stream.draw(n) == m // WORD
    assert rejected > 50
    assert vars(stream) == vars(words)


def test_stream_shuffle_swaps_from_the_last_down() -> None:
    stream, draws = Stream(3, 0), Stream(3, 0)
    things, expected = ["w", "x", "y", "z"], ["w", "x", "y", "z"]
    stream.shuffle(things)
    for last in [3, 2, 1]:
        other = draws.draw(last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    assert things == expected
    assert vars(stream) == vars(draws)


def test_stream_shuffle_is_uniform() -> None:
    stream = Stream(4, 1)
    counts: Counter[str] = Counter()
    for _ in range(6_000):
        things = ["x", "y", "z"]
        stream.shuffle(things)
        counts["".join(things)] += 1
    assert len(counts) == 6
    assert all(850 < count < 1_150 for count in counts.values())


# Components and setup


def test_n1_twenty_lines_of_five() -> None:
    lines = {name: cells for cell in CELLS for name, cells in lines_through(cell)}
    assert len(CELLS) == len(set(CELLS)) == 50
    assert len(lines) == 20
    assert all(len(set(cells) & set(CELLS)) == 5 for cells in lines.values())
    assert lines["R3"] == ["Ra3", "Rb3", "Rc3", "Rd3", "Re3"]
    assert lines["Bc"] == ["Bc1", "Bc2", "Bc3", "Bc4", "Bc5"]


def test_n2_three_of_each_value() -> None:
    assert Counter(ALL_TILES) == dict.fromkeys(range(1, 11), 3)


@pytest.mark.parametrize("seed", range(100))
def test_n4_to_n7_setup(seed: int) -> None:
    match = Match(seed)
    red, blue = match.board["Rc3"], match.board["Bc3"]
    assert match.lighthouse == 0
    assert len(match.board) == 2
    assert (red[0], blue[0]) == (RED, BLUE)
    assert red[1] != blue[1]
    assert match.starter == match.seat == (RED if red[1] < blue[1] else BLUE)
    assert [len(stack) for stack in match.stacks] == [26, 26]
    assert [len(hand) for hand in match.hands] == [3, 3]
    assert match.hands == [sorted(hand) for hand in match.hands]
    assert (match.round_number, match.wins, match.over) == (1, [0, 0], False)
    assert match.events == []
    assert match.winners() == []
    assert_tiles_conserved(match)


def test_n6_without_a_tie_nothing_is_shuffled_again() -> None:
    seed = seed_with_ties(0)
    match = Match(seed)
    for seat, stack in enumerate(turned_up(seed)):
        assert match.board[CENTERS[seat]] == (seat, stack[0])
        assert match.hands[seat] == sorted(stack[1:4])
        assert match.stacks[seat] == stack[4:][::-1]


@pytest.mark.parametrize("ties", [1, 2, 3])
def test_n6_equal_tiles_are_shuffled_back(ties: int) -> None:
    seed = seed_with_ties(ties)
    match = Match(seed)
    for seat in [RED, BLUE]:
        stream = Stream(seed, seat)
        stack = list(ALL_TILES)
        stream.shuffle(stack)
        aside = [stack.pop() for _ in range(ties)]
        deciding = stack.pop()
        stack += aside
        stream.shuffle(stack)
        hand = [stack.pop() for _ in range(3)]
        assert match.board[CENTERS[seat]] == (seat, deciding)
        assert match.hands[seat] == sorted(hand)
        assert match.stacks[seat] == stack
    lower = min([RED, BLUE], key=lambda seat: match.board[CENTERS[seat]][1])
    assert match.starter == match.seat == lower
    assert len(match.board) == 2
    assert_tiles_conserved(match)


def test_n6_all_pairs_equal_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first two shuffles are made to do nothing: two stacks in the same order."""
    seed = seed_with_ties(0)
    stacks = turned_up(seed)
    shuffle = Stream.shuffle
    calls = 0

    def late_shuffle(stream: Stream, things: list[int]) -> None:
        nonlocal calls
        calls += 1
        if calls > 2:
            shuffle(stream, things)

    monkeypatch.setattr(Stream, "shuffle", late_shuffle)
    match = Match(seed)
    assert calls == 4
    for seat, stack in enumerate(stacks):
        assert match.board[CENTERS[seat]] == (seat, stack[0])
        assert match.hands[seat] == sorted(stack[1:4])
        assert match.stacks[seat] == stack[4:][::-1]
    assert_tiles_conserved(match)


def test_n6_later_rounds_start_in_turn() -> None:
    for seed in range(20):
        match = Match(seed)
        first = match.starter
        finish_round(match, None)
        assert (match.round_number, match.starter, match.seat) == (
            2,
            1 - first,
            1 - first,
        )
        finish_round(match, RED)
        assert (match.round_number, match.starter, match.seat) == (3, first, first)


def test_n6_later_rounds_keep_equal_centers() -> None:
    for seed in itertools.count():
        match = Match(seed)
        finish_round(match, RED)
        assert len(match.board) == 2
        assert [len(stack) for stack in match.stacks] == [26, 26]
        if match.board["Rc3"][1] == match.board["Bc3"][1]:
            break


def test_n4_later_rounds_use_the_same_streams() -> None:
    seed = seed_with_ties(0)
    match = Match(seed)
    finish_round(match, RED)
    for seat in [RED, BLUE]:
        stream = Stream(seed, seat)
        stream.shuffle(list(ALL_TILES))
        stack = list(ALL_TILES)
        stream.shuffle(stack)
        assert match.board[CENTERS[seat]] == (seat, stack[-1])
        assert match.hands[seat] == sorted(stack[-4:-1])
        assert match.stacks[seat] == stack[:-4]


# Turn


def test_actions_are_listed_by_value_zone_row_column() -> None:
    match = Match(seed=1)
    match.seat = RED
    match.hands[RED] = [2, 7, 7]
    actions = match.legal()
    free = [cell for cell in CELLS if cell not in CENTERS]
    assert actions[0] == {"do": "place", "tile": 2, "at": "Ra1"}
    assert actions[1] == {"do": "place", "tile": 2, "at": "Rb1"}
    assert actions[5] == {"do": "place", "tile": 2, "at": "Ra2"}
    assert [action["at"] for action in actions] == free + free
    assert [action["tile"] for action in actions] == [2] * 48 + [7] * 48
    match.hands[RED] = [2, 7, 8]
    assert len(match.legal()) == 144


def test_n8_place_then_draw() -> None:
    match = Match(seed=1)
    seat = match.seat
    value, *kept = match.hands[seat]
    top = match.stacks[seat][-1]
    match.play({"do": "place", "tile": value, "at": "Ba1"})
    assert match.board["Ba1"] == (seat, value)
    assert match.hands[seat] == sorted([*kept, top])
    assert len(match.stacks[seat]) == 25
    assert match.seat == 1 - seat
    assert match.events == []


def test_n8_what_is_not_legal_changes_nothing() -> None:
    match = Match(seed=1)
    mine = match.hands[match.seat]
    not_mine = next(value for value in range(1, 11) if value not in mine)
    before = everything(match)
    wrong: list[Action] = [
        {"do": "place", "tile": not_mine, "at": "Ra1"},
        {"do": "place", "tile": mine[0], "at": "Rc3"},
        {"do": "place", "tile": mine[0], "at": "Ra6"},
        {"do": "place", "tile": mine[0], "at": "Ca1"},
        {"do": "draw", "tile": mine[0], "at": "Ra1"},
        {"do": "place", "tile": mine[0]},
        {"do": "place", "tile": mine[0], "at": "Ra1", "for": "blue"},
        {},
    ]
    for action in wrong:
        with pytest.raises(ValueError, match="N8"):
            match.play(action)
        assert everything(match) == before


def test_n8_nothing_is_drawn_after_the_tile_that_ends_the_round() -> None:
    match = Match(seed=1, rounds=1)
    seat = match.seat
    stacks = [list(stack) for stack in match.stacks]
    finish_round(match, RED)
    assert match.stacks == stacks
    assert len(match.hands[seat]) == 2
    assert len(match.hands[1 - seat]) == 3


WORKED_EXAMPLES = [
    # The rulebook's own; where it shows no other values they are filled in.
    ("r4 r4 r1 b2 b8", RED, 1),
    ("r4 r1 r2 b4 b8", RED, 1),
    ("r2 r2 r5 b8 b8", RED, 2),
    ("r2 r8 r5 b2 b8", RED, 2),
    ("r6 b6 b6 b1 b2", BLUE, 3),
    ("r5 b6 b6 b6 b2", BLUE, 3),
    ("b1 b2 b4 b5 b7", BLUE, 3),
    ("r7 r7 r7 b5 b5", RED, 4),
    ("r7 r5 r7 b5 b7", RED, 4),
    ("b1 b1 b8 r1 r1", BLUE, 6),
    ("b1 b1 b1 r1 r4", BLUE, 6),
    ("r4 r4 r4 b4 b4", RED, 10),
    ("b1 b2 b4 r5 r8", BLUE, -3),
]


@pytest.mark.parametrize(("text", "seat", "points"), WORKED_EXAMPLES)
def test_worked_examples(text: str, seat: int, points: int) -> None:
    for order in itertools.permutations(tiles(text)):
        line = list(order)
        assert combinations_add_up(line) == points
        assert majority(line) == seat
        assert receiver(line, "majority") == seat


@pytest.mark.parametrize(("text", "seat", "points"), WORKED_EXAMPLES)
@pytest.mark.parametrize("name", ["R3", "Rc", "B1", "Be"])
def test_worked_examples_are_played(text: str, seat: int, points: int, name: str) -> None:
    cells = next(cells for cell in CELLS for each, cells in lines_through(cell) if each == name)
    for last in range(5):
        line = tiles(text)
        match = bare()
        match.board = dict(zip(cells, line, strict=True))
        color, value = match.board.pop(cells[last])
        match.seat = color
        place(match, value, cells[last])
        assert match.events[0] == ("line", name, seat, points)
        if points == 10:
            assert match.events[1:] == [("round", seat, "N14")]
        else:
            assert match.events[1:] == []
            assert match.lighthouse == (points if seat == RED else -points)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("r7 r7 r7 r5 r5", 7),
        ("r7 r7 r5 r5 r1", 5),
        ("b7 b7 b7 b5 b1", 6),
        ("b7 b7 b4 b5 b1", 4),
        ("r1 r2 r3 r4 r5", 3),
        ("r1 r2 r3 r4 b5", -3),
    ],
)
def test_n10_one_color_adds_up(text: str, points: int) -> None:
    assert combinations_add_up(tiles(text)) == points


def test_n9_receiver_does_not_depend_on_who_placed_last() -> None:
    match = bare(seat=BLUE)
    lay(match, "Ba2 Bb2 Bc2 Bd2", "r4 r4 r1 b2")
    place(match, 9, "Be2")
    assert match.events == [("line", "B2", RED, 1)]
    assert match.lighthouse == 1


def test_n9_four_tiles_are_no_line() -> None:
    match = bare()
    lay(match, "Ba2 Bb2 Bc2 Re2", "r4 r4 r4 r4")
    place(match, 4, "Bd2")
    assert match.events == []
    assert match.lighthouse == 0


@pytest.mark.parametrize(
    ("seat", "before", "text", "points", "after"),
    [
        (RED, -2, "r1 r1 r1 r2", 3, 1),
        (RED, 2, "r1 r2 r3 b4", -3, -1),
        (BLUE, 2, "b1 b1 b1 b2", 3, -1),
        (BLUE, -2, "b1 b2 b3 r4", -3, 1),
    ],
)
def test_n11_points_move_the_lighthouse(seat: int, before: int, text: str, points: int, after: int) -> None:
    match = bare(lighthouse=before, seat=1 - seat)
    lay(match, "Ra5 Rb5 Rc5 Rd5", text)
    place(match, 9, "Re5")
    assert match.events == [("line", "R5", seat, points)]
    assert match.lighthouse == after


@pytest.mark.parametrize("winner", [RED, BLUE])
@pytest.mark.parametrize("away", [10, 9, 8, 3])
def test_n11_stops_on_10(winner: int, away: int) -> None:
    match = Match(seed=1, rounds=1)
    match.board = {}
    match.seat = winner
    match.lighthouse = [10 - away, away - 10][winner]
    color = "rb"[winner]
    other = "br"[winner]
    lay(match, "Ra5 Rb5 Rc5 Rd5", f"{color}4 {color}4 {other}4 {other}4")
    place(match, 4, "Re5")
    assert match.events == [("line", "R5", winner, 10), ("round", winner, "N14")]
    assert match.lighthouse == [10, -10][winner]


def row_and_column(match: Match, row: str, column: str) -> None:
    """Four tiles each of row R1 and column Ra, so that Ra1 completes both."""
    lay(match, "Rb1 Rc1 Rd1 Re1", row)
    lay(match, "Ra2 Ra3 Ra4 Ra5", column)


def test_n12_row_before_column_each_to_its_receiver() -> None:
    match = bare()
    row_and_column(match, "r1 r2 r3 r4", "b9 b9 b9 b2")
    place(match, 10, "Ra1")
    assert match.events == [("line", "R1", RED, 3), ("line", "Ra", BLUE, 3)]
    assert match.lighthouse == 0


@pytest.mark.parametrize("before", [7, 8, 9])
@pytest.mark.parametrize("row_first", [True, False])
def test_n12_movements_are_added_first(before: int, row_first: bool) -> None:
    plus, minus = "r1 r2 r3 r4", "r1 r2 b3 b4"
    match = bare(lighthouse=before)
    if row_first:
        row_and_column(match, plus, minus)
    else:
        row_and_column(match, minus, plus)
    place(match, 10, "Ra1")
    points = [3, -3] if row_first else [-3, 3]
    assert match.events == [
        ("line", "R1", RED, points[0]),
        ("line", "Ra", RED, points[1]),
    ]
    assert match.lighthouse == before
    assert match.round_number == 1


def test_n12_both_together_reach_10() -> None:
    match = bare(lighthouse=4)
    row_and_column(match, "r1 r2 r3 r4", "r1 r2 r3 r4")
    place(match, 10, "Ra1")
    assert match.events[-1] == ("round", RED, "N14")


def test_n13_tiles_stay() -> None:
    match = bare()
    lay(match, "Ra5 Rb5 Rc5 Rd5", "r1 r1 r1 r2")
    place(match, 9, "Re5")
    assert [cell for cell in CELLS if cell in match.board] == [
        "Ra5",
        "Rb5",
        "Rc5",
        "Rd5",
        "Re5",
    ]


# End of a round


@pytest.mark.parametrize("winner", [RED, BLUE])
@pytest.mark.parametrize("mover", [RED, BLUE])
def test_n14_10_wins_at_once_whoever_moves(winner: int, mover: int) -> None:
    match = Match(seed=1)
    match.seat = mover
    finish_round(match, winner)
    assert match.wins[winner] == 1
    assert match.round_number == 2
    assert match.lighthouse == 0
    assert len(match.board) == 2


@pytest.mark.parametrize("winner", [RED, BLUE])
def test_n14_the_opponents_minus_3_wins_too(winner: int) -> None:
    match = bare(lighthouse=[8, -8][winner], seat=1 - winner)
    lay(match, "Ra5 Rb5 Rc5 Rd5", ["b1 b2 b3 r4", "r1 r2 r3 b4"][winner])
    place(match, 9, "Re5")
    assert match.events == [("line", "R5", 1 - winner, -3), ("round", winner, "N14")]
    assert match.wins[winner] == 1


def test_n14_9_is_not_enough() -> None:
    match = bare(lighthouse=8)
    lay(match, "Ra5 Rb5 Rc5 Rd5", "r1 r1 r2 b3")
    place(match, 9, "Re5")
    assert match.lighthouse == 9
    assert match.round_number == 1


def test_n14_on_the_last_free_cell() -> None:
    match = Match(seed=1, rounds=1)
    match.seat = RED
    fill_but_ba1(match)
    lay(match, "Ba2 Ba3 Ba4 Ba5", "r10 r10 b10 b10")
    match.lighthouse = 2
    place(match, 10, "Ba1")
    assert match.events == [
        ("line", "B1", BLUE, 1),
        ("line", "Ba", RED, 10),
        ("round", RED, "N14"),
    ]
    assert match.lighthouse == 10


@pytest.mark.parametrize("mover", [RED, BLUE])
@pytest.mark.parametrize(
    ("lighthouse", "winner"),
    [(9, RED), (1, RED), (0, None), (-1, BLUE), (-9, BLUE)],
)
def test_n15_full_board(mover: int, lighthouse: int, winner: int | None) -> None:
    match = Match(seed=1, rounds=1)
    match.seat = mover
    fill_but_ba1(match)
    match.lighthouse = lighthouse
    place(match, 10, "Ba1")
    assert match.events == [
        ("line", "B1", BLUE, 1),
        ("line", "Ba", RED, 1),
        ("round", winner, "N15"),
    ]
    assert len(match.board) == 50
    assert match.lighthouse == lighthouse


def test_n15_comparison_on_0_is_always_equal() -> None:
    """Every split of 25 + 25 tiles over the zones, and the draw that follows."""
    chooser = random.Random(15)
    match = bare()
    for red_in_red in range(26):
        red_zone = [RED] * red_in_red + [BLUE] * (25 - red_in_red)
        blue_zone = [RED] * (25 - red_in_red) + [BLUE] * red_in_red
        for _ in range(5):
            chooser.shuffle(red_zone)
            chooser.shuffle(blue_zone)
            colors = red_zone + blue_zone
            assert colors.count(RED) == colors.count(BLUE) == 25
            match.board = {cell: (color, 1) for cell, color in zip(CELLS, colors, strict=True)}
            assert match.own_tiles_in_own_zone(RED) == red_in_red
            assert match.own_tiles_in_own_zone(BLUE) == red_in_red
            assert match.winner_on_full_board() is None


@pytest.mark.parametrize("seat", [RED, BLUE])
def test_n15_comparison_is_kept(seat: int) -> None:
    """A board no game can reach: 26 tiles of one color."""
    match = bare()
    for index, cell in enumerate(CELLS):
        match.board[cell] = (RED if index < 25 else BLUE, 1)
    match.board[["Ba1", "Ra1"][seat]] = (seat, 1)
    assert match.winner_on_full_board() == seat


# End of the game


@pytest.mark.parametrize(
    ("rounds", "wins", "winners"),
    [
        ([RED, RED], [2, 0], [RED]),
        ([BLUE, BLUE], [0, 2], [BLUE]),
        ([RED, BLUE, RED], [2, 1], [RED]),
        ([RED, BLUE, BLUE], [1, 2], [BLUE]),
        ([None, BLUE, BLUE], [0, 2], [BLUE]),
        ([RED, None, RED], [2, 0], [RED]),
        ([RED, None, None], [1, 0], [RED]),
        ([None, None, BLUE], [0, 1], [BLUE]),
        ([RED, BLUE, None], [1, 1], [RED, BLUE]),
        ([None, BLUE, RED], [1, 1], [RED, BLUE]),
        ([None, None, None], [0, 0], [RED, BLUE]),
    ],
)
def test_n16_n17_match_ends(rounds: list[int | None], wins: list[int], winners: list[int]) -> None:
    match = Match(seed=2)
    for number, winner in enumerate(rounds, start=1):
        assert not match.over
        assert match.winners() == []
        assert match.round_number == number
        assert match.legal() != []
        finish_round(match, winner)
    assert match.over
    assert match.wins == wins
    assert match.winners() == winners
    assert match.round_number == len(rounds)


def test_n16_the_last_board_stays() -> None:
    match = Match(seed=2)
    finish_round(match, RED)
    finish_round(match, RED)
    assert match.board["Re1"][1] == 10
    assert match.lighthouse == 10
    assert match.legal() == []
    before = everything(match)
    with pytest.raises(ValueError, match="over"):
        match.play({"do": "place", "tile": 10, "at": "Ba1"})
    assert everything(match) == before


@pytest.mark.parametrize(("winner", "winners"), [(RED, [RED]), (BLUE, [BLUE]), (None, [RED, BLUE])])
def test_n18_one_round(winner: int | None, winners: list[int]) -> None:
    match = Match(seed=2, rounds=1)
    finish_round(match, winner)
    assert match.over
    assert match.round_number == 1
    assert match.winners() == winners


def test_n18_n19_unknown_options() -> None:
    with pytest.raises(ValueError, match="N18"):
        Match(seed=1, rounds=2)
    with pytest.raises(ValueError, match="N19"):
        Match(seed=1, line_to="lowest")


# Variants


@pytest.mark.parametrize(
    ("text", "by_majority", "by_highest", "by_sum"),
    [
        ("r1 r2 r3 b9 b4", RED, BLUE, BLUE),
        ("r5 r6 r7 b9 b4", RED, BLUE, RED),
        ("b1 b2 b3 b4 r9", BLUE, RED, BLUE),
        ("b1 b1 b2 b3 r9", BLUE, RED, RED),
        ("r1 r2 b6 b7 b10", BLUE, BLUE, BLUE),
        ("r8 r1 r1 b8 b7", RED, RED, BLUE),  # equal highest
        ("b8 b1 b1 r8 r8", BLUE, BLUE, RED),  # equal highest, more of them red
        ("r1 r2 r3 b2 b4", RED, BLUE, RED),  # equal sum
        ("b2 b3 b5 r4 r6", BLUE, RED, BLUE),  # equal sum
        ("r4 r4 r2 b4 b6", RED, BLUE, RED),  # equal sum, with a triple
        ("r5 r3 r2 b5 b5", RED, RED, RED),  # both equal
        ("b5 b3 b2 r5 r5", BLUE, BLUE, BLUE),  # both equal
        ("r1 r2 r3 r4 r5", RED, RED, RED),
        ("b1 b2 b3 b4 b5", BLUE, BLUE, BLUE),
    ],
)
def test_n19_receivers(text: str, by_majority: int, by_highest: int, by_sum: int) -> None:
    for order in itertools.permutations(tiles(text)):
        line = list(order)
        assert majority(line) == by_majority
        assert owner_of_highest(line) == by_highest
        assert larger_sum(line) == by_sum
    for line_to, seat in zip(LINE_TO, [by_majority, by_highest, by_sum], strict=True):
        *laid, (color, value) = tiles(text)
        match = bare(line_to=line_to, seat=color)
        match.board = dict(zip(["Ba4", "Bb4", "Bc4", "Bd4"], laid, strict=True))
        place(match, value, "Be4")
        points = combinations_add_up(tiles(text))
        assert match.events == [("line", "B4", seat, points)]
        assert match.lighthouse == (points if seat == RED else -points)


@pytest.mark.parametrize(("line_to", "seat"), [("majority", RED), ("highest", BLUE), ("sum", BLUE)])
def test_n19_the_receiver_takes_minus_3(line_to: str, seat: int) -> None:
    match = bare(line_to=line_to)
    lay(match, "Ra5 Rb5 Rc5 Rd5", "r1 r2 b9 b4")
    place(match, 3, "Re5")
    assert match.events == [("line", "R5", seat, -3)]
    assert match.lighthouse == (-3 if seat == RED else 3)


# Whole games


@pytest.mark.parametrize(("rounds", "line_to"), OPTIONS)
def test_random_games_to_the_end(rounds: int, line_to: str) -> None:
    chooser = random.Random(f"{rounds} {line_to}")
    for seed in range(GAMES_PER_OPTION):
        match = Match(seed, rounds, line_to)
        moves_in_round = 0
        winners_of_rounds: list[int | None] = []
        while not match.over:
            actions = match.legal()
            assert 1 <= len(actions) <= 144
            seat, starter = match.seat, match.starter
            lighthouse = match.lighthouse
            cells = len(match.board)
            match.play(chooser.choice(actions))
            assert_tiles_conserved(match)
            moves_in_round += 1

            lines = [event for event in match.events if event[0] == "line"]
            assert len(lines) <= 2
            if match.events[len(lines) :] == []:
                assert match.seat == 1 - seat
                assert match.starter == starter
                assert -10 < match.lighthouse < 10
                assert len(match.board) == cells + 1 < 50
                assert [len(hand) for hand in match.hands] == [3, 3]
                if lines == []:
                    assert match.lighthouse == lighthouse
                continue

            kind, winner = match.events[-1][0], match.events[-1][1]
            assert kind == "round"
            assert winner is None or isinstance(winner, int)
            winners_of_rounds.append(winner)
            assert 4 <= moves_in_round <= 48
            moves_in_round = 0
            if match.over:
                assert len(match.board) == cells + 1
            else:
                assert len(match.board) == 2
                assert match.starter == match.seat == 1 - starter

        assert match.legal() == []
        assert match.wins == [winners_of_rounds.count(seat) for seat in [RED, BLUE]]
        assert match.round_number == len(winners_of_rounds) <= rounds
        assert match.winners() != []
        if len(match.board) == 50:
            assert match.own_tiles_in_own_zone(RED) == match.own_tiles_in_own_zone(BLUE)


@pytest.mark.parametrize(("rounds", "line_to"), OPTIONS)
def test_the_same_seed_and_actions_give_the_same_match(rounds: int, line_to: str) -> None:
    chooser = random.Random(8)
    one, two = Match(2**40 + 9, rounds, line_to), Match(2**40 + 9, rounds, line_to)
    while not one.over:
        action = chooser.choice(one.legal())
        one.play(action)
        two.play(dict(action))
        assert one.board == two.board
        assert one.hands == two.hands
        assert one.stacks == two.stacks
        assert one.events == two.events
    assert two.over
