"""The pictures of the docs: `python -m tests.page.pictures docs/img` (`make pictures`).

Each game is played halfway through on a bot's advice, so that the boards look as they do among people.
"""

from __future__ import annotations

import asyncio
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from laguna.games import rulebooks
from tests.page.browser import browser
from tests.page.seeing import VISIONS, Eyes
from tests.page.visitor import Visitor
from tests.server.nursery import Nursery

HALF = {"neptune-vesta": 13, "venice-2099": 14, "mille-fiori": 16, "atlantis": 9}  # actions of the first seat
SIZES = ("laptop", "phone")
LOOKS = ("light", "dark")
QUALITY = 82


def keep(picture: Image.Image, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, "WEBP", quality=QUALITY, method=6)


def photograph(visitor: Visitor) -> Image.Image:
    visitor.page.mouse.move(2, 2)
    visitor.page.wait_for_timeout(500)
    return Image.open(io.BytesIO(visitor.page.screenshot(animations="disabled"))).convert("RGB")


def advance(visitor: Visitor, table: str, actions: int) -> None:
    """Play this many actions for the first seat, as a bot advises; the other seats are bots."""
    while actions and (view := visitor.view(table))["status"] == "playing":
        if "act" not in view["may"] or not view["game"]["legal"]:
            visitor.page.wait_for_timeout(30)
            continue
        advice = visitor.ask("POST", f"/tables/{table}/hint", {"seconds": 0.1})["choices"][0]["action"]
        visitor.ask("POST", f"/tables/{table}/act", {"version": view["version"], "action": advice})
        actions -= 1
    while (view := visitor.view(table))["status"] == "playing" and "act" not in view["may"]:
        visitor.page.wait_for_timeout(30)


def game_pictures(chrome: Browser, site: str, folder: Path, game: str) -> None:
    host = Visitor(chrome, site)
    players = rulebooks()[game].meta.usual_players
    table = host.open_table(game, ["me", *["heron"] * (players - 1)])
    advance(host, table, HALF[game])
    cookies = host.context.cookies()
    for size in SIZES:
        for look in LOOKS:
            guest = Visitor(chrome, site, size=size, look=look)
            guest.context.add_cookies(cookies)  # type: ignore[arg-type]  # the cookies come from a context, which accepts them again
            guest.sit_down(table)
            keep(photograph(guest), folder / f"{game}-{size}-{look}.webp")
            if (size, look) == ("laptop", "light"):
                eyes = Eyes(guest)
                for vision in VISIONS[1:]:
                    picture = eyes.see(vision)
                    picture.thumbnail((720, 720))
                    keep(picture, folder / "vision" / f"{game}-{vision}.webp")
            guest.context.close()
    host.context.close()


def page_pictures(chrome: Browser, site: str, folder: Path) -> None:
    for name, path in (("front", "/"), ("new-table", "/new/venice-2099")):
        for size in SIZES:
            for look in LOOKS:
                guest = Visitor(chrome, site, size=size, look=look)
                guest.go(path)
                guest.page.wait_for_load_state("networkidle")
                keep(photograph(guest), folder / f"{name}-{size}-{look}.webp")
                guest.context.close()


def main() -> None:
    folder = Path(sys.argv[1])
    nursery = Nursery(list(rulebooks()))
    with tempfile.TemporaryDirectory() as data:
        server = nursery.server(data=data, database=f"sqlite:///{data}/laguna.sqlite")
        asyncio.run(server.start())
        with browser() as chrome:
            page_pictures(chrome, server.url, folder)
            for game in rulebooks():
                game_pictures(chrome, server.url, folder, game)
        nursery.close()


if __name__ == "__main__":
    main()
