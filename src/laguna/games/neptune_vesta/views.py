"""Neptune & Vesta: what a seat may see."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from laguna.games.contract import Fields, GameView
from laguna.games.neptune_vesta.actions import Place
from laguna.games.neptune_vesta.components import BLUE_TILE, COPIES, SEATS, VALUE_OF, VALUES
from laguna.games.neptune_vesta.lines import LineNow, lines
from laguna.games.neptune_vesta.names import CELL_NAMES, TILES, Tile


class Unseen(Fields, frozen=True):
    """How many tiles of each value 1-10 you have not seen this round."""

    red: list[int]
    blue: list[int]


class NeptuneVestaView(GameView, frozen=True, kw_only=True):
    """N20: what a seat may know."""

    legal: list[Place]
    round: int
    starter: int
    wins: list[int]
    lighthouse: int  # 10 is red's end, -10 blue's
    board: dict[str, Tile]  # the tiles by the name of their cell
    hand: list[int] | None  # the values of your own tiles
    hand_sizes: list[int]
    stack_sizes: list[int]
    unseen: Unseen
    lines: dict[str, LineNow]  # "Rb" is a column, "R3" a row; those without a tile are left out


VIEW = NeptuneVestaView


def public(s: Any, **common: Any) -> dict[str, Any]:
    """N20: what everyone may know, and nothing else."""
    return dict(
        round=s.round_number,
        starter=s.starter,
        wins=list(s.wins),
        lighthouse=s.lighthouse,
        board=board(s),
        hand_sizes=[len(own) - own.count(0) for own in s.hand],
        stack_sizes=list(s.stack_size),
        lines=lines(s),
        **common,
    )


def own(s: Any, *, seat: int | None, **common: Any) -> dict[str, Any]:
    """N20: what this seat (None: a spectator) sees besides, and nothing else."""
    return dict(
        hand=None if seat is None else _hand(s, seat),
        unseen=Unseen(*_unseen(s, seat)),
        seat=seat,
        **common,
    )


def _hand(s: Any, seat: int) -> list[int]:
    return [tile for tile in s.hand[seat] if tile]


def board(s: Any) -> dict[str, Tile]:
    """The tiles on the board by the name of their cell."""
    return {name: TILES[tile] for name, tile in zip(CELL_NAMES, s.board, strict=True) if tile}


def _unseen(s: Any, seat: int | None) -> list[list[int]]:
    """How many tiles of each value 1–10 this seat has not seen this round, by color."""
    left = [list(color) for color in _not_on_board(tuple(s.board))]
    if seat is not None:
        for value in _hand(s, seat):
            left[seat][value - 1] -= 1
    return left


@lru_cache(maxsize=100)  # all seats see the same board
def _not_on_board(board: tuple[int, ...]) -> list[list[int]]:
    left = [[COPIES] * VALUES for _ in range(SEATS)]
    for tile in board:
        if tile:
            left[tile // BLUE_TILE][(tile & VALUE_OF) - 1] -= 1
    return left
