"""Looking for puzzles in one game between bots: where does one action stand out that a quick look misses?

Everything is searched by iterations and seeds, so that the same game always yields the same puzzles.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from laguna.bots import LEVELS, Analysis, Bot, analyse, ask, find_bot, instinct
from laguna.game import Action, Game, from_position, from_position_live, set_up
from laguna.games import find
from laguna.lessons import lessons_of
from laguna.practice import SECRET
from laguna.puzzles import FINE, Puzzle, Step, Try

QUICK = 100  # iterations of a first look
SHALLOW = 400  # of the bots that play
AFTER = 400  # of a look at an action that the deep search hardly tried
GLANCE = 8  # the first search has this part of the depth
SEEDS = (1, 2, 3)  # of the deep searches that must agree
CONFIRM = 4  # times the depth, for the search that decides in the end
NEARLY = 0.7  # the part of the gap that the first glance and the other deep searches must find
# The chance of the best action: nothing that is lost or won whatever one does.
MIN_CHANCE, MAX_CHANCE = 0.1, 0.995
CLOSELY = 30  # visits below which the search did not look at an action closely
APART = 8  # actions between two puzzles of a game
MAX_STEPS = 3  # of a solution
MAX_TRIES = 4  # wrong ones that are answered
MAX_REPLIES = 8  # to each of them
NOISE = 0.2  # how often the bots that play follow a misjudged feeling instead of their search
UNEVEN = 0.2  # how much they misjudge in the opening, so that no two games are alike
LEVEL_TRIES = 8
KRAKEN = 6000  # iterations: fewer than it has time for, or hardly anything would be hard for it
KRAKEN_TRIES = 3

#: About what the ladder in docs/bots.md says.
RATINGS = {"turtle": 600, "heron": 900, "seal": 1150, "dolphin": 1400, "kraken": 1700}
MIDDLE = 1200  # where a puzzle would be that nobody has tried: once solved and once failed by such a player


class Found(Struct, frozen=True):
    """A puzzle, and what it is like, to choose a varied set."""

    puzzle: Puzzle
    phase: int  # of the game: 0 for its first third, 2 for the last
    kind: str  # of the first action
    gap: float  # between the best and the second chance


@dataclass(frozen=True)
class _Seen:
    """A decision that is worth a deep search: the game then, and what a quick look suggests."""

    number: int  # actions played before
    game: Game
    natural: list[str]


@dataclass(frozen=True)
class Demand:
    """What makes an action clearly the best."""

    depth: int  # iterations of each of the searches that must agree
    gap: float  # by which its chance must exceed the second


def mine(game: str, number: int, seed: int, opening: int, demand: Demand) -> list[Found]:
    """Play the game with that number, and return the puzzles that were found in it."""
    found: list[Found] = []
    looked_at, total = _play(game, number, seed, opening)
    last = -APART
    for seen in looked_at:
        if seen.number - last < APART:
            continue
        name = _id(f"{game} {seed} {number} {seen.number}")
        if (puzzle := _puzzle(seen, name, demand)) is not None:
            last = seen.number
            best, second = sorted(puzzle.steps[0].chances.values())[:-3:-1]
            phase = 3 * seen.number // total
            found.append(Found(puzzle, phase, _kind(game, puzzle), (best - second) / FINE))
    return found


def _id(text: str) -> str:
    """Made from where it was found, never from the position: it must not tell what is hidden there."""
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode()[:6].lower()


def _kind(game: str, puzzle: Puzzle) -> str:
    action = from_position(game, puzzle.position).action(puzzle.steps[0].action)
    return str(action.value["do"])


# ------------------------------------------------------------------ games to look at


def _play(name: str, number: int, seed: int, opening: int) -> tuple[list[_Seen], int]:
    """Play a game; the decisions on which quick looks disagree, and how many actions it had.

    So many actions of each player make the opening, which is played by feel and not looked at.
    """
    chance = Random(f"{seed} {number}")
    counts = find(name).meta.players
    short = number // len(counts) % 2 == 1  # every second game is one as beginners play it
    options = lessons_of(name).options if short else {}
    game = set_up(name, counts[number % len(counts)], chance.randrange(1 << 31), None, options)
    found: list[_Seen] = []
    while game.seat is not None:
        legal = game.legal()
        choice = legal[0]
        if len(legal) > 1 and game.played < opening * game.players:
            draw = chance.randrange(1 << 31)
            choice = instinct(game.imagine(game.seat, draw), draw, misjudge=UNEVEN)
        elif len(legal) > 1:
            draw = chance.randrange(1 << 31)
            known = game.imagine(game.seat, draw)
            feeling = instinct(known, draw)
            shallow = analyse(known, iterations=SHALLOW, seed=draw, forecast=False).best.action
            quick = analyse(known, iterations=QUICK, seed=draw, forecast=False).best.action
            suggested = [str(each) for each in (feeling, quick, shallow)]
            if len(set(suggested)) > 1:
                found.append(_Seen(game.played, known, suggested))
            noisy = chance.random() < NOISE
            choice = instinct(known, draw, misjudge=1.0) if noisy else shallow
        game.play(choice.code)
    return found, game.played


# ------------------------------------------------------------------ one clearly best action


def _puzzle(seen: _Seen, name: str, demand: Demand) -> Puzzle | None:
    """The puzzle in this position; None if no action is clearly best, or if it is obvious."""
    seat = seen.game.seat
    assert seat is not None
    start = dealt(seen.game.meta.id, seen.game.position())
    judged = _judge(start, demand)
    if judged is None or all(each == judged.action for each in seen.natural[:2]):
        return None
    first = _step(start, judged, seen.natural, demand)
    if first is None:
        return None
    steps = [first, *_further(start, first, demand)]
    return _rated(Puzzle(name, seat, start.position(), steps, 0, {}), start)


def dealt(game: str, position: dict[str, Any]) -> Game:
    """The game as whoever tries the puzzle will have it, with what is dealt later on."""
    return from_position_live(game, position, SECRET)


@dataclass(frozen=True)
class _Judged:
    """What the deep searches agree on."""

    action: str
    looked: Analysis  # the deepest


def _judge(game: Game, demand: Demand) -> _Judged | None:
    """The action that several deep searches find best, with a clear gap; None if there is no such action."""
    depth, gap, action = demand.depth, demand.gap, None
    glance = analyse(game, iterations=max(depth // GLANCE, 1), seed=0, forecast=False)
    if not _clear(glance, NEARLY * gap, None):
        return None
    for seed in SEEDS:
        looked = analyse(game, iterations=depth, seed=seed, forecast=False)
        if not _clear(looked, gap if action is None else NEARLY * gap, action):
            return None
        action = str(looked.best.action)
    looked = analyse(game, iterations=CONFIRM * depth, seed=len(SEEDS) + 1, forecast=False)
    return _Judged(str(looked.best.action), looked) if _clear(looked, gap, action) else None


def _clear(looked: Analysis, gap: float, action: str | None) -> bool:
    """Is the best action (this one, if one is named) better than all others by so much?"""
    best, seat = looked.best, looked.seat
    assert best.chances is not None
    chance = best.chances[seat]
    if action not in (None, str(best.action)) or not MIN_CHANCE <= chance <= MAX_CHANCE:
        return False
    closely = min(CLOSELY, looked.iterations // 250)
    others = [each.chances[seat] for each in looked.choices[1:] if each.chances and each.visits >= closely]
    return all(chance - other >= gap for other in others)


def _step(game: Game, judged: _Judged, natural: list[str], demand: Demand) -> Step | None:
    """The decision with everything that is told about it; None if a closer look finds a rival."""
    seat = judged.looked.seat
    best = judged.looked.best.chances
    assert best is not None
    chances = {}
    for choice in judged.looked.choices:
        close = choice.chances is not None and choice.visits >= CLOSELY
        chance = choice.chances[seat] if close and choice.chances else _after(game, choice.action, seat)
        if str(choice.action) != judged.action and best[seat] - chance < NEARLY * demand.gap:
            return None
        chances[str(choice.action)] = round(FINE * chance)
    second = max((each for each in chances if each != judged.action), key=chances.__getitem__)
    wrong = Counter(each for each in [*natural, *_by_levels(game), second] if each != judged.action)
    tries = [_try(game, action, seat) for action, _ in wrong.most_common(MAX_TRIES)]
    return Step(judged.action, chances, tries)


def _after(game: Game, action: Action, seat: int) -> float:
    """The seat's chance after an action that the search hardly tried."""
    after = game.imagine(seat, 1)
    after.play(action.code)
    if after.over:
        return (seat in after.winners) / len(after.winners)
    best = analyse(after, iterations=AFTER, seed=1, forecast=False).best
    assert best.chances is not None
    return best.chances[seat]


def _further(game: Game, first: Step, demand: Demand) -> Iterator[Step]:
    """The steps after the first, while the same seat decides and each is clear."""
    game, seat, step = game.copy(), game.seat, first
    for _ in range(MAX_STEPS - 1):
        game.play(step.action)
        if game.seat != seat or len(game.legal()) < 2:
            return
        assert seat is not None
        judged = _judge(game, demand)
        known = game.imagine(seat, 1)
        next_step = judged and _step(game, judged, [str(instinct(known, 1))], demand)
        if not next_step:
            return
        step = next_step
        yield step


# ------------------------------------------------------------------ wrong tries


def _try(game: Game, action: str, seat: int) -> Try:
    """What strong players do after a wrong action: the rest of the solver's turn, and the turns of others.

    Not before something has happened that the solver notices: where all choose in secret, this takes longer.
    """
    after = game.copy()
    after.play(action)
    replies: list[str] = []
    strong = find_bot(f"search:{AFTER}")
    answered = False
    while after.seat is not None and len(replies) < MAX_REPLIES and not (answered and after.seat == seat):
        reply = ask(strong, after, 1)
        replies.append(str(reply))
        entry = after.play(reply)
        answered = answered or (entry.seat != seat and bool(entry.events))
    return Try(action, replies)


# ------------------------------------------------------------------ ratings


def _solver(level: str) -> tuple[Bot, int]:
    """A level as a function, and how often it tries; the strongest by iterations, to be the same anywhere."""
    if level == LEVELS[-1].name:
        return find_bot(f"search:{KRAKEN}"), KRAKEN_TRIES
    return find_bot(level), LEVEL_TRIES


def _by_levels(game: Game) -> list[str]:
    """What the weaker levels would do, each a few times."""
    bots = [_solver(level.name)[0] for level in LEVELS[:-1]]
    return [str(ask(bot, game, seed)) for bot in bots for seed in range(LEVEL_TRIES // 2)]


def _share(game: Game, steps: list[Step], level: str) -> float:
    """How often this level finds every step."""
    bot, tries = _solver(level)
    solved = 0
    for seed in range(100, 100 + tries):
        now = game.copy()
        for step in steps:
            if str(ask(bot, now, seed)) != step.action:
                break
            now.play(step.action)
        else:
            solved += 1
    return round(solved / tries, 3)


def rated_again(game: str, puzzle: Puzzle) -> Puzzle:
    """The puzzle with the rating that today's levels give it."""
    return _rated(puzzle, dealt(game, puzzle.position))


def _rated(puzzle: Puzzle, start: Game) -> Puzzle:
    solved = {level: _share(start, puzzle.steps, level) for level in RATINGS}
    return replace(puzzle, rating=rate(solved), solved=solved)


def rate(solved: dict[str, float]) -> int:
    """The Elo rating that a puzzle must have for the levels to solve it as often as they do, each tried once.

    Beside them a player of middling strength solves it once and fails once, which keeps the rating finite.
    """
    players = [*RATINGS.values(), MIDDLE, MIDDLE]
    points = sum(solved.values()) + 1.0
    low, high = 0.0, 4000.0
    while high - low > 1:
        rating = (low + high) / 2
        expected = sum(1 / (1 + 10 ** ((rating - player) / 400)) for player in players)
        low, high = (rating, high) if expected > points else (low, rating)
    return round(low)
