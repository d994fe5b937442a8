"""A person's way to a server: HTTP for what is asked once, one websocket for all tables followed."""

from __future__ import annotations

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
from laguna.table.entries import Clock, Settings

T = TypeVar("T")

COMPILING = 180.0  # seconds that a server may need before a game can be played there for the first time


class Client:
    """Somebody at a server: `async with Client("http://localhost:8099") as client: …`

    Without a `token` the server makes a guest of us; keep `client.token` to be the same one next time.
    `patience`: how many seconds to try in vain before giving up with `Unreachable`.
    """

    def __init__(self, url: str, token: str | None = None, *, patience: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self.token = token
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
        """Who I am to this server."""
        return await self._ask("GET", "/api/me", messages.Me)

    async def rename(self, name: str) -> messages.Me:
        """Be called otherwise from now on."""
        return await self._ask("POST", "/api/me", messages.Me, messages.Rename(name))

    async def make_account(self, account: str, password: str) -> messages.Me:
        """Give myself an account to come back to; `client.token` is another one then."""
        return await self._renewed("/api/me/account", messages.Credentials(account, password))

    async def log_in(self, account: str, password: str) -> messages.Me:
        """Be the person of that account from now on."""
        given = messages.Credentials(account, password)
        self._be((await self._ask("POST", "/api/tokens", messages.Token, given)).token)
        return await self.me()

    async def change_password(self, current: str, new: str) -> messages.Me:
        """Change my account's password. All other devices are logged out; `client.token` is another one."""
        return await self._renewed("/api/me/password", messages.NewPassword(current, new))

    async def log_out(self, *, everywhere: bool = False) -> None:
        """Make my token void, or all that I have: this client can do nothing more then."""
        await self._request("POST", "/api/log-out-everywhere" if everywhere else "/api/log-out", None)

    async def _renewed(self, path: str, given: msgspec.Struct) -> messages.Me:
        renewed = await self._ask("POST", path, messages.Renewed, given)
        assert renewed.token is not None
        self._be(renewed.token)
        return messages.Me(renewed.name, renewed.account)

    def _be(self, token: str) -> None:
        """Show this token from now on, also where we are connected already."""
        self.token = token
        self.connection.drop()

    async def games(self) -> messages.Catalogue:
        """What can be played here, with which options, and against which bots."""
        return await self._ask("GET", "/api/games", messages.Catalogue)

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

    async def revoke_links(self, table_id: str, seat: int) -> None:
        """Whoever came to a seat of mine by a link loses it."""
        await self._ask("DELETE", f"/api/tables/{table_id}/seats/{seat}/link", messages.Done)

    async def open_link(self, link: str) -> str:
        """Hold the seat of a link too, and return its table's id."""
        table = (await self._ask("POST", "/api/links", messages.Done, messages.OpenLink(link))).table
        assert table is not None
        return table

    async def game_file(self, table_id: str) -> str:
        """The game file of a game that is over, secret included: `laguna verify` checks it."""
        return (await self._request("GET", f"/api/tables/{table_id}/file", None)).text

    async def _ask(self, method: str, path: str, kind: type[T], body: msgspec.Struct | None = None) -> T:
        answer = await self._request(method, path, body)
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except UNREADABLE:
            text = f"{self.url} answered {method} {path} with what no Laguna server says."
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
            raise Refused.read(msgspec.json.decode(answer.content, type=messages.Problem))
        except UNREADABLE:
            raise Refused("http", f"The server answered {answer.status_code} to {method} {path}.") from None

    def _headers(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

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
