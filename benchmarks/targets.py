"""The speeds that Laguna promises, compared with OpenSpiel in the same run: `make bench`.

Timings differ between machines, so the promises are mostly ratios. The exit code is 1 if one is missed.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from laguna.games import find
from laguna.lab.bench import SearchSpeed, Speed, bench, search_speed
from laguna.lab.peers import peers


class Promise(NamedTuple):
    """Moves per second of a game with this many players, on one core and on a GPU.

    For the search, with the usual number of players: playouts to the end per second on one core.
    """

    game: str
    players: int
    one_core: float
    search: float
    times: dict[tuple[str, str], float]  # (OpenSpiel's game, way): how many times faster, one core
    gpu: float = 0.0


PROMISES = [
    Promise(
        "neptune-vesta",
        2,
        one_core=5e6,
        search=30e3,
        gpu=2e9,
        times={("spades", "C++ loop"): 2, ("backgammon", "Python"): 50},
    ),
    Promise("venice-2099", 4, one_core=2e6, search=10e3, times={("spades", "C++ loop"): 1}),
    Promise("atlantis", 3, one_core=1.5e6, search=10e3, times={("backgammon", "Python"): 20}),
    Promise("mille-fiori", 4, one_core=2e6, search=10e3, times={("spades", "C++ loop"): 1}),
]


def checks(
    promise: Promise, ours: dict[str, Speed], searched: SearchSpeed, others: list[Speed]
) -> list[tuple[str, float, float]]:
    """What was promised, what was measured, and the minimum."""
    rate = ours["one core"].moves_per_second
    found = [
        (f"{promise.game}: moves/s, one core", rate, promise.one_core),
        (f"{promise.game}: search iterations/s, one core", searched.iterations_per_second, promise.search),
    ]
    if "gpu" in ours:
        found.append((f"{promise.game}: moves/s, GPU", ours["gpu"].moves_per_second, promise.gpu))
    for peer in others:
        least = promise.times.get((peer.name.removeprefix("OpenSpiel "), peer.way))
        if least is not None:
            times = rate / peer.moves_per_second
            found.append((f"{promise.game}: × {peer.name}, {peer.way}", times, least))
    return found


def main() -> int:
    console = Console()
    others = list(peers(2.0))
    table = Table("promise", "measured", "at least", "", box=None)
    missed = 0
    for promise in PROMISES:
        usual = find(promise.game).meta.usual_players
        ours = {speed.way: speed for speed in bench(promise.game, promise.players, 2.0)}
        searched = search_speed(promise.game, usual, 2.0)
        for name, measured, least in checks(promise, ours, searched, others):
            missed += measured < least
            table.add_row(name, f"{measured:,.1f}", f"{least:,.1f}", "ok" if measured >= least else "MISSED")
    console.print(table)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
