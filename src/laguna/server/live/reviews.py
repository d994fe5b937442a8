"""Reviews of finished games: every action judged in the background and kept, so that it is done only once.

The server that is asked first claims the review and renews its claim with every action that it writes. If it
dies, the claim expires, and the next server that is asked, or that sweeps, goes on after what is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from laguna.errors import LagunaError, Refusal
from laguna.game import Action, Game
from laguna.lab.analysis import result
from laguna.messages import Outlook, Review, ReviewedAction
from laguna.server import metrics
from laguna.server.judgments import Judged, outlook
from laguna.server.live.bot_jobs import BotRunner, Job, job_for_review
from laguna.server.live.changes import Changes
from laguna.server.live.clock import ServerClock
from laguna.server.live.loading import GameLoader
from laguna.server.logs import get_log
from laguna.server.storage import Storage, StoredReview
from laguna.table import redact
from laguna.table.entries import Milliseconds

log = get_log("reviews")

MAX_REVIEWS = 50  # under way on one server
ITERATIONS = 800_000  # for a whole game, shared evenly by its decisions
MIN_ITERATIONS, MAX_ITERATIONS = 500, 8_000  # for one of them: a move of a bot may have to wait for it
TRIES = 3  # to judge an action before it is left without a judgment
CLAIM = 20_000  # milliseconds that a server keeps a review without a sign of life
AGAIN = 600_000  # milliseconds before a review that failed is tried again


class Lost(LagunaError):
    """Another server has taken over."""


class Reviews:
    """The reviews that this server does, and those that it can show."""

    def __init__(
        self,
        changes: Changes,
        games: GameLoader,
        storage: Storage,
        bots: BotRunner,
        clock: ServerClock,
        server: str,
        shared: bool,
        owned: Callable[[str], bool] | None = None,
    ) -> None:
        self._changes = changes
        self._games = games
        self._storage = storage
        self._bots = bots
        self._clock = clock
        self._server = server
        self._alone = not shared  # whoever else has claimed a review has ended, but for our neighbors
        self._owned = owned
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    async def close(self) -> None:
        """Stop; what is judged is kept, and another server can go on at once."""
        self._closed = True
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if tasks:
            with suppress(LagunaError):
                await self._storage.release_reviews(self._server)

    # -------------------------------------------------------------- for people

    async def look(self, table_id: str) -> Review:
        """How far the review of a finished game is, without starting one; Refusal while the game runs."""
        stored = await self._storage.review(table_id)
        if stored is None:
            stored = StoredReview((await self._game(table_id)).played, [])
        return review_of(table_id, stored)

    async def ask(self, table_id: str, allow: Callable[[], None]) -> Review:
        """The same, and see to it that a server does the review; `allow` is asked before a new one begins."""
        stored = await self._storage.review(table_id)
        if stored is None:
            game = await self._game(table_id)
            allow()
            self._check_room()
            await self._storage.begin_review(table_id, game.played)
            stored = StoredReview(game.played, [])
        if not stored.complete and table_id not in self._under_way:
            self._check_room()
            await self._take_on(table_id)
        return review_of(table_id, stored)

    def _check_room(self) -> None:
        if len(self._under_way) >= MAX_REVIEWS:
            raise Refusal("reviews-full", "Many games are being reviewed right now; try again in a minute.")

    async def _game(self, table_id: str) -> Game:
        async with self._changes.at(table_id) as (_, table):
            return redact.finished_game(table)

    # -------------------------------------------------------------- in the background

    async def sweep(self) -> None:
        """Keep what this server does, and take on what no server does any more."""
        if self._alone:
            await self._storage.release_reviews(self._server, others=True)
            self._alone = False
        for table_id in list(self._under_way):
            await self._storage.add_judgments(table_id, self._server, self._until(CLAIM), [])
        room = MAX_REVIEWS - len(self._under_way)
        if room > 0:
            for table_id in await self._storage.unfinished_reviews(self._clock.now(), room, self._owned):
                await self._take_on(table_id)

    def _until(self, later: int) -> Milliseconds:
        return self._clock.now() + later

    async def _take_on(self, table_id: str) -> None:
        """Do the review here, unless another server has it."""
        if await self._storage.claim_review(
            table_id, self._server, self._clock.now(), self._until(CLAIM)
        ) and not (self._closed or table_id in self._under_way):
            task = asyncio.create_task(self._review(table_id))
            self._under_way[table_id] = task
            metrics.reviews.set(len(self._under_way))
            task.add_done_callback(lambda _: self._ended(table_id))

    def _ended(self, table_id: str) -> None:
        del self._under_way[table_id]
        metrics.reviews.set(len(self._under_way))

    async def _review(self, table_id: str) -> None:
        try:
            await self._judge_all(table_id)
        except Lost:
            log.info("another server does the review", table=table_id)
        except Exception as error:
            if isinstance(error, LagunaError):
                log.warning("review failed", table=table_id, key=error.key)
            else:
                log.exception("review failed", table=table_id)
            with suppress(LagunaError):
                await self._storage.claim_review(
                    table_id, self._server, self._clock.now(), self._until(AGAIN)
                )

    async def _judge_all(self, table_id: str) -> None:
        game = await self._game(table_id)
        await self._games.ready(game.meta.id, "bots")
        stored = await self._storage.review(table_id)
        known = {each.number for each in stored.judged} if stored else set()
        forced, jobs = await asyncio.to_thread(plan, game, known)
        await self._keep(table_id, game, forced)
        left = iter(jobs)
        try:
            async with asyncio.TaskGroup() as together:
                for _ in range(self._bots.at_once):
                    together.create_task(self._judge(table_id, game, left))
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        await self._storage.finish_review(table_id)
        log.info("review complete", table=table_id, actions=game.played)

    async def _judge(self, table_id: str, game: Game, left: Iterator[tuple[Action, Job]]) -> None:
        """One action after the other, until none is left; others may take from the same."""
        for action, job in left:
            for _ in range(TRIES):
                if found := await self._bots.judge(job):
                    break
            else:
                found = Judged(job.seed, seat_of(game, job.seed), str(action), action.value)
            await self._keep(table_id, game, [found])

    async def _keep(self, table_id: str, game: Game, judged: list[Judged]) -> None:
        """Write it, unless another server has taken over; after the last action the result is known."""
        if game.over:
            end = outlook(*result(game))
            judged = [replace(each, after=end) if each.number == game.played else each for each in judged]
        if not await self._storage.add_judgments(table_id, self._server, self._until(CLAIM), judged):
            raise Lost("lost", "Another server does this review.")
        metrics.reviewed_actions.inc(sum(not each.forced for each in judged))


def plan(game: Game, known: set[int]) -> tuple[list[Judged], list[tuple[Action, Job]]]:
    """What is left to do: the forced actions, and the others with what it takes to judge them."""
    replay = game.copy()
    replay.back_to(0)
    forced, decisions = [], []
    for number, action in enumerate(game.actions, 1):
        assert replay.seat is not None
        if len(replay.legal()) > 1:
            decisions.append((number, action, job_for_review(replay, action, number, 0)))
        elif number not in known:
            forced.append(Judged(number, replay.seat, str(action), action.value, forced=True))
        replay.play(action)
    iterations = iterations_for(len(decisions))
    jobs = [
        (action, replace(job, iterations=iterations))
        for number, action, job in decisions
        if number not in known
    ]
    return forced, jobs


def iterations_for(decisions: int) -> int:
    """How long each decision of a game with so many is searched: always the same for the same game."""
    return max(MIN_ITERATIONS, min(MAX_ITERATIONS, ITERATIONS // max(1, decisions)))


def seat_of(game: Game, number: int) -> int:
    seat = game.log[number].seat
    assert seat is not None
    return seat


def review_of(table_id: str, stored: StoredReview) -> Review:
    """The review as people see it. A forced action leaves the outlook as it was before it."""
    start, actions = _start(stored.judged), []
    last, reached = start, 0
    for each in stored.judged:
        if each.number != reached + 1:
            last = None  # what came before is not known yet
        last, reached = each.after or last, each.number
        if last is not None:
            actions.append(_reviewed(each, last))
    return Review(table_id, len(stored.judged), stored.actions, stored.complete, start, actions)


def _start(judged: list[Judged]) -> Outlook | None:
    """What the seats could expect before the first action: what the first decision found."""
    for number, each in enumerate(judged, 1):
        if each.number != number:
            return None
        if each.before is not None:
            return each.before
    return None


def _reviewed(judged: Judged, after: Outlook) -> ReviewedAction:
    return ReviewedAction(
        number=judged.number,
        seat=judged.seat,
        action=judged.action,
        value=judged.value,
        outlook=after,
        loss=judged.loss,
        forced=judged.forced,
        best=judged.best,
    )
