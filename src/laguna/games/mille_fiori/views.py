"""Mille Fiori: what a seat may see."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Literal

from laguna.games.contract import Fields, GameView
from laguna.games.mille_fiori import rules
from laguna.games.mille_fiori.actions import Form, Keep
from laguna.games.mille_fiori.components import (
    BONUS_POINTS,
    HARBOR,
    LEVEL_POINTS,
    MIDDLE,
    NO_CARD,
    PICKS,
    RESERVE,
    RESIDENCES,
    ROUNDS,
    ROWS,
    SEA_EXTRA_CARDS,
    SEA_POINTS,
    TOP,
    TRADE,
    TRIPLES,
    WHEEL_OF,
    WORKSHOPS,
)
from laguna.games.mille_fiori.names import (
    AREA_CELLS,
    CARD_NAMES,
    PHASES,
    Phase,
    board,
    bonus,
    card_list,
    display_list,
)
from laguna.games.mille_fiori.prospects import Prospect, card_in_play, prospects, supply_is_empty
from laguna.games.mille_fiori.rules import OVER, PLAYING
from laguna.kernel import calls


class BonusCells(Fields, frozen=True):
    """M13: the seats on each group's bonus cells, from 20 points downward."""

    workshops: list[int]
    residences: list[int]
    nobles: list[int]
    commoners: list[int]
    trade: list[int]


class Printed(Fields, frozen=True):
    """The points that are printed on the board: the same in every game."""

    bonus: list[int]  # M13: of a group's bonus cells, in the order they are taken
    levels: list[int]  # M23: of a townsperson at the bottom, in the middle and at the top
    sea: list[int]  # M34: of each space; the ships start on space 0 and the last is the end
    sea_extra_cards: list[int]  # M34: the spaces that give an extra card


class MilleFioriView(GameView, frozen=True, kw_only=True):
    """M42: what a seat may know."""

    legal: list[Form]
    deciders: list[int]  # who still has to decide now; several while all keep a card at once
    chosen: Keep | None  # what you chose before your turn, until all have
    phase: Phase
    round: int
    rounds: int
    pick: int  # M6: which card of the round is kept or played now, from 1
    picks: int
    doge: int
    board: dict[str, int]  # whose lozenge lies on each filled cell
    bonus: BonusCells
    supply: list[int]  # lozenges left to each seat, without the reserve
    reserve: list[int]
    ships: list[int]  # the space of each seat's ship
    display: list[str]
    discards: list[str]  # the last is on top
    deck_size: int
    card: str | None  # the card in play, if you may see it
    hand: list[str] | None  # yours, while players look at their hands
    hand_sizes: list[int]
    kept: str | None  # the card you kept and have not played yet
    remembered: list[list[str] | None] | None  # the cards of the hand at each seat, if you had it in hand
    reason: Literal["lozenges", "deck"] | None  # why the game is over
    printed: Printed
    usable: list[int]  # M12, M40: lozenges that each seat may still place
    have_kept: list[int]  # M5: the seats that have kept a card and wait for the others
    next_residence: str | None  # M18: the cell that is filled next; None: the row is full
    symbols: list[bool]  # M17: whether each extra-card symbol of the workshops can still earn a card
    fleets: list[int | None]  # M32: what each ship of a row would score now; None: the fleet has left
    sails_to: int | None  # M35: the space where the card in play would take its player's ship
    prospects: list[Prospect]  # of the cards that you choose from, and of the one that you have to play


VIEW = MilleFioriView
PRINTED = Printed(
    bonus=BONUS_POINTS.tolist(),
    levels=[int(LEVEL_POINTS[first]) for first in (0, MIDDLE, TOP)],
    sea=SEA_POINTS.tolist(),
    sea_extra_cards=list(SEA_EXTRA_CARDS),
)


def public(s: Any, **common: Any) -> dict[str, Any]:
    """M42: what everyone may know, and nothing else."""
    players = s.players
    left = s.lozenges[:players]
    reserve_too = bool(supply_is_empty(s.record.reshape(1)))
    return dict(
        phase=PHASES[s.phase],
        round=s.round_number,
        rounds=int(ROUNDS[players]),
        pick=s.pick,
        picks=int(PICKS[players]),
        doge=s.doge,
        board=board(s),
        bonus=BonusCells(**bonus(s)),
        supply=[max(count - RESERVE, 0) for count in left],
        reserve=[min(count, RESERVE) for count in left],
        ships=s.ships[:players],
        display=display_list(s),
        discards=card_list(s.discards),
        deck_size=s.deck_size,
        hand_sizes=[len(own) - own.count(NO_CARD) for own in s.hand[:players]],
        reason=_reason(s, reserve_too),
        printed=PRINTED,
        usable=[_usable(count, reserve_too) for count in left],
        have_kept=_have_kept(s, common["deciders"]),
        next_residence=_next_residence(s),
        symbols=list(_symbols(_filled(s, WORKSHOPS))),
        fleets=_fleets(s),
        **common,
    )


def own(s: Any, *, seat: int | None, **common: Any) -> dict[str, Any]:
    """M42: what this seat (None: a spectator) sees besides, and nothing else."""
    looks = bool(rules.looks_at_hand(s.phase, s.draft))
    return dict(
        card=CARD_NAMES[_card_shown(s, seat)],
        hand=card_list(s.hand[seat]) if seat is not None and looks else None,
        kept=None if seat is None else CARD_NAMES[s.kept[seat]],
        remembered=None if seat is None else _remembered(s, seat, looks),
        sails_to=_sails_to(s, seat),
        prospects=[] if seat is None or not common["legal"] else prospects(s, seat),
        seat=seat,
        **common,
    )


def _card_shown(s: Any, seat: int | None) -> int:
    """M42: the card in play: an extra card shows, a kept one only to its owner."""
    if s.phase != PLAYING or (s.extra_card == NO_CARD and seat != s.turn):
        return NO_CARD
    return int(card_in_play(s.record.reshape(1)))


@cache
def _usable(lozenges: int, reserve_too: bool) -> int:
    return int(rules.usable(lozenges, reserve_too))


@cache
def _chooser(seat: int, place: int, looks: bool, pick: int, players: int) -> tuple[int, bool]:
    """Who chose from the hand that lies at a place, and has this seat held it?"""
    chooser = int(rules.chooser_of(place, looks, players))
    return chooser, bool(rules.has_seen(seat, chooser, pick, players))


def _remembered(s: Any, seat: int, looks: bool) -> list[list[str] | None]:
    """M42: the cards of the hand that lies at each place, if this seat has held it.

    Another seat's kept card is among them until it is played: which one it is remains secret.
    """
    found: list[list[str] | None] = []
    for place in range(s.players):
        chooser, seen = _chooser(seat, place, looks, s.pick, s.players)
        if seen:
            kept = [s.kept[chooser]] if chooser != seat else []
            found.append(card_list(sorted(s.hand[place] + kept)))
        else:
            found.append(None)
    return found


def _reason(s: Any, reserve_too: bool) -> Literal["lozenges", "deck"] | None:
    """M39, M40: why the game is over."""
    if s.phase != OVER:
        return None
    return "lozenges" if reserve_too else "deck"


def _have_kept(s: Any, deciders: list[int]) -> list[int]:
    """M5, M42: with the open draft nobody has a card that others wait for."""
    if not calls.is_secret(s.record.reshape(1)):
        return []
    return [seat for seat in range(s.players) if seat not in deciders]


def _filled(s: Any, area: int) -> int:
    """The cells of an area with a lozenge, as bits."""
    return sum(s.own[area])


@lru_cache(maxsize=1000)
def _symbols(workshops: int) -> list[bool]:
    return [not rules.is_surrounded(workshops, cells[0]) for cells in TRIPLES]


def _next_residence(s: Any) -> str | None:
    names = AREA_CELLS[RESIDENCES]
    cell = int(rules.next_in_row(_filled(s, RESIDENCES), len(names)))  # one bit, or none
    return names[cell.bit_length() - 1] if cell else None


def _fleets(s: Any) -> list[int | None]:
    return list(_fleets_of(_filled(s, HARBOR), _filled(s, TRADE)))


@lru_cache(maxsize=1000)  # all seats see the same board
def _fleets_of(ships: int, goods: int) -> list[int | None]:
    return [None if rules.has_left(ships, row) else int(rules.fleet_value(goods, row)) for row in range(ROWS)]


def _sails_to(s: Any, seat: int | None) -> int | None:
    card = _card_shown(s, seat)
    return None if card == NO_CARD else rules.stops_at(s.ships[s.turn], int(WHEEL_OF[card]))
