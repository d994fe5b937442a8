"""Batches play the same games as `Game` and `State`, whatever the device and the number of threads.

Compiling the loops takes ten seconds and more for each game, so in the short form they are compiled for one
game; the others, with the game from another package, are played interpreted, in a process of its own.
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laguna
from laguna.batches import cpu, device_array, public
from laguna.errors import BadFile, BadOption, IllegalAction, LagunaError
from laguna.games import rulebooks
from laguna.games.contract import by_name
from laguna.kernel import gpu
from laguna.kernel.jit import JIT
from tests import size

ROOT = Path(__file__).parent.parent
COMPILED = "neptune-vesta"
WAYS = [
    (game, players)
    for game, book in rulebooks().items()
    for players in (book.meta.players if size.proof else [book.meta.usual_players])
    if game == COMPILED or size.proof or not JIT
]
N = 5 if JIT else 3
ARRAYS = ("masks", "seats", "rewards", "scores", "done", "seeds", "records")


def small(game: str = COMPILED, players: int | None = None, seed: int = 3, n: int = N) -> laguna.Batch:
    return laguna.batch(game, players=players, n=n, seed=seed)


def played(batch: laguna.Batch, steps: int = 30) -> laguna.Batch:
    for k in range(steps):
        batch.step(batch.random_actions(k))
    return batch


def bytes_of(batch: laguna.Batch) -> dict[str, bytes]:
    return {name: getattr(batch, name).tobytes() for name in ARRAYS}


def same(one: laguna.Batch, other: laguna.Batch) -> bool:
    return bytes_of(one) == bytes_of(other)


# ------------------------------------------------------------------ beside `Game` and `State`


@pytest.mark.parametrize(("game", "players"), WAYS)
def test_every_lane_follows_its_game_and_the_next_ones(game: str, players: int) -> None:
    """Masks, seats, scores, rewards and observations, through ends of games and beyond."""
    batch = small(game, players)
    book, seeds = rulebooks()[game], list(range(3, 3 + N))
    tables = [laguna.State(laguna.new(game, players=players, seed=seed)) for seed in seeds]
    ends = 0
    for k in range(10_000):
        assert batch.seeds.tolist() == seeds
        assert batch.seats.tolist() == [table.seat for table in tables]
        for lane, table in enumerate(tables):
            assert np.flatnonzero(batch.masks[lane]).tolist() == sorted(table.legal)
            assert batch.records[lane].tobytes() == table.record.tobytes()
            if book.observations and k % 7 == 0:
                assert batch.observations[lane].tolist() == observed(book, table, table.seat)
        if ends > (N if JIT else 0):
            break
        actions = batch.random_actions(k)
        batch.step(actions)
        for lane in range(N):
            table = tables[lane]
            table.apply(actions[lane])
            assert batch.scores[lane].tolist() == table.scores
            assert bool(batch.done[lane]) == table.over
            won = [(seat in table.winners) / max(len(table.winners), 1) for seat in range(players)]
            expected = [share - 1 / players for share in won] if table.over else [0.0] * players
            assert batch.rewards[lane].tolist() == pytest.approx(expected)
            if table.over:
                ends += 1
                seeds[lane] += N
                tables[lane] = laguna.State(laguna.new(game, players=players, seed=seeds[lane]))
    assert ends > 0


def observed(book: Any, state: laguna.State, seat: int | None) -> list[int]:
    out = np.full(book.observations.SIZE, -7777, np.int16)
    book.observations.observe(state.record, seat, out)
    numbers: list[int] = out.tolist()
    return numbers


@pytest.mark.parametrize(("game", "players"), WAYS)
def test_redeals_and_playouts_are_those_of_states(game: str, players: int) -> None:
    batch = played(small(game, players), 12)
    before = [batch.state(lane) for lane in range(N)]
    kept = bytes_of(batch)
    results = batch.playout(seed=4)
    assert bytes_of(batch) == kept, "playouts leave the batch alone"
    assert np.allclose(results.shares.sum(1), 1) and (results.lengths > 0).all()
    assert results.scores.shape == (N, players)

    seats, seeds = np.arange(N) % (players + 1) - 1, np.arange(N) + 50
    batch.redeal(seats, seeds)
    for lane, state in enumerate(before):
        if seats[lane] >= 0:
            state.redeal(int(seats[lane]), int(seeds[lane]))
        assert batch.state(lane) == state
        assert np.flatnonzero(batch.masks[lane]).tolist() == sorted(state.legal)
    book = rulebooks()[game]
    if book.observations:
        rows = batch.observe(seats.clip(0))
        assert [row.tolist() for row in rows] == [
            observed(book, state, max(0, int(seat))) for state, seat in zip(before, seats, strict=True)
        ]
        assert (batch.observe(1)[:, :] == [observed(book, state, 1) for state in before]).all()


def test_the_end_of_a_playout_is_the_end_of_the_game_played_with_those_actions() -> None:
    """A playout's first action is the one that `random_actions` draws from the same seed."""
    batch = played(small(), 9)
    results = batch.playout(seed=8)
    assert results.lengths.max() < rulebooks()[COMPILED].rules.MAX_ACTIONS
    ended = [int(np.argmax(shares)) for shares in results.shares]
    for lane, winner in enumerate(ended):
        rounds = results.scores[lane]
        assert rounds[winner] == rounds.max()
    assert not np.array_equal(results.lengths, batch.playout(seed=9).lengths)


@settings(max_examples=size.scaled(15, 200), deadline=None)
@given(seed=st.integers(0, 2**53 - 1), n=st.integers(1, 300), threads=st.integers(1, 7))
def test_the_number_of_threads_changes_nothing(seed: int, n: int, threads: int) -> None:
    least, cpu.LANES_A_THREAD = cpu.LANES_A_THREAD, 3
    try:
        one = played(laguna.batch(COMPILED, n=n, seed=seed, threads=1), 5)
        many = played(laguna.batch(COMPILED, n=n, seed=seed, threads=threads), 5)
        assert same(one, many)
        assert one.playout(seed).lengths.tolist() == many.playout(seed).lengths.tolist()
    finally:
        cpu.LANES_A_THREAD = least


def test_seeds_count_on_and_no_game_is_played_twice() -> None:
    batch, seen = laguna.batch(COMPILED, n=4, seed=2**53 - 2, rounds=1), set()
    assert batch.seeds.tolist() == [2**53 - 2, 2**53 - 1, 0, 1]
    for k in range(300):
        seen.update(batch.seeds.tolist())
        batch.step(batch.random_actions(k))
    assert len(seen) > 12 and seen == {(2**53 - 2 + i) % 2**53 for i in range(len(seen))}
    was = batch.seeds.copy()
    batch.reset()
    assert (batch.seeds == was + 4).all() and not batch.done.any() and not batch.rewards.any()
    batch.reset(seed=11)
    assert [batch.game(i) == laguna.new(COMPILED, seed=11 + i, rounds=1) for i in range(4)] == [True] * 4


# ------------------------------------------------------------------ from and to other forms


@pytest.mark.parametrize(("game", "players"), WAYS[:1])
def test_copies_saves_and_pickles_go_on_alike(game: str, players: int) -> None:
    batch = played(small(game, players), 40)
    others = [
        batch.copy(),
        laguna.Batch.load(batch.save()),
        pickle.loads(pickle.dumps(batch)),
        copy.deepcopy(batch),
    ]
    assert all(same(batch, other) for other in others)
    before = bytes_of(batch)
    played(others[0])
    assert bytes_of(batch) == before
    played(batch)
    for other in others[1:]:
        assert same(played(other), batch)


def test_a_batch_starts_from_any_position() -> None:
    table = laguna.new(COMPILED, seed=4)
    for _ in range(7):
        table.play(table.legal()[3])
    batch = laguna.Batch.of(table, n=6, seed=20)
    assert all(batch.game(lane) == table for lane in range(6)) and batch.seeds.tolist() == [*range(20, 26)]
    states = [laguna.State(laguna.new(COMPILED, seed=seed)) for seed in (5, 6)]
    several = laguna.Batch.of([*states, table])
    assert [several.state(0), several.state(1)] == states and several.game(2) == table
    several.set(np.int64(0), table)
    assert several.game(0) == table and several.game(1) != table
    assert several.masks[0].tolist() == several.masks[2].tolist()
    played(several, 200)
    assert several.seeds.min() >= 3, "after the position come games from the setup"


def test_fields_are_views_by_name() -> None:
    batch = small()
    book = rulebooks()[COMPILED]
    assert book.observations is not None
    fields, row = batch.fields, batch.observations
    assert {name: field.shape for name, field in fields.items()} == {
        field.name: (N, *field.shape) for field in book.observations.FIELDS
    }
    batch.step(batch.random_actions(1))
    assert fields["board"].tolist() == by_name(book.observations.FIELDS, row)["board"].tolist()
    assert all(np.shares_memory(field, batch.observations) for field in fields.values())
    assert batch.named(batch.observe(0))["seat"].tolist() == [0] * N


# ------------------------------------------------------------------ what is refused


def test_an_illegal_action_is_named_and_nothing_is_played() -> None:
    batch = played(small())
    before, legal = bytes_of(batch), batch.random_actions(1)
    for wrong in (-1, 500, 10**9, int(np.flatnonzero(~batch.masks[3])[0])):
        actions = legal.copy()
        actions[3] = wrong
        with pytest.raises(IllegalAction, match=f"^Lane 3: the action {wrong} is not legal there now"):
            batch.step(actions)
    shapes: list[Any] = [legal[:-1], legal[:, None], legal.astype(float), legal > 0, 3, "abc", None, [[1], 2]]
    for each in shapes:
        with pytest.raises(BadOption, match=r"^The actions must be whole numbers, one for each of 5 games"):
            batch.step(each)
    assert bytes_of(batch) == before
    one, other = batch.copy(), batch.copy()
    for unchecked in (legal.astype(np.int16), legal.tolist()):
        other = batch.copy()
        other.step(unchecked, check=False)
        one = batch.copy()
        one.step(legal)
        assert same(one, other)


def test_bad_arguments_get_a_sentence() -> None:
    batch = small()
    before = bytes_of(batch)
    other = laguna.new("mille-fiori", seed=1)
    calls: list[tuple[str, Any]] = [
        ("The number of games must be a whole number from 1", lambda: laguna.batch(COMPILED, n=0)),
        ("A batch is on 'cpu' or 'cuda', not 'tpu'", lambda: laguna.batch(COMPILED, device="tpu")),  # type: ignore[arg-type]
        ("threads must be a whole number", lambda: laguna.batch(COMPILED, threads=0)),
        ("There is no game 'chess'", lambda: laguna.batch("chess")),
        ("has no option 'laps'", lambda: laguna.batch(COMPILED, laps=2)),
        ("A seed must be", lambda: batch.reset(-1)),
        ("A seed must be", lambda: batch.random_actions(2**53)),
        ("A seat must be a whole number from 0 to 1, not 2", lambda: batch.observe(2)),
        ("A seat must be a whole number from -1 to 1, not 5", lambda: batch.redeal([0, 1, 5, 0, 0], 1)),
        ("so 5 of them are needed", lambda: batch.redeal([0, 1], 1)),
        ("A seed of each game is a whole number", lambda: batch.redeal(0, [1.5] * 5)),
        ("A seed must be a whole number from 0", lambda: batch.redeal(0, [-1] * 5)),
        ("A lane must be a whole number from 0 to 4", lambda: batch.game(5)),
        ("A batch starts from a Game or a State", lambda: batch.set(0, 5)),  # type: ignore[arg-type]
        ("one game with one number of players", lambda: batch.set(0, other)),
        ("one game with one number of players", lambda: laguna.Batch.of([other, batch.game(0)])),
        ("at least one position", lambda: laguna.Batch.of([])),
        ("a position for each of 3 games, not 1", lambda: laguna.Batch.of([other], n=3)),
        ("A game that is over", lambda: laguna.Batch.of(finished())),
    ]
    for sentence, call in calls:
        with pytest.raises(LagunaError, match=sentence):
            call()
    assert bytes_of(batch) == before


def finished() -> laguna.Game:
    game = laguna.new(COMPILED, seed=1, rounds=1)
    while not game.over:
        game.play(game.legal()[0])
    return game


def test_without_a_gpu_there_is_a_sentence() -> None:
    if gpu.available():
        pytest.skip("there is a GPU")
    with pytest.raises(LagunaError, match=r"There is no GPU that numba-cuda \(the extra gpu\) can use"):
        laguna.batch(COMPILED, n=2, device="cuda")


@settings(max_examples=size.scaled(60, 2000), deadline=None)
@given(data=st.data())
def test_damaged_bytes_get_a_sentence(saved: bytes, data: st.DataObject) -> None:
    broken = bytearray(saved)
    how = data.draw(st.sampled_from(["cut", "changed", "random"]))
    if how == "cut":
        del broken[data.draw(st.integers(0, len(saved) - 1)) :]
    elif how == "changed":
        place = data.draw(st.integers(0, len(saved) - 1))
        broken[place] ^= data.draw(st.integers(1, 255))
    else:
        broken = bytearray(data.draw(st.binary(max_size=200)))
    try:
        loaded = laguna.Batch.load(bytes(broken))
    except BadFile as error:
        assert "batch" in str(error)
    else:
        assert loaded.save() == saved, "a byte that says nothing, such as a date in the archive"


@pytest.fixture(scope="module")
def saved() -> bytes:
    return played(small(n=2), 3).save()


def test_what_another_version_saved_is_refused(monkeypatch: pytest.MonkeyPatch, saved: bytes) -> None:
    batch = small(n=2)
    header = json.loads(public._header(rulebooks()[COMPILED], 2, batch.options))
    for change, sentence in (
        ({"laguna": 9}, "This batch has the format 9, not 1"),
        ({"layout": "other"}, "This batch was saved with other rules of Neptune & Vesta"),
        ({"rules": 99}, "This batch was saved with other rules of Neptune & Vesta"),
        ({"players": 7}, "Neptune & Vesta is for 2 players"),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"options": 5}, "This batch was saved with other rules of Neptune & Vesta"),
    ):
        monkeypatch.setattr(public, "_header", lambda *_, told=header | change: json.dumps(told))
        other = batch.save()
        monkeypatch.undo()
        with pytest.raises(LagunaError, match=sentence):
            laguna.Batch.load(other)
    monkeypatch.setattr(batch, "_kept", lambda: {"records": batch.records, "seeds": batch.seeds[:1]})
    with pytest.raises(BadFile, match="its arrays do not fit each other"):
        laguna.Batch.load(batch.save())
    not_bytes: Any = 5
    with pytest.raises(BadFile, match="This is not a saved batch"):
        laguna.Batch.load(not_bytes)


@pytest.mark.skipif(JIT, reason="the interpreted process plays it")
def test_a_game_without_observations_says_so() -> None:
    batch = laguna.batch("dice-nim", n=3)
    for ask in (lambda: batch.observations, lambda: batch.fields, lambda: batch.observe(0)):
        with pytest.raises(LagunaError, match=r"^Dice Nim has no observations\.$"):
            ask()
    played(batch)


# ------------------------------------------------------------------ processes and devices


@pytest.mark.skipif(not JIT, reason="this is that process")
def test_all_games_are_played_interpreted() -> None:
    environment = os.environ | {
        "LAGUNA_JIT": "0",
        "PYTHONPATH": f"{ROOT / 'tests' / 'fifth_game'}{os.pathsep}{ROOT}",
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_batches.py", "-k",
         "follows or states or without_observations"],
        cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_child_has_threads_of_its_own() -> None:
    code = (
        "import os, warnings, laguna; warnings.simplefilter('ignore')\n"
        "batch = laguna.batch('neptune-vesta', n=600, threads=2)\n"
        "batch.step(batch.random_actions(1))\n"
        "child = os.fork()\n"
        "batch.step(batch.random_actions(2))\n"
        "if child: assert os.waitpid(child, 0)[1] == 0\n"
        "os._exit(0)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0


class Borrowed:
    """An array of the machine's memory, lent as an array on a GPU would be."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **wishes: Any) -> Any:
        return device_array.capsule(self.array.__array_interface__, self.__dlpack_device__(), self.array)


def test_dlpack_lends_memory_and_gets_it_back() -> None:
    batch = small()
    arrays = [getattr(batch, name) for name in ARRAYS if name != "records"]
    for array in [*arrays, batch.observations, *batch.fields.values()]:
        lent = len(device_array._lent)
        read = np.from_dlpack(Borrowed(array))
        assert np.shares_memory(read, array) and read.dtype == array.dtype and np.array_equal(read, array)
        assert len(device_array._lent) == lent + 1
        del read
        assert len(device_array._lent) == lent
    unread = Borrowed(batch.masks).__dlpack__()
    assert len(device_array._lent) == 1
    del unread
    assert not device_array._lent
