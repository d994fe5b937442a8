"""Reviews of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("actions", sa.Integer, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    unfinished = sa.text("NOT complete")
    op.create_index(
        "ix_reviews_unfinished", "reviews", ["until"], sqlite_where=unfinished, postgresql_where=unfinished
    )
    op.create_table(
        "judgments",
        sa.Column("table_id", sa.Text, sa.ForeignKey("reviews.table_id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("judged", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
