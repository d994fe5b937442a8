"""Who is who: guests, programs, accounts, seat links; and what is kept of their secrets."""

from __future__ import annotations

import sqlite3
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from laguna.errors import BadOption
from laguna.server.identity import HASHER, guest_name, hash_of, new_token, tidy_name
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


async def test_a_page_of_another_site_makes_no_guests(tmp_path: Path) -> None:
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
        nobody = await client(server, origin="http://laguna.test").post("/api/me", json={"name": "x"})
        assert nobody.status_code == 401


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
async def test_a_wrong_token_is_nobody(tmp_path: Path, token: str) -> None:
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


# ------------------------------------------------------------------ accounts


async def test_an_account_brings_somebody_back(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        first = await browser(server)
        await first.post("/api/me", json={"name": "Ann"})
        made = await first.post("/api/me/account", json=ANN)
        assert made.json() == {"name": "Ann", "account": "Ann.1"}
        second = await browser(server)
        back = await second.post("/api/log-in", json=ANN | {"account": "ANN.1"})
        assert back.json() == {"name": "Ann", "account": "Ann.1"}
        assert (await second.get("/api/me")).json()["name"] == "Ann"
        assert second.cookies["laguna"] != first.cookies["laguna"]
        robot = await client(server).post("/api/tokens", json=ANN)
        assert robot.status_code == 201 and robot.json()["name"] == "Ann"


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


async def test_who_is_nobody_cannot_log_out(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        assert (await client(server, origin="http://laguna.test").post("/api/log-out")).status_code == 401


async def test_accounts_are_one_each(tmp_path: Path) -> None:
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


async def test_passwords_are_tried_only_so_often(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"password": "3/h 100/h"}) as server:
        visitor = await browser(server)
        statuses = [(await visitor.post("/api/log-in", json=ANN)).status_code for _ in range(4)]
        assert statuses == [401, 401, 401, 429]
        elsewhere = await browser(server, "192.0.2.77")
        assert (await elsewhere.post("/api/log-in", json=ANN)).status_code == 429
        assert (await elsewhere.post("/api/log-in", json=ANN | {"account": "bob"})).status_code == 401


@pytest.mark.parametrize(
    "given", [{"account": "ab"}, {"password": "short"}, {"account": "a b c"}, {"more": 1}]
)
async def test_credentials_are_checked(tmp_path: Path, given: dict[str, object]) -> None:
    async with served(tmp_path) as server:
        visitor = await program(server)
        refused = await visitor.post("/api/me/account", json=ANN | given)
        assert refused.status_code == 422 and refused.json()["key"] == "body"
