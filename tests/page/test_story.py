"""The table tells its story: last moves are marked, one action follows another, a line says what happened."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import WebSocket

from tests.page.conftest import Visits
from tests.page.games import SHORT, in_turn, most
from tests.page.visitor import SIZES, Visitor
from tests.size import scaled

MOMENT = 1000  # milliseconds that another player's action is shown at normal speed, at least
FOLLOWS = 600  # the same, for an action that another one of the same turn follows
LATE = 100  # milliseconds that a busy machine may take to draw one action, and not the next
# The actions that have a place on the board.
PLACED = {
    "venice-2099": {"place", "walk", "gondola", "rescue", "buy", "card", "sink"},
    "atlantis": {"move", "on", "bridge"},
    "mille-fiori": {"place", "sail"},
    "neptune-vesta": {"place"},
}
MARKS = """() => [...document.querySelectorAll("[data-trace]")].map((trace) => ({
  version: Number(trace.dataset.trace),
  age: Number(trace.dataset.age),
  strength: Number(getComputedStyle(trace).opacity),
  roles: [...trace.querySelectorAll("[data-role]")].map((mark) => mark.dataset.role),
}))"""
# The rings that do not lie on their spot.
BESIDE = """() => [...document.querySelectorAll("[data-role=to]")].flatMap((mark) => {
  const spot = reading.spot(mark.dataset.at)?.getBoundingClientRect();
  const ring = mark.querySelector(".ring").getBoundingClientRect();
  const [x, y] = [ring.left + ring.width / 2, ring.top + ring.height / 2];
  const there = !spot || (x > spot.left && x < spot.right && y > spot.top && y < spot.bottom);
  return there ? [] : [`${mark.dataset.at}: ${x} ${y}`];
})"""
# Notes at each change which action is told, and whether the page says that it is the player's turn. It looks
# when a task has changed all that it changes: a busy machine may paint that much later, or never.
RECORD = """() => {
  globalThis.record = [];
  let last = "";
  let changed = null;
  // On its way out; on SVG, Svelte's mark for that is no attribute.
  const leaves = (element) => element !== null && (element.inert || leaves(element.parentElement));
  const look = () => {
    const told = Number(document.querySelector("[data-ticker]")?.dataset.ticker ?? 0);
    const legal = [...document.querySelectorAll("[data-legal]")].some((spot) => !leaves(spot));
    const strip = document.querySelector(".strip.mine") !== null;
    const seat = document.querySelector("[data-seat='0'][data-deciding]") !== null;
    const title = document.title.startsWith("●");
    const now = JSON.stringify([told, legal, strip, seat, title]);
    if (now !== last) record.push({ at: changed, told, turn: [legal, strip, seat, title] });
    last = now;
    changed = null;
  };
  const change = () => {
    if (changed === null) setTimeout(look);
    changed ??= performance.now();
  };
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(change).observe(document, all);
  change();
}"""
SINCE = """() => {
  const list = document.querySelector(".log ol");
  const [box, since] = [list.getBoundingClientRect(), list.querySelector(".since").getBoundingClientRect()];
  const end = list.scrollTop + list.clientHeight >= list.scrollHeight - 2;
  const shown = since.top >= box.top - 2 && since.bottom <= box.bottom;
  return shown && (end || Math.abs(since.top - box.top) < 12);
}"""


def log_of(visitor: Visitor, table: str) -> list[Any]:
    """The actions so far, as the visitor may see them."""
    return [line for line in visitor.ask("GET", f"/tables/{table}")["lines"] if line["kind"] == "acted"]


def since_mine(visitor: Visitor, table: str) -> list[Any]:
    """What the others did since the visitor's last action, as far as it is known."""
    log = log_of(visitor, table)
    last = max((number for number, line in enumerate(log) if line["seat"] == 0), default=-1)
    return [line for line in log[last + 1 :] if line["value"] or line["events"]]


def act(visitor: Visitor, table: str, chance: random.Random) -> None:
    """Act directly on the server, as soon as it is the visitor's turn."""
    wait_for_turn(visitor, table)
    view = visitor.view(table)
    wish = {"version": view["version"], "action": chance.choice(view["game"]["legal"])}
    visitor.ask("POST", f"/tables/{table}/act", wish)


def wait_for_turn(visitor: Visitor, table: str) -> None:
    while not set((view := visitor.view(table))["deciders"]) & set(view["mine"]):
        assert view["status"] == "playing"
        visitor.page.wait_for_timeout(20)


def after_others(visitor: Visitor, game: str, players: int | None = None) -> tuple[str, list[Any]]:
    """A table at the visitor's turn, after others have placed something; and what they have done."""
    table = visitor.open_table(game, ["me", *["turtle"] * ((players or most(game)) - 1)], SHORT.get(game))
    chance = random.Random(5)
    done: list[Any] = []
    while not (len(log_of(visitor, table)) > 20 and placed(game, done)):
        act(visitor, table, chance)
        wait_for_turn(visitor, table)
        done = since_mine(visitor, table)
    return table, done


def placed(game: str, lines: list[Any]) -> list[int]:
    """The versions of the actions that have a place on the board."""
    return [
        line["version"]
        for line in lines
        if line["value"]
        and (line["value"]["do"] in PLACED[game] or any(event["key"] == "took" for event in line["events"]))
    ]


def ready(visitor: Visitor) -> None:
    visitor.page.wait_for_function("() => reading.state().legal.length > 0")


# ------------------------------------------------------------------ marks on the board


@pytest.mark.parametrize("game", in_turn(1))
def test_last_moves_are_marked_until_my_next_action(visit: Visits, game: str) -> None:
    ada = visit()
    table, done = after_others(ada, game)
    ada.sit_down(table)
    ada.page.wait_for_selector("[data-role]", state="attached")
    marks = ada.page.evaluate(MARKS)
    assert [mark["version"] for mark in marks if mark["roles"]] == placed(game, done)
    turns = [0]  # how many turns ago each action was, the latest first
    for later, line in pairwise(reversed(done)):
        turns.append(turns[-1] + (later["seat"] != line["seat"]))
    assert [mark["age"] for mark in reversed(marks)] == [min(turn, 2) for turn in turns]
    strength = {mark["age"]: mark["strength"] for mark in marks}
    assert sorted(strength.values(), reverse=True) == [strength[age] for age in sorted(strength)]
    assert len(set(strength.values())) == len(strength)  # each older turn is fainter
    assert ada.page.evaluate(BESIDE) == []
    act(ada, table, random.Random(1))
    old = [line["version"] for line in done]
    ada.page.wait_for_function(f"old => !({MARKS})().some(({{ version }}) => old.includes(version))", arg=old)


@pytest.mark.parametrize("game", in_turn(2))
def test_a_line_of_the_log_lights_its_places_and_the_past_marks_what_changed(
    visit: Visits, game: str
) -> None:
    ada = visit()
    table, _ = after_others(ada, game)
    ada.sit_down(table)
    ada.page.wait_for_selector("[data-role]", state="attached")
    first = placed(game, log_of(ada, table))[0]
    line = ada.page.locator(f"[data-version='{first}']")
    before = ada.page.evaluate(MARKS)
    lit = f"[data-trace='{first}'].lit:only-child [data-role]"
    line.hover()
    ada.page.wait_for_selector(lit, state="attached")
    ada.page.mouse.move(2, 2)
    ada.page.wait_for_selector(".lit", state="detached")
    assert ada.page.evaluate(MARKS) == before
    line.focus()
    ada.page.wait_for_selector(lit, state="attached")
    line.click()
    ada.page.mouse.move(2, 2)
    ada.page.wait_for_selector("[data-past]")
    line.blur()
    ada.page.wait_for_selector(".lit", state="detached")
    assert [mark["version"] for mark in ada.page.evaluate(MARKS) if mark["roles"]] == [first]
    assert ada.page.locator("[data-ticker]").get_attribute("data-ticker") == str(first)
    ada.do("to-now")
    ada.page.wait_for_selector("[data-past]", state="detached")
    assert ada.page.evaluate(MARKS) == before


def test_on_one_device_each_player_sees_what_the_other_did(visit: Visits) -> None:
    ada = visit(confirm="none")
    table = ada.open_table("neptune-vesta", ["me", "me"])
    ada.sit_down(table)
    for turn in range(3):
        ada.do("unveil")
        ada.page.wait_for_selector("[data-curtain]", state="detached")
        done = [line["version"] for line in log_of(ada, table)]
        wanted = f"done => JSON.stringify(({MARKS})().map((mark) => [mark.version, mark.roles])) === done"
        marks = [[done[-1], ["to"]]] if turn else []  # the other's last action, and not one's own before it
        ada.page.wait_for_function(wanted, arg=json.dumps(marks, separators=(",", ":")))
        act(ada, table, random.Random(turn))
        ada.page.wait_for_selector("[data-curtain]")


def test_a_spectator_sees_the_last_turn_of_each_seat(visit: Visits) -> None:
    ada, ben = visit(), visit()
    table, _ = after_others(ada, "atlantis", 3)
    ben.sit_down(table)
    ben.page.wait_for_selector("[data-role]", state="attached")
    log = [line for line in log_of(ben, table) if line["value"] or line["events"]]
    marked = [mark["version"] for mark in ben.page.evaluate(MARKS)]
    assert marked == [line["version"] for line in log[-len(marked) :]]
    assert {line["seat"] for line in log[-len(marked) :]} == {0, 1, 2}
    turns = [line["seat"] for line in log[-len(marked) - 1 :]]
    assert sum(one != other for one, other in pairwise(turns)) == 3  # three turns, and another before them


@pytest.mark.parametrize("game", in_turn(2))
def test_marks_follow_the_board(visit: Visits, game: str) -> None:
    """When the window changes, and when a phone zooms in on a part of the board and out again."""
    ada = visit(size="phone")
    table, _ = after_others(ada, game)
    ada.sit_down(table)
    ready(ada)
    settled = f"() => document.querySelector('[data-role=to]') && ({BESIDE})().length === 0"
    ada.page.set_viewport_size({"width": 844, "height": 390})
    ada.page.wait_for_function(settled)
    ada.page.set_viewport_size({"width": 390, "height": 844})
    ada.page.wait_for_function(settled)
    if ada.page.evaluate("() => reading.first('[data-do=whole-board]') !== null"):
        ada.do("whole-board")
        ada.page.wait_for_function(settled)


# ------------------------------------------------------------------ one after the other


def play_my_turn(visitor: Visitor, table: str, chance: random.Random) -> None:
    """Until somebody else has to decide."""
    view = visitor.view(table)
    while set(view["deciders"]) & set(view["mine"]):
        wish = {"version": view["version"], "action": chance.choice(view["game"]["legal"])}
        visitor.ask("POST", f"/tables/{table}/act", wish)
        others = since_mine(visitor, table)
        view = visitor.view(table)
        if others:
            return


def frames_with_actions(visitor: Visitor) -> list[list[int]]:
    """The versions of the actions in each frame that the page receives: one, or all that it had missed."""
    found: list[list[int]] = []

    def received(frame: str | bytes) -> None:
        told = json.loads(frame)
        if told["is"] in ("table", "changed"):
            found.append([line["version"] for line in told["lines"] if line["kind"] == "acted"])

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", received)

    visitor.page.on("websocket", opened)
    return found


@pytest.mark.parametrize("game", in_turn(0))
def test_no_two_moves_overlap_and_your_turn_comes_last(visit: Visits, game: str) -> None:
    """Recorded at double speed: every time is half as long."""
    speed = 2
    ada = visit(speed=speed)
    frames = frames_with_actions(ada)
    players = min(3, most(game))
    table, _ = after_others(ada, game, players)
    ada.sit_down(table)
    ready(ada)
    before = {line["version"] for line in log_of(ada, table)}
    ada.page.evaluate(RECORD)
    chance = random.Random(8)
    while True:
        play_my_turn(ada, table, chance)
        wait_for_turn(ada, table)
        others = since_mine(ada, table)
        if len({line["seat"] for line in others}) == players - 1:
            break
    ada.page.wait_for_selector(f"[data-ticker='{others[-1]['version']}']")
    ready(ada)
    ada.page.wait_for_function("() => record.at(-1).turn.every(Boolean)")
    seats = {line["version"]: line["seat"] for line in others}
    record = [each for each in ada.page.evaluate("() => record") if each["told"] not in before]
    shown: list[Any] = []
    for each in record:
        if each["told"] in seats and (not shown or shown[-1]["told"] != each["told"]):
            shown.append(each)
    together = {version for frame in frames for version in frame[:-1]}
    alone = [version for version in seats if version not in together]
    assert [each["told"] for each in shown] == alone, (frames, record)  # each of them, in order
    for one, next_one in pairwise(shown):
        same = seats[one["told"]] == seats[next_one["told"]]
        moment = (FOLLOWS if same else MOMENT) / speed - LATE
        assert next_one["at"] - one["at"] >= moment, (one, next_one)
    last = shown[-1]["at"]
    turn = [each["at"] for each in record if each["at"] >= shown[0]["at"] and any(each["turn"])]
    assert turn and min(turn) - last >= MOMENT / speed - LATE, (last, turn, record)


def watching(visit: Visits, **wishes: Any) -> tuple[Visitor, str, list[Any]]:
    """A visitor who is shown slowly what three bots did, and could play already; and what they did."""
    ada = visit(speed=0.5, **wishes)
    table, _ = after_others(ada, "venice-2099")
    ada.sit_down(table)
    ready(ada)
    play_my_turn(ada, table, random.Random(3))
    wait_for_turn(ada, table)
    others = since_mine(ada, table)
    ada.page.wait_for_selector(f"[data-ticker='{others[0]['version']}']")
    assert ada.state()["legal"] == []
    assert "is playing…" in (ada.page.locator("[data-now]").text_content() or "")
    return ada, table, others


@pytest.mark.parametrize("way", scaled(["click"], ["key", "enter", "click"]))
def test_a_click_or_a_key_skips_and_does_nothing_else(visit: Visits, way: str) -> None:
    ada, table, others = watching(visit, confirm="none")
    version = ada.view(table)["version"]
    spot = next(f"cell:{square}" for square in ada.view(table)["game"]["pawns"][0])
    if way == "click":
        ada.pick(spot)
    else:
        ada.page.locator(f"[data-spot='{spot}']").focus()
        ada.page.keyboard.press("Enter" if way == "enter" else "x")
    state = ada.state()
    assert state["legal"] and not state["chosen"]
    assert ada.page.locator("[data-ticker]").get_attribute("data-ticker") == str(others[-1]["version"])
    assert ada.view(table)["version"] == version


def test_a_reload_shows_everything_at_once(visit: Visits) -> None:
    ada, _, others = watching(visit)
    ada.page.reload()
    ada.to_table()
    ready(ada)
    assert ada.page.locator("[data-ticker]").get_attribute("data-ticker") == str(others[-1]["version"])
    versions = [mark["version"] for mark in ada.page.evaluate(MARKS)]
    assert versions == [line["version"] for line in others]


def test_the_settings_have_four_speeds(visit: Visits) -> None:
    ada = visit()
    table = ada.open_table("neptune-vesta", ["me", "turtle"])
    ada.sit_down(table)
    ada.do("menu")
    ada.do("settings")
    ada.page.wait_for_selector("[data-setting^='speed:']", state="attached")
    labels = ada.page.locator("label:has([data-setting^='speed:'])").all_inner_texts()
    assert labels == ["Slow", "Normal", "Fast", "At once"]


# ------------------------------------------------------------------ in words


@pytest.mark.parametrize("still", scaled([True], [False, True]))
def test_a_thinking_bot_shows_that_it_thinks(visit: Visits, still: bool) -> None:
    ada = visit(speed=2)
    if still:
        ada.page.emulate_media(reduced_motion="reduce")
    table = ada.open_table("neptune-vesta", ["me", "kraken"])
    ada.sit_down(table)
    ready(ada)
    act(ada, table, random.Random(1))
    thinking = ada.page.wait_for_selector("[data-thinking]")
    assert thinking is not None and (thinking.text_content() or "").strip().endswith(" is thinking…")
    assert ada.page.locator("[data-seat='1'] .thinks").count() == 1
    ada.page.wait_for_selector("[data-thinking]", state="detached")
    ready(ada)
    assert ada.page.locator(".thinks").count() == 0


@pytest.mark.parametrize("size", scaled(["phone"], ["laptop", "phone"]))
@pytest.mark.parametrize("game", in_turn(3))
def test_the_ticker_says_what_the_log_says_and_opens_it_at_my_last_move(
    visit: Visits, game: str, size: str
) -> None:
    ada = visit(size=size)
    table, done = after_others(ada, game)
    ada.sit_down(table)
    ready(ada)
    last = done[-1]["version"]
    log = ada.page.locator(f"[data-version='{last}'] > span").text_content()
    assert log and ada.page.locator("[data-do=ticker] .text").text_content() == log
    assert ada.page.locator(".unseen[aria-live=polite]").first.text_content() == log
    assert ada.wrong() == []
    ada.do("ticker")
    ada.page.wait_for_selector(".log ol")
    ada.page.wait_for_function(SINCE)


def test_a_phone_opens_the_log_at_my_last_move(visit: Visits) -> None:
    ada = visit(size="phone")
    table, _ = after_others(ada, "atlantis")
    ada.sit_down(table)
    ready(ada)
    ada.do("log")
    ada.page.wait_for_function(SINCE)
    assert ada.page.evaluate("() => document.querySelector('.log ol').scrollTop") > 0


OVERLAPS = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const ticker = box("[data-do=ticker]");
  return ["h1", "[data-do=menu]", ".board", ".seats", "[data-now]"].filter((part) => {
    const it = box(part);
    const beside = it.left >= ticker.right || it.right <= ticker.left;
    return !beside && it.top < ticker.bottom && it.bottom > ticker.top;
  });
}"""


@pytest.mark.parametrize("size", scaled(["phone"], list(SIZES)))
def test_the_ticker_covers_nothing(visit: Visits, size: str) -> None:
    """In Russian and in large type, where titles and sentences are longest."""
    ada = visit(size=size, language="ru", large=True)
    table, _ = after_others(ada, "mille-fiori", 3)
    ada.sit_down(table)
    ada.page.wait_for_selector("[data-do=ticker]")
    assert ada.page.evaluate(OVERLAPS) == []
