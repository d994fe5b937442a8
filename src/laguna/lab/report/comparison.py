"""What one change does: results of games that differ in exactly one thing, compared with each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct, structs

from laguna.errors import BadFile, either
from laguna.lab.report import findings, statistics
from laguna.lab.report.replay import Replayed
from laguna.lab.report.statistics import Difference, by_deal
from laguna.lab.report.wording import number, percent, signed
from laguna.lab.results import Head, Results

Setup = dict[str, Any]
EFFECTS = ((0.2, "hardly any effect"), (0.5, "a small effect"), (0.8, "a medium effect"))  # Cohen's words
LARGE = "a large effect"


class Outcome(Struct, frozen=True):
    """One figure in two groups of games."""

    name: str
    is_share: bool  # told in percent
    before: float
    after: float
    difference: Difference
    p: float  # corrected for all outcomes of all comparisons in the report


class Comparison(Struct, frozen=True):
    """What is different if one thing is."""

    thing: str  # such as "option moves"
    before: str
    after: str
    paired: bool  # were the same deals played?
    outcomes: list[Outcome]


def setup_of(results: Results) -> Setup:
    """What games are played with; games of the same setup belong together."""
    head: Head = results.head
    played = [head.bots[number] for number in np.unique(results.bots)]
    options = {f"option {name}": value for name, value in head.options.items()}
    return {
        "number of players": head.players,
        **options,
        "bots": ", ".join(sorted(played)),
        "version of Laguna": head.program,
    }


def the_difference(setups: Iterable[Setup]) -> str | None:
    """The one thing in which these setups differ; None if they are all the same."""
    first, *others = setups
    differing = [name for name in first if any(other[name] != first[name] for other in others)]
    if len(differing) > 1:
        text = (
            f"These files differ in the {either(differing, 'and')}; compare files that differ in one thing."
        )
        raise BadFile("differ", text)
    return differing[0] if differing else None


class _Measure(NamedTuple):
    """A figure of every game."""

    is_share: bool
    values: npt.NDArray[Any]
    seeds: npt.NDArray[np.int64]


def compare(thing: str, groups: Sequence[tuple[str, Results, Replayed | None]]) -> list[Comparison]:
    """Each group but the first beside the first; the p-values are corrected for all outcomes together."""
    (before, base, base_replayed), *others = groups
    found = []
    for after, results, replayed in others:
        ours, theirs = _measures(base, base_replayed), _measures(results, replayed)
        both = [name for name in ours if name in theirs]
        alike = base.head.players == results.head.players  # otherwise the same seed deals differently
        outcomes = [_outcome(name, ours[name], theirs[name], alike) for name in both]
        is_paired = any(outcome.difference.paired for outcome in outcomes)
        found.append(Comparison(thing, before, after, is_paired, outcomes))
    raised = iter(statistics.corrected([each.p for comparison in found for each in comparison.outcomes]))
    return [
        structs.replace(
            each, outcomes=[structs.replace(outcome, p=next(raised)) for outcome in each.outcomes]
        )
        for each in found
    ]


def _measures(results: Results, replayed: Replayed | None) -> dict[str, _Measure]:
    meta, players = results.head.book.meta, results.head.players

    def of(values: npt.NDArray[Any], is_share: bool = False, where: Any = slice(None)) -> _Measure:
        return _Measure(is_share, values[where], results.seed[where])

    decided = findings.undivided(results)
    measures = {
        "score": of(results.scores.mean(axis=1)),
        "winners' score": of(findings.winner_scores(results)),
        "winners' lead": of(findings.margins(results), where=decided),
        "games with several winners": of(findings.ties(results), True),
        "length in actions": of(results.actions),
        "choices per decision": of(findings.choices_per_decision(results)),
    }
    for seat in range(players):
        wins = f"wins of {meta.seat_name(seat)} among {players}"
        measures[wins] = of(results.shares[:, seat], True)
    several = len(np.unique(results.bots)) > 1
    for place, bot in enumerate(results.head.bots if several else ()):
        mine = results.bots == place
        played = mine.any(axis=1)
        seats = np.maximum(mine.sum(axis=1), 1)
        measures[f"wins of a seat of {bot}"] = of((results.shares * mine).sum(axis=1) / seats, True, played)
    for label, points in (replayed.points_by_game if replayed else {}).items():
        assert replayed is not None
        measures[f"points per seat, {label}"] = _Measure(False, points.mean(axis=1), replayed.seeds)
    return {name: measure for name, measure in measures.items() if len(np.unique(measure.seeds)) > 1}


def _outcome(name: str, before: _Measure, after: _Measure, alike: bool) -> Outcome:
    """Deals that are alike are paired if all those of the smaller group were played in the other, too."""
    seeds = np.intersect1d(before.seeds, after.seeds)
    is_paired = alike and len(seeds) == min(len(np.unique(each.seeds)) for each in (before, after))
    ours, theirs = ((_of_seeds(each, seeds) if is_paired else each) for each in (before, after))
    a, b = (by_deal(each.values, each.seeds) for each in (ours, theirs))
    difference = statistics.paired(a, b) if is_paired else statistics.unpaired(a, b)
    return Outcome(name, before.is_share, float(a.mean()), float(b.mean()), difference, difference.p)


def _of_seeds(measure: _Measure, seeds: npt.NDArray[np.int64]) -> _Measure:
    mask = np.isin(measure.seeds, seeds)
    return _Measure(measure.is_share, measure.values[mask], measure.seeds[mask])


# ------------------------------------------------------------------ in words


def sentences(comparison: Comparison) -> list[str]:
    """What is certainly different, the largest effects first, then what is not."""
    clear = [each for each in comparison.outcomes if each.p < statistics.LEVEL]
    clear.sort(key=lambda each: -abs(each.difference.effect or 0))
    told = [_sentence(each) for each in clear]
    rest = [each.name for each in comparison.outcomes if each.p >= statistics.LEVEL]
    if rest:
        told.append(f"No significant difference was found in: {'; '.join(rest)}.")
    return told


def _sentence(outcome: Outcome) -> str:
    change, is_share = outcome.difference.change, outcome.is_share
    say = percent if is_share else number
    more = "more" if change.value > 0 else "less"
    by = f"{number(abs(100 * change.value))} percentage points" if is_share else number(abs(change.value))
    ends = ""
    if change.low is not None and change.high is not None:
        low, high = (signed(end, is_share) for end in (change.low, change.high))
        ends = f" (95 % interval of the change {low} to {high})"
    name = outcome.name[:1].upper() + outcome.name[1:]
    effect = effect_words(outcome.difference.effect)
    return f"{name}: {say(outcome.after)} instead of {say(outcome.before)}, {by} {more}{ends}{effect}."


def effect_words(effect: float | None) -> str:
    if effect is None:
        return ""
    words = next((words for limit, words in EFFECTS if abs(effect) < limit), LARGE)
    return f", {words} (d = {signed(effect)})"
