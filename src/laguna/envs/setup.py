"""A game with its players and options, as learning environments set it up and describe it to agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsIndex

import numpy as np
from gymnasium import spaces

from laguna.errors import BadOption, LagunaError, as_int, quoted
from laguna.game import set_up
from laguna.games import find
from laguna.state import State

Observation = dict[str, np.ndarray[Any, Any]]


def legal_code(state: State, action: Any) -> int:
    """The code of a legal action; raises an IllegalAction that says why it is none."""
    code = as_int(action)
    return code if code is not None and code in state.legal else state.game().check(action).code


class Setup:
    """What stays the same from one deal to the next."""

    def __init__(self, game: str, players: SupportsIndex | None, options: Mapping[str, Any]) -> None:
        book = find(game)
        if book.observations is None:
            sentence = f"{book.meta.title} has no observations.py, so there is nothing to tell an agent."
            raise LagunaError("no-observations", sentence)
        self.meta = book.meta
        self.fields = book.observations.FIELDS
        self.codes = book.rules.CODES
        self.players, self.options = book.meta.resolve(players, options)

    def __reduce__(self) -> tuple[Any, ...]:
        return Setup, (self.meta.id, self.players, self.options)

    def deal(self, seed: SupportsIndex) -> State:
        """The start of `laguna.new` with this seed."""
        return State(set_up(self.meta.id, self.players, seed, None, self.options))

    def restored(self, options: Mapping[str, Any] | None) -> State | None:
        """A copy of `options["state"]`, where `reset` is to go on from; None if it is not given."""
        state = (options or {}).get("state")
        if state is None:
            return None
        mine = (self.meta.id, self.players, self.options)
        if (
            not isinstance(state, State)
            or (state.meta.id, state.players, state.options) != mine
            or state.over
        ):
            sentence = (
                f"state: must be a laguna.State of {self.meta.title} with {self.players} players and the "
                f"options {self.options} that is not over, not {quoted(state)}."
            )
            raise BadOption("state", sentence)
        return state.clone()

    def box(self) -> spaces.Box:
        """All observations: each number from the lowest to the highest that its field can have."""
        low, high = (
            np.concatenate([np.full(each.size, bound(each), np.int16) for each in self.fields])
            for bound in (lambda field: field.low, lambda field: field.high)
        )
        return spaces.Box(low, high, dtype=np.int16)

    def box_and_mask(self, codes: int) -> spaces.Dict:
        """The same with a mask of so many actions."""
        mask = spaces.Box(0, 1, (codes,), np.int8)
        return spaces.Dict({"observation": self.box(), "action_mask": mask})
