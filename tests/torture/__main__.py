"""Real servers, scripted people, faults from a seed: what was acknowledged must hold.

`python -m tests.torture` plays runs, one seed after the other or several side by side, until there were so
many faults and games, and notes each in a journal; started again it goes on from there. The first run that
goes wrong ends it: its schedule is written to a file, made smaller, and can be run again with
`--schedule FILE`.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from tests.torture import schedule
from tests.torture.run import Outcome, Services, carry_out, services
from tests.torture.schedule import Fault, Schedule
from tests.torture.shrink import shrunk

LONGEST = 3600.0  # seconds for a run
TRIES = 2  # of a smaller schedule: not every run with the same faults goes wrong


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first run's; each further run has the next")
    parser.add_argument("--faults", type=int, default=10_000, help="how many there must be in all")
    parser.add_argument("--games", type=int, default=2_000, help="how many must be finished in all")
    parser.add_argument("--at-once", type=int, default=1, help="runs side by side: they mostly wait")
    parser.add_argument("--journal", type=Path, help="where runs are noted; those in it are not repeated")
    parser.add_argument("--schedule", type=Path, metavar="FILE", help="run only this schedule, once")
    parser.add_argument("--plant", default="", help="what is wrong with the servers (tests/server/plants.py)")
    parser.add_argument("--failed", type=Path, default=Path("build/torture"), help="where schedules go")
    return parser.parse_args()


class Campaign:
    """The runs so far."""

    def __init__(self, journal: Path | None, faults: int, games: int) -> None:
        self._journal = journal
        self._goals = faults, games
        self._began = time.monotonic()
        self.outcomes: list[Outcome] = []
        if journal is not None and journal.exists():
            self.outcomes = [_outcome(line) for line in journal.read_bytes().splitlines()]
        self._before = self.share

    def add(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        if self._journal is not None:
            self._journal.parent.mkdir(parents=True, exist_ok=True)
            with self._journal.open("ab") as journal:
                journal.write(msgspec.json.encode(outcome) + b"\n")

    @property
    def seeds(self) -> set[int]:
        return {each.seed for each in self.outcomes}

    @property
    def totals(self) -> tuple[int, int]:
        """Faults that happened, and games that were finished."""
        return (
            sum(sum(each.faults.values()) for each in self.outcomes),
            sum(each.games for each in self.outcomes),
        )

    @property
    def share(self) -> float:
        """How much of it is done."""
        return min(1.0, *(done / max(1, goal) for done, goal in zip(self.totals, self._goals, strict=True)))

    def time_left(self) -> str:
        done = self.share - self._before
        if not done:
            return ""
        minutes = (time.monotonic() - self._began) / done * (1 - self.share) / 60
        return f", about {minutes:.0f} minutes left"

    def line(self, outcome: Outcome) -> str:
        """About the run that was added last."""
        faults, games = self.totals
        return (
            f"seed {outcome.seed} ({outcome.schedule}): {outcome.seconds:.0f} s, "
            f"{len(outcome.violations)} violations; in all {faults:,} faults, {games:,} games"
            f"{self.time_left()}"
        )

    def summary(self) -> str:
        faults = sum((Counter(each.faults) for each in self.outcomes), Counter[str]())
        numbers = {
            "runs": len(self.outcomes),
            "games": self.totals[1],
            "people": sum(each.people for each in self.outcomes),
            "connections": sum(each.connections for each in self.outcomes),
            "answers": sum(each.answers for each in self.outcomes),
            "entries": sum(each.entries for each in self.outcomes),
            "faults": self.totals[0],
            "violations": sum(len(each.violations) for each in self.outcomes),
        }
        worlds = Counter(each.schedule for each in self.outcomes)
        parts = [numbers, dict(worlds.most_common()), dict(faults.most_common())]
        return "\n\n".join(_column(each) for each in parts)


def _column(numbers: dict[str, int]) -> str:
    return "\n".join(f"{name:36} {number:8,}" for name, number in numbers.items())


def _outcome(line: bytes) -> Outcome:
    return msgspec.json.decode(line, type=Outcome)


async def run(wanted: Schedule, of: Services, plant: str) -> Outcome:
    try:
        async with asyncio.timeout(LONGEST):
            return await carry_out(wanted, of, plant)
    except TimeoutError:
        sys.exit(f"The run with seed {wanted.seed} did not end within {LONGEST / 60:.0f} minutes.")


async def campaign(chosen: argparse.Namespace, runs: Campaign, sides: Sequence[Services]) -> bool:
    """Run after run on each side; False if one went wrong."""
    done = runs.seeds
    seeds = (seed for seed in itertools.count(chosen.seed) if seed not in done)
    wrong: list[tuple[Schedule, Outcome]] = []

    async def play(of: Services) -> None:
        while runs.share < 1 and not wrong:
            wanted = schedule.of_campaign(next(seeds))
            outcome = await run(wanted, of, chosen.plant)
            runs.add(outcome)
            print(runs.line(outcome), flush=True)
            if outcome.violations:
                wrong.append((wanted, outcome))

    async with asyncio.TaskGroup() as group:
        for of in sides:
            group.create_task(play(of))
    for wanted, outcome in wrong:
        await report(wanted, outcome, chosen, sides[0])
    return not wrong


async def report(wanted: Schedule, outcome: Outcome, chosen: argparse.Namespace, of: Services) -> None:
    """Print what went wrong, and look for a smaller schedule that goes wrong in the same way."""
    print_violations(outcome.violations)
    path: Path = chosen.failed / f"seed-{wanted.seed}.json"
    schedule.write(wanted, path)
    print(f"Run it again: python -m tests.torture --schedule {path}\nLooking for a smaller one…", flush=True)
    kinds = kinds_of(outcome.violations)

    async def fails(faults: list[Fault]) -> bool:
        for _ in range(TRIES):
            found = await run(wanted.without(faults), of, chosen.plant)
            if kinds & kinds_of(found.violations):
                print(f"  it still goes wrong with {len(faults)} faults", flush=True)
                return True
        return False

    smaller = wanted.without(await shrunk(wanted.faults, fails))
    path = chosen.failed / f"seed-{wanted.seed}-smaller.json"
    schedule.write(smaller, path)
    print(f"{len(smaller.faults)} faults are left:")
    for fault in smaller.faults:
        print(f"  {msgspec.json.encode(fault).decode()}")
    print(f"Run it again: python -m tests.torture --schedule {path}")


def kinds_of(violations: Iterable[str]) -> set[str]:
    return {each.partition(" at ")[0] for each in violations}


def print_violations(violations: list[str]) -> None:
    """The first of each kind."""
    for kind in sorted(kinds_of(violations)):
        found = [each for each in violations if kinds_of([each]) == {kind}]
        print(f"  {found[0][:500]}")
        if len(found) > 1:
            print(f"    and {len(found) - 1} more of this kind")


def main() -> int:
    chosen = arguments()
    if chosen.schedule is not None:
        wanted = schedule.read(chosen.schedule)
        with services(wanted.database == "postgresql") as of:
            outcome = asyncio.run(run(wanted, of, chosen.plant))
        print(f"{outcome.schedule}: {outcome.faults}, {len(outcome.violations)} violations")
        print_violations(outcome.violations)
        return bool(outcome.violations)
    runs = Campaign(chosen.journal, chosen.faults, chosen.games)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background, too
    signal.signal(signal.SIGTERM, lambda number, frame: signal.raise_signal(signal.SIGINT))
    fine = False
    try:
        with ExitStack() as stack:
            sides = [stack.enter_context(services()) for _ in range(chosen.at_once)]
            fine = asyncio.run(campaign(chosen, runs, sides))
    except KeyboardInterrupt:
        print("\nInterrupted.")
    print(runs.summary())
    return not fine


if __name__ == "__main__":
    sys.exit(main())
