"""A table of its own at which one person tries something: a lesson or a puzzle. Nothing of it is stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from laguna.fair import commitment
from laguna.game import from_position
from laguna.table import entries
from laguna.table.entries import Milliseconds, Person, Settings
from laguna.table.state import ActionForm
from laguna.table.table import Table

SECRET = bytes(32)  # everyone is dealt the same


class PracticeTable(ABC):
    """The table in this position, with the person at one seat and bots at the others.

    Bots choose nothing here: what they do is written down beforehand.
    """

    def __init__(
        self,
        name: str,
        game: str,
        position: Mapping[str, Any],
        seat: int,
        person: Person,
        bot: str,
        now: Milliseconds,
    ) -> None:
        self.game = game
        self.seat = seat
        self.person = person
        self.now = now
        start = from_position(game, position)
        settings = Settings(game, start.players, dict(start.options), hints=False)
        seats = [
            entries.Sat(now, each, person) if each == seat else entries.BotSat(now, each, bot)
            for each in range(start.players)
        ]
        rules = start.meta.rules_version
        opened = entries.Opened(now, settings, person, commitment(SECRET), rules, position=start.position())
        self.table = Table.from_log(name, SECRET, [opened, *seats, entries.Started(now)])

    @property
    @abstractmethod
    def goes_on(self) -> bool:
        """Is there something left for the person to do?"""

    @abstractmethod
    def steps(self, action: ActionForm) -> Iterator[None]:
        """Do this, one by one: first the person's action, then each that follows without the person."""

    def act(self, action: ActionForm) -> None:
        """Do this and all that follows."""
        for _ in self.steps(action):
            pass

    def _act(self, action: ActionForm) -> None:
        self.table.act(self.person, self.seat, action, None, self.now)

    def _follow(self, notation: str) -> None:
        """An action that follows without the person's choice, whoever's it is."""
        seat = self.table.started.seat
        assert seat is not None
        if seat == self.seat:
            self._act(notation)
        else:
            self.table.act_as_bot(seat, notation, self.table.version, self.now)
