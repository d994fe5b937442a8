"""Atlantis: what a network is told about a position."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.games.atlantis import inputs, rules
from laguna.games.atlantis.components import ITEM_SHIFT, ITEMS, MAINLAND, VALUE_OF
from laguna.games.atlantis.names import NAMES
from laguna.kernel.records import copy_of, from_bytes
from tests.every import random_steps, told_to
from tests.games.test_atlantis import stage

PATH = "3:lyre5 4:olive2 5:coins6 6:lyre1 7:olive7 9:coins3 10:lyre4"


def told(s: Any, seat: int) -> tuple[list[int], list[int]]:
    """The rows and the counts for a seat."""
    return told_to(inputs, s, seat)


def told_of(game: laguna.Game, seat: int = 0) -> tuple[list[int], list[int]]:
    return told(from_bytes(rules.STATE, game.state_bytes()), seat)


def positions(players: int, seeds: range) -> Any:
    """Every position of some random games, with its end."""
    for seed in seeds:
        game = laguna.new("atlantis", players=players, seed=seed)
        for _ in random_steps(game, seed):
            yield from_bytes(rules.STATE, game.state_bytes())
        yield from_bytes(rules.STATE, game.state_bytes())


def changed(before: list[int], after: list[int]) -> set[int]:
    return {slot for slot, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}


# ------------------------------------------------------------------ everywhere


def test_slots_of_one_kind_have_rows_of_that_kind() -> None:
    kinds = [
        (inputs.TURN_SLOT, 1, "turn"),
        (inputs.DUE_SLOT, 1, "due"),
        (inputs.PILE_SLOT, 1, "pile"),
        (inputs.BEST_SLOT, 1, "best"),
        (inputs.SEAT_SLOT, 4, "seat"),
        (inputs.LEAD_SLOT, 3, "lead"),
        (inputs.CARDS_SLOT, ITEMS, "cards"),
        (inputs.PAWN_SLOT, 12, "pawn"),
        (inputs.WAY_HOME_SLOT, 12, "way_home"),
        (inputs.CHANCE_SLOT, 9, "chance"),
        (inputs.WAY_SLOT, 3 * ITEMS, "way"),
        (inputs.PLACE_SLOT, MAINLAND, "space"),
    ]
    assert sum(number for _, number, _ in kinds) == inputs.SLOTS
    assert inputs.ROWS <= 3500
    for s in positions(4, range(3)):
        rows, _ = told(s, 1)
        for first, number, kind in kinds:
            low = inputs._FIRSTS[kind]
            for row in rows[first : first + number]:
                assert row == 0 or low <= row < low + inputs._SIZES[kind], kind


# ------------------------------------------------------------------ symmetries


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_are_relative(players: int) -> None:
    by_seat = ["own", "hand_size", "purse", "losses", "pawns", "bridges", "hand", "known", "worth"]
    for s in positions(players, range(2)):
        other = copy_of(s)
        for name in by_seat:
            other[name][:players] = np.roll(s[name][:players], 1, axis=0)
        other.turn = (s.turn + 1) % players
        for seat in range(players):
            assert told(other, (seat + 1) % players) == told(s, seat)


def test_items_are_interchangeable() -> None:
    new_item = np.array([3, 5, 0, 6, 1, 2, 4])
    for s in positions(3, range(2)):
        other = copy_of(s)
        for name in ("top", "below"):
            tiles = s[name].astype(int)
            other[name][:] = np.where(tiles > 0, new_item[tiles >> ITEM_SHIFT] * 8 + (tiles & VALUE_OF), 0)
        other.shows[new_item] = s.shows
        for name in ("hand", "known"):
            other[name][:, new_item] = s[name]
        rows, counts = told(s, 1)
        other_rows, other_counts = told(other, 1)
        assert other_counts == counts and Counter(other_rows) == Counter(rows)
        by_item = range(inputs.WAY_SLOT, inputs.PLACE_SLOT)
        by_item_too = range(inputs.CARDS_SLOT, inputs.PAWN_SLOT)
        assert changed(rows, other_rows) <= {*by_item, *by_item_too}


# ------------------------------------------------------------------ facts


def way_slot(pawn: int, item: str) -> int:
    return inputs.WAY_SLOT + pawn * ITEMS + NAMES.index(item)


def test_a_card_in_hand_shows_in_its_ways() -> None:
    pawns = [[0, 3, 53], [0, 0, 6]]
    without, _ = told_of(stage(PATH, hands=["coins", "lyre"], pawns=pawns))
    rows, _ = told_of(stage(PATH, hands=["coins olive", "lyre"], pawns=pawns))
    olive = NAMES.index("olive")
    assert changed(without, rows) >= {way_slot(0, "olive"), way_slot(1, "olive"), inputs.CARDS_SLOT + olive}
    untold = {way_slot(pawn, item) for pawn in (0, 1, 2) for item in NAMES if item != "olive"}
    assert not changed(without, rows) & {*untold, *range(inputs.PLACE_SLOT, inputs.SLOTS)}


def way_row(held: int, cost: int, far: int, tile: int) -> int:
    kind = (held * inputs.COSTS + int(inputs.COST[cost])) * inputs.FARS + far
    return inputs.WAY_ROWS + kind * inputs.TAKES + tile


def test_a_way_tells_card_cost_distance_and_tile() -> None:
    game = stage(PATH, hands=["coins coins lyre", ""], pawns=[[0, 5, 7], [0, 0, 10]], tiles=["olive4", ""])
    rows, counts = told_of(game)
    home = inputs.FARS - 1
    assert rows[way_slot(1, "lyre")] == way_row(held=1, cost=0, far=0, tile=6)  # the space that it left
    assert rows[way_slot(2, "coins")] == way_row(held=2, cost=3, far=0, tile=7)  # over the water at 8
    assert rows[way_slot(2, "olive")] == way_row(held=0, cost=3, far=home, tile=3)
    assert rows[way_slot(2, "lyre")] == way_row(held=1, cost=3, far=1, tile=inputs.PASSES)
    assert counts[inputs.BEST] == 6 and counts[inputs.POINTS] == 7 and counts[inputs.AHEAD] == 9
    poor, _ = told_of(stage(PATH, hands=["coins coins", ""], pawns=[[0, 5, 7], [0, 0, 10]]))
    assert poor[way_slot(2, "coins")] == way_row(held=inputs.CANNOT_PAY, cost=3, far=0, tile=7)


def test_leads_are_points_less_the_water_ahead() -> None:
    game = stage(PATH, hands=["coins", "lyre lyre"], pawns=[[9, 53, 53], [6, 7, 53]], tiles=["", "olive4"])
    _, counts = told_of(game)
    second = inputs.PER_SEAT
    assert counts[inputs.POINTS] == 1 and counts[inputs.AHEAD] == 0 and counts[inputs.LEADING] == 1
    assert counts[second + inputs.POINTS] == 6 and counts[second + inputs.AHEAD] == 6
    assert counts[second + inputs.LEADING] == counts[inputs.LEAST_LEAD] == 1
    assert counts[inputs.GAPS] == 1 and counts[inputs.ALL_WATER] == 3
    assert told_of(game, 1)[1][inputs.LEAST_LEAD] == -1


def test_a_bridge_left_tells_what_it_saves() -> None:
    pawns = [[3, 7, 53], [4, 10, 53]]
    _, built = told_of(stage(PATH, hands=["coins", "lyre"], pawns=pawns))
    _, left = told_of(stage(PATH, hands=["coins", "lyre"], pawns=pawns, bridges=[None, None]))
    assert built[inputs.SAVING] == built[inputs.PER_SEAT + inputs.SAVING] == 0
    assert left[inputs.SAVING] == 6 and left[inputs.PER_SEAT + inputs.SAVING] == 3


def test_a_debt_lowers_the_points_and_the_coming_tile_raises_them() -> None:
    game = stage(PATH, hands=["coins", "lyre"], pawns=[[0, 7, 53], [0, 0, 10]], tiles=["olive4", ""])
    game.play("7 co")
    rows, counts = told_of(game)
    assert game.view()["phase"] == "pay" and counts[inputs.DEBT] == 3
    assert rows[inputs.DUE_SLOT] == inputs.DUE_ROWS + int(inputs.DUE[3]) * inputs.TILES + 7
    assert counts[inputs.POINTS] == 4 - 3 + 7
    other_rows, other_counts = told_of(game, 1)
    assert other_counts[inputs.DEBT] == -3 and other_rows[inputs.DUE_SLOT] != rows[inputs.DUE_SLOT]


def test_shown_cards_of_others_are_told_and_hidden_ones_are_not() -> None:
    pawns = [[0, 3, 53], [0, 0, 6]]
    hidden = [told_of(stage(PATH, hands=["coins", hand], pawns=pawns)) for hand in ("olive", "coins")]
    assert hidden[0] == hidden[1]
    shown: list[dict[str, int]] = [{}, {"olive": 1}]
    rows, _ = told_of(stage(PATH, hands=["coins", "olive"], pawns=pawns, shown=shown))
    slots = changed(hidden[0][0], rows)
    assert inputs.CARDS_SLOT + NAMES.index("olive") in slots and inputs.CHANCE_SLOT + 2 in slots
    assert not slots & {*range(inputs.WAY_SLOT, inputs.SLOTS)}
