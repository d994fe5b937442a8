"""The page takes part in every deal, and says at the end whether it was fair, also if the operator cheats."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.page.conftest import Visits
from tests.page.visitor import Visitor, play
from tests.server.nursery import Nursery
from tests.size import scaled

GAME = "neptune-vesta"
NO_HASHES = "Object.defineProperty(crypto, 'subtle', { value: undefined })"


def aside(work: Coroutine[Any, Any, None]) -> None:
    """Outside of Playwright's own loop."""
    with ThreadPoolExecutor() as pool:
        pool.submit(asyncio.run, work).result()


def against_a_bot(ada: Visitor) -> str:
    """One click to a game, and a few actions in it."""
    ada.go()
    ada.page.click(f"[data-play={GAME}]")
    table = ada.to_table()
    play([ada], steps=6)
    return table


def found(visitor: Visitor) -> str:
    """What the page says about the deal, once the game is over."""
    place = visitor.page.wait_for_selector("[data-finding]")
    assert place is not None
    return str(place.get_attribute("data-finding"))


def resign(visitor: Visitor, table: str) -> None:
    visitor.ask("POST", f"/tables/{table}/resign", {})
    visitor.page.wait_for_selector("[data-over]")


WORDS = {"en": "nobody could choose", "ru": "не мог никто", "it": "nessuno ha potuto scegliere"}
CHEATS = {
    "another_commitment": "commitment",
    "another_game": "actions",
    "another_secret": "commitment",
    "lost_shares": "left-out",
    "ignored_seals": "seal",
}


@pytest.mark.parametrize("language", scaled(["en"], list(WORDS)))
def test_a_game_against_a_bot_and_the_next_are_found_fair(visit: Visits, language: str) -> None:
    ada = visit(language=language)
    table = against_a_bot(ada)
    ada.page.reload()
    ada.to_table()
    resign(ada, table)
    assert found(ada) == "right" and WORDS[language] in ada.page.inner_text("[data-finding]")
    if language != "en":
        return
    ada.do("rematch")
    ada.page.wait_for_url(lambda url: table not in url)
    following = ada.to_table()
    play([ada], steps=4)
    resign(ada, following)
    assert found(ada) == "right"
    deal = ada.ask("GET", f"/tables/{following}/file")["deal"]
    assert deal["seals"][0] and deal["shares"][0] and deal["shares"][1]


def test_two_people_deal_together(visit: Visits) -> None:
    ada, ben, eve = visit(name="Ada"), visit(name="Ben"), visit(name="Eve")
    ada.go()
    ada.page.click(f"[data-invite={GAME}]")
    ada.page.wait_for_selector("[data-chair]")
    ada.page.click("[data-fair] summary")
    commitment = ada.page.inner_text("[data-commitment]")
    for other in (ben, eve):
        other.page.goto(ada.page.url)
    ben.page.locator("[data-do=sit]").first.click()
    ada.do("start")
    table = ada.to_table()
    for other in (ben, eve):
        assert other.to_table() == table
    play([ada, ben], steps=8)
    lines = ada.ask("GET", f"/tables/{table}")["lines"]
    assert [line["kind"] for line in lines].count("shared") == 2
    assert ada.page.locator("[data-line=shared], [data-line=sealed], [data-line=dealing]").count() == 0
    resign(ada, table)
    assert ada.ask("GET", f"/tables/{table}/file")["commitment"] == commitment
    assert found(ada) == found(ben) == "right" and found(eve) == "without"


def test_where_browsers_cannot_hash_the_game_is_played_without_a_share(visit: Visits) -> None:
    ada = visit()
    ada.context.add_init_script(NO_HASHES)
    table = against_a_bot(ada)
    resign(ada, table)
    assert found(ada) == "here"
    assert ada.ask("GET", f"/tables/{table}/file")["deal"]["seals"] == [None, None]


def test_a_game_without_a_share_of_this_browser(visit: Visits) -> None:
    """It was opened by a program that knows nothing of shares."""
    ada = visit()
    table = ada.open_table(GAME, ["me", "turtle"])
    ada.sit_down(table)
    play([ada], steps=4)
    resign(ada, table)
    assert found(ada) == "without"


def test_what_is_noted_is_kept_for_the_latest_tables(visit: Visits) -> None:
    ada = visit()
    ada.go()
    ada.page.evaluate(
        """() => {
          const old = JSON.stringify({ at: 1, share: "", heads: {} });
          for (let number = 0; number < 60; number++) localStorage.setItem(`laguna.fair.${number}`, old);
        }"""
    )
    table = against_a_bot(ada)
    kept = ada.page.evaluate(
        "() => Object.keys(localStorage).filter((key) => key.startsWith('laguna.fair.'))"
    )
    assert len(kept) == 40 and f"laguna.fair.{table}" in kept


@pytest.mark.parametrize("plant", scaled(list(CHEATS)[:2], list(CHEATS)))
def test_an_operator_who_cheats_is_found_out(
    chrome: Browser, servers: Nursery, tmp_path: Path, plant: str
) -> None:
    server = servers.server(data=str(tmp_path), database=f"sqlite:///{tmp_path}/laguna.db", plant=plant)
    aside(server.start())
    ada = Visitor(chrome, server.url)
    try:
        table = against_a_bot(ada)
        resign(ada, table)
        assert found(ada) == "wrong"
        said = ada.page.locator("[data-finding]")
        assert said.get_attribute("data-why") == CHEATS[plant] and said.get_attribute("role") == "alert"
        assert ada.problems == []
    finally:
        ada.context.close()
        aside(server.kill())
