"""Sharing a finished game: picture, link, code, and the replay in a frame of another site."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, FrameLocator, Page

from tests.page.conftest import Visits
from tests.page.test_axe import LOOKS, examine
from tests.page.visitor import Visitor
from tests.size import scaled

# As browsers do in a frame of another site if they block its cookies.
NO_STORAGE = (
    """Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied") } })"""
)
ATTACK = '<img src=x onerror="alert(1)">'


def finished(visitor: Visitor) -> str:
    """A table where this person resigned after an action."""
    table = visitor.open_table("neptune-vesta", ["me", "turtle"], {"rounds": 1})
    while "act" not in (view := visitor.view(table))["may"]:
        visitor.page.wait_for_timeout(15)
    action = view["game"]["legal"][0]
    visitor.ask("POST", f"/tables/{table}/act", {"version": view["version"], "action": action})
    visitor.ask("POST", f"/tables/{table}/resign", {})
    return table


@pytest.mark.parametrize("size", scaled(["phone"], ["phone", "laptop"]))
def test_the_result_can_be_shared(visit: Visits, size: str) -> None:
    ada = visit(size=size, name=ATTACK)
    ada.page.add_init_script("navigator.share = async (shared) => { window.shared = shared }")
    table = finished(ada)
    ada.sit_down(table)
    ada.page.click("[data-share] summary")
    ada.page.wait_for_function("() => document.querySelector('[data-share] img')?.naturalWidth === 1200")
    with ada.page.expect_download() as started:
        ada.page.click("[data-do=download-card]")
    assert started.value.path().read_bytes().startswith(b"\x89PNG")
    link, code = (each.input_value() for each in ada.page.locator("[data-share] input").all())
    assert link == f"{ada.site}/replay/{table}"
    assert f'<iframe src="{ada.site}/embed/{table}"' in code
    ada.page.click("[data-share] [data-do=share]")
    assert ada.page.evaluate("shared.url") == link
    assert examine(ada) == []
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_itself_has_tags_for_previews(visit: Visits) -> None:
    ada = visit(name=ATTACK)
    table = finished(ada)
    for part in ("table", "replay"):
        html = ada.context.request.get(f"{ada.site}/{part}/{table}").text()
        assert f'content="{ada.site}/api/tables/{table}/card.png?language=en"' in html
        assert escape(ATTACK) in html and ATTACK not in html


def test_a_server_that_cannot_draw_says_so(visit: Visits) -> None:
    ada = visit()
    ada.forgiven.append("503")
    ada.page.route("**/card.svg*", lambda route: route.fulfill(status=503, json={}))
    ada.sit_down(finished(ada))
    ada.page.click("[data-share] summary")
    ada.page.wait_for_selector("[data-share] [role=status]")
    assert ada.page.locator("[data-do=download-card]").count() == 0


# ------------------------------------------------------------------ in a frame


class OtherSite(BaseHTTPRequestHandler):
    """Shows the address after its ? in a frame."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        frame = f'<iframe src="{urlsplit(self.path).query}" width="720" height="640"></iframe>'
        self.wfile.write(f"<!doctype html><title>Elsewhere</title>{frame}".encode())

    def log_message(self, *_: object) -> None:
        pass


class Elsewhere:
    """A page of another site, in a browser that has never been here."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site
        self.asked: list[str] = []
        self.refused: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.refused.append(message.text))

    def frame(self, address: str) -> FrameLocator:
        self.page.goto(f"{self.site}/?{address}")
        return self.page.frame_locator("iframe")


@pytest.mark.parametrize("look", scaled(LOOKS[1:], LOOKS))
def test_an_embedded_replay_by_keys(visit: Visits, look: str) -> None:
    ada = visit(size="phone", look=look)
    ada.go(f"/embed/{finished(ada)}#1")
    ada.page.wait_for_selector("[data-shown='1'] [data-spot]", state="attached")
    for key, shown in (("ArrowLeft", 0), ("ArrowRight", 1), ("Home", 0)):
        ada.page.keyboard.press(key)
        ada.page.wait_for_selector(f"[data-shown='{shown}']")
    assert examine(ada) == []
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def elsewhere(chrome: Browser) -> Iterator[Elsewhere]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), OtherSite)
    thread = Thread(target=server.serve_forever)
    thread.start()
    context = chrome.new_context(viewport={"width": 800, "height": 700})
    context.add_init_script(NO_STORAGE)
    yield Elsewhere(context.new_page(), f"http://localhost:{server.server_port}")
    context.close()
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_replay_in_a_frame_of_another_site(visit: Visits, elsewhere: Elsewhere) -> None:
    ada = visit(name=ATTACK)
    table = finished(ada)
    frame = elsewhere.frame(f"{ada.site}/embed/{table}")
    frame.locator("[data-spot]").first.wait_for(state="attached")
    end = int(frame.locator("[data-shown]").get_attribute("data-shown") or 0)
    assert end > 0 and frame.locator("[data-seat-score='0'] bdi").text_content() == ATTACK
    frame.locator("[data-do=replay-back]").click()
    frame.locator(f"[data-shown='{end - 1}']").wait_for()
    frame.locator("[data-slider]").fill("0")
    frame.locator("[data-shown='0']").wait_for()
    frame.locator("[data-do=replay-play]").click()
    frame.locator("[data-shown='1']").wait_for()
    frame.locator("[data-do=replay-last]").click()
    frame.locator(f"[data-shown='{end}']").wait_for()
    full = frame.locator("[data-do=full-replay]")
    assert full.get_attribute("href") == f"/replay/{table}#{end}" and full.get_attribute("target") == "_blank"
    paths, hosts = ({urlsplit(each)[part] for each in elsewhere.asked} for part in (2, 1))
    assert "/api/me" not in paths and elsewhere.page.context.cookies() == []
    assert hosts == {urlsplit(each).netloc for each in (ada.site, elsewhere.site)}
    assert elsewhere.page.evaluate("history.length") == 2  # its "back" still leads back
    assert elsewhere.refused == []


def test_no_other_page_can_be_framed(visit: Visits, elsewhere: Elsewhere) -> None:
    ada = visit()
    table = finished(ada)
    for number, path in enumerate((f"/table/{table}", f"/replay/{table}", "/watch", "/"), 1):
        frame = elsewhere.frame(f"{ada.site}{path}")
        while len(elsewhere.refused) < number:
            elsewhere.page.wait_for_timeout(20)
        assert frame.locator("#page").count() == 0
    assert all("frame-ancestors" in text for text in elsewhere.refused)


def test_a_frame_shows_nothing_of_a_running_game(visit: Visits, elsewhere: Elsewhere) -> None:
    ada = visit()
    table = ada.open_table("neptune-vesta", ["me", "open"], {"rounds": 1})
    running = elsewhere.frame(f"{ada.site}/embed/{table}").locator("[role=alert]")
    running.wait_for()
    assert "not over yet" in (running.text_content() or "")
    elsewhere.frame(f"{ada.site}/embed/{'A' * 22}").get_by_text("does not exist").wait_for()
