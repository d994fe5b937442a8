"""Our search against OpenSpiel's information-set search (ISMCTS) on our own games, with equal time.

`python -m benchmarks.openspiel` plays both in one process on one core, each with `--seconds` of processor
time for a decision; every deal is played from all seats. OpenSpiel's search is the one in Python, the only
one that can deal again what a player cannot know in a game written in Python: one random playout for each
simulation, as in its own examples. It chooses by visits. The exit code is 1 if our share is too low.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from benchmarks.strength import GAMES
from laguna.bots import ask, find_bot
from laguna.envs.openspiel import name_of
from laguna.errors import LagunaError
from laguna.games import find
from laguna.lab.ratings import share_interval

EXPLORE = 2.0  # uct_c, as in OpenSpiel's own examples
LEAST_SHARE = 0.9
FEWEST = 2  # simulations


class Timed:
    """OpenSpiel's search with so many seconds for a decision, by its speed in the decisions before."""

    def __init__(self, game: Any, seconds: float, seed: int) -> None:
        chance = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, chance)
        self._bot = ismcts.ISMCTSBot(
            game,
            evaluator,
            EXPLORE,
            FEWEST,
            random_state=chance,
            allow_inconsistent_action_sets=True,
        )
        self._seconds = seconds
        self.simulations = 0
        self.spent = 0.0

    def step(self, state: Any) -> int:
        rate = self.simulations / self.spent if self.spent else 0.0
        count = max(FEWEST, round(rate * self._seconds))
        self._bot._max_simulations = count
        start = time.process_time()
        action = int(self._bot.step(state))
        self.spent += time.process_time() - start
        self.simulations += count
        return action


def play(game: str, options: str, deal: int, ours: int, seconds: float, theirs: Timed) -> float:
    """One game; our share of the win."""
    state = pyspiel.load_game(f"{name_of(game)}({options})").new_initial_state()
    state.apply_action(deal)
    searching = find_bot(f"search:{seconds:g}s", threads=1, own_time=True)
    while not state.is_terminal():
        if state.current_player() == ours:
            table = state.dealt.game()
            state.apply_action(ask(searching, table, len(state.history())).code)
        else:
            legal = state.legal_actions()
            state.apply_action(legal[0] if len(legal) == 1 else theirs.step(state))
    players = state.num_players()
    return float((state.returns()[ours] + 1) / players)


def measure(game: str, deals: int, seconds: float) -> bool:
    """Print a row of the table; was our share high enough?"""
    rounds = GAMES[game]
    options = "players=2" + (f",rounds={rounds}" if rounds else "")
    theirs = Timed(pyspiel.load_game(f"{name_of(game)}({options})"), seconds, seed=1)
    shares = []
    for deal in range(deals):
        both = [play(game, options, deal, ours, seconds, theirs) for ours in range(2)]
        shares.append(sum(both) / 2)
        print(f"{game}: {2 * deal + 2} games, {np.mean(shares):.1%}", file=sys.stderr, flush=True)
    low, share, high = share_interval(shares)
    speed = theirs.simulations / theirs.spent
    cells = (find(game).meta.title, str(2 * deals), f"{share:.1%} ({low:.1%} – {high:.1%})", f"{speed:.0f}/s")
    print(f"| {' | '.join(cells)} |", flush=True)
    return share >= LEAST_SHARE


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.openspiel", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default all")
    parser.add_argument("--deals", type=int, default=20, help="each played from both seats")
    parser.add_argument("--seconds", type=float, default=0.2, help="for each decision")
    asked = parser.parse_args(words)
    print("| | games | our share (95 %) | their simulations |\n|---|---:|---:|---:|", flush=True)
    try:
        missed = [game for game in asked.games or GAMES if not measure(game, asked.deals, asked.seconds)]
    except LagunaError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
