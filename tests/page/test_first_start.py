"""The first game of its kind: who waits is told how long; the bar moves, and never says that it is done."""

from __future__ import annotations

import json
import re
import threading
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute

from tests.page.conftest import Visits
from tests.page.visitor import Visitor


def tell(page: Page, preparation: dict[str, Any], ready: bool) -> None:
    """Let the server say this about the preparation of Neptune & Vesta; it may be changed later."""

    def games(route: Route) -> None:
        answer = route.fetch()
        catalogue = answer.json()
        for game in catalogue["games"]:
            if game["id"] == "neptune-vesta":
                game |= {"compiled": ready, "ready": ready, "preparation": dict(preparation)}
        route.fulfill(response=answer, json=catalogue)

    page.route("**/api/games", games)


def share(ada: Visitor) -> float:
    """How much of the bar is filled."""
    style = ada.page.locator("[role=progressbar] > div").get_attribute("style") or ""
    found = re.search(r"scaleX\(([\d.e-]+)\)", style)
    assert found, style
    return float(found[1])


def watched(ada: Visitor, seconds: float) -> list[float]:
    found = []
    for _ in range(int(seconds / 0.4)):
        found.append(share(ada))
        ada.page.wait_for_timeout(400)
    return found


def test_who_waits_for_a_game_sees_a_bar_that_moves_and_the_time_that_is_left(visit: Visits) -> None:
    ada = visit()
    told: dict[str, Any] = {"stage": "table", "share": 0.3, "seconds": 41.0}
    tell(ada.page, told, ready=False)
    opened = threading.Event()
    ada.page.route("**/api/tables", lambda route: opened.set())  # it is never answered
    ada.go()
    ada.page.click("[data-play=neptune-vesta]")
    left = ada.page.locator("dialog [data-left]")
    left.filter(has_text="About 40 seconds left.").wait_for()
    before = watched(ada, 2.4)
    assert before == sorted(before) and len(set(before)) >= 4 and 0.3 <= before[-1] < 0.6
    told |= {"share": 0.97, "seconds": None}
    left.filter(has_text="longer than usual").wait_for()
    after = watched(ada, 2.4)
    assert after == sorted(after) and len(set(after)) >= 4 and 0.97 <= after[-1] < 1
    bar = ada.page.locator("[role=progressbar]")
    assert bar.get_attribute("aria-valuetext") == left.text_content()
    assert opened.is_set() and ada.wrong() == []
    ada.do("cancel-opening")
    ada.page.wait_for_selector("dialog", state="hidden")
    ada.page.unroute_all(behavior="ignoreErrors")


def test_bots_that_are_getting_ready_say_so_at_the_table(visit: Visits) -> None:
    ada = visit()
    table = ada.open_table("neptune-vesta", ["me", "turtle"])

    def let_the_bot_decide(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            frame = json.loads(message)
            if isinstance(frame.get("view"), dict):
                frame["view"]["deciders"] = [1]
            socket.send(json.dumps(frame))

        server.on_message(pass_on)

    ada.page.route_web_socket(re.compile(".*"), let_the_bot_decide)
    told: dict[str, Any] = {"stage": "bots", "share": 0.5, "seconds": 12.0}
    tell(ada.page, told, ready=True)
    ada.sit_down(table)
    notice = ada.page.locator("[data-preparing]")
    notice.filter(has_text="About 12 seconds left.").wait_for()
    seen = watched(ada, 2.0)
    assert seen == sorted(seen) and 0.5 <= seen[-1] < 1
    assert ada.wrong() == []
    ada.page.unroute_all(behavior="ignoreErrors")
    notice.wait_for(state="detached")
