"""Games played on the server alone, so that a test can begin at their end."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from tests.page.visitor import Visitor

PATIENCE = 90  # seconds


def play_on(visitor: Visitor, table: str, enough: Callable[[Any], bool] = lambda view: False) -> Any:
    """Play at random for this person until the game is over, or it is their turn and the view is `enough`."""
    chance = random.Random(1)
    until = time.monotonic() + PATIENCE
    while (view := visitor.view(table))["status"] == "playing":
        assert time.monotonic() < until, view
        if "act" not in view["may"] or not view["game"]["legal"]:
            visitor.page.wait_for_timeout(15)
            continue
        if enough(view):
            break
        action = chance.choice(view["game"]["legal"])
        visitor.ask("POST", f"/tables/{table}/act", {"version": view["version"], "action": action})
    return view
