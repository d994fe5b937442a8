"""Cards of games as pictures, and the tags of pages that are shown where a link is posted."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from PIL import Image

from laguna import drawing
from laguna.server.app import Application
from laguna.server.live import cards
from laguna.server.network import page
from laguna.server.network.headers import HEADERS
from tests.server.test_http import NO_TABLE, act, asked, opened, play_out, two_at_a_table
from tests.server.visiting import HERE, browser, client, served
from tests.test_drawing import ALLOWED

pytestmark = pytest.mark.anyio
SVG = "{http://www.w3.org/2000/svg}"
ATTACK = '"><script>alert(1)</script>&'
FROM_RIGHT = "נועם"
WIDE = "渡辺さくら"
INDEX = '<!doctype html><head><meta name="description" content="Games." /><title>Laguna</title></head>'


@pytest.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Application]:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text(INDEX)
    monkeypatch.setattr(page, "FOLDER", tmp_path / "page")
    async with served(tmp_path, public_url="http://laguna.example") as application:
        yield application


async def finished(server: Application, *names: str, whole: bool = False) -> tuple[str, Any]:
    """The id of a table where people of these names have played until one resigned, and its view."""
    ann, bob = await browser(server), await browser(server, "192.0.2.2")
    for person, name in zip((ann, bob), names or ("Ada", "Ben"), strict=True):
        await asked(person, "/api/me", {"name": name})
    table = f"/api/tables/{await opened(ann)}"
    await asked(bob, f"{table}/sit", {})
    await asked(ann, f"{table}/start")
    if not whole:
        await asked(ann, f"{table}/resign", {})
    return table.rpartition("/")[2], await play_out([ann, bob], table)


async def card_of(server: Application, table: str, kind: str = "svg", language: str = "en") -> httpx.Response:
    return await client(server).get(f"/api/tables/{table}/card.{kind}?language={language}")


def told(svg: bytes) -> str:
    """What a card tells those who cannot see it."""
    return ElementTree.fromstring(svg).findtext(f"{SVG}desc") or ""


# ------------------------------------------------------------------ pictures


async def test_a_finished_game_has_a_card_with_names_and_scores(server: Application) -> None:
    table, view = await finished(server, whole=True)
    drawn = await card_of(server, table)
    assert drawn.status_code == 200 and drawn.headers["content-type"].startswith("image/svg+xml")
    text = re.sub("[\u2068\u2069]", "", told(drawn.content))
    scores = dict(zip(("Ada", "Ben"), view["result"]["scores"], strict=True))
    assert sorted(text.split(", ")) == sorted(f"{name} {score}" for name, score in scores.items())
    png = await card_of(server, table, "png")
    assert Image.open(io.BytesIO(png.content)).size == (1200, 630)
    assert png.headers["content-type"] == "image/png" and "max-age" in png.headers["cache-control"]
    assert png.headers["cross-origin-resource-policy"] == "cross-origin"  # other sites may show it
    again = await client(server).get(
        f"/api/tables/{table}/card.png", headers={"if-none-match": png.headers["etag"]}
    )
    assert again.status_code == 304 and again.content == b""


async def test_a_card_speaks_three_languages(server: Application) -> None:
    table, _ = await finished(server)
    drawn = {
        language: (await card_of(server, table, language=language)).content for language in ["en", "ru", "it"]
    }
    assert len(set(drawn.values())) == 3
    assert "Нептун и Веста" in drawn["ru"].decode() and "Nettuno e Vesta" in drawn["it"].decode()
    wrong = await card_of(server, table, language="de")
    assert wrong.status_code == 422 and "en, ru or it" in wrong.json()["sentence"]


@pytest.mark.parametrize("foreign", [FROM_RIGHT, WIDE])
async def test_names_stay_text_whatever_they_contain(server: Application, foreign: str) -> None:
    table, _ = await finished(server, ATTACK, foreign)
    svg = (await card_of(server, table)).content
    root = ElementTree.fromstring(svg)
    assert {each.tag for each in root.iter()} <= {SVG + tag for tag in (*ALLOWED, "desc", "text")}
    assert not [name for each in root.iter() for name in each.attrib if name.startswith("on")]
    assert ATTACK in told(svg)
    assert [each.text for each in root.iter(f"{SVG}text")] == [foreign]  # our typeface lacks its letters
    assert len((await card_of(server, table, "png")).content) > 10_000


async def test_a_running_game_tells_only_which_one_it_is(server: Application) -> None:
    ann, bob, table = await two_at_a_table(server)
    waiting = await opened(ann)
    played = []
    for _ in range(4):
        played.append((await client(server).get(f"{table}/card.svg")).content)
        view = (await ann.get(table)).json()["view"]
        await act([ann, bob][view["deciders"][0]], table)
    assert len({*played, (await card_of(server, waiting)).content}) == 1 and told(played[0]) == ""
    assert (await card_of(server, NO_TABLE)).json()["key"] == "no-table"


async def test_a_card_is_drawn_once_and_not_too_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(card: drawing.Card) -> str:
        drawn.append(card.language)
        return "<svg/>"

    monkeypatch.setattr(drawing, "draw_card", draw)
    async with served(tmp_path, limits={"card": "2/h"}) as server:
        table = await opened(await browser(server))
        for language in ("en", "en", "ru", "en"):
            assert (await card_of(server, table, language=language)).content == b"<svg/>"
        assert drawn == ["en", "ru"]
        refused = await card_of(server, table, language="it")
        assert refused.status_code == 429 and int(refused.headers["retry-after"]) > 0
        monkeypatch.setattr(cards, "MAX_BYTES", 5)
        assert (await card_of(server, table)).status_code == 200  # what is kept, is kept until there is more


async def test_without_the_libraries_a_sentence_says_so(
    server: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = await finished(server)
    monkeypatch.setattr(drawing, "find_spec", lambda name: None)
    refused = await card_of(server, table)
    assert refused.status_code == 503 and "laguna-table[svg]" in refused.json()["sentence"]
    assert "og:title" in (found := await tags(server, f"/table/{table}")) and "og:image" not in found


# ------------------------------------------------------------------ tags


class Tags(HTMLParser):
    """The tags in the head of a page, by name; anything else that somebody smuggled in is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.other: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "meta":
            self.found[str(given.get("property") or given.get("name"))] = str(given["content"])
        else:
            self.other.append(tag)


async def tags(server: Application, path: str, url: str = HERE) -> dict[str, str]:
    answer = await client(server, url=url).get(path)
    assert answer.status_code == 200 and answer.headers["content-security-policy"]
    parser = Tags()
    parser.feed(answer.text)
    assert parser.other == ["head", "title"]
    return parser.found


async def test_the_page_of_a_finished_game_has_tags_for_previews(server: Application) -> None:
    table, view = await finished(server, ATTACK, FROM_RIGHT)
    for part in ("table", "replay"):
        found = await tags(server, f"/{part}/{table}?language=it")
        assert found["og:title"] == "Nettuno e Vesta – Laguna" and found["og:locale"] == "it_IT"
        for name, score in zip((ATTACK, FROM_RIGHT), view["result"]["scores"], strict=True):
            assert f"\u2068{name}\u2069 {score}" in found["og:description"]
        assert found["og:url"] == f"http://laguna.example/{part}/{table}"
        assert found["twitter:card"] == "summary_large_image"
        image = found["og:image"]
        assert image == found["twitter:image"] and image.startswith("http://laguna.example/api/tables/")
        assert (await client(server).get(image)).headers["content-type"] == "image/png"


async def test_tags_name_bots_in_the_language_that_is_asked_for(server: Application) -> None:
    ann = await browser(server)
    seats = [{"kind": "me"}, {"kind": "bot", "level": "turtle"}]
    table = await opened(ann, seats=seats, start=True)
    await asked(ann, f"/api/tables/{table}/resign", {})
    for language, name in (("en", "Turtle"), ("ru", "Черепаха"), ("it", "Tartaruga")):
        found = await tags(server, f"/table/{table}?language={language}")
        assert f"★ \u2068{name}\u2069" in found["og:description"]


async def test_pages_of_other_tables_are_as_they_were(server: Application) -> None:
    _, _, table = await two_at_a_table(server)
    for path in (f"/table/{table.rpartition('/')[2]}", f"/table/{NO_TABLE}", "/watch", "/new/atlantis"):
        assert (await client(server).get(path)).text == INDEX


async def test_addresses_in_tags_begin_with_a_name_that_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text(INDEX)
    monkeypatch.setattr(page, "FOLDER", tmp_path)
    async with served(tmp_path) as server:
        table, _ = await finished(server)
        ours = await tags(server, f"/table/{table}", "http://127.0.0.1:8099")
        assert ours["og:image"].startswith("http://127.0.0.1:8099/api/")
        other = await tags(server, f"/table/{table}", "http://evil.test")
        assert "og:title" in other and not [
            each for each in other.values() if "evil" in each or "://" in each
        ]


async def test_a_page_with_tags_is_compressed_and_revalidated(server: Application) -> None:
    table, _ = await finished(server)
    visitor = client(server)
    async with visitor.stream("GET", f"/table/{table}", headers={"accept-encoding": "br, gzip"}) as sent:
        body = b"".join([piece async for piece in sent.aiter_raw()])
    assert sent.headers["content-encoding"] == "gzip" and b"og:title" in gzip.decompress(body)
    assert sent.headers["vary"] == "accept-encoding" and sent.headers["cache-control"] == "no-cache"
    headers = {"accept-encoding": "br, gzip", "if-none-match": sent.headers["etag"]}
    assert (await visitor.get(f"/table/{table}", headers=headers)).status_code == 304
    plain = await visitor.get(f"/table/{table}", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers and "og:title" in plain.text


# ------------------------------------------------------------------ frames


async def test_only_the_embedded_replay_may_be_framed(server: Application) -> None:
    table, _ = await finished(server)
    framed = await client(server).get(f"/embed/{table}")
    assert framed.text == INDEX and "x-frame-options" not in framed.headers
    assert framed.headers["content-security-policy"] == HEADERS["content-security-policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    )
    for path in (f"/table/{table}", f"/replay/{table}", "/", "/watch", f"/api/tables/{table}", "/embed"):
        answer = await client(server).get(path)
        assert answer.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
