"""Watching: the list of running games with live boards, and looking into hands where a table allows it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import WebSocket

from tests.page.conftest import Visits
from tests.page.ending import play_on
from tests.page.test_axe import examine
from tests.page.visitor import Visitor
from tests.size import scaled

SHORT = {"rounds": 1}
MOST = 8  # boards that one page follows


def listed(visitor: Visitor, **settings: Any) -> str:
    """A public table where it is this person's turn."""
    table = visitor.open_table("neptune-vesta", ["me", "turtle"], SHORT, listed=True, **settings)
    play_on(visitor, table, enough=lambda view: True)
    return table


def act(visitor: Visitor, table: str) -> None:
    view = visitor.view(table)
    action = view["game"]["legal"][0]
    visitor.ask("POST", f"/tables/{table}/act", {"version": view["version"], "action": action})


@pytest.mark.parametrize("size", scaled(["phone"], ["phone", "laptop"]))
def test_live_boards_move_and_finished_games_drop_out(visit: Visits, size: str) -> None:
    ada, eve = visit(name="Ada"), visit(size=size, name="Eve")
    table = listed(ada)
    eve.go()
    eve.page.click("a[href='/watch']")
    live = eve.page.locator(f"[data-live='{table}']")
    live.locator("[data-spot]").first.wait_for(state="attached")
    eve.page.wait_for_function(
        "table => +document.querySelector(`[data-live='${table}']`).dataset.version", arg=table
    )
    assert live.locator("[data-seat-score='0'] bdi").text_content() == "Ada"
    live.get_by_text("1 spectator").wait_for()
    assert live.locator(".now bdi").text_content() == "Ada"
    before = live.locator(".board").inner_html()
    act(ada, table)
    eve.page.wait_for_function(
        "([table, before]) => document.querySelector(`[data-live='${table}'] .board`).innerHTML !== before",
        arg=[table, before],
    )
    assert eve.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert live.locator(".board").get_attribute("inert") is not None
    assert examine(eve) == []
    ada.ask("POST", f"/tables/{table}/resign", {})
    live.wait_for(state="detached")


def test_only_boards_on_the_screen_are_followed_and_not_too_many(visit: Visits) -> None:
    ada, eve = visit(), visit()
    tables = [listed(ada) for _ in range(MOST + 2)]
    followed: set[str] = set()
    most = 0

    def sent(frame: str | bytes) -> None:
        nonlocal most
        asked = json.loads(frame)
        if asked["do"] == "follow":
            followed.add(asked["table"])
        elif asked["do"] == "unfollow":
            followed.discard(asked["table"])
        most = max(most, len(followed))

    def opened(socket: WebSocket) -> None:
        socket.on("framesent", sent)

    eve.page.on("websocket", opened)
    eve.page.set_viewport_size({"width": 1280, "height": 500})
    eve.go("/watch")
    eve.page.wait_for_selector("[data-live]:not([data-version='0'])")
    assert 0 < len(followed) < len(tables)
    eve.page.set_viewport_size({"width": 1280, "height": 4000})
    eve.page.wait_for_function(
        "most => document.querySelectorAll(\"[data-live]:not([data-version='0'])\").length >= most", arg=MOST
    )
    assert most == MOST
    for table in tables:
        ada.ask("POST", f"/tables/{table}/resign", {})


def test_nothing_to_watch(visit: Visits) -> None:
    eve = visit()
    eve.forgiven = ["ERR_FAILED"]
    eve.page.route("**/api/tables", lambda route: route.abort())
    eve.go("/watch")
    eve.page.wait_for_selector("main [role=alert]")  # nobody knows whether there is anything
    assert eve.page.locator("[data-nothing]").count() == 0
    eve.page.unroute("**/api/tables")
    eve.page.route("**/api/tables", lambda route: route.fulfill(json=[]))
    eve.page.wait_for_selector("[data-nothing]")
    assert "Show this table on the home page" in (eve.page.text_content("[data-nothing]") or "")
    eve.page.click("[data-nothing] a[href='/new/atlantis']")
    eve.page.wait_for_selector("[data-field=listed]")


# ------------------------------------------------------------------ hands


def hand(visitor: Visitor) -> list[str]:
    spots = "[...document.querySelectorAll('.hand [data-spot]')].map(it => it.dataset.spot)"
    found: list[str] = visitor.page.evaluate(spots)
    return [spot for spot in found if not spot.startswith("unseen")]


def test_a_spectator_sees_as_a_seat_does_where_the_table_allows_it(visit: Visits) -> None:
    ada, eve = visit(name="Ada"), visit(name="Eve")
    table = listed(ada, open_hands=True)
    ada.sit_down(table)
    assert "Spectators may see your hand." in (ada.page.text_content("[data-open-hands]") or "")
    eve.sit_down(table)
    assert hand(eve) == []
    eve.page.select_option("[data-field=watch-as]", label="Ada")
    eve.page.wait_for_selector(".hand [data-spot]:not([data-spot^=unseen])")
    assert hand(eve) == hand(ada) != []
    assert eve.state()["legal"] == []  # and can choose nothing
    assert "is choosing" in (eve.page.text_content("[data-now]") or "")  # it is not the spectator's turn
    eve.page.reload()
    eve.page.wait_for_selector("[data-field=watch-as]")
    assert hand(eve) == []
    closed = listed(ada)
    eve.sit_down(closed)
    assert eve.page.locator("[data-open-hands]").count() == 0
    for each in (table, closed):
        ada.ask("POST", f"/tables/{each}/resign", {})


def test_hands_are_opened_by_choice_and_the_lobby_says_so(visit: Visits) -> None:
    ada = visit(size="phone")
    for opened in (True, False):
        ada.go("/new/neptune-vesta")
        ada.page.select_option("[data-seat='1'] [data-field=who]", "open")
        ada.page.set_checked("[data-field=open-hands]", opened)
        ada.do("open")
        ada.page.wait_for_selector("#played")
        assert ada.page.locator("[data-open-hands]").count() == opened
