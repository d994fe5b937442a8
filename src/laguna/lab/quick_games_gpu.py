"""The games of quick bots on a GPU: the same compiled functions, one thread per game, the same results.

Needs the optional extra `gpu` (numba-cuda).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from laguna.bots.network import accumulator_type, find_network
from laguna.errors import BadOption, LagunaError
from laguna.games import find
from laguna.kernel import MAX_SEATS, gpu
from laguna.kernel.chance import WORDS
from laguna.kernel.jit import JIT
from laguna.lab.quick_games import OUTCOME, QuickGames, play_game

THREADS_PER_BLOCK = 128
COMPARED = 64  # games


def available() -> bool:
    """Is there a GPU that can play?"""
    return JIT and gpu.available()


def check() -> None:
    if not available():
        text = "There is no GPU that numba-cuda can use here; choose --device cpu or auto."
        raise BadOption("device", text)


def play(games: QuickGames, first: int, count: int, room: int = 0) -> tuple[Any, Any]:
    """As `QuickGames.play`; what the GPU plays is compared with the processor before it is trusted."""
    _check_same(games)
    return _play(games, first, count, room)


_compared: set[tuple[str, bool, bool]] = set()  # kernels that have played as the processor does


def _check_same(games: QuickGames) -> None:
    """The first games of each kernel are played on both: a GPU that plays others is refused."""
    kernel = (games.book.meta.id, games.looks_ahead, games.uses_network)
    if kernel in _compared:
        return
    room = games.book.rules.MAX_ACTIONS
    pairs = zip(_play(games, 0, COMPARED, room), games.play(0, COMPARED, room), strict=True)
    if not all(ours.tobytes() == theirs.tobytes() for theirs, ours in pairs):
        text = f"This GPU does not play {games.book.meta.title} as the processor does; choose --device cpu."
        raise LagunaError("device", text)
    _compared.add(kernel)


def _play(games: QuickGames, first: int, count: int, room: int) -> tuple[Any, Any]:
    from numba import cuda

    outcomes = cuda.to_device(np.zeros(count, OUTCOME))
    codes = cuda.to_device(np.zeros((count, room or 1), np.int16))
    kernel = _kernel(games.book.meta.id, games.looks_ahead, games.uses_network)
    blocks = -(-count // THREADS_PER_BLOCK)
    with gpu.small_code(), _exact_sums():
        kernel[blocks, THREADS_PER_BLOCK](
            first,
            games.first_seed,
            games.rotations,
            cuda.to_device(games.options),
            cuda.to_device(games.policies),
            _network(games.book.meta.id) if games.uses_network else cuda.device_array(1, np.int8),
            outcomes,
            codes,
            room,
        )
    return outcomes.copy_to_host(), codes.copy_to_host()[:, :room]


@cache
def _network(game: str) -> Any:
    """The weights, copied to the GPU once."""
    from numba import cuda

    return cuda.to_device(find_network(game).reshape(1))


@cache
def _kernel(game: str, looks_ahead: bool, uses_network: bool) -> Any:
    """The kernel for one game and such bots (local arrays need sizes known at compile time)."""
    import numba
    from numba import cuda

    book = find(game)
    state = numba.from_dtype(book.rules.STATE)
    max_legal = book.rules.MAX_LEGAL
    accumulator = numba.from_dtype(accumulator_type(book.inputs))

    @cuda.jit
    def play_all(first, first_seed, rotations, options, policies, nets, outcomes, codes, room):
        row = cuda.grid(1)
        if row >= outcomes.shape[0]:
            return
        records = cuda.local.array(1, state, alignment=gpu.ALIGNMENT)
        scratch = cuda.local.array(1, state, alignment=gpu.ALIGNMENT)
        out = cuda.local.array(max_legal, numba.int16)
        points = cuda.local.array(MAX_SEATS, numba.float64)
        stream = cuda.local.array(WORDS, numba.uint32)
        play_game(
            first + row, first_seed, rotations, records[0], options, policies, None, scratch, out, points,
            None, None, stream, outcomes[row], codes[row, :room],
        )  # fmt: skip

    @cuda.jit
    def play_looking_ahead(first, first_seed, rotations, options, policies, nets, outcomes, codes, room):
        row = cuda.grid(1)
        if row >= outcomes.shape[0]:
            return
        records = cuda.local.array(1, state, alignment=gpu.ALIGNMENT)
        known = cuda.local.array(1, state, alignment=gpu.ALIGNMENT)
        scratch = cuda.local.array(1, state, alignment=gpu.ALIGNMENT)
        out = cuda.local.array(max_legal, numba.int16)
        points = cuda.local.array(MAX_SEATS, numba.float64)
        stream = cuda.local.array(WORDS, numba.uint32)
        play_game(
            first + row, first_seed, rotations, records[0], options, policies, known, scratch, out, points,
            None, None, stream, outcomes[row], codes[row, :room],
        )  # fmt: skip

    @cuda.jit
    def play_with_network(first, first_seed, rotations, options, policies, nets, outcomes, codes, room):
        row = cuda.grid(1)
        if row >= outcomes.shape[0]:
            return
        records = cuda.local.array(1, state, alignment=gpu.ALIGNMENT)
        known = cuda.local.array(1, state, alignment=gpu.ALIGNMENT)
        scratch = cuda.local.array(1, state, alignment=gpu.ALIGNMENT)
        accumulators = cuda.local.array(1, accumulator, alignment=gpu.ALIGNMENT)
        out = cuda.local.array(max_legal, numba.int16)
        points = cuda.local.array(MAX_SEATS, numba.float64)
        stream = cuda.local.array(WORDS, numba.uint32)
        play_game(
            first + row, first_seed, rotations, records[0], options, policies, known, scratch, out, points,
            nets[0], accumulators[0], stream, outcomes[row], codes[row, :room],
        )  # fmt: skip

    return play_with_network if uses_network else play_looking_ahead if looks_ahead else play_all


@contextmanager
def _exact_sums() -> Iterator[None]:
    """A kernel compiled inside rounds every product before it is added to a sum, as the processor does.

    A GPU would otherwise round once, with other results in the last digit. NVVM has an option for this, which
    `cuda.jit` does not pass on.
    """
    from numba.cuda.cudadrv import nvvm

    compile_ir = nvvm.compile_ir
    nvvm.compile_ir = lambda ir, **options: compile_ir(ir, **{"fma": False, **options})
    try:
        yield
    finally:
        nvvm.compile_ir = compile_ir
