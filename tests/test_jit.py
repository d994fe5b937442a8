"""The compile cache: keyed by sources, quick when warm, and no other Numba user notices it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from laguna.games import find, rulebooks
from laguna.kernel import cache, jit
from laguna.kernel.records import record_type

pytestmark = pytest.mark.skipif(not jit.JIT, reason="about compiling")


def python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def takes_less(code: str, seconds: float) -> bool:
    """Of processor time, which other programs hardly change; so one run of five is enough."""
    timed = f"import time; start = time.process_time(); {code}; print(time.process_time() - start)"
    return any(float(python(timed)) < seconds for _ in range(5))


def test_import_alone_is_quick() -> None:
    assert takes_less("import laguna", 0.3)
    assert python("import sys, laguna; print('numba' in sys.modules)") == "False"


def test_a_warm_start_is_quick() -> None:
    code = "import laguna; laguna.new('neptune-vesta').legal()"
    python(code)
    assert takes_less(code, 1.5)


def copy_of_the_package(folder: Path) -> Path:
    """Another checkout: the same sources in another place, and newer."""
    ignored = shutil.ignore_patterns("page", "__pycache__")
    return Path(shutil.copytree(cache.PACKAGE, folder / "laguna", ignore=ignored))


@pytest.mark.parametrize(
    ("file", "rules", "bots"),
    [
        ("kernel/chance.py", True, True),
        ("games/atlantis/components.py", True, True),
        ("games/atlantis/evaluation.py", True, True),
        ("bots/tree.py", False, True),
        ("games/venice_2099/rules.py", False, False),
        ("games/atlantis/views.py", False, False),
        ("games/atlantis/meta.py", False, False),
        ("bots/__init__.py", False, False),
    ],
)
def test_the_cache_folders_follow_the_sources_that_a_game_is_compiled_from(
    file: str, rules: bool, bots: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = copy_of_the_package(tmp_path)
    monkeypatch.setattr(cache, "PACKAGE", package)
    game = package / "games" / "atlantis"
    before = [cache.source_hash(game, bots) for bots in (False, True)]
    assert before == [cache.source_hash(find("atlantis").path, bots) for bots in (False, True)]
    (package / file).write_text((package / file).read_text() + "\n# changed\n")
    after = [cache.source_hash(game, bots) for bots in (False, True)]
    assert [old != new for old, new in zip(before, after, strict=True)] == [rules, bots]


def test_every_compiled_function_of_the_package_is_among_the_hashed_sources() -> None:
    hashed = {path for book in rulebooks().values() for path in cache.sources(book.path, bots=True)}
    compiled = {
        path
        for path in cache.PACKAGE.rglob("*.py")
        if any(line in ("@rule", "@quick_rule") for line in path.read_text().splitlines())
    }
    assert compiled and compiled <= hashed


@pytest.mark.proof
def test_a_second_checkout_compiles_nothing(tmp_path: Path) -> None:
    code = (
        "from laguna.server.live.loading import load\n"
        "from laguna.warmup import exercise\n"
        "{}; print(all(load('neptune-vesta', stage) for stage in ('table', 'bots')))"
    )
    for checkout, do in (("first", "exercise('neptune-vesta')"), ("second", "pass")):
        copy_of_the_package(tmp_path / checkout)
        environment = {"PYTHONPATH": str(tmp_path / checkout), "LAGUNA_CACHE": str(tmp_path / "cache")}
        assert python(code.format(do), **environment).splitlines()[-1] == "True"


@pytest.mark.proof
def test_what_is_not_in_the_cache_is_not_compiled_where_only_loading_is_allowed(tmp_path: Path) -> None:
    code = (
        "from laguna.server.live.loading import load\nfrom laguna.warmup import exercise\n"
        "before = load('neptune-vesta', 'bots'); exercise('neptune-vesta')\n"
        "print(before, load('neptune-vesta', 'bots'))"
    )
    environment = {"LAGUNA_CACHE": str(tmp_path), "LAGUNA_LOG_LEVEL": "error"}
    assert python(code, **environment).splitlines()[-1] == "False True"


SERVED = """
import random, sys
from contextlib import suppress
import laguna
from laguna.bots import analyse
from laguna.kernel.numba_cache import loading_only
from laguna.server.live.loading import load
from laguna.warmup import exercise
from laguna.table.result import breakdown
exercise(sys.argv[1])
print(load(sys.argv[1], "table") and load(sys.argv[1], "bots"))
with loading_only():
    for players in (2, 3, 4) if sys.argv[1] != "neptune-vesta" else (2,):
        game, chance = laguna.new(sys.argv[1], players=players, seed=9), random.Random(9)
        while not game.over:
            legal = game.legal()
            game.preview(chance.choice(legal))
            for code in chance.sample(range(game.rules.CODES), 20):
                with suppress(laguna.LagunaError):
                    game.check(code)
            if game.played % 9 == 0:
                laguna.from_position(game.meta.id, game.position())
                analyse(game, seconds=1e-6, threads=1, hurry=True)
            game.play(chance.choice(legal))
            [game.view(seat) for seat in (None, *range(players))]
        breakdown(game)
"""


@pytest.mark.proof
@pytest.mark.parametrize("game", list(rulebooks()))
def test_a_server_that_has_loaded_a_game_compiles_nothing_more(game: str) -> None:
    """Whatever is played, previewed, refused, imported or scored."""
    command = [sys.executable, "-c", SERVED, game]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "True"


@pytest.mark.proof
def test_a_changed_callee_is_noticed_by_a_new_process(tmp_path: Path) -> None:
    """What Numba alone gets wrong: the cached caller must not keep the old callee."""
    package = copy_of_the_package(tmp_path)
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
    for part in ("atlantis", "atlantis-bots"):
        for age in range(12):
            old = tmp_path / f"{part}-{age:016}"
            old.mkdir()
            os.utime(old, (age, age))
    folder = python(f"{WHERE}; print(cache_folder(find('atlantis').path))", LAGUNA_CACHE=str(tmp_path))
    left = list(tmp_path.glob("atlantis-[0-9a-f]*"))
    assert Path(folder) in left
    assert len([path for path in left if "bots" not in path.name]) == cache.FOLDERS_KEPT
    assert len(list(tmp_path.glob("atlantis-bots-*"))) == 12


WHERE = "from laguna.games import find; from laguna.kernel.cache import cache_folder, temporary_root"
PLAY = "import laguna; print(len(laguna.new('neptune-vesta', seed=1).legal()))"


@pytest.mark.proof
def test_a_cache_folder_that_cannot_be_written_to_does_not_matter(tmp_path: Path) -> None:
    """The cache is then in a temporary folder of this user, the same one at every start."""
    blocked = tmp_path / "file"
    blocked.touch()
    for _ in range(2):
        assert python(PLAY, LAGUNA_CACHE=str(blocked / "cache"), TMPDIR=str(tmp_path)) == "144"
    (folder,) = tmp_path.glob("laguna-*")
    assert list(folder.glob("neptune_vesta-*/*.nbc")) and folder.stat().st_mode & 0o077 == 0


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that other users can reach too, unlike those of pytest; only root can become one of them."""
    if os.getuid():
        pytest.skip("only root can become another user")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


AS_ANOTHER = f"{WHERE}; import os; cache_folder.__wrapped__(); cache_folder.cache_clear(); os.setuid(54321)"


def test_neither_a_home_nor_an_entry_for_the_user_is_needed(open_to_all: Path) -> None:
    """As in a container that runs under a bare number."""
    code = f"{AS_ANOTHER}; os.environ.pop('HOME'); temporary_root.cache_clear(); print(cache_folder())"
    environment = {"TMPDIR": str(open_to_all), "LAGUNA_CACHE": "", "XDG_CACHE_HOME": ""}
    assert Path(python(code, **environment)).parent == open_to_all / "laguna-54321"


def test_somebody_elses_cache_folder_is_neither_read_nor_changed(tmp_path: Path) -> None:
    if os.getuid():
        pytest.skip("only root can give a folder away")
    theirs = tmp_path / "home" / ".cache"
    theirs.mkdir(parents=True)
    os.chown(theirs, 54321, 54321)
    environment = {
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path),
        "LAGUNA_CACHE": "",
        "XDG_CACHE_HOME": "",
    }
    assert Path(python(f"{WHERE}; print(cache_folder())", **environment)).parent == tmp_path / "laguna-0"
    assert not list(theirs.iterdir())


def test_somebody_elses_temporary_folder_is_not_used_and_none_is_left_behind(tmp_path: Path) -> None:
    (tmp_path / f"laguna-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "file").touch()
    environment = {"LAGUNA_CACHE": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path)}
    folder = Path(python(f"{WHERE}; print(cache_folder())", **environment))
    assert folder.parent.parent == tmp_path and not folder.parent.is_symlink()
    assert not folder.parent.exists() and not (tmp_path / "elsewhere").exists()


def test_a_prepared_cache_folder_may_be_read_only(open_to_all: Path) -> None:
    """As in a container image: somebody else compiled, and the server only loads."""
    where = "print(cache_folder(find('atlantis').path, bots=True))"
    environment = {"LAGUNA_CACHE": str(open_to_all / "cache"), "TMPDIR": str(open_to_all)}
    folder = Path(python(f"{WHERE}; {where}", **environment))
    (folder / "server.warm").touch()
    assert python(f"{AS_ANOTHER}; {where}", **environment) == str(folder)


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


RACE = """
import sys, time
from numba.core.caching import IndexDataCacheFile
from laguna.kernel.jit import rule
from laguna.kernel.numba_cache import loading_only

read = IndexDataCacheFile._load_index
IndexDataCacheFile._load_index = lambda self: (read(self), time.sleep(0.5))[0]

@rule
def one_more(x):
    return x + 1

def run():
    print(*(one_more(float(word) if "." in word else int(word)) for word in sys.argv[2:]))

if sys.argv[1] == "load":
    with loading_only():
        run()
else:
    run()
"""


def started(folder: Path, source: str, *words: str) -> subprocess.Popen[str]:
    """A process that runs this program, with a compile cache that all of the folder share."""
    script = folder / "program.py"
    script.write_text(source)
    environment = os.environ | {
        "LAGUNA_CACHE": str(folder / "cache"),
        "PYTHONPATH": str(cache.PACKAGE.parent),
    }
    command = [sys.executable, str(script), *words]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.name != "posix", reason="there is no lock on this system")
def test_processes_that_compile_at_once_do_not_mix_up_their_code(tmp_path: Path) -> None:
    racing = [started(tmp_path, RACE, "compile", number) for number in ("41", "2.5", "41")]
    for process in racing:
        assert process.communicate()[0] in ("42\n", "3.5\n")
    loaded = started(tmp_path, RACE, "load", "41", "2.5")
    assert (loaded.communicate()[0], loaded.returncode) == ("42 3.5\n", 0)


SHARED = """
import time
from laguna.kernel import numba_cache
from laguna.kernel.jit import rule

save = numba_cache.GameCache.save_overload
numba_cache.GameCache.save_overload = lambda *given: (time.sleep(3), save(*given))

@rule
def one_more(x):
    return x + 1

with numba_cache.sharing_work():
    assert one_more(41) == 42
print(sum(one_more.stats.cache_misses.values()))
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no lock on this system")
def test_processes_that_share_their_work_compile_a_function_once(tmp_path: Path) -> None:
    both = [started(tmp_path, SHARED) for _ in range(2)]
    assert sorted(process.communicate()[0] for process in both) == ["0\n", "1\n"]
