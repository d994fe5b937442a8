"""Puzzles on the real board: solved, failed and tried again, shown; rating and streaks on this device."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from laguna.game import from_position
from laguna.puzzles import Puzzle, puzzles_of
from tests.page.conftest import Visits
from tests.page.games import GAMES
from tests.page.test_axe import examine
from tests.page.visitor import Visitor

# Actions that are chosen by the things they name, so that the test need not know the games.
PLAIN = {
    "neptune-vesta": ["place"],
    "venice-2099": ["card", "walk"],
    "atlantis": ["on"],
    "mille-fiori": ["keep"],
}
CHOICES = 6  # more than any action needs
RESULT = "() => document.querySelector('[data-puzzle]')?.dataset.result"


def names(value: Any) -> Iterator[str]:
    """Everything that an action names."""
    if isinstance(value, dict):
        for each in value.values():
            yield from names(each)
    else:
        yield str(value)


def plain_puzzle(game: str) -> tuple[Puzzle, str]:
    """A puzzle whose solution is one plain action, and another such action, which is wrong."""
    for puzzle in puzzles_of(game).puzzles:
        start = from_position(game, puzzle.position)
        kinds = {each: start.action(each).value["do"] for each in puzzle.steps[0].chances}
        wrong = [each.action for each in puzzle.steps[0].tries if kinds[each.action] in PLAIN[game]]
        if len(puzzle.steps) == 1 and kinds[puzzle.steps[0].action] in PLAIN[game] and wrong:
            return puzzle, wrong[0]
    raise AssertionError(f"{game} has no plain puzzle")


def begin(visitor: Visitor, game: str, puzzle: Puzzle) -> None:
    visitor.go(f"/puzzles/{game}#{puzzle.id}")
    visitor.page.wait_for_selector(f"[data-puzzle='{puzzle.id}'][data-result=open]")
    visitor.page.wait_for_function("() => reading.state().legal.length > 0")


def choose(visitor: Visitor, game: str, puzzle: Puzzle, notation: str) -> None:
    """Choose an action on the board and in the hand by the things that it names."""
    value = from_position(game, puzzle.position).action(notation).value
    wanted = {*names(value), notation}
    for _ in range(CHOICES):
        before = visitor.state()
        spots = [each for each in before["legal"] if wanted & {*each.split(":")}]
        spots = [each for each in spots if each not in before["chosen"]]
        if not spots or visitor.page.evaluate(RESULT) != "open":
            break
        visitor.pick(spots[0])
        visitor.wait_for_change(before)


def kept(visitor: Visitor, game: str) -> Any:
    found = visitor.page.evaluate("() => JSON.parse(localStorage.getItem('laguna.puzzles'))")
    return found[game]


@pytest.mark.parametrize(
    ("game", "size"), [*((game, "laptop") for game in GAMES), ("neptune-vesta", "phone")]
)
def test_a_puzzle_is_failed_tried_again_and_solved(visit: Visits, game: str, size: str) -> None:
    ada = visit(size=size, confirm="none", look="dark" if size == "phone" else "light")
    page = ada.page
    puzzle, wrong = plain_puzzle(game)
    begin(ada, game, puzzle)
    assert page.locator("[data-solution]").count() == 0 and ada.wrong() == []
    choose(ada, game, puzzle, wrong)
    page.wait_for_selector("[data-result=wrong] [data-refutation] li")
    assert page.locator("[data-wrong]").get_attribute("data-wrong") == wrong
    assert kept(ada, game)["tried"] == [puzzle.id] and kept(ada, game)["rating"] < 1000
    ada.do("try-again")
    page.wait_for_selector("[data-result=open]")
    page.wait_for_function("() => reading.state().legal.length > 0")
    choose(ada, game, puzzle, puzzle.steps[0].action)
    page.wait_for_selector("[data-result=solved] [data-reason]")
    assert page.locator("[data-reason]").inner_text() and page.locator("[data-why-not]").count() <= 1
    assert kept(ada, game)["row"] == 0, "only the first attempt counts"
    assert ada.wrong() == [] and examine(ada) == []
    ada.do("next-puzzle")
    page.wait_for_selector(f"[data-puzzle]:not([data-puzzle='{puzzle.id}'])")


def test_the_puzzle_of_the_day_comes_first_and_makes_a_streak(visit: Visits) -> None:
    ada = visit(language="ru", confirm="none")
    game = "neptune-vesta"
    today = ada.ask("GET", f"/games/{game}/puzzles/today")
    puzzle = puzzles_of(game).find(today["puzzle"]["id"])
    ada.go("/")
    ada.page.locator(f"[data-puzzles={game}]").click()
    ada.page.wait_for_selector(f"[data-puzzle='{puzzle.id}'][data-result=open]")
    ada.page.wait_for_function("() => reading.state().legal.length > 0")
    for step in puzzle.steps:
        choose(ada, game, puzzle, step.action)
    ada.page.wait_for_selector("[data-result=solved]")
    record = kept(ada, game)
    assert (record["row"], record["days"], record["day"]) == (1, 1, today["day"]) and record["rating"] > 1000
    ada.go(f"/puzzles/{game}")
    ada.page.wait_for_selector("[data-puzzle]")
    shown = ada.page.locator("[data-puzzle]").get_attribute("data-puzzle")
    assert shown != puzzle.id, "it is solved: another one follows"


def test_who_gives_up_is_shown_the_solution(visit: Visits) -> None:
    ada = visit(language="it", confirm="none")
    game = "venice-2099"
    puzzle = puzzles_of(game).puzzles[0]
    begin(ada, game, puzzle)
    ada.do("show-me")
    ada.page.wait_for_selector("[data-result=shown] [data-solution]")
    assert kept(ada, game)["tried"] == [puzzle.id]
    assert ada.page.locator("[data-do=show-me]").count() == 0


def test_a_damaged_record_and_an_unknown_puzzle_are_ignored(visit: Visits) -> None:
    ada = visit()
    ada.go("/")
    damaged = json.dumps({"atlantis": {"rating": "high", "tried": 7, "row": None}})
    ada.page.evaluate("kept => localStorage.setItem('laguna.puzzles', kept)", damaged)
    ada.go("/puzzles/atlantis#zzzzzz")
    ada.page.wait_for_selector("[data-puzzle][data-result=open] [data-rating='1000']")


def test_when_all_were_tried_the_oldest_attempt_comes_first(visit: Visits) -> None:
    ada = visit(confirm="none")
    game = "neptune-vesta"
    first, second, third, *others = [puzzle.id for puzzle in puzzles_of(game).puzzles]
    ada.go("/")
    record = {game: {"rating": 1000, "tried": [first, second, third, *others], "row": 0}}
    ada.page.evaluate("kept => localStorage.setItem('laguna.puzzles', kept)", json.dumps(record))
    ada.go(f"/puzzles/{game}#{first}")
    for shown in (first, second, third):
        ada.page.wait_for_selector(f"[data-puzzle='{shown}'][data-result=open]")
        ada.do("show-me")
        ada.page.wait_for_selector("[data-result=shown] [data-solution]")
        ada.do("next-puzzle")
    ada.page.evaluate("id => (location.hash = id)", first)  # as a link does
    ada.page.wait_for_selector(f"[data-puzzle='{first}'][data-result=open]")
