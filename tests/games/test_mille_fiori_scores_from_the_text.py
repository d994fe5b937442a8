"""Mille Fiori: every score can be computed by hand from the rules text, in each language."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

import laguna
from laguna.games.mille_fiori import components as box
from laguna.rulebook import clauses
from tests.games import mille_fiori_text as rules_text
from tests.games.mille_fiori_text import ID, LANGUAGES, Board, Scored, Table, clause_in, numbers, tables_in
from tests.games.test_mille_fiori import BLUE, GREEN, RED, YELLOW, kinds_for, lively_steps, scored, stage

CLAUSES = {"M15", "M16", "M19", "M20", "M23", "M24", "M25", "M28", "M29", "M32", "M34", "M35"}
Case = tuple[dict[str, Any], str, list[Scored]]  # a position, an action, what the engine scores for it

# ------------------------------------------------------------------ what the engine scores


@cache
def cases() -> list[Case]:
    """Positions that need every number of the tables, and all turns of a few games."""
    return [(game.position(), action, scored(game.copy().play(action))) for game, action in positions()]


def positions() -> Iterator[tuple[laguna.Game, str]]:
    yield from workshops_side_by_side()
    yield from residences_one_by_one()
    yield from townspeople_of_every_level()
    yield from bonus_cells_of_every_rank()
    yield from fleets_with_every_cargo()
    yield from spaces_of_the_sea()
    for players in (2, 3, 4):
        yield from turns_of_a_game(players)


def workshops_side_by_side() -> Iterator[tuple[laguna.Game, str]]:
    for cell, neighbors in enumerate(box.NEIGHBORS):
        card = f"{box.TYPES[box.WORKSHOP_TYPES[cell]]}1"
        for other in neighbors:
            yield stage(card, {RED: f"W{other}"}), f"W{cell}"


def residences_one_by_one() -> Iterator[tuple[laguna.Game, str]]:
    """Red has the residence before the new one, the others have all before that."""
    for cell in range(len(box.RESIDENCE_NUMBERS)):
        row: dict[int, list[str]] = {RED: [], GREEN: [], YELLOW: [], BLUE: []}
        for before in range(cell):
            row[RED if before == cell - 1 else GREEN + before % 3].append(f"R{before}")
        yield stage("residence1", {seat: " ".join(own) for seat, own in row.items()}), f"R{cell}"


def townspeople_of_every_level() -> Iterator[tuple[laguna.Game, str]]:
    below = {RED: "Nb1 Nb2 Nm2", GREEN: "Nm1 Nb3", BLUE: "Nb0"}
    for card, cell in (("coin1", "Nb4"), ("lion2", "Nb4"), ("lion2", "Nm0"), ("coin1", "Nm0"),
                       ("lion2", "Nt1"), ("coin1", "Nt1")):  # fmt: skip
        yield stage(card, below), cell


def bonus_cells_of_every_rank() -> Iterator[tuple[laguna.Game, str]]:
    """Green, Yellow and Blue have one set after the other, and Red completes the next one."""
    goods = ("goblet", "carafe", "earrings", "swan")
    pyramid = ["Nb0 Nb1 Nb2", "Nb3 Nb4 Nm0", "Nm1 Nm2 Nm3", "Nt0 Nt1 Nt2"]
    groups = [
        ["W0 W7 W1 W3", "W2 W9 W4 W5", "W11 W12 W6 W8", "W13 W14 W10 W18"],
        ["R0 R1 R2 R3", "R4 R5 R6 R7", "R8 R9 R10 R11", "R12 R13 R14 R15"],
        pyramid,
        [cells.replace("N", "C") for cells in pyramid],
        [" ".join(f"T{good}{row}" for good in goods) for row in range(4)],
    ]
    for sets in groups:
        for rank, cells in enumerate(sets):
            *own, last = cells.split()
            owners = dict(zip((GREEN, YELLOW, BLUE), sets[:rank], strict=False))
            yield stage(f"{kinds_for(last)[0]}1", owners | {RED: " ".join(own)}), last


def fleets_with_every_cargo() -> Iterator[tuple[laguna.Game, str]]:
    for goods in range(box.GOODS + 1):
        cargo = {seat: f"T{good}3" for seat, good in zip(range(goods), box.GOOD_NAMES, strict=False)}
        yield stage("harbor1", cargo | {BLUE: f"{cargo.get(BLUE, '')} H30 H31"}), "H32"


def spaces_of_the_sea() -> Iterator[tuple[laguna.Game, str]]:
    for space in range(1, box.SEA_END + 1):
        yield stage("lion1", ships=[space - 1, 0, 0, 0]), "sail"
    yield stage("swan5", ships=[18, 0, 0, 0]), "sail"
    yield stage("swan5", ships=[20, 0, 0, 0]), "sail"


def turns_of_a_game(players: int) -> Iterator[tuple[laguna.Game, str]]:
    """As long as nobody lacks a lozenge for a bonus cell."""
    game = laguna.new(ID, players=players, seed=players)
    for action in lively_steps(game, random.Random(players)):
        if min(game.view()["supply"]) == 0:
            return
        if action.value["do"] in ("place", "sail"):
            yield game, str(action)


# ------------------------------------------------------------------ the tables


def differences(tables: list[Table]) -> Iterator[Case]:
    """The cases in which these tables lead to other scores than the engine's."""
    board = Board(tables)
    return (case for case in cases() if board.scores(case[0], case[1]) != case[2])


def test_the_cases_have_every_kind_of_score() -> None:
    counts = Counter(clause for _, _, given in cases() for clause, _, _ in given)
    assert set(counts) == CLAUSES and min(counts.values()) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_score_follows_from_the_tables(language: str) -> None:
    assert list(differences(tables_in(language))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_of_the_tables_matters(language: str) -> None:
    """If one number of the tables were another, some score would be wrong."""
    changed = list(changes(tables_in(language)))
    assert len(changed) > 150
    assert [what for what, tables in changed if next(differences(tables), None) is None] == []


def changes(tables: list[Table]) -> Iterator[tuple[str, list[Table]]]:
    """The tables with one number after the other raised by one."""
    columns = {rules_text.WORKSHOPS: (2,), rules_text.PYRAMIDS: (1, 2, 3)}  # the rest is not for scoring
    last = {rules_text.SEA: 1, rules_text.MORE_SEA: 1}  # the last row that has points
    for at, table in enumerate(tables):
        if at in (rules_text.CARDS, rules_text.ROWS):
            continue
        for row, column, found in numbers_of(table, columns.get(at), last.get(at)):
            cell = table[row][column]
            other = deepcopy(tables)
            other[at][row][column] = f"{cell[: found.start()]}{int(found[0]) + 1}{cell[found.end() :]}"
            yield f"table {at}, row {row}, column {column}: {cell}", other


def numbers_of(
    table: Table, columns: tuple[int, ...] | None, last: int | None
) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Where a table has numbers: row, column, place in the cell; a clause's number is none."""
    for row, cells in enumerate(table[: None if last is None else last + 1]):
        for column, cell in enumerate(cells):
            if row > 0 and (columns is None or column in columns):
                yield from ((row, column, found) for found in re.finditer(r"(?<![M\d])\d+", cell))


# ------------------------------------------------------------------ the clauses


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_clauses_say_what_the_tables_say(language: str) -> None:
    board = Board(tables_in(language))
    said = {clause: numbers(clause_in(language, clause)[0]) for clause in CLAUSES | {"M3"}}
    for points in board.bonus_points.values():
        assert said["M3"][-4:] == points
    assert {board.workshop_points[kind] for kind in ("quartz", "ash", "lime")} == {said["M15"][0]}
    assert said["M15"][1:] == [board.workshop_points["pigment"]]
    assert said["M23"] == [board.level_points[level] for level in "bmt"]
    assert said["M24"] == [board.triangle_points[level] for level in "bm"]
    assert said["M32"] == [*board.fleet_points.values(), 0, box.GOODS]
    end = max(board.sea_points)
    assert said["M34"] == [end, *board.sea_extra_cards]
    assert said["M35"] == [end, board.sea_points[end]]


def swan_is_the_fourth_good() -> laguna.Game:
    goods = ("goblet", "carafe", "earrings")
    red, green = (" ".join(f"T{good}{row}" for good in goods) for row in (0, 1))
    return stage("swan1", {RED: red, GREEN: f"{green} Tswan1"})


EXAMPLES: dict[str, Callable[[], list[tuple[laguna.Game, str, str]]]] = {
    "M13": lambda: [(swan_is_the_fourth_good(), "Tswan0", "M29")],
    "M15": lambda: [
        (stage("pigment1", {RED: "W1 W9 W10"}), "W2", "M15"),
        (stage("lime1", {RED: "W1 W9 W10"}), "W8", "M15"),
    ],
    "M19": lambda: [(stage("residence1", {RED: "R0 R2", GREEN: "R1"}), "R3", "M19")],
    "M23": lambda: [(stage("lion2", {GREEN: "Nb0 Nb1 Nb2"}), cell, "M23") for cell in ("Nm1", "Nm0")],
    "M24": lambda: [
        (stage("lion2", {RED: "Nb1 Nb2 Nm2", GREEN: "Nm1 Nb3", YELLOW: "Nb0"}), "Nt1", clause)
        for clause in ("M23", "M24")
    ],
    "M28": lambda: [(stage("swan1", {GREEN: "Tswan0 Tswan1"}), "Tswan2", "M28")],
    "M32": lambda: [(stage("harbor1", {RED: "H20 Tcarafe2", GREEN: "H21 Tswan2"}), "H22", "M32")],
    "M34": lambda: [(stage("goblet4", ships=[2, 0, 0, 0]), "sail", "M34")],
    "M35": lambda: [(stage("swan5", ships=[18, 0, 0, 0]), "sail", "M35")],
}  # the moves of the examples, and the clause whose points they give


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("clause", EXAMPLES)
def test_the_examples_come_out_as_they_say(clause: str, language: str) -> None:
    example = clause_in(language, clause)[1]
    given = [
        points
        for game, action, scoring in EXAMPLES[clause]()
        for cited, _, points in scored(game.play(action))
        if cited == scoring
    ]
    assert given and Counter(given) <= Counter(numbers(example)), (given, example)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_has_the_same_numbers(language: str) -> None:
    for clause in clauses(ID):
        said, in_english = ("".join(clause_in(each, clause)) for each in (language, LANGUAGES[0]))
        assert Counter(numbers(said)) == Counter(numbers(in_english)), clause


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sums_are_right(language: str) -> None:
    sums = re.findall(r"((?:\d+ [+×−] )+\d+)\s+=\s+(\d+)", rules_text.text_in(language))
    assert len(sums) > 10
    for terms, result in sums:
        first, *rest = terms.split()
        total = int(first)
        for sign, number in zip(rest[::2], map(int, rest[1::2]), strict=True):
            total = {"+": total + number, "−": total - number, "×": total * number}[sign]
        assert total == int(result), terms
