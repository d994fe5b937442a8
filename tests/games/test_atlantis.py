"""Atlantis, clause by clause. Every test is named after the clause it proves."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.games.atlantis import rules
from laguna.games.atlantis.components import TILES
from laguna.games.atlantis.names import NAMES, tile_of
from laguna.games.atlantis.payment import proposal
from laguna.kernel.records import blank
from tests.every import random_steps

ID = "atlantis"
HARMLESS = [50, 48, 46, 44]  # where bridges stand if nothing is said: behind the paths that are laid here


def tile(text: str) -> list[Any]:
    """A tile from text such as "lyre5"."""
    return [text[:-1], int(text[-1])]


def cards(text: str) -> dict[str, int]:
    return dict(Counter(text.split()))


def stage(
    path: str,
    *,
    hands: list[str],
    pawns: list[list[int]] | None = None,
    tiles: list[str] | None = None,
    bridges: list[int | None] | None = None,
    deck: str = "sickle sickle sickle sickle sickle sickle",
    discards: str = "",
    turn: int = 0,
    **fields: Any,
) -> laguna.Game:
    """A position with this path, such as "3:lyre5 4:olive2/coins1"; all other pieces are gone.

    Tiles are taken behind pawns only: where the end of the path is gone, a pawn of the last player has
    arrived, if no other has.
    """
    players = len(hands)
    placed = [list(places) for places in pawns or [[0, 0, 0]] * players]
    if "52:" not in path and not any(53 in places for places in placed):
        placed[-1][placed[-1].index(0)] = 53
    board = {
        word.split(":")[0]: [tile(each) for each in word.split(":")[1].split("/")] for word in path.split()
    }
    own = [[tile(each) for each in text.split()] for text in tiles or [""] * players]
    left = Counter(str(tile_of(int(code))) for code in TILES.ravel())
    left.subtract(f"{item} {value}" for stack in [*board.values(), *own] for item, value in stack)
    gone_tiles = [[text[:-2], int(text[-1])] for text in left.elements()]
    gone_cards = Counter[str](dict.fromkeys(NAMES, 15))
    for each in [*hands, deck, discards]:
        gone_cards.subtract(each.split())
    position = {
        "players": players,
        "turn": turn,
        "board": board,
        "pawns": placed,
        "hands": [cards(hand) for hand in hands],
        "tiles": own,
        "bridges": HARMLESS[:players] if bridges is None else bridges,
        "discards": cards(discards),
        "gone": {"tiles": gone_tiles, "cards": {item: count for item, count in gone_cards.items() if count}},
        "deck": deck.split(),
    }
    return laguna.from_position(ID, position | fields)


def legal(game: laguna.Game) -> list[str]:
    return [str(action) for action in game.legal()]


def happened(entry: laguna.Entry, key: str) -> list[dict[str, Any]]:
    """The arguments of all events of one kind."""
    return [event.as_json()["arguments"] for event in entry.events if event.key == key]


def refused(game: laguna.Game, action: Any) -> tuple[str, str | None]:
    """The key and the clause of the refusal; nothing has changed."""
    before = game.state_bytes()
    with pytest.raises(laguna.IllegalAction) as error:
        game.play(action)
    assert game.state_bytes() == before and "may play" in str(error.value)
    return error.value.key, error.value.clause


def why_not(game: laguna.Game, action: Any) -> dict[str, Any]:
    """The facts of the refusal."""
    with pytest.raises(laguna.IllegalAction) as error:
        game.play(action)
    return error.value.arguments


# ------------------------------------------------------------------ components


def test_a1_seven_items() -> None:
    assert NAMES == ("amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle")
    assert set(laguna.new(ID, seed=1).view()["unseen"]) == set(NAMES)


def test_a2_the_halves_are_worth_150_and_151() -> None:
    halves = [[tile_of(int(code)) for code in half] for half in TILES]
    assert [len(set(half)) for half in halves] == [42, 42]
    assert [sum(each.value for each in half) for half in halves] == [150, 151]
    for item in NAMES:
        values = [[each.value for each in half if each.item == item] for half in halves]
        seven_in_a = item in ("amphora", "wreath", "olive")
        assert values == [[1, 2, 3, 4, 5, 7 if seven_in_a else 6], [1, 2, 3, 4, 5, 6 if seven_in_a else 7]]


def test_a2_equal_tiles_of_both_halves_are_one_choice() -> None:
    game = stage("1:lyre1 2:coins1", hands=["lyre", ""], tiles=["olive4 olive4 lyre4", ""])
    assert legal(game) == ["buy ol4", "buy ly4", "0 ly"]
    game.play("buy ol4")
    assert game.view()["tiles"][0] == [["olive", 4], ["lyre", 4]]


def test_a3_cards_pawns_and_bridges() -> None:
    for players in (2, 3, 4):
        position = laguna.new(ID, players=players, seed=1).position()
        held = Counter(position["deck"])
        for hand in position["hands"]:
            held.update(hand)
        assert held == dict.fromkeys(NAMES, 15)
        assert position["pawns"] == [[0, 0, 0]] * players and position["bridges"] == [None] * players


# ------------------------------------------------------------------ set-up


def test_a4_the_path_is_26_spaces_a_gap_and_26_spaces() -> None:
    game = laguna.new(ID, seed=2)
    view = game.view()
    heights = [view["board"][str(space)]["height"] for space in range(1, 53)]
    assert heights == [2] * 10 + [1] * 10 + [2] * 12 + [1] * 10 + [2] * 10
    values = [view["board"][str(space)]["tile"][1] for space in (26, 27)]
    assert view["gaps"] == [{"after": 26, "before": 27, "cost": min(values), "bridge": False, "builders": []}]
    board = game.position()["board"]
    for half, spaces in enumerate((range(1, 27), range(27, 53))):
        laid = Counter(tuple(each) for space in spaces for each in board[str(space)])
        assert laid == Counter((tile_of(int(code)).item, tile_of(int(code)).value) for code in TILES[half])


def test_a4_only_the_top_tile_counts() -> None:
    game = stage("1:lyre6/olive2 2:lyre3 3:coins1", hands=["lyre", ""])
    assert game.view(0)["previews"][0]["to"] == 2
    game.play("0 ly")
    assert game.view()["board"]["1"] == {"tile": ["lyre", 6], "height": 1}


def test_a4_water_on_26_or_27_joins_the_gap() -> None:
    for path, expected in [
        ("25:olive3 26:lyre4 27:coins2", (26, 27, 2)),
        ("25:olive3 27:coins2", (25, 27, 2)),
        ("26:lyre4 28:coins3", (26, 28, 3)),
        ("25:olive3 28:coins5", (25, 28, 3)),
    ]:
        (gap,) = stage(path, hands=["", ""]).view()["gaps"]
        assert (gap["after"], gap["before"], gap["cost"]) == expected


def test_a5_first_hands_and_seat_0_begins() -> None:
    for players in (2, 3, 4):
        game = laguna.new(ID, players=players, seed=3)
        assert game.seat == 0
        assert game.view()["hand_sizes"] == [4, 5, 6, 7][:players]
        assert game.view()["deck_size"] == 105 - sum([4, 5, 6, 7][:players])


def test_a5_turns_go_clockwise() -> None:
    game = stage("1:lyre1 2:coins1", hands=["", "", ""])
    order = []
    for _ in range(3):
        order.append(game.seat)
        game.play("draw")
    assert order == [0, 1, 2] and game.seat == 0


# ------------------------------------------------------------------ buying


@pytest.mark.parametrize(("value", "bought"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)])
def test_a6_a_tile_buys_half_its_value_in_cards(value: int, bought: int) -> None:
    game = stage("1:lyre1 2:coins1", hands=["lyre", ""], tiles=[f"olive{value} coins1", ""])
    assert game.view()["cards_bought"][value] == bought
    entry = game.play(f"buy olive {value}")
    assert game.view(0)["hand"] == {"lyre": 1, "sickle": bought}
    assert happened(entry, "drew") == [{"seat": 0, "cards": bought, "points": bought}]
    assert game.view()["tiles"][0] == [["coins", 1]] and ["olive", value] in game.view()["gone"]["tiles"]
    assert game.seat == 0 and not any(text.startswith("buy") for text in legal(game))


def test_a6_one_tile_a_turn_and_before_anything_else() -> None:
    game = stage("1:lyre1 3:coins1", hands=["lyre", ""], tiles=["olive4 coins4", ""], bridges=[None, 50])
    bridged = game.copy()
    game.play("buy co4")
    assert refused(game, "buy ol4") == ("bought", "A6")
    bridged.play("bridge 1")
    assert refused(bridged, "buy ol4") == ("buy-first", "A6")


def test_a6_a_purchase_must_bring_a_card() -> None:
    game = stage("1:lyre1", hands=["", ""], tiles=["olive1 coins5", ""], deck="", discards="")
    assert legal(game) == ["draw"]
    assert refused(game, "buy co5") == ("no-cards", "A6")
    assert refused(game, "buy ol1") == ("buys-nothing", "A6")
    assert refused(game, {"do": "buy", "tile": ["olive", 1]}) == ("buys-nothing", "A6")
    assert refused(stage("1:lyre1", hands=["", ""]), "buy co5") == ("no-tile", "A6")


def test_a6_with_fewer_cards_left_draw_what_there_is() -> None:
    game = stage("1:lyre1", hands=["", ""], tiles=["olive7", ""], deck="coins", discards="lyre")
    assert game.view()["cards_bought"] == [0, 0, 1, 1, 2, 2, 2, 2]
    entry = game.play("buy ol7")
    assert happened(entry, "drew") == [{"seat": 0, "cards": 2, "points": 2}]
    assert game.view(0)["hand"] == {"coins": 1, "lyre": 1}


# ------------------------------------------------------------------ moving


def test_a7_to_the_next_space_ahead_that_shows_the_item() -> None:
    game = stage(
        "1:lyre1 2:olive1 3:lyre2 4:coins1 5:lyre3", hands=["lyre", ""], pawns=[[0, 3, 53], [0, 0, 0]]
    )
    assert legal(game) == ["0 ly", "3 ly"]
    entry = game.play("3 ly")
    assert happened(entry, "card") == [{"seat": 0, "card": "lyre", "from": 3, "to": 5}]
    assert game.view()["pawns"][0] == [0, 5, 53] and game.view()["discards"] == {"lyre": 1}


def test_a7_equal_pawns_are_one_choice_and_arrived_pawns_stay() -> None:
    game = stage("1:lyre1 2:olive1", hands=["olive lyre lyre", ""])
    assert legal(game) == ["0 ol", "0 ly"]
    game = stage("1:lyre1 2:olive1", hands=["olive", ""], pawns=[[1, 53, 53], [0, 0, 0]])
    assert legal(game) == ["1 ol"]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("5 ly", ("no-pawn", "A7")),
        ("0 si", ("not-in-hand", "A7")),
        ("on ly", ("not-now", "A7")),
        ("pay ly", ("not-now", "A7")),
        ("end", ("not-now", "A7")),
        ("draw", ("can-move", "A10")),
        ("bridge 26", ("no-bridge", "A16")),
    ],
)
def test_a7_refusals_name_the_clause_and_what_may_be_done(action: str, expected: tuple[str, str]) -> None:
    assert refused(stage("1:lyre1 2:coins1 3:olive2", hands=["lyre", ""]), action) == expected


@pytest.mark.parametrize("owner", [0, 1])
def test_a8_from_a_space_with_a_pawn_another_card_must_be_played(owner: int) -> None:
    pawns = [[0, 0, 2], [0, 0, 0]] if owner == 0 else [[0, 0, 0], [0, 0, 2]]
    game = stage("1:lyre1 2:olive1 3:coins1 4:olive2", hands=["coins lyre olive olive", ""], pawns=pawns)
    game.play("0 ol")
    assert game.seat == 0 and game.view()["phase"] == "chain"
    assert game.view()["move"] == {"from": 0, "at": 2, "due": 0}
    assert legal(game) == ["on ol", "on co", "on ly"]
    assert refused(game, "0 co") == ("chain", "A8")
    assert why_not(game, "0 co")["place"] == 2
    assert refused(game, "on si") == ("not-in-hand", "A7")
    game.play("on co")
    assert 3 in game.view()["pawns"][0] and game.view()["tiles"][0] == [["lyre", 1]]
    assert game.view()["discards"] == {"olive": 1, "coins": 1} and game.seat == 1


def test_a8_the_look_ahead_sees_the_whole_chain() -> None:
    """Olive, then coins ends on a pawn; with lyre every order reaches the mainland."""
    pawns = [[0, 0, 0], [0, 1, 2]]
    game = stage("1:olive1 2:coins1", hands=["olive coins", ""], pawns=pawns)
    assert legal(game) == ["0 co"]
    assert refused(game, "0 ol") == ("blocked", "A8")
    game = stage("1:olive1 2:coins1", hands=["olive coins lyre", ""], pawns=pawns)
    assert legal(game) == ["0 ol", "0 co", "0 ly"]
    game.play("0 ol")
    assert legal(game) == ["on co", "on ly"]
    game.play("on co")
    assert legal(game) == ["on ly"]


def test_a8_the_example_that_explains_the_look_ahead() -> None:
    """See `rules.chain_leads_on`."""
    path = "4:amphora1 7:wreath1 9:coins1 12:lyre1 15:coins2"
    for worth, leads_on in ((4, True), (3, False)):
        tiles = [f"olive{worth}", ""]
        game = stage(path, hands=["coins lyre", ""], pawns=[[4, 0, 53], [7, 9, 12]], tiles=tiles)
        s = game.copy().state
        assert s.toll[15] - s.toll[4] == 4 and game.view()["tiles_worth"] == [worth, 0]
        assert bool(rules.chain_leads_on(s, 4, 7, 2)) == leads_on
        assert s.tobytes() == game.state_bytes()


def test_a8_cards_of_the_chain_do_not_pay() -> None:
    path, pawns = "1:olive1 2:lyre1 4:coins1", [[0, 0, 0], [0, 0, 1]]
    game = stage(path, hands=["olive coins", ""], pawns=pawns)
    assert legal(game) == ["0 co"]  # a card is left to pay for the gap; after olive and coins none is
    game = stage(path, hands=["olive coins weapon", ""], pawns=pawns)
    game.play("0 ol")
    assert legal(game) == ["on co", "on we"]
    game.play("on co")
    assert game.view()["move"]["due"] == 1


def test_a8_the_longest_chain_passes_eleven_pawns() -> None:
    """Four players, eleven spaces in a row taken: one card for each, and one more to the mainland."""
    path = " ".join(f"{space}:{NAMES[space % 7]}{space // 7 - 4}" for space in range(42, 52))
    path += " 52:olive6/coins5"  # nobody was ever farther, so both its tiles are there
    pawns = [[0, 51, 52], [42, 43, 44], [45, 46, 47], [48, 49, 50]]
    chain = [NAMES[space % 7] for space in range(42, 53)]
    bridges: list[int | None] = [30, 32, 34, 36]
    one_less = stage(path, hands=[" ".join(chain), "", "", ""], pawns=pawns, bridges=bridges)
    game = stage(path, hands=[" ".join([*chain, "lyre"]), "", "", ""], pawns=pawns, bridges=bridges)
    for step, card in enumerate(chain):
        action = f"{'on' if step else '0'} {card}"
        game.play(action)
        if step < 9:
            one_less.play(action)
        elif step == 9:  # from 51 the last card would lead to 52, and no further
            assert refused(one_less, action) == ("blocked", "A8")
    assert game.view()["move"]["at"] == 52 and legal(game) == ["on ly"]
    game.play("on ly")
    assert game.view()["pawns"][0] == [51, 52, 53] and game.view()["tiles"][0] == []


def test_a9_without_the_item_ahead_the_pawn_goes_to_the_mainland() -> None:
    for start in (0, 1, 2):
        pawns = [[start, 53, 0], [0, 53, 53]]
        game = stage("1:lyre1 2:olive1", hands=["lyre coins", ""], pawns=pawns)
        game.play(f"{start} co")
        assert game.view()["pawns"][0] == [0, 53, 53]
    assert legal(stage("1:lyre1 2:olive1", hands=["lyre", ""], pawns=[[1, 53, 53], [0, 0, 0]])) == ["1 ly"]


def test_a10_without_a_move_show_the_hand_and_draw_two() -> None:
    game = stage("1:lyre4 3:coins3", hands=["coins", ""], pawns=[[1, 53, 53], [0, 0, 0]], discards="olive")
    assert refused(game, "1 co") == ("too-dear", "A12")
    assert legal(game) == ["draw"]
    entry = game.play("draw")
    assert happened(entry, "shows") == [{"seat": 0, "hand": {"coins": 1}}]
    assert happened(entry, "drew") == [{"seat": 0, "cards": 2, "points": 2}]
    assert game.view(0)["hand"] == {"coins": 1, "sickle": 2}  # two, although two pawns have arrived
    assert game.view()["tiles"][0] == [] and game.seat == 1


def test_a10_a_purchase_or_a_bridge_is_offered_beside_the_draw() -> None:
    path, pawns = "27:lyre7 29:coins7 30:olive6", [[27, 53, 53], [0, 0, 0]]
    game = stage(path, hands=["coins", ""], pawns=pawns, tiles=["olive4", ""], bridges=[None, 50])
    assert legal(game) == ["buy ol4", "bridge 27", "draw"]
    game.play("bridge 27")
    assert legal(game) == ["27 co"]


def test_a10_a_round_that_brings_nothing_ends_the_game() -> None:
    game = stage("1:lyre4 3:coins3", hands=["coins", ""], pawns=[[1, 53, 53], [0, 0, 0]],
                 deck="", tiles=["", "olive2"])  # fmt: skip
    game.play("draw")
    assert not game.over and game.position()["idle_turns"] == 1
    entry = game.play("draw")
    assert [event.key for event in entry.events] == ["shows", "drew", "stuck", "settled", "settled"]
    assert game.over and game.scores == [1 - 3, 2 - 9]


def test_a10_a_turn_with_a_bridge_is_not_nothing() -> None:
    game = stage("1:lyre4 3:coins3", hands=["", ""], deck="", bridges=[None, 50])
    game.play("bridge 1")
    game.play("draw")
    assert game.position().get("idle_turns", 0) == 0
    game.play("draw")
    assert not game.over


def test_a10_a_turn_with_a_purchase_is_not_nothing() -> None:
    """The last card is bought and does not help; the draw that follows brings none."""
    game = stage("27:lyre7 29:coins7", hands=["coins", ""], pawns=[[27, 53, 53], [0, 0, 0]],
                 tiles=["olive2", ""], deck="coins")  # fmt: skip
    game.play("buy ol2")
    assert legal(game) == ["draw"]
    assert happened(game.play("draw"), "drew") == [{"seat": 0, "cards": 0, "points": 0}]
    assert game.position().get("idle_turns", 0) == 0
    game.play("draw")
    assert not game.over and game.position()["idle_turns"] == 1
    game.play("draw")
    assert game.over


# ------------------------------------------------------------------ water


def test_a11_each_gap_costs_the_lower_side_however_wide_it_is() -> None:
    game = stage("1:lyre5 3:coins2 7:olive4 8:weapon1", hands=["weapon olive olive olive olive", ""],
                 pawns=[[1, 0, 0], [0, 0, 0]])  # fmt: skip
    entry = game.play("1 we")
    assert happened(entry, "gap") == [
        {"seat": 0, "after": 1, "before": 3, "cost": 2},
        {"seat": 0, "after": 3, "before": 7, "cost": 2},
    ]
    assert happened(entry, "owes") == [{"seat": 0, "cost": 4}]
    assert legal(game) == ["pay ol"]


def test_a11_the_rulebooks_second_example() -> None:
    """1 + 4 + 3 and a bridged gap: 8. Then the sickle goes, and the merged gap costs 0; otherwise 5."""
    path = "1:amphora1 3:olive4 4:coins5 6:wreath4 7:olive7 9:sickle3 11:weapon5 12:lyre2"
    for bridge, cost, merged in ((7, 8, 0), (50, 11, 5)):
        tiles = ["amphora7 coins1 coins3", ""]
        game = stage(
            path, hands=["lyre", ""], pawns=[[1, 0, 0], [11, 0, 0]], tiles=tiles, bridges=[bridge, 48]
        )
        assert game.view(0)["previews"][-1]["cost"] == cost
        entry = game.play("1 ly")
        costs = [gap["cost"] for gap in happened(entry, "gap")]
        assert costs == ([1, 4, 0, 3] if bridge == 7 else [1, 4, 3, 3])
        while game.seat == 0:
            entry = game.play(game.legal()[0])
        assert happened(entry, "took") == [{"seat": 0, "tile": ["sickle", 3], "points": 3, "space": 9}]
        assert [gap["cost"] for gap in game.view()["gaps"] if gap["after"] == 7] == [merged]


def test_a12_pay_with_tiles_at_full_value_and_cards_at_1() -> None:
    game = stage("1:lyre5 3:coins4", hands=["coins wreath wreath", ""], pawns=[[1, 0, 0], [0, 0, 0]],
                 tiles=["olive2 weapon6 sickle1", ""])  # fmt: skip
    game.play("1 co")
    assert refused(game, "1 co") == ("owes", "A12")
    assert refused(game, "pay co") == ("not-owned", "A12")
    assert refused(game, {"do": "pay"}) == ("one-piece", "A12")
    assert refused(game, {"do": "pay", "card": "coins", "tile": ["olive", 2]}) == ("one-piece", "A12")
    assert legal(game) == ["pay ol2", "pay we6", "pay si1", "pay wr"]
    change = game.copy()
    change.play("pay we6")  # no change is given
    assert change.seat == 1 and change.scores[0] == 2 + 1 + 2 + 5 + 1
    entry = game.play("pay wr")
    assert happened(entry, "paid-card") == [{"seat": 0, "card": "wreath", "points": 1}]
    assert legal(game) == ["pay ol2", "pay si1", "pay wr"]
    assert refused(game, "pay we6") == ("not-needed", "A12")
    game.play("pay ol2")
    game.play("pay wr")
    assert game.view()["gone"]["cards"]["wreath"] == 15 and "wreath" not in game.view()["discards"]
    assert game.view()["tiles"][0] == [["weapon", 6], ["lyre", 5], ["sickle", 1]]


def test_a12_a_move_that_cannot_be_paid_is_not_allowed_and_the_tile_taken_does_not_pay() -> None:
    game = stage(
        "1:lyre5 3:coins4", hands=["coins wreath", ""], pawns=[[1, 0, 0], [0, 0, 0]], tiles=["olive2", ""]
    )
    with pytest.raises(laguna.IllegalAction, match="costs 4, and Player 1 would have 3") as error:
        game.play("1 co")
    assert error.value.clause == "A12"


def test_a12_cards_bought_this_turn_may_pay() -> None:
    game = stage("1:lyre5 3:coins2", hands=["coins", ""], pawns=[[1, 0, 0], [0, 0, 0]], tiles=["olive4", ""])
    game.play("buy ol4")
    game.play("1 co")
    assert legal(game) == ["pay si"]


def payment(worth: list[int], hand: int, due: int, least: int) -> Any:
    """A record in which seat 0 pays with tiles of these values and this many cards."""
    s = blank(rules.STATE)
    s.players = 2
    for value in worth:
        s.worth[0, value] += 1
        s.purse[0] += value
    s.hand_size[0], s.due, s.least = hand, due, least
    return s


def completes(paid: int, others: list[int], due: int, least: int) -> bool:
    """The clause word by word: some choice of other pieces makes the excess smaller than every piece."""
    for size in range(len(others) + 1):
        for more in itertools.combinations(others, size):
            excess = paid + sum(more) - due
            if 0 <= excess < min([paid, *more] + ([least] if least else [])):
                return True
    return False


def test_a12_the_needed_pieces_are_found_as_by_brute_force() -> None:
    chance = random.Random(12)
    answers = Counter[bool]()
    for _ in range(1500):
        worth = [chance.randint(1, 7) for _ in range(chance.randint(0, 7))]
        hand, due, least = chance.randint(0, 3), chance.randint(1, 22), chance.choice([0, 0, 1, 2, 3, 5, 7])
        piece = chance.randint(1, 7)
        expected = completes(piece, worth + [1] * hand, due, least)
        s = payment(worth, hand, due, least)
        assert bool(rules.can_be_completed(s, piece, hand)) == expected
        assert not s.reach.any()
        answers[expected] += 1
    assert min(answers.values()) > 200


def test_a12_large_sums_are_exact_too() -> None:
    """Sums over several words of bits, against a set of all reachable sums."""
    chance = random.Random(13)
    for _ in range(300):
        values = [value for value in range(2, 8) if chance.random() < 0.5] or [6]
        worth = [chance.choice(values) for _ in range(chance.randint(10, 45))]
        due, hand, piece = chance.randint(1, sum(worth) + 9), chance.randint(0, 2), chance.choice(values)
        rest, expected = due - piece, False
        for excess in range(piece):
            reached = {0}
            for value in [each for each in worth + [1] * hand if each > excess]:
                reached |= {total + value for total in reached}
            expected |= rest + excess in reached or (rest <= 0 and -rest == excess)
        assert bool(rules.can_be_completed(payment(worth, hand, due, 0), piece, hand)) == expected


def test_a12_a_payment_can_always_be_completed_and_no_piece_is_superfluous() -> None:
    paid: dict[int, list[int]] = {}
    for seed in range(20):
        game = laguna.new(ID, seed=seed)
        cost = 0
        pieces: list[int] = []
        for _ in random_steps(game, seed):
            entry = game.log[-1]
            for event in entry.events:
                if event.key == "owes":
                    cost, pieces = event.arguments["cost"], []
                elif event.key in ("paid-tile", "paid-card"):
                    pieces.append(event.arguments["points"])
                elif event.key in ("took", "took-nothing") and pieces:
                    assert 0 <= sum(pieces) - cost < min(pieces)
                    paid.setdefault(len(pieces), []).append(cost)
                    pieces = []
    assert len(paid) > 3


def test_a12_the_proposed_payment_loses_the_least() -> None:
    """Then it has as few cards as possible, then as few tiles: by brute force."""
    chance = random.Random(14)
    with_cards = Counter[bool]()
    for _ in range(400):
        values = [chance.randint(1, 7) for _ in range(chance.randint(0, 7))]
        cards = chance.randint(0, 3)
        due = chance.randint(1, 20)
        bills = [
            (max(sum(tiles) + more, due), more, size)
            for size in range(len(values) + 1)
            for tiles in itertools.combinations(values, size)
            for more in range(cards + 1)
            if sum(tiles) + more >= due
        ]
        if bills:
            counts = [0] * 56
            for value in values:
                counts[8 * chance.randint(0, 6) + value] += 1
            hand = [0, cards, 0, 0, 0, 0, 0]
            pieces = proposal(SimpleNamespace(turn=0, due=due, hand=[hand], tiles=[counts]))
            paid = [piece.tile.value for piece in pieces if piece.tile]
            more = len(pieces) - len(paid)
            assert (sum(paid) + more, more, len(paid)) == min(bills)
            with_cards[more > 0] += 1
    assert min(with_cards.values()) > 50


def test_a12_the_proposed_payment_is_legal_piece_by_piece_and_only_the_payer_sees_it() -> None:
    longest = 0
    for seed in range(12):
        game = laguna.new(ID, players=2 + seed % 3, seed=seed)
        for _ in random_steps(game, seed):
            shown = [game.view(seat)["payment"] for seat in (None, *range(game.players))]
            assert [bool(pieces) for pieces in shown].count(True) == (game.view()["phase"] == "pay")
            payer = game.seat or 0
            pieces = shown[payer + 1]
            s = game.copy()
            for number, piece in enumerate(pieces):
                assert s.view(payer)["payment"] == pieces[number:]
                s.play(piece)
            assert not pieces or s.view()["phase"] != "pay"
            longest = max(longest, len(pieces))
    assert longest > 3


# ------------------------------------------------------------------ tile and cards


def test_a13_the_first_free_space_behind_the_pawn() -> None:
    """The rulebook's first example: a tile directly behind, over two pawns and water, and after two cards."""
    path = "27:wreath4 28:coins2 29:olive4 30:amphora6 31:olive3 32:lyre7 33:coins5"
    game = stage(path, hands=["amphora", "olive", "coins coins"], pawns=[[0, 53, 28], [0, 0, 0], [0, 0, 0]],
                 bridges=[None, 50, 48])  # fmt: skip
    entry = game.play("0 am")
    assert [(took["space"], took["tile"]) for took in happened(entry, "took")] == [(29, ["olive", 4])]
    game.play("bridge 28")
    entry = game.play("0 ol")
    assert [(took["space"], took["tile"]) for took in happened(entry, "took")] == [(27, ["wreath", 4])]
    game.play("0 co")
    entry = game.play("on co")
    assert [(took["space"], took["tile"]) for took in happened(entry, "took")] == [(32, ["lyre", 7])]
    assert happened(entry, "drew") == [{"seat": 2, "cards": 1, "points": 1}]


def test_a13_the_space_just_left_is_free_and_the_mainland_takes_the_last_free_one() -> None:
    game = stage("1:lyre1 2:olive1", hands=["olive", ""], pawns=[[0, 0, 1], [0, 0, 0]])
    assert game.view(0)["previews"][1]["takes"] == {"space": 1, "tile": ["lyre", 1]}
    assert happened(game.play("1 ol"), "took")[0]["space"] == 1
    game = stage("1:lyre1 2:olive1 3:coins1", hands=["weapon", ""], pawns=[[0, 0, 1], [0, 0, 3]])
    assert happened(game.play("1 we"), "took")[0]["space"] == 2


def test_a13_without_a_free_space_nothing_is_taken() -> None:
    game = stage("1:lyre1 2:olive1", hands=["lyre", ""])
    assert game.view(0)["previews"][0]["takes"] is None
    entry = game.play("0 ly")
    assert [event.key for event in entry.events] == ["card", "took-nothing", "drew"]


@pytest.mark.parametrize("arrived", [0, 1, 2])
def test_a14_one_card_and_one_for_each_pawn_on_the_mainland(arrived: int) -> None:
    pawns = [[1] + [0] * (2 - arrived) + [53] * arrived, [0, 0, 0]]
    game = stage("1:lyre1 2:olive1 3:coins1", hands=["olive", ""], pawns=pawns)
    assert happened(game.play("1 ol"), "drew") == [{"seat": 0, "cards": 1 + arrived, "points": 1 + arrived}]


def test_a14_the_pawn_that_just_arrived_counts() -> None:
    game = stage("1:lyre1 2:olive1", hands=["coins", ""])
    assert happened(game.play("0 co"), "drew") == [{"seat": 0, "cards": 2, "points": 2}]


def test_a14_the_discards_become_a_new_deck_in_mid_draw() -> None:
    game = stage("1:lyre1 2:olive1", hands=["coins", ""], deck="wreath", discards="amphora amphora")
    entry = game.play("0 co")
    assert [event.key for event in entry.events] == ["card", "took", "new-deck", "drew"]
    assert happened(entry, "new-deck") == [{"cards": 3}]  # this turn's card is among them
    view = game.view(0)
    assert view["deck_size"] == 2 and view["discards"] == {} and sum(view["hand"].values()) == 2


def test_a14_with_deck_and_discards_empty_draw_what_there_is() -> None:
    game = stage("1:lyre1 2:olive1", hands=["coins", ""], pawns=[[0, 53, 1], [0, 0, 0]], deck="")
    entry = game.play("1 co")
    assert happened(entry, "drew") == [{"seat": 0, "cards": 1, "points": 1}]  # its own card, of three
    assert game.view(0)["hand"] == {"coins": 1} and game.view()["deck_size"] == 0
    entry = game.play("draw")
    assert happened(entry, "drew") == [{"seat": 1, "cards": 0, "points": 0}]


# ------------------------------------------------------------------ gaps and bridges


def test_a15_water_at_the_ends_does_not_exist() -> None:
    """The end tiles slide up: neither the way from Atlantis nor that to the mainland costs anything."""
    game = stage("5:lyre3 6:olive3", hands=["lyre coins", ""])
    assert game.view()["gaps"] == []
    assert [preview["cost"] for preview in game.view(0)["previews"]] == [0, 0]
    game.play("0 co")
    assert game.view()["board"] == {"5": {"tile": ["lyre", 3], "height": 1}} and game.view()["gaps"] == []


def test_a15_a_space_is_water_when_its_last_tile_is_taken_and_gaps_merge() -> None:
    path, pawns = "1:lyre5 3:coins4 5:olive3 6:weapon1", [[5, 0, 0], [0, 0, 0]]
    game = stage(path, hands=["weapon", ""], pawns=pawns)
    gaps = [(gap["after"], gap["before"], gap["cost"]) for gap in game.view()["gaps"]]
    assert gaps == [(1, 3, 4), (3, 5, 3)]
    game.play("5 we")
    gaps = [(gap["after"], gap["before"], gap["cost"]) for gap in game.view()["gaps"]]
    assert gaps == [(1, 3, 4), (3, 6, 1)]
    game = stage("1:lyre5 2:coins4", hands=["lyre", ""], bridges=[None, 50])
    assert refused(game, "bridge 1") == ("no-gap", "A15")
    for place in (0, 51, 52, 53):  # no gap can ever be there
        assert refused(game, {"do": "bridge", "after": place}) == ("no-gap", "A15")
        assert refused(game, f"bridge {place}") == ("no-gap", "A15")


def test_a16_before_the_move_or_after_the_tile() -> None:
    game = stage(
        "1:lyre5 3:coins4 4:olive3", hands=["coins", ""], pawns=[[1, 0, 0], [0] * 3], bridges=[None, 50]
    )
    assert legal(game) == ["bridge 1", "draw"]
    game.play("bridge 1")
    assert game.view()["gaps"] == [{"after": 1, "before": 3, "cost": 0, "bridge": True, "builders": [0]}]
    game.play("1 co")
    assert game.seat == 1  # free, and no bridge is left

    game = stage("1:lyre5 3:coins4 4:olive3", hands=["lyre", ""], bridges=[None, 50])
    game.play("0 ly")
    assert legal(game) == ["bridge 1", "end"]
    assert refused(game, "0 ly") == ("after", "A16")
    other = game.copy()
    assert happened(game.play("bridge 1"), "drew") == [{"seat": 0, "cards": 1, "points": 1}]
    assert happened(other.play("end"), "drew") == [{"seat": 0, "cards": 1, "points": 1}]
    assert game.seat == other.seat == 1 and other.view()["bridges"][0] is None


def test_a16_not_over_a_gap_that_has_one_and_only_once() -> None:
    game = stage("1:lyre5 3:coins4 5:olive3", hands=["lyre", ""], bridges=[None, 1])
    assert legal(game) == ["bridge 3", "0 ly"]
    assert refused(game, "bridge 1") == ("bridged", "A16")
    game.play("bridge 3")
    assert refused(game, "bridge 3") == ("no-bridge", "A16")
    assert why_not(game, "bridge 3")["after"] == 3
    assert legal(game) == ["0 ly"]


def test_a16_a_bridge_keeps_its_place_when_its_gap_grows_and_no_longer_counts_at_an_end() -> None:
    path, pawns = "1:lyre5 2:coins4 4:olive3 5:sickle1", [[4, 0, 0], [2, 0, 0]]
    game = stage(path, hands=["sickle", "coins"], pawns=pawns, bridges=[2, None])
    game.play("4 si")  # takes the olive behind it
    assert game.view()["gaps"] == [{"after": 2, "before": 5, "cost": 0, "bridge": True, "builders": [0]}]
    assert legal(game) == ["2 co"]
    game.play("2 co")  # to the mainland for free; takes the coins
    assert game.view()["gaps"] == [{"after": 1, "before": 5, "cost": 0, "bridge": True, "builders": [0]}]
    game = stage("3:lyre5 5:coins4", hands=["", "sickle"], bridges=[1, None], turn=1)
    assert game.view()["gaps"] == [{"after": 3, "before": 5, "cost": 4, "bridge": False, "builders": []}]


@pytest.mark.parametrize("arrived", [0, 1])
def test_a16_after_the_first_and_the_second_arrival_too(arrived: int) -> None:
    pawns = [[4] + [0] * (2 - arrived) + [53] * arrived, [0, 0, 0]]
    game = stage("1:lyre5 3:coins4 4:olive3", hands=["sickle", ""], pawns=pawns, bridges=[None, 50])
    assert happened(game.play("4 si"), "card")[0]["to"] == 53
    assert legal(game) == ["bridge 1", "end"]
    drew = {"seat": 0, "cards": 2 + arrived, "points": 2 + arrived}
    assert happened(game.play("bridge 1"), "drew") == [drew]
    assert game.view()["bridges"] == [1, 50] and game.seat == 1


def test_a16_not_after_the_third_arrival() -> None:
    game = stage("1:lyre5 3:coins4", hands=["sickle", ""], pawns=[[3, 53, 53], [0] * 3], bridges=[None, 50])
    game.play("3 si")
    assert game.over


def test_a17_costs_are_judged_before_the_tile_is_taken() -> None:
    """The way costs 2 by the tile that is then taken; afterwards the gap costs 5."""
    game = stage("27:lyre5 28:coins2 30:olive6 31:weapon1", hands=["olive wreath wreath", ""],
                 pawns=[[28, 0, 0], [0] * 3])  # fmt: skip
    game.play("28 ol")
    assert game.view()["move"]["due"] == 2
    game.play("pay wr")
    game.play("pay wr")
    assert game.view()["tiles"][0] == [["coins", 2]]
    assert [gap["cost"] for gap in game.view()["gaps"]] == [5]


# ------------------------------------------------------------------ the end


def test_a18_the_third_arrival_pays_takes_draws_four_and_ends_the_game() -> None:
    game = stage("1:lyre2 3:coins4", hands=["sickle olive olive", ""], pawns=[[1, 53, 53], [0] * 3])
    game.play("1 si")
    assert not game.over and game.view()["move"]["due"] == 2
    game.play("pay ol")
    entry = game.play("pay ol")
    assert [event.key for event in entry.events] == [
        "paid-card",
        "took",
        "arrived",
        "drew",
        "settled",
        "settled",
    ]
    assert happened(entry, "drew") == [{"seat": 0, "cards": 4, "points": 4}]
    assert game.over and game.legal() == [] and game.scores == [4 + 4, 0]


def example_three(anna: str, pyotr: str) -> laguna.Game:
    """The rulebook's third example: Yevgeny's third pawn is about to leave."""
    path = "27:wreath1 29:weapon4 30:lyre5 32:coins4 33:weapon1 35:sickle5 36:lyre3"
    return stage(path, hands=["amphora", "", pyotr], tiles=["", anna, ""],
                 pawns=[[35, 53, 53], [27, 33, 53], [32, 53, 53]])  # fmt: skip


def test_a19_all_other_pawns_go_to_the_mainland_and_their_owners_pay() -> None:
    game = example_three("amphora7", "olive olive")
    entry = game.play("35 am")
    assert happened(entry, "took")[0]["tile"] == ["lyre", 3]
    settled = {event["seat"]: event for event in happened(entry, "settled")}
    assert settled[1]["cost"] == (1 + 4 + 1) + 1 and settled[1]["points"] == -7
    assert settled[2]["cost"] == 1 and settled[2]["points"] == -1
    assert game.view()["pawns"] == [[53] * 3] * 3
    assert game.scores == [3 + 4, 0, 1] and game.winners == [0]


def test_a20_what_a_player_cannot_pay_counts_as_negative_points() -> None:
    game = example_three("amphora3 coins1", "")
    game.play("35 am")
    assert game.scores[1:] == [-3, -1]


def test_a20_the_least_value_is_lost() -> None:
    game = example_three("amphora7 amphora3 coins4 weapon5", "olive")
    game.play("35 am")
    assert game.view()["losses"] == [0, 7, 1]
    game = example_three("amphora6 coins6 weapon5", "olive")
    game.play("35 am")
    assert game.view()["losses"][1] == 11


def test_a20_the_least_loss_is_exact_as_by_brute_force() -> None:
    chance = random.Random(20)
    for _ in range(600):
        worth = [chance.randint(1, 7) for _ in range(chance.randint(0, 8))]
        hand, cost = chance.randint(0, 3), chance.randint(0, 40)
        pieces = worth + [1] * hand
        sums = {sum(some) for size in range(len(pieces) + 1) for some in itertools.combinations(pieces, size)}
        expected = min((total for total in sums if total >= cost), default=cost)
        s = payment(worth, hand, 0, 0)
        assert rules.least_loss(s, 0, cost) == expected
        assert not s.reach.any()


def test_a20_large_sums_are_exact_too() -> None:
    chance = random.Random(21)
    for _ in range(200):
        values = [value for value in range(2, 8) if chance.random() < 0.5] or [7]
        worth = [chance.choice(values) for _ in range(chance.randint(10, 43))]
        hand, cost = chance.randint(0, 2), chance.randint(0, sum(worth) + 5)
        reached = {0}
        for value in worth + [1] * hand:
            reached |= {total + value for total in reached}
        expected = min((total for total in reached if total >= cost), default=cost)
        assert rules.least_loss(payment(worth, hand, 0, 0), 0, cost) == expected


def test_a21_tiles_and_cards_count_and_ties_are_shared() -> None:
    game = stage(
        "1:lyre3 2:coins4", hands=["sickle", "olive"], tiles=["", "wreath7"], pawns=[[2, 53, 53], [0] * 3]
    )
    assert game.scores == [1, 8] and game.winners == []
    game.play("2 si")
    assert game.scores == [8, 8] and game.winners == [0, 1]


# ------------------------------------------------------------------ who knows what


def test_a22_a_seat_sees_its_own_hand_and_only_sizes_of_the_rest() -> None:
    game = laguna.new(ID, seed=9)
    hands = game.position()["hands"]
    for seat in range(3):
        view = game.view(seat)
        assert view["hand"] == hands[seat]
        assert not {"hands", "deck", "chance", "seed", "shown", "known"} & set(view)
        assert view["unseen"] == {name: 15 - hands[seat].get(name, 0) for name in NAMES}
    assert game.view(None)["hand"] is None and game.view(None)["previews"] == []
    assert game.view(1)["previews"] == []  # they would tell seat 0's cards


def test_a22_previews_say_where_a_card_leads_its_cost_and_its_tile() -> None:
    game = laguna.new(ID, players=4, seed=4)
    seen = Counter[str]()
    for _ in random_steps(game, seed=4):
        seat = game.seat
        assert seat is not None
        for preview in game.view(seat)["previews"]:
            word = "on" if game.view()["phase"] == "chain" else str(preview["from"])
            start = game.view()["move"]["from"] if word == "on" else preview["from"]
            after = game.copy()
            entry = after.play(f"{word} {preview['card']}")
            assert happened(entry, "card")[0]["to"] == preview["to"]
            assert preview["goes_on"] == (after.view()["phase"] == "chain")
            if preview["goes_on"]:
                assert preview["takes"] is None
                seen["goes on"] += 1
                continue
            owed = sum(event["cost"] for event in happened(entry, "owes"))
            assert owed == preview["cost"] and start <= preview["to"]
            while (took := happened(entry, "took")) == [] and after.view()["phase"] == "pay":
                entry = after.play(after.legal()[0])
                took = happened(entry, "took")
            expected = preview["takes"] and (preview["takes"]["space"], preview["takes"]["tile"])
            assert ((took[0]["space"], took[0]["tile"]) if took else None) == expected
            seen["paid" if owed else "free"] += 1
    assert min(seen.values()) > 5 and len(seen) == 3


def test_a22_shown_cards_stay_known_until_they_are_played() -> None:
    game = stage("27:lyre7 29:coins7 30:wreath2", hands=["coins coins", "lyre wreath"],
                 pawns=[[27, 53, 53], [0, 0, 0]],
                 deck="olive olive amphora amphora weapon weapon wreath wreath")  # fmt: skip
    assert legal(game) == ["draw"]
    game.play("draw")
    assert game.position()["shown"] == [{"coins": 2}, {}]
    for seed in range(30):
        hand = game.imagine(1, seed).position()["hands"][0]
        assert hand["coins"] == 2 and sum(hand.values()) == 4
    other = {tuple(game.imagine(1, seed).position()["hands"][0]) for seed in range(30)}
    assert len(other) > 3
    s = game.state
    s.turn = 0
    rules.give_up_card(s, NAMES.index("coins"))
    assert s.known[0].tolist() == [0, 0, 0, 1, 0, 0, 0]
    rules.give_up_card(s, NAMES.index("coins"))
    assert not s.known.any()


def test_a22_a_card_like_one_that_was_shown_and_played_is_secret() -> None:
    """Another was drawn before, and the same one again after: nobody has seen either in this hand."""
    game = stage("27:lyre7 29:coins7 30:olive6", hands=["coins", ""], pawns=[[27, 53, 53], [0, 0, 0]],
                 deck="weapon weapon coins wreath", bridges=[None, 50])  # fmt: skip
    game.play("draw")
    assert game.view(0)["hand"] == {"wreath": 1, "coins": 2}
    assert game.position()["shown"] == [{"coins": 1}, {}]
    game.play("draw")
    game.play("bridge 27")
    entry = game.play("27 co")
    assert happened(entry, "new-deck") == [{"cards": 1}]
    assert happened(entry, "drew") == [{"seat": 0, "cards": 1, "points": 1}]
    assert game.view(0)["hand"] == {"wreath": 1, "coins": 2}
    assert "shown" not in game.position()


def chi_square_is_fine(seen: Counter[Any], weight: Counter[Any]) -> bool:
    """Is what was seen as likely as the weights say?"""
    draws = seen.total()
    assert set(seen) == set(weight)
    expected = {world: draws * weight[world] / weight.total() for world in weight}
    chi_square = sum((seen[world] - expected[world]) ** 2 / expected[world] for world in weight)
    freedom = len(weight) - 1
    return bool(chi_square < freedom + 5 * (2 * freedom) ** 0.5)


def test_a22_a_redeal_is_uniform_over_all_that_is_possible() -> None:
    """Seat 1's hand of two, one of them shown, and a deck of three: every order is equally likely."""
    game = stage("1:lyre1 2:coins1", hands=["coins", "lyre olive"], deck="olive wreath wreath",
                 shown=[{}, {"lyre": 1}])  # fmt: skip
    weight = Counter(
        (order[0], order[1:]) for order in itertools.permutations(["olive"] * 2 + ["wreath"] * 2)
    )
    seen: Counter[Any] = Counter()
    for seed in range(60 * len(weight)):
        dealt = game.imagine(0, seed).position()
        assert dealt["hands"][0] == {"coins": 1} and dealt["hands"][1].pop("lyre") == 1
        seen[next(iter(dealt["hands"][1])), tuple(dealt["deck"])] += 1
    assert chi_square_is_fine(seen, weight)


def test_a22_lower_tiles_are_dealt_again_in_their_own_half() -> None:
    path = "1:lyre1/coins1 2:olive2/coins2 3:wreath7/coins3 4:lyre5 27:sickle7/coins4 28:amphora6/coins5"
    game = stage(path, hands=["coins", "lyre"])
    seen: Counter[Any] = Counter()
    for seed in range(720):
        board = game.imagine(seed % 2, seed).position()["board"]
        assert (
            board["4"] == [["lyre", 5]] and [board[str(space)][-1][0] for space in (1, 2, 3)] == ["coins"] * 3
        )
        seen[tuple(board[str(space)][0][0] for space in (1, 2, 3, 27, 28))] += 1
    orders = itertools.product(itertools.permutations(["lyre", "olive", "wreath"]),
                               itertools.permutations(["sickle", "amphora"]))  # fmt: skip
    assert chi_square_is_fine(seen, Counter((*a, *b) for a, b in orders))


def test_a22_a_player_in_a_chain_is_dealt_cards_that_lead_on() -> None:
    """One card is left to seat 0, and only coins lead to a free space that can be paid for."""
    path = "1:lyre1 2:coins1 4:olive3"
    game = stage(path, hands=["lyre coins", "olive weapon sickle"], pawns=[[0] * 3, [0, 0, 1]],
                 deck="olive weapon sickle coins")  # fmt: skip
    game.play("0 ly")
    assert game.view()["phase"] == "chain"
    hands = Counter(tuple(game.imagine(1, seed).position()["hands"][0]) for seed in range(50))
    assert set(hands) == {("coins",)}


def test_a22_the_log_hides_no_action_and_shows_no_hand_except_by_a10() -> None:
    game = laguna.new(ID, seed=11)
    for _ in random_steps(game, seed=11):
        pass
    for entry in game.log_for(None)[1:]:
        assert entry["action"] is not None
        for event in entry["events"]:
            assert event["key"] == "shows" or "hand" not in event["arguments"]


# ------------------------------------------------------------------ writing it down


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("0 LY", "0 ly"),
        ("0ly", "0 ly"),
        (" move 0  lyre ", "0 ly"),
        ("00 lyre", "0 ly"),
        ("Buy Olive 4", "buy ol4"),
        ("pay ol 4", "pay ol4"),
        ("PAY olive", "pay ol"),
        ("on coins", "on co"),
        ("bridge26", "bridge 26"),
        ("Draw", "draw"),
    ],
)
def test_notation_is_read_generously(text: str, plain: str) -> None:
    assert str(laguna.new(ID, seed=1).action(text)) == plain


@pytest.mark.parametrize(
    "action",
    ["", "0", "ly", "54 ly", "99 ly", "53 ly", "0 xx", "buy ly", "buy ly8", "buy ly0",
     "bridge 54", "bridge", "pay", "on", "on ly5", "0 ly 5", "drawn", "\x00", "9" * 10_000, 528, -1, 1.0,
     True, None, {}, {"do": "move"}, {"do": "move", "from": 53, "card": "lyre"},
     {"do": "move", "from": 0, "card": "ly"},
     {"do": "bridge", "after": 54}, {"do": "buy", "tile": ["lyre", 8]}, {"do": "buy", "tile": ["lyre"]},
     {"do": "buy", "tile": ["lyre", 5, 1]}, {"do": "buy", "tile": "lyre5"}, {"do": "draw", "x": 1},
     {"do": "pass"}, {"from": 0, "card": "lyre"}, ["draw"]],
)  # fmt: skip
def test_a_text_that_is_not_an_action_gets_an_explanation_of_the_notation(action: Any) -> None:
    game = laguna.new(ID, seed=1)
    before = game.state_bytes()
    with pytest.raises(laguna.IllegalAction, match="such as 0 co") as error:
        game.play(action)
    assert error.value.key == "unreadable" and len(str(error.value)) < 500
    assert game.state_bytes() == before


def test_the_tolls_are_those_of_a_fresh_computation() -> None:
    """What is kept up to date tile by tile equals what the whole path says."""
    for seed in range(10):
        game = laguna.new(ID, players=2 + seed % 3, seed=seed)
        for _ in random_steps(game, seed):
            other = game.copy().state
            other.land, other.shows[:], other.toll[:] = 0, 0, 0
            rules.survey(other)
            for name in ("land", "shows", "toll"):
                assert np.array_equal(other[name], game.state[name])


def test_a_setup_leaves_nothing_of_what_was_in_the_record() -> None:
    clean = blank(rules.STATE)
    dirty = np.frombuffer(bytearray(b"\x7f" * rules.STATE.itemsize), rules.STATE)[0]
    for s in (clean, dirty):
        rules.setup(s, np.array([3]), 5)
    assert clean.tobytes() == dirty.tobytes() == laguna.new(ID, players=3, seed=5).state_bytes()
