"""Impossible positions of Mille Fiori, each refused with the field and the clause."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

import laguna
from laguna import files
from tests.every import random_steps
from tests.games.impossible import Change, put, refused_after
from tests.games.test_mille_fiori import lively_steps

ID = "mille-fiori"


def middle(phase: str = "play", players: int = 4, draft: str = "secret") -> dict[str, Any]:
    """A real position of round 3, pick 2, at the second turn."""
    for seed in range(50):
        game = laguna.new(ID, players=players, seed=seed, draft=draft)
        for _ in random_steps(game, seed):
            view = game.view()
            second = game.seat == (view["doge"] + 1) % players
            if (view["round"], view["pick"], view["phase"]) == (3, 2, phase) and second and not view["card"]:
                return game.position()
    raise AssertionError("no such position")


def ended(reason: str) -> dict[str, Any]:
    """A finished game of two players."""
    for seed in range(200):
        game = laguna.new(ID, players=2, seed=seed)
        lively = lively_steps(game, random.Random(seed))
        for _ in lively if reason == "lozenges" else random_steps(game, seed):
            pass
        if game.view()["reason"] == reason:
            return game.position()
    raise AssertionError("no such game")


def drop(*path: Any) -> Change:
    """Remove the last entry of the list at this path."""

    def change(position: dict[str, Any]) -> None:
        holder: Any = position
        for key in path:
            holder = holder[key]
        holder.pop()

    return change


def only_on_board(**cells: int) -> Change:
    """A board with these lozenges alone."""

    def change(position: dict[str, Any]) -> None:
        position["board"], position["bonus"] = dict(cells), {}

    return change


def all_lozenges(seat: int, count: int) -> Change:
    """This many lozenges of one seat: ships, goblets, carafes, pigments."""

    def change(position: dict[str, Any]) -> None:
        cells = [f"H{row}{ship}" for row in range(5) for ship in range(3)]
        cells += [f"T{good}{row}" for good in ("goblet", "carafe") for row in range(5)]
        cells += [f"W{cell}" for cell in (0, 2, 11, 13, 15, 19, 22, 25, 28)]
        position["board"], position["bonus"] = dict.fromkeys(cells[:count], seat), {}

    return change


def swap_a_card(position: dict[str, Any]) -> None:
    """A fifth lion of wheel 1 instead of a card in the deck."""
    position["deck"][0] = "lion1"


def five_lions(position: dict[str, Any]) -> None:
    position["discards"][:3] = ["lion1"] * 3


@pytest.mark.parametrize(
    ("change", "field", "clause"),
    [
        (put("board", "W30", 0), "board", None),
        (put("board", "W0", 4), "board", None),
        (put("board", "W0", "red"), "board", None),
        (put("bonus", "harbor", []), "bonus", None),
        (put("phase", "draw"), "phase", None),
        (put("round", 0), "round", None),
        (put("pick", 5), "pick", None),
        (put("turn", -1), "turn", None),
        (put("ships", 0, 21), "ships", None),
        (put("points", 0, -1), "points", None),
        (put("hands", 0, 0, "lion4"), "hands", None),
        (put("hands", 0, 0, None), "hands", None),
        (put("kept", 0, "doge1"), "kept", None),
        (put("display", 0, "lion 1"), "display", None),
        (put("extra_card", 7), "extra_card", None),
        (put("surprise", 1), "position", None),
        (put("game", "venice"), "game", None),
        (put("rules", 2), "rules", None),
        (put("round", 6), "round", "M4"),
        (drop("ships"), "ships", "M2"),
        (drop("points"), "points", "M2"),
        (drop("hands"), "hands", "M2"),
        (drop("kept"), "kept", "M2"),
        (drop("hands", 0), "hands[0]", "M5"),
        (put("kept", 3, None), "kept[3]", "M5"),
        (put("kept", 2, "lion1"), "kept[2]", "M5"),
        (put("turn", 2), "kept", "M5"),
        (put("phase", "keep"), "hands", "M5"),
        (put("phase", "extra"), "kept[3]", "M5"),
        (put("extra_card", "lion1"), "kept[3]", "M5"),
        (put("phase", "over"), "phase", "M39"),
        (drop("display"), "display", "M4"),
        (put("discards", ["lion1"]), "discards", "M5"),
        (five_lions, "display", "M1"),
        (drop("deck"), "deck", "M1"),
        (swap_a_card, "deck", "M1"),
        (only_on_board(R1=0), "board.R1", "M18"),
        (only_on_board(H01=0), "board.H01", "M31"),
        (only_on_board(H12=0), "board.H12", "M31"),
        (only_on_board(Nm0=0, Nb0=1), "board.Nm0", "M22"),
        (only_on_board(Ct0=0, Cm0=0, Cb0=1, Cb1=1), "board.Ct0", "M22"),
        (only_on_board(W0=0, W1=0, W7=0, W3=0), "bonus.workshops", "M13"),
        (put("bonus", "trade", [0, 0]), "bonus.trade", "M13"),
        (lambda p: only_on_board()(p) or put("bonus", "trade", [0])(p), "bonus.trade", "M13"),
        (all_lozenges(0, 34), "board", "M2"),
        (all_lozenges(3, 27), "board", "M40"),
        (all_lozenges(2, 20), "board", "M10"),
    ],
)  # fmt: skip
def test_impossible_positions_name_their_field(change: Change, field: str, clause: str | None) -> None:
    refused_after(change, ID, middle(), field, clause)


@pytest.mark.parametrize(
    ("phase", "draft", "change", "field", "clause"),
    [
        ("keep", "secret", put("kept", 2, None), "kept[2]", "M5"),
        ("keep", "secret", put("extra_card", "lion1"), "extra_card", "M38"),
        ("keep", "secret", all_lozenges(2, 27), "phase", "M40"),
        ("keep", "open", put("kept", 2, "lion1"), "kept[2]", "M5"),
        ("keep", "open", drop("hands", 0), "hands[0]", "M5"),
        ("extra", "secret", put("display", []), "display", "M38"),
        ("extra", "open", put("kept", 3, "lion1"), "kept[3]", "M5"),
    ],
)
def test_impossible_turns_name_their_field(
    phase: str, draft: str, change: Change, field: str, clause: str
) -> None:
    refused_after(change, ID, middle(phase, draft=draft), field, clause)


@pytest.mark.parametrize(
    ("reason", "change", "field", "clause"),
    [
        ("deck", put("turn", 1), "turn", "M8"),
        ("deck", put("phase", "keep"), "hands", "M5"),
        ("deck", put("round", 9), "phase", "M39"),
        ("deck", put("hands", 0, ["lion1"]), "hands", "M5"),
        ("deck", put("kept", 0, "lion1"), "kept", "M5"),
        ("lozenges", put("hands", [[], []]), "hands", "M5"),
        ("lozenges", only_on_board(), "phase", "M39"),
    ],
)
def test_impossible_ends_name_their_field(
    reason: str, change: Change, field: str, clause: str | None
) -> None:
    position = ended(reason)
    assert laguna.from_position(ID, position).over
    refused_after(change, ID, position, field, clause)


@pytest.mark.parametrize("players", [2, 3])
def test_seats_and_picks_that_do_not_exist(players: int) -> None:
    for change, field in ((put("turn", players), "turn"), (put("board", "W0", players), "board"),
                          (put("bonus", "trade", [players]), "bonus.trade")):  # fmt: skip
        position = middle(players=players)
        change(position)
        with pytest.raises(laguna.BadPosition, match=rf"^{field}: there is no seat {players}"):
            laguna.from_position(ID, position)
    position = middle(players=2) | {"pick": 4}
    with pytest.raises(laguna.BadPosition, match=r"pick: 3 cards are picked .* \(M7\)"):
        laguna.from_position(ID, position)


def test_without_its_deck_a_position_is_shuffled_by_the_seed() -> None:
    position = middle()
    deck = position.pop("deck")
    one, same, other = (laguna.from_position(ID, position, seed=seed).position() for seed in (1, 1, 2))
    assert one == same != other
    assert sorted(one["deck"]) == sorted(deck)


def test_a_lozenge_end_may_have_players_without_the_bonus_they_earned_too_late() -> None:
    """All 30 lozenges used: the bonus condition is met and its bonus cell is not taken."""
    from tests.games.test_mille_fiori import CARAFES, GOBLETS, HARBOR, stage

    game = stage(None, {0: f"{HARBOR} {GOBLETS} {CARAFES} W0 W7 W1 W2"}, display=["lime1"], phase="extra")
    for action in ("lime1", "W3"):
        game.play(action)
    assert laguna.from_position(ID, game.position()).position() == game.position()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda fields: fields["actions"].__setitem__(0, "lion9"), "Action 1 ('lion9') is not allowed"),
        (lambda fields: fields["actions"].__setitem__(0, "sail"), "must be kept before"),
        (lambda fields: fields["actions"].__setitem__(2, "W30"), "Action 3 ('W30') is not allowed"),
        (
            lambda fields: fields["options"].__setitem__("draft", "closed"),
            "'secret' or 'open', not 'closed' (M9)",
        ),
        (lambda fields: fields.__setitem__("players", 5), "2, 3 or 4 players, not 5"),
        (lambda fields: fields.__setitem__("seats", ["Ann"]), "2 names"),
        (lambda fields: fields["result"]["scores"].__setitem__(0, 999), "result in the file is wrong"),
    ],
)
def test_damaged_files_get_one_sentence(change: Change, sentence: str) -> None:
    game = laguna.new(ID, players=2, seed=1)
    for _ in random_steps(game, seed=1):
        pass
    fields = json.loads(game.dumps())
    change(fields)
    with pytest.raises(laguna.LagunaError) as refused:
        laguna.loads(json.dumps(fields))
    assert sentence in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "action",
    ["", "lion", "lion4", "lion9", "lion 1 2", "W30", "W", "W1+", "R20", "Nb5", "Tlion0", "H50", "H03",
     "sail 3", "pass", 274, -1, 1.0, True, None, {}, {"do": "pass"}, {"do": "keep"},
     {"do": "keep", "card": "lion1"},
     {"do": "keep", "card": {"type": "lion", "wheel": 4}}, {"do": "keep", "card": {"type": "x", "wheel": 1}},
     {"do": "keep", "card": {"type": "lion", "wheel": "1"}}, {"do": "place", "cell": "W30"},
     {"do": "place", "cell": "H00"}, {"do": "place", "cell": "W0", "sail": True}, {"do": "sail", "x": 1}],
)  # fmt: skip
def test_a_text_that_is_not_an_action_gets_an_explanation_of_the_notation(action: Any) -> None:
    game = laguna.new(ID, seed=1)
    before = game.state_bytes()
    with pytest.raises(laguna.IllegalAction, match="such as lion3") as refused:
        game.play(action)
    assert refused.value.key == "unreadable" and len(str(refused.value)) < 600
    assert game.state_bytes() == before


def test_a_position_file_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "here.position.json"
    path.write_text(json.dumps(middle()))
    assert files.load(path).meta.id == ID


# ------------------------------------------------------------------ what no game can have brought about


def after_one_turn() -> dict[str, Any]:
    """Red has placed the first card of the game, and it earned no extra card."""
    for seed in range(50):
        game = laguna.new(ID, seed=seed)
        while game.view()["phase"] == "keep":
            game.play(game.legal()[0])
        game.play(game.legal()[0])
        if game.position()["board"] and game.seat == 1 and not any(game.position()["ships"]):
            return game.position()
    raise AssertionError("no such position")


def with_a_bonus() -> tuple[dict[str, Any], int]:
    """A real position in which a seat has a bonus cell, and that seat."""
    game = laguna.new(ID, seed=1)
    for _ in lively_steps(game, random.Random(1)):
        taken = [seat for seats in game.position()["bonus"].values() for seat in seats]
        if taken:
            return game.position(), taken[0]
    raise AssertionError("no such position")


def to_green(position: dict[str, Any]) -> None:
    """The lozenge that Red has placed, and its points, are Green's."""
    position["board"] = dict.fromkeys(position["board"], 1)
    position["points"][:2] = position["points"][1::-1]


def not_earned(position: dict[str, Any]) -> None:
    """It is still Red's turn, and Red may take an extra card."""
    position.update(turn=0, phase="extra")


def taken_unearned(position: dict[str, Any]) -> None:
    """It is still Red's turn, and Red has taken an extra card."""
    position.update(turn=0, phase="play", extra_card=position["display"].pop())


@pytest.mark.parametrize(
    ("change", "field", "clause", "sentence"),
    [
        (put("points", 0, 99_999), "points[0]", "M43", "at most"),
        (put("points", 0, 0), "points[0]", "M43", "at least"),
        (put("points", 2, 50), "points[2]", "M43", "Yellow's .* have brought at most 0 points, not 50"),
        (put("ships", 0, 1), "ships[0]", "M5", "took 2 cards, but Red has played 1 at most"),
        (put("ships", 3, 1), "ships[3]", "M5", "took 1 card, but Blue has played 0 at most"),
        (to_green, "board", "M5", "took 1 card, but Green has played 0 at most"),
        (not_earned, "phase", "M38", "earned Red no extra card"),
        (taken_unearned, "extra_card", "M38", "earned Red no extra card"),
    ],
)
def test_what_the_cards_played_cannot_have_done_is_refused(
    change: Change, field: str, clause: str, sentence: str
) -> None:
    refused_after(change, ID, position := after_one_turn(), field, clause)
    with pytest.raises(laguna.BadPosition, match=sentence):
        laguna.from_position(ID, position)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("draft", ["secret", "open"])
def test_before_the_first_turn_there_is_nothing_on_the_board(players: int, draft: str) -> None:
    start = laguna.new(ID, players=players, seed=1, draft=draft).position()
    refused_after(put("points", 0, 50), ID, copy.deepcopy(start), "points[0]", "M43")
    refused_after(put("ships", 1, 1), ID, copy.deepcopy(start), "ships[1]", "M5")
    refused_after(put("board", "R0", 0), ID, copy.deepcopy(start), "board", "M10")


def test_a_bonus_cell_brought_its_points() -> None:
    position, seat = with_a_bonus()
    refused_after(put("points", seat, 19), ID, position, f"points[{seat}]", "M43")


def test_ships_go_no_farther_than_the_wheels_of_the_cards_that_were_not_placed() -> None:
    from tests.games.test_mille_fiori import stage

    game = stage("lion3")
    game.play("sail")
    refused_after(put("ships", 0, 4), ID, game.position(), "ships", "M11")
    game.play(game.legal()[0])
    position = game.position()
    assert len(position["board"]) == 1, "Green has placed a card: its wheel moved no ship"
    refused_after(put("ships", 0, 4), ID, position, "ships", "M11")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (drop("hands", 0), "hands[0]: 2 cards instead of 3 (M5)."),
        (put("hands", 0, ["lion1"]), "hands[0]: 1 card instead of 3 (M5)."),
        (put("ships", [0]), "ships: 1 entry for 4 players (M2)."),
        (put("ships", [0, 0]), "ships: 2 entries for 4 players (M2)."),
        (put("discards", ["lion1"]), "discards: 1 card after 37 turns (M5)."),
        (five_lions, "display: there are 4 lion1 cards, but the game has only 1 (M1)."),
    ],
)
def test_sentences_count_in_english(change: Change, sentence: str) -> None:
    position = middle()
    change(position)
    with pytest.raises(laguna.BadPosition) as refusal:
        laguna.from_position(ID, position)
    assert str(refusal.value) == sentence
