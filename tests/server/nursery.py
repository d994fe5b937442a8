"""Servers that start instantly: forked from a process that has everything imported and the rules loaded.

`python -m tests.server.nursery GAME…` is that process. It reads one JSON object a line: the settings of a
server to be started, which says `ready` itself; or `{"kill": PID}`. The setting `plant` names something of
`tests.server.plants` that is wrong with this server.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from importlib import import_module
from typing import Any

from tests.server.nats_server import free_port

WARM = ["laguna.server.app", "alembic.command", "psycopg", "sqlalchemy.dialects.postgresql.psycopg"]


class Forked:
    """A server of a nursery, at a port that stays its own when it is killed and started again."""

    def __init__(self, nursery: Nursery, settings: dict[str, Any]) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._nursery = nursery
        self._settings = settings | {"port": self.port}
        self._pid: int | None = None

    async def start(self) -> None:
        """Returns once it listens."""
        self._pid = await asyncio.to_thread(self._nursery.tell, self._settings)

    async def kill(self) -> None:
        """`kill -9`, and wait until nothing of it is left."""
        if self._pid is not None:
            pid, self._pid = self._pid, None
            await asyncio.to_thread(self._nursery.tell, {"kill": pid})

    async def __aenter__(self) -> Forked:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()


class Nursery:
    """The process that servers are forked from."""

    def __init__(self, games: list[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *games],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._turn = threading.Lock()
        assert self._hear() == ["warm"]

    def server(self, **settings: Any) -> Forked:
        """A server that is not started yet: no limits, little logging."""
        return Forked(self, {"limits": {"all": "off"}, "log_level": "warning"} | settings)

    def tell(self, command: dict[str, Any]) -> int:
        """Give a command; returns the id of the process it was about."""
        with self._turn:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
            word, pid = self._hear()
            assert word == ("dead" if "kill" in command else "ready"), word
            return int(pid)

    def _hear(self) -> list[str]:
        assert self._process.stdout is not None
        return self._process.stdout.readline().split()

    def close(self) -> None:
        """Ends it, and every server that still runs."""
        self._process.communicate(timeout=30)


# ------------------------------------------------------------------ inside that process


def serve(settings: dict[str, Any]) -> None:
    from laguna.server.app import run
    from laguna.server.settings import load
    from tests.server import plants

    sys.stdin.close()
    if plant := settings.pop("plant", None):
        getattr(plants, plant)(setattr)
    run(load(settings, {}), lambda url: print("ready", os.getpid(), flush=True))


def main() -> None:
    from laguna.warmup import exercise

    for module in WARM:
        import_module(module)
    for game in sys.argv[1:]:
        exercise(game)
    print("warm", flush=True)
    running = set()
    for line in sys.stdin:
        command = json.loads(line)
        if (pid := command.get("kill")) is not None:
            end(pid)
            running.discard(pid)
            print("dead", pid, flush=True)
        elif (pid := os.fork()) == 0:
            try:
                serve(command)
            except Exception:
                traceback.print_exc()
                print("failed", os.getpid(), flush=True)
            os._exit(0)
        else:
            running.add(pid)
    for pid in running:
        end(pid)


def end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
