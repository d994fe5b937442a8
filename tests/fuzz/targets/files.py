"""Files: games, positions, results, lessons and puzzles."""

from __future__ import annotations

import atexit
import json
import random
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import laguna
from laguna import files
from laguna.errors import BadFile, LagunaError
from laguna.games import find
from laguna.lab.results import read, write
from laguna.lessons import read_lessons
from laguna.puzzles import read_puzzles
from tests.every import main_kinds
from tests.fuzz.targets.target import Check, Target, Wrong, sentence
from tests.test_results import results

FINISHED = Path(__file__).parents[2] / "files"
SUFFIXES = (".csv", ".json", ".json.gz", ".arrow", ".parquet")
JSON = [
    b'": ',
    b'", "',
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"9" * 30,
    b"\\ud800",
    b"\xed\xa0\x80",
    b"[[",
    b"{}",
]
FIELDS = [
    b'"laguna"',
    b'"rules"',
    b'"players"',
    b'"options"',
    b'"seats"',
    b'"seed"',
    b'"actions"',
    b'"result"',
]
MORE = [b'"start"', b'"secret"', b'"commitment"', b'"board"', b'"scores"', b'"winners"', b'"seat"', b'"game"']


def begun(actions: int) -> list[laguna.Game]:
    """A game of every kind, a few actions old."""
    found = []
    for number, kind in enumerate(main_kinds()):
        game, chance = kind.new(number), random.Random(number)
        for _ in range(actions):
            game.play(chance.choice(game.legal()))
        found.append(game)
    return found


def game_files() -> Sequence[bytes]:
    games = [game.dumps() for game in begun(6)]
    games += [laguna.from_position(game.meta.id, game.position(), seed=3).dumps() for game in begun(4)[::4]]
    return [
        *(each.encode() for each in games),
        *(path.read_bytes() for path in FINISHED.glob("*.laguna.json")),
    ]


def check_game_file(data: bytes) -> None:
    try:
        game = laguna.loads(data)
    except LagunaError as error:
        sentence(error)
        return
    text = game.dumps()
    if laguna.loads(text).dumps() != text:
        raise Wrong("what was loaded is written as another game")


def position_files() -> Sequence[bytes]:
    return [json.dumps(game.position()).encode() for age in (0, 9, 30) for game in begun(age)]


def check_position_file(data: bytes) -> None:
    try:
        fields = files.read_json(data)
        if not isinstance(fields, dict):
            return
        game = files.position_of(fields)
    except LagunaError as error:
        sentence(error)
        return
    position = game.position()
    again = laguna.from_position(game.meta.id, position)
    if again.position() != position:
        raise Wrong("a position is written as another")
    for seat in (None, *range(game.players)):
        game.view(seat)
    if not game.over:
        game.play(game.legal()[-1])


def results_files() -> Sequence[bytes]:
    """The first byte says which kind of file it is."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, suffix in enumerate(SUFFIXES):
            for number, (codes, searched) in enumerate([(False, False), (True, False), (True, True)]):
                path = Path(folder) / f"{number}{suffix}"
                write(path, results(codes, searched))
                found.append(bytes([kind]) + path.read_bytes())
    return found


def results_check() -> Check:
    folder = Path(tempfile.mkdtemp(prefix="laguna-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

    def check(data: bytes) -> None:
        path = folder / f"some{SUFFIXES[data[0] % len(SUFFIXES) if data else 0]}"
        path.write_bytes(data[1:])
        try:
            found = read(path)
        except LagunaError as error:
            sentence(error)
            return
        if len(found) != len(found.columns["seed"]):
            raise Wrong("some games are missing")

    return check


def reading(read: Callable[[bytes], object]) -> Check:
    def check(data: bytes) -> None:
        try:
            read(data)
        except BadFile as error:
            sentence(error)

    return check


def learning(file: str) -> Sequence[bytes]:
    """The lessons or the puzzles of the games, the first few of each."""
    found = []
    for name in laguna.games():
        path = find(name).path / file
        if path.is_file():
            document = json.loads(path.read_bytes())
            for part in ("lessons", "puzzles"):
                if part in document:
                    document[part] = document[part][:2]
            found.append(json.dumps(document).encode())
    return found


def targets() -> list[Target]:
    json_watched = ("laguna.files", "laguna.game", "laguna.errors")
    modules = [f"laguna.games.{name.replace('-', '_')}" for name in laguna.games()]
    games_watched = [f"{each}.{part}" for each in modules for part in ("actions", "positions", "refusals")]
    return [
        Target(
            "game-files",
            "game files, replayed and written again",
            lambda: check_game_file,
            game_files,
            lambda: [*JSON, *FIELDS, *MORE],
            [*json_watched, *games_watched],
        ),
        Target(
            "position-files",
            "position files, written again and played on",
            lambda: check_position_file,
            position_files,
            lambda: [*JSON, *FIELDS, *MORE],
            [*json_watched, *games_watched],
        ),
        Target(
            "results-files",
            "results of tournaments in all formats",
            results_check,
            results_files,
            lambda: [*JSON, b'"codes"', b'"visits"', b'"values"', b"# ", b"|"],
            ("laguna.lab.results", "laguna.lab.results_files"),
            longest=16_384,
        ),
        *(
            Target(
                name,
                f"files of {name}",
                partial(reading, read_it),
                partial(learning, f"{name}.json"),
                lambda: [*JSON, b'"id"', b'"steps"', b'"tasks"', b'"accept"', b'"chances"'],
                (f"laguna.{name}", "laguna.game", "laguna.errors"),
                longest=16_384,
            )
            for name, read_it in (("lessons", read_lessons), ("puzzles", read_puzzles))
        ),
    ]
