"""`laguna` as it is typed: the command, and the lines at its prompts."""

from __future__ import annotations

import io
import sys
from typing import NamedTuple

import pytest

import laguna
from laguna.cli.main import main


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Keyboard:
    """Runs `laguna` with some words, and with lines typed at its prompts."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int
    ) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        monkeypatch.setenv("COLUMNS", str(columns))

    def __call__(self, *words: object, typed: str = "") -> Done:
        self.monkeypatch.setattr(sys, "argv", ["laguna", *map(str, words)])
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as left:
            main()
            raise SystemExit(0)
        return Done(int(left.value.code or 0), *self.capsys.readouterr())


def typed_again(game: laguna.Game) -> str:
    """All actions of a game as people at one keyboard type them, with Enter when it is passed on."""
    lines = ""
    before = None
    for entry in game.log[1:]:
        lines += ("\n" if before not in (None, entry.seat) else "") + f"{entry.action}\n"
        before = entry.seat
    return lines
