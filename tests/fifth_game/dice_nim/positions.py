"""Dice Nim: any position as JSON."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from dice_nim.components import DIE, MAX_COUNTERS, MAX_PLAYERS
from laguna.errors import impossible
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
            text = f"{len(given)} entries for {players} players"
            raise impossible("entries", name, text, "D2", count=len(given), players=players)
    if position.turn >= players:
        text = f"there are {players} players"
        raise impossible("no-seat", "turn", text, "D2", number=position.turn, players=players)
    if sum(position.taken) > counters:
        raise impossible("counters", "taken", f"there are only {counters} counters", "D1", count=counters)
    s.players, s.turn, s.heap = players, position.turn, counters - sum(position.taken)
    s.last = (position.turn - 1) % players if s.heap == 0 else -1
    s.taken[:players] = position.taken
    for seat in range(players):
        seed_stream(s.chance[seat], seed, seat)
        s.hand[seat, 0] = position.dice[seat] if position.dice else 1 + pick(s.chance[seat], DIE)
        if position.chance:
            s.chance[seat] = position.chance[seat]
