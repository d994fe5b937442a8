"""Random playouts on a GPU: the same rules, compiled for the device, one thread per game.

Needs the optional extra `gpu` (numba-cuda). The record lives in the thread's local memory, which
the hardware interleaves between neighboring threads.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from laguna.kernel import MAX_SEATS
from laguna.kernel.chance import WORDS
from laguna.kernel.playout import TOTALS, add_up, random_game
from laguna.kernel.records import blanks

THREADS_PER_BLOCK = 128


def available() -> bool:
    """Is there a GPU that numba-cuda can use?"""
    try:
        from numba import cuda

        return bool(cuda.is_available())
    except Exception:  # not installed, or installed but broken: either way it cannot be used
        return False


@cache
def _kernel(rules: Any) -> Any:
    """The kernel for one game (local arrays need sizes known at compile time)."""
    import numba
    from numba import cuda

    state = numba.from_dtype(rules.STATE)
    max_legal = rules.MAX_LEGAL

    @cuda.jit
    def games(last, options, seats, first_seed, per_thread, totals):
        thread = cuda.grid(1)
        if thread >= last.shape[0]:
            return
        record = cuda.local.array(1, state)
        out = cuda.local.array(max_legal, numba.int16)
        chooser = cuda.local.array(WORDS, numba.uint32)
        points = cuda.local.array(MAX_SEATS, numba.int64)
        own = cuda.local.array(TOTALS, numba.int64)
        for i in range(TOTALS):
            own[i] = 0
        s = record[0]
        start = first_seed + thread * per_thread
        for seed in range(start, start + per_thread):
            moves = random_game(s, options, seed, chooser, out)
            add_up(s, moves, seats, points, own)
        last[thread] = s
        for i in range(TOTALS):
            cuda.atomic.add(totals, i, own[i])

    return games


def random_games(
    rules: Any, options: Any, seats: int, first_seed: int, threads: int, per_thread: int
) -> tuple[Any, Any]:
    """Play threads × per_thread seeds; returns the totals and each thread's last record."""
    from numba import cuda

    last = cuda.to_device(blanks(rules.STATE, threads))
    totals = cuda.to_device(np.zeros(TOTALS, np.int64))
    blocks = -(-threads // THREADS_PER_BLOCK)
    _kernel(rules)[blocks, THREADS_PER_BLOCK](
        last, cuda.to_device(options), seats, first_seed, per_thread, totals
    )
    return totals.copy_to_host(), last.copy_to_host()
