"""The games as games of OpenSpiel (the extra `openspiel`). Importing this module registers them.

    import pyspiel
    import laguna.envs.openspiel

    game = pyspiel.load_game("laguna_atlantis(players=3)")

Parameters are `players`, the game's own options, and `deals`. The first node is chance's: it chooses one of
so many deals, which also decides all later chance, so a history is a whole game. Returns are zero-sum: a
winner takes 1 from everybody else, and a shared win is split.

An observation is the seat's view, an information state also has the actions that the seat could see; neither
changes when what the seat cannot know is dealt again. The tensor of an observation is what the networks of
the bots are told (`inputs.py` of each game). `resample_from_infostate` deals again, for OpenSpiel's ISMCTS.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from laguna.envs import name_of as name_of
from laguna.envs import zero_sum
from laguna.errors import LagunaError
from laguna.game import set_up
from laguna.games import Rulebook, rulebooks
from laguna.state import State

try:
    import pyspiel
except ModuleNotFoundError as error:
    if error.name != "pyspiel":
        raise
    needed = "laguna.envs.openspiel needs OpenSpiel: pip install 'laguna-table[openspiel]'."
    raise ImportError(needed) from None

DEALS = 1000
MAX_DEALS = 1 << 20
SEEDS = 1 << 31


class LagunaGame(pyspiel.Game):
    """A game with these players, options and deals; each of our games is a subclass."""

    book: Rulebook
    kind: Any  # OpenSpiel's description of it

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        book, given = self.book, dict(params or {})
        deals = given.pop("deals", DEALS)
        if not 1 <= deals <= MAX_DEALS:
            raise pyspiel.SpielError(f"deals must be from 1 to {MAX_DEALS}, not {deals}.")
        try:
            players, options = book.meta.resolve(given.pop("players", None), given)
        except LagunaError as error:
            raise pyspiel.SpielError(str(error)) from None
        info = pyspiel.GameInfo(
            num_distinct_actions=book.rules.CODES,
            max_chance_outcomes=deals,
            num_players=players,
            min_utility=-1.0,
            max_utility=float(players - 1),
            utility_sum=0.0,
            max_game_length=book.rules.MAX_ACTIONS,
        )
        super().__init__(self.kind, info, dict(params or {}))
        self.players = players
        self.options = options
        self.deals = deals

    def new_initial_state(self) -> LagunaState:
        return LagunaState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> LagunaObserver:
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return LagunaObserver(self.book, wanted, params)


class LagunaState(pyspiel.State):
    """A position, and which actions led to it."""

    def __init__(self, game: LagunaGame) -> None:
        super().__init__(game)
        self.position: State | None = None  # not dealt yet
        self.played: list[tuple[int, int, bool]] = []  # seat, code, and whether it was secret

    @property
    def dealt(self) -> State:
        assert self.position is not None
        return self.position

    def current_player(self) -> int:
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.position.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.dealt.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            game = self.get_game()
            self.position = State(set_up(game.book.meta.id, game.players, action, None, game.options))
            return
        seat = self.position.seat
        assert seat is not None
        self.played.append((seat, action, self.position.secret))
        self.position.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return str(self.dealt.game().action(action))

    def is_terminal(self) -> bool:
        return self.position is not None and self.position.over

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.num_players()
        return zero_sum(self.num_players(), self.dealt.winners)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> LagunaState:
        """A state that looks the same to this player; the rest is dealt again, later chance included."""
        other: LagunaState = self.clone()
        other.dealt.redeal(player_id, int(probability_sampler() * SEEDS))
        return other

    def __str__(self) -> str:
        """The whole position, hidden information included."""
        if self.position is None:
            return "not dealt yet"
        return json.dumps(self.position.game().position(), separators=(",", ":"))


class LagunaObserver:
    """What a seat is told, as named tensors and as text."""

    def __init__(self, book: Rulebook, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"Observations have no parameters, but {params} were given.")
        self._kind = kind
        self._inputs = book.inputs
        self.dict: dict[str, Any] = {}
        self.tensor: Any = None
        if book.inputs is not None and not kind.perfect_recall:
            rows, counts = book.inputs.ROWS, len(book.inputs.COUNTS)
            self.tensor = np.zeros(rows + counts, np.float32)
            self.dict = {"rows": self.tensor[:rows], "counts": self.tensor[rows:]}
            self._rows = np.zeros(book.inputs.SLOTS, np.int16)
            self._counts = np.zeros(counts, np.int16)

    def set_from(self, state: LagunaState, player: int) -> None:
        """How often each row is there (the empty one is not counted), and the counts in their units."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if state.position is None:
            return
        assert self._inputs is not None
        self._inputs.inputs(state.position.record, player, self._rows, self._counts)
        np.add.at(self.dict["rows"], self._rows[self._rows > 0], 1)
        self.dict["counts"][:] = self._counts / self._inputs.COUNTS

    def string_from(self, state: LagunaState, player: int) -> str:
        if state.position is None:
            return "not dealt yet"
        seat = player if self._kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER else None
        view = state.position.game().view(seat)
        view.pop("actions", None)
        text = json.dumps(view, separators=(",", ":"), sort_keys=True)
        if not self._kind.perfect_recall:
            return text
        seen = [
            f"{mover}:{'?' if secret and mover != seat else code}" for mover, code, secret in state.played
        ]
        return f"{' '.join(seen)} {text}"


def register(book: Rulebook) -> None:
    """Let OpenSpiel know a game."""
    meta, has_inputs = book.meta, book.inputs is not None
    options = {option.name: option.default for option in meta.options}
    kind = pyspiel.GameType(
        short_name=name_of(meta.id),
        long_name=meta.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(meta.players),
        min_num_players=min(meta.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=has_inputs,
        parameter_specification={"players": meta.usual_players, "deals": DEALS, **options},
    )
    # A class, as OpenSpiel keeps it until after Python has ended: anything else would have to be freed then.
    pyspiel.register_game(kind, type(kind.long_name, (LagunaGame,), {"book": book, "kind": kind}))


for each in rulebooks().values():
    register(each)
