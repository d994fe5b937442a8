"""`python -m benchmarks.load play|peer|tables|sockets PORT COUNT`; `benchmarks.server` starts it.

`play` and `peer` play at COUNT tables and print their measurements as JSON. `tables` and `sockets` open that
many, print "ready", and keep them until standard input ends. The others are for `benchmarks.breaking`, see
`benchmarks.load.crowds`.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
from collections.abc import Awaitable, Callable

import msgspec
import uvloop

from benchmarks.load import crowds
from benchmarks.load.boardgame_io import BoardgameIo
from benchmarks.load.ours import Laguna
from benchmarks.load.tally import Tally

AT_ONCE = 20  # concurrent setup requests


async def many(count: int, make: Callable[[int], Awaitable[object]]) -> list[object]:
    """Make this many, a few at a time."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> object:
        async with places:
            return await make(number)

    return await asyncio.gather(*map(one, range(count)))


async def play(server: Laguna | BoardgameIo, tables: int, seconds: float) -> None:
    tally = Tally()
    kept = await many(tables, lambda _: server.match(tally))
    measured = await tally.measure(len(kept), seconds)
    print(msgspec.json.encode(measured).decode())


async def idle_tables(server: Laguna, count: int) -> list[object]:
    """Tables in the middle of a game, nobody connected."""
    me = await server.guest()
    return await many(count, lambda _: server.table(me, ["me"] * server.players, start=True))


async def idle_sockets(server: Laguna, count: int) -> list[object]:
    """Websockets of spectators, a hundred at each table."""
    me = await server.guest()
    tables = [await server.table(me, ["me"] * server.players, start=True) for _ in range(-(-count // 100))]
    return await many(count, lambda number: server.spectator(me, tables[number // 100]))


async def stay(kept: list[object]) -> None:
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    del kept


async def main() -> None:
    parser = argparse.ArgumentParser()
    crowd = ["crowd", "probe", "many-sockets", "bots", "reviews"]
    parser.add_argument("what", choices=["play", "peer", "tables", "sockets", *crowd])
    parser.add_argument("port", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--game", default="neptune-vesta")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10)
    asked = parser.parse_args()
    server = Laguna(asked.port, asked.game, asked.players)
    if asked.what == "play":
        await play(server, asked.count, asked.seconds)
    elif asked.what == "peer":
        await play(BoardgameIo(asked.port), asked.count, asked.seconds)
    elif asked.what == "tables":
        await stay(await idle_tables(server, asked.count))
    elif asked.what == "sockets":
        await stay(await idle_sockets(server, asked.count))
    elif asked.what == "crowd":
        await crowds.crowd(server, asked.count, asked.seconds)
    elif asked.what == "probe":
        await crowds.probe(server)
    else:
        kinds = {"many-sockets": crowds.sockets, "bots": crowds.bots, "reviews": crowds.reviews}
        await kinds[asked.what](server, asked.count)


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(main())
