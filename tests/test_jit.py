"""The compile cache: keyed by sources, quick when warm, and no other Numba user notices it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from laguna.kernel import jit
from laguna.kernel.records import record_type

pytestmark = pytest.mark.skipif(not jit.JIT, reason="about compiling")


def python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def best_seconds(code: str) -> float:
    """The best of five, since other programs run too."""
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        python(code)
        runs.append(time.perf_counter() - start)
    return min(runs)


def test_import_alone_is_quick() -> None:
    code = "import time; start = time.perf_counter(); import laguna; print(time.perf_counter() - start)"
    assert min(float(python(code)) for _ in range(5)) < 0.3
    assert python("import sys, laguna; print('numba' in sys.modules)") == "False"


def test_a_warm_start_is_quick() -> None:
    code = "import laguna; laguna.new('neptune-vesta').legal()"
    python(code)
    assert best_seconds(code) < 1.5


def test_the_cache_folder_follows_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change in any compiled layer, also in a file that only others call, gives another folder."""
    for layer in jit.COMPILED_LAYERS:
        (tmp_path / layer).mkdir()
    helper = tmp_path / "games" / "rules.py"
    helper.write_text("TILES = 30\n")
    monkeypatch.setattr(jit, "PACKAGE", tmp_path)
    before = jit.source_hash()
    assert jit.source_hash() == before
    helper.write_text("TILES = 31\n")
    assert jit.source_hash() != before


def test_a_changed_callee_is_noticed_by_a_new_process(tmp_path: Path) -> None:
    """What Numba alone gets wrong: the cached caller must not keep the old callee."""
    package = tmp_path / "laguna"
    subprocess.run(["cp", "-r", str(jit.PACKAGE), str(package)], check=True)
    components = package / "games" / "neptune_vesta" / "components.py"
    code = (
        "import laguna; from laguna.games import find; import numpy as np\n"
        "rules = find('neptune-vesta').rules; out = np.zeros(10, np.int64)\n"
        "game = laguna.new('neptune-vesta', seed=1); print(rules.line_points(game.state.board, 0, 0))"
    )
    environment = {"PYTHONPATH": str(tmp_path), "LAGUNA_CACHE": str(tmp_path / "cache")}
    before = python(code, **environment)
    text = components.read_text()
    assert "NO_COMBINATION = -3" in text
    components.write_text(text.replace("ONE_COLOR = 3", "ONE_COLOR = 4"))
    assert int(python(code, **environment)) == int(before) + 1


def test_old_cache_folders_are_dropped(tmp_path: Path) -> None:
    for age in range(8):
        old = tmp_path / f"compiled-{age:016}"
        old.mkdir()
        os.utime(old, (age, age))
    code = "from laguna.kernel.jit import cache_folder; print(cache_folder())"
    folder = python(code, LAGUNA_CACHE=str(tmp_path))
    left = list(tmp_path.glob("compiled-*"))
    assert len(left) == jit.CACHES_KEPT and Path(folder) in left


def test_a_home_that_cannot_be_written_to_is_no_obstacle(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    code = "import laguna; print(len(laguna.new('neptune-vesta', seed=1).legal()))"
    assert python(code, LAGUNA_CACHE=str(blocked / "cache"), TMPDIR=str(tmp_path)) == "144"
    assert list(tmp_path.glob("laguna-*/compiled-*"))


def test_other_numba_users_keep_their_settings() -> None:
    code = (
        "import numba.core.config as config; config.CACHE_DIR = 'mine'; import laguna\n"
        "laguna.new('neptune-vesta'); print(config.CACHE_DIR)"
    )
    assert python(code) == "mine"


def test_laguna_jit_0_needs_no_compiler() -> None:
    code = "import sys, laguna; laguna.new('neptune-vesta').legal(); print('numba' in sys.modules)"
    assert python(code, LAGUNA_JIT="0") == "False"


def test_a_record_with_padding_is_refused() -> None:
    with pytest.raises(ValueError, match="padding"):
        record_type([("small", "i1"), ("large", "i8")])
