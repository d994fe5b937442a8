"""One thread writes everything: pending work is written together, in one transaction with one commit.

So a hundred actions cost one flush to the disk, and each is acknowledged only after it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from laguna.server import metrics
from laguna.server.run_now import run_now
from laguna.server.storage.errors import Stale, Unavailable, in_our_words, is_away, log, unavailable
from laguna.server.storage.tables import Append, write_appends

MAX_WAITING = 2000  # pieces of work pending or being written; further callers wait
MAX_TOGETHER = 500  # pieces of work in a transaction; twice as many at most

Work = Append | Callable[[Connection], Any]
Outcome = Any  # what the work returned, or the exception that it gets


class Receiver(Protocol):
    """Who is told what came of some work, in the event loop: a future, or what behaves like one."""

    def done(self) -> bool:
        """Was it told, or does it no longer want to know?"""

    def set_result(self, result: Any, /) -> None: ...
    def set_exception(self, error: Any, /) -> None: ...


Item = tuple[Work, Receiver]


class Writer:
    """The thread, and the queue in front of it. It is called in the event loop that made it."""

    def __init__(
        self, engine: Engine, patience: float, turns: AbstractContextManager[object] | None = None
    ) -> None:
        """`patience`: seconds for room and again for an answer, after which a caller gets Unavailable.

        A transaction takes place within `turns`.
        """
        self._engine = engine
        self._turns = turns or nullcontext()
        self._patience = patience
        self._loop = asyncio.get_running_loop()
        self._room = asyncio.Semaphore(MAX_WAITING)
        self._queue: SimpleQueue[list[Item] | None] = SimpleQueue()
        self._together: list[
            Item
        ] = []  # of this event loop iteration: the thread is woken once for all of them
        self._handed_over: deque[tuple[float, list[Item]]] = deque()  # not settled yet, and until when
        self._timer: asyncio.TimerHandle | None = None
        self.written = self.failed = float("-inf")  # when that happened last
        self._connection: Connection | None = None  # of the thread, as long as there is work
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="laguna-writer", daemon=True)
        self._thread.start()

    async def do(self, work: Work) -> Any:
        """Have the work written, and return once it is durable. Unavailable if that takes too long."""
        await self._enter()
        future: asyncio.Future[Any] = self._loop.create_future()
        self._put(work, future)
        return await future

    @property
    def has_room(self) -> bool:
        """May work be given to `do_soon`?"""
        return not self._closing and not self._room.locked()

    def do_soon(self, work: Work, receiver: Receiver) -> None:
        """The same without waiting, if there is room: the receiver is told what `do` returns or raises."""
        run_now(self._room.acquire())
        self._put(work, receiver)

    def _put(self, work: Work, receiver: Receiver) -> None:
        if not self._together:
            self._loop.call_soon(self._hand_over)
        self._together.append((work, receiver))

    async def _enter(self) -> None:
        """Take a place for a piece of work, as soon as there is one."""
        if self._room.locked():
            try:
                async with asyncio.timeout(self._patience):
                    await self._room.acquire()
            except TimeoutError:
                raise self._noted(self._too_slow()) from None
        else:
            await self._room.acquire()
        if self._closing:
            self._room.release()
            raise self._noted(Unavailable())

    def _hand_over(self) -> None:
        together, self._together = self._together, []
        for first in range(0, len(together), MAX_TOGETHER):
            items = together[first : first + MAX_TOGETHER]
            self._handed_over.append((self._loop.time() + self._patience, items))
            self._queue.put(items)
        if together and self._timer is None:
            self._timer = self._loop.call_later(self._patience, self._give_up)

    def _give_up(self) -> None:
        """One timer for all: those who have waited too long get Unavailable."""
        self._timer, now = None, self._loop.time()
        for until, items in self._handed_over:
            if until > now:
                self._timer = self._loop.call_at(until, self._give_up)
                break
            for _, receiver in items:
                if not receiver.done():
                    receiver.set_exception(self._noted(self._too_slow()))

    def _too_slow(self) -> Unavailable:
        log.warning("The database did not answer within %s seconds", self._patience)
        return Unavailable()

    def _noted(self, error: Exception) -> Exception:
        """A failure that somebody is told about, once it is counted."""
        if isinstance(error, Stale | Unavailable):
            metrics.storage_failures.labels(error.key).inc()
        if isinstance(error, Unavailable):
            self.failed = time.monotonic()
        return error

    async def close(self) -> None:
        """Accept nothing more and write what is pending, unless the database hangs."""
        self._closing = True
        self._hand_over()
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join, self._patience)

    # -------------------------------------------------------------- in the thread

    def _run(self) -> None:
        closing = False
        while not closing:
            batch, closing = self._waiting()
            # Servers that write to the same tables do so in the same order, so they never deadlock.
            wanted = sorted((item for item in batch if not item[1].done()), key=_place)
            answers = []
            if wanted:
                metrics.storage_batch.observe(len(wanted))
                with metrics.storage_commit_seconds.time():
                    outcomes = self._write([work for work, _ in wanted])
                answers = list(zip((future for _, future in wanted), outcomes, strict=True))
            try:
                self._loop.call_soon_threadsafe(self._settle, answers, len(batch))
            except RuntimeError:  # the loop is closed: nobody is waiting any more
                break
        self._disconnect()

    def _waiting(self) -> tuple[list[Item], bool]:
        """All pending work that fits in one transaction, and whether it is the last."""
        if self._queue.empty():
            self._disconnect()
        batch: list[Item] = []
        together = self._queue.get()
        try:
            while together is not None:
                batch += together
                if len(batch) >= MAX_TOGETHER:
                    break
                together = self._queue.get_nowait()
        except Empty:
            return batch, False
        return batch, together is None

    def _settle(self, answers: Sequence[tuple[Receiver, Outcome]], places: int) -> None:
        """In the event loop: notify the callers, and let as many new ones in."""
        settled = 0
        while settled < places:
            settled += len(self._handed_over.popleft()[1])
        for receiver, outcome in answers:
            if receiver.done():  # its caller gave up
                continue
            try:
                if isinstance(outcome, Exception):
                    receiver.set_exception(self._noted(outcome))
                else:
                    self.written = time.monotonic()
                    receiver.set_result(outcome)
            except Exception:  # the others must be told all the same
                log.exception("A receiver failed")
        for _ in range(places):
            self._room.release()

    def _write(self, works: list[Work]) -> list[Outcome]:
        """The outcome of each piece of work, once it is durable; never raises.

        If they cannot be written together, then either some work is at fault, and writing one by one shows
        which, or the connection broke while idle, and a new one may work.
        """
        for write in (_all, _one_by_one):
            try:
                return self._transaction(write, works)
            except Unavailable:
                break
            except DBAPIError as error:
                if is_away(error):
                    unavailable(error)
                    if not error.connection_invalidated:
                        break
            except Exception as error:
                log.debug("Not written together: %s", type(error).__name__)
        return [Unavailable() for _ in works]

    def _transaction(
        self, write: Callable[[Connection, list[Work]], list[Outcome]], works: list[Work]
    ) -> list[Outcome]:
        try:
            connection = self._connection = self._connection or self._engine.connect()
            with self._turns, connection.begin() as transaction:
                outcomes = write(connection, works)
                try:
                    transaction.commit()
                except DBAPIError as error:  # it may or may not be durable: it must not be tried again
                    raise unavailable(error) from None
            return outcomes
        except BaseException:
            self._disconnect()
            raise

    def _disconnect(self) -> None:
        """Give the connection back; the next transaction takes one that works."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _place(item: Item) -> str:
    return item[0].table if isinstance(item[0], Append) else ""


def _all(connection: Connection, works: list[Work]) -> list[Outcome]:
    outcomes = [None if isinstance(work, Append) else work(connection) for work in works]
    appends = [work for work in works if isinstance(work, Append)]
    if appends:
        write_appends(connection, appends)
    return outcomes


def _one_by_one(connection: Connection, works: list[Work]) -> list[Outcome]:
    """Still one transaction, but what fails is rolled back alone and does not affect the others."""
    outcomes: list[Outcome] = []
    for work in works:
        try:
            with connection.begin_nested():
                outcomes += _all(connection, [work])
        except DBAPIError as error:
            if is_away(error):
                raise
            outcomes.append(in_our_words(error))
        except Exception as error:
            outcomes.append(error)
    return outcomes
