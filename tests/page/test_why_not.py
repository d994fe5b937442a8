"""Clicking what is not allowed shows which rule forbids it, with a link to that clause.

Two people play, and wherever a reason that has not been shown yet is possible, one of them clicks for it.
`REASONS` names what must have been told in the end: every refusal that a click can give, some for every kind
of action.

Left out, because games hardly come there: a color of which all ten treasures are sold (Venice 2099), a
player without lozenges (Mille Fiori), no card left to buy (Atlantis). Some cannot be clicked for: a piece
that a player does not have, where only own pieces are shown; sink and decline, whose buttons are there only
when they are allowed; buying on a platform, as a treasure is asked about where its color is.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from laguna.rulebook import clauses
from tests.page.conftest import Visits
from tests.page.forbidden import PLAYS, Moment, Reason
from tests.page.games import SHORT
from tests.page.visitor import Visitor
from tests.size import scaled

REASONS: dict[str, dict[str, set[str]]] = {
    "neptune-vesta": {"place": {"cell-taken", "not-in-hand"}},
    "venice-2099": {
        "place": {"taken", "same-value"},
        "walk": {"out-of-reach", "water", "taken", "no-pawn", "moved", "bought"},
        "gondola": {"no-gondola", "not-now"},
        "buy": {"no-pawn", "too-dear", "bought"},
        "card": {"not-lowest", "not-now"},
        "rescue": {"no-quarter"},
    },
    "mille-fiori": {
        "keep": {"not-in-hand"},
        "place": {
            "keep-first", "wrong-card", "cell-taken", "not-next", "not-supported", "not-leftmost",
            "ship-at-end", "extra-card-first",
        },
        "sail": {"keep-first"},
        "extra": {"not-in-display", "play-the-card"},
    },
    "atlantis": {
        "move": {"no-pawn", "not-in-hand", "too-dear", "blocked"},
        "on": {"not-in-hand"},
        "end": {"not-now", "chain"},
        "bridge": {"no-bridge", "no-gap", "bridged"},
        "pay": {"not-owned", "not-needed"},
        "buy": {"buys-nothing", "bought", "buy-first"},
        "draw": {"can-move", "chain", "owes", "after"},
    },
}  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = SHORT | {"venice-2099": {"rescue": "quarter"}}
GAMES_AT_MOST = 12  # what does not come up by chance in one game does in another


class Refusals:
    """What the server refused to this visitor, and the latest version of the table that the page has."""

    def __init__(self, visitor: Visitor) -> None:
        self.found: list[dict[str, Any]] = []
        self.version = 0
        self.asked: dict[int, dict[str, Any]] = {}  # the actions that the page asked about
        visitor.page.on("websocket", self._listen)

    def _listen(self, socket: Any) -> None:
        socket.on("framesent", self._note)
        socket.on("framereceived", self._hear)

    def _note(self, frame: Any) -> None:
        asked = json.loads(frame)
        if asked.get("do") == "preview":
            self.asked[asked["id"]] = asked["action"]

    def _hear(self, frame: Any) -> None:
        found = json.loads(frame)
        if found.get("is") == "refused":
            self.found.append(found | {"action": self.asked[found["id"]]})
        elif found.get("is") in ("table", "changed"):
            self.version = found["view"]["version"]


def ask_why(ada: Visitor, refusals: Refusals, spots: list[str], game: str) -> Reason:
    """Click these spots, the last of which must be forbidden; returns the reason that the page gave."""
    ada.page.keyboard.press("Escape")
    ada.page.wait_for_selector("[role=alert]", state="detached")
    *sources, forbidden = spots
    for source in sources:
        ada.pick(source)
        ada.page.wait_for_selector(f'[data-spot="{source}"][data-chosen]', state="attached")
    ada.page.wait_for_selector(f'[data-spot="{forbidden}"]:not([data-legal])', state="attached")
    refusals.found.clear()
    ada.pick(forbidden)
    ada.page.wait_for_selector("[role=alert]", state="attached")
    return check_told(ada, refusals, game)


def check_told(ada: Visitor, refusals: Refusals, game: str) -> Reason:
    """The reason is shown in the page's own words and links to its clause."""
    [refusal] = refusals.found
    alert = ada.page.locator("[role=alert]")
    said = alert.inner_text()
    assert len(said) > 10 and refusal["sentence"] not in said  # the server's sentence is in English
    link = alert.locator("a[data-clause]")
    clause = link.get_attribute("data-clause")
    assert clause == refusal["clause"] and clause in clauses(game)
    assert link.get_attribute("href") == f"/rules/{game}#{clause}"
    return refusal["action"]["do"], refusal["key"]


class Asking:
    """Ada and Ben at one table after another, until Ada has seen every reason."""

    def __init__(self, ada: Visitor, ben: Visitor, game: str) -> None:
        self.ada, self.ben, self.game = ada, ben, game
        self.refusals = Refusals(ada)
        self.questions, self.wish = PLAYS[game]
        self.missing = {(kind, key) for kind, keys in REASONS[game].items() for key in keys}
        self.chance = random.Random(6)

    def play(self) -> None:
        """One game, or as much of it as is needed."""
        table = self.ada.open_table(self.game, ["me", "open"], OPTIONS.get(self.game))
        self.ben.ask("POST", f"/tables/{table}/sit", {})
        self.ada.ask("POST", f"/tables/{table}/start")
        self.refusals.version = 0
        self.ada.sit_down(table)
        while self.missing:
            view = self.ada.view(table)
            if view["status"] == "over":
                break
            if set(view["deciders"]) & set(view["mine"]):
                self.ask(view)
                self.act(self.ada, view, lambda action, game: self.wish(action, game, self.missing))
            else:
                self.act(self.ben, self.ben.view(table), lambda action, game: action["do"] == "bridge")

    def ask(self, view: Any) -> None:
        """One question for each missing reason that can come up now."""
        questions = list(self.questions(view["game"]))
        wanted = {(kind, key) for kind, key, _ in questions} & self.missing
        while wanted and self.refusals.version < view["version"]:
            self.ada.page.wait_for_timeout(5)
        for reason in sorted(wanted):
            spots = self.chance.choice([spots for kind, key, spots in questions if (kind, key) == reason])
            found = ask_why(self.ada, self.refusals, spots, self.game)
            assert found in {(kind, key) for kind, key, clicked in questions if clicked == spots}, spots
            self.missing.discard(found)
            self.check_played(view)

    def check_played(self, view: Any) -> None:
        """Whoever plays it anyway is refused for the same reason."""
        [refusal] = self.refusals.found
        played = self.ada.context.request.post(
            f"{self.ada.site}/api/tables/{view['table']}/act",
            data={"version": view["version"], "action": refusal["action"]},
        )
        told = played.json()
        assert (told["key"], told["clause"]) == (refusal["key"], refusal["clause"])

    def act(self, visitor: Visitor, view: Any, wish: Any) -> None:
        """Play what the wish rates highest; ties are broken at random."""
        moment: Moment = view["game"]
        action = max(moment["legal"], key=lambda each: (wish(each, moment), self.chance.random()))
        visitor.ask("POST", f"/tables/{view['table']}/act", {"version": view["version"], "action": action})


@pytest.mark.parametrize("game", scaled(["neptune-vesta", "venice-2099"], list(REASONS)))
def test_what_is_forbidden_says_why(visit: Visits, game: str) -> None:
    asking = Asking(visit(confirm="every", language="it"), visit(), game)
    for _ in range(GAMES_AT_MOST):
        if asking.missing:
            asking.play()
    assert asking.missing == set()


def test_the_clause_opens_over_the_table(visit: Visits) -> None:
    ada = visit(confirm="every")
    refusals = Refusals(ada)
    ada.sit_down(ada.open_table("neptune-vesta", ["me", "turtle"]))
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    taken = ada.page.locator('[data-spot^="cell:"]:not([data-legal])').first.get_attribute("data-spot")
    assert taken is not None
    ada.pick(taken)
    ada.page.click("[role=alert] a[data-clause=N8]")
    ada.page.wait_for_selector("dialog[open] a[href='/rules/neptune-vesta#N8']")
    assert "/table/" in ada.page.url and refusals.found[-1]["key"] == "cell-taken"
