"""Where somebody is logged in, log-ins that end, and the way back after a forgotten password."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from laguna.server.people.identity import hash_of
from tests.page.conftest import Visits
from tests.page.test_axe import examine
from tests.page.test_me import SIZES, WIDTH, account
from tests.page.test_people import NEW, PASSWORD, log_in, open_account
from tests.page.visitor import Visitor
from tests.size import scaled

LANGUAGES = scaled(["ru"], ["en", "ru", "it"])
DAY = 86_400_000


def come_in(visitor: Visitor, name: str) -> None:
    """Log in, not through the page."""
    visitor.ask("POST", "/log-in", {"account": name, "password": PASSWORD})


def shown(visitor: Visitor, count: int) -> list[str]:
    """The devices, once there are so many."""
    visitor.page.wait_for_function(
        "count => document.querySelectorAll('[data-device]').length === count", arg=count
    )
    return visitor.page.locator("[data-device] .words > :first-child").all_inner_texts()


def confirm(visitor: Visitor, password: str) -> None:
    visitor.page.fill("[data-field=password]", password)
    visitor.page.keyboard.press("Enter")


@pytest.mark.parametrize("size", SIZES)
def test_devices_are_seen_and_logged_out(visit: Visits, size: str) -> None:
    ann, phone, tablet = visit(name="Ann", size=size), visit(size="phone"), visit()
    name = f"ann.devices.{size}"
    account(ann, name)
    come_in(tablet, name)
    come_in(phone, name)
    phone.ask("POST", "/tokens", {"account": name, "password": PASSWORD})
    phone.sit_down(phone.open_table("neptune-vesta", ["me", "turtle"]))
    ann.go()
    open_account(ann)
    ann.page.click("[data-do=devices]")
    chrome = "Chrome on Linux"
    assert sorted(shown(ann, 4)) == ["A program", chrome, chrome, f"{chrome} this device"]
    assert shown(ann, 4)[0].endswith("this device") and ann.page.locator("text=Last used: today").count() == 4
    assert ann.page.locator("[data-this] button").count() == 0
    assert ann.page.evaluate(WIDTH) <= 0 and examine(ann) == []

    [other] = [each["id"] for each in phone.ask("GET", "/me/devices") if each["this"]]
    button = ann.page.locator(f"[data-device='{other}'] [data-do=end-device]")
    assert button.get_attribute("aria-label") == f"Log out: {chrome}"
    button.focus()
    ann.page.keyboard.press("Enter")
    ann.forgiven = ["403"]
    confirm(ann, "not the password")
    ann.page.wait_for_selector("dialog[open] [role=alert]")
    assert ann.page.evaluate(WIDTH) <= 0 and examine(ann) == []
    confirm(ann, PASSWORD)
    ann.page.wait_for_selector(f"text=Logged out: {chrome}.")
    assert len(shown(ann, 3)) == 3 and ann.page.locator(f"[data-device='{other}']").count() == 0
    ann.page.wait_for_selector("#devices:focus")
    phone.page.wait_for_url(lambda url: "/table/" not in url)
    assert phone.ask("GET", "/me")["account"] is None
    phone.forgiven = ["403"]  # the socket whose token was void

    ann.page.click("[data-do=end-others]")
    ann.page.keyboard.press("Escape")
    ann.page.wait_for_selector("dialog[open]", state="hidden")
    assert len(shown(ann, 3)) == 3
    ann.page.click("[data-do=end-others]")
    confirm(ann, PASSWORD)
    assert shown(ann, 1) == [f"{chrome} this device"]
    assert not ann.page.is_visible("[data-do=end-others]")
    assert tablet.ask("GET", "/me")["account"] is None and ann.ask("GET", "/me")["account"] == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_devices_of_before_and_of_long_ago(visit: Visits, database: Path, language: str) -> None:
    ann, old = visit(name="Ann", language=language, size="phone"), visit()
    name = f"ann.old.{language}"
    account(ann, name)
    come_in(old, name)
    [cookie] = old.context.cookies()
    with contextlib.closing(sqlite3.connect(database)) as sql, sql:
        of_old = "used = used - ?, created = created - ?, client = NULL, system = NULL WHERE hash = ?"
        values = [30 * DAY, 100 * DAY, hash_of(cookie.get("value", ""))]
        assert sql.execute(f"UPDATE tokens SET {of_old}", values).rowcount == 1
    ann.go("/me")
    assert shown(ann, 2)[1] in ("Unknown device", "Неизвестное устройство", "Dispositivo sconosciuto")
    assert ann.page.evaluate(WIDTH) <= 0 and examine(ann) == []


def test_a_guest_has_no_devices_to_log_out(visit: Visits) -> None:
    ann = visit(name="Ann")
    ann.go("/me")
    ann.page.wait_for_selector("[data-do=forget]")
    assert not ann.page.is_visible("#devices")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_a_log_in_ends_and_the_page_says_so(visit: Visits, database: Path, size: str, language: str) -> None:
    ann = visit(name="Ann", size=size, language=language)
    name = f"ann.ends.{size}.{language}"
    account(ann, name)
    table = ann.open_table("neptune-vesta", ["me", "turtle"])

    def age() -> None:
        with contextlib.closing(sqlite3.connect(database)) as sql, sql:
            sql.execute(
                "UPDATE tokens SET created = created - ? WHERE person_id = "
                "(SELECT person_id FROM accounts WHERE account = ?)",
                [366 * DAY, name],
            )

    age()
    ann.go("/me")
    ann.page.wait_for_selector("dialog[open] [data-do=stay-guest]")
    assert ann.page.evaluate(WIDTH) <= 0 and examine(ann) == []
    ann.page.reload()  # which does not make it go away
    ann.page.wait_for_selector("dialog[open]")
    ann.page.fill("dialog[open] [autocomplete=username]", name)
    ann.page.fill("dialog[open] [type=password]", PASSWORD)
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url(lambda url: url.endswith("/"))
    ann.page.wait_for_selector("[data-do=who]:has-text('Ann')")
    assert ann.page.locator("dialog[open]").count() == 0
    ann.sit_down(table)

    age()
    ann.forgiven = ["403", "ERR_INTERNET_DISCONNECTED"]  # the socket whose token is void
    ann.context.set_offline(True)
    ann.context.set_offline(False)
    ann.page.wait_for_url(lambda url: url.endswith("/"))  # a guest has no seat at that table
    ann.page.click("dialog[open] [data-do=stay-guest]")
    ann.page.reload()
    ann.page.wait_for_selector("[data-play=neptune-vesta]")
    assert ann.page.locator("dialog[open]").count() == 0 and ann.ask("GET", "/me")["account"] is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_a_forgotten_password(visit: Visits, database: Path, size: str, language: str) -> None:
    ann, phone = visit(name="Ann"), visit(size=size, language=language)
    name = f"ann.forgets.{size}.{language}"
    account(ann, name)
    words = ["laguna", "accounts", "password", name, "--yes", "--database", f"sqlite:///{database}"]
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=True)
    one_time = done.stdout.splitlines()[2].strip()
    phone.go()
    phone.forgiven = ["403", "422"]
    log_in(phone, "log-in", name, one_time)
    phone.page.wait_for_selector("dialog[open] [data-field=own]:focus")
    assert phone.page.evaluate(WIDTH) <= 0 and examine(phone) == []
    for own in ("password1", one_time):
        phone.page.fill("[data-field=own]", own)
        phone.page.keyboard.press("Enter")
        phone.page.wait_for_selector("dialog[open] [role=alert]")
        assert phone.ask("GET", "/me")["account"] is None
    phone.page.fill("[data-field=own]", NEW)
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("[data-do=who]:has-text('Ann')")
    assert phone.ask("GET", "/me")["account"] == name
    assert ann.ask("GET", "/me")["account"] is None
