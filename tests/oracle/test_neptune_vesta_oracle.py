"""The naive referee of Neptune & Vesta against the rules text, by itself.

Worked examples, the order of chance, and cases that no test of the engine has: for everything else the
engine's tests of the clauses stand for both, since `test_lockstep.py` keeps the two together.
"""

import itertools
from collections import Counter

import pytest

from .chance import WORD, Stream
from .neptune_vesta import (
    ALL_TILES,
    BLUE,
    CELLS,
    CENTERS,
    RED,
    Match,
    Tile,
    combinations_add_up,
    lines_through,
    majority,
    receiver,
)


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
    """End the current round with one tile, in the given way."""
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


def test_n6_if_all_pairs_are_equal_all_is_shuffled_again(monkeypatch: pytest.MonkeyPatch) -> None:
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
