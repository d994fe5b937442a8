"""uvicorn's HTTP protocol, with limits on the size and duration of a request's head."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from laguna.server.network.headers import HEADERS

MAX_HEAD = 65_536  # bytes, roughly: it is checked after every piece


class TimedHttp(HttpToolsProtocol):
    """Closes connections whose next request head takes too long; bodies are checked by the guard."""

    head_seconds = 15.0
    _head: int | None = 0  # bytes of a head that is not complete; None between head and next request
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_here()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > MAX_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of this request is too long.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        self._head_is_here()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not readable HTTP, with the headers that all other responses have."""
        lines = ["HTTP/1.1 400 Bad Request", *(f"{name}: {value}" for name, value in HEADERS.items())]
        lines += [
            "content-type: text/plain; charset=utf-8",
            f"content-length: {len(msg)}",
            "connection: close",
        ]
        self.transport.write("\r\n".join([*lines, "", msg]).encode("ascii"))
        self.transport.close()

    def _await_head(self) -> None:
        self._head = 0
        self._late = self.loop.call_later(self.head_seconds, self._give_up)

    def _head_is_here(self) -> None:
        self._head = None
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
