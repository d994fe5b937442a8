"""Dice Nim drawn as text, from a view."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.text import Text


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table as one seat (or a spectator) sees it."""
    lines = [f"Heap: {'o' * view['heap'] or 'empty'}"]
    lines += [f"{name}: {taken} taken" for name, taken in zip(view["seats"], view["taken"], strict=True)]
    if view["dice"]:
        lines.append(f"Dice: {' '.join(map(str, view['dice']))}")
    elif view["hand"]:
        lines.append(f"Your die: {view['hand'][0]}")
    return Text("\n".join(lines))
