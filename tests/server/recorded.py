"""Somebody at a table who records what a server sends, byte for byte."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from laguna import messages


class Recorder:
    """Somebody at a table who keeps every text that comes, and asks one thing at a time."""

    def __init__(self, address: str, token: str, table: str, socket: ClientConnection) -> None:
        self.table = table
        self.frames: list[bytes] = []
        self.asked: dict[int, messages.ClientFrame] = {}
        self.view: messages.TableView | None = None
        self._address, self._token, self._socket = address, token, socket

    async def ask(self, kind: Any, **fields: Any) -> messages.Done | messages.Refused:
        """Send a request and read until it is answered."""
        number = len(self.asked) + 1
        self.asked[number] = kind(number, self.table, **fields)
        await self._socket.send(messages.encode(self.asked[number]), text=True)
        while True:
            frame = await self._read()
            if isinstance(frame, messages.Done | messages.Refused) and frame.id == number:
                return frame

    async def until(self, version: int) -> None:
        """Read until the view has this version."""
        while self.view is None or self.view.version < version:
            await self._read()

    async def _read(self) -> messages.Message:
        self.frames.append(await self._socket.recv(decode=False))
        frame: messages.Message = messages.decode_message(self.frames[-1])
        if isinstance(frame, messages.Table | messages.Changed):
            self.view = frame.view
        return frame

    async def look(self) -> None:
        """The same over HTTP."""
        headers = {"Authorization": f"Bearer {self._token}"}
        async with httpx.AsyncClient() as http:
            answer = await http.get(f"http://{self._address}/api/tables/{self.table}", headers=headers)
        self.frames.append(answer.content)


async def new_token(address: str) -> str:
    async with httpx.AsyncClient() as http:
        token: str = (await http.post(f"http://{address}/api/tokens")).json()["token"]
    return token


async def open_table(address: str, token: str, game: str, players: int, **settings: Any) -> str:
    wanted = {"settings": {"game": game, "players": players, **settings}}
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(timeout=120) as http:
        answer = await http.post(f"http://{address}/api/tables", json=wanted, headers=headers)
    table: str = answer.json()["table"]
    return table


@asynccontextmanager
async def recorder(address: str, token: str, table: str) -> AsyncIterator[Recorder]:
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(f"ws://{address}/api/socket", additional_headers=headers, compression=None) as socket:
        made = Recorder(address, token, table, socket)
        await made.ask(messages.Follow)
        yield made
