"""The database's tables after the last revision in `migrations/`."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

# A person's devices: a token with this hash identifies that person.
tokens = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False, server_default="0", index=True),  # last, roughly
    Column("client", Text),  # what it was made for, in words of ours; see `people/agents.py`
    Column("system", Text),
)

accounts = Table(
    "accounts",
    metadata,
    Column("key", Text, primary_key=True),  # the account in lower case: Ann and ann are the same
    Column("account", Text, nullable=False),
    Column("person_id", Text, ForeignKey("people.id"), nullable=False, unique=True),
    Column("password_hash", Text, nullable=False),
    Column("one_time_until", BigInteger),  # the operator set this password: it must be replaced until then
)

# What a list or a sweep needs to know about a table without reading its log: `summary` is a `Summary` as
# JSON, and the other columns are those used in searches.
tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("version", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("due", BigInteger),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("summary", Text, nullable=False),
    Column("ended", BigInteger),
)
_LISTED, _DUE = text("listed AND status <> 'over'"), text("due IS NOT NULL")
_WITHOUT_RESULT = text("status = 'over' AND ended IS NULL")
Index("ix_tables_listed", tables.c.created, sqlite_where=_LISTED, postgresql_where=_LISTED)
Index("ix_tables_due", tables.c.due, sqlite_where=_DUE, postgresql_where=_DUE)
Index("ix_tables_without_result", tables.c.id, sqlite_where=_WITHOUT_RESULT, postgresql_where=_WITHOUT_RESULT)

# The log, which is the source of truth. Its primary key ensures that a version is written only once.
entries = Table(
    "entries",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("entry", Text, nullable=False),
    sqlite_with_rowid=False,
)

# Which tables are listed as a person's own.
holders = Table(
    "holders",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("person_id", Text, primary_key=True, index=True),
    sqlite_with_rowid=False,
)

# Whose names are in a table's log: as host, on a seat (even before somebody else), in the chat.
mentions = Table(
    "mentions",
    metadata,
    Column("person_id", Text, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    sqlite_with_rowid=False,
)

# People who were deleted; kept until every server has noticed.
erased = Table(
    "erased",
    metadata,
    Column("person_id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("done", Boolean, nullable=False),  # nothing can have brought the name back since
)

ratings = Table(
    "ratings",
    metadata,
    Column("person_id", Text, ForeignKey("people.id"), primary_key=True),
    Column("game", Text, primary_key=True, index=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
)

# What each rated game did to the rating of each of its players. The primary key ensures that it counts once.
rating_changes = Table(
    "rating_changes",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("person_id", Text, ForeignKey("people.id"), primary_key=True),
    Column("game", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
)
Index("ix_rating_changes_of", rating_changes.c.person_id, rating_changes.c.game, rating_changes.c.at)

links = Table(
    "links",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False, index=True),
    Column("seat", Integer, nullable=False),
)

# When a server was up; it keeps moving `until` forward.
uptime = Table(
    "uptime",
    metadata,
    Column("server", Text, primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False, index=True),
)

# Reviews of finished games with so many actions; until then they are being done by that server.
reviews = Table(
    "reviews",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("actions", Integer, nullable=False),
    Column("complete", Boolean, nullable=False),
    Column("server", Text, nullable=False),
    Column("until", BigInteger, nullable=False),
)
_UNFINISHED = text("NOT complete")
Index("ix_reviews_unfinished", reviews.c.until, sqlite_where=_UNFINISHED, postgresql_where=_UNFINISHED)

# A review's actions as far as they are judged, each a `Judged` as JSON.
judgments = Table(
    "judgments",
    metadata,
    Column("table_id", Text, ForeignKey("reviews.table_id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("judged", Text, nullable=False),
    sqlite_with_rowid=False,
)
