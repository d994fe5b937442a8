"""Learning: how a game is won, the tutorials on the real board, the rules in three languages."""

from __future__ import annotations

import json
import random
from itertools import product
from typing import Any

import pytest

from laguna.games import rulebooks
from laguna.games.contract import LANGUAGES
from laguna.lessons import lessons_of
from laguna.rulebook import clauses, guide_text, rules_text
from tests.page.browser import WEB
from tests.page.conftest import Visits
from tests.page.games import GAMES, SHORT, in_turn
from tests.page.test_axe import examine
from tests.page.test_keyboard import FOCUS, MAX_PRESSES, press
from tests.page.visitor import Visitor, another_kind
from tests.size import scaled

POINTED = """() => {
  const wanted = JSON.parse(document.querySelector("[data-lesson]").dataset.point);
  return wanted.filter((id) => reading.state().legal.includes(id));
}"""
# The key that leads toward a spot: Tab into its part of the page, then an arrow that points to it.
TOWARD = """([id, chance]) => {
  const [goal, at] = [reading.spot(id), document.activeElement?.closest("[data-spot]")];
  if (!goal || !at || goal.closest("section") !== at.closest("section")) return "Tab";
  const [to, from] = [goal.getBoundingClientRect(), at.getBoundingClientRect()];
  const across = to.left + to.width / 2 - from.left - from.width / 2;
  const down = to.top + to.height / 2 - from.top - from.height / 2;
  const sideways = Math.abs(across) > Math.abs(down) === chance < 0.85;
  return sideways ? (across < 0 ? "ArrowLeft" : "ArrowRight") : down < 0 ? "ArrowUp" : "ArrowDown";
}"""
ADVISED = """keys => {
  const shown = [...document.querySelectorAll("[data-advice]")].map((advice) => advice.dataset.advice);
  return shown.join(" ") === keys;
}"""
WORDS = WEB / "src" / "games"
CLICKS = 200  # more than any lesson needs


def lesson(visitor: Visitor) -> Any:
    return visitor.page.evaluate(
        """() => {
          const panel = document.querySelector("[data-lesson]");
          return panel && { id: panel.dataset.lesson, done: "lessonDone" in panel.dataset };
        }"""
    )


def open_lessons(visitor: Visitor, game: str) -> None:
    visitor.forgiven = ["409"]  # what a lesson does not accept is refused
    visitor.go(f"/learn/{game}")
    visitor.page.wait_for_selector("[data-lesson] [data-lesson-words]")
    visitor.page.wait_for_selector("[data-spot]", state="attached")


def by_pointer(visitor: Visitor, chance: random.Random) -> None:
    """Confirm, or choose something that the task points at, or at times anything that can be chosen."""
    before = visitor.state()
    pointed = visitor.page.evaluate(POINTED)
    if not before["confirm"] and pointed and chance.random() < 0.8:
        point = visitor.reach(pointed[0] if chance.random() < 0.5 else chance.choice(pointed))
        if point is not None:
            visitor.touch(point, "what the task points at")
            visitor.page.wait_for_timeout(30)
    elif not visitor.step(chance):
        visitor.page.wait_for_timeout(30)


def until_changed(visitor: Visitor, before: Any) -> None:
    """Wait for the answer: a key pressed meanwhile would take the focus from where the page puts it next."""
    for _ in range(40):
        visitor.page.wait_for_timeout(30)
        if visitor.state() != before:
            return


def by_keyboard(visitor: Visitor, chance: random.Random) -> None:
    """The same with Tab, arrows and Enter."""
    before = visitor.state()
    if not (before["legal"] or before["confirm"]):
        visitor.page.wait_for_timeout(30)
        return
    other = another_kind(before["legal"], before["chosen"])
    pointed = visitor.page.evaluate(POINTED)
    among = [pointed, [spot for spot in pointed if spot in other], other]
    goal = chance.choice(chance.choice([spots for spots in among if spots] or [[""]]))
    for _ in range(MAX_PRESSES):
        at = visitor.page.evaluate(FOCUS)
        if at["does"] == "confirm" or (not before["confirm"] and at["spot"] == goal):
            press(visitor, "Enter")
            until_changed(visitor, before)
            return
        press(visitor, "Tab" if before["confirm"] else visitor.page.evaluate(TOWARD, [goal, chance.random()]))
        if visitor.state() != before:
            return


def do_lesson(visitor: Visitor, doing: Any, chance: random.Random) -> None:
    """Do every task of the lesson that is shown."""
    clicks = 0
    while not (now := lesson(visitor))["done"]:
        doing(visitor, chance)
        clicks += 1
        assert clicks < CLICKS, f"{now} is not done: {visitor.state()}"
    assert visitor.wrong() == []


WAYS = [
    *product(["laptop", "phone"], LANGUAGES, [by_pointer]),
    *product(["laptop"], LANGUAGES, [by_keyboard]),
    ("landscape", "en", by_pointer),
]
SHORT_FORM = [("phone", "ru", by_pointer)]


@pytest.mark.parametrize(
    ("game", "size", "language", "doing"),
    [
        pytest.param(game, *way, id=f"{game}-{way[0]}-{way[1]}-{way[2].__name__}")
        for game in in_turn(2)
        for way in scaled(SHORT_FORM, WAYS)
    ],
)
def test_a_tutorial_from_start_to_end(visit: Visits, game: str, size: str, language: str, doing: Any) -> None:
    ada = visit(size=size, language=language, confirm="none")
    open_lessons(ada, game)
    chance = random.Random(1)
    file = lessons_of(game)
    for number, expected in enumerate(file.lessons):
        ada.page.wait_for_function(
            "id => document.querySelector('[data-lesson]')?.dataset.lesson === id", arg=expected.id
        )
        do_lesson(ada, doing, chance)
        if number + 1 < len(file.lessons):
            ada.do("next-lesson")
    ada.do("first-game")
    ada.page.wait_for_url("**/table/*")
    table = ada.to_table()
    settings = ada.view(table)["settings"]
    assert settings["players"] == (file.players or rulebooks()[game].meta.usual_players)
    assert [seat["level"] for seat in ada.view(table)["seats"]] == [None, "turtle"]


@pytest.mark.parametrize("game", in_turn(2))
def test_a_lesson_by_keyboard(visit: Visits, game: str) -> None:
    ada = visit(confirm="turn")
    open_lessons(ada, game)
    do_lesson(ada, by_keyboard, random.Random(2))
    ada.page.wait_for_function("() => document.activeElement?.dataset.do === 'next-lesson'")


@pytest.mark.parametrize("language", scaled(["ru"], LANGUAGES))
@pytest.mark.parametrize("game", in_turn(3))
def test_what_is_beside_the_point_is_answered_with_the_clause(
    visit: Visits, game: str, language: str
) -> None:
    ada = visit(confirm="none", language=language)
    open_lessons(ada, game)
    words = json.loads((WORDS / game / "lessons" / f"{language}.json").read_text(encoding="utf-8"))
    first = lesson(ada)["id"]
    chance = random.Random(4)
    for _ in range(CLICKS):
        ada.step(chance)
        if said := ada.page.locator(".why[role=alert]").all_inner_texts():
            break
        if lesson(ada)["done"]:
            ada.do("restart-lesson")
            ada.page.wait_for_selector("[data-lesson]:not([data-lesson-done])")
    table = json.loads((WEB / "src" / "words" / "table" / f"{language}.json").read_text(encoding="utf-8"))
    sentences = [*words[first].get("wrong", {}).values(), table["refusal"]["lesson"]]
    assert any(sentence in said[0] for sentence in sentences), said
    ada.page.locator(".why [data-clause]").click()
    shown = ada.page.locator("dialog[open] .text").inner_text()
    clause = ada.page.locator(".why [data-clause]").get_attribute("data-clause")
    assert shown[:40] in clauses(game, language)[str(clause)].replace("**", "").replace("`", "")


def test_a_tutorial_can_be_left_and_resumed(visit: Visits) -> None:
    ada = visit(confirm="none")
    game = "neptune-vesta"
    open_lessons(ada, game)
    do_lesson(ada, by_pointer, random.Random(3))
    ada.do("next-lesson")
    second = lessons_of(game).lessons[1].id
    ada.page.wait_for_function(
        "id => document.querySelector('[data-lesson]')?.dataset.lesson === id", arg=second
    )
    ada.go("/")
    open_lessons(ada, game)
    assert lesson(ada)["id"] == second and not lesson(ada)["done"]
    do_lesson(ada, by_pointer, random.Random(3))
    ada.page.reload()
    ada.page.wait_for_selector("[data-lesson-done]")
    assert lesson(ada)["id"] == second
    ada.do("restart-lesson")
    ada.page.wait_for_selector("[data-lesson]:not([data-lesson-done])")


@pytest.mark.parametrize("game", in_turn(0))
def test_a_lesson_passes_axe(visit: Visits, game: str) -> None:
    for size, look in scaled([("laptop", "light")], [("laptop", "light"), ("phone", "dark")]):
        ada = visit(size=size, look=look)
        open_lessons(ada, game)
        assert examine(ada) == []


def test_a_damaged_memory_of_lessons_is_ignored(visit: Visits) -> None:
    ada = visit()
    ada.go("/")
    ada.page.evaluate(
        "localStorage.setItem('laguna.lessons', JSON.stringify({ atlantis: { lesson: 7, actions: [1] } }))"
    )
    open_lessons(ada, "atlantis")
    assert lesson(ada)["id"] == lessons_of("atlantis").lessons[0].id


# ------------------------------------------------------------------ how you win


@pytest.mark.parametrize(
    ("game", "language"),
    scaled(list(zip(GAMES, ["en", "it", "ru", "en"], strict=True)), list(product(GAMES, LANGUAGES))),
)
def test_who_sees_a_game_for_the_first_time_is_told_how_it_is_won(
    visit: Visits, game: str, language: str
) -> None:
    ada = visit(newcomer=True, language=language, size="phone")
    table = ada.open_table(game, ["me", "turtle"], SHORT.get(game))
    ada.sit_down(table)
    card = ada.page.locator("[data-how-to-win]")
    card.wait_for()
    assert card.locator("dt").count() == 3 and card.locator("svg").count() >= 3
    ada.do("at-a-glance")
    ada.page.locator("[data-reference]").wait_for()
    assert ada.wrong() == [] and examine(ada) == []
    ada.do("start")
    ada.page.reload()
    ada.page.wait_for_selector("[data-spot]", state="attached")
    assert ada.page.locator("[data-how-to-win]").count() == 0
    ada.do("help")
    card.wait_for()


# ------------------------------------------------------------------ the teacher


@pytest.mark.parametrize("game", scaled(["venice-2099"], GAMES))
def test_a_teacher_says_what_the_engine_knows(visit: Visits, game: str) -> None:
    """Before an action the advice of the server; after it what happened, and perhaps what was stronger."""
    ada = visit(newcomer=True, confirm="none", language="it")
    table = ada.open_table(game, ["me", "turtle"], SHORT.get(game))
    ada.sit_down(table)
    ada.do("start")
    ada.page.wait_for_selector("[data-teacher]")
    chance, said = random.Random(6), 0
    seen: set[int] = set()
    while len(seen) < scaled(8, 15):
        view = ada.view(table)
        assert view["status"] == "playing"
        if "advise" in view["may"]:
            advised = ada.ask("POST", f"/tables/{table}/advise")
            seen.add(advised["version"])
            keys = [each["key"] for each in advised["advice"]]
            ada.page.wait_for_function(ADVISED, arg=" ".join(keys))
            said += len(keys)
            texts = ada.page.locator("[data-advice]").all_inner_texts()
            assert all("{" not in text and "undefined" not in text for text in texts), texts
        if not ada.step(chance):
            ada.page.wait_for_timeout(30)
    assert said > 0 and ada.wrong() == []
    ada.do("teacher-off")
    ada.page.wait_for_selector("[data-teacher]", state="detached")
    ada.page.reload()
    ada.page.wait_for_selector("[data-spot]", state="attached")
    assert ada.page.locator("[data-teacher]").count() == 0
    ada.do("help")
    ada.page.check("[data-do=teacher]")
    ada.do("start")
    ada.page.wait_for_selector("[data-teacher]")


def test_there_is_no_teacher_among_people_nor_after_the_first_game(visit: Visits) -> None:
    ada, ben = visit(newcomer=True), visit(newcomer=True)
    table = ada.open_table("neptune-vesta", ["me", "open"])
    ben.ask("POST", f"/tables/{table}/sit", {})
    ada.ask("POST", f"/tables/{table}/start")
    ada.sit_down(table)
    ada.do("start")
    assert ada.page.locator("[data-teacher]").count() == 0
    first = ada.open_table("neptune-vesta", ["me", "turtle"], {"rounds": 1})
    ada.sit_down(first)
    ada.page.wait_for_selector("[data-teacher]")
    ada.ask("POST", f"/tables/{first}/resign", {})
    ada.page.wait_for_selector("[data-over]")
    ada.sit_down(ada.open_table("neptune-vesta", ["me", "turtle"], {"rounds": 1}))
    assert ada.page.locator("[data-teacher]").count() == 0


# ------------------------------------------------------------------ the rules


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", in_turn(1))
def test_rules_and_guide_are_in_the_readers_language(visit: Visits, game: str, language: str) -> None:
    ada = visit(language=language)
    page = ada.page
    for path, text in (
        (f"/rules/{game}", rules_text(game, language)),
        (f"/guide/{game}", guide_text(game, language)),
    ):
        ada.go(path)
        title = str(text).splitlines()[0].removeprefix("# ")
        page.locator(f"[lang={language}] h1", has_text=title).wait_for()
        assert page.locator("[data-search]").count() == 1
    last = list(clauses(game))[-1]
    ada.go(f"/rules/{game}#{last}")
    page.locator(f"li#{last}[aria-current=true]").wait_for()


def test_the_rules_can_be_searched(visit: Visits) -> None:
    ada = visit(language="ru")
    ada.go("/rules/venice-2099")
    ada.page.fill("[data-search]", "гондол сброс")
    found = ada.page.locator(".clauses li")
    ada.page.get_by_role("status").filter(has_text="Найден").wait_for()
    texts = [text.lower() for text in found.all_inner_texts()]
    assert 0 < len(texts) < len(clauses("venice-2099"))
    assert all("гондол" in text and "сброс" in text for text in texts)
    assert ada.page.evaluate("CSS.highlights.get('found').size") >= 2 * len(texts)
    ada.page.fill("[data-search]", "корабль-призрак")
    ada.page.get_by_role("status").filter(has_text="Ничего не найдено").wait_for()
    ada.page.fill("[data-search]", "")
    ada.page.wait_for_function(
        "count => document.querySelectorAll('li[id]').length === count", arg=len(clauses("venice-2099"))
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_clause_opens_over_the_page_and_leads_to_others(visit: Visits, language: str) -> None:
    ada = visit(language=language)
    ada.go("/new/venice-2099")
    ada.page.locator(
        "[data-option=edition] [data-clause], [data-preset=edition] [data-clause], [data-clause=V22]"
    ).first.click()
    dialog = ada.page.locator("dialog[open]")
    text = dialog.locator(".text")
    text.filter(has_text="piatnik").wait_for()
    assert text.get_attribute("lang") == language
    dialog.locator("[data-do=close]").click()
    ada.page.locator("[data-clause=V9]").first.click()
    text.filter(has_text="queen").wait_for()
    assert ada.page.url.endswith("/new/venice-2099")
