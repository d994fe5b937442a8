"""The result and where the scores come from."""

from __future__ import annotations

import pytest

from tests.table.tables import ANN, GAMES, NOW, playing, random_play


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("played_out", [True, False], ids=["played", "resigned"])
def test_the_breakdown_adds_up_to_the_scores(game: str, played_out: bool) -> None:
    scored = 0
    for seed in range(5):
        table = playing(game, 2, seed=seed)
        for number, _ in enumerate(random_play(table, seed)):
            if number == 30 and not played_out:
                table.resign(ANN, None, NOW)
        assert table.result is not None
        assert table.result.how == ("played" if played_out else "resigned")
        assert table.result.winners == (table.started.winners if played_out else [1])
        assert table.result.scores == table.started.scores
        points = [0, 0]
        for line in table.result.breakdown:
            assert (
                set(line) == {"seat", "clause", "key", "points", "sentence"} and line["sentence"][-1] == "."
            )
            points[line["seat"]] += line["points"]
        assert points == table.result.scores
        scored += any(points)
    assert scored or (game == "neptune-vesta" and not played_out)  # no round was over yet
