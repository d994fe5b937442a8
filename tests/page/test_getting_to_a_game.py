"""From the front page to a game: one click against bots, two with a friend, a link for another device."""

from __future__ import annotations

import io

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Locator

from tests.page.conftest import Visits
from tests.page.games import GAMES
from tests.page.visitor import play


def read_code(picture: Locator) -> str:
    """What a camera reads from a QR code that is drawn on the page."""
    shown = Image.open(io.BytesIO(picture.screenshot()))
    [found] = zxingcpp.read_barcodes(shown)
    return found.text


@pytest.mark.parametrize("game", GAMES)
def test_one_click_to_a_running_game(visit: Visits, game: str) -> None:
    ada = visit()
    ada.go()
    ada.page.click(f"[data-play={game}]")
    table = ada.to_table()
    view = ada.view(table)
    assert view["status"] == "playing" and view["settings"]["game"] == game
    assert ada.wrong() == []


def test_two_clicks_to_a_table_with_an_invite_link(visit: Visits) -> None:
    ada, ben = visit(name="Ada"), visit(name="Ben")
    ada.go()
    ada.page.click("[data-invite=neptune-vesta]")
    ada.page.wait_for_selector("[data-chair]")
    link = ada.page.url
    assert read_code(ada.page.locator("svg[role=img]")) == link
    ben.page.goto(link)
    ben.page.locator("[data-do=sit]").first.click()
    ada.do("start")
    table = ada.to_table()
    ben.to_table()
    assert {seat["name"] for seat in ada.view(table)["seats"]} == {"Ada", "Ben"}
    play([ada, ben], steps=14)
    assert ada.view(table)["game"]["actions"] >= 2


@pytest.mark.parametrize(("language", "name"), [("en", "Player 2"), ("ru", "Игрок 2"), ("it", "Giocatore 2")])
def test_people_at_one_device_need_not_give_names(visit: Visits, language: str, name: str) -> None:
    ada = visit(language=language)
    ada.go("/new/atlantis")
    ada.page.click("[data-players='2']")
    ada.page.select_option("[data-seat='1'] [data-field=who]", "here")
    assert ada.page.input_value("[data-field=seat-name]") == name
    ada.page.click("[data-do=open]")
    assert ada.view(ada.to_table())["seats"][1]["name"] == name


def test_a_link_to_ones_own_seat_opens_on_another_device(visit: Visits) -> None:
    ada, phone = visit(), visit(size="phone")
    table = ada.open_table("neptune-vesta", ["me", "turtle"])
    link = ada.ask("POST", f"/tables/{table}/seats/0/link")["link"]
    phone.page.goto(link)
    phone.page.wait_for_selector("[data-spot]")
    assert phone.view(table)["mine"] == [0]
    assert "link=" not in phone.page.url  # somebody looking over the shoulder does not see it


def test_a_link_that_is_no_longer_valid_says_so(visit: Visits, site: str) -> None:
    ada = visit()
    ada.forgiven = ["404"]
    ada.page.goto(f"{site}/#link={'x' * 43}")
    ada.page.wait_for_selector("[role=alert]")


def test_a_spectator_sees_the_board_and_no_hand(visit: Visits) -> None:
    ada, eve = visit(), visit()
    table = ada.open_table("mille-fiori", ["me", "turtle"])
    eve.sit_down(table)
    assert eve.state()["legal"] == []
    assert eve.page.locator("[data-spot^='hand']").count() == 0
    ada.sit_down(table)
    play([ada], steps=3)
    assert eve.wrong() == []


def test_the_game_against_bots_goes_on_after_the_page_was_closed(visit: Visits) -> None:
    ada = visit(confirm="none")
    table = ada.open_table("neptune-vesta", ["me", "turtle"], {"rounds": 1})
    ada.sit_down(table)
    play([ada], steps=8)
    ada.go("/")
    ada.page.locator(f"a[href='/table/{table}']").first.click()
    assert ada.to_table() == table
    before = ada.view(table)["game"]["actions"]
    play([ada], steps=6)
    assert ada.view(table)["game"]["actions"] > before
