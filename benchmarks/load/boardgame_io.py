"""Random players on a boardgame.io server, speaking engine.io and socket.io over a bare websocket."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import httpx
import msgspec
from msgspec import Raw, Struct

from benchmarks.load.tally import Tally, clock
from benchmarks.load.websocket import WebSocket, open_websocket

encode = msgspec.json.Encoder().encode


class Tile(Struct):
    """Random players do not care what is on a cell."""


class Cells(Struct):
    cells: list[Tile | None]


class Context(Struct):
    player: str = msgspec.field(name="currentPlayer")
    gameover: dict[str, Any] | None = None


class State(Struct):
    G: Cells
    ctx: Context
    id: int = msgspec.field(name="_stateID")


class Sync(Struct):
    state: State


class PeerPlayer:
    """Plays a match of boardgame.io at random over its socket.io protocol, then the next one."""

    PREFIX = b"42/neptune-vesta,"

    def __init__(self, peer: BoardgameIo, match: Match, seat: str, credentials: str, tally: Tally) -> None:
        self.socket: WebSocket
        self._peer, self._match, self._seat, self._tally = peer, match, seat, tally
        self._credentials = credentials
        self._acting: tuple[int, float] | None = None  # the state that was acted on, and when

    def on_text(self, text: bytes) -> None:
        if text == b"2":
            self.socket.send(b"3")
        elif text.startswith(b"0"):
            self.socket.send(b"40/neptune-vesta,")
        elif text.startswith(b"40"):
            self._emit("sync", self._match.id, self._seat, self._credentials, 2)
        elif text.startswith(self.PREFIX + b'["update"'):
            _, _, state, *_ = msgspec.json.decode(text[len(self.PREFIX) :], type=tuple[str, str, State, Raw])
            self._consider(state)
        elif text.startswith(self.PREFIX + b'["sync"'):
            _, _, sync = msgspec.json.decode(text[len(self.PREFIX) :], type=tuple[str, str, Sync])
            self._consider(sync.state)

    def _emit(self, *event: Any) -> None:
        self.socket.send(self.PREFIX + encode(event))

    def _consider(self, state: State) -> None:
        if self._acting is not None and state.id > self._acting[0]:
            self._tally.acknowledged(self._acting[1])
            self._acting = None
        if state.ctx.gameover is not None:
            self._match.over()
        elif state.ctx.player == self._seat and self._acting is None:
            free = [cell for cell, tile in enumerate(state.G.cells) if tile is None]
            move = {
                "type": "place",
                "args": [random.randrange(3), random.choice(free)],
                "playerID": self._seat,
            }
            action = {"type": "MAKE_MOVE", "payload": move | {"credentials": self._credentials}}
            self._acting = (state.id, clock())
            self._emit("update", action, state.id, self._match.id, self._seat)


class Match:
    """A match of boardgame.io; there is no rematch over the socket, so the next one is created over HTTP."""

    def __init__(self, peer: BoardgameIo, tally: Tally, id: str) -> None:
        self.id = id
        self.players: list[PeerPlayer] = []
        self._peer, self._tally = peer, tally
        self._next: asyncio.Task[None] | None = None

    def over(self) -> None:
        if self._next is None:
            self._tally.games += 1
            self._next = asyncio.create_task(self._go_on())

    async def _go_on(self) -> None:
        await self._peer.match(self._tally)
        for player in self.players:
            player.socket.close()


class BoardgameIo:
    """A boardgame.io server, as the load generator reaches it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/games/neptune-vesta", timeout=30)

    async def match(self, tally: Tally) -> Match:
        made = await self._post("/create", {"numPlayers": 2})
        match = Match(self, tally, made["matchID"])
        for seat in ("0", "1"):
            joined = await self._post(f"/{match.id}/join", {"playerID": seat, "playerName": seat})
            player = PeerPlayer(self, match, seat, joined["playerCredentials"], tally)
            await open_websocket(self.port, "/socket.io/?EIO=4&transport=websocket", {}, player)
            match.players.append(player)
        return match

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self.http.post(path, json=body)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found
