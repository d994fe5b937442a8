"""The same measurements on OpenSpiel (optional extra `peers`), in the same run, for comparison.

Python: its games driven action by action through the Python API. C++: its own loop of uniformly
random bots, `pyspiel.evaluate_bots`, which stays in C++ for an entire game. Search: its information-set
Monte Carlo tree search, `pyspiel.ISMCTSBot`, with one random playout to the end for each simulation.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from laguna.errors import LagunaError
from laguna.lab.bench import SearchSpeed, Speed

THROUGH_PYTHON = ("backgammon", "gin_rummy", "spades")
IN_CPP = ("spades", "crazy_eights")
SEARCHED = ("hearts", "gin_rummy")
EXPLORE = 2.0  # uct_c, as in OpenSpiel's own examples


def _openspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise LagunaError(
            "no-peers", "OpenSpiel is not installed; install it with pip install 'laguna-table[peers]'."
        ) from None
    return pyspiel


def peers(seconds: float) -> Iterator[Speed]:
    """Measure random playouts of OpenSpiel's games one after another."""
    pyspiel = _openspiel()
    for name in THROUGH_PYTHON:
        game = pyspiel.load_game(name)
        yield _timed(f"OpenSpiel {name}", "Python", seconds, partial(_python, game))
    for name in IN_CPP:
        game = pyspiel.load_game(name)
        play = partial(_cpp, pyspiel, game, _mean_decisions(game))
        yield _timed(f"OpenSpiel {name}", "C++ loop", seconds, play)


def searching_peers(seconds: float) -> Iterator[SearchSpeed]:
    """Measure OpenSpiel's search from the first decision of each game, doubled until it takes long enough."""
    pyspiel = _openspiel()
    for name in SEARCHED:
        state = _dealt(pyspiel.load_game(name))
        simulations, took = 50, 0.0
        while took < seconds:
            simulations *= 2
            bot = pyspiel.ISMCTSBot(0, pyspiel.RandomRolloutEvaluator(1, 0), EXPLORE, simulations)
            start = time.perf_counter()
            bot.step(state)
            took = time.perf_counter() - start
        yield SearchSpeed(f"OpenSpiel {name}", "C++ ISMCTS", simulations, took)


def _dealt(game: Any) -> Any:
    """The first decision, after the deal."""
    chance = random.Random(0)
    state = game.new_initial_state()
    while state.is_chance_node():
        _chance_acts(state, chance)
    return state


def _chance_acts(state: Any, chance: random.Random) -> None:
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(chance.choices(outcomes, weights)[0])


def _timed(name: str, way: str, seconds: float, play: Callable[[int], float]) -> Speed:
    """Games until the time is up; `play` returns the decisions of one."""
    play(0)
    games, moves = 0, 0.0
    start = time.perf_counter()
    while (took := time.perf_counter() - start) < seconds:
        games += 1
        moves += play(games)
    return Speed(name, way, games, round(moves), took)


def _python(game: Any, seed: int) -> int:
    """One game through the Python API; only players' decisions count, not chance events."""
    chance = random.Random(seed)
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            _chance_acts(state, chance)
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            decisions += 1
    return decisions


def _mean_decisions(game: Any, games: int = 200) -> float:
    """Decisions in a random game: the C++ loop does not count them."""
    return sum(_python(game, seed) for seed in range(games)) / games


def _cpp(pyspiel: Any, game: Any, moves: float, seed: int) -> float:
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(game.num_players())]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    return moves
