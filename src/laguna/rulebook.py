"""The rules texts with their clause ids: docs/rules (in a wheel laguna/rules), or a game's own `rules.md`."""

from __future__ import annotations

import re
from pathlib import Path

from laguna.errors import BadOption, LagunaError
from laguna.games import find

PACKAGE = Path(__file__).resolve().parent
PLACES = (PACKAGE / "rules", PACKAGE.parent.parent / "docs" / "rules")


def rules_text(game: str) -> str:
    """The full rules text of a game."""
    for path in [*(place / f"{game}.en.md" for place in PLACES), find(game).path / "rules.md"]:
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise LagunaError("no-rules-text", f"The rules text of {game} is not installed.")


def clauses(game: str) -> dict[str, str]:
    """Each clause of a game by its id."""
    found = re.findall(r"^- \*\*([A-Z]\d+[a-z]?)\*\* (.*(?:\n  .*)*)", rules_text(game), re.MULTILINE)
    return {name: re.sub(r"\s+", " ", text) for name, text in found}


def clause_text(game: str, name: str) -> str:
    """One clause; its id is not case-sensitive."""
    known = clauses(game)
    for clause, text in known.items():
        if clause.lower() == name.lower():
            return f"{clause}: {text}"
    first, *_, last = known
    raise BadOption("unknown-clause", f"There is no clause {name!r:.20}; the clauses are {first} to {last}.")
