"""Many games at once, on the processor or on a GPU, with their numbers as PyTorch tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from laguna.games import Rulebook
from laguna.kernel import MAX_SEATS, gpu
from laguna.kernel.chance import WORDS
from laguna.kernel.records import blanks
from laguna.training import steps

THREADS_PER_BLOCK = 128
SEED_STEP = 1 << 22  # between two games in the same place: more than there are places


def gpu_works() -> bool:
    """Is there a GPU that both PyTorch and numba-cuda can use?"""
    return bool(torch.cuda.is_available()) and gpu.available()


class Games:
    """`count` games that go on forever: each begins anew when it is over."""

    def __init__(self, book: Rulebook, options: np.ndarray, seed: int, device: str) -> None:
        assert book.inputs is not None
        self.book, self.device, self.count = book, device, len(options)
        self.slots, self.numbers = book.inputs.SLOTS, len(book.inputs.COUNTS)
        self.seats = int(options[:, 0].max())
        self.on_gpu = device == "cuda"
        self.players = self._tensor(options[:, 0])
        self.records = self._records()
        self.known = self._records()
        self.options = self._tensor(options)
        self.seeds = self._tensor(np.arange(self.count, dtype=np.int64) + seed * SEED_STEP * 1000)
        self.streams = self._tensor(np.zeros((self.count, WORDS), np.uint32).view(np.int32))
        self.codes = self._zeros((self.count, book.rules.MAX_LEGAL), torch.int16)
        self.counts = self._zeros((self.count,), torch.int32)
        self.movers = self._zeros((self.count,), torch.int32)
        self.owners = torch.arange(self.count, device=device, dtype=torch.int32)
        self._run = _Gpu(book) if self.on_gpu else _Processor(book)
        self._run.begin(self.count, *self._shared(self.records, self.options, self.seeds, self.streams))

    def _records(self) -> Any:
        records = blanks(self.book.rules.STATE, self.count)
        if not self.on_gpu:
            return records
        from numba import cuda

        return cuda.to_device(records)

    def _tensor(self, values: np.ndarray) -> torch.Tensor:
        return torch.tensor(values, device=self.device)

    def _zeros(self, shape: tuple[int, ...], kind: torch.dtype) -> torch.Tensor:
        return torch.zeros(shape, dtype=kind, device=self.device)

    def _shared(self, *values: Any) -> list[Any]:
        """The same memory for compiled code; random streams are unsigned there."""
        return [
            self._run.view(each, each is self.streams) if isinstance(each, torch.Tensor) else each
            for each in values
        ]

    def look(self) -> None:
        """List the actions of all seats to move: `owner` has the game of each, `first` where those begin."""
        self._run.look(
            self.count,
            *self._shared(self.records, self.known, self.codes, self.counts, self.movers, self.streams),
        )
        many = self.counts.long()
        self.first = torch.cumsum(many, 0) - many
        self.owner = torch.repeat_interleave(self.owners, many)

    def after(self, by_hand: bool = False) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The positions after all actions: rows, counts, and how good each looks if that is known at once.

        With `by_hand`, only the latter: what the hand-made evaluation says.
        """
        total = len(self.owner)
        size = 1 if by_hand else total
        rows = torch.empty((size, self.slots), dtype=torch.int16, device=self.device)
        counts = torch.empty((size, self.numbers), dtype=torch.int16, device=self.device)
        looks = torch.empty(total, dtype=torch.float32, device=self.device)
        self._run.attempt(
            total,
            *self._shared(self.known, self.codes, self.first, self.owner, rows, counts, looks),
            by_hand,
        )
        return rows, counts, looks

    def choose(self, values: torch.Tensor, epsilon: float = 0.0) -> None:
        """Play the action with the highest value in each game, a random one with probability `epsilon`."""
        self._run.choose(
            self.count,
            *self._shared(self.records, self.codes, self.first, self.counts, values),
            round(epsilon * steps.RANDOM),
            *self._shared(self.streams),
        )

    def observe(self) -> dict[str, torch.Tensor]:
        """What every seat is told now, and how games ended that are over."""
        told = {
            "rows": self._zeros((self.count, self.seats, self.slots), torch.int16),
            "counts": self._zeros((self.count, self.seats, self.numbers), torch.int16),
            "over": self._zeros((self.count,), torch.int8),
            "shares": self._zeros((self.count, self.seats), torch.float32),
            "points": self._zeros((self.count, self.seats), torch.float32),
            "now": self._zeros((self.count, MAX_SEATS), torch.float32),
        }
        self._run.observe(
            self.count,
            *self._shared(self.records, self.options, self.seeds, self.streams, *told.values()),
            SEED_STEP,
        )
        return told


class _Processor:
    """The steps on the processor."""

    def __init__(self, book: Rulebook) -> None:
        self.trial = blanks(book.rules.STATE, 1)

    @staticmethod
    def view(tensor: torch.Tensor, unsigned: bool) -> Any:
        return tensor.numpy().view(np.uint32) if unsigned else tensor.numpy()

    def begin(self, count: int, *given: Any) -> None:
        steps.begin_all(*given)

    def look(self, count: int, *given: Any) -> None:
        steps.look_at_all(*given)

    def attempt(self, count: int, known: Any, codes: Any, first: Any, owner: Any, *given: Any) -> None:
        steps.try_all(known, codes, first, owner, self.trial, *given)

    def choose(self, count: int, *given: Any) -> None:
        steps.choose_for_all(*given)

    def observe(self, count: int, *given: Any) -> None:
        steps.observe_all(*given)


class _Gpu:
    """The steps on the GPU, one thread for each game or action."""

    def __init__(self, book: Rulebook) -> None:
        import numba
        from numba import cuda

        state = numba.from_dtype(book.rules.STATE)

        @cuda.jit
        def begin(games, options, seeds, streams):
            g = cuda.grid(1)
            if g < games.shape[0]:
                steps.begin(games, options, seeds, streams, g)

        @cuda.jit
        def look(games, known, codes, counts, movers, streams):
            g = cuda.grid(1)
            if g < games.shape[0]:
                steps.look(games, known, codes, counts, movers, streams, g)

        @cuda.jit
        def attempt(known, codes, first, owner, rows, counts, looks, by_hand):
            p = cuda.grid(1)
            if p < owner.shape[0]:
                trial = cuda.local.array(1, state)
                steps.try_action(known, codes, first, owner, trial, rows, counts, looks, by_hand, p)

        @cuda.jit
        def choose(games, codes, first, counts, values, epsilon, streams):
            g = cuda.grid(1)
            if g < games.shape[0]:
                steps.choose(games, codes, first, counts, values, epsilon, streams, g)

        @cuda.jit
        def observe(games, options, seeds, streams, rows, counts, over, shares, points, now, step):
            g = cuda.grid(1)
            if g < games.shape[0]:
                steps.observe(
                    games, options, seeds, streams, rows, counts, over, shares, points, now, g, step
                )

        self.kernels = {
            "begin": begin,
            "look": look,
            "attempt": attempt,
            "choose": choose,
            "observe": observe,
        }

    @staticmethod
    def view(tensor: torch.Tensor, unsigned: bool) -> Any:
        from numba import cuda

        array = cuda.as_cuda_array(tensor.detach())
        return array.view(np.uint32) if unsigned else array

    def __getattr__(self, name: str) -> Any:
        kernel = self.kernels[name]

        def run(count: int, *given: Any) -> None:
            kernel[-(-count // THREADS_PER_BLOCK), THREADS_PER_BLOCK](*given)

        return run
