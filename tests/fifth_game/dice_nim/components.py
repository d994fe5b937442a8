"""Dice Nim: what is in the box, as data."""

from __future__ import annotations

MAX_PLAYERS = 3
MAX_COUNTERS = 21
MAX_TAKEN = 3  # D3: at once
DIE = 6

# What can happen: the kinds of events, see events.py.
TOOK, ENDED = range(2)
