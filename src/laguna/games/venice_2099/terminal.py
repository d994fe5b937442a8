"""Venice 2099 drawn as text, from a view."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laguna.games.venice_2099.components import VALUES
from laguna.games.venice_2099.names import COLUMNS

# Every color is also given by the first two letters of its name: az5 is the azure 5.
STYLES = {
    "black": "bold white on grey15",
    "brown": "bold white on orange4",
    "azure": "bold black on sky_blue1",
    "red": "bold white on dark_red",
    "violet": "bold white on purple4",
    "green": "bold white on dark_green",
}
WATER = Text(" ~~~    ", "blue")
LEGEND = "re5 a quarter   === a platform   ~~~ water   ♟1 a pawn of player 1   $3 coins"


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table as one seat (or a spectator) sees it."""
    parts: list[RenderableType] = [_board(view), Text(LEGEND, "dim"), Text(), _colors(view), Text()]
    parts.append(_players(view))
    if view["fallen"]:
        name = view["seats"][view["fallen"]["seat"]]
        parts.append(Text(f"A pawn of {name} has fallen from {view['fallen']['from']}.", "bold yellow"))
    if view["hand"]:
        parts.append(Text("Your cards ").append_text(Text(" ").join(map(_tile, view["hand"]))))
    if view["breakdown"]:
        parts += [Text(), _breakdown(view)]
    return Group(*parts)


def _board(view: dict[str, Any]) -> Table:
    columns = COLUMNS[: view["side"]]
    table = Table(box=None, padding=0)
    table.add_column("")
    for column in columns:
        table.add_column(f"  {column}", header_style="dim")
    owners = {at: seat for seat, pawns in enumerate(view["pawns"]) for at in pawns}
    water = set(view["water"])
    for row in range(1, view["side"] + 1):
        squares = [f"{column}{row}" for column in columns]
        cells = [
            WATER if at in water else _square(view["board"][at], owners.get(at), view["coins_on"].get(at))
            for at in squares
        ]
        table.add_row(Text(f"{row} ", "dim"), *cells)
    return table


def _square(tile: str, owner: int | None, coins: int | None) -> Text:
    cell = Text(" ").append_text(_tile(tile))
    cell.append("  " if owner is None else f"♟{owner + 1}", "bold")
    return cell.append("" if coins is None else f"${coins}", "yellow")


def _tile(tile: str) -> Text:
    if tile == "platform":
        return Text("===", "dim")
    return Text(tile[:2] + tile[-1], STYLES[tile[:-1]])


def _colors(view: dict[str, Any]) -> Table:
    """For each color: what is above water, what a treasure is worth now, how many are left."""
    sunk = {view["board"][at] for at in view["water"]}
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("", "quarters above water", "a treasure is worth", "treasures left"):
        table.add_column(heading)
    tiles = set(view["board"].values()) - sunk
    for treasure in view["market"]:
        color = treasure["color"]
        above = " ".join(value for value in VALUES if color + value in tiles)
        name = Text(f" {color[:2]} {color}", STYLES[color])
        table.add_row(name, above, str(treasure["worth"]), str(treasure["left"]))
    return table


def _players(view: dict[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("", "coins", "gondolas", "pawns", "cards", "points", "treasures"):
        table.add_column(heading)
    for seat, name in enumerate(view["seats"]):
        mark = "▶" if view["turn"] == seat else " "
        held = Text(" ").join(
            Text(f"{color[:2]}×{count}", STYLES[color]) for color, count in view["treasures"][seat].items()
        )
        table.add_row(
            Text(f"{mark} ♟{seat + 1} {name}", "bold" if mark == "▶" else ""),
            str(view["coins"][seat]),
            str(view["gondolas"][seat]),
            str(len(view["pawns"][seat])),
            _cards_left(view, seat),
            str(view["scores"][seat]),
            held,
        )
    return table


def _cards_left(view: dict[str, Any], seat: int) -> str:
    """How many, and what the played cards say about them (V23)."""
    count = view["hand_sizes"][seat]
    return f"{count} ({view['at_least'][seat]}+)" if count and view["played"][seat] else str(count)


def _breakdown(view: dict[str, Any]) -> Table:
    """Where everybody's points come from."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("", "treasures (V17)", "pawns (V18, V19)", "coins (V20)", "total"):
        table.add_column(heading)
    for name, lines in zip(view["seats"], view["breakdown"], strict=True):
        treasures = " ".join(
            f"{line['count']}×{line['each']}{line['color'][:2]}" for line in lines["treasures"]
        )
        pawns = " ".join(f"{line['points']}({line['at']})" for line in lines["pawns"])
        coins, total = lines["coins"]["points"], lines["total"]
        table.add_row(name, treasures or "0", pawns or "0", str(coins), Text(str(total), "bold"))
    return table
