"""Custom bots, `module:function`: a function from an imagined game and a seed to an action."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from laguna.errors import BadBot, BadOption, either
from laguna.game import Game

_NAME = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*)")
MAX_REASON = 200  # characters


@dataclass(frozen=True)
class CustomBot:
    """The function with that name; anything it raises is reported as the bot's failure."""

    name: str
    function: Callable[[Game, int], Any]

    def __call__(self, game: Game, seed: int) -> Any:
        try:
            return self.function(game, seed)
        except (Exception, SystemExit) as error:
            code = getattr(self.function, "__code__", None)
            reason = _reason(error, code.co_filename if code else None)
            raise BadBot("bot-failed", f"The bot {self.name} failed: {reason}.") from error


def is_custom(name: str) -> bool:
    """Does the name have the form `module:function`? (`search:…` is built in, `engine:…` is a program.)"""
    return _NAME.fullmatch(name) is not None and not name.startswith(("search:", "engine:"))


def custom_bot(name: str) -> CustomBot:
    """Import the module and find the function in it."""
    module_name, _, function_name = name.partition(":")
    module = _imported(name, module_name)
    function = getattr(module, function_name, None)
    if not callable(function):
        raise BadOption(
            "unknown-bot",
            f"The module {module_name} has no function {function_name!r}; {_functions_of(module)}.",
        )
    return CustomBot(name, function)


def _imported(name: str, module_name: str) -> ModuleType:
    try:
        return import_module(module_name)
    except (Exception, SystemExit) as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and f"{module_name}.".startswith(f"{missing}."):
            file = module_name.replace(".", "/") + ".py"
            raise BadOption(
                "unknown-bot",
                f"There is no module {module_name!r} for the bot {name}: "
                f"it is neither {file} in the current folder nor installed.",
            ) from None
        reason = _reason(error, _file_in(error, module_name))
        raise BadBot("bot-failed", f"The module of the bot {name} cannot be imported: {reason}.") from error


def _functions_of(module: ModuleType) -> str:
    names = [
        name
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and name[0] != "_"
    ]
    return f"its functions are {either(names, 'and')}" if names else "it defines no functions"


def _file_in(error: BaseException, module_name: str) -> str | None:
    """The module's file, if its code was running when the error occurred."""
    stem = module_name.rpartition(".")[2]
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    return next((file for file in files if Path(file).stem == stem), None)


def _reason(error: BaseException, file: str | None) -> str:
    """The error in one line, with the line of that file that it came from."""
    text = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_REASON].rstrip(".")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{text} ({Path(file).name}, line {lines[-1]})" if file and lines else text
