"""What each seat is worth and what each option changes, in tables for docs/lab-findings.md.

`python -m benchmarks.findings --folder results` simulates the games that are not in the folder yet (with
`laguna simulate`), and prints the tables as Markdown; `--plots docs/img` also writes two plots.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from laguna.errors import LagunaError
from laguna.games import find
from laguna.lab.report import plots
from laguna.lab.report.comparison import Comparison, Outcome, compare, effect_words
from laguna.lab.report.findings import Findings, find_out
from laguna.lab.report.replay import Replayed, replay, sample_of
from laguna.lab.report.wording import number, percent, significant, within
from laguna.lab.results import Results, read

GAMES = ("atlantis", "mille-fiori", "neptune-vesta", "venice-2099")
BOTS = ("greedy", "network")


class Kind(NamedTuple):
    """Games that are all played in the same way."""

    game: str
    bot: str
    thing: str = ""  # what is not as usual: an option, or "players"
    value: str | int = ""

    @property
    def name(self) -> str:
        return "-".join(str(word) for word in (self.game, self.bot, self.thing, self.value) if word)

    def command(self, games: int, file: Path) -> list[str]:
        """How these games are simulated."""
        words = ["laguna", "simulate", self.game, "--bots", self.bot, "--games", str(games), "--actions"]
        if self.thing == "players":
            words += ["--players", str(self.value)]
        elif self.thing:
            words += ["--option", f"{self.thing}={self.value}"]
        return [*words, "--output", str(file)]


def kinds(game: str, bot: str) -> Iterator[Kind]:
    """The usual game, then each other number of players and each other value of an option."""
    meta = find(game).meta
    yield Kind(game, bot)
    for players in meta.players:
        if players != meta.usual_players:
            yield Kind(game, bot, "players", players)
    for option in meta.options:
        for value in option.choices:
            if value != option.default:
                yield Kind(game, bot, option.name, value)


class Played(NamedTuple):
    """The games of a kind, and what was found out about them."""

    kind: Kind
    results: Results
    replayed: Replayed
    findings: Findings


def played(kind: Kind, folder: Path, games: int, sample: int) -> Played:
    """The games of this kind, simulated unless they are in the folder."""
    file = folder / f"{kind.name}.parquet"
    if not file.exists():
        subprocess.run([sys.executable, "-m", *kind.command(games, file)], check=True, stdout=sys.stderr)
    results = read(file)
    replayed = replay(sample_of(results, sample), maps=False)
    return Played(kind, results, replayed, find_out(results, replayed))


def comparisons(found: list[Played]) -> list[Comparison]:
    """Each change beside the usual game; those of one option, or of the number of players, are one family."""
    usual, *others = found
    things = dict.fromkeys(each.kind.thing for each in others)
    made = []
    for thing in things:
        meta, changed = usual.results.head, [each for each in others if each.kind.thing == thing]
        before = str(meta.players if thing == "players" else meta.options[thing])
        groups = [(before, usual.results, usual.replayed)]
        groups += [(str(each.kind.value), each.results, each.replayed) for each in changed]
        made += compare(thing, groups)
    return made


# ------------------------------------------------------------------ tables


def tell(found: list[Played]) -> str:
    """Everything about the games of one game among one kind of bot."""
    usual = found[0]
    lines = [f"### Among {usual.kind.bot}", "", *_seats(found), ""]
    if made := comparisons(found):
        lines += [*_changes(made), ""]
    return "\n".join(lines)


def _seats(found: list[Played]) -> list[str]:
    lines = ["| | games | seat | share of the wins | mean score |", "|---|---:|---|---:|---:|"]
    for kind, _, _, findings in found:
        if kind.thing in ("", "players"):
            count = f"{findings.basis.players} players"
            for seat in findings.seats:
                mark = "**" if significant(seat.p) else ""
                wins, score = within(seat.wins, True), within(seat.score.mean)
                lines.append(
                    f"| {count} | {findings.basis.games} | {seat.name} | {mark}{wins}{mark} | {score} |"
                )
                count = ""
    return lines


def _changes(made: list[Comparison]) -> list[str]:
    lines = [
        "| change | figure | from | to | change, 95 % interval | effect |",
        "|---|---|---:|---:|---:|---|",
    ]
    for comparison in made:
        change = f"{comparison.thing}: {comparison.before} → {comparison.after}"
        clear = [each for each in comparison.outcomes if significant(each.p)]
        for each in sorted(clear, key=_size):
            lines.append(f"| {change} | {_figures(each)} |")
            change = ""
        if not clear:
            lines.append(f"| {change} | nothing significant | | | | |")
    return lines


def _size(outcome: Outcome) -> float:
    """The largest effects come first."""
    return -abs(outcome.difference.effect or 0)


def _figures(outcome: Outcome) -> str:
    say = percent if outcome.is_share else number
    change, effect = outcome.difference.change, effect_words(outcome.difference.effect).strip(", ")
    cells = (outcome.name, say(outcome.before), say(outcome.after), within(change, outcome.is_share), effect)
    return " | ".join(cells)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.findings", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("results"), help="of the results files")
    parser.add_argument("--games", type=int, default=2000, help="of each kind")
    parser.add_argument(
        "--sample", type=int, default=200, help="of each kind, played again to see the points"
    )
    parser.add_argument("--game", choices=GAMES, nargs="*", default=GAMES)
    parser.add_argument("--plots", type=Path, help="a folder for plots of the effects of options, as SVG")
    asked = parser.parse_args(words)
    asked.folder.mkdir(parents=True, exist_ok=True)
    try:
        for game in asked.game:
            print(f"## {find(game).meta.title}\n")
            for bot in BOTS:
                found = [played(kind, asked.folder, asked.games, asked.sample) for kind in kinds(game, bot)]
                print(tell(found), flush=True)
                if asked.plots:
                    _draw(found, asked.plots)
    except LagunaError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _draw(found: list[Played], folder: Path) -> None:
    """The effects of each option."""
    usual = found[0].kind
    for comparison in comparisons(found):
        if comparison.thing != "players":
            name = f"{usual.game}-{usual.bot}-{comparison.thing}-{comparison.after}.svg"
            (folder / name).write_text(plots.as_svg(plots.plot_of(comparison)), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
