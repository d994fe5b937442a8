"""Which games this server can play: compiled in child processes, once, while the server is already up.

A child (`python -m laguna.warmup`) fills the compile cache; a game is loaded from it here, in a thread, when
it is first requested.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from contextlib import suppress

from laguna.errors import LagunaError
from laguna.games import find, rulebooks
from laguna.kernel.jit import JIT
from laguna.server.logs import get_log
from laguna.warmup import exercise, is_warm, mark_cold

log = get_log("loading")


class CannotCompile(LagunaError):
    """The game could not be compiled."""


class GameLoader:
    """Which games can be played now. Those that people ask for are compiled before the others."""

    def __init__(self) -> None:
        self._ready: set[str] = set()
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._compiling: dict[str, asyncio.Task[None]] = {}
        self._ahead: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start loading, one after the other, the games that nobody has asked for yet."""
        self._ahead = asyncio.create_task(self._load_ahead())

    async def _load_ahead(self) -> None:
        """Load what is compiled, so that nobody waits for it; then compile the others."""
        for game in rulebooks():
            if _is_compiled(game):
                await self.ready(game)
        for game in rulebooks():
            with suppress(CannotCompile):  # it is in the log, and whoever asks for the game is told
                await asyncio.shield(self._compiled(game, "--nice"))

    @property
    def under_way(self) -> list[str]:
        """The games that are being compiled or loaded."""
        return list(self._under_way)

    def known(self, game: str) -> tuple[bool, bool]:
        """Is it compiled, and can it be played at once? Asking loads nothing."""
        ready = game in self._ready
        return ready or _is_compiled(game), ready

    def is_ready(self, game: str) -> bool:
        """Can it be played at once? If not, start loading it."""
        if game not in self._ready:
            self._begin(game)
        return game in self._ready

    async def ready(self, game: str) -> None:
        """Wait until the game can be played; CannotCompile if that failed (the next request tries again)."""
        if game in self._ready:
            return
        loading = self._begin(game)
        try:
            await asyncio.shield(loading)
        except asyncio.CancelledError:
            if loading.cancelled():  # it was `close` that gave up, not the caller
                raise CannotCompile("unavailable", "This server is closing.") from None
            raise

    async def close(self) -> None:
        ahead = [self._ahead] if self._ahead else []
        tasks = [*ahead, *self._under_way.values(), *self._compiling.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, game: str) -> asyncio.Task[None]:
        find(game)
        if game not in self._under_way:
            task = asyncio.create_task(self._load(game))
            self._under_way[game] = task
            task.add_done_callback(lambda done: self._finish(game, done))
        return self._under_way[game]

    def _finish(self, game: str, task: asyncio.Task[None]) -> None:
        del self._under_way[game]
        if not task.cancelled() and task.exception() is None:
            self._ready.add(game)

    async def _load(self, game: str) -> None:
        await asyncio.shield(self._compiled(game))
        if not await asyncio.to_thread(load, game):  # the cache was damaged, or belongs to another machine
            mark_cold(find(game), "server")
            await asyncio.shield(self._compiled(game))
            if not await asyncio.to_thread(load, game):
                raise _not_compiled(game)
        gc.freeze()  # searching all of Numba for garbage takes a fifth of a second each time
        log.info("game ready", game=game)

    def _compiled(self, game: str, *words: str) -> asyncio.Task[None]:
        """One child per game, however many wait for it; after a failure the next request tries again."""
        if game not in self._compiling:
            self._compiling[game] = asyncio.create_task(_compile(game, *words))
            self._compiling[game].add_done_callback(lambda _: self._compiling.pop(game))
        return self._compiling[game]


async def _compile(game: str, *words: str) -> None:
    if _is_compiled(game):
        return
    log.info("compiling", game=game)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "laguna.warmup", *words, game, stdin=asyncio.subprocess.DEVNULL
    )
    try:
        code = await child.wait()
    except asyncio.CancelledError:
        child.kill()
        raise
    if code:
        log.error("compiling failed", game=game, exit_code=code)
        raise _not_compiled(game)


def _not_compiled(game: str) -> CannotCompile:
    return CannotCompile("not-prepared", f"{find(game).meta.title} could not be compiled here.")


def load(game: str) -> bool:
    """Load all compiled code that a server calls, without compiling any; False if some is missing.

    Compiling here would stall the server: it holds Python's lock.
    """
    if not JIT:
        return True
    from laguna.kernel.numba_cache import NotCompiled, loading_only

    try:
        with loading_only():
            exercise(game)
    except NotCompiled as missing:
        log.warning("not in the compile cache", game=game, function=str(missing))
        return False
    return True


def _is_compiled(game: str) -> bool:
    return is_warm(find(game), "server")
