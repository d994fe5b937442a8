"""A page of one's own: games and how they are filtered, ratings, the archive, and deleting oneself."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

import laguna
from tests.page.conftest import Visits
from tests.page.ending import play_on
from tests.page.test_axe import examine
from tests.page.test_people import PASSWORD, log_in
from tests.page.visitor import Visitor
from tests.size import scaled

QUICK = {"rounds": 1}
SIZES = ["laptop", "phone"]
WIDTH = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def account(visitor: Visitor, name: str) -> None:
    """Give the visitor an account, not through the page."""
    visitor.ask("POST", "/me/account", {"account": name, "password": PASSWORD})


def resigned(loser: Visitor, winner: Visitor, rated: bool) -> str:
    """A game of two that the first one opened, and resigned."""
    table = loser.open_table("neptune-vesta", ["me", "open"], QUICK, rated=rated)
    winner.ask("POST", f"/tables/{table}/sit", {})
    loser.ask("POST", f"/tables/{table}/start")
    loser.ask("POST", f"/tables/{table}/resign", {})
    return table


def tables(visitor: Visitor) -> list[str]:
    """The games in the list."""
    shown = "lines => lines.map(line => line.dataset.game)"
    found: list[str] = visitor.page.eval_on_selector_all("[data-game]", shown)
    return found


def choose(visitor: Visitor, filter: str, value: str, expected: list[str]) -> None:
    visitor.page.select_option(f"[data-filter={filter}]", value)
    shown = "[...document.querySelectorAll('[data-game]')].map(line => line.dataset.game).join()"
    visitor.page.wait_for_function(f"games => {shown} === games", arg=",".join(expected))


@pytest.mark.parametrize("size", scaled(SIZES[1:], SIZES))
def test_games_results_and_ratings(visit: Visits, size: str) -> None:
    ann, bob = visit(size=size, name="Ann"), visit(name="Bob")
    account(ann, f"ann.{size}")
    account(bob, f"bob.{size}")
    lost, won = resigned(ann, bob, rated=True), resigned(bob, ann, rated=False)
    running = ann.open_table("atlantis", ["me", "turtle", "heron"])
    ann.go()
    ann.page.click("[data-do=who]")
    ann.page.click("[data-do=me]")
    ann.page.wait_for_selector(f"[data-game='{running}']")
    assert tables(ann) == [running, won, lost]
    assert ann.page.get_attribute(f"[data-game='{won}']", "data-result") == "won"
    assert ann.page.locator(f"[data-game='{lost}']").inner_text().count("Rated") == 1
    assert ann.page.get_attribute(f"[data-game='{lost}'] a", "href") == f"/replay/{lost}"
    assert "provisional" in ann.page.inner_text("[data-rating=neptune-vesta]")
    ann.page.wait_for_selector("[data-results=by_opponent] >> text=Bob")
    assert ann.page.evaluate(WIDTH) <= 0 and examine(ann) == []

    choose(ann, "result", "lost", [lost])
    choose(ann, "result", "", [running, won, lost])
    choose(ann, "opponents", "turtle", [running])
    choose(ann, "opponents", "people", [won, lost])
    choose(ann, "rated", "true", [lost])
    ann.page.click("[data-do=clear]")
    ann.page.wait_for_selector(f"[data-game='{running}']")
    ann.page.click("[data-results=by_opponent] button:has-text('Bob')")
    ann.page.wait_for_selector(f"[data-game='{running}']", state="detached")
    assert tables(ann) == [won, lost]

    ann.page.select_option("[data-field=best]", "neptune-vesta")
    ann.page.wait_for_selector("tr.me")
    ann.page.click(f"[data-game='{won}'] a[href^='/table/']")
    ann.page.wait_for_selector("[data-over]", state="attached")


def test_a_guest_goes_through_many_games(visit: Visits) -> None:
    ann, bob = visit(name="Ann"), visit(name="Bob")
    played = [resigned(bob, ann, rated=False) for _ in range(12)]
    ann.go("/me")
    ann.page.wait_for_selector("[data-game]")
    assert tables(ann) == played[:1:-1]
    ann.page.click("[data-do=more]")
    ann.page.wait_for_selector(f"[data-game='{played[0]}']")
    assert tables(ann) == played[::-1] and not ann.page.is_visible("[data-do=more]")


def test_a_rated_table_is_opened_and_joined(visit: Visits) -> None:
    ann, guest = visit(name="Ann"), visit(size="phone", name="Guest")
    guest.go("/new/neptune-vesta")
    guest.page.wait_for_selector("[data-field=hints]")
    assert not guest.page.is_visible("[data-field=rated]")
    account(ann, "ann.rates")
    ann.go("/new/neptune-vesta")
    ann.page.check("[data-field=rated]")
    assert not ann.page.is_checked("[data-field=hints]") and ann.page.is_disabled("[data-field=hints]")
    assert ann.page.input_value("[data-seat='1'] [data-field=who]") == "open"
    ann.page.click("[data-do=open]")
    ann.page.wait_for_selector("[data-rated]")
    assert not ann.page.is_visible("[data-do=put-bot]") and not ann.page.is_visible("[data-do=seat-link]")
    table = ann.page.url.rpartition("/")[2]
    guest.forgiven = ["409"]
    guest.go(f"/table/{table}")
    guest.page.click("[data-do=sit-down]")
    guest.page.wait_for_selector("[role=alert]:has-text('account')")
    log_in(guest, "make-account", "no.guest", PASSWORD)
    guest.page.wait_for_selector("[data-do=change-password]")
    guest.page.click("dialog[open] [data-do=close]")
    guest.page.click("[data-do=sit-down]")
    ann.do("start")
    guest.page.wait_for_selector("[data-spot]", state="attached")


@pytest.mark.parametrize("size", scaled(SIZES[1:], SIZES))
@pytest.mark.parametrize("language", scaled(["it"], ["en", "ru", "it"]))
def test_everything_is_downloaded_and_then_deleted(
    visit: Visits, size: str, language: str, tmp_path: Path
) -> None:
    zoe, bob = visit(size=size, language=language, name="Zoe"), visit(name="Bob")
    name = f"zoe.{size}.{language}"
    account(zoe, name)
    won = resigned(bob, zoe, rated=False)
    finished = zoe.open_table("neptune-vesta", ["me", "turtle"], QUICK)
    play_on(zoe, finished)
    zoe.go("/me")
    with zoe.page.expect_download() as download:
        zoe.page.click("[data-do=export]")
    archive = tmp_path / "laguna.zip"
    download.value.save_as(archive)
    with zipfile.ZipFile(archive) as opened:
        assert {game["table"] for game in json.loads(opened.read("games.json"))} == {won, finished}
        assert laguna.loads(opened.read(f"games/{finished}.laguna.json")).over

    zoe.page.click("[data-do=delete]")
    zoe.page.fill("[data-field=password]", "not the password")
    zoe.forgiven = ["403"]
    zoe.page.click("[data-do=delete-now]")
    zoe.page.wait_for_selector("dialog[open] [role=alert]")
    assert zoe.page.evaluate(WIDTH) <= 0 and examine(zoe) == []
    zoe.page.fill("[data-field=password]", PASSWORD)
    zoe.page.click("[data-do=delete-now]")
    zoe.page.wait_for_selector("[data-play=neptune-vesta]")
    assert zoe.ask("GET", "/me")["account"] is None and zoe.ask("GET", "/me/games")["games"] == []

    bob.go(f"/table/{won}")
    bob.page.wait_for_selector("text=Someone")
    assert "Zoe" not in bob.page.inner_text("body")
    zoe.go("/me")
    zoe.page.click("[data-do=forget]")
    zoe.page.click("[data-do=forget-now]")
    zoe.page.wait_for_selector("[data-play=neptune-vesta]")
