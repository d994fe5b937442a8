"""A small disk that can be full: a file system in memory if one can be mounted, else a limit for servers."""

from __future__ import annotations

import contextlib
import resource
import subprocess
from pathlib import Path

SIZE = 16  # megabytes


class Disk:
    """`with Disk(folder) as disk:` the folder is a small disk, unless this system does not allow that."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._filler = folder / "filler"
        self._mounted = False

    def __enter__(self) -> Disk:
        self._folder.mkdir(parents=True, exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}m", "tmpfs", str(self._folder)]
        with contextlib.suppress(OSError):
            self._mounted = not subprocess.run(mount, stderr=subprocess.DEVNULL).returncode
        return self

    def __exit__(self, *_: object) -> None:
        if self._mounted:
            subprocess.run(["umount", "-l", str(self._folder)], check=True)

    def fill(self, processes: list[int]) -> None:
        """From now on nothing fits, for these processes at least."""
        if not self._mounted:
            for process in processes:
                _limit(process, 0)
            return
        with contextlib.suppress(OSError), self._filler.open("wb", buffering=0) as filler:
            while True:
                filler.write(bytes(1 << 12))

    def free(self, processes: list[int]) -> None:
        """These may be more than before: a process inherits the limit of the one that starts it."""
        self._filler.unlink(missing_ok=True)
        if not self._mounted:
            for process in processes:
                _limit(process, resource.RLIM_INFINITY)


def _limit(process: int, size: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
