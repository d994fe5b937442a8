"""What is in progress on a server, which closes only once that is finished."""

from __future__ import annotations

import asyncio

from laguna.errors import LagunaError
from laguna.server.logs import get_log
from laguna.server.storage import Unavailable

log = get_log("tables")

MAX_REQUESTS = 500  # in progress; further ones are refused at once, so that those few are answered soon


class Busy(LagunaError):
    """More is asked of this server than it can do."""

    def __init__(self) -> None:
        super().__init__("busy", "This server has too much to do right now; try again in a moment.")


class Closing(Unavailable):
    """This server is closing and takes no more requests."""


class Work:
    """Counts what is in progress. Once `closing`, nothing new is started."""

    def __init__(self) -> None:
        self.closing = False
        self._under_way = 0
        self._idle = asyncio.Event()

    def under_way(self) -> Work:
        """Something that closing waits for, as a context; Closing if it comes too late."""
        return self

    def requested(self) -> Work:
        """The same, where somebody asks for it and can ask again: Busy if there is too much of it."""
        if self._under_way >= MAX_REQUESTS:
            raise Busy
        return self

    @property
    def has_room(self) -> bool:
        """Would `requested` let another one in?"""
        return not self.closing and self._under_way < MAX_REQUESTS

    def __enter__(self) -> None:
        self.begin()

    def __exit__(self, *error: object) -> None:
        self.end()

    def begin(self) -> None:
        """What `under_way` does, where beginning and end are not in one function."""
        if self.closing:
            raise Closing()
        self._under_way += 1

    def end(self) -> None:
        self._under_way -= 1
        if not self._under_way:
            self._idle.set()

    async def finish(self, seconds: float) -> None:
        """Wait for what is in progress, for at most this long."""
        if self._under_way:
            self._idle.clear()
            try:
                await asyncio.wait_for(self._idle.wait(), seconds)
            except TimeoutError:
                log.warning("requests under way were given up", requests=self._under_way)
