"""Signs and numbers are explained: in words, wherever one looks, with a mouse, a finger or the keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import Visits
from tests.page.ending import play_on
from tests.page.games import SHORT, in_turn, most
from tests.page.visitor import Visitor
from tests.size import scaled

FACTS = """() => [...document.querySelectorAll("[data-seat='1'] .pieces .fact")]
  .map((fact) => fact.lastElementChild.textContent.replace(/\\.$/, "").trim())"""
IN_VIEW = """() => {
  const box = document.querySelector("[data-legend]").getBoundingClientRect();
  const beyond = box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
  return box.width > 0 && !beyond;
}"""
NUMBERS = """() => [...document.querySelectorAll("[data-numbers] text")].map((text) => {
  const at = text.getBoundingClientRect();
  const tile = document.querySelector(`[data-spot="space:${text.textContent}"]`).getBoundingClientRect();
  const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
  const inside = x > tile.left && x < tile.right && y > tile.top && y < tile.bottom;
  const scale = text.getScreenCTM().a;
  return { place: text.textContent, inside, size: parseFloat(text.getAttribute("font-size")) * scale };
})"""
CHIPS = """() => [...document.querySelectorAll("[data-cost]")].map((chip) => {
  const [text, pill] = ["text", "rect"].map((name) => chip.querySelector(name).getBoundingClientRect());
  return text.left >= pill.left && text.right <= pill.right ? "" : chip.textContent;
})"""


def check_legend(visitor: Visitor) -> None:
    visitor.page.wait_for_selector("[data-legend]")
    legend = visitor.page.locator("[data-legend]").inner_text()
    facts = visitor.page.evaluate(FACTS)
    assert facts and all(fact in legend.replace("\n", " ") for fact in facts), (facts, legend)
    assert visitor.page.evaluate(IN_VIEW)
    assert visitor.wrong() == []


@pytest.mark.parametrize("game", in_turn(2))
def test_what_a_seat_has_is_told_in_words(visit: Visits, game: str) -> None:
    ada = visit()
    ada.sit_down(ada.open_table(game, ["me", *["turtle"] * (most(game) - 1)]))
    seat = ada.page.locator("[data-do=explain-seat]").nth(1)
    seat.hover()
    check_legend(ada)
    ada.page.mouse.move(2, 2)
    ada.page.wait_for_selector("[data-legend]", state="detached")
    ada.page.keyboard.press("Tab")
    seat.focus()
    check_legend(ada)
    assert seat.get_attribute("aria-describedby") == ada.page.locator("[data-legend]").get_attribute("id")
    ada.page.keyboard.press("Escape")
    ada.page.wait_for_selector("[data-legend]", state="detached")


@pytest.mark.parametrize("game", in_turn(3))
def test_a_finger_gets_the_words_too(visit: Visits, game: str) -> None:
    ada = visit(size="phone")
    ada.sit_down(ada.open_table(game, ["me", *["turtle"] * (most(game) - 1)]))
    ada.page.locator("[data-do=explain-seat]").nth(1).tap()
    check_legend(ada)
    ada.page.touchscreen.tap(195, 10)
    ada.page.wait_for_selector("[data-legend]", state="detached")


def test_the_signs_of_a_treasure_are_told(visit: Visits) -> None:
    """Where there is no room for words, the text below the board tells what "1★ ⌂8 ◆10" means."""
    ada = visit(size="phone")
    table = ada.open_table("venice-2099", ["me", "turtle"])
    ada.sit_down(table)
    color = ada.view(table)["game"]["market"][0]["color"]
    ada.page.focus(f"[data-spot='treasure:{color}']")
    told = ada.page.locator("[data-now]", has_text=f"{color.capitalize()} treasure")
    told.wait_for()
    assert all(words in told.inner_text() for words in ("worth", "above water", "left to buy"))


@pytest.mark.parametrize("size", scaled(["phone"], ["phone", "landscape", "laptop"]))
def test_every_tile_of_atlantis_has_its_number(visit: Visits, size: str) -> None:
    ada = visit(size=size)
    table = ada.open_table("atlantis", ["me", "turtle"])
    ada.sit_down(table)
    numbers = ada.page.evaluate(NUMBERS)
    assert {each["place"] for each in numbers} == set(ada.view(table)["game"]["board"])
    assert all(each["inside"] for each in numbers), [each for each in numbers if not each["inside"]]
    assert min(each["size"] for each in numbers) > 8


def test_the_cost_of_a_way_fits_its_chip(visit: Visits) -> None:
    ada = visit(confirm="none")
    table = ada.open_table("atlantis", ["me", "turtle", "turtle", "turtle"])

    def costs(view: Any) -> bool:
        return view["game"]["phase"] == "turn" and any(way["cost"] for way in view["game"]["previews"])

    view = play_on(ada, table, costs)
    assert costs(view)
    ada.sit_down(table)
    for way in view["game"]["previews"]:
        if way["cost"]:
            ada.page.hover(f"[data-spot='card:{way['card']}']", force=True)
            ada.page.wait_for_selector("[data-cost]")
            assert set(ada.page.evaluate(CHIPS)) == {""}


# ------------------------------------------------------------ the result


def test_neptune_and_vesta_tells_its_rounds(visit: Visits) -> None:
    ada = visit()
    table = ada.open_table("neptune-vesta", ["me", "turtle"])
    play_on(ada, table)
    events = [event for line in ada.ask("GET", f"/tables/{table}")["lines"] for event in line["events"]]
    ends = [event for event in events if event["key"] in ("round-lighthouse", "round-full", "round-draw")]
    ada.sit_down(table)
    ada.page.wait_for_selector("[data-account]")
    told = ada.page.locator("[data-round]").all_inner_texts()
    assert len(told) == len(ends) >= 2
    for number, (text, end) in enumerate(zip(told, ends, strict=True), start=1):
        assert f"round {number}" in text
        assert ("on 10" in text) == (end["key"] == "round-lighthouse")
        assert 1 <= text.count("zone is complete") <= 3
        assert "The lighthouse went 0 → " in text
    last = [event for event in events if event["key"] == "lighthouse"][-1]["arguments"]["lighthouse"]
    side = "Vesta" if last > 0 else "Neptune" if last < 0 else "0"
    assert told[-1].rstrip().endswith(f"{side} {abs(last)}." if last else "0.")


@pytest.mark.parametrize("game", in_turn(0))
def test_an_ended_game_waits_for_nobody(visit: Visits, game: str) -> None:
    ada = visit()
    table = ada.open_table(game, ["me", "turtle"], SHORT.get(game))
    ada.ask("POST", f"/tables/{table}/resign", {})
    ada.sit_down(table)
    ada.page.wait_for_selector("[data-over]")
    assert "You resigned." in (ada.page.locator("[data-over] .headline").text_content() or "")
    assert (ada.page.locator("[data-now]").text_content() or "").strip() == "You resigned. The game is over."
    assert ada.page.locator("[data-deciding]").count() == 0
    assert ada.page.locator("[data-rank]").count() == 0, "a resignation has no places"
