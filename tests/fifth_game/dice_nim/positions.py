"""Dice Nim: any position as JSON."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from dice_nim.components import DIE, MAX_COUNTERS, MAX_PLAYERS
from laguna.errors import BadPosition
from laguna.kernel.chance import WORDS, pick, seed_stream
from laguna.kernel.records import plain

Counters = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNTERS)]
Seat = Annotated[int, msgspec.Meta(ge=0, lt=MAX_PLAYERS)]
Die = Annotated[int, msgspec.Meta(ge=1, le=DIE)]
Word = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFFFF)]
Stream = Annotated[list[Word], msgspec.Meta(min_length=WORDS, max_length=WORDS)]


class Position(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Where a game stands. `dice` and `chance` may be left out: the dice are then rolled."""

    turn: Seat
    taken: list[Counters]
    dice: list[Die] | None = None
    chance: list[Stream] | None = None


def write(record: Any) -> Position:
    """The whole position, hidden dice included."""
    s = plain(record)
    players = range(s.players)
    dice = [s.hand[seat][0] for seat in players]
    return Position(s.turn, s.taken[: s.players], dice, [s.chance[seat] for seat in players])


def read(s: Any, options: Any, position: Position, seed: int) -> None:
    """Fill a blank record with a position that can occur, or say why it cannot."""
    players, counters = int(options[0]), int(options[1])
    for name in ("taken", "dice", "chance"):
        given = getattr(position, name)
        if given is not None and len(given) != players:
            raise _refuse(name, f"{len(given)} entries for {players} players", "D2")
    if position.turn >= players:
        raise _refuse("turn", f"there are {players} players", "D2")
    if sum(position.taken) > counters:
        raise _refuse("taken", f"there are only {counters} counters", "D1")
    s.players, s.turn, s.heap = players, position.turn, counters - sum(position.taken)
    s.last = (position.turn - 1) % players if s.heap == 0 else -1
    s.taken[:players] = position.taken
    for seat in range(players):
        seed_stream(s.chance[seat], seed, seat)
        s.hand[seat, 0] = position.dice[seat] if position.dice else 1 + pick(s.chance[seat], DIE)
        if position.chance:
            s.chance[seat] = position.chance[seat]


def _refuse(field: str, sentence: str, clause: str) -> BadPosition:
    return BadPosition("position", f"{field}: {sentence} ({clause}).", clause=clause, field=field)
