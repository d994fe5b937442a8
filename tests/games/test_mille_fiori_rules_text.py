"""The tables and the plan in the rules text of Mille Fiori say what the components say, in each language."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console
from rich.markdown import Markdown

from laguna.games.mille_fiori import components as box
from laguna.games.mille_fiori.names import CELL_NAMES, CELL_NUMBERS
from laguna.rulebook import PLACES, rules_text
from tests.games.mille_fiori_text import (
    CARDS,
    FLEETS,
    ID,
    LANGUAGES,
    ROWS,
    WORKSHOPS,
    Board,
    listed,
    tables_in,
    text_in,
)

SVG = "{http://www.w3.org/2000/svg}"
WORDS = Path(__file__).parents[2] / "web" / "src" / "games" / ID / "words"

in_each_language = pytest.mark.parametrize("language", LANGUAGES)


def page_words(language: str) -> Any:
    return json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))


def shown_on(cell: str) -> str:
    return str(box.TYPES[box.CELL_TYPE[CELL_NUMBERS[cell]]])


@in_each_language
def test_m1_the_table_of_wheels(language: str) -> None:
    words = page_words(language)
    rows = tables_in(language)[CARDS][1:]
    assert {kind.strip("`"): tuple(map(int, listed(wheels))) for _, kind, _, _, wheels in rows} == box.WHEELS
    for word, kind, area, count, wheels in rows:
        code = kind.strip("`")
        assert word == words["card"][code].lower()
        assert area == words["area"][box.AREAS[box.AREA_OF_TYPE[box.TYPES.index(code)]]].lower()
        assert int(count) == len(listed(wheels))


@in_each_language
def test_m13_the_table_of_bonus_cells(language: str) -> None:
    board = Board(tables_in(language))
    assert list(board.bonus_needs.values()) == box.BONUS_NEEDS.tolist()
    assert list(board.bonus_points.values()) == [box.BONUS_POINTS.tolist()] * box.BONUS_GROUPS


@in_each_language
def test_m14_the_table_of_workshops(language: str) -> None:
    rows = tables_in(language)[WORKSHOPS][1:]
    shows = Board(tables_in(language)).shows
    assert [row[0] for row in rows] == [f"W{cell}" for cell in range(30)]
    for cell, (name, _, touches, around) in enumerate(rows):
        assert shows[name] == shown_on(name)
        assert listed(touches) == [f"W{other}" for other in box.NEIGHBORS[cell]]
        [triple] = [triple for triple in box.TRIPLES if cell in triple]
        assert listed(around) == [f"W{other}" for other in triple if other != cell]


@in_each_language
def test_m18_the_tables_of_residences(language: str) -> None:
    shown = {name: int(number) for name, number in Board(tables_in(language)).shows.items() if name[0] == "R"}
    assert list(shown) == [f"R{cell}" for cell in range(20)]
    assert list(shown.values()) == box.RESIDENCE_NUMBERS.tolist()


@in_each_language
def test_m22_the_table_of_the_pyramids(language: str) -> None:
    board = Board(tables_in(language))
    names = [name for name in CELL_NAMES if name[0] in "NC"]
    assert {name: board.shows[name] for name in names} == {name: shown_on(name) for name in names}
    for name in names:
        points = box.LEVEL_POINTS[(CELL_NUMBERS[name] - box.FIRST[box.NOBLES]) % box.PYRAMID]
        assert (board.level_points[name[1]], board.emblem_points[name[1]]) == (points, 2 * points)


@in_each_language
def test_m32_the_table_of_rows(language: str) -> None:
    for row, (ships, *goods) in enumerate(tables_in(language)[ROWS][1:]):
        assert listed(ships) == [f"H{row}{ship}" for ship in range(box.SHIPS)]
        assert goods == [f"T{good}{row}" for good in box.GOOD_NAMES]


@in_each_language
def test_m32_the_table_of_fleets(language: str) -> None:
    goods, points = tables_in(language)[FLEETS]
    assert list(map(int, goods[1:])) == list(range(5))
    assert list(map(int, points[1:])) == box.FLEET_POINTS.tolist()


@in_each_language
def test_m34_the_tables_of_the_sea_route(language: str) -> None:
    board = Board(tables_in(language))
    assert list(board.sea_points) == list(range(1, box.SEA_END + 1))
    assert [0, *board.sea_points.values()] == box.SEA_POINTS.tolist()
    assert tuple(board.sea_extra_cards) == box.SEA_EXTRA_CARDS


def test_the_drawing_shows_every_cell() -> None:
    [folder] = [place for place in PLACES if (place / f"{ID}.svg").is_file()]
    assert all(f"]({ID}.svg)" in text_in(language) for language in LANGUAGES)
    drawing = ElementTree.parse(folder / f"{ID}.svg").getroot()
    shown = {
        group.get("id"): [text.text for text in group.iter(f"{SVG}text")] for group in drawing.iter(f"{SVG}g")
    }
    numbers = {f"R{cell}": str(number) for cell, number in enumerate(box.RESIDENCE_NUMBERS.tolist())}
    for name in CELL_NAMES:
        shows = "ship" if name[0] == "H" else numbers.get(name, shown_on(name))
        assert shown.pop(name) == [shows, name]
    for space, points in enumerate(box.SEA_POINTS.tolist()):
        assert shown.pop(f"S{space}") == ["start" if space == 0 else str(points), str(space)]
    assert shown == {}


def test_the_text_is_readable_in_a_terminal() -> None:
    """A terminal names the drawing in words and draws the tables."""
    printed = io.StringIO()
    Console(file=printed, width=100, force_terminal=True).print(Markdown(rules_text(ID)))
    lines = printed.getvalue()
    assert "The board, drawn as a plan" in lines and "![" not in lines
    assert "|---" not in lines and "W13, W14" in lines
