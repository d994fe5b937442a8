"""Work on a cluster of machines, by Ray (the extra `ray`)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from laguna.errors import BadOption, LagunaError

Result = TypeVar("Result")
LOCAL = "local"  # a cluster of this machine alone, for this process
WAITING = 4  # tasks for each core of the cluster that are handed over at once


def check(address: str) -> None:
    """Is Ray installed, and can this be the address of a cluster?"""
    try:
        import ray  # noqa: F401
    except ImportError:
        raise BadOption("ray", "A cluster needs Ray: pip install 'laguna-table[ray]'.") from None
    if not address or any(character.isspace() for character in address):
        text = f"--ray takes auto, local or the address of a cluster, not {address!r:.60}."
        raise BadOption("ray", text)


def results(work: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], address: str) -> Iterator[Result]:
    """Yield the result of the work for each task, as it becomes ready, from a cluster.

    `address` is `auto` for the cluster that this machine belongs to, `local` for one of this machine alone.
    However it ends, tasks that are still running are canceled.
    """
    check(address)
    import ray

    with _connected(address):
        remote = ray.remote(max_retries=3)(_done)
        shared = ray.put(work)
        waiting = iter(tasks)
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        running = [
            remote.remote(shared, *task) for _, task in zip(range(WAITING * cores), waiting, strict=False)
        ]
        try:
            while running:
                ready, running = ray.wait(running)
                if (task_left := next(waiting, None)) is not None:
                    running.append(remote.remote(shared, *task_left))
                yield _received(ready[0])
        finally:
            for each in running:
                ray.cancel(each, force=True)


def _done(work: Callable[..., Any], *task: Any) -> Any:
    """On a machine of the cluster: bad input is an answer, too."""
    try:
        return work(*task)
    except LagunaError as error:
        return error


def _received(ready: Any) -> Any:
    import ray

    try:
        received = ray.get(ready)
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[-1:] or [type(error).__name__]
        raise LagunaError("cluster", f"A task on the cluster failed: {reason[0]:.300}") from None
    if isinstance(received, LagunaError):
        raise received
    return received


@contextmanager
def _connected(address: str) -> Iterator[None]:
    """Connect to the cluster unless this process already is."""
    import ray

    if ray.is_initialized():
        yield
        return
    try:
        ray.init(
            address=address,
            log_to_driver=False,
            configure_logging=False,
            include_dashboard=False if address == LOCAL else None,
            logging_level=logging.ERROR,
        )
    except (ConnectionError, ValueError, RuntimeError, OSError, TimeoutError) as error:
        text = (
            f"No cluster answers at {address!r:.80}; start one with `ray start --head`, or use --ray local."
        )
        raise BadOption("ray", text) from error
    try:
        yield
    finally:
        ray.shutdown()
