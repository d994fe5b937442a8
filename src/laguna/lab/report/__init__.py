"""A report about simulated games: figures with intervals, plots, maps, and what a change does.

>>> from laguna.lab.report import make_report
>>> report = make_report(["greedy.parquet"])  # doctest: +SKIP
>>> print(report.html)  # doctest: +SKIP

It needs the extra `lab`, and for maps the extra `svg`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from laguna.errors import BadFile, BadOption, LagunaError, whole_number

if TYPE_CHECKING:
    from laguna.game import Game
    from laguna.lab.report.comparison import Comparison
    from laguna.lab.report.findings import Findings
    from laguna.lab.report.plots import Plots
    from laguna.lab.report.replay import Replayed
    from laguna.lab.results import Results

SAMPLE = 200
MIN_SAMPLE, MAX_SAMPLE = 2, 100_000
MAX_FILE_NAME = 40
NO_CODES = (
    "The results hold no actions (`laguna simulate --actions` keeps them), so nothing is said about where "
    "points come from, and there are no maps."
)
NEEDED = ("matplotlib", "scipy")

Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much


class Picture(NamedTuple):
    """A plot or a map."""

    svg: str  # that needs nothing else
    png: Callable[[], bytes]


@dataclass(frozen=True)
class Group:
    """Games that were played in the same way, and what was found out about them."""

    label: str
    results: Results
    findings: Findings
    replayed: Replayed | None
    plots: Plots
    maps: dict[str, str]  # standalone SVGs by name
    missing: str  # why there are no maps, and maybe nothing about what happened; empty if all is there

    @property
    def short(self) -> str:
        return file_name(self.label)

    def pictures(self) -> dict[str, Picture]:
        """Every plot and map by name, as a file of its own."""
        from laguna import drawing
        from laguna.lab.report import plots

        drawn = {
            name: Picture(plots.as_svg(each), partial(plots.as_png, each))
            for name, each in self.plots.items()
        }
        mapped = {name: Picture(svg, partial(drawing.as_png, svg)) for name, svg in self.maps.items()}
        return drawn | mapped


@dataclass(frozen=True)
class Report:
    """Everything that is known about some results files."""

    groups: list[Group]
    comparisons: list[Comparison]

    @property
    def html(self) -> str:
        """The report as a page that needs nothing else."""
        from laguna.lab.report.page import page_of

        return page_of(self)

    def as_json(self) -> dict[str, Any]:
        """All numbers, as JSON-safe data; intervals are of 95 %."""
        data: dict[str, Any] = msgspec.to_builtins(
            {
                "groups": [
                    {"label": group.label, **msgspec.to_builtins(group.findings)} for group in self.groups
                ],
                "comparisons": self.comparisons,
            }
        )
        return data

    def pictures(self) -> dict[str, Picture]:
        """Every plot and map by name, as a file of its own."""
        from laguna.lab.report import plots

        several = len(self.groups) > 1
        found = {
            f"{group.short}-{name}" if several else name: picture
            for group in self.groups
            for name, picture in group.pictures().items()
        }
        for comparison in self.comparisons:
            figure = plots.plot_of(comparison)
            found[f"effect-{file_name(comparison.after)}"] = Picture(
                plots.as_svg(figure), partial(plots.as_png, figure)
            )
        return found


def make_report(
    files: Sequence[str | Path], sample: int = SAMPLE, progress: Progress = lambda task, done, total: None
) -> Report:
    """Read results files and find out what they say; several are compared with the first one.

    Files that were played in the same way count as one. At most `sample` games of each are played again to
    see what happened in them.
    """
    _check_installed()
    most = whole_number(sample, "The sample", MIN_SAMPLE, MAX_SAMPLE, "sample")
    from laguna.lab.report.comparison import compare, setup_of, the_difference

    parts = _read(files)
    setups = [setup_of(part) for part in parts]
    thing = the_difference(setups)
    groups = [
        _group(str(setup[thing]) if thing else part.head.book.meta.title, part, most, progress)
        for part, setup in zip(parts, setups, strict=True)
    ]
    compared = [(group.label, group.results, group.replayed) for group in groups]
    return Report(groups, compare(thing, compared) if thing else [])


def _check_installed() -> None:
    if not all(find_spec(name) for name in NEEDED):
        raise LagunaError("no-lab", "Reports need more libraries: pip install 'laguna-table[lab]'.")


def _read(files: Sequence[str | Path]) -> list[Results]:
    """The results, one for each way of playing, in the order in which they come first."""
    from laguna.lab.report.comparison import setup_of
    from laguna.lab.results import concat, read

    if isinstance(files, str | Path) or not files:
        raise BadOption("files", "Name one or more results files.")
    together: list[list[Results]] = []
    for file in files:
        found = read(file)
        first = together[0][0].head.game if together else found.head.game
        if found.head.game != first:
            text = f"{str(file)!r} is about {found.head.game}, not about {first}; a report is about one game."
            raise BadFile("mixed-games", text)
        if len(set(found.seed.tolist())) < 2:
            raise BadFile("too-few", f"{str(file)!r} has games of fewer than two deals; a report needs more.")
        same = next((parts for parts in together if setup_of(parts[0]) == setup_of(found)), None)
        if same is None:
            together.append([found])
        else:
            same.append(found)
    return [concat(parts) for parts in together]


def _group(label: str, results: Results, most: int, progress: Progress) -> Group:
    from laguna.lab.report.findings import find_out
    from laguna.lab.report.plots import plots_of
    from laguna.lab.report.replay import replay, sample_of

    if results.codes is None:
        found = find_out(results, None)
        return Group(label, results, found, None, plots_of(found, results), {}, NO_CODES)
    missing = _why_no_maps(results)
    sample = sample_of(results, most)
    replayed = replay(sample, not missing, partial(progress, f"Playing again: {label}"))
    found = find_out(results, replayed)
    maps = {} if missing else _maps(results, found)
    return Group(label, results, found, replayed, plots_of(found, results), maps, missing)


def _why_no_maps(results: Results) -> str:
    """Empty if the board can be drawn."""
    from laguna import drawing

    try:
        drawing.check_possible()
        drawing.spots(results.head.book.meta.title, _set_up(results).view())
    except LagunaError as error:
        return f"There are no maps: {error}"
    return ""


def _set_up(results: Results) -> Game:
    """The first game before it begins."""
    from laguna.game import set_up

    head = results.head
    return set_up(head.game, head.players, int(results.seed[0]), None, head.options)


def _maps(results: Results, found: Findings) -> dict[str, str]:
    from laguna.lab.report import heat

    game = _set_up(results)
    maps = {}
    for name, rows in (("played", found.played_at), ("taken", found.taken_from)):
        if rows:
            maps[f"{name}-how-often"] = heat.frequency_map(game, rows)
            if any(heat.times_as_often(row, game.players) for row in rows):
                maps[f"{name}-by-winners"] = heat.winners_map(game, rows)
    return maps


def file_name(label: str) -> str:
    """A label as part of a file's name."""
    return re.sub(r"[^\w.-]+", "-", label).strip("-")[:MAX_FILE_NAME] or "other"
