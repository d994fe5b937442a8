"""The naive referee of Atlantis against the spec, by itself."""

import itertools
import random
from collections import Counter

import pytest

from .atlantis import (
    ATLANTIS,
    ITEMS,
    MAINLAND,
    SPACES,
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

GAMES_PER_PLAYERS = 40
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


def bridge(space: int) -> Action:
    return {"do": "bridge", "after": space}


def move(space: int, item: str) -> Action:
    return {"do": "move", "from": space, "card": item}


def on(item: str) -> Action:
    return {"do": "on", "card": item}


def pay_tile(text: str) -> Action:
    return {"do": "pay", "tile": list(tile(text))}


def pay_card(item: str) -> Action:
    return {"do": "pay", "card": item}


def those(match: Match, do: str) -> list[Action]:
    """The legal actions of one kind."""
    return [action for action in match.legal() if action["do"] == do]


def noted(match: Match, kind: str) -> list[Event]:
    """The events of one kind that the last action has left, without their kind."""
    return [event[1:] for event in match.events if event[0] == kind]


def cards_of(match: Match, seat: int) -> list[str]:
    """A hand as a list, in the order of the items."""
    return [item for item in ITEMS for _ in range(match.hands[seat][item])]


def everything(match: Match) -> str:
    """All that a match holds, as text to compare."""
    return repr((vars(match), vars(match.cards_stream)))


def assert_conserved(match: Match) -> None:
    """A2, A3: 84 tiles and 105 cards, wherever they are."""
    tiles = [(item, value) for stack in match.path for item, value, _ in stack]
    tiles += [each for own in match.tiles for each in own] + match.gone.tiles
    assert Counter(tiles) == Counter((item, value) for half in "AB" for item, value, _ in tiles_of_half(half))
    for item in ITEMS:
        hands = sum(hand[item] for hand in match.hands)
        assert hands + match.deck.count(item) + match.discards[item] + match.gone.cards[item] == 15
        assert min(hand[item] for hand in match.hands) >= 0


# Components and setup


def test_a1_seven_items() -> None:
    assert ITEMS == ["amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle"]


def test_a2_tile_sums() -> None:
    half_a, half_b = tiles_of_half("A"), tiles_of_half("B")
    assert len(half_a) == len(half_b) == 42
    assert sum(value for _, value, _ in half_a) == 150
    assert sum(value for _, value, _ in half_b) == 151
    assert {half for _, _, half in half_a} == {"A"}
    assert {half for _, _, half in half_b} == {"B"}


@pytest.mark.parametrize("item", ITEMS)
def test_a2_values(item: str) -> None:
    in_a = [value for each, value, _ in tiles_of_half("A") if each == item]
    in_b = [value for each, value, _ in tiles_of_half("B") if each == item]
    if item in ["amphora", "wreath", "olive"]:
        assert (in_a, in_b) == ([1, 2, 3, 4, 5, 7], [1, 2, 3, 4, 5, 6])
    else:
        assert (in_a, in_b) == ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 7])


def test_a2_equal_tiles_are_one_choice() -> None:
    match = bare("1:lyre1", tiles="olive4 olive4 lyre4")
    assert those(match, "buy") == [buy("olive4"), buy("lyre4")]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a3_pieces(players: int) -> None:
    match = Match(seed=5, players=players)
    assert_conserved(match)
    assert match.pawns == [[ATLANTIS] * 3] * players
    assert match.bridges == [None] * players
    assert match.tiles == [[]] * players


@pytest.mark.parametrize("seed", [0, 7, 2**40 + 3])
def test_a4_path(seed: int) -> None:
    match = Match(seed, players=2)
    assert match.path[0] == []
    heights = [len(stack) for stack in match.path[1:]]
    assert heights == [2] * 10 + [1] * 10 + [2] * 6 + [2] * 6 + [1] * 10 + [2] * 10
    assert len(heights) == 26 + 26
    for half, spaces in [("A", range(1, 27)), ("B", range(27, 53))]:
        laid = [each for space in spaces for each in match.path[space]]
        assert sorted(laid) == sorted(tiles_of_half(half))
    assert match.gaps() == [(26, 27)]


def test_a4_tiles_are_laid_from_the_end_of_the_shuffled_halves() -> None:
    match = Match(seed=11, players=2)
    for number, half, first in [(0, "A", 1), (1, "B", 27)]:
        order = tiles_of_half(half)
        Stream(11, number).shuffle(order)
        spaces = range(first, first + 26)
        assert [each for space in spaces for each in match.path[space]] == order[::-1]


def test_a4_only_the_top_tile_counts() -> None:
    match = bare("1:lyre6/olive2 2:lyre3", cards="lyre olive")
    match.play(move(0, "lyre"))
    assert match.pawns[0] == [0, 0, 2]


def test_a4_the_gap_between_26_and_27() -> None:
    match = bare("25:olive3 26:lyre4 27:coins2 28:olive1")
    assert match.gaps() == [(26, 27)]
    assert match.crossed(25, 28) == [(26, 2)]
    assert match.crossed(26, 27) == [(26, 2)]
    assert match.crossed(25, 26) == match.crossed(27, 28) == []
    match.path[26] = []
    assert match.gaps() == [(25, 27)]
    match.path[27] = []
    assert match.gaps() == [(25, 28)]
    match.path[25] = []
    assert match.gaps() == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a5_hands(players: int) -> None:
    match = Match(seed=3, players=players)
    assert match.seat == 0
    assert [sum(hand.values()) for hand in match.hands] == [4, 5, 6, 7][:players]
    deck = [item for item in ITEMS for _ in range(15)]
    Stream(3, 2).shuffle(deck)
    for seat in range(players):
        dealt = [deck.pop() for _ in range(4 + seat)]
        assert Counter(cards_of(match, seat)) == Counter(dealt)
    assert match.deck == deck
    assert sum(match.discards.values()) == 0


@pytest.mark.parametrize("players", [0, 1, 5])
def test_a5_two_to_four_players(players: int) -> None:
    with pytest.raises(ValueError, match="A5"):
        Match(seed=1, players=players)


def test_a5_clockwise() -> None:
    match = bare("1:lyre1 2:lyre1", players=3)
    for seat in [0, 1, 2]:
        assert match.seat == seat
        match.play(DRAW)
    assert match.seat == 0


# Buying


@pytest.mark.parametrize(("value", "cards"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)])
def test_a6_buy(value: int, cards: int) -> None:
    match = bare("1:lyre1", cards="lyre", tiles=f"olive{value} coins1")
    match.play(buy(f"olive{value}"))
    assert cards_of(match, 0) == ["lyre"] + ["sickle"] * cards
    assert match.tiles[0] == [("coins", 1)]
    assert match.gone.tiles == [("olive", value)]
    assert noted(match, "drew") == [(0, cards)]
    assert (match.seat, match.phase) == (0, "turn")


def test_a6_a_1_buys_nothing() -> None:
    match = bare("1:lyre1", tiles="olive1")
    assert match.legal() == [DRAW]


def test_a6_one_tile_per_turn() -> None:
    match = bare("1:lyre1 2:lyre1", cards="lyre", tiles="olive4 coins4")
    match.play(buy("coins4"))
    assert those(match, "buy") == []
    match.play(move(0, "lyre"))
    match.play(DRAW)
    assert those(match, "buy") == [buy("olive4")]


def test_a6_before_anything_else() -> None:
    match = bare("1:lyre1 3:lyre1", cards="lyre", tiles="olive4")
    match.bridges = [None, None]
    assert those(match, "buy") == [buy("olive4")]
    match.play(bridge(1))
    assert those(match, "buy") == []


def test_a6_not_without_a_card_to_draw() -> None:
    match = bare("1:lyre1", tiles="olive7")
    match.deck = []
    assert those(match, "buy") == []
    match.discards["coins"] = 1
    assert those(match, "buy") == [buy("olive7")]
    match.play(buy("olive7"))
    assert cards_of(match, 0) == ["coins"]
    assert noted(match, "drew") == [(0, 1)]
    assert match.deck == []
    assert sum(match.discards.values()) == 0


# Moving


def test_a7_the_next_space_ahead() -> None:
    match = bare("1:lyre1 2:olive1 3:lyre1 4:coins1 5:lyre1", cards="lyre")
    match.pawns[0] = [0, 3, 53]
    assert match.legal() == [move(0, "lyre"), move(3, "lyre")]
    match.play(move(3, "lyre"))
    assert match.pawns[0] == [0, 5, 53]
    assert match.discards["lyre"] == 1
    assert match.hands[0]["lyre"] == 0


def test_a7_identical_pawns_are_one_choice() -> None:
    match = bare("1:lyre1 2:olive1", cards="olive lyre lyre")
    assert match.legal() == [move(0, "olive"), move(0, "lyre")]


def test_a7_a_pawn_on_the_mainland_stays() -> None:
    match = bare("1:lyre1", cards="lyre")
    match.pawns[0] = [1, 53, 53]
    assert match.legal() == [move(1, "lyre")]


@pytest.mark.parametrize("owner", [0, 1])
def test_a8_another_card_from_a_pawn_on(owner: int) -> None:
    match = bare("1:lyre1 2:olive1 3:coins1 4:olive1", cards="coins lyre olive olive")
    match.pawns[0] = [0, 0, 0]
    match.pawns[1] = [0, 0, 0]
    match.pawns[owner] = [0, 0, 2]
    match.play(move(0, "olive"))
    assert match.phase == "chain"
    assert match.seat == 0
    assert match.pawns[0].count(2) == (2 if owner == 0 else 1)
    assert match.legal() == [on("olive"), on("coins"), on("lyre")]
    match.play(on("coins"))
    assert 3 in match.pawns[0]
    assert match.tiles[0] == [("lyre", 1)]  # the pawn on 2 guards its tile
    assert cards_of(match, 0) == ["olive", "lyre", "sickle"]
    assert match.discards["olive"] == match.discards["coins"] == 1
    assert (match.seat, match.phase) == (1, "turn")


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


def test_a8_looks_ahead_over_the_whole_chain() -> None:
    """Olive, coins ends on a pawn; coins, olive and all with lyre reach the mainland."""
    match = bare("1:olive1 2:coins1", cards="olive coins")
    match.pawns[1] = [0, 1, 2]
    assert match.legal() == [move(0, "coins")]
    hold(match, 0, cards="olive coins lyre")
    assert match.legal() == [move(0, "olive"), move(0, "coins"), move(0, "lyre")]
    match.play(move(0, "olive"))
    assert match.legal() == [on("coins"), on("lyre")]
    match.play(on("coins"))
    assert match.legal() == [on("lyre")]


def test_a8_cards_played_in_the_chain_do_not_pay() -> None:
    """Over a gap of 1 a card must be left: the chain of two takes the last one."""
    match = bare("1:olive1 2:lyre1 4:coins1", cards="olive coins")
    match.pawns[1] = [0, 0, 1]
    assert move(0, "coins") in match.legal()  # one card, the other pays
    assert move(0, "olive") not in match.legal()
    hold(match, 0, cards="olive coins weapon")
    match.play(move(0, "olive"))
    assert match.legal() == [on("coins"), on("weapon")]
    match.play(on("coins"))
    assert (match.phase, match.due) == ("pay", 1)


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


@pytest.mark.parametrize("space", [0, 1, 2])
def test_a9_to_the_mainland(space: int) -> None:
    match = bare("1:lyre1 2:olive1", cards="coins")
    match.pawns[0] = [space, 53, 53] if space else [0, 0, 53]
    match.play(move(space, "coins"))
    assert match.pawns[0][-1] == MAINLAND
    assert match.pawns[0].count(MAINLAND) >= 2


def test_a9_the_item_behind_does_not_count() -> None:
    match = bare("1:lyre1 2:lyre1 3:olive1", cards="lyre")
    match.pawns[0] = [0, 0, 2]
    match.play(move(2, "lyre"))
    assert match.pawns[0] == [0, 0, 53]


def test_a9_any_number_on_the_mainland() -> None:
    match = bare("1:lyre1 2:olive1", cards="coins")
    match.pawns[1] = [0, 53, 53]
    match.play(move(0, "coins"))
    assert (match.phase, match.seat) == ("turn", 1)


def test_a10_draw_two() -> None:
    match = bare("1:lyre1 2:lyre1", cards="lyre")
    match.pawns[0] = [0, 0, 2]
    match.pawns[1] = [1, 53, 53]
    lay(match, "2:lyre2 4:coins2")
    assert match.legal() == [DRAW]  # lyre leads onto a pawn, or from 2 over water that costs 2
    match.play(DRAW)
    assert match.events == [("shows", 0, "lyre"), ("drew", 0, 2)]
    assert cards_of(match, 0) == ["lyre", "sickle", "sickle"]
    assert match.tiles[0] == []
    assert match.seat == 1


def test_a10_not_while_a_move_is_legal() -> None:
    match = bare("1:lyre1", cards="lyre")
    assert DRAW not in match.legal()
    with pytest.raises(ValueError, match="not possible"):
        match.play(DRAW)


def test_a10_a_buy_and_a_bridge_are_offered_beside_the_draw() -> None:
    match = bare("1:lyre4 3:olive4", cards="olive", tiles="coins3")
    match.pawns[0] = [0, 0, 1]
    match.bridges = [None, None]
    assert match.cost_of_way(1, 3) == 4
    assert match.legal() == [buy("coins3"), bridge(1), DRAW]
    match.play(bridge(1))
    assert match.legal() == [move(0, "olive"), move(1, "olive")]


def test_a10_a_buy_first_may_help_or_not() -> None:
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
def test_a10_a_round_of_nothing_ends_the_game(players: int) -> None:
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


def test_a10_a_turn_with_a_bridge_is_not_nothing() -> None:
    match = bare("1:lyre2 2:olive3 4:coins4")
    match.deck = []
    match.bridges = [None, 0]
    match.play(DRAW)
    match.play(DRAW)
    assert match.over

    match = bare("1:lyre2 2:olive3 4:coins4")
    match.deck = []
    match.bridges = [0, None]
    match.play(DRAW)
    match.play(bridge(2))
    match.play(DRAW)
    assert not match.over
    match.play(DRAW)
    assert not match.over
    match.play(DRAW)
    assert match.over


def test_a10_a_turn_with_a_buy_or_a_card_is_not_nothing() -> None:
    match = bare("1:lyre7 3:olive7")
    match.pawns = [[1, 53, 53], [1, 53, 53]]
    match.deck = ["sickle"]
    hold(match, 1, tiles="coins2")
    match.idle_turns = 1
    match.play(DRAW)  # draws the last card
    assert (match.over, match.idle_turns) == (False, 0)
    match.deck = ["sickle"]
    match.idle_turns = 1
    match.play(buy("coins2"))
    match.play(DRAW)  # nothing is left after the buy
    assert noted(match, "drew") == [(1, 0)]
    assert (match.over, match.idle_turns) == (False, 0)


def test_a10_a_move_interrupts_the_round_of_nothing() -> None:
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


@pytest.mark.parametrize(("near", "far", "cost"), [(1, 6, 1), (6, 1, 1), (4, 4, 4), (7, 5, 5)])
@pytest.mark.parametrize("width", [1, 2, 9])
def test_a11_the_lower_side_whatever_the_width(near: int, far: int, cost: int, width: int) -> None:
    match = bare(f"1:lyre{near} {2 + width}:olive{far}", cards="olive", tiles="coins7")
    match.pawns[0] = [0, 0, 1]
    match.play(move(1, "olive"))
    assert noted(match, "gap") == [(1, cost)]
    assert (match.phase, match.due) == ("pay", cost)
    assert match.tiles[0] == [("coins", 7)]  # nothing is taken before it is paid


def test_a11_only_top_tiles_count() -> None:
    match = bare("1:coins1/lyre5 3:coins1/olive6")
    assert match.cost_of_way(1, 3) == 5


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


def test_a12_piece_by_piece() -> None:
    match = bare("1:lyre4 3:olive5", cards="olive coins coins sickle", tiles="wreath2 lyre3 amphora7")
    match.pawns[0] = [0, 1, 53]
    match.play(move(1, "olive"))
    assert match.legal() == [
        pay_tile("amphora7"),
        pay_tile("wreath2"),
        pay_tile("lyre3"),
        pay_card("coins"),
        pay_card("sickle"),
    ]
    match.play(pay_card("coins"))
    assert match.due == 3
    assert match.legal() == [pay_tile("wreath2"), pay_tile("lyre3"), pay_card("coins"), pay_card("sickle")]
    match.play(pay_tile("wreath2"))
    assert match.due == 1
    assert match.legal() == [pay_card("coins"), pay_card("sickle")]  # with a card it is exact
    match.play(pay_card("sickle"))
    assert match.due == 0
    assert match.gone.tiles == [("wreath", 2)]
    assert {item: number for item, number in match.gone.cards.items() if number > 0} == {
        "coins": 1,
        "sickle": 1,
    }
    assert match.discards["coins"] == 0  # paid cards are not discarded
    assert match.seat == 1


def test_a12_no_change() -> None:
    match = bare("1:lyre4 3:olive5", cards="olive", tiles="amphora7 wreath3")
    match.pawns[0] = [0, 1, 53]
    match.play(move(1, "olive"))
    match.play(pay_tile("amphora7"))
    assert match.tiles[0] == [("wreath", 3), ("lyre", 4)]
    assert match.gone.tiles == [("amphora", 7)]


def test_a12_no_needless_piece() -> None:
    """Cost 5 with 3, 4 and one card: 3+4 or 4+1, never 3+1+4."""
    match = bare("1:lyre5 3:olive5", cards="olive coins", tiles="wreath3 weapon4")
    match.pawns[0] = [0, 1, 53]
    match.play(move(1, "olive"))
    assert match.legal() == [pay_tile("wreath3"), pay_tile("weapon4"), pay_card("coins")]
    match.play(pay_tile("wreath3"))
    assert match.legal() == [pay_tile("weapon4")]  # 3 + 1 cannot become exact
    match.play(pay_tile("weapon4"))
    assert match.gone.tiles == [("wreath", 3), ("weapon", 4)]


def test_a12_a_piece_that_leads_nowhere_is_not_offered() -> None:
    """Cost 5 with 2 and 7: 2 + 7 holds a needless 2, so only the 7 pays."""
    match = bare("1:lyre5 3:olive5", cards="olive", tiles="wreath2 weapon7")
    match.pawns[0] = [0, 1, 53]
    match.play(move(1, "olive"))
    assert match.legal() == [pay_tile("weapon7")]


def test_a12_a_single_piece_is_still_an_action() -> None:
    match = bare("1:lyre1 3:olive5", cards="olive coins")
    match.pawns[0] = [0, 1, 53]
    match.play(move(1, "olive"))
    assert match.legal() == [pay_card("coins")]


def test_a12_a_cost_of_0_does_not_ask() -> None:
    match = bare("1:lyre4 2:olive5", cards="olive coins", tiles="wreath3")
    match.pawns[0] = [0, 1, 53]
    match.play(move(1, "olive"))
    assert (match.phase, match.seat) == ("turn", 1)
    assert match.gone.tiles == []


def test_a12_the_tile_taken_cannot_pay() -> None:
    match = bare("1:lyre4 3:olive5", cards="olive coins coins coins")
    match.pawns[0] = [0, 1, 53]
    assert move(1, "olive") not in match.legal()
    match.hands[0]["coins"] += 1
    assert move(1, "olive") in match.legal()


def test_a12_cards_bought_this_turn_pay() -> None:
    match = bare("1:lyre2 3:olive5", cards="olive", tiles="wreath4")
    match.pawns[0] = [0, 1, 53]
    match.play(buy("wreath4"))
    match.play(move(1, "olive"))
    assert match.legal() == [pay_card("sickle")]
    match.play(pay_card("sickle"))
    assert match.due == 1
    match.play(pay_card("sickle"))
    assert match.gone.cards["sickle"] == 2


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


def test_a13_the_first_space_behind() -> None:
    match = bare("1:lyre1 2:coins2/olive3 3:coins4", cards="coins")
    match.play(move(0, "coins"))
    assert noted(match, "took") == [(0, 2, "olive", 3, "A")]
    assert match.path[2] == [("coins", 2, "A")]
    assert match.path[1] == [("lyre", 1, "A")]


def test_a13_pawns_and_gaps_are_skipped() -> None:
    match = bare("1:lyre1 2:olive3 5:weapon2 6:coins4", cards="coins", tiles="lyre2")
    match.pawns[0] = [0, 0, 5]
    match.pawns[1] = [0, 0, 2]
    match.play(move(0, "coins"))
    match.play(pay_tile("lyre2"))
    assert match.pawns[0] == [0, 5, 6]
    assert noted(match, "took") == [(0, 1, "lyre", 1, "A")]


def test_a13_the_space_just_left_is_free() -> None:
    match = bare("1:lyre1 2:olive3 3:coins4", cards="coins")
    match.pawns[0] = [0, 0, 2]
    match.play(move(2, "coins"))
    assert noted(match, "took") == [(0, 2, "olive", 3, "A")]


def test_a13_from_the_mainland_the_last_free_space() -> None:
    match = bare("1:lyre1 2:olive3 3:coins4 4:lyre5", cards="coins")
    match.pawns[0] = [0, 0, 3]
    match.pawns[1] = [0, 0, 4]
    match.play(move(3, "coins"))
    assert noted(match, "took") == [(0, 3, "coins", 4, "A")]


def test_a13_none_free() -> None:
    match = bare("1:lyre1 2:olive3", cards="olive lyre")
    match.pawns[1] = [0, 0, 1]
    match.play(move(0, "olive"))
    assert noted(match, "took") == []
    assert match.tiles[0] == []
    assert noted(match, "drew") == [(0, 1)]
    match = bare("1:lyre1 2:olive3", cards="lyre")
    match.play(move(0, "lyre"))
    assert noted(match, "took") == []
    match = bare("1:lyre1", cards="coins")
    match.pawns[1] = [0, 0, 1]
    match.play(move(0, "coins"))
    assert noted(match, "took") == []
    assert match.pawns[0] == [0, 0, 53]


def test_own_tiles_are_sorted_by_item_then_value() -> None:
    match = bare("1:wreath3 2:olive3", cards="olive", tiles="sickle1 amphora4 wreath4 coins1")
    match.play(move(0, "olive"))
    assert match.tiles[0] == [("amphora", 4), ("wreath", 3), ("wreath", 4), ("coins", 1), ("sickle", 1)]


@pytest.mark.parametrize(("others", "cards"), [([0, 0], 1), ([0, 53], 2), ([1, 53], 2), ([1, 0], 1)])
def test_a14_one_card_and_one_for_each_pawn_there(others: list[int], cards: int) -> None:
    match = bare("1:lyre1 2:olive3 3:coins4", cards="coins")
    match.pawns[0] = sorted([*others, 2])
    match.play(move(2, "coins"))
    assert noted(match, "drew") == [(0, cards)]


@pytest.mark.parametrize(("others", "cards"), [([0, 0], 2), ([0, 53], 3)])
def test_a14_the_pawn_that_just_arrived_counts(others: list[int], cards: int) -> None:
    match = bare("1:lyre1 2:olive3", cards="coins")
    match.pawns[0] = sorted([*others, 2])
    match.play(move(2, "coins"))
    assert noted(match, "drew") == [(0, cards)]
    assert sum(match.hands[0].values()) == cards


def test_a14_reshuffle_in_mid_draw() -> None:
    match = bare("1:lyre1 2:olive3 3:coins4", cards="coins")
    match.pawns[0] = [2, 53, 53]
    match.deck = ["sickle"]
    match.discards = no_cards() | {"weapon": 2, "amphora": 3}
    twin = Stream(0, 0)
    vars(twin).update(vars(match.cards_stream))
    expected = ["amphora", "amphora", "amphora", "coins", "weapon", "weapon"]  # the played coins too
    twin.shuffle(expected)
    match.play(move(2, "coins"))
    drawn = ["sickle", expected.pop(), expected.pop()]
    assert Counter(cards_of(match, 0)) == Counter(drawn)
    assert match.deck == expected
    assert sum(match.discards.values()) == 0


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


def test_a15_neighboring_water_is_one_gap() -> None:
    match = bare("1:lyre5 3:olive1 5:coins6")
    assert match.gaps() == [(1, 3), (3, 5)]
    match.path[3] = []
    assert match.gaps() == [(1, 5)]
    assert match.cost_of_way(1, 5) == 5


def test_a15_a_taken_tile_leaves_water() -> None:
    match = bare("1:lyre1 2:olive3 3:coins4", cards="coins")
    assert match.gaps() == []
    match.play(move(0, "coins"))
    assert match.gaps() == [(1, 3)]


def test_a15_no_water_at_the_ends() -> None:
    match = bare("5:lyre4 6:olive5 40:coins6", cards="lyre weapon", tiles="coins5")
    assert match.gaps() == [(6, 40)]
    assert match.cost_of_way(ATLANTIS, 5) == 0
    assert match.cost_of_way(40, MAINLAND) == 0
    assert match.cost_of_way(ATLANTIS, MAINLAND) == 5
    match.path[40] = []
    assert match.gaps() == []  # the gap of the set-up has reached the mainland
    match.play(move(0, "weapon"))
    assert match.pawns[0] == [0, 0, 53]


@pytest.mark.parametrize("space", [1, 27])
def test_a15_the_gap_of_the_set_up_at_the_end(space: int) -> None:
    match = bare(f"{space}:lyre4 {space + 1}:olive5")
    assert match.gaps() == []


def test_a16_before_the_move() -> None:
    match = bare("1:lyre2 3:olive3 5:coins4", cards="olive")
    match.bridges = [None, None]
    assert match.legal() == [bridge(1), bridge(3), DRAW]
    match.pawns[0] = [0, 0, 1]
    match.play(bridge(1))
    assert match.bridges == [1, None]
    assert (match.seat, match.phase) == (0, "turn")
    assert match.legal() == [move(0, "olive"), move(1, "olive")]  # once per game
    match.play(move(1, "olive"))
    assert noted(match, "gap") == [(1, 0)]
    assert match.seat == 1
    assert match.legal() == [bridge(3), DRAW]  # space 1 is water now, at the end of the path


def test_a16_after_the_tile_is_taken_and_before_drawing() -> None:
    match = bare("1:lyre2 2:coins1 3:olive3", cards="olive")
    match.bridges = [None, None]
    match.play(move(0, "olive"))
    assert match.phase == "after"
    assert match.seat == 0
    assert noted(match, "took") == [(0, 2, "coins", 1, "A")]
    assert noted(match, "drew") == []
    assert match.legal() == [bridge(1), END]
    match.play(bridge(1))
    assert match.bridges == [1, None]
    assert noted(match, "drew") == [(0, 1)]
    assert (match.seat, match.phase) == (1, "turn")


def test_a16_or_none_yet() -> None:
    match = bare("1:lyre2 2:coins1 3:olive3", cards="olive")
    match.bridges = [None, None]
    match.play(move(0, "olive"))
    match.play(END)
    assert match.bridges == [None, None]
    assert noted(match, "drew") == [(0, 1)]
    assert match.seat == 1


def test_a16_after_a_move_that_took_nothing() -> None:
    match = bare("1:lyre2 3:olive3", cards="lyre")
    match.bridges = [None, None]
    match.play(move(0, "lyre"))
    assert match.legal() == [bridge(1), END]


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


def test_a16_not_over_a_bridged_gap() -> None:
    match = bare("1:lyre2 3:olive3 5:coins4", cards="lyre")
    match.bridges = [None, 3]
    assert those(match, "bridge") == [bridge(1)]
    match.path[3] = []  # the gaps merge, the bridge stays
    assert match.gaps() == [(1, 5)]
    assert those(match, "bridge") == []
    match.play(move(0, "lyre"))
    assert match.seat == 1  # not asked: the only gap has a bridge


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


@pytest.mark.parametrize("spot", [10, 12])
def test_a16_stays_when_the_gap_merges(spot: int) -> None:
    """The bridge lies over one of two gaps; space 12 between them is taken."""
    match = bare("9:wreath1 10:lyre5 12:coins2 14:amphora6", cards="amphora", tiles="olive2")
    match.bridges[1] = spot
    match.pawns[0] = [0, 0, 12]
    match.play(move(12, "amphora"))
    if spot == 10:
        assert match.due == 2
        match.play(pay_tile("olive2"))
    assert match.gaps() == [(10, 14)]
    assert match.cost_of_way(9, 14) == 0
    match.path[10] = []  # and when it widens toward Atlantis
    assert match.gaps() == [(9, 14)]
    assert match.cost_of_way(9, 14) == 0


def test_a16_keeps_the_spot_after_its_space() -> None:
    """A bridge at 26 does nothing for a gap elsewhere, nor when its gap reaches an end."""
    match = bare("24:lyre2 25:coins3 26:olive4 27:weapon5 29:sickle6")
    match.bridges[0] = 26
    assert match.crossed(0, 53) == [(26, 0), (27, 5)]
    match.path[26] = match.path[25] = []
    assert match.crossed(0, 53) == [(24, 0), (27, 5)]
    match.path[24] = []
    assert match.crossed(0, 53) == [(27, 5)]
    match.bridges[0] = 27
    match.path[29] = []
    assert match.crossed(0, 53) == []


def test_a16_not_in_the_middle_of_a_move() -> None:
    match = bare("1:lyre1 2:olive2 4:coins3", cards="olive coins coins lyre")
    match.bridges = [None, None]
    match.pawns[1] = [0, 0, 2]
    match.play(move(0, "olive"))
    assert {action["do"] for action in match.legal()} == {"on"}
    match.play(on("coins"))
    assert match.phase == "pay"
    assert {action["do"] for action in match.legal()} == {"pay"}


def test_a16_not_after_the_third_arrival() -> None:
    match = bare("1:lyre1 2:olive2 3:coins3", cards="lyre")
    match.bridges = [None, None]
    match.pawns[0] = [2, 53, 53]
    match.pawns[1] = [0, 0, 3]
    match.play(move(2, "lyre"))
    assert match.gaps() == [(1, 3)]
    assert match.over
    assert match.bridges == [None, None]


def test_a17_costs_are_judged_before_the_tile_is_taken() -> None:
    """The pawn leaves 2 (value 1): crossing costs 1, from then on the gap costs 3."""
    match = bare("1:lyre3 2:olive1 4:coins4", cards="coins weapon")
    match.pawns[0] = [0, 0, 2]
    match.play(move(2, "coins"))
    assert match.due == 1
    match.play(pay_card("weapon"))
    assert match.cost_of_way(1, 4) == 3


# End and scoring


def test_a18_third_arrival() -> None:
    match = bare("1:lyre1 2:olive2 4:coins3", cards="lyre weapon weapon", tiles="wreath2")
    match.pawns[0] = [2, 53, 53]
    match.pawns[1] = [0, 0, 4]
    match.play(move(2, "lyre"))
    assert (match.phase, match.due, match.over) == ("pay", 2, False)
    assert match.winners() == []
    match.play(pay_tile("wreath2"))
    assert match.over
    assert match.phase == "over"
    assert noted(match, "took") == [(0, 2, "olive", 2, "A")]
    assert noted(match, "drew") == [(0, 4)]
    assert cards_of(match, 0) == ["weapon"] * 2 + ["sickle"] * 4
    assert match.legal() == []
    assert match.pawns == [[53] * 3] * 2


def test_a18_the_end_draws_what_there_is() -> None:
    match = bare("1:lyre1", cards="lyre")
    match.pawns[0] = [1, 53, 53]
    match.deck = ["coins"]
    match.play(move(1, "lyre"))
    assert noted(match, "drew") == [(0, 2)]
    assert Counter(cards_of(match, 0)) == Counter(["coins", "lyre"])


def test_a19_in_the_position_after_the_last_tile() -> None:
    """The tile of 2 is taken: the two gaps become one of 5 that the other player pays twice."""
    match = bare("1:lyre5 3:olive1 5:coins6", cards="lyre weapon", tiles="wreath1")
    match.pawns[0] = [3, 53, 53]
    match.pawns[1] = [0, 1, 5]
    hold(match, 1, cards="lyre lyre", tiles="amphora7 amphora4 coins6")
    deck = list(match.deck)
    match.play(move(3, "lyre"))
    match.play(pay_tile("wreath1"))
    assert noted(match, "loss") == [(0, 0), (1, 10)]
    assert match.scores() == [1 + 1 + 4, 2 + 17 - 10]
    assert match.winners() == [1]
    assert match.tiles[1] == [("amphora", 4), ("amphora", 7), ("coins", 6)]  # only the amount is recorded
    assert cards_of(match, 1) == ["lyre", "lyre"]
    assert match.deck == deck[:-4]


def test_a19_bridges_count() -> None:
    match = bare("1:lyre5 2:olive1 4:coins6", cards="lyre")
    match.pawns[0] = [4, 53, 53]
    match.pawns[1] = [0, 1, 2]
    match.bridges = [0, 2]
    hold(match, 1, tiles="amphora7")
    match.play(move(4, "lyre"))
    assert noted(match, "loss") == [(0, 0), (1, 0)]


def test_a20_all_and_the_missing_part() -> None:
    match = bare("1:lyre5 2:weapon1 4:coins6 5:sickle1", cards="lyre")
    match.pawns[0] = [5, 53, 53]
    match.pawns[1] = [0, 0, 1]
    hold(match, 1, cards="coins")
    match.play(move(5, "lyre"))
    assert noted(match, "loss") == [(0, 0), (1, 3)]
    assert match.scores() == [4 + 1, 1 - 3]
    assert match.winners() == [0]


@pytest.mark.parametrize(
    ("pieces", "cost", "loss"),
    [
        ([], 0, 0),
        ([7, 1], 0, 0),
        ([], 3, 3),
        ([2, 1], 5, 5),
        ([7], 5, 7),
        ([7, 6, 1], 5, 6),
        ([7, 4, 1], 5, 5),
        ([3, 3, 4], 5, 6),
        ([5, 3, 3, 7], 8, 8),
        ([7, 7, 7], 8, 14),
        ([1, 1, 1, 7], 4, 7),
    ],
)
def test_a20_least_loss(pieces: list[int], cost: int, loss: int) -> None:
    assert least_loss(pieces, cost) == loss


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


def test_a21_scores_during_the_game() -> None:
    match = bare("1:lyre5 3:coins6", cards="lyre lyre coins", tiles="olive7 coins1")
    match.pawns[0] = [1, 1, 1]
    hold(match, 1, cards="wreath")
    assert match.scores() == [3 + 8, 1]  # nothing is reckoned for the pawns yet
    assert match.winners() == []


@pytest.mark.parametrize(("tiles", "winners"), [("olive5", [1]), ("olive4", [0, 1]), ("olive3", [0])])
def test_a21_ties_are_shared(tiles: str, winners: list[int]) -> None:
    match = bare("1:lyre1/lyre2", cards="lyre")
    match.pawns[0] = [1, 53, 53]
    match.path[1] = [("lyre", 2, "A")]
    match.deck = ["coins", "coins"]
    hold(match, 1, cards="lyre", tiles=tiles)
    match.play(move(1, "lyre"))
    assert match.scores()[0] == 2 + 3
    assert match.winners() == winners


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


# Actions


def test_order_of_the_actions() -> None:
    match = bare("1:lyre1 3:olive3 5:coins4", cards="wreath coins lyre", tiles="coins2 lyre5 coins7 olive4")
    match.pawns[0] = [0, 0, 3]
    match.bridges = [None, None]
    assert match.legal() == [
        buy("olive4"),
        buy("coins2"),
        buy("coins7"),
        buy("lyre5"),
        bridge(1),
        bridge(3),
        move(0, "wreath"),
        move(0, "coins"),
        move(0, "lyre"),
        move(3, "wreath"),
        move(3, "coins"),
        move(3, "lyre"),
    ]


@pytest.mark.parametrize("phase", ["turn", "chain", "pay", "after", "over"])
def test_what_is_not_legal_changes_nothing(phase: str) -> None:
    match = bare("1:lyre1 2:olive3 4:coins4", cards="olive coins wreath wreath wreath", tiles="olive5")
    match.bridges = [None, None]
    match.pawns[1] = [0, 0, 2]
    if phase != "turn":
        match.play(move(0, "olive"))
    if phase in ["pay", "after", "over"]:
        match.play(on("coins"))
    if phase == "after":
        for _ in range(3):
            match.play(pay_card("wreath"))
    if phase == "over":
        match.end_game()
    assert match.phase == phase
    before = everything(match)
    wrong: list[Action] = [
        {},
        {"do": "dance"},
        {"do": "move"},
        DRAW,
        move(0, "sickle"),
        move(2, "olive"),
        on("sickle"),
        buy("olive4"),
        bridge(26),
        pay_tile("olive4"),
        pay_card("lyre"),
    ]
    for action in wrong:
        with pytest.raises(ValueError, match=r"not possible|over"):
            match.play(action)
        assert everything(match) == before


# Whole games


def check_turn(match: Match, before: Match, action: Action) -> None:
    """What must hold for one action, said again in other words than the referee's."""
    seat = before.seat
    for own in match.tiles:
        assert own == sorted(own, key=lambda each: (ITEMS.index(each[0]), each[1]))
    assert all(own == sorted(own) for own in match.pawns)
    on_path = [space for own in match.pawns for space in own if space in SPACES]
    assert len(set(on_path)) == len(on_path) - (match.phase == "chain")
    assert all(match.path[space] != [] for space in on_path)
    assert (match.due > 0) == (match.phase == "pay")

    for _, space, item, value, half in noted(match, "took"):
        assert isinstance(space, int)
        assert before.path[space][-1] == (item, value, half)
        assert match.path[space] == before.path[space][:-1]
        assert space not in on_path
        if match.over:
            break
        between = range(space + 1, match.position)
        assert all(match.path[each] == [] or each in on_path for each in between)
    if noted(match, "took") == [] and match.seat != seat and action["do"] in ["move", "on", "pay"]:
        assert before.start == ATLANTIS or action.get("from") == ATLANTIS  # A13

    drawn = sum(int(number) for _, number in noted(match, "drew"))
    assert drawn <= 4
    if match.seat != seat and action["do"] != "draw" and drawn < 1 + match.pawns[seat].count(MAINLAND):
        assert match.deck == []


def copy_of(match: Match) -> Match:
    """What check_turn compares with, without the chance."""
    copy = Match(0, match.players)
    copy.seat, copy.phase, copy.start = match.seat, match.phase, match.start
    copy.path = [list(stack) for stack in match.path]
    return copy


def choose(match: Match, actions: list[Action], chooser: random.Random, habit: str) -> Action:
    """One of the legal actions: any, or with a liking that brings rare positions."""
    if habit == "slow":  # the pawns stay far back, cards and tiles go
        moves = [action for action in actions if action["do"] == "move"]
        buys = [action for action in actions if action["do"] == "buy"]
        cards = [action for action in actions if action["do"] == "pay" and "card" in action]
        ends = [action for action in actions if action["do"] == "end"]
        for liked in [buys, cards, ends, moves]:
            if liked != [] and chooser.random() < 0.9:
                ahead = [
                    match.next_with_item(int(str(each.get("from", 0))), str(each.get("card")))
                    for each in liked
                ]
                return liked[ahead.index(min(ahead))]
    return chooser.choice(actions)


@pytest.mark.parametrize("habit", ["any", "slow"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_to_the_end(players: int, habit: str) -> None:
    chooser = random.Random(f"{players} {habit}")
    seen: Counter[str] = Counter()
    for seed in range(GAMES_PER_PLAYERS):
        match = Match(seed, players)
        played = 0
        while not match.over:
            actions = match.legal()
            assert 1 <= len(actions) <= (88 if match.phase == "turn" else 56)
            assert all(actions.count(action) == 1 for action in actions)
            assert match.winners() == []
            before = copy_of(match)
            cards_in_deck = len(match.deck)
            action = choose(match, actions, chooser, habit)
            match.play(action)
            played += 1
            assert played < 2000
            assert_conserved(match)
            check_turn(match, before, action)
            seen[str(action["do"])] += 1
            seen["new deck"] += len(match.deck) > cards_in_deck

        seen["third pawn" if noted(match, "shows") == [] else "round of nothing"] += 1
        assert match.legal() == []
        assert match.pawns == [[MAINLAND] * 3] * players
        for seat, score in enumerate(match.scores()):
            own = sum(value for _, value in match.tiles[seat]) + len(cards_of(match, seat))
            assert score == own - match.losses[seat]
            assert (seat in match.winners()) == (score == max(match.scores()))
    kinds = ["buy", "bridge", "move", "on", "pay", "end", "third pawn"]
    if habit == "slow":
        kinds += ["draw", "new deck"]
        if players == 4:
            kinds += ["round of nothing"]
    for kind in kinds:
        assert seen[kind] > 0, kind


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_seed_and_actions_give_the_same_match(players: int) -> None:
    chooser = random.Random(8)
    one, two = Match(2**40 + 9, players), Match(2**40 + 9, players)
    while not one.over:
        action = chooser.choice(one.legal())
        one.play(action)
        two.play(dict(action))
        assert repr(vars(one) | {"cards_stream": 0}) == repr(vars(two) | {"cards_stream": 0})
    assert two.over
