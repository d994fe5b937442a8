"""Venice 2099 in words: actions, events, refusals, and what a seat may see."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from laguna.errors import IllegalAction, counted, either
from laguna.games.contract import Action, Event, in_order
from laguna.games.venice_2099 import rules
from laguna.games.venice_2099.components import (
    BOUGHT,
    COLOR_COUNT,
    COLORS,
    FIRST_CARD,
    MOVED,
    NO_TILE,
    OUT,
    OVER,
    PAWN_POINTS,
    PLACING,
    PLATFORM,
    QUARTERS,
    RESCUING,
    SIDE,
    SIDES,
    SQUARES,
    VALUES,
    WORTH,
    X,
)
from laguna.games.venice_2099.meta import META
from laguna.games.venice_2099.rules import BUY, CARD, GONDOLA, PLACE, RESCUE, SINK, WALKS

COLUMNS = "abcdefgh"
SQUARE_NAMES = tuple(COLUMNS[square % SIDE] + str(square // SIDE + 1) for square in range(SQUARES))
SQUARE_NUMBERS = {name: square for square, name in enumerate(SQUARE_NAMES)}
# A tile or a card by its number: black2, …, greenX, platform.
TILE_NAMES = (*(color + value for value in VALUES for color in COLORS), "platform")
TILE_NUMBERS = {name: tile for tile, name in enumerate(TILE_NAMES)}
PHASES = ("place", "turn", "moved", "bought", "rescue", "over")


def player(seat: int) -> str:
    return META.seat_name(seat)


def cards_of(bits: Any) -> list[str]:
    """The cards of a set, lowest first."""
    left, cards = int(bits), []
    while left:
        cards.append(TILE_NAMES[(left & -left).bit_length() - 1])
        left &= left - 1
    return cards


def squares_of(s: Any, seat: int) -> list[str]:
    """Where the pawns of a seat stand, in the order of the board."""
    return [SQUARE_NAMES[square] for square in s.pawns[seat] if square != OUT]


def _mover(s: Any) -> int:
    """Who decides; at the end whose turn was the last."""
    seat: int = s.fallen if s.phase == RESCUING else s.turn
    return seat


# ------------------------------------------------------------------ actions

Square = Annotated[str, msgspec.Meta(pattern="^[a-h][1-8]$")]
Color = Literal["black", "brown", "azure", "red", "violet", "green"]
CardValue = Literal["3", "4", "5", "6", "7", "8", "X"]


class _Step(msgspec.Struct, forbid_unknown_fields=True, frozen=True, tag_field="do"):
    """One small decision."""


class Place(_Step, frozen=True, tag="place"):
    """V7: put a pawn on this square at set-up."""

    at: Square


class Rescue(_Step, frozen=True, tag="rescue"):
    """V14: bring the fallen pawn here by gondola."""

    to: Square


class Walk(_Step, frozen=True, tag="walk"):
    """V9: the own pawn walks."""

    start: Square = msgspec.field(name="from")
    to: Square


class Gondola(_Step, frozen=True, tag="gondola"):
    """V10: the own pawn goes by gondola."""

    start: Square = msgspec.field(name="from")
    to: Square


class Buy(_Step, frozen=True, tag="buy"):
    """V11: a treasure of the color of the quarter on which the own pawn stands."""

    at: Square


class Card(_Step, frozen=True, tag="card"):
    """V12: play this prophecy card."""

    color: Color
    value: CardValue


class Sink(_Step, frozen=True, tag="sink"):
    """V14: let the fallen pawn sink."""


ACTION = Place | Rescue | Walk | Gondola | Buy | Card | Sink
HOW_TO_WRITE = (
    "@c4 to place a pawn, c4-c7 to walk, c4~h1 to go by gondola, $c7 to buy, redX to play a card, "
    "~h1 to rescue or sink to let sink"
)
_NOTATION = re.compile(
    r"@ ?(?P<place>[a-h][1-8])"
    r"|(?P<walk>[a-h][1-8]) ?- ?(?P<walk_to>[a-h][1-8])"
    r"|(?P<ride>[a-h][1-8]) ?~ ?(?P<ride_to>[a-h][1-8])"
    r"|~ ?(?P<rescue>[a-h][1-8])"
    r"|\$ ?(?P<buy>[a-h][1-8])"
    r"|(?P<color>[a-z]{2,6}) ?(?P<value>[3-8x])"
    r"|(?P<sink>sink)"
)

# The kinds of actions by their first code, and the clauses of those that name an own pawn.
_KINDS = (
    (SINK, "sink"), (CARD, "card"), (BUY, "buy"), (GONDOLA, "gondola"), (WALKS, "walk"),
    (RESCUE, "rescue"), (PLACE, "place"),
)  # fmt: skip
_CLAUSES = {"walk": "V9", "gondola": "V10", "buy": "V11"}


def _kind(code: int) -> tuple[str, int]:
    """Which kind of action a code is, and the rest of the code."""
    first, kind = next(each for each in _KINDS if code >= each[0])
    return kind, code - first


def _notation(action: Any) -> str:
    """The short form of an action: @c4, c4-c7, c4~h1, $c7, redX, ~h1, sink."""
    match action:
        case Place(at):
            return f"@{at}"
        case Rescue(to):
            return f"~{to}"
        case Walk(start, to):
            return f"{start}-{to}"
        case Gondola(start, to):
            return f"{start}~{to}"
        case Buy(at):
            return f"${at}"
        case Card(color, value):
            return f"{color}{value}"
    return "sink"


PLACES = in_order(map(Place, SQUARE_NAMES), _notation, PLACE)
RESCUES = in_order(map(Rescue, SQUARE_NAMES), _notation, RESCUE)
SINKS = in_order([Sink()], _notation, SINK)


@cache
def _moves(kind: type[Walk | Gondola], pawn: int, start: int) -> tuple[Action | None, ...]:
    """All moves of a pawn from a square; each is made once."""
    if start == OUT:
        return (None,) * SQUARES
    first = (WALKS if kind is Walk else GONDOLA) + pawn * SQUARES
    return in_order([kind(SQUARE_NAMES[start], to) for to in SQUARE_NAMES], _notation, first)


@cache
def _purchase(pawn: int, start: int) -> Action | None:
    return None if start == OUT else in_order([Buy(SQUARE_NAMES[start])], _notation, BUY + pawn)[0]


@cache
def _cards(value: int | None) -> tuple[Action | None, ...]:
    """V12: the cards of a value; without one there is no card to play."""
    if value is None:
        return (None,) * COLOR_COUNT
    return in_order([Card(color, VALUES[value]) for color in COLORS], _notation, CARD)  # type: ignore[arg-type]


def actions(s: Any) -> tuple[Action | None, ...]:
    """What each code means now; None where it names a pawn or a card nobody has."""
    own = list(enumerate(s.pawns[_mover(s)]))
    return (
        *PLACES,
        *RESCUES,
        *chain.from_iterable(_moves(Walk, pawn, start) for pawn, start in own),
        *chain.from_iterable(_moves(Gondola, pawn, start) for pawn, start in own),
        *(_purchase(pawn, start) for pawn, start in own),
        *_cards(_lowest(s) if s.hand[_mover(s)] else None),
        *SINKS,
    )


def encode(s: Any, action: Any) -> int:
    """The code of a structured action; refused where it names a pawn or a card nobody has."""
    match action:
        case Place(at):
            return PLACE + SQUARE_NUMBERS[at]
        case Rescue(to):
            return RESCUE + SQUARE_NUMBERS[to]
        case Walk(start, to):
            return WALKS + _pawn(s, "walk", start) * SQUARES + SQUARE_NUMBERS[to]
        case Gondola(start, to):
            return GONDOLA + _pawn(s, "gondola", start) * SQUARES + SQUARE_NUMBERS[to]
        case Buy(at):
            return BUY + _pawn(s, "buy", at)
        case Card(color, value):
            return CARD + _color(s, color, value)
    return SINK


def _pawn(s: Any, kind: str, at: str) -> int:
    """The number of the mover's pawn on a square."""
    own = squares_of(s, _mover(s))
    if at in own:
        return own.index(at)
    text = f"{player(_mover(s))} has no pawn on {at}"
    raise _not_now(s, kind) or _refuse(s, "no-pawn", _CLAUSES[kind], text, at=at, pawns=own)


def _color(s: Any, color: str, value: str) -> int:
    """The color of a card of the lowest value in the mover's hand."""
    if s.hand[_mover(s)] and VALUES[_lowest(s)] == value:
        return COLORS.index(color)
    raise _not_now(s, "card") or _not_lowest(s, color + value)


def _lowest(s: Any) -> int:
    return int(rules.lowest_value(s.hand[_mover(s)]))


def parse(s: Any, text: str) -> int | None:
    """The code of an action in short form, or None if it is not one."""
    read = _NOTATION.fullmatch(text.strip().lower())
    if read is None:
        return None
    part = read.groupdict()
    if part["place"]:
        return encode(s, Place(part["place"]))
    if part["walk"]:
        return encode(s, Walk(part["walk"], part["walk_to"]))
    if part["ride"]:
        return encode(s, Gondola(part["ride"], part["ride_to"]))
    if part["rescue"]:
        return encode(s, Rescue(part["rescue"]))
    if part["buy"]:
        return encode(s, Buy(part["buy"]))
    if part["sink"]:
        return SINK
    # Two letters are enough: the terminal writes az5 for the azure 5.
    color = next((each for each in COLORS if each.startswith(part["color"])), None)
    return None if color is None else encode(s, Card(color, part["value"].upper()))  # type: ignore[arg-type]


def is_public(action: Any) -> bool:
    """V23: everybody sees what is done."""
    return True


# ------------------------------------------------------------------ refusals


def refusal(s: Any, code: int) -> IllegalAction:
    """Why an action of the seat to move is not allowed, and what is."""
    kind, rest = _kind(code)
    refused = _not_now(s, kind)
    if refused:
        return refused
    if kind == "card":
        hand = s.hand[_mover(s)]
        return _not_lowest(s, COLORS[rest] + VALUES[_lowest(s)]) if hand else _not_lowest(s, COLORS[rest])
    if kind == "place":
        return _refuse_place(s, rest)
    if kind == "rescue":
        return _refuse_target(s, "V14", rest) or _refuse(
            s, "no-quarter", "V14", f"on {SQUARE_NAMES[rest]} is a platform, and only quarters will do",
            to=SQUARE_NAMES[rest],
        )  # fmt: skip
    pawn, to = divmod(rest, SQUARES) if kind != "buy" else (rest, 0)
    return _refuse_pawn(s, kind, pawn, to)


def _not_now(s: Any, kind: str) -> IllegalAction | None:
    """V7, V8, V14: what belongs to another moment."""
    phase, wrong = int(s.phase), None
    if kind == "place":
        if phase != PLACING:
            wrong = ("not-now", "V7", "pawns are placed at set-up only")
    elif kind in ("rescue", "sink"):
        if phase != RESCUING:
            wrong = ("not-now", "V14", "no pawn has just fallen")
    elif phase == PLACING:
        wrong = ("not-now", "V7", "all pawns are placed before the first turn")
    elif phase == RESCUING:
        wrong = ("not-now", "V14", f"first the pawn that fell from {_fell_from(s)} is rescued or sinks")
    elif phase == BOUGHT and kind == "buy":
        wrong = ("bought", "V8", "one treasure is bought in a turn")
    elif phase == BOUGHT and kind != "card":
        wrong = ("bought", "V8", "after buying nobody moves")
    elif phase == MOVED and kind in ("walk", "gondola"):
        wrong = ("moved", "V8", "one move is made in a turn, on foot or by gondola")
    return _refuse(s, *wrong) if wrong else None


def _refuse_place(s: Any, square: int) -> IllegalAction:
    refused = _refuse_target(s, "V7", square)
    if refused:
        return refused
    value = VALUES[int(s.tile[square]) // COLOR_COUNT]
    return _refuse(
        s, "same-value", "V7", f"{player(int(s.turn))} already has a pawn on a {value}",
        at=SQUARE_NAMES[square], value=value,
    )  # fmt: skip


def _refuse_pawn(s: Any, kind: str, pawn: int, to: int) -> IllegalAction:
    """V9–V11: of a pawn of the active player."""
    seat = int(s.turn)
    own = squares_of(s, seat)
    if pawn >= len(own):
        text = f"{player(seat)} has {counted(len(own), 'pawn')} on the board, not {pawn + 1}"
        return _refuse(s, "no-pawn", _CLAUSES[kind], text, pawns=own)
    if kind == "buy":
        return _refuse_purchase(s, seat, own[pawn])
    start, end = own[pawn], SQUARE_NAMES[to]
    if kind == "gondola" and s.gondolas[seat] == 0:
        return _refuse(s, "no-gondola", "V10", f"{player(seat)} has no gondola left")
    return _refuse_target(s, _CLAUSES[kind], to) or _refuse(
        s, "out-of-reach", "V9", f"a pawn cannot walk from {start} to {end}: {_how_to_walk(s)}",
        **{"from": start, "to": end},
    )  # fmt: skip


def _how_to_walk(s: Any) -> str:
    ways = ("straight on in eight directions", "straight on in four directions", "from side to side")
    return f"it goes {ways[int(s.moves)]}, and not over water or pawns"


def _refuse_purchase(s: Any, seat: int, at: str) -> IllegalAction:
    square = SQUARE_NUMBERS[at]
    tile = int(s.tile[square])
    if tile == PLATFORM:
        return _refuse(s, "platform", "V11", f"on {at} is a platform, where nothing is sold", at=at)
    color = COLORS[tile % COLOR_COUNT]
    if s.stock[tile % COLOR_COUNT] == 0:
        return _refuse(s, "sold-out", "V11", f"all {color} treasures are sold", at=at, color=color)
    price, coins = int(s.coins_on[square]) + 1, int(s.coins[seat])
    text = f"a treasure on {at} costs {price} and {player(seat)} has {coins}"
    return _refuse(s, "too-dear", "V11", text, at=at, color=color, price=price, coins=coins)


def _refuse_target(s: Any, clause: str, square: int) -> IllegalAction | None:
    """V4, V7: a square that is not on the board, under water, or taken by a pawn."""
    name, tile = SQUARE_NAMES[square], int(s.tile[square])
    if tile == NO_TILE:
        side = int(SIDES[s.players])
        text = f"there is no {name} on a board of {side} by {side} squares"
        return _refuse(s, "off-board", "V4", text, to=name)
    if tile != PLATFORM and not int(s.above) >> tile & 1:
        return _refuse(s, "water", clause, f"the quarter on {name} is under water", to=name)
    for seat in range(int(s.players)):
        if name in squares_of(s, seat):
            return _refuse(s, "taken", clause, f"a pawn of {player(seat)} stands on {name}", to=name)
    return None


def _not_lowest(s: Any, card: str) -> IllegalAction:
    """V12: the lowest value comes first."""
    hand = cards_of(s.hand[_mover(s)])
    if card in hand:
        text = f"the card {card} is not of the lowest value in {player(_mover(s))}'s hand"
    else:
        text = f"there is no {card} in {player(_mover(s))}'s hand"
    return _refuse(s, "not-lowest" if card in hand else "not-in-hand", "V12", text, card=card, hand=hand)


def _fell_from(s: Any) -> str:
    return SQUARE_NAMES[int(s.fallen_from)]


def _refuse(s: Any, key: str, clause: str, why: str, **arguments: Any) -> IllegalAction:
    """The reason, and an example of each kind of action that is allowed."""
    sentence = f"{why[0].upper()}{why[1:]}; {_allowed(s)} ({clause})."
    return IllegalAction(key, sentence, clause=clause, seat=_mover(s), **arguments)


def _allowed(s: Any) -> str:
    """An example of every kind of action that the mover may choose."""
    if s.phase == OVER:
        return "the game is over"
    codes = _legal_codes(s)
    examples: dict[str, list[int]] = {}
    for code in codes:
        examples.setdefault(_kind(code)[0], []).append(code)
    verbs = {
        "place": "place a pawn", "walk": "walk", "gondola": "go by gondola", "buy": "buy",
        "card": "play", "rescue": "rescue the pawn", "sink": "let it sink",
    }  # fmt: skip
    ways, meant = [], actions(s)
    for kind, found in examples.items():
        shown = either([meant[code] for code in found[:2]]) if kind == "card" else meant[found[0]]
        such_as = "such as " if kind != "card" and len(found) > 1 else ""
        ways.append(f"{verbs[kind]} ({such_as}{shown})")
    return f"{player(_mover(s))} may {either(ways)}"


def _legal_codes(s: Any) -> list[int]:
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    codes: list[int] = out[: rules.legal(s.record, out)].tolist()
    return codes


# ------------------------------------------------------------------ events


def events(s: Any) -> list[Event]:
    """What the last action did, as the rules noted it."""
    return [_event(s, *numbers) for numbers in s.events[: s.event_count]]


def _event(s: Any, clause: int, seat: int, points: int, place: int, _: int) -> Event:
    if clause == 13:
        return _sinking(s, seat, points, place)
    if clause == 14:
        return _rescue(seat, points, place)
    if clause == 10:
        at = SQUARE_NAMES[place]
        text = f"{player(seat)} goes by gondola to {at} and has {_gondolas(points)} left."
        return Event("V10", "gondola", {"seat": seat, "at": at, "left": points}, text)
    if clause == 11:
        at, color = SQUARE_NAMES[place], COLORS[int(s.tile[place]) % COLOR_COUNT]
        text = f"{player(seat)} buys a treasure ({color}) on {at} for {counted(points, 'coin')}."
        return Event("V11", "bought", {"seat": seat, "at": at, "color": color, "price": points}, text)
    return _ending(clause, seat, points, place)


def _gondolas(count: int) -> str:
    return counted(count, "gondola") if count else "no gondolas"


def _sinking(s: Any, seat: int, coins: int, place: int) -> Event:
    """V13: a quarter, the coins on it, the pawn on it."""
    at, tile = SQUARE_NAMES[place], TILE_NAMES[int(s.tile[place])]
    if seat >= 0:
        return Event("V13", "fell", {"seat": seat, "at": at}, f"A pawn of {player(seat)} falls from {at}.")
    if coins:
        text = f"{counted(coins, 'coin')} on {at} {'is' if coins == 1 else 'are'} lost."
        return Event("V13", "washed-away", {"at": at, "coins": coins}, text)
    return Event("V13", "sank", {"at": at, "tile": tile}, f"{tile} on {at} sinks.")


def _rescue(seat: int, left: int, place: int) -> Event:
    """V14: the fallen pawn is back, or out."""
    if place == OUT:
        return Event("V14", "lost", {"seat": seat}, f"The pawn of {player(seat)} is out of the game.")
    at = SQUARE_NAMES[place]
    text = f"A gondola brings the pawn of {player(seat)} to {at}; {_gondolas(left)} left."
    return Event("V14", "rescued", {"seat": seat, "at": at, "left": left}, text)


def _ending(clause: int, seat: int, points: int, place: int) -> Event:
    """V16–V21: the last card is played; points and winners."""
    if clause == 16:
        return Event("V16", "end", {}, "All cards are played: the game is over.")
    if clause == 21:
        winners = [each for each in range(META.players[-1]) if place >> each & 1]
        names = either(map(player, winners), "and")
        text = f"{names} {'wins' if len(winners) == 1 else 'share the win'}."
        return Event("V21", "winners", {"winners": winners}, text)
    key = {17: "treasures", 18: "pawns", 19: "x-pawns", 20: "coins"}[clause]
    source = {17: "treasures", 18: "pawns", 19: "pawns on an X", 20: "coins"}[clause]
    text = f"{player(seat)} scores {points} for {source}."
    return Event(f"V{clause}", key, {"seat": seat, "points": points}, text)


def scoring(s: Any) -> list[Event]:
    """V17–V20, V22a: where the scores come from as they stand, as points of seats."""
    found = []
    for seat in range(s.players):
        x = int(rules.x_points(s.record, seat))
        treasures, pawns = rules.treasure_points(s.record, seat), rules.pawn_points(s.record, seat)
        points = {17: int(treasures), 18: int(pawns) - x, 19: x, 20: s.coins[seat]}
        found += [_ending(clause, seat, count, 0) for clause, count in points.items() if count]
    return found


# ------------------------------------------------------------------ views


def board(s: Any) -> dict[str, str]:
    """Every square with its tile; a sunk quarter keeps its name."""
    return {
        name: TILE_NAMES[tile] for name, tile in zip(SQUARE_NAMES, s.tile, strict=True) if tile != NO_TILE
    }


def coins_on(s: Any) -> dict[str, int]:
    """The quarters on which coins lie."""
    return {name: coins for name, coins in zip(SQUARE_NAMES, s.coins_on, strict=True) if coins}


def treasures(s: Any, seat: int) -> dict[str, int]:
    """How many treasures of each color a seat has; colors it has none of are left out."""
    return {color: count for color, count in zip(COLORS, s.treasures[seat], strict=True) if count}


def _stock(s: Any) -> dict[str, int]:
    """V6: how many treasures are left of each color in play (that of a 2 on the board)."""
    return {color: s.stock[number] for number, color in enumerate(COLORS) if s.square_of[number] >= 0}


def view(s: Any, seat: int | None) -> dict[str, Any]:
    """V23: what this seat may know (None: a spectator), and nothing else."""
    seats = range(s.players)
    tiles = board(s)
    played = [cards_of(s.played[each]) for each in seats]
    hand = None if seat is None else cards_of(s.hand[seat])
    sunk = {card for cards in played for card in cards}
    known = sunk.union(hand or [])
    return {
        "phase": PHASES[s.phase],
        "active": s.turn,
        "side": int(SIDES[s.players]),
        "board": tiles,
        "water": [name for name, tile in tiles.items() if tile in sunk],
        "coins_on": coins_on(s),
        "pawns": [squares_of(s, each) for each in seats],
        "fallen": None if s.phase != RESCUING else {"seat": s.fallen, "from": _fell_from(s)},
        "coins": s.coins[: len(seats)],
        "gondolas": s.gondolas[: len(seats)],
        "treasures": [treasures(s, each) for each in seats],
        "stock": _stock(s),
        "played": played,
        "hand": hand,
        "hand_sizes": [s.hand[each].bit_count() for each in seats],
        "at_least": [_at_least(s, each) for each in seats],
        "put_away": s.away.bit_count(),
        "unseen": [card for card in _cards_in_play(s) if card not in known],
        "breakdown": [breakdown(s, each) for each in seats] if s.phase == OVER else None,
    }


def _cards_in_play(s: Any) -> list[str]:
    return [TILE_NAMES[card] for card in range(FIRST_CARD, QUARTERS) if s.square_of[card] >= 0]


def _at_least(s: Any, seat: int) -> str:
    """V23: no card in that hand is lower than the highest it played, or than any card there is."""
    highest = max(s.played[seat].bit_length() - 1, FIRST_CARD)
    return VALUES[highest // COLOR_COUNT]


def breakdown(s: Any, seat: int) -> dict[str, Any]:
    """V17–V21: where a seat's points come from, each with its clause."""
    by = "pawn_points" if s.tie_break == PAWN_POINTS else "pawns"
    return {
        "treasures": [_treasure_line(s, seat, color) for color in treasures(s, seat)],
        "pawns": [_pawn_line(s, at) for at in squares_of(s, seat)],
        "coins": {"points": s.coins[seat], "clause": "V20"},
        "total": int(rules.total(s.record, seat)),
        "tie_break": {"by": by, "value": int(rules.tie_breaker(s.record, seat)), "clause": "V21"},
    }


def _treasure_line(s: Any, seat: int, color: str) -> dict[str, Any]:
    """V17: so many treasures of a color, worth so much each."""
    number = COLORS.index(color)
    count, quarters = s.treasures[seat][number], int(rules.quarters_of(s.above, number))
    each = int(WORTH[quarters])
    return {
        "color": color, "count": count, "quarters": quarters, "each": each, "points": count * each,
        "clause": "V17",
    }  # fmt: skip


def _pawn_line(s: Any, at: str) -> dict[str, Any]:
    """V18, or V19 on an X."""
    square = SQUARE_NUMBERS[at]
    tile = int(s.tile[square])
    points = int(rules.square_points(s.record, square))
    return {
        "at": at, "tile": TILE_NAMES[tile], "points": points,
        "clause": "V19" if tile // COLOR_COUNT == X else "V18",
    }  # fmt: skip
