"""The ladder of the opponents as a plot: how many Elo each level is above the one below it.

`python -m benchmarks.ladder docs/img/ladder.svg` reads the journals that `python -m benchmarks.strength` has
written to `--folder` so far; a level that has played nothing yet is left out, with all above it.
"""

from __future__ import annotations

import argparse
import math
import sys
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks.strength import GAMES, LADDER, MATCHES, PLAYERS, STEP, Match
from laguna.errors import LagunaError
from laguna.games import find
from laguna.lab.ratings import ELO, share_interval
from laguna.lab.tournament import deal_shares, read_journal

WIDTH, LEFT, RIGHT, ROW, TOP = 760, 170, 20, 34, 56
COLORS = ("#8a9a5b", "#c98b4a", "#4a7fb0", "#1f7a8c", "#5b4b8a")


class Row(NamedTuple):
    """A game with a number of players: each level's Elo above the first, and that of its interval's ends."""

    title: str
    levels: list[tuple[float, float, float]]


def elo_ahead(share: float, players: int) -> float:
    """How many Elo a bot is better than all others at a table, who are equal, if it wins this share."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    return ELO * math.log(share / (1 - share) * (players - 1))


def rows(folder: Path) -> list[Row]:
    """What has been played."""
    known = {match.name: match for match in MATCHES}
    found = []
    for game in GAMES:
        for players in (2, *PLAYERS.get(game, ())):
            levels = [(0.0, 0.0, 0.0)]
            for _, better in pairwise(LADDER):
                shares = _played(known[f"{game}-{better}-{players}"], folder)
                if not shares:
                    break
                low, share, high = (elo_ahead(each, players) for each in share_interval(shares))
                below = levels[-1][1]
                levels.append((below + low, below + share, below + high))
            found.append(Row(f"{find(game).meta.title}, {players}", levels))
    return found


def _played(match: Match, folder: Path) -> list[float]:
    """The shares of the deals that were played."""
    plan = match.plan()
    games = read_journal(plan, folder / match.name) if (folder / match.name).is_dir() else {}
    return deal_shares(plan, list(games.values()), match.bots[0])


def plot(found: list[Row]) -> str:
    """A line for each row: a dot for each level, with the interval of its step."""
    most = max(high for row in found for _, _, high in row.levels)
    scale = (WIDTH - LEFT - RIGHT) / max(most, STEP)
    height = TOP + ROW * len(found) + 14
    parts = []
    for line in range(0, int(most) + 1, 200):
        x = LEFT + line * scale
        parts.append(f'<path d="M{x:.1f} {TOP - 14}V{height - 10}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{TOP - 20}" text-anchor="middle">{line}</text>')
    for number, name in enumerate(LADDER):
        x = 12.0 + number * 130
        parts.append(f'<circle cx="{x}" cy="14" r="5" fill="{COLORS[number]}"/>')
        parts.append(f'<text x="{x + 10}" y="18">{name}</text>')
    for number, row in enumerate(found):
        y = TOP + ROW * number + ROW / 2
        parts.append(f'<text x="12" y="{y + 4}">{row.title.replace("&", "&amp;")}</text>')
        for level, (low, elo, high) in enumerate(row.levels):
            a, x, b = (LEFT + max(each, 0.0) * scale for each in (low, elo, high))
            color = COLORS[level]
            parts.append(f'<path d="M{a:.1f} {y}H{b:.1f}" stroke="{color}" class="interval"/>')
            parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{color}"/>')
    style = "text{font:12px sans-serif;fill:#274b5c}.grid{stroke:#d5e0e4}.interval{stroke-width:2;opacity:.6}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"><style>{style}</style>'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder", description=__doc__)
    parser.add_argument("svg", type=Path, help="where to write the plot")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="of the journals")
    asked = parser.parse_args(words)
    try:
        found = rows(asked.folder)
    except LagunaError as error:
        print(error, file=sys.stderr)
        return 2
    if all(len(row.levels) == 1 for row in found):
        print(f"There are no games of the ladder in {str(asked.folder)!r} yet.", file=sys.stderr)
        return 2
    asked.svg.write_text(plot(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
