"""A game from another package: all of Laguna works with it, and no file of Laguna knows it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from laguna.games import rulebooks

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "fifth_game"
GAME = "dice-nim"


def python(*words: str, **environment: str) -> str:
    """Run Python where the package is installed; what it prints."""
    path = os.pathsep.join([str(FOLDER), str(ROOT)])
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path, "LAGUNA_JIT": "0"} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_without_its_package_there_is_no_such_game() -> None:
    assert GAME not in rulebooks()
    named = [
        path
        for folder in ("src", "web/src")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".py", ".ts", ".svelte", ".json") and "node_modules" not in path.parts
        if GAME in path.read_text(encoding="utf-8") or "dice_nim" in path.read_text(encoding="utf-8")
    ]
    assert named == []


def test_a_game_package_that_cannot_be_loaded_is_named_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "broken-1.0.dist-info").mkdir()
    (tmp_path / "broken-1.0.dist-info" / "METADATA").write_text("Name: broken\nVersion: 1.0\n")
    (tmp_path / "broken-1.0.dist-info" / "entry_points.txt").write_text("[laguna.games]\nbroken = broken\n")
    done = subprocess.run(
        [sys.executable, "-m", "laguna", "games"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "LAGUNA_JIT": "0"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert " ".join(done.stderr.split()) == (
        "laguna: The game package broken is installed but cannot be loaded: "
        "ModuleNotFoundError: No module named 'broken'."
    )


def test_it_passes_the_conformance_suite() -> None:
    told = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/conformance", "-k", GAME)
    passed = re.search(r"(\d+) passed", told)
    assert passed and int(passed[1]) >= 30


def test_it_is_listed_and_its_rules_can_be_read() -> None:
    assert "Dice Nim" in python("-m", "laguna", "games")
    assert python("-m", "laguna", "rules", GAME, "D3").startswith("D3: ")


def test_it_is_played_at_the_terminal() -> None:
    shown = python("-m", "laguna", "play", GAME, "--seats", "greedy,random", "--seed", "1")
    assert "takes the last counter" in shown and shown.rstrip().endswith(".")
    assert "Heap: empty" in shown


def test_the_search_finds_the_winning_move() -> None:
    """Two counters are left: taking both wins the dice."""
    code = (
        "import laguna; from laguna.bots import analyse\n"
        "position = {'turn': 0, 'taken': [5, 5], 'dice': [6, 6]}\n"
        f"print(analyse(laguna.from_position('{GAME}', position), iterations=200, seed=1).best.action)"
    )
    assert python("-c", code).strip() == "2"


SERVED = """
import asyncio, json, sys
from pathlib import Path
import laguna
from laguna.messages import Act, NewTable, SeatWish, TakeBack
from laguna.lab import analysis
from laguna.server.live import reviews
from laguna.table.entries import Origin, Settings
from tests.server.serving import ADA, BEN, sqlite, tables_at

async def main(folder):
    async with tables_at(sqlite(Path(folder))) as tables:
        seats = [SeatWish("me"), SeatWish("me", name="Guest")]
        opened = await tables.open(ADA, NewTable(Settings("dice-nim", 2), seats, start=True))
        number = 0
        while (view := (await tables.look(ADA, opened.table)).view).status == "playing":
            number += 1
            asked = Act(number, opened.table, view.version, {"do": "take", "counters": 1})
            done = await tables.request(ADA, asked)
            if number == 1:
                await tables.request(ADA, TakeBack(0, opened.table, done.version))
        seen = (await tables.look(BEN, opened.table)).view
        told = [number, view.result.scores, len(view.result.breakdown), seen.game["dice"]]
        reviews.MAX_ITERATIONS = reviews.MIN_ITERATIONS = 20  # interpreted, thousands would take minutes
        analysis.FORECASTS = 2
        review = await tables.review(opened.table, lambda: None)
        while not review.complete:
            await asyncio.sleep(0.05)
            review = await tables.review(opened.table)
        told.append(len(review.actions))
        origin = Origin(opened.table, 5)
        again = await tables.open(ADA, NewTable(Settings("dice-nim"), seats, start=True, origin=origin))
        print(json.dumps([*told, again.game["heap"]]))

asyncio.run(main(sys.argv[1]))
"""


def test_it_is_played_on_a_server(tmp_path: Path) -> None:
    """With undo, a spectator, a result and its breakdown, a review, and a table that goes on from it."""
    last = python("-c", SERVED, str(tmp_path)).splitlines()[-1]
    actions, scores, breakdown, dice, judged, heap = json.loads(last)
    assert (judged, heap) == (12, 7)
    assert actions == 13, "twelve counters, and one that was taken back"
    assert sum(scores) == 12 + sum(dice) and breakdown == 3


def test_without_observations_there_is_no_environment_of_it() -> None:
    told = python(
        "-c",
        "from laguna.envs import pettingzoo\n"
        f"try: pettingzoo.env('{GAME}')\n"
        "except ValueError as error: print(error)",
    )
    assert told.strip() == "Dice Nim has no observations.py, so there is nothing to tell an agent."


OBSERVATIONS = """
from laguna.games.contract import Field
from laguna.kernel.jit import rule
FIELDS = (Field("heap", (), 0, 12, "counters left"), Field("die", (), 1, 6, "your die"))
SIZE = 2
@rule
def observe(s, seat, out):
    out[0] = s.heap
    out[1] = s.hand[seat, 0]
"""

LEARNED = """
import gymnasium
import laguna.envs.gymnasium
from laguna.envs import pettingzoo
from pettingzoo.test import seed_test
seed_test(lambda: pettingzoo.env("dice-nim"))
env = gymnasium.make("laguna/DiceNim-v0", bots="greedy", seat=0)
observation, info = env.reset(seed=1)
ended = False
while not ended:
    _, reward, ended, _, info = env.step(int(info["action_mask"].argmax()))
print(observation, reward)
"""


def test_with_observations_it_is_an_environment(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    (tmp_path / GAME.replace("-", "_") / "observations.py").write_text(OBSERVATIONS)
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    told = python("-W", "ignore", "-c", LEARNED, PYTHONPATH=path)
    assert re.fullmatch(r"\[12 +[1-6]\] -?1\.0", told.strip())


def test_its_types_are_written_for_the_page() -> None:
    code = f"from laguna.server.typescript import *; print(game_wire(find('{GAME}')))"
    written = python("-c", code)
    assert (
        "export type Took = {" in written and 'key: "ended"' in written and "hand: number[] | null" in written
    )
