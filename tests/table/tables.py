"""Tables to test with."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from laguna.fair import seal_of
from laguna.table.entries import Clock, Person, Settings
from laguna.table.table import Table

ANN, BOB, CLEO, DAN, EVE = (Person(f"id-of-{name}", name) for name in ("Ann", "Bob", "Cleo", "Dan", "Eve"))
PEOPLE = (ANN, BOB, CLEO, DAN, EVE)
SECRET = bytes(range(32))
NOW = 1_700_000_000_000
GAMES = ("neptune-vesta", "mille-fiori", "atlantis", "venice-2099")


def open_table(game: str = "neptune-vesta", secret: bytes = SECRET, **settings: Any) -> Table:
    return Table.open("t" * 22, Settings(game=game, **settings), ANN, secret, NOW)


def playing(
    game: str = "neptune-vesta",
    players: int = 2,
    *,
    seed: int = 0,
    people: tuple[Person, ...] = PEOPLE,
    clock: Clock | None = None,
    **options: Any,
) -> Table:
    """A table in play, with Ann, Bob, … on the seats."""
    secret = random.Random(seed).randbytes(32)
    table = open_table(game, secret, players=players, options=options, clock=clock or Clock())
    for seat in range(players):
        table.sit(people[seat], seat, NOW)
    table.start(ANN, NOW)
    return table


def random_play(table: Table, seed: int) -> Iterator[tuple[int, str]]:
    """Play to the end at random, whoever is to decide; yields each action before it is made.

    The caller may act in between: an action that is no longer allowed is not made.
    """
    chance = random.Random(seed)
    while table.status == "playing":
        seat = chance.choice(table.deciders)
        action = str(chance.choice(table.started.legal(seat)))
        yield seat, action
        if seat in table.deciders and action in map(str, table.started.legal(seat)):
            table.act(table.chairs[seat].people[0], seat, action, table.version, NOW)


def some_action(table: Table, seat: int) -> str:
    return str(table.started.legal(seat)[0])


def share_of(seat: int) -> str:
    """The share of the deal that the person on this seat drew."""
    return (b"share %d" % seat).ljust(32).hex()


def sealed_table(
    game: str = "neptune-vesta",
    players: int = 2,
    *,
    shares: list[str] | None = None,
    seed: int = 0,
    id: str = "t" * 22,
    **settings: Any,
) -> Table:
    """A table at which Ann, Bob, … sit, each with a sealed share."""
    secret = random.Random(seed).randbytes(32)
    table = Table.open(id, Settings(game=game, players=players, **settings), ANN, secret, NOW)
    for seat, share in enumerate(shares or map(share_of, range(players))):
        table.sit(PEOPLE[seat], seat, NOW, seal_of(bytes.fromhex(share)))
    return table


def dealt_from_shares(game: str = "neptune-vesta", players: int = 2, **others: Any) -> Table:
    """A table in play, dealt from the shares of all."""
    table = sealed_table(game, players, **others)
    table.start(ANN, NOW)
    for seat, share in enumerate(others.get("shares") or map(share_of, range(players))):
        table.share(PEOPLE[seat], share, NOW)
    return table
