"""Programs that play: `Engine` drives any program that speaks the protocol of docs/engine.md.

>>> import sys, laguna
>>> from laguna.engine import Engine
>>> with Engine([sys.executable, "-m", "laguna", "engine"]) as engine:
...     found = engine.think(laguna.new("neptune-vesta", seed=7), iterations=500)
>>> found.action in laguna.new("neptune-vesta", seed=7).legal(), len(found.chances)
(True, 2)

As a bot, such a program is named `engine:COMMAND`, see `laguna.bots.load_bot`.
"""

from __future__ import annotations

import json
import queue
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.util import Finalize
from typing import IO, NamedTuple

from laguna.errors import BadBot, BadOption, IllegalAction, quoted, short
from laguna.game import Action, Game, check_seed

PROTOCOL = 1
MAX_LINE = 1_000_000  # bytes, as of a game file
MAX_WAITING = 1000  # lines that nobody has read yet: then the program has to wait
START = 300.0  # seconds to start, and to get ready for a game: it may have to compile it
PATIENCE = 10.0  # seconds beyond those that it was given
LONGEST = 120.0  # seconds for a number of iterations
SECONDS = 0.2  # to think, unless the bot's name says otherwise
LAST_WORDS = 5  # lines of what a program says before it dies
_NAME = re.compile(r"engine:(?:(\d{1,4}(?:\.\d{1,3})?)s:|(\d{1,9}):)?(.*\S.*)", re.DOTALL)
# Runs a program that dies with its parent (with the thread that started it): Linux can do that.
_GUARD = (
    "import ctypes, os, signal, sys\n"
    "ctypes.CDLL(None).prctl(1, signal.SIGKILL)\n"
    "if os.getppid() == int(sys.argv[1]): os.execv(sys.argv[2], sys.argv[2:])\n"
)


class Found(NamedTuple):
    """What a program answered: an action, and if it told them the seats' chances and the line to expect."""

    action: Action
    chances: tuple[float, ...]
    line: tuple[str, ...]  # in notation


def split_fields(text: str) -> tuple[str, dict[str, str]]:
    """What comes before the first semicolon, and the fields after it by their first word."""
    head, *rest = (part.strip() for part in text.split(";"))
    fields = {}
    for part in filter(None, rest):
        name, _, value = part.partition(" ")
        fields[name] = value.strip()
    return head, fields


class Engine:
    """A running program. It is only ever told imagined games, so it cannot know what its seat must not know.

    Whatever goes wrong with it (it dies, hangs, answers rubbish or an illegal action) is a BadBot, and the
    program is killed; `patience` is how many seconds it may take longer than asked.
    """

    def __init__(self, command: Sequence[str], patience: float = PATIENCE, start: float = START) -> None:
        self.name = short(" ".join(command))
        self._patience, self._start = patience, start
        self._lines: queue.Queue[bytes | None] = queue.Queue(MAX_WAITING)
        self._last_words: deque[str] = deque(maxlen=LAST_WORDS)
        self._over = False
        self._process = self._started(list(command))
        assert self._process.stdout is not None and self._process.stderr is not None
        self._overhearing = self._listen(self._overhear, self._process.stderr)
        self._listen(self._hear, self._process.stdout)
        self._shake_hands()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # -------------------------------------------------------------- what it is asked

    def option(self, name: str, value: object) -> None:
        """Set one of the program's options; BadBot if it refuses."""
        self._send(f"option {name} {value}")
        self._wait_until_ready(self._patience)

    def think(
        self,
        game: Game,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        seed: int = 0,
        report: Callable[[str], None] = lambda info: None,
    ) -> Found:
        """What the program would do for the seat to move; `report` is told its `info` lines."""
        if game.seat is None:
            raise BadOption("over", "The game is over; there is nothing to think about.")
        if (seconds is None) == (iterations is None):
            raise BadOption("budget", "An engine needs either seconds or iterations.")
        known = game.imagine(game.seat, check_seed(seed))
        self._send(f"position {json.dumps(known.position())}")
        self._wait_until_ready(self._start)
        asked = f"iterations {iterations}" if seconds is None else f"seconds {seconds:g}"
        self._send(f"go {asked} seed {seed}")
        deadline = time.monotonic() + (LONGEST if seconds is None else seconds) + self._patience
        while True:
            word, rest = self._read(deadline)
            if word == "best":
                return self._found(known, rest)
            if word == "info":
                report(rest)
            elif word != "choice":
                raise self._failed(f"answered {word} {rest!r:.80}" if rest else f"answered {word!r:.80}")

    def stop(self) -> None:
        """Let it answer at once; from another thread than the one in which it is asked to `think`."""
        self._send("stop")

    def close(self) -> None:
        """End the program: ask it to quit, and kill it if it does not."""
        with suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(b"quit\n")
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self.kill()

    def kill(self) -> None:
        """End the program at once."""
        self._over = True
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    @property
    def running(self) -> bool:
        """Is the program still there?"""
        return self._process.poll() is None

    # -------------------------------------------------------------- how

    def _started(self, command: list[str]) -> subprocess.Popen[bytes]:
        program = shutil.which(command[0]) if command else None
        if program is None:
            raise BadBot("bot-failed", f"There is no program {quoted(command[0] if command else '')} to run.")
        words = [program, *command[1:]]
        if sys.platform == "linux" and threading.current_thread() is threading.main_thread():
            import os

            words = [sys.executable, "-I", "-S", "-c", _GUARD, str(os.getpid()), *words]
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
        except OSError as error:
            reason = f"The program {quoted(program)} cannot be run: {error.strerror}."
            raise BadBot("bot-failed", reason) from None

    def _listen(self, read: Callable[[IO[bytes]], None], stream: IO[bytes]) -> threading.Thread:
        thread = threading.Thread(target=read, args=(stream,), name="laguna-engine", daemon=True)
        thread.start()
        return thread

    def _hear(self, stream: IO[bytes]) -> None:
        """On a thread of its own: what the program writes, line by line."""
        with stream:
            while line := stream.readline(MAX_LINE + 1):
                self._keep(line)
        self._keep(None)

    def _keep(self, line: bytes | None) -> None:
        """Pass a line on to who reads them; a program that says too much has to wait."""
        while not self._over:
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def _overhear(self, stream: IO[bytes]) -> None:
        """On a thread of its own: what it complains about, in case it dies."""
        with stream:
            while line := stream.readline(MAX_LINE):
                self._last_words.append(line.decode(errors="replace").strip())

    def _shake_hands(self) -> None:
        self._send(f"laguna {PROTOCOL}")
        deadline = time.monotonic() + self._start
        while (word := self._read(deadline)[0]) != "ready":
            if word not in ("id", "option"):
                raise self._failed(f"answered {word!r:.80} to the greeting")

    def _wait_until_ready(self, seconds: float) -> None:
        self._send("ready")
        deadline = time.monotonic() + seconds
        word, rest = self._read(deadline)
        if word != "ready":
            raise self._failed(f"answered {f'{word} {rest}'!r:.120} instead of being ready")

    def _send(self, line: str) -> None:
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def _read(self, deadline: float) -> tuple[str, str]:
        """The next line: its first word, and the rest."""
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.0))
        except queue.Empty:
            raise self._failed("does not answer in time") from None
        if line is None:
            raise self._ended()
        if len(line) > MAX_LINE:
            raise self._failed(f"answered a line of more than {MAX_LINE} bytes")
        try:
            word, _, rest = line.decode().strip().partition(" ")
        except UnicodeDecodeError:
            raise self._failed(f"answered {line!r:.60}, which is not UTF-8") from None
        return word, rest

    def _found(self, game: Game, answer: str) -> Found:
        text, fields = split_fields(answer)
        try:
            action = game.check(text)
        except IllegalAction as error:
            raise self._failed(f"chose {text!r:.60}: {str(error).rstrip('.')}") from None
        try:
            chances = tuple(map(float, fields.get("chances", "").split()))
        except ValueError:
            raise self._failed(f"answered chances that are no numbers: {fields['chances']!r:.60}") from None
        return Found(
            action, chances, tuple(each.strip() for each in fields.get("line", "").split(",") if each)
        )

    def _failed(self, what: str) -> BadBot:
        self.kill()
        return BadBot("bot-failed", f"The engine {self.name} {what}.")

    def _ended(self) -> BadBot:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.poll()
        self._overhearing.join(1.0)
        last = next((line for line in reversed(self._last_words) if line), "")
        said = f" and said {short(last.rstrip('.'), 200)!r}" if last else ""
        return self._failed(
            f"stopped listening{said}" if code is None else f"ended with exit code {code}{said}"
        )


# ------------------------------------------------------------------ as a bot


def is_engine(name: str) -> bool:
    """Does the name have the form `engine:COMMAND`?"""
    return name.startswith("engine:")


@dataclass(frozen=True)
class EngineBot:
    """A program as a bot; it is started when it is first asked, once in each process."""

    name: str
    command: tuple[str, ...]
    seconds: float | None
    iterations: int | None

    def __call__(self, game: Game, seed: int) -> Action:
        engine = _running.get(self.command)
        if engine is None or not engine.running:
            engine = _running[self.command] = Engine(self.command)
        return engine.think(game, seconds=self.seconds, iterations=self.iterations, seed=seed).action


_running: dict[tuple[str, ...], Engine] = {}


def engine_bot(name: str) -> EngineBot:
    """The bot of `engine:COMMAND`, `engine:0.5s:COMMAND` or `engine:2000:COMMAND`; it is not started yet."""
    read = _NAME.fullmatch(name)
    try:
        command = tuple(shlex.split(read[3])) if read else ()
    except ValueError:
        raise BadOption("unknown-bot", f"{name!r:.60}: a quotation mark is missing.") from None
    if read is None or not command:
        raise BadOption("unknown-bot", f"{name!r:.60} names no program; write engine:COMMAND.")
    if not float(read[1] or read[2] or SECONDS):
        raise BadOption("unknown-bot", f"{name!r:.60} gives the program no time.")
    if shutil.which(command[0]) is None:
        raise BadOption("unknown-bot", f"There is no program {quoted(command[0])} to run.")
    iterations = int(read[2]) if read[2] else None
    seconds = float(read[1]) if read[1] else None if iterations else SECONDS
    return EngineBot(name, command, seconds, iterations)


def close_engines() -> None:
    """End all programs that were started as bots."""
    while _running:
        _, engine = _running.popitem()
        engine.close()


Finalize(None, close_engines, exitpriority=10)  # when this process ends, also if it is a worker
