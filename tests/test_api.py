"""The public API, as used by somebody who has read nothing but the README."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
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
    """A preset sets existing options to choices they have; its default changes no default."""
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
        found = meta.as_json()["presets"]
        assert [each["name"] for each in found] == [preset.name for preset in meta.presets]
        assert all(choice["sets"] for each in found for choice in each["choices"])


def test_a_preset_sets_options_and_a_named_option_overrides_it() -> None:
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
def test_an_unknown_game_is_refused_with_a_list_of_the_known_ones(game: Any) -> None:
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
        ({"seed": -1}, "A seed must be a whole number"),
        ({"seed": 2**53}, "A seed must be a whole number"),
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
def test_anything_but_a_whole_number_in_range_is_refused_in_a_sentence(number: Any) -> None:
    sentence = r"^A thing must be a whole number from 0 to 9, not .{1,40}\.$"
    with pytest.raises(laguna.BadOption, match=sentence):
        whole_number(number, "A thing", 0, 9)


def test_without_a_seed_every_game_is_different() -> None:
    assert laguna.new("neptune-vesta").seed != laguna.new("neptune-vesta").seed


@pytest.mark.parametrize(
    "action",
    ["", "7", "7Zc1", "11Ra1", "0Ra1", "7Rf1", "7Ra6", "7Ra1 7Ra2", "\x00", "9" * 10_000, 500, -1, 7.0, True,
     None, {}, {"do": "place"}, {"do": "pass"}, {"do": "place", "tile": 7, "at": "Ra1", "x": 1},
     {"do": "place", "tile": "7", "at": "Ra1"}, {"do": "place", "tile": 7, "at": "ra1"},
     {"do": "place", "tile": 11, "at": "Ra1"}, {"tile": 7, "at": "Ra1"}, {1: 2}, ["place"]],
)  # fmt: skip
def test_a_text_that_is_not_an_action_gets_an_explanation_of_the_notation(action: Any) -> None:
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


def test_a_named_seat_must_be_the_one_to_move_and_learns_nothing_more() -> None:
    game = laguna.new("neptune-vesta", seed=1)
    mover = game.seat
    assert mover is not None
    with pytest.raises(laguna.IllegalAction, match="turn") as refused:
        game.play(game.legal()[0], seat=1 - mover)
    assert set(refused.value.arguments) == {"seat", "turn"}
    game.play(game.legal()[0], seat=mover)


@pytest.mark.parametrize("seat", [-1, 2, True, "0", 0.0])
def test_a_seat_that_does_not_exist_is_refused(seat: Any) -> None:
    with pytest.raises(laguna.BadOption, match="the seats are 0 or 1"):
        laguna.new("neptune-vesta").view(seat)


@pytest.mark.parametrize("seed", [0.5, 1.0, np.float64(1), None, "1", True, -1, [1], 2**53], ids=repr)
def test_a_seed_is_a_whole_number_everywhere(seed: Any) -> None:
    game = laguna.new("neptune-vesta", seed=1)
    for use in (
        lambda: game.imagine(0, seed),
        lambda: laguna.from_position("neptune-vesta", game.position(), seed=seed),
    ):
        with pytest.raises(
            laguna.BadOption, match="A seed must be a whole number from 0 to 9007199254740991, not"
        ):
            use()


@pytest.mark.parametrize("seat", [-1, 2, True, "0", 0.0, 1.0, np.float64(0)], ids=repr)
def test_a_seat_is_a_whole_number_everywhere(seat: Any) -> None:
    game = laguna.new("neptune-vesta", seed=1)
    first = game.legal()[0]
    for use in (
        lambda: game.view(seat),
        lambda: game.log_for(seat),
        lambda: game.legal(seat),
        lambda: game.action(first, seat),
        lambda: game.play(first, seat),
        lambda: game.preview(first, seat),
        lambda: game.imagine(seat, 1),
    ):
        with pytest.raises(laguna.BadOption, match=r"There is no seat .*; the seats are 0 or 1"):
            use()
    with pytest.raises(laguna.BadOption, match="There is no seat None"):
        game.imagine(None, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("played", [0.0, 1.5, None, "0", True, -1, 4, 99, np.int64(4)], ids=repr)
def test_back_to_goes_no_further_than_what_was_played(played: Any) -> None:
    game = laguna.new("mille-fiori", players=3, seed=1)
    for _ in range(3):
        game.play(game.legal()[0])
    before = game.state_bytes()
    with pytest.raises(laguna.BadOption, match="from 0 to 3, not"):
        game.back_to(played)
    assert game.state_bytes() == before and game.played == 3


def test_a_refused_back_to_keeps_the_choices_set_aside() -> None:
    game = laguna.new("mille-fiori", players=3, seed=1)
    game.play(game.legal(2)[0], seat=2)
    with pytest.raises(laguna.BadOption):
        game.back_to(99)
    assert game.deciders == [0, 1]


def test_numpy_integers_are_numbers() -> None:
    """As an action code, a seed, a seat, a number of players, a number of actions, an option."""
    plain = laguna.new("mille-fiori", players=3, seed=5)
    game = laguna.new("mille-fiori", players=np.int8(3), seed=np.uint32(5))
    assert game.state_bytes() == plain.state_bytes() and json.loads(game.dumps())["seed"] == 5
    codes = np.array([action.code for action in game.legal()])
    assert game.action(codes[0]) == game.legal()[0]
    assert game.preview(codes[0], np.int64(0)) == plain.preview(plain.legal()[0], 0)
    assert game.play(codes[0], np.int16(0)) == plain.play(plain.legal()[0])
    assert game.view(np.int64(1)) == plain.view(1) and game.legal(np.int64(2)) == plain.legal(2)
    assert json.dumps(game.view(np.int64(1))) and game.log_for(np.int64(0)) == plain.log_for(0)
    assert game.imagine(np.int64(1), np.int64(4)).state_bytes() == plain.imagine(1, 4).state_bytes()
    game.play(game.legal(2)[0], np.int64(2))
    assert json.dumps(game.view(2)) and game.deciders == [1]
    game.back_to(np.int64(0))
    assert game.played == 0
    short = laguna.new("neptune-vesta", seed=1, rounds=np.int64(1))
    assert short.options == {"rounds": 1, "line_to": "majority"} and type(short.options["rounds"]) is int


def test_an_action_of_another_game_is_refused() -> None:
    venice, neptune = laguna.new("venice-2099", seed=1), laguna.new("neptune-vesta", seed=1)
    foreign = venice.legal()[0]
    assert foreign.code < len(neptune.legal())
    for use in (neptune.play, neptune.action, neptune.preview):
        with pytest.raises(laguna.IllegalAction, match="is not an action of Neptune & Vesta") as refused:
            use(foreign)
        assert str(foreign) in str(refused.value) and refused.value.key == "unreadable"
    assert neptune.played == 0


def test_an_action_keeps_its_meaning_in_every_position() -> None:
    """Codes of Venice 2099 name the mover's pawns; an earlier action is the same walk or not possible."""
    game = laguna.new("venice-2099", players=2, seed=3)
    seen: dict[str, laguna.Action] = {}
    for _ in random_steps(game, seed=3):
        for action in game.legal():
            old = seen.setdefault(str(action), action)
            assert str(game.action(old)) == str(old)
            assert old.code == action.code or str(game.copy().play(old).action) == str(old)


# ------------------------------------------------------------------ copies, equality, hashes


@pytest.mark.parametrize("kind", main_kinds(), ids=str)
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_game_can_be_copied_and_sent_to_another_process(kind: Kind, way: Any) -> None:
    game = kind.new(seed=3)
    for number, _ in enumerate(random_steps(game, seed=3)):
        if number == 12:
            break
    again = way(game)
    assert again == game and again is not game
    assert (again.log, again.seats, again.options, again.seed) == (game.log, game.seats, game.options, 3)
    assert again.dumps() == game.dumps()
    before = game.state_bytes(), game.log, game.view(0)
    while again.played:
        again.undo()
    for _ in random_steps(again, seed=4):
        pass
    assert again.over and (game.state_bytes(), game.log, game.view(0)) == before


def test_copies_keep_choices_set_aside_and_imagined_games_stay_imagined() -> None:
    game = laguna.new("mille-fiori", players=3, seed=6)
    game.play(game.legal(1)[0], seat=1)
    for again in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again.deciders == [0, 2]
        again.undo() if again.played else again.back_to(0)
        assert again.deciders == [0, 1, 2] and game.deciders == [0, 2]
    imagined = pickle.loads(pickle.dumps(game.imagine(1, 3)))
    assert imagined == game.imagine(1, 3) and imagined.seed is None
    live = laguna.game.set_up_live("neptune-vesta", 2, bytes(range(32)), None, {})
    assert pickle.loads(pickle.dumps(live)).dumps() == live.dumps()


@pytest.mark.parametrize("kind", main_kinds(), ids=str)
def test_games_are_equal_if_their_positions_are(kind: Kind) -> None:
    game = kind.new(seed=3)
    for number, _ in enumerate(random_steps(game, seed=3)):
        other = kind.new(seed=3)
        for action in game.actions:
            other.play(action)
        assert game == other and game.position_hash() == other.position_hash()
        position = game.position()
        if "chance" in position:  # the whole record, but for what the last action did
            assert laguna.from_position(kind.game, position) == game
        other.play(game.legal()[-1])
        assert game != other and game.position_hash() != other.position_hash()
        other.undo()
        assert game == other
        if number == 20:
            break


def test_games_with_other_options_seeds_and_kinds_are_not_equal() -> None:
    game = laguna.new("neptune-vesta", seed=1)
    for other in (
        laguna.new("neptune-vesta", seed=2),
        laguna.new("neptune-vesta", seed=1, rounds=1),
        laguna.new("neptune-vesta", seed=1, line_to="sum"),
        laguna.new("venice-2099", seed=1),
    ):
        assert game != other and game.position_hash() != other.position_hash()
    assert game != "game" and game is not None
    assert game == laguna.new("neptune-vesta", seed=1, seats=["Ann", "Bo"]), "names are not the position"
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_the_position_hash_is_the_same_in_every_process() -> None:
    game = laguna.new("neptune-vesta", seed=7)
    game.play("1Ra1")
    code = (
        "import laguna; game = laguna.new('neptune-vesta', seed=7); game.play('1Ra1')\n"
        "print(game.position_hash())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == game.position_hash()
    assert game.position_hash() == "dfef95aeb822c7a32d93739353c314d88c10008ec5cdf69bc269925b7cd33552"


def test_files_at_the_top_level(tmp_path: Path) -> None:
    game = laguna.new("neptune-vesta", seed=7)
    game.play("1Ra1")
    path = tmp_path / "game.laguna.json"
    path.write_text(laguna.dumps(game), encoding="utf-8")
    assert laguna.load(path) == laguna.loads(laguna.dumps(game)) == game
    assert {"load", "loads", "dumps"} <= set(laguna.__all__)


# ------------------------------------------------------------------ previews and imagined games


def test_a_preview_says_what_an_action_would_do_and_changes_nothing() -> None:
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
def test_a_preview_says_only_what_is_certain(kind: Kind) -> None:
    """It does happen, and is the same in every world that the seat cannot tell from this one."""
    game = kind.new(seed=6)
    for _ in random_steps(game, seed=6):
        if game.played % 5:
            continue
        seat = game.seat
        assert seat is not None
        for action in game.legal()[:2]:
            found = game.preview(action, seat)
            assert game.imagine(seat, 77).preview(action, seat) == found
            after = game.copy()
            happened = after.play(action, seat).events
            assert all(event in happened for event in found.events)
            assert not found.goes_on or seat in after.deciders


def test_an_imagined_game_has_no_past_to_go_back_to() -> None:
    game = laguna.new("neptune-vesta", seed=5)
    for _ in range(3):
        game.play(game.legal()[0])
    imagined = game.imagine(0, seed=1)
    assert imagined.seed is None and imagined.played == 3
    with pytest.raises(laguna.LagunaError):
        imagined.undo()
    with pytest.raises(laguna.BadOption, match="from 3 to 3, not 2"):
        imagined.back_to(2)
    entry = imagined.play(imagined.legal()[0])
    assert entry.number == 4 and imagined.log[4] is entry
    imagined.back_to(3)
    assert imagined.played == 3
    with pytest.raises(laguna.LagunaError, match="imagined"):
        imagined.dumps()


@pytest.mark.parametrize("kind", main_kinds(), ids=str)
def test_an_imagined_game_carries_the_log_as_its_seat_may_read_it(kind: Kind) -> None:
    """The same whatever is hidden: all of it may be dealt again."""
    game = kind.new(seed=4)
    for number, _ in enumerate(random_steps(game, seed=4)):
        if number % 7:
            continue
        for seat in range(game.players):
            imagined = game.imagine(seat, number)
            other = game.copy()
            other.rules.redeal(other.state, seat, 1000 + number)
            assert imagined.log == other.imagine(seat, number).log
            assert imagined.log_for(seat) == game.log_for(seat)
            assert imagined.view(seat) == game.view(seat)


def test_secret_choices_of_others_are_not_in_an_imagined_log() -> None:
    """Whichever card another seat keeps, nothing imagined reveals which it is until it is played."""
    start = laguna.new("mille-fiori", players=3, seed=4)
    logs: dict[int, set[str]] = {0: set(), 1: set(), 2: set()}
    for choice in start.legal():
        game = start.copy()
        game.play(choice)
        for seat, seen in logs.items():
            imagined = game.imagine(seat, 1)
            seen.add(str((imagined.log, imagined.actions, imagined.log_for(None), imagined.log_for(0))))
            assert pickle.dumps(imagined.log).count(str(choice).encode()) == (seat == 0)
    assert len(logs[0]) == len(start.legal()) > 1
    assert len(logs[1]) == len(logs[2]) == 1


def test_where_one_seat_decides_it_is_the_only_one() -> None:
    game = laguna.new("neptune-vesta", seed=5)
    mover = game.seat
    assert mover is not None and game.deciders == [mover]
    assert game.legal(mover) == game.legal() and game.legal(1 - mover) == []
    assert not {"deciders", "chosen"} & set(game.view(mover))


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_choices_made_at_once_may_come_in_any_order(order: tuple[int, ...]) -> None:
    """Set aside until their turn comes, they give the same record, log and file as in turn."""
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


def test_a_choice_set_aside_is_hidden_from_the_others() -> None:
    start = laguna.new("mille-fiori", players=3, seed=6)
    found = set()
    for choice in start.legal(1):
        game = start.copy()
        game.play(choice, seat=1)
        seen = [(game.view(seat), game.log_for(seat)) for seat in (None, 0, 2)]
        found.add(str([seen, game.legal(), game.legal(2), game.position(), game.dumps()]))
        assert game.view(1)["chosen"] == choice.value
        assert game.imagine(1, 0).view(1)["chosen"] == choice.value
        assert game.imagine(0, 0).deciders == [0, 1, 2]
    assert len(found) == 1


def test_undo_drops_choices_set_aside() -> None:
    game = laguna.new("mille-fiori", players=3, seed=7)
    game.play(game.legal()[0])
    game.play(game.legal(2)[0], seat=2)
    assert game.copy().deciders == game.deciders == [1]
    game.undo()
    assert game.deciders == [0, 1, 2]
    game.play(game.legal(1)[0], seat=1)
    with pytest.raises(laguna.LagunaError, match="no action to undo"):
        game.undo()
    assert game.deciders == [0, 2]


def test_the_repr_of_a_game_says_what_it_is() -> None:
    game = laguna.new("neptune-vesta", seed=7)
    assert repr(game) == "<laguna neptune-vesta, 0 actions, Neptune to move>"


HUGE = 10**5000  # Python does not write such numbers
HALF = "\ud800"


@pytest.mark.parametrize(
    "asked",
    [
        lambda: laguna.new("neptune-vesta", seed=HUGE),
        lambda: laguna.new("neptune-vesta", players=HUGE),
        lambda: laguna.new("neptune-vesta", rounds=HUGE),
        lambda: laguna.new("neptune-vesta", seats=[HALF, "b"]),
        lambda: laguna.new("neptune-vesta").view(HUGE),
        lambda: laguna.new("neptune-vesta").play(HALF),
        lambda: laguna.new("neptune-vesta").play(HUGE),
        lambda: laguna.new("neptune-vesta").play({"do": "place", "tile": HUGE, "at": "Ra1"}),
        lambda: laguna.new("neptune-vesta").play({"do": "place", "tile": 1, HALF: "Ra1"}),
        lambda: laguna.from_position("neptune-vesta", {"rules": HUGE}),
        lambda: laguna.from_position("neptune-vesta", {HALF: 1}),
        lambda: laguna.from_position("neptune-vesta", {"board": {HALF: 1}}),
        lambda: laguna.from_position("neptune-vesta", {"board": HUGE}),
        lambda: laguna.new(HUGE),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(asked: Callable[[], object]) -> None:
    with pytest.raises(laguna.LagunaError) as refused:
        asked()
    assert len(str(refused.value).encode()) < 400
