"""Venice 2099: what a seat may see."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Literal

import msgspec

from laguna.games.contract import Fields, GameView
from laguna.games.venice_2099 import rules
from laguna.games.venice_2099.actions import ACTION, lowest
from laguna.games.venice_2099.components import (
    COLOR_COUNT,
    COLORS,
    FIRST_CARD,
    NO_TILE,
    OVER,
    PAWN_POINTS,
    QUARTERS,
    RESCUING,
    SIDES,
    WORTH,
    CardValue,
    Color,
    X,
)
from laguna.games.venice_2099.names import (
    PHASES,
    SQUARE_NAMES,
    SQUARE_NUMBERS,
    TILE_NAMES,
    CardName,
    Phase,
    Square,
    Tile,
    card_value,
    cards_of,
    squares_of,
)


class Fallen(Fields, frozen=True):
    """V14: a pawn that may be rescued now: whose, and from which square it fell."""

    seat: int
    start: Square = msgspec.field(name="from")


class ForSale(Fields, frozen=True):
    """The treasures of a color: how many are left, and what one is worth as the city stands (V17)."""

    color: Color
    left: int
    quarters: int  # of the color above water
    worth: int


class TreasureLine(Fields, frozen=True):
    """V17: so many treasures of a color, worth so much each by its quarters above water."""

    color: Color
    count: int
    quarters: int
    each: int
    points: int
    clause: Literal["V17"] = "V17"


class PawnLine(Fields, frozen=True):
    """V18, or V19 on an X: what a pawn scores where it stands."""

    at: Square
    tile: Tile
    points: int
    clause: Literal["V18", "V19"]


class CoinLine(Fields, frozen=True):
    """V20: a point for each coin."""

    points: int
    clause: Literal["V20"] = "V20"


class TieBreak(Fields, frozen=True):
    """V21: what is compared between players with equal points."""

    by: Literal["pawn_points", "pawns"]
    value: int
    clause: Literal["V21"] = "V21"


class Breakdown(Fields, frozen=True):
    """V17–V21: where a seat's points come from, each with its clause."""

    treasures: list[TreasureLine]
    pawns: list[PawnLine]
    coins: CoinLine
    total: int
    tie_break: TieBreak


class VeniceView(GameView, frozen=True, kw_only=True):
    """V23: what a seat may know."""

    legal: list[ACTION]
    phase: Phase
    active: int  # whose turn it is, even while another seat decides about a fallen pawn
    side: int  # squares along an edge of the board
    board: dict[Square, Tile]  # every square; a quarter that has sunk keeps its name
    water: list[Square]  # where quarters have sunk
    coins_on: dict[Square, int]  # where coins lie
    pawns: list[list[Square]]  # of each seat
    fallen: Fallen | None  # the pawn to decide about now
    coins: list[int]  # of each seat
    gondolas: list[int]  # of each seat
    treasures: list[dict[Color, int]]  # of each seat; colors it has none of are left out
    stock: dict[Color, int]  # treasures left to buy, of the colors in play
    played: list[list[CardName]]  # by each seat
    hand: list[CardName] | None  # your own cards, lowest first
    hand_sizes: list[int]
    at_least: list[CardValue]  # no card in that seat's hand is lower, as far as anybody can tell
    put_away: int  # cards that nobody has seen and nobody will play
    unseen: list[CardName]  # in other hands or put away
    breakdown: list[Breakdown] | None  # of each seat, when the game is over
    lowest: CardValue | None  # V12: the value of the cards that you may play; None if you have none
    market: list[ForSale]  # the colors in play
    prices: dict[Square, int]  # V11: of a treasure, on the quarters above water whose color is not sold out
    pawn_points: dict[Square, int]  # V18, V19: of a pawn, on the quarters above water, as the city stands


VIEW = VeniceView


def public(s: Any, **common: Any) -> dict[str, Any]:
    """V23: what everyone may know, and nothing else."""
    seats = range(s.players)
    tiles = board(s)
    played = _played(s)
    sunk = {card for cards in played for card in cards}
    above, colors = _quarters_above(s), _colors_in_play(s)
    return dict(
        phase=PHASES[s.phase],
        active=s.turn,
        side=int(SIDES[s.players]),
        board=tiles,
        water=[name for name, tile in tiles.items() if tile in sunk],
        coins_on=coins_on(s),
        pawns=[squares_of(s, each) for each in seats],
        fallen=None if s.phase != RESCUING else Fallen(s.fallen, SQUARE_NAMES[s.fallen_from]),
        coins=s.coins[: len(seats)],
        gondolas=s.gondolas[: len(seats)],
        treasures=[treasures(s, each) for each in seats],
        stock={color: s.stock[number] for number, color in colors},
        played=played,
        hand_sizes=[s.hand[each].bit_count() for each in seats],
        at_least=[_at_least(s, each) for each in seats],
        put_away=s.away.bit_count(),
        breakdown=[breakdown(s, each) for each in seats] if s.phase == OVER else None,
        market=[_for_sale(s, number, color) for number, color in colors],
        prices=_prices(s, above),
        pawn_points=_pawn_points(s, above),
        **common,
    )


def own(s: Any, *, seat: int | None, **common: Any) -> dict[str, Any]:
    """V23: what this seat (None: a spectator) sees besides, and nothing else."""
    hand = None if seat is None else cards_of(s.hand[seat])
    known = {card for cards in _played(s) for card in cards}.union(hand or [])
    return dict(
        hand=hand,
        unseen=[card for card in _cards_in_play(s) if card not in known],
        lowest=None if seat is None else lowest(s, seat),
        seat=seat,
        **common,
    )


def _played(s: Any) -> list[list[str]]:
    """The cards that each seat has played."""
    return [cards_of(s.played[each]) for each in range(s.players)]


# ------------------------------------------------------------------ on the board


def board(s: Any) -> dict[str, str]:
    """Every square with its tile; a quarter that has sunk keeps its name."""
    return dict(_board(tuple(s.tile)))


@lru_cache(maxsize=100)  # tiles stay where they are
def _board(tiles: tuple[int, ...]) -> dict[str, str]:
    return {name: TILE_NAMES[tile] for name, tile in zip(SQUARE_NAMES, tiles, strict=True) if tile != NO_TILE}


def coins_on(s: Any) -> dict[str, int]:
    """The quarters on which coins lie."""
    return {name: coins for name, coins in zip(SQUARE_NAMES, s.coins_on, strict=True) if coins}


def _quarters_above(s: Any) -> list[tuple[int, int]]:
    """The squares of the quarters above water, each with its quarter."""
    return _above(tuple(s.tile), s.above)


@lru_cache(maxsize=1000)  # all seats see the same city
def _above(tiles: tuple[int, ...], above: int) -> list[tuple[int, int]]:
    return [(square, tile) for square, tile in enumerate(tiles) if tile != NO_TILE and above >> tile & 1]


def _prices(s: Any, above: list[tuple[int, int]]) -> dict[str, int]:
    """V11: what a treasure costs, wherever one can be bought."""
    coins_on, stock = s.coins_on, s.stock
    return {
        SQUARE_NAMES[square]: _price(coins_on[square]) for square, tile in above if stock[tile % COLOR_COUNT]
    }


@cache
def _price(lying: int) -> int:
    return int(rules.price(lying))


def _pawn_points(s: Any, above: list[tuple[int, int]]) -> dict[str, int]:
    """V18, V19: what a pawn would score on each quarter if the game ended now."""
    points = _quarter_points(s.above, s.x_scores)
    return {SQUARE_NAMES[square]: points[tile] for square, tile in above}


@lru_cache(maxsize=1000)  # all seats see the same city
def _quarter_points(above: int, x_scores: int) -> list[int]:
    return [int(rules.quarter_points(tile, above, x_scores)) for tile in range(QUARTERS)]


# ------------------------------------------------------------------ treasures and cards


def treasures(s: Any, seat: int) -> dict[Color, int]:
    """How many treasures of each color a seat has; colors it has none of are left out."""
    own = s.treasures[seat]
    return {color: count for color, count in zip(COLORS, own, strict=True) if count} if any(own) else {}


def _colors_in_play(s: Any) -> list[tuple[int, Color]]:
    """V6: the colors of the 2s on the board, with their numbers."""
    square_of = s.square_of
    return [(number, color) for number, color in enumerate(COLORS) if square_of[number] >= 0]


def _for_sale(s: Any, number: int, color: Color) -> ForSale:
    return _color_for_sale(color, s.stock[number], _quarters_of(s.above, number))


@lru_cache(maxsize=10_000)
def _quarters_of(above: int, color: int) -> int:
    return int(rules.quarters_of(above, color))


@cache
def _color_for_sale(color: Color, left: int, quarters: int) -> ForSale:
    return ForSale(color, left, quarters, int(WORTH[quarters]))


def _cards_in_play(s: Any) -> list[str]:
    return _cards_on(tuple(s.square_of))


@lru_cache(maxsize=100)  # tiles stay where they are
def _cards_on(square_of: tuple[int, ...]) -> list[str]:
    return [TILE_NAMES[card] for card in range(FIRST_CARD, QUARTERS) if square_of[card] >= 0]


def _at_least(s: Any, seat: int) -> CardValue:
    """V23: no card in that hand is lower than the highest the seat has played, or the lowest there is."""
    return card_value(max(s.played[seat].bit_length() - 1, FIRST_CARD))


# ------------------------------------------------------------------ the end


def breakdown(s: Any, seat: int) -> Breakdown:
    """V17–V21: where a seat's points come from."""
    return Breakdown(
        treasures=[_treasure_line(s, seat, color) for color in treasures(s, seat)],
        pawns=[_pawn_line(s, at) for at in squares_of(s, seat)],
        coins=CoinLine(s.coins[seat]),
        total=int(rules.total(s.record, seat)),
        tie_break=TieBreak(
            by="pawn_points" if s.tie_break == PAWN_POINTS else "pawns",
            value=int(rules.tie_breaker(s.record, seat)),
        ),
    )


def _treasure_line(s: Any, seat: int, color: Color) -> TreasureLine:
    number = COLORS.index(color)
    count, kind = s.treasures[seat][number], _for_sale(s, number, color)
    return TreasureLine(color, count, kind.quarters, kind.worth, count * kind.worth)


def _pawn_line(s: Any, at: str) -> PawnLine:
    square = SQUARE_NUMBERS[at]
    tile = s.tile[square]
    points = int(rules.square_points(s.record, square))
    return PawnLine(at, TILE_NAMES[tile], points, "V19" if tile // COLOR_COUNT == X else "V18")
