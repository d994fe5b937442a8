"""Nothing secret leaves: what each person receives stays the same when all they cannot know is replaced.

Whole random games are played over real sockets. Every frame is then written again, once from the table as it
was and once from a twin in which everything hidden from that person is dealt again; all three must be equal,
byte for byte.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from laguna import messages
from laguna.games import find, rulebooks
from laguna.messages import Act, Changed, Refused, Sit, Start
from laguna.server.storage import Storage
from laguna.table.entries import AnyEntry, Sat
from laguna.table.table import Table
from tests.server import plants
from tests.server.nursery import Forked, Nursery
from tests.server.recorded import Recorder, new_token, open_table, recorder
from tests.server.twins import SILENT, Writer, twin_of

pytestmark = pytest.mark.anyio
TRIED = 8  # actions that are tried although they are not allowed, and looks over HTTP, in a game


# ------------------------------------------------------------------ playing


class Traffic:
    """All that was received in a game: of each seat, then of a spectator."""

    def __init__(self, stored: Any, recorders: list[Recorder]) -> None:
        self.secret: bytes = stored.secret
        self.entries: list[AnyEntry] = stored.entries
        self.recorders = recorders


async def whole_game(server: Forked, game: str, players: int, database: str) -> Traffic:
    address = f"127.0.0.1:{server.port}"
    async with server, AsyncExitStack() as stack:
        tokens = [await new_token(address) for _ in range(players + 1)]
        table = await open_table(address, tokens[0], game, players)
        everybody = [await stack.enter_async_context(recorder(address, token, table)) for token in tokens]
        for person in everybody[1:-1]:
            await person.ask(Sit)
        started = await everybody[0].ask(Start)
        assert isinstance(started, messages.Done)
        await play(everybody, started.version or 0)
    storage = Storage(database)
    await storage.start()
    stored = await storage.load(table)
    await storage.close()
    return Traffic(stored, everybody)


async def play(everybody: list[Recorder], version: int) -> None:
    """One after the other; now and then somebody tries what others may do, or looks over HTTP."""
    seen: list[dict[str, Any]] = []
    tried = 0
    while True:
        for person in everybody:
            await person.until(version)
        views = [person.view for person in everybody if person.view is not None]
        if views[0].status == "over":
            return
        seat = random.choice(views[0].deciders)
        legal = (views[seat].game or {})["legal"]
        seen += random.sample(legal, min(3, len(legal)))
        if tried < TRIED and random.random() < 0.2:
            tried += 1
            await everybody[seat].look()
            wrong = random.choice([action for action in seen if action not in legal] or [{"do": "?"}])
            answer = await everybody[seat].ask(Act, version=views[seat].version, action=wrong)
            assert isinstance(answer, Refused)
        answer = await everybody[seat].ask(Act, version=views[seat].version, action=random.choice(legal))
        assert isinstance(answer, messages.Done), answer
        version = answer.version or 0


# ------------------------------------------------------------------ comparing


def leaks(traffic: Traffic, reader: int | None, watched: int | None = None) -> Iterator[tuple[bytes, bytes]]:
    """The frames that show this seat (None: a spectator) more than it may know, and what its twin's say.

    `watched` is a seat whose view the spectator may see.
    """
    recorded = traffic.recorders[-1 if reader is None else reader]
    seated = [entry.person for entry in traffic.entries if isinstance(entry, Sat) and entry.seat == reader]
    writer = Writer(seated[0] if seated else None, recorded.asked)
    known = watched if reader is None else reader
    table = Table.from_log(recorded.table, traffic.secret, [])
    for number, text in enumerate(recorded.frames):
        frame = messages.decode_message(text)
        if isinstance(frame, SILENT):
            continue
        if not isinstance(frame, Refused):
            table.extend(traffic.entries[table.version : frame.view.version])
        assert writer.write(frame, table) == text, "the server writes something else"
        if table.status != "over":  # then the secret is for all
            written = writer.write(frame, twin_of(table, known, number))
            if written != text:
                yield text, written


# ------------------------------------------------------------------ the tests


@pytest.mark.parametrize("game", rulebooks())
async def test_nothing_secret_leaves(game: str, sqlite_url: str, servers: Nursery) -> None:
    players = max(find(game).meta.players)
    traffic = await whole_game(servers.server(database=sqlite_url), game, players, sqlite_url)
    for reader in [*range(players), None]:
        for found, twin in leaks(traffic, reader):
            assert found == twin
    kinds = {type(messages.decode_message(text)) for each in traffic.recorders for text in each.frames}
    assert kinds >= {Changed, Refused, messages.Table, messages.Done}


@pytest.mark.parametrize(
    ("plant", "game"),
    [
        (plants.all_hands, "neptune-vesta"),
        (plants.public_hands, "neptune-vesta"),
        (plants.secret_choices, "mille-fiori"),
        (plants.talkative_refusals, "neptune-vesta"),
    ],
)
async def test_a_planted_leak_is_caught(
    plant: Callable[[plants.Patch], None],
    game: str,
    sqlite_url: str,
    servers: Nursery,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    traffic = await whole_game(servers.server(database=sqlite_url, plant=plant.__name__), game, 2, sqlite_url)
    plant(monkeypatch.setattr)  # here too, so that it is written again as it was
    assert any(found != twin for found, twin in leaks(traffic, 0))
