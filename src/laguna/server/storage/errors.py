"""What can go wrong with a database. None of these sentences and log lines contain a password or a secret."""

from __future__ import annotations

import logging

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError

from laguna.errors import LagunaError

log = logging.getLogger("laguna.storage")


class BadDatabase(LagunaError):
    """The database cannot be used as it is; a person has to look at it."""


class Stale(LagunaError):
    """Another server wrote that version first (or the one before it is missing). Nothing was written."""

    def __init__(self) -> None:
        super().__init__("stale", "The table has changed in the meantime.")


class Unavailable(LagunaError):
    """The database did not answer. The write may or may not have happened: reload before continuing."""

    def __init__(self) -> None:
        super().__init__("unavailable", "The database is not responding right now; try again in a moment.")


class Unreadable(LagunaError):
    """The log of a table cannot be read from that entry on; `why` is for the server's log."""

    def __init__(self, entry: int, why: str, sentence: str = "") -> None:
        damaged = "This table cannot be read: its log is damaged. The details are in the server's log."
        super().__init__("unreadable-table", sentence or damaged)
        self.entry = entry
        self.why = why


class AccountTaken(LagunaError):
    """Someone else has an account with that name."""


def is_away(error: DBAPIError) -> bool:
    """Is the database at fault (gone, locked, full), rather than the statement?"""
    asked_wrongly = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
    return error.connection_invalidated or not isinstance(error, asked_wrongly)


def cause(error: DBAPIError) -> str:
    """The first line of the driver's message: later lines may quote rows."""
    return (str(error.orig).splitlines() or [type(error.orig).__name__])[0]


def unavailable(error: DBAPIError) -> Unavailable:
    """Log why the database is unavailable; callers need not know."""
    log.warning("The database does not answer: %s", cause(error))
    return Unavailable()


def in_our_words(error: DBAPIError) -> Exception:
    """What callers get instead of a driver's error, which may quote rows: Unavailable, or a plain error."""
    return unavailable(error) if is_away(error) else RuntimeError(f"The database refused: {cause(error)}")
