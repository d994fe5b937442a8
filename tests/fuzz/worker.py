"""The process that feeds one target: `python -m tests.fuzz.worker`, started by `python -m tests.fuzz`.

It works in a process of its own, since an input may end it. What it feeds is in a small shared file, so that
the last input is known whatever happens.
"""

from __future__ import annotations

import argparse
import contextlib
import mmap
import os
import resource
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

from tests.fuzz.mutations import mutated
from tests.fuzz.targets import TARGETS
from tests.fuzz.targets.target import Target

FOUND = 77  # the exit code of a worker whose last input is a finding
NOTE = struct.Struct(
    "<QQQ"
)  # how many inputs, the most memory, and the length of the last input, which follows
NOTE_BYTES = 65_536
TICK = 0.5  # seconds of processor time; an input that sees two ticks is too slow
MEMORY = 1_000_000_000  # bytes beyond those that it has at first


class TooSlow(BaseException):
    """An input took too long; no `except Exception` may hide it."""


class Note:
    """The shared file: how many inputs were fed, how much memory that took, and the last one."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(NOTE_BYTES))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), NOTE_BYTES)
        self.memory = memory()

    def write(self, count: int, data: bytes) -> None:
        NOTE.pack_into(self._shared, 0, count, self.memory, len(data))
        self._shared[NOTE.size : NOTE.size + len(data)] = data

    def read(self) -> tuple[int, bytes]:
        count, self.memory, size = NOTE.unpack_from(self._shared)
        return count, self._shared[NOTE.size : NOTE.size + size]


def noting(check: Callable[[bytes], None], note: Note) -> Callable[[bytes], None]:
    """The check; whatever it raises ends this process."""
    count = ticks_at = 0
    checking = False

    def tick(*_: Any) -> None:
        nonlocal ticks_at
        if checking and ticks_at == count:
            raise TooSlow(f"It takes more than {TICK} seconds.")
        ticks_at = count
        note.memory = memory()

    def noted(data: bytes) -> None:
        nonlocal count, checking
        count += 1
        note.write(count, data)
        checking = True
        try:
            check(data)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(FOUND)
        checking = False

    signal.signal(signal.SIGVTALRM, tick)
    signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)
    return noted


def memory() -> int:
    """The most bytes that this process had."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def limit_memory() -> None:
    """More memory than an input can need is refused, where the system can do that."""
    with contextlib.suppress(OSError, ValueError):
        used = Path("/proc/self/statm").read_text().split()
        most = int(used[5]) * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def plainly(check: Callable[[bytes], None], target: Target, inputs: int, seed: int) -> None:
    """Without coverage: changed seeds."""
    chance, known, words = Random(seed), list(target.seeds()), target.words()
    for data in known[:inputs]:
        check(data)
    for _ in range(inputs - len(known)):
        check(mutated(chance, chance.choice(known), known, words, target.longest))


def guided(check: Callable[[bytes], None], target: Target, inputs: int, seed: int, corpus: Path) -> None:
    """By coverage, with atheris; never returns."""
    import atheris

    words = corpus.with_name(f"{corpus.name}.words")
    words.write_text("".join(f'"{_escaped(each)}"\n' for each in target.words()))
    flags = {
        "runs": inputs, "seed": seed % 2**32 or 1, "max_len": target.longest, "dict": words, "timeout": 60,
        "rss_limit_mb": 0, "verbosity": 0, "print_final_stats": 0, "handle_segv": 0, "handle_abrt": 0,
        "len_control": 20,
    }  # fmt: skip
    atheris.Setup(["fuzz", *(f"-{name}={value}" for name, value in flags.items()), str(corpus)], check)
    atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def watch(prefixes: Sequence[str]) -> None:
    """Make the branches of these modules visible to atheris; compiled functions stay as they are."""
    import atheris

    for name, module in list(sys.modules.items()):
        if any(name == each or name.startswith(f"{each}.") for each in prefixes):
            for function in functions_of(module):
                if function.__module__ == name:
                    atheris.instrument_func(function)


def functions_of(owner: Any) -> Iterator[FunctionType]:
    """The functions of a module or a class, and those of its classes."""
    for value in list(vars(owner).values()):
        value = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
        if isinstance(value, FunctionType):
            yield value
        elif isinstance(value, type) and value.__module__ == getattr(owner, "__module__", owner.__name__):
            yield from functions_of(value)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("--inputs", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--note", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, help="where inputs that reach something new are kept")
    given = parser.parse_args()
    target = TARGETS[given.target]
    prepared = target.prepare()
    check = noting(prepared, Note(given.note))
    limit_memory()
    if given.corpus:
        watch(target.watched)
        guided(check, target, given.inputs, given.seed, given.corpus)
    else:
        plainly(check, target, given.inputs, given.seed)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)  # it would end the process once Python forgets its handler


if __name__ == "__main__":
    main()
