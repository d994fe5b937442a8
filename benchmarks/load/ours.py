"""Random players on a Laguna server, speaking the protocol of `laguna.messages`.

They read only what they need from each frame, so that one core sends more than a server can answer.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

import httpx
import msgspec
from msgspec import Raw, Struct

from benchmarks.load.tally import Tally, clock
from benchmarks.load.websocket import WebSocket, open_websocket


class GameView(Struct):
    """The part of a game's view that a random player needs."""

    legal: list[Raw] = []


class View(Struct):
    table: str
    version: int
    status: str
    mine: list[int]
    may: list[str]
    game: GameView | None = None
    next: str | None = None


class Message(Struct, tag_field="is"):
    pass


class Shown(Message, tag="table"):
    view: View


class Changed(Message, tag="changed"):
    view: View


class Done(Message, tag="done"):
    id: int
    version: int | None = None


class Refused(Message, tag="refused"):
    id: int
    key: str
    sentence: str


class Hello(Message, tag="hello"):
    pass


class Here(Message, tag="here"):
    pass


class Beat(Message, tag="beat"):
    pass


class Bye(Message, tag="bye"):
    sentence: str


AGAIN = 0.5  # seconds before a player who was refused asks again
decode = msgspec.json.Decoder(Shown | Changed | Done | Refused | Hello | Here | Beat | Bye).decode
encode = msgspec.json.Encoder().encode


class LagunaPlayer:
    """Sits down, starts, plays at random, and continues with the rematch."""

    def __init__(self, table: str, tally: Tally, spectator: bool = False) -> None:
        self.socket: WebSocket
        self._table = table
        self._spectator = spectator
        self._tally = tally
        self._view: View | None = None
        self._asked: int | None = None  # the version of the pending request, until its result is shown
        self._acts: dict[int, float] = {}  # when each was sent
        self.goodbye: str | None = None
        self._id = 0

    def on_text(self, text: bytes) -> None:
        message = decode(text)
        if isinstance(message, Changed | Shown):
            if message.view.table == self._table and not self._spectator:
                self._view = message.view
                self._consider()
        elif isinstance(message, Done):
            sent = self._acts.pop(message.id, None)
            if sent is not None:
                self._tally.acknowledged(sent)
        elif isinstance(message, Refused):
            self._acts.pop(message.id, None)
            self._tally.refuse(message.key, message.sentence)
            self._asked = None
            asyncio.get_running_loop().call_later(AGAIN, self._consider)
        elif isinstance(message, Bye):
            self.goodbye = self._tally.goodbye = message.sentence

    def follow(self) -> None:
        self.ask("follow")

    def ask(self, do: str, **fields: Any) -> int:
        self._id += 1
        self.socket.send(encode({"do": do, "id": self._id, "table": self._table, **fields}))
        return self._id

    def _consider(self) -> None:
        """Do what this view asks for, once per view."""
        view = self._view
        if view is None or view.version == self._asked:
            return
        if "act" in view.may and view.game is not None:
            self._asked = view.version
            action = random.choice(view.game.legal)
            self._acts[self._id + 1] = clock()
            self.ask("act", version=view.version, action=action)
        elif view.status == "open" and not view.mine:
            self._asked = view.version
            self.ask("sit")
        elif view.status == "open" and "start" in view.may:
            self._asked = view.version
            self.ask("start")
        elif view.status == "over" and view.next is None and "rematch" in view.may and 0 in view.mine:
            self._asked = view.version
            self._tally.games += 1
            self.ask("rematch")
        elif view.next is not None:
            self.ask("unfollow")
            self._table, self._asked = view.next, None
            self.follow()


class Laguna:
    """A Laguna server, as the load generator reaches it."""

    def __init__(self, port: int, game: str, players: int) -> None:
        self.port, self.game, self.players = port, game, players
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30)

    async def guest(self) -> dict[str, str]:
        """The headers of a new guest."""
        answer = await self.http.post("/api/tokens")
        answer.raise_for_status()
        return {"Authorization": f"Bearer {answer.json()['token']}"}

    async def table(self, headers: dict[str, str], kinds: list[str], start: bool = False) -> str:
        settings = {"game": self.game, "players": self.players}
        wanted = {"settings": settings, "seats": [{"kind": kind} for kind in kinds], "start": start}
        answer = await self.http.post("/api/tables", json=wanted, headers=headers)
        answer.raise_for_status()
        table: str = answer.json()["table"]
        return table

    async def socket(self, headers: dict[str, str], player: LagunaPlayer) -> None:
        await open_websocket(self.port, "/api/socket", headers, player)

    async def spectator(self, headers: dict[str, str], table: str) -> LagunaPlayer:
        """Someone who only follows a table."""
        player = LagunaPlayer(table, Tally(), spectator=True)
        await self.socket(headers, player)
        player.follow()
        return player

    async def match(self, tally: Tally) -> list[LagunaPlayer]:
        """One table with all its players."""
        guests = [await self.guest() for _ in range(self.players)]
        table = await self.table(guests[0], ["me"] + ["open"] * (self.players - 1))
        players = [LagunaPlayer(table, tally) for _ in guests]
        for player, headers in zip(players, guests, strict=True):
            await self.socket(headers, player)
            player.follow()
        return players
