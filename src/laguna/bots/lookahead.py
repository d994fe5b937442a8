"""Search: takes a budget of seconds or iterations, returns ranked actions."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, SupportsIndex, TypedDict, Unpack

import numpy as np

from laguna.bots import tree
from laguna.bots.network import accumulator_type, find_network, no_network
from laguna.errors import BadOption, either, whole_number
from laguna.game import Action, Game
from laguna.games import find
from laguna.kernel import MAX_SEATS, calls
from laguna.kernel.chance import SEEDS, WORDS, seed_stream
from laguna.kernel.records import blanks

MEMORY = 64_000_000  # bytes for all trees of one search together, their scratch memory included
HANDS = 0.125  # the share of it for statistics of single hands
MIN_HANDS = 16
MIN_ITERATIONS = 64  # of each tree, whatever the clock says: fewer are meaningless
MAX_THREADS = 64  # so that every tree has room
CHUNK = 0.004  # seconds between checks of the clock
REPORT_EVERY = 0.2  # seconds
MAX_SECONDS = 3600.0
MAX_PLAYOUT = 1_000_000
MAX_ITERATIONS = 100_000_000
MAX_LOOKS = 1 << 60  # no limit
FORECAST = 2  # forecast actions per iteration: 5 to 10 % of the time
SURELY = 1.3  # a search may speed up this much later on; stop only if the result is decided even then
FORESEEN = 256  # iterations after which the total can be estimated
FORECASTS = 1 << 21  # the stream number of greedy players in forecasts, far from those of any game's decks
MEANS = ("scores", "wins")
SHORTEST_LINE = 20  # visits below which a continuation is only a guess


@dataclass(frozen=True)
class Choice:
    """An action as the search sees it: how often it was tried, and what each seat may expect from it.

    `chances` are each seat's chances of winning, which add up to 1; a certain result is 1 or 0. `expected` is
    what the search maximizes, a mix of wins and leads. For an action that was never tried both are None: the
    search has no opinion on it. `scores` and `wins` are forecasts, averages over `forecasts` games that
    greedy players finished; only actions that led the search for a while have them.
    """

    action: Action
    visits: int
    chances: tuple[float, ...] | None
    expected: tuple[float, ...] | None  # for each seat, from 0 (lost) to 1 (won)
    scores: tuple[float, ...] | None
    wins: tuple[float, ...] | None
    forecasts: int


@dataclass(frozen=True)
class Analysis:
    """What a search found, best action first; actions that were never tried come last."""

    seat: int
    choices: tuple[Choice, ...]
    line: tuple[Action, ...]  # how the game would continue
    iterations: int
    seconds: float

    @property
    def best(self) -> Choice:
        """The first of the choices."""
        return self.choices[0]


EVALUATIONS = ("network", "evaluate", "glance")  # who judges; not every game has the first and the last
LEAST = {"playout": 0, "care": 1, "hand_visits": 1, "open_at": 1, "look_until": 0}  # of whole numbers
WIN_SHARE = 0.95  # of a result; the rest is the lead, for which no win may be given up


@dataclass(frozen=True)
class Constants:
    """The constants of a search; None means the game's own value."""

    explore: float = 0.5  # how widely it explores
    sharpness: float = 4.0  # how strongly the evaluation guides the first visits
    playout: int | None = None  # actions played below the tree
    care: int | None = None  # random candidates for each of them
    halving: bool | None = None  # at the root, instead of PUCT
    evaluation: str | None = None  # the network, or `evaluate` in a game that has none
    network: str = "champion"  # its name
    own_view: bool | None = None  # a seat's chance is what it sees, not made to add up with others' chances
    win_share: float = WIN_SHARE  # of a result, from 0 to 1; the rest is the lead
    hand_visits: int = 8  # with a hand of another seat, before its own statistics decide what that seat does
    open_at: int = 3  # visits of a node before its actions are evaluated
    look_until: int = 1024  # visits of a node during which its actions are evaluated in further worlds

    def __post_init__(self) -> None:
        for name, most in (("explore", 100.0), ("sharpness", 100.0), ("win_share", 1.0)):
            if not _is_number(value := getattr(self, name)) or not 0 <= value <= most:
                raise BadOption(name, f"{name} must be a number from 0 to {most:.0f}, not {value!r:.40}.")
        for name, least in LEAST.items():
            if getattr(self, name) is not None:
                whole_number(getattr(self, name), name, least, MAX_PLAYOUT, name)
        for name in ("halving", "own_view"):
            if (value := getattr(self, name)) not in (None, True, False):
                raise BadOption(name, f"{name} must be True or False, not {value!r:.40}.")
        if self.evaluation not in (None, *EVALUATIONS):
            text = either(EVALUATIONS)
            raise BadOption("evaluation", f"The evaluation must be {text}, not {self.evaluation!r:.40}.")


class ConstantsAsKeywords(TypedDict, total=False):
    """The same, as separate values."""

    explore: float
    sharpness: float
    playout: int | None
    care: int | None
    halving: bool | None
    evaluation: str | None
    network: str
    own_view: bool | None
    win_share: float
    hand_visits: int
    look_until: int
    open_at: int


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _judge(game: str, constants: Constants) -> str:
    """Who judges positions: as asked, by default the network if the game has one."""
    has_network = find_network(game, constants.network) is not None
    judge = constants.evaluation or ("network" if has_network else "evaluate")
    if judge == "network" and not has_network:
        raise BadOption("evaluation", "This game has no network, only the evaluation `evaluate`.")
    if judge == "glance" and not hasattr(find(game).evaluation, "glance"):
        raise BadOption("evaluation", "This game has no evaluation `glance`, only `evaluate`.")
    return judge


class _Tree:
    """One tree and its scratch memory, at most `memory` bytes in total, used by one thread."""

    def __init__(self, game: Game, seed: int, memory: int, constants: Constants, forecast: bool) -> None:
        rules = game.rules
        assert game.seat is not None
        self.root = game.state
        self.task = blanks(tree.TASK, 1)[0]
        self.task.seed, self.task.seat, self.task.seats = seed, game.seat, game.players
        self.task.forecast = FORECAST if forecast else 0
        self._set(game.meta.id, constants)
        self.used = np.array([tree.FREE], np.int64)
        self.tallies = blanks(tree.TALLY, rules.CODES)
        self.scratch = (
            blanks(rules.STATE, 1),
            blanks(rules.STATE, 1),
            blanks(rules.STATE, 1),
            np.zeros(rules.MAX_LEGAL, np.int16),
            np.zeros(rules.CODES, np.int32),
            np.zeros(rules.CODES, np.int32),
            np.zeros(tree.MAX_MET, np.int32),
            np.zeros(MAX_SEATS),
            np.zeros(MAX_SEATS),
            np.zeros(MAX_SEATS),
        )
        self.accumulators = blanks(accumulator_type(find(game.meta.id).inputs), 2)
        self.stream = np.zeros(WORDS, np.uint32)
        others = (self.task, self.used, self.tallies, *self.scratch, self.accumulators, self.stream)
        left = memory - sum(each.nbytes for each in others)
        self.hands = blanks(tree.HAND, max(int(HANDS * left) // tree.HAND.itemsize, MIN_HANDS))
        self.nodes = blanks(tree.NODE, (left - self.hands.nbytes) // tree.NODE.itemsize)

    def _set(self, game: str, constants: Constants) -> None:
        task, evaluation = self.task, find(game).evaluation
        judge = _judge(game, constants)
        by_network = judge == "network"
        self.net = find_network(game, constants.network) if by_network else no_network(game)
        task.judge = EVALUATIONS.index(judge)
        task.scale, task.certainty = evaluation.SCALE, evaluation.CERTAINTY
        task.unit = 1.0 if by_network else task.scale
        task.win_share = constants.win_share
        task.explore, task.sharpness = constants.explore, constants.sharpness
        playout = 0 if by_network else evaluation.PLAYOUT
        task.playout = playout if constants.playout is None else constants.playout
        task.care = evaluation.CARE if constants.care is None else constants.care
        task.hand_visits, task.look_until = constants.hand_visits, constants.look_until
        task.open_at = constants.open_at
        inputs = find(game).inputs
        own_view = inputs is not None and inputs.OWN_VIEW
        task.own_view = own_view if constants.own_view is None else constants.own_view
        self.halving = evaluation.HALVING if constants.halving is None else constants.halving

    def run(self, count: int, total: int, max_looks: int = MAX_LOOKS) -> None:
        """Run iterations, not many more once so many positions were looked at.

        `total` is the estimated number of iterations at the end of the search.
        """
        self.task.count, self.task.max_looks = count, max_looks
        self.task.total = total if self.halving else 0
        tree.iterate(
            self.task,
            self.root,
            self.nodes,
            self.hands,
            self.used,
            *self.scratch,
            self.net,
            self.accumulators,
            self.tallies,
            self.stream,
        )

    def run_all(self, iterations: int, stop: threading.Event, between: Callable[[], None]) -> None:
        """Run in chunks of a tenth of a second, so that Ctrl-C and `stop` can take effect between them."""
        count = 256
        while (left := iterations - int(self.task.done)) > 0 and not self._stopped(stop):
            start = time.perf_counter()
            self.run(min(count, left), iterations)
            took = max(time.perf_counter() - start, 1e-6)
            count = max(1, int(count * min(0.1 / took, 4.0)))
            between()

    def _stopped(self, stop: threading.Event) -> bool:
        """Should it end? Not before the first few iterations, without which there is no answer."""
        return stop.is_set() and self.task.done > 0

    def run_until(
        self,
        deadline: float,
        clock: Callable[[], float],
        hurry: bool,
        stop: threading.Event,
        between: Callable[[], None] = lambda: None,
    ) -> None:
        """Check the clock every few milliseconds; the first chunk is small, because it may be slow.

        An iteration that opens a node can take ten times as long as one that does not, and at first hardly
        any does: so a chunk is limited by the positions it looks at, too.
        """
        count, max_looks = 8, MAX_LOOKS
        total = MAX_ITERATIONS  # not known yet
        while ((start := clock()) < deadline or self.task.done < MIN_ITERATIONS) and not self._stopped(stop):
            before = int(self.task.done)
            self.run(count, total, max_looks)
            took = max(clock() - start, 1e-6)
            left = max(deadline - start - took, 0.0)
            made = int(self.task.done) - before
            if hurry and tree.decided(self.task, self.nodes, SURELY * made * left / took):
                return
            if self.task.done >= FORESEEN:
                total = int(self.task.done) + int(made * left / took)
            least = MIN_ITERATIONS - int(self.task.done)
            part = min(CHUNK, left) / took
            count = max(1, least, min(int(made * min(part, 4.0)), 1 << 20))
            max_looks = max(1, int(self.task.looked * part))
            between()

    def children(self, place: int) -> list[Any]:
        return self.listed(int(self.nodes[place].first))

    def listed(self, child: int) -> list[Any]:
        """This node and the siblings after it."""
        found = []
        while child != tree.NONE:
            found.append((child, self.nodes[child]))
            child = int(self.nodes[child].following)
        return found


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="laguna-search")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork


def analyse(
    game: Game,
    *,
    seconds: float | None = None,
    iterations: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    forecast: bool = True,
    own_time: bool = False,
    hurry: bool = False,
    stop: threading.Event | None = None,
    report: Callable[[Analysis], None] | None = None,
    **constants: Unpack[ConstantsAsKeywords],
) -> Analysis:
    """Search for the seat to move, knowing only what it may know.

    With `seconds`, all cores (or as many `threads` as given) search, one tree each; with `own_time`, the
    seconds are CPU time of each thread, so that on a busy machine a search is slower but not weaker. With
    `iterations`, one tree is searched, and the same seed gives the same answer on every machine. Without
    `forecast`, no games are played to the end to predict scores and wins. In a `hurry`, a thread stops early
    once no other action can be expected to take the lead in the time that is left. Every tree is searched for
    at least 64 iterations, whatever the clock says. The fields of `Constants` tune the search, for example
    `explore=0.8` or `playout=0`.

    Once another thread sets `stop`, the search ends within milliseconds with what it has found. A few times a
    second, `report` is told what the first thread has found so far (and how many iterations all have made).
    """
    if game.seat is None:
        raise BadOption("over", "The game is over; there is nothing to search for.")
    chosen = Constants(**constants)
    first_seed = whole_number(seed, "A seed", 0, SEEDS - 1, "seed")
    budget, count = _budget(seconds, iterations)
    cores = min(os.cpu_count() or 1, MAX_THREADS)
    wanted = whole_number(
        cores if threads is None else threads, "The number of threads", 1, MAX_THREADS, "threads"
    )
    if count is not None:
        wanted = 1
    start = time.perf_counter()
    known = game.imagine(game.seat, first_seed)
    codes = [action.code for action in known.legal()]
    trees = [_Tree(known, first_seed + i, MEMORY // wanted, chosen, forecast) for i in range(wanted)]
    asked = threading.Event() if stop is None else stop
    reporting = _reporting(report, known, codes, trees, start)

    def search(tree: _Tree, clock: Callable[[], float], began: float) -> None:
        tree.run_until(began + budget, clock, hurry, asked, reporting if tree is trees[0] else lambda: None)

    if count is not None:
        trees[0].run_all(count, asked, reporting)
    elif own_time:
        _run_together(trees, lambda each: search(each, time.thread_time, time.thread_time()), asked)
    else:
        _run_together(trees, lambda each: search(each, time.perf_counter, start), asked)
    return _summary(known, codes, trees, time.perf_counter() - start)


@dataclass(frozen=True)
class Forecast:
    """How the game ends on average: each seat's final score and share of the wins (a shared one is split)."""

    scores: tuple[float, ...]
    wins: tuple[float, ...]
    games: int


def forecast(game: Game, action: SupportsIndex, *, games: int, seed: SupportsIndex = 0) -> Forecast:
    """What to expect after an action (its code) of the seat to move if everyone then plays greedily.

    The games are played in worlds that the seat cannot tell apart.
    """
    if game.seat is None:
        raise BadOption("over", "The game is over; there is nothing to forecast.")
    count = whole_number(games, "The number of games", 1, MAX_ITERATIONS, "budget")
    first_seed = whole_number(seed, "A seed", 0, SEEDS - MAX_ITERATIONS, "seed")
    rules, code = game.rules, game.check(action).code
    task, tally = blanks(tree.TASK, 1)[0], blanks(tree.TALLY, 1)[0]
    task.seats = game.players
    world, trial = blanks(rules.STATE, 1), blanks(rules.STATE, 1)
    out, points, stream = np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(MAX_SEATS), np.zeros(WORDS, np.uint32)
    for number in range(first_seed, first_seed + count):
        world[0] = game.state
        seed_stream(stream, number, FORECASTS)
        rules.redeal(world[0], game.seat, number)
        calls.act(world, code)
        tree.forecast(task, world[0], trial, out, points, tally, stream)
    scores, wins = (tuple(float(each) / count for each in tally[name][: game.players]) for name in MEANS)
    return Forecast(scores, wins, count)


def _run_together(trees: list[_Tree], search: Callable[[_Tree], None], stop: threading.Event) -> None:
    """Search each tree in a thread, a single tree in this one; after Ctrl-C no thread keeps running."""
    if len(trees) == 1:
        search(trees[0])
        return
    running = [_pool().submit(search, each) for each in trees]
    try:
        for each in running:
            each.result()
    except BaseException:
        stop.set()
        raise


def _reporting(
    report: Callable[[Analysis], None] | None, game: Game, codes: list[int], trees: list[_Tree], start: float
) -> Callable[[], None]:
    """What the first tree's thread calls between two chunks: now and then it reports."""
    if report is None:
        return lambda: None
    told = start

    def between() -> None:
        nonlocal told
        now = time.perf_counter()
        if now - told >= REPORT_EVERY:
            told = now
            done = sum(int(each.task.done) for each in trees)
            report(replace(_summary(game, codes, trees[:1], now - start), iterations=done))

    return between


def _budget(seconds: float | None, iterations: SupportsIndex | None) -> tuple[float, int | None]:
    """Seconds and iterations, of which exactly one is given: (seconds, None) or (0, iterations)."""
    if (seconds is None) == (iterations is None):
        raise BadOption("budget", "A search needs either seconds or iterations.")
    if iterations is not None:
        return 0.0, whole_number(iterations, "The number of iterations", 1, MAX_ITERATIONS, "budget")
    if not _is_number(seconds) or not 0 < (given := float(seconds or 0)) <= MAX_SECONDS:
        raise BadOption("budget", f"The seconds to search must be more than 0 and at most {MAX_SECONDS:.0f}.")
    return given, None


def _summary(game: Game, codes: list[int], trees: list[_Tree], seconds: float) -> Analysis:
    visits = dict.fromkeys(codes, 0)
    for each in trees:
        for _, node in each.children(tree.ROOT):
            visits[int(node.action)] += int(node.visits)
    choices = _choices(game, visits, trees)
    assert game.seat is not None
    seat = game.seat

    def order(choice: Choice) -> tuple[float, ...]:
        expected = choice.expected[seat] if choice.expected else 0.0
        return -choice.visits, -expected, choice.action.code

    choices.sort(key=order)
    done = sum(int(each.task.done) for each in trees)
    return Analysis(seat, tuple(choices), _line(game, trees[0], choices[0].action), done, seconds)


def _choices(game: Game, visits: dict[int, int], trees: list[_Tree]) -> list[Choice]:
    """The combined statistics of all trees for each action."""
    tallies = {
        name: np.sum([each.tallies[name] for each in trees], axis=0) for name in tree.TALLY.names or ()
    }

    def mean(name: str, code: int, count: int) -> tuple[float, ...] | None:
        sums = tallies[name][code, : game.players]
        return tuple(float(each) / count for each in sums) if count else None

    found = []
    for code, count in visits.items():
        forecasts = int(tallies["forecasts"][code])
        found.append(
            Choice(
                game.action(code),
                count,
                mean("chances", code, count),
                mean("results", code, count),
                mean("scores", code, forecasts),
                mean("wins", code, forecasts),
                forecasts,
            )
        )
    return found


def _line(game: Game, searched: _Tree, best: Action) -> tuple[Action, ...]:
    """The best action and its most visited continuation, as far as it was visited often enough."""
    game = game.copy()
    line: list[Action] = []
    place = tree.ROOT
    legal = {best.code: best}
    while not game.over:
        children = searched.children(place)
        known = [(int(node.visits), child) for child, node in children if int(node.action) in legal]
        visits, child = max(known, default=(0, 0))
        if visits < SHORTEST_LINE:
            break
        line.append(legal[int(searched.nodes[child].action)])
        game.play(line[-1])
        place = child
        legal = {action.code: action for action in game.legal()}
    return tuple(line)
