"""Everything of one's own as a zip archive, written piece by piece: only one game at a time is in memory.

It contains what the person could see anyway. A game file has all hands and the deck, so there is one only for
a game that is over; of a running one there is nothing but its line in the list.
"""

from __future__ import annotations

import asyncio
import csv
import io
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from laguna.errors import LagunaError
from laguna.files import SUFFIX
from laguna.messages import PlayedGame
from laguna.server.live.requests import Tables
from laguna.server.people import history
from laguna.server.storage import Storage
from laguna.table import redact
from laguna.table.entries import Milliseconds, Person, Said

MAX_CHANGES = 100_000  # of a rating
COLUMNS = (
    *("table", "game", "players", "status", "rated", "opened", "ended", "result", "place", "score"),
    *("how", "opponents", "rating", "rating_change"),
)
ABOUT = """\
What Laguna knows about you.

profile.json   your name, your account's name, since when, where you are logged in
ratings.json   your ratings, and what each rated game did to them
games.json     all your games with their results; games.csv is the same for spreadsheets
games/         the game files of those that are over: `laguna verify FILE` checks one
chat.json      what you wrote at tables
"""


class _Pipe(io.RawIOBase):
    """Where the archive is written to, and taken from."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._written += data
        return len(data)

    def take(self) -> bytes:
        taken = bytes(self._written)
        self._written.clear()
        return taken


async def archive(storage: Storage, tables: Tables, person: Person) -> AsyncIterator[bytes]:
    """The archive, in pieces."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("README.txt", ABOUT)
        packed.writestr("profile.json", _json(await _profile(storage, person)))
        packed.writestr("ratings.json", _json(await _ratings(storage, person)))
        yield pipe.take()
        games = [game async for _, game in history.games_of(storage, person, history.Wanted())]
        changes = await _changes(storage, person, games)
        games = [msgspec.structs.replace(game, rating=changes.get(game.table)) for game in games]
        packed.writestr("games.json", _json(games))
        packed.writestr("games.csv", _csv(games))
        yield pipe.take()
        chat: list[tuple[str, Said]] = []
        for table_id in await storage.mentions_of(person.id):
            try:
                table = await tables.finished(table_id)
            except LagunaError:
                continue  # damaged, or of older rules: nobody can see it any more
            said = (entry for entry in table.entries if isinstance(entry, Said))
            chat += [(table_id, entry) for entry in said if entry.person.id == person.id]
            if table.status == "over" and table.seats_of(person.id):
                text = await asyncio.to_thread(redact.export, table, person.id)
                packed.writestr(f"games/{table_id}{SUFFIX}", text)
                yield pipe.take()
        packed.writestr("chat.json", _json(_chat(chat)))
    yield pipe.take()


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)


def _time(at: Milliseconds | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds")


async def _profile(storage: Storage, person: Person) -> dict[str, Any]:
    return {
        "name": person.name,
        "account": await storage.account_of(person.id),
        "since": _time(await storage.known_since(person.id)),
        "devices": [
            {
                "client": each.agent.client,
                "system": each.agent.system,
                "created": _time(each.created),
                "used": _time(each.used),
            }
            for each in await storage.sessions_of(person.id, 0, 0)
        ],
    }


async def _ratings(storage: Storage, person: Person) -> list[dict[str, Any]]:
    return [
        {
            "game": game,
            "rating": rating.shown,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "games": rating.games,
            "history": [
                {"table": each.table, "at": _time(each.at), "mu": each.after.mu, "sigma": each.after.sigma}
                for each in await storage.rating_changes(person.id, game, MAX_CHANGES)
            ],
        }
        for game, rating in (await storage.ratings_of(person.id)).items()
    ]


async def _changes(storage: Storage, person: Person, games: list[PlayedGame]) -> dict[str, Any]:
    rated = [game.table for game in games if game.rated]
    found: dict[str, Any] = {}
    for first in range(0, len(rated), history.AT_ONCE):
        changes = await storage.rating_changes_at(person.id, rated[first : first + history.AT_ONCE])
        found |= {table: history.rating_point(change) for table, change in changes.items()}
    return found


def _csv(games: list[PlayedGame]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in games:
        [seat] = game.mine if len(game.mine) == 1 and game.scores else [None]
        others = [each for each in game.seats if each.seat not in game.mine]
        writer.writerow(
            [
                *(game.table, game.game, game.players, game.status, game.rated),
                *(_time(game.created), _time(game.ended), game.result),
                *(None if seat is None else game.ranks[seat], None if seat is None else game.scores[seat]),
                *(game.how, ", ".join(_cell(each.name or "?") for each in others)),
                *((game.rating.rating, game.rating.change) if game.rating else (None, None)),
            ]
        )
    return text.getvalue()


def _cell(name: str) -> str:
    """A spreadsheet must not take a name for a formula."""
    return f"'{name}" if name[0] in "=+-@" else name


def _chat(said: list[tuple[str, Said]]) -> list[dict[str, Any]]:
    """What somebody wrote, each with its table, in the order of time."""
    return [
        {"table": table, "at": _time(entry.at), "text": entry.text}
        for table, entry in sorted(said, key=lambda each: each[1].at)
    ]
