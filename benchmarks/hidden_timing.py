"""Do the time or the size of an answer tell anything hidden? `python -m benchmarks.hidden_timing`

Two twins of a position differ only in what a seat cannot know, which is dealt anew for each. Both are
answered for that seat again and again, in random order: if the times differ (Welch's test), they depend on
what is hidden. A suspicion is measured again before it counts. A planted leak shows how small a difference is
noticed. The sizes of all answers of a kind must be equal.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

import laguna
from laguna.bots import find_bot
from laguna.game import Game

Answer = Callable[[Game, int], bytes]

THRESHOLD = 4.5  # of Welch's t; chance alone exceeds it once in 150,000 tests
KEPT = 0.9  # of the times: the slowest are interruptions
ROUNDS = 100  # of the planted leak's loop: about a microsecond
DEALS = (0, 1)  # the seeds with which the twins' hidden things are dealt
MOMENTS = (0.2, 0.5, 0.8)  # of a game


@dataclass(frozen=True)
class Measured:
    """The processor times of one kind of answer in nanoseconds, by twin, and how many bytes it has."""

    one: npt.NDArray[np.float64]
    other: npt.NDArray[np.float64]
    sizes: frozenset[int]

    @property
    def _kept(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        most = np.quantile(np.concatenate([self.one, self.other]), KEPT)
        return self.one[self.one <= most], self.other[self.other <= most]

    @property
    def difference(self) -> float:
        one, other = self._kept
        return float(other.mean() - one.mean())

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return float(np.sqrt(sum(each.var(ddof=1) / len(each) for each in self._kept)))

    @property
    def t(self) -> float:
        return self.difference / self.error


# ------------------------------------------------------------------ what is answered


def legal(game: Game, seat: int) -> bytes:
    return msgspec.json.encode([str(action) for action in game.legal(seat)])


def view(game: Game, seat: int) -> bytes:
    return msgspec.json.encode(game.typed_view(seat))


def preview(game: Game, seat: int) -> bytes:
    return msgspec.json.encode([event.as_json() for event in game.preview(game.legal(seat)[0], seat).events])


def bot(game: Game, seat: int) -> bytes:
    """As the server asks a bot: about an imagined game."""
    return str(find_bot("turtle")(game.imagine(seat, 1), 1)).encode()


def search(game: Game, seat: int) -> bytes:
    return str(find_bot("search:30")(game.imagine(seat, 1), 1)).encode()


def planted(position: Game) -> Answer:
    """A leak: a view that takes a little longer for one of the twins."""
    slower = twin_of(position, position.seat or 0, 1).state_bytes()

    def leaky(game: Game, seat: int) -> bytes:
        if game.state_bytes() == slower:
            for _ in range(ROUNDS):
                pass
        return view(game, seat)

    return leaky


ANSWERS = {each.__name__: each for each in (legal, view, preview, bot, search)}


# ------------------------------------------------------------------ measuring


def twin_of(game: Game, seat: int, which: int) -> Game:
    twin = game.copy()
    twin.rules.redeal(twin.state, seat, DEALS[which])
    return twin


def measured(game: Game, seat: int, answer: Answer, samples: int, seed: int) -> Measured:
    chance = random.Random(seed)
    times: tuple[list[int], list[int]] = ([], [])
    sizes = set()
    for _ in range(samples):
        which = chance.randrange(2)
        twin = twin_of(game, seat, which)
        begun = time.thread_time_ns()
        found = answer(twin, seat)
        times[which].append(time.thread_time_ns() - begun)
        sizes.add(len(found))
    one, other = (np.array(each, np.float64) for each in times)
    return Measured(one, other, frozenset(sizes))


def tells(game: Game, seat: int, answer: Answer, samples: int) -> tuple[bool, Measured]:
    """Does the answer tell something, by its time or its size? A suspicion is measured again."""
    found = measured(game, seat, answer, samples, 1)
    if differs(found) and len(found.sizes) == 1:
        again = measured(game, seat, answer, 2 * samples, 2)
        return differs(again) and again.t * found.t > 0, again
    return differs(found), found


def differs(found: Measured) -> bool:
    return abs(found.t) > THRESHOLD or len(found.sizes) > 1


def positions(name: str) -> Iterator[Game]:
    """A game at several moments, each with something hidden from the seat to move."""
    game, chance = laguna.new(name, seed=11), random.Random(11)
    while not game.over:
        game.play(chance.choice(game.legal()))
    played = game.played
    for moment in MOMENTS:
        then = game.copy()
        then.back_to(int(moment * played))
        yield then


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hidden_timing", description=__doc__)
    parser.add_argument("--samples", type=int, default=4000, help="for each answer (default: 4000)")
    parser.add_argument("--games", nargs="*", default=laguna.games(), metavar="GAME", help="by default all")
    given = parser.parse_args()
    bad = 0
    print(
        "| game, action | answer | bytes | µs | difference, ns | Welch's t | |\n|---|---|--:|--:|--:|--:|---|"
    )
    for name in given.games:
        for game in positions(name):
            seat = game.seat or 0
            for answer in ANSWERS.values():
                told, found = tells(game, seat, answer, given.samples)
                bad += told
                _print(f"{name}, {game.played}", answer.__name__, found, "tells something" if told else "")
        told, found = tells(game, seat, planted(game), given.samples)
        bad += not told
        _print(f"{name}, {game.played}", "planted leak", found, "noticed" if told else "not noticed")
    return min(bad, 1)


def _print(where: str, kind: str, found: Measured, word: str) -> None:
    size = " or ".join(map(str, sorted(found.sizes)))
    micro = np.median(np.concatenate([found.one, found.other])) / 1000
    difference = f"{found.difference:+.0f} ± {2 * found.error:.0f}"
    print(f"| {where} | {kind} | {size} | {micro:.1f} | {difference} | {found.t:+.1f} | {word} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
