"""Atlantis: what a seat may see."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Literal

import msgspec

from laguna.games.atlantis import rules
from laguna.games.atlantis.actions import ACTION, Move, On, Pay
from laguna.games.atlantis.components import CARDS_BOUGHT, CHAIN, COPIES, ITEMS, MAINLAND, PAY
from laguna.games.atlantis.landing import NOWHERE, landing
from laguna.games.atlantis.names import NAMES, PHASES, Cards, Item, Phase, Tile, cards_of, tile_of, tiles_of
from laguna.games.atlantis.payment import proposal
from laguna.games.contract import Fields, GameView


class Land(Fields, frozen=True):
    """A space of the path that is not water."""

    tile: Tile  # the top one
    height: Literal[1, 2]  # how many tiles lie there


class Gap(Fields, frozen=True):
    """A11, A16: water between two spaces of land."""

    after: int
    before: int
    cost: int  # to cross it now
    bridge: bool
    builders: list[int]  # the seats whose bridges lead over it


class Gone(Fields, frozen=True):
    """What has left the game."""

    tiles: list[Tile]
    cards: Cards


class Unseen(Fields, frozen=True):
    """How many cards of each item are in the deck or in other hands."""

    amphora: int
    wreath: int
    olive: int
    coins: int
    weapon: int
    lyre: int
    sickle: int


class Running(Fields, frozen=True):
    """A8, A12: a move that is not finished."""

    start: int = msgspec.field(name="from")
    at: int
    due: int  # what is still to be paid


class Taken(Fields, frozen=True):
    """A13: the tile that a move would bring."""

    space: int
    tile: Tile


class Way(Fields, frozen=True):
    """Where a card would lead the pawn on `from`, and what it would bring."""

    start: int = msgspec.field(name="from")
    card: Item
    to: int
    cost: int  # of the whole move
    goes_on: bool  # a pawn stands there: another card must follow
    takes: Taken | None


class AtlantisView(GameView, frozen=True, kw_only=True):
    """A22: what a seat may know."""

    legal: list[ACTION]
    phase: Phase
    board: dict[str, Land]  # by the number of the space
    gaps: list[Gap]
    pawns: list[list[int]]  # of each seat, ascending
    tiles: list[list[Tile]]  # of each seat
    tiles_worth: list[int]  # A21: the points of each seat's tiles
    bridges: list[int | None]  # the space each seat named its bridge by; None before it is built
    hand: Cards | None  # your own
    hand_sizes: list[int]
    deck_size: int
    discards: Cards
    gone: Gone
    unseen: Unseen
    move: Running | None
    previews: list[Way]  # where each of your legal cards leads
    payment: list[Pay]  # A12: while you owe, the pieces that pay it with the least loss
    cards_bought: list[int]  # A6: how many cards a tile of each value from 0 to 7 buys now
    losses: list[int]  # A20: of each seat


VIEW = AtlantisView
SPACE_NAMES = tuple(map(str, range(MAINLAND)))
NUMBERS = {name: number for number, name in enumerate(NAMES)}
BOUGHT = CARDS_BOUGHT.tolist()


def public(s: Any, **common: Any) -> dict[str, Any]:
    """A22: what everyone may know, and nothing else."""
    players, phase = s.players, s.phase
    left = s.deck_size + s.discard_size
    return dict(
        phase=PHASES[phase],
        board=_board(s),
        gaps=_gaps(s),
        pawns=[list(own) for own in s.pawns[:players]],
        tiles=[tiles_of(own) for own in s.tiles[:players]],
        tiles_worth=s.purse[:players],
        bridges=[space or None for space in s.bridges[:players]],
        hand_sizes=s.hand_size[:players],
        deck_size=s.deck_size,
        discards=cards_of(s.discards),
        gone=Gone(tiles_of(s.tiles[rules.GONE]), cards_of(s.gone_cards)),
        move=Running(s.start, s.at, s.due) if phase in (CHAIN, PAY) else None,
        cards_bought=[min(cards, left) for cards in BOUGHT],
        losses=s.losses[:players],
        **common,
    )


def own(s: Any, *, seat: int | None, **common: Any) -> dict[str, Any]:
    """A22: what this seat (None: a spectator) sees besides, and nothing else."""
    return dict(
        hand=None if seat is None else cards_of(s.hand[seat]),
        unseen=_unseen(s, seat),
        previews=_previews(s, common["legal"]),
        payment=proposal(s) if s.phase == PAY and seat == s.turn else [],
        seat=seat,
        **common,
    )


def _board(s: Any) -> dict[str, Land]:
    stacks = zip(SPACE_NAMES, s.top, s.below, strict=True)
    return {name: _land(top, below > 0) for name, top, below in stacks if top}


@cache
def _land(top: int, stacked: bool) -> Land:
    return Land(tile_of(top), 2 if stacked else 1)


def _gaps(s: Any) -> list[Gap]:
    """A11, A16: where the water is, what it costs now, and whose bridges lead over it."""
    found = []
    toll, built = s.toll, [(seat, space) for seat, space in enumerate(s.bridges) if space]
    for after, before in _water(s.land):
        builders = [seat for seat, space in built if after <= space < before]
        found.append(Gap(after, before, toll[before] - toll[after], bool(builders), builders))
    return found


@lru_cache(maxsize=1000)  # all seats see the same path
def _water(land: int) -> list[tuple[int, int]]:
    """The spaces of land before and behind each gap."""
    gaps = int(rules.gaps(land))
    spaces = [space for space in range(1, MAINLAND) if gaps >> space & 1]
    return [(space, int(rules.land_behind(land, space))) for space in spaces]


def _unseen(s: Any, seat: int | None) -> Unseen:
    own = [0] * ITEMS if seat is None else s.hand[seat]
    seen = map(sum, zip(s.discards, s.gone_cards, own, strict=True))
    return Unseen(*(COPIES - count for count in seen))


def _previews(s: Any, legal: list[Any]) -> list[Way]:
    """Where each legal card leads, what the whole way costs, and which tile would be taken there."""
    found = []
    for action in legal:
        match action:
            case Move(start, card):
                found.append(_way(s, start, start, card))
            case On(card):
                found.append(_way(s, s.start, s.at, card))
    return found


def _way(s: Any, start: int, place: int, card: Item) -> Way:
    """A card of the move that began at `start`, whose pawn is on `place` now."""
    leaves = place if place == start else NOWHERE
    end, goes_on, space = landing(s.shows[NUMBERS[card]], place, leaves, s.occupied, s.land)
    takes = Taken(space, tile_of(s.top[space])) if space else None
    return Way(place, card, end, s.toll[end] - s.toll[start], goes_on, takes)
