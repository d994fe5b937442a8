"""What is in progress on a server, which closes only once that is finished."""

from __future__ import annotations

import asyncio

from laguna.server.logs import get_log
from laguna.server.storage import Unavailable

log = get_log("tables")


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

    def __enter__(self) -> None:
        if self.closing:
            raise Closing()
        self._under_way += 1

    def __exit__(self, *error: object) -> None:
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
