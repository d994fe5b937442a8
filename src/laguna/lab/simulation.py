"""Simulations: many games of the same bots, on all cores, a GPU or a cluster, added up and written down.

The same plan gives the same games wherever they are played: a game depends only on its seed, and so does each
decision in it (`decision_seed`). Bots that differ are seated in all rotations for each seed, so that they are
compared fairly. Quick bots (`random`, `greedy`, `network`, levels that do not search) play compiled games.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from laguna.bots import Analysis, ask, load_bot, searched
from laguna.errors import BadOption, whole_number
from laguna.game import Game, check_seed, set_up, short_name
from laguna.games import find
from laguna.kernel.chance import SEEDS
from laguna.lab import cluster, quick_games_gpu
from laguna.lab.quick_games import AT_RANDOM, BY_NETWORK, QuickGames, decision_seed, policies_of
from laguna.lab.results import Head, Lists, Results, make_head, together
from laguna.lab.results_files import check_suffix, writer
from laguna.lab.simulation_journal import Journal
from laguna.lab.totals import Totals
from laguna.lab.workers import MAX_CORES, in_threads, results

MAX_GAMES = 10_000_000_000
DEVICES = ("auto", "cpu", "cuda")
PIECE = 1 << 16  # games that are written to a file at once
# How many games of quick bots are played at once: about a second's worth.
AT_ONCE = {"random": 16_384, "one ahead": 1024, "network": 128}
AT_ONCE_ON_GPU = {"random": 1 << 21, "one ahead": 1 << 17, "network": 1 << 15}


@dataclass(frozen=True)
class Simulation:
    """What to play: the bots by seat in the first rotation, and the minimum number of games.

    With `codes` the actions are kept, with `visits` also what each search found. `rotate` says whether the
    bots change seats; by default they do if they differ.
    """

    game: str
    bots: tuple[str, ...]
    games: int
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    codes: bool = False
    visits: bool = False
    rotate: bool | None = None

    def __post_init__(self) -> None:
        _, resolved = find(self.game).meta.resolve(len(self.bots), self.options)
        for bot in self.bots:
            load_bot(bot)
        plain = {
            "games": whole_number(self.games, "The number of games", 1, MAX_GAMES, key="games"),
            "options": resolved,
            "seed": check_seed(self.seed),
            "codes": self.codes or self.visits,
            "rotate": len(set(self.bots)) > 1 if self.rotate is None else self.rotate,
        }
        self.__dict__.update(plain)
        whole_number(self.seed + self.seeds - 1, "The seed of the last game", 0, SEEDS - 1, key="seed")

    @property
    def players(self) -> int:
        return len(self.bots)

    @property
    def rotations(self) -> int:
        """How many games are played of each seed."""
        return self.players if self.rotate else 1

    @property
    def seeds(self) -> int:
        return -(-self.games // self.rotations)

    @property
    def total(self) -> int:
        """How many games are played: complete rotations."""
        return self.seeds * self.rotations

    @property
    def head(self) -> Head:
        return make_head(self.game, self.players, self.options, self.bots, self.seed)

    @property
    def quick(self) -> QuickGames | None:
        """The games as compiled code plays them; None if a bot is not quick, or a search is to be kept."""
        book = find(self.game)
        policies = None if self.visits else policies_of(book, self.bots)
        if policies is None:
            return None
        options = np.array(book.meta.encode(self.players, self.options), np.int64)
        return QuickGames(book, options, policies, self.seed, self.rotations)

    def numbers(self, first: int, count: int) -> tuple[Any, Any]:
        """Seeds and rotations of so many games from number `first` on."""
        games = np.arange(first, first + count)
        return self.seed + games // self.rotations, (games % self.rotations).astype(np.int8)

    def seats(self, rotations: Any) -> Any:
        """The numbers of the bots by seat, in the head of the results, for each rotation."""
        named = np.array([self.head.bots.index(bot) for bot in self.bots], np.int16)
        return named[(np.arange(self.players) + np.asarray(rotations)[:, None]) % self.players]


def simulate(
    plan: Simulation,
    output: Path | None = None,
    *,
    device: str = "auto",
    cores: int | None = None,
    ray: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Totals:
    """Play all games and add them up; with `output`, write them to a results file, too.

    Until the file is complete, finished games are in a journal beside it: the same call resumes there.
    """
    play = player(plan, device, cores, ray)
    totals = Totals(plan)
    if output is None:
        done = 0
        progress(done, plan.total)
        with closing(play([(0, plan.total)])) as pieces:
            for _, piece in pieces:
                totals.add(piece)
                done += len(piece)
                progress(done, plan.total)
        return totals
    check_output(output)
    with Journal(output, plan) as journal:
        progress(journal.done, plan.total)
        with closing(play(journal.missing())) as pieces:
            for first, piece in pieces:
                journal.add(first, piece)
                progress(journal.done, plan.total)
        _write(output, plan, journal, totals)
    journal.remove()
    return totals


def check_output(output: Path) -> None:
    """Can the results be written there?"""
    check_suffix(output)
    if output.exists():
        raise BadOption("exists", f"{str(output)!r} already exists; choose another name.")


def _write(output: Path, plan: Simulation, journal: Journal, totals: Totals) -> None:
    """Write the games of the journal in order, and add them up."""
    waiting: list[Results] = []
    with writer(output, plan.head) as file:
        for piece in journal.pieces():
            totals.add(piece)
            waiting.append(piece)
            if sum(map(len, waiting)) >= PIECE:
                file.add(together(waiting))
                waiting = []
        if waiting:
            file.add(together(waiting))


# ------------------------------------------------------------------ who plays, and where

Ranges = list[tuple[int, int]]  # the first number and how many games
Pieces = Iterator[tuple[int, Results]]  # in any order


def player(plan: Simulation, device: str, cores: int | None, ray: str | None) -> Callable[[Ranges], Any]:
    """How the games of such ranges are played with these means."""
    if device not in DEVICES:
        raise BadOption("device", f"--device is auto, cpu or cuda, not {device!r:.40}.")
    workers = os.cpu_count() or 1
    if cores is not None:
        workers = whole_number(cores, "The number of cores", 1, MAX_CORES, "cores")
    quick = plan.quick
    if device == "cuda":
        quick_games_gpu.check()
        if quick is None:
            raise BadOption("device", "On a GPU only bots that do not search can play, and no custom ones.")
        if ray is not None:
            raise BadOption("device", "Choose a GPU or a cluster, not both.")
    on_gpu = quick is not None and ray is None and device != "cpu" and quick_games_gpu.available()
    if on_gpu:
        return lambda ranges: (_on_gpu(plan, *task) for task in _tasks(plan, ranges, AT_ONCE_ON_GPU))
    work = partial(_quickly if quick is not None else _slowly, plan)
    if ray is not None:
        cluster.check(ray)
        return lambda ranges: cluster.results(work, _tasks(plan, ranges, AT_ONCE), ray)
    if quick is not None:
        return lambda ranges: in_threads(work, _tasks(plan, ranges, AT_ONCE), workers)
    if workers == 1:
        return lambda ranges: (work(*task) for task in _tasks(plan, ranges, AT_ONCE))
    return lambda ranges: results(work, _tasks(plan, ranges, AT_ONCE), workers)


def _tasks(plan: Simulation, ranges: Ranges, at_once: dict[str, int]) -> Ranges:
    """The ranges in pieces that take about as long as they should; never a part of a seed's rotations."""
    quick, size = plan.quick, 1
    if quick is not None:
        kinds = set(quick.policies["kind"].tolist())
        ahead = "network" if BY_NETWORK in kinds else "one ahead"
        size = at_once["random" if kinds == {AT_RANDOM} else ahead]
    size = max(1, size // plan.rotations) * plan.rotations
    return [
        (start, min(size, first + count - start))
        for first, count in ranges
        for start in range(first, first + count, size)
    ]


def _quickly(plan: Simulation, first: int, count: int) -> tuple[int, Results]:
    """Compiled games on the processor."""
    quick = plan.quick
    assert quick is not None
    return first, _results(plan, first, *quick.play(first, count, _room(plan)))


def _on_gpu(plan: Simulation, first: int, count: int) -> tuple[int, Results]:
    quick = plan.quick
    assert quick is not None
    return first, _results(plan, first, *quick_games_gpu.play(quick, first, count, _room(plan)))


def _room(plan: Simulation) -> int:
    """For the actions of a game."""
    return find(plan.game).rules.MAX_ACTIONS if plan.codes else 0


def _results(plan: Simulation, first: int, outcomes: Any, codes: Any) -> Results:
    seeds, rotations = plan.numbers(first, len(outcomes))
    lengths = outcomes["actions"]
    kept = codes[np.arange(codes.shape[1]) < lengths[:, None]] if plan.codes else None
    return Results(
        plan.head,
        seeds,
        rotations,
        plan.seats(rotations),
        np.ascontiguousarray(outcomes["scores"][:, : plan.players]),
        (outcomes["winners"][:, None] >> np.arange(plan.players) & 1).astype(np.bool_),
        np.ascontiguousarray(lengths),
        np.ascontiguousarray(outcomes["choices"]),
        None if kept is None else Lists.of(kept, lengths),
    )


# ------------------------------------------------------------------ games of any bots


def _slowly(plan: Simulation, first: int, count: int) -> tuple[int, Results]:
    """Games with all that belongs to a `Game`, as any bot needs it."""
    return first, together([_played(plan, number) for number in range(first, first + count)])


def _played(plan: Simulation, number: int) -> Results:
    """One game; a search by seconds uses one core and counts CPU time, since games share the cores."""
    seeds, rotations = plan.numbers(number, 1)
    seats = [plan.bots[(seat + int(rotations[0])) % plan.players] for seat in range(plan.players)]
    bots = [load_bot(name, threads=1, own_time=True) for name in seats]
    seed = int(seeds[0])
    game = set_up(plan.game, plan.players, seed, [short_name(name) for name in seats], plan.options)
    visits: list[list[int]] = []
    values: list[float] = []
    choices = 0
    while game.seat is not None:
        legal = [action.code for action in game.legal()]
        choices += len(legal)
        own = int(decision_seed(seed, game.played))
        found = searched(bots[game.seat], game, own) if plan.visits else None
        visits.append([] if found is None else _visits(found, legal))
        values.append(np.nan if found is None else _value(found))
        game.play(ask(bots[game.seat], game, own) if found is None else found.best.action.code)
    return _result_of(plan, game, choices, seeds, rotations, visits, values)


def _visits(found: Analysis, legal: list[int]) -> list[int]:
    by_code = {choice.action.code: choice.visits for choice in found.choices}
    return [by_code[code] for code in legal]


def _value(found: Analysis) -> float:
    return np.nan if found.best.chances is None else found.best.chances[found.seat]


def _result_of(
    plan: Simulation, game: Game, choices: int, seeds: Any, rotations: Any, visits: Any, values: Any
) -> Results:
    codes = np.array([action.code for action in game.actions], np.int16)
    counts = np.array([len(each) for each in visits])
    flat = np.array([count for each in visits for count in each], np.int32)
    return Results(
        plan.head,
        seeds,
        rotations,
        plan.seats(rotations),
        np.array([game.scores], np.int16),
        np.array([[seat in game.winners for seat in range(plan.players)]]),
        np.array([len(codes)], np.int32),
        np.array([choices], np.int64),
        Lists.of(codes, np.array([len(codes)])) if plan.codes else None,
        Lists.of(flat, counts) if plan.visits else None,
        np.array(values, np.float32) if plan.visits else None,
    )
