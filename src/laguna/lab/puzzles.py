"""Making a game's puzzles from many games between bots, and checking them again with a deeper search.

Each game that was looked at is written to a journal at once; if the same command is started again in the same
folder, it resumes where it stopped.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from laguna.bots import analyse
from laguna.errors import BadFile, BadOption, whole_number
from laguna.game import check_seed, from_position
from laguna.games import find
from laguna.lab.mining import Demand, Found, mine, rated_again
from laguna.lab.workers import results
from laguna.puzzles import FILE, Puzzle, PuzzleFile, read_puzzles, write_puzzles

JOURNAL = "mined.jsonl"
MAX_GAMES = 1_000_000
MAX_COUNT = 100_000
MAX_DEPTH = 10_000_000
CHECK_SEED = 1000  # of the searches that check, and those after it: none that was used before

Progress = Callable[[int, int, int], None]  # done, of how many, how many puzzles were found (or kept)


class Plan(Struct, frozen=True):
    """What to look at: so many games, and how deep."""

    game: str
    games: int
    seed: int
    depth: int  # iterations of the searches that must agree
    gap: float  # by which the best chance must exceed the second
    opening: int  # actions of each player that are not looked at

    def __post_init__(self) -> None:
        find(self.game)
        whole_number(self.games, "The number of games", 1, MAX_GAMES, key="games")
        whole_number(self.depth, "The depth", 1, MAX_DEPTH, key="depth")
        whole_number(self.opening, "The opening", 0, MAX_GAMES, key="opening")
        check_seed(self.seed)
        if not 0 < self.gap < 1:
            raise BadOption("gap", f"The gap must be more than 0 and less than 1, not {self.gap}.")


class Mined(Struct, frozen=True):
    """A game that was looked at, and the puzzles in it."""

    number: int
    found: list[Found]


def _mine(plan: Plan, number: int) -> Mined:
    return Mined(number, mine(plan.game, number, plan.seed, plan.opening, Demand(plan.depth, plan.gap)))


def make(
    plan: Plan,
    count: int,
    folder: Path,
    *,
    kept: Sequence[Puzzle] = (),
    cores: int | None = None,
    progress: Progress = lambda done, total, found: None,
) -> PuzzleFile:
    """Look at all games and write so many puzzles to a file in the folder, where a journal is kept.

    The puzzles that are `kept` are among them, and the levels try them again.
    """
    whole_number(count, "The number of puzzles", 1, MAX_COUNT, key="count")
    done = _read_journal(plan, folder)
    missing = [(plan, number) for number in range(plan.games) if number not in done]
    progress(len(done), plan.games, _found(done))
    with closing(_all(_mine, missing, cores)) as mined:
        for each in mined:
            done[each.number] = each
            with (folder / JOURNAL).open("ab") as journal:
                journal.write(msgspec.json.encode(each) + b"\n")
            progress(len(done), plan.games, _found(done))
    found = [each for number in sorted(done) if number < plan.games for each in done[number].found]
    with closing(_all(rated_again, [(plan.game, puzzle) for puzzle in kept], cores)) as rated:
        file = PuzzleFile(plan.depth, varied(found, count, list(rated)))
    (folder / FILE).write_bytes(write_puzzles(file))
    return file


def _all(work: Callable[..., Any], tasks: list[tuple[Any, ...]], cores: int | None) -> Generator[Any]:
    """In child processes or, with a single core, in this one."""
    if cores == 1:
        yield from (work(*task) for task in tasks)
    else:
        yield from results(work, tasks, cores or os.cpu_count() or 1)


def _found(done: dict[int, Mined]) -> int:
    return sum(len(each.found) for each in done.values())


def _read_journal(plan: Plan, folder: Path) -> dict[int, Mined]:
    """The games already looked at; a line that was cut off is left out, and its game looked at again."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / JOURNAL
    head = msgspec.json.encode({"plan": replace(plan, games=1)})
    if not path.exists():
        path.write_bytes(head + b"\n")
        return {}
    first, *lines = path.read_bytes().split(b"\n")
    if first != head:
        raise BadFile("other-puzzles", f"{str(folder)!r} holds puzzles of another plan; name another folder.")
    done = {}
    for line in lines:
        try:
            mined = msgspec.json.decode(line, type=Mined)
        except msgspec.DecodeError:
            continue
        done[mined.number] = mined
    if lines and lines[-1]:
        with path.open("ab") as journal:
            journal.write(b"\n")
    return done


def varied(found: list[Found], count: int, kept: Sequence[Puzzle] = ()) -> list[Puzzle]:
    """So many puzzles, spread over player counts, phases of the game, kinds of actions and solutions.

    Those that are kept, then one after the other, always the one that resembles those before it least; among
    equals the clearest.
    """
    chosen = list(kept)
    known = {puzzle.id for puzzle in kept}
    left = sorted(
        (each for each in found if each.puzzle.id not in known), key=lambda each: (-each.gap, each.puzzle.id)
    )
    traits = {each.puzzle.id: _traits(each) for each in left}
    seen: Counter[Any] = Counter(trait for puzzle in kept for trait in _own_traits(puzzle))
    while left and len(chosen) < count:
        best = min(left, key=lambda each: sum(seen[trait] for trait in traits[each.puzzle.id]))
        left.remove(best)
        seen.update(traits[best.puzzle.id])
        chosen.append(best.puzzle)
    return sorted(chosen, key=lambda puzzle: puzzle.id)


def _traits(found: Found) -> list[tuple[Any, ...]]:
    return [*_own_traits(found.puzzle), ("phase", found.phase), ("kind", found.kind)]


def _own_traits(puzzle: Puzzle) -> list[tuple[Any, ...]]:
    """What tells puzzles apart without looking at the games that they come from."""
    solution = tuple(step.action for step in puzzle.steps)
    return [("players", puzzle.players), ("rating", puzzle.rating // 200), (puzzle.players, solution)]


# ------------------------------------------------------------------ checking


class Checked(Struct, frozen=True):
    """What a deeper search says about a puzzle."""

    id: str
    kept: bool  # it finds the same solution
    found: list[str]  # the actions that it finds, as far as they agree
    lead: float  # the chance of the solution beyond the best other action, of the least clear step


def check(
    game: str,
    file: PuzzleFile,
    count: int,
    iterations: int,
    *,
    seed: int = 0,
    cores: int | None = None,
    progress: Progress = lambda done, total, kept: None,
) -> list[Checked]:
    """Search so many of the puzzles again, chosen at random, with so many iterations.

    The seed decides which, and with what luck they are searched.
    """
    whole_number(count, "The number of puzzles", 1, MAX_COUNT, key="count")
    whole_number(iterations, "The depth", 1, MAX_DEPTH, key="depth")
    chosen = Random(seed).sample(file.puzzles, min(count, len(file.puzzles)))
    checked: list[Checked] = []
    progress(0, len(chosen), 0)
    tasks = [(game, puzzle, iterations, CHECK_SEED + seed) for puzzle in chosen]
    with closing(_all(_check, tasks, cores)) as found:
        for each in found:
            checked.append(each)
            progress(len(checked), len(chosen), sum(each.kept for each in checked))
    return sorted(checked, key=lambda each: each.id)


def _check(game: str, puzzle: Puzzle, iterations: int, seed: int) -> Checked:
    now = from_position(game, puzzle.position)
    found: list[str] = []
    leads: list[float] = []
    for step in puzzle.steps:
        looked = analyse(now, iterations=iterations, seed=seed, forecast=False)
        chances = {str(each.action): each.chances[looked.seat] for each in looked.choices if each.chances}
        own = chances.pop(step.action, 0.0)
        leads.append(own - max(chances.values(), default=0.0))
        found.append(str(looked.best.action))
        if found[-1] != step.action:
            return Checked(puzzle.id, False, found, min(leads))
        now.play(step.action)
    return Checked(puzzle.id, True, found, min(leads))


def without(file: PuzzleFile, checked: list[Checked]) -> PuzzleFile:
    """The file without the puzzles that did not keep their solution."""
    dropped = {each.id for each in checked if not each.kept}
    return replace(file, puzzles=[puzzle for puzzle in file.puzzles if puzzle.id not in dropped])


def read_file(path: Path) -> PuzzleFile:
    """The puzzles of a file on the disk; raises BadFile if there is none."""
    try:
        return read_puzzles(path.read_bytes())
    except OSError as error:
        raise BadFile("puzzles", f"{str(path)!r} cannot be read: {error.strerror}.") from None
