"""Training: many games at once follow the rules; the same seed trains the same network; a run resumes.

What needs PyTorch is skipped where it is not installed.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.bots.network import final_logit, load
from laguna.errors import LagunaError
from laguna.games import find, rulebooks
from laguna.kernel import MAX_SEATS
from laguna.kernel.chance import WORDS
from laguna.kernel.jit import JIT
from laguna.kernel.records import blanks
from laguna.training import steps
from laguna.training.searched import DECISIONS, TD_LAMBDA, chances_to_win, play
from tests.every import told_to
from tests.size import scaled

pytestmark = pytest.mark.skipif(not JIT, reason="playing many games interpreted takes too long")
COUNT = 6
GAMES = [game for game in rulebooks() if find(game).inputs is not None]
every_game = pytest.mark.parametrize("game", GAMES)
some_game = pytest.mark.parametrize("game", scaled(GAMES[-1:], GAMES))  # each one's steps have to be compiled


class Batch:
    """Some games at once on the processor, without PyTorch."""

    def __init__(self, game: str, seed: int) -> None:
        self.book = find(game)
        rules, self.inputs = self.book.rules, self.book.inputs
        assert self.inputs is not None
        meta = self.book.meta
        players = [meta.players[i % len(meta.players)] for i in range(COUNT)]
        self.options = np.array([meta.encode(*meta.resolve(each, {})) for each in players], np.int64)
        self.games, self.known = blanks(rules.STATE, COUNT), blanks(rules.STATE, COUNT)
        self.trial = blanks(rules.STATE, 1)
        self.seeds = np.arange(COUNT, dtype=np.int64) + seed
        self.streams = np.zeros((COUNT, WORDS), np.uint32)
        self.codes = np.zeros((COUNT, rules.MAX_LEGAL), np.int16)
        self.counts, self.movers = np.zeros(COUNT, np.int32), np.zeros(COUNT, np.int32)
        steps.begin_all(self.games, self.options, self.seeds, self.streams)

    def look(self) -> tuple[Any, Any, Any, Any]:
        """All actions: whose game, rows, counts, and how finished games look."""
        steps.look_at_all(self.games, self.known, self.codes, self.counts, self.movers, self.streams)
        self.first = (np.cumsum(self.counts) - self.counts).astype(np.int64)
        owner = np.repeat(np.arange(COUNT, dtype=np.int32), self.counts)
        module: Any = self.inputs
        rows = np.full((len(owner), module.SLOTS), -1, np.int16)
        numbers = np.full((len(owner), len(module.COUNTS)), -1, np.int16)
        looks = np.zeros(len(owner), np.float32)
        steps.try_all(self.known, self.codes, self.first, owner, self.trial, rows, numbers, looks, False)
        return owner, rows, numbers, looks

    def observe(self) -> dict[str, Any]:
        module: Any = self.inputs
        told = {
            "rows": np.zeros((COUNT, MAX_SEATS, module.SLOTS), np.int16),
            "counts": np.zeros((COUNT, MAX_SEATS, len(module.COUNTS)), np.int16),
            "over": np.zeros(COUNT, np.int8),
            "shares": np.zeros((COUNT, MAX_SEATS), np.float32),
            "points": np.zeros((COUNT, MAX_SEATS), np.float32),
            "now": np.zeros((COUNT, MAX_SEATS), np.float32),
        }
        given: Any = [self.games, self.options, self.seeds, self.streams, *told.values(), 1000]
        steps.observe_all(*given)
        return told


@some_game
def test_a_step_plays_the_best_action_by_the_rules_and_tells_each_seat(game: str) -> None:
    batch = Batch(game, seed=1)
    rules = batch.book.rules
    chance = np.random.default_rng(1)
    ended = 0
    for _ in range(120):
        before = batch.games.copy()
        owner, rows, numbers, looks = batch.look()
        values = chance.random(len(owner)).astype(np.float32)
        steps.choose_for_all(batch.games, batch.codes, batch.first, batch.counts, values, 0, batch.streams)
        for g in range(COUNT):
            start, count = batch.first[g], int(batch.counts[g])
            expected = before[g]
            code = int(batch.codes[g, int(np.argmax(values[start : start + count]))])
            rules.apply(expected, code)
            assert expected.tobytes() == batch.games[g].tobytes()
        p = int(chance.integers(len(owner)))
        trial = batch.known[owner[p]].copy()
        seat = rules.to_move(trial)
        rules.apply(trial, int(batch.codes[owner[p], p - batch.first[owner[p]]]))
        if rules.to_move(trial) < 0:
            assert looks[p] == pytest.approx(final_logit(trial, seat))
        else:
            assert np.isnan(looks[p])
            assert (rows[p].tolist(), numbers[p].tolist()) == told_to(batch.inputs, trial, seat)
        after = batch.games.copy()
        told = batch.observe()
        for g in range(COUNT):
            assert bool(told["over"][g]) == (rules.to_move(after[g]) < 0)
            players = int(batch.options[g, 0])
            if told["over"][g]:
                ended += 1
                assert told["shares"][g, :players].sum() == pytest.approx(1)
                assert rules.to_move(batch.games[g]) >= 0  # a new one has begun
            else:
                assert told["rows"][g, 0].tolist() == told_to(batch.inputs, after[g], 0)[0]
    assert ended > 0


def test_a_seat_chooses_among_what_it_may_know() -> None:
    """The position it tries its actions in is dealt again; what it knows stays."""
    batch = Batch("neptune-vesta", seed=3)
    batch.look()
    for g in range(COUNT):
        seat = int(batch.movers[g])
        assert batch.known[g].hand[seat].tolist() == batch.games[g].hand[seat].tolist()
    assert any(batch.known[g].stack.tolist() != batch.games[g].stack.tolist() for g in range(COUNT))


def test_what_searches_expected_reaches_back() -> None:
    """Every seat learns from its own searches and from the result; a random action is not held against it."""
    decisions = np.array([(0, 0.5, False), (1, 0.2, False), (0, 0.9, True)], DECISIONS)
    found = chances_to_win(decisions, np.array([0.0, 1.0]))
    last = 0.9  # seat 0 lost after a random action
    one = TD_LAMBDA * 1.0 + (1 - TD_LAMBDA) * 0.2
    zero = TD_LAMBDA * last + (1 - TD_LAMBDA) * 0.5
    assert found == pytest.approx(np.array([[zero, one], [last, one], [last, 1.0]]))


@every_game
def test_a_searched_game_tells_each_seat_what_it_may_know(game: str) -> None:
    players = find(game).meta.players[-1]
    made = play(game, players, {}, "champion", seed=5, iterations=64, epsilon=0.5)
    assert len(made) % players == 0 and set(made.players) == {players}
    assert made.shares.reshape(-1, players).sum(1) == pytest.approx(1)
    assert ((made.targets[:, 0] >= 0) & (made.targets[:, 0] <= 1)).all()
    table = laguna.new(game, players=players, seed=5)
    while len(table.legal()) == 1:
        table.play(table.legal()[0])
    for seat in range(players):
        assert (made.rows[seat].tolist(), made.counts[seat].tolist()) == told_to(
            find(game).inputs, table.state, seat
        )


# ------------------------------------------------------------------ with PyTorch


def small_run(folder: Path, rollouts: int) -> Any:
    pytest.importorskip("torch")
    from laguna.training import run as training
    from laguna.training.learning import Recipe
    from laguna.training.run import Run

    training.TEST_GAMES = 16
    recipe = replace(Recipe(), games=32, rollout=12, batch=512)
    return Run("neptune-vesta", folder, rollouts, seed=3, recipe=recipe)


def test_the_same_seed_trains_the_same_network(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        run = small_run(tmp_path / name, 3)
        run.train(lambda progress: None)
        made.append(run.candidate.read_bytes())
    assert made[0] == made[1]


def test_a_run_resumes_and_its_network_can_be_loaded(tmp_path: Path) -> None:
    run = small_run(tmp_path, 2)
    run.train(lambda progress: None)
    again = small_run(tmp_path, 4)
    assert again.resume() and again.done == 2
    shown: list[Any] = []
    again.train(shown.append)
    assert again.done == 4 and shown[-1].part == 1.0 and 0 <= shown[-1].share <= 1
    from laguna.training.run import as_model

    net = load(again.candidate, again.book)
    model = as_model(again.book, net, "cpu")
    assert model is not None and np.allclose(model.sums.detach().numpy(), net["sums"])


def test_targets_reach_back_from_results() -> None:
    torch = pytest.importorskip("torch")
    from laguna.training.learning import targets

    told = {
        "shares": torch.tensor([[[0.0]], [[1.0]], [[0.0]]]),
        "points": torch.tensor([[[0.0]], [[8.0]], [[0.0]]]),
        "now": torch.zeros(3, 1, 5),
        "over": torch.tensor([[0], [1], [0]]),
    }
    found = targets(told, torch.zeros(3, 1, 1, 2), scale=4.0, td_lambda=0.5)
    assert found[0, 0, 0].tolist() == [1.0, 2.0]  # the game was won with 8 points right after it
    assert found[2, 0, 0].tolist() == [0.5, 0.0]  # nothing is known but what is expected


def test_a_factor_on_the_logits_makes_chances_fit() -> None:
    torch = pytest.importorskip("torch")
    from laguna.training.calibration import _fit

    torch.manual_seed(1)
    logits = torch.randn(200_000)
    results = (torch.rand(len(logits)) < torch.sigmoid(1.5 * logits)).float()
    assert _fit(logits, results) == pytest.approx(1.5, abs=0.03)


def test_a_candidate_carries_factors_for_its_chances(tmp_path: Path) -> None:
    run = small_run(tmp_path, 1)
    run.train(lambda progress: None)
    factors = run.calibrate()
    net = load(run.candidate, run.book)
    assert set(factors) == {2} and net["certainty"][2] == pytest.approx(factors[2], abs=1e-3)


@pytest.mark.parametrize("file", ["neptune-vesta.checkpoint", "neptune-vesta.searched/0.npz"])
def test_damaged_files_of_a_run_get_a_sentence(tmp_path: Path, file: str) -> None:
    run = small_run(tmp_path, 1)
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_bytes(b"something else")
    with pytest.raises(LagunaError, match="damaged"):
        run.resume()
        run.play_searched(1, 64, lambda done, total: None)


def test_a_run_learns_from_its_own_searches_and_keeps_them(tmp_path: Path) -> None:
    run = small_run(tmp_path, 1)
    told: list[tuple[int, int]] = []
    count = run.play_searched(2, 64, lambda done, total: told.append((done, total)))
    assert told[-1] == (2, 2) and count > 0 and run.searched is not None
    run.train(lambda progress: None)
    again = small_run(tmp_path, 2)
    assert again.resume()
    assert again.play_searched(2, 64, told.append) == count  # read, not played again
    assert len(told) == 2


def test_interrupted_searches_go_on_where_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are kept as they are played, and the rest are played by the same network."""
    monkeypatch.setattr("laguna.training.searched.KEPT_TOGETHER", 1)

    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    run = small_run(tmp_path / "interrupted", 1)
    with pytest.raises(KeyboardInterrupt):
        run.play_searched(3, 64, interrupt)
    run.train(lambda progress: None)  # another network by now
    told: list[int] = []
    again = run.play_searched(3, 64, lambda done, total: told.append(done))
    assert told == [2, 3]
    whole = small_run(tmp_path / "whole", 1)
    assert whole.play_searched(3, 64, lambda done, total: None) == again
    assert run.searched is not None and whole.searched is not None
    assert bool((run.searched.targets == whole.searched.targets).all())
