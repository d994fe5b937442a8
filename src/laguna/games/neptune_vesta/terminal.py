"""Neptune & Vesta drawn as text, from a view."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laguna.games.neptune_vesta.components import LIGHTHOUSE_END
from laguna.games.neptune_vesta.names import COLORS, COLUMNS, NAMES, ZONES

# Every color is also given by a letter: r7 is red, b7 is blue.
STYLES = {"red": "bold white on dark_red", "blue": "bold white on dark_blue"}


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table as one seat (or a spectator) sees it."""
    zones = Table.grid(padding=(0, 4))
    zones.add_row(*(_zone(view["board"], zone) for zone in range(2)))
    return Group(_track(view["lighthouse"]), Text(), zones, Text(), _players(view))


def _zone(board: dict[str, list[Any]], zone: int) -> Table:
    table = Table(title=f"{ZONES[zone]}: {NAMES[zone]}'s zone", box=None, padding=(0, 1), title_style="bold")
    table.add_column("")
    for column in COLUMNS:
        table.add_column(column, justify="center", header_style="dim", min_width=4)
    for row in "12345":
        cells = [_tile(board.get(f"{ZONES[zone]}{column}{row}")) for column in COLUMNS]
        table.add_row(Text(row, "dim"), *cells)
    return table


def _tile(tile: list[Any] | None) -> Text:
    if tile is None:
        return Text(" · ", "dim")
    color, value = tile
    return Text(f"{color[0]}{value}".center(4), STYLES[color])


def _track(lighthouse: int) -> Text:
    """N3: red's 10 on the left, blue's on the right."""
    track = Text().append(f"{NAMES[0]} 10 ", STYLES["red"])
    for place in range(LIGHTHOUSE_END, -LIGHTHOUSE_END - 1, -1):
        if place == lighthouse:
            track.append(f"[{abs(place)}]", "bold black on bright_yellow")
        else:
            track.append("0" if place == 0 else "-", "dim")
    return track.append(f" 10 {NAMES[1]}", STYLES["blue"])


def _players(view: dict[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    for seat, name in enumerate(view["seats"]):
        mark = "▶" if view["turn"] == seat else " "
        own = view["hand"] if view["seat"] == seat else None
        hand = Text(" ").join(_tile([COLORS[seat], value]) for value in own) if own else Text()
        table.add_row(
            Text(f"{mark} {name}", STYLES[COLORS[seat]]),
            f"rounds won {view['wins'][seat]}",
            f"hand {view['hand_sizes'][seat]}",
            f"stack {view['stack_sizes'][seat]}",
            hand,
        )
    table.add_row(Text(f"  round {view['round']} of {view['options']['rounds']}", "dim"))
    return table
