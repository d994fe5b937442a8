"""An engine in plain Python: it takes the action that scores most at once. See docs/engine.md."""

import json
import sys

import laguna


def best(game: laguna.Game) -> laguna.Action:
    def gain(action: laguna.Action) -> int:
        game.play(action)
        points = game.scores[seat]
        game.undo()
        return points

    seat = game.seat or 0
    return max(game.legal(), key=gain)


def answer(word: str, game: laguna.Game) -> str:
    if word == "laguna":
        return "id Greedy in forty lines\nready"
    if word == "go":
        return f"best {best(game)}"
    return "ready" if word == "ready" else f"error This engine does not know {word!r}."


def main() -> None:
    game = laguna.new("neptune-vesta")
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            break
        if word == "position":
            position = json.loads(rest)
            game = laguna.from_position(position["game"], position)
        elif word not in ("option", "stop"):
            print(answer(word, game), flush=True)


if __name__ == "__main__":
    main()
