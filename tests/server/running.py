"""`laguna serve` as its own process, for tests that need the real thing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Running(NamedTuple):
    url: str
    process: subprocess.Popen[str]
    log: Path

    def stop(self) -> int:
        """Ask it to end, as an operator does."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


@contextmanager
def running(folder: Path, *words: str, limits: str = "all=off", **environment: str) -> Iterator[Running]:
    """A server with its data and its log in that folder, at any free port."""
    folder.mkdir(exist_ok=True)
    log = folder / "log.txt"
    command = [sys.executable, "-m", "laguna", "serve", "--port", "0", "--set", f"data={folder}"]
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [*command, "--set", f"limits={limits}", *words],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"} | environment,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"it did not start: {line!r}\n{log.read_text()}"
        yield Running(found[0], process, log)
    finally:
        process.kill()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()
