"""Batches on a GPU: one thread for each lane. Needs the optional extra `gpu` (numba-cuda)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import cuda

from laguna.batches import loops
from laguna.batches.device_array import DeviceArray
from laguna.games import Rulebook
from laguna.games.contract import Field, starts
from laguna.kernel.chance import WORDS
from laguna.kernel.gpu import ALIGNMENT, small_code

THREADS_PER_BLOCK = 128


class Gpu:
    """Runs the functions of `loops` for all lanes, like `cpu.Processor`."""

    def __init__(self, book: Rulebook) -> None:
        rules: Any = book.rules  # a module, which can be hashed; a rulebook cannot
        self._kernels = _kernels(rules)

    def array(self, values: np.ndarray[Any, Any]) -> Any:
        """An array of this device with these values."""
        return cuda.to_device(values)

    def fetch(self, array: Any) -> Any:
        """The values of an array of this device, as numpy's."""
        return array.copy_to_host()

    def write(self, array: Any, values: np.ndarray[Any, Any]) -> None:
        """Put values into an array of this device."""
        array.copy_to_device(np.ascontiguousarray(values, array.dtype))

    def public(self, array: Any) -> Any:
        """The array as users get it."""
        return DeviceArray(array)

    def named(self, fields: Sequence[Field], array: Any) -> dict[str, Any]:
        """The parts of observations by name: views into them."""
        first = starts(fields)
        return {field.name: array.part(first[k], field.shape) for k, field in enumerate(fields)}

    def given(self, array: Any) -> Any:
        """An array that a user made, of any library, in memory of this device."""
        if isinstance(array, DeviceArray):
            return array.memory
        if not hasattr(array, "__cuda_array_interface__"):
            return cuda.to_device(np.asarray(array))
        if hasattr(array, "block_until_ready"):  # JAX has streams of its own
            array.block_until_ready()
        return cuda.as_cuda_array(array)

    def codes(self, array: Any) -> Any:
        """Actions of any whole-number type: kernels are compiled for each type that is used."""
        return array

    def first_illegal(self, games: Any, masks: Any, actions: Any) -> int:
        """The first lane whose action may not be played; -1 if there is none."""
        count = len(games)
        found = cuda.to_device(np.full(1, count, np.int32))
        self._launch("find_illegal", games, masks, actions, found)
        first = int(found.copy_to_host()[0])
        return -1 if first == count else first

    def run(self, name: str, games: Any, *arguments: Any) -> None:
        """Call the function of `loops` with this name for every lane."""
        self._launch(name, games, *arguments)

    def _launch(self, name: str, games: Any, *arguments: Any) -> None:
        blocks = -(-len(games) // THREADS_PER_BLOCK)
        with small_code():
            self._kernels[name][blocks, THREADS_PER_BLOCK](games, *arguments)


@cache
def _kernels(rules: Any) -> dict[str, Any]:
    """The kernels for one game (local arrays need sizes known at compile time)."""
    state = numba.from_dtype(rules.STATE)
    max_legal = rules.MAX_LEGAL

    @cuda.jit
    def show(games, lanes):
        lane = cuda.grid(1)
        if lane < games.shape[0]:
            codes = cuda.local.array(max_legal, numba.int16)
            loops.show(loops.Scratch(codes, None, None), games, lanes, lane)

    @cuda.jit
    def look(games, lanes):
        lane = cuda.grid(1)
        if lane < games.shape[0]:
            codes = cuda.local.array(max_legal, numba.int16)
            loops.look(loops.Scratch(codes, None, None), games, lanes, lane)

    @cuda.jit
    def deal(games, lanes, options):
        lane = cuda.grid(1)
        if lane < games.shape[0]:
            codes = cuda.local.array(max_legal, numba.int16)
            loops.deal(loops.Scratch(codes, None, None), games, lanes, options, lane)

    @cuda.jit
    def step(games, lanes, options, actions):
        lane = cuda.grid(1)
        if lane < games.shape[0]:
            codes = cuda.local.array(max_legal, numba.int16)
            loops.step(loops.Scratch(codes, None, None), games, lanes, options, actions, lane)

    @cuda.jit
    def deal_again(games, lanes, seats, seeds):
        lane = cuda.grid(1)
        if lane < games.shape[0]:
            codes = cuda.local.array(max_legal, numba.int16)
            loops.deal_again(loops.Scratch(codes, None, None), games, lanes, seats, seeds, lane)

    @cuda.jit
    def observe_seat(games, seats, observations):
        lane = cuda.grid(1)
        if lane < games.shape[0]:
            loops.observe_seat(None, games, seats, observations, lane)

    @cuda.jit
    def choose(games, seed, actions):
        lane = cuda.grid(1)
        if lane < games.shape[0]:
            codes = cuda.local.array(max_legal, numba.int16)
            stream = cuda.local.array(WORDS, numba.uint32)
            loops.choose(loops.Scratch(codes, None, stream), games, seed, actions, lane)

    @cuda.jit
    def play_out(games, seed, shares, points, lengths):
        lane = cuda.grid(1)
        if lane < games.shape[0]:
            codes = cuda.local.array(max_legal, numba.int16)
            trial = cuda.local.array(1, state, alignment=ALIGNMENT)
            stream = cuda.local.array(WORDS, numba.uint32)
            scratch = loops.Scratch(codes, trial, stream)
            loops.play_out(scratch, games, seed, shares, points, lengths, lane)

    @cuda.jit
    def find_illegal(games, masks, actions, found):
        lane = cuda.grid(1)
        if lane < games.shape[0] and not loops.is_legal(masks, actions, lane):
            cuda.atomic.min(found, 0, lane)

    return {
        "show": show,
        "look": look,
        "deal": deal,
        "step": step,
        "deal_again": deal_again,
        "observe_seat": observe_seat,
        "choose": choose,
        "play_out": play_out,
        "find_illegal": find_illegal,
    }
