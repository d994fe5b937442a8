"""Live games: chance from a secret, committed to, and out of reach for a solver of the fast generator."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.cli.main import main
from laguna.fair import commitment, key_streams, new_secret
from laguna.game import from_position_live, set_up_live
from laguna.games import find
from laguna.kernel.chance import (
    KEYED,
    MASK,
    WORDS,
    key_stream,
    keyed_word,
    seed_stream,
    word,
)
from laguna.kernel.jit import JIT, rule
from tests.every import Kind, kinds, main_kinds, random_steps

SECRET = bytes(range(32))


def live(kind: Kind, secret: bytes = SECRET) -> laguna.Game:
    return set_up_live(kind.game, kind.players, secret, None, kind.options)


def finished(kind: Kind, secret: bytes = SECRET) -> laguna.Game:
    game, chance = live(kind, secret), Random(1)
    while not game.over:
        game.play(chance.choice(game.legal()))
    return game


# ------------------------------------------------------------------ one secret, one deal


@pytest.mark.parametrize("kind", kinds(), ids=str)
def test_all_chance_of_a_live_game_comes_from_its_secret(kind: Kind) -> None:
    """The same secret deals the same, another secret something else, and the streams stay keyed."""
    one, two = live(kind), live(kind)
    assert one.state_bytes() == two.state_bytes()
    assert one.state_bytes() != live(kind, SECRET[::-1]).state_bytes()
    assert (one.state.chance[:, 3] >= KEYED).all()


@pytest.mark.parametrize("kind", main_kinds(), ids=str)
def test_a_live_game_from_a_position_draws_from_its_own_secret(kind: Kind) -> None:
    """All see what they saw, whatever nobody had drawn is dealt anew, and the file brings it all back."""
    game = kind.new(5)
    for _ in random_steps(game, 3):
        if game.played % 31:
            continue
        start = game.position(undrawn=False)
        one, other = (from_position_live(kind.game, start, secret) for secret in (SECRET, SECRET[::-1]))
        assert [seen(one, seat) for seat in range(one.players)] == [
            seen(game, seat) for seat in range(one.players)
        ]
        assert one != other and (one.state.chance[:, 3] >= KEYED).all()
        assert one.start == start and laguna.loads(one.dumps()) == one
        whole = from_position_live(kind.game, game.position(), SECRET)
        assert (whole.state.chance == one.state.chance).all()  # whatever generators the position names


def seen(game: laguna.Game, seat: int) -> dict[str, Any]:
    return game.view(seat) | {"actions": 0}


@pytest.mark.parametrize(
    ("game", "hidden"), [("mille-fiori", "deck"), ("neptune-vesta", "stacks"), ("atlantis", "board")]
)
def test_what_nobody_had_drawn_is_not_in_a_position_to_go_on_from(game: str, hidden: str) -> None:
    played = laguna.new(game, seed=2)
    assert played.position(undrawn=False).get(hidden) != played.position()[hidden]
    first, second = (
        from_position_live(game, played.position(undrawn=False), secret).position()[hidden]
        for secret in (SECRET, SECRET[::-1])
    )
    assert first != second


@pytest.mark.parametrize("kind", main_kinds(), ids=str)
def test_an_imagined_game_has_neither_the_secret_nor_its_streams(kind: Kind) -> None:
    game = live(kind)
    imagined = game.imagine(game.seat or 0, 7)
    assert imagined.secret is None and imagined.seed is None
    assert (imagined.state.chance[:, 3] < KEYED).all()


# ------------------------------------------------------------------ solvers


@rule
def sfc32_solver(first: int, second: int, third: int, counter: int, found: Any) -> bool:
    """The state (a, b, c) behind three words of sfc32 whose counter is known: all 2**32 values of c tried."""
    for c in range(MASK + 1):
        b1 = (9 * c) & MASK
        c1 = ((((c << 21) & MASK) | (c >> 11)) + first) & MASK
        if (((b1 ^ (b1 >> 9)) + 9 * c1 + counter + 2) & MASK) != third:
            continue
        mixed = (second - b1 - counter - 1) & MASK  # b ^ (b >> 9)
        b = mixed ^ (mixed >> 9) ^ (mixed >> 18) ^ (mixed >> 27)
        found[0], found[1], found[2] = (first - b - counter) & MASK, b, c
        return True
    return False


@pytest.mark.proof
@pytest.mark.skipif(not JIT, reason="2**32 steps need the compiler")
def test_three_words_betray_the_fast_generator_and_not_the_keyed_one() -> None:
    """The solver is given more than any table shows: whole words, not the cards that follow from them."""

    def predicted(words: list[int], counter: int) -> int | None:
        stream = np.zeros(WORDS, np.uint32)
        first, second, third = words
        if not sfc32_solver(first, second, third, counter, stream):
            return None
        stream[3] = counter
        for _ in range(3):
            word(stream)
        return int(word(stream))

    seeded = np.zeros(WORDS, np.uint32)
    seed_stream(seeded, 99, 0)
    counter = int(seeded[3])
    assert predicted([int(word(seeded)) for _ in range(3)], counter) == word(seeded)
    keyed = np.zeros(WORDS, np.uint32)
    key_stream(keyed, SECRET[:16])
    assert predicted([int(keyed_word(keyed)) for _ in range(3)], counter) != keyed_word(keyed)


def seed_solver(seen: list[int], size: int) -> list[int] | None:
    """The whole red stack of Neptune & Vesta from its visible tiles: tries the seeds people choose."""
    book = find("neptune-vesta")
    options = np.array(book.meta.encode(*book.meta.resolve(2, {})), np.int64)
    state = np.zeros(1, book.rules.STATE)[0]
    for seed in range(3000):
        book.rules.setup(state, options, seed)
        stack = state.stack[0].tolist()
        if stack[size - len(seen) :] == seen:
            return [int(tile) for tile in stack]
    return None


def test_visible_cards_betray_a_seed_and_not_a_secret() -> None:
    """Having seen 20 of 30 tiles, the solver knows the other ten of a seeded game, none of a live one."""
    seeded = laguna.new("neptune-vesta", seed=2024).state.stack[0].tolist()
    size = len(seeded)
    assert seed_solver(seeded[-20:], size) == seeded
    secret = live(next(kind for kind in kinds() if kind.game == "neptune-vesta")).state.stack[0].tolist()
    assert seed_solver(secret[-20:], size) is None


# ------------------------------------------------------------------ files and `laguna verify`


@pytest.mark.parametrize("kind", main_kinds(), ids=str)
def test_a_live_game_is_dealt_again_from_its_file(kind: Kind) -> None:
    game = finished(kind)
    text = game.dumps()
    again = laguna.loads(text)
    assert again.state_bytes() == game.state_bytes() and again.dumps() == text
    assert again.secret == SECRET


def verify(monkeypatch: pytest.MonkeyPatch, *words: str) -> object:
    monkeypatch.setattr(sys, "argv", ["laguna", "verify", *words])
    with pytest.raises(SystemExit) as left:
        main()
        raise SystemExit(0)
    return left.value.code or 0


def test_verify_says_what_follows_from_the_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = next(kind for kind in main_kinds() if kind.game == "venice-2099")
    game = finished(kind)
    path = tmp_path / "game.laguna.json"
    path.write_text(game.dumps())
    assert verify(monkeypatch, str(path), "--commitment", commitment(SECRET)) == 0
    shown = capsys.readouterr().out
    assert "matches the one you wrote down" in shown and f"winners {game.winners}" in shown
    assert verify(monkeypatch, str(path)) == 0
    assert commitment(SECRET) in capsys.readouterr().out
    assert verify(monkeypatch, str(path), "--commitment", commitment(new_secret())) == 2
    assert "a different commitment" in capsys.readouterr().err


@pytest.mark.parametrize("field", ["secret", "commitment", "actions", "result", "seed"])
def test_verify_finds_what_was_changed(
    field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = next(kind for kind in main_kinds() if kind.game == "atlantis")
    document = json.loads(finished(kind).dumps())
    forged = {
        "secret": SECRET[::-1].hex(),
        "commitment": commitment(SECRET[::-1]),
        "actions": document["actions"][1:],
        "result": {"scores": [0] * kind.players, "winners": [0]},
        "seed": 3,
    }
    document[field] = forged[field]
    path = tmp_path / "forged.laguna.json"
    path.write_text(json.dumps(document))
    assert verify(monkeypatch, str(path)) == 2
    assert capsys.readouterr().err


def test_a_secret_and_its_commitment_changed_together_do_not_fit_the_actions() -> None:
    kind = next(kind for kind in main_kinds() if kind.game == "mille-fiori")
    document = json.loads(finished(kind).dumps())
    document["secret"], document["commitment"] = SECRET[::-1].hex(), commitment(SECRET[::-1])
    with pytest.raises(laguna.LagunaError):
        laguna.loads(json.dumps(document))


def test_a_seeded_game_has_nothing_to_verify(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "seeded.laguna.json"
    path.write_text(laguna.new("neptune-vesta", seed=1).dumps())
    assert verify(monkeypatch, str(path)) == 2
    assert "no commitment to verify" in capsys.readouterr().err


def test_a_secret_has_32_bytes() -> None:
    with pytest.raises(laguna.BadOption):
        key_streams(np.zeros((1, WORDS), np.uint32), b"short")
