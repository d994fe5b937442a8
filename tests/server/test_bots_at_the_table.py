"""Who computes bot moves, and what happens when a bot does not."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from random import Random

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

import laguna
from laguna.bots import BOTS, find_bot
from laguna.game import Action, Game
from laguna.server.live.bot_jobs import (
    Answer,
    BotFailed,
    BotRunner,
    Job,
    compute,
    decode_answer,
    decode_job,
    encode,
    job_for,
    with_events,
)
from laguna.server.live.bus import Nats
from tests.server.nats_server import NatsServer

pytestmark = pytest.mark.anyio

GAMES = ["atlantis", "mille-fiori", "neptune-vesta", "venice-2099"]


def played(game: str, actions: int) -> Game:
    chosen = laguna.new(game, seed=1)
    draw = Random(1)
    for _ in range(actions):
        chosen.play(draw.choice(chosen.legal()))
    return chosen


@pytest.mark.parametrize("game", GAMES)
def test_a_job_travels_as_bytes_and_gives_the_bots_own_move(game: str) -> None:
    real = played(game, 9)
    seat = real.seat
    assert seat is not None
    job = job_for(real, seat, "search:50")
    assert decode_job(encode(job)) == job
    answer = compute(decode_job(encode(job)))
    assert answer.action in [str(action) for action in real.legal()]
    imagined = real.imagine(seat, job.seed)
    assert answer.action == str(find_bot("search:50")(imagined, job.seed))


@pytest.mark.parametrize("game", GAMES)
def test_a_job_holds_nothing_that_the_seat_cannot_know(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games that differ only in what the seat cannot see give the same job."""
    monkeypatch.setattr("laguna.server.live.bot_jobs.secrets.randbelow", lambda _: 5)
    real = played(game, 9)
    seat = real.seat
    assert seat is not None
    other = real.copy()
    other.rules.redeal(other.state, seat, 77)
    assert other.state_bytes() != real.state_bytes()
    assert job_for(other, seat, "heron") == job_for(real, seat, "heron")


def test_a_bot_chooses_before_others_who_choose_at_the_same_time() -> None:
    game = laguna.new("mille-fiori", players=4, seed=3)
    assert game.seat == 0
    assert game.deciders == [0, 1, 2, 3]
    for seat in (3, 2, 1):
        action = compute(job_for(game, seat, "heron")).action
        assert action is not None
        game.play(action, seat)
    assert game.deciders == [0]


def job(level: str = "kraken", seconds: float | None = None) -> Job:
    game = played("neptune-vesta", 4)
    assert game.seat is not None
    return job_for(game, game.seat, level, seconds)


async def test_a_bot_that_raises_is_replaced_for_that_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game: Game, seed: int) -> Action:
        raise ZeroDivisionError("in the middle of a search")

    monkeypatch.setitem(BOTS, "kraken", broken)
    asked = job()
    greedy = compute(replace(asked, level="greedy")).action
    assert await BotRunner(at_once=1).move(asked) == greedy


async def test_bots_that_fail_do_not_flood_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game: Game, seed: int) -> Action:
        raise ZeroDivisionError("in the middle of a search")

    monkeypatch.setitem(BOTS, "kraken", broken)
    runner = BotRunner(at_once=1)
    with capture_logs() as lines:
        for _ in range(5):
            await runner.move(job())
        assert [line["since_last_line"] for line in lines if line["event"] == "bot failed"] == [1]
        runner._note_again = 0.0
        await runner.move(job())
    assert [line["since_last_line"] for line in lines if line["event"] == "bot failed"] == [1, 5]


async def test_bots_that_hang_are_left_behind_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()

    def hanging(game: Game, seed: int) -> Action:
        free.wait()
        return game.legal()[0]

    monkeypatch.setitem(BOTS, "kraken", hanging)
    runner = BotRunner(at_once=1, patience=0.1, max_lost=2)
    began = time.monotonic()
    assert await runner.move(job())
    assert time.monotonic() - began < 20  # it hangs for ever
    assert runner.lost == 1
    assert await runner.move(job("heron"))  # the one slot is free again
    assert not runner.busy
    assert await runner.move(job())
    assert runner.lost == 2
    assert runner.busy  # no further thread is risked
    assert await runner.move(job("dolphin"))
    free.set()
    while runner.lost:
        await asyncio.sleep(0.01)
    assert not runner.busy


async def test_only_a_limited_number_of_bots_think_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    most = now = 0
    lock = threading.Lock()

    def counted(game: Game, seed: int) -> Action:
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02)
        with lock:
            now -= 1
        return game.legal()[0]

    monkeypatch.setitem(BOTS, "kraken", counted)
    runner = BotRunner(at_once=2)
    await asyncio.gather(*(runner.move(job()) for _ in range(10)))
    assert most == 2
    assert runner.running == 0


async def test_hints_are_ranked_choices() -> None:
    asked = job(seconds=0.5)
    choices = await BotRunner(at_once=1).hint(asked)
    assert 1 < len(choices) <= 8
    chances = [choice["chance"] for choice in choices]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= choice["chance"] <= 1 and choice["visits"] > 0 for choice in choices)
    assert choices[0]["action"] in [str(action) for action in played("neptune-vesta", 4).legal()]


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_says_what_its_action_is_certain_to_do_and_nothing_hidden(game: str) -> None:
    """The same events in two games that the seat cannot tell apart; those that a preview shows."""
    told = 0
    for actions in range(5, 60, 7):
        real = played(game, actions)
        seat = real.seat
        assert seat is not None
        other = real.copy()
        other.rules.redeal(other.state, seat, 77)
        assert other.state_bytes() != real.state_bytes()
        found = compute(job_for(real, seat, "kraken", 0.02)).choices
        assert found and all(not choice.events for choice in found)
        hints = with_events(real, seat, found)
        assert hints == with_events(other, seat, found)
        assert [hint.events for hint in hints] == [real.preview(hint.action, seat).events for hint in hints]
        told += sum(len(hint.events) for hint in hints)
    assert told


async def test_a_hint_that_cannot_be_found_is_refused() -> None:
    broken = replace(job(seconds=0.05), state=b"no record")
    with pytest.raises(BotFailed):
        await BotRunner(at_once=1).hint(broken)


# ------------------------------------------------------------------ workers

WORKER = "import asyncio, sys; from laguna.server.worker import work; asyncio.run(work(sys.argv[1], 1))"


async def test_a_worker_computes_and_finishes_what_it_began_when_told_to_stop() -> None:
    with NatsServer() as nats:
        worker = subprocess.Popen([sys.executable, "-c", WORKER, nats.url])
        try:
            bus = Nats(nats.url)
            await bus.start(lambda notice: None)
            asked = job("search:1s")
            answer = await until_answered(bus, job("heron"))
            assert answer.action is not None
            under_way = asyncio.create_task(bus.ask(encode(asked), 10))
            await asyncio.sleep(0.3)
            worker.send_signal(signal.SIGTERM)
            found = await under_way
            assert found is not None
            legal = [str(action) for action in played("neptune-vesta", 4).legal()]
            assert decode_answer(found).action in legal
            assert await asyncio.to_thread(worker.wait, 10) == 0
            assert await bus.ask(encode(asked), 10) is None  # at once: there is nobody
            await bus.close()
        finally:
            worker.kill()
            worker.wait()


async def until_answered(bus: Nats, asked: Job) -> Answer:
    """A worker's answer, once there is one that is ready."""
    while True:
        found = await bus.ask(encode(asked), 5)
        if found is not None and not decode_answer(found).problem:
            return decode_answer(found)
        await asyncio.sleep(0.05)
