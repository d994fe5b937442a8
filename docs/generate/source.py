"""The comments beside fields, which say what the fields are for and which Python itself does not keep."""

from __future__ import annotations

import inspect
import re
from types import ModuleType
from typing import Any

_FIELD = re.compile(r"^    (\w+): .*?  # (.+)$", re.MULTILINE)
_CONSTANT = re.compile(r"^(\w+) = .*?  # (.+)$", re.MULTILINE)
_RECORD_FIELD = re.compile(r'^\s+\("(\w+)", .*\),  # (.+)$', re.MULTILINE)


def field_comments(cls: type[Any]) -> dict[str, str]:
    """The comments beside the fields of a class, including those of its bases."""
    comments: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.partition(".")[0] == "laguna":
            comments |= dict(_FIELD.findall(inspect.getsource(base)))
    return comments


def record_comments(rules: ModuleType) -> dict[str, str]:
    """The comments beside the fields of a game's record."""
    return dict(_RECORD_FIELD.findall(inspect.getsource(rules)))


def constant_comments(module: ModuleType) -> dict[str, str]:
    """The comments beside the constants and the named types of a module."""
    return dict(_CONSTANT.findall(inspect.getsource(module)))
