"""Whole games without a pointer: Tab, arrows, Enter, Escape, from the front page on."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from tests.page.conftest import Visits
from tests.page.games import SHORT, in_turn
from tests.page.visitor import SHOW_ONLY, Visitor

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
ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]
MAX_PRESSES = 500  # to get from anywhere to something that can be chosen


def press(visitor: Visitor, key: str) -> None:
    visitor.page.keyboard.press(key)


def tab_to(visitor: Visitor, what: str, value: str) -> None:
    for _ in range(MAX_PRESSES):
        if visitor.page.evaluate(FOCUS)[what] == value:
            return
        press(visitor, "Tab")
    raise AssertionError(f"{value} is not reached by Tab")


def is_wanted(at: Any, before: Any, chance: random.Random) -> bool:
    """Is the focus on something to choose? Things of a kind that is already chosen count only sometimes."""
    if not at["legal"] or at["chosen"] or at["spot"] in SHOW_ONLY:
        return False
    kinds = {spot.split(":")[0] for spot in before["chosen"]}
    return chance.random() < (0.2 if at["spot"].split(":")[0] in kinds else 0.5)


def act(visitor: Visitor, chance: random.Random) -> bool:
    """One step by keyboard: go to something legal and press Enter. False if nothing can be done now."""
    before = visitor.state()
    if before["over"] or not (before["legal"] or before["confirm"]):
        return False
    for _ in range(MAX_PRESSES):
        at = visitor.page.evaluate(FOCUS)
        if at["does"] == "confirm" or (not before["confirm"] and is_wanted(at, before, chance)):
            press(visitor, "Enter")
            visitor.wait_for_change(before)
            return True
        on_board = at["spot"] and not before["confirm"]
        press(visitor, chance.choice(["Tab", "Tab", *(ARROWS if on_board else [])]))
        if visitor.state() != before:
            return True  # the game went on meanwhile
    raise AssertionError(f"nothing legal is reached by keyboard: {before}")


@pytest.mark.parametrize("game", in_turn(2))
def test_a_whole_game_by_keyboard(visit: Visits, game: str) -> None:
    ada = visit(confirm="turn" if game == "neptune-vesta" else "none")
    table = ada.open_table(game, ["me", "turtle"], SHORT.get(game))
    ada.sit_down(table)
    chance = random.Random(3)
    until = time.monotonic() + 240
    while not ada.state()["over"]:
        if not act(ada, chance):
            ada.page.wait_for_timeout(20)
        assert time.monotonic() < until, ada.state()
    assert ada.view(table)["status"] == "over"
    press(ada, "Escape")
    ada.page.wait_for_selector("[data-over]", state="detached")


def test_from_the_front_page_to_a_running_game(visit: Visits) -> None:
    ada = visit()
    ada.go()
    ada.page.wait_for_selector("[data-play=atlantis]:enabled")
    tab_to(ada, "play", "atlantis")
    press(ada, "Enter")
    ada.to_table()
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    assert act(ada, random.Random(2))


def test_escape_cancels_and_the_focus_stays_on_the_board(visit: Visits) -> None:
    ada = visit(confirm="every")
    table = ada.open_table("neptune-vesta", ["me", "turtle"])
    ada.sit_down(table)
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    act(ada, random.Random(1))
    press(ada, "Escape")
    ada.page.wait_for_function("() => reading.state().chosen.length === 0")
    assert ada.page.evaluate("() => document.activeElement !== document.body")


PART = """() => {
  const at = document.activeElement;
  const part = at.closest("section")?.className.split(" ")[0] ?? null;
  return { part, spot: at.dataset.spot ?? null, does: at.dataset.do ?? null };
}"""


@pytest.mark.parametrize("game", in_turn(1))
def test_tab_stops_once_in_the_board_the_buttons_and_the_hand(visit: Visits, game: str) -> None:
    ada = visit()
    ada.sit_down(ada.open_table(game, ["me", "turtle"], SHORT.get(game)))
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    ada.page.focus("a.skip")
    stops: list[Any] = []
    while not stops or stops[-1]["part"] not in ("seats", "log"):
        press(ada, "Tab")
        stops.append(ada.page.evaluate(PART))
        assert len(stops) < 30, stops
    parts = [stop["part"] for stop in stops]
    for part in ("board", "controls", "hand"):
        assert parts.count(part) == 1, stops


def test_arrows_move_among_the_buttons_and_tab_comes_back_to_the_last(visit: Visits) -> None:
    ada = visit()
    ada.sit_down(ada.open_table("atlantis", ["me", "turtle"]))
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    ada.page.set_viewport_size({"width": 700, "height": 800})  # with a button for the log
    tab_to(ada, "does", "hint")
    press(ada, "ArrowRight")
    assert ada.page.evaluate(FOCUS)["does"] == "log"
    press(ada, "Shift+Tab")
    press(ada, "Tab")
    assert ada.page.evaluate(FOCUS)["does"] == "log"
