"""What the log says, and what it never does."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from laguna.messages import Refused, Resign
from laguna.server import logs
from laguna.server.people.identity import HASHER, hash_of, new_token
from tests.server.serving import CLEO, Server, sqlite, tables_at, two_players
from tests.server.visiting import browser, served


@pytest.fixture(autouse=True)
def log_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:], root.level = handlers, level
    logging.getLogger("laguna").setLevel(logging.NOTSET)
    structlog.reset_defaults()


def logged(form: str = "json", level: str = "info") -> io.StringIO:
    stream = io.StringIO()
    logs.set_up(form, level, stream)
    return stream


def test_a_line_of_json() -> None:
    stream = logged()
    logs.get_log("test").info("table opened", table="abc", seats=3)
    line = json.loads(stream.getvalue())
    assert (line["event"], line["table"], line["seats"], line["level"]) == ("table opened", "abc", 3, "info")
    assert line["timestamp"].endswith("Z")


def test_a_readable_line() -> None:
    stream = logged("readable")
    logs.get_log("test").info("table opened", table="abc")
    assert "table opened" in stream.getvalue() and "table=abc" in stream.getvalue()
    assert not stream.getvalue().startswith("{")


def test_levels() -> None:
    stream = logged(level="warning")
    logs.get_log("test").info("quiet")
    logs.get_log("test").warning("loud")
    assert "quiet" not in stream.getvalue() and "loud" in stream.getvalue()


def test_libraries_do_not_log_frames_and_headers_even_when_debugging() -> None:
    stream = logged(level="debug")
    logging.getLogger("uvicorn.error").debug("< cookie: laguna=…")
    logs.get_log("test").debug("ours")
    assert "cookie" not in stream.getvalue() and "ours" in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "readable"])
def test_secrets_are_withheld_by_name(form: str) -> None:
    stream = logged(form)
    logs.get_log("test").info(
        "x",
        token="pearl",
        password="pearl",
        cookies="pearl",
        Authorization="pearl",
        text="pearl",
        link="pearl",
    )
    logs.get_log("test").info("x", inner={"seat_link": "pearl", "secret": "pearl"})
    assert "pearl" not in stream.getvalue() and stream.getvalue().count(logs.WITHHELD) == 8


@pytest.mark.parametrize("form", ["json", "readable"])
def test_secrets_are_withheld_by_their_form(form: str) -> None:
    token = new_token()
    hashed = HASHER.hash("pearl")
    secrets = [token, hash_of(token).hex(), hashed]
    stream = logged(form)
    for secret in secrets:
        logs.get_log("test").info(f"somebody said {secret}.", url=f"https://a.example/#link={secret}")
        logging.getLogger("library").warning("that is %s", secret)
        try:
            raise ValueError(f"wrong: {secret!r}")
        except ValueError:
            logs.get_log("test").exception("failed")
    assert not any(secret in stream.getvalue() for secret in secrets)
    assert "ValueError" in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "readable"])
def test_tracebacks_do_not_show_variables(form: str) -> None:
    stream = logged(form)
    password = "pea" + "rl"
    try:
        raise ValueError(len(password))
    except ValueError:
        logs.get_log("test").exception("failed")
    assert "ValueError: 5" in stream.getvalue() and "pearl" not in stream.getvalue()


def test_users_in_addresses_are_withheld() -> None:
    stream = logged()
    logs.get_log("test").info("connected to nats://me:pearl@bus.example:4222")
    assert "pearl" not in stream.getvalue() and "bus.example" in stream.getvalue()


@pytest.mark.anyio
async def test_whatever_has_to_do_with_passwords_is_logged_without_them(tmp_path: Path) -> None:
    stream = logged()
    ann = {"account": "Ann.1", "password": "coral reef 7"}
    async with served(tmp_path) as server:
        visitor = await browser(server, "192.0.2.7")
        await visitor.post("/api/me/account", json=ann)
        await visitor.post("/api/log-in", json=ann | {"password": "coral reef 8"})
        await visitor.post("/api/log-in", json=ann | {"account": "coral reef 7"[:5]})
        await visitor.post("/api/log-in", json=ann)
        await visitor.post("/api/me/password", json={"current": "coral reef 9", "new": "pearl diver 8"})
        await visitor.post("/api/me/password", json={"current": "coral reef 7", "new": "pearl diver 8"})
        await visitor.post("/api/log-out-everywhere")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    found = [line for line in lines if line.get("logger") == "laguna.identity" or "person" in line]
    assert [line["event"] for line in found] == [
        "account made",
        "log-in refused",
        "log-in refused",
        "logged in",
        "current password refused",
        "password changed",
        "logged out everywhere",
    ]
    person = found[0]["person"]
    assert [line["person"] for line in found] == [person, person, None, *[person] * 4]
    assert all(line["address"] == "192.0.2.7" for line in found[:-1])
    assert not any(secret in stream.getvalue() for secret in ("coral", "pearl", "Ann.1"))


@pytest.mark.anyio
async def test_what_is_refused_over_a_socket_is_logged(tmp_path: Path) -> None:
    stream = logged()
    async with tables_at(sqlite(tmp_path)) as live, Server(live) as server:
        table = await two_players(live)
        async with server.client(CLEO) as cleo:
            refused = await cleo.ask(lambda number: Resign(number, table))
            assert isinstance(refused, Refused)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    (line,) = [line for line in lines if line["event"] == "request refused"]
    assert (line["request"], line["person"], line["key"]) == ("Resign", CLEO.id, refused.key)
    assert line["address"] == "127.0.0.1"
