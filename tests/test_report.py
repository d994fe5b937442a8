"""`laguna report`: figures with honest intervals, plots and maps on one page about simulated games."""

from __future__ import annotations

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import laguna
from laguna import drawing
from laguna.bots import ask, load_bot
from laguna.cli.main import app
from laguna.errors import BadFile, BadOption, LagunaError
from laguna.game import set_up
from laguna.lab.report import Report, make_report, statistics
from laguna.lab.report.comparison import Outcome, sentences
from laguna.lab.results import Lists, Results, make_head, write

GAMES = 24


def simulated(
    game: str, games: int, bots: list[str], first: int = 0, rotations: int = 1, **options: Any
) -> Results:
    """Real games between bots, with their actions."""
    meta = laguna.catalogue()[game]
    players, resolved = meta.resolve(options.pop("players", None), options)
    head = make_head(game, players, resolved, bots, first)
    rows = []
    for seed in range(first, first + games):
        for rotation in range(rotations):
            names = [bots[(seat + rotation) % len(bots)] for seat in range(players)]
            chosen = [load_bot(name) for name in names]
            played, choices = set_up(game, players, seed, None, resolved), 0
            while played.seat is not None:
                choices += len(played.legal())
                played.play(ask(chosen[played.seat], played, seed * 1000 + played.played))
            numbers = [head.bots.index(name) for name in names]
            won = [seat in played.winners for seat in range(players)]
            codes = [action.code for action in played.actions]
            rows.append((seed, rotation, numbers, played.scores, won, len(codes), choices, codes))
    fields = ("seed", "rotation", "bots", "scores", "winners", "actions", "choices")
    types = (np.int64, np.int8, np.int16, np.int16, np.bool_, np.int32, np.int64)
    columns: dict[str, Any] = {
        name: np.array([row[place] for row in rows], kind)
        for place, (name, kind) in enumerate(zip(fields, types, strict=True))
    }
    flat = np.concatenate([np.array(row[-1], np.int16) for row in rows])
    return Results(head, **columns, codes=Lists.of(flat, np.array([len(row[-1]) for row in rows])))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of a few kinds of games."""
    folder = tmp_path_factory.mktemp("results")
    match = simulated("neptune-vesta", GAMES, ["greedy", "random"], rotations=2)
    write(folder / "match.parquet", match)
    write(folder / "no-actions.csv", changed(match, codes=None))
    queen = simulated("venice-2099", GAMES // 2, ["greedy"], players=2)
    write(folder / "queen.parquet", queen)
    write(folder / "rook.parquet", simulated("venice-2099", GAMES // 2, ["greedy"], players=2, moves="rook"))
    write(folder / "three.json", simulated("venice-2099", 3, ["random"], players=3, moves="rook"))
    return folder


def changed(results: Results, **changes: Any) -> Results:
    """The results with other columns."""
    return dataclasses.replace(results, **changes)


@pytest.fixture(scope="module")
def match(files: Path) -> Report:
    return make_report([files / "match.parquet"], sample=10)


class Reader(HTMLParser):
    """What a page is made of; complains about tags that do not fit."""

    ALONE = ("meta", "img")  # need no end

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == [], "all elements are closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(attrs)
        if tag not in self.ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def note(self, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "xlink:href", "action", "data", "poster", "srcset"):
                self.references.append(value or "")


def test_the_page_needs_nothing_else(match: Report) -> None:
    page = match.html
    read = Reader(page)
    assert len(read.ids) == len(set(read.ids))
    assert all(each.startswith(("#", "data:image/svg+xml;base64,")) for each in read.references)
    assert {each[1:] for each in read.references if each[0] == "#"} <= set(read.ids)
    assert not re.search(r"@import|<script|<link|://", re.sub(r'base64,[^"]*', "", page))
    assert all(each in read.ids for each in re.findall(r"url\(#([^)]+)\)", page))
    assert "NaN" not in page and "nan" not in read.text


def test_figures_agree_with_direct_computations(files: Path, match: Report) -> None:
    results, found = match.groups[0].results, match.groups[0].findings
    for seat in range(2):
        assert found.seats[seat].wins.value == pytest.approx(results.shares[:, seat].mean())
        assert found.seats[seat].score.mean.value == pytest.approx(results.scores[:, seat].mean())
        assert found.seats[seat].score.quantiles[2] == np.median(results.scores[:, seat])
    assert found.actions.mean.value == pytest.approx(results.actions.mean())
    assert found.choices.mean.value == pytest.approx((results.choices / results.actions).mean())
    assert found.ties.value == pytest.approx((results.winners.sum(axis=1) > 1).mean())
    greedy = next(bot for bot in found.bots if bot.name == "greedy")
    wins = results.shares[results.bots == results.head.bots.index("greedy")]
    assert greedy.wins.value == pytest.approx(wins.mean()) and greedy.games == 2 * GAMES
    assert found.bots[0].name == "greedy" and not found.seats_by_bot
    assert (found.basis.games, found.basis.deals, found.basis.replayed) == (2 * GAMES, GAMES, 10)


@pytest.mark.parametrize("game", laguna.games())
def test_points_add_up_to_the_scores(game: str, tmp_path: Path) -> None:
    results = simulated(game, 3, ["random"])
    write(tmp_path / "few.parquet", results)
    group = make_report([tmp_path / "few.parquet"]).groups[0]
    for seat in range(results.head.players):
        points = sum(row.seats[seat].value for row in group.findings.points)
        assert points == pytest.approx(results.scores[:, seat].mean())


def test_maps_count_where_actions_took_place(match: Report) -> None:
    """In Neptune & Vesta every action but the last of a round puts a tile on a cell."""
    group = match.groups[0]
    assert group.missing == "" and set(group.maps) >= {"played-how-often"}
    for svg in group.maps.values():
        ElementTree.fromstring(svg)
    found = group.findings
    tiles = sum(2 * row.mean.value for row in found.played_at)
    rounds = sum(
        2 * row.mean.value for row in found.happened if row.label.endswith("round start (N6), times")
    )
    assert group.replayed is not None
    sample = group.results.where(np.isin(group.results.seed, group.replayed.seeds))
    assert 0 < tiles <= sample.actions.max() and rounds >= 1
    cells = {row.label for row in found.played_at}
    assert cells <= {
        f"cell:{zone}{column}{row}" for zone in "RB" for column in "abcde" for row in range(1, 6)
    }


@pytest.mark.parametrize("game", laguna.games())
def test_every_place_of_an_action_on_the_board_is_a_spot(game: str) -> None:
    board = laguna.new(game, seed=4)
    boxes = drawing.spots(board.meta.title, board.view())
    moments = []
    for _ in range(30):
        entry = board.play(board.legal()[0])
        assert entry.action is not None
        happened = [event.as_json() for event in entry.events]
        moments.append(drawing.Moment(entry.action.value, happened, board.view()))
        boxes |= drawing.spots(board.meta.title, board.view())
    found = drawing.places(board.meta.title, game, moments)
    assert any(places.to for places in found)
    assert {spot for places in found for spot in places.to} <= set(boxes)
    assert all(box.width > 0 and box.height > 0 for box in boxes.values())


# ------------------------------------------------------------------ statistics


@settings(deadline=None, max_examples=20, derandomize=True)
@given(st.floats(0.1, 0.9), st.integers(0, 1000))
def test_intervals_cover_the_truth(chance: float, seed: int) -> None:
    """Of 200 intervals of 95 %, 10 may miss the true mean; it is one chance in 10 000 that 25 do."""
    random = np.random.default_rng(seed)
    missed = {"share": 0, "mean": 0}
    for _ in range(200):
        wins = (random.random(60) < chance).astype(float)
        lengths = random.normal(100 * chance, 15, 40)
        for kind, interval, truth in (
            ("share", statistics.share(wins), chance),
            ("mean", statistics.mean(lengths), 100 * chance),
        ):
            assert interval.low is not None and interval.high is not None
            missed[kind] += not interval.low <= truth <= interval.high
    assert max(missed.values()) <= 24


def test_games_of_one_deal_count_once() -> None:
    """Playing the same deal ten times does not make anything more certain."""
    wins = np.random.default_rng(1).random(50)
    once = statistics.mean(statistics.by_deal(wins, np.arange(50)))
    often = statistics.mean(statistics.by_deal(np.repeat(wins, 10), np.repeat(np.arange(50), 10)))
    assert (often.low, often.high) == pytest.approx((once.low, once.high))


def test_tests_rarely_raise_a_false_alarm_and_find_what_is_there() -> None:
    random = np.random.default_rng(2)
    false, found = 0, 0
    for _ in range(300):
        winner = random.integers(0, 4, 200)
        wins = np.eye(4)[winner]
        false += (statistics.all_equal(wins) or 1) < 0.05
        tilted = np.eye(4)[np.where(random.random(200) < 0.2, 0, winner)]
        found += (statistics.all_equal(tilted) or 1) < 0.05
    assert false <= 30 and found > 270


def test_holms_correction() -> None:
    assert statistics.corrected([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert statistics.corrected([0.9, 0.8]) == [1.0, 1.0]
    assert statistics.corrected([]) == []


def test_what_never_varies_is_not_certain_with_few_deals() -> None:
    same = np.full(3, 7.0)
    assert statistics.paired(same, same).p == 1
    assert statistics.paired(same, same + 1).p == pytest.approx(0.25)
    assert statistics.unpaired(same, np.full(4, 9.0)).p == pytest.approx(2 / 35)
    assert statistics.all_equal(np.ones((9, 3))) is None


# ------------------------------------------------------------------ what a change does


def outcomes(report: Report) -> dict[str, Outcome]:
    [comparison] = report.comparisons
    return {outcome.name: outcome for outcome in comparison.outcomes}


def test_an_option_is_compared_in_pairs(files: Path) -> None:
    report = make_report([files / "queen.parquet", files / "rook.parquet"], sample=4)
    [comparison] = report.comparisons
    assert (comparison.thing, comparison.before, comparison.after) == ("option moves", "queen", "rook")
    assert comparison.paired
    queen, rook = (group.results for group in report.groups)
    length = outcomes(report)["length in actions"].difference.change.value
    assert length == pytest.approx(rook.actions.mean() - queen.actions.mean())
    assert "points per seat, treasures (V17)" in outcomes(report)
    page = Reader(report.html)
    assert len(page.ids) == len(set(page.ids))
    assert "Option moves: rook instead of queen" in page.text


def test_a_planted_effect_is_found_and_none_where_there_is_none(tmp_path: Path) -> None:
    """The same games by a version of Laguna that makes them longer by three actions, or does not."""
    base = simulated("neptune-vesta", 40, ["random"], rounds=1)
    random = np.random.default_rng(5)
    noise = random.integers(-2, 3, len(base))
    head = msgspec.structs.replace(base.head, program="9.9")
    for name, more in (("equal", noise), ("longer", noise + 3)):
        other = changed(base, head=head, actions=(base.actions + more).astype(np.int32), codes=None)
        write(tmp_path / f"{name}.parquet", other)
    write(tmp_path / "base.parquet", changed(base, codes=None))
    longer = make_report([tmp_path / "base.parquet", tmp_path / "longer.parquet"])
    found = outcomes(longer)["length in actions"]
    assert found.p < 0.001 and found.difference.paired
    low, high = found.difference.change.low, found.difference.change.high
    assert low is not None and high is not None and low < 3 < high
    told = sentences(longer.comparisons[0])
    assert any(sentence.startswith("Length in actions: ") and " more " in sentence for sentence in told)
    equal = make_report([tmp_path / "base.parquet", tmp_path / "equal.parquet"])
    assert all(outcome.p > 0.05 for outcome in outcomes(equal).values())
    assert sentences(equal.comparisons[0])[0].startswith("No significant difference was found in: score;")


def test_files_of_the_same_kind_count_as_one(tmp_path: Path) -> None:
    for first in (0, 5):
        write(tmp_path / f"{first}.csv", simulated("neptune-vesta", 5, ["random"], first, rounds=1))
    report = make_report([tmp_path / "0.csv", tmp_path / "5.csv"], sample=2)
    assert [group.findings.basis.games for group in report.groups] == [10] and not report.comparisons
    with pytest.raises(BadFile, match="is in these results twice"):
        make_report([tmp_path / "0.csv", tmp_path / "0.csv"])


# ------------------------------------------------------------------ the command, and what is wrong with input


def test_the_command_writes_the_page_pictures_and_numbers(files: Path, tmp_path: Path) -> None:
    words = ["report", str(files / "match.parquet"), "--sample", "4"]
    for option, name in (("output", "a.html"), ("png", "png"), ("svg", "svg"), ("json", "a.json")):
        words += [f"--{option}", str(tmp_path / name)]
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 0, ran.output
    assert "<h1>Neptune &amp; Vesta: 48 games</h1>" in (tmp_path / "a.html").read_text()
    data = json.loads((tmp_path / "a.json").read_text())
    assert data["groups"][0]["basis"]["games"] == 2 * GAMES
    names = {path.stem for path in (tmp_path / "svg").iterdir()}
    assert names >= {"seats", "bots", "scores", "winners", "margins", "length", "choices", "played-how-often"}
    assert {path.stem for path in (tmp_path / "png").iterdir()} == names
    for path in (tmp_path / "svg").iterdir():
        ElementTree.fromstring(path.read_text())
    assert all(path.read_bytes()[:4] == b"\x89PNG" for path in (tmp_path / "png").iterdir())
    again = CliRunner().invoke(app, words)
    assert isinstance(again.exception, BadOption) and "already exists" in str(again.exception)


def test_without_actions_the_report_says_what_is_left_out(files: Path) -> None:
    report = make_report([files / "no-actions.csv"])
    assert not report.groups[0].maps and not report.groups[0].findings.points
    assert "The results hold no actions" in Reader(report.html).text


def test_without_the_extra_svg_the_report_says_so(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "SCRIPT", Path("missing.js"))
    report = make_report([files / "queen.parquet"], sample=2)
    assert not report.groups[0].maps and report.groups[0].findings.points
    assert "There are no maps: Boards are drawn by the page's script" in Reader(report.html).text


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ([], "Name one or more results files."),
        (["missing.parquet"], "missing.parquet"),
        (["match.parquet", "queen.parquet"], "a report is about one game"),
        (["queen.parquet", "three.json"],
         "These files differ in the number of players, option moves and bots; "
         "compare files that differ in one thing."),
    ],
)  # fmt: skip
def test_bad_files(files: Path, names: list[str], sentence: str) -> None:
    with pytest.raises(LagunaError) as refused:
        make_report([files / name for name in names])
    assert sentence in str(refused.value)


def test_bad_actions(files: Path, tmp_path: Path) -> None:
    good = simulated("neptune-vesta", 2, ["random"], rounds=1)
    assert good.codes is not None
    other = changed(good, seed=good.seed + 1)
    write(tmp_path / "other.parquet", other)
    with pytest.raises(BadFile, match=r"cannot be played again from its codes|ends with other scores"):
        make_report([tmp_path / "other.parquet"])
    with pytest.raises(BadFile, match="fewer than two deals"):
        write(tmp_path / "one.parquet", good.where(slice(1)))
        make_report([tmp_path / "one.parquet"])
    with pytest.raises(BadOption, match="The sample must be a whole number from 2"):
        make_report([files / "match.parquet"], sample=0)
