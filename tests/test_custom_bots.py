"""Bots of your own: what they may answer, and how the terminal finds them by `module:function`."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.bots import ask, load_bot
from laguna.lab.tournament import JOURNAL, Plan, run
from tests.size import scaled

MODULE = '''
"""Bots for the tests."""
from helpers_of_mine import last

LEVEL = 3

def careful(game, seed):
    return last(game.legal())

def code(game, seed):
    return game.legal()[0].code

def nothing(game, seed):
    pass

def text(game, seed):
    return str(game.legal()[0])

def stranger(game, seed):
    import laguna
    return laguna.new("venice-2099", seed=1).legal()[0]

def illegal(game, seed):
    return next(code for code in range(500) if code not in [action.code for action in game.legal()])

def broken(game, seed):
    return 1 / 0

def leaves(game, seed):
    raise SystemExit(1)

def alone():
    pass

def reader(game, seed):
    """Plays what it can only know from the log, to be seen to have it."""
    played = [entry for entry in game.log_for(game.seat) if entry["number"]]
    return game.legal()[len(played) % len(game.legal())]
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with custom bots, a module beside them, and modules that cannot be imported."""
    (tmp_path / "mybots.py").write_text(MODULE)
    (tmp_path / "helpers_of_mine.py").write_text("def last(things):\n    return things[-1]\n")
    (tmp_path / "misspelt.py").write_text("def careful(game, seed:\n")
    (tmp_path / "needy.py").write_text("import a_module_that_is_not_there\n")
    (tmp_path / "hasty.py").write_text("\nraise RuntimeError('not today')\n")
    return tmp_path


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in ("mybots", "helpers_of_mine"):
        sys.modules.pop(name, None)


def laguna_command(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from laguna.cli.main import main; main()", *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


# ------------------------------------------------------------------ what a bot may answer


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda game: None, "answered None; a bot must return"),
        (lambda game: str(game.legal()[0]), r"answered '.*'; a bot must return"),
        (lambda game: 1.0, r"answered 1\.0; a bot must return"),
        (lambda game: True, "answered True; a bot must return"),
        (lambda game: game.legal(), "a bot must return one of game.legal"),
        (lambda game: 10_000, "chose 10000: .*not an action of Neptune & Vesta"),
        (lambda game: -1, "chose -1: .*not an action of Neptune & Vesta"),
        (lambda game: game.action("4Rc3"), r"chose 4Rc3: Rc3 already holds"),
        (
            lambda game: laguna.new("venice-2099", seed=1).legal()[0],
            "chose @.*: .*not an action of Neptune & Vesta",
        ),
    ],
)
def test_an_answer_that_is_not_a_legal_action_is_reported(
    answer: Callable[[Any], Any], sentence: str
) -> None:
    game = laguna.new("neptune-vesta", seed=7)
    game.play("1Ra1")

    def odd(game: laguna.Game, seed: int) -> Any:
        return answer(game)

    with pytest.raises(laguna.BadBot, match=r"^The bot odd .*") as refused:
        ask(odd, game, 1)
    assert refused.match(sentence) and "\n" not in str(refused.value)
    assert game.played == 1


def test_an_action_and_its_code_are_answers() -> None:
    game = laguna.new("neptune-vesta", seed=7)
    for answer in (
        lambda g: g.legal()[3],
        lambda g: g.legal()[3].code,
        lambda g: np.int64(g.legal()[3].code),
    ):
        assert ask(lambda imagined, seed, answer=answer: answer(imagined), game, 1) == game.legal()[3]


@pytest.mark.parametrize("seed", [0.5, None, "1", -1])
def test_the_seed_of_a_question_is_checked(seed: Any) -> None:
    with pytest.raises(laguna.BadOption, match="A seed must be a whole number"):
        ask(load_bot("random"), laguna.new("neptune-vesta"), seed)


def test_errors_come_through_from_other_processes() -> None:
    error = laguna.IllegalAction("key", "A sentence.", clause="N8", tile=7, legal=["1Ra1"])
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is laguna.IllegalAction and str(again) == "A sentence."
    assert (again.key, again.clause, again.arguments) == ("key", "N8", {"tile": 7, "legal": ["1Ra1"]})


# ------------------------------------------------------------------ by name


def test_a_bot_by_name(here: Path) -> None:
    game = laguna.new("neptune-vesta", seed=7)
    assert ask(load_bot("mybots:careful"), game, 1) == game.legal()[-1]
    assert ask(load_bot("mybots:code"), game, 1) == game.legal()[0]
    assert ask(load_bot("greedy"), game, 1) in game.legal()
    assert load_bot("search:20") is not None


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nobots:careful", r"no module 'nobots'.*nobots\.py"),
        ("mybots.deep:careful", r"no module 'mybots\.deep'"),
        ("mybots:carefull", "mybots has no function 'carefull'; its functions are careful, code, "),
        ("mybots:LEVEL", "mybots has no function 'LEVEL'"),
        ("misspelt:careful", r"cannot be imported: SyntaxError: .*misspelt\.py, line 1"),
        ("needy:careful", r"cannot be imported: ModuleNotFoundError: .*'a_module_that_is_not_there'.*line 1"),
        ("hasty:careful", r"cannot be imported: RuntimeError: not today \(hasty\.py, line 2\)"),
        ("mybots:", "There is no bot 'mybots:'"),
        (":careful", "There is no bot ':careful'"),
        ("my bots:careful", "There is no bot"),
        ("../mybots:careful", "There is no bot"),
        ("search:fast", "There is no bot 'search:fast'"),
    ],
)
def test_a_name_that_leads_nowhere_is_reported(here: Path, name: str, sentence: str) -> None:
    with pytest.raises(laguna.LagunaError, match=sentence) as refused:
        load_bot(name)
    assert "\n" not in str(refused.value)
    with pytest.raises(laguna.LagunaError):
        Plan("neptune-vesta", (name, "greedy"), 2, {})


def test_servers_import_nothing_by_name(here: Path) -> None:
    """There, names of bots come from outside."""
    with pytest.raises(laguna.BadOption, match="There is no bot"):
        laguna.bots.find_bot("mybots:careful")
    assert "mybots" not in sys.modules


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (
            "broken",
            r"The bot mybots:broken failed: ZeroDivisionError: division by zero \(mybots\.py, line 27\)",
        ),
        ("leaves", "The bot mybots:leaves failed: SystemExit: 1"),
        ("alone", "The bot mybots:alone failed: TypeError: alone.. takes 0 positional arguments but 2"),
        ("nothing", "The bot mybots:nothing answered None"),
        ("text", "The bot mybots:text answered '"),
        ("illegal", "The bot mybots:illegal chose "),
        ("stranger", "The bot mybots:stranger chose "),
    ],
)
@pytest.mark.parametrize("cores", scaled([1], [1, 2]))
def test_a_bot_that_fails_ends_the_tournament_with_a_sentence(
    here: Path, function: str, sentence: str, cores: int
) -> None:
    plan = Plan("neptune-vesta", (f"mybots:{function}", "random"), 2, {"rounds": 1})
    with pytest.raises(laguna.BadBot, match=sentence):
        run(plan, cores=cores)


# ------------------------------------------------------------------ at the terminal


@pytest.mark.proof
def test_it_enters_tournaments_from_the_current_folder(folder: Path) -> None:
    words = ["neptune-vesta", "mybots:careful", "random", "--games", 4, "--option", "rounds=1"]
    done = laguna_command(folder, "tournament", *words, "--folder", "t", "--keep", "--json", "told.json")
    assert done.returncode == 0, done.stderr
    found = json.loads((folder / "told.json").read_text())
    assert found["bots"] == ["mybots:careful", "random"] and found["games"] == 4
    assert len((folder / "t" / JOURNAL).read_text().splitlines()) == 5
    kept = laguna.load(folder / "t" / "neptune-vesta-0-0.laguna.json")
    assert kept.seats == ["mybots:careful", "random"]


def test_it_sits_at_tables_of_the_terminal(folder: Path) -> None:
    seats = "mybots:reader , mybots:careful"
    done = laguna_command(folder, "play", "--seats", seats, "--option", "rounds=1", "--save", "g.laguna.json")
    assert done.returncode == 0, done.stderr
    game = laguna.load(folder / "g.laguna.json")
    assert game.over and game.seats == ["Vesta (mybots:reader)", "Neptune (mybots:careful)"]
    again = laguna.new("neptune-vesta", seed=game.seed, rounds=1)
    for action in game.actions:
        legal = again.legal()
        assert action == (legal[-1] if again.seat == 1 else legal[again.played % len(legal)])
        again.play(action)


@pytest.mark.proof
def test_names_too_long_for_a_seat_are_shortened(folder: Path) -> None:
    long = "a_rather_long_name_of_a_module_with_bots"
    (folder / f"{long}.py").write_text(MODULE)
    words = [f"{long}:careful", "random", "--games", 2, "--option", "rounds=1", "--folder", "t", "--keep"]
    assert laguna_command(folder, "tournament", "neptune-vesta", *words).returncode == 0
    (_, seat) = laguna.load(folder / "t" / "neptune-vesta-0-1.laguna.json").seats
    assert len(seat) == 40 and seat.endswith(":careful")
    assert laguna_command(folder, "play", "--seats", f"random,{long}:careful").returncode == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tournament", "neptune-vesta", "mybots:carefull", "greedy"], "has no function 'carefull'"),
        pytest.param(
            ["tournament", "neptune-vesta", "nobots:careful", "greedy"],
            "no module 'nobots'",
            marks=pytest.mark.proof,
        ),
        (["tournament", "neptune-vesta", "mybots:broken", "random"], "failed: ZeroDivisionError"),
        pytest.param(
            ["tournament", "neptune-vesta", "mybots:nothing", "random"],
            "answered None",
            marks=pytest.mark.proof,
        ),
        pytest.param(
            ["play", "--seats", "mybots:illegal,random"], "mybots:illegal chose", marks=pytest.mark.proof
        ),
        (["play", "--seats", "mybots:broken,random"], "failed: ZeroDivisionError"),
        (["play", "--seats", "you,hasty:careful"], "RuntimeError: not today"),
    ],
)
def test_what_is_wrong_with_it_is_said_in_one_sentence(folder: Path, words: list[str], sentence: str) -> None:
    done = laguna_command(folder, *words)
    assert done.returncode == 2 and sentence in done.stderr
    assert "\n" not in done.stderr.strip() and "Traceback" not in done.stderr + done.stdout


@pytest.mark.proof
def test_the_example_of_the_docs(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "bots.md").read_text(encoding="utf-8")
    example = page[page.index("With this in `mybots.py`") :]
    module, commands = (each.partition("\n")[2] for each in example.split("```")[1:4:2])
    (tmp_path / "mybots.py").write_text(module)
    tournament, play = (line.split()[1:] for line in commands.splitlines())
    done = laguna_command(tmp_path, *tournament)
    assert done.returncode == 0 and "mybots:careful" in done.stdout, done.stderr
    with_a_bot_first = [
        word.replace("you,mybots:follower", "mybots:follower,mybots:careful") for word in play
    ]
    assert with_a_bot_first != play
    done = laguna_command(tmp_path, *with_a_bot_first, "--option", "rounds=1")
    assert done.returncode == 0 and "rounds won" in done.stdout, done.stderr
