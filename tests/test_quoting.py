"""What is quoted from bad input is cut: an error stays one sentence, however long the input was."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import laguna
from laguna.bots import find_bot
from laguna.errors import LagunaError, short
from laguna.server.settings import load

LONG = "x" * 10_000
HUGE = 10**4_000
TOO_MUCH = re.compile(r"x{81}|0{81}")
MAX_NAMES = 12  # of an object or a list, that are tried


def refused(do: Callable[..., object], *given: Any, **named: Any) -> None:
    """If it is refused (not everything is), little of the input is quoted."""
    try:
        do(*given, **named)
    except LagunaError as error:
        for found in (error.sentence, repr(error.arguments)):
            assert not TOO_MUCH.search(found), found[:300]


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    names: Any = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for name in list(names)[:MAX_NAMES]:
        yield from places(node[name], (*path, name))


def wrong(document: Any) -> Iterator[Any]:
    """The document with one value, or one name, that is far too long."""
    for *way, last in places(document):
        for value in (LONG, HUGE, [LONG], None):
            changed = node = copy.deepcopy(document)
            for name in way:
                node = node[name]
            if value is not None:
                node[last] = value
            elif isinstance(node, dict):
                node[LONG] = node.pop(last)
            yield changed


@pytest.fixture(params=laguna.games())
def game(request: pytest.FixtureRequest) -> laguna.Game:
    game = laguna.new(request.param, seed=3)
    for _ in range(25):
        game.play(game.legal()[-1])
    return game


def test_positions(game: laguna.Game) -> None:
    for position in wrong(game.position()):
        refused(laguna.from_position, game.meta.id, position)


def test_files(game: laguna.Game) -> None:
    for document in wrong(json.loads(game.dumps())):
        refused(laguna.loads, json.dumps(document))


def test_actions(game: laguna.Game) -> None:
    value = game.legal()[0].value
    bad: list[Any] = [LONG, HUGE, -HUGE, {LONG: 1}, {"do": LONG}, str(game.legal()[0]) + LONG, *wrong(value)]
    for action in bad:
        refused(game.play, action)
        refused(game.preview, action)


def test_new_games(game: laguna.Game) -> None:
    for name in ("players", "seed", "seats", *game.options, LONG):
        for value in (LONG, HUGE, [LONG]):
            refused(laguna.new, game.meta.id, **{name: value})
    refused(laguna.new, LONG)
    refused(game.view, LONG)


@pytest.mark.parametrize("name", [LONG, f"search:{LONG}", f"search:{'0' * 9_000}s"])
def test_bots(name: str) -> None:
    refused(find_bot, name)


def test_settings() -> None:
    for name in ("port", "database", "origins", "trusted_proxies", "limits", "log_level", "metrics", LONG):
        for value in (LONG, f"say={LONG}", f"{LONG}={LONG}"):
            refused(load, {name: value}, {})
    refused(load, {}, {f"LAGUNA_{LONG}": "1"})


def test_the_beginning_of_a_text() -> None:
    assert short("lagoon", 6) == "lagoon" and short("lagoons", 6) == "lagoo…"
