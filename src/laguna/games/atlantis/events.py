"""Atlantis: what the rules did, put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import msgspec

from laguna.errors import counted, either
from laguna.games.atlantis.components import (
    ALL_ARRIVED,
    BOUGHT,
    BRIDGED,
    CARD_VALUE,
    CROSSED,
    DREW,
    MAINLAND,
    OWES,
    PAID_CARD,
    PAID_TILE,
    PLAYED,
    SETTLED,
    SHOWED,
    SHUFFLED,
    STUCK,
    TOOK,
    TOOK_NOTHING,
)
from laguna.games.atlantis.meta import META
from laguna.games.atlantis.names import NAMES, Cards, Item, Tile, cards_of, place_name, tile_of
from laguna.games.contract import Event, Facts, event


class Bought(Facts, frozen=True):
    """A6: a tile was given up for cards."""

    key: ClassVar = "bought"
    seat: int
    tile: Tile


class BridgeBuilt(Facts, frozen=True):
    """A16: a bridge now leads over the gap between these spaces."""

    key: ClassVar = "bridge"
    seat: int
    after: int
    before: int


class CardPlayed(Facts, frozen=True):
    """A7: a card moved a pawn; A9: to the mainland."""

    key: ClassVar = "card"
    seat: int
    card: Item
    start: int = msgspec.field(name="from")
    to: int


class GapCrossed(Facts, frozen=True):
    """A11: a gap on the way, and what it costs: 0 where a bridge leads over it (A16)."""

    key: ClassVar = "gap"
    seat: int
    after: int
    before: int
    cost: int


class Owes(Facts, frozen=True):
    """A11: what the whole way costs."""

    key: ClassVar = "owes"
    seat: int
    cost: int


class PaidTile(Facts, frozen=True):
    """A12: a tile paid so many points."""

    key: ClassVar = "paid-tile"
    seat: int
    tile: Tile
    points: int


class PaidCard(Facts, frozen=True):
    """A12: a card paid so many points."""

    key: ClassVar = "paid-card"
    seat: int
    card: Item
    points: int


class Took(Facts, frozen=True):
    """A13: the tile was taken from this space."""

    key: ClassVar = "took"
    seat: int
    tile: Tile
    points: int
    space: int


class TookNothing(Facts, frozen=True):
    """A13: there was no free tile behind the pawn."""

    key: ClassVar = "took-nothing"
    seat: int


class Drew(Facts, frozen=True):
    """A14: so many cards were drawn, and what they are worth."""

    key: ClassVar = "drew"
    seat: int
    cards: int
    points: int


class NewDeck(Facts, frozen=True):
    """A14: the discards became a new deck of so many cards."""

    key: ClassVar = "new-deck"
    cards: int


class Shows(Facts, frozen=True):
    """A10: a player who cannot move has shown these cards."""

    key: ClassVar = "shows"
    seat: int
    hand: Cards


class Arrived(Facts, frozen=True):
    """A18: this player's third pawn ends the game."""

    key: ClassVar = "arrived"
    seat: int


class Stuck(Facts, frozen=True):
    """A10: a round of turns brought nothing and ends the game; this player's was the last."""

    key: ClassVar = "stuck"
    seat: int


class Settled(Facts, frozen=True):
    """A19-A21: what the last ways cost, what was lost for them (as negative points), and the final score."""

    key: ClassVar = "settled"
    seat: int
    cost: int
    points: int
    score: int


class TilePoints(Facts, frozen=True):
    """A21: what a player's tiles are worth."""

    key: ClassVar = "tiles"
    seat: int
    points: int


class CardPoints(Facts, frozen=True):
    """A21: what a player's cards are worth."""

    key: ClassVar = "cards"
    seat: int
    points: int


class LostPoints(Facts, frozen=True):
    """A20: what the last ways took, as negative points."""

    key: ClassVar = "loss"
    seat: int
    points: int


FACTS = (
    Bought, BridgeBuilt, CardPlayed, GapCrossed, Owes, PaidTile, PaidCard, Took, TookNothing, Drew, NewDeck,
    Shows, Arrived, Stuck, Settled, TilePoints, CardPoints, LostPoints,
)  # fmt: skip


def events(s: Any) -> list[Event]:
    """What the last action did, as the rules noted it."""
    return [_TELL[kind](s, *numbers) for kind, *numbers in s.events[: s.event_count]]


_name = META.seat_name


def _cards(count: int) -> str:
    return counted(count, "card") if count else "no card"


def _bought(s: Any, seat: int, code: int, *_: int) -> Event:
    tile = tile_of(code)
    return event("A6", Bought(seat, tile), f"{_name(seat)} gives up {tile} for cards.")


def _bridge(s: Any, seat: int, after: int, before: int, _: int) -> Event:
    sentence = f"{_name(seat)} builds the bridge between spaces {after} and {before}."
    return event("A16", BridgeBuilt(seat, after, before), sentence)


def _card(s: Any, seat: int, item: int, start: int, to: int) -> Event:
    way = f"from {place_name(start)} to {place_name(to)}"
    sentence = f"{_name(seat)} plays {NAMES[item]}: a pawn goes {way}."
    return event("A9" if to == MAINLAND else "A7", CardPlayed(seat, NAMES[item], start, to), sentence)


def _gap(s: Any, seat: int, after: int, before: int, cost: int) -> Event:
    sentence = f"The gap between spaces {after} and {before} {f'costs {cost}' if cost else 'has a bridge'}."
    return event("A11" if cost else "A16", GapCrossed(seat, after, before, cost), sentence)


def _owes(s: Any, seat: int, cost: int, *_: int) -> Event:
    return event("A11", Owes(seat, cost), f"{_name(seat)} owes {cost} for the water.")


def _paid_tile(s: Any, seat: int, code: int, *_: int) -> Event:
    tile = tile_of(code)
    return event("A12", PaidTile(seat, tile, tile.value), f"{_name(seat)} pays {tile.value} with {tile}.")


def _paid_card(s: Any, seat: int, item: int, *_: int) -> Event:
    sentence = f"{_name(seat)} pays {CARD_VALUE} with {NAMES[item]}."
    return event("A12", PaidCard(seat, NAMES[item], CARD_VALUE), sentence)


def _took(s: Any, seat: int, code: int, space: int, _: int) -> Event:
    tile = tile_of(code)
    return event(
        "A13", Took(seat, tile, tile.value, space), f"{_name(seat)} takes {tile} from space {space}."
    )


def _took_nothing(s: Any, seat: int, *_: int) -> Event:
    sentence = f"No free tile lies behind the pawn; {_name(seat)} takes nothing."
    return event("A13", TookNothing(seat), sentence)


def _drew(s: Any, seat: int, count: int, *_: int) -> Event:
    return event("A14", Drew(seat, count, count * CARD_VALUE), f"{_name(seat)} draws {_cards(count)}.")


def _new_deck(s: Any, seat: int, count: int, *_: int) -> Event:
    return event(
        "A14", NewDeck(count), f"The discards are shuffled into a new deck of {counted(count, 'card')}."
    )


def _shows(s: Any, seat: int, *_: int) -> Event:
    shown = cards_of(s.known[seat])  # what A10 has shown is what is known now
    hand = either([f"{count} {item}" for item, count in shown.items()], "and") or "an empty hand"
    return event("A10", Shows(seat, shown), f"{_name(seat)} cannot move and shows {hand}.")


def _arrived(s: Any, seat: int, *_: int) -> Event:
    sentence = f"{_name(seat)}'s third pawn is on the mainland: the game ends."
    return event("A18", Arrived(seat), sentence)


def _stuck(s: Any, seat: int, *_: int) -> Event:
    return event("A10", Stuck(seat), "Nobody can move or draw any more: the game ends.")


def _settled(s: Any, seat: int, cost: int, loss: int, _: int) -> Event:
    """A19–A21: the last ways, what they took, and the score."""
    score = s.purse[seat] + s.hand_size[seat] * CARD_VALUE - s.losses[seat]
    facts = Settled(seat, cost, -loss, score)
    if cost == 0:
        return event("A21", facts, f"{_name(seat)} owes nothing and scores {score}.")
    why = "" if score >= 0 else ", more than there was"
    return event("A20", facts, f"{_name(seat)} owes {cost}, loses {loss}{why}, and scores {score}.")


_TELL: dict[int, Callable[..., Event]] = {
    BOUGHT: _bought,
    BRIDGED: _bridge,
    PLAYED: _card,
    CROSSED: _gap,
    OWES: _owes,
    PAID_TILE: _paid_tile,
    PAID_CARD: _paid_card,
    TOOK: _took,
    TOOK_NOTHING: _took_nothing,
    DREW: _drew,
    SHUFFLED: _new_deck,
    SHOWED: _shows,
    ALL_ARRIVED: _arrived,
    STUCK: _stuck,
    SETTLED: _settled,
}


def scoring(s: Any, log: Iterable[Event]) -> list[Event]:
    """A20, A21: where the scores come from as they stand, as points of seats."""
    found = []
    for seat in range(s.players):
        name, loss = _name(seat), s.losses[seat]
        tiles, cards = s.purse[seat], s.hand_size[seat]
        found += [
            event("A21", TilePoints(seat, tiles), f"{name} has tiles worth {tiles}."),
            event("A21", CardPoints(seat, cards * CARD_VALUE), f"{name} has {_cards(cards)}."),
            event("A20", LostPoints(seat, -loss), f"{name} loses {loss} for the last ways."),
        ]
    return [each for each in found if each.arguments.points]
