"""The game of a live table: all its chance comes from the table's secret."""

from __future__ import annotations

from laguna.game import Game, set_up
from laguna.table.entries import Settings


def live_game(settings: Settings, secret: bytes, names: list[str]) -> Game:
    """The game that these settings and this secret give."""
    return set_up(
        settings.game, settings.players, int.from_bytes(secret[:6], "big"), names, dict(settings.options)
    )
