"""Numbers in words, the same in tables, sentences and plots."""

from __future__ import annotations

from laguna.lab.report.statistics import LEVEL, Interval

MINUS = "−"


def number(value: float) -> str:
    """With as many decimals as tell something: 0.034, 1.25, 12.3, 1234."""
    size = abs(value)
    digits = 0 if size >= 1000 else 1 if size >= 10 else 2 if size >= 0.1 or size == 0 else 3
    return f"{value:.{digits}f}".replace("-", MINUS)


def percent(value: float) -> str:
    return f"{100 * value:.1f} %".replace("-", MINUS)


def signed(value: float, is_share: bool = False) -> str:
    text = percent(value) if is_share else number(value)
    return f"+{text}" if value > 0 else text


def within(interval: Interval, is_share: bool = False) -> str:
    """A number with its interval: "12.3 (11.9 to 12.7)"."""
    say = percent if is_share else number
    if interval.low is None or interval.high is None:
        return say(interval.value)
    return f"{say(interval.value)} ({say(interval.low)} to {say(interval.high)})"


def chance(p: float) -> str:
    """A p-value."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def significant(p: float | None) -> bool:
    return p is not None and p < LEVEL
