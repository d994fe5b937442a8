"""Everything to play with is in view, at every size, without scrolling."""

from __future__ import annotations

import pytest

from tests.page.conftest import Visits
from tests.page.games import GAMES, SHORT, most
from tests.page.visitor import SIZES, play
from tests.size import scaled

OUTSIDE = """() => {
  const root = document.documentElement;
  const found = [];
  if (root.scrollHeight > root.clientHeight) found.push(`it scrolls down: ${root.scrollHeight}`);
  if (root.scrollWidth > root.clientWidth) found.push(`it scrolls sideways: ${root.scrollWidth}`);
  const closeUp = reading.first("[data-do=whole-board]") !== null; // of an area: what can be chosen is in it
  for (const spot of document.querySelectorAll(closeUp ? "[data-spot][data-legal]" : "[data-spot]")) {
    if (!reading.visible(spot)) continue;
    const box = spot.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const outside = x < 0 || y < 0 || x > innerWidth || y > innerHeight;
    if (outside) found.push(`${spot.dataset.spot} is out of view`);
  }
  return found;
}"""


@pytest.mark.parametrize("size", scaled(["phone"], list(SIZES)))
@pytest.mark.parametrize("game", GAMES)
def test_board_and_hand_are_in_view(visit: Visits, game: str, size: str) -> None:
    ada = visit(size=size, confirm="none", language="it")
    table = ada.open_table(game, ["me", *["turtle"] * (most(game) - 1)], SHORT.get(game))
    ada.sit_down(table)
    assert ada.page.evaluate(OUTSIDE) == []
    play([ada], steps=6)
    assert ada.page.evaluate(OUTSIDE) == []
    assert ada.wrong() == []


@pytest.mark.parametrize("size", scaled(["phone"], list(SIZES)))
@pytest.mark.parametrize(
    "path", ["/", "/new/venice-2099", "/rules/atlantis", "/rules/mille-fiori", "/editor/venice-2099"]
)
def test_no_page_scrolls_sideways(visit: Visits, path: str, size: str) -> None:
    ada = visit(size=size, language="ru", large=True)
    ada.go(path)
    ada.page.wait_for_selector("h1")
    ada.page.wait_for_load_state("networkidle")
    assert [problem for problem in ada.wrong() if "sideways" in problem] == []


def test_the_rules_show_their_drawings_and_say_what_is_to_be_seen(visit: Visits) -> None:
    ada = visit()
    ada.go("/rules/mille-fiori")
    ada.page.wait_for_selector(".text figure")
    ada.page.wait_for_function(
        "() => [...document.querySelectorAll('.text img')].every((image) => image.complete)"
    )
    drawn = ada.page.locator(".text img").evaluate_all("images => images.map((image) => image.naturalWidth)")
    assert len(drawn) == 6 and all(width > 0 for width in drawn)
    captions = ada.page.locator(".text figcaption").all_inner_texts()
    assert "plan" in captions[0] and all(len(caption) > 60 for caption in captions)
    assert "![" not in ada.page.inner_text(".text")
