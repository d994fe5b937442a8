"""Compilation: the decorators of everything that Numba compiles. `cache.py` says where it is kept."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

JIT = os.environ.get("LAGUNA_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def rule(function: Function) -> Function:
    """Compile a function of the rules (or leave it plain Python when LAGUNA_JIT=0)."""
    return _compiled(function, nogil=True)


def quick_rule(function: Function) -> Function:
    """The same for functions that Python calls often and that take a microsecond: they keep Python's lock.

    A thread that releases the lock queues up for it again behind all others, which can take a thousand times
    as long.
    """
    return _compiled(function, nogil=False)


def _compiled(function: Function, nogil: bool) -> Function:
    if not JIT:
        return function
    import numba

    from laguna.kernel.numba_cache import GameCache

    compiled: Any = numba.njit(nogil=nogil)(function)
    compiled._cache = GameCache(function)  # as `njit(cache=True)` sets Numba's own
    # Nobody calls them from C: without that wrapper they compile a tenth faster. CUDA has no such option.
    compiled._compiler.targetoptions = compiled.targetoptions | {"no_cfunc_wrapper": True}
    return cast(Function, compiled)
