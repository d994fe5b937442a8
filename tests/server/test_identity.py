"""Who is who: guests, programs, accounts, seat links; and what is kept of their secrets."""

from __future__ import annotations

import sqlite3
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from laguna.errors import BadOption
from laguna.server.people.identity import HASHER, guest_name, hash_of, new_token, tidy_name
from laguna.server.people.passwords import check_new
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
        assert again.json() == first.json() == {"name": first.json()["name"], "account": None}
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
        assert back.json() == {"name": "Ann", "account": "Ann.1"}
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
