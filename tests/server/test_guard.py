"""The guard: rates, origins, sizes, headers, addresses."""

from __future__ import annotations

import socket

import pytest
from starlette.datastructures import Headers

from laguna.errors import LagunaError
from laguna.server.network.guard import check_origin, is_local
from laguna.server.network.http_errors import Denied
from laguna.server.network.rate_limits import DEFAULTS, RateLimits, TooMany, neighborhood, read_limits
from laguna.server.settings import load

ALLOWED = load({"public_url": "https://play.example"}, {})


class Clock:
    """Time that a test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("laguna.server.network.rate_limits.time.monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


# ------------------------------------------------------------------ rates


def test_a_rate_lets_a_burst_through_and_then_a_steady_stream(clock: Clock) -> None:
    rates = RateLimits({"say": "3/30s off"})
    for _ in range(3):
        rates.allow("say", "ann", None)
    with pytest.raises(TooMany) as refused:
        rates.allow("say", "ann", None)
    assert refused.value.arguments["seconds"] == 10
    rates.allow("say", "bob", None)
    clock.now += 10
    rates.allow("say", "ann", None)
    with pytest.raises(TooMany):
        rates.allow("say", "ann", None)
    clock.now += 1000
    for _ in range(3):
        rates.allow("say", "ann", None)
    with pytest.raises(TooMany):
        rates.allow("say", "ann", None)


def test_refused_attempts_do_not_count(clock: Clock) -> None:
    rates = RateLimits({"say": "1/10s off"})
    rates.allow("say", "ann", None)
    for _ in range(50):
        with pytest.raises(TooMany):
            rates.allow("say", "ann", None)
    clock.now += 10
    rates.allow("say", "ann", None)


def test_an_address_is_limited_whoever_asks_from_it(clock: Clock) -> None:
    rates = RateLimits({"frame": "off 2/m"})
    rates.allow("frame", "ann", "192.0.2.1")
    rates.allow("frame", "bob", "192.0.2.1")
    with pytest.raises(TooMany):
        rates.allow("frame", "eve", "192.0.2.1")
    rates.allow("frame", "eve", "192.0.2.2")


def test_kinds_do_not_share_their_counters(clock: Clock) -> None:
    rates = RateLimits({"say": "1/m", "hint": "1/m"})
    rates.allow("say", "ann", None)
    rates.allow("hint", "ann", None)


def test_all_off() -> None:
    rates = RateLimits({"all": "off"})
    for _ in range(10_000):
        rates.allow("password", "ann", "192.0.2.1")


def test_expired_counters_are_forgotten(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laguna.server.network.rate_limits.FORGET_EVERY", 100)
    rates = RateLimits({"frame": "10/s off"})
    for person in range(1000):
        rates.allow("frame", str(person), None)
        clock.now += 1
    assert len(rates._due) <= 101


def test_every_kind_has_a_limit_by_default() -> None:
    assert all(all(pair) for pair in read_limits({}).values())
    assert read_limits({}).keys() == DEFAULTS.keys()


def test_an_ipv6_address_stands_for_its_network() -> None:
    assert neighborhood("2001:db8:1:2:3:4:5:6") == neighborhood("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert neighborhood("2001:db8:1:3::9") != neighborhood("2001:db8:1:2::9")
    assert neighborhood("::ffff:192.0.2.1") == "192.0.2.1"
    assert neighborhood("local") == "local"


def test_some_requests_count_several_times(clock: Clock) -> None:
    rates = RateLimits({"replay": "10/10s off"})
    rates.allow("replay", "ann", None, 7)
    with pytest.raises(TooMany) as refused:
        rates.allow("replay", "ann", None, 5)
    assert refused.value.arguments["seconds"] == 2
    rates.allow("replay", "ann", None, 3)
    clock.now += 10
    rates.allow("replay", "ann", None, 500)  # more than ever fits is let through when nothing else was asked
    with pytest.raises(TooMany):
        rates.allow("replay", "ann", None, 1)


# ------------------------------------------------------------------ origins


def ask(scheme: str = "http", **headers: str) -> None:
    check_origin({"type": "http", "scheme": scheme, "headers": Headers(headers).raw}, ALLOWED)


def test_our_own_page_is_allowed_and_so_are_configured_ones() -> None:
    ask(origin="http://localhost:8099", host="localhost:8099")
    ask("https", origin="https://LOCALHOST", host="localhost")
    ask("wss", origin="https://192.168.1.7:8099", host="192.168.1.7:8099")
    ask("ws", origin="http://[fe80::7]:8099", host="[fe80::7]:8099")
    ask(origin="http://[::1]", host="[::1]")
    machine = socket.gethostname().lower()
    ask(origin=f"http://{machine}:8099", host=f"{machine}:8099")
    ask(origin=f"http://{machine}.local", host=f"{machine}.local")
    ask(origin="https://play.example", host="10.0.0.7:8099")


@pytest.mark.parametrize("name", ["rebound.example", "localhost.rebound.example", "127.0.0.1.example", ""])
def test_a_foreign_name_that_points_here_is_not_ours(name: str) -> None:
    """DNS rebinding: origin and host agree, and belong to somebody else."""
    for scheme in ("http", "ws"):
        with pytest.raises(Denied) as refused:
            ask(scheme, origin=f"http://{name}", host=name)
        assert refused.value.key == "origin"


@pytest.mark.parametrize(("scheme", "origin"), [("https", "http://localhost"), ("ws", "https://localhost")])
def test_a_page_with_another_scheme_is_a_different_page(scheme: str, origin: str) -> None:
    with pytest.raises(Denied):
        ask(scheme, origin=origin, host="localhost")


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://localhost:9000",
        "http://play.example",
        "https://play.example.evil.example",
        "https://play.example/",
        "null",
        "",
        "localhost:8099",
        "://",
    ],
)
@pytest.mark.parametrize("authorization", [{}, {"authorization": "Bearer x"}])
def test_other_pages_may_not(origin: str, authorization: dict[str, str]) -> None:
    with pytest.raises(Denied) as refused:
        ask(origin=origin, host="localhost:8099", **authorization)
    assert refused.value.key == "origin"


def test_without_an_origin_only_a_token_counts() -> None:
    ask(host="localhost", authorization="Bearer abc")
    for headers in (
        {},
        {"cookie": "laguna=abc"},
        {"authorization": "Basic abc"},
        {"authorization": "Bearer "},
    ):
        with pytest.raises(LagunaError):
            ask(host="localhost", **headers)


def test_local_addresses() -> None:
    assert is_local("127.0.0.1") and is_local("::1") and is_local("local")
    assert not is_local("10.0.0.1") and not is_local("unknown")
