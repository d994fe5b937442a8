"""The engine beside its naive referee, action by action, over many random games.

The referee is the second opinion for every optimisation: same legal actions in the same order, same
scores, same end, same hidden pieces after every action. `agree_<game>.py` says how to compare a game.
"""

from __future__ import annotations

import random
from importlib import import_module

import pytest

from laguna.games import find
from laguna.kernel.chance import SEEDS
from laguna.kernel.jit import JIT
from tests.every import Kind, kinds
from tests.size import scaled

GAMES = scaled(24, 2000) if JIT else 12  # of each game, shared among its kinds


@pytest.mark.parametrize("kind", kinds(), ids=str)
def test_lockstep(kind: Kind) -> None:
    comparison = import_module(f"tests.oracle.agree_{find(kind.game).folder}")
    for _ in range(-(-GAMES // sum(each.game == kind.game for each in kinds()))):
        seed = random.randrange(SEEDS)
        game, match = kind.new(seed), comparison.referee(seed, kind.players, **kind.options)
        comparison.agrees(match, game)
        while not game.over:
            assert match.seat == game.seat and not match.over
            legal = game.legal()
            assert [action.value for action in legal] == match.legal()
            action = random.choice(legal)
            game.play(action)
            match.play(action.value)
            comparison.agrees(match, game)
        assert match.over and match.legal() == []
        assert game.winners == match.winners()
