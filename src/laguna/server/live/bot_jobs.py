"""Who computes the moves of bots: a worker on the bus, else a thread here, else the quickest bot at once.

The job is an *imagined* game, so whoever computes it can know nothing hidden and needs no database.
Whatever a search does (crash, hang, answer nonsense), the seat gets a move and the server goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import threading
import time
from functools import partial
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from laguna.bots import Analysis, analyse, find_bot
from laguna.bots.one_ply import greedy
from laguna.errors import LagunaError
from laguna.game import Action, Game
from laguna.games import find
from laguna.kernel.records import from_bytes
from laguna.messages import HintChoice
from laguna.server import metrics
from laguna.server.judgments import Judged, judged
from laguna.server.logs import get_log

log = get_log("bots")

PATIENCE = 3.0  # seconds beyond twice the budget before a search is abandoned
LONGEST = 10.0  # seconds that a search without a budget in seconds may take
MAX_LOST = 8  # threads that never returned before no more are started
MAX_WAITING = 16  # jobs for each thread before further ones get the quickest bot
MAX_CHOICES = 8  # in a hint
NOTE = 10.0  # seconds between lines in the log about bots that fail
CLOSELY = 64  # visits needed for an opinion; in a short search a tenth of the most visited choice's
SEEDS = 2**32
REVIEW = "review"  # the level of jobs that judge


class BotFailed(LagunaError):
    """No bot could find a move."""


class Job(Struct, frozen=True):
    """What to think about: the record of an imagined game in which `level` has to decide.

    With `seconds` it is a request for a hint: all choices, searched for that long. With `played` it is part
    of a review: that action is judged, with so many iterations, and `seed` is its number in the game.
    """

    game: str
    rules: int
    players: int
    options: dict[str, int | str]
    state: bytes
    level: str
    seed: int
    seconds: float | None = None
    played: str | None = None
    iterations: int = 0


class Answer(Struct, frozen=True):
    """An action in notation, the choices for a hint, a judged action, or what went wrong."""

    action: str | None = None
    choices: list[HintChoice] = []
    judged: Judged | None = None
    problem: str | None = None


encode = msgspec.msgpack.Encoder().encode
decode_job = msgspec.msgpack.Decoder(Job).decode
decode_answer = msgspec.msgpack.Decoder(Answer).decode


def job_for(game: Game, seat: int, level: str, seconds: float | None = None) -> Job:
    """What `seat` has to think about, without anything it cannot know.

    Where all choose at once and others are asked first, their choices are imagined too: any will do, since
    the seat's search deals again what it cannot know.
    """
    seed = secrets.randbelow(SEEDS)
    imagined = game.imagine(seat, seed)
    while imagined.seat not in (seat, None):
        imagined.play(imagined.legal()[seed % len(imagined.legal())])
    if imagined.seat is None:
        raise BotFailed("no-decision", f"Seat {seat} has nothing to decide.")
    return _job(imagined, level, seed, seconds=seconds)


def job_for_review(game: Game, played: Action, number: int, iterations: int) -> Job:
    """What it takes to judge what the seat to move played here, without anything that it cannot know."""
    assert game.seat is not None
    imagined = game.imagine(game.seat, number)
    return _job(imagined, REVIEW, number, played=str(played), iterations=iterations)


def _job(imagined: Game, level: str, seed: int, **more: Any) -> Job:
    meta, options = imagined.meta, dict(imagined.options)
    state = imagined.state_bytes()
    return Job(meta.id, meta.rules_version, imagined.players, options, state, level, seed, **more)


def compute(job: Job, threads: int = 1) -> Answer:
    """Do the job, here and now."""
    game = _game(job)
    if job.played is not None:
        return Answer(judged=judged(game, job.played, job.seed, job.iterations))
    if job.seconds is None:
        return Answer(str(find_bot(job.level, threads)(game, job.seed)))
    return Answer(choices=hints(analyse(game, seconds=job.seconds, seed=job.seed, threads=threads)))


def hints(found: Analysis) -> list[HintChoice]:
    """The choices that were searched closely enough for an opinion, ranked by the chance of winning shown."""
    shown = [
        HintChoice(
            action=str(choice.action),
            value=choice.action.value,
            chance=round(choice.chances[found.seat], 4),
            chances=[round(each, 4) for each in choice.chances],
            scores=None if choice.scores is None else [round(each, 1) for each in choice.scores],
            forecasts=choice.forecasts,
            visits=choice.visits,
        )
        for choice in found.choices
        if choice.chances and choice.visits >= min(CLOSELY, found.best.visits / 10)
    ]
    shown.sort(key=lambda choice: (-choice.chance, -choice.visits))
    return shown[:MAX_CHOICES]


def with_events(game: Game, seat: int, choices: list[HintChoice]) -> list[HintChoice]:
    """The choices, each with what it is certain to do as far as `seat` can know."""
    return [replace(choice, events=game.preview(choice.action, seat).events) for choice in choices]


def quickest(job: Job) -> Answer:
    """The move of the bot that needs no time."""
    return Answer(str(greedy(_game(job), job.seed)))


def _game(job: Job) -> Game:
    book = find(job.game)
    if job.rules != book.meta.rules_version or len(job.state) != book.rules.STATE.itemsize:
        raise BotFailed("other-rules", f"This position does not belong to this version of {book.meta.title}.")
    names = [book.meta.seat_name(seat) for seat in range(job.players)]
    state = from_bytes(book.rules.STATE, job.state)
    return Game(book, job.players, dict(job.options), state, seed=None, seats=names, start={})


def budget(job: Job) -> float:
    """The seconds that the job is meant to take."""
    if job.seconds is not None:
        return job.seconds
    if job.played is not None:
        return LONGEST / 2
    bot = find_bot(job.level)
    if not isinstance(bot, partial) or "iterations" in bot.keywords:
        return LONGEST / 2 if isinstance(bot, partial) else 0.0
    return float(bot.keywords.get("seconds", 0.0))


class Asked(Protocol):
    """The part of a bus that bots need."""

    async def ask(self, job: bytes, seconds: float) -> bytes | None: ...


class BotRunner:
    """Computes jobs: on a worker if there is one, else in at most `at_once` threads here."""

    def __init__(
        self,
        bus: Asked | None = None,
        at_once: int | None = None,
        patience: float = PATIENCE,
        max_lost: int = MAX_LOST,
        cores: int | None = None,
    ) -> None:
        cores = cores or os.cpu_count() or 1
        self.at_once = at_once or cores
        self.lost = 0  # abandoned threads that are still running
        self.running = 0  # jobs that are waiting or running here
        self._bus = bus
        self._threads = max(1, cores // self.at_once)
        self._patience = patience
        self._most_lost = max_lost
        self._slots = asyncio.Semaphore(self.at_once)
        self._job_done = asyncio.Event()
        self._failures = 0  # since the last line in the log
        self._note_again = float("-inf")

    @property
    def idle(self) -> bool:
        """Is a thread free for something that nobody waits for?"""
        return self.running < self.at_once and not self.busy

    @property
    def busy(self) -> bool:
        """Are there more jobs here than can be done soon?"""
        return self.lost >= self._most_lost or self.running >= MAX_WAITING * self.at_once

    async def move(self, job: Job) -> str:
        """The bot's action in notation; if the bot fails, that of the quickest one."""
        answer = await self._answer(job)
        if answer.action is None:
            metrics.bot_failures.labels(job.level).inc()
            self._note_failure(job, answer.problem)
            answer = quickest(job)
        assert answer.action is not None
        return answer.action

    def _note_failure(self, job: Job, why: str | None) -> None:
        """Log the first, and after that one in a while: overloaded, there are hundreds in a second."""
        self._failures += 1
        if time.monotonic() >= self._note_again:
            log.warning("bot failed", game=job.game, level=job.level, why=why, since_last_line=self._failures)
            self._note_again, self._failures = time.monotonic() + NOTE, 0

    async def hint(self, job: Job) -> list[HintChoice]:
        """The choices, best first; BotFailed if they cannot be found now."""
        answer = await self._answer(job)
        if not answer.choices:
            log.warning("hint failed", game=job.game, why=answer.problem)
            raise BotFailed("no-hint", "No hint is available right now; try again later.")
        return answer.choices

    async def judge(self, job: Job) -> Judged | None:
        """The judged action of a review, once nobody needs a bot more urgently; None if it failed.

        A move or a hint waits for at most one such job; jobs that wait here get their turns in order.
        """
        began = time.perf_counter()
        answer = await self._on_a_worker(job)
        if answer is None:
            while not self.idle:
                self._job_done.clear()
                await self._job_done.wait()
            answer = await self.here(job)
        metrics.bot_seconds.labels(job.level).observe(time.perf_counter() - began)
        if answer.judged is None:
            log.warning("review failed", game=job.game, action=job.seed, why=answer.problem)
        return answer.judged

    async def _answer(self, job: Job) -> Answer:
        began = time.perf_counter()
        metrics.bot_queue.inc()
        try:
            return await self._on_a_worker(job) or await self.here(job)
        finally:
            metrics.bot_queue.dec()
            metrics.bot_seconds.labels(job.level).observe(time.perf_counter() - began)

    def deadline(self, job: Job) -> float:
        """How long to wait for the job once somebody is working on it."""
        return 2 * budget(job) + self._patience

    async def _on_a_worker(self, job: Job) -> Answer | None:
        reply = await self._bus.ask(encode(job), self.deadline(job)) if self._bus else None
        if reply is None:
            return None
        try:
            answer = decode_answer(reply)
        except msgspec.DecodeError:
            return None
        return None if answer.problem else answer

    async def here(self, job: Job) -> Answer:
        """Do the job in a thread; when its time is over it is abandoned, and the answer says so."""
        if self.busy:
            return Answer(problem="too many jobs are waiting, or too many searches hang")
        self.running += 1
        try:
            async with self._slots:
                return await self._in_thread(job)
        finally:
            self.running -= 1
            self._job_done.set()

    async def _in_thread(self, job: Job) -> Answer:
        """A thread of its own: one that hangs is left behind and takes no slot away."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Answer] = loop.create_future()
        late = False

        def finish(answer: Answer) -> None:
            if late:
                self.lost -= 1
                self._job_done.set()
            elif not answered.done():
                answered.set_result(answer)

        def think() -> None:
            try:
                answer = compute(job, self._threads)
            except Exception as error:
                answer = Answer(problem=f"{type(error).__name__}: {error}")
            with contextlib.suppress(RuntimeError):  # the server is gone
                loop.call_soon_threadsafe(finish, answer)

        threading.Thread(target=think, name="laguna-bot", daemon=True).start()
        try:
            return await asyncio.wait_for(answered, self.deadline(job))
        except TimeoutError:
            late = True
            self.lost += 1
            return Answer(problem="it takes too long")
