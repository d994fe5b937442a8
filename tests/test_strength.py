"""The tournaments behind the tables of docs/bots.md."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path

import pytest
from benchmarks import ladder, strength
from benchmarks.strength import MATCHES, Match

from laguna.cli.main import main
from laguna.lab.tournament import JOURNAL, Plan, run

EASY = Match("easy", "neptune-vesta", ("greedy", "random"), 2, 4, 0.5, rounds=1)
HARD = EASY._replace(name="hard", bots=("random", "greedy"))


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.name)
def test_the_command_of_a_row_plays_that_match(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is typed, up to the point where the games would begin."""
    held: list[Plan] = []
    monkeypatch.setattr("laguna.cli.tournament.hold", lambda out, err, plan, *_: held.append(plan))
    monkeypatch.setattr(sys, "argv", shlex.split(match.command()))
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code and held == [match.plan()]


def test_matches_are_played_judged_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strength, "MATCHES", [EASY, HARD])
    monkeypatch.setattr(strength, "run", partial(run, cores=1))
    folder = ["--folder", str(tmp_path)]
    assert strength.main(["easy", *folder]) == 0
    row = capsys.readouterr().out.splitlines()[-1]
    assert row.startswith(f"| `{EASY.command()}` | 4 | 100.0% (") and row.endswith("| 50% | ok |")
    assert strength.main(folder) == 1
    easy, hard = capsys.readouterr().out.splitlines()[-2:]
    assert easy == row, "read from its journal"
    assert hard.endswith("| 50% | MISSED |")
    assert len((tmp_path / "easy" / JOURNAL).read_text().splitlines()) == 1 + 4
    assert strength.main(["easy", "--games", "6", *folder]) == 0
    assert "--games 6" in capsys.readouterr().out


def test_a_row_needs_its_share_and_its_interval() -> None:
    assert strength.row("", [0.5, 1.0, 0.5, 0.5], 2, 0.55, 0.5) == (
        "|  | 8 | 62.5% (28.2% – 88.5%) | 55%, interval above 50% | MISSED |", False
    )  # fmt: skip
    assert strength.row("", [1.0] * 10 + [0.5] * 10, 2, 0.55, 0.5)[1]


def test_a_step_of_the_ladder_is_150_elo() -> None:
    assert [round(strength.ahead(players), 3) for players in (2, 3, 5)] == [0.703, 0.542, 0.372]


def test_matches_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert strength.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [match.name for match in MATCHES]
    assert strength.main(["chess"]) == 2
    assert "There is no match 'chess'" in capsys.readouterr().err


# ------------------------------------------------------------------ the ladder as a plot


def test_a_share_as_elo_is_the_other_way_around() -> None:
    for players in (2, 3, 5):
        assert ladder.elo_ahead(strength.ahead(players), players) == pytest.approx(strength.STEP)


def test_the_plot_shows_the_levels_that_have_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, folder = tmp_path / "ladder.svg", ["--folder", str(tmp_path)]
    assert ladder.main([str(picture), *folder]) == 2 and not picture.exists()
    assert capsys.readouterr().err == f"There are no games of the ladder in {str(tmp_path)!r} yet.\n"
    match = next(each for each in MATCHES if each.name == "neptune-vesta-heron-2")
    run(match.plan(), tmp_path / match.name, cores=1, stop_early=True)
    assert ladder.main([str(picture), *folder]) == 0
    drawn = picture.read_text(encoding="utf-8")
    rows = len(ladder.rows(tmp_path))
    dots = drawn.count('r="6"')  # a turtle in each row, and one heron
    assert dots == rows + 1 and "Neptune &amp; Vesta, 2" in drawn
