"""The command line, as it is typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import laguna
from laguna.cli.main import out
from laguna.cli.speeds import print_speeds
from laguna.games import rulebooks
from laguna.kernel.jit import JIT
from laguna.lab.bench import SearchSpeed, Speed
from laguna.rulebook import clauses
from tests.every import Kind, kinds, random_steps
from tests.keyboard import Keyboard, typed_again


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Keyboard:
    return Keyboard(monkeypatch, capsys, columns=120)


def test_the_installed_command_says_its_version() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "laguna", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"laguna {laguna.__version__}"


def test_help_lists_every_command(run) -> None:  # type: ignore[no-untyped-def]
    done = run("--help")
    for command in (
        "play",
        "games",
        "rules",
        "show",
        "check",
        "schema",
        "bench",
        "tournament",
        "analyse",
        "warm-up",
    ):
        assert command in done.out
        assert run(command, "--help").code == 0


def test_games(run) -> None:  # type: ignore[no-untyped-def]
    assert all(id in run("games").out for id in rulebooks())
    found = json.loads(run("games", "--json").out)
    assert [game["id"] for game in found] == list(rulebooks())
    assert all(option["choices"] for game in found for option in game["options"])


@pytest.mark.parametrize("game", list(rulebooks()))
def test_rules_are_printed_with_their_clauses(run, game: str) -> None:  # type: ignore[no-untyped-def]
    whole = run("rules", game).out
    for clause, text in clauses(game).items():
        assert f"**{clause}**" in whole
        assert len(text) > 20
    first = next(iter(clauses(game)))
    assert run("rules", game, first.lower()).out.startswith(f"{first}: ")


def test_rules_in_other_languages_the_guide_and_a_search(run) -> None:  # type: ignore[no-untyped-def]
    russian = run("rules", "venice-2099", "V9", "--language", "ru").out
    assert russian.startswith("V9: ") and "фишк" in russian
    assert run("rules", "atlantis", "--language", "it").out.startswith("# Atlantide")
    assert "## Your turn" in run("rules", "mille-fiori", "--guide").out
    found = run("rules", "venice-2099", "--search", "gondola discard").out.split("\n\n")
    assert [text.split(":")[0] for text in found] == ["V10", "V14"]
    assert "No clause contains" in run("rules", "venice-2099", "--search", "checkmate").out
    for words, sentence in (
        (("--language", "de"), "There are no rules in 'de'; the languages are en, ru, it."),
        (("V9", "--guide"), "Give a clause, --guide or --search"),
        (("--search", " "), "at least one word"),
    ):
        refused = run("rules", "venice-2099", *words)
        assert refused.code == 2 and sentence in refused.err.replace("\n", " ")


@pytest.mark.parametrize("kind", [kind for kind in kinds() if kind.game == "neptune-vesta"][:1], ids=str)
def test_a_whole_game_at_the_keyboard(run, kind: Kind, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Two people play what was played before; the file that is saved passes `check` and is shown."""
    played = kind.new(seed=3)
    for _ in random_steps(played, seed=3):
        pass
    path = tmp_path / "game.laguna.json"
    done = run(
        "play", kind.game, "--seats", "you,you", "--seed", 3, "--save", path, typed=typed_again(played)
    )
    assert done.code == 0, done.err
    assert "wins" in done.out and f"Saved to {path}" in done.out.replace("\n", "")
    assert laguna.loads(path.read_text()).state_bytes() == played.state_bytes()

    checked = run("check", path)
    assert checked.code == 0 and f"scores {played.scores}" in checked.out
    shown = run("show", path, "--at", 5, "--seat", 0, "--log")
    assert "after 5 of" in shown.out and shown.code == 0
    view = json.loads(run("show", path, "--json").out)
    assert view["over"] and view["hand"] is None


def test_the_prompt_explains_refuses_lists_and_undoes(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "left.laguna.json"
    game = laguna.new("neptune-vesta", seed=7)
    assert game.seat == 1
    first = game.legal()[0]
    lines = [
        "?", "? N10", "? N99", f"? {first}", "? 1Rc3", "9", "list", "undo", str(first), "log", "undo",
        f"save {path}", f"save {path}", "save", "", "quit",
    ]  # fmt: skip
    done = run("play", "--seats", "random,you", "--seed", 7, typed="\n".join(lines) + "\n")
    assert done.code == 0
    for found in (
        "N6 Round 1: Neptune starts",
        "Type an action",
        "You have 144 legal actions",
        "N10: Combinations add up",
        "There is no clause 'N99'",
        "it scores nothing",
        "'9' is not an action of Neptune & Vesta",
        "You have no decision to undo",
        f"Undone: {first}",
        "already exists",
        "Name a file",
        "You left the game.",
    ):
        assert found in " ".join(done.out.split()), found
    assert laguna.loads(path.read_text()).actions == []


def test_an_end_of_input_leaves_the_game(run) -> None:  # type: ignore[no-untyped-def]
    assert run("play", "neptune-vesta", typed="").code == 0


def test_bots_play_each_other(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "bots.laguna.json"
    done = run("play", "neptune-vesta", "--seats", "greedy,random", "--option", "rounds=1",
               "--option", "line_to=sum", "--save", path)  # fmt: skip
    assert done.code == 0 and "rounds won" in done.out
    game = laguna.loads(path.read_text())
    assert game.options == {"rounds": 1, "line_to": "sum"}
    assert game.seats == ["Vesta (greedy)", "Neptune (random)"]
    assert run("play", "--from", path, "--seats", "random,random").code == 0


def test_a_bot_is_also_found_by_its_former_name(run: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "renamed.laguna.json"
    assert (
        run("play", "neptune-vesta", "--seats", "shell,random", "--option", "rounds=1", "--save", path).code
        == 0
    )
    assert laguna.loads(path.read_text()).seats == ["Vesta (turtle)", "Neptune (random)"]


def test_the_number_of_players_follows_from_the_seats_named(run: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "three.laguna.json"
    assert run("play", "mille-fiori", "--seats", "you,greedy,greedy", "--save", str(path), typed="").code == 0
    assert laguna.loads(path.read_text()).players == 3
    assert run("play", "mille-fiori", "--players", 4, "--seats", "you,greedy,greedy").code == 2


def test_a_game_goes_on_from_a_position_file(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    game = laguna.new("neptune-vesta", seed=1)
    path, after = tmp_path / "a.position.json", tmp_path / "b.laguna.json"
    path.write_text(json.dumps(game.position()))
    done = run("play", "--from", path, "--seats", "random,random", "--save", after)
    assert done.code == 0 and laguna.loads(after.read_text()).over


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["play", "chess"], "There is no game 'chess'"),
        (["play", "neptune-vesta", "--players", "4"], "is for 2 players, not 4"),
        (["play", "neptune-vesta", "--option", "rounds=2"], "not '2'"),
        (["play", "neptune-vesta", "--option", "rounds"], "--option takes NAME=VALUE"),
        (["play", "neptune-vesta", "--option", "x=1"], "has no option 'x'"),
        (["play", "neptune-vesta", "--seats", "you"], "Name 2 seats"),
        (["play", "neptune-vesta", "--seats", "you,deep-thought"], "There is no bot 'deep-thought'"),
        (["play", "neptune-vesta", "--seed", "-1"], "A seed must be"),
        (["play", "neptune-vesta", "--seed", "x"], "valid integer"),
        (["play", "neptune-vesta", "--seed", "9" * 5000], "Invalid value for '--seed'"),
        (["play", "neptune-vesta", "--players", "9" * 5000], "Invalid value for '--players'"),
        (["play", "neptune-vesta", "--option", "rounds=" + "9" * 5000], "not '9"),
        (["play", "neptune-vesta", "--option", "rounds=\udcff"], "not '\\udcff'"),
        (["play", "\udcff"], "There is no game '\\udcff'"),
        (["play", "--from", "/nowhere"], "There is no file"),
        (["play", "--save", __file__], "already exists"),
        (["rules", "chess"], "There is no game"),
        (["rules", "neptune-vesta", "N99"], "There is no clause 'N99'; the clauses are N1 to N20"),
        (["show", "/nowhere"], "There is no file"),
        (["check", "/nowhere", __file__], "not valid JSON"),
        (["schema", "chess"], "There is no game"),
        (["bench", "chess"], "There is no game"),
        (["bench", "--seconds", "0"], "0.1"),
        (["warm-up", "chess"], "There is no game"),
        (["dance"], "No such command"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(run, words: list[str], sentence: str) -> None:  # type: ignore[no-untyped-def]
    done = run(*words)
    assert done.code == 2
    assert sentence in " ".join(done.err.split())
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda text: text[: len(text) // 2], "not valid JSON"),
        (lambda text: text.replace('"laguna": 1', '"laguna": 7'), "format 7 is not supported"),
        (lambda text: "[" * 200_000, "nested too deeply"),
        (lambda text: text + " " * 100_000_000, "larger than 1 MB"),
        (
            lambda text: text.replace('"actions": [', '"actions": ["1Rc3", '),
            "Action 1 ('1Rc3') is not allowed",
        ),
        (lambda text: json.dumps({"game": "neptune-vesta", "board": {"Rz9": ["red", 1]}}), "board"),
        (lambda text: json.dumps({"game": "chess", "board": {}}), "There is no game 'chess'"),
        (lambda text: text.replace('"seed": 1', '"seed": ' + "9" * 5000), "more than 100 digits"),
        (lambda text: '{"game": "neptune-vesta", "board": ' + "9" * 5000 + "}", "more than 100 digits"),
        (lambda text: text.replace('"Neptune"', '"\\ud800"'), "half a character"),
        (lambda text: json.dumps({"game": "neptune-vesta", "board": {"\ud800": 1}}), "half a character"),
    ],
    ids=[
        *("truncated", "version", "deep", "large", "illegal", "position", "game"),
        *("digits", "digits-in-a-position", "half-a-name", "half-a-name-in-a-position"),
    ],
)
def test_a_damaged_file_is_refused_everywhere(run, damage, sentence, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    game = laguna.new("neptune-vesta", seed=1)
    for _ in random_steps(game, seed=1):
        pass
    path = tmp_path / "damaged.laguna.json"
    path.write_text(damage(game.dumps()))
    for words in (["check", path], ["show", path], ["verify", path], ["play", "--from", path]):
        done = run(*words)
        assert done.code == 2 and sentence in done.err and done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]


def test_bytes_that_are_not_text_are_shown_escaped_or_refused(tmp_path: Path) -> None:
    """In a file's name, and typed at the prompt; with the strict streams of a terminal in UTF-8."""
    path = os.fsencode(tmp_path) + b"/\xff.laguna.json"
    game = laguna.new("neptune-vesta", seed=1)
    Path(os.fsdecode(path)).write_text(game.dumps())
    cases: list[tuple[list[str | bytes], bytes, bytes]] = [
        (["check", path], b"", b"\\udcff.laguna.json: neptune-vesta"),
        (["play", "--from", path], b"\xff\nquit\n", b"\xef\xbf\xbd"),
    ]
    for words, typed, shown in cases:
        done = subprocess.run(
            [sys.executable, "-m", "laguna", *words],
            input=typed,
            capture_output=True,
            env=os.environ | {"LAGUNA_JIT": "0", "PYTHONIOENCODING": "utf-8:strict"},
        )
        assert done.returncode == 0 and shown in done.stdout and b"Traceback" not in done.stderr


def test_show_says_how_far_a_file_goes(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "short.laguna.json"
    game = laguna.new("neptune-vesta", seed=1)
    game.play(game.legal()[0])
    path.write_text(game.dumps())
    assert "--at must be from 0 to 1" in run("show", path, "--at", 2).err
    assert "the seats are 0 or 1" in run("show", path, "--seat", 5).err


def test_brackets_in_names_and_paths_are_just_brackets(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "[bold].laguna.json"
    game = laguna.new("neptune-vesta", seed=1, seats=["[/]", "[red]Bo"])
    path.write_text(game.dumps())
    assert "[bold]" in run("check", path).out
    assert "[red]Bo" in run("show", path).out
    done = run("play", "--from", path, "--seats", "you,random", typed="list\nquit\n")
    assert done.code == 0 and "[/]> " in done.out


def test_a_file_that_cannot_be_written_is_not_started(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    done = run("play", "neptune-vesta", "--seats", "random,random", "--save", tmp_path / "no" / "file.json")
    assert done.code == 2 and "cannot be written" in done.err
    assert list(tmp_path.iterdir()) == []


def test_schema(run) -> None:  # type: ignore[no-untyped-def]
    schema = json.loads(run("schema", "neptune-vesta").out)
    assert schema["$defs"]["Position"]["properties"]["game"] == {"const": "neptune-vesta"}


@pytest.mark.proof
def test_bench_measures_every_way(run) -> None:  # type: ignore[no-untyped-def]
    table = run("bench", "neptune-vesta", "--seconds", "0.1")
    assert all(way in table.out for way in ("interpreted", "one core", "all cores", "moves/s"))
    speeds = json.loads(run("bench", "neptune-vesta", "--seconds", "0.1", "--json").out)
    rates = {speed["way"]: speed["moves_per_second"] for speed in speeds}
    assert rates["one core"] > 20 * rates["interpreted"] > 0


@pytest.mark.skipif(not JIT, reason="searching interpreted takes too long")
def test_bench_measures_the_search(run) -> None:  # type: ignore[no-untyped-def]
    table = run("bench", "neptune-vesta", "--search", "--seconds", "0.1")
    assert all(found in table.out for found in ("one core", "iterations/s", "to the end"))
    (speed,) = json.loads(run("bench", "neptune-vesta", "--search", "--seconds", "0.1", "--json").out)
    assert speed["iterations_per_second"] == speed["iterations"] / speed["seconds"] > 1000


WAYS = {"interpreted": 9_876.0, "one core": 13_800_000.0, "all cores": 27_600_000.0, "gpu": 3_800_000_000.0}
PEERS = [("backgammon", "Python"), ("gin_rummy", "Python"), ("spades", "Python"), ("spades", "C++ loop"),
         ("crazy_eights", "C++ loop")]  # fmt: skip


def printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *speeds: list[Speed | SearchSpeed]
) -> list[str]:
    """The table of these measurements as a terminal of 80 columns shows it."""
    monkeypatch.setenv("COLUMNS", "80")
    print_speeds(out, "random playouts", *speeds)
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines) and "…" not in "".join(lines)
    return lines


def test_speeds_beside_peers_read_in_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours: list[Speed | SearchSpeed] = [
        Speed(game, way, int(rate / 40), int(rate), 1.0) for game in rulebooks() for way, rate in WAYS.items()
    ]
    others: list[Speed | SearchSpeed] = [
        Speed(f"OpenSpiel {name}", way, 600, 60_000 * 10**number, 1.0)
        for number, (name, way) in enumerate(PEERS)
    ]
    lines = printed(monkeypatch, capsys, ours, others)
    for game in rulebooks():
        at = [line for line in lines if line.split()[:1] == [game]]
        assert len(at) == 5, "a row for each way, and one that begins the comparison"
        assert any(line.split()[1:] == ["gpu", "95,000,000", "3,800,000,000"] for line in at)
    assert any(line.split() == ["gpu", "63,333", "6,333", "633", "63.3", "6.33"] for line in lines)
    assert any(line.split() == ["one", "core", "230", "23.0", "2.30", "0.230", "0.0230"] for line in lines)
    heading = " ".join(lines)
    for word in ("OpenSpiel crazy_eights", "backgammon", "spades", "C++ loop", "Python", "Times as fast as"):
        assert word in heading


def test_searches_beside_peers_read_in_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours: list[Speed | SearchSpeed] = [SearchSpeed(game, "one core", 39_476, 1.0) for game in rulebooks()]
    others: list[Speed | SearchSpeed] = [
        SearchSpeed("OpenSpiel hearts", "C++ ISMCTS", 33_483, 1.0),
        SearchSpeed("OpenSpiel gin_rummy", "C++ ISMCTS", 1_109, 1.0),
    ]
    lines = printed(monkeypatch, capsys, ours, others)
    assert sum(line.split()[-2:] == ["1.18", "35.6"] for line in lines) == len(rulebooks())


@pytest.mark.proof
def test_warm_up_shows_what_it_compiles(tmp_path: Path) -> None:
    import os

    environment = os.environ | {"LAGUNA_CACHE": str(tmp_path)}
    command = [sys.executable, "-m", "laguna", "warm-up", "neptune-vesta"]
    for more in (["--server"], []):
        done = subprocess.run([*command, *more], env=environment, capture_output=True, text=True, check=True)
        assert done.stderr == "Neptune & Vesta: ready\n"
    assert len(list(tmp_path.rglob("*.nbi"))) > 5
    for part in ("rules", "search", "server"):
        assert len(list(tmp_path.rglob(f"{part}.warm"))) == 1
