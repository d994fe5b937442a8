"""Hints are drawn on the board: ranked, each with its chance and a reason, and the board stays in sight."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.page.conftest import Visits
from tests.page.games import GAMES, SHORT, in_turn
from tests.page.test_axe import LOOKS, examine
from tests.page.visitor import SIZES, Visitor
from tests.size import scaled

ATTEMPTS = 12  # positions in which a reason is looked for
NEAR = 4  # pixels between a ring and the spot that it is around

DRAWN = """() => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round);
  };
  const boxes = (selector) => [...document.querySelectorAll(selector)].map(box);
  const labels = [...document.querySelectorAll("[data-hint-label]")];
  return {
    list: boxes(".hints")[0],
    board: boxes("#board")[0],
    hand: boxes("section.hand")[0],
    spots: boxes("[data-spot]"),
    rings: boxes("[data-hint-mark] .ink rect"),
    labels: labels.map((label) => ({ text: label.textContent, box: box(label) })),
  };
}"""


def advance(visitor: Visitor, table: str, wanted: Any, seed: int = 1) -> Any:
    """Play at random, directly on the server, until the game is at a decision as wanted; its view."""
    chance = random.Random(seed)
    while True:
        view = visitor.view(table)
        assert view["status"] == "playing", "there was no such moment in the whole game"
        if "act" not in view["may"]:
            visitor.page.wait_for_timeout(20)
        elif wanted(view["game"]):
            return view
        else:
            action = chance.choice(view["game"]["legal"])
            visitor.ask("POST", f"/tables/{table}/act", {"version": view["version"], "action": action})


def ask_for_hints(visitor: Visitor) -> list[dict[str, Any]]:
    """The list of hints, as it is shown."""
    visitor.do("hint")
    visitor.page.wait_for_selector("[data-hint]")
    read = """entries => entries.map((entry) => ({
      rank: Number(entry.dataset.rank),
      percent: entry.dataset.hint,
      words: entry.textContent.replace(/\\s+/g, " "),
      reason: entry.querySelector("[data-reason]")?.textContent ?? "",
    }))"""
    found: list[dict[str, Any]] = visitor.page.eval_on_selector_all("[data-hint]", read)
    return found


def with_a_reason(visitor: Visitor, table: str, events: set[str]) -> list[dict[str, Any]]:
    """Hints of which at least one has a reason, in a position where an action could do such a thing."""

    def promising(game: Any) -> bool:
        if len(game["legal"]) < 3:
            return False
        given = visitor.ask("POST", f"/tables/{table}/hint", {"seconds": 0.05})["choices"]
        return any(event["key"] in events for choice in given[:2] for event in choice["events"])

    for attempt in range(ATTEMPTS):
        view = advance(visitor, table, promising, seed=attempt)
        visitor.sit_down(table)
        hints = ask_for_hints(visitor)
        if any(hint["reason"] for hint in hints):
            return hints
        on = {"version": view["version"], "action": view["game"]["legal"][0]}
        visitor.ask("POST", f"/tables/{table}/act", on)
    raise AssertionError("no hint had a reason")


def meet(one: list[int], other: list[int]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def around(ring: list[int], spot: list[int]) -> bool:
    return all(abs(edge - other) <= NEAR for edge, other in zip(ring, spot, strict=True))


def check_drawing(visitor: Visitor, hints: list[dict[str, Any]]) -> None:
    """Every rank is on the page with its chance, rings are around spots, and the list covers nothing."""
    visitor.page.wait_for_function("() => document.querySelector('[data-hint-label]')")
    visitor.page.wait_for_timeout(60)  # the marks follow in the next frame
    shown = visitor.page.evaluate(DRAWN)
    chances = {label["text"] for label in shown["labels"] if "·" in label["text"]}
    assert chances == {f"{hint['rank']} · {hint['percent']}%" for hint in hints}
    for ring in shown["rings"]:
        assert any(around(ring, spot) for spot in shown["spots"])
    for label in shown["labels"]:
        assert any(meet(label["box"], spot) for spot in shown["spots"])
    assert not meet(shown["list"], shown["board"]) and not meet(shown["list"], shown["hand"])
    assert visitor.wrong() == []


TELLING = {
    "atlantis": {"took"},
    "mille-fiori": {"points", "bonus"},
    "neptune-vesta": {"line"},
    "venice-2099": {"sank", "bought"},
}


@pytest.mark.parametrize("game", in_turn(3))
def test_hints_are_drawn_on_the_board_with_rank_chance_and_reason(visit: Visits, game: str) -> None:
    ada = visit(size="laptop" if GAMES.index(game) % 2 else "phone")
    table = ada.open_table(game, ["me", "turtle"], SHORT.get(game))
    hints = with_a_reason(ada, table, TELLING[game])
    assert [hint["rank"] for hint in hints] == list(range(1, len(hints) + 1)) and len(hints) <= 3
    chances = [int(hint["percent"]) for hint in hints]
    assert chances == sorted(chances, reverse=True)
    assert all(f"{hint['percent']}% to win" in hint["words"] for hint in hints)
    check_drawing(ada, hints)
    page = ada.page
    if len(hints) > 1:
        page.locator("[data-rank='2']").focus()
        assert page.locator("[data-hint-mark='2'].lit").count() == 1
        assert page.locator("[data-hint-mark='1'].faint").count() == 1
    width, height = SIZES["laptop"]
    page.set_viewport_size({"width": width - 30, "height": height - 60})
    check_drawing(ada, hints)
    ada.do("close-hints")
    page.wait_for_selector("[data-hint-marks]", state="detached")
    assert page.locator("[data-hint]").count() == 0


def test_a_hint_where_there_is_no_choice_says_so_instead_of_a_chance(visit: Visits) -> None:
    ada = visit()
    table = ada.open_table("venice-2099", ["me", "turtle"])
    advance(ada, table, lambda game: len(game["legal"]) == 1)
    ada.sit_down(table)
    [only] = ask_for_hints(ada)
    assert only["percent"] == "" and "your only choice" in only["words"] and "%" not in only["words"]
    texts = [label["text"] for label in ada.page.evaluate(DRAWN)["labels"]]
    assert texts and set(texts) == {"1"}


def test_what_is_pointed_at_takes_the_place_of_the_hints_until_the_pointer_leaves(visit: Visits) -> None:
    ada = visit()
    table = ada.open_table("neptune-vesta", ["me", "turtle"])
    advance(ada, table, lambda game: len(game["legal"]) > 1)
    ada.sit_down(table)
    ask_for_hints(ada)
    page = ada.page
    assert page.evaluate("reading.first('[data-hint]') !== null")
    point = ada.reach("cell:Rc3")
    assert point is not None
    page.mouse.move(*point)
    page.wait_for_function("() => reading.first('[data-hint]') === null")
    assert page.locator("[data-hint-marks]").count() == 1
    page.mouse.move(1, 1)
    page.wait_for_function("() => reading.first('[data-hint]') !== null")


@pytest.mark.parametrize("look", scaled(LOOKS[:1], LOOKS))
def test_hints_by_keyboard(visit: Visits, look: str) -> None:
    ada = visit(look=look)
    table = ada.open_table("neptune-vesta", ["me", "turtle"])
    advance(ada, table, lambda game: len(game["legal"]) > 1)
    ada.sit_down(table)
    page = ada.page
    page.wait_for_selector("[data-do=hint]:enabled")
    page.focus("[data-do=hint]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-hint]")
    page.wait_for_function("() => document.activeElement.dataset.rank === '1'")
    page.wait_for_selector("[data-hint-mark='1'].lit")
    assert examine(ada) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-hint-marks]", state="detached")
    page.wait_for_function("() => document.activeElement !== document.body")
