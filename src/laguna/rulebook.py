"""The rules texts with their clause ids, from docs/rules (in a wheel: laguna/rules)."""

from __future__ import annotations

import re
from pathlib import Path

from laguna.errors import BadOption, LagunaError

PACKAGE = Path(__file__).resolve().parent
PLACES = (PACKAGE / "rules", PACKAGE.parent.parent / "docs" / "rules")


def rules_text(game: str) -> str:
    """The full rules text of a game."""
    for place in PLACES:
        if (place / f"{game}.md").is_file():
            return (place / f"{game}.md").read_text(encoding="utf-8")
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
