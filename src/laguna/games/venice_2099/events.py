"""Venice 2099: what the rules did, put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar

from laguna.errors import counted, either
from laguna.games.contract import Event, Facts, event
from laguna.games.venice_2099 import rules
from laguna.games.venice_2099.components import (
    COINS_SANK,
    COINS_SCORED,
    COLORS,
    GAME_ENDED,
    GAME_WON,
    GONDOLA_TAKEN,
    PAWN_FELL,
    PAWN_LOST,
    PAWN_RESCUED,
    PAWNS_SCORED,
    QUARTER_SANK,
    TREASURE_BOUGHT,
    TREASURES_SCORED,
    X_PAWNS_SCORED,
    Color,
)
from laguna.games.venice_2099.names import SQUARE_NAMES, TILE_NAMES, CardName, Square, player


class Ride(Facts, frozen=True):
    """V10: a pawn has gone by gondola to this square; the gondolas its owner has left."""

    key: ClassVar = "gondola"
    seat: int
    at: Square
    left: int


class Bought(Facts, frozen=True):
    """V11: a treasure of this color was bought on this square."""

    key: ClassVar = "bought"
    seat: int
    at: Square
    color: Color
    price: int


class Sank(Facts, frozen=True):
    """V13: this quarter is under water now."""

    key: ClassVar = "sank"
    at: Square
    tile: CardName


class WashedAway(Facts, frozen=True):
    """V13: the coins on a quarter were lost with it."""

    key: ClassVar = "washed-away"
    at: Square
    coins: int


class Fell(Facts, frozen=True):
    """V13: a pawn of this seat stood on the quarter that sank."""

    key: ClassVar = "fell"
    seat: int
    at: Square


class Rescued(Facts, frozen=True):
    """V14: the fallen pawn is here now; the gondolas its owner has left."""

    key: ClassVar = "rescued"
    seat: int
    at: Square
    left: int


class Lost(Facts, frozen=True):
    """V14: the fallen pawn is out of the game."""

    key: ClassVar = "lost"
    seat: int


class End(Facts, frozen=True):
    """V16: the last card has been played."""

    key: ClassVar = "end"


class Points(Facts, frozen=True):
    """Points of a seat. Each kind says under which clause and for what."""

    clause: ClassVar[str]
    source: ClassVar[str]
    seat: int
    points: int


class TreasurePoints(Points, frozen=True):
    """V17: points for treasures."""

    key: ClassVar = "treasures"
    clause: ClassVar = "V17"
    source: ClassVar = "treasures"


class PawnPoints(Points, frozen=True):
    """V18: points for pawns on quarters with a number."""

    key: ClassVar = "pawns"
    clause: ClassVar = "V18"
    source: ClassVar = "pawns"


class XPawnPoints(Points, frozen=True):
    """V19: points for pawns on an X."""

    key: ClassVar = "x-pawns"
    clause: ClassVar = "V19"
    source: ClassVar = "pawns on an X"


class CoinPoints(Points, frozen=True):
    """V20: points for coins."""

    key: ClassVar = "coins"
    clause: ClassVar = "V20"
    source: ClassVar = "coins"


class Winners(Facts, frozen=True):
    """V21: the seats that have won."""

    key: ClassVar = "winners"
    winners: list[int]


FACTS = (
    Ride, Bought, Sank, WashedAway, Fell, Rescued, Lost, End, TreasurePoints, PawnPoints, XPawnPoints,
    CoinPoints, Winners,
)  # fmt: skip


def events(s: Any) -> list[Event]:
    """What the last action did, as the rules noted it."""
    return [_TELL[kind](s, *numbers) for kind, *numbers in s.events[: s.event_count]]


def _ride(s: Any, seat: int, square: int, left: int, _: int) -> Event:
    at = SQUARE_NAMES[square]
    sentence = f"{player(seat)} goes by gondola to {at} and has {_gondolas(left)} left."
    return event("V10", Ride(seat, at, left), sentence)


def _gondolas(count: int) -> str:
    return counted(count, "gondola") if count else "no gondolas"


def _bought(s: Any, seat: int, square: int, number: int, price: int) -> Event:
    at, color = SQUARE_NAMES[square], COLORS[number]
    sentence = f"{player(seat)} buys a treasure ({color}) on {at} for {counted(price, 'coin')}."
    return event("V11", Bought(seat, at, color, price), sentence)


def _sank(s: Any, seat: int, square: int, card: int, _: int) -> Event:
    at, tile = SQUARE_NAMES[square], TILE_NAMES[card]
    return event("V13", Sank(at, tile), f"{tile} on {at} sinks.")


def _washed_away(s: Any, seat: int, square: int, coins: int, _: int) -> Event:
    at = SQUARE_NAMES[square]
    sentence = f"{counted(coins, 'coin')} on {at} {'is' if coins == 1 else 'are'} lost."
    return event("V13", WashedAway(at, coins), sentence)


def _fell(s: Any, seat: int, square: int, *_: int) -> Event:
    at = SQUARE_NAMES[square]
    return event("V13", Fell(seat, at), f"A pawn of {player(seat)} falls from {at}.")


def _rescued(s: Any, seat: int, square: int, left: int, _: int) -> Event:
    at = SQUARE_NAMES[square]
    sentence = f"A gondola brings the pawn of {player(seat)} to {at}; {_gondolas(left)} left."
    return event("V14", Rescued(seat, at, left), sentence)


def _lost(s: Any, seat: int, *_: int) -> Event:
    return event("V14", Lost(seat), f"The pawn of {player(seat)} is out of the game.")


def _end(s: Any, *_: int) -> Event:
    return event("V16", End(), "All cards are played: the game is over.")


def _points(kind: type[Points], s: Any, seat: int, points: int, *_: int) -> Event:
    return event(kind.clause, kind(seat, points), f"{player(seat)} scores {points} for {kind.source}.")


def _winners(s: Any, seat: int, bits: int, *_: int) -> Event:
    winners = [each for each in range(s.players) if bits >> each & 1]
    won = "wins" if len(winners) == 1 else "share the win"
    return event("V21", Winners(winners), f"{either(map(player, winners), 'and')} {won}.")


_TELL: dict[int, Callable[..., Event]] = {
    GONDOLA_TAKEN: _ride,
    TREASURE_BOUGHT: _bought,
    QUARTER_SANK: _sank,
    COINS_SANK: _washed_away,
    PAWN_FELL: _fell,
    PAWN_RESCUED: _rescued,
    PAWN_LOST: _lost,
    GAME_ENDED: _end,
    TREASURES_SCORED: partial(_points, TreasurePoints),
    PAWNS_SCORED: partial(_points, PawnPoints),
    X_PAWNS_SCORED: partial(_points, XPawnPoints),
    COINS_SCORED: partial(_points, CoinPoints),
    GAME_WON: _winners,
}


def scoring(s: Any, log: Iterable[Event]) -> list[Event]:
    """V17–V20, V22a: where the scores come from as they stand; before the end the log has no points."""
    found = []
    for seat in range(s.players):
        x = int(rules.x_points(s.record, seat))
        points = {
            TreasurePoints: int(rules.treasure_points(s.record, seat)),
            PawnPoints: int(rules.pawn_points(s.record, seat)) - x,
            XPawnPoints: x,
            CoinPoints: s.coins[seat],
        }
        found += [_points(kind, s, seat, count) for kind, count in points.items() if count]
    return found
