"""Bots are somebody: names that are nothing else's, faces, strengths; and Play now remembers them."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from laguna.bots import FORMER_NAMES, LEVELS
from laguna.games import rulebooks
from laguna.rulebook import rules_text
from tests.page.browser import WEB
from tests.page.conftest import Visits

LANGUAGES = ("en", "ru", "it")
DIFFERENT = 4  # letters in which any two names differ


def names(language: str) -> dict[str, str]:
    common = json.loads((WEB / "src/words/common" / f"{language}.json").read_text(encoding="utf-8"))
    found: dict[str, str] = common["level"]
    return found


def distance(one: str, other: str) -> int:
    """How many letters have to be added, left out or replaced to get from one word to the other."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        last, row = row, [number]
        for at, another in enumerate(other):
            row.append(min(last[at + 1] + 1, row[at] + 1, last[at] + (letter != another)))
    return row[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bots_name_is_its_own_in_every_language(language: str) -> None:
    called = names(language)
    assert list(called) == [level.name for level in LEVELS]
    for one, other in combinations(called.values(), 2):
        assert distance(one.lower(), other.lower()) >= DIFFERENT, (one, other)
    for game in rulebooks():
        words: Path = WEB / "src/games" / game / "words" / f"{language}.json"
        texts = words.read_text(encoding="utf-8").lower() + (
            rules_text(game).lower() if language == "en" else ""
        )
        for name in called.values():
            assert name.lower() not in texts, (game, name)
    assert any(
        former in (WEB / "src/games/mille-fiori/words/en.json").read_text(encoding="utf-8")
        for former in FORMER_NAMES
    )  # such a name would be noticed


def test_a_newcomer_meets_the_easiest_bot_and_later_the_one_chosen_last(visit: Visits) -> None:
    ada = visit()
    page = ada.page

    def levels() -> set[str | None]:
        table = ada.to_table()
        return {seat["level"] for seat in ada.view(table)["seats"][1:]}

    ada.go()
    page.wait_for_selector("[data-opponent=neptune-vesta] option[value=kraken]", state="attached")
    assert page.input_value("[data-opponent=neptune-vesta]") == "turtle"
    page.click("[data-play=neptune-vesta]")
    assert levels() == {"turtle"}
    assert page.locator("[data-seat='1'] [data-face=turtle]").count() == 1
    assert page.get_by_role("img", name="strength 1 of 5").count() == 1

    ada.go()
    page.select_option("[data-opponent=neptune-vesta]", "heron")
    page.reload()
    page.wait_for_selector("[data-opponent=neptune-vesta] option[value=kraken]", state="attached")
    assert page.input_value("[data-opponent=neptune-vesta]") == "heron"
    assert page.input_value("[data-opponent=venice-2099]") == "turtle"  # each game has its own
    page.click("[data-play=neptune-vesta]")
    assert levels() == {"heron"}

    ada.go("/new/neptune-vesta")
    assert page.input_value("[data-field=level]") == "heron"
    page.select_option("[data-field=level]", "dolphin")
    assert page.locator("[data-face=dolphin]").count() == 1
    assert page.get_by_role("img", name="strength 4 of 5").count() == 1
    ada.do("open")
    assert levels() == {"dolphin"}
    ada.go()
    page.wait_for_selector("[data-opponent=neptune-vesta] option[value=kraken]", state="attached")
    assert page.input_value("[data-opponent=neptune-vesta]") == "dolphin"


def test_a_former_name_that_a_browser_remembers_is_understood(visit: Visits) -> None:
    ada = visit()
    ada.go()
    ada.page.evaluate(
        "localStorage.setItem('laguna.opponents', JSON.stringify({ 'neptune-vesta': 'shell', atlantis: 7 }))"
    )
    ada.page.reload()
    ada.page.wait_for_selector("[data-opponent=neptune-vesta] option[value=kraken]", state="attached")
    assert ada.page.input_value("[data-opponent=neptune-vesta]") == "turtle"
    ada.page.click("[data-play=neptune-vesta]")
    assert ada.view(ada.to_table())["seats"][1]["level"] == "turtle"


def test_a_bot_in_the_lobby_and_in_the_result_has_its_face_and_strength(visit: Visits) -> None:
    ada = visit()
    table = ada.open_table("neptune-vesta", ["me", "open"])
    ada.go(f"/table/{table}")
    ada.page.locator("[data-do=put-bot]").select_option("kraken")
    ada.page.wait_for_selector("[data-chair='1'] [data-face=kraken]")
    assert ada.page.locator("[data-chair='1'] [data-strength='5']").count() == 1
    ada.do("start")
    ada.to_table()
    ada.ask("POST", f"/tables/{table}/resign", {})
    ada.page.wait_for_selector("[data-over] [data-face=kraken]")
    assert ada.page.locator("[data-over] [data-strength='5']").count() == 1
