"""Games are compiled in child processes, once, while the server is already up.

A child fills the compile cache; a game is loaded from it here, in a thread, when it is first asked for.
`python -m laguna.server.preparing [--gently] GAME` is that child.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from contextlib import suppress

from laguna.bots import analyse
from laguna.bots.one_ply import greedy
from laguna.errors import LagunaError
from laguna.game import Game, from_position, new
from laguna.games import find, rulebooks
from laguna.kernel.jit import JIT
from laguna.kernel.warmup import is_warm, mark_cold, mark_warm
from laguna.server.logs import get_log
from laguna.table.result import breakdown

log = get_log("preparing")

PART = "server"  # of a game: what a server calls


class NotPrepared(LagunaError):
    """The game could not be compiled."""


class Preparing:
    """Which games can be played now. Those that people ask for are compiled before the others."""

    def __init__(self) -> None:
        self._ready: set[str] = set()
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._compiling: dict[str, asyncio.Task[None]] = {}
        self._ahead: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Prepare from now on, one after the other, what nobody has asked for yet."""
        self._ahead = asyncio.create_task(self._prepare_ahead())

    async def _prepare_ahead(self) -> None:
        """Load what is compiled, so that nobody waits for it; then compile the others."""
        for game in rulebooks():
            if _is_compiled(game):
                await self.ready(game)
        for game in rulebooks():
            with suppress(NotPrepared):  # it is in the log, and whoever asks for the game is told
                await asyncio.shield(self._compiled(game, "--gently"))

    @property
    def under_way(self) -> list[str]:
        """The games that are being compiled or loaded."""
        return list(self._under_way)

    def known(self, game: str) -> tuple[bool, bool]:
        """Is it compiled, and can it be played at once? To ask prepares nothing."""
        ready = game in self._ready
        return ready or _is_compiled(game), ready

    def is_ready(self, game: str) -> bool:
        """Can it be played at once? If not, it is prepared from now on."""
        if game not in self._ready:
            self._begin(game)
        return game in self._ready

    async def ready(self, game: str) -> None:
        """Wait until the game can be played; NotPrepared if that failed (the next who asks tries again)."""
        if game in self._ready:
            return
        preparing = self._begin(game)
        try:
            await asyncio.shield(preparing)
        except asyncio.CancelledError:
            if preparing.cancelled():  # it was `close`, not who asks, that gave up
                raise NotPrepared("unavailable", "This server is closing.") from None
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
            task = asyncio.create_task(self._prepare(game))
            self._under_way[game] = task
            task.add_done_callback(lambda done: self._finish(game, done))
        return self._under_way[game]

    def _finish(self, game: str, task: asyncio.Task[None]) -> None:
        del self._under_way[game]
        if not task.cancelled() and task.exception() is None:
            self._ready.add(game)

    async def _prepare(self, game: str) -> None:
        await asyncio.shield(self._compiled(game))
        if not await asyncio.to_thread(load, game):  # the cache was damaged, or belongs to another machine
            mark_cold(find(game).path, PART)
            await asyncio.shield(self._compiled(game))
            if not await asyncio.to_thread(load, game):
                raise _not_compiled(game)
        gc.freeze()  # to look through all of Numba for garbage takes a fifth of a second, each time
        log.info("game ready", game=game)

    def _compiled(self, game: str, *words: str) -> asyncio.Task[None]:
        """One child for a game, however many wait for it; after a failure the next who asks tries again."""
        if game not in self._compiling:
            self._compiling[game] = asyncio.create_task(_compile(game, *words))
            self._compiling[game].add_done_callback(lambda _: self._compiling.pop(game))
        return self._compiling[game]


async def _compile(game: str, *words: str) -> None:
    if _is_compiled(game):
        return
    log.info("compiling", game=game)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, *words, game, stdin=asyncio.subprocess.DEVNULL
    )
    try:
        code = await child.wait()
    except asyncio.CancelledError:
        child.kill()
        raise
    if code:
        log.error("compiling failed", game=game, exit_code=code)
        raise _not_compiled(game)


def _not_compiled(game: str) -> NotPrepared:
    return NotPrepared("not-prepared", f"{find(game).meta.title} could not be compiled here.")


def exercise(game: str) -> None:
    """Call all compiled code of a game that a server calls, so that it is compiled and loaded."""
    played = new(game, seed=0)
    while not played.over:
        if played.played % 12 == 0:
            _ask_everything(played)
        seat = played.deciders[-1]
        for each in range(played.players):
            played.view(each)
        played.play(played.legal(seat)[0], seat)
        if played.seat is not None:
            played.play(greedy(played.imagine(played.seat, 1), 1))
    _ask_everything(played)
    played.undo()
    analyse(played, seconds=1e-6, threads=1, hurry=True)


def _ask_everything(game: Game) -> None:
    """Why not, what was scored and how it stands: words and positions ask the rules, too."""
    for code in range(game.rules.CODES):
        with suppress(LagunaError):
            game.check(code)
    breakdown(game)
    from_position(game.meta.id, game.position())


def load(game: str) -> bool:
    """Load all compiled code that a server calls, without compiling any; False if some is missing.

    To compile here would stop the server meanwhile: compiling holds Python's lock.
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
    return is_warm(find(game).path, PART)


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["--gently"]:  # nobody waits for it yet: whatever somebody waits for comes first
        words = words[1:]
        if hasattr(os, "nice"):
            os.nice(19)
    for game in words:
        exercise(game)
        for part in ("rules", "search", PART):
            mark_warm(find(game).path, part)


if __name__ == "__main__":
    main()
