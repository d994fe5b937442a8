"""ICU messages, read by the parser that the page itself uses: their arguments, their plural forms."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass

from tests.page.browser import NODE, WEB


@dataclass(frozen=True)
class Message:
    """What a message uses."""

    arguments: set[str]
    plurals: list[tuple[str, set[str]]]  # argument, its forms
    choices: dict[str, set[str]]  # argument of a select, its cases


def read(texts: Iterable[str]) -> dict[str, Message]:
    """Every message by its text; a malformed one fails here, with the parser's error."""
    known = list(dict.fromkeys(texts))
    done = subprocess.run(
        [str(NODE), "icu.mjs"], cwd=WEB, input=json.dumps(known), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return {text: _message(found) for text, found in zip(known, json.loads(done.stdout), strict=True)}


def _message(found: dict[str, list[list[str]]]) -> Message:
    choices: dict[str, set[str]] = {}
    for argument, cases in found["choices"]:
        choices.setdefault(argument, set()).update(cases)
    plurals = [(argument, set(forms)) for argument, forms in found["plurals"]]
    return Message(set(map(str, found["arguments"])), plurals, choices)
