"""Mille Fiori in words: actions, events, refusals, and what a seat may see."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec

from laguna.errors import IllegalAction, either
from laguna.games.contract import Action, Event, in_order
from laguna.games.mille_fiori import rules
from laguna.games.mille_fiori.components import (
    AREA_OF,
    AREA_OF_TYPE,
    AREA_SIZE,
    AREAS,
    BONUS_GROUPS,
    CARDS,
    CELL_TYPE,
    COMMONERS,
    FIRST,
    GOBLET,
    GOODS,
    NO_CARD,
    NOBLES,
    PICKS,
    RESERVE,
    RESIDENCES,
    ROUNDS,
    ROWS,
    SEA_END,
    SHIPS,
    TRADE,
    TYPE_OF,
    TYPES,
    WORKSHOPS,
)
from laguna.games.mille_fiori.meta import META
from laguna.games.mille_fiori.rules import (
    CHOOSING_EXTRA,
    CODES,
    EXTRA,
    KEEP,
    KEEPING,
    OVER,
    PLACE,
    PLACE_AND_SAIL,
    PLAYING,
    SAIL,
)

NAMES = tuple(META.seat_name(seat) for seat in range(4))
Phase = Literal["keep", "play", "extra", "over"]
PHASES: tuple[Phase, ...] = ("keep", "play", "extra", "over")
CARD_NAMES = (None, *(f"{kind}{wheel}" for kind, wheel in CARDS))
CARD_NUMBERS = {name: number for number, name in enumerate(CARD_NAMES) if name}
LEVELS = [f"{level}{place}" for level, size in zip("bmt", (5, 4, 3), strict=True) for place in range(size)]
CELL_NAMES = (
    *(f"W{place}" for place in range(AREA_SIZE[WORKSHOPS])),
    *(f"R{place}" for place in range(AREA_SIZE[RESIDENCES])),
    *(f"{pyramid}{level}" for pyramid in "NC" for level in LEVELS),
    *(f"T{TYPES[GOBLET + good]}{row}" for good in range(GOODS) for row in range(ROWS)),
    *(f"H{row}{ship}" for row in range(ROWS) for ship in range(SHIPS)),
)
CELL_NUMBERS = {name: cell for cell, name in enumerate(CELL_NAMES)}
AREA_CELLS = [CELL_NAMES[FIRST[area] : FIRST[area + 1]] for area in range(len(AREAS))]
# The same as patterns, short enough to be told.
CARD_PATTERN = (
    "(pigment|quartz|ash|lime|residence|goblet|carafe|earrings|swan|harbor)[1-5]"
    "|(lion|coin|crab)[1235]|(cross|fish|shell)[1-4]"
)
CELL_PATTERN = (
    "W[12]?[0-9]|R1?[0-9]|[NC](b[0-4]|m[0-3]|t[0-2])|T(goblet|carafe|earrings|swan)[0-4]|H[0-4][0-2]"
)
FIRST_SHIP = CELL_NAMES.index("H00")

# ------------------------------------------------------------------ actions


class Card(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """M1: a card by its type and wheel."""

    type: Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(TYPES)})$")]
    wheel: Annotated[int, msgspec.Meta(ge=1, le=5)]


CellName = Annotated[str, msgspec.Meta(pattern=f"^({CELL_PATTERN})$")]


class Keep(msgspec.Struct, tag_field="do", tag="keep", forbid_unknown_fields=True, frozen=True):
    """M5: keep this card of the hand and pass on the rest."""

    card: Card


class Extra(msgspec.Struct, tag_field="do", tag="extra", forbid_unknown_fields=True, frozen=True):
    """M38: take this card of the display."""

    card: Card


class Place(msgspec.Struct, tag_field="do", tag="place", forbid_unknown_fields=True, frozen=True):
    """M10: put a lozenge on this cell; on a ship's cell (and only there) say whether to sail too (M31)."""

    cell: CellName
    sail: bool | msgspec.UnsetType = msgspec.UNSET


class Sail(msgspec.Struct, tag_field="do", tag="sail", forbid_unknown_fields=True, frozen=True):
    """M11: move the ship instead of placing."""


class Decline(msgspec.Struct, tag_field="do", tag="decline", forbid_unknown_fields=True, frozen=True):
    """M38: take no extra card."""


ACTION = Keep | Extra | Place | Sail | Decline
Form = Keep | Extra | Place | Sail | Decline
HOW_TO_WRITE = (
    "a card to keep or take such as lion3, a cell to place on such as W12, Nb2, Tswan0 or R7, a ship's cell "
    "such as H20 (H20+ to sail as well), sail, or decline"
)
_CARD = re.compile(r"([a-z]+) ?([1-5])")


def _all_actions() -> list[Form]:
    """Every action by its code: they mean the same in every position."""
    cards = [Card(kind, wheel) for kind, wheel in CARDS]
    placed = [Place(name, False if name[0] == "H" else msgspec.UNSET) for name in CELL_NAMES]
    sailed = [Place(name, True) for name in CELL_NAMES[FIRST_SHIP:]]
    return [*map(Keep, cards), *map(Extra, cards), *placed, *sailed, Sail(), Decline()]


def _short(action: Form) -> str:
    """lion3, W12, H20+, sail, decline."""
    if isinstance(action, Keep | Extra):
        return f"{action.card.type}{action.card.wheel}"
    if isinstance(action, Place):
        return action.cell + ("+" if action.sail is True else "")
    return "sail" if isinstance(action, Sail) else "decline"


ACTIONS = in_order(_all_actions(), _short)
assert len(ACTIONS) == CODES
CODE_OF = {action.struct: action.code for action in ACTIONS}
PARSED = {action.notation.lower(): action.code for action in ACTIONS[PLACE:]}


def actions(s: Any) -> tuple[Action, ...]:
    """What each code means."""
    return ACTIONS


def encode(s: Any, action: Form) -> int:
    """The code of a structured action."""
    if action in CODE_OF:
        return CODE_OF[action]
    if isinstance(action, Keep | Extra):
        card = action.card
        raise msgspec.ValidationError(f"there is no {card.type} card with wheel {card.wheel} - at `$.card`")
    text = "is for ships' cells only" if isinstance(action, Place) and action.cell[0] != "H" else "is missing"
    raise msgspec.ValidationError(f"true or false {text} - at `$.sail`")


def parse(s: Any, text: str) -> int | None:
    """The code of an action in short form, or None. A card is kept, or taken when an extra card is due."""
    text = text.strip().lower()
    read = _CARD.fullmatch(text)
    if read is not None and (card := CARD_NUMBERS.get("".join(read.groups()))):
        return (EXTRA if s.phase == CHOOSING_EXTRA else KEEP) + card - 1
    return PARSED.get(text)


def is_public(action: Form) -> bool:
    """M42: which card is kept shows only when it is played."""
    return not isinstance(action, Keep)


# ------------------------------------------------------------------ refusals


def refusal(s: Any, code: int, seat: int | None = None) -> IllegalAction:
    """Why an action of a seat (the one to move) is not allowed, and what is."""
    seat = int(s.turn) if seat is None else seat
    if s.phase == KEEPING:
        return _cannot_keep(s, code, seat)
    if s.phase == CHOOSING_EXTRA:
        return _cannot_take(s, code, seat)
    return _cannot_play(s, code, seat)


def _refuse(key: str, why: str, allowed: str, clause: str, **arguments: Any) -> IllegalAction:
    return IllegalAction(key, f"{why}; {allowed} ({clause}).", clause=clause, **arguments)


def _cannot_keep(s: Any, code: int, seat: int) -> IllegalAction:
    hand = _different(card_list(s.hand[seat]))
    allowed = f"{NAMES[seat]} may keep {either(hand)}"
    if code >= EXTRA:
        why = "Before a card is played one is kept"
        return _refuse("keep-first", why, allowed, "M5", seat=seat, hand=hand)
    card = CARD_NAMES[1 + code - KEEP]
    why = f"There is no {card} in {NAMES[seat]}'s hand"
    return _refuse("not-in-hand", why, allowed, "M5", seat=seat, card=card, hand=hand)


def _cannot_take(s: Any, code: int, seat: int) -> IllegalAction:
    display = _different(display_list(s))
    allowed = f"{NAMES[seat]} may take {either([*display, 'none (decline)'])}"
    if not EXTRA <= code < PLACE:
        why = "An extra card is taken or declined at once"
        return _refuse("extra-card-first", why, allowed, "M38", seat=seat, display=display)
    card = CARD_NAMES[1 + code - EXTRA]
    why = f"There is no {card} in the display"
    return _refuse("not-in-display", why, allowed, "M38", seat=seat, card=card, display=display)


def _cannot_play(s: Any, code: int, seat: int) -> IllegalAction:
    """M10–M12: the card in play can be placed or sailed."""
    card = CARD_NAMES[rules.card_in_play(s.record)]
    may = _may_place(s)
    allowed = f"{NAMES[seat]} may place on {either(may)}, or sail" if may else f"{NAMES[seat]} may sail"
    if not PLACE <= code < SAIL:
        why = f"{card} is to be played now"
        return _refuse("play-the-card", why, allowed, "M10", seat=seat, card=card, cells=may)
    sails = code >= PLACE_AND_SAIL
    cell = code - PLACE_AND_SAIL + FIRST_SHIP if sails else code - PLACE
    key, clause, why = _cannot_place(s, cell, sails, seat)
    return _refuse(key, why, allowed, clause, seat=seat, card=card, cell=CELL_NAMES[cell], cells=may)


def _cannot_place(s: Any, cell: int, sails: bool, seat: int) -> tuple[str, str, str]:
    """Why the card in play cannot be placed on a cell: a key, the clause, half a sentence."""
    name, area = CELL_NAMES[cell], int(AREA_OF[cell])
    card = int(rules.card_in_play(s.record))
    kind = int(TYPE_OF[card])
    if rules.lozenges_to_use(s.record, seat) == 0:
        return "no-lozenge", "M12", f"{NAMES[seat]} has no lozenge to place"
    owner = board(s).get(name)
    if owner is not None:
        return "cell-taken", _PLACING[area], f"{name} already holds a lozenge of {NAMES[owner]}"
    if AREA_OF_TYPE[kind] != area or (area in (WORKSHOPS, TRADE) and CELL_TYPE[cell] != kind):
        return "wrong-card", _PLACING[int(AREA_OF_TYPE[kind])], f"{CARD_NAMES[card]} cannot go to {name}"
    if area == RESIDENCES:
        return "not-next", "M18", f"{name} is not the next free residence"
    if area in (NOBLES, COMMONERS):
        return "not-supported", "M22", f"the two cells below {name} are not both filled"
    if sails and s.ships[seat] == SEA_END:
        return "ship-at-end", "M35", f"{NAMES[seat]}'s ship is at the end of the route and cannot sail"
    return "not-leftmost", "M31", f"{name} is not the first free ship of its row"


_PLACING = ("M14", "M18", "M22", "M22", "M27", "M31")  # the clause that says where cards of an area go


def _may_place(s: Any) -> list[str]:
    """The cells where the card in play may be placed."""
    kind = int(TYPE_OF[rules.card_in_play(s.record)])
    if rules.lozenges_to_use(s.record, int(s.turn)) == 0:
        return []
    bits, first = int(rules.open_cells(s.record, kind)), int(FIRST[AREA_OF_TYPE[kind]])
    return [CELL_NAMES[first + place] for place in range(32) if bits >> place & 1]


# ------------------------------------------------------------------ events

_POINTS = {
    15: "the connected workshops at {cell}",
    19: "the residences up to {cell}",
    23: "{cell}",
    24: "the triangle below {cell}",
    28: "the {good}s",
    32: "the fleet of row {row}",
    34: "stopping on space {space}",
    35: "reaching the end of the sea route",
}
_BONUS = {
    16: "all four raw materials",
    20: "four different residences",
    25: "all three symbols of the {group}",
    29: "all four goods",
}
_EXTRA_CARD = {
    17: "the third workshop around a symbol",
    21: "a third or fifth different residence",
    26: "a top townsperson",
    30: "being outnumbered on a good",
    34: "the space where the ship stopped",
    35: "the end of the sea route",
}


def events(s: Any) -> list[Event]:
    """What the last action did, as the rules noted it."""
    return [_event(*numbers) for numbers in s.events[: s.event_count]]


def _event(clause: int, seat: int, points: int, place: int, _: int) -> Event:
    if clause in (10, 11, 31):
        return _play_event(clause, seat, points, place)
    if clause in _BONUS:
        return _bonus_event(clause, seat, points, place)
    if points > 0:
        return _points_event(clause, seat, points, place)
    if clause in _EXTRA_CARD:
        text = f"{NAMES[seat]} earns an extra card for {_EXTRA_CARD[clause]}."
        return Event(f"M{clause}", "extra-card", {"seat": seat}, text)
    if clause == 38:
        text = f"{NAMES[seat]} would earn an extra card, but the display is empty."
        return Event("M38", "no-extra-card", {"seat": seat}, text)
    if clause == 39 and seat >= 0:
        text = f"{NAMES[seat]} has placed the last lozenge of the supply: these are the last turns."
        return Event("M39", "last-lozenge", {"seat": seat}, text)
    return _round_event(clause, seat, place)


def _play_event(clause: int, seat: int, card: int, cell: int) -> Event:
    """M10, M11, M31: the card shows now."""
    name = CARD_NAMES[card]
    if clause == 11:
        text = f"{NAMES[seat]} sails with {name}."
        return Event("M11", "sail", {"seat": seat, "card": name}, text)
    arguments = {"seat": seat, "card": name, "cell": CELL_NAMES[cell]}
    text = f"{NAMES[seat]} places {name} on {CELL_NAMES[cell]}"
    if clause == 31:
        return Event("M31", "place-and-sail", arguments, f"{text} and sails.")
    return Event("M10", "place", arguments, f"{text}.")


def _points_event(clause: int, seat: int, points: int, place: int) -> Event:
    """M43: who, how many, why."""
    arguments: dict[str, Any] = {"seat": seat, "points": points}
    if clause in (34, 35):
        arguments["space"] = place
    elif clause == 32:
        arguments["row"] = (place - FIRST_SHIP) // SHIPS
    else:
        arguments["cell"] = CELL_NAMES[place]
        if clause == 28:
            arguments["good"] = TYPES[CELL_TYPE[place]]
    text = f"{points} to {NAMES[seat]} for {_POINTS[clause].format(**arguments)}."
    return Event(f"M{clause}", "points", arguments, text.replace("earringss", "earrings"))


def _bonus_event(clause: int, seat: int, points: int, area: int) -> Event:
    """M13: a bonus cell."""
    arguments = {"seat": seat, "points": points, "group": AREAS[area]}
    text = f"{points} to {NAMES[seat]}, a bonus for {_BONUS[clause].format(**arguments)}."
    return Event(f"M{clause}", "bonus", arguments, text)


def _round_event(clause: int, seat: int, number: int) -> Event:
    """M5, M8, M39, M40: rounds and the end."""
    arguments: dict[str, Any] = {"round": number}
    if clause == 5:
        arguments["seat"] = seat
        return Event("M5", "round-start", arguments, f"Round {number}: {NAMES[seat]} has the Doge.")
    if clause == 8:
        text = f"Round {number} is over: the cards left over join the display."
        return Event("M8", "round-end", arguments, text)
    if clause == 39:
        return Event("M39", "deck-end", arguments, "The deck is dealt out: the game is over.")
    return Event("M40", "lozenges-end", arguments, "A supply is empty and all have played: the game is over.")


# ------------------------------------------------------------------ views


def card_list(cards: list[int]) -> list[str]:
    """Names of the cards in a row of the record."""
    return [CARD_NAMES[card] or "" for card in cards if card != NO_CARD]


def _different(cards: list[str]) -> list[str]:
    return list(dict.fromkeys(cards))


def display_list(s: Any) -> list[str]:
    shown = zip(CARD_NAMES, s.display, strict=True)
    return [name or "" for name, count in shown if count for _ in range(count)]


def board(s: Any) -> dict[str, int]:
    """Whose lozenge lies on each cell that is filled."""
    owners: dict[str, int] = {}
    for names, own in zip(AREA_CELLS, s.own, strict=True):
        for seat, bits in enumerate(own):
            while bits:
                lowest = bits & -bits
                owners[names[lowest.bit_length() - 1]] = seat
                bits ^= lowest
    return owners


def bonus(s: Any) -> dict[str, list[int]]:
    """The seats on each group's bonus cells, from 20 points downward."""
    return {AREAS[area]: [seat - 1 for seat in s.bonus[area] if seat] for area in range(BONUS_GROUPS)}


def reason(s: Any) -> str | None:
    """M39, M40: why the game is over."""
    if s.phase != OVER:
        return None
    return "lozenges" if rules.supply_is_empty(s.record) else "deck"


def card_shown(s: Any, seat: int | None) -> str | None:
    """M42: the card in play: an extra card shows, a kept one only to its owner."""
    if s.phase != PLAYING or (s.extra_card == NO_CARD and seat != s.turn):
        return None
    return CARD_NAMES[int(rules.card_in_play(s.record))]


def view(s: Any, seat: int | None) -> dict[str, Any]:
    """M42: what this seat may know (None: a spectator), and nothing else."""
    players = s.players
    looks = bool(rules.looks_at_hand(s.phase, s.draft))
    left = s.lozenges[:players]
    return {
        "phase": PHASES[s.phase],
        "round": s.round_number,
        "rounds": int(ROUNDS[players]),
        "pick": s.pick,
        "picks": int(PICKS[players]),
        "doge": s.doge,
        "board": board(s),
        "bonus": bonus(s),
        "supply": [max(count - RESERVE, 0) for count in left],
        "reserve": [min(count, RESERVE) for count in left],
        "ships": s.ships[:players],
        "display": display_list(s),
        "discards": card_list(s.discards),
        "deck_size": s.deck_size,
        "card": card_shown(s, seat),
        "hand": card_list(s.hand[seat]) if seat is not None and looks else None,
        "hand_sizes": [len(card_list(s.hand[each])) for each in range(players)],
        "kept": None if seat is None else CARD_NAMES[s.kept[seat]],
        "remembered": None if seat is None else _remembered(s, seat, looks),
        "reason": reason(s),
    }


def _remembered(s: Any, seat: int, looks: bool) -> list[list[str] | None]:
    """M42: the cards of the hand that lies at each place, if it passed through this seat's own.

    Another's kept card is among them until it is played: which one it is, is secret.
    """
    found: list[list[str] | None] = []
    for place in range(s.players):
        chooser = rules.chooser_of(place, looks, s.players)
        if rules.has_seen(seat, chooser, s.pick, s.players):
            kept = [s.kept[chooser]] if chooser != seat else []
            found.append(card_list(sorted(s.hand[place] + kept)))
        else:
            found.append(None)
    return found
