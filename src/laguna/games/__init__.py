"""The rulebooks. Each folder here is a game; adding a game means adding a folder.

A folder holds `meta` (names, players, options), `components` (boards and decks as data), `rules`
(compiled), `evaluation` (for bots, compiled), `actions` (codes, structs and notation), `refusals` (why not),
`events` (what happened), `views` (what a seat may know), `positions` (positions as JSON) and `terminal`
(the board drawn as text); perhaps also `inputs` (what a network is told, compiled) and `network.bin` (its
weights), `observations` (what a seat may know as numbers, compiled), `advice` (what a beginner should look
at) and `lessons.json` (a tutorial). `contract.py` has their types.

Other packages add games through the entry point group `laguna.games`: each entry names such a package.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from laguna.errors import LagunaError, UnknownGame, either, quoted, short
from laguna.games import contract
from laguna.games.contract import Meta


@dataclass(frozen=True)
class Rulebook:
    """One game's modules, each imported when first needed (`meta` alone needs no compiler)."""

    package: str
    meta: Meta

    @property
    def path(self) -> Path:
        """The folder of its sources."""
        spec = find_spec(self.package)
        assert spec is not None and spec.origin is not None
        return Path(spec.origin).resolve().parent

    @property
    def folder(self) -> str:
        return self.package.rpartition(".")[2]

    def _module(self, name: str) -> Any:
        return import_module(f"{self.package}.{name}")

    @cached_property
    def rules(self) -> contract.Rules:
        from laguna.kernel.dispatch import register

        rules: contract.Rules = self._module("rules")
        register(rules, self.evaluation, self.inputs, self.observations)
        return rules

    @cached_property
    def evaluation(self) -> contract.Evaluation:
        evaluation: contract.Evaluation = self._module("evaluation")
        return evaluation

    @cached_property
    def chooses_early(self) -> bool:
        """Are there moments in which everyone chooses at once?"""
        return hasattr(self.rules, "early")

    @cached_property
    def inputs(self) -> contract.Inputs | None:
        """None if the game has no `inputs.py`."""
        inputs: contract.Inputs | None = None
        if find_spec(f"{self.package}.inputs"):
            inputs = self._module("inputs")
        return inputs

    @cached_property
    def observations(self) -> contract.Observations | None:
        """None if the game has no `observations.py`."""
        observations: contract.Observations | None = None
        if find_spec(f"{self.package}.observations"):
            observations = self._module("observations")
        return observations

    @cached_property
    def actions(self) -> contract.Actions:
        actions: contract.Actions = self._module("actions")
        return actions

    @cached_property
    def actions_json(self) -> tuple[bytes, ...] | None:
        """What each code means, as JSON; None if that depends on the position."""
        same_everywhere: Sequence[contract.Action] | None = getattr(self.actions, "ACTIONS", None)
        if same_everywhere is None:
            return None
        return tuple([msgspec.json.encode(action.struct) for action in same_everywhere])

    @cached_property
    def refusals(self) -> contract.Refusals:
        refusals: contract.Refusals = self._module("refusals")
        return refusals

    @cached_property
    def events(self) -> contract.Events:
        events: contract.Events = self._module("events")
        return events

    @cached_property
    def views(self) -> contract.Views:
        views: contract.Views = self._module("views")
        return views

    @cached_property
    def positions(self) -> contract.Positions:
        positions: contract.Positions = self._module("positions")
        return positions

    @cached_property
    def terminal(self) -> contract.Terminal:
        terminal: contract.Terminal = self._module("terminal")
        return terminal

    @cached_property
    def advice(self) -> contract.AdviceFor | None:
        """None if the game has no `advice.py`."""
        advice: contract.AdviceFor | None = None
        if find_spec(f"{self.package}.advice"):
            advice = self._module("advice")
        return advice


@cache
def rulebooks() -> dict[str, Rulebook]:
    """Every game by its id: those of this folder, then those from other packages."""
    own = [f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__) if module.ispkg]
    others = sorted(entry.value for entry in entry_points(group="laguna.games"))
    books: dict[str, Rulebook] = {}
    for package in dict.fromkeys([*own, *others]):
        meta = _meta_of(package)
        if meta.id in books:
            both = f"{package} and {books[meta.id].package}"
            raise LagunaError("game-package", f"{both} both provide a game {meta.id}: uninstall one of them.")
        books[meta.id] = Rulebook(package, meta)
    return books


def _meta_of(package: str) -> Meta:
    try:
        meta: Meta = import_module(f"{package}.meta").META
    except Exception as error:  # whatever another package does
        why = short(f"{type(error).__name__}: {error}", 120).rstrip(".")
        text = f"The game package {package} is installed but cannot be loaded: {why}."
        raise LagunaError("game-package", text) from error
    return meta


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
