"""The boards in the rules: `docs/rules/drawings/GAME-NAME.json` is drawn as `docs/rules/GAME-NAME.svg`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

import laguna


class Drawing(msgspec.Struct, forbid_unknown_fields=True):
    """What is drawn: a position file, the seat that sees it (None: a spectator), the spots to mark.

    Rings are as thick on a small picture as on a large one; without a size it is what suits the game.
    """

    position: dict[str, Any]
    seat: int | None = None
    mark: list[str] = []
    size: tuple[int, int] | None = None


def drawn(file: Path) -> str:
    """The SVG of a drawing's file."""
    drawing = msgspec.json.decode(file.read_bytes(), type=Drawing)
    game = laguna.from_position(_game_of(file), drawing.position)
    return game.svg(drawing.seat, drawing.mark, drawing.size) + "\n"


def _game_of(file: Path) -> str:
    """The game whose id the file's name begins with."""
    return next(game for game in laguna.games() if file.name.startswith(f"{game}-"))


def draw_all(files: Path, pictures: Path) -> None:
    """Draw every file of a folder into another folder."""
    for file in sorted(files.glob("*.json")):
        (pictures / f"{file.stem}.svg").write_text(drawn(file), encoding="utf-8")
