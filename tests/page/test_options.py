"""Setting up a table: each option shows on a small board what the chosen value changes."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.page.browser import WEB
from tests.page.conftest import Visits
from tests.page.test_axe import examine


@pytest.mark.parametrize(
    ("game", "option", "choices", "language", "size", "look"),
    [
        ("venice-2099", "moves", ["queen", "rook", "walk"], "en", "laptop", "light"),
        ("neptune-vesta", "line_to", ["majority", "highest", "sum"], "ru", "phone", "dark"),
        ("mille-fiori", "draft", ["secret", "open"], "it", "laptop", "dark"),
    ],
)
def test_another_choice_shows_another_example(
    visit: Visits, game: str, option: str, choices: list[str], language: str, size: str, look: str
) -> None:
    words = json.loads((WEB / "src/games" / game / "words" / f"{language}.json").read_text(encoding="utf-8"))
    ada = visit(language=language, size=size, look=look)
    ada.go(f"/new/{game}")
    pictures = set()
    for choice in choices:
        ada.page.check(f"[data-option={option}] [data-choice={choice}]")
        example = ada.page.locator(f"[data-example={option}-{choice}]")
        expect(example).to_have_text(words["example"][option][choice])
        picture = example.locator("img")
        drawn = "picture => picture.complete && picture.naturalWidth > 0"
        ada.page.wait_for_function(drawn, arg=picture.element_handle())
        pictures.add(picture.get_attribute("src"))
    assert len(pictures) == len(choices)
    assert examine(ada) == []
    assert ada.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_an_edition_changes_the_examples_of_its_options(visit: Visits) -> None:
    ada = visit()
    ada.go("/new/venice-2099")
    ada.page.check("[data-option=edition] [data-choice=hobby-world]")
    for example in ("rescue-quarter", "x_scores-values", "tie_break-pawns"):
        expect(ada.page.locator(f"[data-example={example}]")).to_be_visible()
    expect(ada.page.locator("[data-option=edition] [data-example]")).to_have_count(0)
