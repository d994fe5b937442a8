"""`laguna engine`: our bots for other programs, by a protocol of lines (docs/engine.md)."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from rich.console import Console

import laguna
from laguna.bots import Analysis, Choice, analyse, ask, find_bot
from laguna.bots.lookahead import MAX_ITERATIONS, MAX_SECONDS, MAX_THREADS
from laguna.cli.compiling import compile_game
from laguna.cli.interrupt import Interrupted
from laguna.engine import MAX_LINE, PROTOCOL, split_fields
from laguna.errors import BadFile, BadOption, IllegalAction, LagunaError, either, short
from laguna.files import MAX_ACTIONS, position_of, read_json
from laguna.game import Game, check_seed, new, set_up
from laguna.games import find

SEARCH = "search"
MAX_CHOICES = 50
MAX_DIGITS = 12  # of a number


class Program:
    """One conversation: reads lines, `tell`s lines, and thinks on a thread of its own."""

    def __init__(self, lines: BinaryIO, tell: Callable[[str], None], console: Console) -> None:
        self._lines = lines
        self._tell_line = tell
        self._console = console
        self._lock = threading.Lock()  # of what is told, and of `_thinking`
        self._thinking: threading.Thread | None = None
        self._stop = threading.Event()
        self._game: Game | None = None
        self._loaded: set[str] = set()
        self._bot = SEARCH
        self._choices = 1
        self._threads = min(os.cpu_count() or 1, MAX_THREADS)

    def run(self) -> None:
        """Obey line by line until `quit`, or until nobody speaks any more."""
        commands: dict[str, Callable[[str], None]] = {
            "laguna": self._greet,
            "option": self._option,
            "position": self._position,
            "go": self._go,
        }
        try:
            while (line := self._read()) is not None:
                word, _, rest = line.partition(" ")
                if word == "quit":
                    break
                try:
                    if word == "stop":
                        self._stop.set()
                    elif word == "ready":
                        self._tell("ready")
                    elif word in commands:
                        self._check_idle()
                        commands[word](rest.strip())
                    elif word:
                        known = either([*commands, "stop", "ready", "quit"])
                        raise BadOption("command", f"There is no command {word!r:.40}; say {known}.")
                except LagunaError as error:
                    self._refuse(error)
        finally:
            self._stop.set()
            if (thinking := self._thinking) is not None:
                thinking.join()

    # -------------------------------------------------------------- lines

    def _read(self) -> str | None:
        """The next line that can be read; None at the end."""
        while data := self._lines.readline(MAX_LINE + 1):
            if len(data) > MAX_LINE:
                while data and not data.endswith(b"\n"):
                    data = self._lines.readline(MAX_LINE)
                self._refuse(BadOption("line", f"A line has at most {MAX_LINE} bytes."))
                continue
            try:
                return data.decode().strip()
            except UnicodeDecodeError:
                self._refuse(BadOption("line", "The line is not valid UTF-8."))
        return None

    def _tell(self, line: str) -> None:
        with self._lock:
            self._tell_line(" ".join(line.split()))

    def _refuse(self, error: LagunaError) -> None:
        self._tell(f"error {error}")

    def _check_idle(self) -> None:
        if self._thinking is not None:
            raise BadOption("busy", "It is thinking; say stop first, or wait for the answer.")

    # -------------------------------------------------------------- commands

    def _greet(self, version: str) -> None:
        if version not in ("", str(PROTOCOL)):
            raise BadOption("protocol", f"This program speaks protocol {PROTOCOL}, not {version!r:.20}.")
        self._tell(f"id Laguna {laguna.__version__}")
        self._tell(f"option bot {self._bot}; about search, or a bot by its name, which tells only its choice")
        self._tell(f"option choices {self._choices}; about how many choices to list before the best one")
        self._tell(f"option threads {self._threads}; about of a search by seconds")
        self._tell("ready")

    def _option(self, text: str) -> None:
        name, _, value = text.partition(" ")
        value = value.strip()
        if name == "bot":
            if value != SEARCH:
                find_bot(value)
            self._bot = value
        elif name == "choices":
            self._choices = _whole(value, "choices", 1, MAX_CHOICES)
        elif name == "threads":
            self._threads = _whole(value, "threads", 1, MAX_THREADS)
        else:
            known = either(["bot", "choices", "threads"], "and")
            raise BadOption("option", f"There is no option {name!r:.40}; there are {known}.")

    def _position(self, text: str) -> None:
        game = read_position(text)
        if game.meta.id not in self._loaded:
            compile_game(find(game.meta.id), self._console, search=True)
            analyse(new(game.meta.id, seed=0), iterations=1)  # so that no later search has to load it
            self._loaded.add(game.meta.id)
        self._game = game

    def _go(self, text: str) -> None:
        game, asked = self._game, _budget(text)
        if game is None:
            raise BadOption("no-position", "There is no position to think about; say position first.")
        if game.over:
            raise BadOption("over", "The game is over; there is nothing to think about.")
        self._stop = threading.Event()
        self._thinking = threading.Thread(target=self._think, args=(game, asked), name="laguna-thinking")
        self._thinking.start()

    def _think(self, game: Game, asked: dict[str, Any]) -> None:
        """On a thread of its own: whatever happens, there is an answer."""
        try:
            answers = self._answers(game, asked)
        except LagunaError as error:
            answers = [f"error {error}"]
        except Exception as error:
            answers = [f"error The bot failed: {type(error).__name__}: {short(str(error), 200)}"]
        with self._lock:
            self._thinking = None  # before the answer: whoever reads it may go on at once
            for line in answers:
                self._tell_line(" ".join(line.split()))

    def _answers(self, game: Game, asked: dict[str, Any]) -> list[str]:
        stop, infinite, seed = self._stop, asked.pop("infinite", False), asked.pop("seed", 0)
        if self._bot != SEARCH:
            return [f"best {ask(find_bot(self._bot, self._threads), game, seed)}"]
        if len(game.legal()) == 1 and not infinite:
            asked = {"iterations": 1}
        found = analyse(
            game,
            **asked,
            seed=seed,
            threads=self._threads,
            hurry=not infinite and self._choices == 1,
            stop=stop,
            report=self._report,
        )
        if infinite:
            stop.wait()
        best = found.choices[: self._choices] if self._choices > 1 else ()
        answers = [f"choice {number} {_choice(each)}" for number, each in enumerate(best, 1)]
        return [_info(found), *answers, f"best {_choice(found.best)}{_line(found)}"]

    def _report(self, found: Analysis) -> None:
        self._tell(_info(found))


def _info(found: Analysis) -> str:
    best = f"best {_choice(found.best)}{_line(found)}"
    return f"info iterations {found.iterations}; seconds {found.seconds:.2f}; {best}"


def _choice(choice: Choice) -> str:
    """An action with what is known about it."""
    parts = [str(choice.action), f"visits {choice.visits}"]
    for name, numbers in (("chances", choice.chances), ("scores", choice.scores)):
        if numbers is not None:
            parts.append(f"{name} {' '.join(f'{number:.4g}' for number in numbers)}")
    return "; ".join(parts)


def _line(found: Analysis) -> str:
    return f"; line {', '.join(map(str, found.line))}" if found.line else ""


# ------------------------------------------------------------------ reading


def read_position(text: str) -> Game:
    """The game of `GAME; players N; seed N; OPTION VALUE; actions A, B`, or of a position as JSON."""
    if text.startswith("{"):
        end = text.rfind("}") + 1
        document = read_json(text[:end])
        if not isinstance(document, dict):
            raise BadFile("no-json", "A position is a JSON object.")
        game = position_of(document)
        _, fields = split_fields(text[end:])
        actions = fields.pop("actions", "")
        if fields:
            raise BadOption("position", f"After a position may follow actions, not {min(fields)!r:.40}.")
    else:
        name, fields = split_fields(text)
        actions = fields.pop("actions", "")
        players = _number(fields.pop("players", ""), "players")
        seed = _number(fields.pop("seed", ""), "seed")
        options = {each: int(value) if _is_number(value) else value for each, value in fields.items()}
        game = set_up(name, players, 0 if seed is None else seed, None, options)
    _play(game, [each.strip() for each in actions.split(",")] if actions else [])
    return game


def _play(game: Game, actions: list[str]) -> None:
    if len(actions) > MAX_ACTIONS:
        raise BadOption("actions", f"A game has at most {MAX_ACTIONS} actions, not {len(actions)}.")
    for number, action in enumerate(actions, 1):
        try:
            game.play(action)
        except IllegalAction as error:
            raise BadOption("actions", f"Action {number} ({action!r:.40}): {error}") from None


def _budget(text: str) -> dict[str, Any]:
    """What follows `go`, as arguments of `analyse`."""
    words = text.split()
    asked: dict[str, Any] = {}
    while words:
        word = words.pop(0)
        if word in asked:
            raise BadOption("budget", f"{word} is there twice.")
        if word == "infinite":
            asked |= {"infinite": True, "seconds": MAX_SECONDS}
        elif word == "seconds":
            asked["seconds"] = _seconds(words.pop(0) if words else "")
        elif word == "iterations":
            asked["iterations"] = _whole(words.pop(0) if words else "", "iterations", 1, MAX_ITERATIONS)
        elif word == "seed":
            asked["seed"] = check_seed(_number(words.pop(0) if words else "", "seed"))
        else:
            raise BadOption("budget", f"go takes seconds, iterations, infinite and seed, not {word!r:.40}.")
    if ("seconds" in asked) == ("iterations" in asked):
        raise BadOption("budget", "Say go seconds S, go iterations N or go infinite.")
    return asked


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MAX_SECONDS:
        limits = f"more than 0 and at most {MAX_SECONDS:.0f}"
        raise BadOption("budget", f"seconds must be {limits}, not {text!r:.40}.")
    return seconds


def _whole(text: str, name: str, low: int, high: int) -> int:
    number = int(text) if _is_number(text) else None
    if number is None or not low <= number <= high:
        raise BadOption(name, f"{name} must be a whole number from {low} to {high}, not {text!r:.40}.")
    return number


def _number(text: str, name: str) -> int | None:
    """A whole number, or None where there is no text."""
    if text and not _is_number(text):
        raise BadOption(name, f"{name} must be a whole number, not {text!r:.40}.")
    return int(text) if text else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


# ------------------------------------------------------------------ the command


def serve(err: Console) -> None:
    """Talk through standard input and output until the other side has gone."""
    out = sys.stdout.buffer
    gone = False

    def tell(line: str) -> None:
        nonlocal gone
        if not gone:
            try:
                out.write(line.encode(errors="backslashreplace") + b"\n")
                out.flush()
            except OSError:
                gone = True

    try:
        Program(sys.stdin.buffer, tell, err).run()
    except KeyboardInterrupt:
        raise Interrupted("The engine was interrupted.") from None
    finally:
        if gone:  # Python would complain when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
