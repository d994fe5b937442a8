"""What a token is used with, as far as known, and passwords of the operator's that can be used once."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("tokens", sa.Column("client", sa.Text))
    op.add_column("tokens", sa.Column("system", sa.Text))
    op.add_column("accounts", sa.Column("one_time_until", sa.BigInteger))
