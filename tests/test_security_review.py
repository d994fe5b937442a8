"""docs/security-review.md: every point is there, every test that it names exists, and what it says is so."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from laguna.server.network.headers import HEADERS
from tests.fuzz.targets.http import Site, written

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security-review.md").read_text(encoding="utf-8")
# OWASP ASVS 5.0.0: how many points each section has at the levels 1 and 2; those of level 3 come after them.
POINTS = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1,
    "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4,
    "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3, "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5,
    "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2, "8.1": 2,
    "8.2": 3, "8.3": 1, "8.4": 1, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4,
    "14.3": 3, "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3,
}  # fmt: skip


def rows() -> dict[str, str]:
    """What the tables by chapter say of each point: met, partly, not, operator, or a dash."""
    chapters = PAGE[PAGE.index("## V1 ") :]
    found: dict[str, str] = {}
    for points, verdict in re.findall(r"^\| ([\d., ]+) \| (\S+) \|", chapters, re.MULTILINE):
        for point in points.split(", "):
            assert point not in found, f"{point} is there twice"
            found[point] = verdict
    return found


def test_every_point_of_the_levels_1_and_2_is_there() -> None:
    found = rows()
    assert found.keys() == {
        f"{section}.{n}" for section, count in POINTS.items() for n in range(1, count + 1)
    }
    assert set(found.values()) == {"met", "partly", "not", "operator", "–"}
    listed = re.findall(r"\d+\.\d+\.\d+", PAGE[PAGE.index("## What is not met") : PAGE.index("## V1 ")])
    not_met = {point for point, verdict in found.items() if verdict in ("not", "partly")}
    assert not_met <= {*listed, "11.2.3", "15.2.1"}, "all that is not met is said at the beginning, too"


@cache
def names_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_test_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
    assert len(named) > 100 and len(named) == PAGE.count("::")
    assert not [f"{path}::{name}" for path, name in named if name not in names_in(path)]


# ------------------------------------------------------------------ points without a test elsewhere


def test_the_page_never_writes_html_or_code_itself() -> None:
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\{@html|\beval\(|new Function|postMessage"
    )
    sources = [path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".ts", ".svelte")]
    assert len(sources) > 100
    assert not [path.name for path in sources if forbidden.search(path.read_text(encoding="utf-8"))]


def test_a_wheel_has_the_package_the_page_and_the_rules_alone() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"] == {
        "packages": ["src/laguna"],
        "force-include": {"docs/rules": "laguna/rules"},
    }
    assert build["artifacts"] == ["/src/laguna/page", "/src/laguna/drawing/boards.js"]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


ASKED = {
    "another origin": written("GET", "/api/games", b"", "Origin: https://evil.test"),
    "a preflight": written("OPTIONS", "/api/tables", b"", "Origin: https://evil.test"),
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    "two lengths": written("POST", "/api/tokens", b"{}", "Transfer-Encoding: chunked"),
    "no handshake": written("GET", "/api/socket", b"", "Upgrade: websocket", "Connection: Upgrade"),
    "a refused handshake": written(
        "GET", "/api/socket", b"", "Upgrade: websocket", "Connection: Upgrade", "Origin: https://evil.test",
        "Sec-WebSocket-Key: QUFBQUFBQUFBQUFBQUFBQQ==", "Sec-WebSocket-Version: 13",
    ),
    "an impossible handshake": written(
        "POST", "/api/socket", b"{}", "Upgrade: websocket", "Connection: Upgrade"
    ),
}  # fmt: skip


@pytest.mark.parametrize("asked", ASKED)
def test_no_other_origin_may_read_anything(site: Site, asked: str) -> None:
    """All responses have the headers, also those before the application, and none allows more."""
    head = site.asked(ASKED[asked]).partition(b"\r\n\r\n")[0].decode().lower()
    assert re.match(r"http/1\.1 (200|400|403|405|426) ", head), head
    for name, value in HEADERS.items():
        assert f"\r\n{name}: {value.lower()}" in head and head.count(f"\r\n{name}:") == 1
    assert "access-control-" not in head and "\r\nlocation:" not in head
