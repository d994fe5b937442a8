"""A review of a whole game, seen from the page while its server is killed in the middle of it."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import laguna
from tests.page.test_axe import examine
from tests.page.test_fair_deal import aside
from tests.page.visitor import Visitor
from tests.server.nursery import Nursery
from tests.size import scaled

FILE = Path(__file__).parents[1] / "files" / "mille-fiori-four-greedy.laguna.json"
CORES, SECONDS = 2, 60  # that a review of a game for four may take
REVIEW = 300_000  # milliseconds: a busy machine has less than two cores for it
DONE = "() => document.querySelector('[data-review] progress')?.value ?? 0"
# The server is gone for a while, and the browser says so.
AWAY = ["ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "WebSocket connection"]


def judged(database: Path) -> dict[int, bytes]:
    """What is kept of the review."""
    with sqlite3.connect(database) as connection:
        return dict(connection.execute("SELECT number, judged FROM judgments").fetchall())


def metric(visitor: Visitor, name: str) -> float:
    text = visitor.context.request.get(f"{visitor.site}/metrics").text()
    found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
    assert found is not None, text
    return float(found[1])


@pytest.mark.parametrize("size", scaled(["phone"], ["phone", "laptop"]))
def test_a_review_goes_on_after_its_server_was_killed(
    chrome: Browser, servers: Nursery, tmp_path: Path, size: str
) -> None:
    """In the full form it is the review that people get; otherwise a plant keeps the searches short."""
    database = tmp_path / "laguna.db"
    plant = scaled({"plant": "short_reviews"}, {})
    server = servers.server(data=str(tmp_path), database=f"sqlite:///{database}", metrics=True, **plant)
    aside(server.start())
    try:
        ada = Visitor(chrome, server.url, size=size)
        ada.forgiven = AWAY
        game = laguna.load(FILE)
        table = ada.ask("POST", "/tables/file", FILE.read_text())["table"]
        ada.sit_down(table)
        ada.do("start-review")  # under the result
        ada.page.wait_for_function(f"() => ({DONE})() > 4")
        assert examine(ada) == [] and ada.wrong() == []
        seconds = metric(ada, "process_cpu_seconds_total")
        aside(server.kill())
        kept = judged(database)
        assert 4 < len(kept) < game.played, "it was killed in the middle"
        ada.page.wait_for_timeout(1500)  # it is asked again in vain
        assert ada.page.locator("[data-review] [role=alert]").count() == 0
        assert ada.page.locator("[data-review] progress").count() == 1
        shown = ada.page.evaluate(DONE)

        aside(server.start())
        ada.page.wait_for_function(f"done => ({DONE})() > done", arg=max(shown, len(kept)), timeout=REVIEW)
        ada.page.wait_for_selector("[data-review=complete]", timeout=REVIEW)
        seconds += metric(ada, "process_cpu_seconds_total")
        assert ada.page.locator("[data-line-of]").count() == 4 and ada.wrong() == []
        found = judged(database)
        assert sorted(found) == list(range(1, game.played + 1))
        assert {number: found[number] for number in kept} == kept, "what was judged is kept as it was"
        review = ada.ask("GET", f"/tables/{table}/review")
        new = [each for each in review["actions"] if not each["forced"] and each["number"] not in kept]
        assert metric(ada, "laguna_reviewed_actions_total") == len(new), "nothing is judged twice"
        assert seconds < CORES * SECONDS, f"{seconds:.0f} seconds of processor time"
        assert ada.problems == []

        eve = Visitor(chrome, server.url, size=size)
        asked: list[str] = []
        eve.page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
        eve.go(f"/replay/{table}")
        eve.do("tab-review" if size == "laptop" else "open-review")
        eve.page.wait_for_selector("[data-review=complete]")
        assert [each.split()[0] for each in asked if each.endswith("/review")] == ["GET"], (
            "it is the same one"
        )
        for visitor in (ada, eve):
            visitor.context.close()
    finally:
        aside(server.kill())
