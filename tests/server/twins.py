"""Frames written again: from the table as it was, and from a twin that hides something else."""

from __future__ import annotations

import copy
import random
from typing import Any

from msgspec.structs import replace

from laguna import messages
from laguna.errors import LagunaError
from laguna.game import Game
from laguna.messages import Act, Changed, Follow, Refused
from laguna.table import permissions, redact
from laguna.table.entries import Acted, Person
from laguna.table.table import Table

SILENT = messages.Hello | messages.Done | messages.Here | messages.Beat  # they tell nothing of a game


def twin_of(table: Table, seat: int | None, seed: int) -> Table:
    """A table that looks the same to this seat (None: a spectator), all else being dealt and chosen again."""
    twin = copy.copy(table)
    twin.secret = random.Random(seed).randbytes(32)
    twin.entries = [
        replace(entry, action="") if isinstance(entry, Acted) and _is_hidden(table, version, seat) else entry
        for version, entry in enumerate(table.entries, 1)
    ]
    if table.game is not None:
        twin.game = _game_of(table.game, seat, seed)
    return twin


def _is_hidden(table: Table, version: int, seat: int | None) -> bool:
    """M5: a card is kept in secret; all other actions of all games are seen by everybody."""
    entry = table.entries[version - 1]
    return isinstance(entry, Acted) and table.acted[version].value["do"] == "keep" and entry.seat != seat


def _game_of(game: Game, seat: int | None, seed: int) -> Game:
    twin = game
    for known in range(game.players) if seat is None else [seat]:
        twin = twin.imagine(known, seed + known)
    twin._before = [b""] * game.played
    for other in game._aside:
        if other != seat:
            choices = twin.legal(other)
            twin.play(random.Random(seed).choice(choices), seat=other)
    return twin


class Writer:
    """Writes frames again, from any table."""

    def __init__(self, person: Person | None, asked: dict[int, messages.ClientFrame]) -> None:
        self.id = "" if person is None else person.id
        self.person = person or Person("nobody", "Nobody")
        self.asked = asked

    def write(self, frame: Any, table: Table, missed: bool = False) -> bytes:
        """`missed`: for somebody who comes back; such a frame has its fields in another order."""
        if isinstance(frame, Refused):
            return messages.encode(self._refused(frame, table))
        here = [seat.seat for seat in frame.view.seats if seat.here]
        watched = frame.view.game and frame.view.game["seat"]
        if isinstance(frame, Changed) and not missed:
            return redact.Update(table, frame.since, frame.view.at, here).changed(self.id, watched)
        view = redact.table_view(table, self.id, frame.view.at, here, watched)
        if isinstance(frame, Changed):
            lines = redact.lines(table, self.id, frame.since, watched)
            return messages.encode(Changed(frame.since, view, lines))
        since = frame.lines[0].version - 1 if frame.lines else table.version
        return messages.encode(messages.Table(view, redact.lines(table, self.id, since, watched)))

    def _refused(self, frame: Refused, table: Table) -> Refused:
        asked = self.asked[frame.id]
        try:
            if isinstance(asked, Follow):
                permissions.watch(table, self.id, asked.seat or 0)
            else:
                assert isinstance(asked, Act)
                now = table.entries[-1].at
                copy.copy(table).act(self.person, asked.seat, asked.action, asked.version, now)
        except LagunaError as error:
            return Refused.because(redact.error(table, self.id, error), frame.id)
        raise AssertionError("it was refused")
