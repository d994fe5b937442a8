"""Look at the page: `python -m tests.page.look URL GAME FILE.png [--phone] [--dark] [--actions N] …`.

Opens a table against bots on a running server, plays some actions for the first seat, and takes a picture.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

from playwright.sync_api import BrowserContext

from tests.page.browser import browser

SIZES = {"laptop": (1280, 800), "phone": (390, 844), "landscape": (844, 390)}


def new_table(
    context: BrowserContext, url: str, game: str, players: int, actions: int, **options: Any
) -> str:
    """A table against bots at which the first seat has played this many random actions."""
    ask = context.request
    context.set_extra_http_headers({"Origin": url})
    ask.get(f"{url}/api/me")
    bots = [{"kind": "bot", "level": "turtle"} for _ in range(players - 1)]
    wish = {
        "settings": {"game": game, "players": players, "options": options},
        "seats": [{"kind": "me"}, *bots],
    }
    opened = ask.post(f"{url}/api/tables", data={**wish, "start": True}, timeout=120_000)
    assert opened.ok, opened.text()
    view = opened.json()
    table = f"{url}/api/tables/{view['table']}"
    chance = random.Random(1)
    while actions and view["status"] == "playing":
        view = ask.get(table).json()["view"]
        if view["game"]["legal"] and view["deciders"] and "act" in view["may"]:
            action = chance.choice(view["game"]["legal"])
            asked = ask.post(f"{table}/act", data={"version": view["version"], "action": action})
            actions -= asked.ok
    return str(view["table"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("game")
    parser.add_argument("file")
    parser.add_argument("--size", choices=SIZES, default="laptop")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--language", default="en")
    parser.add_argument("--actions", type=int, default=12)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--option", action="append", default=[])
    given = parser.parse_args()
    width, height = SIZES[given.size]
    with browser() as opened:
        context = opened.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if given.dark else "light",
            locale=given.language,
        )
        options = dict(each.split("=", 1) for each in given.option)
        table = new_table(context, given.url, given.game, given.players, given.actions, **options)
        page = context.new_page()
        page.on("console", lambda message: print("console:", message.text))
        page.on("pageerror", lambda error: print("error:", error))
        page.goto(f"{given.url}/table/{table}")
        page.wait_for_selector("[data-spot]")
        page.wait_for_timeout(800)
        page.screenshot(path=given.file)


if __name__ == "__main__":
    main()
