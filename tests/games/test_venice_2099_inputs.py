"""Venice 2099: what a network is told about a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.games.venice_2099 import inputs as told
from laguna.games.venice_2099 import rules
from laguna.games.venice_2099.components import CARDS, COLORS, FIRST_CARD, MOVED, QUARTERS, START
from laguna.kernel.records import copy_of
from tests.every import random_steps, told_to
from tests.games.test_venice_2099 import FOUR_EACH, ID, TWELVE, VALUES, stage

WORLDS = 400  # in which a card is looked for


def inputs(s: Any, seat: int) -> tuple[list[int], list[int]]:
    """The rows and the counts for a seat."""
    return told_to(told, s, seat)


def positions(players: int, options: dict[str, Any], seed: int) -> Iterator[Any]:
    """The records of a random game."""
    game = laguna.new(ID, players=players, seed=seed, **options)
    for _ in random_steps(game, seed):
        yield game.state
    yield game.state


def changed(before: Any, after: Any, seat: int = 0) -> tuple[set[int], set[int]]:
    """The slots and the counts that differ between two records."""
    pairs = zip(inputs(before, seat), inputs(after, seat), strict=True)
    slots, counts = ({i for i, (a, b) in enumerate(zip(x, y, strict=True)) if a != b} for x, y in pairs)
    return slots, counts


def tile(name: str) -> int:
    return VALUES.index(name[-1]) * len(COLORS) + COLORS.index(name[:-1])


@pytest.mark.parametrize("players", [2, 5])
def test_scores_are_those_of_the_rules(players: int) -> None:
    for s in positions(players, {}, players):
        for seat in range(players):
            scores = [rules.total(s, (seat + k) % players) for k in range(players)]
            assert inputs(s, seat)[1][told.SCORE : told.SCORE + players] == scores


@pytest.mark.parametrize("seed", range(4))
def test_nothing_else_depends_on_which_seat_or_color_it_is(seed: int) -> None:
    players = 2 + seed
    for s in positions(players, {}, seed):
        rows, counts = inputs(s, 0)
        assert inputs(seats_moved_on(s), 1) == (rows, counts)
        painted_rows, painted_counts = inputs(colors_moved_on(s), 0)
        assert (sorted(painted_rows), painted_counts) == (sorted(rows), counts)


def seats_moved_on(s: Any) -> Any:
    """Every player sits on the next seat."""
    moved, players = copy_of(s), int(s.players)
    for name in ("hand", "played", "pawns", "treasures", "coins", "gondolas"):
        moved[name][:players] = np.roll(s[name][:players], 1, axis=0)
    moved.turn = (s.turn + 1) % players
    moved.fallen = -1 if s.fallen < 0 else (s.fallen + 1) % players
    return moved


def colors_moved_on(s: Any) -> Any:
    """Everything has the next color."""
    painted = copy_of(s)
    next_one = [q // len(COLORS) * len(COLORS) + (q + 1) % len(COLORS) for q in range(QUARTERS)]
    painted.tile[:] = [next_one[q] if 0 <= q < QUARTERS else q for q in s.tile]
    painted.square_of[next_one] = s.square_of
    for name in ("hand", "played"):
        painted[name] = [paint(int(cards), next_one) for cards in s[name]]
    painted.away, painted.above = paint(int(s.away), next_one), paint(int(s.above), next_one)
    painted.treasures[:] = np.roll(s.treasures, 1, axis=1)
    painted.stock[:] = np.roll(s.stock, 1)
    return painted


def paint(cards: int, next_one: list[int]) -> int:
    return sum(1 << next_one[q] for q in range(QUARTERS) if cards >> q & 1)


def test_a_quarter_stays_as_often_as_its_card_is_put_away() -> None:
    """V23: the chance by value is compared with many ways to deal the hidden cards."""
    s = next(copy_of(s) for s in positions(4, {}, 5) if rules.hand_size(s, 0) == 5)
    away = np.zeros(QUARTERS)
    for seed in range(WORLDS):
        rules.redeal(s, 1, seed)
        away += [int(s.away) >> q & 1 for q in range(QUARTERS)]
    unseen = int(s.above & ~s.hand[1]) >> FIRST_CARD << FIRST_CARD
    chances = inputs(s, 1)[1][told.STAYING :]
    assert len({chances[q // len(COLORS) - 1] for q in range(FIRST_CARD, QUARTERS)}) > 2
    for q in range(FIRST_CARD, FIRST_CARD + CARDS):
        if unseen >> q & 1:
            assert away[q] / WORLDS == pytest.approx(chances[q // len(COLORS) - 1] / 1000, abs=0.1)


@pytest.mark.parametrize("moves", ["queen", "rook", "walk"])
def test_walks_are_those_of_the_rules(moves: str) -> None:
    for s in positions(3, {"moves": moves}, 2):
        free = np.int64(s.free[0] | s.free[1] << 32)
        for seat in range(3):
            near, far = 0, 0
            for square in s.pawns[seat][s.pawns[seat] < 64]:
                more = rules.reach(s, int(square))
                near, far = near | more[0], far | more[1]
            assert int(told.walks(s, seat, free)) % 2**64 == int(near) | int(far) << 32


def test_coins_on_a_quarter_without_a_pawn_change_only_its_row() -> None:
    s = stage(FOUR_EACH, TWELVE).state
    after = copy_of(s)
    after.coins_on[s.square_of[tile("green2")]] = 1
    assert changed(s, after)[0] == {tile("green2")}


def test_a_gondola_less_shows_where_its_owner_stands() -> None:
    s = stage(FOUR_EACH, TWELVE).state
    after = copy_of(s)
    after.gondolas[0] = 0
    black = {tile("black" + value) for value in "2345"}
    pawns = set(range(told.SLOT_PAWN, told.SLOT_PAWN + 4))
    assert changed(s, after) == (black | pawns | {told.SLOT_SEAT}, {told.GONDOLAS})


def test_a_purchase_shows_its_quarter_the_treasure_and_the_points() -> None:
    game = stage(FOUR_EACH, TWELVE)
    before = copy_of(game.state)
    game.play("$a1")
    slots, counts = changed(before, game.state)
    assert {tile("black2"), told.SLOT_COLOR, told.SLOT_TREASURES, told.SLOT_TURN} <= slots
    assert not slots & set(range(tile("brown2"), QUARTERS))
    assert told.COINS in counts and told.COINS + 1 not in counts


def test_the_own_next_card_is_told_from_a_later_one_and_from_an_unseen_one() -> None:
    s = stage(FOUR_EACH, TWELVE).state
    rows = inputs(s, 0)[0]
    step = 5 * 4 * (len(VALUES) - 1)
    kinds = {
        name: (rows[tile(name)] - told.ROW_QUARTER - 20) // step + 1 for name in ("red3", "azure5", "redX")
    }
    assert kinds == {"red3": told.OWN_NEXT, "azure5": told.OWN_LATE, "redX": told.OWN_LATE}
    assert (rows[tile("green3")] - told.ROW_QUARTER - 20) // step + 1 == told.NOW


def test_the_option_for_an_x_changes_what_it_is_worth() -> None:
    by_count, by_values = (stage(FOUR_EACH, TWELVE, x_scores=way).state for way in ("count", "values"))
    slots, _ = changed(by_count, by_values)
    assert set(range(told.SLOT_X, told.SLOT_COLOR)) & slots and told.SLOT_OPTIONS in slots


def test_after_a_move_there_is_none_to_come() -> None:
    game = stage(FOUR_EACH, TWELVE)
    before = copy_of(game.state)
    game.play("a1-a2")
    assert (before.phase, game.state.phase) == (START, MOVED)
    slots, _ = changed(before, game.state)
    assert {told.SLOT_TURN, told.SLOT_CARD, tile("black2"), tile("brown2")} <= slots
