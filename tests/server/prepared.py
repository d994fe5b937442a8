"""Tables brought to where a certain kind of action may be played, written into the storage from outside."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from typing import get_args

from laguna.game import set_up_live
from laguna.games import find
from laguna.games.neptune_vesta.actions import Place
from laguna.server.live.summary import summary_of
from laguna.server.people.identity import hash_of, new_token
from laguna.server.storage import Storage
from laguna.table.entries import Person, Settings, Started
from laguna.table.table import Table


def kinds(game: str) -> list[str]:
    """What the actions of a game `do`."""
    forms = find(game).actions.ACTION
    if forms is Place:  # the only one, and not tagged
        return ["place"]
    return [str(form.__struct_config__.tag) for form in get_args(forms)]


async def somebody(storage: Storage) -> tuple[Person, str]:
    """A guest, and their token."""
    token = new_token()
    return await storage.new_person(hash_of(token), "Ann"), token


def on_the_way(game: str, person: Person, now: int) -> Iterator[tuple[str, Table]]:
    """A table for each kind of action, with this person on all seats, where one may be played next."""
    missing = set(kinds(game))
    settings = Settings(game, min(find(game).meta.players))
    while missing:
        secret, mood = secrets.token_bytes(32), random.sample(kinds(game), len(kinds(game)))
        played = set_up_live(game, settings.players, secret, None, {})
        while not played.over:
            shuffled = random.sample(played.legal(), len(played.legal()))
            legal = {action.value["do"]: action for action in shuffled}
            for kind in missing & set(legal):
                missing.discard(kind)
                yield kind, _table(settings, secret, person, [str(action) for action in played.actions], now)
            played.play(legal[min(legal, key=mood.index)])  # one-sided play soon leads to rare situations


def _table(settings: Settings, secret: bytes, person: Person, actions: list[str], now: int) -> Table:
    """Dealt from the secret alone, as tables were before players had shares: so it is bound to no table."""
    table = Table.open(secrets.token_urlsafe(16), settings, person, secret, now)
    for seat in range(len(table.chairs)):
        table.sit(person, seat, now)
    table.extend([Started(now)])
    for action in actions:
        table.act(person, table.started.seat, action, None, now)
    return table


async def write(storage: Storage, table: Table) -> None:
    await storage.open_table(table.id, table.secret, table.entries, summary_of(table))
