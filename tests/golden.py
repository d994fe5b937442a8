"""Golden playthroughs: a whole game of every kind as text. `make golden` rewrites them.

They fail on any change of behavior; the diff shows what an intended change did.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.every import Kind, main_kinds

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 2099


def path(kind: Kind) -> Path:
    return FOLDER / f"{kind}.txt"


def playthrough(kind: Kind) -> str:
    """Set-up, every decision with its choices and consequences, views in between, the end."""
    game = kind.new(SEED)
    chance = random.Random(SEED)
    lines = [f"{kind}, seed {SEED}", f"position {json.dumps(game.position())}"]
    lines += [f"  {event.clause} {event.sentence}" for event in game.log[0].events]
    while not game.over:
        legal = game.legal()
        action = chance.choice(legal)
        if len(game.actions) % 10 == 0:
            lines += [f"view {seat}: {json.dumps(game.view(seat))}" for seat in range(game.players)]
            lines.append(f"legal {' '.join(map(str, legal))}")
        entry = game.play(action)
        lines.append(f"{entry.number} seat {entry.seat}: {action} of {len(legal)}, code {action.code}")
        lines += [f"  {event.clause} {event.sentence}" for event in entry.events]
    lines += [f"spectator {json.dumps(game.view())}", f"scores {game.scores} winners {game.winners}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for kind in main_kinds():
        path(kind).write_text(playthrough(kind), encoding="utf-8")
    print(f"{len(main_kinds())} playthroughs written to {FOLDER}")


if __name__ == "__main__":
    main()
