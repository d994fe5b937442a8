"""Servers that start instantly: forked from a process that has everything imported and the rules loaded.

`python -m tests.server.nursery GAME…` is that process. It reads one JSON object a line: the settings of a
server to be started, which says `ready` itself; or `{"worker": BUS}` for a worker; or `{"end": PID,
"signal": 9}`. The setting `plant` names things of `tests.server.plants` that are wrong with this server;
`clock` is a file that moves its wall clock.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import traceback
from contextlib import nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from laguna.errors import LagunaError
from tests.server.nats_server import free_port

WARM = [
    "laguna.server.app",
    "laguna.server.processes.child",
    "laguna.server.worker",
    "alembic.command",
    "psycopg",
    "sqlalchemy.dialects.postgresql.psycopg",
]


class Process:
    """A process of a nursery, which can be killed and started again."""

    def __init__(self, nursery: Nursery, command: dict[str, Any]) -> None:
        self._nursery = nursery
        self._command = command
        self.pid: int | None = None

    async def start(self) -> None:
        """Returns once it is ready: a server listens then."""
        self.pid = await asyncio.to_thread(self._nursery.tell, self._command)

    async def kill(self) -> None:
        """`kill -9`, and wait until nothing of it is left."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """Ask it to end, as an operator does, and wait until it has."""
        await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> None:
        if self.pid is not None:
            pid, self.pid = self.pid, None
            await asyncio.to_thread(self._nursery.tell, {"end": pid, "signal": how})

    def freeze(self) -> None:
        """It stands still (SIGSTOP) until `thaw`."""
        if self.pid is not None:
            os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        if self.pid is not None:
            os.kill(self.pid, signal.SIGCONT)


class Forked(Process):
    """A server of a nursery, at a port that stays its own when it is killed and started again."""

    def __init__(self, nursery: Nursery, settings: dict[str, Any]) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        super().__init__(nursery, settings | {"port": self.port})

    async def __aenter__(self) -> Forked:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()


class Nursery:
    """The process that servers are forked from."""

    def __init__(self, games: list[str], log: Path | None = None) -> None:
        """`log` takes what all its servers log; by default they log where this process does."""
        with log.open("ab") if log else nullcontext() as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, *games],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self._turn = threading.Lock()
        assert self._hear() == ["warm"]

    def server(self, **settings: Any) -> Forked:
        """A server that is not started yet: no limits, little logging."""
        return Forked(self, {"limits": {"all": "off"}, "log_level": "warning"} | settings)

    def worker(self, bus: str) -> Process:
        """A worker that is not started yet."""
        return Process(self, {"worker": bus})

    def tell(self, command: dict[str, Any]) -> int:
        """Give a command; returns the id of the process it was about."""
        with self._turn:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
            word, pid = self._hear()
            assert word == ("dead" if "end" in command else "ready"), word
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

    for plant in settings.pop("plant", "").split():
        getattr(plants, plant)(setattr)
    if clock := settings.pop("clock", None):
        plants.moved_clock(setattr, Path(clock))
    run(load(settings, {}), lambda url: say("ready"), fork)


def fork(control: socket.socket, listener: socket.socket) -> int:
    """Start one of several processes of a server like this one, plants included."""
    if pid := os.fork():
        return pid
    signal.set_wakeup_fd(-1)
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(each, signal.SIG_DFL)
    kept = {control.fileno(), listener.fileno()}
    for number in {int(each.name) for each in Path("/proc/self/fd").iterdir()} - kept - {0, 1, 2}:
        with suppress(OSError):
            os.close(number)
    from laguna.server.processes.child import work

    code = 1
    try:
        work(control, listener)
        code = 0
    except SystemExit:
        pass  # its parent is gone already
    except LagunaError:
        code = 2  # there is no database at the moment, say: its parent starts it again
    except Exception:
        traceback.print_exc()
    os._exit(code)


def work(bus: str) -> None:
    from laguna.server import logs, worker

    logs.set_up(level="warning")
    say("ready")
    asyncio.run(worker.work(bus, 1))


said: list[str] = []  # by this process, since it was forked


def say(word: str, pid: int | None = None) -> None:
    said.append(word)
    print(word, pid or os.getpid(), flush=True)


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
        if (pid := command.get("end")) is not None:
            end(pid, command["signal"])
            running.discard(pid)
            say("dead", pid)
        elif (pid := os.fork()) == 0:
            child(command)
        else:
            running.add(pid)
    for pid in running:
        end(pid, signal.SIGKILL)


def child(command: dict[str, Any]) -> None:
    """What a forked process does, to its end."""
    sys.stdin.close()
    said.clear()
    try:
        if "worker" in command:
            work(command["worker"])
        else:
            serve(command)
    except Exception:
        traceback.print_exc()
        if not said:  # nobody waits for a second word
            say("failed")
    os._exit(0)


def end(pid: int, how: int) -> None:
    os.kill(pid, how)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
