"""A table that a client follows: its current view, and the requests it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from laguna import messages
from laguna.client.connection import Answer, Connection, TableFrame
from laguna.client.errors import ConnectionLost, Refused, Unanswered
from laguna.client.witness import Witness
from laguna.errors import LagunaError
from laguna.games.contract import Event
from laguna.messages import Line, TableView

Form = str | Mapping[str, Any]  # an action: its notation, or its structured value
Make = Callable[[int], messages.ClientFrame]


class FollowedTable:
    """Made by `Client.follow`. `view` and `lines` are kept up to date, even across lost connections.

    Every request waits until the server has made it durable and `view` shows it, or raises `Refused`.
    If the connection breaks before the answer, the lines that follow show whether it was carried out; if
    not, it is sent again for the same version, so that nothing happens twice.
    """

    def __init__(self, table_id: str, connection: Connection, witnesses: dict[str, Witness]) -> None:
        self.id = table_id
        self.witness = witnesses.setdefault(table_id, Witness())
        self._witnesses = witnesses
        self._taking_part: asyncio.Task[None] | None = None  # a request about my share of the deal
        self.lines: list[Line] = []
        self.here: list[int] = []  # the seats whose person is connected
        self.spectators = 0
        self._connection = connection
        self._view: TableView | None = None
        self._news = asyncio.Event()  # replaced with each update
        self._last = 0
        self._resuming: asyncio.Task[None] | None = None
        self._in_step = False  # set once resumed after the last break
        self._failure: Exception | None = None

    # -------------------------------------------------------------- what is

    @property
    def view(self) -> TableView:
        """The table as this client may see it, as of the latest frame."""
        assert self._view is not None, "the table is followed inside `async with client.follow(...)`"
        return self._view

    @property
    def version(self) -> int:
        """The number of log entries that `view` includes."""
        return 0 if self._view is None else self._view.version

    @property
    def game(self) -> dict[str, Any]:
        """The game as my seat sees it; empty before the start."""
        return dict(self.view.game or {})

    @property
    def my_turn(self) -> bool:
        """Whether a seat of mine has to decide."""
        return self.view.status == "playing" and "act" in self.view.may

    @property
    def legal(self) -> list[dict[str, Any]]:
        """The actions I may play now, as structured values."""
        return list(self.game.get("legal", [])) if self.my_turn else []

    async def changed(self) -> TableView:
        """Wait for the view to change since this method last returned it."""
        await self._until(lambda: self.version > self._last)
        self._last = self.version
        return self.view

    async def until(self, condition: Callable[[TableView], bool]) -> TableView:
        """Wait until the view satisfies the condition."""
        await self._until(lambda: self._view is not None and condition(self._view))
        return self.view

    # -------------------------------------------------------------- requests

    async def act(self, action: Form, seat: int | None = None) -> int:
        """Play an action with one of my seats (if none is named, the one that has to decide).

        Returns the table's version after it. If an action of this seat turns up after a lost connection,
        it is taken to be this one: a seat is played from one place at a time.
        """
        version, form = self.version, action if isinstance(action, str) else dict(action)
        seats = self.view.mine if seat is None else [seat]

        def happened(line: Line) -> bool:
            same = line.action == action or not isinstance(action, str)
            return line.kind == "acted" and not line.bot and line.seat in seats and same

        head = None if self.view.fair is None else self.view.fair.head
        return await self._do(
            lambda id: messages.Act(id, self.id, version, form, seat, False, head), happened
        )

    async def take_back(self, *, turn: bool = False) -> int:
        """Undo my last action, or my whole turn so far."""
        version, mine = self.version, self.view.mine
        return await self._do(
            lambda id: messages.TakeBack(id, self.id, version, turn),
            lambda line: line.kind == "took-back" and line.seat in mine,
        )

    async def sit(self, seat: int | None = None) -> int:
        """Take an open seat; any if none is named."""
        return await self._do(
            lambda id: messages.Sit(id, self.id, seat, self.witness.seal),
            lambda line: line.kind == "sat" and line.seat in self.view.mine and seat in (None, line.seat),
        )

    async def stand(self, seat: int) -> int:
        """Leave a seat before the start."""
        return await self._do(lambda id: messages.Stand(id, self.id, seat), _line("stood", seat))

    async def put_bot(self, seat: int, level: str) -> int:
        """As the host, put a bot on an open seat."""
        return await self._do(lambda id: messages.PutBot(id, self.id, seat, level), _line("bot-sat", seat))

    async def start(self) -> int:
        """As the host, start the game; returns once it is dealt."""
        await self._do(
            lambda id: messages.Start(id, self.id), lambda line: line.kind in ("dealing", "started")
        )
        await self.until(lambda view: view.status != "open")
        return self.version

    async def resign(self, seat: int | None = None) -> int:
        """Give up: with two players the other wins, with more a bot plays on for the seat."""
        mine = self.view.mine if seat is None else [seat]
        return await self._do(
            lambda id: messages.Resign(id, self.id, seat),
            lambda line: line.kind == "resigned" and line.seat in mine,
        )

    async def leave(self) -> int:
        """Leave the table; after the grace period a bot may fill in for me."""
        mine = self.view.mine
        return await self._do(
            lambda id: messages.Leave(id, self.id), lambda line: line.kind == "left" and line.seat in mine
        )

    async def take_over(self, seat: int, level: str = "dolphin") -> int:
        """Let a bot fill in for someone who left."""
        return await self._do(
            lambda id: messages.TakeOver(id, self.id, seat, level), _line("taken-over", seat)
        )

    async def say(self, text: str) -> int:
        """Send a chat message. Unlike other requests it is not repeated after a lost connection."""
        return await self._do(
            lambda id: messages.Say(id, self.id, text),
            lambda line: line.kind == "said" and line.text == text,
            again=False,
        )

    async def rematch(self) -> str:
        """Open the next table with the same seats, and return its id."""
        witness = Witness()
        await self._do(lambda id: messages.Rematch(id, self.id, witness.seal), _line("rematched"))
        await self.until(lambda view: view.next is not None)
        assert self.view.next is not None
        self._witnesses[self.view.next] = witness
        return self.view.next

    async def hint(self, seconds: float = 1.0) -> list[messages.HintChoice]:
        """What a bot would do in my seat, the best first."""
        answer = await self._ask(lambda id: messages.Hint(id, self.id, seconds))
        assert isinstance(answer, messages.HintGiven)
        return answer.choices

    async def advice(self) -> list[Event]:
        """What a beginner in my seat should look at before deciding, the most important first."""
        answer = await self._ask(lambda id: messages.Advise(id, self.id))
        assert isinstance(answer, messages.Advised)
        return answer.advice

    async def preview(self, action: messages.ActionForm, seat: int | None = None) -> messages.Previewed:
        """What this action is certain to do; raises Refused just as the action would."""
        answer = await self._ask(lambda id: messages.Preview(id, self.id, action, seat))
        assert isinstance(answer, messages.Previewed)
        return answer

    async def _ask(self, make: Make) -> Any:
        """Send a query, which may be repeated after a lost connection."""
        while True:
            try:
                return await self._connection.ask(make)
            except ConnectionLost:
                continue

    async def _do(self, make: Make, happened: Callable[[Line], bool], again: bool = True) -> int:
        """Send a request; after a lost connection, check the lines for it before sending it again."""
        version, lost = self.version, False
        while True:
            try:
                answer = await self._connection.ask(make)
            except ConnectionLost:
                lost = True
                await self._until(lambda: self._in_step)
            except Refused as refused:
                if not lost:
                    raise
                if (found := self._find(version, happened, make)) is not None:
                    return found
                raise refused
            else:
                return await self._reach(answer)
            if (found := self._find(version, happened, make)) is not None:
                return found
            if not again:
                raise Unanswered(_name(make))

    def _find(self, version: int, happened: Callable[[Line], bool], make: Make) -> int | None:
        """The version of the line that shows the request, among those after `version`."""
        since = [line for line in self.lines if line.version > version]
        if len(since) < self.version - version:
            raise Unanswered(_name(make))
        return next((line.version for line in since if happened(line)), None)

    async def _reach(self, answer: Answer) -> int:
        """Wait until the view has reached the version of the answer."""
        assert isinstance(answer, messages.Done)
        version = answer.version or 0
        await self._until(lambda: self.version >= version)
        return version

    # -------------------------------------------------------------- what the connection reports

    def receive(self, frame: TableFrame) -> None:
        """Handle a frame for this table."""
        if isinstance(frame, messages.Here):
            self.here, self.spectators = frame.seats, frame.spectators
            return
        if isinstance(frame, messages.Changed) and frame.since > self.version:
            self.connected()  # something is missing in between
            return
        if frame.view.version < self.version:
            return
        first = frame.lines[0].version if frame.lines else frame.view.version + 1
        self.witness.see(frame.view, frame.lines)
        self.lines = [line for line in self.lines if line.version < first] + frame.lines
        self._view = frame.view
        self._notify()
        self._take_part()

    def _take_part(self) -> None:
        """Seal my share of the deal, or open it, if it is time to."""
        wanted = self.witness.wants_to_seal or self.witness.share is not None
        if wanted and (self._taking_part is None or self._taking_part.done()):
            self._taking_part = asyncio.create_task(self._send_share())

    async def _send_share(self) -> None:
        """If it fails, the game is dealt without the share, and `Client.check_deal` tells."""
        with suppress(ConnectionLost, LagunaError):
            if self.witness.wants_to_seal:
                await self._connection.ask(lambda id: messages.Seal(id, self.id, self.witness.seal))
            if (share := self.witness.share) is not None:
                await self._connection.ask(lambda id: messages.Share(id, self.id, share))
                self.witness.accepted = True

    def connected(self) -> None:
        """There is a websocket (again): request whatever was missed."""
        if self._resuming is not None:
            self._resuming.cancel()
        self._resuming = asyncio.create_task(self._resume())

    def disconnected(self) -> None:
        """There is no websocket any more."""
        self._in_step = False

    def fail(self, error: Exception) -> None:
        """No more frames will arrive for this table."""
        self._failure = error
        self._notify()

    async def _resume(self) -> None:
        try:
            answer = await self._connection.ask(lambda id: messages.Follow(id, self.id, self.version))
            await self._reach(answer)
        except ConnectionLost:
            return
        except Exception as error:
            return self.fail(error)
        self._in_step = True
        self._notify()
        self._take_part()

    def _notify(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            if self._failure is not None:
                raise self._failure
            await self._news.wait()


def _line(kind: str, seat: int | None = None) -> Callable[[Line], bool]:
    return lambda line: line.kind == kind and seat in (None, line.seat)


def _name(make: Make) -> str:
    return str(make(0).__struct_config__.tag)
