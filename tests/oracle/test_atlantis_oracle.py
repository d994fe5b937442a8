"""The naive referee of Atlantis against the rules text, by itself.

Worked examples, the order of chance, and cases that no test of the engine has: for everything else the
engine's tests of the clauses stand for both, since `test_lockstep.py` keeps the two together.
"""

import itertools
import random
from collections import Counter

import pytest

from .atlantis import (
    ITEMS,
    Action,
    Event,
    Match,
    Tile,
    can_be_completed,
    least_loss,
    no_cards,
    tiles_of_half,
)
from .chance import Stream

DRAW: Action = {"do": "draw"}
END: Action = {"do": "end"}


def tile(text: str) -> Tile:
    """A tile from text such as "lyre5"."""
    return text[:-1], int(text[-1])


def lay(match: Match, text: str) -> None:
    """Put tiles on the path, such as "3:lyre5 4:olive2/coins1", the lowest tile first."""
    for word in text.split():
        space, stack = word.split(":")
        half = "A" if int(space) <= 26 else "B"
        match.path[int(space)] = [(*tile(each), half) for each in stack.split("/")]


def hold(match: Match, seat: int, cards: str = "", tiles: str = "") -> None:
    """Give a player exactly these cards and own tiles."""
    match.hands[seat] = no_cards()
    for item in cards.split():
        match.hands[seat][item] += 1
    match.tiles[seat] = sorted(
        (tile(each) for each in tiles.split()), key=lambda t: (ITEMS.index(t[0]), t[1])
    )


def bare(path: str, cards: str = "", tiles: str = "", players: int = 2) -> Match:
    """A position made by hand: all pawns on Atlantis, seat 0 to move, a deck of ten sickles.

    Nobody has a bridge left, so that no turn stops for one; a test that wants one gives it.
    """
    match = Match(seed=1, players=players)
    match.path = [[] for _ in range(53)]
    lay(match, path)
    for seat in range(players):
        hold(match, seat)
    hold(match, 0, cards, tiles)
    match.deck = ["sickle"] * 10
    match.bridges = [0] * players  # after Atlantis: over nothing
    return match


def buy(text: str) -> Action:
    return {"do": "buy", "tile": list(tile(text))}


def move(space: int, item: str) -> Action:
    return {"do": "move", "from": space, "card": item}


def on(item: str) -> Action:
    return {"do": "on", "card": item}


def pay_tile(text: str) -> Action:
    return {"do": "pay", "tile": list(tile(text))}


def pay_card(item: str) -> Action:
    return {"do": "pay", "card": item}


def noted(match: Match, kind: str) -> list[Event]:
    """The events of one kind that the last action has left, without their kind."""
    return [event[1:] for event in match.events if event[0] == kind]


def cards_of(match: Match, seat: int) -> list[str]:
    """A hand as a list, in the order of the items."""
    return [item for item in ITEMS for _ in range(match.hands[seat][item])]


# Components and setup


def test_a4_tiles_are_laid_from_the_end_of_the_shuffled_halves() -> None:
    match = Match(seed=11, players=2)
    for number, half, first in [(0, "A", 1), (1, "B", 27)]:
        order = tiles_of_half(half)
        Stream(11, number).shuffle(order)
        spaces = range(first, first + 26)
        assert [each for space in spaces for each in match.path[space]] == order[::-1]


# Moving


def test_a8_two_cards_played_one_drawn() -> None:
    match = bare("1:lyre1 2:olive1 3:coins1", cards="coins olive")
    match.pawns[1] = [0, 0, 2]
    match.play(move(0, "olive"))
    assert noted(match, "drew") == []
    match.play(on("coins"))
    assert noted(match, "drew") == [(0, 1)]


def test_a8_a_chain_of_three() -> None:
    match = bare("1:lyre1 2:olive1 3:coins1", cards="lyre lyre olive")
    match.pawns[1] = [0, 1, 2]
    match.play(move(0, "lyre"))
    assert match.legal() == [on("olive"), on("lyre")]
    match.play(on("olive"))
    assert match.legal() == [on("lyre")]
    match.play(on("lyre"))
    assert match.pawns[0] == [0, 0, 53]


def test_a8_no_card_to_go_on_with() -> None:
    match = bare("1:lyre1 2:olive1 3:coins1", cards="lyre")
    match.pawns[1] = [0, 0, 1]
    assert match.legal() == [DRAW]
    hold(match, 0, cards="lyre lyre")
    assert match.legal() == [move(0, "lyre")]


def test_a8_a_next_card_is_judged_by_the_whole_cost() -> None:
    """Gaps of 2 and 3: the first is behind already when the second card is chosen."""
    match = bare("1:olive2 3:coins2 4:weapon5 6:lyre3", cards="coins weapon lyre", tiles="olive4")
    match.pawns[0] = [1, 53, 53]
    match.pawns[1] = [0, 0, 3]
    match.play(move(1, "coins"))
    assert match.legal() == [on("weapon"), on("lyre")]
    assert match.cost_of_way(1, 6) == 5  # the tile 4 and the card left
    hold(match, 0, cards="weapon lyre", tiles="olive3")
    assert match.legal() == [on("weapon")]  # 4 are not enough for lyre; weapon stays before the gap


def test_a10_buying_first_may_help_or_not() -> None:
    match = bare("1:lyre1 2:lyre1", tiles="coins3")
    assert match.legal() == [buy("coins3"), DRAW]
    match.play(buy("coins3"))
    assert match.legal() == [move(0, "sickle")]
    match = bare("1:lyre7 3:olive7", tiles="coins4")
    match.pawns[0] = [1, 1, 1]
    match.play(buy("coins4"))
    assert match.legal() == [DRAW]
    match.play(DRAW)
    assert match.seat == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a10_a_round_that_brings_nothing_ends_the_game(players: int) -> None:
    match = bare("1:lyre2 2:olive3 4:coins4", players=players)
    match.deck = []
    for seat in range(players):
        hold(match, seat, tiles="coins1")
        match.pawns[seat] = [1, 53, 53]
    match.pawns[0] = [4, 53, 53]
    for seat in range(players):
        assert not match.over
        assert match.seat == seat
        match.play(DRAW)
    assert match.over
    assert noted(match, "loss") == [(0, 0)] + [(seat, 3) for seat in range(1, players)]
    assert match.scores() == [1] + [-2] * (players - 1)
    assert match.winners() == [0]
    assert [sum(hand.values()) for hand in match.hands] == [0] * players


def test_a10_a_move_interrupts_a_round_that_brings_nothing() -> None:
    match = bare("1:lyre1 2:lyre1", players=3)
    match.deck = []
    hold(match, 1, cards="lyre")
    match.play(DRAW)
    match.play(move(0, "lyre"))
    match.discards = no_cards()
    match.hands[1] = no_cards()
    match.play(DRAW)
    assert match.idle_turns == 1
    match.play(DRAW)
    assert not match.over
    match.play(DRAW)
    assert match.over


# Water and payment


def test_a11_costs_of_the_whole_chain_add_up() -> None:
    match = bare("1:lyre2 3:olive4 5:coins5", cards="olive coins", tiles="wreath6")
    match.pawns[0] = [0, 1, 53]
    match.pawns[1] = [0, 0, 3]
    match.play(move(1, "olive"))
    assert noted(match, "gap") == [(1, 2)]
    match.play(on("coins"))
    assert noted(match, "gap") == [(3, 4)]
    assert match.due == 6
    match.play(pay_tile("wreath6"))
    assert match.tiles[0] == [("lyre", 2)]


def payments(pieces: list[int], cost: int) -> list[list[int]]:
    """A12: every payment whose excess is smaller than every piece in it, by all subsets."""
    found = []
    for size in range(1, len(pieces) + 1):
        for chosen in itertools.combinations(pieces, size):
            if 0 <= sum(chosen) - cost < min(chosen):
                found.append(list(chosen))
    return found


def test_a12_by_all_subsets() -> None:
    chooser = random.Random(12)
    for _ in range(400):
        pieces = [chooser.choice([1, 1, 1, 2, 3, 4, 5, 6, 7]) for _ in range(chooser.randint(1, 9))]
        cost = chooser.randint(1, sum(pieces))
        allowed = payments(pieces, cost)
        assert allowed != []
        paid: list[int] = []
        while sum(paid) < cost:
            choices = []
            for value in sorted(set(pieces)):
                others = list(pieces)
                others.remove(value)
                with_it = [*paid, value]
                expected = any(Counter(with_it) <= Counter(each) for each in allowed)
                assert can_be_completed(with_it, others, cost) == expected
                if expected:
                    choices.append(value)
            assert choices != []  # there is always a way on
            paid.append(chooser.choice(choices))
            pieces.remove(paid[-1])
        assert Counter(paid) in [Counter(each) for each in allowed]


# Taking a tile and drawing


def test_a13_pawns_and_gaps_are_skipped() -> None:
    match = bare("1:lyre1 2:olive3 5:weapon2 6:coins4", cards="coins", tiles="lyre2")
    match.pawns[0] = [0, 0, 5]
    match.pawns[1] = [0, 0, 2]
    match.play(move(0, "coins"))
    match.play(pay_tile("lyre2"))
    assert match.pawns[0] == [0, 5, 6]
    assert noted(match, "took") == [(0, 1, "lyre", 1, "A")]


def test_a14_no_reshuffle_before_a_card_is_needed() -> None:
    match = bare("1:lyre1 2:olive3 3:coins4", cards="coins")
    match.deck = ["sickle"]
    match.play(move(0, "coins"))
    assert match.deck == []
    assert match.discards["coins"] == 1
    assert cards_of(match, 0) == ["sickle"]


def test_a14_deck_and_discards_both_empty() -> None:
    match = bare("1:lyre1 2:olive3 3:coins4", cards="coins")
    match.pawns[0] = [2, 53, 53]
    match.deck = []
    match.play(move(2, "coins"))
    assert noted(match, "drew") == [(0, 1)]  # only the played card comes back
    assert cards_of(match, 0) == ["coins"]
    assert match.deck == []
    assert match.seat == 1
    match.play(DRAW)
    assert noted(match, "drew") == [(1, 0)]


def test_a14_paid_cards_do_not_come_back() -> None:
    match = bare("1:lyre1 3:olive3", cards="olive weapon")
    match.pawns[0] = [1, 53, 53]
    match.deck = []
    match.play(move(1, "olive"))
    match.play(pay_card("weapon"))
    assert cards_of(match, 0) == ["olive"]
    assert match.gone.cards["weapon"] == 1


# Gaps and bridges


def test_a16_or_none_yet() -> None:
    match = bare("1:lyre2 2:coins1 3:olive3", cards="olive")
    match.bridges = [None, None]
    match.play(move(0, "olive"))
    match.play(END)
    assert match.bridges == [None, None]
    assert noted(match, "drew") == [(0, 1)]
    assert match.seat == 1


def test_a16_not_asked_without_a_gap_or_a_bridge() -> None:
    match = bare("1:coins1 2:lyre2 3:olive3", cards="lyre")
    match.bridges = [None, 0]
    match.play(move(0, "lyre"))  # the first tile is taken: water at an end
    assert (match.seat, match.phase) == (1, "turn")
    match = bare("1:lyre2 2:coins1 3:olive3", cards="olive")
    match.bridges = [0, None]
    match.play(move(0, "olive"))
    assert match.gaps() == [(1, 3)]
    assert (match.seat, match.phase) == (1, "turn")


@pytest.mark.parametrize("seat", [0, 1])
def test_a16_everyone_crosses_for_free(seat: int) -> None:
    match = bare("1:lyre5 3:olive6")
    hold(match, seat, cards="olive")
    match.seat = seat
    match.pawns[seat] = [0, 0, 1]
    match.bridges = [1, 0]
    match.play(move(1, "olive"))
    assert noted(match, "gap") == [(1, 0)]
    assert match.seat == 1 - seat


def test_a16_not_in_the_middle_of_a_move() -> None:
    match = bare("1:lyre1 2:olive2 4:coins3", cards="olive coins coins lyre")
    match.bridges = [None, None]
    match.pawns[1] = [0, 0, 2]
    match.play(move(0, "olive"))
    assert {action["do"] for action in match.legal()} == {"on"}
    match.play(on("coins"))
    assert match.phase == "pay"
    assert {action["do"] for action in match.legal()} == {"pay"}


# End and scoring


def test_a18_the_end_draws_what_there_is() -> None:
    match = bare("1:lyre1", cards="lyre")
    match.pawns[0] = [1, 53, 53]
    match.deck = ["coins"]
    match.play(move(1, "lyre"))
    assert noted(match, "drew") == [(0, 2)]
    assert Counter(cards_of(match, 0)) == Counter(["coins", "lyre"])


def test_a19_bridges_count() -> None:
    match = bare("1:lyre5 2:olive1 4:coins6", cards="lyre")
    match.pawns[0] = [4, 53, 53]
    match.pawns[1] = [0, 1, 2]
    match.bridges = [0, 2]
    hold(match, 1, tiles="amphora7")
    match.play(move(4, "lyre"))
    assert noted(match, "loss") == [(0, 0), (1, 0)]


def test_a20_by_all_subsets() -> None:
    chooser = random.Random(20)
    for _ in range(300):
        pieces = [chooser.randint(1, 7) for _ in range(chooser.randint(0, 9))]
        cost = chooser.randint(0, 30)
        covering = [
            sum(chosen)
            for size in range(len(pieces) + 1)
            for chosen in itertools.combinations(pieces, size)
            if sum(chosen) >= cost
        ]
        assert least_loss(pieces, cost) == min(covering, default=cost)


# Worked examples


def test_example_1_gaps_of_1_4_and_3_and_a_bridge_cost_8() -> None:
    match = bare(
        "10:lyre5 12:coins1 13:olive4 15:wreath6 17:weapon3 18:sickle5 20:amphora2",
        cards="amphora",
        tiles="olive5 coins3",
    )
    match.pawns[0] = [0, 10, 53]
    match.bridges[1] = 18
    match.play(move(10, "amphora"))
    assert noted(match, "gap") == [(10, 1), (13, 4), (15, 3), (18, 0)]
    assert match.due == 8
    match.play(pay_tile("olive5"))
    match.play(pay_tile("coins3"))
    assert noted(match, "took") == [(0, 18, "sickle", 5, "A")]


@pytest.mark.parametrize(("spot", "cost"), [(10, 0), (11, 0), (13, 0), (0, 5)])
def test_example_1_a_merged_gap_costs_0_with_a_bridge_5_without(spot: int, cost: int) -> None:
    match = bare("10:lyre5 14:amphora6", cards="amphora", tiles="wreath7")
    match.pawns[0] = [0, 10, 53]
    match.bridges[0] = spot
    match.play(move(10, "amphora"))
    assert noted(match, "gap") == [(10, cost)]
    assert match.due == cost


def test_example_2_final_payments() -> None:
    """Pawns owing 6 and 1 are paid with one tile of value 7, another player pays 1 with one card."""
    match = bare("4:olive7 6:amphora5 7:lyre1 9:wreath4 10:amphora1", cards="lyre", players=3)
    match.pawns[0] = [10, 53, 53]
    match.pawns[1] = [4, 7, 53]
    match.pawns[2] = [7, 53, 53]
    hold(match, 1, tiles="olive7")
    hold(match, 2, cards="coins coins", tiles="wreath5")
    assert match.crossed(4, 53) == [(4, 5), (7, 1)]
    assert match.cost_of_way(4, 53) == 6
    assert match.cost_of_way(7, 53) == 1
    match.play(move(10, "lyre"))
    assert noted(match, "loss") == [(0, 0), (1, 7), (2, 1)]
    assert match.scores()[1:] == [0, 6]


def test_example_3_a_5_buys_2_cards() -> None:
    match = bare("1:lyre1", tiles="lyre5")
    match.play(buy("lyre5"))
    assert sum(match.hands[0].values()) == 2
