"""The speed of random playouts (interpreted, on one core, on all cores, on a GPU) and of the search."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from laguna.bots import analyse
from laguna.game import new
from laguna.games import Rulebook, find
from laguna.kernel import MAX_SEATS, gpu
from laguna.kernel.chance import WORDS
from laguna.kernel.jit import JIT
from laguna.kernel.playout import TOTALS, random_games
from laguna.kernel.records import blank

GPU_THREADS = 132 * 4096
GPU_GAMES_A_THREAD = 16


@dataclass(frozen=True)
class Speed:
    """One measurement: games and moves in a number of seconds."""

    name: str
    way: str
    games: int
    moves: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def rates(self) -> dict[str, float]:
        """By unit; the last one is used to compare with peers."""
        return {"games/s": self.games_per_second, "moves/s": self.moves_per_second}

    def as_json(self) -> dict[str, Any]:
        rates = {"games_per_second": self.games_per_second, "moves_per_second": self.moves_per_second}
        return asdict(self) | rates


@dataclass(frozen=True)
class SearchSpeed:
    """One measurement of a search: iterations in a number of seconds."""

    name: str
    way: str
    iterations: int
    seconds: float

    @property
    def iterations_per_second(self) -> float:
        return self.iterations / self.seconds

    @property
    def rates(self) -> dict[str, float]:
        return {"iterations/s": self.iterations_per_second}

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"iterations_per_second": self.iterations_per_second}


def setup_options(book: Rulebook, players: int) -> Any:
    """What `rules.setup` takes, with the default options."""
    return np.array(book.meta.encode(*book.meta.resolve(players, {})), np.int64)


def playouts(book: Rulebook, players: int, first_seed: int, count: int) -> Any:
    """The totals of the random games of `count` seeds, with the default options, on this thread."""
    totals = np.zeros(TOTALS, np.int64)
    random_games(
        blank(book.rules.STATE),
        setup_options(book, players),
        players,
        first_seed,
        count,
        np.zeros(WORDS, np.uint32),
        np.zeros(book.rules.MAX_LEGAL, np.int16),
        np.zeros(MAX_SEATS, np.int64),
        totals,
    )
    return totals


def bench(game: str, players: int, seconds: float) -> Iterator[Speed]:
    """Measure each way in turn. The GPU is left out if there is none."""
    book = find(game)
    playouts(book, players, 0, 1)  # compile, or load what was compiled
    if JIT:
        yield _interpreted(game, players)
        yield _for_a_while(game, "one core", seconds, lambda seed, n: playouts(book, players, seed, n))
        yield _for_a_while(game, "all cores", seconds, lambda seed, n: _all_cores(book, players, seed, n))
        if gpu.available():
            yield on_gpu(book, players)
    else:
        yield _for_a_while(game, "interpreted", seconds, lambda seed, n: playouts(book, players, seed, n))


def search_speed(game: str, players: int, seconds: float) -> SearchSpeed:
    """The search on one core from the setup, with every iteration played at random to the end of the game.

    The bots instead judge a position after a few actions, and are faster; playing to the end is what others
    measure, too.
    """
    table = new(game, players=players, seed=0)
    to_the_end = table.rules.MAX_ACTIONS
    analyse(table, iterations=1)  # compile, or load what was compiled
    looked = analyse(
        table, seconds=seconds, threads=1, playout=to_the_end, care=1, forecast=False, evaluation="evaluate"
    )
    return SearchSpeed(game, "one core" if JIT else "interpreted", looked.iterations, looked.seconds)


def _for_a_while(name: str, way: str, seconds: float, play: Callable[[int, int], Any]) -> Speed:
    """Play larger and larger batches until one takes long enough to be timed."""
    count = 1
    while True:
        start = time.perf_counter()
        totals = play(0, count)
        took = time.perf_counter() - start
        if took >= seconds:
            return Speed(name, way, int(totals[0]), int(totals[1]), took)
        count = max(count * 2, int(count * seconds / max(took, 1e-6) * 1.1))


def _all_cores(book: Rulebook, players: int, first_seed: int, count: int) -> Any:
    """The same seeds divided among threads: compiled rules run without Python's lock."""
    cores = os.cpu_count() or 1
    bounds = [first_seed + count * i // cores for i in range(cores + 1)]
    with ThreadPoolExecutor(cores) as pool:
        parts = pool.map(
            lambda i: playouts(book, players, bounds[i], bounds[i + 1] - bounds[i]), range(cores)
        )
        return sum(parts)


def _interpreted(game: str, players: int) -> Speed:
    """A child process with the compiler off: whether to compile is decided once per process."""
    code = (
        "import time; from laguna.games import find; from laguna.lab.bench import playouts\n"
        f"book = find({game!r}); playouts(book, {players}, 0, 1); start = time.perf_counter()\n"
        f"totals = playouts(book, {players}, 0, 50); print(*totals[:2], time.perf_counter() - start)"
    )
    environment = os.environ | {"LAGUNA_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    games, moves, seconds = done.stdout.split()
    return Speed(game, "interpreted", int(games), int(moves), float(seconds))


def on_gpu(book: Rulebook, players: int) -> Speed:
    """Complete games in one kernel, including copying the final records back; the best of three runs."""
    options = setup_options(book, players)
    gpu.random_games(book.rules, options, players, 0, GPU_THREADS, 1)
    runs = []
    for _ in range(3):
        start = time.perf_counter()
        totals, _last = gpu.random_games(book.rules, options, players, 0, GPU_THREADS, GPU_GAMES_A_THREAD)
        runs.append(time.perf_counter() - start)
    return Speed(book.meta.id, "gpu", int(totals[0]), int(totals[1]), min(runs))
