"""axe finds nothing serious on any page, in light and in dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.page.browser import WEB
from tests.page.conftest import Visits
from tests.page.games import GAMES, SHORT
from tests.page.visitor import Visitor, play
from tests.size import scaled

LOOKS = ["light", "dark"]
FILES = Path(__file__).parents[1] / "files"
RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter((found) => ["serious", "critical"].includes(found.impact))
  .flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.html}`))"""


def examine(visitor: Visitor) -> Any:
    visitor.page.evaluate((WEB / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
    return visitor.page.evaluate(RUN)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/new/venice-2099",
        "/rules/neptune-vesta",
        "/me",
        "/editor/atlantis",
        "/puzzles/mille-fiori",
        "/watch",
    ],
)
def test_pages(visit: Visits, path: str, look: str) -> None:
    ada = visit(look=look)
    ada.go(path)
    ada.page.wait_for_selector("h1")
    ada.page.wait_for_load_state("networkidle")
    assert examine(ada) == []


@pytest.mark.parametrize("look", LOOKS)
def test_lobby(visit: Visits, look: str) -> None:
    ada = visit(look=look)
    ada.go(f"/table/{ada.open_table('mille-fiori', ['me', 'open', 'shell'])}")
    ada.page.wait_for_selector("[data-do=start]")
    assert examine(ada) == []


@pytest.mark.parametrize("look", scaled(LOOKS[:1], LOOKS))
@pytest.mark.parametrize("game", GAMES)
def test_boards(visit: Visits, game: str, look: str) -> None:
    ada = visit(look=look, confirm="none", size="laptop" if look == "light" else "phone")
    ada.sit_down(ada.open_table(game, ["me", "turtle"], SHORT.get(game)))
    play([ada], steps=12)
    assert examine(ada) == []


@pytest.mark.parametrize("look", scaled(LOOKS[:1], LOOKS))
def test_a_replay(visit: Visits, look: str) -> None:
    ada = visit(look=look, size="laptop" if look == "light" else "phone")
    ada.go("/replay")
    ada.page.wait_for_selector("[data-do=choose-file]")
    assert examine(ada) == []
    ada.page.set_input_files("input[type=file]", FILES / "mille-fiori-four-greedy.laguna.json")
    ada.page.wait_for_selector("[data-shown='0']")
    ada.page.keyboard.press("End")
    ada.page.wait_for_selector("[data-shown='192']")
    assert examine(ada) == []


@pytest.mark.proof
@pytest.mark.parametrize("look", scaled(LOOKS[:1], LOOKS))
def test_dialogs_and_the_result(visit: Visits, look: str) -> None:
    ada = visit(look=look, confirm="none")
    ada.sit_down(ada.open_table("neptune-vesta", ["me", "turtle"], {"rounds": 1}))
    ada.do("menu")
    assert examine(ada) == []
    ada.do("settings")
    assert examine(ada) == []
    ada.page.keyboard.press("Escape")
    play([ada])
    assert examine(ada) == []
