"""A short run of each world goes well, and with any of five mistakes in the servers it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server import plants
from tests.torture import run
from tests.torture.__main__ import kinds_of
from tests.torture.run import Services, carry_out, services
from tests.torture.schedule import Database, Fault, drawn, of_campaign, read, write
from tests.torture.shrink import shrunk

pytestmark = pytest.mark.anyio
SEED = 7


def test_everything_follows_from_the_seed_and_a_file_holds_all_of_it(tmp_path: Path) -> None:
    wanted = of_campaign(SEED)
    assert wanted == of_campaign(SEED) != of_campaign(SEED + 4)
    write(wanted, tmp_path / "schedule.json")
    assert read(tmp_path / "schedule.json") == wanted


@pytest.fixture(scope="module")
def real() -> Iterator[Services]:
    with services() as made:
        yield made


@pytest.mark.proof
@pytest.mark.parametrize(
    ("servers", "database", "processes"),
    [
        (1, "sqlite", 1),
        (1, "postgresql", 1),
        (3, "postgresql", 1),
        (1, "sqlite", 2),
        (1, "postgresql", 2),
        (2, "postgresql", 2),
    ],
)
async def test_nothing_is_lost_whatever_fails(
    real: Services, servers: int, database: Database, processes: int
) -> None:
    outcome = await carry_out(drawn(SEED, 8, 48, servers, database, processes=processes), real)
    assert outcome.violations == []
    assert outcome.games == 8 and sum(outcome.faults.values()) > 30


@pytest.mark.proof
@pytest.mark.parametrize(
    ("plant", "servers", "database", "game", "violation"),
    [
        (plants.acknowledges_early, 1, "sqlite", "neptune-vesta", "acknowledged but lost"),
        (plants.secret_choices, 1, "sqlite", "mille-fiori", "saw what they may not"),
        (plants.versions_written_twice, 3, "postgresql", "neptune-vesta", "version written twice"),
        (plants.take_backs_reveal, 1, "sqlite", "neptune-vesta", "taken back what was revealed"),
        (plants.notices_applied_twice, 3, "postgresql", "neptune-vesta", "two histories"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_a_planted_mistake_is_caught(
    real: Services,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[plants.Patch], None],
    servers: int,
    database: Database,
    game: str,
    violation: str,
) -> None:
    monkeypatch.setattr(run, "STUCK", 5.0)  # with some of them games cannot end
    outcome = await carry_out(drawn(SEED, 4, 12, servers, database, game), real, plant.__name__)
    assert violation in kinds_of(outcome.violations)


@pytest.mark.proof
async def test_a_schedule_that_fails_is_made_smaller(real: Services) -> None:
    """A kill among other faults is what is left: what was acknowledged early is lost."""
    kill = Fault(15, "kill", seconds=0.1)
    faults = [Fault(5, "split", 1, 0.1), Fault(10, "delay", 2, 0.1), kill, Fault(20, "cut", 3)]
    whole = drawn(SEED, 1, 0, only="neptune-vesta").without(faults)

    async def fails(faults: list[Fault]) -> bool:
        for _ in range(4):  # the kill may come when nothing is waiting to be written
            outcome = await carry_out(whole.without(faults), real, plants.acknowledges_early.__name__)
            if not kinds_of(outcome.violations).isdisjoint({"went back", "done twice"}):
                return True
        return False

    assert await shrunk(whole.faults, fails) == [kill]
