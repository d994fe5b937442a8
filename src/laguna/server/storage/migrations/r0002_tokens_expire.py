"""Tokens expire when they are not used; existing ones count as used now."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tokens", sa.Column("used", sa.BigInteger, nullable=False, server_default="0"))
    op.execute(sa.text("UPDATE tokens SET used = :now").bindparams(now=time.time_ns() // 1_000_000))
    op.create_index("ix_tokens_used", "tokens", ["used"])
