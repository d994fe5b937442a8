"""How strong the bots are: the tournaments behind the tables of docs/bots.md, and the minimum results.

`python -m benchmarks.strength` plays them all, which takes many hours; name some to play only those, and
`--list` prints their names. Each is journaled in its own folder, so running the same command again resumes
after an interruption. Each is also one `laguna tournament` command, which the table shows. The exit code is 1
if a result is below its minimum.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

from laguna.cli.tournament import fill_seats
from laguna.errors import LagunaError
from laguna.games import find
from laguna.lab.ratings import share_interval
from laguna.lab.tournament import Plan, deal_shares, run


class Match(NamedTuple):
    """The first bot against the second in all other seats, and the share of games it must win."""

    name: str
    game: str
    bots: tuple[str, str]
    players: int
    games: int
    least: float
    rounds: int | None = None  # of Neptune & Vesta

    def plan(self) -> Plan:
        given = {"rounds": self.rounds} if self.rounds else {}
        _, options = find(self.game).meta.resolve(self.players, given)
        return Plan(self.game, fill_seats([*self.bots], self.players), self.games, options)

    def command(self) -> str:
        words = ["laguna tournament", self.game, *self.bots]
        words += [f"--players {self.players} --games {self.games}"]
        words += [f"--option rounds={self.rounds}"] if self.rounds else []
        return " ".join(words)


GAMES = {"neptune-vesta": 1, "venice-2099": None, "atlantis": None, "mille-fiori": None}  # rounds
FOR_MORE = ("venice-2099", "atlantis", "mille-fiori")  # than two players
TOGETHER = 0.55  # that ten times the time must win over all four games, with the interval above one half
FAIR = 1.8  # times the fair share, among more than two

MATCHES = [
    *(Match(f"{game}-greedy", game, ("greedy", "random"), 2, 1000, 0.95) for game in GAMES),
    *(
        Match(f"{game}-search", game, ("search:0.2s", "greedy"), 2, 60, 0.75, rounds=rounds)
        for game, rounds in GAMES.items()
    ),
    *(
        Match(f"{game}-search-{players}", game, ("search:0.2s", "greedy"), players, 60, FAIR / players)
        for game in FOR_MORE
        for players in (3, 4)
    ),
    *(
        Match(f"{game}-longer", game, ("search:2s", "search:0.2s"), 2, 40, 0.5, rounds=rounds)
        for game, rounds in GAMES.items()
    ),
]


def row(
    command: str, shares: list[float], players: int, least: float, above: float = 0.0
) -> tuple[str, bool]:
    """A row of the table, and whether the bot reached its minimum; `above`: the bound for its interval."""
    low, share, high = share_interval(shares)
    ok = share >= least and low > above
    promised = f"{least:.0%}" + (f", interval above {above:.0%}" if above else "")
    shown = f"{share:.1%} ({low:.1%} – {high:.1%})"
    cells = (command, str(len(shares) * players), shown, promised, "ok" if ok else "MISSED")
    return f"| {' | '.join(cells)} |", ok


def play_all(matches: list[Match], folder: Path) -> int:
    """Print a row for each, and one for the four games together that show the effect of longer thinking."""
    missed = 0
    longer: dict[str, list[float]] = {}
    for match in matches:
        plan = match.plan()
        shares = deal_shares(plan, run(plan, folder / match.name), match.bots[0])
        text, ok = row(f"`{match.command()}`", shares, match.players, match.least)
        print(text, flush=True)
        missed += not ok
        if match.name.endswith("-longer"):
            longer[match.game] = shares
    if len(longer) == len(GAMES):
        together = [share for shares in longer.values() for share in shares]
        text, ok = row("the four above together", together, 2, TOGETHER, 0.5)
        print(text, flush=True)
        missed += not ok
    return missed


def chosen(names: list[str], games: int | None) -> list[Match]:
    """The matches with these names, or all."""
    known = {match.name: match for match in MATCHES}
    for name in names:
        if name not in known:
            raise LagunaError("unknown-match", f"There is no match {name!r:.60}; --list prints their names.")
    return [known[name]._replace(games=games or known[name].games) for name in names or known]


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="by default all")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="for the journals")
    parser.add_argument("--games", type=int, help="instead of each one's own number")
    parser.add_argument("--list", action="store_true", help="only print their names")
    asked = parser.parse_args(words)
    try:
        matches = chosen(asked.names, asked.games)
        if asked.list:
            print("\n".join(f"{match.name:25} {match.command()}" for match in matches))
            return 0
        print("| command | games | win share (95 %) | at least | |\n|---|---:|---:|---:|---|", flush=True)
        missed = play_all(matches, asked.folder)
    except LagunaError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
