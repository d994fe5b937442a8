"""What one device asked and heard, in order: its own record, from which everything is checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from laguna import messages
from laguna.table.entries import Person


class Asked(NamedTuple):
    """A request that was sent."""

    at: float  # seconds, by the clock that all devices share
    connection: int
    request: messages.ClientFrame


class Heard(NamedTuple):
    """A frame that came."""

    at: float
    connection: int
    text: bytes
    frame: messages.ServerFrame


@dataclass
class Record:
    """One device of a person at one table."""

    person: Person
    events: list[Asked | Heard] = field(default_factory=list)

    @property
    def asked(self) -> dict[int, Asked]:
        return {event.request.id: event for event in self.events if isinstance(event, Asked)}

    @property
    def views(self) -> list[Heard]:
        """The frames that show the table."""
        kinds = (messages.Table, messages.Changed)
        return [event for event in self.events if isinstance(event, Heard) and isinstance(event.frame, kinds)]
