"""The games as environments of Gymnasium (the extra `gymnasium`): one learner against bots.

Importing this module registers them.

>>> import gymnasium
>>> import laguna.envs.gymnasium
>>> env = gymnasium.make("laguna/NeptuneVesta-v0", rounds=1, bots="greedy")
>>> observation, info = env.reset(seed=7)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

Arguments are those of `AgainstBots`; a game's options are arguments, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np

from laguna.bots import Bot, ask, find_bot
from laguna.envs import env_id, zero_sum
from laguna.errors import BadOption, IllegalAction, quoted, whole_number
from laguna.game import check_seed
from laguna.games import rulebooks
from laguna.kernel.chance import SEEDS
from laguna.state import State

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    needed = "laguna.envs.gymnasium needs Gymnasium: pip install 'laguna-table[gymnasium]'."
    raise ImportError(needed) from None

from laguna.envs.rendering import FRAMES_A_SECOND, RENDER_MODES, check_render_mode, render
from laguna.envs.setup import Setup, legal_code

__all__ = ["AgainstBots"]

ILLEGAL = -1.0  # what an illegal action is worth: a defeat


class AgainstBots(gymnasium.Env[np.ndarray[Any, Any], Any]):
    """A game that a learner plays against bots.

    `bots` are names that `laguna.bots.find_bot` knows, or functions like those that it returns: one for all
    opponents, or a list with one for each, clockwise from the learner. `seat` is the learner's seat; "random"
    is another one in every episode.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": FRAMES_A_SECOND}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        players: SupportsIndex | None = None,
        bots: str | Bot | Sequence[str | Bot] = "heron",
        seat: SupportsIndex | str = "random",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        self._setup = Setup(game, players, options)
        self._bots = _opponents(bots, self._setup.players - 1)
        self._seat = _wanted_seat(seat, self._setup.players)
        self._state: State | None = None
        self._ended = True
        self.learner = 0  # the seat in this episode
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self._setup.codes)
        self.observation_space = self._setup.box()

    @property
    def position(self) -> State:
        """The position now, hidden information included; a clone of it can be given to `reset`."""
        if self._state is None:
            raise BadOption("reset", "There is no position yet: call reset() first.")
        return self._state

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Which actions are legal: `info["action_mask"]` under the name that MaskablePPO asks for."""
        return self.position.action_mask(self.learner)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Deal: `laguna.new` with this seed. Without one, an earlier seed decides all later deals.

        The bots before the learner have then played. With `options={"state": state}` the episode begins in
        that position; a learner whose seat is random then takes the seat that decides in it.
        """
        state = self._setup.restored(options)
        deal = None if seed is None else check_seed(seed)
        super().reset(seed=deal)
        learner = self._seat
        if state is None:
            state = self._setup.deal(int(self.np_random.integers(SEEDS)) if deal is None else deal)
            learner = int(self.np_random.integers(state.players)) if learner is None else learner
        learner = state.seat if learner is None else learner
        assert learner is not None
        self._let_bots_play(state, learner)
        if state.over:
            sentence = f"state: the game is over before the learner, seat {learner}, decides again."
            raise BadOption("state", sentence)
        self._state, self._ended, self.learner = state, False, learner
        return self._told()

    def step(self, action: SupportsIndex) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        """Play an action of the learner, then those of the bots until the learner decides again.

        An illegal action ends the episode with −1; `info["illegal"]` says why it is not allowed.
        """
        state = self.position
        if self._ended:
            raise BadOption("over", "The episode is over: call reset().")
        try:
            code = legal_code(state, action)
        except IllegalAction as error:
            self._ended = True
            observation, info = self._told()
            return observation, ILLEGAL, True, False, info | {"illegal": error.sentence}
        state.apply(code)
        self._let_bots_play(state, self.learner)
        self._ended = state.over
        reward = zero_sum(state.players, state.winners)[self.learner] if state.over else 0.0
        observation, info = self._told()
        return observation, reward, state.over, False, info

    def _let_bots_play(self, state: State, learner: int) -> None:
        """Until the learner decides. A bot only gets imagined games, see `laguna.bots.ask`."""
        while (seat := state.seat) is not None and seat != learner:
            bot = self._bots[(seat - learner) % state.players - 1]
            state.apply(ask(bot, state.game(), int(self.np_random.integers(SEEDS))).code)

    def _told(self) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """What the learner is told now; it is also drawn if people watch."""
        if self.render_mode == "human":
            self.render()
        info = {"action_mask": self.action_masks(), "seat": self.learner}
        return self.position.observation(self.learner), info

    def render(self) -> Any:
        """The position as the learner may see it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing: this environment was made without a render_mode.")
            return None
        return render(self.position, self.learner, self.render_mode)


def _opponents(bots: Any, opponents: int) -> list[Bot]:
    """A bot for each opponent."""
    given = [bots] * opponents if isinstance(bots, str) or callable(bots) else bots
    if not isinstance(given, Sequence) or len(given) != opponents:
        sentence = (
            f"bots: must be one bot, or a list of {opponents}, one for each opponent, not {quoted(bots, 40)}."
        )
        raise BadOption("bots", sentence)
    for bot in given:
        if not isinstance(bot, str) and not callable(bot):
            sentence = f"bots: a bot is a name such as 'greedy' or a function, not {quoted(bot, 40)}."
            raise BadOption("bots", sentence)
    return [find_bot(bot) if isinstance(bot, str) else bot for bot in given]


def _wanted_seat(seat: Any, players: int) -> int | None:
    """None for a random one."""
    if seat == "random":
        return None
    return whole_number(seat, "seat: the learner's seat, if it is not 'random',", 0, players - 1, "seat")


for each in rulebooks():
    gymnasium.register(env_id(each), "laguna.envs.gymnasium:AgainstBots", kwargs={"game": each})
