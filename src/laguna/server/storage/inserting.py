"""Rows that may be there already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_new(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert those rows whose keys are new."""
    kind = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(kind.insert(table).on_conflict_do_nothing(), rows)
