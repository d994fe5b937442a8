"""Mille Fiori, clause by clause. Every test is named after the clause it proves."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.games.mille_fiori import components as box
from laguna.games.mille_fiori import evaluation, rules
from laguna.games.mille_fiori.names import CARD_NAMES, CARD_PATTERN, CELL_NAMES, CELL_NUMBERS, CELL_PATTERN
from laguna.kernel.chance import WORDS, seed_stream, shuffle
from laguna.kernel.jit import JIT
from laguna.kernel.records import blank, copy_of
from tests.every import random_steps
from tests.oracle.agree_mille_fiori import agrees, referee

ID = "mille-fiori"
RED, GREEN, YELLOW, BLUE = range(4)
PLAYERS = (2, 3, 4)
ROUNDS = {2: 10, 3: 7, 4: 5}
OPENED = {2: 9, 3: 4, 4: 9}
PICKS = {2: 3, 3: 4, 4: 4}
ALL_CARDS = Counter(f"{kind}{wheel}" for kind, wheels in box.WHEELS.items() for wheel in wheels)
NOBLE, COMMONER = ("lion", "coin", "cross"), ("fish", "shell", "crab")

# ------------------------------------------------------------------ positions made by hand


def kinds_for(cell: str) -> tuple[str, ...]:
    """The types of cards that can be placed on a cell."""
    kind = box.TYPES[box.CELL_TYPE[CELL_NUMBERS[cell]]]
    return NOBLE if kind in NOBLE else COMMONER if kind in COMMONER else (kind,)


def bonus_cells(board: dict[str, int]) -> dict[str, list[int]]:
    """The bonus cells that these lozenges have earned, lower seats first."""
    needs = {"workshops": 4, "residences": 4, "nobles": 3, "commoners": 3, "trade": 4}
    taken: dict[str, list[int]] = {}
    for area, (group, need) in enumerate(needs.items()):
        for seat in sorted(set(board.values())):
            own = [CELL_NUMBERS[cell] for cell, owner in board.items() if owner == seat]
            own = [cell for cell in own if box.AREA_OF[cell] == area]
            numbers = box.RESIDENCE_NUMBERS if area == box.RESIDENCES else box.CELL_TYPE[box.FIRST[area] :]
            if len({int(numbers[cell - box.FIRST[area]]) for cell in own}) >= need:
                taken.setdefault(group, []).append(seat)
    return taken


def points_for(board: dict[str, int], bonus: dict[str, list[int]], ships: list[int]) -> list[int]:
    """What is scored if these lozenges are placed area by area, and for the spaces where the ships are."""
    s = blank(rules.STATE)
    s.players = len(ships)
    s.lozenges[:] = box.LOZENGES
    points = [int(box.SEA_POINTS[space]) for space in ships]
    for cell in sorted(CELL_NUMBERS[name] for name in board):
        s.turn, s.event_count = board[CELL_NAMES[cell]], 0
        rules.place(s, cell, int(box.CELL_TYPE[cell]))
        for kind, owner, scored_now, *_ in s.events[: s.event_count].tolist():
            if kind not in (box.BONUS_CELL_TAKEN, box.LAST_LOZENGE_LAID):  # who takes which one is given
                points[owner] += scored_now
    for owners in bonus.values():
        for owner, value in zip(owners, (20, 15, 10, 5), strict=False):
            points[owner] += value
    return points


def stage(
    card: str | None,
    lozenges: dict[int, str] | None = None,
    *,
    seat: int = RED,
    players: int = 4,
    display: list[str] | None = None,
    last_pick: bool = False,
    **fields: Any,
) -> laguna.Game:
    """A position in which `seat` plays `card` (None: has played it), with these lozenges on the board.

    It is the first round in which such cards can have been played with the fewest extra cards; all other
    cards lie anywhere. A player who is to choose an extra card has earned it by sailing to space 7, unless
    otherwise stated.
    """
    board = {cell: owner for owner, cells in (lozenges or {}).items() for cell in cells.split()}
    at_sea = 7 if fields.get("phase") == "extra" else 0
    ships = fields.get("ships", [at_sea if each == seat else 0 for each in range(players)])
    bonus = fields.get("bonus", bonus_cells(board))
    left = Counter(ALL_CARDS)

    def take(kinds: tuple[str, ...], among: Iterable[str] = left) -> str:
        found = next(name for name in among if left[name] > 0 and name[:-1] in kinds)
        left[found] -= 1
        return found

    left.subtract([*([card] if card else []), *(display or [])])
    discards = [take(kinds_for(cell)) for cell in board]
    types = itertools.cycle(box.TYPES)

    def take_any() -> str:
        """The highest wheel of the next type, so that ships get far."""
        kind = next(kind for kind in types if any(left[f"{kind}{wheel}"] > 0 for wheel in range(1, 6)))
        return take((kind,), reversed(left))

    needed = Counter(board.values()) + Counter({each: -(-ships[each] // 5) for each in range(players)})
    pick = PICKS[players] if last_pick else 1
    found = []
    for round_number in range(ROUNDS[players] if last_pick else 1, ROUNDS[players] + 1):
        doge = (round_number - 1) % players
        played = (seat - doge) % players + (card is None)  # in this pick
        before = PICKS[players] * (round_number - 1) + pick - 1
        turns = [before + ((each - doge) % players < played) for each in range(players)]
        missing = sum(max(0, needed[each] - turns[each]) for each in range(players))
        shown = OPENED[players] + (5 - PICKS[players]) * players * (round_number - 1)
        extras = missing if display is None else shown - len(display)
        if missing <= extras <= shown:
            taken = 0 if display is not None else extras
            found.append((taken, round_number, sum(turns) + extras, shown - extras))
    assert found, "no round for so many lozenges"
    _, round_number, played, shown = min(found)
    doge = (round_number - 1) % players
    discards += [take_any() for _ in range(played - len(discards))]
    kept: list[str | None] = [None] * players
    kept[seat] = card
    for order in range((seat - doge) % players + 1, players):
        kept[(doge + order) % players] = take_any()
    position = {
        "players": players,
        "phase": "play",
        "round": round_number,
        "pick": pick,
        "turn": seat,
        "board": board,
        "bonus": bonus,
        "ships": ships,
        "points": points_for(board, bonus, ships),
        "hands": [[take_any() for _ in range(5 - pick)] for _ in range(players)],
        "kept": kept,
        "display": [take_any() for _ in range(shown)] if display is None else display,
        "discards": discards,
    }
    return laguna.from_position(ID, position | fields)


def scored(entry: laguna.Entry) -> list[tuple[str, int, int]]:
    """Who scored how much under which clause."""
    events = [event for event in entry.events if event.key in ("points", "bonus")]
    return [(event.clause, event.arguments["seat"], event.arguments["points"]) for event in events]


def extra_card(entry: laguna.Entry) -> str | None:
    """The clause that gave an extra card."""
    return next((event.clause for event in entry.events if event.key == "extra-card"), None)


def cells(game: laguna.Game) -> list[str]:
    """The cells on which the card in play may be placed, each once."""
    return list(
        dict.fromkeys(action.value["cell"] for action in game.legal() if action.value["do"] == "place")
    )


def refused(game: laguna.Game, action: Any, key: str, clause: str) -> None:
    """The action is refused for this reason and nothing changes."""
    before = game.state_bytes()
    with pytest.raises(laguna.IllegalAction) as error:
        game.play(action)
    assert (error.value.key, error.value.clause) == (key, clause)
    assert "may" in str(error.value) and f"({clause})." in str(error.value)
    assert game.state_bytes() == before


def why_not(game: laguna.Game, action: Any) -> dict[str, Any]:
    """The facts of the refusal."""
    with pytest.raises(laguna.IllegalAction) as error:
        game.play(action)
    return error.value.arguments


def keep_all(game: laguna.Game) -> None:
    """Everybody keeps the first card offered."""
    while game.view()["phase"] == "keep":
        game.play(game.legal()[0])


def finish_pick(game: laguna.Game) -> None:
    """Everybody who has not played yet sails, and declines extra cards."""
    view = game.view()
    pick = (view["round"], view["pick"])
    while not game.over and (game.view()["round"], game.view()["pick"]) == pick:
        game.play(game.legal()[-1])


def lively_steps(game: laguna.Game, chance: random.Random) -> Iterator[laguna.Action]:
    """A player who likes to place and to take: the games that run out of lozenges."""
    while not game.over:
        legal = game.legal()
        liked = [action for action in legal if action.value["do"] in ("place", "extra")]
        action = chance.choice(liked if liked and chance.random() < 0.95 else legal)
        yield action
        game.play(action)


# ------------------------------------------------------------------ components


def test_m1_109_cards_one_for_every_cell_of_its_type() -> None:
    counts = {kind: len(wheels) for kind, wheels in box.WHEELS.items()}
    assert counts == {"pigment": 9, "quartz": 7, "ash": 7, "lime": 7, "residence": 20, "lion": 4, "coin": 4,
                      "cross": 4, "fish": 4, "shell": 4, "crab": 4, "goblet": 5, "carafe": 5, "earrings": 5,
                      "swan": 5, "harbor": 15}  # fmt: skip
    cells = Counter(box.TYPES[kind] for kind in box.CELL_TYPE.tolist())
    assert cells == counts and sum(counts.values()) == len(box.DECK) == len(CELL_NAMES) == 109


def test_m1_cards_and_cells_have_names_that_files_may_hold() -> None:
    letters = "WRNCTH"
    tried = [f"{letter}{rest}" for letter in letters for rest in
             ["", *map(str, range(45)), *(f"{a}{b}" for a in ("b", "m", "t", *box.TYPES) for b in range(6)),
              *(f"{a}{b}" for a in range(6) for b in range(4))]]  # fmt: skip
    assert {name for name in tried if re.fullmatch(CELL_PATTERN, name)} == set(CELL_NAMES)
    cards = [f"{kind}{wheel}" for kind in box.TYPES for wheel in range(7)]
    assert [name for name in cards if re.fullmatch(CARD_PATTERN, name)] == list(CARD_NAMES[1:])


def test_m1_the_wheels_of_each_type() -> None:
    for wheels in box.WHEELS.values():
        assert list(wheels) == sorted(wheels) and set(wheels) <= set(range(1, 6))
    assert [sum(box.WHEELS[kind]) for kind in ("pigment", "quartz", "ash", "lime")] == [25, 21, 21, 21]
    assert [sum(box.WHEELS[kind]) for kind in box.TYPES[box.LION : box.GOBLET]] == [11, 11, 10, 10, 10, 11]
    assert box.WHEELS["residence"] == tuple(sorted([1, 2, 3, 4, 5] * 4))
    assert box.WHEELS["harbor"] == tuple(sorted([1, 2, 3, 4, 5] * 3))
    assert all(box.WHEELS[good] == (1, 2, 3, 4, 5) for good in ("goblet", "carafe", "earrings", "swan"))


def test_m2_27_lozenges_in_supply_3_in_reserve_a_ship_at_the_start() -> None:
    for players in PLAYERS:
        view = laguna.new(ID, players=players, seed=1).view()
        assert view["supply"] == [27] * players and view["reserve"] == [3] * players
        assert view["ships"] == view["scores"] == [0] * players


def test_m3_cells_and_bonus_cells() -> None:
    assert dict(zip(box.AREAS, box.AREA_SIZE, strict=True)) == {
        "workshops": 30, "residences": 20, "nobles": 12, "commoners": 12, "trade": 20, "harbor": 15,
    }  # fmt: skip
    assert box.BONUS_POINTS.tolist() == [20, 15, 10, 5]
    assert list(laguna.new(ID, seed=1).view()["bonus"]) == list(box.AREAS[:5])


# ------------------------------------------------------------------ set-up and rounds


@pytest.mark.parametrize("players", PLAYERS)
def test_m4_the_deck_deals_out_exactly(players: int) -> None:
    game = laguna.new(ID, players=players, seed=2)
    assert len(game.view()["display"]) == OPENED[players]
    rounds = {}
    while not game.over:
        view = game.view()
        rounds[view["round"]] = view["deck_size"]
        game.play(game.legal()[-1])  # nobody places, so no supply runs out
    assert list(rounds) == list(range(1, ROUNDS[players] + 1))
    assert list(rounds.values()) == [5 * players * left for left in range(ROUNDS[players] - 1, -1, -1)]
    assert game.view()["reason"] == "deck"


@pytest.mark.parametrize("players", PLAYERS)
def test_m5_five_cards_each_from_the_top_the_doge_first(players: int) -> None:
    """The top of the deck is its end: the display comes first, then five cards for each seat."""
    stream, deck = np.zeros(WORDS, np.uint32), box.DECK.copy()
    seed_stream(stream, 77, 0)
    shuffle(stream, deck, len(deck))
    names = [f"{box.CARDS[card - 1][0]}{box.CARDS[card - 1][1]}" for card in deck.tolist()][::-1]
    position = laguna.new(ID, players=players, seed=77).position()
    opened = OPENED[players]
    assert Counter(position["display"]) == Counter(names[:opened])
    for seat in range(players):
        assert Counter(position["hands"][seat]) == Counter(names[opened + 5 * seat :][:5])
    assert position["deck"] == names[opened + 5 * players :][::-1]


def test_m5_all_keep_then_all_play_from_the_doge_clockwise() -> None:
    game = laguna.new(ID, seed=3)
    order = []
    for _ in random_steps(game, seed=3):
        if game.view()["pick"] > 1:
            break
        order.append((game.view()["phase"], game.seat))
    kept = [seat for phase, seat in order if phase == "keep"]
    played = list(dict.fromkeys(seat for phase, seat in order if phase == "play"))
    assert kept == played == [0, 1, 2, 3]


def test_m5_the_rest_goes_to_the_left_neighbor() -> None:
    game = laguna.new(ID, seed=4)
    hands = game.position()["hands"]
    for seat in range(4):
        game.play(hands[seat][0])
    assert game.position()["hands"] == [hands[seat - 1][1:] for seat in range(4)]


def test_m5_passed_cards_are_not_looked_at_before_all_have_played() -> None:
    game = laguna.new(ID, seed=5)
    keep_all(game)
    while game.view()["pick"] == 1:
        assert [game.view(seat)["hand"] for seat in range(4)] == [None] * 4
        game.play(game.legal()[0])
    assert [len(game.view(seat)["hand"]) for seat in range(4)] == [4] * 4


def test_m5_a_kept_card_cannot_be_changed() -> None:
    game = laguna.new(ID, seed=6)
    game.play(game.legal()[0], seat=0)
    game.play(game.legal(2)[0], seat=2)
    for seat in (0, 2):
        assert game.legal(seat) == []
        with pytest.raises(laguna.IllegalAction, match="It is Green's turn"):
            game.play(game.view(seat)["hand"][-1], seat=seat)


def test_m5_refusals_name_what_may_be_kept() -> None:
    game = laguna.new(ID, seed=6)
    other = next(name for name in ALL_CARDS if name not in game.view(0)["hand"])
    refused(game, other, "not-in-hand", "M5")
    refused(game, "W0", "keep-first", "M5")
    refused(game, "sail", "keep-first", "M5")


@pytest.mark.parametrize("players", [3, 4])
def test_m6_four_of_five_cards_are_played(players: int) -> None:
    sizes = hand_sizes_when_choosing(players)
    assert sizes == [5, 4, 3, 2]


def test_m7_two_players_play_three_of_five_cards() -> None:
    assert hand_sizes_when_choosing(2) == [5, 4, 3]


def hand_sizes_when_choosing(players: int) -> list[int]:
    game = laguna.new(ID, players=players, seed=7)
    sizes = []
    for _ in random_steps(game, seed=7):
        view = game.view()
        if view["round"] > 1:
            break
        if view["phase"] == "keep" and game.seat == view["doge"]:
            sizes.append(view["hand_sizes"][0])
    return sizes


@pytest.mark.parametrize("players", PLAYERS)
def test_m8_left_over_cards_join_the_display_and_the_doge_moves(players: int) -> None:
    game = laguna.new(ID, players=players, seed=8)
    doges = []
    for _ in range(2):
        while True:
            before = game.position()
            doge = game.view()["doge"]
            entry = game.play(game.legal()[-1])
            if any(event.clause == "M8" for event in entry.events):
                break
        left = [card for hand in before["hands"] for card in hand]
        assert len(left) == players * (2 if players == 2 else 1)
        assert Counter(game.view()["display"]) == Counter(before["display"]) + Counter(left)
        doges += [doge, game.view()["doge"]]
        assert game.seat == game.view()["doge"]
    assert doges == [0, 1, 1, 2 % players]


def test_m8_happens_after_the_extra_cards_of_the_last_turn() -> None:
    game = stage("coin1", {GREEN: "Nb0 Nb1 Nb2 Nm0 Nm1"}, seat=BLUE, last_pick=True,
                 display=["lime1"])  # fmt: skip
    assert extra_card(game.play("Nt0")) == "M26"
    assert [str(action) for action in game.legal()] == ["lime1", "decline"]


def test_m8_is_part_of_the_last_round_of_a_deck_ended_game() -> None:
    game = stage("lion1", seat=BLUE, last_pick=True)
    before = game.view()
    game.play("sail")
    after = game.view()
    assert game.over and after["reason"] == "deck"
    assert len(after["display"]) == len(before["display"]) + 4
    assert after["hand_sizes"] == [0, 0, 0, 0] and after["doge"] == (before["doge"] + 1) % 4


def test_m9_open_draft_keep_then_play_on_ones_own_turn() -> None:
    game = laguna.new(ID, seed=9, draft="open")
    hands = game.position()["hands"]
    for seat in range(4):
        assert (game.seat, game.view()["phase"], game.deciders) == (seat, "keep", [seat])
        assert game.view(seat)["hand"] == hands[seat]
        game.play(game.legal()[0])
        assert (game.seat, game.view()["phase"]) == (seat, "play")
        assert game.view(seat)["hand"] == hands[seat][1:]
        assert game.position()["hands"][3] == (hands[3] if seat < 3 else hands[3][1:]), "not passed yet"
        while game.seat == seat and game.view()["pick"] == 1:
            game.play("sail" if game.view()["phase"] == "play" else "decline")
    assert game.position()["hands"] == [hands[seat - 1][1:] for seat in range(4)]
    assert game.view()["pick"] == 2


def test_m9_draft_is_secret_or_open() -> None:
    assert laguna.new(ID).options == {"draft": "secret"}
    with pytest.raises(laguna.BadOption) as error:
        laguna.new(ID, draft="closed")
    assert error.value.clause == "M9"


# ------------------------------------------------------------------ playing a card


def test_m10_place_a_lozenge_of_the_supply_and_score() -> None:
    game = stage("lime3")
    entry = game.play("W8")
    assert entry.events[0].key == "place" and entry.events[0].arguments["card"] == "lime3"
    assert game.view()["board"] == {"W8": RED} and game.view()["supply"] == [26, 27, 27, 27]
    assert game.scores == [1, 0, 0, 0]
    assert game.view()["discards"][-1] == "lime3"


def test_m10_a_card_in_play_is_placed_or_sailed_and_nothing_else() -> None:
    game = stage("lime3")
    for action in ("lime3", "decline", 90):
        refused(game, action, "play-the-card", "M10")


def test_m11_sail_by_the_wheel_whatever_the_card() -> None:
    for card, space in (("lime3", 3), ("residence5", 5), ("swan4", 4), ("harbor2", 2)):
        game = stage(card)
        entry = game.play("sail")
        assert game.view()["ships"] == [space, 0, 0, 0] and game.view()["board"] == {}
        assert entry.events[0].clause == "M11" and game.view()["supply"] == [27] * 4


HARBOR = " ".join(f"H{row}{ship}" for row in range(5) for ship in range(3))
GOBLETS = " ".join(f"Tgoblet{row}" for row in range(5))
CARAFES = " ".join(f"Tcarafe{row}" for row in range(5))


def test_m12_without_a_lozenge_only_sailing_is_left() -> None:
    """A player who has used all 30: 15 ships, 10 goods, 5 pigments."""
    lozenges = {RED: f"{HARBOR} {GOBLETS} {CARAFES} W0 W2 W11 W13 W15"}
    game = stage(None, lozenges, display=["lion2"], phase="extra")
    game.play("lion2")
    assert [str(action) for action in game.legal()] == ["sail"]
    refused(game, "Nb0", "no-lozenge", "M12")


def test_m12_sailing_is_always_allowed_even_when_the_ship_cannot_move() -> None:
    game = stage("lion3", ships=[20, 0, 0, 0])
    entry = game.play("sail")
    assert scored(entry) == [] and extra_card(entry) is None
    assert game.view()["ships"][RED] == 20 and game.view()["discards"][-1] == "lion3" and game.seat == GREEN


def test_m13_the_highest_free_bonus_cell_once_for_each_player_and_group() -> None:
    goods = {RED: "Tgoblet0 Tcarafe0 Tearrings0", YELLOW: "Tgoblet1 Tcarafe1 Tearrings1 Tswan1"}
    game = stage("swan1", goods, bonus={"trade": [YELLOW]})
    assert scored(game.play("Tswan0"))[-1] == ("M29", RED, 15)
    assert game.view()["bonus"]["trade"] == [YELLOW, RED] and game.view()["supply"][RED] == 22
    again = stage("swan1", {RED: "Tgoblet0 Tcarafe0 Tearrings0 Tswan1"}, bonus={"trade": [RED]})
    assert [clause for clause, _, _ in scored(again.play("Tswan0"))] == ["M28"]


def test_m13_nobles_and_commoners_are_separate_groups() -> None:
    game = stage("fish1", {RED: "Nb0 Nb1 Nb2 Cb0 Cb1"}, bonus={"nobles": [RED]})
    assert scored(game.play("Cb2")) == [("M23", RED, 2), ("M25", RED, 20)]


def test_m13_no_lozenge_left_no_bonus() -> None:
    """The 30th lozenge completes the four materials: there is none for the bonus cell."""
    game = stage(None, {RED: f"{HARBOR} {GOBLETS} {CARAFES} W0 W7 W1 W2"}, seat=RED, display=["lime1"],
                 phase="extra")  # fmt: skip
    game.play("lime1")
    assert game.view()["reserve"][RED] == 1
    entry = game.play("W3")
    assert [clause for clause, _, _ in scored(entry)] == ["M15"]
    assert game.view()["reserve"][RED] == 0 and game.view()["bonus"]["workshops"] == []


# ------------------------------------------------------------------ workshops


def test_m14_any_free_cell_with_the_symbol() -> None:
    assert cells(stage("quartz1", {GREEN: "W9"})) == ["W7", "W12", "W14", "W17", "W20", "W23"]
    game = stage("quartz1", {GREEN: "W9"})
    refused(game, "W9", "cell-taken", "M14")
    refused(game, "W0", "wrong-card", "M14")
    refused(game, "R0", "wrong-card", "M14")


def test_m15_neighbors_are_symmetric_and_near() -> None:
    places = [(row, x) for row, line in enumerate(box.WORKSHOP_X) for x in line]
    assert len(places) == len(box.NEIGHBORS) == 30
    for cell, neighbors in enumerate(box.NEIGHBORS):
        assert list(neighbors) == sorted(neighbors)
        for other in neighbors:
            assert cell in box.NEIGHBORS[other]
            (row, x), (other_row, other_x) = places[cell], places[other]
            assert (abs(row - other_row), abs(x - other_x)) in ((0, 2), (1, 1))
        near = [i for i, (row, x) in enumerate(places)
                if (abs(row - places[cell][0]), abs(x - places[cell][1])) in ((0, 2), (1, 1))]  # fmt: skip
        assert list(neighbors) == near


def test_m15_a_group_of_three_scores_3() -> None:
    game = stage("lime1", {BLUE: "W9 W1", RED: "W12"}, seat=BLUE)
    assert scored(game.play("W8")) == [("M15", BLUE, 3)]


def test_m15_a_group_of_four_whose_new_cell_is_pigment_scores_8() -> None:
    game = stage("pigment1", {BLUE: "W9 W1 W10"}, seat=BLUE)
    assert scored(game.play("W2")) == [("M15", BLUE, 8)]


def test_m15_only_connected_own_lozenges_count() -> None:
    game = stage("pigment1", {RED: "W6 W1 W20", GREEN: "W14 W18 W12"})
    assert scored(game.play("W13")) == [("M15", RED, 6)]
    assert scored(stage("pigment1", {GREEN: "W1 W7 W8"}).play("W0")) == [("M15", RED, 2)]


def test_m15_all_thirty_in_one_group_are_reached() -> None:
    s = blank(rules.STATE)
    s.own[0, 2] = (1 << 30) - 1
    for cell, name in enumerate(CELL_NAMES[:30]):
        worth = 2 if "PQAL"[box.WORKSHOP_TYPES[cell]] == "P" else 1
        assert rules.workshop_points(s, 2, cell) == 30 * worth, name


def test_m16_bonus_for_all_four_materials() -> None:
    game = stage("lime1", {RED: "W0 W6 W14"})
    assert scored(game.play("W18")) == [("M15", RED, 1), ("M16", RED, 20)]
    assert scored(stage("lime1", {RED: "W0 W6 W25"}).play("W18"))[-1][0] == "M15"


def test_m17_ten_disjoint_triples_of_neighbors() -> None:
    assert sorted(cell for triple in box.TRIPLES for cell in triple) == list(range(30))
    for a, b, c in box.TRIPLES:
        assert b in box.NEIGHBORS[a] and c in box.NEIGHBORS[a] and c in box.NEIGHBORS[b]


@pytest.mark.parametrize("triple", box.TRIPLES)
def test_m17_extra_card_for_the_last_cell_of_a_triple_whoever_filled_the_others(
    triple: tuple[int, ...],
) -> None:
    for last in triple:
        first, second = (cell for cell in triple if cell != last)
        kind = box.TYPES[box.WORKSHOP_TYPES[last]]
        both = stage(f"{kind}1", {GREEN: f"W{first}", BLUE: f"W{second}"})
        assert extra_card(both.play(f"W{last}")) == "M17"
        assert extra_card(stage(f"{kind}1", {GREEN: f"W{first}"}).play(f"W{last}")) is None


# ------------------------------------------------------------------ residences


def test_m17_the_view_shows_which_symbols_can_still_earn_a_card() -> None:
    game = stage("lime1", {RED: "W0 W7", BLUE: "W6 W13 W14"})
    assert [place for place, left in enumerate(game.view()["symbols"]) if not left] == [4]
    game.play("W8")
    assert [place for place, left in enumerate(game.view()["symbols"]) if not left] == [0, 4]


def test_m18_the_next_free_cell_and_no_other() -> None:
    game = stage("residence1", {GREEN: "R0 R1", RED: "R2"})
    assert cells(game) == ["R3"]
    refused(game, "R4", "not-next", "M18")
    refused(game, "R1", "cell-taken", "M18")


def test_m18_the_view_shows_the_next_free_cell() -> None:
    assert stage("lime1").view()["next_residence"] == "R0"
    assert stage("lime1", {RED: "R0 R2", BLUE: "R1"}).view()["next_residence"] == "R3"
    whole_row = {seat: " ".join(f"R{cell}" for cell in range(seat, 20, 4)) for seat in range(4)}
    assert stage("lime1", whole_row).view()["next_residence"] is None


def test_m18_a_full_row_leaves_only_sailing() -> None:
    """All 20 residence cards were played, so no residence card meets a full row: no cell is open."""
    s = blank(rules.STATE)
    s.own[box.RESIDENCES, 1] = (1 << 20) - 1
    assert rules.open_cells(s, box.RESIDENCE) == 0


def test_m18_the_numbers_of_the_row() -> None:
    assert Counter(box.RESIDENCE_NUMBERS.tolist()) == {1: 3, 2: 3, 3: 4, 4: 4, 5: 4, 10: 2}
    assert box.RESIDENCE_NUMBERS.tolist()[:5] == [2, 4, 3, 5, 1]


def test_m19_new_cell_5_after_own_4_and_3_scores_12() -> None:
    game = stage("residence1", {GREEN: "R0", YELLOW: "R1 R2"}, seat=YELLOW)
    assert scored(game.play("R3"))[0] == ("M19", YELLOW, 12)


def test_m19_another_lozenge_breaks_the_run() -> None:
    game = stage("residence1", {RED: "R0 R1", GREEN: "R2"})
    assert scored(game.play("R3")) == [("M19", RED, 5)]


def test_m20_bonus_for_four_different_numbers() -> None:
    """4, 3, 5 and 1."""
    game = stage("residence1", {GREEN: "R0", YELLOW: "R1 R2 R3"}, seat=YELLOW)
    entry = game.play("R4")
    assert scored(entry) == [("M19", YELLOW, 13), ("M20", YELLOW, 20)]
    assert extra_card(entry) is None


def test_m21_extra_card_for_three_numbers() -> None:
    """4, 3 and 1."""
    game = stage("residence1", {GREEN: "R0 R3", YELLOW: "R1 R2"}, seat=YELLOW)
    assert extra_card(game.play("R4")) == "M21"


def test_m21_again_with_five_and_each_once() -> None:
    owner = {YELLOW: "R1 R2 R3 R4", GREEN: "R0"}
    five = stage("residence1", owner | {GREEN: "R0 R5"}, seat=YELLOW, bonus={"residences": [YELLOW]})
    assert extra_card(five.play("R6")) == "M21"
    fourth_again = stage("residence1", owner, seat=YELLOW, bonus={"residences": [YELLOW]})
    assert extra_card(fourth_again.play("R5")) is None
    third_again = stage("residence1", {YELLOW: "R1 R2 R4", GREEN: "R0 R3"}, seat=YELLOW)
    assert extra_card(third_again.play("R5")) is None


# ------------------------------------------------------------------ townspeople


def test_m22_any_symbol_of_the_pyramid_of_the_cards_color() -> None:
    assert cells(stage("coin1")) == ["Nb0", "Nb1", "Nb2", "Nb3", "Nb4"]
    assert cells(stage("crab1")) == ["Cb0", "Cb1", "Cb2", "Cb3", "Cb4"]


def test_m18_m22_m31_a_refusal_names_the_cells_that_come_first() -> None:
    assert why_not(stage("residence1", {GREEN: "R0 R1", RED: "R2"}), "R7")["first"] == ["R3"]
    pyramid = stage("lion1", {GREEN: "Nb0 Nb1 Nb2 Nm0", RED: "Nb4"})
    assert why_not(pyramid, "Nm2")["first"] == ["Nb3"]
    assert why_not(pyramid, "Nt1")["first"] == ["Nm1", "Nm2"]
    assert why_not(stage("harbor4", {GREEN: "H10"}), "H12")["first"] == ["H11"]


def test_m22_a_cell_above_needs_both_cells_below() -> None:
    game = stage("lion1", {GREEN: "Nb0 Nb1 Nb2 Nm0", RED: "Nb4"})
    assert cells(game) == ["Nb3", "Nm1"]
    refused(game, "Nm2", "not-supported", "M22")
    refused(game, "Nt0", "not-supported", "M22")
    refused(game, "Cb0", "wrong-card", "M22")
    refused(game, "Nb0", "cell-taken", "M22")
    assert cells(stage("lion1", {GREEN: "Nb0 Nb1 Nb2 Nm0 Nm1"})) == ["Nb3", "Nb4", "Nt0"]


def test_m22_the_symbols_of_the_pyramids() -> None:
    for pyramid, symbols in (("N", NOBLE), ("C", COMMONER)):
        shown = Counter(
            box.TYPES[box.CELL_TYPE[CELL_NUMBERS[name]]] for name in CELL_NAMES if name[0] == pyramid
        )
        assert shown == dict.fromkeys(symbols, 4)


@pytest.mark.parametrize(
    ("card", "cell", "points"),
    [("coin1", "Nb1", 2), ("coin1", "Nb0", 1), ("lion1", "Nm0", 6), ("coin1", "Nm0", 3), ("coin1", "Nt0", 12),
     ("cross1", "Nt0", 6)],
)  # fmt: skip
def test_m23_points_by_level_doubled_on_the_cards_symbol(card: str, cell: str, points: int) -> None:
    needed = {"b": "", "m": "Nb0 Nb1", "t": "Nb0 Nb1 Nb2 Nm0 Nm1"}[cell[1]]
    game = stage(card, {GREEN: needed})
    assert scored(game.play(cell))[0] == ("M23", RED, points)


def test_m24_the_rulebooks_triangle() -> None:
    """A coin card on a top coin: 12; 4 to red and green (middle and bottom), 1 to yellow, nothing to blue."""
    lozenges = {RED: "Nm1 Nb0", GREEN: "Nm0 Nb2", YELLOW: "Nb1", BLUE: "Nb3"}
    entry = stage("coin2", lozenges).play("Nt0")
    assert scored(entry) == [("M23", RED, 12), ("M24", RED, 4), ("M24", GREEN, 4), ("M24", YELLOW, 1)]


def test_m24_a_middle_cell_crowns_two_bottom_cells_and_is_not_counted_again() -> None:
    entry = stage("lion1", {RED: "Cb2 Nb3", GREEN: "Nb4"}).play("Nm3")
    assert scored(entry) == [("M23", RED, 6), ("M24", RED, 1), ("M24", GREEN, 1)]


def test_m25_bonus_for_the_three_symbols_of_a_pyramid() -> None:
    game = stage("cross1", {RED: "Nb1 Nb2"})
    assert scored(game.play("Nb3")) == [("M23", RED, 2), ("M25", RED, 20)]


def test_m26_extra_card_for_a_top_cell() -> None:
    lozenges = {GREEN: "Cb0 Cb1 Cb2 Cm0 Cm1"}
    assert extra_card(stage("fish1", lozenges).play("Ct0")) == "M26"
    assert extra_card(stage("fish1", lozenges).play("Cb3")) is None


# ------------------------------------------------------------------ trade


def test_m27_any_free_cell_of_the_good() -> None:
    game = stage("carafe1", {GREEN: "Tcarafe2"})
    assert cells(game) == ["Tcarafe0", "Tcarafe1", "Tcarafe3", "Tcarafe4"]
    refused(game, "Tcarafe2", "cell-taken", "M27")
    refused(game, "Tswan1", "wrong-card", "M27")


def test_m28_third_carafe_red_owns_two_yellow_one() -> None:
    game = stage("carafe1", {RED: "Tcarafe0 Tswan0", YELLOW: "Tcarafe3", BLUE: "Tswan1"})
    assert scored(game.play("Tcarafe1")) == [("M28", RED, 6), ("M28", YELLOW, 3)]


def test_m29_bonus_for_all_four_goods_the_second_is_15() -> None:
    goods = {RED: "Tgoblet0 Tcarafe0 Tearrings0", YELLOW: "Tgoblet1 Tcarafe1 Tearrings1 Tswan1"}
    game = stage("swan1", goods, bonus={"trade": [YELLOW]})
    assert scored(game.play("Tswan4")) == [("M28", RED, 2), ("M28", YELLOW, 2), ("M29", RED, 15)]


def test_m30_extra_card_if_an_opponent_has_more() -> None:
    """Red's first swan where blue owns two."""
    assert extra_card(stage("swan1", {BLUE: "Tswan0 Tswan1"}).play("Tswan2")) == "M30"
    assert extra_card(stage("swan1", {BLUE: "Tswan0"}).play("Tswan2")) is None, "equal is not more"


# ------------------------------------------------------------------ harbor and sea


def test_m31_any_row_its_first_free_ship_with_or_without_sailing() -> None:
    game = stage("harbor4", {GREEN: "H10 H30 H31 H32"})
    expected = [f"{cell}{sign}" for cell in ("H00", "H11", "H20", "H40") for sign in ("+", "")]
    assert [str(action) for action in game.legal()] == [*expected, "sail"]
    game.play("H11+")
    assert game.view()["ships"][RED] == 4 and game.view()["board"]["H11"] == RED
    stays = stage("harbor4")
    stays.play("H00")
    assert stays.view()["ships"][RED] == 0 and stays.view()["board"] == {"H00": RED}


def test_m31_refusals() -> None:
    game = stage("harbor4", {GREEN: "H10"})
    refused(game, "H12", "not-leftmost", "M31")
    refused(game, "H10+", "cell-taken", "M31")
    refused(game, "W0", "wrong-card", "M31")


def test_m32_third_ship_with_three_goods_green_12_red_6() -> None:
    lozenges = {GREEN: "H20 Tgoblet2", RED: "H21 Tswan2", BLUE: "Tcarafe2 Tearrings1"}
    entry = stage("harbor1", lozenges, seat=GREEN).play("H22")
    assert scored(entry) == [("M32", RED, 6), ("M32", GREEN, 12)]


@pytest.mark.parametrize(("goods", "points"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10)])
def test_m32_points_by_the_goods_in_the_row(goods: int, points: int) -> None:
    kinds = ("goblet", "carafe", "earrings", "swan")
    lozenges = {GREEN: " ".join(f"T{kind}3" for kind in kinds[:goods]) + " Tgoblet0", BLUE: "H30 H31"}
    entry = stage("harbor1", lozenges, bonus={"trade": [GREEN]} if goods == 4 else {}).play("H32")
    assert scored(entry) == ([("M32", RED, points), ("M32", BLUE, 2 * points)] if points else [])


def test_m32_a_row_that_left_does_not_score_again() -> None:
    game = stage("swan1", {BLUE: "H30 H31 H32 Tgoblet3"})
    assert scored(game.play("Tswan3")) == [("M28", RED, 1)]


def test_m32_the_view_shows_what_each_fleet_would_earn_until_it_has_left() -> None:
    game = stage("harbor1", {GREEN: "Tgoblet3 Tgoblet0 Tswan3", BLUE: "H30 H31 H00"})
    assert game.view()["fleets"] == [1, 0, 0, 3, 0]
    game.play("H32")
    assert game.view()["fleets"] == [1, 0, 0, None, 0]


def test_m33_place_fleet_ship_points_extra_card() -> None:
    game = stage("harbor2", {RED: "H20 H21", BLUE: "Tswan2"}, ships=[4, 0, 0, 0])
    entry = game.play("H22+")
    assert [event.clause for event in entry.events] == ["M31", "M32", "M34"]
    assert [event.key for event in entry.events] == ["place-and-sail", "points", "points"]
    other = stage("harbor3", {RED: "H20 H21", BLUE: "Tswan2"}, ships=[4, 0, 0, 0]).play("H22+")
    assert [event.key for event in other.events] == ["place-and-sail", "points", "extra-card"]


POINTS = [0, 1, 1, 1, 3, 1, 10, 0, 1, 5, 1, 1, 10, 10, 1, 5, 0, 1, 1, 1, 10]


@pytest.mark.parametrize("space", range(1, 21))
def test_m34_only_the_space_where_the_ship_stops_counts(space: int) -> None:
    wheel = 2 if space >= 2 else 1
    entry = stage(f"lion{wheel}", ships=[space - wheel, 0, 0, 0]).play("sail")
    clause = "M35" if space == 20 else "M34"
    assert scored(entry) == ([(clause, RED, POINTS[space])] if POINTS[space] else [])
    assert extra_card(entry) == (clause if space in (7, 16, 20) else None)


def test_m34_stopping_on_a_5_gives_5_and_a_townspeople_card_sails_onto_a_10() -> None:
    assert scored(stage("swan4", ships=[5, 0, 0, 0]).play("sail")) == [("M34", RED, 5)]
    assert scored(stage("fish3", seat=BLUE, ships=[0, 0, 0, 3]).play("sail")) == [("M34", BLUE, 10)]


def test_m34_the_view_shows_the_points_of_the_spaces() -> None:
    printed = stage("lime1").view()["printed"]
    assert printed["sea"] == POINTS and printed["sea_extra_cards"] == [7, 16, 20]
    assert printed["bonus"] == [20, 15, 10, 5] and printed["levels"] == [1, 3, 6]


def test_m35_the_view_shows_where_the_card_in_play_would_take_the_ship() -> None:
    game = stage("lion3", ships=[2, 9, 9, 9])
    assert game.view(RED)["sails_to"] == 5
    assert game.view(GREEN)["sails_to"] is None, "M42: the card is not seen yet"
    assert stage("lion3", ships=[18, 0, 0, 0]).view(RED)["sails_to"] == 20
    taking = stage(None, phase="extra", display=["swan5"])
    taking.play("swan5")
    assert [taking.view(seat)["sails_to"] for seat in (RED, GREEN, None)] == [12, 12, 12], "M38: all see it"


def test_m35_the_ship_stops_on_20_surplus_is_lost() -> None:
    game = stage("swan5", ships=[18, 0, 0, 0])
    entry = game.play("sail")
    assert scored(entry) == [("M35", RED, 10)] and extra_card(entry) == "M35"
    assert game.view()["ships"][RED] == 20


def test_m35_on_20_a_harbor_card_is_placed_without_sailing() -> None:
    game = stage("harbor5", ships=[20, 0, 0, 0])
    assert [str(action) for action in game.legal()] == [*(f"H{row}0" for row in range(5)), "sail"]
    refused(game, "H00+", "ship-at-end", "M35")


def test_m36_a_ship_on_20_earns_nothing_more() -> None:
    game = stage("harbor5", ships=[20, 0, 0, 0])
    entry = game.play("H00")
    assert scored(entry) == [] and extra_card(entry) is None and game.view()["ships"][RED] == 20


def test_m37_ships_share_spaces() -> None:
    game = stage("lion3", ships=[3, 6, 6, 6])
    assert scored(game.play("sail")) == [("M34", RED, 10)]
    assert game.view()["ships"] == [6, 6, 6, 6]


# ------------------------------------------------------------------ extra cards


def top(display: list[str], **more: Any) -> laguna.Game:
    """Green earns an extra card on top of the nobles."""
    lozenges = {BLUE: "Nb0 Nb1 Nb2 Nm0 Nm1", **more.pop("lozenges", {})}
    game = stage("coin1", lozenges, seat=GREEN, display=display, **more)
    game.play("Nt0")
    return game


def test_m38_each_different_card_of_the_display_or_none() -> None:
    game = top(["harbor2", "ash4", "harbor1", "ash2", "harbor2", "fish1"])
    assert [str(action) for action in game.legal()] == [
        "ash2",
        "ash4",
        "fish1",
        "harbor1",
        "harbor2",
        "decline",
    ]
    refused(game, "lion1", "not-in-display", "M38")
    refused(game, "Nb3", "extra-card-first", "M38")


def test_m38_a_declined_extra_card_is_lost() -> None:
    game = top(["ash2"])
    game.play("decline")
    assert game.seat == YELLOW and game.view()["phase"] == "play" and game.view()["display"] == ["ash2"]


def test_m38_a_card_that_is_taken_is_seen_by_all_and_must_be_played() -> None:
    game = top(["ash2", "ash2"])
    game.play("ash2")
    assert [game.view(seat)["card"] for seat in (None, 0, 1, 2, 3)] == ["ash2"] * 5
    assert game.view()["display"] == ["ash2"] and game.seat == GREEN
    assert {action.value["do"] for action in game.legal()} == {"place", "sail"}
    game.play("W1")
    assert game.view()["discards"][-2:] == ["coin1", "ash2"]


def test_m38_a_chain_of_four_until_the_display_is_empty() -> None:
    lozenges = {RED: "Tswan0 Tswan1 W4 W12", YELLOW: "Cb0 Cb1 Cb2 Cm0 Cm1"}
    game = top(["swan5", "lime2", "crab1", "goblet1"], lozenges=lozenges, ships=[0, 15, 0, 0])
    for card, action in (("swan5", "Tswan2"), ("lime2", "W5"), ("crab1", "Ct0")):
        game.play(card)
        assert extra_card(game.play(action)) and game.view()["phase"] == "extra"
    game.play("goblet1")
    entry = game.play("sail")
    assert game.view()["ships"][GREEN] == 16 and entry.events[-1].key == "no-extra-card"
    assert game.view()["display"] == [] and game.seat == YELLOW


def test_m38_an_empty_display_gives_none() -> None:
    game = top([])
    assert game.seat == YELLOW and game.log[-1].events[-1].clause == "M38"


def test_m38_points_then_bonus_then_extra_card() -> None:
    entry = stage("lime1", {RED: "W0 W7 W29"}).play("W8")
    assert [(event.clause, event.key) for event in entry.events[1:]] == [
        ("M15", "points"), ("M16", "bonus"), ("M17", "extra-card"),
    ]  # fmt: skip


# ------------------------------------------------------------------ the end

ALMOST = f"{HARBOR} {GOBLETS} {CARAFES}"  # 25 lozenges of one player, no bonus


def test_m39_the_last_supply_lozenge_begins_the_last_turns() -> None:
    game = stage("fish1", {YELLOW: f"{ALMOST} W0"}, seat=YELLOW)
    entry = game.play("Cb0")
    assert [event.key for event in entry.events if event.clause == "M39"] == ["last-lozenge"]
    assert game.view()["supply"][YELLOW] == 0 and not game.over
    one_more = stage("fish1", {YELLOW: ALMOST}, seat=YELLOW)
    assert not any(event.clause == "M39" for event in one_more.play("Cb0").events)


def test_m39_a_bonus_cell_may_take_the_last_supply_lozenge() -> None:
    game = stage("coin1", {BLUE: f"{HARBOR} {GOBLETS} W0 W2 W11 Nb0 Nb2"}, seat=BLUE)
    entry = game.play("Nb1")
    assert [event.clause for event in entry.events[1:4]] == ["M23", "M39", "M25"]
    view = game.view()
    assert (view["supply"][BLUE], view["reserve"][BLUE]) == (0, 3)


def test_m39_the_deck_end() -> None:
    game = stage("lion1", seat=BLUE, last_pick=True)
    assert [event.clause for event in game.play("sail").events][-2:] == ["M8", "M39"]


def test_m40_the_others_still_play_then_it_is_over_without_m8() -> None:
    """The round's Doge is yellow, so the order is yellow, blue, red, green."""
    game = stage("fish1", {BLUE: f"{ALMOST} W0"}, seat=BLUE)
    before = game.view()
    order = [(before["doge"] + step) % 4 for step in range(4)]
    game.play("Cb0")
    for seat in order[order.index(BLUE) + 1 :]:
        assert game.seat == seat and game.view()["phase"] == "play"
        game.play("sail")
        if game.view()["phase"] == "extra":
            game.play("decline")
    assert game.over and game.view()["reason"] == "lozenges"
    after = game.view()
    assert after["display"] == before["display"] and after["hand_sizes"] == before["hand_sizes"]
    assert after["doge"] == before["doge"] and game.legal() == []
    assert game.log[-1].events[-1].clause == "M40"


def test_m40_reserve_for_extra_cards_and_no_fourth() -> None:
    lozenges = {RED: f"{ALMOST} W4", BLUE: "Nb0 Nb1 Nb2 Nm0 Nm1 W0 W7 W6 W13 W15 W16"}
    game = stage("coin1", lozenges, display=["fish2", "lime1", "quartz1", "quartz2", "pigment1"])
    game.play("Nt0")
    for card, cell, left in (("lime1", "W8", 2), ("quartz1", "W14", 1), ("quartz2", "W23", 0)):
        game.play(card)
        game.play(cell)
        assert (game.view()["supply"][RED], game.view()["reserve"][RED]) == (0, left)
    game.play("pigment1")
    assert [str(action) for action in game.legal()] == ["sail"]
    refused(game, "W2", "no-lozenge", "M12")


def test_m40_supply_first_then_reserve_for_everyone_bonus_cells_too() -> None:
    """Green's last turn: the last supply lozenge on the swan, a reserve lozenge on the bonus cell."""
    goods = "Tearrings0 " + " ".join(f"Tgoblet{row} Tcarafe{row}" for row in range(2))
    others = "W0 W2 W11 W13 W15 W19 W22 W25 W28 R0 R1 R2 Cb0 Cb1 Cb3 Cb4 Nb0 Nb3 Nb1 Nb4 W7"
    red = f"{HARBOR} Tgoblet2 Tgoblet3 Tgoblet4 Tcarafe2 Tcarafe3 Tcarafe4 Tearrings1 W1 W4 W6 W10 W16"
    game = stage("swan1", {RED: red, GREEN: f"{goods} {others}"}, seat=GREEN)
    view = game.view()
    assert view["supply"][RED] == 0 and view["supply"][GREEN] == 1
    entry = game.play("Tswan0")
    assert ("M29", GREEN, 20) in scored(entry)
    assert (game.view()["supply"][GREEN], game.view()["reserve"][GREEN]) == (0, 2)


def test_m40_no_reserve_before_a_supply_is_empty() -> None:
    game = stage("fish1", {GREEN: ALMOST}, seat=GREEN)
    assert game.view()["usable"] == [27, 2, 27, 27]
    game = stage("fish1", {GREEN: f"{ALMOST} W0"}, seat=GREEN)
    game.play("Cb0")
    assert game.view()["usable"] == [30, 3, 30, 30]


def test_m40_open_draft_the_others_still_choose_a_card() -> None:
    for seed in range(200):
        game = laguna.new(ID, players=2, seed=seed, draft="open")
        for _ in lively_steps(game, random.Random(seed)):
            ended = 0 in game.view()["supply"]
            if ended and game.view()["phase"] == "keep":
                assert game.seat != game.view()["doge"]
                finish_pick(game)
                assert game.over and game.view()["reason"] == "lozenges"
                return
    raise AssertionError("no such game")


def test_m40_both_ends_together_count_as_an_end_by_lozenges() -> None:
    game = stage("fish1", {BLUE: f"{ALMOST} W0"}, seat=BLUE, last_pick=True)
    finish = game.view()["doge"]
    game.play("Cb0")
    finish_pick(game)
    view = game.view()
    assert game.over and view["reason"] == "lozenges" and view["deck_size"] == 0
    assert view["hand_sizes"] == [1, 1, 1, 1] and view["doge"] == finish


@pytest.mark.parametrize(
    ("points", "winners"),
    [([13, 19, 12, 14], [1]), ([19, 11, 12, 19], [0, 3]), ([10] * 4, [0, 1, 2, 3]), ([11, 12, 13, 40], [3])],
)
def test_m41_most_points_win_and_a_tie_is_shared(points: list[int], winners: list[int]) -> None:
    game = stage("lion1", seat=BLUE, last_pick=True, points=points, ships=[20] * 4)
    assert game.winners == []
    game.play("sail")
    assert game.scores == points and game.winners == winners


# ------------------------------------------------------------------ who knows what


def test_m42_hands_kept_cards_and_deck_are_secret() -> None:
    game = laguna.new(ID, seed=10)
    game.play(game.legal()[0])
    for seat in range(4):
        view = game.view(seat)
        assert view["hand"] == game.position()["hands"][seat]
        assert view["kept"] == game.position()["kept"][seat]
        assert not {"hands", "deck", "chance", "seed"} & set(view)
    spectator = game.view()
    assert spectator["hand"] is spectator["kept"] is spectator["card"] is spectator["remembered"] is None
    assert spectator["deciders"] == [1, 2, 3], "who has kept a card is public"


def test_m42_a_kept_card_is_secret_until_it_is_played() -> None:
    game = laguna.new(ID, seed=10)
    keep_all(game)
    card = game.position()["kept"][0]
    assert game.view(0)["card"] == card
    assert [game.view(seat)["card"] for seat in (None, 1, 2, 3)] == [None] * 4
    assert [entry["action"] for entry in game.log_for(1)[1:]] == [None, str(game.actions[1]), None, None]
    game.play("sail")
    assert game.view()["discards"] == [card] and card in game.log_for(1)[-1]["events"][0]["sentence"]


@pytest.mark.parametrize("draft", ["secret", "open"])
@pytest.mark.parametrize("players", PLAYERS)
def test_m42_a_seat_remembers_every_hand_it_had(players: int, draft: str) -> None:
    """Followed by hand: what a seat saw, minus what was played from it, is what the view remembers."""
    game = laguna.new(ID, players=players, seed=11, draft=draft)
    seen: list[dict[int, Counter[str]]] = [{} for _ in range(players)]  # of each seat: hand -> cards
    last = (0, 0)
    for _ in random_steps(game, seed=11):
        view = game.view()
        pick = view["pick"]
        if (view["round"], pick) != last and view["phase"] == "keep":
            if pick == 1:
                seen = [{} for _ in range(players)]
            last = (view["round"], pick)
            for seat in range(players):
                seen[seat][(seat - pick + 1) % players] = Counter(game.view(seat)["hand"])
        position = game.position()
        passed = 0 if game.view(0)["hand"] is not None else 1
        for seat, place in itertools.product(range(players), repeat=2):
            chooser = (place - passed) % players
            hand = (chooser - pick + 1) % players
            given = game.view(seat)["remembered"][place]
            assert (given is not None) == (hand in seen[seat])
            if given is not None:
                assert Counter(given) <= seen[seat][hand]
                hidden = [position["kept"][chooser]] if chooser != seat and position["kept"][chooser] else []
                assert Counter(given) == Counter(position["hands"][place]) + Counter(hidden)


def test_m42_at_pick_k_the_next_k_minus_1_hands_to_the_left_are_known() -> None:
    game = laguna.new(ID, seed=12)
    for _ in random_steps(game, seed=12):
        view = game.view(1)
        if view["phase"] == "keep" and view["round"] == 1:
            known = [(1 + away) % 4 for away in range(view["pick"])]
            assert [place for place in range(4) if view["remembered"][place] is not None] == sorted(known)


# ------------------------------------------------------------------ imagined worlds

DRAWS = 20 if JIT else 6  # for each world that is possible


def moment(players: int, round_number: int, pick: int, phase: str, seat: int, seed: int) -> laguna.Game:
    """A random game, up to where this seat is to move in this phase."""
    game = laguna.new(ID, players=players, seed=seed)
    for _ in random_steps(game, seed):
        view = game.view()
        if (view["round"], view["pick"], view["phase"], game.seat) == (round_number, pick, phase, seat):
            return game
    raise AssertionError("no such moment")


def dealt_again(game: laguna.Game, seat: int, seats: tuple[int, ...], draws: int) -> Counter[Any]:
    """How often each world comes: the kept card and the hand at these seats."""
    found: Counter[Any] = Counter()
    for seed in range(draws):
        state = copy_of(game.state)
        rules.redeal(state, seat, seed)
        hands, kept = state.hand.tolist(), state.kept.tolist()
        found[tuple((kept[each], tuple(hands[each])) for each in seats)] += 1
    return Counter({tuple(_named(*one) for one in world): count for world, count in found.items()})


def _named(kept: int, hand: tuple[int, ...]) -> tuple[str | None, tuple[str, ...]]:
    names = [CARD_NAMES[card] for card in hand if card]
    return CARD_NAMES[kept], tuple(sorted(name for name in names if name))


def assert_as_likely(found: Counter[Any], weights: Counter[Any]) -> None:
    """Only possible worlds, all of them, as often as their weights say (chi-square)."""
    assert set(found) == set(weights)
    draws, total = found.total(), weights.total()
    expected = {world: draws * weight / total for world, weight in weights.items()}
    chi_square = sum((found[world] - expected[world]) ** 2 / expected[world] for world in weights)
    freedom = max(len(weights) - 1, 1)
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5


def with_one_kept(hand: list[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Every way to keep one card of a hand."""
    return [(card, tuple(sorted(hand[:i] + hand[i + 1 :]))) for i, card in enumerate(hand)]


def test_m42_redeal_an_unseen_hand_with_its_kept_card() -> None:
    """Two players, last round: five cards are nowhere else, and the opponent has kept one of them."""
    game = moment(2, 10, 1, "keep", 0, seed=1)
    assert game.view()["doge"] == 1 and game.view()["deck_size"] == 0
    position = game.position()
    hidden = [*position["hands"][1], position["kept"][1]]
    weights = Counter((world,) for world in with_one_kept(hidden))
    assert_as_likely(dealt_again(game, 0, (1,), 100 * DRAWS), weights)


def test_m42_redeal_a_hand_that_was_seen_only_what_is_kept_is_unknown() -> None:
    """Two players, the second pick of the first round, with a full deck: the hand itself is known."""
    game = moment(2, 1, 2, "keep", 1, seed=2)
    position = game.position()
    seen = [*position["hands"][0], position["kept"][0]]
    assert sorted(game.view(1)["remembered"][0]) == sorted(seen) and len(seen) == 4
    weights = Counter((world,) for world in with_one_kept(seen))
    assert_as_likely(dealt_again(game, 1, (0,), 100 * DRAWS), weights)


def test_m42_redeal_in_the_play_phase_the_kept_card_is_hidden_until_it_is_played() -> None:
    """Hands were passed: the one from which seat 1 kept its card lies at seat 0, face down but known."""
    game = moment(2, 1, 2, "play", 0, seed=3)
    position = game.position()
    seen = [*position["hands"][0], position["kept"][1]]
    found: Counter[Any] = Counter()
    for seed in range(40 * DRAWS):
        dealt = game.imagine(0, seed).position()
        found[dealt["kept"][1], tuple(sorted(dealt["hands"][0]))] += 1
        assert dealt["kept"][0] == position["kept"][0] and dealt["hands"][1] == position["hands"][1]
    assert_as_likely(found, Counter(with_one_kept(seen)))


def test_m42_redeal_in_the_last_round_with_all_seen_nothing_is_left_to_deal() -> None:
    game = moment(2, 10, 2, "keep", 1, seed=4)
    for seed in range(20):
        assert game.imagine(1, seed).position() == game.position()


def test_m42_redeal_the_deck_and_unseen_hands_are_one_pool() -> None:
    """Every hidden card is as likely to be in the opponent's hand: 5 of 15, by chi-square."""
    game = moment(2, 9, 1, "keep", 0, seed=5)
    position = game.position()
    assert game.view()["doge"] == 0
    hidden = Counter(position["hands"][1]) + Counter(position["deck"])
    assert hidden.total() == 15
    draws = 40 * DRAWS
    held: Counter[str] = Counter()
    orders = set()
    for seed in range(draws):
        dealt = game.imagine(0, seed).position()
        assert Counter(dealt["hands"][1]) + Counter(dealt["deck"]) == hidden
        held.update(dealt["hands"][1])
        orders.add(tuple(dealt["deck"]))
    assert len(orders) > 0.9 * draws
    expected = {card: draws * 5 * count / 15 for card, count in hidden.items()}
    chi_square = sum((held[card] - expected[card]) ** 2 / expected[card] for card in hidden)
    assert chi_square < len(hidden) + 5 * (2 * len(hidden)) ** 0.5


def possible_worlds(game: laguna.Game, seat: int) -> Counter[Any]:
    """All that a seat considers possible at pick 2 of the last round of four players, with weights.

    Gone through from the deal, with every card a piece of its own: which cards were dealt to the left
    neighbor and across, which one each of them kept first, and which ones are kept now; each card of a hand
    equally likely to be kept. Only what agrees with the cards that were played is possible.
    """
    left, across, right = ((seat + away) % 4 for away in (1, 2, 3))
    position = game.position()
    keeps = [(entry.seat, str(entry.action)) for entry in game.log[1:]
             if entry.action and entry.action.value["do"] == "keep"]  # fmt: skip
    keepers = [each for each in (left, across, right) if position["kept"][each]]
    first_pick = dict(keeps[-4 - sum(card is not None for card in position["kept"]) :][:4])

    def held(each: int) -> list[str]:
        return [card for card in [*position["hands"][each], position["kept"][each]] if card]

    # The seat's own first hand is at its left now; the left neighbor's is across, that from across is right.
    unknown = [*held(across), first_pick[left], *held(right), first_pick[across]]
    worlds: Counter[Any] = Counter()
    for dealt in itertools.combinations(range(10), 5):
        to_left = [unknown[i] for i in dealt]
        to_across = [unknown[i] for i in range(10) if i not in dealt]
        for i, j in itertools.product(range(5), repeat=2):
            if (to_left[i], to_across[j]) != (first_pick[left], first_pick[across]):
                continue
            hands = {
                left: held(left),
                across: to_left[:i] + to_left[i + 1 :],
                right: to_across[:j] + to_across[j + 1 :],
            }
            ways = [with_one_kept(hands[each]) if each in keepers else [(None, tuple(sorted(hands[each])))]
                    for each in (left, across, right)]  # fmt: skip
            worlds.update(itertools.product(*ways))
    return worlds


@pytest.mark.parametrize("mover", [1, 2, 3] if JIT else [1])
def test_m42_redeal_is_exact_by_going_through_all_deals(mover: int) -> None:
    """Four players, last round, second pick; nobody, one or two of the others have kept a card."""
    game = moment(4, 5, 2, "keep", mover, seed=6)
    assert game.view()["doge"] == 0
    weights = possible_worlds(game, 0)
    assert len(weights) >= 40
    assert_as_likely(dealt_again(game, 0, (1, 2, 3), DRAWS * len(weights)), weights)


# ------------------------------------------------------------------ choices made at once


def test_m5_all_orders_of_seats_give_the_identical_record() -> None:
    start = laguna.new(ID, seed=13)
    choices = {seat: start.legal(seat)[seat % 2] for seat in range(4)}
    ends = set()
    for order in itertools.permutations(range(4)):
        game = start.copy()
        for number, seat in enumerate(order):
            assert game.deciders == sorted(order[number:])
            game.play(choices[seat], seat=seat)
        assert game.deciders == [0] and game.view()["phase"] == "play"
        ends.add((game.state_bytes(), game.dumps(), str(game.log)))
    assert len(ends) == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_m5_a_whole_game_with_choices_as_they_come(players: int) -> None:
    chance = random.Random(14)
    game, plain = (laguna.new(ID, players=players, seed=14) for _ in range(2))
    while not game.over:
        seat = chance.choice(game.deciders)
        game.play(chance.choice(game.legal(seat)), seat=seat)
    for action in game.actions:
        plain.play(action)
    assert plain.state_bytes() == game.state_bytes() and plain.dumps() == game.dumps()
    assert laguna.loads(game.dumps()).log == game.log


def test_m42_no_view_log_or_list_reveals_what_an_early_seat_kept() -> None:
    start = laguna.new(ID, seed=15)
    given = set()
    for choice in start.legal(2):
        game = start.copy()
        game.play(choice, seat=2)
        others = [game.view(seat) for seat in (None, 0, 1, 3)]
        logs = [game.log_for(seat) for seat in (None, 0, 1, 3)]
        lists = [[str(action) for action in game.legal(seat)] for seat in (0, 1, 3)]
        imagined = [game.imagine(seat, 1).state_bytes() for seat in (0, 1, 3)]
        given.add(str((others, logs, lists, imagined)))
        assert game.view(2)["chosen"] == choice.value and game.view(2)["legal"] == []
    assert len(given) == 1
    assert start.view(0)["deciders"] == [0, 1, 2, 3]


def test_m42_a_refusal_to_an_early_seat_says_nothing_about_other_hands() -> None:
    game = laguna.new(ID, seed=15)
    own = set(game.view(2)["hand"])
    others = {card for seat in (0, 1, 3) for card in game.view(seat)["hand"]} - own
    for action in (*sorted(others), "W0", "nonsense", {"do": "keep"}):
        with pytest.raises(laguna.IllegalAction) as error:
            game.play(action, seat=2)
        shown = str(error.value).replace(str(action), "") + str(error.value.arguments.get("legal", ""))
        assert not any(card in shown for card in others)
        assert "Yellow" in str(error.value) and game.deciders == [0, 1, 2, 3]


def test_m5_copies_keep_early_choices_imagined_games_only_ones_own_and_undo_drops_them() -> None:
    game = laguna.new(ID, seed=16)
    game.play(game.legal()[0])
    for seat in (2, 3):
        entry = game.play(game.legal(seat)[0], seat=seat)
        assert entry.number is None and len(game.log) == 2
    assert game.copy().deciders == [1]
    assert game.imagine(2, 0).deciders == [1, 3] and game.imagine(1, 0).deciders == [1, 2, 3]
    copied = game.copy()
    copied.play(copied.legal()[0])
    assert copied.view()["phase"] == "play" and game.deciders == [1]
    game.undo()
    assert game.deciders == [0, 1, 2, 3]


def test_m5_the_view_shows_who_has_kept_a_card_and_is_waiting() -> None:
    game = laguna.new(ID, players=3, seed=17)
    game.play(game.legal(2)[0], seat=2)
    assert [game.view(seat)["have_kept"] for seat in (None, 0, 2)] == [[2], [2], [2]]
    game.play(game.legal(0)[0], seat=0)
    assert game.view(1)["have_kept"] == [0, 2]
    game.play(game.legal(1)[0], seat=1)
    assert game.view()["phase"] == "play" and game.view()["have_kept"] == []
    assert laguna.new(ID, players=3, seed=17, draft="open").view()["have_kept"] == []


def test_m5_only_seats_that_choose_at_once_may_be_early() -> None:
    game = laguna.new(ID, seed=17)
    keep_all(game)
    with pytest.raises(laguna.IllegalAction, match="It is Red's turn"):
        game.play("sail", seat=1)
    with pytest.raises(laguna.BadOption, match="There is no seat 9; the seats are 0, 1, 2 or 3"):
        game.play("sail", seat=9)


# ------------------------------------------------------------------ scores told, previews, whole games


def test_m43_every_point_is_logged_with_seat_and_clause() -> None:
    clauses = {"M15", "M16", "M19", "M20", "M23", "M24", "M25", "M28", "M29", "M32", "M34", "M35"}
    seen = set()
    for seed in range(6 if JIT else 2):
        game = laguna.new(ID, seed=seed)
        for _ in lively_steps(game, random.Random(seed)):
            given = scored(game.log[-1])
            seen |= {clause for clause, _, _ in given}
            assert all(points > 0 for _, _, points in given)
            assert len({(clause, seat) for clause, seat, _ in given}) == len(given)
            for _, same in itertools.groupby(given, key=lambda event: event[0]):
                seats = [seat for _, seat, _ in same]
                assert seats == sorted(seats)
        total = Counter[int]()
        for entry in game.log:
            for _, seat, points in scored(entry):
                total[seat] += points
        assert [total[seat] for seat in range(4)] == game.scores
    assert seen <= clauses and (len(seen) > 9 or not JIT)


def test_m43_the_sentence_of_the_log() -> None:
    lozenges = {RED: "Nm1 Nb0", GREEN: "Nm0 Nb2", YELLOW: "Nb1", BLUE: "Nb3"}
    sentences = [event.sentence for event in stage("coin2", lozenges).play("Nt0").events]
    assert sentences[0] == "Red places coin2 on Nt0."
    assert "4 to Green for the triangle below Nt0." in sentences


def test_m43_previews_say_what_every_placement_scores_for_everybody() -> None:
    game = stage("coin2", {RED: "Nm1 Nb0", GREEN: "Nm0 Nb2", YELLOW: "Nb1", BLUE: "Nb3 W0"})
    before = game.state_bytes()
    for action in game.legal():
        assert game.preview(action).events == list(game.copy().play(action).events)
    assert game.state_bytes() == before
    clauses = [event.clause for event in game.preview("Nt0").events]
    assert clauses == ["M10", "M23", "M24", "M24", "M24", "M26"]
    bonus = stage("lime1", {RED: "W0 W7 W29"}).preview("W8").events
    assert [event.key for event in bonus] == ["place", "points", "bonus", "extra-card"]


@pytest.mark.parametrize("judge", [evaluation.evaluate, evaluation.glance], ids=["evaluate", "glance"])
def test_the_evaluation_knows_points_bonuses_and_groups(judge: Callable[[Any, int], float]) -> None:
    def worth(game: laguna.Game, seat: int = RED) -> float:
        return float(judge(game.state, seat))

    at_sea = [6] * 4  # 10 to 17 points
    even = worth(stage("lime1", ships=at_sea, points=[10] * 4))
    assert worth(stage("lime1", ships=at_sea, points=[17, 10, 10, 10])) > even
    assert worth(stage("lime1", ships=at_sea, points=[10, 17, 10, 10])) < even
    assert worth(stage("lime1", {RED: "W0 W7"})) > worth(stage("lime1", {RED: "W0 W2"})), "two materials"
    assert worth(stage("lime1", {RED: "W0 W7"})) > worth(stage("lime1", {RED: "W0 W14"})), "side by side"
    last, first = stage("lime1", {GREEN: "R0", RED: "R1"}), stage("lime1", {RED: "R0", GREEN: "R1"})
    assert worth(last) > worth(first), "only the last residence can be built on"
    row = [f"R{cell}" for cell in range(len(box.RESIDENCE_NUMBERS))]
    assert evaluation.last_run(stage("lime1", {RED: " ".join(row[:-1])}).state, RED) > 0
    assert evaluation.last_run(stage("lime1", {RED: " ".join(row)}).state, RED) == 0, (
        "nothing is left to build"
    )


def test_a_glance_knows_what_a_card_can_do() -> None:
    used_up = f"{HARBOR} {GOBLETS} {CARAFES} W0 W2 W11 W13 W15"
    game = stage(None, {RED: used_up}, display=["pigment4", "lion2"], phase="extra", ships=[16, 0, 0, 0])
    declined = float(evaluation.glance(game.state, RED))
    game.play("pigment4")
    after = float(evaluation.glance(game.state, RED))
    assert after == declined - evaluation.EXTRA_CARD + evaluation.CARD * 10, "it can only sail onto the 10"


def promises(game: laguna.Game, seat: int = RED) -> dict[str, float]:
    """What the evaluation counts in a position, by name."""
    found = np.zeros(evaluation.PROMISES)
    evaluation.count_promises(game.state, seat, found)
    names = [
        name
        for name, value in vars(evaluation).items()
        if type(value) is int and 13 <= value < evaluation.PROMISES
    ]
    return {name: float(found[getattr(evaluation, name)]) for name in names if name.isupper()}


def test_what_the_evaluation_counts_on_the_board() -> None:
    found = promises(
        stage("lime1", {RED: "W0 W7 W8 W29 R0 R1 Tcarafe0 Tcarafe1 Nb0 Nb1 H00", GREEN: "Tcarafe2 Nm0"})
    )
    assert found["OWN_WORKSHOPS"] == 4 and found["LARGEST_GROUP"] == 3
    assert found["GROUP_EDGE"] == 4, "W1, W9, W15, W16"
    assert found["THIRD_NUMBER"] == 1 and found["FIFTH_NUMBER"] == 0, "M21: 2 and 4"
    assert found["LAST_RUN"] == 6
    assert found["GOODS_TO_COME"] == 2 * (4 + 5), "M28: the fourth and the fifth carafe"
    assert found["WAITING_SHIPS"] == 1 and found["FLEET_NOW"] == 1, "M32: one good beside it"
    assert found["TRIANGLES"] == 2 + 1 + 1, "M24: Nt0 for Nb0 and Nb1; Nm1 and Nt1 for Nb1"
    assert found["EXTRA_CHOICE"] == found["EXTRA_TAKEN"] == 0


def test_what_the_evaluation_counts_of_cards() -> None:
    game = stage(None, {}, display=["residence1"], phase="extra")
    assert promises(game)["EXTRA_CHOICE"] == 1 and promises(game, GREEN)["EXTRA_CHOICE"] == 0
    game.play("residence1")
    assert promises(game)["EXTRA_TAKEN"] == 2, "M19: the first residence"
    game = laguna.new("mille-fiori", players=2, seed=3)
    mine, yours = (
        max(float(evaluation.card_in_sight(game.state, seat, card)) for card in game.state.hand[hand])
        for seat, hand in ((0, 0), (1, 1))
    )
    assert (promises(game, 0)["NEXT_HAND"], promises(game, 1)["NEXT_HAND"]) == (mine, yours)
    game.play(game.legal()[0])
    left = [card for card in game.state.hand[1] if card]
    assert promises(game, 0)["KEPT_CARD"] > 0
    assert promises(game, 0)["NEXT_HAND"] == max(
        evaluation.card_in_sight(game.state, 0, card) for card in left
    )


def test_m39_the_time_left_ends_with_cards_or_lozenges() -> None:
    game = laguna.new("mille-fiori", players=2, seed=3)
    left = [float(evaluation.time_left(game.state, 0))]
    while not game.over:
        game.play(game.legal()[0])
        left.append(float(evaluation.time_left(game.state, 0)))
    assert left == sorted(left, reverse=True) and 0.8 < left[0] <= 1 and 0 <= left[-1] < 0.1


@pytest.mark.parametrize("draft", ["secret", "open"])
@pytest.mark.parametrize("players", PLAYERS)
def test_lively_games_agree_with_the_referee_and_run_out_of_lozenges(players: int, draft: str) -> None:
    chance = random.Random(f"{players} {draft}")
    ends: Counter[str] = Counter()
    for seed in range(25 if JIT else 3):
        game, match = (
            laguna.new(ID, players=players, seed=seed, draft=draft),
            referee(seed, players, draft=draft),
        )
        for action in lively_steps(game, chance):
            assert [each.value for each in game.legal()] == match.legal() and match.seat == game.seat
            agrees(match, game)
            match.play(action.value)
        agrees(match, game)
        assert game.winners == match.winners()
        ends[game.view()["reason"]] += 1
    assert ends["lozenges"] > 0 or not JIT


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m8_m38_the_cards_of_the_display_are_counted(players: int) -> None:
    """Their number decides whether an extra card can be taken."""
    game = laguna.new(ID, players=players, seed=players)
    for _ in random_steps(game, players):
        assert int(game.state.display_size) == len(game.view()["display"])
    assert game.view()["display"]


# ------------------------------------------------------------------ what cards would bring


def brought(game: laguna.Game) -> dict[str, int]:
    """The points that each way to play the card would bring."""
    found = {}
    for action in game.legal():
        after = game.copy()
        after.play(action)
        found[str(action)] = after.scores[game.seat or 0] - game.scores[game.seat or 0]
    return found


@pytest.mark.parametrize("seed", range(3))
def test_m10_the_view_shows_what_each_card_to_choose_would_bring_now(seed: int) -> None:
    game, chance, phases = laguna.new(ID, seed=seed, draft="open"), random.Random(seed), set()
    while not game.over:
        view = game.view(game.seat)
        phases.add(view["phase"])
        for prospect in view["prospects"]:
            playing = game.copy()
            if view["phase"] != "play":
                playing.play(prospect["card"])
            ways = brought(playing)
            sailing = ways.pop("sail")
            on_cells: dict[str, int] = {}
            for way, points in ways.items():
                on_cells[way.rstrip("+")] = max(points, on_cells.get(way.rstrip("+"), 0))
            assert prospect["cells"] == on_cells and prospect["sailing"] == sailing
            assert prospect["most"] == max(sailing, *on_cells.values(), 0)
        game.play(chance.choice(game.legal()))
    assert phases == {"keep", "play", "extra"}


def test_m42_prospects_are_only_of_cards_that_the_seat_itself_chooses_from() -> None:
    game = laguna.new(ID, seed=2, players=3)
    for seat in range(3):
        view = game.view(seat)
        assert {each["card"] for each in view["prospects"]} == set(view["hand"])
    keep_all(game)
    shown = [game.view(seat) for seat in (0, 1, 2, None)]
    assert [[each["card"] for each in view["prospects"]] for view in shown] == [
        [shown[0]["card"]],
        [],
        [],
        [],
    ]
