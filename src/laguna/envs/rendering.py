"""A position for people who watch an environment: as text, as a drawing, or in pixels."""

from __future__ import annotations

from io import StringIO
from typing import Any

from rich.console import Console

from laguna import drawing
from laguna.errors import BadOption, either, quoted
from laguna.game import Game
from laguna.games import find
from laguna.state import State

RENDER_MODES = ["human", "ansi", "svg", "rgb_array"]
WIDTH = 120  # characters, enough for every board
FRAMES_A_SECOND = 1  # decisions that a person can follow


def check_render_mode(mode: Any) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption(
            "render-mode", f"The render modes are {either(RENDER_MODES)}, not {quoted(mode, 40)}."
        )


def render(state: State, seat: int | None, mode: str) -> Any:
    """The position as that seat sees it (None: a spectator), and nothing else; "human" prints the text."""
    game = state.game()
    if mode == "svg":
        return game.svg(seat)
    if mode == "rgb_array":
        return drawing.as_array(game.svg(seat))
    text = as_text(game, seat)
    if mode == "ansi":
        return text
    print(text)
    return None


def as_text(game: Game, seat: int | None) -> str:
    """What the terminal shows, without colors."""
    page = Console(
        file=StringIO(), width=WIDTH, color_system=None, force_jupyter=False, markup=False, highlight=False
    )
    with page.capture() as shown:
        page.print(find(game.meta.id).terminal.draw(game.view(seat)))
    return "\n".join(line.rstrip() for line in shown.get().splitlines())
