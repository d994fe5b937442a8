"""Game files and position files: stable, readable, and nothing damaged or hostile gets in."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laguna
from laguna import files
from tests.every import Kind, main_kinds, random_steps
from tests.size import scaled

every_kind = pytest.mark.parametrize("kind", main_kinds(), ids=str)
NEPTUNE_VESTA = next(kind for kind in main_kinds() if kind.game == "neptune-vesta")
FIXTURES = Path(__file__).parent / "files"


def finished(kind: Kind, seed: int = 1) -> laguna.Game:
    game = kind.new(seed)
    for _ in random_steps(game, seed):
        pass
    return game


@every_kind
def test_a_file_is_read_back_to_the_same_bytes(kind: Kind) -> None:
    text = finished(kind).dumps()
    assert laguna.loads(text).dumps() == text
    assert laguna.loads(text.encode()).dumps() == text
    fields = json.loads(text)
    order = "laguna game rules players options seats seed actions result"
    assert " ".join(fields) == order
    assert max(map(len, text.splitlines())) < 130


@every_kind
def test_an_unfinished_game_has_no_result(kind: Kind) -> None:
    game = kind.new(seed=2)
    game.play(game.legal()[0])
    assert json.loads(game.dumps())["result"] is None
    assert laguna.loads(game.dumps()).state_bytes() == game.state_bytes()


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.laguna.json")), ids=lambda path: path.name)
def test_finished_games_of_earlier_versions_still_replay(path: Path) -> None:
    assert files.load(path).dumps() == path.read_text(encoding="utf-8")


def damaged(**changes: Any) -> str:
    fields = json.loads(finished(NEPTUNE_VESTA).dumps())
    for name, value in changes.items():
        if value is ...:
            del fields[name]
        else:
            fields[name] = value
    return json.dumps(fields)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        (b"\xff\xfe\x00", "not valid JSON"),
        ("[1, 2]", 'no field "laguna"'),
        ('"laguna"', 'no field "laguna"'),
        ("NaN", "NaN"),
        ("[" * 100_000, "nested too deeply"),
        ('{"laguna":' * 100_000, "nested too deeply"),
        ('{"laguna": 1, "laguna": 1}', "'laguna' appears twice"),
        (" " * 2_000_000, "larger than 1 MB"),
        ("9" * 5000, "more than 100 digits"),
        ('{"laguna": ' + "9" * 5000 + "}", "more than 100 digits"),
        ('{"laguna": 1, "seed": -' + "9" * 5000 + "}", "more than 100 digits"),
        ('{"laguna": 1, "game": "\\ud800"}', "half a character"),
        ('{"laguna": 1, "\\udfff": 1}', "half a character"),
        ('{"laguna": 1, "game": "\ud800"}', "half a character"),
        (b'{"laguna": 1, "game": "\xed\xa0\x80"}', "half a character"),
        (lambda: damaged(seats=["\ud83d", "b"]), "half a character"),
        (lambda: damaged(seats=["a", "b\udc00"]), "half a character"),
        (lambda: damaged(actions=["\ud800"]), "half a character"),
        (lambda: damaged(options={"\ud800": 1}), "half a character"),
        (lambda: damaged(result="\ud800"), "half a character"),
        (lambda: damaged(start={"\ud800": 1}), "half a character"),
        (lambda: damaged(laguna=2), "format 2 is not supported; this version reads 1"),
        (lambda: damaged(laguna=True), "format True is not supported"),
        (lambda: damaged(laguna="1"), "format '1' is not supported"),
        (lambda: damaged(game="go"), "There is no game 'go'"),
        (lambda: damaged(rules=99), "follows rules 99"),
        (lambda: damaged(players=5), "not 5"),
        (lambda: damaged(players="2"), "damaged: players: must be a whole number, not text."),
        (lambda: damaged(options={"x": 1}), "has no option 'x'"),
        (lambda: damaged(options={"seed": 1}), "has no option 'seed'"),
        (lambda: damaged(options={"rounds": 2, "line_to": "sum"}), "not 2"),
        (lambda: damaged(options=[]), "options: must be an object, not a list"),
        (lambda: damaged(seats=["a", "b", "c"]), "2 names"),
        (lambda: damaged(seats=["a\n", "b"]), "printable"),
        (lambda: damaged(seed=-3), "A seed must be"),
        (lambda: damaged(seed=2**70), "seed"),
        (lambda: damaged(seed=1.5), "seed: must be a whole number or null, not a decimal number"),
        (lambda: damaged(seed=...), "damaged: the field 'seed' is missing."),
        (lambda: damaged(surprise=1), "there is no field 'surprise'"),
        (lambda: damaged(actions=[1]), "actions[0]: must be text, not a whole number"),
        (lambda: damaged(actions=["1Ra1"] * 10_000), "actions: must have at most 5000 entries"),
        (lambda: damaged(result=None), "result in the file is wrong"),
        (lambda: damaged(result={"scores": [9, 9], "winners": [0]}), "its actions give: scores"),
        (lambda: damaged(start={"board": {}}), "start"),
        (lambda: damaged(start=[]), "start: must be an object or null, not a list"),
    ],
)  # fmt: skip
def test_damaged_and_hostile_files_get_one_sentence(text: Any, sentence: str) -> None:
    with pytest.raises(laguna.LagunaError) as refused:
        laguna.loads(text() if callable(text) else text)
    found = str(refused.value)
    assert sentence in found or sentence in found.lower() or sentence == "start"
    assert len(found) < 500 and "\n" not in found


@every_kind
def test_the_illegal_action_is_named_by_its_number(kind: Kind) -> None:
    fields = json.loads(finished(kind).dumps())
    fields["actions"][16] = "xyzzy"
    with pytest.raises(laguna.BadFile, match="Action 17 ") as refused:
        laguna.loads(json.dumps(fields))
    assert refused.value.arguments["number"] == 17


@settings(max_examples=scaled(150, 3000), deadline=None)
@given(data=st.data())
def test_a_file_with_any_byte_changed_loads_as_itself_or_not_at_all(data: st.DataObject) -> None:
    text = bytearray(finished(NEPTUNE_VESTA).dumps().encode())
    place = data.draw(st.integers(0, len(text) - 1))
    text[place] = data.draw(st.integers(0, 255))
    try:
        laguna.loads(bytes(text))
    except laguna.LagunaError as error:
        assert len(str(error)) < 600


def test_only_files_are_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(laguna.BadFile, match="There is no file"):
            files.load(path)
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(laguna.BadFile, match="larger than 1 MB"):
        files.load(large)


WEIRD = {
    "digits": "9" * 5000,
    "negative": "-" + "9" * 5000,
    "large": str(2**64),
    "infinite": "1e999",
    "half": '"\\ud800"',
    "half-name": '{"\\ud800": 1}',
    "zero": '"\\u0000"',
    "list": "[[[]]]",
    "nothing": "null",
}


@pytest.mark.parametrize(
    ("game_id", "weird"),
    scaled(list(zip(itertools.cycle(laguna.games()), WEIRD)), list(itertools.product(laguna.games(), WEIRD))),
)
def test_whatever_a_file_contains_it_is_read_or_refused(game_id: str, weird: str, tmp_path: Path) -> None:
    """Each field of a game file, of a position file and of a game that began from a position."""
    game = laguna.new(game_id, seed=3)
    game.play(game.legal()[0])
    begun = laguna.from_position(game_id, game.position())
    begun.play(begun.legal()[0])
    path = tmp_path / "weird.json"
    for document in (json.loads(game.dumps()), game.position(), json.loads(begun.dumps())):
        for changed in each_place(document, "here"):
            path.write_text(json.dumps(changed).replace('"here"', WEIRD[weird]))
            try:
                read = files.load(path)
                read.dumps().encode()
                json.dumps(read.view(), ensure_ascii=False).encode()
            except laguna.LagunaError as error:
                json.dumps([str(error), error.arguments], ensure_ascii=False).encode()


def each_place(node: Any, value: str, depth: int = 3) -> Iterator[Any]:
    """The document with that value at each place in turn; of long lists only the first two places."""
    yield value
    if isinstance(node, dict) and depth:
        for name in node:
            yield from (node | {name: changed} for changed in each_place(node[name], value, depth - 1))
    elif isinstance(node, list) and depth:
        for at in range(min(len(node), 2)):
            for changed in each_place(node[at], value, depth - 1):
                yield [*node[:at], changed, *node[at + 1 :]]


# ------------------------------------------------------------------ positions


@every_kind
def test_positions_fit_their_schema(kind: Kind) -> None:
    schema = files.position_schema(kind.game)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    game = kind.new(seed=3)
    for number, _ in enumerate(random_steps(game, seed=3)):
        if number % scaled(8, 1) == 0:
            validator.validate(game.position())
    validator.validate(game.position())
    assert list(validator.iter_errors({"game": kind.game}))


@every_kind
def test_a_position_file_is_loaded(kind: Kind, tmp_path: Path) -> None:
    game = kind.new(seed=4)
    path = tmp_path / "here.position.json"
    path.write_text(json.dumps(game.position()))
    assert files.load(path).position() == game.position()
    path.write_text(json.dumps({"board": {}}))
    with pytest.raises(laguna.BadFile, match='no field "game"'):
        files.load(path)


@pytest.mark.parametrize("position", [None, [], "x", 7])
def test_a_position_is_an_object(position: Any) -> None:
    with pytest.raises(laguna.BadPosition, match="an object"):
        laguna.from_position("neptune-vesta", position)


@pytest.mark.parametrize(
    ("game", "changes", "sentence"),
    [
        ("venice-2099", {"coins": [99, 1, 1]}, "coins[0]: must be at most 15."),
        ("venice-2099", {"coins": [-1, 1, 1]}, "coins[0]: must be at least 0."),
        ("venice-2099", {"coins": [None, 1, 1]}, "coins[0]: must be a whole number, not null."),
        ("venice-2099", {"turn": 1.5}, "turn: must be a whole number, not a decimal number."),
        ("venice-2099", {"hands": 4}, "hands: must be a list or null, not a whole number."),
        ("venice-2099", {"phase": "later"}, "phase: 'later' is not recognized."),
        ("venice-2099", {"fallen": {"seat": 0}}, "fallen: the field 'from' is missing."),
        ("venice-2099", {"x" * 100: 1}, f"position: there is no field '{'x' * 39}."),
        ("venice-2099", {"board": {"z9": "red2"}},
         "board: each name in it must match the pattern ^[a-h][1-8]$."),
        ("venice-2099", {"treasures": [{"pink": 1}, {}, {}]}, "treasures[0]: 'pink' is not recognized."),
        ("neptune-vesta", {"over": 1}, "over: must be true or false, not a whole number."),
        ("neptune-vesta", {"wins": [1]}, "wins: must have 2 entries, not 1."),
        ("neptune-vesta", {"board": {"Rc3": ["red"]}}, "board[...]: must have 2 entries, not 1."),
        ("neptune-vesta", {"hands": {"red": [1], "blue": [1]}}, "hands.red: must have at least 2 entries."),
        ("neptune-vesta", {"hands": {"red": [1] * 4, "blue": []}}, "hands.red: must have at most 3 entries."),
        ("neptune-vesta", {"board": {1: ["red", 1]}},
         "board: each name in it must be text, not a whole number."),
    ],
)  # fmt: skip
def test_a_position_of_the_wrong_form_gets_a_plain_sentence(
    game: str, changes: dict[Any, Any], sentence: str
) -> None:
    with pytest.raises(laguna.BadPosition) as refused:
        laguna.from_position(game, laguna.new(game, seed=1).position() | changes)
    assert str(refused.value) == sentence


@every_kind
def test_damaged_positions_never_do_harm(kind: Kind) -> None:
    """Any field replaced by nonsense: refused with a sentence, or a position that can be played."""
    game = kind.new(seed=5)
    for number, _ in enumerate(random_steps(game, seed=5)):
        if number == 12:
            break
    chance = random.Random(5)
    nonsense: list[Any] = [None, -1, 0, 1, 2, 99, 2**70, 1.5, True, "", "x", [], {}, [[]], {"x": 1}]
    refused = 0
    tries = scaled(80, 400)
    for _ in range(tries):
        position = copy.deepcopy(game.position())
        holder: Any = position
        while True:
            key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
            if isinstance(holder[key], dict | list) and holder[key] and chance.random() < 0.7:
                holder = holder[key]
            else:
                break
        holder[key] = chance.choice(nonsense)
        try:
            made = laguna.from_position(kind.game, position)
        except laguna.LagunaError as error:
            refused += 1
            assert "\n" not in str(error) and len(str(error)) < 400
            assert "`" not in str(error) and "xpected" not in str(error), str(error)
        else:
            for _ in random_steps(made, seed=1):
                pass
            assert made.over
    assert refused > tries / 2
