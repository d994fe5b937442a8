"""Atlantis at the keyboard: three people play a whole game, and what the board shows."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import laguna
from laguna.games.atlantis.terminal import draw
from tests.every import random_steps
from tests.keyboard import Keyboard, typed_again

ID = "atlantis"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Keyboard:
    return Keyboard(monkeypatch, capsys, columns=80)


def test_three_people_play_a_whole_game(run: Keyboard, tmp_path: Path) -> None:
    played = laguna.new(ID, players=3, seed=3)
    for _ in random_steps(played, seed=3):
        pass
    path = tmp_path / "game.laguna.json"
    words = ("play", ID, "--players", 3, "--seats", "you,you,you", "--seed", 3, "--save", path)
    done = run(*words, typed=typed_again(played))
    assert done.code == 0, done.err
    assert "third pawn is on the mainland" in " ".join(done.out.split()) and "wins" in done.out
    assert laguna.loads(path.read_text()).state_bytes() == played.state_bytes()
    assert f"scores {played.scores}" in run("check", path).out
    assert "after 30 of" in run("show", path, "--at", 30, "--seat", 1, "--log").out


def drawn(game: laguna.Game, seat: int | None) -> str:
    console = Console(width=80, file=io.StringIO(), color_system=None)
    console.print(draw(game.view(seat)))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_board_fits_80_columns_and_shows_every_piece() -> None:
    game = laguna.new(ID, players=4, seed=5)
    phases = set()
    for _ in random_steps(game, seed=5):
        text = drawn(game, game.seat)
        phases.add(game.view()["phase"])
        assert max(map(len, text.splitlines())) <= 80
        for stack in game.view()["board"].values():
            assert f"{stack['tile'][0][:2]}{stack['tile'][1]}" in text
    assert phases == {"turn", "chain", "pay", "after"}
    assert "Your cards" not in drawn(game, None) and "Mainland" in drawn(game, None)


def test_a_bad_game_file_names_the_action_and_the_clause() -> None:
    game = laguna.new(ID, seed=6)
    game.play(game.legal()[0])
    text = game.dumps()
    assert laguna.loads(text).actions == game.actions
    first = str(game.actions[0])
    with pytest.raises(laguna.BadFile, match=r"Action 1 \('52 ly'\) is not allowed: No pawn of Player 1"):
        laguna.loads(text.replace(f'"{first}"', '"52 ly"'))
    with pytest.raises(laguna.BadFile, match=r"Action 1 .* is not an action of Atlantis"):
        laguna.loads(text.replace(f'"{first}"', '"0 harp"'))
    with pytest.raises(laguna.BadOption, match="has no option 'rounds'; it has none"):
        laguna.loads(text.replace('"options": {}', '"options": {"rounds": 1}'))
    with pytest.raises(laguna.BadOption, match="2, 3 or 4 players, not 5"):
        laguna.loads(text.replace('"players": 3', '"players": 5'))
