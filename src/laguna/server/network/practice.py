"""A table for practice as its person sees it: the view, the lines, and what an action would do."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from laguna import messages
from laguna.practice import PracticeTable
from laguna.table import redact
from laguna.table.state import ActionForm


def view(at: PracticeTable) -> messages.TableView:
    """The table as the person sees it; when there is nothing left to do, nobody has to decide."""
    table = at.table
    whole = redact.table_view(table, at.person.id, table.entries[-1].at, range(len(table.chairs)))
    return replace(whole, may=["act"]) if at.goes_on else replace(whole, may=[], deciders=[])


def lines(at: PracticeTable, since: int) -> list[messages.Line]:
    return redact.lines(at.table, at.person.id, since)


def preview(at: PracticeTable, action: ActionForm) -> messages.Previewed:
    found = at.table.started.preview(action, at.seat)
    return messages.Previewed(0, at.table.id, at.table.version, found.events, found.goes_on)


def changes(at: PracticeTable, steps: Iterator[None]) -> list[messages.Changed]:
    """What happens, one by one."""
    found, since = [], at.table.version
    for _ in steps:
        found.append(messages.Changed(since, view(at), lines(at, since)))
        since = at.table.version
    return found
