"""Numba's cache on disk, in our folders, chosen by the game that a function is compiled for."""

from __future__ import annotations

import hashlib
import os
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _Cache, _CacheLocator

from laguna.kernel.cache import PACKAGE, cache_folder

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

GAMES: dict[Any, Path] = {}  # the folder of the game whose record has this Numba type
_here = threading.local()


class NotCompiled(Exception):
    """A function is not in the cache, and this thread must not compile."""


@contextmanager
def loading_only() -> Iterator[None]:
    """In this thread, compiled functions are only loaded; NotCompiled if one would have to be compiled."""
    _here.loading_only = True
    try:
        yield
    finally:
        _here.loading_only = False


@contextmanager
def sharing_work() -> Iterator[None]:
    """In this thread, a function that another process is already compiling is awaited, not compiled again.

    The other process must share its work, too. Where files cannot be locked, this changes nothing.
    """
    _here.sharing = fcntl is not None
    try:
        yield
    finally:
        _here.sharing = False


class GameCache(_Cache):
    """The cache of one function: a file for each game that it is compiled for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._caches: dict[Path, FunctionCache] = {}

    def _cache_for(self, signature: Any) -> FunctionCache:
        folder = _folder(self._function, signature)
        if folder not in self._caches:
            self._caches[folder] = _cache_in(folder, self._function)
        return self._caches[folder]

    @property
    def cache_path(self) -> str:
        return str(_folder(self._function, ()))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = self._cache_for(sig).load_overload(sig, target_context)
        if found is None and getattr(_here, "loading_only", False):
            raise NotCompiled(self._function.__qualname__)
        if found is None and getattr(_here, "sharing", False) and self._claim(sig):
            found = self._cache_for(sig).load_overload(sig, target_context)
            if found is not None:
                self._release(sig)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # a read-only folder or a full disk: it is compiled anyway
            self._cache_for(sig).save_overload(sig, data)
        if getattr(_here, "sharing", False):
            self._release(sig)

    def _claim(self, sig: Any) -> bool:
        """Let no other process compile this until it is released; first wait for one that is doing so.

        A process that ends releases what it has claimed.
        """
        with suppress(OSError):  # a read-only folder, or two that would wait for each other
            fcntl.lockf(_claims(_folder(self._function, sig)), fcntl.LOCK_EX, 1, self._number(sig))
            return True
        return False

    def _release(self, sig: Any) -> None:
        with suppress(OSError):
            fcntl.lockf(_claims(_folder(self._function, sig)), fcntl.LOCK_UN, 1, self._number(sig))

    def _number(self, sig: Any) -> int:
        """The place in the file of claims that stands for this function and signature."""
        return zlib.crc32(f"{self._function.__module__} {self._function.__qualname__} {sig}".encode())

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        for each in self._caches.values():
            each.flush()


def _cache_in(folder: Path, function: Callable[..., Any]) -> FunctionCache:
    """Numba's cache of a function, in one of our folders, with a stamp that depends only on contents."""

    class Locator(_CacheLocator):
        @classmethod
        def from_function(cls, py_func: Any, py_file: Any) -> Any:
            return cls()

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return _stamp(function.__code__.co_filename)

        def get_disambiguator(self) -> str:
            return f"{function.__module__}-{function.__code__.co_firstlineno}"

    class Impl(CompileResultCacheImpl):
        def __init__(self, py_func: Any) -> None:
            locators: list[Any] = [Locator]
            self._locator_classes = locators
            super().__init__(py_func)

    class Cache(FunctionCache):
        _impl_class = Impl

        def save_overload(self, sig: Any, data: Any) -> None:
            with _alone_in(folder):
                super().save_overload(sig, data)

    return Cache(function)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """One process at a time: Numba reads the index of a function and writes it back with one more file.

    Two processes doing so at once would both use the same file for different code, and whoever loads it later
    would call the wrong code.
    """
    if fcntl is None:
        yield
        return
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed
        yield


@cache
def _claims(folder: Path) -> int:
    """A file of which processes lock single bytes. It stays open: closing it would release all of them."""
    return os.open(folder / ".claims", os.O_RDWR | os.O_CREAT, 0o600)


@cache
def _stamp(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _folder(function: Callable[..., Any], signature: Any) -> Path:
    """The cache folder for a function that is called with these types."""
    file = Path(function.__code__.co_filename).resolve()
    if (file.parent / "rules.py").exists():  # a game's own function
        return cache_folder(file.parent)
    arguments = getattr(signature, "args", signature)
    games = (GAMES.get(each.dtype if isinstance(each, types.Array) else each) for each in arguments)
    game = next((game for game in games if game is not None), None)
    return cache_folder(game, bots=file.parent != PACKAGE / "kernel")
