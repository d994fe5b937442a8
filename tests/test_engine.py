"""Engines: `laguna engine`, any program that speaks its protocol, and what it may not do to us."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import laguna
from laguna.bots import ask, load_bot
from laguna.cli.engine import Program, read_position
from laguna.cli.session import split_seats
from laguna.engine import Engine, close_engines, engine_bot
from laguna.errors import BadBot, BadOption, LagunaError
from laguna.files import MAX_BYTES
from laguna.kernel.jit import JIT
from laguna.lab.tournament import Plan, run
from tests.size import scaled

DOCS = Path(__file__).parents[1] / "docs"
OURS = [sys.executable, "-m", "laguna", "engine"]
EXAMPLE = [sys.executable, str(DOCS / "examples" / "engine.py")]
# An engine that greets properly; what it does with everything else is up to the test.
GREETS = """
import sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "laguna" or word == "ready":
        print("ready", flush=True)
    elif word == "go":
        {answer}
    elif word == "quit":
        {leave}
"""
needs_compiler = pytest.mark.skipif(not JIT, reason="searching interpreted takes too long")


_started: list[subprocess.Popen[str]] = []


def started(command: list[str]) -> subprocess.Popen[str]:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    _started.append(process)
    return process


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    yield
    close_engines()
    while _started:
        process = _started.pop()
        process.kill()
        process.communicate()


def game_of_two() -> laguna.Game:
    return laguna.new("neptune-vesta", seed=7, rounds=1)


def told(*lines: str | bytes) -> list[str]:
    """What our engine answers, in this process."""
    said = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    answers: list[str] = []
    Program(BytesIO(said), answers.append, Console(stderr=True)).run()
    return answers


def program(answer: str, leave: str = "break") -> list[str]:
    return [sys.executable, "-c", GREETS.format(answer=answer, leave=leave)]


# ------------------------------------------------------------------ our engine


def parts(line: str) -> tuple[str, set[str]]:
    """The first word of a line, and the names of its parts."""
    word, _, rest = line.partition(" ")
    return word, {part.split()[0] for part in rest.split(";")[word != "info" :]}


@needs_compiler
def test_the_conversation_in_the_docs() -> None:
    """Each line of the page is said; what comes back is the same but for choices and numbers."""
    page = (DOCS / "engine.md").read_text(encoding="utf-8")
    written = re.findall(r"```text\n(.*?)```", page, re.DOTALL)[0].splitlines()
    engine = started(OURS)
    assert engine.stdin is not None and engine.stdout is not None
    for line in written:
        if line.startswith("> "):
            engine.stdin.write(line[2:] + "\n")
            engine.stdin.flush()
            if line == "> go infinite":
                time.sleep(0.1)
            continue
        answer = engine.stdout.readline().strip()
        while answer.startswith("info") and not line.startswith("info"):
            answer = engine.stdout.readline().strip()
        if line.startswith(("info", "choice", "best")):
            word, known = parts(line)
            assert answer.startswith(f"{word} ")
            assert parts(answer)[1] <= known | {"chances", "line", "scores"}
        elif line.startswith("option threads"):
            assert answer.startswith("option threads")
        else:
            assert answer.startswith(line.rstrip("…"))
    assert engine.wait(60) == 0


@needs_compiler
def test_the_same_seed_and_iterations_give_the_same_answer() -> None:
    with Engine(OURS) as engine:
        infos: list[str] = []
        game = game_of_two()
        first = engine.think(game, iterations=3000, seed=5, report=infos.append)
        assert engine.think(game, iterations=3000, seed=5) == first
        assert infos and "chances" in infos[-1]
        assert first.action in game.legal() and abs(sum(first.chances) - 1) < 0.01
        assert first.line[0] == str(first.action)
        engine.option("bot", "greedy")
        assert engine.think(game, seconds=0.1).chances == ()
        with pytest.raises(BadBot, match="There is no bot 'clever'"):
            engine.option("bot", "clever")
        assert not engine.running


@needs_compiler
def test_stop_is_answered_at_once_and_the_end_of_the_input_ends_it() -> None:
    engine = started(OURS)
    assert engine.stdin is not None and engine.stdout is not None
    engine.stdin.write("position neptune-vesta; seed 7\nready\ngo infinite\noption choices 3\nready\n")
    engine.stdin.flush()
    lines = [engine.stdout.readline().strip()]
    while (line := engine.stdout.readline().strip()) != "ready":
        lines.append(line)
    assert lines[0] == "ready" and "error It is thinking; say stop first, or wait for the answer." in lines
    began = time.monotonic()
    engine.stdin.write("stop\n")
    engine.stdin.flush()
    while not (line := engine.stdout.readline()).startswith("best "):
        assert line.startswith("info ")
    assert time.monotonic() - began < 5
    engine.stdin.write("go infinite\n")
    engine.communicate(timeout=30)
    assert engine.returncode == 0


def test_what_is_wrong_is_said_in_one_sentence_and_changes_nothing() -> None:
    answers = told(
        "go seconds 1",
        "option bot nobody",
        "option choices 0",
        "option colour red",
        "position atlantis; players 9",
        "position nowhere",
        "position neptune-vesta; rounds many",
        "position {}",
        'position {"game": "atlantis"}',
        "position {",
        "sing",
        "laguna 2",
        b"\xff\xfe",
        b"x" * (MAX_BYTES + 10),
        "ready",
    )
    assert answers.pop() == "ready"
    assert len(answers) == 14
    assert all(line.startswith("error ") and len(line) < 400 for line in answers), answers


def test_positions() -> None:
    game = game_of_two()
    entry = game.play(game.legal()[3])
    assert read_position(f"neptune-vesta; seed 7; rounds 1; actions {entry.action}") == game
    written = json.dumps(game_of_two().position())
    assert read_position(f"{written}; actions {entry.action}").scores == game.scores
    with pytest.raises(BadOption, match="Action 2"):
        read_position(f"neptune-vesta; seed 7; actions {entry.action}, {entry.action}")


@pytest.mark.parametrize("name", list(laguna.games()))
def test_an_imagined_game_arrives_whole(name: str) -> None:
    """What an engine is told is the imagined game: hands, decks and all."""
    game = laguna.new(name, seed=3)
    for _ in range(20):
        game.play(game.legal()[-1])
    imagined = game.imagine(game.seat or 0, 9)
    arrived = read_position(json.dumps(imagined.position()))
    assert arrived.position() == imagined.position() and arrived.position() != game.position()
    assert all(arrived.view(seat)["legal"] == imagined.view(seat)["legal"] for seat in range(game.players))


words = st.sampled_from(
    [
        *("laguna", "option", "position", "ready", "stop", "neptune-vesta", "atlantis", "actions", "players"),
        *(
            "seed",
            "rounds",
            "bot",
            "choices",
            "threads",
            "go",
            "seconds",
            "iterations",
            "infinite",
            "nan",
            "1Ra1",
        ),
        *("{", "}", "[", '"game"', ":", ";", ",", "-1", "0", "7", "1e9", "9" * 20, "\ud800", "\x00", "é"),
    ]
)


@settings(max_examples=scaled(60, 2000), deadline=None)
@given(
    st.lists(
        st.one_of(
            st.lists(words, max_size=8).map(lambda each: " ".join(each).encode(errors="surrogatepass")),
            st.binary(max_size=40),
            st.text(max_size=40).map(lambda text: f"position {{{text}}}".encode(errors="surrogatepass")),
        ),
        max_size=6,
    )
)
def test_nothing_that_is_said_brings_it_down(lines: list[bytes]) -> None:
    """Every line is answered with an error or obeyed; it is always ready afterwards."""
    # A search would take its time; without a game there is none. After `quit` nobody answers any more.
    left_out = re.compile(rb"position (neptune|atl)|^\s*quit\b")
    answers = told(*(line for line in lines if not left_out.search(line)), b"ready")
    assert answers[-1] == "ready"
    assert all(line.split(" ")[0] in ("id", "option", "ready", "error") for line in answers)


@given(st.lists(words, max_size=12).map(" ".join))
@settings(max_examples=scaled(60, 2000), deadline=None)
def test_positions_are_read_or_refused(text: str) -> None:
    try:
        read_position(text)
    except LagunaError as error:
        assert "\n" not in str(error)


# ------------------------------------------------------------------ other programs


def test_the_example_plays_a_tournament() -> None:
    name = f"engine:{sys.executable} {EXAMPLE[1]}"
    games = run(Plan("neptune-vesta", (name, "random"), 2, {"rounds": 1}), cores=1)
    assert len(games) == 2 and all(played.actions > 5 for played in games)


def test_a_worker_of_a_tournament_that_is_killed_takes_its_engines_along() -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("looks at processes as Linux shows them")
    deaf = "import time, sys; print('ready', flush=True)\nwhile True: time.sleep(1)"
    script = "import sys, time\nfrom laguna.engine import Engine\n"
    script += f"engine = Engine([sys.executable, '-c', {deaf!r}])\n"
    script += "print(engine._process.pid, flush=True); time.sleep(60)"
    parent = started([sys.executable, "-c", script])
    assert parent.stdout is not None
    pid = parent.stdout.readline().strip()
    assert Path(f"/proc/{pid}").exists()
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 30
    while _alive(pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("sys.exit('no idea')", "ended with exit code 1 and said 'no idea'"),
        ("print('best 7Zz9', flush=True)", "chose '7Zz9'"),
        ("print('best', flush=True)", "chose ''"),
        ("print('hello there', flush=True)", "answered hello 'there'"),
        ("print('error I am tired.', flush=True)", "answered error 'I am tired.'"),
        ("sys.stdout.buffer.write(bytes([255, 10])); sys.stdout.flush()", "not UTF-8"),
        ("print('x' * 1_000_100, flush=True)", "a line of more than 1000000 bytes"),
        ("print(f'best {LEGAL}; chances x y', flush=True)", "chances that are no numbers"),
        ("time.sleep(60)", "does not answer in time"),
    ],
)
def test_a_program_that_misbehaves_is_killed(answer: str, says: str) -> None:
    game = game_of_two()
    command = program(answer.replace("{LEGAL}", str(game.legal()[0])))
    with Engine(command, patience=1.0) as engine:
        with pytest.raises(BadBot, match=re.escape(says)):
            engine.think(game, seconds=0.1)
        assert not engine.running
    assert game == game_of_two()


def test_a_program_that_will_not_quit_is_killed() -> None:
    answer = f"print('best {game_of_two().legal()[0]}', flush=True)"
    with Engine(program(answer, leave="time.sleep(60)")) as engine:
        assert engine.think(game_of_two(), iterations=1).action == game_of_two().legal()[0]
    assert not engine.running


def test_a_program_that_does_not_greet() -> None:
    with pytest.raises(BadBot, match="answered 'Python' to the greeting"):
        Engine([sys.executable, "-c", "print('Python 3'); input()"])
    with pytest.raises(BadBot, match="does not answer in time"):
        Engine([sys.executable, "-c", "import time; time.sleep(60)"], start=0.5)


def test_names_of_bots() -> None:
    python = sys.executable
    bot = engine_bot(f"engine:0.5s:{python} 'my engine.py' --deep")
    assert (bot.seconds, bot.iterations, bot.command[1:]) == (0.5, None, ("my engine.py", "--deep"))
    assert engine_bot(f"engine:2000:{python}").iterations == 2000
    for wrong in ("engine:", "engine:0s:" + python, "engine:no-such-program", f"engine:{python} 'x"):
        with pytest.raises(BadOption):
            load_bot(wrong)
    assert split_seats('you,engine:mine "--set=a,b",greedy') == ["you", 'engine:mine "--set=a,b"', "greedy"]


def test_an_engine_is_told_only_what_its_seat_may_know() -> None:
    """What it hears is the same whatever the others really hold."""
    hears = "import os; print('best', LEGAL, flush=True)"
    game = laguna.new("atlantis", players=2, seed=7)
    spy = [
        sys.executable,
        "-c",
        GREETS.format(answer=hears.replace("LEGAL", repr(str(game.legal()[0]))), leave="break"),
    ]
    with Engine(spy) as engine:
        said: list[str] = []
        send = engine._send
        engine._send = lambda line: (said.append(line), send(line))[1]  # type: ignore[method-assign,func-returns-value]
        engine.think(game, iterations=1, seed=4)
        engine.think(game.imagine(0, 99), iterations=1, seed=4)
    positions = [line for line in said if line.startswith("position")]
    assert len(positions) == 2 and positions[0] == positions[1]


def test_ask_checks_an_engine_like_any_bot() -> None:
    game = game_of_two()
    assert ask(load_bot(f"engine:{EXAMPLE[0]} {EXAMPLE[1]}"), game, 1) in game.legal()
