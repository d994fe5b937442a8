"""Who is who: guests, programs, accounts, seat links; and what is kept of their secrets."""

from __future__ import annotations

import asyncio
import sqlite3
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest

from laguna.errors import BadOption
from laguna.server.app import Application
from laguna.server.people import sessions
from laguna.server.people.agents import recognized
from laguna.server.people.identity import HASHER, guest_name, hash_of, new_token, tidy_name
from laguna.server.people.passwords import check_new
from laguna.server.storage import Agent
from tests.server.visiting import browser, client, program, served

pytestmark = pytest.mark.anyio
ANN = {"account": "Ann.1", "password": "coral reef 7"}


def cookie_of(answer: httpx.Response) -> tuple[str, SimpleCookie]:
    cookie = SimpleCookie(answer.headers["set-cookie"])
    (name,) = cookie
    return name, cookie


# ------------------------------------------------------------------ guests


async def test_a_guest_on_first_contact(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = client(server)
        first = await visitor.get("/api/me")
        name, cookie = cookie_of(first)
        assert name == "laguna" and len(cookie[name].value) == 43
        assert cookie[name]["httponly"] and cookie[name]["samesite"] == "lax" and cookie[name]["path"] == "/"
        assert not cookie[name]["secure"]
        again = await visitor.get("/api/me")
        guest = {"name": first.json()["name"], "account": None, "session_ended": False}
        assert again.json() == first.json() == guest
        assert "set-cookie" not in again.headers
        assert (await client(server).get("/api/me")).headers["set-cookie"] != first.headers["set-cookie"]


@pytest.mark.parametrize("way", ["https", "public_url", "proxy"])
async def test_over_https_the_cookie_is_secure(tmp_path: Path, way: str) -> None:
    settings = (
        {"public_url": "https://laguna.test"} if way == "public_url" else {"trusted_proxies": ["192.0.2.1"]}
    )
    headers = {"x-forwarded-proto": "https"} if way == "proxy" else {}
    async with served(tmp_path, **settings) as server:
        visitor = client(server, url=f"{'https' if way == 'https' else 'http'}://laguna.test")
        answer = await visitor.get("/api/me", headers=headers)
        name, cookie = cookie_of(answer)
        assert name == "__Host-laguna" and cookie[name]["secure"] and cookie[name]["path"] == "/"
        assert not cookie[name]["domain"]
        assert answer.headers["strict-transport-security"]


async def test_a_page_from_another_site_creates_no_guests(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        elsewhere = {"sec-fetch-site": "cross-site"}
        for headers in (elsewhere, elsewhere | {"sec-fetch-mode": "no-cors"}):
            assert (await client(server).get("/api/me", headers=headers)).status_code == 403
        opened = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
        assert (await client(server).get("/api/me", headers=opened)).status_code == 200


async def test_new_guests_are_limited_by_address(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"guest": "2/h"}) as server:
        for _ in range(2):
            assert (await client(server).get("/api/me")).status_code == 200
        refused = await client(server).post("/api/tokens")
        assert refused.status_code == 429 and refused.json()["key"] == "too-many"
        assert int(refused.headers["retry-after"]) > 1000
        assert (await client(server, "192.0.2.9").get("/api/me")).status_code == 200


async def test_only_hashes_are_stored(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = await browser(server)
        assert (await visitor.post("/api/me/account", json=ANN)).status_code == 201
        token = visitor.cookies["laguna"]
    with sqlite3.connect(tmp_path / "laguna.sqlite") as database:
        dump = "\n".join(database.iterdump())
    assert hash_of(token).hex().upper() in dump.upper()
    assert token not in dump and token.encode().hex().upper() not in dump.upper()
    assert "$argon2id$" in dump and ANN["password"] not in dump


async def test_names(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = await browser(server)
        renamed = await visitor.post("/api/me", json={"name": "  Zoë \t the  2nd "})
        assert renamed.json()["name"] == "Zoë the 2nd"
        assert (await visitor.get("/api/me")).json()["name"] == "Zoë the 2nd"
        for name in ("", "   ", "x" * 41, "a\u202eb", "a\x00b", "\u200b"):
            refused = await visitor.post("/api/me", json={"name": name})
            assert refused.status_code == 422, name
        heart = await visitor.post("/api/me", json={"name": "Zoe\u0308 \u2764\ufe0f"})
        assert heart.json()["name"] == "Zoë \u2764\ufe0f"
        nobody = await client(server, origin="http://laguna.test").post("/api/me", json={"name": "x"})
        assert nobody.status_code == 401


BLANKS = ["\u3164", "\u2800", "\u1160", "\u115f", "\u034f", "\uffa0", "\u180b", "\u00a0", "\u3000", "\u2003"]


async def test_names_can_be_seen(tmp_path: Path) -> None:
    names = [name for blank in BLANKS for name in (blank, blank * 3, f" {blank} ")]
    inside = [
        blank for blank in BLANKS if not blank.isspace()
    ]  # other blanks become a space, or are stripped
    names += [name for blank in inside for name in (f"A{blank}nn", f"Ann{blank}")]
    async with served(tmp_path) as server:
        visitor = await browser(server)
        for name in [*names, "\u0301", "\ufe0f"]:
            refused = await visitor.post("/api/me", json={"name": name})
            assert refused.status_code == 422 and refused.json()["key"] == "name", ascii(name)
            table = {
                "settings": {"game": "neptune-vesta", "players": 2},
                "seats": [{"kind": "me"}, {"kind": "me", "name": name}],
            }
            assert (await visitor.post("/api/tables", json=table)).status_code == 422, ascii(name)


def test_guest_names_are_names() -> None:
    assert len({guest_name() for _ in range(100)}) > 50
    for _ in range(50):
        name = guest_name()
        assert tidy_name(name) == name
    with pytest.raises(BadOption):
        tidy_name("\u2066")


# ------------------------------------------------------------------ programs


async def test_a_program_has_a_token_and_no_cookie(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = client(server)
        answer = await visitor.post("/api/tokens")
        assert answer.status_code == 201 and "set-cookie" not in answer.headers
        visitor.headers["authorization"] = f"Bearer {answer.json()['token']}"
        me = await visitor.get("/api/me")
        assert me.json()["name"] == answer.json()["name"] and "set-cookie" not in me.headers
        assert (await visitor.post("/api/me", json={"name": "Robo"})).json()["name"] == "Robo"


@pytest.mark.parametrize("token", ["x", new_token(), "x" * 5000, "ä"], ids=["x", "unknown", "long", "umlaut"])
async def test_a_wrong_token_identifies_nobody(tmp_path: Path, token: str) -> None:
    async with served(tmp_path) as server:
        answer = await client(server).get("/api/me", headers={b"authorization": f"Bearer {token}".encode()})
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"


async def test_a_cookie_alone_changes_nothing_without_an_origin(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = await browser(server)
        del visitor.headers["origin"]
        refused = await visitor.post("/api/me", json={"name": "x"})
        assert refused.status_code == 403 and refused.json()["key"] == "origin"
        refused = await visitor.post("/api/me", json={"name": "x"}, headers={"origin": "http://evil.test"})
        assert refused.status_code == 403
        refused = await visitor.post("/api/tokens", headers={"origin": "http://evil.test"})
        assert refused.status_code == 403


@pytest.mark.parametrize(
    ("url", "origin", "status"),
    [
        ("http://127.0.0.1:8099", "http://127.0.0.1:8099", 200),
        ("http://rebound.example:8099", "http://rebound.example:8099", 403),  # a name made to lead here
        ("http://127.0.0.1:8099", "https://127.0.0.1:8099", 403),
        ("https://127.0.0.1:8099", "http://127.0.0.1:8099", 403),
        ("http://rebound.example:8099", "http://laguna.test", 200),
    ],
)
async def test_only_our_own_pages_change_anything(tmp_path: Path, url: str, origin: str, status: int) -> None:
    async with served(tmp_path) as server:
        visitor = await browser(server, url=url)
        answer = await visitor.post("/api/me", json={"name": "x"}, headers={"origin": origin})
        assert answer.status_code == status
        if status == 403:
            assert answer.json()["key"] == "origin" and "public_url" in answer.json()["sentence"]


# ------------------------------------------------------------------ accounts


async def test_an_account_brings_somebody_back(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        first = await browser(server)
        await first.post("/api/me", json={"name": "Ann"})
        made = await first.post("/api/me/account", json=ANN)
        assert made.json() == {"name": "Ann", "account": "Ann.1", "token": None}
        second = await browser(server)
        back = await second.post("/api/log-in", json=ANN | {"account": "ANN.1"})
        assert back.json() == {"name": "Ann", "account": "Ann.1", "session_ended": False}
        assert (await second.get("/api/me")).json()["name"] == "Ann"
        assert second.cookies["laguna"] != first.cookies["laguna"]
        robot = await client(server).post("/api/tokens", json=ANN)
        assert robot.status_code == 201 and robot.json()["name"] == "Ann"


async def test_with_an_account_the_guests_token_is_void(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = await browser(server)
        guest = visitor.cookies["laguna"]
        made = await visitor.post("/api/me/account", json=ANN)
        assert made.status_code == 201 and made.json()["token"] is None  # no script can read it
        assert visitor.cookies["laguna"] != guest
        assert (await visitor.get("/api/me")).json()["account"] == "Ann.1"
        stolen = await client(server).get("/api/me", headers={"authorization": f"Bearer {guest}"})
        assert stolen.status_code == 401
        twice = await visitor.post("/api/me/account", json=ANN)
        assert twice.status_code == 409 and "set-cookie" not in twice.headers
        assert (await visitor.get("/api/me")).json()["account"] == "Ann.1"


async def test_a_program_gets_its_new_token(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        robot = await program(server)
        made = await robot.post("/api/me/account", json=ANN)
        assert "set-cookie" not in made.headers
        assert (await robot.get("/api/me")).status_code == 401
        robot.headers["authorization"] = f"Bearer {made.json()['token']}"
        assert (await robot.get("/api/me")).json()["account"] == "Ann.1"


async def test_changing_the_password_logs_other_devices_out(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        first, second, guest = [await browser(server) for _ in range(3)]
        await first.post("/api/me/account", json=ANN)
        await second.post("/api/log-in", json=ANN)
        new = {"current": ANN["password"], "new": "pearl diver 8"}
        for wrong, status, key in [
            ({"current": "coral reef 8", "new": "pearl diver 8"}, 403, "current-password"),
            ({"current": ANN["password"], "new": "short"}, 422, "body"),
            ({"new": "pearl diver 8"}, 422, "body"),
        ]:
            refused = await first.post("/api/me/password", json=wrong)
            assert (refused.status_code, refused.json()["key"]) == (status, key)
        assert (await guest.post("/api/me/password", json=new)).json()["key"] == "no-account"
        assert (await second.get("/api/me")).json()["account"] == "Ann.1"  # so far nothing has changed
        before = first.cookies["laguna"]
        changed = await first.post("/api/me/password", json=new)
        assert changed.status_code == 200 and changed.json()["account"] == "Ann.1"
        assert first.cookies["laguna"] != before
        assert (await first.get("/api/me")).json()["account"] == "Ann.1"
        for token in (before, second.cookies["laguna"]):
            void = await client(server).get("/api/me", headers={"authorization": f"Bearer {token}"})
            assert void.status_code == 401
        assert (await guest.post("/api/log-in", json=ANN)).status_code == 401
        assert (await guest.post("/api/log-in", json=ANN | {"password": "pearl diver 8"})).status_code == 200


async def test_logging_out_everywhere(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        first, second, other = [await browser(server) for _ in range(3)]
        await first.post("/api/me/account", json=ANN)
        await second.post("/api/log-in", json=ANN)
        tokens = [each.cookies["laguna"] for each in (first, second)]
        assert (await second.post("/api/log-out-everywhere")).status_code == 204
        assert "laguna" not in second.cookies
        for token in tokens:
            void = await client(server).get("/api/me", headers={"authorization": f"Bearer {token}"})
            assert void.status_code == 401
        assert (await other.post("/api/me", json={"name": "Bob"})).status_code == 200
        nobody = await client(server, origin="http://laguna.test").post("/api/log-out-everywhere")
        assert nobody.status_code == 401


async def test_logging_out_forgets_only_this_device(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        first = await browser(server)
        await first.post("/api/me/account", json=ANN)
        second = await browser(server)
        await second.post("/api/log-in", json=ANN)
        token = second.cookies["laguna"]
        assert (await second.post("/api/log-out")).status_code == 204
        assert "laguna" not in second.cookies
        stolen = await client(server).get("/api/me", headers={"authorization": f"Bearer {token}"})
        assert stolen.status_code == 401
        assert (await first.get("/api/me")).json()["account"] == "Ann.1"


async def test_an_unknown_person_cannot_log_out(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        assert (await client(server, origin="http://laguna.test").post("/api/log-out")).status_code == 401


async def test_everybody_has_at_most_one_account(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        first, second = await browser(server), await browser(server)
        assert (await first.post("/api/me/account", json=ANN)).status_code == 201
        taken = await second.post("/api/me/account", json=ANN | {"account": "aNN.1"})
        assert taken.status_code == 409 and taken.json()["key"] == "account-taken"
        twice = await first.post("/api/me/account", json=ANN | {"account": "other"})
        assert twice.status_code == 409 and twice.json()["key"] == "has-account"


async def test_a_wrong_password_and_no_account_look_and_cost_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified: list[str] = []
    real = HASHER.verify

    def verify(_: object, hashed: str, password: str) -> bool:
        verified.append(hashed)
        return real(hashed, password)

    monkeypatch.setattr(type(HASHER), "verify", verify)
    async with served(tmp_path) as server:
        visitor = await browser(server)
        await visitor.post("/api/me/account", json=ANN)
        wrong = await visitor.post("/api/log-in", json=ANN | {"password": "coral reef 8"})
        nobody = await visitor.post("/api/log-in", json=ANN | {"account": "nobody"})
        assert wrong.status_code == nobody.status_code == 401
        assert wrong.json() == nobody.json() and wrong.json()["key"] == "wrong-password"
        assert len(verified) == 2 and not any(map(HASHER.check_needs_rehash, verified))


async def test_the_number_of_password_attempts_is_limited(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"password": "3/h 5/h"}) as server:
        visitor = await browser(server)
        statuses = [(await visitor.post("/api/log-in", json=ANN)).status_code for _ in range(4)]
        assert statuses == [401, 401, 401, 429]
        others = [
            (await visitor.post("/api/log-in", json=ANN | {"account": "bob"})).status_code for _ in range(3)
        ]
        assert others == [401, 401, 429]  # the address, now


async def test_a_strangers_guesses_do_not_lock_the_owner_out(tmp_path: Path) -> None:
    async with served(tmp_path, limits={}) as server:
        owner, stranger = await browser(server, "192.0.2.7"), await browser(server, "192.0.2.66")
        assert (await owner.post("/api/me/account", json=ANN)).status_code == 201
        guess = ANN | {"password": "12345678"}
        guesses = [(await stranger.post("/api/log-in", json=guess)).status_code for _ in range(12)]
        assert guesses == [401] * 10 + [429] * 2
        assert (await stranger.post("/api/log-in", json=ANN)).status_code == 429
        assert (await owner.post("/api/log-in", json=ANN)).status_code == 200


@pytest.mark.proof
async def test_attempts_on_an_account_are_limited_over_all_addresses(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"password": "2/h 100/h", "account": "5/h"}) as server:
        strangers = [await browser(server, f"192.0.2.{number}") for number in range(4)]
        statuses = [
            (await each.post("/api/log-in", json=ANN)).status_code for each in strangers for _ in range(3)
        ]
        assert statuses == [401, 401, 429, 401, 401, 429, 401, 429, 429, 429, 429, 429]
        assert (await strangers[3].post("/api/log-in", json=ANN | {"account": "bob"})).status_code == 401


@pytest.mark.parametrize(
    "password",
    ["password", "PassWord123", "12345678", "Laguna 2099!", "Venice-2099", "a.n.n-1-1-1"],
)
def test_passwords_that_others_would_try_first_are_refused(password: str) -> None:
    with pytest.raises(BadOption) as refused:
        check_new(password, "Ann.1")
    assert refused.value.key == "common-password"


@pytest.mark.parametrize("password", ["coral reef 9", "        ", "пароль из букв", "🦀" * 8, "a" * 199])
def test_any_other_password_is_fine(password: str) -> None:
    check_new(password, "Ann.1")
    check_new(password, "1234")


async def test_a_refused_password_changes_nothing_and_others_are_taken_as_they_are(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = await browser(server)
        common, long = {"password": "12345678"}, {"password": "🦀 " * 99 + "Qx"}
        refused = await visitor.post("/api/me/account", json=ANN | common)
        assert refused.status_code == 422 and refused.json()["key"] == "common-password"
        assert (await visitor.post("/api/me/account", json=ANN | long)).status_code == 201
        change = {"current": long["password"], "new": "12345678"}
        assert (await visitor.post("/api/me/password", json=change)).json()["key"] == "common-password"
        assert (await visitor.post("/api/log-in", json=ANN | long)).status_code == 200
        cut = {"password": long["password"][:-1]}
        assert (await visitor.post("/api/log-in", json=ANN | cut)).status_code == 401


@pytest.mark.parametrize(
    "given",
    [{"account": "ab"}, {"password": "short"}, {"account": "a b c"}, {"account": "ann\n"}, {"more": 1}],
)
async def test_credentials_are_checked(tmp_path: Path, given: dict[str, object]) -> None:
    async with served(tmp_path) as server:
        visitor = await program(server)
        refused = await visitor.post("/api/me/account", json=ANN | given)
        assert refused.status_code == 422 and refused.json()["key"] == "body"


# ------------------------------------------------------------------ tokens expire


def age(folder: Path, days: float) -> None:
    """Let all tokens have been made and used so many days earlier."""
    with sqlite3.connect(folder / "laguna.sqlite") as database:
        ago = int(days * 86_400_000)
        database.execute("UPDATE tokens SET created = created - ?, used = used - ?", (ago, ago))


async def test_a_token_that_nobody_uses_expires(tmp_path: Path) -> None:
    async with served(tmp_path, token_days=30) as server:
        visitor, robot = await browser(server), await program(server)
        name = (await visitor.get("/api/me")).json()["name"]
        age(tmp_path, 29)
        assert (await robot.get("/api/me")).status_code == 200  # a use, from which the time begins anew
        assert (await visitor.get("/api/me")).json()["name"] == name
        age(tmp_path, 29)
        assert (await robot.get("/api/me")).status_code == 200
        age(tmp_path, 31)
        gone = await robot.get("/api/me")
        assert gone.status_code == 401 and gone.json()["key"] == "who"
        assert (await visitor.post("/api/me", json={"name": "x"})).status_code == 401
        anew = await visitor.get("/api/me")  # a guest again, but somebody else
        assert "set-cookie" in anew.headers


async def test_the_cookie_lasts_as_long_as_its_token(tmp_path: Path) -> None:
    async with served(tmp_path, token_days=30) as server:
        visitor, robot = client(server), await program(server)
        name, cookie = cookie_of(await visitor.get("/api/me"))
        assert int(cookie[name]["max-age"]) == 30 * 86_400
        age(tmp_path, 2)
        again = await visitor.get("/api/me")
        assert cookie_of(again)[1][name].value == cookie[name].value
        assert "set-cookie" not in (await visitor.get("/api/me")).headers  # once a day is enough
        assert "set-cookie" not in (await robot.get("/api/me")).headers
    async with served(tmp_path, token_days=3650) as server:
        name, cookie = cookie_of(await client(server).get("/api/me"))
        assert int(cookie[name]["max-age"]) == 400 * 86_400  # browsers keep none for longer


async def test_expired_tokens_are_forgotten(tmp_path: Path) -> None:
    async with served(tmp_path, token_days=30) as server:
        await browser(server)
        age(tmp_path, 31)
        await browser(server)
        await server.services.tables.sessions.look_at_all()
    with sqlite3.connect(tmp_path / "laguna.sqlite") as database:
        assert database.execute("SELECT count(*) FROM tokens").fetchone() == (1,)


async def test_a_session_of_an_account_ends_however_much_it_is_used(tmp_path: Path) -> None:
    async with served(tmp_path, token_days=30, session_days=40) as server:
        visitor, guest, robot = await browser(server), await browser(server), await program(server)
        name = (await guest.get("/api/me")).json()["name"]
        await visitor.post("/api/me/account", json=ANN)
        token = (await robot.post("/api/tokens", json=ANN)).json()["token"]
        robot.headers["authorization"] = f"Bearer {token}"
        for _ in range(2):
            age(tmp_path, 19)  # 38 days: used in between, so not yet
            for each in (visitor, guest, robot):
                assert (await each.get("/api/me")).status_code == 200
        assert (await visitor.get("/api/me")).json()["account"] == "Ann.1"
        age(tmp_path, 3)
        refused = await robot.get("/api/me")
        assert (refused.status_code, refused.json()["key"]) == (401, "session-ended")
        assert refused.json()["arguments"] == {"days": 40}
        assert (await robot.get("/api/tables")).json()["key"] == "session-ended"
        refused = await visitor.post("/api/tables", json={"settings": {"game": "atlantis"}})
        assert (refused.status_code, refused.json()["key"]) == (401, "session-ended")
        assert (await visitor.get("/api/tables")).status_code == 200  # public things are for everybody
        told = await visitor.get("/api/me")
        assert told.json()["account"] is None and told.json()["session_ended"]
        again = await visitor.get("/api/me")  # by now the browser has the cookie of a new guest
        assert again.json() == told.json() | {"session_ended": False}
        assert (await guest.get("/api/me")).json()["name"] == name  # who has nothing to log in with again
        assert (await visitor.post("/api/log-in", json=ANN)).json()["account"] == "Ann.1"
        assert len((await visitor.get("/api/me/devices")).json()) == 1


# ------------------------------------------------------------------ devices

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
LIKE_SAFARI = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0"


@pytest.mark.parametrize(
    ("user_agent", "client", "system"),
    [
        (FIREFOX, "Firefox", "Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {LIKE_SAFARI} Safari/537.36", "Chrome", "Windows"),
        (f"Mozilla/5.0 (Windows NT 10.0) {LIKE_SAFARI} Safari/537.36 Edg/138.0.0.0", "Edge", "Windows"),
        (f"Mozilla/5.0 (X11; CrOS x86_64 1) {LIKE_SAFARI} Safari/537.36 OPR/1", "Opera", "ChromeOS"),
        (f"Mozilla/5.0 (Linux; Android 10; K) {LIKE_SAFARI} Mobile Safari/537.36", "Chrome", "Android"),
        (f"x (Windows NT 10.0) {LIKE_SAFARI} YaBrowser/25.6 Safari/537.36", "Yandex Browser", "Windows"),
        ("x (Linux; Android 15) SamsungBrowser/28.0 Chrome/130.0", "Samsung Internet", "Android"),
        ("x (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1", "Safari", "iPhone"),
        ("x (iPad; CPU OS 18_5 like Mac OS X) CriOS/138.0 Mobile Safari/604.1", "Chrome", "iPad"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15", "Safari", "macOS"),
        ("<script>Linux</script>", "browser", "Linux"),
        ("", "browser", None),
    ],
)
def test_browsers_are_called_by_words_of_ours(user_agent: str, client: str, system: str | None) -> None:
    assert recognized(user_agent) == Agent(client, system)


async def logged_in(server: Application, user_agent: str) -> httpx.AsyncClient:
    visitor = await browser(server)
    assert (await visitor.post("/api/log-in", json=ANN, headers={"user-agent": user_agent})).is_success
    return visitor


async def devices_of(visitor: httpx.AsyncClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await visitor.get("/api/me/devices")).json()
    return found


async def test_everybody_sees_their_devices(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        laptop, robot, other = await browser(server), await program(server), await browser(server)
        await laptop.post("/api/me/account", json=ANN, headers={"user-agent": FIREFOX})
        token = (await robot.post("/api/tokens", json=ANN)).json()["token"]
        robot.headers["authorization"] = f"Bearer {token}"
        age(tmp_path, 3)
        phone = await logged_in(server, "A secret name of mine (iPhone) Safari/604.1")
        await robot.get("/api/me")  # a use, noted as it is the first of that day
        found = await devices_of(phone)
        assert [(each["client"], each["system"]) for each in found] == [
            ("Safari", "iPhone"), ("program", None), ("Firefox", "Linux")
        ]  # fmt: skip
        assert [each["this"] for each in found] == [True, False, False]
        day = 86_400_000
        assert [round((sessions.now() - each["created"]) / day) for each in found] == [0, 3, 3]
        assert [round((sessions.now() - each["used"]) / day) for each in found] == [0, 0, 3]
        assert {each["id"] for each in found} == {each["id"] for each in await devices_of(robot)}
        assert [each["client"] for each in await devices_of(robot)] == ["program", "Safari", "Firefox"]
        assert len(await devices_of(other)) == 1  # a guest's own browser
        assert (await client(server).get("/api/me/devices")).status_code == 401
        for each in found:  # what a device is called leads to no token
            thief = client(server, authorization=f"Bearer {each['id']}")
            assert (await thief.get("/api/me")).status_code == 401
    assert b"secret name" not in (tmp_path / "laguna.sqlite").read_bytes()


async def test_a_device_of_before_is_not_known(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = await browser(server)
        with sqlite3.connect(tmp_path / "laguna.sqlite") as database:
            database.execute("UPDATE tokens SET client = NULL, system = NULL")
        [found] = await devices_of(visitor)
        assert found["client"] is None and found["system"] is None


async def test_a_device_is_logged_out_with_the_password(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        laptop, other = await browser(server), await browser(server)
        await laptop.post("/api/me/account", json=ANN)
        phone, tablet = [await logged_in(server, FIREFOX) for _ in range(2)]
        [this] = [each["id"] for each in await devices_of(phone) if each["this"]]
        path, right = f"/api/me/devices/{this}/end", {"password": ANN["password"]}
        for body, status, key in [
            ({}, 403, "current-password"),
            ({"password": "coral reef 8"}, 403, "current-password"),
            ({"password": ANN["password"], "all": True}, 422, "body"),
        ]:
            refused = await laptop.post(path, json=body)
            assert (refused.status_code, refused.json()["key"]) == (status, key)
        assert (await other.post(path, json=right)).json()["key"] == "no-device"  # of somebody else
        assert len(await devices_of(laptop)) == 3  # so far nothing has changed
        assert (await laptop.post(path, json=right)).status_code == 204
        assert (await phone.get("/api/me/devices")).status_code == 401
        assert this not in {each["id"] for each in await devices_of(laptop)}
        for gone in (this, "A" * 16):
            refused = await laptop.post(f"/api/me/devices/{gone}/end", json=right)
            assert (refused.status_code, refused.json()["key"]) == (404, "no-device")
        assert (await laptop.post("/api/me/devices/x/end", json=right)).status_code == 422

        phone = await logged_in(server, FIREFOX)
        assert (await tablet.post("/api/me/devices/end-others", json={})).status_code == 403
        assert (await tablet.post("/api/me/devices/end-others", json=right)).status_code == 204
        assert [each["this"] for each in await devices_of(tablet)] == [True]
        for each in (laptop, phone):
            assert (await each.get("/api/me/devices")).status_code == 401
        assert len(await devices_of(other)) == 1


# ------------------------------------------------------------------ a forgotten password

ONE_TIME = "abcd-efgh-jkmn-pqrs"


async def forgotten(server: Application, seconds: float = 60) -> None:
    """What `laguna accounts password` does."""
    account = await server.services.storage.account(ANN["account"])
    assert account is not None
    until = sessions.now() + int(seconds * 1000)
    await server.services.storage.set_one_time_password(account.person.id, HASHER.hash(ONE_TIME), until)


async def test_a_one_time_password_is_replaced_at_the_first_log_in(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        laptop, phone, robot = await browser(server), await browser(server), client(server)
        await laptop.post("/api/me/account", json=ANN)
        await forgotten(server)
        assert (await laptop.get("/api/me")).json()["account"] is None  # all sessions have ended
        given = ANN | {"password": ONE_TIME}
        for body, status, key in [
            (ANN, 401, "wrong-password"),
            (given, 403, "one-time-password"),
            (ANN | {"new": "pearl diver 8"}, 401, "wrong-password"),
            (given | {"new": "short"}, 422, "body"),
            (given | {"new": "password1"}, 422, "common-password"),
            (given | {"new": ONE_TIME}, 422, "same-password"),
        ]:
            for visitor, path in ((phone, "/api/log-in"), (robot, "/api/tokens")):
                refused = await visitor.post(path, json=body)
                assert (refused.status_code, refused.json()["key"]) == (status, key)
        assert (await phone.get("/api/me")).json()["account"] is None  # it has given no session
        new = given | {"new": "pearl diver 8"}
        assert (await phone.post("/api/log-in", json=new)).json()["account"] == "Ann.1"
        assert (await phone.get("/api/me")).json()["account"] == "Ann.1"
        for again in (given, new):
            assert (await laptop.post("/api/log-in", json=again)).status_code == 401  # it was for one time
        own = ANN | {"password": "pearl diver 8"}
        refused = await laptop.post("/api/log-in", json=own | {"new": "coral reef 9"})
        assert (refused.status_code, refused.json()["key"]) == (422, "not-one-time")
        assert (await laptop.post("/api/log-in", json=own)).status_code == 200


async def test_of_two_who_have_a_one_time_password_one_gets_in(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        first, second = await browser(server), await browser(server)
        await first.post("/api/me/account", json=ANN)
        await forgotten(server)
        wishes = [
            each.post("/api/log-in", json=ANN | {"password": ONE_TIME, "new": new})
            for each, new in ((first, "pearl diver 8"), (second, "pearl diver 9"))
        ]
        answers = await asyncio.gather(*wishes)
        assert sorted(each.status_code for each in answers) == [200, 401]
        names = [(await each.get("/api/me")).json()["account"] for each in (first, second)]
        assert names == ["Ann.1" if each.is_success else None for each in answers]


async def test_a_one_time_password_gets_old(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        visitor = await browser(server)
        await visitor.post("/api/me/account", json=ANN)
        await forgotten(server, seconds=-1)
        given = ANN | {"password": ONE_TIME, "new": "pearl diver 8"}
        refused = await visitor.post("/api/log-in", json=given)
        assert (refused.status_code, refused.json()["key"]) == (403, "one-time-over")
        assert (await visitor.get("/api/me")).json()["account"] is None
