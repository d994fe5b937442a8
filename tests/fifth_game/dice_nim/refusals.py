"""Dice Nim: why an action is not allowed."""

from __future__ import annotations

from typing import Any

from laguna.errors import IllegalAction, counted


def refusal(s: Any, code: int) -> IllegalAction:
    """The only reason there is: more counters than are left."""
    left = counted(s.heap, "counter")
    sentence = f"You cannot take {code + 1}: {left} {'is' if s.heap == 1 else 'are'} left (D3)."
    return IllegalAction("too-many", sentence, clause="D3", seat=s.turn, heap=s.heap)
