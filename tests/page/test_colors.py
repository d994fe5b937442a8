"""Nothing needs color alone: people with any color vision, or none, tell the pieces apart."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageDraw

from tests.page.conftest import Visits
from tests.page.games import in_turn, most
from tests.page.seeing import VISIONS, Eyes, crop, difference
from tests.page.visitor import Visitor, play
from tests.size import scaled

# The same piece on two cells differs by up to 7, pieces of different kinds by at least 18 (without colors).
LEAST = 12.0

# Kinds of pieces that must be told apart: the words that name each in the label of its spot. Pieces that
# show a number are compared with others of the same number.
KINDS: dict[str, tuple[str, list[str]]] = {
    "venice-2099": ("cell", ["black", "brown", "azure", "red", "violet", "green"]),
    "mille-fiori": ("cell", ["Pigment workshop", "Ash workshop", "Lime workshop", "Quartz workshop"]),
    "neptune-vesta": ("cell", [": red", ": blue"]),
    "atlantis": ("space", ["amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle"]),
}
PAPER = "#f7f2e8"
TWICE = """() => {
  const found = {};
  for (const spot of document.querySelectorAll("[data-spot^='cell:'], [data-spot^='space:']")) {
    const piece = spot.ariaLabel.replace(/^[^:]*: /, "");
    const bare = !/water|pawn|coin on|hold|stack/i.test(piece);
    if (bare) (found[piece] ??= []).push(spot.getBoundingClientRect().toJSON());
  }
  return Object.values(found).find((boxes) => boxes.length > 1) ?? [];
}"""
FIND = """([kind, words]) => {
  const groups = {};
  for (const spot of document.querySelectorAll(`[data-spot^="${kind}:"]`)) {
    const label = spot.getAttribute("aria-label");
    const word = words.find((each) => label.includes(each));
    const number = label.match(/[a-z] (\\d)\\W/)?.[1] ?? "";
    const bare = !/water|pawn|coin on|hold|stack/i.test(label); // nothing else stands on it
    if (word && bare) (groups[number] ??= {})[word] ??= spot.getBoundingClientRect().toJSON();
  }
  return Object.values(groups).sort((one, other) => Object.keys(other).length - Object.keys(one).length)[0];
}"""
MARKS = """() => [...document.querySelectorAll("[data-score]")].map((score) => {
  for (let around = score.parentElement; around; around = around.parentElement) {
    const mark = around.querySelector("svg path[fill^='var(--seat']");
    if (mark) return mark.getBoundingClientRect().toJSON();
  }
})"""


def pair(colors: tuple[str, str], shapes: tuple[str, str]) -> tuple[Image.Image, Image.Image]:
    pictures = []
    for color, shape in zip(colors, shapes, strict=True):
        picture = Image.new("RGB", (40, 40), PAPER)
        draw = ImageDraw.Draw(picture)
        if shape == "disc":
            draw.ellipse((8, 8, 32, 32), color)
        else:
            draw.polygon([(20, 6), (34, 34), (6, 34)], color)
        pictures.append(picture)
    return pictures[0], pictures[1]


def test_the_measure_itself() -> None:
    """Two grays of one shape are not told apart; another shape or another tone is."""
    one, other = pair(("#777777", "#797979"), ("disc", "disc"))
    assert difference(one, other) < 2
    half = (1, 0, 0.5, 0, 1, 0.5)
    moved = one.transform(one.size, Image.Transform.AFFINE, half, Image.Resampling.BILINEAR, fillcolor=PAPER)
    assert difference(one, moved) < LEAST  # shifted by half a pixel it is still the same piece
    assert difference(*pair(("#777777", "#777777"), ("disc", "triangle"))) > LEAST
    assert difference(*pair(("#333333", "#aaaaaa"), ("disc", "disc"))) > LEAST


@pytest.mark.parametrize("look", scaled(["light"], ["light", "dark"]))
def test_the_same_piece_twice_is_not_told_apart(visit: Visits, look: str) -> None:
    """Otherwise the measure would find everything different, and prove nothing."""
    ada = visit(look=look)
    ada.sit_down(ada.open_table("venice-2099", ["me", *["turtle"] * 4]))
    one, other, *_ = ada.page.evaluate(TWICE)
    for vision in VISIONS:
        picture = Eyes(ada).see(vision)
        assert difference(crop(picture, one), crop(picture, other)) < LEAST


def check_all_differ(ada: Visitor, boxes: list[dict[str, Any]], names: list[str]) -> None:
    eyes = Eyes(ada)
    for vision in VISIONS:
        picture = eyes.see(vision)
        crops = [crop(picture, box) for box in boxes]
        for one, other in combinations(range(len(crops)), 2):
            seen = difference(crops[one], crops[other])
            assert seen > LEAST, f"{vision}: {names[one]} and {names[other]} differ by {seen:.1f}"


@pytest.mark.parametrize("look", scaled(["light"], ["light", "dark"]))
@pytest.mark.parametrize("game", in_turn(1))
def test_kinds_of_pieces(visit: Visits, game: str, look: str) -> None:
    ada = visit(look=look, confirm="none")
    ada.sit_down(ada.open_table(game, ["me", *["turtle"] * (most(game) - 1)]))
    play([ada], steps=16 if game == "neptune-vesta" else 2)
    ada.page.mouse.move(2, 2)
    boxes: dict[str, dict[str, Any]] = ada.page.evaluate(FIND, list(KINDS[game]))
    assert len(boxes) >= 2
    check_all_differ(ada, list(boxes.values()), list(boxes))


def with_margin(box: dict[str, Any]) -> dict[str, Any]:
    """A mark fills its box: without a margin, the measure would cut off its corners."""
    more = box["width"] * 0.15
    wider = {"width": box["width"] + 2 * more, "height": box["height"] + 2 * more}
    return {"x": box["x"] - more, "y": box["y"] - more} | wider


@pytest.mark.parametrize("look", scaled(["light"], ["light", "dark"]))
@pytest.mark.parametrize("game", in_turn(3))
def test_marks_of_the_seats(visit: Visits, game: str, look: str) -> None:
    ada = visit(look=look)
    ada.sit_down(ada.open_table(game, ["me", *["turtle"] * (most(game) - 1)]))
    boxes = [with_margin(box) for box in ada.page.evaluate(MARKS)]
    assert len(boxes) == most(game)
    check_all_differ(ada, boxes, [f"seat {seat}" for seat in range(len(boxes))])
