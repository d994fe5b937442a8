"""Nothing needs color alone: people with any color vision, or none, tell the pieces apart."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageDraw

from tests.page.conftest import Visits
from tests.page.games import GAMES, most
from tests.page.seeing import VISIONS, Eyes, crop, difference
from tests.page.visitor import Visitor, play

LEAST = 4.0  # a difference that is seen at a glance; 1 is about what can just be seen side by side

# Kinds of pieces that must be told apart: how their spots are found, one for each kind.
KINDS: dict[str, list[str]] = {
    "venice-2099": [
        f"[data-spot='treasure:{c}']" for c in ("black", "brown", "azure", "red", "violet", "green")
    ],
    "mille-fiori": [f"[data-spot^='display:{c}']" for c in ("pigment", "ash", "lime", "quartz", "residence")],
    "neptune-vesta": ["[data-spot='unseen:red:5']", "[data-spot='unseen:blue:5']"],
    "atlantis": [
        f"[data-spot='card:{item}']"
        for item in ("amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle")
    ],
}
MARKS = """() => [...document.querySelectorAll("[data-score]")].map((score) => {
  for (let around = score.parentElement; around; around = around.parentElement) {
    const mark = around.querySelector("svg path[fill^='var(--seat']");
    if (mark) return mark.getBoundingClientRect().toJSON();
  }
})"""


def pair(colors: tuple[str, str], shapes: tuple[str, str]) -> tuple[Image.Image, Image.Image]:
    pictures = []
    for color, shape in zip(colors, shapes, strict=True):
        picture = Image.new("RGB", (40, 40), "#f7f2e8")
        draw = ImageDraw.Draw(picture)
        if shape == "disc":
            draw.ellipse((8, 8, 32, 32), color)
        else:
            draw.polygon([(20, 6), (34, 34), (6, 34)], color)
        pictures.append(picture)
    return pictures[0], pictures[1]


def test_the_measure_itself() -> None:
    """Two greys of one shape are not told apart; another shape or another tone is."""
    assert difference(*pair(("#777777", "#797979"), ("disc", "disc"))) < 1
    assert difference(*pair(("#777777", "#777777"), ("disc", "triangle"))) > LEAST
    assert difference(*pair(("#333333", "#aaaaaa"), ("disc", "disc"))) > LEAST


def check_all_differ(ada: Visitor, boxes: list[dict[str, Any]], names: list[str]) -> None:
    eyes = Eyes(ada)
    for vision in VISIONS:
        picture = eyes.see(vision)
        crops = [crop(picture, box) for box in boxes]
        for one, other in combinations(range(len(crops)), 2):
            seen = difference(crops[one], crops[other])
            assert seen > LEAST, f"{vision}: {names[one]} and {names[other]} differ by {seen:.1f}"


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_kinds_of_pieces(visit: Visits, game: str, look: str) -> None:
    ada = visit(look=look, confirm="none")
    ada.sit_down(ada.open_table(game, ["me", *["shell"] * (most(game) - 1)]))
    play([ada], steps=4)
    ada.page.mouse.move(2, 2)
    found = {name: ada.page.locator(name).first for name in KINDS[game] if ada.page.locator(name).count()}
    boxes = [box for spot in found.values() if (box := spot.bounding_box())]
    assert len(boxes) >= 2
    check_all_differ(ada, [dict(box) for box in boxes], list(found))


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_marks_of_the_seats(visit: Visits, game: str, look: str) -> None:
    ada = visit(look=look)
    ada.sit_down(ada.open_table(game, ["me", *["shell"] * (most(game) - 1)]))
    boxes = ada.page.evaluate(MARKS)
    assert len(boxes) == most(game)
    check_all_differ(ada, boxes, [f"seat {seat}" for seat in range(len(boxes))])
