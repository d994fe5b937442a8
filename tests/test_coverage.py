"""How much of the compiled code the tests run, measured interpreted: compiled code cannot be traced."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from laguna.games import rulebooks
from laguna.kernel.jit import JIT

ROOT = Path(__file__).parent.parent
LEAST = 99.0
CONFORMANCE = "tests/conformance/test_conformance.py"
RANDOM_GAMES = [
    f"{CONFORMANCE}::test_random_games_keep_the_rules_of_every_game",
    f"{CONFORMANCE}::test_what_a_seat_cannot_know_changes_nothing_it_is_shown",
    f"{CONFORMANCE}::test_what_a_seat_holds_is_what_it_knows_and_others_do_not",
    "tests/test_bots.py::test_greedy_beats_random",
]
pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(not JIT, reason="this is the run that is measured"),
]


def covered(folder: Path, include: str, tests: list[str]) -> dict[str, float]:
    """Percent of each file's lines and branches that these tests run."""
    environment = os.environ | {"LAGUNA_JIT": "0", "COVERAGE_FILE": str(folder / "data")}
    coverage = [sys.executable, "-m", "coverage"]
    command = ["run", "--include", include, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run([*coverage, *command], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    report = folder / "coverage.json"
    found = [*coverage, "json", "-q", "-o", str(report)]
    subprocess.run(found, cwd=ROOT, env=environment, check=True, capture_output=True)
    files = json.loads(report.read_text())["files"]
    return {path: file["summary"]["percent_covered"] for path, file in files.items()}


@pytest.mark.parametrize("game", list(rulebooks()))
def test_the_rules_are_covered(game: str, tmp_path: Path) -> None:
    folder = rulebooks()[game].folder
    own = [str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "games").glob(f"test_{folder}*.py")]
    include = f"*/games/{folder}/rules.py,*/games/{folder}/evaluation.py"
    percent = covered(tmp_path, include, [*own, *RANDOM_GAMES, "-k", f"{folder} or {game}"])
    assert any(path.endswith("rules.py") for path in percent)
    assert {path: round(rate, 1) for path, rate in percent.items() if rate < LEAST} == {}


def test_chance_is_covered(tmp_path: Path) -> None:
    percent = covered(tmp_path, "*/kernel/chance.py,*/kernel/bits.py", ["tests/test_chance.py"])
    assert len(percent) == 2 and min(percent.values()) >= LEAST
