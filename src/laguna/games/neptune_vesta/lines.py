"""Neptune & Vesta: what the rows and columns count as they stand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from laguna.games.contract import Fields
from laguna.games.neptune_vesta.components import BLUE_TILE, SIDE, VALUES, ZONE
from laguna.games.neptune_vesta.names import COLUMNS, ZONES
from laguna.games.neptune_vesta.rules import line_points, line_receiver
from laguna.kernel.jit import quick_rule

# As `_stand` writes them: of each zone the rows, then the columns.
_NAMES = tuple(f"{zone}{line}" for zone in ZONES for line in (*range(1, SIDE + 1), *COLUMNS))
NOBODY = -1


class LineNow(Fields, frozen=True):
    """N10: what a row or column with tiles on it counts."""

    points: int  # if the tiles that are still missing add no combination
    seat: int | None  # N9, N19: who got them, once it is complete


def lines(s: Any) -> dict[str, LineNow]:
    """What each line counts, by its name: "Rb" is a column, "R3" a row. Those without a tile are left out."""
    stand = np.empty((len(_NAMES), 3), np.int8)
    _stand(np.frombuffer(bytearray(s.board), np.int8), s.line_to, np.empty(SIDE, np.int8), stand)
    rows = zip(_NAMES, stand.tolist(), strict=True)
    return {name: _line(points, seat) for name, (tiles, points, seat) in rows if tiles}


@cache
def _line(points: int, seat: int) -> LineNow:
    return LineNow(points, None if seat == NOBODY else seat)


@quick_rule
def _stand(board: Any, line_to: int, filled: Any, stand: Any) -> None:
    """Write of each line how many tiles lie on it, what it counts and who got that."""
    for number in range(len(stand)):
        zone, place = number // (2 * SIDE) * ZONE, number % (2 * SIDE)
        first, step = (zone + place * SIDE, 1) if place < SIDE else (zone + place - SIDE, SIDE)
        tiles = 0
        for i in range(SIDE):
            tiles += board[first + i * step] > 0
        stand[number, 0] = tiles
        if tiles == SIDE:
            stand[number, 1] = line_points(board, first, step)
            stand[number, 2] = line_receiver(board, first, step, line_to)
        else:
            stand[number, 1] = _points_at_least(board, first, step, filled)
            stand[number, 2] = NOBODY


@quick_rule
def _points_at_least(board: Any, first: int, step: int, filled: Any) -> int:
    """Each free cell counts as a tile with a value of its own: as a red one, then as a blue one.

    For five of one color are not expected.
    """
    least = 0
    for color in (0, BLUE_TILE):
        for i in range(SIDE):
            tile = board[first + i * step]
            filled[i] = tile if tile > 0 else VALUES + 1 + i + color
        points = line_points(filled, 0, 1)
        least = points if color == 0 else min(least, points)
    return least
