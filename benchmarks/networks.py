"""What the networks cost and how far their chances can be trusted.

`python -m benchmarks.networks speed` searches the same positions with the network and with the hand-made
evaluation, each as the bots do, and prints the iterations per second and their ratio. `calibration` lets bots
play and compares the chances that were told with who won: a table by tenths, the Brier score (0 is perfect;
always telling a fair share scores 0.25 with two players), and with `--svg FILE` a plot. `--bot` is who plays
and tells: `network`, or a search such as `search:200`.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random

import numpy as np

import laguna
from laguna.bots import analyse, ask, find_bot
from laguna.bots.network import accumulator_type, chance_to_win, find_network, refresh
from laguna.errors import LagunaError
from laguna.game import Game
from laguna.games import find, rulebooks
from laguna.kernel.records import blanks

LEAST_RATIO = 0.8  # of the iterations with the hand-made evaluation
POSITIONS = 8
TENTHS = 10
Told = list[tuple[float, float]]  # a chance, and the share of the win that came of it


def positions(game: str, players: int) -> list[Game]:
    """Positions from random games, from all over the game."""
    found = []
    for seed in range(POSITIONS):
        table, chance = laguna.new(game, players=players, seed=seed), Random(seed)
        length = 0
        while not table.over:
            table.play(chance.choice(table.legal()))
            length += 1
        for _ in range(length - length * (seed + 1) // (POSITIONS + 2)):
            table.undo()
        found.append(table)
    return found


def speeds(game: str, seconds: float) -> tuple[float, float]:
    """Iterations per second on one core with the network and with the hand-made evaluation."""
    tables = positions(game, min(find(game).meta.players))
    done = {"network": 0, "evaluate": 0}
    spent = {"network": 0.0, "evaluate": 0.0}
    for judge in done:
        analyse(tables[0], iterations=100, evaluation=judge, forecast=False)  # compile, or load
    for table in tables:
        for judge in done:  # in turn, so that both see the same machine
            looked = analyse(
                table, seconds=seconds, threads=1, own_time=True, evaluation=judge, forecast=False
            )
            done[judge] += looked.iterations
            spent[judge] += seconds
    return done["network"] / spent["network"], done["evaluate"] / spent["evaluate"]


def measure_speed(games: list[str], seconds: float) -> int:
    missed = 0
    print("| | iterations/s with the network | with the hand-made evaluation | ratio |\n|---|---:|---:|---:|")
    for game in games:
        network, by_hand = speeds(game, seconds)
        missed += network < LEAST_RATIO * by_hand
        print(
            f"| {find(game).meta.title} | {network:,.0f} | {by_hand:,.0f} | {network / by_hand:.2f} |",
            flush=True,
        )
    return missed


# ------------------------------------------------------------------ calibration


def chances_of(game: Game, bot: str, seed: int) -> list[float]:
    """What is told about the position: each seat's chance, together 1."""
    if bot != "network":
        assert game.seat is not None
        known = game.imagine(game.seat, seed)
        iterations = int(bot.partition(":")[2])
        return list(analyse(known, iterations=iterations, seed=seed, forecast=False).best.chances or ())
    net, accumulator = find_network(game.meta.id), blanks(accumulator_type(find(game.meta.id).inputs), 1)[0]
    told = []
    for seat in range(game.players):
        refresh(net, accumulator, game.state, seat)
        told.append(chance_to_win(net, accumulator, game.players))
    return [each / sum(told) for each in told]


def tell(game: str, players: int, bot: str, games: int, every: int) -> Told:
    """Let the bot play against itself, and note what it tells at every few actions."""
    found: Told = []
    player = find_bot(bot)
    for seed in range(games):
        table = laguna.new(game, players=players, seed=seed + 10_000)
        noted = []
        while not table.over:
            if table.played % every == seed % every and len(table.legal()) > 1:
                noted.append(chances_of(table, bot, table.played))
            table.play(ask(player, table, table.played))
        shares = [(seat in table.winners) / len(table.winners) for seat in range(players)]
        found += [pair for chances in noted for pair in zip(chances, shares, strict=True)]
    return found


def by_tenths(told: Told) -> list[tuple[float, float, int]]:
    """For each tenth: the mean chance told, the share of wins seen, and how many there were."""
    rows = []
    for tenth in range(TENTHS):
        some = [pair for pair in told if min(int(pair[0] * TENTHS), TENTHS - 1) == tenth]
        if some:
            means = np.mean(some, axis=0)
            rows.append((float(means[0]), float(means[1]), len(some)))
    return rows


def brier(told: Told) -> float:
    return float(np.mean([(chance - share) ** 2 for chance, share in told]))


def measure_calibration(games: list[str], bot: str, count: int, every: int, svg: Path | None) -> int:
    plots = []
    for game in games:
        for players in find(game).meta.players:
            start = time.perf_counter()
            told = tell(game, players, bot, count, every)
            rows = by_tenths(told)
            plots.append((f"{find(game).meta.title}, {players}", rows))
            fair = (1 / players) * (1 - 1 / players)
            seen = " ".join(f"{chance:.0%}→{share:.0%} ({number})" for chance, share, number in rows)
            took = time.perf_counter() - start
            print(
                f"{game} {players}: Brier {brier(told):.3f} (fair shares {fair:.3f}), {took:.0f} s: {seen}",
                flush=True,
            )
    if svg:
        svg.write_text(plot(plots), encoding="utf-8")
    return 0


def plot(plots: list[tuple[str, list[tuple[float, float, int]]]]) -> str:
    """A small reliability plot for each: chances told to the right, wins seen upward."""
    size, gap, columns = 150, 40, 4
    height = -(-len(plots) // columns) * (size + gap) + gap
    parts = []
    for number, (title, rows) in enumerate(plots):
        x, y = gap + number % columns * (size + gap), gap + number // columns * (size + gap)
        points = [(x + chance * size, y + size - share * size, many) for chance, share, many in rows]
        most = max(many for _, _, many in points)
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b, _ in points)
        dots = "".join(
            f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{1.5 + 3 * (many / most) ** 0.5:.1f}"/>'
            for a, b, many in points
        )
        parts.append(
            f'<text x="{x}" y="{y - 8}">{title.replace("&", "&amp;")}</text>'
            f'<rect x="{x}" y="{y}" width="{size}" height="{size}" class="frame"/>'
            f'<path d="M{x} {y + size}L{x + size} {y}" class="true"/><polyline points="{line}"/>{dots}'
        )
    width = columns * (size + gap) + gap
    style = (
        "text{font:12px sans-serif;fill:#274b5c}.frame{fill:#fff;stroke:#9bb5c0}.true{stroke:#c9a14a;"
        "stroke-dasharray:4 3}polyline{fill:none;stroke:#1f7a8c;stroke-width:1.5}circle{fill:#1f7a8c}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"><style>{style}</style>'
        f"{''.join(parts)}</svg>\n"
    )


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.networks", description=__doc__)
    parser.add_argument("what", choices=("speed", "calibration"))
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default all that have a network")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each search")
    parser.add_argument("--bot", default="network", help="who plays and tells the chances")
    parser.add_argument("--count", type=int, default=200, help="games for each number of players")
    parser.add_argument("--every", type=int, default=5, help="note the chances at every so many actions")
    parser.add_argument("--svg", type=Path, help="where to write the plot")
    asked = parser.parse_args(words)
    try:
        games = asked.games or [game for game in rulebooks() if find_network(game) is not None]
        if asked.what == "speed":
            return 1 if measure_speed(games, asked.seconds) else 0
        return measure_calibration(games, asked.bot, asked.count, asked.every, asked.svg)
    except LagunaError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
