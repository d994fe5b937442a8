"""Let code play the seats that a client holds."""

from __future__ import annotations

import inspect
import random
from collections.abc import Awaitable, Callable
from typing import Any

from laguna.client.errors import Refused
from laguna.client.table import FollowedTable, Form
from laguna.errors import BadOption, either
from laguna.messages import Result

Chooser = Callable[[FollowedTable], Form | Awaitable[Form]]


def at_random(table: FollowedTable) -> Form:
    """Any legal action, with equal probability."""
    return random.choice(table.legal)


async def by_hint(table: FollowedTable) -> Form:
    """What the server's bot suggests; the table must allow hints."""
    action: str = (await table.hint(0.1))[0]["action"]
    return action


CHOOSERS: dict[str, Chooser] = {"random": at_random, "hint": by_hint}


async def play(table: FollowedTable, bot: str | Chooser) -> Result:
    """Act for my seats whenever one has to decide, until the game is over, and return the result.

    `bot` is a function from the table to an action (it may be async), or a name: `random`, or `hint`
    for what the server's bot suggests. A client knows only what its seats may know, so the bots of
    `laguna.bots`, which need a complete imagined game, run on the server: put one on a seat there.
    """
    choose = _find(bot) if isinstance(bot, str) else bot
    while True:
        view = await table.until(lambda view: table.my_turn or view.status == "over")
        if view.status == "over":
            assert view.result is not None
            return view.result
        chosen: Any = choose(table)
        action: Form = await chosen if inspect.isawaitable(chosen) else chosen
        try:
            await table.act(action)
        except Refused:
            if table.version == view.version:
                raise  # otherwise the game moved on while we chose: through another device, or the clock


def _find(name: str) -> Chooser:
    if name not in CHOOSERS:
        raise BadOption("unknown-bot", f"A client's bots are {either(CHOOSERS)}, not {name!r:.40}.")
    return CHOOSERS[name]
