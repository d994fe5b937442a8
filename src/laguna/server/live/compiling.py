"""Child processes that compile one stage of a game into the cache."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from laguna.warmup import Stage

Hear = Callable[[float], None]  # is told the seconds of processor time used so far, by all children


async def compile_stage(game: str, stage: Stage, hear: Hear, *, background: bool = False) -> int:
    """Compile a stage, and return the exit code: 0 if it is in the cache now.

    In the background it is one child of low priority. Otherwise, where there are cores for it, a second child
    assists; the stage is complete as soon as the first one is done.
    """
    used = {"lead": 0.0, "assist": 0.0}

    def heard(name: str) -> Hear:
        def note(seconds: float) -> None:
            used[name] = seconds
            hear(sum(used.values()))

        return note

    if background:
        return await _child(heard("lead"), "--nice", "--stage", stage, game)
    assistant = None
    if in_parallel() > 1:
        assistant = asyncio.create_task(_child(heard("assist"), "--assist", "--stage", stage, game))
    try:
        return await _child(heard("lead"), "--stage", stage, game)
    finally:
        if assistant is not None:
            assistant.cancel()
            with suppress(asyncio.CancelledError):
                await assistant


def in_parallel() -> int:
    """How many children compile a stage that somebody waits for."""
    return min(os.cpu_count() or 1, 2)


async def _child(hear: Hear, *words: str) -> int:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "laguna.warmup", "--report", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        if child.stdout is not None:
            async for line in child.stdout:
                with suppress(ValueError):
                    hear(float(line))
        return await child.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            child.kill()
        raise
