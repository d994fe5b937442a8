"""Storage for tables and people: SQLite, or PostgreSQL shared by several servers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from laguna.server.judgments import Judged
from laguna.server.rating import Rating
from laguna.server.storage import database, erasing, people, probe, ratings, reviews, tables, uptime
from laguna.server.storage.backup import backup
from laguna.server.storage.claim import check_not_emptied, claimed
from laguna.server.storage.erasing import Erasure
from laguna.server.storage.errors import (
    AccountTaken,
    BadDatabase,
    Stale,
    Unavailable,
    Unreadable,
    in_our_words,
    log,
)
from laguna.server.storage.people import UNKNOWN, Account, AccountRow, Agent, Session, Token
from laguna.server.storage.ratings import Ranked, RatingChange
from laguna.server.storage.reviews import StoredReview
from laguna.server.storage.tables import Stored, Summary, TableRow
from laguna.server.storage.turns import turns
from laguna.server.storage.writer import Receiver, Work, Writer
from laguna.table.entries import AnyEntry, Milliseconds, Person

__all__ = [
    "UNKNOWN",
    "Account",
    "AccountRow",
    "AccountTaken",
    "Agent",
    "BadDatabase",
    "Erasure",
    "Ranked",
    "Rating",
    "RatingChange",
    "Receiver",
    "Session",
    "Stale",
    "Storage",
    "Stored",
    "StoredReview",
    "Summary",
    "TableRow",
    "Token",
    "Unavailable",
    "Unreadable",
    "backup",
    "check_not_emptied",
    "claimed",
]

WRITTEN = 1.0  # seconds after a write during which no test write is needed
FAILED = 3.0  # seconds for which a failure counts

P = ParamSpec("P")
T = TypeVar("T")


class Storage:
    """A database and everything in it. Whatever a method writes is durable when it returns.

    Every method may raise Unavailable, after a few seconds at most; the storage recovers by itself once the
    database is back. A caller that is cancelled while waiting cannot know what was written, just as after
    Unavailable.
    """

    def __init__(self, url: str, patience: float = 10, queue: bool = False) -> None:
        """Raises BadDatabase if the URL is not `sqlite:///path` or `postgresql://…`.

        `patience`: after this many seconds without an answer, callers get Unavailable. `queue`: other
        processes of this server write to the same SQLite file, each in its turn.
        """
        self._url = database.parse(url)
        self._patience = patience
        self._writing = database.writing_engine(self._url)
        self._reading = database.reading_engine(self._url)
        path = database.sqlite_path(self._url)
        self._turns: AbstractContextManager[object] = turns(path) if queue and path else nullcontext()
        self._readers = ThreadPoolExecutor(database.READERS, "laguna-reader")
        self._writer: Writer | None = None
        self._closed = False
        self._failed = float("-inf")  # when a reader last got no answer

    def __repr__(self) -> str:
        return f"<Storage {database.shown(self._url)}>"

    async def start(self) -> None:
        """Prepare the database at its newest revision; BadDatabase if it is not Laguna's, or is newer."""
        try:
            await asyncio.to_thread(database.prepare, self._url, self._writing)
        except BaseException:
            self._writing.dispose()
            raise
        self._writer = Writer(self._writing, self._patience, self._turns)

    async def open(self) -> None:
        """Use the database as it is, for a moment; BadDatabase if it is not at the newest revision."""
        try:
            await asyncio.to_thread(database.check_current, self._url, self._reading)
        except BaseException:
            self._reading.dispose()
            raise
        self._writer = Writer(self._writing, self._patience)

    async def close(self) -> None:
        """Write what is pending, and close the database."""
        if self._writer:
            await self._writer.close()
        self._closed = True
        await asyncio.to_thread(self._readers.shutdown)
        self._writing.dispose()
        self._reading.dispose()

    async def ping(self) -> None:
        """Check that the database answers; raises Unavailable if not."""
        await self._read(tables.versions, [""])

    async def check(self) -> None:
        """Raises Unavailable if the database cannot be read or cannot be written.

        A recent failure counts, even if a small write would succeed by now.
        """
        if time.monotonic() - max(self._failed, self._work().failed) < FAILED:
            raise Unavailable
        await self._read(probe.read)
        if time.monotonic() - self._work().written > WRITTEN:
            await self._write(probe.write)

    # -------------------------------------------------------------- tables

    async def open_table(
        self, table_id: str, secret: bytes, entries: Sequence[AnyEntry], summary: Summary
    ) -> None:
        """Create a table with its first entries; Stale if there is already one with that id."""
        append = tables.prepared(table_id, 1, entries, summary)
        await self._write(tables.open_table, secret, entries[0].at, append)

    async def append(
        self, table_id: str, first_version: int, entries: Sequence[AnyEntry], summary: Summary
    ) -> None:
        """Append after version `first_version - 1`; Stale, writing nothing, if that is not the latest."""
        await self._do(tables.prepared(table_id, first_version, entries, summary))

    @property
    def has_room(self) -> bool:
        """May `append_soon` be called?"""
        return self._work().has_room

    def append_soon(
        self,
        table_id: str,
        first_version: int,
        entries: Sequence[AnyEntry],
        summary: Summary,
        receiver: Receiver,
    ) -> None:
        """The same without waiting, if there is room: the receiver is told once it is durable, or why not."""
        self._work().do_soon(tables.prepared(table_id, first_version, entries, summary), receiver)

    async def load(self, table_id: str) -> Stored | None:
        """A table's secret and its complete log; Unreadable if that is damaged."""
        return await self._read(tables.load, table_id)

    async def since(self, table_id: str, version: int) -> list[AnyEntry]:
        """The entries after that version; Unreadable if one of them is damaged."""
        return await self._read(tables.since, table_id, version)

    async def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """The versions of those tables that exist."""
        return await self._read(tables.versions, ids)

    async def listed(self, limit: int) -> list[TableRow]:
        """The publicly listed tables that are not over, the newest first."""
        return await self._read(tables.listed, limit)

    async def tables_of(self, person_id: str, limit: int) -> list[TableRow]:
        """The tables where a person holds a seat, the most recently changed first."""
        return await self._read(tables.tables_of, person_id, limit)

    async def waiting(
        self, now: Milliseconds, limit: int = 1000, owned: Callable[[str], bool] | None = None
    ) -> list[str]:
        """The tables that a server must look at, the longest due first; only those that are `owned`."""
        return await self._read(tables.waiting, now, limit, owned)

    async def games_of(self, person_id: str) -> list[str]:
        """The tables where a person played or plays, the newest first."""
        return await self._read(tables.games_of, person_id)

    async def rows(self, ids: Sequence[str]) -> list[TableRow]:
        """These tables (some hundreds at most), in this order."""
        return await self._read(tables.rows, ids)

    async def without_result(self, after: str, limit: int) -> list[str]:
        """Games that are over, of before results were kept: the ids after this one, in order."""
        return await self._read(tables.without_result, after, limit)

    async def rewrite_summary(self, table_id: str, version: int, summary: Summary) -> None:
        """Replace the summary, unless the table has changed since that version."""
        await self._write(tables.rewrite_summary, table_id, version, summary)

    # -------------------------------------------------------------- reviews

    async def begin_review(self, table_id: str, actions: int) -> None:
        """Remember that a review of this finished game is wanted; one that exists stays as it is."""
        await self._write(reviews.begin, table_id, actions)

    async def claim_review(self, table_id: str, server: str, now: Milliseconds, until: Milliseconds) -> bool:
        """Have a review done by this server, until then; False if another server has it."""
        return await self._write(reviews.claim, table_id, server, now, until)

    async def release_reviews(self, server: str, others: bool = False) -> None:
        """Let any server do the reviews of that one, or of all `others` but its neighbors, at once."""
        await self._write(reviews.release, server, others)

    async def add_judgments(
        self, table_id: str, server: str, until: Milliseconds, judged: Sequence[Judged]
    ) -> bool:
        """Add to a review, and keep it until then; False, writing nothing, if another server has it."""
        return await self._write(reviews.add, table_id, server, until, judged)

    async def finish_review(self, table_id: str) -> None:
        await self._write(reviews.finish, table_id)

    async def review(self, table_id: str) -> StoredReview | None:
        """The review as far as it has come; None if nobody asked for one."""
        return await self._read(reviews.load, table_id)

    async def unfinished_reviews(
        self, now: Milliseconds, limit: int, owned: Callable[[str], bool] | None = None
    ) -> list[str]:
        """The tables whose review is not complete and that no server has; only those that are `owned`."""
        return await self._read(reviews.unfinished, now, limit, owned)

    # -------------------------------------------------------------- time

    async def clock(self) -> Milliseconds | None:
        """The time by the database's own clock, if it has one, which all its servers share."""
        return await self._read(uptime.clock)

    async def mark_up(self, server: str, since: Milliseconds, until: Milliseconds) -> None:
        """Record that a server has been up since then, and still is."""
        await self._write(uptime.mark_up, server, since, until)

    async def last_mark(self) -> Milliseconds | None:
        """When a server was last known to be up; None if none ever was."""
        return await self._read(uptime.last_mark)

    async def marks(self, after: Milliseconds, server: str = "") -> list[tuple[Milliseconds, Milliseconds]]:
        """The periods when servers were up, of those still up after that time, in order of their start.

        Neighbors of `server` do not count: they could not do anything for its tables.
        """
        return await self._read(uptime.marks, after, server)

    # -------------------------------------------------------------- people

    async def new_person(self, token_hash: bytes, name: str, agent: Agent = UNKNOWN) -> Person:
        """Create a guest, identified by the token with that hash."""
        return await self._write(people.new_person, token_hash, name, agent)

    async def token(self, token_hash: bytes) -> Token | None:
        """The person a token belongs to, when it was made, and when it was last used."""
        return await self._read(people.token, token_hash)

    async def rename(self, person_id: str, name: str) -> None:
        await self._write(people.rename, person_id, name)

    async def add_token(self, person_id: str, token_hash: bytes, agent: Agent = UNKNOWN) -> None:
        """Add a token for another device of the same person."""
        await self._write(people.add_token, person_id, token_hash, agent)

    async def sessions_of(
        self, person_id: str, used_since: Milliseconds, made_since: Milliseconds
    ) -> list[Session]:
        """A person's tokens, the latest used first: used since then and, those of accounts, made since."""
        return await self._read(people.sessions_of, person_id, used_since, made_since)

    async def drop_token(self, token_hash: bytes) -> None:
        await self._write(people.drop_token, token_hash)

    async def drop_tokens_of(self, person_id: str, but: bytes | None = None) -> int:
        """Delete all of a person's tokens, or all but one; how many there were."""
        return await self._write(people.drop_tokens_of, person_id, but)

    async def drop_all_tokens(self, guests: bool) -> int:
        """Delete the tokens of all accounts, of guests too if wanted; how many there were."""
        return await self._write(people.drop_all_tokens, guests)

    async def drop_unused_tokens(self, since: Milliseconds) -> None:
        """Delete the tokens that have not been used since then."""
        await self._write(people.drop_unused_tokens, since)

    async def note_use(self, hashes: Sequence[bytes], before: Milliseconds) -> None:
        """Record that these tokens are in use now; nothing is written if the last recorded use is recent."""
        await self._write(people.note_use, hashes, before)

    async def known_tokens(self, hashes: Sequence[bytes], made_since: Milliseconds = 0) -> set[bytes]:
        """Which of these tokens still exist; those of accounts only if they were made since then."""
        return await self._read(people.known_tokens, hashes, made_since)

    async def make_account(
        self, person_id: str, account: str, password_hash: str, token_hash: bytes, agent: Agent = UNKNOWN
    ) -> None:
        """Create an account; from now on that token is the person's only one.

        Raises AccountTaken if someone has it, in any mix of case, or if the person already has an account.
        """
        await self._write(people.make_account, person_id, account, password_hash, token_hash, agent)

    async def change_password(
        self,
        person_id: str,
        password_hash: str,
        token_hash: bytes,
        agent: Agent = UNKNOWN,
        before: str | None = None,
    ) -> bool:
        """Change the password; from now on that token is the person's only one.

        False, changing nothing, if `before` is given and is no longer the password's hash.
        """
        return await self._write(people.change_password, person_id, password_hash, token_hash, agent, before)

    async def log_in(self, account: Account, token_hash: bytes, agent: Agent = UNKNOWN) -> bool:
        """Add a token; False, adding none, if the password was changed since the account was read."""
        return await self._write(people.log_in, account, token_hash, agent)

    async def set_one_time_password(self, person_id: str, password_hash: str, until: Milliseconds) -> int:
        """Set a password that must be replaced until then, and delete all tokens; how many there were."""
        return await self._write(people.set_one_time_password, person_id, password_hash, until)

    async def account(self, account: str) -> Account | None:
        return await self._read(people.account, account)

    async def accounts(
        self, containing: str, used_since: Milliseconds, made_since: Milliseconds
    ) -> list[AccountRow]:
        """The accounts with this in their own or their person's name, in order, with such sessions."""
        return await self._read(people.accounts, containing, used_since, made_since)

    async def account_of(self, person_id: str) -> str | None:
        """The name of the person's account; None for a guest."""
        return await self._read(people.account_of, person_id)

    async def known_since(self, person_id: str) -> Milliseconds | None:
        """When the person first came here."""
        return await self._read(people.known_since, person_id)

    # -------------------------------------------------------------- ratings

    async def ratings_of(self, person_id: str) -> dict[str, Rating]:
        """A person's ratings by game."""
        return await self._read(ratings.ratings_of, person_id)

    async def rating_changes(self, person_id: str, game: str, limit: int) -> list[RatingChange]:
        """The latest changes of a rating, the oldest of them first."""
        return await self._read(ratings.changes_of, person_id, game, limit)

    async def rating_changes_at(self, person_id: str, ids: Sequence[str]) -> dict[str, RatingChange]:
        """What these tables did to a person's rating."""
        return await self._read(ratings.changes_at, person_id, ids)

    async def best_rated(self, game: str, limit: int) -> tuple[list[Ranked], int]:
        """The best rated people at a game, and how many are rated."""
        return await self._read(ratings.best, game, limit)

    # -------------------------------------------------------------- deleting people

    async def erase(self, person_id: str, now: Milliseconds) -> None:
        """Delete what belongs to the person alone; their names in logs are left to `remove_name`."""
        await self._write(erasing.erase, person_id, now)

    async def mentions_of(self, person_id: str) -> list[str]:
        """The tables whose logs name the person."""
        return await self._read(erasing.mentions_of, person_id)

    async def remove_name(self, person_id: str, ids: Sequence[str]) -> None:
        """Replace the person's name in the logs of these tables (some dozens at most)."""
        await self._write(erasing.remove_name, person_id, ids)

    async def erasures(self) -> list[Erasure]:
        """The people who were deleted lately."""
        return await self._read(erasing.erasures)

    async def finish_erasure(self, person_id: str) -> None:
        """Note that nothing can have brought the name back since."""
        await self._write(erasing.finish, person_id)

    async def forget_erasure(self, person_id: str) -> None:
        """Forget even that somebody was deleted."""
        await self._write(erasing.forget, person_id)

    # -------------------------------------------------------------- links to seats

    async def add_link(self, link_hash: bytes, table_id: str, seat: int) -> None:
        await self._write(people.add_link, link_hash, table_id, seat)

    async def link(self, link_hash: bytes) -> tuple[str, int] | None:
        """The table and the seat that a link gives."""
        return await self._read(people.link, link_hash)

    async def revoke_links(self, table_id: str, seat: int) -> None:
        await self._write(people.revoke_links, table_id, seat)

    # -------------------------------------------------------------- how

    def _work(self) -> Writer:
        if self._writer is None:
            raise RuntimeError("The storage is not started.")
        return self._writer

    async def _write(
        self, work: Callable[Concatenate[Connection, P], T], *arguments: P.args, **named: P.kwargs
    ) -> T:
        result: T = await self._do(lambda connection: work(connection, *arguments, **named))
        return result

    async def _do(self, work: Work) -> Any:
        return await self._work().do(work)

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        try:
            yield
        except Unavailable:
            self._failed = time.monotonic()
            raise

    async def _read(
        self, work: Callable[Concatenate[Connection, P], T], *arguments: P.args, **named: P.kwargs
    ) -> T:
        with self._noting_failure():
            if self._closed:
                raise Unavailable
            try:
                async with asyncio.timeout(self._patience):
                    loop = asyncio.get_running_loop()
                    return await loop.run_in_executor(
                        self._readers,
                        self._read_now,
                        lambda connection: work(connection, *arguments, **named),
                    )
            except TimeoutError:
                log.warning("The database did not answer within %s seconds", self._patience)
                raise Unavailable from None

    def _read_now(self, work: Callable[[Connection], T], again: bool = True) -> T:
        """Run in a thread. If a connection broke while idle, that does not count as a failure: try again."""
        try:
            with self._reading.connect() as connection:
                return work(connection)
        except DBAPIError as error:
            if again and error.connection_invalidated:
                return self._read_now(work, again=False)
            raise in_our_words(error) from None
