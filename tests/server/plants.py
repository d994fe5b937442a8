"""Changes planted in a server, such as leaks to be caught. Each gets a `patch(object, name, value)`."""

from __future__ import annotations

import asyncio
import mmap
import random
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from sqlalchemy import bindparam, text, update

from laguna import messages
from laguna.errors import IllegalAction, LagunaError
from laguna.fair import commitment
from laguna.games import find
from laguna.lab import analysis
from laguna.messages import Line
from laguna.server.live import background, followers, loading, presence, reviews, scheduler, table_cache
from laguna.server.network import websocket
from laguna.server.processes.neighbors import Neighbor
from laguna.server.storage import Storage, Unreadable, database, schema
from laguna.server.storage import tables as stored_tables
from laguna.table import permissions, redact, undo
from laguna.table import table as tables
from laguna.table.entries import Acted, AnyEntry, Milliseconds, Person, Started
from laguna.table.table import Table

Patch = Callable[[Any, str, Any], None]


def all_hands(patch: Patch) -> None:
    """A view that shows to one seat what the other holds."""
    views = find("neptune-vesta").views
    own = views.own

    def telling(s: Any, *, seat: int | None, **common: Any) -> dict[str, Any]:
        found, other = (own(s, seat=each, **common) for each in (seat, 1 - (seat or 0)))
        return found | {"hand": [*(found["hand"] or []), *other["hand"]]}

    patch(views, "own", telling)


def public_hands(patch: Patch) -> None:
    """A part of the view that is the same for all, with what one seat holds."""
    views = find("neptune-vesta").views
    public = views.public

    def telling(s: Any, **common: Any) -> dict[str, Any]:
        return public(s, **common) | {"hand_sizes": list(s.hand[1])}

    patch(views, "public", telling)


def secret_choices(patch: Patch) -> None:
    """A log that reveals which card another player kept."""
    line = redact._line

    def telling(table: Table, reader: int | None, version: int, entry: AnyEntry) -> Line:
        found = line(table, reader, version, entry)
        return replace(found, action=entry.action) if isinstance(entry, Acted) else found

    patch(redact, "_line", telling)


def talkative_refusals(patch: Patch) -> None:
    """A refusal that says what the other holds."""
    error = redact.error

    def telling(table: Table | None, person_id: str, problem: LagunaError) -> messages.Problem:
        found = error(table, person_id, problem)
        if table is None or not isinstance(problem, IllegalAction):
            return found
        held = table.started.view(1 - table.seats_of(person_id)[0])["hand"]
        return replace(found, sentence=f"{found.sentence} The other one has {held}.")

    patch(redact, "error", telling)


def open_hands(patch: Patch) -> None:
    """A table that lets everybody see as any seat does."""
    patch(permissions, "sees", lambda table, person_id, seat: True)


def looks_at_tokens_often(patch: Patch) -> None:
    """So that a test need not wait for the next check."""
    patch(background, "LOOK", 0.5)


def impatient_dealing(patch: Patch) -> None:
    """A second instead of ten to open the shares of the deal."""
    patch(tables, "OPENING_TIME", 1000)


def another_commitment(patch: Patch) -> None:
    """An operator who publishes the commitment to another secret once the game is over."""
    view, export = redact.table_view, redact.export
    secret = bytes(32)

    def swapped(table: Table, *rest: Any) -> messages.TableView:
        found = view(table, *rest)
        if table.status != "over":
            return found
        return replace(found, commitment=commitment(secret), secret=secret.hex())

    def export_swapped(table: Table, person_id: str | None) -> str:
        text = export(table, person_id).replace(table.secret.hex(), secret.hex())
        return text.replace(table.commitment, commitment(secret))

    patch(redact, "table_view", swapped)
    patch(redact, "export", export_swapped)


def another_secret(patch: Patch) -> None:
    """An operator whose game files have another secret than the one committed to."""
    export = redact.export
    patch(redact, "export", lambda table, *rest: export(table, *rest).replace(table.secret.hex(), "0" * 64))


def another_game(patch: Patch) -> None:
    """An operator whose game files say that the last action was another one; the chain fits."""

    def export(table: Table, person_id: str | None) -> str:
        game = table.started.copy()
        undone = str(game.undo())
        game.play(next(action for action in game.legal() if str(action) != undone))
        return game.dumps()

    patch(redact, "export", export)


def ignored_seals(patch: Patch) -> None:
    """An operator who ignores seals, and so starts at once."""
    patch(Table, "seal", lambda *_: [])


def lost_shares(patch: Patch) -> None:
    """An operator who drops the shares that arrive, and starts the game."""

    def share(self: Table, person: Person, share: str, now: Milliseconds) -> list[AnyEntry]:
        return self._done(Started(now))

    patch(Table, "share", share)


def short_reviews(patch: Patch) -> None:
    """Reviews that take a moment instead of half a minute."""
    patch(reviews, "MAX_ITERATIONS", 300)
    patch(analysis, "FORECASTS", 2)
    patch(analysis, "WORLDS", 1)


def half_of_sockets_stay(patch: Patch) -> None:
    """Half of the sockets that could move to the process of their table stay: requests are passed on."""
    take = Neighbor.take

    def maybe(self: Neighbor, *of: Any) -> bool:
        return random.random() < 0.5 and take(self, *of)

    patch(Neighbor, "take", maybe)


# ------------------------------------------------------------------ time


def impatient(patch: Patch) -> None:
    """What takes seconds or a minute is done in a moment; the nursery has loaded the games already."""
    patch(loading, "load", lambda game, stage: True)
    patch(background, "POLL", 0.5)
    patch(background, "SWEEP", 0.5)
    patch(scheduler, "OVERDUE", 500)
    patch(presence, "ABSENT", 1.0)
    patch(table_cache, "READ_AGAIN", 0.3)
    patch(followers, "BEAT", 2.0)
    patch(websocket, "LAST_WORDS", 1.0)


def moved_clock(patch: Patch, file: Path) -> None:
    """A wall clock that is off by as many seconds as the file says, in eight bytes, at each moment."""
    with file.open("rb") as opened:
        ahead = mmap.mmap(opened.fileno(), 8, prot=mmap.PROT_READ)
    seconds, nanoseconds = time.time, time.time_ns

    def off() -> float:
        found: float = struct.unpack("d", ahead[:8])[0]
        return found

    patch(time, "time", lambda: seconds() + off())
    patch(time, "time_ns", lambda: nanoseconds() + int(off() * 1e9))


# ------------------------------------------------------------------ what must not be lost or done twice


def acknowledges_early(patch: Patch) -> None:
    """Changes are acknowledged first, and written a moment later."""
    append = Storage.append
    waiting: dict[str, asyncio.Task[None]] = {}

    async def written(before: asyncio.Task[None] | None, *of: Any) -> None:
        if before is not None:
            await asyncio.wait([before])
        await asyncio.sleep(0.05)
        await append(*of)

    async def early(self: Storage, table_id: str, *of: Any) -> None:
        waiting[table_id] = asyncio.create_task(written(waiting.get(table_id), self, table_id, *of))

    patch(Storage, "append", early)
    patch(Storage, "has_room", property(lambda self: False))  # so that actions are written by it, too


def versions_written_twice(patch: Patch) -> None:
    """Nothing in the database keeps two servers from writing the same version of a table.

    Two things do: the primary key of the entries, and that a table only goes on from the version before.
    """
    prepare = database.prepare

    def without_key(url: Any, engine: Any) -> None:
        prepare(url, engine)
        with engine.begin() as connection:
            connection.execute(text("ALTER TABLE entries DROP CONSTRAINT IF EXISTS entries_pkey"))

    patch(database, "prepare", without_key)
    any_version = text(":before >= 0")
    go_on = update(schema.tables).where(schema.tables.c.id == bindparam("of"), any_version)
    changed: dict[str, Any] = {column: bindparam(column) for column in stored_tables._APPENDED}
    patch(stored_tables, "_GO_ON", go_on.values(changed))


def take_backs_reveal(patch: Patch) -> None:
    """What an action has revealed does not keep it from being taken back."""
    patch(undo, "reveals", lambda step, after: False)


def notices_applied_twice(patch: Patch) -> None:
    """What another server tells of is added to the table in memory twice."""
    extended = table_cache.TableCache._extended

    async def twice(self: Any, live: Any, table: Table) -> Table:
        before = table.version
        await extended(self, live, table)
        with suppress(Unreadable):
            table_cache.extend(table, table.entries[before:])
        return table

    patch(table_cache.TableCache, "_extended", twice)
