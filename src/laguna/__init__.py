"""Laguna: games of sea and glass, as a library.

>>> import laguna
>>> game = laguna.new("neptune-vesta", seed=7)
>>> game.legal()[0]  # doctest: +ELLIPSIS
Action(...)

`new`, `load`, `loads` and `from_position` make a game; `catalogue()` lists the games. Importing this
package is quick: the compiler is loaded with the first game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laguna.errors import BadBot, BadFile, BadOption, BadPosition, IllegalAction, LagunaError, UnknownGame
from laguna.games import rulebooks  # before `games` below: importing the folder sets that name once

if TYPE_CHECKING:
    from laguna.batches import Batch, batch
    from laguna.files import dumps, load, loads
    from laguna.game import Action, Entry, Game, from_position, new
    from laguna.games.contract import Event, Meta, Option, Preset
    from laguna.state import State

__version__ = "0.1.0"

_HOMES = {
    "Batch": "laguna.batches",
    "batch": "laguna.batches",
    "dumps": "laguna.files",
    "load": "laguna.files",
    "loads": "laguna.files",
    "Action": "laguna.game",
    "Entry": "laguna.game",
    "Game": "laguna.game",
    "from_position": "laguna.game",
    "new": "laguna.game",
    "Event": "laguna.games.contract",
    "Meta": "laguna.games.contract",
    "Option": "laguna.games.contract",
    "Preset": "laguna.games.contract",
    "State": "laguna.state",
}

__all__ = [
    "Action",
    "BadBot",
    "BadFile",
    "BadOption",
    "BadPosition",
    "Batch",
    "Entry",
    "Event",
    "Game",
    "IllegalAction",
    "LagunaError",
    "Meta",
    "Option",
    "Preset",
    "State",
    "UnknownGame",
    "batch",
    "catalogue",
    "dumps",
    "from_position",
    "games",
    "load",
    "loads",
    "new",
]


def catalogue() -> dict[str, Meta]:
    """Every game by its id: titles, player counts, options."""
    return {id: book.meta for id, book in rulebooks().items()}


games = catalogue  # its first name, which hides the folder `laguna.games` from `laguna.games.atlantis`


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'laguna' has no attribute {name!r}")
