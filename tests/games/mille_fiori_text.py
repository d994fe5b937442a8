"""Mille Fiori by its rules text alone: the tables of the Markdown, and the scores that follow from them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ID = "mille-fiori"
LANGUAGES = ("en", "ru", "it")
RULES = Path(__file__).parents[2] / "docs" / "rules"

Table = list[list[str]]  # row by row; the first is the heading
Scored = tuple[str, int, int]  # clause, seat, points

(CARDS, BONUS, WORKSHOP_POINTS, WORKSHOPS, RESIDENCES, MORE_RESIDENCES, PYRAMIDS, ROWS, FLEETS, SEA,
 MORE_SEA) = range(11)  # fmt: skip
GROUPS = {"W": "workshops", "R": "residences", "N": "nobles", "C": "commoners", "T": "trade"}
BONUS_CLAUSES = {"W": "M16", "R": "M20", "N": "M25", "C": "M25", "T": "M29"}


def text_in(language: str) -> str:
    return (RULES / f"{ID}.{language}.md").read_text(encoding="utf-8")


def clause_in(language: str, clause: str) -> tuple[str, str]:
    """A clause without its example, and the example."""
    [found] = re.findall(rf"^- \*\*{clause}\*\* (.*(?:\n  .*)*)", text_in(language), re.MULTILINE)
    rule, *example = re.split(r"(?:Example|Пример|Esempio): ", re.sub(r"\s+", " ", found))
    return rule, "".join(example)


def numbers(text: str) -> list[int]:
    """The numbers of a text; those in ids, such as W12, are no numbers."""
    return [int(number) for number in re.findall(r"(?<!\w)\d+", text)]


def tables_in(language: str) -> list[Table]:
    """The tables of the rules text, in the order of the constants above."""
    parts = [part for part in text_in(language).split("\n\n") if part.startswith("|")]
    return [[cells_of(line) for line in part.splitlines() if "|---" not in line] for part in parts]


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def listed(cell: str) -> list[str]:
    return cell.split(", ")


class Board:
    """What the tables say, by the ids of cells and the types of the notation."""

    def __init__(self, tables: list[Table]) -> None:
        types = {word: code.strip("`") for word, code, *_ in tables[CARDS][1:]}
        areas = {area: code.strip("`") for _, code, area, *_ in reversed(tables[CARDS][1:])}
        letters = {"pigment": "W", "residence": "R", "lion": "N", "fish": "C", "goblet": "T"}
        self.bonus_needs, self.bonus_points = {}, {}
        for area, needs, *points in tables[BONUS][1:]:
            letter = letters[areas[area]]
            self.bonus_needs[letter], self.bonus_points[letter] = numbers(needs)[0], list(map(int, points))
        head, points = tables[WORKSHOP_POINTS]
        self.workshop_points = {
            types[word]: int(each) for word, each in zip(head[1:], points[1:], strict=True)
        }
        self.shows = {cell: types[word] for cell, word, *_ in tables[WORKSHOPS][1:]}
        self.touches = {cell: listed(touches) for cell, _, touches, _ in tables[WORKSHOPS][1:]}
        self.read_residences(tables)
        self.read_pyramids(tables[PYRAMIDS], types)
        self.read_harbor(tables, types)

    def read_residences(self, tables: list[Table]) -> None:
        for head, row in (tables[RESIDENCES], tables[MORE_RESIDENCES]):
            self.shows |= dict(zip(head[1:], row[1:], strict=True))

    def read_pyramids(self, table: Table, types: dict[str, str]) -> None:
        """Points by the letter of the level, from the top down."""
        self.level_points: dict[str, int] = {}
        self.emblem_points: dict[str, int] = {}
        self.triangle_points: dict[str, int] = {}
        for level, (_, points, doubled, in_triangle, *pyramids) in zip("tmb", table[1:], strict=True):
            self.level_points[level], self.emblem_points[level] = int(points), int(doubled)
            if level != "t":
                self.triangle_points[level] = int(in_triangle)
            for cell in (each for pyramid in pyramids for each in listed(pyramid)):
                name, word = cell.split()
                self.shows[name] = types[word]

    def read_harbor(self, tables: list[Table], types: dict[str, str]) -> None:
        (_, *words), *rows = tables[ROWS]
        self.goods = {types[word]: [row[column] for row in rows] for column, word in enumerate(words, 1)}
        self.shows |= {cell: good for good, cells in self.goods.items() for cell in cells}
        self.rows = [(listed(ships), goods) for ships, *goods in rows]
        filled, points = tables[FLEETS]
        self.fleet_points = dict(zip(map(int, filled[1:]), map(int, points[1:]), strict=True))
        self.sea_points: dict[int, int] = {}
        self.sea_extra_cards: list[int] = []
        for spaces, points, extra in (tables[SEA], tables[MORE_SEA]):
            for space, each, card in zip(spaces[1:], points[1:], extra[1:], strict=True):
                self.sea_points[int(space)] = int(each)
                self.sea_extra_cards += [int(space)] if card else []

    # -------------------------------------------------------------- scores

    def scores(self, position: dict[str, Any], action: str) -> list[Scored]:
        """What the seat to move scores, and everybody else, by the card that it plays in this position."""
        seat = position["turn"]
        card = position.get("extra_card") or position["kept"][seat]
        found: list[Scored] = []
        if action != "sail":
            found += self.placed(position, seat, card[:-1], action.rstrip("+"))
        if action == "sail" or action.endswith("+"):
            found += self.sailed(position["ships"][seat], int(card[-1]), seat)
        return [each for each in found if each[-1] > 0]

    def placed(self, position: dict[str, Any], seat: int, kind: str, cell: str) -> list[Scored]:
        before: dict[str, int] = position["board"]
        board = before | {cell: seat}
        own = {each for each, owner in board.items() if owner == seat}
        seats = range(len(position["ships"]))
        if cell[0] == "W":
            found = [("M15", seat, self.workshop_points[self.shows[cell]] * len(self.connected(own, cell)))]
        elif cell[0] == "R":
            found = [("M19", seat, self.run(own, cell))]
        elif cell[0] == "T":
            found = [("M28", each, self.on_good(board, cell, each)) for each in seats]
        elif cell[0] == "H":
            return [("M32", each, self.fleet(board, cell, each)) for each in seats]
        else:
            points = self.emblem_points if self.shows[cell] == kind else self.level_points
            found = [("M23", seat, points[cell[1]])]
            found += [("M24", each, self.triangle(board, cell, each)) for each in seats]
        return found + self.bonus(position, own, cell, seat)

    def connected(self, own: set[str], cell: str) -> set[str]:
        """M15: the workshops of the group, from one to those that touch it."""
        group, edge = {cell}, [cell]
        while edge:
            reached = [each for each in self.touches[edge.pop()] if each in own - group]
            group.update(reached)
            edge += reached
        return group

    def run(self, own: set[str], cell: str) -> int:
        """M19: this residence and the own ones directly before it."""
        place, points = int(cell[1:]), 0
        while f"R{place}" in own:
            points += int(self.shows[f"R{place}"])
            place -= 1
        return points

    def triangle(self, board: dict[str, int], cell: str, seat: int) -> int:
        """M24: a cell stands on the two below it with its own number and the next one."""
        inside: set[str] = set()
        edge = [cell]
        while edge:
            crown = edge.pop()
            if crown[1] != "b":
                level, place = "b" if crown[1] == "m" else "m", int(crown[2])
                below = [f"{crown[0]}{level}{place}", f"{crown[0]}{level}{place + 1}"]
                inside.update(below)
                edge += below
        return sum(self.triangle_points[each[1]] for each in inside if board[each] == seat)

    def on_good(self, board: dict[str, int], cell: str, seat: int) -> int:
        """M28: the filled cells of the good, times the own ones."""
        owners = [board[each] for each in self.goods[self.shows[cell]] if each in board]
        return len(owners) * owners.count(seat)

    def fleet(self, board: dict[str, int], cell: str, seat: int) -> int:
        """M32: nothing before the row is full."""
        [(ships, goods)] = [row for row in self.rows if cell in row[0]]
        owners = [board.get(ship) for ship in ships]
        if None in owners:
            return 0
        return self.fleet_points[sum(good in board for good in goods)] * owners.count(seat)

    def bonus(self, position: dict[str, Any], own: set[str], cell: str, seat: int) -> list[Scored]:
        """M13: the next bonus cell if this lozenge is the first to meet the condition."""
        area = cell[0]
        has = {self.shows[each] for each in own if each[0] == area}
        had = {self.shows[each] for each in own - {cell} if each[0] == area}
        if not len(had) < self.bonus_needs[area] <= len(has):
            return []
        taken = len(position["bonus"][GROUPS[area]])
        return [(BONUS_CLAUSES[area], seat, self.bonus_points[area][taken])]

    def sailed(self, space: int, wheel: int, seat: int) -> list[Scored]:
        """M34–M36: the space where the ship stops; a ship on the last space stays there."""
        end = max(self.sea_points)
        stops = min(space + wheel, end)
        if space == end:
            return []
        return [("M35" if stops == end else "M34", seat, self.sea_points[stops])]
