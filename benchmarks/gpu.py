"""Random playouts on a GPU: are the records the same as on the CPU, byte for byte, and how fast is it?

Runs from a checkout without installing: `python -m benchmarks.gpu` (needs numba-cuda and a GPU).
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import numpy as np
from tests.every import Kind, kinds

from laguna.games import find, rulebooks
from laguna.kernel import gpu
from laguna.kernel.chance import WORDS
from laguna.kernel.playout import random_game
from laguna.kernel.records import blanks
from laguna.lab.bench import on_gpu, playouts, setup_options

RECORDS = 2048
GAMES = 1 << 16


def same_records(kind: Kind) -> bool:
    """Do GPU and CPU end the same games with the same bytes?"""
    book = find(kind.game)
    options = np.array(book.meta.encode(kind.players, kind.options), np.int64)
    _, last = gpu.random_games(book.rules, options, kind.players, 0, RECORDS, 1)
    records = blanks(book.rules.STATE, RECORDS)
    chooser, out = np.zeros(WORDS, np.uint32), np.zeros(book.rules.MAX_LEGAL, np.int16)
    for seed in range(RECORDS):
        random_game(records[seed], options, seed, chooser, out)
    return bool(last.tobytes() == records.tobytes())


def main() -> int:
    if not gpu.available():
        print("numba-cuda found no GPU that it can use.")
        return 2
    wrong = [kind for kind in kinds() if not same_records(kind)]
    for kind in wrong:
        print(f"{kind}: OTHER RECORDS THAN THE CPU")
    print(f"{len(kinds()) - len(wrong)} of {len(kinds())} ways to play: same records, {RECORDS} games each")
    differ = 0
    for book in rulebooks().values():
        for players in book.meta.players:
            totals, _ = gpu.random_games(book.rules, setup_options(book, players), players, 0, GAMES, 1)
            same = totals.tolist() == playouts(book, players, 0, GAMES).tolist()
            differ += not same
            speed = on_gpu(book, players)
            print(
                f"{book.meta.id}, {players} players: {speed.moves_per_second / 1e9:.2f} billion moves/s, "
                f"{speed.games_per_second / 1e6:.1f} million games/s; totals of {GAMES} games "
                f"{'the same as on the CPU' if same else 'DIFFER FROM THE CPU'}"
            )
    return 1 if wrong or differ else 0


if __name__ == "__main__":
    sys.exit(main())
