"""Scripted people: each device plays by what it sees, comes back when it is cut off, and notes everything."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from laguna import messages
from laguna.messages import Act, Follow, Say, Sit, Start, TableView, TakeBack
from laguna.table.entries import Person
from tests.torture.records import Asked, Heard, Record

REST = 0.5  # seconds after which somebody who heard nothing looks again
PATIENCE, PATIENT = 4.0, 16.0  # seconds for an answer, twice as long after each that does not come in time
AGAIN, LATER = 0.03, 1.0  # seconds before a new connection, twice as long after each that fails
TAKE_BACK, STALE, CHAT = 0.06, 0.04, 0.05  # how often
GONE = (OSError, TimeoutError, WebSocketException, msgspec.DecodeError, UnicodeDecodeError)


class GivenUp(TimeoutError):
    """There was no answer in time, or the server said goodbye."""


@dataclass
class Tally:
    """What all people of a run have done together."""

    answers: int = 0
    connections: int = 0


class Device:
    """A websocket of a person at a table: a player's, a second one of the same player, a spectator's."""

    def __init__(
        self,
        name: str,
        ports: Sequence[int],
        token: str,
        person: Person,
        table: str,
        plays: bool,
        tally: Tally,
    ) -> None:
        """`name` is its own in a run: all that it decides follows from it."""
        self.record = Record(person)
        self._name = name
        self.view: TableView | None = None
        self._ports = ports
        self._token = token
        self._table = table
        self._plays = plays
        self._dice = random.Random(name)
        self._tally = tally
        self._connection = 0
        self._number = 0
        self._waiting: dict[int, float] = {}  # requests without an answer, and until when to wait
        self._follow: int | None = None  # the request to follow the table on this connection
        self._looked = 0  # the version at which it was decided what to do
        self._quiet_until = 0.0
        self._patience = PATIENCE
        self._said = 0

    @property
    def over(self) -> bool:
        return self.view is not None and self.view.status == "over"

    async def run(self) -> None:
        """Until the game is over."""
        wait = AGAIN
        while not self.over:
            self._connection += 1
            self._follow, self._waiting, self._looked = None, {}, 0
            try:
                async with self._connect() as socket:
                    wait = AGAIN
                    self._tally.connections += 1
                    try:
                        await self._talk(socket)
                    except GONE:
                        socket.transport.abort()
            except TimeoutError:
                self._patience = min(2 * self._patience, PATIENT)
            except GONE:
                pass
            if not self.over:
                await asyncio.sleep(wait * self._dice.uniform(0.5, 1.5))
                wait = min(2 * wait, LATER)

    def _connect(self) -> connect:
        return connect(
            f"ws://127.0.0.1:{self._dice.choice(self._ports)}/api/socket",
            additional_headers={"Authorization": f"Bearer {self._token}"},
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=self._patience,
            close_timeout=0.1,
            proxy=None,
        )

    async def _talk(self, socket: ClientConnection) -> None:
        while not self.over:
            for request in self._next():
                await self._send(socket, request)
            try:
                async with asyncio.timeout(REST):
                    text = await socket.recv(decode=False)
            except TimeoutError:
                self._rest()
            else:
                self._hear(text)

    def _rest(self) -> None:
        """Nothing came for a while."""
        self._looked = 0
        if any(time.monotonic() > until for until in self._waiting.values()):
            self._patience = min(2 * self._patience, PATIENT)
            raise GivenUp

    async def _send(self, socket: ClientConnection, request: messages.ClientFrame) -> None:
        now = time.monotonic()
        self._waiting[request.id] = now + self._patience
        self.record.events.append(Asked(now, self._connection, request))
        await socket.send(messages.encode(request), text=True)

    def _hear(self, text: bytes) -> None:
        frame = messages.decode_message(text)
        self.record.events.append(Heard(time.monotonic(), self._connection, text, frame))
        match frame:
            case messages.Table() | messages.Changed():
                self.view = frame.view
            case messages.Done() | messages.Refused():
                self._answered(frame)
            case messages.Bye():
                raise GivenUp

    def _answered(self, frame: messages.Done | messages.Refused) -> None:
        self._tally.answers += 1
        self._patience = PATIENCE
        self._waiting.pop(frame.id, None)
        self._looked = 0
        if isinstance(frame, messages.Refused):
            self._quiet_until = time.monotonic() + REST / 2
            if frame.id == self._follow:
                self._follow = None

    # -------------------------------------------------------------- what to do

    def _next(self) -> list[messages.ClientFrame]:
        """What to ask for now: usually one thing, or nothing."""
        if self._waiting or time.monotonic() < self._quiet_until:
            return []
        if self._follow is None:
            self._follow = self._id()
            return [Follow(self._follow, self._table, self.view.version if self.view else 0)]
        if self.view is None or self._looked == self.view.version:
            return []
        self._looked = self.view.version
        wanted = self._played(self.view) if self._plays else []
        if self._dice.random() < CHAT and self._said < 20:
            self._said += 1
            wanted.append(Say(self._id(), self._table, f"{self._name} says {self._said}"))
        return wanted

    def _id(self) -> int:
        self._number += 1
        return self._number

    def _played(self, view: TableView) -> list[messages.ClientFrame]:
        if "sit" in view.may and not view.mine:
            return [Sit(self._id(), self._table)]
        if "start" in view.may and view.host:
            return [Start(self._id(), self._table)]
        chance = self._dice.random()
        if "take-back" in view.may and chance < TAKE_BACK:
            return [TakeBack(self._id(), self._table, view.version, turn=chance < TAKE_BACK / 2)]
        if "act" not in view.may:
            return []
        action = self._dice.choice((view.game or {})["legal"])
        stale = TAKE_BACK < chance < TAKE_BACK + STALE
        return [Act(self._id(), self._table, view.version - stale, action)]
