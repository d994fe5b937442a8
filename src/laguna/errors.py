"""Everything that can be wrong with input, each explained in one sentence.

Each error carries a message key and arguments, so that a page can show it in any language; its
text is the English sentence.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
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
        """What is wrong, as an English sentence."""
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Make errors picklable: they also come from child processes."""
        return partial(type(self), self.key, str(self), self.clause, **self.arguments), ()


class UnknownGame(LagunaError):
    """There is no game with that name."""


class BadOption(LagunaError):
    """An option, a player count, a seat or a seed that the game does not have."""


class IllegalAction(LagunaError):
    """The rules do not allow that action now; `clause` says which rule."""


class Refusal(LagunaError):
    """The table does not allow that request, either from this person or at this time."""


class BadFile(LagunaError):
    """A file that is not what it should be."""


class BadBot(LagunaError):
    """A bot that fails, or answers with something other than a legal action."""


class BadPosition(LagunaError):
    """A position that cannot occur in the game."""


def impossible(
    key: str, field: str, sentence: str, clause: str | None = None, **arguments: Any
) -> BadPosition:
    """Why a position is impossible: the field of it that is wrong, and the clause that says so."""
    by = f" ({clause})" if clause else ""
    return BadPosition(key, f"{field}: {sentence}{by}.", clause=clause, field=field, **arguments)


def either(things: Iterable[Any], word: str = "or") -> str:
    """The things listed the way a person would: "2, 5 or 9"."""
    texts = [str(thing) for thing in things]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {word} {texts[-1]}"


def short(text: str, length: int = 60) -> str:
    """The text, cut if it is long: input that an error quotes must not flood the answer."""
    return text if len(text) <= length else text[: length - 1] + "…"


def quoted(value: Any, length: int = 80) -> str:
    """The beginning of a value's `repr`, which Python refuses for numbers of thousands of digits."""
    try:
        return repr(value)[:length]
    except ValueError:
        return "a number with thousands of digits"


def as_int(value: Any) -> int | None:
    """An integer of any type that has `__index__`, such as numpy's, as an int; otherwise None.

    A bool does not count as a number.
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def whole_number(value: Any, what: str, low: int, high: int, key: str = "number") -> int:
    """The value as an int; otherwise a BadOption that begins with `what`, such as "A seed"."""
    number = as_int(value)
    if number is None or not low <= number <= high:
        text = quoted(value if number is None else number, 40)
        raise BadOption(key, f"{what} must be a whole number from {low} to {high}, not {text}.")
    return number


def counted(count: int, thing: str, things: str = "") -> str:
    """A count with its noun: "1 coin", "3 coins". Give the plural if it needs more than an s."""
    return f"{count} {thing if count == 1 else things or thing + 's'}"


KINDS = {
    "int": "a whole number", "float": "a number", "str": "text", "bool": "true or false", "null": "null",
    "array": "a list", "object": "an object",
}  # fmt: skip
LIMITS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
# What msgspec says, a key for it, and the same thing in plain words.
REASONS: tuple[tuple[str, str, Callable[..., str]], ...] = (
    ("decimal", r"Expected `(?P<kinds>.+)`, got `float`",
     lambda kinds: f"must be {_kinds(kinds)}, not a decimal number"),
    ("kind", r"Expected `(?P<kinds>.+)`, got `(?P<kind>.+)`",
     lambda kinds, kind: f"must be {_kinds(kinds)}, not {_kinds(kind)}"),
    ("number", r"Expected `\w+` (?P<limit>[<>]=?) (?P<number>.+)",
     lambda limit, number: f"must be {LIMITS[limit]} {number}"),
    ("length", r"Expected `str` of length (?P<limit>[<>]=) (?P<count>\d+)",
     lambda limit, count: f"must have {LIMITS[limit]} {counted(int(count), 'character')}"),
    ("entries", r"Expected `\w+` of length (?P<limit>[<>]=) (?P<count>\d+)",
     lambda limit, count: f"must have {LIMITS[limit]} {_entries(count)}"),
    ("size",
     r"Expected `array` of(?: (?P<limit>at least|at most))? length (?P<count>\d+), got (?P<given>\d+)",
     lambda limit, count, given: f"must have {limit + ' ' if limit else ''}{_entries(count)}, not {given}"),
    ("between", r"Expected `array` of length (?P<low>\d+) to (?P<high>\d+), got (?P<given>\d+)",
     lambda low, high, given: f"must have {low} to {high} entries, not {given}"),
    ("pattern", r"Expected `str` matching regex '(?P<pattern>.+)'",
     lambda pattern: f"must match the pattern {pattern}"),
    ("value", r"Invalid (?:enum )?value (?P<value>.+)", lambda value: f"{value:.40} is not recognized"),
    ("missing", r"Object missing required field `(?P<name>.+)`",
     lambda name: f"the field {name!r} is missing"),
    ("unknown", r"Object contains unknown field `(?P<name>.*)`",
     lambda name: f"there is no field {name!r:.40}"),
    ("range", r"(?:Integer value|Number) out of range", lambda: "is out of range"),
)  # fmt: skip


def plain_reason(reason: str) -> str:
    """Explain in plain words why msgspec refused a value; other reasons stay as they are."""
    for _, pattern, say in REASONS:
        if found := re.fullmatch(pattern, reason, re.DOTALL):
            return say(**found.groupdict())
    return reason


def keyed_reason(reason: str) -> tuple[str, dict[str, str]]:
    """The same as a key and its arguments; the key is empty for other reasons."""
    for key, pattern, _ in REASONS:
        if found := re.fullmatch(pattern, reason, re.DOTALL):
            return key, {name: short(text or "") for name, text in found.groupdict().items()}
    return "", {}


def _kinds(names: str) -> str:
    return either(KINDS.get(name, name) for name in names.split(" | "))


def _entries(count: str) -> str:
    return counted(int(count), "entry", "entries")
