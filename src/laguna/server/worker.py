"""A worker: answers requests for bot moves, hints and reviews from the bus. It sees nothing hidden."""

from __future__ import annotations

import asyncio
import contextlib
import signal

import msgspec
import nats
from nats.aio.msg import Msg

from laguna.errors import LagunaError
from laguna.server.live.bot_jobs import Answer, BotRunner, decode_job, encode
from laguna.server.live.bus import JOBS, WORKERS, connect, disconnect
from laguna.server.live.loading import GameLoader
from laguna.server.logs import get_log

log = get_log("worker")

MAX_QUEUED = 4  # jobs per thread; a busier worker leaves jobs to others


async def work(url: str, at_once: int | None = None, stop: asyncio.Event | None = None) -> None:
    """Work until `stop` is set, or SIGTERM or SIGINT arrives; jobs in progress are finished first."""
    stop = stop or _stop_at_signals()
    runner = BotRunner(at_once=at_once)
    games = GameLoader()
    under_way: set[asyncio.Task[None]] = set()

    async def answer(message: Msg) -> None:
        with contextlib.suppress(nats.errors.Error):
            await message.respond(encode(await _answer(message.data, runner, games)))

    async def take(message: Msg) -> None:
        task = asyncio.create_task(answer(message))
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    connecting = asyncio.create_task(connect(url, "laguna worker"))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait([connecting, stopping], return_when=asyncio.FIRST_COMPLETED)
    if not connecting.done():
        connecting.cancel()
        return
    client = await connecting
    jobs = await client.subscribe(JOBS, queue=WORKERS, cb=take)
    log.info("waiting for jobs")
    await stopping
    with contextlib.suppress(nats.errors.Error, TimeoutError):
        await jobs.drain()
    if under_way:
        await asyncio.wait(under_way)
    await games.close()
    await disconnect(client)


async def _answer(data: bytes, runner: BotRunner, games: GameLoader) -> Answer:
    try:
        job = decode_job(data)
        full = runner.busy or runner.running >= MAX_QUEUED * runner.at_once
        if job.played is not None and not runner.idle:  # never before moves and hints
            full = True
        if full or not games.is_ready(job.game, "bots"):
            return Answer(problem="busy")
        return await runner.here(job)
    except (msgspec.DecodeError, LagunaError) as error:
        log.warning("impossible job", why=str(error))
        return Answer(problem=f"{error}")


def _stop_at_signals() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, stop.set)
    return stop
