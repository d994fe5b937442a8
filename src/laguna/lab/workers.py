"""Child processes that are killed as soon as nobody is waiting for them, including after Ctrl-C."""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context
from typing import Any, TypeVar

from laguna.errors import LagunaError

Result = TypeVar("Result")
MAX_CORES = 1024


def results(
    work: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], processes: int
) -> Iterator[Result]:
    """Yield the result of the work for each task, as it becomes ready, from this many child processes.

    However it ends (by an error, by Ctrl-C, by `close`), the children are killed without waiting for them.
    """
    waiting = iter(tasks)
    children: dict[connection.Connection, Any] = {}
    try:
        with _interrupts_held_back():
            for _ in range(min(processes, len(tasks))):
                ours, child = _start(work)
                children[ours] = child
        busy = list(children)
        for each, task in zip(busy, waiting, strict=False):
            each.send(task)
        while busy:
            ready = connection.wait(busy)
            for each in [each for each in busy if each in ready]:
                yield _received(each, children[each])
                if (task_left := next(waiting, None)) is None:
                    busy.remove(each)
                else:
                    each.send(task_left)
    finally:
        for child in children.values():
            child.kill()
        for child in children.values():
            child.join()


def in_threads(
    work: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], threads: int
) -> Iterator[Result]:
    """The same in threads of this process, for compiled work that runs without Python's lock."""
    waiting = iter(tasks)
    pool = ThreadPoolExecutor(threads)
    try:
        running: set[Future[Result]] = {
            pool.submit(work, *task) for _, task in zip(range(2 * threads), waiting, strict=False)
        }
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for each in finished:
                yield each.result()
                if (task := next(waiting, None)) is not None:
                    running.add(pool.submit(work, *task))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _start(work: Callable[..., Any]) -> tuple[connection.Connection, Any]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_serve, args=(theirs, work))
    child.start()
    theirs.close()
    return ours, child


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Block Ctrl-C until the end of this block; processes started inside never receive it.

    A terminal sends it to all processes of a command, and one that is just starting would die with a
    traceback.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would lift the block if it were started later
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def _received(ours: connection.Connection, child: Any) -> Any:
    try:
        received = ours.recv()
    except (EOFError, ConnectionError):
        child.join()
        raise LagunaError(
            "lost-child", f"A child process ended unexpectedly, with exit code {child.exitcode}."
        ) from None
    if isinstance(received, Exception):
        raise received
    return received


def _serve(theirs: connection.Connection, work: Callable[..., Any]) -> None:
    """In a child process: work on tasks as long as the parent sends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, ConnectionError):  # the parent is gone
        while True:
            theirs.send(_done(work, theirs.recv()))


def _done(work: Callable[..., Any], task: tuple[Any, ...]) -> Any:
    try:
        return work(*task)
    except Exception as error:
        if not isinstance(error, LagunaError):
            error.add_note(traceback.format_exc())
        return error
