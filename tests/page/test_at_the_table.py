"""What people do at a table besides choosing what glows."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

import pytest

from tests.page.conftest import Visits
from tests.page.games import GAMES, SHORT
from tests.page.visitor import Visitor, play


def actions(visitor: Visitor, table: str) -> int:
    return int(visitor.view(table)["game"]["actions"])


def alone(visit: Visits, game: str = "neptune-vesta", **wishes: object) -> tuple[Visitor, str]:
    """A visitor against a bot, when it is the visitor's turn; and the table."""
    ada = visit(**wishes)
    table = ada.open_table(game, ["me", "turtle"], SHORT.get(game))
    ada.sit_down(table)
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    return ada, table


def labels(visitor: Visitor) -> list[str]:
    """What the board and the hand show, in words."""
    found: list[str] = visitor.page.evaluate(
        "() => [...document.querySelectorAll('[data-spot]')].map((spot) => spot.ariaLabel)"
    )
    return found


def choose_an_action(visitor: Visitor) -> str:
    """Choose a tile and a cell of Neptune & Vesta; returns the cell."""
    legal = visitor.state()["legal"]
    tile, cell = (next(spot for spot in legal if spot.startswith(kind)) for kind in ("hand:", "cell:"))
    visitor.pick(tile)
    visitor.page.wait_for_selector(f"[data-spot='{tile}'][data-chosen]")
    visitor.pick(cell)
    return str(cell)


# ------------------------------------------------------------------ confirmation


@pytest.mark.parametrize("level", ["none", "turn", "every"])
def test_the_chosen_confirmation_level_decides(visit: Visits, level: str) -> None:
    ada, table = alone(visit, confirm=level)
    before = actions(ada, table)
    choose_an_action(ada)
    if level == "none":
        ada.page.wait_for_selector("[data-line=acted]", state="attached")
        assert actions(ada, table) > before
        return
    ada.page.wait_for_selector("[data-do=confirm]")
    assert actions(ada, table) == before
    ada.do("confirm")
    ada.page.wait_for_selector("[data-do=confirm]", state="detached")
    ada.page.wait_for_selector("[data-line=acted]", state="attached")
    assert actions(ada, table) > before


def test_a_half_made_choice_stays_while_others_chat_or_choose_in_secret(visit: Visits) -> None:
    ada, ben = visit(name="Ada", confirm="every"), visit(name="Ben")
    table = ada.open_table("mille-fiori", ["me", "open"])
    ben.ask("POST", f"/tables/{table}/sit", {})
    ada.ask("POST", f"/tables/{table}/start")
    ada.sit_down(table)
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    ada.pick(ada.state()["legal"][0])
    ada.page.wait_for_selector("[data-do=confirm]")
    view = ben.view(table)
    kept = {"version": view["version"], "action": view["game"]["legal"][0]}
    ben.ask("POST", f"/tables/{table}/act", kept)
    ben.ask("POST", f"/tables/{table}/say", {"text": "Ahoy"})
    ada.page.wait_for_selector("[data-line=said]", state="attached")
    ada.do("confirm")
    ada.page.wait_for_function("() => !reading.state().confirm")
    assert actions(ada, table) == 2


def test_escape_cancels_what_was_chosen(visit: Visits) -> None:
    ada, table = alone(visit, confirm="every")
    choose_an_action(ada)
    ada.page.wait_for_selector("[data-do=confirm]")
    ada.page.keyboard.press("Escape")
    ada.page.wait_for_selector("[data-do=confirm]", state="detached")
    assert ada.state()["chosen"] == []
    assert "act" in ada.view(table)["may"]  # nothing was played


def test_dragging_is_choosing(visit: Visits) -> None:
    ada, table = alone(visit, confirm="none")
    legal = ada.state()["legal"]
    tile, cell = (next(spot for spot in legal if spot.startswith(kind)) for kind in ("hand:", "cell:"))
    points = [ada.page.evaluate("id => reading.point(reading.spot(id))", spot) for spot in (tile, cell)]
    before = actions(ada, table)
    ada.page.mouse.move(*points[0])
    ada.page.mouse.down()
    ada.page.mouse.move(*points[1], steps=6)
    ada.page.mouse.up()
    ada.page.wait_for_selector("[data-line=acted]", state="attached")
    assert actions(ada, table) > before


def filling(cell: str, board: Iterable[str]) -> int:
    """How many tiles lie in the fuller of the two lines through a cell: its column and its row."""
    return max(sum(at[0] == cell[0] and at[way] == cell[way] for at in board) for way in (1, 2))


def play_until_a_line_lacks_one_tile(visitor: Visitor, table: str) -> Any:
    """Play directly on the server, into the fullest lines; returns an action that completes one."""
    while True:
        view = visitor.view(table)
        if set(view["deciders"]) & set(view["mine"]):
            board = view["game"]["board"]
            action = max(view["game"]["legal"], key=lambda each: filling(each["at"], board))
            if filling(action["at"], board) == 4:
                return action
            visitor.ask("POST", f"/tables/{table}/act", {"version": view["version"], "action": action})


def test_a_preview_says_what_the_action_would_do(visit: Visits) -> None:
    """A filled line scores and moves the lighthouse: the page says so before, and the log after."""
    ada = visit(confirm="every")
    table = ada.open_table("neptune-vesta", ["me", "turtle"])
    action = play_until_a_line_lacks_one_tile(ada, table)
    ada.sit_down(table)
    before = actions(ada, table)
    for spot in (f"hand:{action['tile']}", f"cell:{action['at']}"):
        ada.pick(spot)
        ada.page.wait_for_selector(f"[data-spot='{spot}'][data-chosen]")
    ada.page.wait_for_selector("[data-do=confirm]")
    ada.page.wait_for_selector("[data-now] .effect span")
    told = ada.page.locator("[data-now] .effect span").all_text_contents()
    assert told and actions(ada, table) == before
    ada.do("confirm")
    ada.page.wait_for_selector(f"[data-then='{before + 1}']", state="attached")
    log = ada.page.locator(f"[data-then='{before + 1}']").text_content() or ""
    assert f"You placed the {action['tile']} on {action['at'][1:]} of the " in log
    assert happened(" ".join(told)) in log


def happened(told: str) -> str:
    """What was told before, as it is told after."""
    for ahead, after in {"will be complete": "is complete", "will move": "moved", "will win": "won"}.items():
        told = told.replace(ahead, after)
    return told


def test_a_game_that_was_resigned_says_so_and_waits_for_nobody(visit: Visits) -> None:
    ada, table = alone(visit)
    ada.ask("POST", f"/tables/{table}/resign", {})
    ada.page.wait_for_selector("[data-over]")
    assert "You resigned." in (ada.page.locator("[data-over] .headline").text_content() or "")
    assert (ada.page.locator("[data-now]").text_content() or "").strip() == "You resigned. The game is over."
    assert "You resigned." in (ada.page.locator("[data-line=resigned]").text_content() or "")


# ------------------------------------------------------------------ round trips


def requests_of(visitor: Visitor) -> list[str]:
    """The requests that the page sends over its socket from now on; call it before the page connects."""
    found: list[str] = []

    def listen(socket: Any) -> None:
        socket.on("framesent", lambda frame: found.append(json.loads(frame)["do"]))

    visitor.page.on("websocket", listen)
    return found


@pytest.mark.parametrize("level", ["none", "turn"])
@pytest.mark.parametrize(("size", "asked"), [("phone", ["act"]), ("laptop", ["preview", "act"])])
def test_a_click_that_needs_no_confirmation_is_one_request(
    visit: Visits, level: str, size: str, asked: list[str]
) -> None:
    """A mouse hovers before it clicks, which asks for a preview; the click does not wait for it."""
    ada = visit(confirm=level, size=size)
    found = requests_of(ada)
    table = ada.open_table("venice-2099", ["me", "me"])
    while play_by_hand(ada, table, "place"):
        pass
    walk = next(action for action in ada.view(table)["game"]["legal"] if action["do"] == "walk")
    before = actions(ada, table)
    ada.sit_down(table)
    ada.do("unveil")
    ada.page.wait_for_selector("[data-curtain]", state="detached")
    ada.pick(f"cell:{walk['from']}")
    ada.page.wait_for_selector(f"[data-spot='cell:{walk['from']}'][data-chosen]")
    found.clear()
    ada.pick(f"cell:{walk['to']}")
    wait_for_actions(ada, table, before + 1)
    ada.page.wait_for_timeout(100)  # Playwright reports what was sent a little later
    assert found == asked


def test_an_action_that_ends_the_turn_is_previewed_and_played_after_confirmation(visit: Visits) -> None:
    ada = visit(confirm="turn", size="phone")
    found = requests_of(ada)
    table = ada.open_table("neptune-vesta", ["me", "open"])
    ada.ask("POST", f"/tables/{table}/put-bot", {"seat": 1, "level": "turtle"})
    ada.ask("POST", f"/tables/{table}/start")
    ada.sit_down(table)
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    before = actions(ada, table)
    found.clear()
    choose_an_action(ada)
    ada.page.wait_for_selector("[data-do=confirm]")
    assert (found, actions(ada, table)) == (["act"], before)
    ada.do("confirm")
    ada.page.wait_for_selector("[data-do=confirm]", state="detached")
    assert (found, actions(ada, table) > before) == (["act", "act"], True)


# ------------------------------------------------------------------ back and forth


def play_by_hand(visitor: Visitor, table: str, kind: str) -> bool:
    """Play the first action of this kind directly on the server; False if there is none."""
    view = visitor.view(table)
    action = next((each for each in view["game"]["legal"] if each["do"] == kind), None)
    if action:
        visitor.ask("POST", f"/tables/{table}/act", {"version": view["version"], "action": action})
    return action is not None


def test_a_turn_is_undone_in_parts_or_as_a_whole_and_played_again(visit: Visits) -> None:
    """Walking and buying in Venice hide nothing."""
    ada = visit(confirm="none")
    table = ada.open_table("venice-2099", ["me", "me"])
    ada.sit_down(table)
    while play_by_hand(ada, table, "place"):
        pass
    before = actions(ada, table)
    while not (play_by_hand(ada, table, "walk") and play_by_hand(ada, table, "buy")):
        play_by_hand(ada, table, "card")
        before = actions(ada, table)
    ada.page.wait_for_selector("[data-do=unveil]")
    ada.do("unveil")
    for button, left in [
        ("take-back", 1), ("redo", 2), ("take-back-turn", 0), ("redo", 1), ("redo", 2)
    ]:  # fmt: skip
        ada.do(button)
        wait_for_actions(ada, table, before + left)


def wait_for_actions(visitor: Visitor, table: str, wanted: int) -> None:
    for _ in range(100):
        if actions(visitor, table) == wanted:
            return
        visitor.page.wait_for_timeout(50)
    assert actions(visitor, table) == wanted


def test_a_hint_can_be_asked_for_and_followed(visit: Visits) -> None:
    ada, table = alone(visit, confirm="every")
    before = actions(ada, table)
    ada.do("hint")
    ada.page.wait_for_selector("[data-hint]")
    assert ada.page.locator("[data-hint]").count() >= 1
    ada.page.locator("[data-hint]").first.click()
    ada.page.wait_for_selector("[data-do=confirm]")
    ada.do("confirm")
    ada.page.wait_for_selector("[data-line=acted]", state="attached")
    assert actions(ada, table) > before


def test_the_log_shows_the_past_and_back(visit: Visits) -> None:
    ada, _ = alone(visit, confirm="none")
    play([ada], steps=10)
    ada.page.wait_for_selector("[data-then='1']", state="attached")
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    now = labels(ada)
    ada.page.locator("[data-then='1']").click()
    ada.page.wait_for_selector("[data-past='1']")
    assert ada.state()["legal"] == []  # the past cannot be played
    assert labels(ada) != now
    ada.do("later")
    ada.page.wait_for_selector("[data-past='2']")
    ada.do("to-now")
    ada.page.wait_for_selector("[data-past]", state="detached")
    assert labels(ada) == now


@pytest.mark.parametrize("game", GAMES)
def test_another_language_changes_every_text(visit: Visits, game: str) -> None:
    ada, _ = alone(visit, game, confirm="none")
    play([ada], steps=4)
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    before = texts(ada)
    ada.do("menu")
    ada.do("settings")
    ada.page.locator("[data-setting='language:ru']").check()
    ada.page.keyboard.press("Escape")
    ada.page.wait_for_function("() => document.documentElement.lang === 'ru'")
    ada.page.wait_for_function("() => /[а-я]/.test(document.querySelector('[data-now]').innerText)")
    latin = [text for text in texts(ada) & before if any(letter.isalpha() for letter in text)]
    names = {"Laguna", "ru", "Русский"}
    assert [text for text in latin if text not in names and len(text) > 2] == []
    assert ada.wrong() == []


def texts(visitor: Visitor) -> set[str]:
    """All texts: visible ones, labels, titles; without people's names."""
    found = visitor.page.evaluate(
        """() => [...document.querySelectorAll("main *, header *")].flatMap((element) => [
            element.ariaLabel, element.getAttribute("title"),
            ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()),
        ]).filter(Boolean)"""
    )
    return set(found)


# ------------------------------------------------------------------ one device, two hands


@pytest.mark.parametrize("game", ["neptune-vesta", "mille-fiori"])
def test_the_curtain_covers_the_other_hand(visit: Visits, game: str) -> None:
    ada = visit(confirm="none")
    table = ada.open_table(game, ["me", "me"], SHORT.get(game))
    ada.go(f"/table/{table}")
    chance = random.Random(4)
    for _ in range(4):
        ada.page.wait_for_selector("[data-curtain]")
        assert hidden_spots(ada) == []  # nothing of the hand can be read, by eye or by ear
        ada.do("unveil")
        ada.page.wait_for_selector("[data-curtain]", state="detached")
        while not ada.page.locator("[data-curtain]").count() and ada.step(chance):
            pass
        ada.page.wait_for_timeout(100)


def hidden_spots(visitor: Visitor) -> list[str]:
    """Spots that a screen reader would find, or a pointer reach, behind the curtain."""
    found: list[str] = visitor.page.evaluate(
        """() => [...document.querySelectorAll("[data-spot]")].filter((spot) => {
            if (spot.closest("[inert]")) return false;
            return !spot.closest("[aria-hidden=true]");
        }).map((spot) => spot.dataset.spot)"""
    )
    reachable: list[str] = visitor.page.evaluate(
        """() => [...document.querySelectorAll("[data-spot]")].filter((spot) => reading.point(spot))
            .map((spot) => spot.dataset.spot)"""
    )
    return found + reachable


# ------------------------------------------------------------------ the connection


def test_a_refresh_in_the_middle(visit: Visits) -> None:
    ada, table = alone(visit, confirm="none")
    play([ada], steps=6)
    ada.page.reload()
    ada.to_table()
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    assert ada.scores() == ada.view(table)["game"]["scores"]
    play([ada])
    assert ada.view(table)["status"] == "over"


@pytest.mark.proof
def test_a_player_who_lost_the_network_catches_up(visit: Visits) -> None:
    ada, ben = visit(confirm="none"), visit(confirm="none")
    ben.forgiven = ["ERR_INTERNET_DISCONNECTED", "WebSocket"]
    table = ada.open_table("neptune-vesta", ["me", "open"], {"rounds": 1})
    ben.ask("POST", f"/tables/{table}/sit", {})
    ada.ask("POST", f"/tables/{table}/start")
    ada.sit_down(table)
    ben.sit_down(table)
    chance = random.Random(1)
    while actions(ada, table) < 4 or ada.view(table)["deciders"] != [0]:
        ada.step(chance)
        ben.step(chance)
    ben.context.set_offline(True)
    seen = labels(ben)
    while ada.view(table)["deciders"] == [0]:
        ada.step(chance)
    assert labels(ben) == seen
    ben.context.set_offline(False)
    play([ada, ben])
    assert ada.scores() == ben.scores() == ada.view(table)["result"]["scores"]


def test_the_notice_of_a_lost_connection_goes_when_it_is_back(visit: Visits) -> None:
    ada = visit(confirm="none")
    ada.forgiven = ["ERR_INTERNET_DISCONNECTED", "WebSocket"]
    ada.sit_down(ada.open_table("atlantis", ["me", "turtle"]))
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    ada.context.set_offline(True)
    ada.page.wait_for_selector("[data-connection=lost]")
    ada.pick("deck")
    ada.page.wait_for_selector("[role=alert]")
    ada.context.set_offline(False)
    ada.page.wait_for_selector("[role=alert]", state="detached")
