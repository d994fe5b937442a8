"""What must hold for every game. Every folder under `laguna/games` is included automatically."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.games import find
from laguna.kernel import MAX_SEATS, gpu
from laguna.kernel.chance import WORDS
from laguna.kernel.dispatch import held
from laguna.kernel.jit import JIT
from laguna.kernel.playout import TOTALS, add_up, random_game
from laguna.kernel.records import blank, blanks
from tests import compiled
from tests.every import UNWRITTEN, Kind, fingerprint, kinds, main_kinds, random_steps, told_to
from tests.size import scaled

ROOT = Path(__file__).parent.parent.parent
GAMES_AUDITED = scaled(20, 1000) if JIT else 2  # of each kind
# Compiling takes longer than playing twenty games without.
audit = compiled.audit if scaled(not JIT, True) else inspect.unwrap(compiled.audit)
every_kind = pytest.mark.parametrize("kind", kinds() if JIT else main_kinds(), ids=str)
main_kind = pytest.mark.parametrize("kind", main_kinds(), ids=str)


def seats(game: laguna.Game) -> range:
    return range(game.players)


def encoded(kind: Kind) -> np.ndarray:
    meta = find(kind.game).meta
    return np.array(meta.encode(*meta.resolve(kind.players, kind.options)), np.int64)


@every_kind
def test_random_games_keep_the_rules_of_every_game(kind: Kind) -> None:
    """The legal list is never empty before the end, has no duplicates, and no piece is lost or made."""
    rules = find(kind.game).rules
    s = blank(rules.STATE)
    chooser, copied = np.zeros(WORDS, np.uint32), np.zeros(WORDS, np.uint32)
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    seen = np.zeros(rules.CODES, np.int64)
    before, after = np.zeros(rules.KINDS, np.int64), np.zeros(rules.KINDS, np.int64)
    for seed in range(GAMES_AUDITED):
        verdict = audit(
            s, encoded(kind), seed, rules.MAX_LEGAL, rules.CODES, rules.MAX_ACTIONS,
            chooser, copied, out, seen, before, after,
        )  # fmt: skip
        assert verdict == compiled.FINE, f"seed {seed}"


@main_kind
def test_exactly_the_legal_codes_are_accepted(kind: Kind) -> None:
    game = kind.new(seed=1)
    codes = range(find(kind.game).rules.CODES)
    for number, _ in enumerate(random_steps(game, seed=1)):
        if number % 7:
            continue
        before = game.state_bytes()
        legal = {action.code for action in game.legal()}
        for code in codes:
            if code in legal:
                game.copy().play(code)
            else:
                with pytest.raises(laguna.IllegalAction) as refused:
                    game.play(code)
                assert refused.value.clause and str(refused.value).endswith(".")
            assert game.state_bytes() == before
    for code in codes:
        with pytest.raises(laguna.IllegalAction):
            game.play(code)


@main_kind
def test_the_three_forms_of_an_action_agree(kind: Kind) -> None:
    game = kind.new(seed=2)
    for _ in random_steps(game, seed=2):
        legal = game.legal()
        assert len({str(action) for action in legal}) == len(legal)
        for action in legal:
            assert game.action(action.code) == action
            assert game.action(str(action)) == action
            assert game.action(json.loads(json.dumps(action.value))) == action


@main_kind
def test_the_log_replays_to_the_identical_record(kind: Kind) -> None:
    for seed in range(5):
        game = kind.new(seed)
        for _ in random_steps(game, seed):
            pass
        again = kind.new(seed)
        for action in game.actions:
            again.play(str(action))
        assert again.state_bytes() == game.state_bytes()
        assert again.log == game.log
        assert laguna.loads(game.dumps()).state_bytes() == game.state_bytes()


@main_kind
def test_copies_are_independent_and_undo_restores(kind: Kind) -> None:
    """Earlier copies stay unchanged while the game goes on, and undo walks back through them."""
    game = kind.new(seed=3)
    copies, bytes_then = [], []
    for _ in random_steps(game, seed=3):
        copies.append(game.copy())
        bytes_then.append(game.state_bytes())
    assert [copy.state_bytes() for copy in copies] == bytes_then
    last = game.state_bytes()
    copies[0].play(copies[0].legal()[-1])
    assert game.state_bytes() == last
    actions = game.actions
    for then, action in zip(reversed(bytes_then), reversed(actions), strict=True):
        assert game.undo() == action
        assert game.state_bytes() == then
    assert game.log == kind.new(seed=3).log
    with pytest.raises(laguna.LagunaError):
        game.undo()


@pytest.mark.skipif(not JIT, reason="compares compiled with interpreted")
def test_interpreted_equals_compiled_byte_for_byte() -> None:
    seeds = scaled([5], [5, 6])
    code = (
        "from tests.every import fingerprint, main_kinds\n"
        f"for kind in main_kinds(): print(*(fingerprint(kind, seed) for seed in {seeds}))"
    )
    environment = os.environ | {"LAGUNA_JIT": "0", "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [fingerprint(kind, seed) for kind in main_kinds() for seed in seeds]


@pytest.mark.parametrize("kind", kinds() if gpu.available() else [None], ids=str)
def test_gpu_equals_cpu_byte_for_byte(kind: Kind | None) -> None:
    if kind is None:
        pytest.skip("there is no GPU")
    rules, options, games = find(kind.game).rules, encoded(kind), 1024
    totals, last = gpu.random_games(rules, options, kind.players, 0, games, 1)
    expected, points = np.zeros(TOTALS, np.int64), np.zeros(MAX_SEATS, np.int64)
    records = blanks(rules.STATE, games)
    chooser, out = np.zeros(WORDS, np.uint32), np.zeros(rules.MAX_LEGAL, np.int16)
    for seed in range(games):
        moves = random_game(records[seed], options, seed, chooser, out)
        add_up(records[seed], moves, kind.players, points, expected)
    assert last.tobytes() == records.tobytes()
    assert totals.tolist() == expected.tolist()


@main_kind
def test_what_a_seat_cannot_know_changes_nothing_it_is_shown(kind: Kind) -> None:
    """View, legal list and log are the same in every world the seat cannot tell apart."""
    game = kind.new(seed=4)
    different = 0
    for number, _ in enumerate(random_steps(game, seed=4)):
        for seat in seats(game):
            other = game.copy()
            other.rules.redeal(other.state, seat, 1000 + number)
            different += other.state_bytes() != game.state_bytes()
            assert other.view(seat) == game.view(seat)
            assert other.log_for(seat) == game.log_for(seat)
            if game.seat == seat:
                assert other.legal() == game.legal()
                assert number % 8 or other.advice() == game.advice()
    assert different > 0


@main_kind
def test_only_who_decides_is_advised(kind: Kind) -> None:
    game = kind.new(seed=6)
    for _ in random_steps(game, seed=6):
        assert all(game.advice(seat) == [] for seat in seats(game) if seat not in game.deciders)
        assert len(game.advice()) <= 3
    assert game.advice() == []


@main_kind
def test_a_redealt_game_is_a_possible_game(kind: Kind) -> None:
    """It keeps all pieces, is a valid position, and can be played to its end."""
    game = kind.new(seed=5)
    for number, _ in enumerate(random_steps(game, seed=5)):
        seat = number % game.players
        imagined = game.imagine(seat, number)
        assert laguna.from_position(kind.game, imagined.position()).position() == imagined.position()
        if number % 10 == 0:
            for _ in random_steps(imagined, number):
                pass
            assert imagined.over


@main_kind
def test_what_a_seat_holds_is_what_it_knows_and_others_do_not(kind: Kind) -> None:
    """A redeal for the seat leaves its number as it is; over all redeals for another seat it changes."""
    game = kind.new(seed=5)
    changed = 0
    for number, _ in enumerate(random_steps(game, seed=5)):
        if number % 5:
            continue
        for seat in seats(game):
            own = held(game.state, seat)
            other = game.copy()
            game.rules.redeal(other.state, seat, 1000 + number)
            assert held(other.state, seat) == own
            game.rules.redeal(other.state, (seat + 1) % game.players, 1000 + number)
            changed += held(other.state, seat) != own
    assert changed


@main_kind
def test_a_redeal_depends_only_on_what_the_seat_knows(kind: Kind) -> None:
    """Whatever was hidden before, the same seed deals the same: no old order or chance shows through."""
    game = kind.new(seed=6)
    for number, _ in enumerate(random_steps(game, seed=6)):
        for seat in seats(game):
            other = game.copy()
            other.rules.redeal(other.state, seat, 1000 + number)
            assert game.imagine(seat, 123).state_bytes() == other.imagine(seat, 123).state_bytes()


@main_kind
def test_positions_survive_a_round_trip(kind: Kind) -> None:
    game = kind.new(seed=7)
    positions = [game.position()]
    for _ in random_steps(game, seed=7):
        positions.append(game.position())
    positions.append(game.position())
    for position in positions:
        assert laguna.from_position(kind.game, json.loads(json.dumps(position))).position() == position
    middle = laguna.from_position(kind.game, positions[len(positions) // 2])
    for _ in random_steps(middle, seed=7):
        pass
    assert laguna.loads(middle.dumps()).state_bytes() == middle.state_bytes()


@main_kind
def test_views_are_plain_json(kind: Kind) -> None:
    game = kind.new(seed=8)
    for _ in random_steps(game, seed=8):
        for seat in (None, *seats(game)):
            view = game.view(seat)
            assert json.loads(json.dumps(view)) == view


@main_kind
def test_spectators_see_no_more_than_players(kind: Kind) -> None:
    """What one seat cannot know, a spectator cannot either: after any seat's redeal they see the same."""
    game = kind.new(seed=8)
    different = 0
    for number, _ in enumerate(random_steps(game, seed=8)):
        assert game.view(None)["legal"] == []
        for seat in seats(game):
            other = game.copy()
            other.rules.redeal(other.state, seat, 2000 + number)
            different += other.state_bytes() != game.state_bytes()
            assert other.view(None) == game.view(None)
            assert other.log_for(None) == game.log_for(None)
    assert different > 0


@main_kind
def test_changing_what_a_game_returned_does_not_change_the_game(kind: Kind) -> None:
    """A game remembers what the rules said about the position, but hands out copies."""
    game = kind.new(seed=9)
    for number, _ in enumerate(random_steps(game, seed=9)):
        if number % 10 == 0:
            check_nothing_returned_is_shared(game)
    check_nothing_returned_is_shared(game)


def check_nothing_returned_is_shared(game: laguna.Game) -> None:
    def found() -> list[Any]:
        values = [action.value for action in game.legal()]
        views = [game.view(seat) for seat in (None, *seats(game))]
        return [values, game.scores, game.winners, game.deciders, *views]

    first = found()
    before = json.dumps(first)
    spoil(first)
    assert json.dumps(found()) == before


def spoil(data: Any) -> None:
    """Change every list and dictionary in it."""
    for each in data.values() if isinstance(data, dict) else data:
        if isinstance(each, dict | list):
            spoil(each)
    if isinstance(data, dict):
        data["spoilt"] = True
    else:
        data.append("spoilt")


@main_kind
def test_a_network_is_told_everything_anew_and_only_what_the_seat_may_know(kind: Kind) -> None:
    """All is written and in range, the record stays, and dealing again what is hidden changes nothing."""
    inputs = find(kind.game).inputs
    if inputs is None:
        pytest.skip("no network plays it")
    game = kind.new(seed=7)
    for number, _ in enumerate(random_steps(game, seed=7)):
        if number % scaled(5, 1):
            continue
        for seat in seats(game):
            before = game.state_bytes()
            rows, counts = told_to(inputs, game.state, seat)
            assert game.state_bytes() == before
            assert min(rows) >= 0 and max(rows) < inputs.ROWS and UNWRITTEN not in counts
            other = game.copy()
            other.rules.redeal(other.state, seat, number)
            assert told_to(inputs, other.state, seat) == (rows, counts)
