"""`laguna bench`: tables of the measurements, for a terminal of 80 columns."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from laguna.lab.bench import SearchSpeed, Speed

PEER = "OpenSpiel"


def print_speeds(
    out: Console, title: str, measured: list[Speed | SearchSpeed], others: list[Speed | SearchSpeed]
) -> None:
    """One row per measurement; then how many times faster ours are than each peer."""
    speeds = Table(title, "", box=None, header_style="bold")
    for unit in measured[0].rates:
        speeds.add_column(unit, justify="right", no_wrap=True)
    for speed in measured + others:
        speeds.add_row(speed.name, speed.way, *(f"{rate:,.0f}" for rate in speed.rates.values()))
    out.print(speeds)
    if others:
        out.print()
        _print_ratios(out, measured, others)


def _print_ratios(
    out: Console, measured: list[Speed | SearchSpeed], others: list[Speed | SearchSpeed]
) -> None:
    """A row for each of ours and a narrow column for each peer, its name stacked word by word."""
    unit = list(others[0].rates)[-1]
    ratios = Table("", "", box=None, header_style="bold")
    for peer in others:
        name = peer.name.removeprefix(f"{PEER} ").replace("_", "\n")
        ratios.add_column(f"{name}\n{peer.way}", justify="right", vertical="bottom", no_wrap=True)
    before = ""
    for speed in measured:
        times = (speed.rates[unit] / peer.rates[unit] for peer in others)
        ratios.add_row("" if speed.name == before else speed.name, speed.way, *map(_ratio, times))
        before = speed.name
    out.print(f" Times as fast as {PEER}, by {unit}", style="bold")
    out.print(ratios)


def _ratio(ratio: float) -> str:
    """Three significant digits, or all digits of a large number."""
    return f"{ratio:,.0f}" if ratio >= 99.5 else f"{ratio:#.3g}"
