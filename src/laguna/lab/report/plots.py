"""The plots of a report, all in one style, in the colors of the page.

Nothing is told by color alone: everything has a label or a pattern of its own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from laguna.lab.report.comparison import Comparison, Outcome
from laguna.lab.report.findings import Findings, Spread, margins, undivided
from laguna.lab.report.replay import Row
from laguna.lab.report.statistics import Interval
from laguna.lab.report.wording import number, percent, signed, significant
from laguna.lab.results import Results

# As in web/src/page.css; on a page these colors are variables, which are others in the dark.
COLORS = {"ink": "#1d2b33", "soft": "#56656d", "line": "#d9cfbd", "lagoon": "#0f5c6e", "sheet": "#fffdf8",
          "violet": "#6b2fa8", "water": "#a9ccd3"}  # fmt: skip
STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": COLORS["line"],
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.labelcolor": COLORS["soft"],
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "figure.facecolor": COLORS["sheet"],
    "font.family": "sans-serif",
    "font.size": 10,
    "grid.color": COLORS["line"],
    "grid.linewidth": 0.7,
    "hatch.color": COLORS["lagoon"],
    "hatch.linewidth": 0.8,
    "svg.fonttype": "none",  # text stays text: small, and read out by screen readers
    "svg.hashsalt": "laguna",
    "text.color": COLORS["ink"],
    "xtick.color": COLORS["soft"],
    "ytick.color": COLORS["ink"],
    "ytick.left": False,
}
WIDTH, ROW, FRAME = 7.0, 0.34, 0.75  # inches: of a plot, of a line in it, and of what is around the lines
HEIGHT = 2.9
MOST_ROWS = 24
BINS = 30

ROUND = [1, 2, 5, 10]  # steps between numbers on an axis that need few digits

Plots = dict[str, Figure]


def plots_of(found: Findings, results: Results) -> Plots:
    """All plots about one results file, by name."""
    with rc_context(STYLE):
        plots = {"seats": _seats(found)}
        if len(found.bots) > 1:
            plots["bots"] = _bots(found)
        plots["scores"] = _scores(found)
        plots["winners"] = _winners(results)
        decided = undivided(results)
        if decided.any():
            plots["margins"] = _histogram(margins(results)[decided], "the winners' lead in points")
        plots["length"] = _histogram(results.actions, "actions in a game")
        plots["choices"] = _histogram(
            results.choices / results.actions, "choices per decision, mean of a game"
        )
        if len(found.points) > 1:
            plots["points"] = _points(found.points)
        return plots


def plot_of(comparison: Comparison) -> Figure:
    """The effects of a change with their intervals, in units of the spread of a deal."""
    with rc_context(STYLE):
        return _effects(comparison)


# ------------------------------------------------------------------ one figure each


def _seats(found: Findings) -> Figure:
    names = [seat.name for seat in found.seats]
    figure, axes = _lines(names, "share of the wins")
    _dots(axes, [seat.wins for seat in found.seats], "o", COLORS["lagoon"], percent)
    _fair(axes, found.fair_share)
    return figure


def _bots(found: Findings) -> Figure:
    figure, axes = _lines([bot.name for bot in found.bots], "share of the wins, for each of its seats")
    _dots(axes, [bot.wins for bot in found.bots], "o", COLORS["lagoon"], percent)
    _fair(axes, found.fair_share)
    return figure


def _fair(axes: Axes, share: float) -> None:
    axes.axvline(share, color=COLORS["violet"], linestyle="--", linewidth=1.2)
    axes.annotate(f"fair: {percent(share)}", (share, 1), xycoords=("data", "axes fraction"), xytext=(4, 2),
                  textcoords="offset points", color=COLORS["violet"], fontsize=9)  # fmt: skip
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=None, symbol=" %"))


def _scores(found: Findings) -> Figure:
    """Boxes: half of all games, with lines to nine of ten."""
    spreads: list[tuple[str, Spread]] = [(seat.name, seat.score) for seat in found.seats]
    spreads.append(("winners", found.winners))
    if found.others:
        spreads.append(("others", found.others))
    figure, axes = _lines([name for name, _ in spreads], "final score")
    for place, (name, spread) in enumerate(spreads):
        low, quarter, middle, three, high = spread.quantiles
        hatch = {"winners": "////", "others": "...."}.get(name)
        axes.hlines(place, low, high, color=COLORS["soft"], linewidth=1.2)
        box: dict[str, Any] = {"height": 0.5, "facecolor": COLORS["water"], "edgecolor": COLORS["lagoon"]}
        axes.barh(place, three - quarter, left=quarter, hatch=hatch, **box)
        axes.vlines(middle, place - 0.25, place + 0.25, color=COLORS["ink"], linewidth=2.5)
        axes.annotate(number(middle), (middle, place - 0.27), ha="center", va="bottom", fontsize=8)
    return figure


def _winners(results: Results) -> Figure:
    """The scores of winners and of all others, one over the other."""
    scores, won = results.scores, results.winners
    figure = Figure(figsize=(WIDTH, HEIGHT))
    axes = figure.add_subplot()
    bins = _bins(scores.ravel())
    looks: dict[str, dict[str, Any]] = {
        "others": {"color": COLORS["soft"], "linestyle": "--"},
        "winners": {"color": COLORS["lagoon"], "hatch": "////"},
    }
    for (name, look), values in zip(looks.items(), (scores[~won], scores[won]), strict=True):
        if len(values):
            heights, _ = np.histogram(values, bins)
            shares = heights / len(values)
            axes.stairs(shares, bins, linewidth=1.8, fill=False, **look)
            top = int(np.argmax(shares))
            place = ((bins[top] + bins[top + 1]) / 2, shares[top])
            above: dict[str, Any] = {"xytext": (0, 4), "textcoords": "offset points", "ha": "center"}
            axes.annotate(name, place, color=look["color"], **above)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    _finish(axes, "final score", "share of the seats")
    return figure


def _histogram(values: npt.NDArray[Any], label: str) -> Figure:
    figure = Figure(figsize=(WIDTH, HEIGHT))
    axes = figure.add_subplot()
    bins = _bins(values)
    heights, _ = np.histogram(values, bins)
    axes.stairs(heights / len(values), bins, fill=True, facecolor=COLORS["water"], edgecolor=COLORS["lagoon"])
    middle = float(np.mean(values))
    axes.axvline(middle, color=COLORS["violet"], linestyle="--", linewidth=1.2)
    axes.annotate(f"mean {number(middle)}", (middle, 1), xycoords=("data", "axes fraction"), xytext=(4, 2),
                  textcoords="offset points", color=COLORS["violet"], fontsize=9)  # fmt: skip
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=_are_whole(values)))
    _finish(axes, label, "share of the games")
    return figure


def _bins(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Edges around whole numbers if there are few of them, otherwise equal parts."""
    low, high = float(values.min()), float(values.max())
    if _are_whole(values):
        step = max(1, round((high - low) / BINS))
        return np.arange(low - 0.5, high + 0.5 + step, step)
    return np.linspace(low, high if high > low else low + 1, BINS + 1)


def _are_whole(values: npt.NDArray[Any]) -> bool:
    return np.array_equal(values, np.round(values))


def _finish(axes: Axes, across: str, up: str) -> None:
    axes.grid(visible=True, axis="y")
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.margins(y=0.12)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=None, symbol=" %"))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=ROUND))


def _points(rows: Sequence[Row]) -> Figure:
    """Winners (filled) beside others (open) for each source of points."""
    shown = rows[:MOST_ROWS]
    figure, axes = _lines(
        [row.label for row in shown],
        "points per seat and game   ● winners   □ others   (right: winners ahead by)",
    )
    for place, row in enumerate(shown):
        if row.winners and row.others:
            ends = (row.winners.value, row.others.value)
            axes.hlines(place, min(ends), max(ends), color=COLORS["line"], linewidth=3)
    winners = [row.winners or row.mean for row in shown]
    _dots(axes, [row.others or row.mean for row in shown], "s", COLORS["soft"], None, filled=False)
    _dots(axes, winners, "o", COLORS["lagoon"], None)
    for place, row in enumerate(shown):
        if row.ahead:
            _beside(axes, place, signed(row.ahead.value), significant(row.p))
    return figure


def _effects(comparison: Comparison) -> Figure:
    shown = [each for each in comparison.outcomes if each.difference.effect is not None][:MOST_ROWS]
    title = f"effect of {comparison.thing} {comparison.after} instead of {comparison.before}"
    figure, axes = _lines(
        [each.name for each in shown], f"{title},\nin standard deviations (0.2 small, 0.8 large)"
    )
    axes.axvline(0, color=COLORS["violet"], linestyle="--", linewidth=1.2)
    for place, each in enumerate(shown):
        clear = significant(each.p)
        interval = _in_spreads(each)
        _dots(axes, [interval], "o", COLORS["lagoon"], None, filled=clear, first=place)
        _beside(axes, place, signed(each.difference.change.value, each.is_share), clear)
    return figure


def _in_spreads(outcome: Outcome) -> Interval:
    change, effect = outcome.difference.change, outcome.difference.effect or 0.0
    unit = effect / change.value if change.value else 0.0
    low, high = (None if end is None else end * unit for end in (change.low, change.high))
    return Interval(effect, low, high)


# ------------------------------------------------------------------ parts of plots


def _beside(axes: Axes, place: int, text: str, clear: bool) -> None:
    """A change, to the right of its line; significant ones have a star."""
    where: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    text = f"{text} *" if clear else text
    axes.annotate(text, (1, place), xytext=(6, 0), fontsize=9, va="center", annotation_clip=False, **where)


def _lines(names: Sequence[str], label: str) -> tuple[Figure, Axes]:
    """A plot with a line for each name, the first on top."""
    figure = Figure(figsize=(WIDTH, FRAME + ROW * max(len(names), 2)))
    axes = figure.add_subplot()
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(7, steps=ROUND))
    return figure, axes


def _dots(
    axes: Axes,
    intervals: Sequence[Interval],
    marker: str,
    color: str,
    say: Any,
    *,
    filled: bool = True,
    first: int = 0,
) -> None:
    """A dot with its interval on each line, and its number beside it."""
    for place, interval in enumerate(intervals, first):
        if interval.low is not None and interval.high is not None:
            axes.hlines(place, interval.low, interval.high, color=color, linewidth=1.8)
        face = color if filled else COLORS["sheet"]
        axes.plot(interval.value, place, marker, color=color, markerfacecolor=face, markersize=7)
        if say:
            axes.annotate(say(interval.value), (interval.value, place), xytext=(0, 7), ha="center",
                          textcoords="offset points", fontsize=9)  # fmt: skip


# ------------------------------------------------------------------ as files, and within a page


def as_svg(figure: Figure) -> str:
    """A standalone SVG, the same for the same figure."""
    return _written(figure, "svg").decode()


def as_png(figure: Figure) -> bytes:
    return _written(figure, "png", dpi=160)


def _written(figure: Figure, kind: str, **how: Any) -> bytes:
    file = io.BytesIO()
    unnamed = (
        {"Date": None, "Creator": None, "Format": None, "Type": None} if kind == "svg" else {"Software": None}
    )
    with rc_context(STYLE):
        figure.savefig(file, format=kind, metadata=unnamed, **how)
    return file.getvalue()


def inline(figure: Figure, name: str, label: str) -> str:
    """The SVG as an element of a page: the page's colors, its own ids, a label for screen readers."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", as_svg(figure), flags=re.DOTALL)
    start, inside = re.split(r"(?<=>)", svg[svg.index("<svg") :], maxsplit=1)
    box = re.search(r'viewBox="[^"]*"', start)
    used = set(re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', inside))
    inside = re.sub(
        r' id="([^"]+)"', lambda each: f' id="{name}-{each[1]}"' if each[1] in used else "", inside
    )
    inside = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{name}-\1"', inside)
    inside = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", inside)
    for variable, color in COLORS.items():
        inside = inside.replace(color, f"var(--{variable})")
    return f'<svg role="img" aria-label="{escape(label)}" {box[0] if box else ""}>{inside}'
