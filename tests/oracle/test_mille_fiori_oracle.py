"""The naive referee of Mille Fiori against the rules text, by itself.

Worked examples, the order of chance, and cases that no test of the engine has: for everything else the
engine's tests of the clauses stand for both, since `test_lockstep.py` keeps the two together.
"""

import itertools
from collections import Counter

import pytest

from .chance import Stream
from .mille_fiori import (
    DRAFTS,
    Action,
    Card,
    Match,
    all_cards,
    by_type_then_wheel,
)
from .mille_fiori_board import (
    CELLS,
    NEIGHBORS,
    WORKSHOPS,
)

PLAYERS = [2, 3, 4]
OPTIONS = list(itertools.product(PLAYERS, DRAFTS))

RED, GREEN, YELLOW, BLUE = 0, 1, 2, 3
SAIL: Action = {"do": "sail"}
DECLINE: Action = {"do": "decline"}


def card(text: str) -> Card:
    """A card from text such as "lion 3"."""
    kind, wheel = text.split()
    return kind, int(wheel)


def extra(text: str) -> Action:
    return {"do": "extra", "card": {"type": card(text)[0], "wheel": card(text)[1]}}


def place(cell: str) -> Action:
    return {"do": "place", "cell": cell}


def ship(cell: str, sail: bool) -> Action:
    return {"do": "place", "cell": cell, "sail": sail}


def lay(match: Match, seat: int, cells: str) -> None:
    """Put lozenges on the board, without taking them from the supply."""
    for cell in cells.split():
        assert cell in CELLS
        assert cell not in match.lozenges
        match.lozenges[cell] = seat


def all_keep_first(match: Match) -> None:
    """Every player keeps the first card offered, as far as they have to before the next turn."""
    while match.phase == "keep":
        match.play(match.legal()[0])


def turn(match: Match, seat: int, text: str) -> None:
    """Give the turn to a seat, with this card to play."""
    match.seat = seat
    match.card = card(text)
    match.phase = "play"


def bare(players: int = 4, seat: int = RED, text: str = "lion 1") -> Match:
    """A game in its first pick, all cards kept, ready for a position made by hand."""
    match = Match(seed=1, players=players)
    all_keep_first(match)
    turn(match, seat, text)
    return match


def wants_extra(match: Match, seat: int) -> bool:
    """Whether this seat is now asked for an extra card."""
    return match.phase == "extra" and match.seat == seat


# Components


def test_m15_neighbors_touch_on_the_printed_board() -> None:
    """Four rows of cells, each two units wide, in a brick pattern; the gaps in between are no cells."""
    rows = [
        [1, 3, 5, 7, 9, 11, 15],
        [0, 2, 4, 6, 8, 10, 14, 16],
        [1, 3, 7, 9, 11, 13, 15, 17],
        [2, 6, 8, 10, 12, 14, 16],
    ]
    spots = [(y, x) for y, row in enumerate(rows) for x in row]
    for cell, (y, x) in zip(WORKSHOPS, spots, strict=True):
        around = [(y - 1, x - 1), (y - 1, x + 1), (y, x - 2), (y, x + 2), (y + 1, x - 1), (y + 1, x + 1)]
        assert NEIGHBORS[cell] == [f"W{number}" for number, spot in enumerate(spots) if spot in around]


# Setup and round


@pytest.mark.parametrize(("players", "opened"), [(2, 9), (3, 4), (4, 9)])
def test_m4_m5_shuffle_display_and_deal(players: int, opened: int) -> None:
    deck = all_cards()
    Stream(77, 0).shuffle(deck)
    top_first = deck[::-1]
    match = Match(seed=77, players=players)
    assert match.display == sorted(top_first[:opened], key=by_type_then_wheel)
    for seat in range(players):
        dealt = top_first[opened + 5 * seat : opened + 5 * seat + 5]
        assert match.hands[seat] == sorted(dealt, key=by_type_then_wheel)
    assert match.deck == deck[: 109 - opened - 5 * players]
    assert match.discards == []
    assert match.kept == [None] * players
    assert match.card is None
    assert (match.doge, match.seat, match.round_number, match.pick) == (0, 0, 1, 1)
    assert match.phase == "keep"


@pytest.mark.parametrize("players", PLAYERS)
def test_m5_later_rounds_are_dealt_doge_first(players: int) -> None:
    match = Match(seed=5, players=players)
    while match.round_number == 1:
        deck = list(match.deck)
        match.play(match.legal()[-1])
    assert match.doge == 1
    for step in range(players):
        dealt = [deck.pop() for _ in range(5)]
        assert match.hands[(1 + step) % players] == sorted(dealt, key=by_type_then_wheel)


# Workshops


def test_worked_example_m15_group_of_three() -> None:
    match = bare(text="ash 1")
    lay(match, RED, "W1 W9 W29")
    match.play(place("W16"))
    assert match.events == [("M15", RED, 3)]
    assert match.points == [3, 0, 0, 0]


def test_worked_example_m15_group_of_four_with_new_pigment() -> None:
    match = bare(text="pigment 1")
    lay(match, RED, "W7 W8 W16")
    match.play(place("W15"))
    assert match.events[0] == ("M15", RED, 8)


def test_m15_old_pigment_does_not_double() -> None:
    match = bare(text="ash 1")
    lay(match, RED, "W15")
    match.play(place("W16"))
    assert match.events == [("M15", RED, 2)]


def test_m16_three_raw_materials_are_not_enough() -> None:
    match = bare(text="quartz 1")
    lay(match, RED, "W0 W7 W29")
    lay(match, GREEN, "W24")
    match.play(place("W12"))
    assert match.bonus["workshops"] == []


def test_m17_each_time() -> None:
    match = bare(text="pigment 1")
    lay(match, RED, "W7 W8 W1 W9")
    match.play(place("W0"))
    assert wants_extra(match, RED)
    match.play(DECLINE)
    turn(match, RED, "pigment 2")
    match.play(place("W2"))
    assert wants_extra(match, RED)


# Residences


def test_worked_example_m19_five_after_four_and_three() -> None:
    match = bare(text="residence 1")
    lay(match, BLUE, "R0")
    lay(match, RED, "R1 R2")
    match.play(place("R3"))
    assert match.events == [("M19", RED, 12)]
    assert wants_extra(match, RED)  # three numbers


def test_worked_example_m21_four_three_one() -> None:
    match = bare(text="residence 1")
    lay(match, BLUE, "R0 R3")
    lay(match, RED, "R1 R2")
    match.play(place("R4"))
    assert wants_extra(match, RED)
    assert match.bonus["residences"] == []


def test_worked_example_m20_four_three_five_one() -> None:
    match = bare(text="residence 1")
    lay(match, BLUE, "R0")
    lay(match, RED, "R1 R2 R3")
    match.play(place("R4"))
    assert match.events == [("M19", RED, 13), ("M20", RED, 20)]
    assert match.bonus["residences"] == [RED]
    assert not wants_extra(match, RED)


def test_m20_m21_all_along_the_row() -> None:
    """2 4 3 5 1 4 2 3 1 5 10: third number, fourth, fifth, and the sixth gives nothing."""
    match = bare()
    extras = []
    for number in range(11):
        turn(match, RED, "residence 1")
        match.play(place(f"R{number}"))
        if wants_extra(match, RED):
            extras.append(number)
        assert match.bonus["residences"] == ([RED] if number >= 3 else [])
    assert extras == [2, 4]


def test_m21_the_same_number_again_gives_nothing() -> None:
    match = bare(text="residence 1")
    lay(match, RED, "R0 R1 R2")
    lay(match, BLUE, "R3 R4")
    match.play(place("R5"))
    assert match.events == [("M19", RED, 4)]
    assert not wants_extra(match, RED)


# Townspeople


def test_worked_example_m24_coin_on_top() -> None:
    match = bare(text="coin 1")
    lay(match, RED, "Nm0 Nb0")
    lay(match, GREEN, "Nm1 Nb1")
    lay(match, YELLOW, "Nb2")
    lay(match, BLUE, "Nb3")
    match.play(place("Nt0"))
    assert match.events == [
        ("M23", RED, 12),
        ("M24", RED, 4),
        ("M24", GREEN, 4),
        ("M24", YELLOW, 1),
        ("M25", RED, 20),  # the printed cells give red lion, cross and coin
    ]
    assert wants_extra(match, RED)


def test_m24_is_not_doubled() -> None:
    match = bare(text="cross 1")
    lay(match, RED, "Nb1 Nb2")
    match.play(place("Nm1"))
    assert match.events == [("M23", RED, 6), ("M24", RED, 2), ("M25", RED, 20)]


def test_m25_symbols_of_the_cells_not_of_the_cards() -> None:
    match = bare()
    for text, cell in [("lion 1", "Nb0"), ("coin 1", "Nb3"), ("cross 1", "Nb1")]:
        turn(match, RED, text)
        match.play(place(cell))
    assert match.bonus["nobles"] == []
    turn(match, RED, "cross 2")
    match.play(place("Nb2"))
    assert match.events == [("M23", RED, 1), ("M25", RED, 20)]


def test_m25_each_pyramid_by_itself() -> None:
    match = bare(text="crab 1")
    lay(match, RED, "Nb0 Nb1 Cb1 Cb2")
    match.play(place("Cb0"))
    assert match.events == [("M23", RED, 2), ("M25", RED, 20)]
    assert match.bonus["commoners"] == [RED]
    turn(match, RED, "coin 1")
    match.play(place("Nb2"))
    assert match.events == [("M23", RED, 1), ("M25", RED, 20)]
    assert match.bonus["nobles"] == [RED]


# Trade


def test_worked_example_m28_third_carafe() -> None:
    match = bare(text="carafe 1")
    lay(match, RED, "Tcarafe4")
    lay(match, YELLOW, "Tcarafe1")
    match.play(place("Tcarafe2"))
    assert match.events == [("M28", RED, 6), ("M28", YELLOW, 3)]
    assert match.points == [6, 0, 3, 0]
    assert not wants_extra(match, RED)


def test_worked_example_m29_second_bonus_is_15() -> None:
    match = bare(text="carafe 1")
    lay(match, RED, "Tgoblet4 Tswan0 Tearrings0")
    match.bonus["trade"] = [YELLOW]
    match.play(place("Tcarafe2"))
    assert match.events == [("M28", RED, 1), ("M29", RED, 15)]
    assert match.bonus["trade"] == [YELLOW, RED]


def test_worked_example_m30_first_swan_where_blue_has_two() -> None:
    match = bare(text="swan 1")
    lay(match, BLUE, "Tswan0 Tswan3")
    match.play(place("Tswan1"))
    assert match.events == [("M28", RED, 3), ("M28", BLUE, 6)]
    assert wants_extra(match, RED)


def test_m30_a_tie_is_not_enough() -> None:
    match = bare(text="swan 1")
    lay(match, BLUE, "Tswan0")
    lay(match, GREEN, "Tswan4")
    match.play(place("Tswan1"))
    assert match.events == [("M28", RED, 3), ("M28", GREEN, 3), ("M28", BLUE, 3)]
    assert not wants_extra(match, RED)


def test_m30_opponents_are_not_added() -> None:
    match = bare(text="swan 1")
    lay(match, RED, "Tswan2")
    lay(match, BLUE, "Tswan0 Tgoblet0 Tgoblet1 Tgoblet2")
    lay(match, GREEN, "Tswan4 Tswan3")
    match.play(place("Tswan1"))
    assert match.events == [("M28", RED, 10), ("M28", GREEN, 10), ("M28", BLUE, 5)]
    assert not wants_extra(match, RED)


# Harbor


@pytest.mark.parametrize("sail", [True, False])
def test_m31_all_of_the_wheel_or_nothing(sail: bool) -> None:
    match = bare(text="harbor 4")
    match.play(ship("H00", sail))
    assert match.lozenges == {"H00": RED}
    assert match.supply[RED] == 26
    assert match.ships[RED] == (4 if sail else 0)
    assert match.events == ([("M34", RED, 3)] if sail else [])


def test_worked_example_m32_fleet_with_three_goods() -> None:
    match = bare(text="harbor 5", seat=GREEN)
    lay(match, GREEN, "H20")
    lay(match, RED, "H21 Tgoblet2 Tswan2")
    lay(match, BLUE, "Tcarafe2 Tearrings1 Tearrings3")
    match.play(ship("H22", False))
    assert match.events == [("M32", RED, 6), ("M32", GREEN, 12)]
    assert match.points == [6, 12, 0, 0]


def test_worked_example_m34_stopping_on_a_5() -> None:
    match = bare(text="harbor 4")
    match.ships[RED] = 5
    match.play(ship("H00", True))
    assert match.ships[RED] == 9
    assert match.events == [("M34", RED, 5)]


def test_worked_example_m34_townspeople_card_onto_a_10() -> None:
    match = bare(text="shell 3")
    match.ships[RED] = 3
    match.play(SAIL)
    assert match.events == [("M34", RED, 10)]
    assert match.lozenges == {}


# Extra cards


def top_noble(match: Match) -> None:
    """Green earns an extra card on top of the nobles, with lozenges of nobody else involved."""
    lay(match, BLUE, "Nb0 Nb1 Nb2 Nm0 Nm1")
    turn(match, GREEN, "coin 1")
    match.play(place("Nt0"))


def test_m38_without_lozenges_an_extra_card_can_only_be_sailed() -> None:
    match = bare()
    match.supply[GREEN] = 0
    match.reserve[GREEN] = 1
    match.display = [("harbor", 4)]
    top_noble(match)
    match.play(extra("harbor 4"))
    assert match.legal() == [SAIL]
    match.play(SAIL)
    assert match.events == [("M34", GREEN, 3)]


# End


def play_out_pick(match: Match) -> None:
    """Everybody who has not played yet sails, until the pick or the game is over."""
    pick = match.pick
    while match.pick == pick and not match.over:
        match.play(match.legal()[-1])


def test_m39_m40_the_last_player_ends_the_game_at_once() -> None:
    match = bare(text="fish 1", seat=BLUE)
    match.supply[BLUE] = 1
    match.play(place("Cb0"))
    assert match.over
    assert match.reason == "lozenges"


def test_m39_two_lozenges_go_on() -> None:
    match = bare(text="fish 1", seat=BLUE)
    match.supply[BLUE] = 2
    match.play(place("Cb0"))
    assert not match.over
    assert match.pick == 2


@pytest.mark.parametrize("pick", [1, 2, 3, 4])
def test_m40_at_any_pick_of_a_round(pick: int) -> None:
    match = Match(seed=3, players=4)
    while match.pick < pick or match.phase == "keep":
        match.play(match.legal()[-1])
    turn(match, 0, "fish 1")
    match.supply[0] = 1
    match.play(place("Cb0"))
    play_out_pick(match)
    assert match.over
    assert match.pick == pick
    assert match.round_number == 1
    assert [len(hand) for hand in match.hands] == [5 - pick] * 4
    assert len(match.display) == 9


# Known to each player


@pytest.mark.parametrize(("players", "draft"), OPTIONS)
def test_m42_hands_that_passed_through_ones_own(players: int, draft: str) -> None:
    """At pick k, seat s has had in hand all that the next k-1 seats to the left still hold."""
    match = Match(seed=6, players=players, draft=draft)
    had: dict[tuple[int, int], Counter[Card]] = {}
    while match.round_number == 1:
        if match.phase == "keep" and match.seat == match.doge:
            for seat in match.seats:
                had[seat, match.pick] = Counter(match.hands[seat])
            for seat in match.seats:
                for away in range(1, match.pick):
                    held = Counter(match.hands[(seat + away) % players])
                    assert held <= had[seat, match.pick - away]
        match.play(match.legal()[0])


# Score events


def test_m43_no_event_for_0_points() -> None:
    match = bare(text="lion 3")
    match.ships[RED] = 4
    match.play(SAIL)
    assert match.ships[RED] == 7
    assert match.events == []


def test_m43_seats_ascending_whoever_plays() -> None:
    match = bare(text="goblet 3", seat=BLUE)
    lay(match, RED, "Tgoblet0")
    lay(match, YELLOW, "Tgoblet1")
    match.play(place("Tgoblet2"))
    assert match.events == [("M28", RED, 3), ("M28", YELLOW, 3), ("M28", BLUE, 3)]
