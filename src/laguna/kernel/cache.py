"""Where compiled code is kept on disk, and what it was made from.

Numba notices when a cached function has changed, but not when a function *called by* it has. So every game
has its own folders, named by a hash of exactly the sources that its compiled code comes from: one folder for
the game's rules, another for the bots that play it. The path of a checkout is not part of the name, so a
second checkout of the same sources finds everything compiled; nor are texts, so changing a sentence
recompiles nothing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
BOTS = (  # the compiled ones, and what else is compiled outside the kernel and the games
    "batches/loops.py",
    "bots/network.py",
    "bots/one_ply.py",
    "bots/tree.py",
    "lab/quick_games.py",
    "training/steps.py",
)
NOT_COMPILED_OF_THE_KERNEL = {"cache.py", "gpu.py", "numba_cache.py"}
NOT_COMPILED_OF_A_GAME = {
    "actions.py",
    "events.py",
    "meta.py",
    "names.py",
    "positions.py",
    "refusals.py",
    "terminal.py",
    "views.py",
}
FOLDERS_KEPT = 8  # of each game, the latest


def sources(game: Path | None, bots: bool) -> list[Path]:
    """The files that compiled code comes from: the kernel's, one game's and, with `bots`, the bots'."""
    kernel = sorted((PACKAGE / "kernel").glob("*.py"))
    found = [path for path in kernel if path.name not in NOT_COMPILED_OF_THE_KERNEL]
    if game is not None:
        found += [path for path in sorted(game.rglob("*.py")) if path.name not in NOT_COMPILED_OF_A_GAME]
    if bots:
        found += [PACKAGE / name for name in BOTS]
    return found


def source_hash(game: Path | None, bots: bool) -> str:
    """Hash of those sources and of what compiles them."""
    digest = hashlib.sha256(f"{version('numba')} {sys.implementation.cache_tag}".encode())
    for path in sources(game, bots):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def cache_folder(game: Path | None = None, bots: bool = False) -> Path:
    """The folder for exactly these sources; only the latest other versions are kept."""
    part = (game.name if game else "kernel") + ("-bots" if bots else "")
    name = f"{part}-{source_hash(game, bots)}"
    for root in _roots():
        folder = root / name
        with suppress(OSError):
            if not os.access(folder, os.W_OK):
                if any(folder.glob("*.warm")):  # prepared by someone else, as in a container
                    return folder
                folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
            _drop_old(root, part)
            return folder
    return temporary_root() / name


def _drop_old(root: Path, part: str) -> None:
    """Delete the compiled code of older sources of this part."""
    versions = [path for path in root.glob(f"{part}-*") if len(path.name) == len(part) + 17]
    versions.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in versions[FOLDERS_KEPT:]:
        shutil.rmtree(stale, ignore_errors=True)


def _roots() -> Iterator[Path]:
    """Where compiled code may be kept, the best place first."""
    if named := os.environ.get("LAGUNA_CACHE"):
        yield Path(named).absolute()
    elif (own := _own_root()) is not None:
        yield own
    yield temporary_root()


def _own_root() -> Path | None:
    """The user's cache folder; None if there is no home, or it belongs to someone else.

    Code loaded from here is executed, so the folder must be the user's own; and as another user (`sudo`) we
    would leave folders there that its owner could not change.
    """
    try:
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # neither HOME nor an entry for this user
        return None
    root = base.absolute() / "laguna"
    there = next(folder for folder in (root, *root.parents) if folder.exists())
    return root if _is_ours(there) else None


def _is_ours(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


@cache
def temporary_root() -> Path:
    """A folder that only this user can read and write, the same at every start if possible."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"laguna-{user}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o022 and _is_ours(folder):
            return folder
    return _root_of_this_process()


def _root_of_this_process() -> Path:
    """A folder that is deleted with the process; its children use it too."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="laguna-"))
    os.environ["LAGUNA_CACHE"] = str(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
