"""How much was fed, in how many runs: a line of JSON for each, so that a long run may be interrupted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec


class Feeding(msgspec.Struct):
    """One worker's work."""

    target: str
    inputs: int
    seed: int
    guided: bool  # by coverage
    seconds: float  # of processor time
    megabytes: int  # the most memory that it had
    found: str | None = None  # the file with the input that failed


def read(path: Path) -> list[Feeding]:
    if not path.is_file():
        return []
    return [msgspec.json.decode(line, type=Feeding) for line in path.read_bytes().splitlines() if line]


def add(path: Path, feeding: Feeding) -> None:
    with path.open("ab") as file:
        file.write(msgspec.json.encode(feeding) + b"\n")


def table(feedings: Iterable[Feeding]) -> str:
    """The totals by target, as a table in Markdown."""
    by_target: dict[str, list[Feeding]] = {}
    for each in feedings:
        by_target.setdefault(each.target, []).append(each)
    lines = ["| target | inputs | seconds | µs each | MB at most | found |", "|---|--:|--:|--:|--:|--:|"]
    for name in sorted(by_target):
        lines.append(_row(name, by_target[name]))
    return "\n".join([*lines, _row("**all**", [each for some in by_target.values() for each in some])])


def _row(name: str, feedings: list[Feeding]) -> str:
    inputs, seconds = sum(each.inputs for each in feedings), sum(each.seconds for each in feedings)
    most = max((each.megabytes for each in feedings), default=0)
    found = sum(each.found is not None for each in feedings)
    each = 1e6 * seconds / max(inputs, 1)
    return f"| {name} | {inputs:,} | {seconds:,.0f} | {each:.0f} | {most} | {found} |"
