"""Maps: how often something was done on each spot, on the drawing of the game's own board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from laguna import drawing
from laguna.drawing import Box
from laguna.game import Game
from laguna.lab.report.plots import COLORS
from laguna.lab.report.replay import Row
from laguna.lab.report.wording import number, significant

MORE, LESS = COLORS["lagoon"], "#9a4a00"  # by winners
FAINT = 0.28  # the opacity of the board under a map
RARE = 0.02  # per game: spots that are used less often are not compared
FONT = "Commissioner, 'Segoe UI', 'DejaVu Sans', sans-serif"

Mark = Callable[[Row, Box], str]


def frequency_map(game: Game, rows: Sequence[Row]) -> str:
    """How often each spot is used in a game, as a standalone SVG."""
    players = game.players
    much = sorted(row.mean.value for row in rows)[
        int(0.95 * (len(rows) - 1))
    ]  # a few spots may have far more

    def mark(row: Row, box: Box) -> str:
        depth = 0.1 + 0.8 * min(1.0, row.mean.value / much)
        return _disc(box, COLORS["lagoon"], depth) + _text(box, number(row.mean.value * players), depth > 0.5)

    return _map(game, rows, mark)


def winners_map(game: Game, rows: Sequence[Row]) -> str:
    """How many times as often winners use each spot as others do; what may be chance is faint."""

    def mark(row: Row, box: Box) -> str:
        ratio = times_as_often(row, game.players)
        if ratio is None:
            return ""
        clear = significant(row.p)
        color, sign = (MORE, "▲") if ratio > 1 else (LESS, "▼")
        depth = 0.85 if clear else 0.15
        return _disc(box, color, depth) + _text(box, f"{sign}{number(ratio)}", clear)

    return _map(game, rows, mark)


def times_as_often(row: Row, players: int) -> float | None:
    """How many times as often winners use a spot as others do; None if it is hardly ever used."""
    if not row.winners or not row.others or row.mean.value * players < RARE or row.others.value <= 0:
        return None
    return row.winners.value / row.others.value


def _map(game: Game, rows: Sequence[Row], mark: Mark) -> str:
    """Only spots that are on the board now: others, such as gaps that are still to open, lie upon these."""
    boxes = drawing.spots(game.meta.title, game.view())
    marks = "".join(mark(row, boxes[row.label]) for row in rows if row.label in boxes)
    opening, _, inside = game.svg().partition(">")
    inside = inside.removesuffix("</svg>")
    style = f"text{{font-family:{FONT};text-anchor:middle;dominant-baseline:central}}"
    paper = f'<rect width="100%" height="100%" fill="{COLORS["sheet"]}"/>'
    return f'{opening}><style>{escape(style)}</style>{paper}<g opacity="{FAINT}">{inside}</g>{marks}</svg>'


def _disc(box: Box, color: str, depth: float) -> str:
    x, y = box.x + box.width / 2, box.y + box.height / 2
    r = 0.46 * min(box.width, box.height)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{color}" fill-opacity="{depth:.2f}"/>'


def _text(box: Box, text: str, on_dark: bool) -> str:
    x, y = box.x + box.width / 2, box.y + box.height / 2
    size = 1.3 * 0.92 * min(box.width, box.height) / max(len(text), 3)
    color = "#ffffff" if on_dark else COLORS["ink"]
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{color}">{escape(text)}</text>'
