"""Venice 2099: why an action is not allowed."""

from __future__ import annotations

from typing import Any

import numpy as np

from laguna.errors import IllegalAction, counted, either
from laguna.games.venice_2099 import rules
from laguna.games.venice_2099.actions import actions, lowest
from laguna.games.venice_2099.components import (
    BOUGHT,
    COLOR_COUNT,
    COLORS,
    MOVED,
    NO_TILE,
    OVER,
    PLACING,
    PLATFORM,
    RESCUING,
    SIDES,
    SQUARES,
    VALUES,
)
from laguna.games.venice_2099.names import (
    SQUARE_NAMES,
    SQUARE_NUMBERS,
    cards_of,
    mover,
    player,
    squares_of,
)
from laguna.games.venice_2099.rules import BUY, CARD, GONDOLA, PLACE, RESCUE, SINK, WALKS

# The kinds of actions by their first code, and the clauses of those that name one of the mover's pawns.
_KINDS = (
    (SINK, "sink"), (CARD, "card"), (BUY, "buy"), (GONDOLA, "gondola"), (WALKS, "walk"),
    (RESCUE, "rescue"), (PLACE, "place"),
)  # fmt: skip
_CLAUSES = {"walk": "V9", "gondola": "V10", "buy": "V11"}
_VERBS = {
    "place": "place a pawn", "walk": "walk", "gondola": "go by gondola", "buy": "buy",
    "card": "play", "rescue": "rescue the pawn", "sink": "let it sink",
}  # fmt: skip
_HOW_TO_WALK = ("in a straight line in eight directions", "in a straight line in four directions",
                "from side to side")  # fmt: skip


def refusal(s: Any, code: int) -> IllegalAction:
    """Why an action of the seat to move is not allowed, and what is."""
    kind, rest = _kind(code)
    refused = _not_now(s, kind)
    if refused:
        return refused
    if kind == "card":
        return no_card(s, COLORS[rest] + (lowest(s, mover(s)) or ""))
    if kind == "place":
        return _refuse_place(s, rest)
    if kind == "rescue":
        at = SQUARE_NAMES[rest]
        text = f"there is a platform on {at}, and a pawn can only be rescued to a quarter"
        return _refuse_target(s, "V14", rest) or _refuse(s, "no-quarter", "V14", text, to=at)
    pawn, to = divmod(rest, SQUARES) if kind != "buy" else (rest, 0)
    return _refuse_pawn(s, kind, pawn, to)


def no_pawn(s: Any, kind: str, at: str) -> IllegalAction:
    """V9–V11: the mover has no pawn on this square, if it is time for such an action at all."""
    text = f"{player(mover(s))} has no pawn on {at}"
    facts: dict[str, Any] = {"kind": kind, "at": at, "pawns": squares_of(s, mover(s))}
    tile = int(s.tile[SQUARE_NUMBERS[at]])
    if tile not in (NO_TILE, PLATFORM):
        facts["color"] = COLORS[tile % COLOR_COUNT]
    return _not_now(s, kind) or _refuse(s, "no-pawn", _CLAUSES[kind], text, **facts)


def no_card(s: Any, card: str) -> IllegalAction:
    """V12: the lowest value comes first, if it is time for a card at all."""
    hand = cards_of(s.hand[mover(s)])
    if card in hand:
        text = f"{card} does not have the lowest value in {player(mover(s))}'s hand"
    else:
        text = f"there is no {card} in {player(mover(s))}'s hand"
    key = "not-lowest" if card in hand else "not-in-hand"
    return _not_now(s, "card") or _refuse(
        s, key, "V12", text, card=card, hand=hand, lowest=lowest(s, mover(s))
    )  # fmt: skip


def _kind(code: int) -> tuple[str, int]:
    """Which kind of action a code is, and the rest of the code."""
    first, kind = next(each for each in _KINDS if code >= each[0])
    return kind, code - first


def _not_now(s: Any, kind: str) -> IllegalAction | None:
    """V7, V8, V14: what belongs to another moment."""
    phase, wrong = int(s.phase), None
    if kind == "place":
        if phase != PLACING:
            wrong = ("not-now", "V7", "pawns are placed during set-up only")
    elif kind in ("rescue", "sink"):
        if phase != RESCUING:
            wrong = ("not-now", "V14", "no pawn has just fallen")
    elif phase == PLACING:
        wrong = ("not-now", "V7", "all pawns must be placed before the first turn")
    elif phase == RESCUING:
        fell_from = SQUARE_NAMES[int(s.fallen_from)]
        wrong = ("not-now", "V14", f"the pawn that fell from {fell_from} must first be rescued or sink")
    elif phase == BOUGHT and kind == "buy":
        wrong = ("bought", "V8", "only one treasure may be bought per turn")
    elif phase == BOUGHT and kind != "card":
        wrong = ("bought", "V8", "no pawn moves after a purchase")
    elif phase == MOVED and kind in ("walk", "gondola"):
        wrong = ("moved", "V8", "only one move may be made per turn, on foot or by gondola")
    return _refuse(s, *wrong) if wrong else None


def _refuse_place(s: Any, square: int) -> IllegalAction:
    refused = _refuse_target(s, "V7", square)
    if refused:
        return refused
    number = int(s.tile[square]) // COLOR_COUNT
    value = VALUES[number]
    tiles = {at: int(s.tile[SQUARE_NUMBERS[at]]) for at in squares_of(s, int(s.turn))}
    stands = next(at for at, tile in tiles.items() if tile != PLATFORM and tile // COLOR_COUNT == number)
    text = f"{player(int(s.turn))} already has a pawn on a {value}, on {stands}"
    return _refuse(s, "same-value", "V7", text, at=SQUARE_NAMES[square], value=value, stands=stands)


def _refuse_pawn(s: Any, kind: str, pawn: int, to: int) -> IllegalAction:
    """V9–V11: of a pawn of the active player."""
    seat = int(s.turn)
    own = squares_of(s, seat)
    if pawn >= len(own):
        text = f"{player(seat)} has {counted(len(own), 'pawn')} on the board, not {pawn + 1}"
        return _refuse(s, "no-pawn", _CLAUSES[kind], text, pawns=own)
    if kind == "buy":
        return _refuse_purchase(s, seat, own[pawn])
    if kind == "gondola" and s.gondolas[seat] == 0:
        return _refuse(s, "no-gondola", "V10", f"{player(seat)} has no gondola left")
    refused = _refuse_target(s, _CLAUSES[kind], to)
    if refused:
        return refused
    squares = {"from": own[pawn], "to": SQUARE_NAMES[to]}
    text = f"a pawn cannot walk from {own[pawn]} to {SQUARE_NAMES[to]}"
    way = f"it moves {_HOW_TO_WALK[int(s.moves)]}, and not over water or pawns"
    return _refuse(s, "out-of-reach", "V9", f"{text}: {way}", **squares)


def _refuse_purchase(s: Any, seat: int, at: str) -> IllegalAction:
    square = SQUARE_NUMBERS[at]
    tile = int(s.tile[square])
    if tile == PLATFORM:
        text = f"there is a platform on {at}, where nothing is sold"
        return _refuse(s, "platform", "V11", text, at=at)
    color = COLORS[tile % COLOR_COUNT]
    if s.stock[tile % COLOR_COUNT] == 0:
        return _refuse(s, "sold-out", "V11", f"all {color} treasures have been sold", at=at, color=color)
    price, coins = int(rules.price(int(s.coins_on[square]))), int(s.coins[seat])
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
            text = f"a pawn of {player(seat)} stands on {name}"
            return _refuse(s, "taken", clause, text, to=name, own=seat == mover(s))
    return None


def _refuse(s: Any, key: str, clause: str, why: str, **arguments: Any) -> IllegalAction:
    """The reason, and an example of each kind of action that is allowed."""
    sentence = f"{why[0].upper()}{why[1:]}; {_allowed(s)} ({clause})."
    return IllegalAction(key, sentence, clause=clause, seat=mover(s), **arguments)


def _allowed(s: Any) -> str:
    """An example of every kind of action that the mover may choose."""
    if s.phase == OVER:
        return "the game is over"
    examples: dict[str, list[int]] = {}
    for code in _legal_codes(s):
        examples.setdefault(_kind(code)[0], []).append(code)
    ways, meant = [], actions(s)
    for kind, found in examples.items():
        shown = either([meant[code] for code in found[:2]]) if kind == "card" else meant[found[0]]
        such_as = "such as " if kind != "card" and len(found) > 1 else ""
        ways.append(f"{_VERBS[kind]} ({such_as}{shown})")
    return f"{player(mover(s))} may {either(ways)}"


def _legal_codes(s: Any) -> list[int]:
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    codes: list[int] = out[: rules.legal(s.record, out)].tolist()
    return codes
