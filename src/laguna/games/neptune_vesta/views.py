"""Neptune & Vesta: what a seat may see."""

from __future__ import annotations

from typing import Any

from laguna.games.contract import Fields, GameView
from laguna.games.neptune_vesta.actions import Place
from laguna.games.neptune_vesta.components import BLUE_TILE, COPIES, SEATS, VALUES
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
    return {CELL_NAMES[cell]: TILES[tile] for cell, tile in enumerate(s.board) if tile}


def _unseen(s: Any, seat: int | None) -> list[list[int]]:
    """How many tiles of each value 1–10 this seat has not seen this round, by color."""
    left = [COPIES] * (SEATS * BLUE_TILE)  # by tile; free cells and places are counted as tile 0
    for tile in s.board:
        left[tile] -= 1
    if seat is not None:
        for value in s.hand[seat]:
            left[seat * BLUE_TILE + value] -= 1
    return [left[color * BLUE_TILE + 1 :][:VALUES] for color in range(SEATS)]
