"""What people may ask for at the tables of a server, over HTTP and websockets."""

from __future__ import annotations

import asyncio
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from types import ModuleType
from typing import Any

from laguna import messages
from laguna.errors import BadOption, LagunaError, Refusal
from laguna.fair import new_secret
from laguna.game import Game
from laguna.messages import (
    Act,
    Advise,
    Advised,
    ClientFrame,
    Done,
    Hint,
    HintGiven,
    Leave,
    NewTable,
    Ping,
    Preview,
    Previewed,
    Problem,
    PutBot,
    Rematch,
    Resign,
    Result,
    Review,
    Say,
    Seal,
    SeatWish,
    Share,
    Sit,
    Stand,
    Start,
    TableView,
    TakeBack,
    TakeOver,
)
from laguna.server import metrics
from laguna.server.live.background import Background
from laguna.server.live.bot_jobs import BotRunner, job_for, with_events
from laguna.server.live.bus import Bus, Notice
from laguna.server.live.changes import Changes
from laguna.server.live.clock import ServerClock
from laguna.server.live.erasing import Erasing
from laguna.server.live.followers import Followers
from laguna.server.live.following import Following
from laguna.server.live.loading import GameLoader
from laguna.server.live.old_games import OldResults, read_stored
from laguna.server.live.replay import position_after
from laguna.server.live.reviews import Reviews
from laguna.server.live.summary import summary_of
from laguna.server.live.table_cache import TableCache
from laguna.server.live.work import Busy, Work
from laguna.server.logs import get_log
from laguna.server.people.identity import tidy_name
from laguna.server.people.sessions import Lifetime, Sessions
from laguna.server.processes.neighbors import Neighbors, WithNeighbors
from laguna.server.processes.place import ALONE, Place
from laguna.server.storage import Stale, Storage, Unavailable
from laguna.table import permissions, redact
from laguna.table.entries import AnyEntry, Milliseconds, Person
from laguna.table.table import Table

log = get_log("tables")

AGAIN = 0.5  # seconds after which a client should come back when this server closes
HINTS = "kraken"

Answer = Done | HintGiven | Advised | Previewed

_actions = metrics.actions.labels("person")


class Tables:
    """The tables. `start` it before use; `close` finishes requests in progress and disconnects everybody."""

    def __init__(
        self,
        storage: Storage,
        bus: Bus,
        bots: BotRunner,
        clock: ModuleType = time,
        token_days: int = 180,
        session_days: int = 365,
        live_tables: int = 2_000,
        place: Place = ALONE,
    ) -> None:
        server = place.new_name()  # its name on the bus
        self.followers = Followers()
        self._work = Work()
        self.neighbors = Neighbors(place, self._work)
        self.games = GameLoader(self.neighbors.first)
        self._place = place
        self._storage = storage
        self._bus = bus = bus if place.alone else WithNeighbors(bus, self.neighbors)
        self._bots = bots
        self._clock = ServerClock(storage, server, clock, bus.shared)
        self._cache = TableCache(storage, self.games, self.followers, bus.shared, live_tables, place)
        self._changes = Changes(
            self._cache, storage, self.followers, bus, bots, self._clock, self._work, server
        )
        self._scheduler = self._changes.scheduler
        self._broadcast = self._changes.broadcast
        self.following = Following(self._changes, self._cache, self.followers, bus, self._work)
        lifetime = Lifetime(token_days, session_days)
        self.sessions = Sessions(storage, self.followers, bus, server, lifetime)
        owned = None if place.alone else place.owns
        self._reviews = Reviews(
            self._changes, self.games, storage, bots, self._clock, server, bus.shared, owned
        )
        self.erasing = Erasing(
            self._changes, self._cache, storage, self.followers, self._clock, self.neighbors
        )
        self._background = Background(
            self._changes,
            self._cache,
            storage,
            self.followers,
            bus,
            self._clock,
            self.sessions,
            self._reviews,
            self.erasing,
            OldResults(storage, self.games, place),
        )

    def __len__(self) -> int:
        return len(self._cache)

    @property
    def closing(self) -> bool:
        return self._work.closing

    def heard(self, notice: Notice) -> None:
        """Another process of this server says something that concerns all of them."""
        self._background.heard(notice)

    @property
    def loading(self) -> list[str]:
        """Games that are being prepared: their tables answer when that is done."""
        return self.games.under_way

    async def start(self) -> None:
        self.neighbors.start()
        await self._background.start()

    async def close(self, seconds: float = 10.0) -> None:
        """Accept nothing new, finish what is in progress, say goodbye to all sockets."""
        self._work.closing = True
        self._background.close()
        self._scheduler.close()
        await self._work.finish(seconds)
        await self._reviews.close()
        await self.followers.close(AGAIN)
        self.neighbors.close()
        await self.games.close()
        with suppress(LagunaError):
            await self._clock.mark()
        await self._bus.close()

    # -------------------------------------------------------------- at a table

    async def request(self, person: Person, asked: ClientFrame) -> Answer:
        """Carry out a request at a table, and return once it is durable; a LagunaError says why not."""
        name = str(asked.__struct_config__.tag)
        began = time.perf_counter()
        outcome = "failed"
        try:
            with self._work.requested():
                answer = await self._request(person, asked)
            outcome = "done"
            return answer
        except Exception as error:
            outcome = _failed(error)
            raise
        finally:
            metrics.requests.count(name, outcome, time.perf_counter() - began)

    def act_soon(self, person: Person, asked: Act, then: Callable[[Answer | Exception], None]) -> bool:
        """An action without a task, if it can be played at once; otherwise False, and nothing has happened.

        `then` is told what `request` would return or raise, perhaps before this returns.
        """
        if asked.if_goes_on or not self._work.has_room:
            return False
        began = time.perf_counter()

        def end(outcome: int | Exception) -> None:
            self._work.__exit__()
            took = time.perf_counter() - began
            metrics.requests.count("act", "done" if isinstance(outcome, int) else _failed(outcome), took)
            if isinstance(outcome, int):
                _actions.inc()
                then(Done(asked.id, outcome, asked.table))
            else:
                then(outcome)

        self._work.__enter__()
        change = self._changes.change_soon
        if change(end, asked.table, carry_out, person, asked, seen=asked.version):
            return True
        self._work.__exit__()
        return False

    def problem(self, person: Person, asked: ClientFrame, error: LagunaError) -> Problem:
        """Why a request was refused, as far as the person may know it."""
        live = None if isinstance(asked, Ping) else self._cache.find(asked.table)
        return redact.error(live.table if live else None, person.id, error)

    async def _request(self, person: Person, asked: Any) -> Answer:
        match asked:
            case Act():
                return await self._act(person, asked)
            case Hint():
                return await self._hint(person, asked)
            case Advise():
                return await self._advise(person, asked)
            case Preview():
                return await self._preview(person, asked)
            case Rematch():
                return await self._rematch(person, asked)
            case Sit():
                await self._check_account(person, asked.table)
        seen = getattr(asked, "version", 0)
        version = await self._changes.change(asked.table, carry_out, person, asked, seen=seen)
        if isinstance(asked, Sit | Stand) and (live := self._cache.find(asked.table)):
            self._changes.presence.changed(live)  # a spectator has a seat now, or the other way around
        return Done(asked.id, version, asked.table)

    async def _act(self, person: Person, asked: Act) -> Done | Previewed:
        if asked.if_goes_on:
            preview = await self._preview(person, asked)
            if not preview.goes_on:
                return preview
        version = await self._changes.change(asked.table, carry_out, person, asked, seen=asked.version)
        _actions.inc()
        return Done(asked.id, version, asked.table)

    async def _hint(self, person: Person, asked: Hint) -> HintGiven:
        async with self._changes.at(asked.table) as (_, table):
            permissions.hint(table, person.id, self._clock.now())
        await self.games.bots_soon(table.settings.game)
        async with self._changes.at(asked.table) as (_, table):
            seat = permissions.hint(table, person.id, self._clock.now())
            job = job_for(table.started, seat, HINTS, asked.seconds)
            game, version = table.started.copy(), table.version
        found = await self._bots.hint(job)
        choices = await asyncio.to_thread(with_events, game, seat, found)  # many worlds are imagined
        return HintGiven(asked.id, asked.table, version, choices)

    async def _advise(self, person: Person, asked: Advise) -> Advised:
        async with self._changes.at(asked.table) as (_, table):
            seat = permissions.advise(table, person.id, self._clock.now())
            game, version = table.started.copy(), table.version
        advice = await asyncio.to_thread(game.advice, seat)  # many worlds are imagined
        return Advised(asked.id, asked.table, version, advice)

    async def _preview(self, person: Person, asked: Preview | Act) -> Previewed:
        async with self._changes.at(asked.table) as (_, table):
            seat = permissions.act(table, person.id, self._clock.now(), asked.seat)
            preview = table.started.preview(asked.action, seat)
            return Previewed(asked.id, table.id, table.version, preview.events, preview.goes_on)

    async def _rematch(self, person: Person, asked: Rematch) -> Done:
        """The next table is written first: if we fail in between, the old one does not point to nothing."""
        async with self._changes.at(asked.table) as (live, table):
            now = self._clock.now()
            permissions.rematch(table, person.id, now)
            following = table.next_table(new_table_id(self._place), person, new_secret(), now)
            if asked.seal is not None and following.seats_of(person.id):
                following.seal(person, asked.seal, now)
            if all(chair.kind == "bot" or chair.is_of(person.id) for chair in following.chairs):
                following.start(person, now)
            opened = await self._cache.add(following)
            await self._changes.write(live, table, Table.rematch, person, following.id)
            self._scheduler.attend(opened, following)
            return Done(asked.id, table.version, following.id)

    # -------------------------------------------------------------- opening and looking

    async def open(self, person: Person, wish: NewTable) -> TableView:
        """A new table, with the seats taken as wished."""
        with self._work.requested():
            if wish.settings.rated:
                await self._needs_account(person)
            await self.games.ready_for(wish.settings, begins_elsewhere(wish))
            position = wish.position
            if wish.origin is not None:
                position = await self._position_at(wish.origin.table, wish.origin.actions, wish.settings.game)
            now = self._clock.now()
            settings, origin = wish.settings, wish.origin
            table_id, secret = new_table_id(self._place), new_secret()
            table = await asyncio.to_thread(  # a position is checked thoroughly
                Table.open, table_id, settings, person, secret, now, None, position, origin
            )
            _take_seats(table, person, wish, now)
            live = await self._cache.add(table)
            log.info("table opened", table=table.id, game=table.settings.game)
            self._scheduler.attend(live, table)
            return self._broadcast.view(table, person.id)

    async def open_file(self, game: Game, allow: Callable[[], None]) -> Done:
        """The table of a finished game from a file; `allow` is asked before a new one is written.

        The same file always leads to the same table.
        """
        with self._work.under_way():
            table_id = file_table_id(game)
            known = await self._storage.versions([table_id])
            if table_id in known:
                return Done(0, known[table_id], table_id)
            table = await asyncio.to_thread(Table.from_game, table_id, game, self._clock.now())
            allow()
            with suppress(Stale):  # somebody else has just opened it
                await self._storage.open_table(table_id, table.secret, table.entries, summary_of(table))
                log.info("table opened from a file", table=table_id, game=game.meta.id)
            return Done(0, table.version, table_id)

    async def look(self, person: Person, table_id: str) -> messages.Table:
        """The table as this person may see it, with the last lines of its log."""
        with self._work.under_way():
            async with self._changes.at(table_id) as (_, table):
                return self._broadcast.whole(table, person.id)

    async def view(self, table_id: str, person: Person) -> TableView:
        with self._work.under_way():
            async with self._changes.at(table_id) as (_, table):
                return self._broadcast.view(table, person.id)

    async def game_file(self, table_id: str) -> str:
        """The game file of a game that is over."""
        with self._work.under_way():
            async with self._changes.at(table_id) as (_, table):
                return redact.export(table, None)

    async def position(self, table_id: str, actions: int) -> dict[str, Any]:
        """The position of a finished game after so many actions, to go on from."""
        with self._work.under_way():
            return await self._position_at(table_id, actions)

    async def _position_at(self, table_id: str, actions: int, game: str | None = None) -> dict[str, Any]:
        if self._place.owns(table_id):
            async with self._changes.at(table_id) as (_, table):
                finished = redact.finished_game(table)
        else:
            finished = redact.finished_game(await self.finished(table_id))
        if game not in (None, finished.meta.id):
            raise BadOption("other-game", f"That table played {finished.meta.title}.", game=finished.meta.id)
        return await asyncio.to_thread(position_after, finished, actions)

    async def review(self, table_id: str, allow: Callable[[], None] | None = None) -> Review:
        """The review of a finished game as far as it is; with `allow` it is begun if that agrees."""
        with self._work.under_way():
            if allow is None:
                return await self._reviews.look(table_id)
            return await self._reviews.ask(table_id, allow)

    async def game_for(self, person: Person, table_id: str, seat: int | None) -> tuple[Game, Result | None]:
        """A copy of the game, to be shown as `seat` sees it, if the person may see that."""
        with self._work.under_way():
            async with self._changes.at(table_id) as (_, table):
                if table.game is None:
                    raise Refusal("not-playing", "The game has not begun.")
                if seat is not None and not permissions.sees(table, person.id, seat):
                    raise _not_your_seat(table, person)
                return table.game.copy(), table.result

    # -------------------------------------------------------------- links to seats

    async def link(self, person: Person, table_id: str, seat: int) -> Done:
        """The person opened a link of that seat."""
        with self._work.under_way():
            await self._check_account(person, table_id)
            return Done(0, await self._changes.change(table_id, Table.link, person, seat), table_id)

    async def unlink(self, person: Person, table_id: str, seat: int) -> Done:
        """The links of that seat are revoked."""
        with self._work.under_way():
            return Done(0, await self._changes.change(table_id, Table.unlink, person, seat), table_id)

    async def check_holds(self, person: Person, table_id: str, seat: int) -> None:
        """Refuse if the seat is not the person's."""
        with self._work.under_way():
            async with self._changes.at(table_id) as (_, table):
                if seat not in table.seats_of(person.id):
                    raise _not_your_seat(table, person)

    # -------------------------------------------------------------- people

    async def _check_account(self, person: Person, table_id: str) -> None:
        """Refuse a guest at a rated table."""
        async with self._changes.at(table_id) as (_, table):
            rated = table.settings.rated
        if rated:
            await self._needs_account(person)

    async def _needs_account(self, person: Person) -> None:
        if await self._storage.account_of(person.id) is None:
            raise Refusal("rated-account", "Rated games are for people with an account; you are a guest.")

    async def erase(self, person: Person) -> None:
        """Delete a person: what is theirs alone at once, then their name wherever they played."""
        with self._work.under_way():
            await self.erasing.erase(person)

    async def finished(self, table_id: str) -> Table:
        """A table as it is in the storage, without keeping it in memory: for old games."""
        return await read_stored(self._storage, self.games, table_id)


def carry_out(table: Table, person: Person, asked: ClientFrame, now: Milliseconds) -> list[AnyEntry]:
    """Turn a request into entries of the table, or raise Refusal or IllegalAction."""
    match asked:
        case Act():
            return table.act(person, asked.seat, asked.action, asked.version, now, asked.head)
        case TakeBack():
            return table.take_back(person, asked.version, asked.turn, now)
        case Say():
            return table.say(person, asked.text, now)
        case Sit():
            return table.sit(person, asked.seat, now, asked.seal)
        case Stand():
            return table.stand(person, asked.seat, now)
        case PutBot():
            return table.put_bot(person, asked.seat, asked.level, now)
        case Start():
            return table.start(person, now)
        case Seal():
            return table.seal(person, asked.seal, now)
        case Share():
            return table.share(person, asked.share, now)
        case Resign():
            return table.resign(person, asked.seat, now)
        case Leave():
            return table.leave(person, now)
        case TakeOver():
            return table.take_over(person, asked.seat, asked.level, now)
    raise TypeError(f"{type(asked).__name__} changes no table")


def _failed(error: Exception) -> str:
    """What the metrics call a request that was not carried out."""
    if not isinstance(error, LagunaError):
        return "failed"
    return error.key if isinstance(error, Unavailable | Stale | Busy) else "refused"


def new_table_id(place: Place = ALONE) -> str:
    """Nobody can guess it: anyone who knows it may watch, and sit down where a seat is open.

    The process that opens a table owns it.
    """
    while not place.owns(table_id := secrets.token_urlsafe(16)):
        pass
    return table_id


def file_table_id(game: Game) -> str:
    """Whoever has the file knows its table."""
    return urlsafe_b64encode(sha256(game.dumps().encode()).digest()[:16]).decode().rstrip("=")


def begins_elsewhere(wish: NewTable) -> bool:
    """Does the game begin elsewhere than with its setup? From one place only, then."""
    if wish.position is not None and wish.origin is not None:
        raise BadOption("two-beginnings", "A table begins from a position or from an earlier game, not both.")
    return wish.position is not None or wish.origin is not None


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
    if wish.seal is not None and table.seats_of(person.id):
        table.seal(person, wish.seal, now)
    if wish.start:
        table.start(person, now)


def _not_your_seat(table: Table, person: Person) -> Refusal:
    return Refusal("not-your-seat", "That seat is not yours.", seats=table.seats_of(person.id))
