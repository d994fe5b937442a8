"""Puzzles: the format, every puzzle of every game, how they are found, and how they are checked."""

from __future__ import annotations

import datetime
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from laguna.bots import LEVELS
from laguna.cli.main import app
from laguna.errors import BadFile, BadOption, IllegalAction, LagunaError, Refusal
from laguna.game import from_position
from laguna.games import rulebooks
from laguna.lab import puzzles as lab
from laguna.lab.mining import RATINGS, Found, rate
from laguna.lab.puzzles import JOURNAL, Plan, check, make, varied
from laguna.messages import PuzzleTry
from laguna.puzzles import (
    FILE,
    Puzzle,
    PuzzleFile,
    PuzzleTable,
    Step,
    puzzles_of,
    read_puzzles,
    write_puzzles,
)
from laguna.server.network.routes.puzzles import _tried
from laguna.table.entries import Person
from tests.size import scaled

ADA = Person("ada", "Ada")
GAMES = ["atlantis", "mille-fiori", "neptune-vesta", "venice-2099"]
each_game = pytest.mark.parametrize("game", GAMES)


def some(game: str) -> list[Puzzle]:
    """The puzzles of a game: all of them, or in the short form of the tests every eighth."""
    return puzzles_of(game).puzzles[:: scaled(8, 1)]


def tried(game: str, puzzle: Puzzle, **asked: Any) -> Any:
    """What the server would answer."""
    return _tried(PuzzleTable(game, puzzle, ADA, now=1), PuzzleTry(**asked))


def small(count: int = 3, depth: int = 100) -> PuzzleFile:
    """Some puzzles of the package, as if they were made with so few iterations."""
    return PuzzleFile(depth, puzzles_of("neptune-vesta").puzzles[:count])


# ------------------------------------------------------------------ the puzzles in the package


@each_game
def test_the_puzzles_of_a_game_are_many_and_varied(game: str) -> None:
    file = puzzles_of(game)
    assert len(file.puzzles) >= 50 and file.depth >= 8000
    assert [each.id for each in file.puzzles] == sorted({each.id for each in file.puzzles})
    assert {each.players for each in file.puzzles} == set(rulebooks()[game].meta.players)
    ratings = sorted(each.rating for each in file.puzzles)
    assert ratings[-1] - ratings[0] > 200
    assert all(list(each.solved) == [level.name for level in LEVELS] for each in file.puzzles)
    assert sum((rulebooks()[each].path / FILE).stat().st_size for each in GAMES) < 3_000_000


@each_game
def test_every_puzzle_has_one_clearly_best_action(game: str) -> None:
    for puzzle in some(game):
        now = from_position(game, puzzle.position)
        for step in puzzle.steps:
            assert now.seat == puzzle.seat and {str(action) for action in now.legal()} == {*step.chances}
            best, second = sorted(step.chances.values())[:-3:-1]
            assert step.chances[step.action] == best and best - second >= 20
            assert step.tries and all(each.action != step.action for each in step.tries)
            now.play(step.action)


@each_game
def test_what_follows_every_wrong_action_can_be_played(game: str) -> None:
    """Also where something is dealt in between: a new round, a new deck."""
    for puzzle in some(game):
        for number, step in enumerate(puzzle.steps):
            for each in step.tries:
                at = PuzzleTable(game, puzzle, ADA, now=1)
                for found in puzzle.steps[:number]:
                    at.act(found.action)
                before = at.table.started.played
                for _ in at.steps(each.action):
                    pass
                assert at.table.started.played == before + 1 + len(each.then)


@each_game
def test_every_solution_comes_with_a_reason(game: str) -> None:
    """What the solution is certain to do, or at least what would follow the most natural wrong action."""
    for puzzle in some(game):
        state = tried(game, puzzle, give_up=True)
        assert state.result == "shown" and len(state.solution) == len(puzzle.steps)
        assert state.solution[0].events or any(line.events for line in state.others[0].then), puzzle.id
        assert all(event.key and event.clause for choice in state.solution for event in choice.events)


@each_game
def test_nothing_hidden_is_sent_before_the_end(game: str) -> None:
    """Whatever the solver cannot know, the answers are the same."""
    for puzzle in some(game):
        imagined = from_position(game, puzzle.position).imagine(puzzle.seat, 7)
        other = msgspec.structs.replace(puzzle, position=imagined.position())
        wrong = puzzle.steps[0].tries[0].action
        for asked in ({}, {"action": wrong, "preview": True}):
            answers = [msgspec.json.encode(tried(game, each, **asked)) for each in (puzzle, other)]
            assert answers[0] == answers[1], puzzle.id


def test_the_comparison_notices_a_leak() -> None:
    """The positions differ in what is hidden: sent whole, they would not compare equal."""
    puzzle = puzzles_of("mille-fiori").puzzles[0]
    imagined = from_position("mille-fiori", puzzle.position).imagine(puzzle.seat, 7)
    assert imagined.position() != puzzle.position
    assert (
        imagined.view(puzzle.seat)["legal"]
        == from_position("mille-fiori", puzzle.position).view(puzzle.seat)["legal"]
    )


# ------------------------------------------------------------------ trying one


@each_game
def test_a_puzzle_is_tried_solved_or_failed(game: str) -> None:
    puzzle = puzzles_of(game).puzzles[0]
    table = PuzzleTable(game, puzzle, ADA, now=1)
    for step in puzzle.steps:
        assert table.step is step
        table.act(step.action)
    assert table.step is None and table.wrong is None
    with pytest.raises(Refusal, match="over"):
        table.act(puzzle.steps[0].action)
    wrong = puzzle.steps[0].tries[0]
    failed = table.afresh()
    failed.act(wrong.action)
    assert failed.wrong == wrong.action and failed.step is None and failed.done == 0
    assert failed.table.started.played == 1 + len(wrong.then)
    with pytest.raises(IllegalAction):
        table.afresh().act("nonsense")


def test_the_puzzle_of_the_day_changes_every_day_and_all_have_their_turn() -> None:
    file = puzzles_of("venice-2099")
    first = datetime.date(2026, 1, 1)
    days = [first + datetime.timedelta(days=number) for number in range(len(file.puzzles))]
    assert {file.of_the_day(day).id for day in days} == {each.id for each in file.puzzles}
    assert all(file.of_the_day(a) != file.of_the_day(b) for a, b in pairwise(days))
    with pytest.raises(Refusal, match="no puzzles"):
        PuzzleFile(1, []).of_the_day(first)


# ------------------------------------------------------------------ the format


def test_a_file_is_written_and_read() -> None:
    file = small()
    assert read_puzzles(write_puzzles(file)) == file


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"id": "Ab"}, "id"),
        ({"steps": []}, "steps"),
        ({"seat": -1}, "seat"),
        ({"more": 1}, "more"),
        ({"solved": {"turtle": 2}}, "solved"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(change: dict[str, Any], sentence: str) -> None:
    content = json.loads(write_puzzles(small()))
    content["puzzles"][0] |= change
    with pytest.raises(BadFile, match=sentence):
        read_puzzles(json.dumps(content).encode())


def test_other_bad_files() -> None:
    twice = json.loads(write_puzzles(small(1)))
    twice["puzzles"] *= 2
    with pytest.raises(BadFile, match="two puzzles"):
        read_puzzles(json.dumps(twice).encode())
    lacking = json.loads(write_puzzles(small(1)))
    del lacking["puzzles"][0]["steps"][0]["chances"][lacking["puzzles"][0]["steps"][0]["action"]]
    with pytest.raises(BadFile, match="lack"):
        read_puzzles(json.dumps(lacking).encode())
    with pytest.raises(BadFile, match="JSON"):
        read_puzzles(b"{")


# ------------------------------------------------------------------ making and checking


def test_ratings_follow_from_how_often_levels_solve_it() -> None:
    nobody, everybody = dict.fromkeys(RATINGS, 0.0), dict.fromkeys(RATINGS, 1.0)
    strong = nobody | {"kraken": 1.0}
    assert rate(everybody) < 700 < rate(strong) < rate(strong | {"kraken": 0.5}) < rate(nobody)
    assert RATINGS["dolphin"] - 100 < rate(strong) < RATINGS["kraken"]


def test_a_varied_choice_spreads_over_players_and_solutions() -> None:
    def found(number: int, players: int, action: str) -> Found:
        puzzle = Puzzle(f"aaaa{'abcdefgh'[number]}2", 0, {"players": players}, [Step(action, {})], 1200, {})
        return Found(puzzle, phase=0, kind="place", gap=0.1 + players / 100)

    many = [found(number, 2 if number < 6 else 3, "1a" if number < 5 else "2b") for number in range(8)]
    chosen = varied(many, 4)
    assert sorted(each.players for each in chosen) == [2, 2, 3, 3]
    assert {each.steps[0].action for each in chosen if each.players == 2} == {"1a", "2b"}
    assert chosen == sorted(chosen, key=lambda each: each.id) and len(varied(many, 99)) == 8


@pytest.mark.proof
def test_puzzles_are_made_again_from_the_same_seed_and_resumed(tmp_path: Path) -> None:
    plan = Plan("mille-fiori", 2, 5, 400, 0.05, 0)
    whole = make(plan, 20, tmp_path / "a", cores=1)
    assert whole.puzzles and all(each.steps[0].tries for each in whole.puzzles)
    make(msgspec.structs.replace(plan, games=1), 20, tmp_path / "b", cores=1)
    journal = tmp_path / "b" / JOURNAL
    journal.write_bytes(journal.read_bytes() + b'{"number": 1, "fou')  # killed while writing
    told: list[tuple[int, int, int]] = []
    resumed = make(plan, 20, tmp_path / "b", cores=1, progress=lambda *now: told.append(now))
    assert told[0][0] == 1 and told[-1][:2] == (2, 2)
    assert resumed == whole and (tmp_path / "a" / FILE).read_bytes() == (tmp_path / "b" / FILE).read_bytes()
    with pytest.raises(BadFile, match="another plan"):
        make(msgspec.structs.replace(plan, seed=6), 20, tmp_path / "b")


@pytest.mark.parametrize(
    "wrong",
    [{"games": 0}, {"depth": 0}, {"gap": 0.0}, {"seed": -1}, {"opening": -1}, {"game": "chess"}],
    ids=lambda wrong: str(*wrong),
)
def test_bad_plans_are_refused(wrong: dict[str, Any]) -> None:
    plan: dict[str, Any] = {"game": "atlantis", "games": 1, "seed": 0, "depth": 9, "gap": 0.1, "opening": 0}
    with pytest.raises(LagunaError):
        Plan(**plan | wrong)


def test_a_check_keeps_what_a_deeper_search_finds_and_drops_the_rest(tmp_path: Path) -> None:
    file = small(2)
    wrong = file.puzzles[0]
    bad = msgspec.structs.replace(
        wrong.steps[0], action=min(wrong.steps[0].chances.items(), key=lambda x: x[1])[0]
    )
    spoilt = PuzzleFile(100, [msgspec.structs.replace(wrong, steps=[bad]), file.puzzles[1]])
    checked = check("neptune-vesta", spoilt, 9, 4000, cores=1)
    assert [each.kept for each in checked] == [False, True] and checked[0].lead < 0 < checked[1].lead
    assert lab.without(spoilt, checked).puzzles == [file.puzzles[1]]
    (tmp_path / FILE).write_bytes(write_puzzles(spoilt))
    options = ["--folder", str(tmp_path), "--cores", "1", "--depth", "40x"]
    ran = CliRunner().invoke(app, ["puzzles", "check", "neptune-vesta", *options, "--drop"])
    assert ran.exit_code == 1 and "2 puzzles, 4,000 iterations: 50.0% keep their solution." in ran.stdout
    assert read_puzzles((tmp_path / FILE).read_bytes()).puzzles == [file.puzzles[1]]
    again = CliRunner().invoke(app, ["puzzles", "check", "neptune-vesta", *options])
    assert again.exit_code == 0 and "100.0% keep" in again.stdout
    with pytest.raises(BadOption, match="10x"):
        CliRunner().invoke(
            app, ["puzzles", "check", "neptune-vesta", "--depth", "deep"], catch_exceptions=False
        )
    with pytest.raises(BadFile, match="cannot be read"):
        lab.read_file(tmp_path / "none.json")
