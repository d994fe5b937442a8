"""Steps a second of our PettingZoo environments, next to a classic game of PettingZoo's own.

`python -m benchmarks.environments` plays random legal actions on one core, with the wrappers that `env` adds
and without them, and one learner against random bots in Gymnasium. PettingZoo's connect four
needs pygame: pip install pygame-ce.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from laguna.envs import pettingzoo
from laguna.envs.gymnasium import AgainstBots
from laguna.games import rulebooks


def legal(mask: Any, chance: Random) -> int:
    return int(chance.choice(np.flatnonzero(mask)))


def one_after_the_other(env: Any, chance: Random) -> int:
    """An episode of an AEC environment; how many decisions it had."""
    steps = 0
    env.reset()
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else legal(seen["action_mask"], chance))
        steps += not over
    return steps


def at_once(env: Any, chance: Random) -> int:
    """An episode of a parallel environment; how many steps it had."""
    steps, (seen, _) = 0, env.reset()
    while env.agents:
        seen, *_ = env.step({agent: legal(each["action_mask"], chance) for agent, each in seen.items()})
        steps += 1
    return steps


def against_bots(env: Any, chance: Random) -> int:
    """An episode of Gymnasium; how many decisions the learner had."""
    steps, (_, info), over = 0, env.reset(), False
    while not over:
        _, _, over, _, info = env.step(legal(info["action_mask"], chance))
        steps += 1
    return steps


def rate(episode: Callable[[Any, Random], int], env: Any, seconds: float) -> float:
    """Steps in a second of processor time, after a first episode that compiles."""
    chance, steps = Random(1), 0
    episode(env, chance)
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        steps += episode(env, chance)
    return steps / spent


def row(name: str, rates: list[float | None]) -> None:
    cells = ["" if each is None else f"{each:,.0f}" for each in rates]
    print(f"| {' | '.join([name, *cells])} |", flush=True)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.environments", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="of processor time for each figure")
    seconds = parser.parse_args(words).seconds
    try:
        from pettingzoo.classic.connect_four.connect_four import env, raw_env
    except ImportError:
        print("PettingZoo's connect four needs pygame: pip install pygame-ce.", file=sys.stderr)
        return 2
    print("| steps a second | `raw_env` | `env` | `parallel_env` | Gymnasium |\n|---|---:|---:|---:|---:|")
    turns = [rate(one_after_the_other, each(), seconds) for each in (raw_env, env)]
    row("PettingZoo's connect four", [*turns, None, None])
    for game, book in rulebooks().items():
        if book.observations is not None:
            turns = [
                rate(one_after_the_other, each(game), seconds)
                for each in (pettingzoo.raw_env, pettingzoo.env)
            ]
            parallel = rate(at_once, pettingzoo.parallel_env(game), seconds)
            learner = rate(against_bots, AgainstBots(game, bots="random"), seconds)
            row(book.meta.title, [*turns, parallel, learner])
    return 0


if __name__ == "__main__":
    sys.exit(main())
