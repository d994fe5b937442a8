"""Small pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

DO_NOT_EDIT = "<!-- Written by `make references`: do not edit. -->"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> str:
    """A table; `align` has a letter for each column, r for numbers."""
    marks = ["---:" if letter == "r" else "---" for letter in align.ljust(len(head), "l")]
    lines = [head, marks, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines)


def list_of(kind: str) -> str:
    """A list of things of that kind: "list of texts", "list of objects with `seat`"."""
    word, _, rest = kind.partition(" ")
    if kind in ("text", "number", "whole number"):
        return f"list of {kind}s"
    if word in ("list", "object"):
        return f"list of {word}s {rest}".rstrip()
    return f"list of {kind}" if kind else "list"
