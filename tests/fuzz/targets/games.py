"""Actions in notation and as values, tried in the middle of a game."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import partial

import msgspec

import laguna
from laguna import messages
from laguna.errors import LagunaError
from laguna.games import find
from laguna.kernel.records import plain
from tests.fuzz.targets.target import Check, Target, Wrong, sentence

MOMENTS = 8  # of a game, in which an input may be tried; its first byte says which

read_form = msgspec.json.Decoder(messages.ActionForm).decode


def moments(name: str) -> list[laguna.Game]:
    """A game at several moments, up to its end."""
    game, chance = laguna.new(name, seed=5), random.Random(5)
    found = []
    while not game.over:
        found.append(game.copy())
        game.play(chance.choice(game.legal()))
    return [*found[:: -(-len(found) // (MOMENTS - 1))], game][:MOMENTS]


def notation(name: str) -> Check:
    actions, codes = find(name).actions, find(name).rules.CODES
    positions = [plain(game.state) for game in moments(name)]
    names = [actions.actions(position) for position in positions]

    def check(data: bytes) -> None:
        text = data[1:].decode(errors="surrogatepass" if data[:1] > b"\x7f" else "replace")
        moment = data[0] % len(positions) if data else 0
        try:
            code = actions.parse(positions[moment], text)
        except LagunaError as error:
            sentence(error)
            return
        if code is None:
            return
        if not 0 <= code < codes:
            raise Wrong(f"{text!r} is the code {code}")
        action = names[moment][code]
        if action is not None and actions.parse(positions[moment], str(action)) != code:
            raise Wrong(f"{text!r} is {action}, which is something else")

    def tolerant(data: bytes) -> None:
        try:
            check(data)
        except UnicodeDecodeError:
            return  # no text at all: it cannot arrive at the parser

    return tolerant


def values(name: str) -> Check:
    """Actions as a client sends them, in notation or as values: played, and taken back."""
    games = moments(name)

    def check(data: bytes) -> None:
        try:
            form = read_form(data[1:])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return
        game = games[data[0] % len(games)]
        before = game.state_bytes()
        try:
            game.play(form)
        except LagunaError as error:
            sentence(error)
        else:
            game.undo()
        if game.state_bytes() != before:
            raise Wrong(f"{form!r} left something changed")

    return check


def written(name: str) -> Sequence[bytes]:
    """Everything that may be done at those moments, in notation."""
    legal = {(number, str(each)) for number, game in enumerate(moments(name)) for each in game.legal()}
    return [bytes([number]) + text.encode() for number, text in sorted(legal)]


def structured(name: str) -> Sequence[bytes]:
    found = {
        bytes([number]) + json.dumps(form).encode()
        for number, game in enumerate(moments(name))
        for each in game.legal()[:40]
        for form in (each.value, str(each))
    }
    return sorted(found)


def words(name: str) -> list[bytes]:
    texts = {word for each in written(name) for word in each[1:].split()}
    return sorted(texts, key=lambda word: (len(word), word))[:100]


def fields(name: str) -> list[bytes]:
    return [*words(name), b'"do"', b'": "', b"\\ud800", b"null", b"1e999"]


def targets() -> list[Target]:
    found = []
    for name in sorted(laguna.games()):
        module = f"laguna.games.{name.replace('-', '_')}"
        watched = [f"{module}.{part}" for part in ("actions", "names", "refusals")]
        found += [
            Target(
                f"notation-{name}",
                "actions in notation",
                partial(notation, name),
                partial(written, name),
                partial(words, name),
                watched,
                longest=64,
            ),
            Target(
                f"values-{name}",
                "actions as a client sends them, played",
                partial(values, name),
                partial(structured, name),
                partial(fields, name),
                watched,
                longest=512,
            ),
        ]
    return found
