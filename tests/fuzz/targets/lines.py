"""The lines that other programs tell our engine."""

from __future__ import annotations

from io import BytesIO

from rich.console import Console

import laguna
from laguna.cli.engine import Program, _budget
from tests.fuzz.targets.target import Check, Target, Wrong

WORDS = (
    "laguna option position go ready stop quit bot choices threads search seconds iterations infinite seed "
    "players actions rounds neptune-vesta atlantis mille-fiori venice-2099 turtle ; , { } -1 1e9 nan"
)
LINES = [
    b"laguna 1\noption bot search\noption choices 3\noption threads 2\nready\n",
    b"position neptune-vesta; players 2; seed 7; rounds 1; actions 1Ra1, 1Rb1\ngo iterations 9 seed 1\n",
    b"position atlantis; players 3; seed 1\ngo seconds 0.5\nstop\nready\n",
    b'position {"game": "mille-fiori", "players": 2}; actions pigment1\ngo infinite\nquit\n',
    b"position venice-2099; seed 4; actions @a1\nposition go\noption bot turtle\n\n\nready",
]


class Thoughtless(Program):
    """Our engine, but it only reads how long it should think."""

    def _go(self, text: str) -> None:
        _budget(text)
        self._tell("best of all")


def lines() -> Check:
    console = Console(stderr=True, quiet=True)
    positions = [f"position {name}".encode() for name in laguna.games()]  # each is loaded only once
    Thoughtless(BytesIO(b"\n".join(positions)), lambda _: None, console).run()

    def check(data: bytes) -> None:
        answers: list[str] = []
        Thoughtless(BytesIO(data), answers.append, console).run()
        for answer in answers:
            if answer.split(" ")[0] not in ("id", "option", "ready", "error", "best") or "\n" in answer:
                raise Wrong(f"it answers {answer!r}")

    return check


def targets() -> list[Target]:
    watched = ["laguna.cli.engine", "laguna.engine", "laguna.errors"]
    words = WORDS.encode().split
    return [Target("engine", "lines of the engine's protocol", lines, lambda: LINES, words, watched, 512)]
