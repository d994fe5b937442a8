"""Dice Nim: actions as codes, as structs and as notation."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec

from dice_nim.components import MAX_TAKEN
from laguna.games.contract import Action, in_order


class Take(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """D3: take so many counters."""

    do: Literal["take"]
    counters: Annotated[int, msgspec.Meta(ge=1, le=MAX_TAKEN)]


ACTION = Take
HOW_TO_WRITE = "how many counters to take, such as 2"
ACTIONS = in_order(
    [Take("take", count) for count in range(1, MAX_TAKEN + 1)], lambda take: str(take.counters)
)


def actions(s: Any) -> tuple[Action, ...]:
    """What each code means."""
    return ACTIONS


def encode(s: Any, action: Take) -> int:
    """The code of a structured action."""
    return action.counters - 1


def parse(s: Any, text: str) -> int | None:
    """The code of an action in short form, or None if it is not one."""
    read = re.fullmatch(f"[1-{MAX_TAKEN}]", text.strip())
    return int(read[0]) - 1 if read else None


def is_public(action: Take) -> bool:
    """D6: everybody sees what is taken."""
    return True
