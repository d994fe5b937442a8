"""Ctrl-C takes effect at once and is answered with a sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn, TypeVar

Result = TypeVar("Result")
INTERRUPTED = 130  # the conventional exit code


class Interrupted(Exception):
    """The user pressed Ctrl-C; the text says what happened to the work."""


def interruptible(work: Callable[[], Result]) -> Result:
    """Do the work on another thread, so that this one can react to Ctrl-C while compiled code runs."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work).result()
    finally:
        pool.shutdown(wait=False)


def leave_at_once() -> NoReturn:
    """End the process without waiting for threads that are still computing."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)
