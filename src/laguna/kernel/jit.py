"""Compilation: one decorator, and a cache on disk that never serves stale code.

Numba notices that a cached function changed, but not that a function *called by* it did.
So the cache folder is keyed by a hash of every source file that compiled code can come from.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED_LAYERS = ("kernel", "games", "bots")
CACHES_KEPT = 4

JIT = os.environ.get("LAGUNA_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def source_hash() -> str:
    """Hash of the sources of all layers that hold compiled code."""
    digest = hashlib.sha256()
    for layer in COMPILED_LAYERS:
        for path in sorted((PACKAGE / layer).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The user's cache folder, or the one named by LAGUNA_CACHE."""
    if named := os.environ.get("LAGUNA_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "laguna"


@cache
def cache_folder() -> Path:
    """The folder for exactly these sources; the oldest folders of other versions are dropped."""
    root = cache_root()
    name = f"compiled-{source_hash()}"
    try:
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:  # a home that cannot be written to: compile into a folder that lives as long as we do
        return Path(tempfile.mkdtemp(prefix="laguna-")) / name
    others = sorted(root.glob("compiled-*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in others[CACHES_KEPT:]:
        shutil.rmtree(stale, ignore_errors=True)
    return folder


def rule(function: Function) -> Function:
    """Compile a function of the rules (or leave it plain Python when LAGUNA_JIT=0)."""
    return _compiled(function, nogil=True)


def quick_rule(function: Function) -> Function:
    """The same for what Python asks often and takes a microsecond: it keeps Python's lock.

    Who lets go of the lock queues up for it again behind all other threads, which can take a thousand times
    as long.
    """
    return _compiled(function, nogil=False)


def _compiled(function: Function, nogil: bool) -> Function:
    """The cache folder is set only while Numba looks for it: other users of Numba keep their own settings."""
    if not JIT:
        return function
    import numba
    import numba.core.config

    config: Any = numba.core.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        compiled: Any = numba.njit(cache=True, nogil=nogil)(function)
    finally:
        config.CACHE_DIR = before
    return cast(Function, compiled)
