"""Neptune & Vesta: what a beginner should look at before placing a tile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from laguna.errors import counted
from laguna.games.contract import Event, Facts, event
from laguna.games.neptune_vesta.components import LIGHTHOUSE_END, RED, SIDE
from laguna.games.neptune_vesta.names import COLORS, COLUMNS, ZONES

NEAR = 4  # places to an end of the track from which the lighthouse is a danger


class Wins(Facts, frozen=True):
    """N14: this tile on this cell wins the round."""

    key: ClassVar = "wins"
    seat: int
    tile: int
    at: str


class Scores(Facts, frozen=True):
    """N9–N12: of all tiles and cells, this moves the lighthouse farthest in the seat's favor."""

    key: ClassVar = "scores"
    seat: int
    tile: int
    at: str
    points: int  # places that the lighthouse moves


class OneMissing(Facts, frozen=True):
    """N9: a line lacks one tile, and whose it will be is certain already."""

    key: ClassVar = "one-missing"
    line: str
    at: str
    seat: int
    points: int  # if the missing tile adds no combination


class Danger(Facts, frozen=True):
    """N14: the lighthouse is close to another's end."""

    key: ClassVar = "danger"
    seat: int  # whose end it is
    places: int


FACTS = (Wins, Scores, OneMissing, Danger)


def advice(view: Any, preview: Callable[[Any], Sequence[Event]]) -> list[Event]:
    """What the seat of this view should look at, the most important first."""
    found: list[Event] = []
    gains = sorted(_gains(view, preview), key=lambda gain: (-gain[0], gain[1].at, gain[1].tile))
    if gains and gains[0][2]:
        _, best, _ = gains[0]
        facts: Facts = Wins(view.seat, best.tile, best.at)
        found.append(event("N14", facts, f"Your {best.tile} on {best.at} wins the round."))
    elif gains and gains[0][0] > 0:
        points, best, _ = gains[0]
        facts = Scores(view.seat, best.tile, best.at, points)
        moves = counted(points, "place")
        sentence = f"Your {best.tile} on {best.at} moves the lighthouse {moves} toward you."
        found.append(event("N11", facts, sentence))
    found += _danger(view)
    found += _one_missing(view)
    return found


def _gains(view: Any, preview: Callable[[Any], Sequence[Event]]) -> Iterator[tuple[int, Any, bool]]:
    """How far the tiles that complete a line move the lighthouse toward the seat, and whether that wins."""
    free = {at for _, at in _lines_with_one_free_cell(view)}
    for action in view.legal:
        if action.at in free:
            events = preview(action)
            points = sum(
                each.arguments.points if each.arguments.seat == view.seat else -each.arguments.points
                for each in events
                if each.key == "line"
            )
            won = any(each.key == "round-lighthouse" and each.arguments.seat == view.seat for each in events)
            yield (2 * LIGHTHOUSE_END if won else points), action, won


def _lines_with_one_free_cell(view: Any) -> Iterator[tuple[str, str]]:
    """The name of each such line, and its free cell."""
    for line in view.lines:
        zone, name = line[0], line[1]
        cells = [f"{zone}{name}{row + 1}" for row in range(SIDE)]
        if name not in COLUMNS:
            cells = [f"{zone}{column}{name}" for column in COLUMNS]
        free = [cell for cell in cells if cell not in view.board]
        if len(free) == 1:
            yield line, free[0]


def _one_missing(view: Any) -> Iterator[Event]:
    """Lines that belong to the opponent whatever is placed, the dearest first; not with another option."""
    if view.options["line_to"] != "majority":
        return
    lines = []
    for line, at in _lines_with_one_free_cell(view):
        zone, name = line[0], line[1]
        own = sum(
            tile.color == COLORS[view.seat]
            for cell, tile in view.board.items()
            if cell[0] == zone and name in cell[1:]
        )
        if own <= 1:
            lines.append((-view.lines[line].points, line, at))
    for points, line, at in sorted(lines)[:1]:
        facts = OneMissing(line, at, 1 - view.seat, -points)
        zone, name = line[0], line[1]
        words = f"{'Column' if name in COLUMNS else 'Row'} {name} of the {COLORS[ZONES.index(zone)]} zone"
        sentence = f"{words} lacks one tile and goes to your opponent: {-points:+} as it stands."
        yield event("N9", facts, sentence)


def _danger(view: Any) -> Iterator[Event]:
    left = LIGHTHOUSE_END - (-view.lighthouse if view.seat == RED else view.lighthouse)
    if 0 < left <= NEAR:
        facts = Danger(1 - view.seat, left)
        yield event("N14", facts, f"The lighthouse is {counted(left, 'place')} from your opponent's end.")
