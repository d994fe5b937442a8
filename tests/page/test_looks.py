"""How it looks: the board gets the room, the page has its own typeface, the end of a game is a moment."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import Visits
from tests.page.ending import play_on
from tests.page.games import GAMES, SHORT, in_turn, most
from tests.page.visitor import SIZES, Visitor
from tests.size import scaled

LAPTOP, LARGE = (1280, 800), (1920, 1080)
BOX = "selector => document.querySelector(selector).getBoundingClientRect().toJSON()"
FONTS = """() => [...document.fonts]
  .filter((font) => font.family.includes("Commissioner") && font.status === "loaded")
  .map((font) => font.unicodeRange).join()"""
FONT_BYTES = """() => performance.getEntriesByType("resource")
  .filter((entry) => entry.name.endsWith(".woff2")).map((entry) => entry.encodedBodySize)"""
WIDTH = """([family, text]) => {
  const span = document.body.appendChild(document.createElement("span"));
  span.style.cssText = `position: fixed; font: 100px ${family}, serif`;
  span.textContent = text;
  const { width } = span.getBoundingClientRect();
  span.remove();
  return width;
}"""
COUNTED = """() => [...document.querySelectorAll("[data-counted]")]
  .map((score) => Number(score.textContent.replace("−", "-")))"""
MAX_FONTS = 100_000  # bytes over the wire


def resized(visitor: Visitor, size: tuple[int, int]) -> None:
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.page.wait_for_timeout(100)


def box(visitor: Visitor, selector: str) -> Any:
    return visitor.page.evaluate(BOX, selector)


@pytest.mark.parametrize("size", scaled([LAPTOP], [LAPTOP, LARGE]))
def test_venice_uses_its_pane(visit: Visits, size: tuple[int, int]) -> None:
    ada = visit()
    ada.sit_down(ada.open_table("venice-2099", ["me", *["turtle"] * (most("venice-2099") - 1)]))
    resized(ada, size)
    pane, city, market = (box(ada, each) for each in ("#board", ".city > svg", ".city .stalls"))
    assert city["height"] > 0.97 * pane["height"]
    assert abs(city["width"] - city["height"]) < 2
    assert city["width"] + market["width"] > 0.97 * pane["width"], "an empty strip"
    stalls = ada.page.locator(".stall .words")
    assert stalls.count() == 6, "there is room to say in words what a treasure is worth"
    assert "left to buy" in (stalls.first.text_content() or "")


def test_a_quarter_goes_under_visibly(visit: Visits) -> None:
    ada = visit(speed=1, confirm="none")
    table = ada.open_table("venice-2099", ["me", "turtle"])
    play_on(ada, table, lambda view: view["game"]["phase"] == "turn")
    ada.sit_down(table)
    assert ada.page.locator(".rings").count() == 0, "what lies under water already is quiet"
    ada.pick(next(spot for spot in ada.state()["legal"] if spot.startswith("card:")))
    ada.page.wait_for_selector(".sunk .rings", state="attached")


@pytest.mark.parametrize("size", scaled(["phone"], list(SIZES)))
def test_the_row_of_text_takes_no_quarter_of_the_height(visit: Visits, size: str) -> None:
    ada = visit(size=size)
    ada.sit_down(ada.open_table("neptune-vesta", ["me", "turtle"]))
    assert box(ada, "section.now")["height"] < 0.24 * SIZES[size][1]


@pytest.mark.parametrize("game", in_turn(0))
def test_a_larger_screen_gets_larger_type_and_a_larger_hand(visit: Visits, game: str) -> None:
    ada = visit()
    ada.sit_down(ada.open_table(game, ["me", "turtle"], SHORT.get(game)))
    type_size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    sizes = []
    for size in (LAPTOP, LARGE):
        resized(ada, size)
        card = box(ada, ".hand button[data-spot]:has(svg)")
        sizes.append((ada.page.evaluate(type_size), card["height"], box(ada, ".seat")["width"]))
    small, large = sizes
    assert all(one * 1.12 < other for one, other in zip(small, large, strict=True)), sizes


@pytest.mark.parametrize("language", scaled(["ru"], ["en", "ru"]))
def test_the_typeface_is_ours(visit: Visits, language: str) -> None:
    ada = visit(language=language)
    ada.go()
    ada.page.wait_for_selector("h1")
    ada.page.evaluate("() => document.fonts.ready")
    assert "Commissioner" in ada.page.evaluate("() => getComputedStyle(document.body).fontFamily")
    loaded = ada.page.evaluate(FONTS).upper()
    assert "U+0-FF" in loaded
    assert "U+400-45F" in loaded, "also in English: the languages are listed by their own names"
    for text in ("Жюри: 10", "Jury: 10"):
        ours, other = (ada.page.evaluate(WIDTH, [family, text]) for family in ("Commissioner", "serif"))
        assert abs(ours - other) > 5, text
    sent = ada.page.evaluate(FONT_BYTES)
    assert sent and sum(sent) < MAX_FONTS, sent


def test_text_appears_in_the_typeface_at_once(visit: Visits) -> None:
    """Nothing is drawn in another font first, so nothing moves."""
    ada = visit()
    ada.context.add_init_script("""new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.shift = (globalThis.shift ?? 0) + entry.value;
    }).observe({ type: "layout-shift", buffered: true })""")
    ada.go("/rules/atlantis")
    ada.page.wait_for_selector("h2")
    ada.page.wait_for_load_state("networkidle")
    assert ada.page.evaluate("() => globalThis.shift ?? 0") < 0.05


# ------------------------------------------------------------ the end of a game


def ended(visitor: Visitor, game: str) -> tuple[str, Any]:
    """A game that was played to its end, against as many as there can be."""
    table = visitor.open_table(game, ["me", *["turtle"] * (most(game) - 1)], SHORT.get(game))
    return table, play_on(visitor, table)


def rank(view: Any) -> int:
    """The first seat's place."""
    scores, winners = view["result"]["scores"], view["result"]["winners"]
    if 0 in winners:
        return 1
    return 1 + sum(1 for seat, score in enumerate(scores) if seat in winners or score > scores[0])


@pytest.mark.parametrize("game", scaled(["venice-2099"], GAMES))
def test_the_end_is_a_moment(visit: Visits, game: str) -> None:
    ada = visit(speed=1)
    table, view = ended(ada, game)
    ada.sit_down(table)
    ada.page.wait_for_selector(f"[data-moment={game}] .picture svg", state="attached")
    first = ada.page.evaluate(COUNTED)
    ada.page.wait_for_selector("[data-over] ol:not([data-counting])")
    assert sorted(ada.page.evaluate(COUNTED)) == sorted(view["result"]["scores"])
    assert sorted(first) != sorted(view["result"]["scores"]), "they count up"
    told = ada.page.locator("[data-over] .headline").text_content() or ""
    place, seats = rank(view), len(view["seats"])
    if place > 1:
        ending = {2: "nd", 3: "rd"}.get(place, "th")
        assert f"You were {place}{ending} of {seats}." in told
    else:
        assert "You" in told and "You were" not in told
    assert ada.page.locator("[data-do=rematch]").is_visible()
    assert ada.wrong() == []


@pytest.mark.parametrize("language", scaled(["ru"], ["ru", "it"]))
def test_the_place_is_told_in_every_language_and_without_motion_at_once(visit: Visits, language: str) -> None:
    ada = visit(language=language, size="phone")
    table, view = ended(ada, "venice-2099")
    ada.sit_down(table)
    ada.page.wait_for_selector("[data-counted]")
    assert sorted(ada.page.evaluate(COUNTED)) == sorted(view["result"]["scores"])
    place, seats = rank(view), len(view["seats"])
    words = {"ru": f"Вы заняли {place}-е место из {seats}.", "it": f"Sei al {place}º posto su {seats}."}
    assert ada.page.locator("[data-rank]").all_inner_texts() == ([words[language]] if place > 1 else [])
    assert ada.wrong() == []


def test_looking_back_begins_at_the_beginning(visit: Visits) -> None:
    ada = visit()
    table, _ = ended(ada, "neptune-vesta")
    ada.sit_down(table)
    ada.do("review")
    ada.page.wait_for_selector("[data-shown='0']")
    assert ada.page.locator("[data-over]").count() == 0
    ada.do("replay-forward")
    ada.page.wait_for_selector("[data-shown='1']")
