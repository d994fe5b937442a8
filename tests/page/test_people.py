"""Who is who on the page: accounts and passwords, and names that are written from right to left."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import Visits
from tests.page.visitor import Visitor, play
from tests.size import scaled

PASSWORD, NEW = "coral reef 7", "pearl diver 8"

# Every place that shows the name: in a text, or in an attribute such as a label. It is isolated there
# if it is in a <bdi> or a field, between U+2068 and U+2069, or the whole text.
LOOSE = """name => {
  const loose = (text) => text.trim() !== name && text.replaceAll(`\\u2068${name}`, "").includes(name);
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    if (node.data.includes(name) && !node.parentElement.closest("bdi, script") &&
        node.data.replaceAll(`\\u2068${name}`, "").includes(name)) found.push(node.data);
  for (const element of document.querySelectorAll("[title], [aria-label], [alt]"))
    for (const kind of ["title", "aria-label", "alt"])
      if (loose(element.getAttribute(kind) ?? "")) found.push(`${kind}: ${element.getAttribute(kind)}`);
  return found;
}"""
SHOWN = "name => document.body.innerText.split(name).length - 1"


def open_account(visitor: Visitor) -> None:
    visitor.page.click("[data-do=who]")
    visitor.page.wait_for_selector("dialog[open]")


def log_in(visitor: Visitor, way: str, account: str, password: str) -> None:
    """Create an account or log in, through the page."""
    open_account(visitor)
    visitor.page.click(f"[data-do={way}]")
    visitor.page.fill("dialog[open] [autocomplete=username]:not([type=hidden])", account)
    visitor.page.fill("dialog[open] [type=password]", password)
    visitor.page.click("dialog[open] form:has([type=password]) .main")


@pytest.mark.proof
@pytest.mark.parametrize("language", scaled(["ru"], ["en", "ru", "it"]))
def test_a_password_is_changed_and_all_devices_are_logged_out(visit: Visits, language: str) -> None:
    laptop, phone = visit(language=language, name="Ann"), visit(language=language, size="phone")
    account = f"ann.{language}"
    laptop.go()
    log_in(laptop, "make-account", account, PASSWORD)
    laptop.page.wait_for_selector("[data-do=change-password]")
    phone.go()
    log_in(phone, "log-in", account, PASSWORD)
    phone.page.wait_for_selector("[data-do=who]:has-text('Ann')")
    table = phone.open_table("neptune-vesta", ["me", "turtle"])
    phone.sit_down(table)

    laptop.page.click("[data-do=change-password]")
    laptop.page.fill("[data-field=current]", "not the password")
    laptop.page.fill("[data-field=new]", NEW)
    laptop.forgiven = ["403"]
    laptop.page.click("[data-do=set-password]")
    laptop.page.wait_for_selector("dialog[open] [role=alert]")
    assert phone.ask("GET", "/me")["account"] == account
    laptop.page.fill("[data-field=current]", PASSWORD)
    laptop.page.click("[data-do=set-password]")
    laptop.page.wait_for_selector("dialog[open] [role=status]")
    assert laptop.ask("GET", "/me")["account"] == account

    phone.page.wait_for_url(lambda url: "/table/" not in url)  # they are no longer logged in
    phone.page.wait_for_selector("[data-play=neptune-vesta]")
    assert phone.ask("GET", "/me")["account"] is None
    phone.forgiven = ["403"]  # the socket whose token was void
    log_in(phone, "log-in", account, NEW)
    phone.page.wait_for_selector("[data-do=who]:has-text('Ann')")
    phone.sit_down(table)

    laptop.page.click("[data-do=log-out-everywhere]")
    laptop.page.wait_for_selector("dialog[open]", state="hidden")
    phone.page.wait_for_url(lambda url: "/table/" not in url)
    assert {each.ask("GET", "/me")["account"] for each in (laptop, phone)} == {None}


def shows(visitor: Visitor, *names: str) -> None:
    """Each name is shown, and everywhere isolated from the text around it."""
    for name in names:
        visitor.page.wait_for_function(f"name => ({SHOWN})(name) > 0", arg=name)
        assert visitor.page.evaluate(LOOSE, name) == []


@pytest.mark.parametrize("language", scaled(["ru"], ["en", "ru", "it"]))
def test_right_to_left_names_do_not_reverse_the_text_around_them(visit: Visits, language: str) -> None:
    dana, noor = "דנה (1)", "نور 7!"
    ada, eve = visit(name=dana, language=language), visit(name=noor, language=language)
    ada.go()
    shows(ada, dana)
    ada.go("/new/atlantis")
    shows(ada, dana)
    seats: list[Any] = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "level": "turtle"}]
    settings = {"game": "neptune-vesta", "players": 2, "listed": True, "options": {"rounds": 1}}
    table = ada.ask("POST", "/tables", {"settings": settings, "seats": seats[:2]})["table"]
    eve.go()
    eve.page.wait_for_selector(f"[data-table='{table}']")
    shows(eve, dana)
    eve.go(f"/table/{table}")
    eve.page.wait_for_selector("[data-chair]")
    shows(eve, dana)
    eve.page.click("[data-do=sit] >> nth=0")
    ada.go(f"/table/{table}")
    ada.page.click("[data-do=seat-link]")
    ada.page.fill("[data-field=say]", "Hello!")
    ada.page.keyboard.press("Enter")
    shows(ada, dana, noor)
    shows(eve, dana, noor)
    ada.do("start")
    for each in (ada, eve):
        each.to_table()
    play([ada, eve], steps=12)
    shows(ada, noor)
    shows(eve, dana)
    eve.ask("POST", f"/tables/{table}/resign", {})
    ada.page.wait_for_selector("[data-over]")
    shows(ada, noor)
    shows(eve, dana)


@pytest.mark.parametrize("game", ["atlantis", "mille-fiori", "venice-2099"])
def test_names_on_the_boards_and_on_one_device(visit: Visits, game: str) -> None:
    dana, noor = "דנה (1)", "نور 7!"
    ada = visit(name=dana)
    seats = [{"kind": "me"}, {"kind": "me", "name": noor}, {"kind": "bot", "level": "turtle"}]
    wish = {"settings": {"game": game, "players": 3}, "seats": seats, "start": True}
    table = ada.ask("POST", "/tables", wish)["table"]
    ada.go(f"/table/{table}")
    for _ in range(3):
        ada.to_table()
        assert [loose for name in (dana, noor) for loose in ada.page.evaluate(LOOSE, name)] == []
        play([ada], steps=6)
    shows(ada, dana, noor)
