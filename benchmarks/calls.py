"""What single calls cost, in microseconds: `python -m benchmarks.calls`.

Positions of whole random games with the usual number of players. In each, `Game` is copied, asked for its
legal actions (a fresh copy, since a game keeps such answers), plays one of them, shows its board to the seat
that is then to move, and undoes the action; `State` is cloned and plays the same action. Beside them,
OpenSpiel's backgammon, written in C++, does the same in the same run. Each run plays other games, so nothing
is known from the run before. Of a run the slowest twentieth of the calls is left out, in which the machine
was busy with something else, and the fastest run counts.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import mean
from typing import Any

import laguna
from laguna.errors import LagunaError
from laguna.games import find

RUNS = 9
GAMES = 3  # in each run
INTERRUPTED = 0.05
CALLS = ("copy", "legal", "play", "undo", "view", "clone + apply")
PEER = "backgammon"

Times = dict[str, float]


def timed(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Microseconds, and what the call returned."""
    began = time.perf_counter_ns()
    found = call(*arguments)
    return (time.perf_counter_ns() - began) / 1e3, found


def one_game(game: str, seed: int) -> Iterator[Times]:
    """A random game: the times in each of its positions."""
    chance = random.Random(seed)
    match = laguna.new(game, seed=seed)
    while not match.over:
        copying, fresh = timed(match.copy)
        listing, legal = timed(fresh.legal)
        action = chance.choice(legal)
        playing, _ = timed(fresh.play, action)
        viewing, _ = timed(fresh.view, fresh.seat or 0)
        undoing, _ = timed(fresh.undo)
        state = laguna.State(match)
        stepping, _ = timed(_clone_and_apply, state, action.code)
        yield dict(zip(CALLS, (copying, listing, playing, undoing, viewing, stepping), strict=True))
        match.play(action)


def _clone_and_apply(state: laguna.State, code: int) -> None:
    state.clone().apply(code)


def one_peer_game(game: Any, seed: int) -> Iterator[Times]:
    """The same in OpenSpiel, where players decide; its chance nodes are passed over."""
    chance = random.Random(seed)
    match = game.new_initial_state()
    while not match.is_terminal():
        if match.is_chance_node():
            outcomes, weights = zip(*match.chance_outcomes(), strict=True)
            match.apply_action(chance.choices(outcomes, weights)[0])
            continue
        seat = match.current_player()
        copying, fresh = timed(match.clone)
        listing, legal = timed(fresh.legal_actions)
        action = chance.choice(legal)
        playing, _ = timed(fresh.apply_action, action)
        viewing, _ = timed(fresh.observation_string, seat)
        undoing, _ = timed(fresh.undo_action, seat, action)
        stepping, _ = timed(_clone_and_apply_action, match, action)
        yield dict(zip(CALLS, (copying, listing, playing, undoing, viewing, stepping), strict=True))
        match.apply_action(action)


def _clone_and_apply_action(state: Any, action: int) -> None:
    state.clone().apply_action(action)


def measure(play: Callable[[int], Iterator[Times]]) -> Times:
    """Each call's mean in the positions of the fastest run, see above."""
    list(play(0))
    means = []
    for run in range(RUNS):
        gc.collect()
        gc.disable()
        try:
            found = [times for seed in range(GAMES) for times in play(1 + run * GAMES + seed)]
        finally:
            gc.enable()
        means.append({call: _mean([each[call] for each in found]) for call in CALLS})
    return {call: min(each[call] for each in means) for call in CALLS}


def _mean(times: list[float]) -> float:
    return mean(sorted(times)[: int(len(times) * (1 - INTERRUPTED))])


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calls", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default all")
    asked = parser.parse_args(words)
    import pyspiel

    peer = pyspiel.load_game(PEER)
    theirs = measure(partial(one_peer_game, peer))
    print(f"| µs (times {PEER}) | {' | '.join(CALLS)} |\n|---|{'---:|' * len(CALLS)}", flush=True)
    _print_row(f"OpenSpiel, {PEER}", theirs, theirs)
    try:
        for game in asked.games or laguna.games():
            ours = measure(partial(one_game, game))
            _print_row(find(game).meta.title, ours, theirs)
    except LagunaError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _print_row(name: str, times: Times, theirs: Times) -> None:
    cells = [f"{times[call]:.1f} ({times[call] / theirs[call]:.1f})" for call in CALLS]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
