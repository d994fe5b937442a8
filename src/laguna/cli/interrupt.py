"""Ctrl-C: heard at once, answered in a sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn, TypeVar

Result = TypeVar("Result")
INTERRUPTED = 130  # the exit code, as shells have it


class Interrupted(Exception):
    """Somebody pressed Ctrl-C; the text says what has become of the work."""


def interruptible(work: Callable[[], Result]) -> Result:
    """Do the work on another thread: this one hears Ctrl-C also while compiled code computes."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work).result()
    finally:
        pool.shutdown(wait=False)


def leave_at_once() -> NoReturn:
    """End the process without waiting for threads that still compute."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)
