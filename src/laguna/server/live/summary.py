"""A table as lists and sweeps need it, written beside its log."""

from __future__ import annotations

from msgspec.structs import replace

from laguna.server.storage import Summary
from laguna.table import redact
from laguna.table.entries import Acted, Milliseconds
from laguna.table.result import ranks
from laguna.table.table import Table

BOT_TIME = 10_000  # milliseconds in which a bot should have moved; after that another server lets it


def summary_of(table: Table) -> Summary:
    """The same one again, if an action has changed nothing of it: then it is encoded only once."""
    acted = isinstance(table.entries[-1], Acted)
    if not acted or table.status != "playing" or table.clocks.limited or table.bots_to_move():
        return _made(table)
    key = ("summary", *table.deciders)
    found: Summary | None = table.memo.get(key)
    if found is None:
        found = table.memo[key] = _made(table)
    return found


def _made(table: Table) -> Summary:
    settings, result = table.settings, table.result
    return Summary(
        status=table.status,
        game=settings.game,
        players=len(table.chairs),
        seats=redact.seats(table, ()),
        holders=[[person.id for person in chair.people] for chair in table.chairs],
        deciders=list(table.deciders),
        clock=settings.clock,
        listed=settings.listed,
        due=_due(table),
        rated=settings.rated and table.position is None,
        ended=table.ended,
        result=None if result is None else replace(result, breakdown=[]),
        ranks=[] if result is None else ranks(result, table.gave_up),
    )


def _due(table: Table) -> Milliseconds | None:
    """By when some server must do something at the table."""
    clock = table.due()
    if not table.bots_to_move():
        return clock
    bots = table.entries[-1].at + BOT_TIME
    return bots if clock is None else min(bots, clock)
