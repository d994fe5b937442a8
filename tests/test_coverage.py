"""How much of the compiled code the tests run, measured interpreted: compiled code cannot be traced."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from laguna.kernel.jit import JIT

ROOT = Path(__file__).parent.parent
LEAST = 99.0


@pytest.mark.skipif(not JIT, reason="this is the run that is measured")
def test_the_rules_are_covered(tmp_path: Path) -> None:
    environment = os.environ | {"LAGUNA_JIT": "0", "COVERAGE_FILE": str(tmp_path / "data")}
    coverage = [sys.executable, "-m", "coverage"]
    measured = ["--include", "*/games/*/rules.py,*/games/*/hints.py,*/kernel/chance.py,*/kernel/bits.py"]
    tests = ["tests/games", "tests/conformance", "tests/test_chance.py", "tests/test_bots.py"]
    pytest_command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        [*coverage, "run", *measured, *pytest_command],
        cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    report = tmp_path / "coverage.json"
    subprocess.run(
        [*coverage, "json", "-q", "-o", str(report)],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
    )
    files = json.loads(report.read_text())["files"]
    assert any(path.endswith("rules.py") for path in files)
    percent = {path: file["summary"]["percent_covered"] for path, file in files.items()}
    assert {path: round(rate, 1) for path, rate in percent.items() if rate < LEAST} == {}
