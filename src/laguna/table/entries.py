"""The log of a table: one entry for everything that happened; the table is their replay.

Entries are stored as JSON, so a field is never renamed or given another meaning; new ones get defaults.
The entry number n of a table (from 1) is its version n.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from laguna.kernel import MAX_SEATS

PersonId = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Seat = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Notation = Annotated[str, Meta(max_length=40)]
ChatText = Annotated[str, Meta(min_length=1, max_length=500)]
Level = Annotated[str, Meta(max_length=20)]  # a bot's name, as `laguna.bots.find_bot` knows it
Milliseconds = int  # since 1970, by the server's clock


class Person(Struct, frozen=True):
    """Somebody at a table: `id` never leaves the server, the name is for all."""

    id: PersonId
    name: Name


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """How long one may think: not limited, so long for each action, or a bank that grows with each action."""

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=1_209_600)] = 0  # for each action, or in the bank at first
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 0  # added to the bank after each action


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What is played, and how."""

    game: Annotated[str, Meta(max_length=40)]
    players: Annotated[int, Meta(ge=1, le=5)] | None = None  # None: as the game's default
    options: dict[Annotated[str, Meta(max_length=40)], int | Annotated[str, Meta(max_length=40)]] = {}
    clock: Clock = Clock()
    listed: bool = False  # among the open tables that everybody sees
    hints: bool = True  # players may ask a bot
    grace: Annotated[int, Meta(ge=0, le=86_400)] = 120  # seconds after leaving before a bot may take over


class Entry(Struct, frozen=True, tag_field="is"):
    """Something that happened."""

    at: Milliseconds


class Opened(Entry, frozen=True, tag="opened"):
    """The table begins. `settings` are complete: players and every option are spelled out."""

    settings: Settings
    host: Person
    commitment: str  # SHA-256 of the secret from which all chance is drawn
    rules: int  # the version of the game's rules
    previous: str | None = None  # the table this is a rematch of


class Sat(Entry, frozen=True, tag="sat"):
    """A person takes an open seat; a person may hold several (hot-seat)."""

    seat: Seat
    person: Person


class Linked(Entry, frozen=True, tag="linked"):
    """By a seat link another identity (another device) holds the seat too."""

    seat: Seat
    person: Person


class Unlinked(Entry, frozen=True, tag="unlinked"):
    """All identities but the first lose the seat: its links were revoked."""

    seat: Seat


class BotSat(Entry, frozen=True, tag="bot-sat"):
    """A bot is put on a seat."""

    seat: Seat
    level: Level


class Stood(Entry, frozen=True, tag="stood"):
    """Before the start: the seat is open again."""

    seat: Seat


class Started(Entry, frozen=True, tag="started"):
    """The game is dealt."""


class Acted(Entry, frozen=True, tag="acted"):
    """An action of the game, in the notation of game files."""

    seat: Seat
    action: Notation
    bot: bool = False  # made by a bot, also one that sits in for a person


class TookBack(Entry, frozen=True, tag="took-back"):
    """The game stands again as after its first `actions` actions."""

    seat: Seat
    actions: Annotated[int, Meta(ge=0)]


class Resigned(Entry, frozen=True, tag="resigned"):
    """The seat gives up."""

    seat: Seat


class OutOfTime(Entry, frozen=True, tag="out-of-time"):
    """The seat's clock ran out."""

    seat: Seat


class Resumed(Entry, frozen=True, tag="resumed"):
    """Servers are there again. For so much of the time since the entry before none was: clocks stood."""

    down: Annotated[int, Meta(ge=0)]  # milliseconds


class Left(Entry, frozen=True, tag="left"):
    """The person of a seat is gone: no connection any more, or left on purpose."""

    seat: Seat


class Returned(Entry, frozen=True, tag="returned"):
    """The person is back, and takes the seat back from a bot that sat in."""

    seat: Seat


class TakenOver(Entry, frozen=True, tag="taken-over"):
    """After the grace period a bot sits in for the person who left."""

    seat: Seat
    level: Level


class Said(Entry, frozen=True, tag="said"):
    """A line of chat; `seat` is None for a spectator."""

    person: Person
    seat: Seat | None
    text: ChatText


class Rematched(Entry, frozen=True, tag="rematched"):
    """The same people go on at a new table."""

    table: str


AnyEntry = (
    Opened
    | Sat
    | Linked
    | Unlinked
    | BotSat
    | Stood
    | Started
    | Acted
    | TookBack
    | Resigned
    | OutOfTime
    | Resumed
    | Left
    | Returned
    | TakenOver
    | Said
    | Rematched
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEntry).decode
