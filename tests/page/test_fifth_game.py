"""A game from another package that has no face in the page can be played, as text and buttons."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from tests.page.test_whole_games import check_end
from tests.page.visitor import Visitor, play
from tests.server.running import running

FOLDER = Path(__file__).parents[1] / "fifth_game"


def test_a_game_without_a_face_is_played_to_its_end(chrome: Browser, tmp_path: Path) -> None:
    with running(tmp_path, PYTHONPATH=str(FOLDER), LAGUNA_JIT="0") as server:
        ada = Visitor(chrome, server.url, confirm="none")
        ada.go("/")
        ada.page.get_by_role("heading", name="Dice Nim").wait_for()
        table = ada.open_table("dice-nim", ["me", "heron"])
        ada.sit_down(table)
        assert "heap" in ada.page.locator("#board").inner_text()
        play([ada])
        check_end([ada], table)
        assert ada.problems == []
        ada.context.close()
