"""How long preparing a game takes: learned on this machine, and told while somebody waits for it.

Compiling is measured in processor time, which says how much of the work is done however busy the machine is;
how quickly processor time passes says how long the rest will take.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from laguna.games import Rulebook
from laguna.kernel.cache import cache_folder, sources
from laguna.messages import Preparation

Phase = Literal["table", "load-table", "bots", "load-bots"]

# First guesses, before anything has been measured here: seconds for each line that is compiled or loaded.
PER_LINE: dict[Phase, float] = {"table": 0.013, "load-table": 0.001, "bots": 0.014, "load-bots": 0.0004}
LATE = 0.9  # of the expected work; beyond it the bar slows down, since the end is not certain
OVERDUE = 1.2  # times the expected seconds of a phase: from then on nobody knows how long it takes
MAX_SHARE = 0.999  # the share never says that it is done
SMOOTH = 0.15  # weight of the latest measurement of how quickly processor time passes
SLOWEST = 0.02  # processor seconds a second: on the busiest machine that still gets anything done
FILE = "timings.json"

Seconds = Annotated[float, Meta(gt=0, le=3600)]


class Timings(Struct, frozen=True, forbid_unknown_fields=True):
    """What was measured here: for each game and phase, the seconds that it took last time."""

    seconds: dict[str, dict[Phase, Seconds]] = {}


class Estimates:
    """Keeps the measurements beside the compiled code. A file that is damaged counts as missing."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file

    def expected(self, book: Rulebook, phase: Phase) -> float:
        """The seconds that this phase will probably take: as last time, or else by size and machine."""
        known = self._read().seconds
        return known.get(book.meta.id, {}).get(phase) or _guess(book, phase) * _slowness(known)

    def learn(self, book: Rulebook, phase: Phase, seconds: float) -> None:
        """Remember how long it took; a folder that cannot be written to does not matter."""
        known = {game: dict(phases) for game, phases in self._read().seconds.items()}
        known.setdefault(book.meta.id, {})[phase] = round(min(max(seconds, 0.001), 3600.0), 3)
        with suppress(OSError):
            _replace(self._path(), msgspec.json.encode(Timings(known)))

    def _path(self) -> Path:
        return self._file or cache_folder().parent / FILE

    def _read(self) -> Timings:
        try:
            return msgspec.json.decode(self._path().read_bytes(), type=Timings)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return Timings()


def _guess(book: Rulebook, phase: Phase) -> float:
    lines = sum(path.read_bytes().count(b"\n") for path in sources(book.path, bots=phase.endswith("bots")))
    return max(lines * PER_LINE[phase], 0.001)


def _slowness(known: Mapping[str, Mapping[Phase, float]]) -> float:
    """How much longer than guessed this machine took for the games that it has already prepared."""
    from laguna.games import rulebooks

    books = rulebooks()
    took = guessed = 0.0
    for game, phases in known.items():
        if game in books:
            took += sum(phases.values())
            guessed += sum(_guess(books[game], phase) for phase in phases)
    return took / guessed if guessed else 1.0


def _replace(path: Path, data: bytes) -> None:
    """Write a file so that readers find the old content or the new, never half of it."""
    number, name = tempfile.mkstemp(dir=path.parent, prefix=FILE)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


class Progress:
    """How far a preparation of several phases has come. The share never falls, and stays below 1."""

    def __init__(self, expected: Mapping[Phase, float], clock: Callable[[], float] = time.monotonic) -> None:
        self._expected = dict(expected)
        self._clock = clock
        self._phase: Phase | None = None
        self._before = 0.0  # expected seconds of the phases that are done
        self._used = 0.0  # in this phase, when last reported
        self._at = clock()  # of that report
        self._speed = 1.0  # processor seconds a second
        self._most = 0.0  # the largest share told so far

    def enter(self, phase: Phase, speed: float = 1.0) -> None:
        """The next phase begins, with this many processor seconds a second if the machine is idle."""
        if self._phase is not None:
            self._before += self._expected[self._phase]
        self._phase, self._used, self._at = phase, 0.0, self._clock()
        self._speed = speed

    def report(self, used: float) -> None:
        """The phase has used this many seconds of processor time since it began."""
        now = self._clock()
        if now > self._at:
            speed = (used - self._used) / (now - self._at)
            self._speed += SMOOTH * (speed - self._speed)
        self._used, self._at = used, now

    def look(self) -> Preparation:
        """What to tell somebody who waits; between two reports the work is assumed to go on as before."""
        speed = max(self._speed, SLOWEST)
        here = self._expected[self._phase] if self._phase else 0.0
        used = self._used + speed * (self._clock() - self._at)
        total = sum(self._expected.values()) or 1.0
        left = total - self._before - min(used, here)
        self._most = max(self._most, _share((self._before + used) / total))
        late = used > OVERDUE * here
        return Preparation(
            stage="bots" if self._phase in ("bots", "load-bots") else "table",
            share=round(min(self._most, MAX_SHARE), 4),
            seconds=None if late else round(max(left, 0.0) / speed, 1),
        )


def _share(done: float) -> float:
    """The share to show: as much as is done, and past `LATE` ever more slowly towards 1."""
    return done if done < LATE else 1 - (1 - LATE) * math.exp((LATE - done) / (1 - LATE))
