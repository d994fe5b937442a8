"""Ratings, results in lists, and what it takes to delete somebody: whose names are in which logs."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
AT_ONCE = 1000


def upgrade() -> None:
    op.add_column("tables", sa.Column("ended", sa.BigInteger))
    without = sa.text("status = 'over' AND ended IS NULL")
    op.create_index(
        "ix_tables_without_result", "tables", ["id"], sqlite_where=without, postgresql_where=without
    )
    op.create_table(
        "erased",
        sa.Column("person_id", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("game", sa.Text, primary_key=True, index=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_table(
        "rating_changes",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("mu_before", sa.Double, nullable=False),
        sa.Column("sigma_before", sa.Double, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
    )
    op.create_index("ix_rating_changes_of", "rating_changes", ["person_id", "game", "at"])
    mentions = op.create_table(
        "mentions",
        sa.Column("person_id", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    _find_mentions(op.get_bind(), mentions)


def _find_mentions(connection: sa.Connection, mentions: sa.Table) -> None:
    """From the logs; an entry that cannot be read names nobody."""
    asked = sa.text("""SELECT table_id, entry FROM entries WHERE entry LIKE '%"name":%' ORDER BY table_id""")
    found: set[tuple[str, str]] = set()
    for table, text in connection.execute(asked).all():
        try:
            entry = json.loads(text)
            found |= {(entry[key]["id"], table) for key in ("host", "person") if key in entry}
        except (ValueError, TypeError, KeyError):
            continue
    rows = [{"person_id": person, "table_id": table} for person, table in sorted(found)]
    for first in range(0, len(rows), AT_ONCE):
        connection.execute(sa.insert(mentions), rows[first : first + AT_ONCE])
