"""The report as one HTML page that asks nothing of anybody: no script, no font, no picture from elsewhere."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from laguna.errors import LagunaError
from laguna.lab.report import plots
from laguna.lab.report.comparison import Comparison, effect_words, sentences
from laguna.lab.report.findings import Basis, Findings, Spread
from laguna.lab.report.heat import times_as_often
from laguna.lab.report.replay import Row
from laguna.lab.report.wording import chance, number, percent, signed, significant, within
from laguna.rulebook import clauses

if TYPE_CHECKING:
    from laguna.lab.report import Group, Report

SHOWN_SPOTS = 20
MAPS = {
    "played-how-often": "How often something is played on each spot, per game, all seats together.",
    "played-by-winners": "How many times as often winners play on a spot as others do: ▲ more, ▼ less; "
    "faint where it may be chance.",
    "taken-how-often": "How often something is taken or sinks on each spot, per game, all seats together.",
    "taken-by-winners": "How many times as often it is winners who take something there: ▲ more, ▼ less; "
    "faint where it may be chance.",
}
PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<style>$style</style>
</head>
<body>
<main>
<h1>$title</h1>
$body
</main>
</body>
</html>
""")
STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def page_of(report: Report) -> str:
    """The whole page."""
    first = report.groups[0].findings.basis
    title = f"{first.title}: {sum(group.findings.basis.games for group in report.groups):,} games"
    parts = [_contents(report)]
    parts += [_comparison(each, f"effect-{place}") for place, each in enumerate(report.comparisons)]
    for number_of, group in enumerate(report.groups):
        parts.append(_group(group, f"g{number_of}", with_label=len(report.groups) > 1))
    return PAGE.substitute(title=escape(title), style=STYLE, body="\n".join([*parts, _method()]))


def _contents(report: Report) -> str:
    links = [(f"g{place}", group.label) for place, group in enumerate(report.groups)]
    if len(links) < 2:
        return ""
    listed = "".join(f'<a href="#{name}">{escape(label)}</a>' for name, label in links)
    return f"<nav>{listed}</nav>"


# ------------------------------------------------------------------ one way of playing


def _group(group: Group, name: str, with_label: bool) -> str:
    found = group.findings
    parts = [
        f'<h2 id="{name}">{escape(group.label if with_label else "The games")}</h2>',
        _basis(found.basis),
    ]
    if group.missing:
        parts.append(f'<p class="note">{escape(group.missing)}</p>')
    for title, section in (
        ("What a seat is worth", _seats), ("Bots", _bots), ("Scores", _scores),
        ("Length and choices", _lengths), ("Where the points come from", _points), ("On the board", _maps),
        ("What happens in a game", _happenings),
    ):  # fmt: skip
        if told := section(group, name):
            parts += [f"<h3>{title}</h3>", told]
    return "\n".join(parts)


def _basis(basis: Basis) -> str:
    options = ", ".join(f"{name} = {value}" for name, value in basis.options.items()) or "none"
    rows = [
        ("games", f"{basis.games:,} of {basis.deals:,} deals (seeds {basis.seeds[0]} to {basis.seeds[1]})"),
        ("players", str(basis.players)),
        ("options", options),
        ("bots", ", ".join(basis.bots)),
        ("played by", f"Laguna {basis.program}, rules {basis.rules}"),
        ("looked into", f"{basis.replayed:,} games, played again" if basis.replayed else "no game"),
    ]
    return _table(["", "what the figures rest on"], [[name, escape(text)] for name, text in rows])


def _seats(group: Group, name: str) -> str:
    found = group.findings
    rows = [
        [escape(seat.name), within(seat.wins, True), _p(seat.p), within(seat.score.mean)]
        for seat in found.seats
    ]
    head = ["seat", "share of the wins", f"against {percent(found.fair_share)}", "mean score"]
    parts = [f"<p>{escape(seat_sentence(found))}</p>", _plot(group, name, "seats"), _table(head, rows)]
    if found.seats_by_bot:
        parts.append(
            '<p class="note">The bots differ and did not sit in all seats equally often, so what looks like '
            "an advantage of a seat may be one of a bot.</p>"
        )
    return "".join(parts)


def seat_sentence(found: Findings) -> str:
    """Whether seats differ."""
    told = []
    for what, p in (("how often they win", found.wins_differ), ("their mean score", found.scores_differ)):
        if p is None:
            told.append(f"Whether the seats differ in {what} cannot be tested with these games.")
        elif significant(p):
            told.append(f"The seats differ significantly in {what} ({chance(p)}).")
        else:
            told.append(f"No significant difference between the seats was found in {what} ({chance(p)}).")
    for seat in found.seats:
        if significant(seat.p):
            more = "more" if seat.wins.value > found.fair_share else "less"
            told.append(f"{seat.name} wins {percent(seat.wins.value)}, {more} than a fair share.")
    return " ".join(told)


def _bots(group: Group, name: str) -> str:
    bots = group.findings.bots
    if len(bots) < 2:
        return ""
    rows = [[escape(bot.name), f"{bot.games:,}", within(bot.wins, True), within(bot.score)] for bot in bots]
    return _plot(group, name, "bots") + _table(
        ["bot", "games", "share of the wins per seat", "mean score"], rows
    )


def _scores(group: Group, name: str) -> str:
    found = group.findings
    ends = _ends(found.ties.low, found.ties.high)
    told = f"Several players win {percent(found.ties.value)} of the games ({ends})."
    spreads: list[tuple[str, Spread | None]] = [(seat.name, seat.score) for seat in found.seats]
    spreads += [("winners", found.winners), ("others", found.others), ("winners' lead", found.margin)]
    return (
        f"<p>{told}</p>"
        + "".join(_plot(group, name, kind) for kind in ("scores", "winners", "margins"))
        + _spreads(spreads)
    )


def _ends(low: float | None, high: float | None) -> str:
    return (
        "too few games for an interval"
        if low is None or high is None
        else f"{percent(low)} to {percent(high)}"
    )


def _lengths(group: Group, name: str) -> str:
    found = group.findings
    rows = [("actions in a game", found.actions), ("choices per decision", found.choices)]
    return _plot(group, name, "length") + _plot(group, name, "choices") + _spreads(rows)


def _spreads(rows: Iterable[tuple[str, Spread | None]]) -> str:
    cells = [
        [escape(name), within(spread.mean), *map(number, spread.quantiles)] for name, spread in rows if spread
    ]
    return _table(["", "mean", "5 %", "25 %", "half", "75 %", "95 %"], cells)


def _points(group: Group, name: str) -> str:
    rows = group.findings.points
    if not rows:
        return ""
    note = _note_on_sample(group.findings.basis)
    return _plot(group, name, "points") + _rows(rows, group.findings, "points") + note


def _happenings(group: Group, name: str) -> str:
    found = group.findings
    if not found.happened:
        return ""
    note = _note_on_sample(found.basis)
    parts = [_rows(found.happened, found, "event"), note]
    if found.details:
        details = _rows(found.details, found, "event")
        parts.append(f"<details><summary>By the facts of the events</summary>{details}</details>")
    if named := _clauses(found):
        parts.append(f"<details><summary>The clauses named here</summary>{named}</details>")
    return "".join(parts)


def _clauses(found: Findings) -> str:
    """The clauses of the rules that the tables name."""
    try:
        known = clauses(found.basis.game)
    except LagunaError:  # a game without a rules text
        return ""
    named = dict.fromkeys(row.clause for row in [*found.points, *found.happened] if row.clause in known)
    lines = "".join(f"<li><b>{name}</b> {escape(known[name])}</li>" for name in named)
    return f"<ul>{lines}</ul>" if lines else ""


def _note_on_sample(basis: Basis) -> str:
    return (
        f'<p class="note">Per seat and game, from {basis.replayed:,} of the {basis.games:,} games. Bold: the '
        "winners of a game differ significantly from its others, all lines of the table considered.</p>"
    )


def _rows(rows: Sequence[Row], found: Findings, what: str) -> str:
    head = [what, "mean", *(seat.name for seat in found.seats), "winners", "others", "winners ahead"]
    cells: list[list[Cell]] = []
    for row in rows:
        ahead = "–" if row.ahead is None else f"{signed(row.ahead.value)} ({_range(row)})"
        mark = ' class="clear"' if significant(row.p) else ""
        cells.append(
            [
                escape(row.label),
                within(row.mean),
                *(number(seat.value) for seat in row.seats),
                number(row.winners.value) if row.winners else "–",
                number(row.others.value) if row.others else "–",
                (ahead, mark),
            ]
        )
    return _table(head, cells)


def _range(row: Row) -> str:
    if row.ahead is None or row.ahead.low is None or row.ahead.high is None:
        return "no interval"
    return f"{number(row.ahead.low)} to {number(row.ahead.high)}"


def _maps(group: Group, name: str) -> str:
    parts = [
        f'<figure><div class="scroll"><img alt="{escape(MAPS[kind])}" src="{_data(svg)}"></div>'
        f"<figcaption>{escape(MAPS[kind])}</figcaption></figure>"
        for kind, svg in group.maps.items()
    ]
    if not parts:
        return ""
    players = group.findings.basis.players
    clear = [row for row in group.findings.played_at if significant(row.p) and times_as_often(row, players)]
    told = "No spot is played on significantly more or less often by winners."
    if clear:
        spots = [
            f"{row.label} ({number(times_as_often(row, players) or 0)} times as often)"
            for row in clear[:SHOWN_SPOTS]
        ]
        told = f"Winners play significantly more or less often on: {', '.join(spots)}."
    note = (
        "The board is that of the first game at its beginning, without spots that come later; figures are "
        f"from {group.findings.basis.replayed:,} games. That winners play somewhere more often does not mean "
        "that they win because of it."
    )
    return f'<p>{escape(told)}</p>{"".join(parts)}<p class="note">{escape(note)}</p>'


def _data(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


# ------------------------------------------------------------------ what a change does


def _comparison(comparison: Comparison, name: str) -> str:
    title = f"{comparison.thing}: {comparison.after} instead of {comparison.before}"
    title = title[:1].upper() + title[1:]
    told = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences(comparison))
    how = "The same deals were played both ways and compared in pairs." if comparison.paired else (
        "Different deals were played, so they are compared as two groups."
    )  # fmt: skip
    figure = _figure(plots.inline(plots.plot_of(comparison), name, title))
    return f'<h2>{escape(title)}</h2><ul>{told}</ul>{figure}{_outcomes(comparison)}<p class="note">{how}</p>'


def _outcomes(comparison: Comparison) -> str:
    cells: list[list[Cell]] = []
    for each in comparison.outcomes:
        say = percent if each.is_share else number
        effect = "–" if each.difference.effect is None else signed(each.difference.effect)
        mark = ' class="clear"' if significant(each.p) else ""
        change = within(each.difference.change, each.is_share)
        cells.append(
            [escape(each.name), say(each.before), say(each.after), (change, mark), effect, _p(each.p)]
        )
    head = ["", comparison.before, comparison.after, "change", "effect (d)", "corrected"]
    return _table(head, cells)


def _method() -> str:
    return f"""<h2>How to read this</h2>
<ul>
<li>Intervals are of 95 %: with many reports like this one, 95 of 100 intervals contain the true figure. They
say how much chance there is in the figure, not whether bots play as people do.</li>
<li>Games of one seed are one deal and count as one observation. Means have Student's interval; shares have it
with two imaginary deals added, one lost and one won, so that no share is certain.</li>
<li>Whether seats differ is Hotelling's test within deals; single figures are t-tests (Welch's for different
deals). Where a table has many of them, p-values are corrected by Holm's method: the chance of even one false
alarm in a table is below 5 %.</li>
<li>Effects are Cohen's d: the change in units of the spread of a deal ({effect_words(0.1).strip(", ")};
{effect_words(0.3).strip(", ")}; {effect_words(0.6).strip(", ")}; {effect_words(1.0).strip(", ")}).</li>
<li>All of this is about games between these bots with these options, and about nobody else.</li>
</ul>"""


# ------------------------------------------------------------------ parts


Cell = str | tuple[str, str]  # HTML, maybe with attributes of its cell


def _table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    top = "".join(f"<th>{escape(title)}</th>" for title in head)
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table></div>'


def _cell(cell: Cell) -> str:
    text, attributes = cell if isinstance(cell, tuple) else (cell, "")
    return f"<td{attributes}>{text}</td>"


def _p(p: float) -> Cell:
    return escape(chance(p)), ' class="clear"' if significant(p) else ""


def _plot(group: Group, name: str, kind: str) -> str:
    """The plot of that name, if there is one."""
    figure = group.plots.get(kind)
    return "" if figure is None else _figure(plots.inline(figure, f"{name}-{kind}", f"{group.label}: {kind}"))


def _figure(svg: str) -> str:
    return f'<figure><div class="scroll">{svg}</div></figure>'
