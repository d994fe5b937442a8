"""Venice 2099 at the terminal: a whole game of three players, typed, saved and checked."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import laguna
from laguna.games.venice_2099.terminal import draw
from tests.every import random_steps
from tests.keyboard import Keyboard, typed_again
from tests.size import scaled

ID = "venice-2099"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Keyboard:
    return Keyboard(monkeypatch, capsys, columns=80)


def drawn(game: laguna.Game, seat: int | None) -> str:
    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(draw(game.view(seat)))
    return console.export_text()


def test_three_people_play_a_whole_game_and_its_file_is_accepted(run: Keyboard, tmp_path: Path) -> None:
    played = laguna.new(ID, seed=3, edition="hobby-world")
    for _ in random_steps(played, seed=3):
        pass
    path = tmp_path / "game.laguna.json"
    words = ("play", ID, "--players", 3, "--seats", "you,you,you", "--option", "edition=hobby-world")
    code, out, err = run(*words, "--seed", 3, "--save", path, typed=typed_again(played))
    assert code == 0, err
    assert "has fallen from" in out and "pawns (V18, V19)" in out and ("wins" in out or "share" in out)
    assert laguna.loads(path.read_text()).state_bytes() == played.state_bytes()
    code, out, _ = run("check", path)
    assert code == 0 and f"scores {played.scores}" in out
    code, out, _ = run("show", path, "--at", 30, "--seat", 1, "--log")
    assert code == 0 and "after 30 of" in out


def test_the_prompt_explains_actions_and_clauses(run: Keyboard) -> None:
    lines = ["?", "? V11", "? v22a", "? @a1", "? a1-a2", "@j9", "list", "quit"]
    code, out, _ = run("play", ID, "--seed", 1, typed="\n".join(lines) + "\n")
    found = " ".join(out.split())
    assert code == 0
    for sentence in ("@c4 to place a pawn", "V11: To buy", "V22a: The score", "it scores nothing",
                     "All pawns must be placed before", "'@j9' is not an action", "@a1 @b1"):  # fmt: skip
        assert sentence in found, sentence


@pytest.mark.parametrize("players", scaled([2, 5], [2, 3, 4, 5]))
def test_every_board_fits_80_columns_and_shows_colors_as_letters_too(players: int) -> None:
    game = laguna.new(ID, players=players, seed=players)
    for _ in random_steps(game, players):
        text = drawn(game, game.seat)
        assert max(map(len, text.splitlines())) <= 80
        for seat, pawns in enumerate(game.view()["pawns"]):
            assert text.count(f"♟{seat + 1}") >= len(pawns)
    board = game.view()["board"]
    above = [tile for at, tile in board.items() if at not in game.view()["water"] and tile != "platform"]
    text = drawn(game, None)
    assert all(tile[:2] + tile[-1] in text for tile in above)
    assert "total" in text and "Your cards" not in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["play", ID, "--players", "6"], "is for 2, 3, 4 or 5 players, not 6"),
        (["play", ID, "--option", "edition=x"], "'piatnik' or 'hobby-world', not 'x' (V22)"),
        (["play", ID, "--option", "moves=king"], "'queen', 'rook' or 'walk', not 'king' (V9)"),
        (
            ["play", ID, "--option", "speed=1"],
            "its options are edition, moves, rescue, x_scores and tie_break",
        ),
        (["play", ID, "--players", "3", "--seats", "you,you"], "Name 3 seats"),
        (["rules", ID, "V99"], "There is no clause 'V99'; the clauses are V1 to V23"),
    ],
)
def test_bad_input_is_one_sentence(run: Keyboard, words: list[str], sentence: str) -> None:
    code, _, err = run(*words)
    assert code == 2 and sentence in " ".join(err.split())


def test_games_lists_the_editions(run: Keyboard) -> None:
    _, out, _ = run("games")
    assert "--option edition=…" in out and "hobby-world: as Hobby World printed it" in out
