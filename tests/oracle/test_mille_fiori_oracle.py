"""The naive referee of Mille Fiori against the spec, by itself."""

import itertools
import random
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
    cells_directly_below,
    group_of,
    triangle_below,
)
from .mille_fiori_board import (
    BONUS_VALUES,
    CELLS,
    COMMONERS,
    DECK,
    GROUPS,
    HARBOR,
    NEIGHBORS,
    NOBLES,
    RESIDENCES,
    SEA_POINTS,
    TRADE,
    TRIPLES,
    TYPES,
    WORKSHOPS,
)

GAMES_PER_OPTION = 40
PLAYERS = [2, 3, 4]
OPTIONS = list(itertools.product(PLAYERS, DRAFTS))
ROUNDS = {2: 10, 3: 7, 4: 5}

RED, GREEN, YELLOW, BLUE = 0, 1, 2, 3
SAIL: Action = {"do": "sail"}
DECLINE: Action = {"do": "decline"}


def card(text: str) -> Card:
    """A card from text such as "lion 3"."""
    kind, wheel = text.split()
    return kind, int(wheel)


def keep(text: str) -> Action:
    return {"do": "keep", "card": {"type": card(text)[0], "wheel": card(text)[1]}}


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


def cells_offered(match: Match) -> list[str]:
    """The cells of the placements offered, in their order."""
    return [action["cell"] for action in match.legal() if action["do"] == "place"]


def wants_extra(match: Match, seat: int) -> bool:
    """Whether this seat is now asked for an extra card."""
    return match.phase == "extra" and match.seat == seat


def everything(match: Match) -> str:
    """All that a game holds, as text to compare."""
    return repr(vars(match))


def cards_everywhere(match: Match) -> list[Card]:
    cards = [*match.deck, *match.display, *match.discards]
    for hand in match.hands:
        cards.extend(hand)
    for kept in [*match.kept, match.card]:
        if kept is not None:
            cards.append(kept)
    return sorted(cards, key=by_type_then_wheel)


def on_the_board(match: Match, seat: int) -> int:
    """Lozenges of a seat on cells and bonus cells."""
    cells = list(match.lozenges.values()).count(seat)
    return cells + sum(seats.count(seat) for seats in match.bonus.values())


def assert_conserved(match: Match) -> None:
    assert cards_everywhere(match) == all_cards()
    for seat in match.seats:
        assert on_the_board(match, seat) + match.supply[seat] + match.reserve[seat] == 30
        assert match.supply[seat] >= 0
        assert 0 <= match.reserve[seat] <= 3
        if match.supply[seat] > 0:
            assert match.reserve[seat] == 3
    assert set(match.lozenges) <= set(CELLS)
    assert len(match.discards) >= len(match.lozenges)


def lively(match: Match, chooser: random.Random) -> Action:
    """A random player who takes every extra card and places rather than sails."""
    actions = match.legal()
    if match.phase == "keep":
        return chooser.choice(actions)
    if match.phase == "extra":
        return chooser.choice(actions[:-1])
    if len(actions) == 1:
        return actions[0]

    def worth(action: Action) -> int:
        seat = match.seat
        group = group_of(action["cell"])
        if group == "harbor":
            return int(action["sail"])
        had = match.bonus_condition(group, seat)
        match.lozenges[action["cell"]] = seat
        worth = 0
        if not had and match.bonus_condition(group, seat):
            worth += 1
        if match.completes_triple(action["cell"]) or match.fills_top_cell(action["cell"]):
            worth += 1
        del match.lozenges[action["cell"]]
        return worth

    best = max(worth(action) for action in actions[:-1])
    return chooser.choice([action for action in actions[:-1] if worth(action) == best])


# Components


def test_m1_109_cards() -> None:
    cards = all_cards()
    assert len(cards) == 109
    assert cards == sorted(cards, key=by_type_then_wheel)
    assert {kind: len(wheels) for kind, wheels in DECK.items()} == {
        "pigment": 9,
        "quartz": 7,
        "ash": 7,
        "lime": 7,
        "residence": 20,
        "lion": 4,
        "coin": 4,
        "cross": 4,
        "fish": 4,
        "shell": 4,
        "crab": 4,
        "goblet": 5,
        "carafe": 5,
        "earrings": 5,
        "swan": 5,
        "harbor": 15,
    }
    assert " ".join(TYPES) == (
        "pigment quartz ash lime residence lion coin cross fish shell crab goblet carafe earrings swan harbor"
    )
    assert {wheel for _, wheel in cards} == {1, 2, 3, 4, 5}
    assert len(set(cards)) == 74


def test_m1_as_many_cells_as_cards_of_each_type() -> None:
    symbols = Counter([*WORKSHOPS.values(), *NOBLES.values(), *COMMONERS.values(), *TRADE.values()])
    symbols["residence"] = len(RESIDENCES)
    symbols["harbor"] = len(HARBOR)
    assert symbols == {kind: len(wheels) for kind, wheels in DECK.items()}


@pytest.mark.parametrize("players", PLAYERS)
def test_m2_each_player_at_the_start(players: int) -> None:
    match = Match(seed=1, players=players)
    assert match.supply == [27] * players
    assert match.reserve == [3] * players
    assert match.ships == [0] * players
    assert match.points == match.scores() == [0] * players
    assert match.lozenges == {}
    assert match.winners() == []
    assert match.reason is None
    assert not match.over


def test_m3_cells() -> None:
    sizes = Counter(group_of(cell) for cell in CELLS)
    assert sizes == {
        "workshops": 30,
        "residences": 20,
        "nobles": 12,
        "commoners": 12,
        "trade": 20,
        "harbor": 15,
    }
    assert len(CELLS) == len(set(CELLS)) == 109
    assert CELLS[:30] == [f"W{number}" for number in range(30)]
    assert CELLS[30:50] == [f"R{number}" for number in range(20)]
    assert " ".join(CELLS[50:62]) == "Nb0 Nb1 Nb2 Nb3 Nb4 Nm0 Nm1 Nm2 Nm3 Nt0 Nt1 Nt2"
    assert " ".join(CELLS[62:74]) == "Cb0 Cb1 Cb2 Cb3 Cb4 Cm0 Cm1 Cm2 Cm3 Ct0 Ct1 Ct2"
    assert " ".join(CELLS[74:80]) == "Tgoblet0 Tgoblet1 Tgoblet2 Tgoblet3 Tgoblet4 Tcarafe0"
    assert " ".join(CELLS[93:98]) == "Tswan4 H00 H01 H02 H10"
    assert CELLS[-1] == "H42"


def test_m3_bonus_cells() -> None:
    assert BONUS_VALUES == [20, 15, 10, 5]
    assert Match(seed=1, players=2).bonus == {group: [] for group in GROUPS}


def test_m15_neighbors_are_symmetric() -> None:
    assert list(NEIGHBORS) == list(WORKSHOPS)
    for cell, neighbors in NEIGHBORS.items():
        assert cell not in neighbors
        assert len(neighbors) == len(set(neighbors))
        assert all(cell in NEIGHBORS[neighbor] for neighbor in neighbors)


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


def test_m17_ten_disjoint_triples() -> None:
    assert len(TRIPLES) == 10
    cells = [cell for triple in TRIPLES for cell in triple]
    assert sorted(cells) == sorted(WORKSHOPS)
    for triple in TRIPLES:
        for one, two in itertools.combinations(triple, 2):
            assert two in NEIGHBORS[one]


def test_m20_six_numbers() -> None:
    assert list(RESIDENCES.values()) == [2, 4, 3, 5, 1, 4, 2, 3, 1, 5, 10, 2, 3, 4, 5, 10, 1, 5, 4, 3]


def test_m34_spaces() -> None:
    assert list(SEA_POINTS) == list(range(1, 21))
    assert [space for space in SEA_POINTS if SEA_POINTS[space] == 10] == [6, 12, 13, 20]
    assert [space for space in SEA_POINTS if SEA_POINTS[space] == 5] == [9, 15]
    assert [space for space in SEA_POINTS if SEA_POINTS[space] == 3] == [4]
    assert [space for space in SEA_POINTS if SEA_POINTS[space] == 0] == [7, 16]
    assert list(SEA_POINTS.values()).count(1) == 11


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


def test_m4_m9_unknown_options() -> None:
    with pytest.raises(ValueError, match="M4"):
        Match(seed=1, players=5)
    with pytest.raises(ValueError, match="M4"):
        Match(seed=1, players=1)
    with pytest.raises(ValueError, match="M9"):
        Match(seed=1, players=2, draft="closed")


@pytest.mark.parametrize(("players", "draft"), OPTIONS)
def test_m4_m8_deck_deals_out_exactly(players: int, draft: str) -> None:
    match = Match(seed=5, players=players, draft=draft)
    opened = len(match.display)
    left_over = {2: 4, 3: 3, 4: 4}[players]
    seen_doges = [match.doge]
    while not match.over:
        round_number = match.round_number
        action = match.legal()[-1]  # sail, and decline every extra card
        match.play(action)
        assert_conserved(match)
        if match.round_number != round_number:
            assert len(match.display) == opened + left_over * round_number
            assert match.pick == 1
            assert match.seat == match.doge
            assert [len(hand) for hand in match.hands] == [5] * players
            seen_doges.append(match.doge)
        if not match.over:
            assert len(match.deck) == 109 - opened - 5 * players * match.round_number
    assert match.round_number == ROUNDS[players]
    assert seen_doges == [number % players for number in range(ROUNDS[players])]
    assert match.reason == "deck"
    assert match.deck == []
    assert match.hands == [[] for _ in range(players)]
    assert len(match.display) == opened + left_over * ROUNDS[players]
    assert match.doge == ROUNDS[players] % players


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


@pytest.mark.parametrize("players", PLAYERS)
def test_m5_secret_draft(players: int) -> None:
    match = Match(seed=9, players=players)
    match.doge = match.seat = 1
    before = [list(hand) for hand in match.hands]
    kept: list[Card] = [("", 0)] * players
    for step in range(players):
        seat = (1 + step) % players
        assert match.seat == seat
        assert match.phase == "keep"
        assert [len(hand) for hand in match.hands].count(4) == step
        action = match.legal()[-1]
        kept[seat] = before[seat][-1]
        match.play(action)
        if step < players - 1:
            assert match.kept[seat] == kept[seat]
            assert match.hands[seat] == before[seat][:-1]
        assert match.events == []
    assert match.phase == "play"
    for seat in range(players):
        assert match.hands[(seat + 1) % players] == before[seat][:-1]
    for step in range(players):
        seat = (1 + step) % players
        assert match.seat == seat
        assert match.phase == "play"
        assert match.card == kept[seat]
        assert match.kept[seat] is None
        assert match.pick == 1
        match.play(SAIL)
        assert match.discards[-1] == kept[seat]
    assert match.pick == 2
    assert match.seat == match.doge == 1
    assert match.phase == "keep"
    assert match.card is None


@pytest.mark.parametrize("players", PLAYERS)
def test_m9_open_draft(players: int) -> None:
    match = Match(seed=9, players=players, draft="open")
    before = [list(hand) for hand in match.hands]
    for seat in range(players):
        assert match.seat == seat
        assert match.phase == "keep"
        assert match.hands[seat] == before[seat]
        match.play(match.legal()[0])
        assert match.seat == seat
        assert match.phase == "play"
        assert match.card == before[seat][0]
        assert match.hands[seat] == before[seat][1:]
        match.play(SAIL)
        assert match.discards[-1] == before[seat][0]
    assert match.pick == 2
    for seat in range(players):
        assert match.hands[(seat + 1) % players] == before[seat][1:]


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize(("players", "sizes"), [(2, [5, 4, 3]), (3, [5, 4, 3, 2]), (4, [5, 4, 3, 2])])
def test_m6_m7_hands_before_choosing(players: int, sizes: list[int], draft: str) -> None:
    match = Match(seed=4, players=players, draft=draft)
    seen: list[list[int]] = [[] for _ in range(players)]
    while match.round_number == 1:
        if match.phase == "keep":
            assert match.pick == len(seen[match.seat]) + 1
            seen[match.seat].append(len(match.hands[match.seat]))
        match.play(match.legal()[-1])
    assert seen == [sizes] * players
    assert len(match.discards) == len(sizes) * players


def test_m8_left_over_only_after_the_last_turn() -> None:
    """The last player of a round cannot take what the others have left."""
    match = Match(seed=4, players=3)
    while match.pick < 4 or match.phase == "keep":
        match.play(match.legal()[-1])
    left_over = [hand[0] for hand in match.hands]
    assert [len(hand) for hand in match.hands] == [1, 1, 1]
    display = list(match.display)
    turn(match, 2, "goblet 1")
    match.ships[2] = 6
    match.play(SAIL)
    assert wants_extra(match, 2)
    assert match.display == display
    assert len(match.legal()) == len(set(display)) + 1
    match.play(DECLINE)
    assert match.round_number == 2
    assert match.doge == match.seat == 1
    assert Counter(match.display) == Counter(display + left_over)


def test_equal_cards_are_one_choice() -> None:
    match = Match(seed=1, players=2)
    match.hands[0] = [card(text) for text in ["residence 1", "residence 1", "quartz 3", "swan 2", "harbor 1"]]
    assert match.legal() == [keep("quartz 3"), keep("residence 1"), keep("swan 2"), keep("harbor 1")]
    match.play(keep("residence 1"))
    assert match.kept[0] == ("residence", 1)
    assert match.hands[0].count(("residence", 1)) == 1


def test_a_single_choice_is_still_asked() -> None:
    match = Match(seed=1, players=2)
    match.hands[0] = [("residence", 1)] * 3
    assert match.legal() == [keep("residence 1")]


# Playing a card


@pytest.mark.parametrize("kind", TYPES)
def test_m10_cells_on_the_empty_board(kind: str) -> None:
    match = bare(text=f"{kind} 2")
    if kind in WORKSHOPS.values():
        expected = [cell for cell in WORKSHOPS if WORKSHOPS[cell] == kind]
    elif kind == "residence":
        expected = ["R0"]
    elif kind in NOBLES.values():
        expected = ["Nb0", "Nb1", "Nb2", "Nb3", "Nb4"]
    elif kind in COMMONERS.values():
        expected = ["Cb0", "Cb1", "Cb2", "Cb3", "Cb4"]
    elif kind in TRADE.values():
        expected = [f"T{kind}{row}" for row in range(5)]
    else:
        expected = ["H00", "H00", "H10", "H10", "H20", "H20", "H30", "H30", "H40", "H40"]
    assert cells_offered(match) == expected
    assert match.legal()[-1] == SAIL
    assert all(("sail" in action) == (kind == "harbor") for action in match.legal()[:-1])
    assert len(match.legal()) == len(expected) + 1


def test_m10_a_lozenge_from_the_supply() -> None:
    match = bare(text="fish 2")
    match.play(place("Cb0"))
    assert match.lozenges == {"Cb0": RED}
    assert match.supply == [26, 27, 27, 27]
    assert match.reserve == [3, 3, 3, 3]
    assert match.discards == [("fish", 2)]
    assert match.ships == [0, 0, 0, 0]
    assert match.seat == GREEN


@pytest.mark.parametrize("kind", TYPES)
def test_m11_any_card_sails(kind: str) -> None:
    match = bare(text=f"{kind} 4")
    match.play(SAIL)
    assert match.ships == [4, 0, 0, 0]
    assert match.events == [("M34", RED, 3)]
    assert match.lozenges == {}
    assert match.supply == [27, 27, 27, 27]
    assert match.discards == [(kind, 4)]


@pytest.mark.parametrize("kind", TYPES)
def test_m12_without_lozenges_only_sailing(kind: str) -> None:
    match = bare(text=f"{kind} 4")
    match.supply[RED] = match.reserve[RED] = 0
    assert match.legal() == [SAIL]
    match.play(SAIL)
    assert match.ships[RED] == 4


@pytest.mark.parametrize("kind", ["lion", "harbor"])
def test_m12_m36_sailing_on_20_discards_the_card(kind: str) -> None:
    match = bare(text=f"{kind} 5")
    match.ships[RED] = 20
    assert SAIL in match.legal()
    match.play(SAIL)
    assert match.ships[RED] == 20
    assert match.events == []
    assert match.points == [0, 0, 0, 0]
    assert match.discards == [(kind, 5)]
    assert match.seat == GREEN


def test_m12_a_full_region_leaves_only_sailing() -> None:
    """No game can get there, as there are as many cards as cells."""
    match = bare(text="residence 1")
    lay(match, BLUE, " ".join(RESIDENCES))
    assert match.legal() == [SAIL]


def test_not_legal_changes_nothing() -> None:
    match = bare(text="fish 2")
    match.play(place("Cb0"))
    turn(match, RED, "shell 2")
    before = everything(match)
    for action in [
        place("Cb0"),
        place("Cm0"),
        place("Nb0"),
        place("X9"),
        ship("H00", True),
        {"do": "place", "cell": "Cb1", "sail": True},
        {"do": "keep", "card": {"type": "shell", "wheel": 2}},
        DECLINE,
        {},
    ]:
        with pytest.raises(ValueError, match="M10"):
            match.play(action)
        assert everything(match) == before


def test_m13_values_in_order_taken() -> None:
    match = bare()
    lay(match, RED, "Tgoblet0 Tcarafe0 Tearrings0")
    lay(match, GREEN, "Tgoblet1 Tcarafe1 Tearrings1")
    lay(match, YELLOW, "Tgoblet2 Tcarafe2 Tearrings2")
    lay(match, BLUE, "Tgoblet3 Tcarafe3 Tearrings3")
    for value, seat in zip([20, 15, 10, 5], [YELLOW, RED, BLUE, GREEN], strict=True):
        turn(match, seat, "swan 1")
        match.play(place(f"Tswan{seat}"))
        assert match.events[-1] == ("M29", seat, value)
        assert match.supply[seat] == 25
    assert match.bonus["trade"] == [YELLOW, RED, BLUE, GREEN]


def test_m13_once_per_player_and_group() -> None:
    match = bare()
    lay(match, RED, "Tgoblet0 Tcarafe0 Tearrings0")
    turn(match, RED, "swan 1")
    match.play(place("Tswan0"))
    assert match.bonus["trade"] == [RED]
    turn(match, RED, "swan 2")
    match.play(place("Tswan1"))
    assert match.events == [("M28", RED, 4)]
    assert match.bonus["trade"] == [RED]


def test_m13_no_lozenge_left_no_bonus() -> None:
    match = bare(text="swan 1")
    lay(match, RED, "Tgoblet0 Tcarafe0 Tearrings0")
    match.supply[RED] = 0
    match.reserve[RED] = 1
    match.play(place("Tswan0"))
    assert match.events == [("M28", RED, 1)]
    assert match.bonus["trade"] == []
    match.reserve[RED] = 2  # no game gives lozenges back, but the chance would be gone all the same
    turn(match, RED, "swan 2")
    match.play(place("Tswan1"))
    assert match.bonus["trade"] == []


# Workshops


def test_m14_free_cells_with_the_symbol() -> None:
    match = bare(text="quartz 1")
    lay(match, BLUE, "W7 W14")
    assert cells_offered(match) == ["W9", "W12", "W17", "W20", "W23"]


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


def test_m15_a_group_is_walked_to_its_ends() -> None:
    match = bare(text="lime 1")
    lay(match, RED, "W0 W2 W4 W5 W11 W25")
    lay(match, GREEN, "W1 W8 W10")
    match.play(place("W3"))
    assert match.events == [("M15", RED, 5)]  # without W0 and W25, which lie apart


def test_m15_opponents_do_not_connect() -> None:
    match = bare(text="ash 1")
    lay(match, RED, "W0 W2")
    lay(match, GREEN, "W8 W9")
    turn(match, GREEN, "ash 1")
    match.play(place("W1"))
    assert match.events == [("M15", GREEN, 3)]


def test_m16_all_four_raw_materials() -> None:
    match = bare(text="lime 1")
    lay(match, RED, "W0 W7 W29")
    lay(match, GREEN, "W1")
    match.play(place("W24"))
    assert match.events == [("M15", RED, 1), ("M16", RED, 20)]
    assert match.bonus["workshops"] == [RED]
    assert match.supply[RED] == 25
    assert match.points[RED] == 21


def test_m16_three_raw_materials_are_not_enough() -> None:
    match = bare(text="quartz 1")
    lay(match, RED, "W0 W7 W29")
    lay(match, GREEN, "W24")
    match.play(place("W12"))
    assert match.bonus["workshops"] == []


@pytest.mark.parametrize("triple", TRIPLES)
def test_m17_extra_card_for_the_last_of_three(triple: list[str]) -> None:
    for owners in itertools.product([RED, GREEN, BLUE], repeat=2):
        for last in triple:
            match = bare(text=f"{WORKSHOPS[last]} 1")
            others = [cell for cell in triple if cell != last]
            lay(match, owners[0], others[0])
            match.play(place(last))
            assert not wants_extra(match, RED)
            del match.lozenges[last]
            lay(match, owners[1], others[1])
            turn(match, RED, f"{WORKSHOPS[last]} 1")
            match.play(place(last))
            assert wants_extra(match, RED)


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


def test_m18_next_free_cell() -> None:
    match = bare(text="residence 1")
    for number in range(20):
        turn(match, number % 4, "residence 1")
        assert cells_offered(match) == [f"R{number}"]
        lay(match, number % 4, f"R{number}")


def test_worked_example_m19_five_after_four_and_three() -> None:
    match = bare(text="residence 1")
    lay(match, BLUE, "R0")
    lay(match, RED, "R1 R2")
    match.play(place("R3"))
    assert match.events == [("M19", RED, 12)]
    assert wants_extra(match, RED)  # three numbers


def test_m19_the_run_is_unbroken() -> None:
    match = bare(text="residence 1")
    lay(match, RED, "R0 R1")
    lay(match, GREEN, "R2")
    match.play(place("R3"))
    assert match.events == [("M19", RED, 5)]


def test_m19_from_the_first_cell() -> None:
    match = bare(text="residence 1")
    match.play(place("R0"))
    assert match.events == [("M19", RED, 2)]
    turn(match, RED, "residence 1")
    match.play(place("R1"))
    assert match.events == [("M19", RED, 6)]


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


def test_m22_pyramids() -> None:
    assert cells_directly_below("Nb3") == []
    assert cells_directly_below("Nm0") == ["Nb0", "Nb1"]
    assert cells_directly_below("Nm3") == ["Nb3", "Nb4"]
    assert cells_directly_below("Ct0") == ["Cm0", "Cm1"]
    assert cells_directly_below("Ct2") == ["Cm2", "Cm3"]
    for pyramid in [NOBLES, COMMONERS]:
        for cell in pyramid:
            assert all(below in pyramid for below in cells_directly_below(cell))


@pytest.mark.parametrize(
    ("letter", "kinds"), [("N", ["lion", "coin", "cross"]), ("C", ["fish", "shell", "crab"])]
)
def test_m22_both_cells_below(letter: str, kinds: list[str]) -> None:
    for kind in kinds:
        match = bare(text=f"{kind} 1")
        lay(match, BLUE, f"{letter}b1 {letter}b2")
        assert cells_offered(match) == [f"{letter}b0", f"{letter}b3", f"{letter}b4", f"{letter}m1"]
        lay(match, GREEN, f"{letter}b3 {letter}m1")
        assert cells_offered(match) == [f"{letter}b0", f"{letter}b4", f"{letter}m2"]
        lay(match, RED, f"{letter}m2")
        assert cells_offered(match) == [f"{letter}b0", f"{letter}b4", f"{letter}t1"]


@pytest.mark.parametrize(
    ("text", "cell", "points"),
    [
        ("coin 1", "Nb0", 1),
        ("cross 1", "Nb0", 2),
        ("coin 1", "Nm1", 3),
        ("cross 1", "Nm1", 6),
        ("coin 1", "Nt1", 6),
        ("lion 1", "Nt1", 12),
        ("fish 1", "Cb0", 1),
        ("crab 1", "Cb0", 2),
        ("fish 1", "Cm1", 3),
        ("crab 1", "Cm1", 6),
        ("crab 1", "Ct1", 6),
        ("fish 1", "Ct1", 12),
    ],
)
def test_m23_levels(text: str, cell: str, points: int) -> None:
    match = bare(text=text)
    lay(match, BLUE, " ".join(triangle_below(cell)))
    match.play(place(cell))
    assert match.events[0] == ("M23", RED, points)
    assert [event for event in match.events if event[0] == "M23"] == match.events[:1]
    triangle = {"b": [], "m": [("M24", BLUE, 2)], "t": [("M24", BLUE, 9)]}[cell[1]]
    assert match.events[1:] == triangle


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


def test_m24_mid_counts_its_two_bottom_cells() -> None:
    match = bare(text="lion 1", seat=BLUE)
    lay(match, RED, "Nb1")
    lay(match, BLUE, "Nb2 Nb3")
    match.play(place("Nm1"))
    assert match.events == [("M23", BLUE, 3), ("M24", RED, 1), ("M24", BLUE, 1)]
    assert match.points == [1, 0, 0, 4]


def test_m24_each_cell_of_the_triangle_once() -> None:
    assert sorted(triangle_below("Nt0")) == ["Nb0", "Nb1", "Nb2", "Nm0", "Nm1"]
    assert sorted(triangle_below("Ct2")) == ["Cb2", "Cb3", "Cb4", "Cm2", "Cm3"]
    assert triangle_below("Nm3") == ["Nb3", "Nb4"]
    assert triangle_below("Nb3") == []


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


@pytest.mark.parametrize("cell", ["Nt0", "Nt1", "Nt2", "Ct0", "Ct1", "Ct2"])
def test_m26_extra_card_on_top_only(cell: str) -> None:
    kind = {"N": "coin", "C": "fish"}[cell[0]]
    match = bare()
    for below in sorted(triangle_below(cell)):
        turn(match, RED, f"{kind} 1")
        match.play(place(below))
        assert not wants_extra(match, RED)
    turn(match, RED, f"{kind} 1")
    match.play(place(cell))
    assert wants_extra(match, RED)


# Trade


def test_m27_any_free_cell_of_the_good() -> None:
    match = bare(text="earrings 1")
    lay(match, RED, "Tearrings3")
    lay(match, GREEN, "Tearrings0 Tswan1")
    assert cells_offered(match) == ["Tearrings1", "Tearrings2", "Tearrings4"]


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


def test_m31_choices_of_a_harbor_card() -> None:
    match = bare(text="harbor 3")
    lay(match, BLUE, "H00 H10 H11 H20 H21 H22")
    assert match.legal() == [
        ship("H01", True),
        ship("H01", False),
        ship("H12", True),
        ship("H12", False),
        ship("H30", True),
        ship("H30", False),
        ship("H40", True),
        ship("H40", False),
        SAIL,
    ]


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


@pytest.mark.parametrize(("goods", "value"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10)])
def test_m32_by_goods_in_the_row(goods: int, value: int) -> None:
    match = bare(text="harbor 5")
    lay(match, RED, "H30 H31")
    for good in ["swan", "goblet", "earrings", "carafe"][:goods]:
        lay(match, YELLOW, f"T{good}3")
    lay(match, YELLOW, "Tswan2 Tgoblet4")
    match.play(ship("H32", False))
    assert match.events == ([("M32", RED, 3 * value)] if value else [])


def test_m32_only_the_third_ship_and_once() -> None:
    match = bare(text="harbor 5")
    lay(match, YELLOW, "Tswan0 Tswan1 Tgoblet0")
    for cell in ["H00", "H01"]:
        turn(match, RED, "harbor 5")
        match.play(ship(cell, False))
        assert match.events == []
    turn(match, RED, "harbor 5")
    match.play(ship("H02", False))
    assert match.events == [("M32", RED, 9)]
    turn(match, RED, "carafe 5")
    match.play(place("Tcarafe0"))
    assert match.events == [("M28", RED, 1)]
    turn(match, RED, "harbor 5")
    match.play(ship("H10", False))
    assert match.events == []


def test_m33_fleet_then_ship_then_extra_card() -> None:
    match = bare(text="harbor 2", seat=BLUE)
    lay(match, GREEN, "H40 H41 Tswan4")
    match.ships[BLUE] = 18
    match.play(ship("H42", True))
    assert match.events == [("M32", GREEN, 2), ("M32", BLUE, 1), ("M35", BLUE, 10)]
    assert match.points == [0, 2, 0, 11]
    assert wants_extra(match, BLUE)


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


@pytest.mark.parametrize("start", range(20))
@pytest.mark.parametrize("wheel", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("harbor", [True, False])
def test_m34_m35_every_stop(start: int, wheel: int, harbor: bool) -> None:
    match = bare(text=f"harbor {wheel}")
    match.ships = [start, 11, 11, 11]
    match.play(ship("H00", True) if harbor else SAIL)
    stop = min(start + wheel, 20)
    assert match.ships == [stop, 11, 11, 11]
    clause = "M35" if stop == 20 else "M34"
    assert match.events == ([(clause, RED, SEA_POINTS[stop])] if stop not in [7, 16] else [])
    assert wants_extra(match, RED) == (stop in [7, 16, 20])
    assert len(match.lozenges) == int(harbor)


def test_m35_m36_a_harbor_card_with_the_ship_on_20() -> None:
    match = bare(text="harbor 5")
    match.ships[RED] = 20
    assert match.legal() == [ship(f"H{row}0", False) for row in range(5)] + [SAIL]
    match.play(ship("H00", False))
    assert match.lozenges == {"H00": RED}
    assert match.ships[RED] == 20
    assert match.events == []
    assert not wants_extra(match, RED)


def test_m35_on_19_the_ship_may_still_sail() -> None:
    match = bare(text="harbor 5")
    match.ships[RED] = 19
    assert ship("H00", True) in match.legal()


def test_m37_ships_share_spaces() -> None:
    match = bare(text="lion 3")
    match.ships = [3, 6, 6, 6]
    match.play(SAIL)
    assert match.ships == [6, 6, 6, 6]
    assert match.points == [10, 0, 0, 0]


# Extra cards


def top_noble(match: Match) -> None:
    """Green earns an extra card on top of the nobles, with lozenges of nobody else involved."""
    lay(match, BLUE, "Nb0 Nb1 Nb2 Nm0 Nm1")
    turn(match, GREEN, "coin 1")
    match.play(place("Nt0"))


def test_m38_choices() -> None:
    match = bare()
    match.display = [card(text) for text in ["harbor 2", "ash 4", "harbor 1", "ash 2", "harbor 2", "fish 1"]]
    top_noble(match)
    assert wants_extra(match, GREEN)
    assert match.card is None
    assert match.discards == [("coin", 1)]
    assert match.legal() == [
        extra("ash 2"),
        extra("ash 4"),
        extra("fish 1"),
        extra("harbor 1"),
        extra("harbor 2"),
        DECLINE,
    ]


def test_m38_declined_is_lost() -> None:
    match = bare()
    top_noble(match)
    display = list(match.display)
    match.play(DECLINE)
    assert match.events == []
    assert match.display == display
    assert match.seat == YELLOW
    assert match.phase == "play"
    assert match.card is not None


def test_m38_taken_must_be_played_then_discarded() -> None:
    match = bare()
    match.display = [("fish", 2), ("fish", 2), ("ash", 4)]
    top_noble(match)
    match.play(extra("fish 2"))
    assert match.events == []
    assert match.seat == GREEN
    assert match.phase == "play"
    assert match.card == ("fish", 2)
    assert sorted(match.display) == [("ash", 4), ("fish", 2)]
    assert DECLINE not in match.legal()
    assert cells_offered(match) == ["Cb0", "Cb1", "Cb2", "Cb3", "Cb4"]
    match.play(place("Cb2"))
    assert match.events == [("M23", GREEN, 2)]
    assert match.discards == [("coin", 1), ("fish", 2)]
    assert match.seat == YELLOW


def test_m38_a_chain_until_the_display_is_empty() -> None:
    match = bare()
    match.display = [("goblet", 1), ("lime", 2), ("swan", 5)]
    lay(match, RED, "Tswan0 Tswan1 W4 W12")
    top_noble(match)
    match.play(extra("swan 5"))
    match.play(place("Tswan2"))
    assert wants_extra(match, GREEN)
    match.play(extra("lime 2"))
    match.play(place("W5"))
    assert wants_extra(match, GREEN)
    assert match.legal() == [extra("goblet 1"), DECLINE]
    match.ships[GREEN] = 15
    match.play(extra("goblet 1"))
    match.play(SAIL)
    assert match.ships[GREEN] == 16
    assert match.display == []
    assert match.seat == YELLOW
    assert match.phase == "play"
    assert match.discards == [("coin", 1), ("swan", 5), ("lime", 2), ("goblet", 1)]


def test_m38_nobody_is_asked_with_an_empty_display() -> None:
    match = bare()
    match.display = []
    top_noble(match)
    assert match.seat == YELLOW
    assert match.phase == "play"


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


def test_m38_points_then_bonus_cell_then_extra_card() -> None:
    match = bare(text="lime 1")
    lay(match, RED, "W0 W7 W29")
    match.play(place("W8"))
    assert match.events == [("M15", RED, 3), ("M16", RED, 20)]
    assert wants_extra(match, RED)


# End


def play_out_pick(match: Match) -> None:
    """Everybody who has not played yet sails, until the pick or the game is over."""
    pick = match.pick
    while match.pick == pick and not match.over:
        match.play(match.legal()[-1])


def test_m39_m40_last_lozenge_on_a_cell() -> None:
    match = bare(text="fish 1", seat=GREEN)
    hands = [list(hand) for hand in match.hands]
    display = list(match.display)
    match.supply[GREEN] = 1
    match.play(place("Cb2"))
    assert match.supply[GREEN] == 0
    assert not match.over
    assert match.reason is None
    assert match.seat == YELLOW
    match.play(SAIL)
    assert match.seat == BLUE
    match.play(SAIL)
    assert match.over
    assert match.phase == "over"
    assert match.reason == "lozenges"
    assert match.legal() == []
    assert match.hands == hands  # M8 is not carried out
    assert match.display == display
    assert match.doge == RED
    assert (match.round_number, match.pick) == (1, 1)
    before = everything(match)
    with pytest.raises(ValueError, match="over"):
        match.play(SAIL)
    assert everything(match) == before


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


def test_m39_last_lozenge_on_a_bonus_cell() -> None:
    match = bare(text="swan 1", seat=BLUE)
    lay(match, BLUE, "Tgoblet0 Tcarafe0 Tearrings0")
    match.supply[BLUE] = 2
    match.play(place("Tswan0"))
    assert match.supply[BLUE] == 0
    assert match.reserve[BLUE] == 3
    assert match.over
    assert match.reason == "lozenges"


def test_m40_bonus_cell_from_the_reserve() -> None:
    match = bare(text="swan 1")
    lay(match, RED, "Tgoblet0 Tcarafe0 Tearrings0")
    match.supply[RED] = 1
    match.play(place("Tswan0"))
    assert match.events == [("M28", RED, 1), ("M29", RED, 20)]
    assert match.supply[RED] == 0
    assert match.reserve[RED] == 2


def test_m40_reserve_for_extra_cards_and_no_fourth() -> None:
    match = bare(text="coin 1")
    lay(match, BLUE, "Nb0 Nb1 Nb2 Nm0 Nm1 W0 W7 W6 W13 W15 W16 W17 W24")
    match.display = [("lime", 1), ("pigment", 1), ("quartz", 1), ("quartz", 2), ("fish", 2)]
    match.supply[RED] = 1
    match.play(place("Nt0"))
    assert match.supply[RED] == 0
    for text, cell, left in [("lime 1", "W8", 2), ("quartz 1", "W14", 1), ("quartz 2", "W23", 0)]:
        assert wants_extra(match, RED)
        match.play(extra(text))
        match.play(place(cell))
        assert match.reserve == [left, 3, 3, 3]
    assert wants_extra(match, RED)
    match.play(extra("pigment 1"))
    assert match.legal() == [SAIL]
    match.play(SAIL)
    assert match.seat == GREEN
    play_out_pick(match)
    assert match.over


def test_m40_the_others_use_supply_first_then_reserve() -> None:
    match = bare(text="fish 1")
    match.supply = [1, 1, 5, 27]
    match.play(place("Cb0"))
    turn(match, GREEN, "swan 1")
    lay(match, GREEN, "Tgoblet0 Tcarafe0 Tearrings0")
    match.play(place("Tswan0"))
    assert match.events == [("M28", GREEN, 1), ("M29", GREEN, 20)]
    assert match.supply == [0, 0, 5, 27]
    assert match.reserve == [3, 2, 3, 3]
    turn(match, YELLOW, "swan 2")
    match.play(place("Tswan1"))
    assert match.supply == [0, 0, 4, 27]
    assert match.reserve == [3, 2, 3, 3]


def test_m40_no_reserve_before_a_supply_is_empty() -> None:
    match = bare(text="fish 1")
    match.supply = [2, 2, 2, 2]
    assert [match.lozenges_to_use(seat) for seat in match.seats] == [2, 2, 2, 2]
    match.supply = [2, 0, 2, 2]
    assert [match.lozenges_to_use(seat) for seat in match.seats] == [5, 3, 5, 5]


def test_m40_open_draft_the_others_still_choose() -> None:
    match = Match(seed=3, players=3, draft="open")
    match.play(match.legal()[0])
    turn(match, 0, "fish 1")
    match.supply[0] = 1
    match.play(place("Cb0"))
    for seat in [1, 2]:
        assert match.seat == seat
        assert match.phase == "keep"
        match.play(match.legal()[0])
        assert match.phase == "play"
        match.play(SAIL)
    assert match.over
    assert match.reason == "lozenges"
    assert [len(hand) for hand in match.hands] == [4, 4, 4]


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


def test_m40_both_ends_together_are_lozenges() -> None:
    match = Match(seed=3, players=4)
    while match.deck != [] or match.pick < 4 or match.phase == "keep":
        match.play(match.legal()[-1])
    turn(match, match.doge, "fish 1")
    match.supply[match.seat] = 1
    match.play(place("Cb0"))
    doge = match.doge
    play_out_pick(match)
    assert match.over
    assert match.reason == "lozenges"
    assert [len(hand) for hand in match.hands] == [1, 1, 1, 1]
    assert match.doge == doge


@pytest.mark.parametrize(
    ("points", "winners"),
    [([3, 9, 2, 4], [1]), ([9, 1, 2, 9], [0, 3]), ([0, 0, 0, 0], [0, 1, 2, 3]), ([1, 2, 3, 40], [3])],
)
def test_m41_most_points_ties_are_shared(points: list[int], winners: list[int]) -> None:
    match = bare()
    match.points = list(points)
    assert match.winners() == []
    match.end_game("deck")
    assert match.scores() == points
    assert match.winners() == winners


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


# Whole games


def watch_to_the_end(match: Match, chooser: random.Random, style: str) -> Counter[str]:
    """Play a whole game, check every step, and count what has happened."""
    seen: Counter[str] = Counter()
    actions_played = 0
    while not match.over:
        legal = match.legal()
        assert 1 <= len(legal) <= 46
        assert all(legal.count(action) == 1 for action in legal)
        seat, points, phase = match.seat, match.scores(), match.phase
        ended = match.a_supply_is_empty()
        reserve = sum(match.reserve)
        action = lively(match, chooser) if style == "lively" else chooser.choice(legal)
        match.play(action)
        actions_played += 1
        assert_conserved(match)

        for other in match.seats:
            gained = sum(event[2] for event in match.events if event[1] == other)
            assert match.points[other] == points[other] + gained
        keys = [event[:2] for event in match.events]
        assert len(keys) == len(set(keys))
        assert all(event[2] > 0 for event in match.events)
        if phase != "play":
            assert match.events == []
        if ended and not match.over:
            assert match.phase != "keep" or match.draft == "open"
        if match.phase == "extra":
            assert match.seat == seat
            assert match.display != []
        if match.phase in ["keep", "extra", "over"]:
            assert match.card is None
        for hand in [*match.hands, match.display]:
            assert hand == sorted(hand, key=by_type_then_wheel)
        for event in match.events:
            seen[event[0]] += 1
        seen[action["do"]] += 1
        seen["reserve used"] += reserve - sum(match.reserve)

    assert actions_played < 300
    assert match.legal() == []
    assert match.kept == [None] * match.players
    assert match.winners() != []
    assert (match.reason == "lozenges") == match.a_supply_is_empty()
    if match.reason == "deck":
        assert match.deck == []
        assert match.round_number == ROUNDS[match.players]
        assert match.hands == [[] for _ in match.seats]
    seen[f"end by {match.reason}"] += 1
    return seen


@pytest.mark.parametrize(("players", "draft"), OPTIONS)
def test_random_games_to_the_end(players: int, draft: str) -> None:
    chooser = random.Random(f"{players} {draft}")
    seen: Counter[str] = Counter()
    for seed in range(GAMES_PER_OPTION):
        seen += watch_to_the_end(Match(seed, players, draft), chooser, "random")
    for clause in ["M15", "M19", "M23", "M24", "M28", "M32", "M34", "M35", "M16", "M20", "M25", "M29"]:
        assert seen[clause] > 0
    assert seen["end by deck"] > 0
    assert seen["extra"] > 0
    assert seen["decline"] > 0


@pytest.mark.parametrize(("players", "draft"), OPTIONS)
def test_lively_games_run_out_of_lozenges(players: int, draft: str) -> None:
    chooser = random.Random(f"{players} {draft} lively")
    seen: Counter[str] = Counter()
    for seed in range(GAMES_PER_OPTION):
        seen += watch_to_the_end(Match(seed, players, draft), chooser, "lively")
    assert seen["end by lozenges"] > 0
    assert seen["reserve used"] > 0


@pytest.mark.parametrize(("players", "draft"), OPTIONS)
def test_the_same_seed_and_actions_give_the_same_game(players: int, draft: str) -> None:
    chooser = random.Random(8)
    one, two = Match(2**40 + 9, players, draft), Match(2**40 + 9, players, draft)
    while not one.over:
        action = lively(one, chooser)
        one.play(action)
        two.play(dict(action))
        assert everything(one) == everything(two)
