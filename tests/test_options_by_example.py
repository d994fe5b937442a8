"""Options by example: every choice has a drawing and a sentence, and both say what the rules do with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import laguna
from laguna.games import rulebooks

ROOT = Path(__file__).parents[1]
DRAWINGS = ROOT / "docs" / "rules" / "drawings"
LANGUAGES = ("en", "ru", "it")
COLORS = ("red", "blue")  # of Neptune & Vesta, by seat
CHOICES = [
    (game, option.name, choice)
    for game, book in rulebooks().items()
    for option in book.meta.options
    for choice in option.choices
]
NUMBER = r"(?<![a-z\d])\d+"  # without squares such as c3
of_every_choice = pytest.mark.parametrize(("game", "option", "choice"), CHOICES)


class Example(NamedTuple):
    """What the rules say about a position: the spots to mark, and the numbers that the sentence names."""

    marks: set[str]
    numbers: set[int]


def drawing(game: str, option: str, choice: int | str) -> Any:
    return json.loads((DRAWINGS / f"{game}-option-{option}-{choice}.json").read_text(encoding="utf-8"))


def examples(game: str, language: str) -> Any:
    path = ROOT / "web" / "src" / "games" / game / "words" / f"{language}.json"
    return json.loads(path.read_text(encoding="utf-8")).get("example", {})


def cells(names: list[str]) -> set[str]:
    return {f"cell:{name}" for name in names}


def after(game: laguna.Game, action: Any) -> laguna.Game:
    played = game.copy()
    played.play(action)
    return played


# ------------------------------------------------------------------ Venice 2099


def moves(game: laguna.Game) -> Example:
    """V9: the squares that the pawn on c3 reaches."""
    legal = game.view(game.seat)["legal"]
    reached = [each["to"] for each in legal if each["do"] == "walk" and each["from"] == "c3"]
    return Example(cells(reached), {len(reached)})


def rescue(game: laguna.Game) -> Example:
    """V14: the tiles to which the fallen pawn can be taken; the sentence counts all free platforms."""
    view = game.view(game.seat)
    targets = [each["to"] for each in view["legal"] if each["do"] == "rescue"]
    quarters = [at for at in targets if view["board"][at] != "platform"]
    taken = {at for pawns in view["pawns"] for at in pawns}
    platforms = [at for at, tile in view["board"].items() if tile == "platform" and at not in taken]
    return Example(cells(targets), {len(targets), len(quarters), len(platforms)})


def x_scores(game: laguna.Game) -> Example:
    """V19: the quarters that count for the pawn on an X."""
    view = game.view()
    [pawn] = [line for seat in view["breakdown"] for line in seat["pawns"] if line["clause"] == "V19"]
    color = pawn["tile"].removesuffix("X")
    above = {at: view["board"][at] for at in view["pawn_points"]}
    counted = {at: tile.removeprefix(color) for at, tile in above.items() if tile.startswith(color)}
    if game.options["x_scores"] == "count":
        numbers = [len(counted)]
    else:
        del counted[pawn["at"]]
        numbers = [int(value) for value in counted.values()]
    assert pawn["points"] == 2 * sum(numbers)
    return Example(cells(list(counted)), {2, *numbers, pawn["points"]})


def tie_break(game: laguna.Game) -> Example:
    """V21: the pawns of the player who wins the tie."""
    [points] = set(game.scores)
    [winner] = game.winners
    view = game.view()
    compared = {seat["tie_break"]["value"] for seat in view["breakdown"]}
    return Example(cells(view["pawns"][winner]), {points} | compared)


# ------------------------------------------------------------------ Neptune & Vesta


def line_to(game: laguna.Game) -> Example:
    """N9, N19: the tiles that decide who receives column c, and who does."""
    line = last_line(game)
    receiver = COLORS[line["seat"]]
    tiles = {cell: tile for cell, tile in game.view()["board"].items() if cell.startswith(line["line"])}
    values = {color: [value for owner, value in tiles.values() if owner == color] for color in COLORS}
    by = game.options["line_to"]
    if by == "majority":
        deciding = [cell for cell, (owner, _) in tiles.items() if owner == receiver]
        numbers = {len(values[color]) for color in COLORS}
    elif by == "highest":
        highest = max(values[receiver])
        deciding, numbers = [cell for cell, (_, value) in tiles.items() if value >= highest], {highest}
    else:
        deciding, numbers = list(tiles), {sum(values[color]) for color in COLORS}
    return Example(cells(deciding) | {f"corner:{receiver}"}, numbers | {line["points"]})


def last_line(game: laguna.Game) -> Any:
    """The line that the tile on Rc5 completed: the tile is taken back and placed again."""
    position = game.position()
    del position["stacks"], position["chance"]
    color, value = position["board"].pop("Rc5")
    position["hands"][color][0] = value
    position |= {"lighthouse": 0, "turn": COLORS.index(color)}
    again = laguna.from_position("neptune-vesta", position)
    [line] = [event.arguments for event in again.play(f"{value}Rc5").events if event.key == "line"]
    assert again.view()["lighthouse"] == game.view()["lighthouse"]
    return line


def rounds(game: laguna.Game) -> Example:
    """N16, N18: the tile that wins the round, and the player who has then won the match."""
    marks: set[str] = set()
    numbers: set[int] = set()
    for action in game.view(game.seat)["legal"]:
        played = after(game, action)
        events = {event.key: event.arguments for event in played.log[-1].events}
        if "round-lighthouse" in events:
            marks |= cells([action["at"]]) | {f"corner:{COLORS[seat]}" for seat in played.winners}
            numbers |= {action["tile"], events["lighthouse"]["lighthouse"]}
        if "round-start" in events:
            numbers |= {events[key]["round"] for key in ("round-lighthouse", "round-start")}
            numbers.add(int(game.options["rounds"]))
    return Example(marks, numbers)


# ------------------------------------------------------------------ Mille Fiori


def draft(game: laguna.Game) -> Example:
    """M9: where the card kept before can go, or all cards from which one is chosen now."""
    view = game.view(game.seat)
    if view["phase"] == "keep":
        marks = {mark for keep in view["legal"] for mark in card_marks(after(game, keep))}
        number = len(view["legal"])
    else:
        marks, number = card_marks(game), int(view["card"][-1])  # on its wheel
    at_sea = {mark for mark in marks if mark.startswith("sea:")}
    return Example(marks, {number, len(marks - at_sea), len(at_sea)})


def card_marks(game: laguna.Game) -> set[str]:
    """M10, M11: the cells for the card in play, and the space where the ship would stop."""
    view = game.view(game.seat)
    filled = [action["cell"] for action in view["legal"] if action["do"] == "place"]
    return cells(filled) | {f"sea:{view['sails_to']}" for action in view["legal"] if action["do"] == "sail"}


EXAMPLES: dict[str, Callable[[laguna.Game], Example]] = {
    "moves": moves,
    "rescue": rescue,
    "x_scores": x_scores,
    "tie_break": tie_break,
    "line_to": line_to,
    "rounds": rounds,
    "draft": draft,
}

# ------------------------------------------------------------------ tests


@pytest.mark.parametrize("game", list(laguna.games()))
def test_every_choice_has_a_drawing_and_a_sentence_and_nothing_else_has(game: str) -> None:
    expected = {(option, str(choice)) for each, option, choice in CHOICES if each == game}
    drawn = {path.stem for path in DRAWINGS.glob(f"{game}-option-*.json")}
    assert drawn == {f"{game}-option-{option}-{choice}" for option, choice in expected}
    for language in LANGUAGES:
        said = examples(game, language)
        assert {(option, choice) for option in said for choice in said[option]} == expected, language


@of_every_choice
def test_the_drawing_marks_what_the_rules_say(game: str, option: str, choice: int | str) -> None:
    shown = drawing(game, option, choice)
    position = shown["position"]
    assert position["options"][option] == choice
    example = EXAMPLES[option](laguna.from_position(game, position))
    assert len(example.marks) == len(shown["mark"]) > 0
    assert set(shown["mark"]) == example.marks


@of_every_choice
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_has_the_numbers_of_the_drawing(
    game: str, option: str, choice: int | str, language: str
) -> None:
    sentence = examples(game, language)[option][str(choice)]
    numbers = {
        int(number) for number in re.findall(r"(?<![a-z\d])\d+", sentence)
    }  # without squares such as c3
    position = drawing(game, option, choice)["position"]
    assert numbers == EXAMPLES[option](laguna.from_position(game, position)).numbers


@pytest.mark.parametrize(("game", "option"), list(dict.fromkeys(choice[:2] for choice in CHOICES)))
def test_an_option_is_shown_on_one_board_with_different_marks(game: str, option: str) -> None:
    shown = [drawing(game, option, choice) for *of, choice in CHOICES if of == [game, option]]
    assert len(shown) > 1
    assert all(each["position"]["board"] == shown[0]["position"]["board"] for each in shown)
    assert len({tuple(each["mark"]) for each in shown}) == len(shown)
