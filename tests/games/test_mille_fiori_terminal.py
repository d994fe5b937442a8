"""Mille Fiori at the terminal: a whole game of two, and how the board is drawn."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import laguna
from laguna.games import find
from tests.every import random_steps
from tests.keyboard import Keyboard, typed_again

ID = "mille-fiori"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Keyboard:
    return Keyboard(monkeypatch, capsys, columns=80)


@pytest.mark.parametrize("draft", ["secret", "open"])
def test_a_whole_game_of_two_is_typed_and_its_file_passes_check(
    run: Keyboard, tmp_path: Path, draft: str
) -> None:
    played = laguna.new(ID, players=2, seed=3, draft=draft)
    for _ in random_steps(played, seed=3):
        pass
    path = tmp_path / "game.laguna.json"
    words = ("play", ID, "--players", 2, "--seats", "you,you", "--seed", 3, "--option", f"draft={draft}")
    done = run(*words, "--save", path, typed=typed_again(played))
    assert done.code == 0, done.err
    assert "wins" in done.out or "share the win" in done.out
    assert laguna.loads(path.read_text()).state_bytes() == played.state_bytes()
    assert f"scores {played.scores}" in run("check", path).out
    assert "after 9 of" in run("show", path, "--at", 9, "--seat", 1, "--log").out


def test_the_secret_of_a_bot_is_not_printed(run: Keyboard) -> None:
    """The person is asked first; the bot's choice is shown without the card, in the log too."""
    game = laguna.new(ID, players=2, seed=4)
    own = game.legal()[0]
    lines = [str(own), "log", "? W0", "? m15", "? sail", "quit"]
    words = ("play", ID, "--players", 2, "--seats", "you,random", "--seed", 4)
    found = run(*words, typed="\n".join(lines) + "\n").out
    assert found.count("Green (random): a secret choice") == 2 and f"Red: {own}" in found
    assert "M15: Count your connected workshops" in found and "There is no clause" not in found
    assert "M11 Red sails with" in found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_board_fits_80_columns_in_every_position(players: int) -> None:
    draw = find(ID).terminal.draw
    game = laguna.new(ID, players=players, seed=5)
    for number, _ in enumerate(random_steps(game, seed=5)):
        if number % 5:
            continue
        console = Console(width=80, file=io.StringIO(), record=True)
        console.print(draw(game.view(game.seat)))
        lines = console.export_text().splitlines()
        assert len(lines) < 40 and any("Workshops" in line for line in lines)
        assert not any("…" in line for line in lines)
        board = game.view()["board"]
        drawn = sum(line.count(f" {letter} ") for line in lines[1:18] for letter in "RGYB"[:players])
        assert drawn >= sum(name[0] in "WNC" for name in board)


def test_the_next_residence_and_a_full_row_are_shown() -> None:
    view = laguna.new(ID, seed=6).view()
    for count, found in ((0, "Residences → R0 "), (7, "Residences → R7 "), (20, "Residences 2R 4R")):
        console = Console(width=80, file=io.StringIO(), record=True)
        board = {f"R{place}": 0 for place in range(count)}
        console.print(find(ID).terminal.draw(view | {"board": board}))
        assert found in console.export_text()


def test_the_secret_of_the_last_player_is_not_shown_to_the_next(run: Keyboard) -> None:
    """Two people, one keyboard: what the first kept is shown only to the first."""
    game = laguna.new(ID, players=2, seed=5)
    kept = game.legal()[0]
    words = ("play", ID, "--players", 2, "--seats", "you,you", "--seed", 5)
    found = run(*words, typed=f"{kept}\n\nlog\nquit\n").out
    before, after = found.split("Pass the keyboard to")
    assert f"Red: {kept}" in before
    assert after.count("Red: a secret choice") == 2 and f"Red: {kept}" not in after
