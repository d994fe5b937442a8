"""The games as environments of PettingZoo (the extra `pettingzoo`). Importing this module registers them.

>>> import pettingzoo
>>> import laguna.envs.pettingzoo
>>> env = pettingzoo.make("aec", "laguna/NeptuneVesta-v0", rounds=1)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

That is `laguna.envs.pettingzoo.env("neptune-vesta", rounds=1)`, which asks one agent after the other.
`parallel_env` asks all at once, as in Mille Fiori's draft; whoever has nothing to decide waits. Agents are
seats: `player_0`, `player_1` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsIndex

import numpy as np

from laguna.envs import env_id, name_of, zero_sum
from laguna.errors import BadOption, as_int, either
from laguna.game import check_seed
from laguna.games import rulebooks
from laguna.kernel.chance import SEEDS
from laguna.state import State

try:
    from gymnasium import logger, spaces
    from pettingzoo import AECEnv, ParallelEnv, register
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.env_logger import EnvLogger
except ModuleNotFoundError as error:
    if error.name not in ("gymnasium", "pettingzoo"):
        raise
    needed = "laguna.envs.pettingzoo needs PettingZoo: pip install 'laguna-table[pettingzoo]'."
    raise ImportError(needed) from None

from laguna.envs.rendering import FRAMES_A_SECOND, RENDER_MODES, check_render_mode, render
from laguna.envs.setup import Observation, Setup, legal_code

__all__ = ["env", "parallel_env", "raw_env"]

ILLEGAL = -1.0  # what an illegal action is worth: a defeat


def env(
    game: str,
    players: SupportsIndex | None = None,
    render_mode: str | None = None,
    seed: SupportsIndex | None = None,
    **options: Any,
) -> AECEnv[str, Any, Any]:
    """A game for agents that act one after the other, as PettingZoo's classic games are.

    An illegal action ends the episode: −1 for the agent that tried it, 0 for the others.
    """
    made: Any = raw_env(game, players, render_mode, seed, **options)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=ILLEGAL)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class _Table:
    """What both environments have: a game, its agents, and the episode that is being played."""

    metadata: dict[str, Any]
    possible_agents: list[str]
    agents: list[str]

    def __init__(
        self,
        game: str,
        players: SupportsIndex | None,
        render_mode: str | None,
        seed: SupportsIndex | None,
        options: Mapping[str, Any],
        parallel: bool,
    ) -> None:
        check_render_mode(render_mode)
        self._setup = Setup(game, players, options)
        self._seed = None if seed is None else check_seed(seed)  # of the first reset
        self._chance = np.random.default_rng()  # seeds the episodes whose reset has no seed
        self._state: State | None = None
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{name_of(game)}_v0",
            "render_modes": RENDER_MODES,
            "render_fps": FRAMES_A_SECOND,
            "is_parallelizable": parallel,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self._setup.players)]
        self.agents = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        codes = self._setup.codes + parallel  # the last one is to wait
        self.action_spaces = {agent: spaces.Discrete(codes) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._setup.box_and_mask(codes) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    @property
    def position(self) -> State:
        """The position now, hidden information included; a clone of it can be given to `reset`."""
        if self._state is None:
            raise BadOption("reset", "There is no position yet: call reset() first.")
        return self._state

    def _begin(self, seed: int | None, options: Mapping[str, Any] | None) -> State:
        """A new episode: this seed's, or one that is drawn by the last seed that was given."""
        state, given = self._setup.restored(options), self._seed if seed is None else check_seed(seed)
        if given is not None:
            self._seed, self._chance = None, np.random.default_rng(given)
        if state is None:
            state = self._setup.deal(int(self._chance.integers(SEEDS)) if given is None else given)
        self._state = state
        self.agents = list(self.possible_agents)
        return self._state

    def _returns(self) -> dict[str, float]:
        worth = zero_sum(self._setup.players, self.position.winners)
        return dict(zip(self.possible_agents, worth, strict=True))

    def _drawn(self, seat: int | None) -> Any:
        if self.render_mode is None:
            logger.warn("render() draws nothing: this environment was made without a render_mode.")
            return None
        return render(self.position, seat, self.render_mode)

    def close(self) -> None:
        """There is nothing to release."""


class raw_env(_Table, AECEnv[str, Any, Any]):  # noqa: N801 (PettingZoo's name)
    """The same without wrappers: an illegal action is an `IllegalAction` and changes nothing."""

    def __init__(
        self,
        game: str,
        players: SupportsIndex | None = None,
        render_mode: str | None = None,
        seed: SupportsIndex | None = None,
        **options: Any,
    ) -> None:
        super().__init__(game, players, render_mode, seed, options, parallel=False)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: `laguna.new` with this seed. Without one, an earlier seed decides all later deals."""
        state = self._begin(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn_to(state.seat)

    def observe(self, agent: str) -> Observation:
        """What this agent may know and do now; it may do something only if it is the one that is asked."""
        state, seat = self.position, self._seats[agent]
        mask = state.action_mask(seat)
        if seat != state.seat:
            mask[:] = 0
        return {"observation": state.observation(seat), "action_mask": mask}

    def step(self, action: SupportsIndex | None) -> None:
        """Play this action of the agent that is asked."""
        state = self.position
        if not self.agents:
            raise BadOption("over", "The episode is over: call reset().")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        state.apply(legal_code(state, action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        if state.over:
            self.rewards = self._returns()
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self._turn_to(state.seat)
        if self.render_mode == "human":
            self.render()

    def _turn_to(self, seat: int | None) -> None:
        assert seat is not None
        self.agent_selection = self.possible_agents[seat]

    def render(self) -> Any:
        """The position as the agent that is asked may see it."""
        return self._drawn(self._seats[self.agent_selection])


class parallel_env(_Table, ParallelEnv[str, Any, Any]):  # noqa: N801 (PettingZoo's name)
    """A game for agents that act at the same time; who has nothing to decide has one action, to wait.

    Waiting is the last action. A step asks everybody who has something to decide: one agent, or several where
    the game has everyone choose at once; none of them is told what the others choose. An illegal action ends
    the episode: −1 for each agent that tried one, 0 for the others.
    """

    def __init__(
        self,
        game: str,
        players: SupportsIndex | None = None,
        render_mode: str | None = None,
        seed: SupportsIndex | None = None,
        **options: Any,
    ) -> None:
        super().__init__(game, players, render_mode, seed, options, parallel=True)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal: `laguna.new` with this seed. Without one, an earlier seed decides all later deals."""
        self._begin(seed, options)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, SupportsIndex]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play an action of every agent."""
        agents = self.agents
        if not isinstance(actions, Mapping) or set(actions) != set(agents):
            sentence = f"step() needs an action of {either(agents, 'and') or 'no agent: call reset()'}."
            raise BadOption("actions", sentence)
        chosen = {agent: as_int(actions[agent]) for agent in agents}
        illegal = [agent for agent in agents if chosen[agent] not in self._allowed(self._seats[agent])]
        rewards = dict.fromkeys(agents, 0.0)
        if illegal:
            EnvLogger.warn_on_illegal_move()
            rewards |= dict.fromkeys(illegal, ILLEGAL)
        else:
            self._play({self._seats[agent]: code for agent, code in chosen.items()})
            if self.position.over:
                rewards = self._returns()
        ended = bool(illegal) or self.position.over
        if ended:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(),
            rewards,
            dict.fromkeys(agents, ended),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def _allowed(self, seat: int) -> list[int]:
        return self.position.choices(seat) or [self._setup.codes]

    def _play(self, chosen: dict[int, Any]) -> None:
        """Play what was chosen at once in the order of the turns, until somebody has to decide again."""
        state, waiting = self.position, self._setup.codes
        while (seat := state.seat) is not None and chosen.get(seat, waiting) != waiting:
            state.apply(chosen.pop(seat))

    def _observations(self) -> dict[str, Observation]:
        state, seen = self.position, {}
        for agent, seat in self._seats.items():
            mask = np.zeros(self._setup.codes + 1, np.int8)
            mask[:-1] = state.action_mask(seat)
            mask[-1] = not mask.any()
            seen[agent] = {"observation": state.observation(seat), "action_mask": mask}
        return seen

    def render(self) -> Any:
        """The position as the agent that decides may see it; as a spectator does if several decide."""
        state = self.position
        deciding = [seat for seat in range(state.players) if state.choices(seat)]
        return self._drawn(deciding[0] if len(deciding) == 1 else None)


for each in rulebooks():
    register("aec", env_id(each), "laguna.envs.pettingzoo:env", kwargs={"game": each})
    register("parallel", env_id(each), "laguna.envs.pettingzoo:parallel_env", kwargs={"game": each})
