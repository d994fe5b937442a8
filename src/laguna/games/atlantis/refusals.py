"""Atlantis: why an action is not allowed."""

from __future__ import annotations

from typing import Any

import msgspec

from laguna.errors import IllegalAction
from laguna.games.atlantis import rules
from laguna.games.atlantis.actions import ACTIONS, Bridge, Buy, Draw, Move, On, Pay, no_gap, refuse
from laguna.games.atlantis.components import AFTER, CARD_VALUE, CHAIN, PAY, TURN
from laguna.games.atlantis.meta import META
from laguna.games.atlantis.names import NAMES, Item, Tile, place_name, tiles_of


def refusal(s: Any, code: int) -> IllegalAction:
    """Why an action of the seat to move is not allowed, and what is."""
    action, phase = ACTIONS[code].struct, s.phase
    match action:
        case Bridge(after) if phase in (TURN, AFTER):
            return _no_bridge(s, after)
        case Buy(tile) if phase == TURN:
            return _no_buy(s, tile)
        case Move(start, card) if phase == TURN:
            return _no_move(s, start, card)
        case Draw() if phase == TURN:
            text = f"{_name(s)} can move, and may draw instead only without a legal move"
            return refuse(s, "can-move", text, "A10")
        case On(card) if phase == CHAIN:
            return _no_card(s, s.start, s.at, card)
        case Pay() if phase == PAY:
            return _no_payment(s, action)
    return _not_now(s, phase)


def _name(s: Any) -> str:
    return META.seat_name(s.turn)


def _not_now(s: Any, phase: int) -> IllegalAction:
    """The action belongs to another moment of the turn."""
    if phase == TURN:
        return refuse(s, "not-now", f"{_name(s)} has not moved yet", "A7")
    if phase == CHAIN:
        text = f"A pawn stands on {place_name(s.at)} already, so another card must be played"
        return refuse(s, "chain", text, "A8", place=s.at)
    if phase == PAY:
        return refuse(s, "owes", f"{_name(s)} still owes {s.due} for the water", "A12", due=s.due)
    text = "Once the tile is taken, only a bridge can be built before the turn ends"
    return refuse(s, "after", text, "A16")


def _no_buy(s: Any, tile: Tile) -> IllegalAction:
    if s.bought:
        return refuse(s, "bought", "Only one tile a turn buys cards", "A6")
    if s.bridged:
        return refuse(s, "buy-first", "Cards are bought before anything else", "A6")
    if s.deck_size + s.discard_size == 0:
        return refuse(s, "no-cards", "There is no card left to buy", "A6")
    own = [[each.item, each.value] for each in tiles_of(s.tiles[s.turn])]
    text = f"{_name(s)} has no tile {tile}"
    return refuse(s, "no-tile", text, "A6", tile=[tile.item, tile.value], own=own)


def _no_bridge(s: Any, space: int) -> IllegalAction:
    if s.bridges[s.turn] > 0:
        built = s.bridges[s.turn]
        text = f"{_name(s)}'s bridge is already built, behind space {built}"
        return refuse(s, "no-bridge", text, "A16", after=built)
    if not int(rules.gaps(s.land)) >> space & 1:
        return no_gap(s, space)
    return refuse(s, "bridged", f"The gap behind space {space} already has a bridge", "A16", after=space)


def _no_move(s: Any, start: int, card: Item) -> IllegalAction:
    if start not in s.pawns[s.turn]:
        text = f"No pawn of {_name(s)} stands on {place_name(start)}"
        return refuse(s, "no-pawn", text, "A7", place=start)
    return _no_card(s, start, start, card)


def _no_card(s: Any, start: int, place: int, card: Item) -> IllegalAction:
    """A7, A8, A12: not in hand, too expensive, or a chain that leads nowhere."""
    item, seat = NAMES.index(card), s.turn
    if s.hand[seat][item] == 0:
        return refuse(s, "not-in-hand", f"There is no {card} card in {_name(s)}'s hand", "A7", card=card)
    end = int(rules.next_space(s.shows[item], place))
    cost = s.toll[end] - s.toll[start]
    means = s.purse[seat] + (s.hand_size[seat] - 1) * CARD_VALUE
    if cost > means:
        text = f"The way to {place_name(end)} costs {cost}, and {_name(s)} would have {means} to pay with"
        return refuse(s, "too-dear", text, "A12", card=card, to=end, cost=cost, means=means)
    leads = f"{card.capitalize()} leads to {place_name(end)}, where a pawn stands"
    text = f"{leads}, and no other card in hand leads on to a place that is free and can be paid for"
    return refuse(s, "blocked", text, "A8", card=card, to=end)


def _no_payment(s: Any, action: Pay) -> IllegalAction:
    if action.tile is not msgspec.UNSET:
        piece, owned = str(action.tile), s.tiles[s.turn][action.tile.code] > 0
    else:
        assert action.card is not msgspec.UNSET
        piece, owned = action.card, s.hand[s.turn][NAMES.index(action.card)] > 0
    if not owned:
        return refuse(s, "not-owned", f"{_name(s)} has no {piece} to pay with", "A12", piece=piece)
    text = f"With {piece}, one piece too many would be paid: {s.due} is still owed"
    return refuse(s, "not-needed", text, "A12", piece=piece, due=s.due)
