"""What fuzzing ever found stays mended, and the fuzzer itself notices what it should."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import __main__ as fuzz
from tests.fuzz import journal, worker
from tests.fuzz.mutations import mutated
from tests.fuzz.shrinking import shrunk
from tests.fuzz.targets import TARGETS
from tests.fuzz.targets.target import Check, Wrong
from tests.size import scaled

FOUND = sorted(fuzz.FOUND_HERE.iterdir())
INPUTS = scaled(100, 20_000)  # for each target


@cache
def check_of(name: str) -> Check:
    return TARGETS[name].prepare()


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.name)
def test_what_was_found_is_answered_as_it_should_be(path: Path) -> None:
    check_of(path.name.rpartition("-")[0])(path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs_get_a_result_or_a_sentence(name: str) -> None:
    target, chance = TARGETS[name], Random(7)
    seeds, words, check = list(target.seeds()), target.words(), check_of(name)
    inputs = [mutated(chance, chance.choice(seeds), seeds, words, target.longest) for _ in range(INPUTS)]
    begun = time.process_time()
    for data in inputs:
        check(data)
    assert time.process_time() - begun < 0.05 * INPUTS


# ------------------------------------------------------------------ the fuzzer


def picky(data: bytes) -> None:
    """A parser with two mistakes."""
    if b"bad" in data:
        raise Wrong("bad")
    if data.startswith(b"worse"):
        raise ZeroDivisionError


def test_a_finding_is_made_short_and_stays_the_same_finding() -> None:
    assert shrunk(picky, b"much noise before bad, and after") == b"bad"
    assert shrunk(picky, b"worse than ever") == b"worse"
    assert shrunk(picky, b"fine") == b"fine"


def test_changes_are_many_and_never_too_long() -> None:
    chance = Random(1)
    found = {mutated(chance, b"buy co3", [b"pay ol4"], [b"bridge"], 20) for _ in range(500)}
    assert len(found) > 400 and max(map(len, found)) <= 20
    assert any(b"bridge" in each for each in found) and any(each.endswith(b"ol4") for each in found)


# A worker whose target has a mistake; `tests.fuzz.worker` is as always.
PLANTED = """
import sys
from tests.fuzz import targets, worker
from tests.fuzz.targets.target import Target

def wrong(data):
    if data[:1] == b"!":
        {mistake}

targets.TARGETS["planted"] = Target("planted", "", lambda: wrong, lambda: [b"fine", b"not"], lambda: [b"!"])
worker.main()
"""


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        ("while True: pass", "TooSlow"),
        pytest.param("raise KeyError(data)", "KeyError", marks=pytest.mark.proof),
        pytest.param("bytearray(4_000_000_000)", "MemoryError", marks=pytest.mark.proof),
    ],
)
@pytest.mark.parametrize("guided", [False, pytest.param(True, marks=pytest.mark.proof)])
def test_a_planted_mistake_is_found(tmp_path: Path, mistake: str, says: str, guided: bool) -> None:
    if guided and not importlib.util.find_spec("atheris"):
        pytest.skip("atheris is not installed")
    (tmp_path / "corpus").mkdir()
    command = [sys.executable, "-c", PLANTED.format(mistake=mistake), "planted", "--inputs", "20000"]
    command += ["--seed", "3", "--note", str(tmp_path / "note")]
    command += ["--corpus", str(tmp_path / "corpus")] if guided else []
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == worker.FOUND and says in done.stderr
    assert worker.Note(tmp_path / "note").read()[1][:1] == b"!"


@pytest.mark.proof
@pytest.mark.parametrize("words", [["--plain"], []])
def test_a_whole_run(tmp_path: Path, words: list[str]) -> None:
    command = [sys.executable, "-m", "tests.fuzz", "frames", "lessons", "--inputs", "400", *words]
    for times in (1, 2):
        done = subprocess.run(
            [*command, "--folder", str(tmp_path)], capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        row = next(line for line in done.stdout.splitlines() if line.startswith("| **all** |"))
        assert row.split("|")[2].strip() == f"{800 * times:,}" and row.endswith("| 0 |")


def test_totals_are_added_up(tmp_path: Path) -> None:
    for seed in (1, 2):
        journal.add(tmp_path / "totals", journal.Feeding("frames", 500, seed, True, 0.5, 90 + seed))
    lines = journal.table(journal.read(tmp_path / "totals")).splitlines()
    assert lines[2] == "| frames | 1,000 | 1 | 1000 | 92 | 0 |"
    assert lines[3] == "| **all** | 1,000 | 1 | 1000 | 92 | 0 |"
