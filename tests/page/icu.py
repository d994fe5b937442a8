"""ICU messages, read as far as the tests need: which arguments, and which forms of each plural."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Message:
    """What a message uses."""

    arguments: set[str] = field(default_factory=set)
    plurals: list[tuple[str, set[str]]] = field(default_factory=list)  # argument, its forms
    choices: dict[str, set[str]] = field(default_factory=dict)  # argument of a select, its cases


class Malformed(ValueError):
    """Not an ICU message."""


def read(text: str) -> Message:
    message = Message()
    end = _text(text, 0, message, nested=False)
    if end != len(text):
        raise Malformed(f"a brace too many at {end}: {text}")
    return message


def _text(text: str, at: int, message: Message, nested: bool) -> int:
    """Read up to the brace that closes this text (or the end); where that is."""
    while at < len(text):
        if text[at] == "'" and text[at + 1 : at + 2] in ("{", "}"):
            at = text.index("'", at + 1) + 1
        elif text[at] == "{":
            at = _argument(text, at + 1, message)
        elif text[at] == "}":
            break
        else:
            at += 1
    if nested and at >= len(text):
        raise Malformed(f"a brace is not closed: {text}")
    return at


def _argument(text: str, at: int, message: Message) -> int:
    found = re.compile(r"\s*(\w+)\s*(?:,\s*(\w+)\s*)?(,|\})").match(text, at)
    if not found:
        raise Malformed(f"no argument at {at}: {text}")
    name, kind, follows = found.groups()
    message.arguments.add(name)
    if follows == "}":
        return found.end()
    if kind not in ("plural", "selectordinal", "select"):
        return text.index("}", found.end()) + 1  # a number's or a date's style
    return _forms(text, found.end(), message, name, kind)


def _forms(text: str, at: int, message: Message, name: str, kind: str) -> int:
    form = re.compile(r"\s*(?:offset:\d+\s*)?(=?[\w-]+)\s*\{")
    forms: set[str] = set()
    while found := form.match(text, at):
        forms.add(found[1])
        at = _text(text, found.end(), message, nested=True) + 1
    closing = re.compile(r"\s*\}").match(text, at)
    if not closing or "other" not in forms:
        raise Malformed(f"the forms of {name} are not complete: {text}")
    if kind == "select":
        message.choices.setdefault(name, set()).update(forms)
    else:
        message.plurals.append((name, forms))
    return closing.end()
