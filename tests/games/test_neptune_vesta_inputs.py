"""Neptune & Vesta: what a network is told about a position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import laguna
from laguna.games.neptune_vesta import inputs
from laguna.games.neptune_vesta.components import BLUE_TILE, CELLS, SEATS
from laguna.kernel.records import copy_of
from tests.every import random_steps, told_to

LINES = 20


def position(actions: int, **options: Any) -> Any:
    game = laguna.new("neptune-vesta", seed=5, **options)
    for number, _ in enumerate(random_steps(game, 5)):
        if number == actions:
            break
    return copy_of(game.state)


def exchanged(s: Any) -> Any:
    """The same position with both sides exchanged: zones, colors, hands, the lighthouse."""
    other = copy_of(s)
    board = np.concatenate([s.board[CELLS // 2 :], s.board[: CELLS // 2]])
    other.board[:] = np.where(board == 0, 0, board ^ BLUE_TILE)
    other.free = sum(1 << cell for cell in range(CELLS) if board[cell] == 0)
    for name in ("hand", "stack", "wins", "stack_size"):
        getattr(other, name)[:] = getattr(s, name)[::-1].copy()
    other.turn, other.starter, other.lighthouse = SEATS - 1 - s.turn, SEATS - 1 - s.starter, -s.lighthouse
    return other


@pytest.mark.parametrize("line_to", ["majority", "highest", "sum"])
def test_both_sides_are_told_the_same(line_to: str) -> None:
    for actions in range(2, 40, 4):
        s = position(actions, line_to=line_to)
        rows, counts = told_to(inputs, s, 0)
        mirrored, same_counts = told_to(inputs, exchanged(s), 1)
        assert sorted(rows) == sorted(mirrored) and counts == same_counts


def test_a_tile_changes_its_row_and_its_column_only() -> None:
    s = position(12, rounds=1)
    other = copy_of(s)
    cell = next(cell for cell in range(CELLS) if s.board[cell] == 0)
    other.board[cell] = 1 + BLUE_TILE
    other.free ^= 1 << cell
    before, after = told_to(inputs, s, 0)[0], told_to(inputs, other, 0)[0]
    changed = {slot for slot in range(LINES) if before[slot] != after[slot]}
    row, column = cell // 5 % 5, cell % 5
    assert {10 * (cell // 25) + 2 * row, 10 * (cell // 25) + 2 * column + 1} <= changed


def test_a_complete_line_is_no_longer_told() -> None:
    s = position(12, rounds=1)
    s.board[:5] = 1, 2, 3, 4, 5
    s.free &= ~0b11111
    assert told_to(inputs, s, 0)[0][0] == 0


def test_unseen_tiles_are_counted_by_value() -> None:
    s = position(20, rounds=1)
    for seat in range(SEATS):
        counts = told_to(inputs, s, seat)[1]
        unseen = [*s.stack[1 - seat][: s.stack_size[1 - seat]], *s.hand[1 - seat]]
        assert counts[10:20] == [unseen.count(value) for value in range(1, 11)]
        own = list(s.stack[seat][: s.stack_size[seat]])
        assert counts[:10] == [own.count(value) for value in range(1, 11)]


def test_options_and_the_match_show() -> None:
    told = {
        tuple(told_to(inputs, position(0, rounds=rounds, line_to=line_to), 0)[0][LINES:])
        for rounds in (1, 3)
        for line_to in ("majority", "highest", "sum")
    }
    assert len(told) == 6
