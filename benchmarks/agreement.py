"""Do searches with different seeds agree, and agree more the longer they search?

    python -m benchmarks.agreement                     the table of docs/bots.md
    python -m benchmarks.agreement --iterations 1000 --seeds 4

For every stored position (`benchmarks/positions`) the search runs with several seeds. Its spread is the
standard deviation of what it expects for the seat to move; its loss is how much worse the chosen action is
than the best one, on average, according to all the searches together. If more time really improves the
search, both the spread and the loss fall.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import laguna
from laguna.bots import analyse

POSITIONS = Path(__file__).parent / "positions"

Task = tuple[dict[str, Any], int, int]  # position, iterations, seed
Found = tuple[float, str, dict[str, tuple[int, float]]]


def stored() -> dict[str, list[dict[str, Any]]]:
    """The position files of each game."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(POSITIONS.glob("*.json")):
        found[path.stem] = json.loads(path.read_text(encoding="utf-8"))
    return found


def search(task: Task) -> Found:
    """The expected result of the seat to move, the chosen action, and the value of each action."""
    position, iterations, seed = task
    game = laguna.from_position(position["position"]["game"], position["position"])
    found = analyse(game, iterations=iterations, seed=seed, forecast=False)
    judged = {
        str(choice.action): (choice.visits, choice.expected[found.seat])
        for choice in found.choices
        if choice.visits and choice.expected is not None
    }
    chosen = str(found.best.action)
    return judged[chosen][1], chosen, judged


def compare(found: list[Found]) -> tuple[float, float]:
    """Spread and loss of several seeds in one position."""
    visits: dict[str, int] = defaultdict(int)
    sums: dict[str, float] = defaultdict(float)
    for _, _, judged in found:
        for action, (count, expected) in judged.items():
            visits[action] += count
            sums[action] += count * expected
    chosen = [action for _, action, _ in found]
    worth = {action: sums[action] / visits[action] for action in chosen}
    loss = max(worth.values()) - statistics.mean(worth[action] for action in chosen)
    return statistics.pstdev(expected for expected, _, _ in found), loss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", help="by default all")
    parser.add_argument("--iterations", type=int, nargs="+", default=[1000, 10_000, 50_000])
    parser.add_argument("--seeds", type=int, default=16)
    parser.add_argument("--each", action="store_true", help="also print a row for each position")
    given = parser.parse_args()
    positions = {game: each for game, each in stored().items() if not given.games or game in given.games}
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for game, listed in positions.items():
            for iterations in given.iterations:
                tasks = [(position, iterations, seed) for position in listed for seed in range(given.seeds)]
                found = list(pool.map(search, tasks))
                rows = [compare(found[i : i + given.seeds]) for i in range(0, len(found), given.seeds)]
                spread, loss = (statistics.mean(column) for column in zip(*rows, strict=True))
                print(f"{game:14} {iterations:7,}  spread {spread:.4f}  loss {loss:.4f}", flush=True)
                for position, row in zip(listed, rows, strict=True) if given.each else ():
                    print(f"    {position['name']:60} spread {row[0]:.4f}  loss {row[1]:.4f}")


if __name__ == "__main__":
    main()
