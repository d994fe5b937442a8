"""Seats around the table."""

from __future__ import annotations

import numpy as np

from laguna.kernel.jit import rule


@rule
def clockwise(s, seat, steps):
    """The seat so many steps after this one, at most once around; dividing would take longer."""
    other = np.int64(seat) + steps
    return other - s.players if other >= s.players else other
