"""The rules texts say the same in every language: clauses, references, tables, drawings. So do the guides."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import laguna

RULES = Path(__file__).parents[1] / "docs" / "rules"
DRAWINGS = RULES / "drawings"
GAMES = list(laguna.games())
LANGUAGES = ("en", "ru", "it")

# Every text is compared with the first language's.
MODEL = LANGUAGES[0]
in_every_language = pytest.mark.parametrize("language", LANGUAGES)
of_every_game = pytest.mark.parametrize("game", GAMES)


def rules(game: str, language: str) -> str:
    return (RULES / f"{game}.{language}.md").read_text(encoding="utf-8")


def guide(game: str, language: str) -> str:
    return (RULES / f"{game}.guide.{language}.md").read_text(encoding="utf-8")


def clauses(text: str) -> list[tuple[str, str]]:
    """Each clause, in order: its id and what it says."""
    return re.findall(r"^- \*\*([A-Z]\d+[a-z]?)\*\* (.*(?:\n  .*)*)", text, re.MULTILINE)


def ids(game: str, language: str) -> list[str]:
    return [name for name, _ in clauses(rules(game, language))]


def citations(game: str, text: str) -> list[str]:
    """The clauses that a text cites; cells have other letters than clauses (W12, Rc3)."""
    letter = ids(game, MODEL)[0][0]
    return re.findall(rf"\b{letter}\d+[a-z]?\b", text)


def tables(text: str) -> list[list[list[str]]]:
    """Each table, row by row, without the line below its heading."""
    found = []
    for part in text.split("\n\n"):
        if part.startswith("|"):
            lines = [line for line in part.splitlines() if not line.startswith("|---")]
            found.append([[cell.strip() for cell in line.strip("|").split("|")] for line in lines])
    return found


def marks(cell: str) -> list[str]:
    """What no translation changes in a cell of a table: code, ids such as W12 and Nt0, numbers."""
    return re.findall(r"`[^`]+`|\b[A-Z][a-z]*\d+\b|−?\b\d+\b", cell)


def drawings(text: str) -> list[str]:
    return re.findall(r"^!\[.+\]\((.+)\.svg\)$", text, re.MULTILINE)


@of_every_game
@in_every_language
def test_the_clauses_are_the_same_and_in_the_same_order(game: str, language: str) -> None:
    found = ids(game, language)
    assert found and found == ids(game, MODEL)
    assert len(set(found)) == len(found)


@of_every_game
@in_every_language
def test_each_clause_cites_the_same_clauses(game: str, language: str) -> None:
    cited, model = (
        {name: sorted(citations(game, said)) for name, said in clauses(rules(game, each))}
        for each in (language, MODEL)
    )
    assert cited == model
    assert {name for names in cited.values() for name in names} <= set(cited)


@of_every_game
@in_every_language
def test_tables_have_the_same_shape_and_numbers(game: str, language: str) -> None:
    found, model = (
        [[list(map(marks, row)) for row in table] for table in tables(rules(game, each))]
        for each in (language, MODEL)
    )
    assert found and found == model


@of_every_game
@in_every_language
def test_the_same_drawings_are_shown(game: str, language: str) -> None:
    for text in (rules, guide):
        shown = drawings(text(game, language))
        assert shown and shown == drawings(text(game, MODEL))


@of_every_game
@in_every_language
def test_every_drawing_is_a_plan_or_a_position_that_can_occur(game: str, language: str) -> None:
    for name in drawings(rules(game, language) + guide(game, language)):
        if name == game:  # the plan of the board, drawn by hand
            assert (RULES / f"{name}.svg").is_file()
            continue
        assert name.startswith(f"{game}-")
        drawing = json.loads((DRAWINGS / f"{name}.json").read_text(encoding="utf-8"))
        shown = laguna.from_position(game, drawing["position"])
        assert shown.view(drawing["seat"])["game"] == game
        assert all(isinstance(spot, str) for spot in drawing["mark"])


@of_every_game
def test_every_position_is_shown_somewhere(game: str) -> None:
    """But for examples of options, which the page shows (tests/test_options_by_example.py)."""
    shown = set(drawings(rules(game, MODEL) + guide(game, MODEL)))
    drawn = {path.stem for path in DRAWINGS.glob(f"{game}-*.json")}
    assert {name for name in drawn if not name.startswith(f"{game}-option-")} <= shown


@of_every_game
@in_every_language
def test_the_guide_is_one_page_and_cites_clauses_that_exist(game: str, language: str) -> None:
    text = guide(game, language)
    prose = re.sub(r"^!\[.*$", "", text, flags=re.MULTILINE)  # without what stands for the drawings
    assert 200 <= len(prose.split()) <= 550
    cited = citations(game, text)
    assert cited and set(cited) <= set(ids(game, language))
    assert clauses(text) == []


@of_every_game
@in_every_language
def test_rulings_are_not_remarks_within_clauses(game: str, language: str) -> None:
    """What the published rules leave open has a section of its own."""
    assert "Ruling:" not in rules(game, language) + guide(game, language)
