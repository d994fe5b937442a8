"""Random playouts on a GPU: the same rules, compiled for the device, one thread per game.

Needs the optional extra `gpu` (numba-cuda). The record lives in the thread's local memory, which
the hardware interleaves between neighboring threads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from laguna.kernel import MAX_SEATS
from laguna.kernel.chance import WORDS
from laguna.kernel.playout import TOTALS, add_up, random_game
from laguna.kernel.records import blanks

THREADS_PER_BLOCK = 128
ALIGNMENT = 16  # of a record in local memory; by itself it may start at any byte, and reading it fails


def available() -> bool:
    """Is there a GPU that numba-cuda can use?"""
    try:
        from numba import cuda

        return bool(cuda.is_available())
    except Exception:  # not installed, or installed but broken: either way it cannot be used
        return False


@contextmanager
def small_code() -> Iterator[None]:
    """Kernels that are compiled within are optimized for size: their first launch belongs in here.

    Rules are large programs in which the threads of a warp take different ways, so a GPU waits for
    instructions more than for anything else. Optimized for size, a kernel has half the instructions and is
    up to twice as fast. Numba has no option for this; the attribute goes into the code that it hands to NVVM.
    """
    from numba.cuda.cudadrv import nvvm

    compile_ir: Any = nvvm.compile_ir

    def compile_small(modules: Any, **options: Any) -> Any:
        listed = [modules] if isinstance(modules, str) else modules
        return compile_ir([_optimized_for_size(module) for module in listed], **options)

    small: Any = compile_small
    nvvm.compile_ir = small
    try:
        yield
    finally:
        nvvm.compile_ir = compile_ir


def _optimized_for_size(module: str) -> str:
    """The module with `optsize` on each function that it defines."""
    return re.sub(r"^(define [^\n]*?)( *\{)?$", r"\1 optsize\2", module, flags=re.MULTILINE)


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
        record = cuda.local.array(1, state, alignment=ALIGNMENT)
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
    with small_code():
        _kernel(rules)[blocks, THREADS_PER_BLOCK](
            last, cuda.to_device(options), seats, first_seed, per_thread, totals
        )
    return totals.copy_to_host(), last.copy_to_host()
