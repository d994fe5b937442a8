"""The naive referee of Venice 2099 against the rules text, by itself.

Worked examples, the order of chance, and cases that no test of the engine has: for everything else the
engine's tests of the clauses stand for both, since `test_lockstep.py` keeps the two together.
"""

import random
from collections import Counter

import pytest

from .chance import Stream
from .venice_2099 import (
    COLORS,
    MOVES,
    PLATFORM,
    PLAYERS,
    TIE_BREAK,
    VALUES,
    Action,
    Match,
    Tile,
)

CARDS = {2: 10, 3: 12, 4: 9, 5: 7}
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


def card(match: Match, text: str) -> None:
    color, value = cards(text)[0]
    match.play({"do": "card", "color": color, "value": value})


# Components and setup


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


# Turn


def test_v11_two_quarters_of_a_color_are_two_choices() -> None:
    match = ordered(3, ("d5 b5",), "red3")
    assert of_kind(match, "buy") == [{"do": "buy", "at": "b5"}, {"do": "buy", "at": "d5"}]


def test_v11_ten_treasures_per_color() -> None:
    match = ordered(3, ("d5 d1",), "red3")
    match.treasures[1]["violet"] = 6
    match.treasures[2]["violet"] = 3
    assert len(of_kind(match, "buy")) == 2
    match.treasures[0]["violet"] = 1
    assert of_kind(match, "buy") == [{"do": "buy", "at": "d1"}]


# Rescue


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


# End and scoring


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


# Whole games


def choose(actions: list[Action], chooser: random.Random) -> Action:
    """First a kind, then one of it, so that purchases and sinking are not rare."""
    kinds = sorted({action["do"] for action in actions})
    kind = chooser.choice(kinds)
    return chooser.choice([action for action in actions if action["do"] == kind])


def assert_listed_once_and_in_order(match: Match) -> None:
    kinds = ["place", "walk", "gondola", "buy", "card", "rescue", "sink"]

    def rank(action: Action) -> tuple[int, ...]:
        squares = [match.squares.index(action[name]) for name in ["from", "to", "at"] if name in action]
        colors = [COLORS.index(action["color"])] if "color" in action else []
        return (kinds.index(action["do"]), *squares, *colors)

    ranks = [rank(action) for action in match.legal()]
    assert ranks == sorted(set(ranks))


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
