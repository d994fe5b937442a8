"""All that can be done at the tables of a server: by people over HTTP and websockets, and by itself."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from types import ModuleType
from typing import Any

from laguna import messages
from laguna.errors import BadOption, IllegalAction, LagunaError, Refusal
from laguna.fair import new_secret
from laguna.game import Game
from laguna.messages import (
    Act,
    Changed,
    Done,
    Hint,
    HintGiven,
    Leave,
    NewTable,
    Preview,
    Previewed,
    PutBot,
    Rematch,
    Request,
    Resign,
    Result,
    Say,
    SeatWish,
    Sit,
    Stand,
    Start,
    TableView,
    TakeBack,
    TakeOver,
)
from laguna.server import metrics
from laguna.server.live.bot_jobs import BotRunner, job_for
from laguna.server.live.bus import Bus, Notice
from laguna.server.live.clock import MARK, ServerClock
from laguna.server.live.followers import Connection, Followers, frame
from laguna.server.live.loading import GameLoader
from laguna.server.live.presence import REPEAT, Presence
from laguna.server.live.scheduler import Scheduler
from laguna.server.live.table_cache import LiveTable, Make, TableCache
from laguna.server.logs import get_log
from laguna.server.people.identity import tidy_name
from laguna.server.people.sessions import LOOK, Lifetime, Sessions
from laguna.server.storage import Stale, Storage, Unavailable
from laguna.table import permissions, redact
from laguna.table.entries import AnyEntry, Milliseconds, Person
from laguna.table.table import Table

log = get_log("tables")

MAX_LINES = 200  # of the log, in one frame
POLL = 3.0  # seconds between two looks at the versions of tables that others may have changed
SWEEP = 5.0  # seconds between two looks for tables that nobody cares for
AGAIN = 0.5  # seconds after which a client should come back when this server closes
SPECTATOR = ""  # as whom everybody sees a table who has no part in it
HINTS = "kraken"

CHANGES: dict[type[Request], Callable[[Table, Person, Any, Milliseconds], list[AnyEntry]]] = {
    Sit: lambda table, person, asked, now: table.sit(person, asked.seat, now),
    Stand: lambda table, person, asked, now: table.stand(person, asked.seat, now),
    PutBot: lambda table, person, asked, now: table.put_bot(person, asked.seat, asked.level, now),
    Start: lambda table, person, asked, now: table.start(person, now),
    Act: lambda table, person, asked, now: table.act(person, asked.seat, asked.action, asked.version, now),
    TakeBack: lambda table, person, asked, now: table.take_back(person, asked.version, asked.turn, now),
    Resign: lambda table, person, asked, now: table.resign(person, asked.seat, now),
    Leave: lambda table, person, asked, now: table.leave(person, now),
    TakeOver: lambda table, person, asked, now: table.take_over(person, asked.seat, asked.level, now),
    Say: lambda table, person, asked, now: table.say(person, asked.text, now),
}


Answer = Done | HintGiven | Previewed

# Looked up once: with thousands of actions a second that is felt.
_requests = cache(metrics.requests.labels)
_seconds = cache(metrics.request_seconds.labels)
_actions = metrics.actions.labels("person")


class Closing(Unavailable):
    """This server is closing and takes no more requests."""


class Tables:
    """The tables. `start` it before use; `close` lets what is under way finish and sends everybody away."""

    def __init__(
        self, storage: Storage, bus: Bus, bots: BotRunner, clock: ModuleType = time, token_days: int = 180
    ) -> None:
        self.followers = Followers()
        self.games = GameLoader()
        self.closing = False
        self._server = secrets.token_hex(8)  # its name on the bus
        self._storage = storage
        self._bus = bus
        self._bots = bots
        self._clock = ServerClock(storage, self._server, clock, bus.shared)
        self._live = TableCache(storage, self.games, self, self._clock)
        self._presence = Presence(self.followers, bus, self._server, self._absent)
        self.sessions = Sessions(storage, self.followers, bus, self._server, Lifetime(token_days))
        self._scheduler = Scheduler(self._live, storage, bots)
        self._loops: list[asyncio.Task[None]] = []
        self._refreshing: dict[str, asyncio.Task[None]] = {}
        self._under_way = 0
        self._idle = asyncio.Event()

    def __len__(self) -> int:
        return len(self._live)

    @property
    def loading(self) -> list[str]:
        """Games that are being compiled: their tables answer when that is done."""
        return self.games.under_way

    async def start(self) -> None:
        await self._clock.start()
        await self._bus.start(self._heard)
        self._loops = [
            asyncio.create_task(self._repeat(SWEEP, self._sweep)),
            asyncio.create_task(self._repeat(POLL, self._poll)),
            asyncio.create_task(self._repeat(LOOK, self.sessions.look_at_all)),
            asyncio.create_task(self._repeat(MARK, self._clock.mark)),
        ]
        if self._bus.shared:
            self._loops.append(asyncio.create_task(self._repeat(REPEAT, self._tell_others)))

    async def close(self, seconds: float = 10.0) -> None:
        """Take nothing new, finish what is under way, say goodbye to all sockets."""
        self.closing = True
        for loop in self._loops:
            loop.cancel()
        self._scheduler.close()
        if self._under_way:
            self._idle.clear()
            try:
                await asyncio.wait_for(self._idle.wait(), seconds)
            except TimeoutError:
                log.warning("requests under way were given up", requests=self._under_way)
        await self.followers.close(AGAIN)
        await self.games.close()
        with suppress(LagunaError):
            await self._clock.mark()
        await self._bus.close()

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Something that closing waits for."""
        if self.closing:
            raise Closing()
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    # -------------------------------------------------------------- what people ask for

    async def open(self, person: Person, wish: NewTable) -> TableView:
        """A new table, with the seats taken as wished."""
        with self._at_work():
            await self.games.ready(wish.settings.game)
            now = self._live.now()
            table = Table.open(new_table_id(), wish.settings, person, new_secret(), now)
            _take_seats(table, person, wish, now)
            live = await self._live.add(table)
            log.info("table opened", table=table.id, game=table.settings.game)
            self._scheduler.attend(live, table)
            return self._view(table, person.id)

    async def request(self, person: Person, asked: Request) -> Answer:
        """Do what is asked for at a table, and return once it is durable; a LagunaError says why not."""
        name = str(asked.__struct_config__.tag)
        began = time.perf_counter()
        outcome = "failed"
        try:
            with self._at_work():
                answer = await self._request(person, asked)
            outcome = "done"
            return answer
        except LagunaError as error:
            outcome = error.key if isinstance(error, Unavailable | Stale) else "refused"
            raise
        finally:
            _requests(name, outcome).inc()
            _seconds(name).observe(time.perf_counter() - began)

    async def _request(self, person: Person, asked: Any) -> Answer:
        if isinstance(asked, Hint):
            return await self._hint(person, asked)
        if isinstance(asked, Preview):
            return await self._preview(person, asked)
        if isinstance(asked, Rematch):
            return await self._rematch(person, asked)
        change = CHANGES[type(asked)]
        version = await self.change(
            asked.table,
            person,
            lambda table, now: change(table, person, asked, now),
            getattr(asked, "version", 0),
        )
        if isinstance(asked, Act):
            _actions.inc()
        if isinstance(asked, Sit | Stand) and (live := self._live.find(asked.table)):
            self._presence.changed(live)  # those who looked on have a seat now, or the other way round
        return Done(asked.id, version, asked.table)

    async def change(self, table_id: str, person: Person, make: Make, seen: int = 0) -> int:
        """Change a table; what the rules refuse is told as the person may know it."""
        try:
            return await self._live.change(table_id, make, seen)
        except IllegalAction as error:
            live = self._live.find(table_id)
            raise _redacted(live.table if live else None, person, error) from None

    async def look(self, person: Person, table_id: str) -> messages.Table:
        """The table as this person may see it, with the last lines of its log."""
        with self._at_work():
            async with self._live.at(table_id) as (_, table):
                return self._fresh(table, person.id)

    async def view(self, table_id: str, person: Person) -> TableView:
        with self._at_work():
            async with self._live.at(table_id) as (_, table):
                return self._view(table, person.id)

    async def link(self, person: Person, table_id: str, seat: int) -> Done:
        """The person opened a link of that seat."""
        with self._at_work():
            version = await self.change(table_id, person, lambda table, now: table.link(person, seat, now))
            return Done(0, version, table_id)

    async def unlink(self, person: Person, table_id: str, seat: int) -> Done:
        """The links of that seat are revoked."""
        with self._at_work():
            version = await self.change(table_id, person, lambda table, now: table.unlink(person, seat, now))
            return Done(0, version, table_id)

    async def check_holds(self, person: Person, table_id: str, seat: int) -> None:
        """Refused if the seat is not the person's."""
        with self._at_work():
            async with self._live.at(table_id) as (_, table):
                if seat not in table.seats_of(person.id):
                    raise Refusal("not-your-seat", "That seat is not yours.", seats=table.seats_of(person.id))

    async def game_file(self, table_id: str) -> str:
        """The game file of a game that is over."""
        with self._at_work():
            async with self._live.at(table_id) as (_, table):
                return redact.export(table, None)

    async def game_for(self, person: Person, table_id: str, seat: int | None) -> tuple[Game, Result | None]:
        """A copy of the game, to be told as `seat` sees it: any once it is over, before that one's own."""
        with self._at_work():
            async with self._live.at(table_id) as (_, table):
                if table.game is None:
                    raise Refusal("not-playing", "The game has not started.")
                if table.status != "over" and seat not in (None, *table.seats_of(person.id)):
                    raise Refusal("not-your-seat", "That seat is not yours.", seats=table.seats_of(person.id))
                return table.game.copy(), table.result

    async def _hint(self, person: Person, asked: Hint) -> HintGiven:
        async with self._live.at(asked.table) as (_, table):
            seat = permissions.hint(table, person.id, self._live.now())
            job = job_for(table.started, seat, HINTS, asked.seconds)
            version = table.version
        return HintGiven(asked.id, asked.table, version, await self._bots.hint(job))

    async def _preview(self, person: Person, asked: Preview) -> Previewed:
        async with self._live.at(asked.table) as (_, table):
            seat = permissions.act(table, person.id, self._live.now(), asked.seat)
            try:
                preview = table.started.preview(asked.action, seat)
            except IllegalAction as error:
                raise _redacted(table, person, error) from None
            events = [event.as_json() for event in preview.events]
            return Previewed(asked.id, table.id, table.version, events, preview.goes_on)

    async def _rematch(self, person: Person, asked: Rematch) -> Done:
        """The next table is written first: should we fail in between, the old one leads nowhere wrong."""
        async with self._live.at(asked.table) as (live, table):
            now = self._live.now()
            permissions.rematch(table, person.id, now)
            following = table.next_table(new_table_id(), person, new_secret(), now)
            if all(chair.is_of(person.id) for chair in following.chairs if chair.people):
                following.start(person, now)
            opened = await self._live.add(following)
            await self._live.write(live, lambda table, now: table.rematch(person, following.id, now))
            self._scheduler.attend(opened, following)
            return Done(asked.id, table.version, following.id)

    # -------------------------------------------------------------- who follows

    async def follow(self, connection: Connection, table_id: str, seen: int) -> int:
        """Tell the connection what it has not seen, and everything from now on."""
        with self._at_work():
            async with self._live.at(table_id, seen) as (live, table):
                person = connection.person
                await self._live.write(live, lambda table, now: table.come_back(person, now))
                self._bus.listen(table_id)
                self.followers.follow(connection, table_id)
                self._presence.changed(live)
                message = self._rest(table, person.id, seen) or self._fresh(table, person.id)
                connection.tell(frame(message))
                return table.version

    def unfollow(self, connection: Connection, table_id: str) -> None:
        if table_id in connection.tables:
            self.followers.unfollow(connection, table_id)
            self._went(connection.person, table_id)

    def gone(self, connection: Connection) -> None:
        """The socket is closed."""
        for table_id in self.followers.leave(connection):
            self._went(connection.person, table_id)

    def _went(self, person: Person, table_id: str) -> None:
        live = self._live.find(table_id)
        if live is not None:
            self._presence.changed(live)
        holds = live is None or live.table is None or live.table.seats_of(person.id)
        if holds and not self.closing:
            self._presence.went(table_id, person)
        if not self.followers.followed(table_id):
            self._bus.forget(table_id)
            self._presence.forget(table_id)

    async def _absent(self, table_id: str, person: Person) -> None:
        """The person has been gone for a while: unless they are back, or others hold the same seats."""

        def leave(table: Table, now: Milliseconds) -> list[AnyEntry]:
            mine = table.seats_of(person.id)
            here = self._presence.seats(table)
            return [] if all(seat in here for seat in mine) else table.leave(person, now)

        try:
            with self._at_work():
                await self._live.change(table_id, leave)
        except LagunaError as error:
            log.info("leaving not noted", table=table_id, key=error.key)

    def _call_back(self, table: Table) -> None:
        """Another server thinks that somebody left who is connected here."""
        here = self.followers.people(table.id)
        for chair in table.chairs:
            for person in chair.people:
                if chair.left_at is not None and person.id in here:
                    self._presence.spawn(self._return(table.id, person))

    async def _return(self, table_id: str, person: Person) -> None:
        try:
            with self._at_work():
                await self._live.change(table_id, lambda table, now: table.come_back(person, now))
        except LagunaError as error:
            log.info("return not noted", table=table_id, key=error.key)

    # -------------------------------------------------------------- what they see

    def _view(self, table: Table, person_id: str) -> TableView:
        return redact.table_view(table, person_id, self._live.now(), self._presence.seats(table))

    def _fresh(self, table: Table, person_id: str) -> messages.Table:
        first = max(0, table.version - MAX_LINES)
        return messages.Table(self._view(table, person_id), redact.lines(table, person_id, first))

    def _rest(self, table: Table, person_id: str, seen: int) -> Changed | None:
        """What came after the version last seen; None if that is too long ago, or never was."""
        if not 0 < seen <= table.version or table.version - seen > MAX_LINES:
            return None
        return Changed(seen, self._view(table, person_id), redact.lines(table, person_id, seen))

    # -------------------------------------------------------------- what happens to tables in memory

    def loaded(self, live: LiveTable) -> None:
        assert live.table is not None
        self._presence.watch(live.table)
        if not self._bus.shared:  # there is nobody else who lets its bots move
            self._scheduler.attend(live, live.table)

    def changed(self, live: LiveTable, since: int, ours: bool) -> None:
        table = live.table
        assert table is not None
        if self.followers.followed(live.id):
            now, here = self._live.now(), self._presence.seats(table)

            def view(person_id: str) -> bytes:
                seen = redact.table_view(table, person_id, now, here)
                return frame(Changed(since, seen, redact.lines(table, person_id, since)))

            def receiver(person_id: str) -> str:
                takes_part = table.host.id == person_id or table.seats_of(person_id)
                return person_id if takes_part else SPECTATOR

            self.followers.tell_each(live.id, receiver, view)
        if not ours:
            self._call_back(table)
            return
        if self._bus.shared:
            self._bus.publish(Notice(self._server, live.id, table.version))
        self._scheduler.attend(live, table)

    def is_current(self, live: LiveTable) -> bool:
        return not self._bus.shared or self.followers.followed(live.id)

    def is_needed(self, live: LiveTable) -> bool:
        return self.followers.followed(live.id)

    # -------------------------------------------------------------- other servers, and time

    def _heard(self, notice: Notice) -> None:
        if notice.person:
            self.sessions.heard(notice.person)
            return
        live = self._live.find(notice.table)
        if notice.version is None:
            self._presence.heard(notice, live)
        elif live is not None and notice.version > live.shown:
            self._refresh(notice.table)

    def _refresh(self, table_id: str) -> None:
        """Look at the table again, once at a time."""
        if table_id not in self._refreshing and not self.closing:
            task = asyncio.create_task(self._refresh_now(table_id))
            self._refreshing[table_id] = task
            task.add_done_callback(lambda _: self._refreshing.pop(table_id))

    async def _refresh_now(self, table_id: str) -> None:
        try:
            await self._live.refresh(table_id)
        except LagunaError as error:
            log.info("not refreshed", table=table_id, key=error.key)

    async def _repeat(self, seconds: float, work: Callable[[], Any]) -> None:
        while True:
            try:
                await work()
            except LagunaError as error:
                log.warning("will try again", work=work.__name__, key=error.key)
            except Exception:
                log.exception("will try again", work=work.__name__)
            await asyncio.sleep(seconds)

    async def _poll(self) -> None:
        """A notice can be lost, and the storage can fail: look at versions instead."""
        watched = set(self._live.doubtful)
        if self._bus.shared:
            watched.update(self.followers.tables)
        if not watched:
            return
        for table_id, version in (await self._storage.versions(list(watched))).items():
            live = self._live.find(table_id)
            if table_id in self._live.doubtful or (live is not None and version > live.shown):
                self._refresh(table_id)

    async def _sweep(self) -> None:
        self._live.drop_idle()
        await self._scheduler.sweep()

    async def _tell_others(self) -> None:
        for table_id in self.followers.tables:
            live = self._live.find(table_id)
            if live is not None:
                self._presence.repeat(live)


def new_table_id() -> str:
    """Nobody can guess it: who knows it may look on, and sit down where a seat is open."""
    return secrets.token_urlsafe(16)


def _take_seats(table: Table, person: Person, wish: NewTable, now: Milliseconds) -> None:
    """Seat people and bots as wished, and start if that is wished too."""
    wishes = wish.seats or [SeatWish("me")]
    if len(wishes) > len(table.chairs):
        raise BadOption("seats", f"There are only {len(table.chairs)} seats.")
    for seat, each in enumerate(wishes):
        if each.kind == "me":
            table.sit(Person(person.id, tidy_name(each.name) if each.name else person.name), seat, now)
        elif each.kind == "bot":
            table.put_bot(person, seat, each.level or "dolphin", now)
    if wish.start:
        table.start(person, now)


def _redacted(table: Table | None, person: Person, error: IllegalAction) -> IllegalAction:
    """What the rules refuse, as the person may know it."""
    problem = redact.error(table, person.id, error)
    return IllegalAction(problem.key, problem.sentence, problem.clause, **problem.arguments)
