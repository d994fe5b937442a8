"""Changes planted in a server, such as leaks to be caught. Each gets a `patch(object, name, value)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from laguna import messages
from laguna.errors import IllegalAction, LagunaError
from laguna.fair import commitment
from laguna.games import find
from laguna.games.contract import GameView
from laguna.lab import analysis
from laguna.messages import Line
from laguna.server.live import background, reviews
from laguna.table import permissions, redact
from laguna.table import table as tables
from laguna.table.entries import Acted, AnyEntry, Milliseconds, Person, Started
from laguna.table.table import Table

Patch = Callable[[Any, str, Any], None]


def all_hands(patch: Patch) -> None:
    """A view that shows to one seat what the other holds."""
    views = find("neptune-vesta").views
    view = views.view

    def telling(s: Any, *, seat: int | None, **common: Any) -> GameView:
        other = view(s, seat=1 - (seat or 0), **common)
        return replace(view(s, seat=seat, **common), seats=[*common["seats"], str(other["hand"])])

    patch(views, "view", telling)


def secret_choices(patch: Patch) -> None:
    """A log that reveals which card another player kept."""
    line = redact._line

    def telling(table: Table, reader: int | None, version: int, entry: AnyEntry) -> Line:
        found = line(table, reader, version, entry)
        return replace(found, action=entry.action) if isinstance(entry, Acted) else found

    patch(redact, "_line", telling)


def talkative_refusals(patch: Patch) -> None:
    """A refusal that says what the other holds."""
    error = redact.error

    def telling(table: Table | None, person_id: str, problem: LagunaError) -> messages.Problem:
        found = error(table, person_id, problem)
        if table is None or not isinstance(problem, IllegalAction):
            return found
        held = table.started.view(1 - table.seats_of(person_id)[0])["hand"]
        return replace(found, sentence=f"{found.sentence} The other one has {held}.")

    patch(redact, "error", telling)


def open_hands(patch: Patch) -> None:
    """A table that lets everybody see as any seat does."""
    patch(permissions, "sees", lambda table, person_id, seat: True)


def looks_at_tokens_often(patch: Patch) -> None:
    """So that a test need not wait for the next check."""
    patch(background, "LOOK", 0.5)


def impatient_dealing(patch: Patch) -> None:
    """A second instead of ten to open the shares of the deal."""
    patch(tables, "OPENING_TIME", 1000)


def another_commitment(patch: Patch) -> None:
    """An operator who publishes the commitment to another secret once the game is over."""
    view, export = redact.table_view, redact.export
    secret = bytes(32)

    def swapped(table: Table, *rest: Any) -> messages.TableView:
        found = view(table, *rest)
        if table.status != "over":
            return found
        return replace(found, commitment=commitment(secret), secret=secret.hex())

    def export_swapped(table: Table, person_id: str | None) -> str:
        text = export(table, person_id).replace(table.secret.hex(), secret.hex())
        return text.replace(table.commitment, commitment(secret))

    patch(redact, "table_view", swapped)
    patch(redact, "export", export_swapped)


def another_secret(patch: Patch) -> None:
    """An operator whose game files have another secret than the one committed to."""
    export = redact.export
    patch(redact, "export", lambda table, *rest: export(table, *rest).replace(table.secret.hex(), "0" * 64))


def another_game(patch: Patch) -> None:
    """An operator whose game files say that the last action was another one; the chain fits."""

    def export(table: Table, person_id: str | None) -> str:
        game = table.started.copy()
        undone = str(game.undo())
        game.play(next(action for action in game.legal() if str(action) != undone))
        return game.dumps()

    patch(redact, "export", export)


def ignored_seals(patch: Patch) -> None:
    """An operator who ignores seals, and so starts at once."""
    patch(Table, "seal", lambda *_: [])


def lost_shares(patch: Patch) -> None:
    """An operator who drops the shares that arrive, and starts the game."""

    def share(self: Table, person: Person, share: str, now: Milliseconds) -> list[AnyEntry]:
        return self._done(Started(now))

    patch(Table, "share", share)


def short_reviews(patch: Patch) -> None:
    """Reviews that take a moment instead of half a minute."""
    patch(reviews, "MAX_ITERATIONS", 300)
    patch(analysis, "FORECASTS", 2)
    patch(analysis, "WORLDS", 1)
