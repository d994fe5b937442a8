"""Clicking what is not allowed tells which rule forbids it, with a link to that clause.

At some moments of a game everything that is not allowed is clicked, a few of each kind. `REACHED` names the
refusals that must have been told by then; a refusal that a new board can show is added there.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from laguna.rulebook import clauses
from tests.page.conftest import Visits
from tests.page.games import SHORT
from tests.page.visitor import Visitor

REACHED: dict[str, set[str]] = {
    "neptune-vesta": {"cell-taken", "not-in-hand"},
    "venice-2099": {"not-lowest", "out-of-reach", "platform", "same-value", "water"},
    "mille-fiori": {"keep-first", "not-in-hand", "play-the-card", "wrong-card"},
    "atlantis": {"after", "can-move", "no-pawn", "not-in-hand"},
}
MOMENTS = 9  # of the game at which it is tried
FORBIDDEN = """() => [...document.querySelectorAll("[data-spot]:not([data-legal]):not([data-chosen])")]
  .filter((spot) => reading.visible(spot) && reading.point(spot)).map((spot) => spot.dataset.spot)"""


class Refusals:
    """What the server refused to this visitor: key and clause of each."""

    def __init__(self, visitor: Visitor) -> None:
        self.told: list[dict[str, Any]] = []
        visitor.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, frame: Any) -> None:
        told = json.loads(frame)
        if told.get("is") == "refused":
            self.told.append(told)


def click_forbidden(ada: Visitor, refusals: Refusals, chance: random.Random, game: str) -> set[str]:
    """Click some of each kind; the keys of what the page gave as reasons."""
    shown = set()
    spots = ada.page.evaluate(FORBIDDEN)
    for kind in sorted({spot.split(":")[0] for spot in spots}):
        of_kind = [spot for spot in spots if spot.split(":")[0] == kind]
        for spot in chance.sample(of_kind, min(4, len(of_kind))):
            if spot in ada.page.evaluate(FORBIDDEN):
                refusals.told.clear()
                ada.pick(spot)
                shown |= check_told(ada, refusals, game)
    return shown


def check_told(ada: Visitor, refusals: Refusals, game: str) -> set[str]:
    """What only explains itself gives no reason; a reason is in the page's words and links to its clause."""
    ada.page.wait_for_timeout(80)
    alert = ada.page.query_selector("[role=alert]")
    if alert is None:
        return set()
    said = alert.inner_text()
    link = alert.query_selector("a[data-clause]")
    for refusal in refusals.told:
        assert len(said) > 10 and refusal["sentence"] not in said  # the server's own words are English
    if link is None:
        return {refusal["key"] for refusal in refusals.told if not refusal["clause"]}
    clause = link.get_attribute("data-clause")
    assert clause in clauses(game) and link.get_attribute("href") == f"/rules/{game}#{clause}"
    return {refusal["key"] for refusal in refusals.told if refusal["clause"] == clause}


@pytest.mark.parametrize("game", REACHED)
def test_what_is_forbidden_says_why(visit: Visits, game: str) -> None:
    ada = visit(confirm="every", language="it")
    refusals = Refusals(ada)
    ada.sit_down(ada.open_table(game, ["me", "shell"], SHORT.get(game)))
    chance = random.Random(6)
    told: set[str] = set()
    for _ in range(MOMENTS):
        ada.page.wait_for_function("() => reading.state().legal.length > 0 || reading.state().confirm")
        told |= click_forbidden(ada, refusals, chance, game)
        for _ in range(3):
            if not ada.step(chance):
                break
    assert told >= REACHED[game], sorted(told)


def test_the_clause_opens_over_the_table(visit: Visits) -> None:
    ada = visit(confirm="every")
    refusals = Refusals(ada)
    ada.sit_down(ada.open_table("neptune-vesta", ["me", "shell"]))
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    taken = next(spot for spot in ada.page.evaluate(FORBIDDEN) if spot.startswith("cell:"))
    ada.pick(taken)
    ada.page.click("[role=alert] a[data-clause=N8]")
    ada.page.wait_for_selector("dialog[open] a[href='/rules/neptune-vesta#N8']")
    assert "/table/" in ada.page.url and refusals.told[-1]["key"] == "cell-taken"
