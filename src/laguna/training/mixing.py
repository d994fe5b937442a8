"""Which games a network learns from: all player counts and options, the usual ones more often."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np

from laguna.games.contract import Meta

FEWEST = 0.4  # of all games are for the smallest number of players
USUAL = 0.6  # of all games have the usual options


def mix(meta: Meta, chance: Random, players: int | None = None) -> tuple[int, dict[str, Any]]:
    """The number of players (unless it is given) and the options of one game."""
    if players is None:
        few = len(meta.players) == 1 or chance.random() < FEWEST
        players = meta.players[0] if few else chance.choice(meta.players[1:])
    if chance.random() < USUAL:
        return players, {}
    chosen = chance.choice(list(product(*(option.choices for option in meta.options))))
    return players, dict(zip([option.name for option in meta.options], chosen, strict=True))


def mix_many(meta: Meta, count: int, chance: Random, players: int | None = None) -> np.ndarray:
    """The same for so many games, as the rules are given them."""
    mixed = (mix(meta, chance, players) for _ in range(count))
    return np.array([meta.encode(*meta.resolve(*each)) for each in mixed], np.int64)
