"""Networks: files that fit or are refused, sums that follow an action, honest bots, and the baseline."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.bots import analyse, ask, find_bot, network
from laguna.bots.lookahead import Constants
from laguna.bots.network import MAGIC, accumulator_type, find_network, load, network_path, refresh, update
from laguna.errors import BadOption, LagunaError
from laguna.games import Rulebook, find, rulebooks
from laguna.kernel.jit import JIT
from laguna.kernel.records import blanks
from laguna.lab.tournament import Plan, deal_shares, run
from tests.every import Kind, main_kinds, random_steps
from tests.size import scaled

FILES = Path(__file__).parent / "files"
NETWORKS = [game for game in rulebooks() if find_network(game) is not None]
every_network = pytest.mark.parametrize("game", NETWORKS)
some_network = pytest.mark.parametrize("game", scaled(NETWORKS[-2:], NETWORKS))  # interpreted, they are slow
main_kind = pytest.mark.parametrize("kind", [k for k in main_kinds() if k.game in NETWORKS], ids=str)
MAX_BYTES = 2_000_000  # of all networks together


def test_all_four_games_have_a_network_and_they_are_small() -> None:
    assert set(NETWORKS) >= {"atlantis", "mille-fiori", "neptune-vesta", "venice-2099"}
    assert sum(network_path(find(game)).stat().st_size for game in NETWORKS) < MAX_BYTES


# ------------------------------------------------------------------ files


def broken(book: Rulebook, folder: Path, change: Any) -> str:
    """The sentence for a network that was changed."""
    path = folder / "changed.bin"
    path.write_bytes(change(network_path(book).read_bytes()))
    with pytest.raises(LagunaError) as refused:
        load(path, book)
    return str(refused.value)


def header(data: bytes, **changed: Any) -> bytes:
    """The file with another first line."""
    line, _, layers = data[len(MAGIC) :].partition(b"\n")
    return MAGIC + json.dumps(json.loads(line) | changed).encode() + b"\n" + layers


@every_network
def test_a_network_that_does_not_fit_is_refused(game: str, tmp_path: Path) -> None:
    book = find(game)
    assert "is not a network" in broken(book, tmp_path, lambda data: b"{}" + data)
    assert "first line" in broken(book, tmp_path, lambda data: MAGIC + b"{...}\n")
    assert "its game is 'chess'" in broken(book, tmp_path, lambda data: header(data, game="chess"))
    assert "its inputs is 0, not 1" in broken(book, tmp_path, lambda data: header(data, inputs=0))
    assert "its rules is 99" in broken(book, tmp_path, lambda data: header(data, rules=99))
    assert "incomplete" in broken(book, tmp_path, lambda data: data[:-2])
    assert "longer" in broken(book, tmp_path, lambda data: data + b"\0\0")
    not_a_number = np.array([np.nan], np.float16).tobytes()
    assert "damaged" in broken(book, tmp_path, lambda data: data[:-2] + not_a_number)
    with pytest.raises(LagunaError, match="cannot be read"):
        load(tmp_path / "missing.bin", book)


def test_another_network_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = laguna.new("neptune-vesta", seed=1, rounds=1)
    monkeypatch.delenv("LAGUNA_NETWORKS", raising=False)
    with pytest.raises(LagunaError, match="LAGUNA_NETWORKS"):
        analyse(game, iterations=8, network="mine")
    path = tmp_path / "neptune-vesta" / "mine.bin"
    path.parent.mkdir()
    path.write_bytes(network_path(find("neptune-vesta")).read_bytes())
    monkeypatch.setenv("LAGUNA_NETWORKS", str(tmp_path))
    find_network.cache_clear()
    one, other = (analyse(game, iterations=8, network=name).choices for name in ("mine", "champion"))
    assert one == other
    find_network.cache_clear()


# ------------------------------------------------------------------ judging


@main_kind
def test_what_an_action_changes_is_all_that_must_be_told(kind: Kind) -> None:
    """Sums that follow a whole game, action by action, stay those of the position."""
    net, module = find_network(kind.game), find(kind.game).inputs
    whole = blanks(accumulator_type(module), 1)[0]
    following = blanks(accumulator_type(module), 2)
    game = kind.new(seed=2)
    refresh(net, following[0], game.state, 0)
    for number, _ in enumerate(random_steps(game, seed=2)):
        if number:
            update(net, following[(number - 1) % 2], following[number % 2], game.state, 0)
        refresh(net, whole, game.state, 0)
        now = following[number % 2]
        assert now.logit == pytest.approx(whole.logit, abs=2e-3)
        assert now.to_come == pytest.approx(whole.to_come, abs=2e-2 * float(net.scale))


@main_kind
@pytest.mark.skipif(not JIT, reason="searching interpreted takes too long")
def test_the_chances_of_a_search_are_shares_of_one(kind: Kind) -> None:
    game = kind.new(seed=4)
    for number, _ in enumerate(random_steps(game, seed=4)):
        if number % 20 == 3:
            best = analyse(game, iterations=40, seed=number).best
            assert sum(best.chances or ()) == pytest.approx(1) and min(best.chances or ()) >= 0


@some_network
def test_the_network_plays_alike_compiled_and_interpreted(game: str) -> None:
    code = (
        "import sys, random, laguna\nfrom laguna.bots import analyse, ask, find_bot\n"
        "game, chance = laguna.new(sys.argv[1], players=2, seed=3), random.Random(3)\n"
        "chosen = []\n"
        f"while not game.over and game.played < {scaled(5, 12)}:\n"
        "    if game.played % 4 == 0: chosen.append(str(ask(find_bot('network'), game, 1)))\n"
        "    game.play(chance.choice(game.legal()))\n"
        "print(chosen, analyse(game, iterations=4, forecast=False).iterations)"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", code, game],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"LAGUNA_JIT": jit},
        ).stdout
        for jit in ("0", "1")
    }
    assert len(shown) == 1 and shown.pop().endswith("] 4\n")


def test_a_game_without_a_network_is_searched_by_its_evaluation() -> None:
    with pytest.raises(BadOption, match=r"evaluation must be network, evaluate or glance"):
        Constants(evaluation="guess")
    with pytest.raises(BadOption, match=r"no evaluation `glance`"):
        analyse(laguna.new("atlantis", seed=1), iterations=8, evaluation="glance")


@main_kind
def test_the_network_chooses_by_what_the_seat_may_know(kind: Kind) -> None:
    game = kind.new(seed=5)
    for number, _ in enumerate(random_steps(game, seed=5)):
        if number % 5 == 0:
            other = game.copy()
            other.rules.redeal(other.state, game.seat, number)
            assert ask(network, game, number) == ask(network, other, number)


# ------------------------------------------------------------------ strength


@pytest.mark.skipif(not JIT, reason="it takes too long")
@every_network
def test_the_network_beats_the_evaluation_one_action_ahead(game: str) -> None:
    meta = find(game).meta
    players, options = meta.resolve(2, {"rounds": 1} if game == "neptune-vesta" else {})
    plan = Plan(game, ("network", "greedy"), scaled(60, 2000), options)
    shares = deal_shares(plan, run(plan, None, cores=1), "network")
    assert players == 2 and sum(shares) / len(shares) > scaled(0.6, 0.75)


@pytest.mark.skipif(not JIT, reason="searching interpreted takes too long")
def test_the_baseline_is_the_search_of_before_the_networks() -> None:
    """Recorded from that version: the same actions, visited as often."""
    constants = find_bot("baseline:1500").keywords  # type: ignore[attr-defined]
    for each in json.loads((FILES / "baseline.json").read_text())["searches"]:
        game, chance = laguna.new(each["game"], players=2, seed=each["seed"]), random.Random(each["seed"])
        for _ in range(chance.randrange(4, 30)):
            game.play(chance.choice(game.legal()))
        looked = analyse(game, seed=each["seed"], forecast=False, **constants)
        assert str(looked.best.action) == each["action"]
        assert [choice.visits for choice in looked.choices[:4]] == each["visits"]


@pytest.mark.skipif(not JIT, reason="searching interpreted takes too long")
def test_a_seat_may_be_judged_by_its_own_view_alone() -> None:
    """What the search maximizes then differs; the chances that are told still add up to 1."""
    game = laguna.new("venice-2099", players=3, seed=4)
    usual = analyse(game, iterations=200, seed=1)
    alone, together = (analyse(game, iterations=200, seed=1, own_view=own) for own in (True, False))
    assert usual.best == alone.best  # Venice 2099 asks for it
    assert alone.best.expected != together.best.expected
    for found in (alone, together):
        assert sum(found.best.chances or ()) == pytest.approx(1)
    with pytest.raises(BadOption, match="own_view must be on or off"):
        find_bot("search:64,own_view=perhaps")


@pytest.mark.parametrize("game", [game for game in rulebooks() if find_network(game) is not None])
def test_greed_and_mistakes_change_what_a_network_plays(game: str) -> None:
    table, chance = laguna.new(game, seed=6), random.Random(6)
    changed = {"greed": 0, "misjudge": 0, "overlook": 0}
    for number in range(40):
        if table.over:
            break
        best = network(table, number)
        changed["greed"] += network(table, number, greed=100.0) != best
        changed["misjudge"] += network(table, number, misjudge=50.0) != best
        changed["overlook"] += network(table, number, overlook=90) != best
        table.play(chance.choice(table.legal()))
    assert all(changed.values()), changed
