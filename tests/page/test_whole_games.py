"""Whole games through the page, clicking only what glows; one more by keyboard in `test_keyboard.py`."""

from __future__ import annotations

import pytest

from tests.page.conftest import Visits
from tests.page.games import SHORT, in_turn, most
from tests.page.visitor import Visitor, play


def check_end(visitors: list[Visitor], table: str) -> None:
    """All see the scores that the server counted, and who won."""
    for visitor in visitors:
        view = visitor.view(table)
        assert view["status"] == "over"
        assert visitor.scores() == view["result"]["scores"]
        found = visitor.page.locator("[data-over]").inner_text()
        for seat in view["result"]["winners"]:
            chair = view["seats"][seat]
            name = "You" if view["mine"] == [seat] else chair["name"] or chair["level"]
            assert name.lower() in found.lower()
        assert visitor.wrong() == []


@pytest.mark.parametrize("game", in_turn(2))
def test_two_browsers_play_each_other(visit: Visits, game: str) -> None:
    ada, ben = visit(name="Ada"), visit(name="Ben", confirm="none")
    table = ada.open_table(game, ["me", "open"], SHORT.get(game))
    ben.ask("POST", f"/tables/{table}/sit", {})
    ada.ask("POST", f"/tables/{table}/start")
    ada.sit_down(table)
    ben.sit_down(table)
    play([ada, ben])
    check_end([ada, ben], table)


@pytest.mark.parametrize("game", in_turn(0))
def test_on_a_phone_against_a_bot(visit: Visits, game: str) -> None:
    ada = visit(size="phone", confirm="none")
    table = ada.open_table(game, ["me", "turtle"], SHORT.get(game))
    ada.sit_down(table)
    play([ada])
    check_end([ada], table)


@pytest.mark.proof
@pytest.mark.parametrize("game", in_turn(1))
def test_on_a_phone_held_sideways_with_as_many_as_can_play(visit: Visits, game: str) -> None:
    ada = visit(size="landscape", confirm="none", language="ru")
    table = ada.open_table(game, ["me", *["turtle"] * (most(game) - 1)], SHORT.get(game))
    ada.sit_down(table)
    play([ada])
    view = ada.view(table)
    assert ada.scores() == view["result"]["scores"]
