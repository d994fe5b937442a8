"""Simulations of quick bots: how fast on the processor and on a GPU, and are the games the same?

Runs from a checkout without installing: `python -m benchmarks.simulations` (on a GPU: `--device cuda`, which
needs numba-cuda). Every game is compared action by action, then many random games are timed.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import numpy as np

from laguna.games import find, rulebooks
from laguna.lab import quick_games_gpu
from laguna.lab.simulation import Simulation, simulate

TEAMS = (("random",), ("greedy", "random"), ("network", "seal", "turtle", "network", "greedy"))


def compare(game: str, players: int, bots: tuple[str, ...], games: int) -> bool:
    """Do the GPU and the processor play the same games?"""
    plan = Simulation(game, (bots * players)[:players], games)
    quick, room = plan.quick, find(game).rules.MAX_ACTIONS
    assert quick is not None
    start = time.perf_counter()
    ours = quick.play(0, games, room)
    between = time.perf_counter()
    quick_games_gpu.play(quick, 0, 1, room)  # compile
    compiled = time.perf_counter()
    theirs = quick_games_gpu.play(quick, 0, games, room)
    end = time.perf_counter()
    lengths = ours[0]["actions"]
    kept = np.arange(room) < lengths[:, None]
    same = np.array_equal(ours[0], theirs[0]) and np.array_equal(ours[1][kept], theirs[1][kept])
    different = int((ours[0] != theirs[0]).sum())
    print(
        f"{game}, {players} players, {', '.join(bots)}: {games} games, "
        f"{'the same' if same else f'{different} DIFFERENT'}; {between - start:.1f} s on one core, "
        f"{end - compiled:.2f} s on the GPU ({compiled - between:.0f} s to compile)",
        flush=True,
    )
    return same


def timed(game: str, games: int, device: str, bot: str = "random") -> None:
    """Totals only: no rows are kept."""
    plan = Simulation(game, (bot,) * find(game).meta.usual_players, games)
    simulate(Simulation(game, plan.bots, 1), device=device)  # compile
    start = time.perf_counter()
    totals = simulate(plan, device=device)
    seconds = time.perf_counter() - start
    speed = f"{games / seconds:,.0f} games/s, {totals.actions / seconds / 1e6:,.1f} million decisions/s"
    print(f"{game}, {bot}: {games:,} games in {seconds:.1f} s, {speed}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--games", type=int, default=1_000_000, help="random games to time, of each game")
    parser.add_argument("--network-games", type=int, default=0, help="games of the network to time")
    parser.add_argument("--compare", type=int, default=20_000, help="random games to compare")
    parser.add_argument("names", nargs="*", default=list(rulebooks()))
    given = parser.parse_args()
    right = True
    if given.device == "cuda":
        quick_games_gpu.check()
        for game in given.names:
            for bots, part in zip(TEAMS, (1, 10, 40), strict=True):
                players = find(game).meta.usual_players
                right &= compare(game, players, bots, given.compare // part)
    for game in given.names:
        timed(game, given.games, given.device)
        if given.network_games:
            timed(game, given.network_games, given.device, "network")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
