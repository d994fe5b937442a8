"""Ctrl-C as a terminal sends it, to every process of a command: over at once, with one sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import laguna
from laguna.kernel.jit import JIT
from laguna.lab.tournament import JOURNAL
from tests.every import random_steps
from tests.size import scaled

pytestmark = [
    pytest.mark.skipif(not JIT, reason="searching interpreted takes too long"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them"),
]
PATIENCE = 120  # seconds for a command to get going on a busy machine
AT_ONCE = 10.0  # seconds: well under one on an idle machine; what is interrupted would take a minute


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    subprocess.run([sys.executable, "-m", "laguna", "warm-up", "neptune-vesta", "--search"], check=True)


@contextmanager
def started(folder: Path, *words: object) -> Iterator[subprocess.Popen[str]]:
    """A command in a process group of its own, as a shell starts it."""
    command = [sys.executable, "-m", "laguna", *map(str, words)]
    pipe = subprocess.PIPE
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    process = subprocess.Popen(
        command, cwd=folder, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )
    signal.signal(signal.SIGINT, before)
    try:
        yield process
    finally:
        if group(process):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def group(process: subprocess.Popen[str]) -> dict[int, float]:
    """The processes of the command that are not dead, and the seconds that each has computed."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if int(fields[2]) == process.pid and fields[0] != "Z":
            ticks = int(fields[11]) + int(fields[12])
            found[int(path.parent.name)] = ticks / os.sysconf("SC_CLK_TCK")
    return found


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def interrupt(process: subprocess.Popen[str]) -> str:
    """Press Ctrl-C; what the command says then."""
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    process.wait(PATIENCE)
    took = time.monotonic() - start
    out, shown = process.communicate()
    assert process.returncode == 130, shown
    assert took < AT_ONCE, f"it took {took:.1f} s"
    wait_until(lambda: not group(process))
    assert time.monotonic() - start < 2 * AT_ONCE, "child processes linger"
    assert "\n" not in shown.strip() and "Traceback" not in shown + out
    return shown.strip()


def test_a_tournament_keeps_the_games_that_are_finished(tmp_path: Path) -> None:
    journal = tmp_path / "t" / JOURNAL
    words = ["neptune-vesta", "greedy", "random", "--games", 100_000, "--folder", "t"]
    with started(tmp_path, "tournament", *words) as process:
        wait_until(lambda: journal.exists() and len(journal.read_text().splitlines()) > 6)
        shown = interrupt(process)
    kept = len(journal.read_text().splitlines()) - 1
    assert kept >= 6
    assert shown == (
        f"laguna: Interrupted: {kept} of 100000 games are kept in 't'; run the same command again to resume."
    )


@pytest.mark.proof
@pytest.mark.parametrize("bot", ["search:60s", "search:90000000"])
def test_a_tournament_of_long_searches(tmp_path: Path, bot: str) -> None:
    with started(tmp_path, "tournament", "neptune-vesta", bot, bot) as process:
        wait_until(lambda: sum(seconds > 4 for seconds in group(process).values()) >= 2)
        shown = interrupt(process)
    assert shown == "laguna: Interrupted after 0 of 100 games; use --folder to keep them next time."


@pytest.mark.parametrize("late", scaled([0.05], [0.0, 0.05, 0.2, 0.5]))
def test_a_tournament_whose_child_processes_are_just_starting(tmp_path: Path, late: float) -> None:
    with started(tmp_path, "tournament", "neptune-vesta", "greedy", "random") as process:
        wait_until(lambda: len(group(process)) > 1)
        time.sleep(late)
        assert "Interrupted after 0 of 100 games" in interrupt(process)


@pytest.mark.proof
@pytest.mark.parametrize("budget", [("--seconds", 60), ("--iterations", 90_000_000)])
def test_a_long_analysis(tmp_path: Path, budget: tuple[str, int]) -> None:
    game = laguna.new("neptune-vesta", seed=1, rounds=1)
    for _ in random_steps(game, seed=1):
        pass
    (tmp_path / "game.laguna.json").write_text(game.dumps())
    with started(tmp_path, "analyse", "game.laguna.json", *budget) as process:
        wait_until(lambda: max(group(process).values()) > 6)
        shown = interrupt(process)
    assert shown == f"laguna: Interrupted after 0 of {game.played} actions."


@pytest.mark.proof
def test_a_bot_that_thinks_for_long_at_the_terminal(tmp_path: Path) -> None:
    with started(tmp_path, "play", "neptune-vesta", "--seats", "search:90000000,random") as process:
        wait_until(lambda: max(group(process).values()) > 6)
        assert interrupt(process) == "laguna: You left while a bot was thinking."


@pytest.mark.proof
def test_a_child_process_that_dies_is_reported(tmp_path: Path) -> None:
    (tmp_path / "mybots.py").write_text("import os\ndef dies(game, seed):\n    os._exit(7)\n")
    with started(tmp_path, "tournament", "neptune-vesta", "mybots:dies", "random") as process:
        _, shown = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert shown.strip() == "laguna: A child process ended unexpectedly, with exit code 7."
