"""Atlantis: what a beginner should look at before moving, building or ending the turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Literal

import msgspec

from laguna.errors import counted
from laguna.games.atlantis.actions import Bridge, Buy, Move, On
from laguna.games.atlantis.components import CARD_VALUE, MAINLAND, PAWNS
from laguna.games.atlantis.meta import META
from laguna.games.atlantis.names import Item, Tile, place_name
from laguna.games.contract import Event, Facts, event

GOOD = 5  # what a tile should bring, less the water, to be worth pointing out
MUCH = 6  # what a bridge should save
FEW = 1  # cards in hand, with which a move may soon be impossible


class Ends(Facts, frozen=True):
    """A18: a card brings the third pawn home without cost; the scores that the game then ends with."""

    key: ClassVar = "ends"
    start: int = msgspec.field(name="from")
    card: Item
    score: int
    best: int  # of the others
    outcome: Literal["win", "tie", "loss"]


class Debt(Facts, frozen=True):
    """A19: another can end the game with one pawn; what the water ahead of your pawns costs then."""

    key: ClassVar = "debt"
    seat: int
    due: int
    means: int  # A20: what your tiles and cards are worth


class Home(Facts, frozen=True):
    """A9, A14: a card brings a pawn home, and from then on a card more every turn."""

    key: ClassVar = "home"
    start: int = msgspec.field(name="from")
    card: Item
    cost: int


class BestTile(Facts, frozen=True):
    """A13: of all single cards, this one brings most, less the water."""

    key: ClassVar = "tile"
    start: int = msgspec.field(name="from")
    card: Item
    to: int
    tile: Tile
    cost: int


class Unbridged(Facts, frozen=True):
    """A16: the water that costs your pawns most, and that your bridge can make free."""

    key: ClassVar = "unbridged"
    after: int
    before: int
    cost: int
    pawns: int  # of yours that have it ahead of them
    others: int  # pawns of others that have


class TradeIn(Facts, frozen=True):
    """A6: you have few cards; the tile that loses least when traded in."""

    key: ClassVar = "trade-in"
    tile: Tile
    cards: int  # that it brings
    held: int  # cards in hand


FACTS = (Ends, Debt, Home, BestTile, Unbridged, TradeIn)


def advice(view: Any, preview: Callable[[Any], Sequence[Event]]) -> list[Event]:
    """What the seat of this view should look at, the most important first."""
    if view.phase == "pay":
        return []
    found = [*_ends(view, preview), *_debt(view), *_home(view), *_tile(view), *_bridge(view), *_trade(view)]
    return found


# ------------------------------------------------------------------ the end


def _ends(view: Any, preview: Callable[[Any], Sequence[Event]]) -> Iterator[Event]:
    """All cards that lead home at once take the same tile, so one of them is looked at."""
    if view.pawns[view.seat].count(MAINLAND) < PAWNS - 1:
        return
    for way in [way for way in view.previews if way.to == MAINLAND and way.cost == 0][:1]:
        action = On(way.card) if view.phase == "chain" else Move(way.start, way.card)
        settled = [each.arguments for each in preview(action) if each.key == "settled"]
        scores = {facts.seat: facts.score for facts in settled}
        if len(scores) < view.players:
            return
        score = scores.pop(view.seat)
        best = max(scores.values())
        outcome: Literal["win", "tie", "loss"] = "win" if score > best else "loss" if score < best else "tie"
        facts = Ends(way.start, way.card, score, best, outcome)
        sentence = f"A card ({way.card}) brings your third pawn home and ends the game at {score} to {best}."
        yield event("A18", facts, sentence)


def _debt(view: Any) -> Iterator[Event]:
    due = sum(gap.cost for pawn in view.pawns[view.seat] for gap in view.gaps if pawn <= gap.after)
    near = [seat for seat, pawns in enumerate(view.pawns) if pawns.count(MAINLAND) == PAWNS - 1]
    if view.phase == "chain" or not due:
        return
    for seat in [seat for seat in near if seat != view.seat][:1]:
        means = view.tiles_worth[view.seat] + view.hand_sizes[view.seat] * CARD_VALUE
        name = META.seat_name(seat)
        sentence = (
            f"{name} can end the game with one more pawn; you would then owe {due} for the water ahead."
        )
        yield event("A19", Debt(seat, due, means), sentence)


# ------------------------------------------------------------------ moves


def _home(view: Any) -> Iterator[Event]:
    """The cheapest way home, unless it ends the game."""
    if view.pawns[view.seat].count(MAINLAND) >= PAWNS - 1:
        return
    ways = sorted((way for way in view.previews if way.to == MAINLAND), key=lambda way: way.cost)
    for way in ways[:1]:
        cost = f" for {way.cost}" if way.cost else ""
        sentence = f"A card ({way.card}) brings a pawn home{cost}: then you draw a card more every turn."
        yield event("A14", Home(way.start, way.card, way.cost), sentence)


def _tile(view: Any) -> Iterator[Event]:
    ways = [way for way in view.previews if way.takes and way.takes.tile.value - way.cost >= GOOD]
    ways.sort(key=lambda way: (way.cost - way.takes.tile.value, way.cost))
    for way in ways[:1]:
        facts = BestTile(way.start, way.card, way.to, way.takes.tile, way.cost)
        where = f"from {place_name(way.start)} to {place_name(way.to)}"
        cost = f"; the water costs {way.cost}" if way.cost else ""
        sentence = f"A card ({way.card}) leads {where} and brings {way.takes.tile}{cost}."
        yield event("A13", facts, sentence)


# ------------------------------------------------------------------ bridges and cards


def _bridge(view: Any) -> Iterator[Event]:
    """Before the move only water that a card would lead across."""
    found = []
    for gap in view.gaps:
        pawns = sum(pawn <= gap.after for pawn in view.pawns[view.seat])
        crossed = any(way.start <= gap.after < way.to for way in view.previews)
        if Bridge(gap.after) in view.legal and (crossed or view.phase == "after"):
            found.append((-pawns * gap.cost, gap.after, gap, pawns))
    for saved, _, gap, pawns in sorted(found, key=lambda each: each[:2])[:1]:
        if -saved >= MUCH:
            ahead = sum(pawn <= gap.after for own in view.pawns for pawn in own)
            facts = Unbridged(gap.after, gap.before, gap.cost, pawns, ahead - pawns)
            where = f"between spaces {gap.after} and {gap.before}"
            who = f"{counted(pawns, 'pawn')} of yours"
            sentence = f"The water {where} costs {gap.cost}, for {who}; your bridge makes it free."
            yield event("A16", facts, sentence)


def _trade(view: Any) -> Iterator[Event]:
    held = view.hand_sizes[view.seat]
    tiles = [action.tile for action in view.legal if isinstance(action, Buy)]
    if held <= FEW and tiles:
        tile = min(tiles, key=lambda tile: (tile.value - view.cards_bought[tile.value], tile.value))
        cards = view.cards_bought[tile.value]
        sentence = f"You have {counted(held, 'card')}: {tile} can be traded in for {cards} more."
        yield event("A6", TradeIn(tile, cards, held), sentence)
