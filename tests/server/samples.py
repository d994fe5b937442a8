"""Small logs and summaries, to have something to store."""

from __future__ import annotations

import secrets
from typing import Any

from msgspec.structs import replace

from laguna.messages import SeatView
from laguna.server.storage import Storage, Summary
from laguna.table.entries import Acted, AnyEntry, Opened, Person, Settings

ANN, BOB = Person("ann-id", "Ann"), Person("bob-id", "Bob")
SECRET = bytes(range(32))
SEATS = [SeatView(0, "red", "person", "Ann"), SeatView(1, "blue", "person", "Bob")]
PLAYING = Summary("playing", "neptune-vesta", 2, SEATS, [[ANN.id], [BOB.id]], [0])


def summary(**changes: Any) -> Summary:
    return replace(PLAYING, **changes)


def opened(at: int = 1) -> Opened:
    return Opened(at, Settings("neptune-vesta", 2), ANN, "c" * 64, 1)


def acted(version: int) -> Acted:
    """An action whose time is its version."""
    return Acted(version, 0, "1Ra1")


def new_id() -> str:
    return secrets.token_urlsafe(16)


async def new_table(storage: Storage, entries: int = 1, **changes: Any) -> str:
    """A table with this many entries, the first at time 1 and so on."""
    table = new_id()
    log: list[AnyEntry] = [opened(), *(acted(version) for version in range(2, entries + 1))]
    await storage.open_table(table, SECRET, log, summary(**changes))
    return table
