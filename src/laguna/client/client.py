"""A person's way to a server: HTTP for what is asked once, one websocket for all tables followed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import httpx
import msgspec

from laguna import messages
from laguna.client.connection import Connection
from laguna.client.errors import Refused, Unreachable
from laguna.client.table import FollowedTable
from laguna.table.entries import Clock, Settings

COOKIE = "laguna"
T = TypeVar("T")


class Client:
    """Somebody at a server: `async with Client("http://localhost:8000") as client: …`

    Without a `token` the server makes a guest of us; keep `client.token` to be the same one next time.
    `patience`: how many seconds to try in vain before giving up with `Unreachable`.
    """

    def __init__(self, url: str, token: str | None = None, *, patience: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self._http = httpx.AsyncClient(base_url=self.url, headers={"X-Laguna": "client"}, timeout=20.0)
        parts = urlsplit(self.url)
        scheme = "wss" if parts.scheme == "https" else "ws"
        socket = urlunsplit((scheme, parts.netloc, parts.path + "/api/socket", "", ""))
        self.connection = Connection(socket, self._headers, patience)

    async def __aenter__(self) -> Client:
        if self.token is None:
            await self.me()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self.connection.close()
        await self._http.aclose()

    # -------------------------------------------------------------- asked once

    async def me(self) -> messages.Me:
        """Who I am to this server."""
        return await self._ask("GET", "/api/me", messages.Me)

    async def rename(self, name: str) -> messages.Me:
        """Be called otherwise from now on."""
        return await self._ask("POST", "/api/me", messages.Me, messages.Rename(name))

    async def games(self) -> list[dict[str, Any]]:
        """The games of this server, with their options and bots."""
        return await self._ask("GET", "/api/games", list[dict[str, Any]])

    async def tables(self) -> list[messages.TableSummary]:
        """The open tables that everybody may join."""
        return await self._ask("GET", "/api/tables", list[messages.TableSummary])

    async def my_tables(self) -> list[messages.TableSummary]:
        """The tables at which I hold a seat."""
        return await self._ask("GET", "/api/tables/mine", list[messages.TableSummary])

    async def open_table(
        self,
        game: str,
        players: int | None = None,
        *,
        seats: list[str] | None = None,
        start: bool = False,
        clock: Clock | None = None,
        listed: bool = False,
        hints: bool = True,
        grace: int = 120,
        **options: int | str,
    ) -> str:
        """Open a table and return its id.

        `seats` says who sits where: `me`, `open` or a bot's name; without it I take the first seat.
        """
        settings = Settings(game, players, options, clock or Clock(), listed, hints, grace)
        wishes = None if seats is None else [_wish(seat) for seat in seats]
        wanted = messages.NewTable(settings, wishes, start)
        return (await self._ask("POST", "/api/tables", messages.TableView, wanted)).table

    async def link(self, table_id: str, seat: int) -> messages.SeatLink:
        """A link that gives a seat of mine to whoever opens it."""
        return await self._ask("POST", f"/api/tables/{table_id}/seats/{seat}/link", messages.SeatLink)

    async def open_link(self, link: str) -> str:
        """Take the seat of a link, and return the table's id."""
        token = link.rstrip("/").rpartition("/")[2]
        return (await self._ask("POST", f"/api/links/{token}", messages.TableView)).table

    async def _ask(self, method: str, path: str, kind: type[T], body: msgspec.Struct | None = None) -> T:
        try:
            answer = await self._http.request(
                method, path, headers=self._headers(), content=None if body is None else messages.encode(body)
            )
        except httpx.TransportError as error:
            raise Unreachable(self.url, error or "no answer") from None
        self.token = answer.cookies.get(COOKIE) or self.token
        if answer.is_success:
            return msgspec.json.decode(answer.content, type=kind)
        try:
            raise Refused.read(msgspec.json.decode(answer.content, type=messages.Problem))
        except msgspec.DecodeError:
            raise Refused("http", f"The server answered {answer.status_code} to {method} {path}.") from None

    def _headers(self) -> dict[str, str]:
        return {} if self.token is None else {"Cookie": f"{COOKIE}={self.token}"}

    # -------------------------------------------------------------- tables

    @asynccontextmanager
    async def follow(self, table_id: str) -> AsyncIterator[FollowedTable]:
        """Follow a table for as long as the block lasts."""
        table = FollowedTable(table_id, self.connection)
        self.connection.follow(table)
        try:
            await table.until(lambda view: True)
            yield table
        finally:
            await self.connection.unfollow(table)

    @asynccontextmanager
    async def join(self, table: str, seat: int | None = None) -> AsyncIterator[FollowedTable]:
        """Follow a table and sit down at it: any open seat, a certain one, or the seat of a link."""
        if "/" in table:
            async with self.follow(await self.open_link(table)) as followed:
                yield followed
        else:
            async with self.follow(table) as followed:
                mine = followed.view.mine
                if not mine or (seat is not None and seat not in mine):
                    await followed.sit(seat)
                yield followed


def _wish(seat: str) -> messages.SeatWish:
    return messages.SeatWish(seat) if seat in ("me", "open") else messages.SeatWish("bot", seat)
