"""Tournaments: fair, resumable, and their statistics are right."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import laguna
from laguna.cli.main import main, out
from laguna.cli.tournament import print_summary, timed
from laguna.kernel.jit import JIT
from laguna.lab.ratings import decided, elo, elo_intervals, share_interval
from laguna.lab.tournament import JOURNAL, Plan, Played, run, summary, whole_deals
from tests.size import scaled

PLAN = Plan("neptune-vesta", ("greedy", "random"), 8, {"rounds": 1})


def test_every_deal_is_played_with_all_rotations() -> None:
    games = run(PLAN, cores=1)
    assert [(game.deal, game.rotation) for game in games] == [(d, r) for d in range(4) for r in range(2)]
    assert PLAN.seats(0) == ["greedy", "random"] and PLAN.seats(1) == ["random", "greedy"]
    assert Plan("neptune-vesta", ("greedy", "random"), 7, {}).deals == 4


def test_the_same_plan_gives_the_same_games_on_any_number_of_cores() -> None:
    assert run(PLAN, cores=1) == run(PLAN, cores=2)


def test_it_resumes_where_it_stopped(tmp_path: Path) -> None:
    """A journal cut off in the middle of a line: only what is missing is played again."""
    whole = run(PLAN, tmp_path, cores=1)
    journal = tmp_path / JOURNAL
    lines = journal.read_text().splitlines()
    journal.write_text("\n".join(lines[:4]) + "\n" + lines[4][:10])
    seen: list[int] = []
    assert run(PLAN, tmp_path, cores=1, progress=lambda done, total: seen.append(done)) == whole
    assert seen[0] == 3 and seen[-1] == 8
    longer = Plan(PLAN.game, PLAN.bots, 12, PLAN.options)
    assert run(longer, tmp_path, cores=1)[:8] == whole


def test_another_tournament_in_the_folder_is_refused(tmp_path: Path) -> None:
    run(Plan("neptune-vesta", ("random", "random"), 2, {"rounds": 1}), tmp_path, cores=1)
    with pytest.raises(laguna.BadFile, match="another tournament"):
        run(PLAN, tmp_path, cores=1)


def test_games_are_kept_on_request(tmp_path: Path) -> None:
    games = run(PLAN, tmp_path, keep=True, cores=1)
    for game in games:
        file = tmp_path / f"neptune-vesta-{game.deal}-{game.rotation}.laguna.json"
        kept = laguna.loads(file.read_text())
        assert (kept.scores, kept.winners) == (game.scores, game.winners)
        assert kept.seats == PLAN.seats(game.rotation)


def test_it_stops_once_the_result_is_decided() -> None:
    plan = Plan("neptune-vesta", ("greedy", "random"), 1000, {"rounds": 1})
    assert len(run(plan, stop_early=True, cores=1)) < 100


@pytest.mark.parametrize(
    ("bots", "games", "sentence"),
    [
        (("greedy",), 2, "is for 2 players"),
        (("greedy", "hal"), 2, "no bot 'hal'"),
        (("greedy", "random"), 0, "The number of games must be a whole number from 1 to 1000000, not 0"),
    ],
)
def test_a_plan_is_checked(bots: tuple[str, ...], games: int, sentence: str) -> None:
    with pytest.raises(laguna.LagunaError, match=sentence):
        Plan("neptune-vesta", bots, games, {})


def game(deal: int, rotation: int, scores: list[int], winners: list[int]) -> Played:
    return Played(deal, rotation, scores, winners, 10)


def test_the_summary_of_games_made_by_hand() -> None:
    plan = Plan("neptune-vesta", ("greedy", "random"), 4, {})
    games = [
        game(0, 0, [2, 0], [0]),
        game(0, 1, [1, 1], [0, 1]),
        game(1, 0, [2, 1], [0]),
        game(1, 1, [2, 1], [0]),
        game(2, 0, [0, 2], [1]),
    ]
    found = summary(plan, games)
    assert found["games"] == 4, "a deal without all rotations does not count"
    greedy, random = found["results"]
    assert greedy["win_share"][1] == pytest.approx(2.5 / 4) and random["win_share"][1] == pytest.approx(
        1.5 / 4
    )
    assert greedy["points_against"]["random"] == 2.5 and random["points_against"]["greedy"] == 1.5
    assert greedy["mean_score_by_seat"] == [2.0, 1.0]
    assert greedy["elo"][1] > 0 > random["elo"][1]
    with pytest.raises(laguna.BadOption, match="play more games"):
        summary(plan, games[-1:])
    assert len(whole_deals(plan, {(g.deal, g.rotation): g for g in games})) == 2


def test_elo_is_the_logistic_one() -> None:
    """Three quarters of many games are 191 Elo; ratings of a chain of bots add up."""
    points = np.array([[0, 7500], [2500, 0]], float)
    first, second = elo(points)
    assert first - second == pytest.approx(190.8, abs=0.5)
    three = np.array([[0, 7500, 9000], [2500, 0, 7500], [1000, 2500, 0]], float)
    a, b, c = elo(three)
    assert a - b == pytest.approx(190.8, abs=2) and a - c == pytest.approx(381.7, abs=4)


def test_intervals_shrink_and_cover() -> None:
    chance = np.random.default_rng(1)
    shares = (chance.random(400) < 0.6).astype(float).tolist()
    low, _, high = share_interval(shares)
    assert low < 0.6 < high and high - low < 0.1
    deals = [np.array([[0, share], [1 - share, 0]]) for share in shares]
    (low, rating, high), _ = elo_intervals(deals)
    assert low < 35.2 < high and low < rating < high
    assert share_interval(shares[:40])[2] - share_interval(shares[:40])[0] > 0.2


@pytest.mark.parametrize(("deals", "least"), [(1, 0.01), (10, 0.7), (1000, 0.996)])
def test_winning_every_deal_does_not_mean_always_winning(deals: int, least: float) -> None:
    low, mean, high = share_interval([1.0] * deals)
    assert mean == high == 1 and least <= low < 1 - 0.5 / deals
    assert share_interval([0.0] * deals) == pytest.approx((0, 0, 1 - low))


@pytest.mark.parametrize("deals", [1, 10, 100, 1000])
def test_the_elo_after_winning_every_deal_is_as_uncertain_as_the_share(deals: int) -> None:
    (low, rating, high), other = elo_intervals([np.array([[0, 2], [0, 0]], float)] * deals)
    assert low + 30 < rating < high - 30
    assert other == pytest.approx((-high, -rating, -low))
    least, _, _ = share_interval([1.0] * deals)
    if deals >= 10:
        assert 1 / (1 + 10 ** (-2 * low / 400)) == pytest.approx(least, abs=0.05)


@pytest.mark.parametrize("bots", [3, 4, 5])
@pytest.mark.parametrize("deals", [1, 10, 300])
def test_nor_is_it_certain_among_several_bots(bots: int, deals: int) -> None:
    """Each always beats those after it: the order is known, and each has an interval, never just a point."""
    deal = np.triu(np.full((bots, bots), float(bots)), 1)
    found = elo_intervals([deal] * deals)
    assert all(low + 30 < rating < high - 30 for low, rating, high in found)
    ratings = [rating for _, rating, _ in found]
    assert ratings == sorted(ratings, reverse=True) and sum(ratings) == pytest.approx(0, abs=0.1)
    if deals >= 10:
        assert found[0][0] > found[-1][2]


def test_elo_among_bots_of_several_seats() -> None:
    """One against four copies of another, five seats: the rating lies in its interval."""
    for deals in (1, 10, 100, 1000):
        (low, rating, high), _ = elo_intervals([np.array([[0, 20], [0, 0]], float)] * deals)
        assert low < rating < high


@pytest.mark.parametrize(("chances", "deals"), [(0.5, 10), (0.8, 10), (0.95, 10), (0.95, 40)])
def test_elo_intervals_cover_the_truth(chances: float, deals: int) -> None:
    chance = np.random.default_rng(3)
    truth = 400 * np.log10(chances / (1 - chances)) / 2
    covered = 0
    tries = scaled(30, 300)
    for _ in range(tries):
        won = chance.random(deals) < chances
        (low, _, high), _ = elo_intervals([np.array([[0, each], [1 - each, 0]], float) for each in won])
        covered += low <= truth <= high
    assert covered >= 0.88 * tries


def test_sprt_decides_in_both_directions_and_rarely_wrongly() -> None:
    chance = np.random.default_rng(2)

    def length(chances: float) -> tuple[int, bool]:
        shares: list[float] = []
        while not decided(shares) and len(shares) < 5000:
            shares.append(float(chance.random() < chances))
        return len(shares), sum(shares) > len(shares) / 2

    strong = [length(0.75) for _ in range(30)]
    weak = [length(0.25) for _ in range(30)]
    assert all(better for _, better in strong) and not any(better for _, better in weak)
    assert np.mean([games for games, _ in strong]) < 150
    assert not decided([1.0] * 5)


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(*words: object) -> int:
        monkeypatch.setattr(sys, "argv", ["laguna", "tournament", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
            raise SystemExit(0)
        return int(left.value.code or 0)

    found, rows = tmp_path / "told.json", tmp_path / "rows.csv"
    words = ["neptune-vesta", "greedy", "random", "--games", 4, "--option", "rounds=1"]
    assert command(*words, "--folder", tmp_path / "t", "--keep", "--json", found, "--csv", rows) == 0
    assert "greedy" in capsys.readouterr().out
    assert json.loads(found.read_text())["games"] == 4
    with rows.open() as file:
        assert len(list(csv.DictReader(file))) == 8
    assert command(*words, "--json", found) == 2
    assert command(*words, "--keep") == 2
    assert command("neptune-vesta", "search", "random", "--seconds", 0) == 2
    if JIT:  # searching interpreted takes too long
        quick = ["search", "random", "--games", 2, "--option", "rounds=1", "--seconds", 0.002]
        assert command("neptune-vesta", *quick) == 0 and "search:0.002s" in capsys.readouterr().out
    assert command("neptune-vesta", "greedy", "random", "heron") == 2
    assert command("neptune-vesta", "hal", "random") == 2


def test_long_names_of_bots_are_shown_in_full_in_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = ("search:0.002s,explore=0.8,sharpness=2,playout=4", "search:0.002s,explore=1.6,halving=off")
    plan = Plan("neptune-vesta", names, 2, {})
    print_summary(out, summary(plan, [game(0, 0, [2, 0], [0]), game(0, 1, [1, 1], [0, 1])]))
    found = capsys.readouterr().out
    assert max(map(len, found.splitlines())) <= 80
    assert "…" not in found.replace(" … ", ""), "nothing is left out"


@pytest.mark.parametrize(
    ("seconds", "name"), [(0.2, "search:0.2s"), (2, "search:2s"), (0.0014, "search:0.001s")]
)
def test_a_plain_search_gets_the_seconds(seconds: float, name: str) -> None:
    assert timed(["greedy", "search", "search:9"], seconds) == ["greedy", name, "search:9"]
    Plan("neptune-vesta", ("greedy", name), 2, {})


@pytest.mark.parametrize("seconds", [0, -1, 0.0001, 1e9, float("nan")])
def test_seconds_are_checked(seconds: float) -> None:
    with pytest.raises(laguna.BadOption, match=r"--seconds must be from 0\.001 to 3600, not"):
        timed(["search", "greedy"], seconds)
