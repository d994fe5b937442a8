"""Everything that can be wrong with input, told in one sentence.

Each error carries a message key and arguments, so that a page can put it into any language; its
text is the English sentence.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import partial
from typing import Any


class LagunaError(ValueError):
    """Bad input. Nothing was changed or written."""

    def __init__(self, key: str, sentence: str, clause: str | None = None, **arguments: Any) -> None:
        super().__init__(sentence)
        self.key = key
        self.clause = clause
        self.arguments = arguments

    @property
    def sentence(self) -> str:
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come from child processes too."""
        return partial(type(self), self.key, str(self), self.clause, **self.arguments), ()


class UnknownGame(LagunaError):
    """There is no game of that name."""


class BadOption(LagunaError):
    """An option, a player count, a seat or a seed that the game does not have."""


class IllegalAction(LagunaError):
    """The rules do not allow that action now; `clause` says which rule."""


class Refusal(LagunaError):
    """The table does not allow that request: of this person, or now."""


class BadFile(LagunaError):
    """A file that is not what it should be."""


class BadBot(LagunaError):
    """A bot that fails, or answers with what is no legal action."""


class BadPosition(LagunaError):
    """A position that cannot occur in the game."""


def either(things: Iterable[Any], word: str = "or") -> str:
    """The things as a person lists them: "2, 5 or 9"."""
    told = [str(thing) for thing in things]
    if len(told) < 2:
        return "".join(told)
    return f"{', '.join(told[:-1])} {word} {told[-1]}"


def as_int(value: Any) -> int | None:
    """A whole number of any type (all that have `__index__`, such as numpy's) as an int; else None.

    A bool is no number here.
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def whole_number(value: Any, what: str, low: int, high: int, key: str = "number") -> int:
    """The value as an int; a BadOption that begins with `what` ("A seed") if it is none from low to high."""
    number = as_int(value)
    if number is None or not low <= number <= high:
        told = repr(value if number is None else number)
        raise BadOption(key, f"{what} is a whole number from {low} to {high}, not {told:.40}.")
    return number
