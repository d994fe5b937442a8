"""Two sizes of the test suite, one seed for all that is random, a time limit for asynchronous tests, servers.

`pytest` is the short form that `make test` runs, the same games every time. `pytest --proof` runs everything
at full size: also what is marked with `pytest.mark.proof`, and the larger numbers of `tests.size.scaled`; it
plays different games every time, and says at the end how to repeat them.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import random
import secrets
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from laguna.games import rulebooks
from tests import size

if TYPE_CHECKING:
    from tests.server.nursery import Nursery

PATIENCE = 180  # seconds for an asynchronous test, which might otherwise wait forever


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--proof", action="store_true", help="run everything at full size (make proof)")
    parser.addoption("--seed", type=int, help="of all that is random in tests, to repeat a run")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "proof: takes long, runs only with --proof")
    size.proof = config.option.proof
    # The short form tries the same examples every time, too.
    hypothesis.settings.register_profile("short", derandomize=True, database=None)
    if not size.proof:
        hypothesis.settings.load_profile("short")
    if config.option.seed is None:  # xdist hands the option on to its workers
        config.option.seed = secrets.randbelow(2**32) if size.proof else 0


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if size.proof:
        terminalreporter.write_line(f"To repeat it: --proof --seed {config.option.seed}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not size.proof:
        long = [item for item in items if item.get_closest_marker("proof")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("proof")]


@pytest.fixture(autouse=True)
def seeded(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test draws the same random numbers, whatever ran before it."""
    state = random.getstate()
    random.seed(f"{request.config.option.seed} {request.node.nodeid}")
    yield
    random.setstate(state)


@pytest.fixture
def anyio_backend() -> str:
    """Tests marked with `pytest.mark.anyio` run on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture(scope="session")
def servers() -> Iterator[Nursery]:
    """Where real servers are forked from, all games loaded; each starts in a moment."""
    from tests.server.nursery import Nursery  # here, since the tests of the rules run without a server too

    made = Nursery(list(rulebooks()))
    yield made
    made.close()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        pyfuncitem.obj = in_time(pyfuncitem.obj)


def in_time(test: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(test)
    async def patient(**fixtures: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            await test(**fixtures)

    return patient
