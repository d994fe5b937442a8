"""The database's tables after the last revision in `migrations/`."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
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
)

accounts = Table(
    "accounts",
    metadata,
    Column("key", Text, primary_key=True),  # the account in lower case: Ann and ann are the same
    Column("account", Text, nullable=False),
    Column("person_id", Text, ForeignKey("people.id"), nullable=False, unique=True),
    Column("password_hash", Text, nullable=False),
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
)
_LISTED, _DUE = text("listed AND status <> 'over'"), text("due IS NOT NULL")
Index("ix_tables_listed", tables.c.created, sqlite_where=_LISTED, postgresql_where=_LISTED)
Index("ix_tables_due", tables.c.due, sqlite_where=_DUE, postgresql_where=_DUE)

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
