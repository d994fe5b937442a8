"""How much is tried: `make test` in minutes, `make proof` (pytest --proof) at full size."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")

proof = False  # `conftest.py` sets it before any test is imported


def scaled(short: T, full: T) -> T:
    """How many games, kills, examples…: `short` in `make test`, `full` in `make proof`."""
    return full if proof else short
