"""Replays: any action by keys, buttons and link, through anyone's eyes; files; playing on from there."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

import laguna
from laguna import messages
from laguna.game import Game
from tests.page.conftest import Visits
from tests.page.games import GAMES, SHORT
from tests.page.test_axe import examine
from tests.page.visitor import Visitor
from tests.size import scaled

FILES = Path(__file__).parents[1] / "files"
DROP = """text => {
  const dropped = new DataTransfer();
  dropped.items.add(new File([text], "game.laguna.json"));
  const how = { dataTransfer: dropped, bubbles: true, cancelable: true };
  for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, how));
}"""
HELD = """selector => {
  const spots = document.querySelectorAll(`${selector} [data-spot]`);
  return [...spots].map((spot) => spot.dataset.spot);
}"""
TURNS = "() => [...document.querySelectorAll('[data-turn-of]')].map((turn) => turn.dataset.turnOf)"
WAYS = list(product(GAMES, ["laptop", "phone"]))


def recorded(visitor: Visitor, game: str, actions: int = 18, seats: int = 2) -> str:
    """A game of the visitor alone, which one seat gives up after so many actions."""
    table = visitor.open_table(game, ["me"] * seats, SHORT.get(game))
    chance = random.Random(3)
    for _ in range(actions):
        view = visitor.view(table)
        act = {"version": view["version"], "action": chance.choice(view["game"]["legal"])}
        visitor.ask("POST", f"/tables/{table}/act", act)
    visitor.ask("POST", f"/tables/{table}/resign", {"seat": 0})
    return table


def shown(visitor: Visitor, number: int) -> None:
    visitor.page.wait_for_selector(f"[data-shown='{number}']")


def press(visitor: Visitor, key: str, number: int) -> None:
    """Press a key; the board shows this action then."""
    visitor.page.keyboard.press(key)
    shown(visitor, number)


def drop(visitor: Visitor, text: str) -> None:
    visitor.page.wait_for_selector("h1")
    visitor.page.evaluate(DROP, text)


# ------------------------------------------------------------------ moving through a game


@pytest.mark.parametrize(("game", "size"), scaled(WAYS[::3], WAYS))
def test_any_action_by_keys_buttons_and_link(visit: Visits, game: str, size: str) -> None:
    ada = visit(size=size)
    table = recorded(ada, game)
    steps = ada.ask("GET", f"/tables/{table}/replay")["steps"]
    seats = [step["seat"] for step in steps]
    ends = [number for number in range(1, 18) if seats[number] != seats[number + 1]] + [18]
    ada.go(f"/replay/{table}#5")
    shown(ada, 5)
    assert ada.scores() == steps[5]["view"]["scores"]
    assert ada.page.locator("[data-trace]").count() > 0  # what happened last is marked
    press(ada, "ArrowRight", 6)
    press(ada, "ArrowLeft", 5)
    turn = next(end for end in ends if end > 5)
    press(ada, "ArrowDown", turn)
    own = [end for end in ends if seats[end] == seats[turn]]
    press(ada, "Shift+ArrowRight", next(end for end in own if end > turn))
    press(ada, "Shift+ArrowLeft", turn)
    press(ada, "ArrowUp", max([end for end in ends if end < turn], default=0))
    press(ada, "End", 18)
    assert ada.scores() == steps[18]["view"]["scores"] and ada.wrong() == []
    for button, number in (("first", 0), ("forward", 1), ("turnOn", ends[0] if ends[0] > 1 else ends[1])):
        ada.do(f"replay-{button}")
        shown(ada, number)
    assert ada.page.locator("[data-slider]").input_value() == str(number)
    assert {int(each) for each in ada.page.evaluate(TURNS)} == set(seats[1:])
    ada.page.wait_for_url(f"**#{number}")


def test_the_address_names_the_action_and_back_returns_from_a_leap(visit: Visits) -> None:
    ada = visit()
    ada.go(f"/replay/{recorded(ada, 'neptune-vesta')}")
    shown(ada, 0)
    press(ada, "ArrowRight", 1)
    press(ada, "ArrowRight", 2)
    ada.page.wait_for_url("**#2")
    press(ada, "End", 18)
    ada.page.wait_for_url("**#18")
    ada.page.go_back()
    shown(ada, 2)
    ada.page.go_forward()
    shown(ada, 18)
    ada.page.locator("[data-then='4']").click()  # a line of the log
    shown(ada, 4)
    ada.page.go_back()
    shown(ada, 18)
    ada.page.reload()
    shown(ada, 18)
    ada.do("menu")
    link = ada.page.locator("dialog[open] input[readonly]").input_value()
    assert link == ada.page.url


def test_it_plays_by_itself_and_stops(visit: Visits) -> None:
    ada = visit()
    ada.go(f"/replay/{recorded(ada, 'venice-2099', 40)}#4")
    shown(ada, 4)
    ada.do("replay-speed")
    assert ada.page.locator("[data-speed='3']").count() == 1
    ada.page.locator("[data-now], [data-said]").first.click()
    ada.page.keyboard.press("Space")
    # A busy machine may paint some actions too briefly to be noticed.
    ada.page.wait_for_function("() => Number(document.querySelector('[data-slider]').value) >= 6")
    ada.page.keyboard.press("Space")
    stopped = ada.page.locator("[data-slider]").input_value()
    ada.page.wait_for_timeout(700)
    assert ada.page.locator("[data-slider]").input_value() == stopped
    press(ada, "End", 40)
    press(ada, "ArrowLeft", 39)
    ada.page.keyboard.press("Space")
    shown(ada, 40)
    ada.page.wait_for_selector("[data-do=replay-play][aria-pressed=false]")


def test_a_running_game_is_not_replayed(visit: Visits) -> None:
    ada, eve = visit(), visit()
    table = ada.open_table("mille-fiori", ["me", "open"])
    ada.go(f"/replay/{table}")
    ada.page.wait_for_selector("[data-running]")
    asked: list[str] = []
    eve.page.on("request", lambda request: asked.append(request.url))
    eve.go(f"/replay/{table}#3")
    eve.page.wait_for_selector("[data-running]")
    assert not [url for url in asked if re.search("/(replay|review|file)($|[?])", url.partition("/api/")[2])]
    eve.page.locator(f"main a[href='/table/{table}']").click()
    eve.page.wait_for_url(f"**/table/{table}")


# ------------------------------------------------------------------ through whose eyes


def in_hand(game: Game, seat: int) -> set[str]:
    """The cards that the page shows in the hand of a Mille Fiori player."""
    view = game.view(seat)
    names: list[str] = view["hand"] or []
    return {f"hand:{name}:{names[:at].count(name)}" for at, name in enumerate(names)}


@pytest.mark.parametrize("size", scaled(["phone"], ["laptop", "phone"]))
def test_one_seat_sees_its_own_hand_and_all_see_all(visit: Visits, size: str) -> None:
    text = (FILES / "mille-fiori-four-greedy.laguna.json").read_text()
    game = laguna.loads(text)
    game.back_to(0)
    hands = [in_hand(game, seat) for seat in range(4)]
    assert all(len(hand) == 5 for hand in hands) and len(set.union(*hands)) > 12
    ada = visit(size=size)
    ada.go()
    drop(ada, text)
    shown(ada, 0)
    for seat in range(4):
        if size == "phone":  # one hand at a time
            ada.page.locator(f"[data-do=fold-hand][data-hand='{seat}']").click()
        one = ada.page.wait_for_selector(f"[data-hand-of='{seat}']")
        assert one is not None
        held = ada.page.evaluate(HELD, f"[data-hand-of='{seat}']")
        assert {spot.removeprefix(f"hand-{seat}/") for spot in held} == hands[seat]
    assert ada.page.locator("[data-hand-of]").count() == (1 if size == "phone" else 4)
    assert ada.wrong() == []
    for eyes, seen in (("2", hands[2]), ("spectator", set()), ("0", hands[0])):
        ada.page.locator("[data-do=perspective]").select_option(eyes)
        ada.page.wait_for_selector("[data-hand-of]", state="detached")
        ada.page.wait_for_function(
            "([wanted, held]) => JSON.stringify(eval(held)('.hand').toSorted()) === wanted",
            arg=[json.dumps(sorted(seen), separators=(",", ":")), HELD],
        )
    if size == "laptop":
        ada.page.locator("[data-do=perspective]").select_option("all")
        ada.page.wait_for_selector("[data-hand-of='3']")
        ada.page.locator("[data-do=fold-hand][data-hand='3']").click()
        ada.page.wait_for_selector("[data-hand-of='3']", state="detached")


def test_a_player_looks_back_as_then(visit: Visits) -> None:
    ada, eve = visit(name="Maximiliane-Alexandrowna von Hohenzoller"), visit()
    table = ada.open_table("neptune-vesta", ["turtle", "me"], {"rounds": 1})
    ada.ask("POST", f"/tables/{table}/resign", {"seat": 1})
    for visitor, eyes in ((ada, "1"), (eve, "all")):
        visitor.go(f"/replay/{table}")
        shown(visitor, 0)
        assert visitor.page.locator("[data-do=perspective]").input_value() == eyes
        assert visitor.wrong() == []  # the longest name, too, fits beside the board


# ------------------------------------------------------------------ files


@pytest.mark.parametrize(
    "file",
    scaled(
        ["venice-2099-three-greedy"],
        [path.name.removesuffix(".laguna.json") for path in FILES.glob("*.laguna.json")],
    ),
)
def test_a_dropped_file_is_replayed(visit: Visits, file: str) -> None:
    text = (FILES / f"{file}.laguna.json").read_text()
    game = laguna.loads(text)
    ada = visit()
    ada.go()
    drop(ada, text)
    shown(ada, 0)
    press(ada, "End", game.played)
    assert ada.scores() == game.scores and ada.wrong() == []
    asked: list[Any] = ada.ask("GET", "/tables/mine")
    assert asked == []  # nothing is stored


def test_a_broken_file_gets_a_sentence_and_the_next_one_is_shown(visit: Visits) -> None:
    ada = visit(language="it")
    ada.forgiven = ["422", "400", "404"]
    text = (FILES / "neptune-vesta-highest.laguna.json").read_text()
    ada.go("/replay")
    wrong = {
        " " * 1_000_001: ("too-large", "grande"),
        "{": ("no-json", "JSON"),
        "[]": ("unknown-game", "gioco"),
        text.replace('"rules": 1', '"rules": 7'): ("rules-version", "regole"),
        re.sub(r'"actions": \[\s*"[^"]+"', '"actions": ["9e9"', text): ("illegal-action", "azione 1"),
    }
    for broken, (key, word) in wrong.items():
        drop(ada, broken)
        ada.page.wait_for_selector(f"[data-problem={key}]")
        assert word in ada.page.locator("[data-problem]").inner_text()
        assert ada.wrong() == []
    ada.page.set_input_files("input[type=file]", FILES / "neptune-vesta-highest.laguna.json")
    shown(ada, 0)


# ------------------------------------------------------------------ the review


def between(ada: Visitor, ben: Visitor, game: str, actions: int) -> str:
    """A game of these two, given up after so many actions; Ben has the first seat."""
    table = ben.open_table(game, ["me", "open"], SHORT.get(game))
    ada.ask("POST", f"/tables/{table}/sit", {"seat": 1})
    ben.ask("POST", f"/tables/{table}/start", {})
    for _ in range(actions):
        person = [ben, ada][ada.view(table)["deciders"][0]]
        view = person.view(table)
        act = {"version": view["version"], "action": view["game"]["legal"][0]}
        person.ask("POST", f"/tables/{table}/act", act)
    ada.ask("POST", f"/tables/{table}/resign", {"seat": 1})
    return table


def review_of(game: Game, losses: dict[int, float]) -> messages.Review:
    """As the server reviews a game, with these mistakes: the last legal action would have been better."""
    chance, actions, past = 0.5, [], game.copy()
    past.back_to(0)
    for number, action in enumerate(game.actions, 1):
        seat, loss = game.log[number].seat or 0, losses.get(number, 0.0)
        better = past.legal(seat)[-1]
        events = past.preview(better, seat).events
        sure = (chance, 1 - chance)[seat]
        best = messages.HintChoice(better.notation, better.value, sure, [], None, 0, 9, events)
        chance += loss if seat else -loss
        past.play(action, seat)
        outlook = messages.Outlook([chance, 1 - chance], [40 * chance, 40 - 40 * chance])
        judged = (number, seat, action.notation, action.value, outlook, loss, False, best if loss else None)
        actions.append(messages.ReviewedAction(*judged))
    start = messages.Outlook([0.5, 0.5], [20.0, 20.0])
    return messages.Review("", len(actions), len(actions), True, start, actions)


@pytest.mark.parametrize("size", scaled(["laptop"], ["laptop", "phone"]))
def test_swings_and_mistakes(visit: Visits, size: str) -> None:
    ada, ben = visit(size=size), visit()
    table = between(ada, ben, "neptune-vesta", 11)
    file = ada.context.request.get(f"{ada.site}/api/tables/{table}/file").text()
    game = laguna.loads(file)
    seats = {number: game.log[number].seat for number in range(1, 12)}
    mine = [number for number, seat in seats.items() if seat == 1]
    theirs = [number for number, seat in seats.items() if seat == 0]
    losses = {mine[1]: 0.05, mine[4]: 0.15, theirs[2]: 0.3}
    answer = msgspec.json.encode(review_of(game, losses))
    ada.page.route("**/api/tables/*/review", lambda route: route.fulfill(body=answer))
    ada.go(f"/replay/{table}")
    shown(ada, 0)
    ada.do("tab-review" if size == "laptop" else "open-review")
    listed = "() => [...document.querySelectorAll('[data-mistake]')].map((each) => +each.dataset.mistake)"
    ada.page.wait_for_selector("[data-mistake] i", state="attached")
    assert ada.page.evaluate(listed) == [mine[4], mine[1], theirs[2]]  # mine first, the costliest first
    assert ada.wrong() == [] and examine(ada) == []
    ada.page.locator("[data-do=whose-mistakes]").select_option("0")
    assert ada.page.evaluate(listed) == [theirs[2]]
    one = ada.page.locator("[data-mistake]")
    one.tap() if ada.touches else one.click()
    shown(ada, theirs[2] - 1)
    said = ada.page.locator("[data-said=mistake]")
    said.wait_for()
    assert "30%" in said.inner_text() and "Better" in said.inner_text()
    for rank in (1, 2):
        ada.page.wait_for_selector(f"[data-hint-mark='{rank}'] rect", state="attached")
    assert "! · 55%" in ada.page.locator("[data-hint-label='1']").all_text_contents()
    assert ada.wrong() == []
    swings = [number for number in sorted(losses) if losses[number] > 0.1]
    marked = "() => [...document.querySelectorAll('[data-swing]')].map((each) => +each.dataset.swing)"
    assert sorted(ada.page.evaluate(marked)) == swings
    press(ada, "Home", 0)
    for number in sorted(losses):
        press(ada, "n", number - 1)
    press(ada, "p", sorted(losses)[1] - 1)
    box = ada.page.locator("[data-graph=chances]").bounding_box()
    assert box is not None
    ada.touch([box["x"] + box["width"] - 12, box["y"] + box["height"] / 2], "the end of the graph")
    shown(ada, 11)
    ada.do("graph-kind")
    ada.page.wait_for_selector("[data-graph=scores] [data-line-of='1']", state="attached")


def test_a_game_from_a_file_is_reviewed_and_links_lead_to_the_review(visit: Visits) -> None:
    ada = visit()
    file = FILES / "neptune-vesta-highest.laguna.json"
    game = laguna.load(file)
    answer = msgspec.json.encode(review_of(game, {game.played - 4: 0.2}))
    ada.page.route("**/api/tables/*/review", lambda route: route.fulfill(body=answer))
    ada.go("/replay")
    ada.page.set_input_files("input[type=file]", file)
    shown(ada, 0)
    ada.do("tab-review")
    ada.do("start-review")
    ada.page.wait_for_url(re.compile(r"/replay/[\w-]{22}"))
    ada.page.wait_for_selector("[data-review=complete]")
    ada.do("menu")
    ada.page.wait_for_selector("dialog[open] [data-from-file]")
    ada.page.keyboard.press("Escape")
    for _ in range(2):
        ada.do("tab-log")
        ada.page.wait_for_selector("[data-review]", state="detached")
        ada.page.evaluate("""() => {
            const link = document.body.appendChild(document.createElement("a"));
            link.href = location.pathname + "#review";
            link.click();
            link.remove();
        }""")
        ada.page.wait_for_selector("[data-review=complete]")


# ------------------------------------------------------------------ playing on


def play_one(visitor: Visitor, table: str) -> None:
    """Choose until an action was played through the page."""
    before = visitor.view(table)["game"]["actions"]
    chance = random.Random(5)
    for _ in range(60):
        if visitor.view(table)["game"]["actions"] > before:
            return
        if not visitor.step(chance):
            visitor.page.wait_for_timeout(30)
    raise AssertionError(visitor.state())


@pytest.mark.parametrize("game", scaled(["atlantis"], GAMES))
def test_play_on_from_an_action(visit: Visits, game: str) -> None:
    ada, eve = visit(), visit(confirm="none")
    table = recorded(ada, game)
    eve.go(f"/replay/{table}#7")
    shown(eve, 7)
    step = eve.ask("GET", f"/tables/{table}/replay?first=7&count=1")["steps"][0]
    eve.do("try")
    eve.page.locator("[data-do=try-level]").select_option("turtle")
    eve.do("try-start")
    eve.page.wait_for_url("**/table/*")
    branch = eve.to_table()
    view = eve.view(branch)
    assert view["origin"] == {"table": table, "actions": 7}
    assert (
        view["mine"] == step["deciders"][:1]
        and view["settings"]["options"] == ada.view(table)["settings"]["options"]
    )
    assert [seat["level"] for seat in view["seats"] if seat["seat"] not in view["mine"]] == ["turtle"]
    assert view["game"]["scores"] == step["view"]["scores"]
    play_one(eve, branch)
    eve.do("menu")
    eve.page.locator("[data-do=origin]").click()
    shown(eve, 7)


def test_play_on_from_a_file(visit: Visits) -> None:
    ada = visit(confirm="none")
    ada.go("/replay")
    ada.page.set_input_files("input[type=file]", FILES / "venice-2099-two-on-foot.laguna.json")
    shown(ada, 0)
    press(ada, "ArrowRight", 1)
    ada.do("try")
    ada.do("try-start")
    ada.page.wait_for_url("**/table/*")
    play_one(ada, ada.to_table())
