"""Neither the time nor the size of an answer tells what is hidden, and a leak would be noticed."""

from __future__ import annotations

import pytest
from benchmarks import hidden_timing
from benchmarks.hidden_timing import ANSWERS, planted, positions, tells, view

import laguna
from laguna.game import Game
from laguna.kernel.jit import JIT
from tests.size import scaled

GAMES = scaled(["mille-fiori"], laguna.games())
SAMPLES = scaled(150, 4000)

pytestmark = pytest.mark.skipif(not JIT, reason="interpreted rules may take any time")


@pytest.mark.parametrize("answer", scaled(["legal", "view", "bot"], list(ANSWERS)))
@pytest.mark.parametrize("name", GAMES)
def test_twins_are_answered_alike(name: str, answer: str) -> None:
    for game in positions(name):
        told, found = tells(game, game.seat or 0, ANSWERS[answer], SAMPLES)
        assert not told, f"after {game.played}: {found.difference:+.0f} ns, {sorted(found.sizes)} bytes"


@pytest.mark.parametrize("name", GAMES)
def test_a_planted_leak_of_time_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_timing, "ROUNDS", scaled(5_000, 300))
    game = next(positions(name))
    told, found = tells(game, game.seat or 0, planted(game), SAMPLES)
    assert told and found.difference > 0


def test_a_planted_leak_of_size_is_noticed() -> None:
    def leaky(game: Game, seat: int) -> bytes:
        return view(game, seat) + b" " * (sum(game.state_bytes()) % 7)

    game = next(positions("mille-fiori"))
    assert tells(game, game.seat or 0, leaky, 20)[0]
