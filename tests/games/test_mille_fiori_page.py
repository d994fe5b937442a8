"""The page draws the board of Mille Fiori that the rules know, and has words for all that happens on it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from laguna.games.mille_fiori import components as box
from laguna.games.mille_fiori.events import FACTS

PAGE = Path(__file__).parents[2] / "web" / "src" / "games" / "mille-fiori"
BOARD = (PAGE / "board.ts").read_text(encoding="utf-8")


def data(name: str) -> str:
    """What board.ts says a constant is."""
    found = re.search(rf"\bconst {name}\b[^=]*= (.*?);", BOARD, re.DOTALL)
    assert found, name
    return found[1]


def words(text: str) -> list[str]:
    return re.findall(r'"(\w+)"', text)


def numbers(text: str) -> list[int]:
    return list(map(int, re.findall(r"\d+", text)))


def types_of(area: int) -> list[str]:
    return [box.TYPES[kind] for kind in box.CELL_TYPE[area == box.AREA_OF]]


def test_m1_each_type_of_card_goes_to_its_area() -> None:
    drawn = dict(re.findall(r'(\w+): "(\w+)"', data("AREA_OF_TYPE")))
    assert drawn == {kind: box.AREAS[area] for kind, area in zip(box.TYPES, box.AREA_OF_TYPE, strict=True)}


def test_m3_the_groups_in_their_order() -> None:
    assert tuple(words(data("GROUPS"))) == box.GROUPS


def test_m14_the_workshops_and_where_they_lie() -> None:
    rows = [line for line in data("WORKSHOPS").splitlines() if '"' in line]
    assert [numbers(row) for row in rows] == [list(row) for row in box.WORKSHOP_X]
    assert [kind for row in rows for kind in words(row)] == types_of(box.WORKSHOPS)


def test_m17_the_workshops_around_each_symbol_in_the_order_of_the_view() -> None:
    assert numbers(data("TRIPLES")) == [cell for triple in box.TRIPLES for cell in triple]


def test_m18_the_numbers_of_the_residences() -> None:
    assert numbers(data("NUMBERS")) == box.RESIDENCE_NUMBERS.tolist()


def test_m22_the_symbols_of_the_pyramids() -> None:
    assert words(data("NOBLES")) == types_of(box.NOBLES)
    assert words(data("COMMONERS")) == types_of(box.COMMONERS)


def test_m27_the_goods_in_their_order() -> None:
    assert tuple(words(data("GOODS"))) == box.GOOD_NAMES


@pytest.mark.parametrize("language", ["en", "ru", "it"])
def test_every_kind_of_event_has_words(language: str) -> None:
    known = json.loads((PAGE / "words" / f"{language}.json").read_text(encoding="utf-8"))["event"]
    keys = [facts.key for facts in FACTS]
    assert len(set(keys)) == len(keys)
    assert set(keys) == set(known)
