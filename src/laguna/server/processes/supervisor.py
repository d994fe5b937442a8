"""The parent of a server's processes: it starts them, starts one again that dies, and ends them all.

It holds what belongs to the server as a whole: its address, and the claim to a SQLite file. It serves nobody,
has no threads and no event loop, and so can hardly fail itself. If it does, its processes end at once.
"""

from __future__ import annotations

import os
import secrets
import selectors
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from laguna.errors import BadOption
from laguna.server import logs
from laguna.server.network.listening import address_of_server, beside, listen, reserved
from laguna.server.processes.place import Place
from laguna.server.settings import ServerSettings
from laguna.server.storage import Unavailable, claimed, database

log = logs.get_log("processes")

BETWEEN_TRIES = 2.0  # seconds, while the database is not up yet
SHORT_LIFE = 5.0  # seconds: a process that dies sooner is started again only after
PAUSE = 1.0  # seconds
LINGER = 3.0  # seconds in which processes without a parent have certainly ended
GRACE = 20.0  # seconds beyond `shutdown_seconds` for processes to end
EVEN = sys.platform == "linux"  # the system divides connections among sockets of the same address

Start = Callable[[socket.socket, socket.socket], int]


class Orders(Struct):
    """What a process is told when it starts, over the control socket."""

    settings: ServerSettings
    place: Place


def spawn(control: socket.socket, listener: socket.socket) -> int:
    """Start a process with a new interpreter, which inherits these two sockets; returns its id."""
    for each in (control, listener):
        each.set_inheritable(True)
    command = [sys.executable, "-m", "laguna.server.processes.child"]
    command += [str(control.fileno()), str(listener.fileno())]
    try:
        # In a group of its own, Ctrl+C in a terminal reaches only the parent, which ends them in order.
        return os.posix_spawn(sys.executable, command, os.environ, setpgroup=0)
    finally:
        listener.set_inheritable(False)


class Child:
    """A running process."""

    def __init__(self, index: int, pid: int, control: socket.socket) -> None:
        self.index = index
        self.pid = pid
        self.control = control  # closed by both sides only when one of them ends
        self.began = time.monotonic()
        self.is_up = False


class Supervisor:
    def __init__(self, settings: ServerSettings, started: Callable[[], None], start: Start) -> None:
        self._settings = settings
        self._started: Callable[[], None] | None = started
        self._start = start
        self._count = settings.processes
        self._children: dict[int, Child] = {}  # by process id
        self._due: dict[int, float] = {}  # when a process is to be started again, by index
        self._selector = selectors.DefaultSelector()
        self._ending = False
        self._exit_code = 0

    def run(self, listener: socket.socket) -> int:
        """Returns the exit code, once all processes have ended."""
        self._listener = listener
        with tempfile.TemporaryDirectory(prefix="laguna-") as folder, self._woken_by_signals():
            self._run = secrets.token_hex(8)
            self._folder = folder
            settings = self._settings
            with claimed(settings.database_url, settings.backups) as note_use:
                if self._prepare_database():
                    note_use()
                    self._due = dict.fromkeys(range(self._count), 0.0)
                self._supervise()
        return self._exit_code

    # -------------------------------------------------------------- signals

    @contextmanager
    def _woken_by_signals(self) -> Iterator[None]:
        """Signals end a wait for news at once."""
        read, write = socket.socketpair()
        read.setblocking(False)
        write.setblocking(False)
        self._selector.register(read, selectors.EVENT_READ)
        before = {each: signal.signal(each, self._end) for each in (signal.SIGINT, signal.SIGTERM)}
        before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        woken = signal.set_wakeup_fd(write.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(woken)
            for each, handler in before.items():
                signal.signal(each, handler)
            read.close()
            write.close()

    def _end(self, *_: object) -> None:
        self._ending = True

    # -------------------------------------------------------------- before the start

    def _prepare_database(self) -> bool:
        """Once, and not by each process; False if the server is told to end before there is a database."""
        url = database.parse(self._settings.database_url)
        while not self._ending:
            engine = database.writing_engine(url)
            try:
                database.prepare(url, engine)
                return True
            except Unavailable:
                log.warning("waiting for the database", seconds=BETWEEN_TRIES)
                self._wait(BETWEEN_TRIES)
            finally:
                engine.dispose()
        return False

    # -------------------------------------------------------------- while they run

    def _supervise(self) -> None:
        told = False
        until = float("inf")
        while self._children or (self._due and not self._ending):
            if self._ending and not told:
                told = True
                until = time.monotonic() + self._settings.shutdown_seconds + GRACE
                self._signal(signal.SIGTERM)
            if time.monotonic() > until:
                log.error("processes did not end in time", processes=len(self._children))
                self._exit_code = 1
                self._signal(signal.SIGKILL)
            if not self._ending:
                self._start_due()
            self._wait(self._patience(until))
            self._reap()

    def _patience(self, until: float) -> float | None:
        times = [until] if self._ending else list(self._due.values())
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _wait(self, seconds: float | None) -> None:
        """Wait for a signal, or for a process that has something to say."""
        for key, _ in self._selector.select(seconds):
            with suppress(OSError):
                said = key.fileobj.recv(4096)  # type: ignore[union-attr]
                if isinstance(key.data, Child):
                    self._heard(key.data, said)

    def _heard(self, child: Child, said: bytes) -> None:
        if not said:
            self._selector.unregister(child.control)  # it has ended, which `_reap` will see
            return
        child.is_up = True
        if self._started is not None and self._all_up():
            self._started()
            self._started = None

    def _all_up(self) -> bool:
        return len(self._children) == self._count and all(each.is_up for each in self._children.values())

    def _start_due(self) -> None:
        now = time.monotonic()
        for index in [index for index, due in self._due.items() if due <= now]:
            del self._due[index]
            self._start_one(index)

    def _start_one(self, index: int) -> None:
        ours, its = socket.socketpair()
        listener = beside(self._listener) if EVEN else self._listener
        try:
            child = Child(index, self._start(its, listener), ours)
        finally:
            its.close()
            if EVEN:
                listener.close()
        place = Place(index, self._count, self._run, self._folder)
        ours.sendall(msgspec.json.encode(Orders(_share(self._settings), place)) + b"\n")
        self._children[child.pid] = child
        self._selector.register(ours, selectors.EVENT_READ, child)

    def _signal(self, how: signal.Signals) -> None:
        for pid in self._children:
            os.kill(pid, how)

    def _reap(self) -> None:
        """Note which processes have ended."""
        for pid in list(self._children):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._ended(self._children.pop(pid), os.waitstatus_to_exitcode(status))

    def _ended(self, child: Child, exit_code: int) -> None:
        with suppress(KeyError):
            self._selector.unregister(child.control)
        child.control.close()
        if self._ending:
            if exit_code not in (0, -signal.SIGTERM, -signal.SIGKILL):
                self._exit_code = self._exit_code or 1
        elif self._started is not None:  # the server cannot even start, and has said why
            self._exit_code = exit_code if exit_code > 0 else 1
            self._ending = True
        else:
            lived = time.monotonic() - child.began
            log.error("a process died, and is started again", process=child.index, exit_code=exit_code)
            self._due[child.index] = time.monotonic() + (PAUSE if lived < SHORT_LIFE else 0.0)


def _share(settings: ServerSettings) -> ServerSettings:
    """What one process may have of what the server may have."""
    count = settings.processes
    return replace(
        settings,
        max_sockets=-(-settings.max_sockets // count),
        live_tables=-(-settings.live_tables // count),
        bot_threads=max(1, settings.threads_for_bots // count),
    )


def _listen(settings: ServerSettings) -> socket.socket:
    """As soon as processes are gone whose parent was killed a moment ago."""
    until = time.monotonic() + LINGER
    while True:
        try:
            return listen(settings.host, settings.port)
        except BadOption:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def supervise(settings: ServerSettings, started: Callable[[str], None], start: Start) -> None:
    """Serve with several processes until a signal arrives; SystemExit if one of them could not start."""
    logs.set_up(settings.log_format, settings.log_level)
    listener = _listen(settings)
    url = address_of_server(settings, listener)
    if EVEN:
        listener = reserved(listener)
    log.info("starting", **settings.describe())
    code = Supervisor(settings, lambda: started(url), start).run(listener)
    log.info("stopped")
    if code:
        raise SystemExit(code)
