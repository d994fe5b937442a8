"""Tournaments: bots against each other, every deal replayed with all rotations of the seats.

Each finished game is written to a journal at once; if the same tournament is started again in the same
folder, it resumes where it stopped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from laguna.bots import ask, load_bot
from laguna.engine import close_engines
from laguna.errors import BadFile, BadOption, whole_number
from laguna.files import SUFFIX
from laguna.game import check_seed, set_up, short_name
from laguna.games import find
from laguna.lab import cluster
from laguna.lab.quick_games import decision_seed
from laguna.lab.ratings import Points, decided, elo_intervals, share_interval
from laguna.lab.workers import MAX_CORES, results

JOURNAL = "results.jsonl"
MAX_GAMES = 1_000_000


@dataclass(frozen=True)
class Plan:
    """What to play: the bots by seat in the first rotation, and the minimum number of games."""

    game: str
    bots: tuple[str, ...]
    games: int
    options: dict[str, Any]
    seed: int = 0

    def __post_init__(self) -> None:
        _, resolved = find(self.game).meta.resolve(len(self.bots), self.options)
        for bot in self.bots:
            load_bot(bot)
        plain = {
            "games": whole_number(self.games, "The number of games", 1, MAX_GAMES, key="games"),
            "options": {name: resolved.get(name, value) for name, value in self.options.items()},
            "seed": check_seed(self.seed),
        }
        self.__dict__.update(plain)  # a journal is JSON, which cannot hold numpy's numbers

    @property
    def players(self) -> int:
        return len(self.bots)

    @property
    def deals(self) -> int:
        return -(-self.games // self.players)

    def seats(self, rotation: int) -> list[str]:
        return [self.bots[(seat + rotation) % self.players] for seat in range(self.players)]


@dataclass(frozen=True)
class Played:
    """One finished game."""

    deal: int
    rotation: int
    scores: list[int]
    winners: list[int]
    actions: int


def play(plan: Plan, deal: int, rotation: int, keep: bool) -> tuple[Played, str | None]:
    """Play one game; to `keep` it, its file is returned, too.

    A search by seconds uses one core and counts CPU time, since games share the cores.
    """
    seats = plan.seats(rotation)
    bots = [load_bot(name, threads=1, own_time=True) for name in seats]
    names = [short_name(name) for name in seats]
    game = set_up(plan.game, plan.players, plan.seed + deal, names, plan.options)
    while game.seat is not None:
        game.play(ask(bots[game.seat], game, int(decision_seed(deal, game.played))))
    played = Played(deal, rotation, game.scores, game.winners, game.played)
    return played, game.dumps() if keep else None


def _keep(folder: Path, plan: Plan, played: Played, text: str) -> None:
    path = folder / f"{plan.game}-{played.deal}-{played.rotation}{SUFFIX}"
    draft = path.with_suffix(".part")  # the process may be killed at any time
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def run(
    plan: Plan,
    folder: Path | None = None,
    *,
    keep: bool = False,
    stop_early: bool = False,
    cores: int | None = None,
    ray: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Played]:
    """Play the tournament on all cores, or on a `ray` cluster at that address.

    With a folder, it is journaled and can be resumed.
    """
    if cores is not None:
        cores = whole_number(cores, "The number of cores", 1, MAX_CORES)
    done = read_journal(plan, folder)
    total = plan.deals * plan.players
    missing = [
        (deal, rotation)
        for deal in range(plan.deals)
        for rotation in range(plan.players)
        if (deal, rotation) not in done
    ]
    progress(len(done), total)
    with closing(_play_all(plan, missing, keep and folder is not None, cores, ray)) as games:
        for played, text in games:
            if folder is not None and text is not None:
                _keep(folder, plan, played, text)
            done[played.deal, played.rotation] = played
            _write_journal(folder, played)
            progress(len(done), total)
            if stop_early and decided(deal_shares(plan, list(done.values()), plan.bots[0])):
                break
    return sorted(done.values(), key=lambda played: (played.deal, played.rotation))


def _play_all(
    plan: Plan, games: list[tuple[int, int]], keep: bool, cores: int | None, ray: str | None
) -> Generator[tuple[Played, str | None]]:
    """Play on a cluster, in child processes or, with a single core, in this one."""
    tasks = [(plan, deal, rotation, keep) for deal, rotation in games]
    if ray is not None:
        yield from cluster.results(play, tasks, ray)
    elif cores == 1:
        try:
            yield from (play(*task) for task in tasks)
        finally:
            close_engines()
    else:
        yield from results(play, tasks, cores or os.cpu_count() or 1)


def _journal_head(plan: Plan) -> str:
    return json.dumps({"plan": asdict(plan) | {"games": None}}, sort_keys=True)


def read_journal(plan: Plan, folder: Path | None) -> dict[tuple[int, int], Played]:
    """The games already played; if the last line was cut off, that game is played again."""
    if folder is None:
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / JOURNAL
    if not path.exists():
        path.write_text(_journal_head(plan) + "\n", encoding="utf-8")
        return {}
    head, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    if head != _journal_head(plan):
        raise BadFile("other-tournament", f"{str(folder)!r} holds another tournament; name another folder.")
    found = {}
    for line in lines:
        try:
            played = Played(**json.loads(line))
        except (ValueError, TypeError):
            continue
        found[played.deal, played.rotation] = played
    if lines and not path.read_text(encoding="utf-8").endswith("\n"):
        with path.open("a", encoding="utf-8") as journal:
            journal.write("\n")
    return found


def _write_journal(folder: Path | None, played: Played) -> None:
    if folder is not None:
        with (folder / JOURNAL).open("a", encoding="utf-8") as journal:
            journal.write(json.dumps(asdict(played)) + "\n")


# ------------------------------------------------------------------ what it shows


def whole_deals(plan: Plan, games: dict[tuple[int, int], Played]) -> list[list[Played]]:
    """The deals of which every rotation was played: only these compare bots fairly."""
    deals = sorted({deal for deal, _ in games})
    rotations = range(plan.players)
    return [
        [games[deal, rotation] for rotation in rotations]
        for deal in deals
        if all((deal, rotation) in games for rotation in rotations)
    ]


def _win(played: Played, seat: int) -> float:
    return (seat in played.winners) / len(played.winners)


def deal_shares(plan: Plan, games: list[Played], bot: str) -> list[float]:
    """The share of the wins that the bot's seats took in each complete deal, all seats weighted equally."""
    found = []
    for deal in whole_deals(plan, {(played.deal, played.rotation): played for played in games}):
        wins = [
            _win(played, seat)
            for played in deal
            for seat, name in enumerate(plan.seats(played.rotation))
            if name == bot
        ]
        found.append(sum(wins) / len(wins))
    return found


def _points(plan: Plan, deal: list[Played], names: list[str]) -> Points:
    """Each pair of different bots at a table: who came out ahead."""
    points = np.zeros((len(names), len(names)))
    for played in deal:
        seats = plan.seats(played.rotation)
        for a in range(plan.players):
            for b in range(plan.players):
                if seats[a] != seats[b]:
                    ours = (_win(played, a), played.scores[a])
                    theirs = (_win(played, b), played.scores[b])
                    point = 0.5 if ours == theirs else float(ours > theirs)
                    points[names.index(seats[a]), names.index(seats[b])] += point
    return points


def summary(plan: Plan, games: list[Played]) -> dict[str, Any]:
    """Win shares, scores by seat, crosstable and Elo, as JSON-safe data."""
    deals = whole_deals(plan, {(played.deal, played.rotation): played for played in games})
    if not deals:
        raise BadOption("no-deals", "No deal has been played in all rotations yet; play more games.")
    names = list(dict.fromkeys(plan.bots))
    points = [_points(plan, deal, names) for deal in deals]
    ratings = elo_intervals(points) if len(names) > 1 else [(0.0, 0.0, 0.0)]
    crosstable = np.sum(points, axis=0)
    return {
        "game": plan.game,
        "players": plan.players,
        "options": plan.options,
        "bots": list(plan.bots),
        "games": len(deals) * plan.players,
        "fair_share": 1 / plan.players,
        "results": [
            {
                "bot": name,
                "win_share": share_interval(deal_shares(plan, games, name)),
                "elo": ratings[number],
                "mean_score_by_seat": _mean_scores(plan, deals, name),
                "points_against": dict(zip(names, crosstable[number].tolist(), strict=True)),
            }
            for number, name in enumerate(names)
        ],
    }


def _mean_scores(plan: Plan, deals: list[list[Played]], bot: str) -> list[float | None]:
    means: list[float | None] = []
    for seat in range(plan.players):
        games = [game for deal in deals for game in deal if plan.seats(game.rotation)[seat] == bot]
        scores = [game.scores[seat] for game in games]
        means.append(sum(scores) / len(scores) if scores else None)
    return means
