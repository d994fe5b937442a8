"""Atlantis in words: actions, events, refusals, and what a seat may see."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from laguna.errors import IllegalAction, either
from laguna.games.atlantis import rules
from laguna.games.atlantis.components import (
    AFTER,
    ALL_ARRIVED,
    ATLANTIS,
    BOUGHT,
    BRIDGED,
    CHAIN,
    COPIES,
    CROSSED,
    DREW,
    ITEM_SHIFT,
    ITEMS,
    LAST_BEFORE_GAP,
    MAINLAND,
    OWES,
    PAID_CARD,
    PAID_TILE,
    PAY,
    PLAYED,
    SETTLED,
    SHOWED,
    SHUFFLED,
    SPACES,
    STUCK,
    TOOK,
    TOOK_NOTHING,
    TURN,
    VALUE_OF,
    VALUES,
)
from laguna.games.atlantis.meta import META
from laguna.games.contract import Action, Event, in_order

NAMES = ("amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle")
SHORT = tuple(name[:2] for name in NAMES)  # no two begin alike
PHASES = ("turn", "chain", "pay", "after", "over")

Item = Literal["amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle"]


class Tile(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """A2: a path tile, written as ["lyre", 5]."""

    item: Item
    value: Annotated[int, msgspec.Meta(ge=1, le=VALUES)]

    def __str__(self) -> str:
        return f"{self.item} {self.value}"

    @property
    def code(self) -> int:
        return NAMES.index(self.item) << ITEM_SHIFT | self.value

    @property
    def data(self) -> list[Any]:
        return [self.item, self.value]


@cache
def tile_of(code: int) -> Tile:
    """The tile that the rules know by this number."""
    return Tile(NAMES[code >> ITEM_SHIFT], code & VALUE_OF)  # type: ignore[arg-type]


# ------------------------------------------------------------------ actions


class Form(msgspec.Struct, forbid_unknown_fields=True, frozen=True, tag_field="do", tag=str.lower):
    """What all actions have in common: `do` says which of these it is."""


class Buy(Form, frozen=True):
    """A6: give up this own tile for cards."""

    tile: Tile


class Bridge(Form, frozen=True):
    """A16: over the gap behind this space."""

    after: Annotated[int, msgspec.Meta(ge=1, le=LAST_BEFORE_GAP)]


class Move(Form, frozen=True, rename={"start": "from"}):
    """A7: the own pawn on this space, by this card."""

    start: Annotated[int, msgspec.Meta(ge=ATLANTIS, le=SPACES)]
    card: Item


class On(Form, frozen=True):
    """A8: the next card of a chain."""

    card: Item


class Pay(Form, frozen=True, omit_defaults=True):
    """A12: one piece of a payment, either a tile or a card."""

    tile: Tile | msgspec.UnsetType = msgspec.UNSET
    card: Item | msgspec.UnsetType = msgspec.UNSET


class Draw(Form, frozen=True):
    """A10: no move is legal."""


class End(Form, frozen=True):
    """A16: no bridge after the move; draw and end the turn."""


ACTION = Buy | Bridge | Move | On | Pay | Draw | End
HOW_TO_WRITE = (
    "a pawn's space and an item, such as 0 co (the pawn on 0, by coins), on ly, pay ol4, pay co, buy we5, "
    "bridge 26, draw or end"
)


def _actions() -> list[Any]:
    """Actions mean the same in every position here, so each is made once; in the order of their codes."""
    tiles = [tile_of(item << ITEM_SHIFT | value) for item in range(ITEMS) for value in range(1, VALUES + 1)]
    made: list[Any] = [Buy(tile) for tile in tiles if tile.value > 1]
    made += [Bridge(space) for space in range(1, LAST_BEFORE_GAP + 1)]
    made += [Move(space, name) for space in range(MAINLAND) for name in NAMES]  # type: ignore[arg-type]
    made += [Draw(), *(On(name) for name in NAMES)]  # type: ignore[arg-type]
    made += [Pay(tile=tile) for tile in tiles]
    return [*made, *(Pay(card=name) for name in NAMES), End()]  # type: ignore[arg-type]


def _notation(action: Any) -> str:
    if isinstance(action, Move):
        return f"{action.start} {action.card[:2]}"
    word = type(action).__name__.lower()
    if isinstance(action, Bridge):
        return f"{word} {action.after}"
    if isinstance(action, Buy) or (isinstance(action, Pay) and action.tile is not msgspec.UNSET):
        assert action.tile is not msgspec.UNSET
        return f"{word} {action.tile.item[:2]}{action.tile.value}"
    return f"{word} {action.card[:2]}" if isinstance(action, On | Pay) and action.card else word


ACTIONS = in_order(_actions(), _notation)
CODES = {action.struct: action.code for action in ACTIONS}
CODES_WRITTEN = {action.notation: action.code for action in ACTIONS}
_ITEMS_WRITTEN = "|".join(f"{name[:2]}(?:{name[2:]})?" for name in NAMES)
_WRITTEN = re.compile(
    rf"(?:(?P<word>draw|end)"
    rf"|(?P<bridge>bridge) ?(?P<after>\d{{1,2}})"
    rf"|(?:move )?(?P<start>\d{{1,2}}) ?(?P<card>{_ITEMS_WRITTEN})"
    rf"|(?P<do>buy|pay|on) (?P<item>{_ITEMS_WRITTEN})(?: ?(?P<value>[1-7]))?)"
)


def actions(s: Any) -> tuple[Action, ...]:
    """What each code means."""
    return ACTIONS


def encode(s: Any, action: Any) -> int:
    """The code of a structured action."""
    if isinstance(action, Pay) and (action.tile is msgspec.UNSET) == (action.card is msgspec.UNSET):
        raise _refuse(s, "one-piece", "One piece is paid at a time, a tile or a card", "A12")
    if isinstance(action, Buy) and action.tile.value == 1:
        raise _refuse(s, "buys-nothing", "A tile of value 1 buys no card", "A6", tile=action.tile.data)
    return CODES[action]


def parse(s: Any, text: str) -> int | None:
    """The code of an action in short form, or None if it is not one; items may be written out."""
    read = _WRITTEN.fullmatch(re.sub(r"\s+", " ", text.strip()).lower()) if len(text) <= 40 else None
    if read is None:
        return None
    if read["word"]:
        plain = read["word"]
    elif read["bridge"]:
        plain = f"bridge {int(read['after'])}"
    elif read["card"]:
        plain = f"{int(read['start'])} {read['card'][:2]}"
    else:
        plain = f"{read['do']} {read['item'][:2]}{read['value'] or ''}"
        if read["do"] == "buy" and read["value"] == "1":
            return encode(s, Buy(tile_of(SHORT.index(read["item"][:2]) << ITEM_SHIFT | 1)))
    return CODES_WRITTEN.get(plain)


def is_public(action: Any) -> bool:
    """A22: everybody sees cards played and paid, tiles given up and bridges."""
    return True


# ------------------------------------------------------------------ refusals


def refusal(s: Any, code: int) -> IllegalAction:
    """Why an action of the seat to move is not allowed, and what is."""
    action, phase = ACTIONS[code].struct, s.phase
    if isinstance(action, Bridge) and phase in (TURN, AFTER):
        return _no_bridge(s, action.after)
    if phase == TURN and isinstance(action, Buy):
        return _no_buy(s, action.tile)
    if phase == TURN and isinstance(action, Move):
        if action.start not in s.pawns[s.turn]:
            text = f"No pawn of {_name(s)} stands on {place_name(action.start)}"
            return _refuse(s, "no-pawn", text, "A7", place=action.start)
        return _no_card(s, action.start, action.start, action.card)
    if phase == TURN and isinstance(action, Draw):
        return _refuse(s, "can-move", f"{_name(s)} can move, and draws instead only without any move", "A10")
    if phase == CHAIN and isinstance(action, On):
        return _no_card(s, int(s.start), int(s.at), action.card)
    if phase == PAY and isinstance(action, Pay):
        return _no_payment(s, action)
    return _not_now(s, phase)


def _name(s: Any) -> str:
    return META.seat_name(int(s.turn))


def _legal(s: Any) -> list[Action]:
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    return [ACTIONS[code] for code in out[: rules.legal(s.record, out)].tolist()]


def _refuse(s: Any, key: str, sentence: str, clause: str, **arguments: Any) -> IllegalAction:
    """The reason, and what the player may do instead."""
    legal = [str(action) for action in _legal(s)]
    may = either(legal) if len(legal) < 5 else f"{', '.join(legal[:4])} and {len(legal) - 4} more"
    return IllegalAction(
        key,
        f"{sentence}; {_name(s)} may play {may} ({clause}).",
        clause=clause,
        seat=int(s.turn),
        **arguments,
    )


def _not_now(s: Any, phase: int) -> IllegalAction:
    """The action belongs to another moment of the turn."""
    if phase == TURN:
        return _refuse(s, "not-now", f"{_name(s)} has not moved yet", "A7")
    if phase == CHAIN:
        text = f"A pawn stands on {place_name(int(s.at))} already, so another card must be played"
        return _refuse(s, "chain", text, "A8")
    if phase == PAY:
        return _refuse(s, "owes", f"{_name(s)} still owes {int(s.due)} for the water", "A12", due=int(s.due))
    return _refuse(
        s, "after", "After the tile is taken only a bridge can be built before the turn ends", "A16"
    )


def _no_buy(s: Any, tile: Tile) -> IllegalAction:
    if s.bought:
        return _refuse(s, "bought", "Only one tile a turn buys cards", "A6")
    if s.bridged:
        return _refuse(s, "buy-first", "Cards are bought before anything else", "A6")
    if s.deck_size + s.discard_size == 0:
        return _refuse(s, "no-cards", "There is no card left to buy", "A6")
    text = f"{_name(s)} has no tile {tile}"
    return _refuse(s, "no-tile", text, "A6", tile=tile.data, own=_tiles(s, s.turn))


def _no_bridge(s: Any, space: int) -> IllegalAction:
    if s.bridges[s.turn] > 0:
        built = int(s.bridges[s.turn])
        return _refuse(s, "no-bridge", f"{_name(s)}'s bridge stands already, behind space {built}", "A16")
    if not int(rules.gaps(s.land)) >> space & 1:
        return _refuse(s, "no-gap", f"There is no gap behind space {space}", "A15", after=space)
    return _refuse(s, "bridged", f"The gap behind space {space} has a bridge", "A16", after=space)


def _no_card(s: Any, start: int, place: int, card: str) -> IllegalAction:
    """A7, A8, A12: not in hand, too dear, or a chain that leads nowhere."""
    item, seat = NAMES.index(card), int(s.turn)
    if s.hand[seat][item] == 0:
        return _refuse(s, "not-in-hand", f"There is no {card} card in {_name(s)}'s hand", "A7", card=card)
    end = int(rules.next_space(s.shows[item], place))
    cost = int(s.toll[end] - s.toll[start])
    means = int(s.purse[seat] + s.hand_size[seat]) - 1
    if cost > means:
        text = f"The way to {place_name(end)} costs {cost}, and {_name(s)} would have {means} to pay with"
        return _refuse(s, "too-dear", text, "A12", card=card, to=end, cost=cost, means=means)
    leads = f"{card.capitalize()} leads to {place_name(end)}, where a pawn stands"
    text = f"{leads}, and no other card in hand leads on to a place that is free and can be paid for"
    return _refuse(s, "blocked", text, "A8", card=card, to=end)


def _no_payment(s: Any, action: Pay) -> IllegalAction:
    if action.tile is not msgspec.UNSET:
        piece, owned = str(action.tile), s.tiles[s.turn][action.tile.code] > 0
    else:
        assert action.card is not msgspec.UNSET
        piece, owned = action.card, s.hand[s.turn][NAMES.index(action.card)] > 0
    if not owned:
        return _refuse(s, "not-owned", f"{_name(s)} has no {piece} to pay with", "A12", piece=piece)
    text = f"With {piece} the {int(s.due)} still owed cannot be paid without a piece too many"
    return _refuse(s, "not-needed", text, "A12", piece=piece, due=int(s.due))


# ------------------------------------------------------------------ events


def events(s: Any) -> list[Event]:
    """What the last action did, as the rules noted it."""
    return [_event(s, *numbers) for numbers in s.events[: s.event_count]]


def place_name(place: int) -> str:
    return {ATLANTIS: "Atlantis", MAINLAND: "the mainland"}.get(place, f"space {place}")


def _cards_text(count: int) -> str:
    return "no card" if count == 0 else "1 card" if count == 1 else f"{count} cards"


def _event(s: Any, kind: int, seat: int, first: int, second: int, third: int) -> Event:
    name = META.seat_name(seat)
    if kind in (BOUGHT, PAID_TILE, TOOK):
        return _tile_event(kind, seat, tile_of(first), second)
    if kind == BRIDGED:
        text = f"{name} builds the bridge between spaces {first} and {second}."
        return Event("A16", "bridge", {"seat": seat, "after": first, "before": second}, text)
    if kind == PLAYED:
        text = f"{name} plays {NAMES[first]}: a pawn goes from {place_name(second)} to {place_name(third)}."
        arguments = {"seat": seat, "card": NAMES[first], "from": second, "to": third}
        return Event("A9" if third == MAINLAND else "A7", "card", arguments, text)
    if kind == CROSSED:
        text = f"The gap between spaces {first} and {second} " + (
            f"costs {third}." if third else "has a bridge."
        )
        arguments = {"seat": seat, "after": first, "before": second, "cost": third}
        return Event("A11" if third else "A16", "gap", arguments, text)
    if kind == OWES:
        return Event("A11", "owes", {"seat": seat, "cost": first}, f"{name} owes {first} for the water.")
    if kind == PAID_CARD:
        text = f"{name} pays 1 with {NAMES[first]}."
        return Event("A12", "paid-card", {"seat": seat, "card": NAMES[first], "points": 1}, text)
    if kind == SETTLED:
        return _settled_event(s, seat, first, second)
    return _card_event(s, kind, seat, first)


def _tile_event(kind: int, seat: int, tile: Tile, space: int) -> Event:
    name = META.seat_name(seat)
    arguments: dict[str, Any] = {"seat": seat, "tile": tile.data}
    if kind == BOUGHT:
        return Event("A6", "bought", arguments, f"{name} gives up {tile} for cards.")
    arguments["points"] = tile.value
    if kind == PAID_TILE:
        return Event("A12", "paid-tile", arguments, f"{name} pays {tile.value} with {tile}.")
    sentence = f"{name} takes {tile} from space {space}."
    return Event("A13", "took", arguments | {"space": space}, sentence)


def _card_event(s: Any, kind: int, seat: int, count: int) -> Event:
    """Cards that are drawn, shown and shuffled, and what ends the game."""
    name = META.seat_name(seat)
    if kind == DREW:
        return Event("A14", "drew", {"seat": seat, "cards": count}, f"{name} draws {_cards_text(count)}.")
    if kind == SHUFFLED:
        text = f"The discards are shuffled into a new deck of {_cards_text(count)}."
        return Event("A14", "new-deck", {"cards": count}, text)
    if kind == SHOWED:  # what A10 has shown is what is known now
        shown = cards_dict(s.known[seat])
        hand = either([f"{number} {item}" for item, number in shown.items()], "and") or "an empty hand"
        text = f"{name} cannot move and shows {hand}."
        return Event("A10", "shows", {"seat": seat, "hand": shown}, text)
    if kind == TOOK_NOTHING:
        text = f"No free tile lies behind the pawn; {name} takes nothing."
        return Event("A13", "took-nothing", {"seat": seat}, text)
    if kind == ALL_ARRIVED:
        return Event(
            "A18", "arrived", {"seat": seat}, f"{name}'s third pawn is on the mainland: the game ends."
        )
    assert kind == STUCK
    return Event("A10", "stuck", {"seat": seat}, "Nobody can move or draw any more: the game ends.")


def _settled_event(s: Any, seat: int, cost: int, loss: int) -> Event:
    """A19–A21: the last ways, what they took, and the score."""
    name = META.seat_name(seat)
    points = int(s.purse[seat] + s.hand_size[seat] - s.losses[seat])
    arguments = {"seat": seat, "cost": cost, "points": -loss, "score": points}
    if cost == 0:
        return Event("A21", "settled", arguments, f"{name} owes nothing and scores {points}.")
    why = "" if points >= 0 else ", more than there was"
    return Event("A20", "settled", arguments, f"{name} owes {cost}, loses {loss}{why}, and scores {points}.")


def scoring(s: Any) -> list[Event]:
    """A20, A21: where the scores come from as they stand, as points of seats."""
    found = []
    for seat in range(s.players):
        name, loss = META.seat_name(seat), s.losses[seat]
        purse, cards = s.purse[seat], s.hand_size[seat]
        found += [
            Event("A21", "tiles", {"seat": seat, "points": purse}, f"{name} has tiles worth {purse}."),
            Event("A21", "cards", {"seat": seat, "points": cards}, f"{name} has {_cards_text(cards)}."),
            Event("A20", "loss", {"seat": seat, "points": -loss}, f"{name} loses {loss} for the last ways."),
        ]
    return [event for event in found if event.arguments["points"]]


# ------------------------------------------------------------------ views


def cards_dict(counts: list[int]) -> dict[str, int]:
    """Cards by item, only those that are there."""
    return {name: count for name, count in zip(NAMES, counts, strict=True) if count > 0}


def _tiles(s: Any, owner: int) -> list[list[Any]]:
    """A player's tiles (or those gone) by item, then value."""
    return [tile_of(code).data for code, count in enumerate(s.tiles[owner]) if count for _ in range(count)]


def view(s: Any, seat: int | None) -> dict[str, Any]:
    """A22: what this seat may know (None: a spectator), and nothing else."""
    players, phase = s.players, s.phase
    own_turn = seat is not None and seat == s.turn and phase in (TURN, CHAIN)
    return {
        "phase": PHASES[phase],
        "board": _board(s),
        "gaps": _gaps(s),
        "pawns": [list(own) for own in s.pawns[:players]],
        "tiles": [_tiles(s, each) for each in range(players)],
        "bridges": [space or None for space in s.bridges[:players]],
        "hand": None if seat is None else cards_dict(s.hand[seat]),
        "hand_sizes": s.hand_size[:players],
        "deck_size": s.deck_size,
        "discards": cards_dict(s.discards),
        "gone": {"tiles": _tiles(s, rules.GONE), "cards": cards_dict(s.gone_cards)},
        "unseen": _unseen(s, seat),
        "move": {"from": s.start, "at": s.at, "due": s.due} if phase in (CHAIN, PAY) else None,
        "previews": _previews(s) if own_turn else [],
        "losses": s.losses[:players],
    }


def _board(s: Any) -> dict[str, dict[str, Any]]:
    """The top tile of each space of land, and how many tiles lie there."""
    stacks = enumerate(zip(s.top, s.below, strict=True))
    return {
        str(space): {"tile": tile_of(top).data, "height": 2 if below else 1}
        for space, (top, below) in stacks
        if top
    }


def _gaps(s: Any) -> list[dict[str, Any]]:
    """A11, A16: where the water is, what it costs now, and whether a bridge leads over it."""
    found = []
    gaps, toll = int(rules.gaps(s.land)), s.toll
    for after in range(1, MAINLAND):
        if gaps >> after & 1:
            before = int(rules.land_behind(s.land, after))
            cost = toll[before] - toll[after]
            found.append({"after": after, "before": before, "cost": cost, "bridge": cost == 0})
    return found


def _unseen(s: Any, seat: int | None) -> dict[str, int]:
    """How many cards of each item are in the deck or in other hands."""
    own = [0] * ITEMS if seat is None else s.hand[seat]
    seen = map(sum, zip(s.discards, s.gone_cards, own, strict=True))
    return {name: COPIES - count for name, count in zip(NAMES, seen, strict=True)}


def _previews(s: Any) -> list[dict[str, Any]]:
    """Where each legal card leads, what the whole way costs, and which tile would be taken there."""
    found = []
    for action in _legal(s):
        match action.struct:
            case Move(start, card):
                found.append({"from": start} | _preview(s, start, start, card))
            case On(card):
                found.append({"from": s.at} | _preview(s, s.start, s.at, card))
    return found


def _preview(s: Any, start: int, place: int, card: str) -> dict[str, Any]:
    end = int(rules.next_space(s.shows[NAMES.index(card)], place))
    occupied = s.occupied
    goes_on = bool(rules.stands_on(occupied, end))
    if place == start:
        occupied &= ~(1 << place)  # A13: the space the pawn has left is free
    space = 0 if goes_on else int(rules.space_to_take(s.land, occupied, end))
    return {
        "card": card,
        "to": end,
        "cost": s.toll[end] - s.toll[start],
        "goes_on": goes_on,
        "takes": {"space": space, "tile": tile_of(s.top[space]).data} if space else None,
    }
