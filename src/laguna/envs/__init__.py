"""The games as environments of other libraries, each with its own extra: here is what all of them share."""

from __future__ import annotations

from collections.abc import Collection


def name_of(game: str) -> str:
    """What other libraries call a game of ours: `laguna_venice_2099`."""
    return f"laguna_{game.replace('-', '_')}"


def env_id(game: str) -> str:
    """The same as Gymnasium writes it: `laguna/Venice2099-v0`."""
    return f"laguna/{game.title().replace('-', '')}-v0"


def zero_sum(players: int, winners: Collection[int]) -> list[float]:
    """What the end is worth to each seat: a winner takes 1 from everybody else, a shared win is split."""
    return [players * (seat in winners) / len(winners) - 1.0 for seat in range(players)]
