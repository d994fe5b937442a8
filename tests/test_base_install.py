"""What an installation without extras can do, which extra it names for the rest, and what is locked.

No virtual environment is made, which would take a network and a minute: Python is started without its
site-packages, with a folder of links to just those packages that the base install, or an extra, requires.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import laguna

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
SOURCE = Path(laguna.__file__).parent.parent


def brought(requirements: list[str], found: set[str] | None = None) -> set[str]:
    """The distributions that these requirements install, with all that those require in turn."""
    found = set() if found is None else found
    for requirement in map(Requirement, requirements):
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        name = canonicalize_name(requirement.name)
        if wanted and name not in found:
            found.add(name)
            brought(distribution(name).requires or [], found)
    return found


def install(folder: Path, *extras: str) -> dict[str, str]:
    """Link what the base install and these extras require; returns an environment that has nothing else."""
    wanted = [
        *PROJECT["dependencies"],
        *(one for each in extras for one in PROJECT["optional-dependencies"][each]),
    ]
    for name in brought(wanted):
        files = distribution(name).files or []
        for top in {file.parts[0] for file in files if file.parts[0] not in ("..", "__pycache__")}:
            (folder / top).symlink_to(Path(str(distribution(name).locate_file(top))))
    path = os.pathsep.join(map(str, (SOURCE, folder)))
    return os.environ | {"PYTHONPATH": path, "LAGUNA_JIT": "0", "LAGUNA_DATA": str(folder)}


def python(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", *words], capture_output=True, text=True, env=environment, timeout=120
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install(tmp_path_factory.mktemp("base"))


def test_the_base_install_plays(base: dict[str, str]) -> None:
    done = python(base, "-m", "laguna", "games")
    assert done.returncode == 0 and "neptune-vesta" in done.stdout
    absent = (
        "import importlib.util as u; print([n for n in ('httpx', 'fastapi', 'pytest') if u.find_spec(n)])"
    )
    assert python(base, "-c", absent).stdout.strip() == "[]"


@pytest.mark.parametrize(
    "command",
    [["serve"], ["worker", "--bus", "nats://127.0.0.1"], ["doctor"], ["backup"], ["accounts", "list"]],
    ids=lambda c: c[0],
)
def test_a_command_of_the_server_names_its_extra(base: dict[str, str], command: list[str]) -> None:
    done = python(base, "-m", "laguna", *command)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == "laguna: This needs the server's libraries: pip install 'laguna-table[server]'.\n"


def test_the_client_names_its_extra(base: dict[str, str]) -> None:
    done = python(base, "-c", "import laguna.client")
    assert done.returncode == 1
    shown = "ImportError: laguna.client needs two more libraries: pip install 'laguna-table[client]'."
    assert done.stderr.splitlines()[-1] == shown
    assert "During handling" not in done.stderr and "httpx'" not in done.stderr


@pytest.mark.parametrize(("module", "library"), [("pettingzoo", "PettingZoo"), ("gymnasium", "Gymnasium")])
def test_an_environment_names_its_extra(base: dict[str, str], module: str, library: str) -> None:
    done = python(base, "-c", f"import laguna.envs.{module}")
    assert done.returncode == 1
    shown = f"ImportError: laguna.envs.{module} needs {library}: pip install 'laguna-table[{module}]'."
    assert done.stderr.splitlines()[-1] == shown
    assert "During handling" not in done.stderr


def test_environments_need_their_extras_only(tmp_path: Path) -> None:
    """Drawing boards is another extra, which is named when it is needed."""
    environment = install(tmp_path, "pettingzoo", "gymnasium")
    code = (
        "from laguna.envs import pettingzoo, gymnasium\n"
        "env = gymnasium.AgainstBots('neptune-vesta', bots='random', render_mode='rgb_array')\n"
        "print(env.reset(seed=1)[0].shape)\n"
        "env.render()"
    )
    done = python(environment, "-c", code)
    assert done.stdout.startswith("(") and done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("pip install 'laguna-table[svg]'.")


def test_drawing_names_its_extra(base: dict[str, str], tmp_path: Path) -> None:
    file = ROOT / "tests" / "files" / "neptune-vesta-match.laguna.json"
    done = python(base, "-m", "laguna", "show", str(file), "--svg", str(tmp_path / "board.svg"))
    assert (done.returncode, done.stdout) == (2, "")
    needed = "laguna: Drawing boards needs more libraries: pip install 'laguna-table[svg]'."
    assert " ".join(done.stderr.split()) == needed
    assert not list(tmp_path.iterdir())


def test_training_names_its_extra(base: dict[str, str]) -> None:
    done = python(base, "-m", "laguna", "train", "neptune-vesta", "--rollouts", "1")
    assert (done.returncode, done.stdout) == (2, "")
    needed = "laguna: Training needs PyTorch: pip install 'laguna-table[train]'."
    assert " ".join(done.stderr.split()) == needed


def test_the_client_needs_its_extra_only(tmp_path: Path) -> None:
    environment = install(tmp_path, "client")
    assert python(environment, "-c", "from laguna.client import Client, play").returncode == 0
    assert "laguna-table[server]" in python(environment, "-m", "laguna", "doctor").stderr


def test_what_the_client_needs_is_locked_for_the_server_too() -> None:
    """`requirements/run.txt` is resolved for `server`, which names all that `client` does."""
    extras = PROJECT["optional-dependencies"]
    assert set(extras["client"]) <= set(extras["server"])


def locked(file: str) -> set[str]:
    """What a file in `requirements` pins; every pin has its hashes."""
    pins = (ROOT / "requirements" / file).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    pins = [pin for pin in pins if pin and not pin.lstrip().startswith("#")]
    assert all("==" in pin and "--hash=sha256:" in pin for pin in pins)
    return {canonicalize_name(pin.partition("==")[0]) for pin in pins}


def test_what_drawing_needs_is_locked_for_the_tests() -> None:
    svg = PROJECT["optional-dependencies"]["svg"]
    assert {canonicalize_name(Requirement(each).name) for each in svg} <= locked("dev.txt")


def test_the_container_of_the_docs_installs_what_is_locked() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    container = text.partition("dockerfile_inline: |")[2].partition("environment:")[0]
    runs = re.findall(r"pip (?:install|wheel) (.+)", container)
    files = [name for words in runs for name in re.findall(r"/(\w+\.txt)", words)]
    assert files == ["build.txt", "run.txt"]
    for words in runs:
        assert "--require-hashes" in words or "--no-deps" in words
        assert "wheel" not in words or "--no-build-isolation" in words or words.endswith(".whl")
    server = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["server"]]
    assert {canonicalize_name(Requirement(each).name) for each in server} <= locked("run.txt")
    builds = SETTINGS["build-system"]["requires"]
    assert {canonicalize_name(Requirement(each).name) for each in builds} <= locked("build.txt")
