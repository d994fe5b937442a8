"""Simulations: the same games wherever they are played, added up rightly, resumed after an interruption."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.bots import ask, load_bot
from laguna.cli.main import main
from laguna.errors import LagunaError
from laguna.game import set_up
from laguna.games import find, rulebooks
from laguna.kernel.jit import JIT
from laguna.lab import cluster
from laguna.lab.datasets import decisions, game_of, write_games
from laguna.lab.quick_games import decision_seed
from laguna.lab.results import Results, read
from laguna.lab.simulation import Simulation, simulate
from laguna.lab.simulation_journal import Journal
from laguna.lab.tournament import Plan
from laguna.lab.tournament import run as play_tournament
from tests.size import scaled

SHORT = {"rounds": 1}
RANDOM = Simulation("neptune-vesta", ("random", "greedy"), 12, SHORT, 5, codes=True)


def played_by_hand(plan: Simulation, number: int) -> laguna.Game:
    """The game as anybody would play it with `Game` and `ask`."""
    seed, rotation = plan.seed + number // plan.rotations, number % plan.rotations
    game = set_up(plan.game, plan.players, seed, None, plan.options)
    while game.seat is not None:
        bot = load_bot(plan.bots[(game.seat + rotation) % plan.players])
        game.play(ask(bot, game, (seed * 1_000_003 + game.played) % 2**31))
    return game


def row_of(found: Results, row: int) -> Any:
    assert found.codes is not None
    won = np.flatnonzero(found.winners[row]).tolist()
    return found.codes[row].tolist(), found.scores[row].tolist(), won


def same(one: Results, other: Results) -> bool:
    ours, theirs = one.columns, other.columns
    assert one.codes is not None and other.codes is not None
    return all(np.array_equal(ours[name], theirs[name]) for name in ours) and bool(
        np.array_equal(one.codes.flat, other.codes.flat)
    )


QUICK = ("random", "greedy")
LEARNED = ("network", "seal", "turtle")


@pytest.mark.parametrize(
    ("game", "bots"),
    scaled(
        [("neptune-vesta", LEARNED), ("mille-fiori", QUICK)],
        [(game, bots) for game in rulebooks() for bots in (QUICK, LEARNED)],
    ),
)
def test_quick_games_are_those_that_the_bots_play(tmp_path: Path, game: str, bots: tuple[str, ...]) -> None:
    """Compiled games, action by action, with every number that is kept of them."""
    players = find(game).meta.usual_players
    if bots == LEARNED and (find(game).inputs is None or not JIT):
        bots = ("heron", "turtle")
    seats = (bots * players)[:players]
    plan = Simulation(game, seats, scaled(2, 10), SHORT if game == "neptune-vesta" else {}, 3, codes=True)
    simulate(plan, tmp_path / "some.json", cores=1)
    found = read(tmp_path / "some.json")
    assert len(found) == plan.total and plan.total % plan.rotations == 0
    for number in range(scaled(2, plan.total)):
        game_by_hand = played_by_hand(plan, number)
        codes = [action.code for action in game_by_hand.actions]
        assert row_of(found, number) == (codes, game_by_hand.scores, game_by_hand.winners)
        assert found.choices[number] == sum(map(len, legal_of(game_by_hand)))
        assert found.columns["bots"][number].tolist() == [
            seats[(seat + number % plan.rotations) % players] for seat in range(players)
        ]


def legal_of(game: laguna.Game) -> list[list[Any]]:
    """The legal actions before each action of a finished game."""
    found = []
    while game.played:
        game.undo()
        found.append(game.legal())
    return found


def test_the_seed_of_a_decision_is_that_of_a_tournament() -> None:
    for seed, played in ((0, 0), (7, 12), (2**53 - 1, 400)):
        assert decision_seed(seed, played) == (seed * 1_000_003 + played) % 2**31
    games = play_tournament(Plan("neptune-vesta", ("random", "greedy"), 4, SHORT), cores=1)
    totals = simulate(Simulation("neptune-vesta", ("random", "greedy"), 4, SHORT), cores=1)
    assert totals.actions == sum(game.actions for game in games)


def test_the_same_games_on_any_number_of_cores(tmp_path: Path) -> None:
    """Quick bots in threads; a slow one in child processes."""
    with pytest.raises(LagunaError, match="No cluster answers at 'auto'"):
        simulate(RANDOM, ray="auto")
    slow = Simulation("neptune-vesta", ("tests.test_simulate:first", "random"), 4, SHORT, 5, codes=True)
    for plan in (RANDOM, slow):
        for cores in (1, 2):
            name = tmp_path / f"{plan.bots[0][-6:]}-{cores}.json"
            simulate(plan, name, cores=cores)
        one, two = (tmp_path / f"{plan.bots[0][-6:]}-{cores}.json" for cores in (1, 2))
        assert one.read_bytes() == two.read_bytes()


def first(game: laguna.Game, seed: int) -> Any:
    """A bot that is not quick."""
    return game.legal()[0]


def test_a_search_and_what_it_found(tmp_path: Path) -> None:
    if not JIT:
        pytest.skip("searching interpreted takes too long")
    plan = Simulation("neptune-vesta", ("search:64", "random"), 1, SHORT, visits=True, rotate=False)
    simulate(plan, tmp_path / "searched.json", cores=1)
    found = read(tmp_path / "searched.json")
    without = Simulation("neptune-vesta", ("search:64", "random"), 1, SHORT, codes=True, rotate=False)
    simulate(without, tmp_path / "plain.json", cores=1)
    assert same(found, read(tmp_path / "plain.json")), "looking changes nothing"
    searched = 0
    for each in decisions(found):
        if each.visits is None:
            assert each.value is None and (each.seat == 1 or len(each.state.legal) == 1)
        else:
            searched += 1
            assert each.seat == 0 and len(each.visits) == len(each.state.legal)
            assert each.visits[each.state.legal.index(each.code)] == each.visits.max()
            assert each.value is not None and 0 <= each.value <= 1
    assert searched > 3


def test_totals_are_those_of_the_rows(tmp_path: Path) -> None:
    plan = Simulation("neptune-vesta", ("random", "greedy"), 40, SHORT)
    totals = simulate(plan, tmp_path / "some.csv").summary()
    found = read(tmp_path / "some.csv")
    assert totals["games"] == 40 and len(found) == 40
    random = np.array(found.head.bots)[found.bots] == "random"
    low, share, high = totals["bot_results"][0]["win_share"]
    assert share == pytest.approx(found.shares[random].mean()) and low <= share <= high
    assert totals["bot_results"][0]["mean_score"] == pytest.approx(found.scores[random].mean())
    seat = totals["seats"][1]
    assert seat["win_share"][1] == pytest.approx(found.shares[:, 1].mean())
    assert seat["mean_score"] == pytest.approx(found.scores[:, 1].mean())
    assert seat["deviation"] == pytest.approx(found.scores[:, 1].std())
    assert totals["actions"]["mean"] == pytest.approx(found.actions.mean())
    assert totals["actions"]["deviation"] == pytest.approx(found.actions.std())
    assert (totals["actions"]["shortest"], totals["actions"]["longest"]) == (
        found.actions.min(),
        found.actions.max(),
    )
    assert totals["branching"] == pytest.approx(found.choices.sum() / found.actions.sum())


def test_bots_keep_their_seats_on_request() -> None:
    fixed = Simulation("neptune-vesta", ("random", "greedy"), 3, SHORT, rotate=False)
    assert (fixed.total, fixed.rotations) == (3, 1)
    assert Simulation("neptune-vesta", ("random", "greedy"), 3, SHORT).total == 4
    assert Simulation("neptune-vesta", ("random", "random"), 3, SHORT).total == 3
    greedy = simulate(fixed, cores=1).summary()["bot_results"][1]
    assert greedy["mean_score_by_seat"][0] is None


def test_it_resumes_where_it_stopped(tmp_path: Path) -> None:
    """Also if a piece was not written completely, and with more games than before."""
    whole, path = tmp_path / "whole.json", tmp_path / "some.json"
    simulate(RANDOM, whole, cores=1)
    seen: list[int] = []
    with Journal(path, RANDOM) as journal:
        journal.add(4, read(whole).where(slice(4, 6)))
        journal.add(0, read(whole).where(slice(0, 2)))
        size = journal.path.stat().st_size
        journal.add(2, read(whole).where(slice(2, 4)))
    journal.path.write_bytes(journal.path.read_bytes()[:-5])
    with Journal(path, RANDOM) as again:
        assert (again.done, again.missing()) == (4, [(2, 2), (6, 6)])
    assert journal.path.stat().st_size == size, "what was incomplete is gone"
    simulate(RANDOM, path, cores=1, progress=lambda done, total: seen.append(done))
    assert path.read_bytes() == whole.read_bytes() and seen[0] == 4 and seen[-1] == 12
    assert not journal.path.exists()


def test_another_simulation_beside_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    with Journal(path, RANDOM):
        pass
    other = Simulation("neptune-vesta", ("random", "greedy"), 12, SHORT, 6, codes=True)
    with pytest.raises(LagunaError, match="holds another simulation"):
        simulate(other, path, cores=1)
    with pytest.raises(LagunaError, match="cannot be written"):
        simulate(RANDOM, tmp_path / "nowhere" / "some.json", cores=1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"bots": ("random",)}, "is for 2 players"),
        ({"bots": ("random", "hal")}, "no bot 'hal'"),
        ({"games": 0}, "The number of games must be"),
        ({"games": "many"}, "The number of games must be"),
        ({"options": {"rounds": 9}}, "rounds"),
        ({"seed": -1}, "A seed must be"),
        ({"seed": 2**53 - 2}, "The seed of the last game must be"),
    ],
)
def test_a_plan_is_checked(change: dict[str, Any], sentence: str) -> None:
    given = {"game": "neptune-vesta", "bots": ("random", "random"), "games": 10, **change}
    with pytest.raises(LagunaError, match=sentence):
        Simulation(**given)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"device": "tpu"}, "--device is auto, cpu or cuda, not 'tpu'"),
        ({"cores": 0}, "The number of cores must be"),
        ({"ray": "no address"}, "--ray takes auto, local or the address"),
        ({"device": "cuda"}, "There is no GPU that numba-cuda can use here"),
    ],
)
def test_where_to_play_is_checked(
    how: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laguna.kernel.gpu.available", lambda: False)
    with pytest.raises(LagunaError, match=sentence):
        simulate(RANDOM, **how)


def test_the_same_games_on_a_cluster(tmp_path: Path) -> None:
    """A real one, of two workers on this machine: quick bots, slow ones, a tournament, a bot that fails."""
    import ray

    slow = Simulation("neptune-vesta", ("tests.test_simulate:first", "random"), 4, SHORT, 5, codes=True)
    plan = Plan("neptune-vesta", ("random", "greedy"), 4, SHORT)
    broken = Simulation("neptune-vesta", ("tests.test_simulate:fails", "random"), 2, SHORT)
    ray.init(address="local", num_cpus=2, log_to_driver=False, include_dashboard=False)
    try:
        for each in (RANDOM, slow):
            simulate(each, tmp_path / f"{each.bots[0][-6:]}-here.json", cores=1)
            simulate(each, tmp_path / f"{each.bots[0][-6:]}-there.json", ray="auto")
            here, there = (tmp_path / f"{each.bots[0][-6:]}-{where}.json" for where in ("here", "there"))
            assert here.read_bytes() == there.read_bytes()
        assert play_tournament(plan, tmp_path / "t", keep=True, ray="auto") == play_tournament(plan, cores=1)
        assert len(list((tmp_path / "t").glob("*.laguna.json"))) == 4, "kept on this machine"
        with pytest.raises(LagunaError, match="failed: ZeroDivisionError"):
            simulate(broken, ray="auto")
    finally:
        ray.shutdown()


def fails(game: laguna.Game, seed: int) -> Any:
    return 1 // 0


def test_results_of_a_cluster_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(LagunaError, match=r"pip install 'laguna-table\[ray\]'"):
        list(cluster.results(abs, [(1,)], "auto"))


# ------------------------------------------------------------------ datasets


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded") / "some.json"
    simulate(Simulation("neptune-vesta", ("greedy", "random"), 4, SHORT, 9, codes=True), path, cores=1)
    return path


def test_decisions_to_learn_from(recorded: Path) -> None:
    found = read(recorded)
    every = [(each.game, each.seat, each.code, each.share, each.state.clone()) for each in decisions(found)]
    assert len(every) == found.actions.sum()
    for game, seat, code, share, state in every:
        assert state.seat == seat and code in state.legal
        assert share == found.shares[game, seat]
    unforced = list(decisions(found, forced=False))
    assert 0 < len(unforced) <= len(every)


def test_games_as_game_files(recorded: Path, tmp_path: Path) -> None:
    found = read(recorded)
    for number, path in enumerate(write_games(found, tmp_path / "games")):
        game = laguna.load(path)
        assert (game.seed, game.scores) == (found.seed[number], found.scores[number].tolist())
        assert game == game_of(found, number)
        assert game.seats == found.columns["bots"][number].tolist()
    assert len(list((tmp_path / "games").iterdir())) == 4
    with pytest.raises(LagunaError, match="already exists; choose another folder"):
        list(write_games(found, tmp_path / "games"))


def test_games_that_cannot_have_been_played(recorded: Path, tmp_path: Path) -> None:
    document = json.loads(recorded.read_text())
    document["games"][1]["codes"][2] = document["games"][1]["codes"][0]
    document["games"][2]["scores"][0] += 1
    (tmp_path / "wrong.json").write_text(json.dumps(document))
    found = read(tmp_path / "wrong.json")
    for look in (lambda each: list(decisions(each)), lambda each: game_of(each, 0)):
        with pytest.raises(laguna.BadFile, match=r"Action 3 of the game in row 1 .*is not allowed"):
            look(found.where([1]))
        with pytest.raises(laguna.BadFile, match="row 1 does not end as its result says"):
            look(found.where([2]))
        with pytest.raises(laguna.BadFile, match="have no actions; play the games with --actions"):
            look(Results(**{**vars(found), "codes": None}))


# ------------------------------------------------------------------ the commands


def test_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(*words: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["laguna", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
            raise SystemExit(0)
        told = capsys.readouterr()
        return int(left.value.code or 0), told.out + told.err

    some, totals = tmp_path / "some.parquet", tmp_path / "totals.json"
    words = ["neptune-vesta", "--bots", "greedy,random", "--games", 4, "--option", "rounds=1", "--cores", 1]
    code, told = command("simulate", *words, "--output", some, "--actions", "--json", totals)
    assert code == 0 and "all seats rotated" in told and "seat 1" in told and "games in" in told
    assert json.loads(totals.read_text())["games"] == 4
    code, told = command("dataset", "show", some, "--games", 2)
    assert code == 0 and "actions: codes" in told and "greedy random" in told
    code, told = command("dataset", "games", some, "--folder", tmp_path / "games", "--first", 3)
    assert code == 0 and "1 game files written" in told
    code, told = command("dataset", "make", *words[:-2], "--output", tmp_path / "made.json")
    assert code == 0 and read(tmp_path / "made.json").codes is not None
    refused: list[tuple[list[object], str]] = [
        (["simulate", *words, "--output", some], "already exists"),
        (["simulate", *words, "--json", totals], "already exists"),
        (["simulate", *words, "--actions"], "needs an --output"),
        (["simulate", *words, "--output", tmp_path / "some.txt"], "ends with .parquet"),
        (["simulate", "neptune-vesta", "--bots", "a,b,c"], "is for 2 players"),
        (["dataset", "show", tmp_path / "nothing.csv"], "There is no file"),
        (["dataset", "games", some, "--folder", tmp_path / "g", "--first", 4], "must be less than 4"),
        (["dataset", "games", some, "--folder", some], "cannot be made"),
    ]
    for wrong, sentence in refused:
        code, told = command(*wrong)
        assert code == 2 and sentence in told.replace("\n", " "), wrong
