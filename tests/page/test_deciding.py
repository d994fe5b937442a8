"""Decisions show their worth: what cards bring, pieces before targets, the question beside the piece."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import Visits
from tests.page.games import in_turn
from tests.page.test_explaining import my_turn
from tests.page.visitor import Visitor
from tests.size import scaled

# The spots of a kind that glow.
GLOWING = """kind => [...document.querySelectorAll(`[data-spot^="${kind}:"]`)]
  .filter((spot) => [...spot.querySelectorAll(".glow")].some((glow) => +getComputedStyle(glow).opacity > 0))
  .map((spot) => spot.dataset.spot)"""
WORTH = """() => Object.fromEntries([...document.querySelectorAll("[data-worth] [data-place]")]
  .map((place) => [place.dataset.place, +place.textContent.trim()]))"""
EXTRA = """() => [...document.querySelectorAll("[data-worth] [data-place]:has([data-extra])")]
  .map((place) => place.dataset.place)"""
ASKED = """() => {
  const box = (element) => element.getBoundingClientRect().toJSON();
  return { answer: box(document.querySelector("[data-do=confirm]").parentElement),
           chosen: [...document.querySelectorAll("[data-spot][data-chosen]")].map(box) };
}"""


def glowing(visitor: Visitor, kind: str) -> set[str]:
    return set(visitor.page.evaluate(GLOWING, kind))


def hover(visitor: Visitor, spot: str) -> None:
    point = visitor.reach(spot)
    assert point
    visitor.page.mouse.move(*point)


def prospect(game: Any, spot: str) -> Any:
    return next(each for each in game["prospects"] if each["card"] == spot.split(":")[1])


def expected(found: Any) -> dict[str, int]:
    """The points by the place where they would be scored."""
    return {**found["cells"], "sea": found["sailing"]}


# ------------------------------------------------------------------ what cards would bring


def test_in_the_draft_each_card_lights_where_it_could_go_and_what_it_would_bring(visit: Visits) -> None:
    ada = visit()
    table = my_turn(ada, "mille-fiori", "keep")
    game = ada.view(table)["game"]
    for spot in [spot for spot in ada.state()["legal"] if spot.startswith("hand:")]:
        hover(ada, spot)
        ada.page.wait_for_selector(f'[data-worth="{spot.split(":")[1]}"]', state="attached")
        found = prospect(game, spot)
        assert ada.page.evaluate(WORTH) == expected(found)
        number = ada.page.get_attribute(f'[data-spot="{spot}"] + svg [data-most]', "data-most")
        assert number == str(found["most"])
        assert set(ada.page.evaluate(EXTRA)) == set(found["extra"])
        signs = ada.page.locator(f'[data-spot="{spot}"] + svg [data-extra]').count()
        assert signs == (1 if found["extra"] else 0)
        ada.page.wait_for_function(
            "words => document.querySelector('[data-now]').textContent.includes(words)",
            arg=f"at most {found['most']} point",
        )


def test_a_finger_sees_what_a_card_would_bring_before_it_is_kept(visit: Visits) -> None:
    ada = visit(size="phone")
    table = my_turn(ada, "mille-fiori", "keep")
    view = ada.view(table)
    spot = next(spot for spot in ada.state()["legal"] if spot.startswith("hand:"))
    ada.pick(spot)
    ada.page.wait_for_selector("[data-do=confirm]")
    assert ada.page.evaluate(WORTH) == expected(prospect(view["game"], spot))
    assert ada.view(table)["game"]["hand"] == view["game"]["hand"]


def test_mille_fiori_asks_once_for_a_card(visit: Visits) -> None:
    ada = visit(confirm="turn")
    my_turn(ada, "mille-fiori", "keep")
    ada.pick(next(spot for spot in ada.state()["legal"] if spot.startswith("hand:")))
    ada.page.wait_for_selector('[data-spot="card:play"][data-legal]')
    assert not ada.state()["confirm"]
    ada.pick(next(spot for spot in ada.state()["legal"] if spot.startswith(("cell:", "do:sail"))))
    ada.page.wait_for_function("() => reading.state().confirm || reading.state().chosen.length")


# ------------------------------------------------------------------ pieces before targets


def test_cells_glow_after_a_tile_is_chosen(visit: Visits) -> None:
    ada = visit()
    table = my_turn(ada, "neptune-vesta")
    assert glowing(ada, "cell") == set() and len(glowing(ada, "hand")) == 3
    ada.pick(next(spot for spot in ada.state()["legal"] if spot.startswith("hand:")))
    free = {f"cell:{action['at']}" for action in ada.view(table)["game"]["legal"]}
    ada.page.wait_for_function(
        "count => document.querySelectorAll('[data-legal] > g > .glow').length >= count", arg=len(free)
    )
    assert glowing(ada, "cell") == free


@pytest.mark.parametrize("game", scaled(["venice-2099"], ["venice-2099", "atlantis"]))
def test_pawns_glow_before_the_places_they_can_go_to(visit: Visits, game: str) -> None:
    ada = visit()
    table = my_turn(ada, game, "turn")
    kind = "cell" if game == "venice-2099" else "space"
    own = {f"{kind}:{at}" for at in ada.view(table)["game"]["pawns"][0]}
    before = glowing(ada, kind)
    assert before and before <= own
    ada.pick(sorted(before)[0])
    ada.page.wait_for_selector(f'[data-spot="{sorted(before)[0]}"][data-chosen]', state="attached")
    ada.page.wait_for_timeout(200)
    assert glowing(ada, kind) - own


def test_a_button_that_cannot_be_used_looks_like_it(visit: Visits) -> None:
    ada = visit()
    my_turn(ada, "atlantis", "turn")
    opacity = 'id => +getComputedStyle(document.querySelector(`[data-spot="${id}"]`)).opacity'
    assert ada.page.evaluate(opacity, "end") < 0.8
    usable = next(spot for spot in ada.state()["legal"] if spot.startswith("card:"))
    assert ada.page.evaluate(opacity, usable) == 1


# ------------------------------------------------------------------ the question


def choose(visitor: Visitor) -> None:
    """Choose what glows, until there is a question."""
    kinds: set[str] = set()
    while not visitor.state()["confirm"]:
        before = visitor.state()
        wanted = [spot for spot in before["legal"] if spot not in ("card:play", "gondola", "bridge")]
        new = [spot for spot in wanted if spot.split(":")[0] not in kinds and visitor.reach(spot)]
        spot = new[-1]
        kinds.add(spot.split(":")[0])
        visitor.pick(spot)
        visitor.wait_for_change(before)
        visitor.page.wait_for_timeout(100)


def apart(one: Any, other: Any) -> float:
    """Pixels between two boxes; negative if they overlap."""
    across = max(one["left"], other["left"]) - min(one["right"], other["right"])
    down = max(one["top"], other["top"]) - min(one["bottom"], other["bottom"])
    return float(max(across, down))


@pytest.mark.parametrize("size", scaled(["phone"], ["laptop", "phone"]))
@pytest.mark.parametrize("game", in_turn(3))
def test_the_question_is_beside_the_piece(visit: Visits, game: str, size: str) -> None:
    ada = visit(size=size, confirm="every")
    my_turn(ada, game, *({"mille-fiori": ["play"], "neptune-vesta": []}.get(game, ["turn"])))
    choose(ada)
    asked = ada.page.evaluate(ASKED)
    answer, width, height = asked["answer"], *(ada.page.viewport_size or {}).values()
    assert answer["left"] >= 0 and answer["right"] <= width and answer["bottom"] <= height
    gaps = [apart(answer, piece) for piece in asked["chosen"]]
    assert any(0 < gap < 12 for gap in gaps), gaps
    ada.do("cancel")
    ada.page.wait_for_selector("[data-do=confirm]", state="detached")


def test_the_keyboard_goes_to_the_question_and_on_to_no(visit: Visits) -> None:
    ada = visit(confirm="every")
    my_turn(ada, "venice-2099", "turn")
    card = next(spot for spot in ada.state()["legal"] if spot.startswith("card:"))
    ada.page.focus(f'[data-spot="{card}"]')
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_function("() => document.activeElement.dataset.do === 'confirm'")
    ada.page.keyboard.press("Tab")
    assert ada.page.evaluate("() => document.activeElement.dataset.do") == "cancel"
