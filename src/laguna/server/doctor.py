"""`laguna doctor`: is everything that a server needs in place? One sentence for each check."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import nats
from sqlalchemy.exc import DBAPIError

import laguna
from laguna.errors import LagunaError, counted
from laguna.games import rulebooks
from laguna.kernel.cache import cache_folder, temporary_root
from laguna.kernel.jit import JIT
from laguna.server.settings import ServerSettings, without_password
from laguna.server.storage import Storage, check_not_emptied
from laguna.warmup import is_warm

MIN_DISK = 200_000_000  # bytes
PATIENCE = 5  # seconds for anything on another machine


class Finding(NamedTuple):
    about: str
    fine: bool
    sentence: str


def examine(settings: ServerSettings) -> Iterator[Finding]:
    """Check one thing after another. Nothing is changed, and no database is created."""
    checks: dict[str, Callable[[ServerSettings], str]] = {
        "Python": _python,
        "compile cache": _cache,
        "database": _database,
        "bus": _bus,
        "processes": _processes,
        "port": _port,
        "clock": _clock,
        "disk": _disk,
    }
    for about, check in checks.items():
        try:
            yield Finding(about, True, check(settings))
        except (LagunaError, OSError, _Trouble) as trouble:
            yield Finding(about, False, str(trouble))


class _Trouble(Exception):
    """A check that failed."""


def _python(_: ServerSettings) -> str:
    version = sys.version_info[:3]
    text = ".".join(map(str, version))
    if version < (3, 11):
        raise _Trouble(f"Python {text} is too old; Laguna needs 3.11.")
    return f"Python {text}, Laguna {laguna.__version__}."


def _cache(_: ServerSettings) -> str:
    if not JIT:
        return "Compilation is off (LAGUNA_JIT=0): everything works, but slowly."
    folder = cache_folder().parent
    if folder == temporary_root():
        raise _Trouble(
            f"Compiled games are kept in {folder}, which may be cleared at any time: set LAGUNA_CACHE "
            "to a folder that this user can write to."
        )
    cold = [book.meta.title for book in rulebooks().values() if not is_warm(book, "rules")]
    if cold:
        return (
            f"{folder} is in place; {', '.join(cold)} will be compiled at first use "
            "(`laguna warm-up` does it now)."
        )
    return f"{folder} holds all {len(rulebooks())} games."


def _database(settings: ServerSettings) -> str:
    url = settings.database_url
    shown = without_password(url)
    if url.startswith("sqlite:///"):
        path = Path(url.removeprefix("sqlite:///"))
        if not path.exists():
            folder = next(each for each in path.absolute().parents if each.exists())
            if not os.access(folder, os.W_OK):
                raise _Trouble(f"{path} does not exist and cannot be created: {folder} cannot be written to.")
            return f"{path} does not exist yet; `laguna serve` creates it."
        check_not_emptied(url, settings.backups)

    async def look() -> None:
        storage = Storage(url)
        try:
            await storage.ping()
        finally:
            await storage.close()

    try:
        asyncio.run(look())
    except DBAPIError:  # it answered, but it does not have our tables
        return (
            f"{shown} answers, and is empty or another program's; `laguna serve` creates the tables "
            "or says so."
        )
    return f"{shown} answers."


def _bus(settings: ServerSettings) -> str:
    if not settings.bus:
        return "No bus: a single server, with bots in its own threads."

    async def look() -> None:
        async with asyncio.timeout(PATIENCE):
            client = await nats.connect(settings.bus, error_cb=_no_words)
            await client.flush(PATIENCE)
        await client.close()

    try:
        asyncio.run(look())
    except (nats.errors.Error, TimeoutError) as error:
        why = type(error).__name__
        raise _Trouble(f"{without_password(settings.bus)} does not answer ({why}).") from None
    return f"{without_password(settings.bus)} answers."


async def _no_words(_: Exception) -> None:
    """Ignore background errors: they are also raised by the call itself."""


def _processes(settings: ServerSettings) -> str:
    cores = os.cpu_count() or 1
    if settings.processes > cores:
        raise _Trouble(
            f"{settings.processes} processes would share {counted(cores, 'core')}: take as many as there are."
        )
    return f"{counted(settings.processes, 'process', 'processes')} on {counted(cores, 'core')}."


def _port(settings: ServerSettings) -> str:
    place = f"{settings.host} port {settings.port}"
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM
        )[0]
        with closing(socket.socket(family, kind)) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        raise _Trouble(f"{place} cannot be used: {error.strerror} (is a server running already?).") from None
    except UnicodeError:
        raise _Trouble(f"{settings.host!r:.60} is not the name of a host.") from None
    return f"{place} is free."


def _clock(_: ServerSettings) -> str:
    ours = Path(laguna.__file__).stat().st_mtime
    now = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    if time.time() < ours - 86_400:
        raise _Trouble(f"The clock says {now}, which is before this program was installed.")
    return f"The clock says {now}."


def _disk(settings: ServerSettings) -> str:
    folder = settings.data_folder.absolute()
    folder = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(folder).free
    if free < MIN_DISK:
        raise _Trouble(
            f"Only {free / 1e6:,.0f} MB are free in {folder}; a server needs {MIN_DISK / 1e6:,.0f} MB."
        )
    return f"{free / 1e9:,.1f} GB are free at {folder}."
