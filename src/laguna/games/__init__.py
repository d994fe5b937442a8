"""The rulebooks. Each folder here is a game; adding a game means adding a folder.

A folder holds `meta` (names, players, options), `components` (boards and decks as data), `rules`
(compiled), `words` (actions, events and views put into words), `positions` (positions as JSON),
`evaluation` (evaluation for bots, compiled) and `terminal` (the board drawn as text).
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from laguna.errors import UnknownGame, either, quoted
from laguna.games.contract import Meta


@dataclass(frozen=True)
class Rulebook:
    """One game's modules, each imported when first needed (`meta` alone needs no compiler)."""

    folder: str
    meta: Meta

    @property
    def path(self) -> Path:
        """The folder of its sources."""
        return Path(__file__).resolve().parent / self.folder

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{__name__}.{self.folder}.{name}")

    @cached_property
    def rules(self) -> ModuleType:
        from laguna.kernel.dispatch import register

        rules = self._module("rules")
        register(rules, self.evaluation)
        return rules

    @cached_property
    def evaluation(self) -> ModuleType:
        return self._module("evaluation")

    @cached_property
    def words(self) -> ModuleType:
        return self._module("words")

    @cached_property
    def positions(self) -> ModuleType:
        return self._module("positions")

    @cached_property
    def terminal(self) -> ModuleType:
        return self._module("terminal")


@cache
def rulebooks() -> dict[str, Rulebook]:
    """Every game by its id."""
    folders = [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
    metas = {folder: import_module(f"{__name__}.{folder}.meta").META for folder in folders}
    return {meta.id: Rulebook(folder, meta) for folder, meta in metas.items()}


def find(game: Any) -> Rulebook:
    """The rulebook with that id."""
    books = rulebooks()
    if not isinstance(game, str) or game not in books:
        raise UnknownGame(
            "unknown-game",
            f"There is no game {quoted(game)}; the games are {either(books, 'and')}.",
            game=quoted(game),
            choices=list(books),
        )
    return books[game]
