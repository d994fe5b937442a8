"""The log of a table: one entry for everything that happened. Replaying them gives the table.

Entries are stored as JSON, so a field is never renamed or given another meaning; new ones get defaults.
Entry number n of a table (from 1) is its version n.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from laguna.fair import Deal, Digest
from laguna.kernel import MAX_SEATS

PersonId = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Seat = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Notation = Annotated[str, Meta(max_length=40)]
ChatText = Annotated[str, Meta(min_length=1, max_length=500)]
Level = Annotated[str, Meta(max_length=20)]  # a bot's name, as `laguna.bots.find_bot` knows it
Milliseconds = int  # since 1970, by the server's clock
TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]


class Person(Struct, frozen=True, omit_defaults=True):
    """Someone at a table. `id` never leaves the server; the name is public."""

    id: PersonId
    name: Name
    gone: bool = False  # their account or guest was deleted, and the name with it: it says only SOMEONE


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """The time limit: none, a fixed time per action, or a time bank that grows with each action."""

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=1_209_600)] = 0  # per action, or in the bank at the start
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 0  # added to the bank after each action


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Which game is played, and how."""

    game: Annotated[str, Meta(max_length=40)]
    players: Annotated[int, Meta(ge=1, le=5)] | None = None  # None: the game's default
    options: dict[Annotated[str, Meta(max_length=40)], int | Annotated[str, Meta(max_length=40)]] = {}
    clock: Clock = Clock()
    listed: bool = False  # shown to everyone among the open tables
    hints: bool = True  # players may ask a bot for hints
    grace: Annotated[int, Meta(ge=0, le=86_400)] = 120  # seconds after leaving before a bot may take over
    rated: bool = False  # counts for the players' ratings: people with accounts only, and no hints
    open_hands: bool = False  # those without a seat may see the game as one of the seats does


class Origin(Struct, frozen=True, forbid_unknown_fields=True):
    """The finished game that a table goes on from, after its first `actions` actions."""

    table: TableId
    actions: Annotated[int, Meta(ge=0, le=100_000)]


class FromFile(Struct, frozen=True):
    """The table has a finished game from a file, dealt from this seed or else from the table's secret."""

    seed: int | None
    deal: Deal | None = None  # what else it was dealt from


class Entry(Struct, frozen=True, tag_field="is"):
    """Something that happened."""

    at: Milliseconds


class Opened(Entry, frozen=True, tag="opened"):
    """The table is opened. `settings` are complete: players and every option are spelled out."""

    settings: Settings
    host: Person
    commitment: str  # SHA-256 of the secret that all randomness is drawn from
    rules: int  # the version of the game's rules
    previous: str | None = None  # the table this is a rematch of
    position: dict[str, Any] | None = None  # where the game starts, if it is not dealt
    origin: Origin | None = None  # the game that the position comes from
    file: FromFile | None = None


class Sat(Entry, frozen=True, tag="sat"):
    """A person takes an open seat; a person may hold several (hot-seat)."""

    seat: Seat
    person: Person


class Linked(Entry, frozen=True, tag="linked"):
    """Another identity (such as another device) now holds the seat too, through a seat link."""

    seat: Seat
    person: Person


class Unlinked(Entry, frozen=True, tag="unlinked"):
    """The seat's links were revoked: every identity but the first loses the seat."""

    seat: Seat


class BotSat(Entry, frozen=True, tag="bot-sat"):
    """A bot is put on a seat."""

    seat: Seat
    level: Level


class Stood(Entry, frozen=True, tag="stood"):
    """Before the start: the seat is open again."""

    seat: Seat


class Sealed(Entry, frozen=True, tag="sealed"):
    """The seat's player has drawn a share of the deal, and published its seal."""

    seat: Seat
    seal: Digest


class Dealing(Entry, frozen=True, tag="dealing"):
    """The host has started the game: nothing it is dealt from can change now, and the shares are opened."""

    names: list[Digest]  # the marks of the names on the seats


class Shared(Entry, frozen=True, tag="shared"):
    """The seat's player has opened the share."""

    seat: Seat
    share: Digest


class Started(Entry, frozen=True, omit_defaults=True, tag="started"):
    """The game is dealt."""

    names: list[Digest] | None = None  # as in Dealing, if no share had to be opened


class Acted(Entry, frozen=True, tag="acted"):
    """An action of the game, in the notation of game files."""

    seat: Seat
    action: Notation
    bot: bool = False  # made by a bot, including one that fills in for a person


class TookBack(Entry, frozen=True, tag="took-back"):
    """The game goes back to where it was after its first `actions` actions."""

    seat: Seat
    actions: Annotated[int, Meta(ge=0)]


class Resigned(Entry, frozen=True, tag="resigned"):
    """The seat resigns."""

    seat: Seat


class OutOfTime(Entry, frozen=True, tag="out-of-time"):
    """The seat's clock ran out."""

    seat: Seat


class Resumed(Entry, frozen=True, tag="resumed"):
    """A server is up again. For this long since the previous entry none was, and the clocks were stopped."""

    down: Annotated[int, Meta(ge=0)]  # milliseconds


class Left(Entry, frozen=True, tag="left"):
    """The player of a seat is gone: the connection was lost, or they left on purpose."""

    seat: Seat


class Returned(Entry, frozen=True, tag="returned"):
    """The player is back, and takes over again from a bot that filled in."""

    seat: Seat


class TakenOver(Entry, frozen=True, tag="taken-over"):
    """After the grace period, a bot fills in for the player who left."""

    seat: Seat
    level: Level


class Said(Entry, frozen=True, tag="said"):
    """A line of chat; `seat` is None for a spectator."""

    person: Person
    seat: Seat | None
    text: ChatText


class Rematched(Entry, frozen=True, tag="rematched"):
    """The same people continue at a new table."""

    table: str


AnyEntry = (
    Opened
    | Sat
    | Linked
    | Unlinked
    | BotSat
    | Stood
    | Sealed
    | Dealing
    | Shared
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
