"""Whole games without a pointer: Tab, arrows, Enter, Escape, from the front page on."""

from __future__ import annotations

import random
import time

import pytest

from tests.page.conftest import Visits
from tests.page.visitor import Visitor

FOCUS = """() => {
  const at = document.activeElement;
  return {
    spot: at?.closest("[data-spot]")?.dataset.spot ?? null,
    legal: "legal" in (at?.dataset ?? {}),
    chosen: "chosen" in (at?.dataset ?? {}),
    does: at?.dataset?.do ?? null,
    play: at?.dataset?.play ?? null,
  };
}"""
MOST_PRESSES = 80  # to get from anywhere to something that can be chosen


def press(visitor: Visitor, key: str) -> None:
    visitor.page.keyboard.press(key)


def tab_to(visitor: Visitor, what: str, value: str) -> None:
    for _ in range(MOST_PRESSES):
        if visitor.page.evaluate(FOCUS)[what] == value:
            return
        press(visitor, "Tab")
    raise AssertionError(f"{value} is not reached by Tab")


def act(visitor: Visitor, chance: random.Random) -> bool:
    """One step by keyboard: go to something legal and press Enter. False if nothing can be done now."""
    before = visitor.state()
    if before["over"] or not (before["legal"] or before["confirm"]):
        return False
    for _ in range(MOST_PRESSES):
        at = visitor.page.evaluate(FOCUS)
        if at["does"] == "confirm" or (
            not before["confirm"]
            and at["legal"]
            and not at["chosen"]
            and at["spot"] != "card:play"
            and chance.random() < 0.5
        ):
            press(visitor, "Enter")
            visitor.wait_for_change(before)
            return True
        arrows = (
            ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]
            if at["spot"] and not before["confirm"]
            else []
        )
        press(visitor, chance.choice(["Tab", "Tab", *arrows]))
        if visitor.state() != before:
            return True  # the game went on meanwhile
    raise AssertionError(f"nothing legal is reached by keyboard: {before}")


@pytest.mark.parametrize("game", ["neptune-vesta", "venice-2099", "mille-fiori", "atlantis"])
def test_a_whole_game_by_keyboard(visit: Visits, game: str) -> None:
    ada = visit(confirm="turn" if game == "neptune-vesta" else "none")
    ada.go()
    ada.page.wait_for_selector(f"[data-play={game}]:enabled")
    tab_to(ada, "play", game)
    press(ada, "Enter")
    table = ada.to_table()
    chance = random.Random(3)
    until = time.monotonic() + 240
    while not ada.state()["over"]:
        if not act(ada, chance):
            ada.page.wait_for_timeout(20)
        assert time.monotonic() < until, ada.state()
    assert ada.view(table)["status"] == "over"
    press(ada, "Escape")
    ada.page.wait_for_selector("[data-over]", state="detached")


def test_escape_lets_go_and_the_focus_stays_on_the_board(visit: Visits) -> None:
    ada = visit(confirm="every")
    table = ada.open_table("neptune-vesta", ["me", "shell"])
    ada.sit_down(table)
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    act(ada, random.Random(1))
    press(ada, "Escape")
    ada.page.wait_for_function("() => reading.state().chosen.length === 0")
    assert ada.page.evaluate("() => document.activeElement !== document.body")
