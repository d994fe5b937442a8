"""Which games this server can play: compiled in child processes, once, while the server is already up.

A game is prepared in two stages: first what a table needs, so that people can begin to play, then what its
bots need. In each, children (`python -m laguna.warmup`) fill the compile cache, and the game is loaded from
it here, in a thread.
"""

from __future__ import annotations

import asyncio
import gc
import time
from contextlib import suppress
from typing import get_args

from laguna.errors import LagunaError, Refusal
from laguna.games import find, rulebooks
from laguna.kernel.cache import cache_folder
from laguna.kernel.jit import JIT
from laguna.messages import Preparation
from laguna.server.live.compiling import compile_stage, in_parallel
from laguna.server.live.estimates import Estimates, Phase, Progress
from laguna.server.logs import get_log
from laguna.server.processes.neighbors import Away, Failed, Neighbor
from laguna.table.entries import Settings
from laguna.warmup import Part, Stage, exercise_stage, is_warm, mark_cold

log = get_log("loading")

STAGES: tuple[Stage, ...] = get_args(Stage)
LOADING: dict[Stage, Phase] = {"table": "load-table", "bots": "load-bots"}
TOGETHER = 0.8  # processor seconds a second that each of two children gets done: they wait for each other


class CannotCompile(LagunaError):
    """The game could not be compiled."""


class GameLoader:
    """Which games can be played now. Those that people ask for are compiled before the others."""

    def __init__(self, compiled_by: Neighbor | None = None) -> None:
        """`compiled_by`: the process that compiles for all processes of this server, if it is another one."""
        self._compiled_by = compiled_by
        self._ready: set[tuple[str, Stage]] = set()
        self._under_way: dict[tuple[str, Stage], asyncio.Task[None]] = {}
        self._ahead: asyncio.Task[None] | None = None
        self._compiling: set[tuple[str, Stage]] = set()
        self._shared: set[tuple[str, Stage]] = set()  # compiled ahead and on request at the same time
        self._estimates = Estimates()
        self._progress: dict[tuple[str, Stage], Progress] = {}

    def start(self) -> None:
        """Start loading, one after the other, the games that nobody has asked for yet."""
        self._ahead = asyncio.create_task(self._load_ahead())

    async def _load_ahead(self) -> None:
        """Load what is compiled, so that nobody waits for it; then compile the others: their tables first."""
        for game in rulebooks():
            if _is_compiled(game, "bots"):
                with suppress(CannotCompile):
                    await self.ready(game, "bots")
        if self._compiled_by is not None:
            return
        for stage in STAGES:
            for game in rulebooks():
                with suppress(CannotCompile):  # it is in the log, and whoever asks for the game is told
                    if not _is_compiled(game, stage):
                        await self._compile(game, stage, Progress({}), background=True)

    @property
    def under_way(self) -> list[str]:
        """The games whose tables have to wait because they are being compiled or loaded."""
        return [game for game, stage in self._under_way if stage == "table"]

    def known(self, game: str) -> tuple[bool, bool]:
        """Is what a table needs compiled, and can one be opened at once? Asking loads nothing."""
        ready = (game, "table") in self._ready
        return ready or _is_compiled(game, "table"), ready

    def preparation(self, game: str) -> Preparation | None:
        """How far the stage has come that people wait for now; None if they wait for none."""
        for stage in STAGES:
            if progress := self._progress.get((game, stage)):
                return progress.look()
        return None

    def is_ready(self, game: str, stage: Stage = "table") -> bool:
        """Can it be played at once? If not, start loading it."""
        if (game, stage) not in self._ready:
            self._begin(game, stage)
        return (game, stage) in self._ready

    async def ready(self, game: str, stage: Stage = "table") -> None:
        """Wait for a stage of the game; CannotCompile if it failed (the next request tries again)."""
        if (game, stage) in self._ready:
            return
        loading = self._begin(game, stage)
        try:
            await asyncio.shield(loading)
        except asyncio.CancelledError:
            if loading.cancelled():  # it was `close` that gave up, not the caller
                raise CannotCompile("unavailable", "This server is closing.") from None
            raise

    async def ready_for(self, settings: Settings, position: bool = False) -> None:
        """Wait until such a table can be played; with clocks no bot may lose time while it gets ready.

        To begin from a `position` the game must be complete, too: the last stage reads positions.
        """
        at_once = settings.clock.kind != "none" or position
        await self.ready(settings.game, "bots" if at_once else "table")

    async def bots_soon(self, game: str) -> None:
        """Wait until the bots are loaded; Refusal if they are still to be compiled, which takes longer."""
        if not self.is_ready(game, "bots") and not _is_compiled(game, "bots"):
            raise Refusal("bots-preparing", "The bots are still getting ready: try again in a moment.")
        await self.ready(game, "bots")

    async def close(self) -> None:
        tasks = [*([self._ahead] if self._ahead else []), *self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, game: str, stage: Stage) -> asyncio.Task[None]:
        find(game)
        key = game, stage
        if key not in self._under_way:
            task = asyncio.create_task(self._prepare(game, stage))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._finish(game, stage, done))
        return self._under_way[key]

    def _finish(self, game: str, stage: Stage, task: asyncio.Task[None]) -> None:
        del self._under_way[game, stage]
        self._progress.pop((game, stage), None)
        if task.cancelled() or task.exception() is not None:
            return
        self._ready.add((game, stage))
        if stage == "table" and (game, "bots") not in self._ready:
            self._begin(game, "bots")

    async def _prepare(self, game: str, stage: Stage) -> None:
        if stage == "bots":
            await self.ready(game, "table")
        book = find(game)
        phases: list[Phase] = [LOADING[stage]] if _is_compiled(game, stage) else [stage, LOADING[stage]]
        progress = Progress({phase: self._estimates.expected(book, phase) for phase in phases})
        self._progress[game, stage] = progress
        if not _is_compiled(game, stage):
            progress.enter(stage, TOGETHER * in_parallel())
            await self._compile(game, stage, progress)
        progress.enter(LOADING[stage])
        began = time.monotonic()
        if not await asyncio.to_thread(load, game, stage):  # the cache is damaged, or another machine's
            for part in get_args(Part):
                mark_cold(book, part)
            await self._compile(game, stage, progress)
            if not await asyncio.to_thread(load, game, stage):
                raise _not_compiled(game)
        else:
            self._estimates.learn(book, LOADING[stage], time.monotonic() - began)
        gc.freeze()  # searching all of Numba for garbage takes a fifth of a second each time
        log.info("game ready", game=game, stage=stage)

    async def _compile(self, game: str, stage: Stage, progress: Progress, background: bool = False) -> None:
        if self._compiled_by is not None:
            try:
                await self._compiled_by.call("prepare", game, stage)
            except (Away, Failed) as error:
                raise CannotCompile(error.key, error.sentence) from None
            return
        log.info("compiling", game=game, stage=stage)
        book, used, key = find(game), 0.0, (game, stage)
        if key in self._compiling:
            self._shared.add(key)  # each does a part of the work, so neither tells how much it is
        self._compiling.add(key)
        from_scratch = not any(cache_folder(book.path, bots=stage == "bots").glob("*.nbc"))

        def hear(seconds: float) -> None:
            nonlocal used
            used = seconds
            progress.report(seconds)

        if code := await compile_stage(game, stage, hear, background=background):
            log.error("compiling failed", game=game, stage=stage, exit_code=code)
            raise _not_compiled(game)
        if from_scratch and used and key not in self._shared:
            self._estimates.learn(book, stage, used)


def _not_compiled(game: str) -> CannotCompile:
    return CannotCompile("not-prepared", f"{find(game).meta.title} could not be compiled here.")


def load(game: str, stage: Stage) -> bool:
    """Load all compiled code that this stage calls, without compiling any; False if some is missing.

    Compiling here would stall the server: it holds Python's lock.
    """
    if not JIT:
        return True
    from laguna.kernel.numba_cache import NotCompiled, loading_only

    try:
        with loading_only():
            exercise_stage(game, stage)
    except NotCompiled as missing:
        log.warning("not in the compile cache", game=game, function=str(missing))
        return False
    return True


def _is_compiled(game: str, stage: Stage) -> bool:
    return is_warm(find(game), "table" if stage == "table" else "server")
