"""Neptune & Vesta in words: actions, events, refusals, and what a seat may see."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec

from laguna.errors import IllegalAction, counted, either
from laguna.games.contract import Action, Event, in_order
from laguna.games.neptune_vesta.components import (
    BLUE_TILE,
    CELLS,
    COPIES,
    MAJORITY,
    SEATS,
    SIDE,
    VALUE_OF,
    VALUES,
    ZONE,
)
from laguna.games.neptune_vesta.meta import META

COLORS = ("red", "blue")
NAMES = tuple(META.seat_name(seat) for seat in range(SEATS))
ZONES = "RB"
COLUMNS = "abcde"


def cell_name(cell: int) -> str:
    """N1: Rc3 is the center of the red zone."""
    zone, place = divmod(cell, ZONE)
    row, column = divmod(place, SIDE)
    return f"{ZONES[zone]}{COLUMNS[column]}{row + 1}"


CELL_NAMES = tuple(cell_name(cell) for cell in range(CELLS))
CELL_NUMBERS = {name: cell for cell, name in enumerate(CELL_NAMES)}

# ------------------------------------------------------------------ actions


class Place(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """N8: put the own tile of this value on this cell."""

    do: Literal["place"]
    tile: Annotated[int, msgspec.Meta(ge=1, le=VALUES)]
    at: Annotated[str, msgspec.Meta(pattern="^[RB][a-e][1-5]$")]


ACTION = Place
HOW_TO_WRITE = "a tile's value and a cell, such as 7Bc1: value 7 on column c, row 1 of the blue zone"
_NOTATION = re.compile(r"(10|[1-9]) ?([RB])([a-e])([1-5])", re.IGNORECASE)


# Actions mean the same in every position here, so each is made once.
PLACES = tuple(Place("place", value, name) for value in range(1, VALUES + 1) for name in CELL_NAMES)
ACTIONS = in_order(PLACES, lambda place: f"{place.tile}{place.at}")


def actions(s: Any) -> tuple[Action, ...]:
    """What each code means."""
    return ACTIONS


def encode(s: Any, action: Place) -> int:
    """The code of a structured action."""
    return (action.tile - 1) * CELLS + CELL_NUMBERS[action.at]


def parse(s: Any, text: str) -> int | None:
    """The code of an action in short form, or None if it is not one."""
    read = _NOTATION.fullmatch(text.strip())
    if read is None:
        return None
    value, zone, column, row = read.groups()
    return (int(value) - 1) * CELLS + CELL_NUMBERS[zone.upper() + column.lower() + row]


def is_public(action: Place) -> bool:
    """N20: everybody sees which tile is placed where."""
    return True


# ------------------------------------------------------------------ refusals


def refusal(s: Any, code: int) -> IllegalAction:
    """Why an action of the seat to move is not allowed, and what is."""
    seat = s.turn
    tile = PLACES[code]
    hand = _hand(s, seat)
    free = [name for cell, name in enumerate(CELL_NAMES) if s.board[cell] == 0]
    allowed = f"{NAMES[seat]} may place {either(sorted(set(hand)))} on any of the {len(free)} free cells"
    if tile.tile not in hand:
        return IllegalAction(
            "not-in-hand",
            f"There is no {tile.tile} in {NAMES[seat]}'s hand; {allowed} (N8).",
            clause="N8",
            seat=seat,
            tile=tile.tile,
            hand=hand,
        )
    color, value = tile_words(s.board[CELL_NUMBERS[tile.at]])
    return IllegalAction(
        "cell-taken",
        f"{tile.at} already holds the {color} {value}; {allowed}, such as {free[0]} (N8).",
        clause="N8",
        seat=seat,
        at=tile.at,
        color=color,
        value=value,
        free=free,
    )


# ------------------------------------------------------------------ events


def events(s: Any) -> list[Event]:
    """What the last action did, as the rules noted it."""
    return [_event(s, *numbers) for numbers in s.events[: s.event_count]]


def _event(s: Any, clause: int, seat: int, points: int, place: int) -> Event:
    if clause == 10:
        return _line_event(s, seat, points, place)
    if clause == 11:
        arguments: dict[str, Any] = {"seat": seat, "movement": points, "lighthouse": place}
        return Event("N11", "lighthouse", arguments, f"The lighthouse is now {track_words(place)}.")
    if clause == 6:
        arguments = {"seat": seat, "round": place}
        why = "with the lower tile" if place == 1 else "having not started the round before"
        return Event("N6", "round-start", arguments, f"Round {place}: {NAMES[seat]} starts, {why}.")
    arguments = {"seat": seat if seat >= 0 else None, "round": place}
    if seat < 0:
        return Event("N15", "round-draw", arguments, f"Round {place} is drawn: the lighthouse is on 0.")
    how = "the lighthouse has reached 10" if clause == 14 else "all cells are full"
    key = "round-lighthouse" if clause == 14 else "round-full"
    return Event(f"N{clause}", key, arguments, f"{NAMES[seat]} wins round {place}: {how}.")


def _line_event(s: Any, seat: int, points: int, place: int) -> Event:
    """N10, with the clause that chose the receiver: N9, or N19 for the variants."""
    zone = (place % CELLS) // ZONE
    column = place >= CELLS
    name = COLUMNS[place % SIDE] if column else str(place % ZONE // SIDE + 1)
    arguments = {
        "line": ZONES[zone] + name,
        "seat": seat,
        "points": points,
        "receiver_clause": "N9" if s.line_to == MAJORITY else "N19",
    }
    line = f"{'Column' if column else 'Row'} {name} of the {COLORS[zone]} zone"
    if points < 0:
        sentence = f"{line} has no combination: {points} to {NAMES[seat]}."
    else:
        sentence = f"{line} is complete: {points} to {NAMES[seat]}."
    return Event("N10", "line", arguments, sentence)


def track_words(lighthouse: int) -> str:
    """Where the lighthouse stands, for people: no signs."""
    if lighthouse == 0:
        return "on 0"
    return f"on {abs(lighthouse)} for {NAMES[0 if lighthouse > 0 else 1]}"


def scoring(s: Any) -> list[Event]:
    """N16: the scores as they stand are rounds won, not the points that moved the lighthouse."""
    return [
        Event(
            "N16", "rounds", {"seat": seat, "points": won}, f"{NAMES[seat]} has won {counted(won, 'round')}."
        )
        for seat, won in enumerate(s.wins)
        if won
    ]


# ------------------------------------------------------------------ views


def tile_words(tile: int) -> tuple[str, int]:
    """A tile on the board as its color and value."""
    return COLORS[tile // BLUE_TILE], tile & VALUE_OF


def _hand(s: Any, seat: int) -> list[int]:
    return [tile for tile in s.hand[seat] if tile]


def board(s: Any) -> dict[str, list[str | int]]:
    """The tiles on the board by the name of their cell."""
    return {name: [*tile_words(tile)] for name, tile in zip(CELL_NAMES, s.board, strict=True) if tile}


def view(s: Any, seat: int | None) -> dict[str, Any]:
    """N20: what this seat may know (None: a spectator), and nothing else."""
    return {
        "round": s.round_number,
        "starter": s.starter,
        "wins": list(s.wins),
        "lighthouse": s.lighthouse,
        "board": board(s),
        "hand": None if seat is None else _hand(s, seat),
        "hand_sizes": [len(_hand(s, each)) for each in range(SEATS)],
        "stack_sizes": list(s.stack_size),
        "unseen": {color: _unseen(s, each, seat) for each, color in enumerate(COLORS)},
    }


def _unseen(s: Any, color: int, seat: int | None) -> list[int]:
    """How many tiles of each value 1–10 of a color this seat has not seen this round."""
    left = [COPIES] * VALUES
    for tile in s.board:
        if tile and tile // BLUE_TILE == color:
            left[(tile & VALUE_OF) - 1] -= 1
    if color == seat:
        for value in _hand(s, seat):
            left[value - 1] -= 1
    return left
