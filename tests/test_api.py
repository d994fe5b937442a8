"""The public API, as somebody uses it who has read nothing but the README."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.errors import whole_number
from tests.every import Kind, main_kinds, random_steps


def test_games_are_data() -> None:
    for id, meta in laguna.games().items():
        assert meta.id == id and set(meta.titles) == {"en", "ru", "it"}
        assert meta.players and meta.author and set(meta.about) == {"en", "ru", "it"}
        for option in meta.options:
            assert option.default in option.choices and option.clause
            for texts in [option.about, *option.choices.values()]:
                assert set(texts) == {"en", "ru", "it"} and all(texts.values())


def test_presets_are_data() -> None:
    """A preset decides options there are with choices they have; its default changes no default."""
    for meta in laguna.games().values():
        options = {option.name: option for option in meta.options}
        for preset in meta.presets:
            assert preset.name not in options and preset.clause
            assert set(preset.sets) == set(preset.choices) and preset.default in preset.choices
            for values in preset.sets.values():
                assert all(value in options[name].choices for name, value in values.items())
            assert all(options[name].default == value for name, value in preset.sets[preset.default].items())
            for texts in [preset.about, *preset.choices.values()]:
                assert set(texts) == {"en", "ru", "it"} and all(texts.values())
        told = meta.as_json()["presets"]
        assert [each["name"] for each in told] == [preset.name for preset in meta.presets]
        assert all(choice["sets"] for each in told for choice in each["choices"])


def test_a_preset_sets_options_and_an_option_named_beats_it() -> None:
    meta = laguna.games()["venice-2099"]
    assert isinstance(meta.presets[0], laguna.Preset)
    _, usual = meta.resolve(3, {})
    _, other = meta.resolve(3, {"edition": "hobby-world"})
    assert other == usual | {"rescue": "quarter", "x_scores": "values", "tie_break": "pawns"}
    _, mixed = meta.resolve(3, {"rescue": "any", "edition": "hobby-world"})
    assert mixed == other | {"rescue": "any"}
    for given, sentence in (
        ({"edition": "both"}, r"'piatnik' or 'hobby-world', not 'both' \(V22\)"),
        ({"edition": None}, "not None"),
        ({"edition": ["piatnik"]}, "not"),
        ({"edition": "hobby-world", "rescue": "none"}, r"'any' or 'quarter', not 'none' \(V14\)"),
        ({"editions": "piatnik"}, "its options are edition, moves"),
    ):
        with pytest.raises(laguna.BadOption, match=sentence):
            meta.resolve(3, given)


@pytest.mark.parametrize("game", ["chess", "", "Neptune-Vesta", None, 7, ["neptune-vesta"], "../etc"])
def test_an_unknown_game_is_named_with_those_that_are_known(game: Any) -> None:
    with pytest.raises(laguna.UnknownGame, match=r"the games are .*neptune-vesta"):
        laguna.new(game)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"players": 3}, "is for 2 players, not 3"),
        ({"players": "2"}, "is for 2 players, not '2'"),
        ({"players": True}, "is for 2 players, not True"),
        ({"colour": "red"}, "has no option 'colour'; its options are rounds and line_to"),
        ({"rounds": 2}, r"rounds of Neptune & Vesta is 3 or 1, not 2 \(N18\)"),
        ({"rounds": "3"}, "not '3'"),
        ({"rounds": True}, "not True"),
        ({"line_to": "me"}, "'majority', 'highest' or 'sum', not 'me'"),
        ({"seed": -1}, "A seed is a whole number"),
        ({"seed": 2**53}, "A seed is a whole number"),
        ({"seed": 1.5}, "not 1.5"),
        ({"seed": "7"}, "not '7'"),
        ({"seats": ["Ann"]}, "a list of 2 names"),
        ({"seats": ["Ann", ""]}, "1 to 40 printable characters"),
        ({"seats": ["Ann", "B\x1b[2J"]}, "printable"),
        ({"seats": "AB"}, "a list of 2 names"),
    ],
)
def test_bad_arguments_get_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(laguna.BadOption, match=sentence) as refused:
        laguna.new("neptune-vesta", **arguments)
    assert refused.value.key and "\n" not in str(refused.value)


@pytest.mark.parametrize("number", [0, 9, np.int8(3), np.uint64(4), np.array(5)])
def test_whole_numbers_of_every_type_are_numbers(number: Any) -> None:
    taken = whole_number(number, "A thing", 0, 9)
    assert taken == int(number) and type(taken) is int


@pytest.mark.parametrize(
    "number", [-1, 10, np.int64(10), 3.0, np.float64(3), True, np.True_, None, "3", "x" * 1000, [3], 10**1000]
)
def test_what_is_no_whole_number_in_range_is_told_so(number: Any) -> None:
    sentence = r"^A thing is a whole number from 0 to 9, not .{1,40}\.$"
    with pytest.raises(laguna.BadOption, match=sentence):
        whole_number(number, "A thing", 0, 9)


def test_without_a_seed_every_game_is_another() -> None:
    assert laguna.new("neptune-vesta").seed != laguna.new("neptune-vesta").seed


@pytest.mark.parametrize(
    "action",
    ["", "7", "7Zc1", "11Ra1", "0Ra1", "7Rf1", "7Ra6", "7Ra1 7Ra2", "\x00", "9" * 10_000, 500, -1, 7.0, True,
     None, {}, {"do": "place"}, {"do": "pass"}, {"do": "place", "tile": 7, "at": "Ra1", "x": 1},
     {"do": "place", "tile": "7", "at": "Ra1"}, {"do": "place", "tile": 7, "at": "ra1"},
     {"do": "place", "tile": 11, "at": "Ra1"}, {"tile": 7, "at": "Ra1"}, {1: 2}, ["place"]],
)  # fmt: skip
def test_what_is_no_action_at_all_is_told_how_to_write_one(action: Any) -> None:
    game = laguna.new("neptune-vesta", seed=1)
    before = game.state_bytes()
    with pytest.raises(laguna.IllegalAction, match="such as 7Bc1") as refused:
        game.play(action)
    assert refused.value.key == "unreadable" and len(str(refused.value)) < 500
    assert game.state_bytes() == before and len(game.log) == 1


def test_notation_is_read_generously_and_written_strictly() -> None:
    game = laguna.new("neptune-vesta", seed=1)
    action = game.legal()[0]
    spaced = f"{action.value['tile']} {action.value['at']}"
    for text in (str(action), str(action).lower(), f" {action} ", spaced):
        assert str(game.action(text)) == str(action)


def test_a_named_seat_must_be_the_one_to_move_and_learns_nothing_else() -> None:
    game = laguna.new("neptune-vesta", seed=1)
    mover = game.seat
    assert mover is not None
    with pytest.raises(laguna.IllegalAction, match="turn") as refused:
        game.play(game.legal()[0], seat=1 - mover)
    assert set(refused.value.arguments) == {"seat", "turn"}
    game.play(game.legal()[0], seat=mover)


@pytest.mark.parametrize("seat", [-1, 2, True, "0", 0.0])
def test_there_are_only_the_seats_there_are(seat: Any) -> None:
    with pytest.raises(laguna.BadOption, match="the seats are 0 or 1"):
        laguna.new("neptune-vesta").view(seat)


def test_a_preview_tells_what_an_action_would_do_and_changes_nothing() -> None:
    game = laguna.new("neptune-vesta", seed=5)
    while not game.over:
        before = game.state_bytes()
        action = game.legal()[len(game.actions) % len(game.legal())]
        preview = [event for event in game.preview(action).events if event.key != "round-start"]
        assert game.state_bytes() == before
        played = [event for event in game.play(action).events if event.key != "round-start"]
        assert preview == played
    with pytest.raises(laguna.IllegalAction):
        game.preview("1Ra1")


@pytest.mark.parametrize("kind", main_kinds(), ids=str)
def test_a_preview_tells_only_what_is_certain(kind: Kind) -> None:
    """It happens indeed, and is the same in every world that the seat cannot tell from this one."""
    game = kind.new(seed=6)
    for _ in random_steps(game, seed=6):
        if game.played % 5:
            continue
        seat = game.seat
        assert seat is not None
        for action in game.legal()[:2]:
            told = game.preview(action, seat)
            assert game.imagine(seat, 77).preview(action, seat) == told
            after = game.copy()
            happened = after.play(action, seat).events
            assert all(event in happened for event in told.events)
            assert not told.goes_on or seat in after.deciders


def test_an_imagined_game_has_no_past() -> None:
    game = laguna.new("neptune-vesta", seed=5)
    game.play(game.legal()[0])
    imagined = game.imagine(0, seed=1)
    assert imagined.seed is None and imagined.log_for(0)[0]["events"] == []
    with pytest.raises(laguna.LagunaError):
        imagined.undo()
    with pytest.raises(laguna.LagunaError, match="imagined"):
        imagined.dumps()


def test_where_one_seat_decides_it_is_the_only_one() -> None:
    game = laguna.new("neptune-vesta", seed=5)
    mover = game.seat
    assert mover is not None and game.deciders == [mover]
    assert game.legal(mover) == game.legal() and game.legal(1 - mover) == []
    assert not {"deciders", "chosen"} & set(game.view(mover))


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_choices_made_at_once_may_come_in_any_order(order: tuple[int, ...]) -> None:
    """Kept aside until their turn comes, they give the same record, log and file as in turn."""
    plain, game = (laguna.new("mille-fiori", players=3, seed=5) for _ in range(2))
    choices = [plain.legal(seat)[-1] for seat in range(3)]
    for choice in choices:
        plain.play(choice)
    for number, seat in enumerate(order):
        assert game.deciders == game.view()["deciders"] == sorted(order[number:])
        assert game.view(seat)["legal"] == [action.value for action in game.legal(seat)] != []
        entry = game.play(str(choices[seat]), seat=seat)
        assert entry.seat == seat and entry.action == choices[seat]
        assert game.view(seat)["legal"] == [] or game.seat == seat, "a choice stands"
    assert (game.state_bytes(), game.log, game.dumps()) == (plain.state_bytes(), plain.log, plain.dumps())


def test_a_choice_kept_aside_is_nobody_elses_business() -> None:
    start = laguna.new("mille-fiori", players=3, seed=6)
    told = set()
    for choice in start.legal(1):
        game = start.copy()
        game.play(choice, seat=1)
        seen = [(game.view(seat), game.log_for(seat)) for seat in (None, 0, 2)]
        told.add(str([seen, game.legal(), game.legal(2), game.position(), game.dumps()]))
        assert game.view(1)["chosen"] == choice.value
        assert game.imagine(1, 0).view(1)["chosen"] == choice.value
        assert game.imagine(0, 0).deciders == [0, 1, 2]
    assert len(told) == 1


def test_undo_forgets_choices_kept_aside() -> None:
    game = laguna.new("mille-fiori", players=3, seed=7)
    game.play(game.legal()[0])
    game.play(game.legal(2)[0], seat=2)
    assert game.copy().deciders == game.deciders == [1]
    game.undo()
    assert game.deciders == [0, 1, 2]
    game.play(game.legal(1)[0], seat=1)
    with pytest.raises(laguna.LagunaError, match="no action to take back"):
        game.undo()
    assert game.deciders == [0, 2]


def test_a_game_says_what_it_is() -> None:
    game = laguna.new("neptune-vesta", seed=7)
    assert repr(game) == "<laguna neptune-vesta, 0 actions, Neptune to move>"
