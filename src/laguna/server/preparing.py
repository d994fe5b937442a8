"""Games are compiled in a child process, once, while the server is already up.

The child fills the compile cache; afterwards the game is loaded from it here, in a thread.
`python -m laguna.server.preparing GAME` is that child.
"""

from __future__ import annotations

import asyncio
import gc
import sys

from laguna.bots import analyse
from laguna.bots.one_ply import greedy
from laguna.errors import LagunaError
from laguna.game import new
from laguna.games import find
from laguna.kernel.jit import JIT, cache_folder
from laguna.kernel.warmup import is_warm
from laguna.server.logs import get_log

log = get_log("preparing")


class NotPrepared(LagunaError):
    """The game could not be compiled."""


class Preparing:
    """Which games can be played now; the first who asks for another lets it be compiled."""

    def __init__(self) -> None:
        self._ready: set[str] = set()
        self._under_way: dict[str, asyncio.Task[None]] = {}

    @property
    def under_way(self) -> list[str]:
        """The games that are being compiled or loaded."""
        return list(self._under_way)

    def is_ready(self, game: str) -> bool:
        """Can it be played at once? If not, it is prepared from now on."""
        if game not in self._ready:
            self._begin(game)
        return game in self._ready

    async def ready(self, game: str) -> None:
        """Wait until the game can be played; NotPrepared if that failed (the next who asks tries again)."""
        if game not in self._ready:
            await asyncio.shield(self._begin(game))

    async def close(self) -> None:
        for task in self._under_way.values():
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    def _begin(self, game: str) -> asyncio.Task[None]:
        find(game)
        if game not in self._under_way:
            task = asyncio.create_task(self._prepare(game))
            self._under_way[game] = task
            task.add_done_callback(lambda done: self._finish(game, done))
        return self._under_way[game]

    def _finish(self, game: str, task: asyncio.Task[None]) -> None:
        del self._under_way[game]
        if not task.cancelled() and task.exception() is None:
            self._ready.add(game)

    async def _prepare(self, game: str) -> None:
        if not is_warm(_mark(game)):
            log.info("compiling", game=game)
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-m", __name__, game, stdin=asyncio.subprocess.DEVNULL
            )
            try:
                code = await child.wait()
            except asyncio.CancelledError:
                child.kill()
                raise
            if code:
                log.error("compiling failed", game=game, exit_code=code)
                raise NotPrepared("not-prepared", f"{find(game).meta.title} could not be compiled here.")
        await asyncio.to_thread(exercise, game)
        gc.freeze()  # to look through all of Numba for garbage takes a fifth of a second, each time
        log.info("game ready", game=game)


def exercise(game: str) -> None:
    """Call all compiled code of a game that a server calls, so that it is compiled and loaded."""
    played = new(game, seed=0)
    while not played.over:
        seat = played.deciders[-1]
        for each in range(played.players):
            played.view(each)
        played.play(played.legal(seat)[0], seat)
        if played.seat is not None:
            played.play(greedy(played.imagine(played.seat, 1), 1))
    played.undo()
    analyse(played, iterations=10)


def _mark(game: str) -> str:
    return f"{game}-server"


def main() -> None:
    for game in sys.argv[1:]:
        exercise(game)
        if JIT:
            (cache_folder() / f"{_mark(game)}.warm").touch()


if __name__ == "__main__":
    main()
