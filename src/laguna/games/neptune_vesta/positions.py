"""Neptune & Vesta: any position as JSON, and why some positions are impossible."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec.structs import replace

from laguna.errors import counted, impossible
from laguna.games.neptune_vesta.components import (
    BLUE_TILE,
    CELLS,
    CENTER,
    COPIES,
    HAND,
    LIGHTHOUSE_END,
    SEATS,
    VALUES,
    ZONE,
)
from laguna.games.neptune_vesta.names import CELL_NAMES, CELL_NUMBERS, COLORS, NAMES
from laguna.games.neptune_vesta.views import board
from laguna.kernel.chance import WORDS, seed_stream, shuffle
from laguna.kernel.records import plain

Seat = Annotated[int, msgspec.Meta(ge=0, le=1)]
Value = Annotated[int, msgspec.Meta(ge=1, le=VALUES)]
Word = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFFFF)]
CellName = Annotated[str, msgspec.Meta(pattern="^[RB][a-e][1-5]$")]
ColorName = Annotated[str, msgspec.Meta(pattern="^(red|blue)$")]


class Hands(msgspec.Struct, forbid_unknown_fields=True):
    """The tiles each player holds."""

    red: Annotated[list[Value], msgspec.Meta(min_length=HAND - 1, max_length=HAND)]
    blue: Annotated[list[Value], msgspec.Meta(min_length=HAND - 1, max_length=HAND)]


class Stacks(msgspec.Struct, forbid_unknown_fields=True):
    """The tiles face down, bottom first."""

    red: list[Value]
    blue: list[Value]


class Chance(msgspec.Struct, forbid_unknown_fields=True):
    """The generators that shuffle each color."""

    red: Annotated[list[Word], msgspec.Meta(min_length=WORDS, max_length=WORDS)]
    blue: Annotated[list[Word], msgspec.Meta(min_length=WORDS, max_length=WORDS)]


class Position(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Where a match stands. `stacks` and `chance` may be left out: they are then shuffled."""

    starter: Seat
    turn: Seat
    lighthouse: Annotated[int, msgspec.Meta(ge=-LIGHTHOUSE_END, le=LIGHTHOUSE_END)]
    board: dict[CellName, tuple[ColorName, Value]]
    hands: Hands
    round: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1
    wins: tuple[Annotated[int, msgspec.Meta(ge=0, le=2)], Annotated[int, msgspec.Meta(ge=0, le=2)]] = (0, 0)
    over: bool = False
    stacks: Stacks | None = None
    chance: Chance | None = None


def write(record: Any) -> Position:
    """The whole position, hidden tiles included."""
    s = plain(record)
    stacks = [s.stack[color][: s.stack_size[color]] for color in range(SEATS)]
    hands = [[tile for tile in s.hand[color] if tile] for color in range(SEATS)]
    return Position(
        starter=s.starter,
        turn=s.turn,
        lighthouse=s.lighthouse,
        board={name: (tile.color, tile.value) for name, tile in board(s).items()},
        hands=Hands(*hands),
        round=s.round_number,
        wins=(s.wins[0], s.wins[1]),
        over=bool(s.over),
        stacks=Stacks(*stacks),
        chance=Chance(*s.chance),
    )


def without_undrawn(position: Position) -> Position:
    """The same without the order of the stacks and what shuffles them."""
    return replace(position, stacks=None, chance=None)


def read(s: Any, options: Any, position: Position, seed: int) -> None:
    """Fill a blank record with a position that can occur, or say why it cannot."""
    rounds = int(options[1])
    _check_match(position, rounds)
    _check_board(position)
    _check_end(position, rounds)
    hidden = [_hidden_tiles(position, color) for color in range(SEATS)]

    s.rounds, s.line_to = rounds, options[2]
    s.round_number, s.starter, s.turn = position.round, position.starter, position.turn
    s.lighthouse, s.over = position.lighthouse, position.over
    s.wins[:] = position.wins
    s.free_cells = CELLS - len(position.board)
    s.free = sum(1 << cell for cell, name in enumerate(CELL_NAMES) if name not in position.board)
    for name, (owner, value) in position.board.items():
        s.board[CELL_NUMBERS[name]] = value + BLUE_TILE * COLORS.index(owner)
    for color in range(SEATS):
        hand = sorted(_of(position.hands, color))
        s.hand[color, HAND - len(hand) :] = hand
        seed_stream(s.chance[color], seed, color)
        s.stack_size[color] = len(hidden[color])
        s.stack[color, : len(hidden[color])] = hidden[color]
        if position.stacks is None:
            shuffle(s.chance[color], s.stack[color], len(hidden[color]))
        if position.chance is not None:
            s.chance[color] = np.array(_of(position.chance, color), np.uint32)


def _of(both: Hands | Stacks | Chance, color: int) -> list[int]:
    return both.red if color == 0 else both.blue


def _check_match(position: Position, rounds: int) -> None:
    """N16–N18: rounds and wins that a match can have."""
    if position.round > rounds:
        text = f"there is no round {position.round} in a match of {counted(rounds, 'round')}"
        raise impossible("no-round", "round", text, "N18", round=position.round, rounds=rounds)
    finished = position.round if position.over else position.round - 1
    if sum(position.wins) > finished:
        won = sum(position.wins)
        text = f"{counted(won, 'win')} in {counted(finished, 'finished round')}"
        raise impossible("wins", "wins", text, "N16", wins=won, rounds=finished)
    decided = position.round == rounds or max(position.wins) == 2
    if position.over and not decided:
        text = "a match ends after its last round or with the second win"
        raise impossible("undecided", "over", text, "N16")
    if not position.over and max(position.wins) == 2:
        raise impossible("decided", "over", "with two wins the match is over", "N16")


def _check_board(position: Position) -> None:
    """N5, N6, N8: centers, who started, and tiles placed in turn."""
    centers = []
    for color, zone in enumerate("RB"):
        name = CELL_NAMES[color * ZONE + CENTER]
        tile = position.board.get(name)
        if tile is None or tile[0] != COLORS[color]:
            text = f"the center of zone {zone} holds a {COLORS[color]} tile"
            raise impossible("center", f"board.{name}", text, "N5", color=COLORS[color])
        centers.append(tile[1])
    if position.round == 1:
        if centers[0] == centers[1]:
            raise impossible("same-centers", "board", "the two centers of round 1 differ", "N6")
        lower = 0 if centers[0] < centers[1] else 1
        if position.starter != lower:
            text = f"in round 1 the lower center starts, {NAMES[lower]}"
            raise impossible("starter", "starter", text, "N6", seat=lower)
    placed = [sum(tile[0] == color for tile in position.board.values()) for color in COLORS]
    other = 1 - position.starter
    ahead = placed[position.starter] - placed[other]
    if ahead not in (0, 1):
        counts = {"red": placed[0], "blue": placed[1]}
        text = f"{placed[0]} red and {placed[1]} blue tiles are impossible: {NAMES[position.starter]} started"
        text = f"{text} and the players take turns"
        raise impossible("placed", "board", text, "N8", seat=position.starter, **counts)
    last = position.starter if ahead else other
    turn = last if position.over else 1 - last
    if position.turn != turn:
        key = "last" if position.over else "next"
        why = "placed the last tile" if position.over else "is next, by the number of tiles"
        raise impossible(key, "turn", f"must be {turn}: {NAMES[turn]} {why}", "N8", seat=turn)


def _check_end(position: Position, rounds: int) -> None:
    """N14, N15: a round that is over has a reason, and one that goes on has none."""
    at_end = abs(position.lighthouse) == LIGHTHOUSE_END
    full = len(position.board) == CELLS
    if not position.over:
        if at_end:
            raise impossible("at-end", "lighthouse", "on 10 the round is over", "N14")
        if full:
            raise impossible("full", "board", "with all cells full the round is over", "N15")
        return
    if not (at_end or full):
        text = "a round ends with the lighthouse on 10 or all cells full"
        raise impossible("unfinished", "over", text, "N15")
    _check_last_round(position)


def _check_last_round(position: Position) -> None:
    """N14–N16: without the last round's win there were enough rounds, and the match went on."""
    before = list(position.wins)
    drawn = position.lighthouse == 0  # N15: on a full board
    winner = 0 if position.lighthouse > 0 else 1
    if not drawn:
        before[winner] -= 1
    last = "the last round was drawn" if drawn else f"{NAMES[winner]} won the last round"
    who = {"seat": winner, "drawn": "yes" if drawn else "no"}
    if min(before) < 0:
        raise impossible("no-win", "wins", f"{last} and has no win", "N15", seat=winner)
    if max(before) == 2:
        text = f"{last}, so the wins were {before[0]}:{before[1]} before it and the match was over"
        raise impossible("over-before", "wins", text, "N15", red=before[0], blue=before[1], **who)
    won, rounds = sum(before), position.round - 1
    if won > rounds:
        text = f"{last}, and {counted(won, 'win')} in {counted(rounds, 'round')} before it is impossible"
        raise impossible("wins-before", "wins", text, "N15", wins=won, rounds=rounds, **who)


def _hidden_tiles(position: Position, color: int) -> list[int]:
    """N2: the stack of a color; all its tiles together are three of each value."""
    name = COLORS[color]
    hand = _of(position.hands, color)
    held = HAND - 1 if position.over and color == position.turn else HAND
    if len(hand) != held:
        text = f"{counted(len(hand), 'tile')} in hand instead of {held}"
        raise impossible("hand", f"hands.{name}", text, "N8", seat=color, count=len(hand), wanted=held)
    placed = [value for owner, value in position.board.values() if owner == name]
    missing = []
    for value in range(1, VALUES + 1):
        seen = placed.count(value) + hand.count(value)
        if seen > COPIES:
            text = f"there are {COPIES} tiles of value {value}, not {seen}"
            facts = {"color": name, "value": value, "count": seen, "most": COPIES}
            raise impossible("copies", f"hands.{name}", text, "N2", **facts)
        missing += [value] * (COPIES - seen)
    if position.stacks is None:
        return missing
    stack = _of(position.stacks, color)
    if sorted(stack) != missing:
        text = "with board and hand it must make three tiles of each value"
        raise impossible("stack", f"stacks.{name}", text, "N2", color=name)
    return stack
