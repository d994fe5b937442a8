"""What brings a server to its limits, for `benchmarks.breaking`; each prints what came of it as JSON."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable

import httpx
import msgspec
from msgspec import Struct

import laguna
from benchmarks.load.ours import Laguna, LagunaPlayer
from benchmarks.load.tally import Tally, clock

PACE = 0.1  # seconds between a probe's actions
AT_ONCE = 20  # concurrent setup requests


class Seen(Struct):
    """What became of requests that a server may refuse: how many it accepted, and why it refused others."""

    accepted: int
    refused: int
    sentences: list[str]


class Probe(Struct):
    """The actions of an ordinary player: when each was answered, by a clock that all processes share, and
    after how many milliseconds; None where it was refused."""

    at: list[float] = []
    took: list[float | None] = []

    def worst(self, since: float, until: float = float("inf")) -> list[float]:
        """The times between these moments, in order of size; a refusal counts as endless."""
        both = zip(self.at, self.took, strict=True)
        return sorted(float("inf") if ms is None else ms for at, ms in both if since <= at < until)


class Diary(Tally):
    """Notes each action by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.probe = Probe()

    def acknowledged(self, sent: float) -> None:
        self._note(1000 * (clock() - sent))

    def refuse(self, key: str, sentence: str) -> None:
        super().refuse(key, sentence)
        self._note(None)

    def _note(self, ms: float | None) -> None:
        self.probe.at.append(clock())
        self.probe.took.append(ms)


class Unhurried(LagunaPlayer):
    """Plays one action after the other with a pause."""

    def _consider(self) -> None:
        asyncio.get_running_loop().call_later(PACE, super()._consider)


async def _alone(server: Laguna, kind: type[LagunaPlayer], tally: Tally) -> LagunaPlayer:
    """A table whose seats are all played by one person, over one socket."""
    me = await server.guest()
    player = kind(await server.table(me, ["me"] * server.players, start=True), tally)
    await server.socket(me, player)
    player.follow()
    return player


async def _many(count: int, make: Callable[[int], Awaitable[object]]) -> list[object]:
    """Make this many, a few at a time; those that the server refuses are exceptions among them."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> object:
        async with places:
            return await make(number)

    return await asyncio.gather(*map(one, range(count)), return_exceptions=True)


async def crowd(server: Laguna, tables: int, seconds: float) -> None:
    """Play at random at this many tables, without a pause; who is refused tries again half a second later."""
    tally = Tally()
    players = await _many(tables, lambda _: _alone(server, LagunaPlayer, tally))
    seated = sum(isinstance(player, LagunaPlayer) for player in players)
    measured = await tally.measure(seated, seconds)
    _print([measured, list(tally.refusals.values())])


async def probe(server: Laguna) -> None:
    """Be an ordinary player until standard input ends."""
    diary = Diary()
    await _alone(server, Unhurried, diary)
    await _stay()
    _print(diary.probe)


async def sockets(server: Laguna, count: int) -> None:
    """Open this many sockets of spectators, a hundred at each table, and keep them."""
    me = await server.guest()
    tables = [await server.table(me, ["me"] * server.players, start=True) for _ in range(-(-count // 100))]
    made = await _many(count, lambda number: server.spectator(me, tables[number // 100]))
    await asyncio.sleep(1)
    refused = [each.goodbye for each in made if isinstance(each, LagunaPlayer) and each.goodbye]
    failed = [repr(each) for each in made if not isinstance(each, LagunaPlayer)]
    _print(Seen(count - len(refused) - len(failed), len(refused + failed), sorted({*refused, *failed})))
    await _stay()


async def bots(server: Laguna, tables: int) -> None:
    """Start this many tables at which only bots play."""
    me = await server.guest()
    wanted = {
        "settings": {"game": server.game, "players": server.players},
        "seats": [{"kind": "bot", "level": "kraken"}] * server.players,
        "start": True,
    }
    _print(await _asked(tables, lambda _: server.http.post("/api/tables", json=wanted, headers=me)))
    await _stay()


async def reviews(server: Laguna, count: int) -> None:
    """Ask for the reviews of this many games."""
    me = await server.guest()

    async def ask(number: int) -> httpx.Response:
        answer = await server.http.post("/api/tables/file", content=_played(server, number), headers=me)
        answer.raise_for_status()
        return await server.http.post(f"/api/tables/{answer.json()['table']}/review", headers=me)

    _print(await _asked(count, ask))
    await _stay()


def _played(server: Laguna, seed: int) -> str:
    """The file of a game played at random."""
    game, chance = laguna.new(server.game, players=server.players, seed=seed), random.Random(seed)
    while not game.over:
        game.play(chance.choice(game.legal()))
    return game.dumps()


async def _asked(count: int, ask: Callable[[int], Awaitable[httpx.Response]]) -> Seen:
    answers = await _many(count, ask)
    refused = [each for each in answers if not isinstance(each, httpx.Response) or each.is_error]
    why = {each.json()["sentence"] if isinstance(each, httpx.Response) else repr(each) for each in refused}
    return Seen(count - len(refused), len(refused), sorted(why))


def _print(found: object) -> None:
    print(msgspec.json.encode(found).decode(), flush=True)


async def _stay() -> None:
    await asyncio.to_thread(sys.stdin.read)
