"""What cannot be chosen first says what it is and what it is worth, then why it cannot be chosen."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.page.conftest import Visits
from tests.page.forbidden import PLAYS
from tests.page.games import in_turn
from tests.page.visitor import Visitor
from tests.size import scaled

# Of everything that is asked about now: what it is called, and what the strip says while it has the focus.
EXPLAINED = """async () => {
  const told = [];
  for (const spot of document.querySelectorAll("[data-spot]:not([data-legal])")) {
    spot.focus();
    await new Promise(requestAnimationFrame);
    const now = document.querySelector("[data-now] .effect");
    told.push([spot.dataset.spot, spot.getAttribute("aria-label"), now?.textContent.trim() ?? ""]);
  }
  return told;
}"""
# What the worth of a kind of thing is told with, besides its name.
WORTH: dict[str, dict[str, str]] = {
    "neptune-vesta": {"cell": "sum", "hand": "not seen yet"},
    "venice-2099": {"card": "You hold its card", "treasure": "worth", "cell": "scores"},
    "mille-fiori": {"cell": "cores", "bonus": "For lozenges"},
    "atlantis": {"space": "scores", "tile": "scores"},
}


def my_turn(visitor: Visitor, game: str, *phases: str, seats: tuple[str, ...] = ("me", "turtle")) -> str:
    """A table at which it is this visitor's turn, in one of these phases (by default any after set-up)."""
    table = visitor.open_table(game, list(seats))
    chance = random.Random(4)
    while True:
        view = visitor.view(table)
        assert view["status"] == "playing"
        if not set(view["deciders"]) & set(view["mine"]):
            visitor.page.wait_for_timeout(20)
        elif (view["game"].get("phase") in phases) if phases else view["game"].get("phase") != "place":
            break
        else:
            act(visitor, table, view, chance.choice(view["game"]["legal"]))
    visitor.sit_down(table)
    visitor.page.wait_for_function("() => reading.state().legal.length > 0")
    return table


def act(visitor: Visitor, table: str, view: Any, action: Any) -> None:
    visitor.ask("POST", f"/tables/{table}/act", {"version": view["version"], "action": action})


def told(visitor: Visitor) -> tuple[str, str]:
    """The explanation and the reason, both to be seen, one above the other."""
    about, reason = visitor.page.locator("[data-about]"), visitor.page.locator("[role=alert]")
    reason.wait_for()
    first, second = about.bounding_box(), reason.bounding_box()
    assert first and second and first["height"] > 8 and second["height"] > 8
    assert first["y"] + first["height"] <= second["y"] + 1
    return about.inner_text(), reason.inner_text()


@pytest.mark.parametrize("size", scaled(["phone"], ["laptop", "phone"]))
@pytest.mark.parametrize("game", in_turn(1))
def test_what_it_is_comes_before_why_not(visit: Visits, game: str, size: str) -> None:
    ada = visit(size=size, confirm="every")
    table = my_turn(ada, game)
    questions, _ = PLAYS[game]
    single = [spots[0] for _, _, spots in questions(ada.view(table)["game"]) if len(spots) == 1]
    spot = next(each for each in single if each.split(":")[0] in WORTH[game] and ada.reach(each))
    label = ada.page.get_attribute(f'[data-spot="{spot}"]', "aria-label")
    ada.pick(spot)
    if game == "mille-fiori" and size == "phone":  # the first tap zooms in
        ada.page.wait_for_selector("[data-do=whole-board]")
        ada.pick(spot)
    about, reason = told(ada)
    assert label and about.startswith(label.rstrip("."))
    assert reason and reason not in about


@pytest.mark.parametrize("game", in_turn(2))
def test_everything_explains_itself_and_what_it_is_worth(visit: Visits, game: str) -> None:
    ada = visit()
    my_turn(ada, game)
    explained = ada.page.evaluate(EXPLAINED)
    assert len(explained) > 5
    for spot, label, text in explained:
        assert len(text) > 10, spot
        if spot.split(":")[0] in WORTH[game]:
            assert text.startswith(label.split(":")[0]), spot
    kinds = {spot.split(":")[0] for spot, _, _ in explained}
    for kind in kinds & WORTH[game].keys():
        assert any(WORTH[game][kind] in text for spot, _, text in explained if spot.startswith(kind)), kind


def test_a_treasure_names_the_quarter_that_is_missing(visit: Visits) -> None:
    ada = visit()
    table = my_turn(ada, "venice-2099", "turn")
    game = ada.view(table)["game"]
    under = {game["board"][at][:-1] for at in game["pawns"][0]}
    color = next(each["color"] for each in game["market"] if each["color"] not in under)
    ada.pick(f"treasure:{color}")
    about, reason = told(ada)
    assert f"{color} treasure" in about.lower() and "worth" in about
    article = "an" if color == "azure" else "a"
    assert reason.startswith(f"None of your pawns stands on {article} {color} quarter.")


def test_something_else_that_is_pointed_at_is_explained_instead(visit: Visits) -> None:
    ada = visit()
    my_turn(ada, "neptune-vesta")
    ada.pick(ada.page.get_attribute('[data-spot^="cell:"]:not([data-legal])', "data-spot") or "")
    told(ada)
    ada.page.hover('[data-spot="lighthouse"]')
    ada.page.wait_for_selector("[data-about]", state="detached")
    assert "lighthouse" in ada.page.inner_text("[data-now] .effect")
    ada.page.mouse.move(0, 0)
    told(ada)
