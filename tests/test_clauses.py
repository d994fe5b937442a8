"""Every clause of every rules text has a test that is named after it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from laguna.games import rulebooks
from laguna.rulebook import clauses

TESTS = Path(__file__).parent / "games"


@pytest.mark.parametrize("game", list(rulebooks()))
def test_every_clause_has_a_test(game: str) -> None:
    named = set()
    for path in TESTS.glob(f"test_{game.replace('-', '_')}*.py"):
        named |= set(
            re.findall(r"^def test_([a-z]\d+[a-z]?)_", path.read_text(encoding="utf-8"), re.MULTILINE)
        )
    assert {clause.lower() for clause in clauses(game)} - named == set()


@pytest.mark.parametrize("game", list(rulebooks()))
def test_every_clause_that_code_cites_can_be_read(game: str) -> None:
    known = clauses(game)
    letter = next(iter(known))[0]
    folder = rulebooks()[game].path
    cited = set()
    for path in folder.glob("*.py"):
        cited |= set(re.findall(rf"\b{letter}\d+[a-z]?\b", path.read_text(encoding="utf-8")))
    assert cited and cited <= set(known)
