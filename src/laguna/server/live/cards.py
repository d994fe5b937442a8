"""Cards: pictures of games to send around. Each is drawn once, one after the other, and kept for a while."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Literal

import msgspec

from laguna import drawing
from laguna.drawing import Card, CardSeat
from laguna.errors import LagunaError
from laguna.games import find
from laguna.messages import SeatView, TableView
from laguna.server.network.rate_limits import TooMany

MAX_BYTES = 32_000_000  # of pictures that are kept; the least recently used are dropped first
MAX_WAITING = 16  # pictures to be drawn
PATIENCE = 30.0  # seconds for a picture

Kind = Literal["svg", "png"]


def card_of(table: TableView, language: str) -> Card:
    """The card of a table as a spectator sees it; until the game is over it says only which one it is."""
    game = table.settings.game
    title = find(game).meta.titles[language]
    if table.status != "over" or table.result is None:
        return Card(game, title, language)
    return Card(
        game,
        title,
        language,
        msgspec.json.encode(table.game).decode(),
        tuple(_seat(each) for each in table.seats),
        tuple(table.result.winners),
        tuple(table.result.scores),
    )


def _seat(seat: SeatView) -> CardSeat:
    is_bot = seat.kind == "bot"
    return CardSeat("" if is_bot else seat.name or "", seat.level if is_bot else None, seat.resigned)


class Cards:
    """The pictures that were asked for lately, by what they show."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Card, Kind], bytes] = {}  # the least recently used first
        self._under_way: dict[tuple[Card, Kind], asyncio.Task[bytes]] = {}
        self._turn = asyncio.Lock()

    async def picture(self, card: Card, kind: Kind, allow: Callable[[], None]) -> bytes:
        """The card as a picture; `allow` may refuse if it has to be drawn first."""
        key = card, kind
        if key in self._kept:
            self._kept[key] = self._kept.pop(key)
            return self._kept[key]
        if key not in self._under_way:
            drawing.check_possible()
            allow()
            if len(self._under_way) >= MAX_WAITING:
                raise TooMany("too-many", "Many pictures are being drawn; try again in 5 seconds.", seconds=5)
            task = asyncio.create_task(self._draw(card, kind))
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._under_way.pop(key))
        return await asyncio.shield(self._under_way[key])

    async def _draw(self, card: Card, kind: Kind) -> bytes:
        async with self._turn:
            svg = (await asyncio.to_thread(drawing.draw_card, card)).encode()
            picture = svg if kind == "svg" else await _rasterized(svg)
        self._kept[card, kind] = picture
        while sum(map(len, self._kept.values())) > MAX_BYTES:
            del self._kept[next(iter(self._kept))]
        return picture


async def _rasterized(svg: bytes) -> bytes:
    """The picture in pixels, from a process of its own."""
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        sys.executable, str(drawing.RASTERIZE), stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        png, _ = await asyncio.wait_for(child.communicate(svg), PATIENCE)
    except TimeoutError:
        child.kill()
        await child.wait()
    else:
        if child.returncode == 0:
            return png
    raise LagunaError("not-drawn", "The picture could not be drawn.")
