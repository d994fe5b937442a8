"""A client: HTTP for single requests, one websocket for all the tables it follows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar
from urllib.parse import urlsplit, urlunsplit

import httpx
import msgspec

from laguna import messages
from laguna.client.connection import UNREADABLE, Connection, encode
from laguna.client.errors import Refused, Unreachable
from laguna.client.table import FollowedTable
from laguna.client.witness import Witness
from laguna.table.entries import Clock, Settings

T = TypeVar("T")

COMPILING = 180.0  # seconds that a server may take to compile a game before it is first played


class Client:
    """A person on a server: `async with Client("http://localhost:8099") as client: …`

    Without a `token` the server creates a guest; keep `client.token` to be the same guest next time.
    `patience`: how many seconds to keep trying to connect before raising `Unreachable`.
    """

    def __init__(self, url: str, token: str | None = None, *, patience: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.witnesses: dict[str, Witness] = {}  # of tables, by id
        self._http = httpx.AsyncClient(base_url=self.url, timeout=httpx.Timeout(20.0, read=COMPILING))
        parts = urlsplit(self.url)
        scheme = "wss" if parts.scheme == "https" else "ws"
        socket = urlunsplit((scheme, parts.netloc, parts.path + "/api/socket", "", ""))
        self.connection = Connection(socket, self._headers, patience)

    async def __aenter__(self) -> Client:
        if self.token is None:
            self.token = (await self._ask("POST", "/api/tokens", messages.Token)).token
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave the server; `async with` does it by itself."""
        await self.connection.close()
        await self._http.aclose()

    # -------------------------------------------------------------- asked once

    async def me(self) -> messages.Me:
        """My identity on this server."""
        return await self._ask("GET", "/api/me", messages.Me)

    async def rename(self, name: str) -> messages.Me:
        """Change my name."""
        return await self._ask("POST", "/api/me", messages.Me, messages.Rename(name))

    async def make_account(self, account: str, password: str) -> messages.Me:
        """Create an account for myself; `client.token` changes."""
        return await self._renewed("/api/me/account", messages.Credentials(account, password))

    async def log_in(self, account: str, password: str, new_password: str | None = None) -> messages.Me:
        """Log in to that account. A one-time password from the operator needs a new one at once."""
        given = messages.LogIn(account, password, new_password)
        self._be((await self._ask("POST", "/api/tokens", messages.Token, given)).token)
        return await self.me()

    async def change_password(self, current: str, new: str) -> messages.Me:
        """Change my account's password. All other devices are logged out; `client.token` changes."""
        return await self._renewed("/api/me/password", messages.NewPassword(current, new))

    async def log_out(self, *, everywhere: bool = False) -> None:
        """Revoke my token, or all of my tokens; this client cannot be used afterwards."""
        await self._request("POST", "/api/log-out-everywhere" if everywhere else "/api/log-out", None)

    async def devices(self) -> list[messages.Device]:
        """The browsers and programs in which I am logged in, this one first."""
        return await self._ask("GET", "/api/me/devices", list[messages.Device])

    async def end_device(self, device: str, password: str | None = None) -> None:
        """Log out one of my devices by its id; an account needs its password."""
        confirmed = messages.Confirmation(password)
        await self._request("POST", f"/api/me/devices/{device}/end", confirmed)

    async def end_other_devices(self, password: str | None = None) -> None:
        """Log out all of my devices but this one; an account needs its password."""
        await self._request("POST", "/api/me/devices/end-others", messages.Confirmation(password))

    async def _renewed(self, path: str, given: msgspec.Struct) -> messages.Me:
        renewed = await self._ask("POST", path, messages.Renewed, given)
        assert renewed.token is not None
        self._be(renewed.token)
        return messages.Me(renewed.name, renewed.account)

    def _be(self, token: str) -> None:
        """Use this token from now on, including for the open connection."""
        self.token = token
        self.connection.drop()

    async def games(self) -> messages.Catalogue:
        """The games that can be played here, their options, and the bots."""
        return await self._ask("GET", "/api/games", messages.Catalogue)

    async def tables(self) -> list[messages.TableSummary]:
        """The open tables that anyone may join."""
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

        `seats` says who plays each seat: `me`, `open` or a bot's name; without it I take the first seat.
        """
        settings = Settings(game, players, options, clock or Clock(), listed, hints, grace)
        wishes = None if seats is None else [_wish(seat) for seat in seats]
        witness = Witness()
        wanted = messages.NewTable(settings, wishes, start, witness.seal)
        view = await self._ask("POST", "/api/tables", messages.TableView, wanted)
        self.witnesses[view.table] = witness
        witness.opened(view)
        if witness.share is not None:
            share = ShareBody(witness.share)
            await self._ask("POST", f"/api/tables/{view.table}/share", messages.Done, share)
            witness.accepted = True
        return view.table

    async def link(self, table_id: str, seat: int) -> messages.SeatLink:
        """A link that gives one of my seats to anyone who opens it."""
        return await self._ask("POST", f"/api/tables/{table_id}/seats/{seat}/link", messages.SeatLink)

    async def revoke_links(self, table_id: str, seat: int) -> None:
        """Revoke the links of one of my seats: everyone who joined by one loses the seat."""
        await self._ask("DELETE", f"/api/tables/{table_id}/seats/{seat}/link", messages.Done)

    async def open_link(self, link: str) -> str:
        """Join the seat of a link, and return the id of its table."""
        table = (await self._ask("POST", "/api/links", messages.Done, messages.OpenLink(link))).table
        assert table is not None
        return table

    async def game_file(self, table_id: str) -> str:
        """The game file of a game that is over, secret included: `laguna verify` checks it."""
        return (await self._request("GET", f"/api/tables/{table_id}/file", None)).text

    async def check_deal(self, table_id: str) -> list[str]:
        """Deal a finished game again, replay it, and compare it with what this client saw of it.

        Returns what was checked, in sentences. Raises `Unfair` if the game is not the one that was dealt
        and played, and `BadFile` if its file is not that of any game.
        """
        witness = self.witnesses.get(table_id)
        if witness is None:
            raise Refused("not-followed", "This client has not followed that table.")
        return await asyncio.to_thread(witness.check, table_id, await self.game_file(table_id))

    async def _ask(self, method: str, path: str, kind: type[T], body: msgspec.Struct | None = None) -> T:
        answer = await self._request(method, path, body)
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except UNREADABLE:
            text = f"{self.url} answered {method} {path} with something no Laguna server would send."
            raise Refused("protocol", text) from None

    async def _request(self, method: str, path: str, body: msgspec.Struct | None) -> httpx.Response:
        content = None if body is None else encode(body)
        try:
            answer = await self._http.request(method, path, headers=self._headers(), content=content)
        except httpx.TransportError as error:
            raise Unreachable(self.url, error or "no answer") from None
        if answer.is_success:
            return answer
        try:
            raise Refused.because(msgspec.json.decode(answer.content, type=messages.Problem))
        except UNREADABLE:
            raise Refused("http", f"The server answered {answer.status_code} to {method} {path}.") from None

    def _headers(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    # -------------------------------------------------------------- tables

    @asynccontextmanager
    async def follow(self, table_id: str) -> AsyncIterator[FollowedTable]:
        """Follow a table for the duration of the block."""
        table = FollowedTable(table_id, self.connection, self.witnesses)
        self.connection.follow(table)
        try:
            await table.until(lambda view: table.witness.share is None)
            yield table
        finally:
            await self.connection.unfollow(table)

    @asynccontextmanager
    async def join(self, table: str, seat: int | None = None) -> AsyncIterator[FollowedTable]:
        """Follow a table and sit down at it: on any open seat, a given one, or the seat of a link."""
        if "/" in table:
            async with self.follow(await self.open_link(table)) as followed:
                yield followed
        else:
            async with self.follow(table) as followed:
                mine = followed.view.mine
                if not mine or (seat is not None and seat not in mine):
                    await followed.sit(seat)
                yield followed


class ShareBody(msgspec.Struct, frozen=True):
    """The body of a `share` request over HTTP."""

    share: str


def _wish(seat: str) -> messages.SeatWish:
    return messages.SeatWish(seat) if seat in ("me", "open") else messages.SeatWish("bot", seat)
