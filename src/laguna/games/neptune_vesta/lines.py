"""Neptune & Vesta: what the rows and columns count as they stand."""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np

from laguna.games.contract import Fields
from laguna.games.neptune_vesta.components import BLUE_TILE, SIDE, VALUES, ZONE
from laguna.games.neptune_vesta.names import COLUMNS, ZONES
from laguna.games.neptune_vesta.rules import line_points, line_receiver
from laguna.kernel.jit import quick_rule

_ROWS = {str(row + 1): itemgetter(*range(row * SIDE, (row + 1) * SIDE)) for row in range(SIDE)}
_COLUMNS = {name: itemgetter(*range(column, ZONE, SIDE)) for column, name in enumerate(COLUMNS)}
_LINES = _ROWS | _COLUMNS  # each takes its tiles from those of a zone


class LineNow(Fields, frozen=True):
    """N10: what a row or column with tiles on it counts."""

    points: int  # if the tiles that are still missing add no combination
    seat: int | None  # N9, N19: who got them, once it is complete


def lines(s: Any) -> dict[str, LineNow]:
    """What each line counts, by its name: "Rb" is a column, "R3" a row. Those without a tile are left out."""
    red, blue = (tuple(s.board[zone * ZONE : (zone + 1) * ZONE]) for zone in range(len(ZONES)))
    return _lines_of(ZONES[0], red, s.line_to) | _lines_of(ZONES[1], blue, s.line_to)


@lru_cache(maxsize=4096)  # an action changes one zone of two
def _lines_of(zone: str, tiles: tuple[int, ...], line_to: int) -> dict[str, LineNow]:
    return {zone + name: line for name, of in _LINES.items() if (line := _line(of(tiles), line_to))}


@lru_cache(maxsize=4096)  # and two lines of the zone
def _line(tiles: tuple[int, ...], line_to: int) -> LineNow | None:
    if not any(tiles):
        return None
    if all(tiles):
        line = np.array(tiles, np.int8)
        return LineNow(_points(line), _receiver(line, line_to))
    # Each free cell counts as a tile with a value of its own: as a red one, then as a blue one, since five of
    # one color are not expected.
    filled = [
        [tile or VALUES + 1 + place + color for place, tile in enumerate(tiles)] for color in (0, BLUE_TILE)
    ]
    return LineNow(min(_points(np.array(line, np.int8)) for line in filled), None)


@quick_rule
def _points(line: Any) -> int:
    return int(line_points(line, 0, 1))


@quick_rule
def _receiver(line: Any, line_to: int) -> int:
    return int(line_receiver(line, 0, 1, line_to))
