"""The rules texts with their clause ids: docs/rules (in a wheel laguna/rules), or a game's own files.

A game has its full rules as `GAME.LANGUAGE.md` and a short guide as `GAME.guide.LANGUAGE.md`. A game of
another package keeps them in its folder as `rules.LANGUAGE.md` and `guide.LANGUAGE.md`; `rules.md` is
English.
"""

from __future__ import annotations

import re
from pathlib import Path

from laguna.errors import BadOption, LagunaError
from laguna.games import find
from laguna.games.contract import LANGUAGES

PACKAGE = Path(__file__).resolve().parent
PLACES = (PACKAGE / "rules", PACKAGE.parent.parent / "docs" / "rules")

_CLAUSE = re.compile(r"^- \*\*([A-Z]\d+[a-z]?)\*\* (.*(?:\n  .*)*)", re.MULTILINE)


def rules_text(game: str, language: str = "en") -> str:
    """The full rules of a game; in English if they have not been translated."""
    path = _path(game, "rules", language) or _path(game, "rules", "en")
    if path is None:
        raise LagunaError("no-rules-text", f"The rules text of {game} is not installed.")
    return path.read_text(encoding="utf-8")


def guide_text(game: str, language: str = "en") -> str | None:
    """The short guide to a game; in English if it has not been translated, None if there is none."""
    path = _path(game, "guide", language) or _path(game, "guide", "en")
    return path.read_text(encoding="utf-8") if path else None


def language_of_rules(game: str, language: str) -> str:
    """The language in which `rules_text` has the rules for who asks for this one."""
    return language if _path(game, "rules", language) else "en"


def _path(game: str, kind: str, language: str) -> Path | None:
    if language not in LANGUAGES:
        raise BadOption(
            "language", f"There are no rules in {language!r:.20}; the languages are {', '.join(LANGUAGES)}."
        )
    name = f"{game}.{language}.md" if kind == "rules" else f"{game}.{kind}.{language}.md"
    own = find(game).path
    paths = [*(place / name for place in PLACES), own / f"{kind}.{language}.md"]
    if language == "en":
        paths.append(own / f"{kind}.md")
    return next((path for path in paths if path.is_file()), None)


def clauses(game: str, language: str = "en") -> dict[str, str]:
    """Each clause of a game by its id."""
    found = _CLAUSE.findall(rules_text(game, language))
    return {name: re.sub(r"\s+", " ", text) for name, text in found}


def sections(game: str, language: str = "en") -> dict[str, str]:
    """The heading above each clause of a game, by the clause's id."""
    _, *parts = re.split(r"^## (.+)$", rules_text(game, language), flags=re.MULTILINE)
    return {
        name: head
        for head, text in zip(parts[::2], parts[1::2], strict=True)
        for name, _ in _CLAUSE.findall(text)
    }


def clause_text(game: str, name: str, language: str = "en") -> str:
    """One clause; its id is not case-sensitive."""
    known = clauses(game, language)
    for clause, text in known.items():
        if clause.lower() == name.lower():
            return f"{clause}: {text}"
    first, *_, last = known
    raise BadOption("unknown-clause", f"There is no clause {name!r:.20}; the clauses are {first} to {last}.")


def clauses_with(game: str, words: str, language: str = "en") -> list[str]:
    """The clauses that contain all these words, or words that begin with them."""
    wanted = words.lower().split()
    if not wanted:
        raise BadOption("search", "Give at least one word to look for.")
    known = clauses(game, language).items()
    texts = ((f"{clause}: {text}", re.findall(r"\w+", f"{clause} {text}".lower())) for clause, text in known)
    return [text for text, found in texts if all(any(f.startswith(w) for f in found) for w in wanted)]
