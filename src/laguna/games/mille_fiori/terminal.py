"""Mille Fiori drawn as text, from a view."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laguna.games.mille_fiori.components import (
    AREAS,
    BONUS_GROUPS,
    BONUS_POINTS,
    CELL_TYPE,
    GOBLET,
    GOODS,
    RESIDENCE_NUMBERS,
    ROWS,
    SEA_EXTRA_CARDS,
    SEA_POINTS,
    SHIPS,
    TYPES,
    WORKSHOP_ROWS,
    WORKSHOP_X,
)
from laguna.games.mille_fiori.names import CELL_NUMBERS

# Every color is also given by a letter: R, G, Y, B.
LETTERS = "RGYB"
STYLES = (
    "bold white on dark_red",
    "bold white on dark_green",
    "bold black on gold1",
    "bold white on dark_blue",
)
SYMBOLS = {"lion": "L", "coin": "C", "cross": "X", "fish": "F", "shell": "S", "crab": "K"}
PYRAMID_LEVELS = (("t", 3, 4), ("m", 4, 2), ("b", 5, 0))  # name, cells, indent; from the top down


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table as one seat (or a spectator) sees it."""
    board = view["board"]
    upper, lower = Table.grid(padding=(0, 4)), Table.grid(padding=(0, 4))
    upper.add_row(_workshops(board), _pyramid(board, "N", "Nobles N: lion, coin, X cross"))
    lower.add_row(_trade_and_harbor(board), _pyramid(board, "C", "Commoners C: fish, shell, K crab"))
    return Group(
        _heading(view), upper, _residences(board), lower, _sea(view["ships"]), _bonus(view["bonus"]),
        _players(view), *_cards(view),
    )  # fmt: skip


def _heading(view: dict[str, Any]) -> Text:
    round_words = f"Round {view['round']} of {view['rounds']}, pick {view['pick']} of {view['picks']}"
    return Text(f"{round_words}, deck {view['deck_size']}, discards {len(view['discards'])}", "dim")


def _lozenge(owner: int | None, free: str) -> Text:
    """Three characters: the owner's letter in color, or what the free cell shows."""
    return Text(free.ljust(3), "dim") if owner is None else Text(f" {LETTERS[owner]} ", STYLES[owner])


def _workshops(board: dict[str, int]) -> Text:
    """M14: number and material (pigment, quartz, ash, lime) of the free cells, where they lie."""
    drawn = Text("Workshops W: pigment, quartz, ash, lime\n", "bold")
    cell = 0
    for row, places in zip(WORKSHOP_ROWS, WORKSHOP_X, strict=True):
        line = Text()
        for material, x in zip(row.split(), places, strict=True):
            line.append(" " * (2 * x - len(line)))
            line.append_text(_lozenge(board.get(f"W{cell}"), f"{cell}{material}"))
            cell += 1
        drawn.append_text(line).append("\n")
    return drawn


def _pyramid(board: dict[str, int], pyramid: str, title: str) -> Text:
    drawn = Text(f"{title}\n", "bold")
    for level, size, indent in PYRAMID_LEVELS:
        drawn.append(" " * indent)
        for place in range(size):
            name = f"{pyramid}{level}{place}"
            symbol = SYMBOLS[TYPES[CELL_TYPE[CELL_NUMBERS[name]]]]
            drawn.append_text(_lozenge(board.get(name), f"{level}{place}{symbol}")).append(" ")
        drawn.append("\n")
    return drawn


def _residences(board: dict[str, int]) -> Text:
    """M18: the numbers of the row and the name of its next free cell."""
    built = sum(name[0] == "R" for name in board)
    drawn = Text(f"Residences → R{built} " if built < len(RESIDENCE_NUMBERS) else "Residences ", "bold")
    for place, number in enumerate(RESIDENCE_NUMBERS.tolist()):
        owner = board.get(f"R{place}")
        if owner is None:
            drawn.append(f"{number}", "bold" if place == built else "dim").append(" ")
        else:
            drawn.append(f"{number}{LETTERS[owner]}", STYLES[owner]).append(" ")
    return drawn.append("\n")


def _trade_and_harbor(board: dict[str, int]) -> Text:
    """M27, M31: the ships of each row beside its goods."""
    goods = [TYPES[GOBLET + good] for good in range(GOODS)]
    drawn = Text(f"Harbor H      T {' '.join(goods)}\n", "bold")
    for row in range(ROWS):
        for ship in range(SHIPS):
            drawn.append_text(_lozenge(board.get(f"H{row}{ship}"), f"{row}{ship}")).append(" ")
        drawn.append("    ")
        for good in goods:
            drawn.append_text(_lozenge(board.get(f"T{good}{row}"), f" {row}"))
            drawn.append(" " * (len(good) - 2))
        drawn.append("\n")
    return drawn


def _sea(ships: list[int]) -> Text:
    """M34: the points of each space (* an extra card), the ships below them."""
    spaces, below = Text("Sea   ", "bold"), Text("      ")
    for space, points in enumerate(SEA_POINTS.tolist()):
        shown = "*" if space in SEA_EXTRA_CARDS else str(points) if space else "-"
        spaces.append(shown.ljust(3), "bold" if shown == "*" else "dim")
        here = [seat for seat, ship in enumerate(ships) if ship == space]
        if len(here) > 2:
            below.append(f"{len(here)}".ljust(3), "bold")
            continue
        for seat in here:
            below.append(LETTERS[seat], STYLES[seat])
        below.append(" " * (3 - len(here)))
    return spaces.append("\n").append_text(below)


def _bonus(bonus: dict[str, list[int]]) -> Text:
    """M3: the next free bonus cell of each group, after the players who took theirs."""
    drawn = Text("Bonus ", "bold")
    for group in AREAS[:BONUS_GROUPS]:
        drawn.append(f"{group} ")
        for seat in bonus[group]:
            drawn.append(LETTERS[seat], STYLES[seat])
        taken = len(bonus[group])
        drawn.append(f"{BONUS_POINTS[taken]}  " if taken < len(BONUS_POINTS) else "  ", "dim")
    return drawn.append("\n")


def _players(view: dict[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    for seat, name in enumerate(view["seats"]):
        table.add_row(
            Text(f"{'▶' if view['turn'] == seat else ' '} {LETTERS[seat]} {name}", STYLES[seat]),
            f"{view['scores'][seat]} points",
            f"lozenges {view['supply'][seat]}+{view['reserve'][seat]}",
            f"sea {view['ships'][seat]}",
            "Doge" if view["doge"] == seat else "",
            _choice(view, seat),
        )
    return table


def _choice(view: dict[str, Any], seat: int) -> str:
    """M5, M42: who still has to keep a card, and who is waiting for them."""
    if view["phase"] != "keep":
        return ""
    if seat in view["deciders"]:
        return "chooses"
    return "has kept a card" if seat in view["have_kept"] else ""


def _cards(view: dict[str, Any]) -> list[Text]:
    """The display, and what the seat itself knows: hand, kept card, card to play."""
    lines = [_line("Display", _counted(view["display"]))]
    if view["hand"] is not None:
        lines.append(_line("Hand", _counted(view["hand"])))
    if view["card"]:
        lines.append(_line("To play", view["card"]))
    elif view["kept"]:
        lines.append(_line("Kept", view["kept"]))
    return lines


def _line(title: str, text: str) -> Text:
    return Text.assemble((f"{title:8}", "bold"), text or "nothing")


def _counted(cards: list[str]) -> str:
    """Equal cards once, with their number."""
    counts = Counter(cards)
    return "  ".join(card if count == 1 else f"{card}×{count}" for card, count in counts.items())
