"""How long preparing a game takes: learned, never wrong about being done, and stretched by a busy machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from laguna.games import find
from laguna.server.live.estimates import Estimates, Progress


def test_what_was_measured_is_expected_next_time(tmp_path: Path) -> None:
    venice = find("venice-2099")
    Estimates(tmp_path / "timings.json").learn(venice, "table", 17.25)
    assert Estimates(tmp_path / "timings.json").expected(venice, "table") == 17.25


def test_a_slow_machine_is_known_by_the_games_it_has_prepared(tmp_path: Path) -> None:
    estimates, venice, atlantis = Estimates(tmp_path / "timings.json"), find("venice-2099"), find("atlantis")
    before = estimates.expected(atlantis, "bots")
    estimates.learn(venice, "table", 3 * estimates.expected(venice, "table"))
    assert estimates.expected(atlantis, "bots") == pytest.approx(3 * before)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"seconds": {"venice-2099": {"table": -4}}}',
        b'{"seconds": {"venice-2099": {"table": 1e400}}}',
        b'{"seconds": {"venice-2099": {"lunch": 3}}}',
        b'{"seconds": {"venice-2099": {"table": "long"}}}',
    ],
)
def test_a_damaged_file_counts_as_missing_and_is_replaced(tmp_path: Path, content: bytes) -> None:
    venice, file = find("venice-2099"), tmp_path / "timings.json"
    guess = Estimates(tmp_path / "none.json").expected(venice, "table")
    file.write_bytes(content)
    estimates = Estimates(file)
    assert estimates.expected(venice, "table") == guess
    estimates.learn(venice, "table", 9.0)
    assert Estimates(file).expected(venice, "table") == 9.0
    assert [each.name for each in tmp_path.iterdir()] == ["timings.json"]


def test_a_folder_that_cannot_be_written_to_does_not_matter(tmp_path: Path) -> None:
    estimates = Estimates(tmp_path / "missing" / "timings.json")
    estimates.learn(find("atlantis"), "table", 9.0)
    assert estimates.expected(find("atlantis"), "table") != 9.0


class Watch:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("speed", [0.1, 1.0, 1.6])
@pytest.mark.parametrize("takes", [3.0, 10.0, 80.0])  # seconds of processor time, where 10 are expected
def test_the_share_always_grows_and_is_never_1(takes: float, speed: float) -> None:
    watch = Watch()
    progress = Progress({"table": 10.0, "load-table": 1.0}, watch)
    progress.enter("table")
    told = [progress.look()]
    used = 0.0
    while used < takes:
        watch.now += 0.5
        used += 0.5 * speed
        progress.report(used)
        told.append(progress.look())
        watch.now += 0.2  # nothing was reported, and the bar moves all the same
        told.append(progress.look())
    progress.enter("load-table")
    for _ in range(10):
        watch.now += 0.1
        told.append(progress.look())
    shares = [each.share for each in told]
    assert shares == sorted(shares) and shares[-1] < 1
    assert shares[-1] > 0.8
    moving = [share for share in shares if share < 0.99]
    assert len(set(moving)) >= 0.6 * len(moving)
    assert {each.stage for each in told} == {"table"}


def test_a_busy_machine_stretches_the_seconds_that_are_left() -> None:
    watch = Watch()
    progress = Progress({"bots": 20.0}, watch)
    progress.enter("bots")
    for step in range(1, 41):
        watch.now += 0.5
        progress.report(step * 0.1)  # a fifth of a core
    told = progress.look()
    assert told.stage == "bots" and told.share == pytest.approx(0.2, abs=0.01)
    assert told.seconds == pytest.approx(16 / 0.2, rel=0.1)


def test_what_takes_longer_than_expected_promises_nothing() -> None:
    watch = Watch()
    progress = Progress({"table": 10.0}, watch)
    progress.enter("table")
    for step in range(1, 31):
        watch.now += 0.5
        progress.report(step * 0.5)
    assert progress.look().seconds is None and 0.9 < progress.look().share < 1
