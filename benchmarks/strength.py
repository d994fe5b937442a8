"""How strong the bots are: the tournaments behind the tables of docs/bots.md, and the minimum results.

`python -m benchmarks.strength` plays them all, which takes many hours; name some to play only those, and
`--list` prints their names. Each is journaled in its own folder, so running the same command again resumes
after an interruption. Each is also one `laguna tournament` command, which the table shows. The exit code is 1
if a result is below its minimum.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
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
    above: float = 0.0  # where its interval must be

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
PLAYERS = {"venice-2099": (3, 4, 5), "atlantis": (3, 4), "mille-fiori": (3, 4)}  # more than two
FAIR, SURELY_FAIR = 1.5, 1.2  # times the fair share, among more than two: at least, and the interval above

LADDER = ("turtle", "heron", "seal", "dolphin", "search:0.2s")  # instead of the kraken, which is no weaker
STEP = 150  # Elo between neighbors


def ahead(players: int) -> float:
    """The share of a bot that is better by a step than all others at the table, who are equal."""
    odds = 10 ** (STEP / 400)
    return odds / (odds + players - 1)


MATCHES = [
    *(Match(f"{game}-greedy", game, ("greedy", "random"), 2, 1000, 0.95) for game in GAMES),
    *(
        Match(f"{game}-network", game, ("network", "greedy"), 2, 2000, 0.75, rounds=rounds)
        for game, rounds in GAMES.items()
    ),
    *(
        Match(f"{game}-search", game, ("search:0.2s", "baseline:0.2s"), 2, 100, 0.7, rounds=rounds, above=0.6)
        for game, rounds in GAMES.items()
    ),
    *(
        Match(
            f"{game}-search-{players}",
            game,
            ("search:0.2s", "baseline:0.2s"),
            players,
            60,
            FAIR / players,
            above=SURELY_FAIR / players,
        )
        for game, counts in PLAYERS.items()
        for players in counts
    ),
    *(
        Match(f"{game}-longer", game, ("search:2s", "search:0.2s"), 2, 100, 0.58, rounds=rounds)
        for game, rounds in GAMES.items()
    ),
    *(
        Match(f"{game}-{better}-{players}", game, (better, worse), players, 60 * players, ahead(players))
        for game in GAMES
        for players in (2, *PLAYERS.get(game, ()))
        for worse, better in pairwise(LADDER)
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
    """Print a row for each; returns how many missed their minimum."""
    missed = 0
    for match in matches:
        plan = match.plan()
        shares = deal_shares(plan, run(plan, folder / match.name), match.bots[0])
        text, ok = row(f"`{match.command()}`", shares, match.players, match.least, match.above)
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
