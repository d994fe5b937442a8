"""Reviews in the database: which games are reviewed, by which server, and every action judged so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, or_, select, text, update

from laguna.server.judgments import Judged, decode, encode
from laguna.server.storage import schema
from laguna.server.storage.errors import log
from laguna.server.storage.servers import of_neighbors
from laguna.server.storage.tables import first_owned
from laguna.table.entries import Milliseconds

_reviews = schema.reviews.c
_judgments = schema.judgments.c

# Both databases understand these. A judgment that is there already is the same, unless it was damaged.
_BEGIN = text(
    "INSERT INTO reviews (table_id, actions, complete, server, until)"
    " VALUES (:table, :actions, :complete, '', 0) ON CONFLICT DO NOTHING"
)
_ADD = text(
    "INSERT INTO judgments (table_id, number, judged) VALUES (:table, :number, :judged)"
    " ON CONFLICT (table_id, number) DO UPDATE SET judged = excluded.judged"
)


class StoredReview(Struct, frozen=True):
    """The review of a game with so many actions; `judged` are in order, some may be missing yet."""

    actions: int
    judged: list[Judged]

    @property
    def complete(self) -> bool:
        return len(self.judged) == self.actions


def begin(connection: Connection, table_id: str, actions: int) -> None:
    """Somebody wants a review; if there is one already, nothing changes."""
    connection.execute(_BEGIN, {"table": table_id, "actions": actions, "complete": actions == 0})


def claim(connection: Connection, table_id: str, server: str, now: Milliseconds, until: Milliseconds) -> bool:
    """Have the review done by that server until then; False if another server has it."""
    free = or_(_reviews.server == server, _reviews.until <= now)
    claimed = update(schema.reviews).where(_reviews.table_id == table_id, free)
    return bool(connection.execute(claimed.values(server=server, until=until)).rowcount)


def release(connection: Connection, server: str, others: bool) -> None:
    """Nobody has the reviews of that server any more; or with `others` all but its and its neighbors'."""
    not_ours = (_reviews.server != server) & ~of_neighbors(_reviews.server, server)
    whose = not_ours if others else _reviews.server == server
    connection.execute(update(schema.reviews).where(~_reviews.complete, whose).values(server="", until=0))


def add(
    connection: Connection, table_id: str, server: str, until: Milliseconds, judged: Sequence[Judged]
) -> bool:
    """Add to a review that the server has, and keep it until then; False, writing nothing, if it has not."""
    mine = update(schema.reviews).where(_reviews.table_id == table_id, _reviews.server == server)
    if not connection.execute(mine.values(until=until)).rowcount:
        return False
    rows = [{"table": table_id, "number": each.number, "judged": encode(each).decode()} for each in judged]
    if rows:
        connection.execute(_ADD, rows)
    return True


def finish(connection: Connection, table_id: str) -> None:
    """Every action is judged."""
    connection.execute(update(schema.reviews).where(_reviews.table_id == table_id).values(complete=True))


def load(connection: Connection, table_id: str) -> StoredReview | None:
    actions = connection.scalar(select(_reviews.actions).where(_reviews.table_id == table_id))
    if actions is None:
        return None
    asked = select(_judgments.number, _judgments.judged).where(_judgments.table_id == table_id)
    found = connection.execute(asked.order_by(_judgments.number)).all()
    return StoredReview(actions, [each for row in found if (each := _judged(table_id, *row)) is not None])


def _judged(table_id: str, number: int, stored: str) -> Judged | None:
    """None if it is damaged: it will be judged again."""
    try:
        return decode(stored)
    except (msgspec.DecodeError, UnicodeEncodeError):
        log.error("The judgment of action %s of table %s cannot be read", number, table_id)
        return None


def unfinished(
    connection: Connection, now: Milliseconds, limit: int, owned: Callable[[str], bool] | None = None
) -> list[str]:
    """The tables whose review is not complete and that no server has."""
    asked = select(_reviews.table_id).where(~_reviews.complete, _reviews.until <= now)
    return first_owned(connection, asked.order_by(_reviews.until), limit, owned)
