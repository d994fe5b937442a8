"""Atlantis drawn as text, from a view."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laguna.games.atlantis.components import ATLANTIS, LAST_OF_A, MAINLAND
from laguna.games.atlantis.names import NAMES

ROW = 13  # spaces in a row: half of a half
CELL = 5  # characters

# Every color is also given in text: items by their first two letters, players by 1 to 4.
ITEM_STYLES = {
    "amphora": "black on dark_orange",
    "wreath": "black on green3",
    "olive": "white on dark_green",
    "coins": "black on gold1",
    "weapon": "white on grey42",
    "lyre": "white on purple4",
    "sickle": "white on dark_red",
}
PLAYER_STYLES = (
    "bold black on bright_white",
    "bold white on red",
    "bold black on cyan",
    "bold black on yellow",
)
WATER = "bright_blue"


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table as one seat (or a spectator) sees it."""
    rows = [_row(view, first) for first in range(1, MAINLAND, ROW)]
    return Group(
        _ends(view, ATLANTIS, "Atlantis"),
        *rows,
        _ends(view, MAINLAND, "Mainland"),
        Text(),
        _players(view),
        *_hand(view),
        *_running(view),
        *_previews(view),
    )


def _ends(view: dict[str, Any], place: int, name: str) -> Text:
    """Atlantis and the mainland, and who is there."""
    line = Text(f"{name:9}", "bold")
    for seat, pawns in enumerate(view["pawns"]):
        for _ in range(pawns.count(place)):
            line.append(f" {seat + 1} ", PLAYER_STYLES[seat]).append(" ")
    return line


def _row(view: dict[str, Any], first: int) -> Text:
    """Thirteen spaces in three lines: their numbers, the top tiles (with + on a stack), the pawns."""
    margin = "≈ " if first == LAST_OF_A + 1 else "  "  # A4: the water of the set-up
    lines = [Text.assemble((margin, WATER)) for _ in range(3)]
    for space in range(first, first + ROW):
        for line, cell in zip(lines, _cell(view, space), strict=True):
            line.append_text(cell).append(" ")
    return Text("\n").join([*lines, Text()])


def _cell(view: dict[str, Any], space: int) -> tuple[Text, Text, Text]:
    number = Text(str(space).center(CELL), "dim")
    spot = next((gap for gap in view["gaps"] if gap["after"] == space), None)
    if spot is not None:  # what the gap behind this space costs
        cost = "=" if spot["bridge"] else f"≈{spot['cost']}"
        number = Text(str(space).rjust(CELL - 2), "dim").append(cost.ljust(2), WATER)
    stack = view["board"].get(str(space))
    if stack is None:
        return number, Text("≈" * CELL, WATER), Text(" " * CELL)
    item, value = stack["tile"]
    tile = Text(f"{item[:2]}{value}{'+' if stack['height'] == 2 else ' '}".center(CELL), ITEM_STYLES[item])
    pawns = [seat for seat, places in enumerate(view["pawns"]) for _ in range(places.count(space))]
    marks = Text(" ").join(Text(str(seat + 1), PLAYER_STYLES[seat]) for seat in pawns)
    left = (CELL - len(marks)) // 2
    return number, tile, Text(" " * left).append_text(marks).append(" " * (CELL - left - len(marks)))


def _tile(tile: list[Any]) -> Text:
    return Text(f"{tile[0][:2]}{tile[1]}", ITEM_STYLES[tile[0]])


def _players(view: dict[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    for seat, name in enumerate(view["seats"]):
        mark = "▶" if view["turn"] == seat else " "
        bridge = view["bridges"][seat]
        table.add_row(
            Text(f"{mark}{seat + 1} {name}", PLAYER_STYLES[seat]),
            f"points {view['scores'][seat]}",
            f"cards {view['hand_sizes'][seat]}",
            "bridge left" if bridge is None else f"bridge behind {bridge}",
            Text(" ").join(_tile(tile) for tile in view["tiles"][seat]),
        )
    discards = sum(view["discards"].values())
    table.add_row(Text(f"  deck {view['deck_size']}", "dim"), Text(f"discards {discards}", "dim"))
    return table


def _hand(view: dict[str, Any]) -> list[Text]:
    """The viewer's cards."""
    if view["hand"] is None:
        return []
    line = Text("Your cards: ", "bold")
    for name in NAMES:
        if count := view["hand"].get(name):
            line.append(f" {count} {name} ", ITEM_STYLES[name]).append(" ")
    return [line]


def _running(view: dict[str, Any]) -> list[Text]:
    """A move that is not finished yet."""
    if view["move"] is None:
        return []
    if view["phase"] == "pay":
        return [Text(f"Still to pay: {view['move']['due']}", "bold")]
    return [Text(f"The pawn stands on {view['move']['at']}, where another one is: it must go on", "bold")]


def _previews(view: dict[str, Any]) -> list[Table]:
    """Where each card leads, three to a line."""
    if not view["previews"]:
        return []
    table = Table.grid(padding=(0, 3))
    lines = [_preview(view, preview) for preview in view["previews"]]
    for first in range(0, len(lines), 3):
        table.add_row(*lines[first : first + 3])
    return [table]


def _preview(view: dict[str, Any], preview: dict[str, Any]) -> Text:
    """Such as: 12 co → 17, costs 3, lyre 5."""
    start = "on" if view["phase"] == "chain" else preview["from"]
    line = Text(f"{start} {preview['card'][:2]}", "bold")
    line.append(" → " + ("mainland" if preview["to"] == MAINLAND else str(preview["to"])))
    if preview["cost"]:
        line.append(f" ≈{preview['cost']}", WATER)
    if preview["goes_on"]:
        line.append(" and on")
    elif preview["takes"]:
        line.append(" ").append_text(_tile(preview["takes"]["tile"]))
    return line
