"""Impossible positions: a real one with a change in it, refused with the field and the clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import laguna

Position = dict[str, Any]
Change = Callable[[Position], None]


def put(*path: Any) -> Change:
    """Set the field at this path to the last argument."""
    *keys, last, value = path

    def change(position: Position) -> None:
        holder: Any = position
        for key in keys:
            holder = holder[key]
        holder[last] = value

    return change


def refused(game: str, position: Position, field: str, clause: str | None) -> None:
    """The position is refused because of this field (or one in it), citing this clause (None: no clause)."""
    with pytest.raises(laguna.BadPosition) as refusal:
        laguna.from_position(game, position)
    error = refusal.value
    assert error.arguments["field"].startswith(field) and str(error).startswith(field), str(error)
    assert error.clause == clause and str(error).endswith(f"({clause})." if clause else "."), str(error)


def refused_after(change: Change, game: str, position: Position, field: str, clause: str | None) -> None:
    """The position is accepted; after the change it is refused."""
    laguna.from_position(game, position)
    change(position)
    refused(game, position, field, clause)
