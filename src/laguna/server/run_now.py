"""Coroutines without tasks, where nothing has to be waited for."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any


def run_now(coroutine: Coroutine[Any, Any, Any]) -> bool:
    """Run it to its end; False if it had to wait: then it is given up, as if its task had been cancelled."""
    try:
        coroutine.send(None)
    except StopIteration:
        return True
    coroutine.close()
    return False
