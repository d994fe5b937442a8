"""Somebody with a browser: sees what the page shows, and does what people can do with it."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, TimeoutError

import laguna

SIZES = {"laptop": (1280, 800), "phone": (390, 844), "landscape": (844, 390)}
READING = (Path(__file__).parent / "reading.js").read_text(encoding="utf-8")
KEEP = """(() => {
  const key = "laguna.settings";
  if (!localStorage.getItem(key)) localStorage.setItem(key, JSON.stringify(%s));
  const [newcomer, ...known] = %s;
  for (const [number, key] of ["laguna.seen", "laguna.teacher"].entries())
    if (!newcomer && !localStorage.getItem(key)) localStorage.setItem(key, JSON.stringify(known[number]));
  const report = (event) => console.error("the policy forbids it:", event.violatedDirective);
  document.addEventListener("securitypolicyviolation", report);
})()"""
SHOW_ONLY = {"card:play"}  # spots that only show where something can be done, and choose nothing
SOON = 3  # seconds after which a click is tried again
PATIENCE = 20  # seconds until a click must have had an effect


class Visitor:
    """A guest of the server; with settings that make games quick unless told otherwise.

    A newcomer is told how each game is won when seeing it for the first time, and has a teacher.
    """

    def __init__(
        self,
        chrome: Browser,
        site: str,
        *,
        size: str = "laptop",
        language: str = "en",
        look: str = "light",
        name: str = "",
        newcomer: bool = False,
        **settings: Any,
    ) -> None:
        width, height = SIZES[size]
        self.site = site
        self.problems: list[str] = []
        self.forgiven: list[str] = []
        self.touches = size != "laptop"
        self.context = chrome.new_context(
            viewport={"width": width, "height": height},
            has_touch=self.touches,
            is_mobile=self.touches,
            locale=language,
            extra_http_headers={"Origin": site},
        )
        self.context.set_default_timeout(PATIENCE * 1000)
        kept = {"language": language, "look": look, "speed": 0, "confirm": "turn"} | settings
        seen, teacher = (dict.fromkeys(laguna.games(), known) for known in (True, False))
        self.context.add_init_script(KEEP % (json.dumps(kept), json.dumps([newcomer, seen, teacher])))
        self.context.add_init_script(READING)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("request", self._asked)
        self.ask("GET", "/me")
        if name:
            self.ask("POST", "/me", {"name": name})

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(each in message.text for each in self.forgiven):
            self.problems.append(f"console: {message.text}")

    def _asked(self, request: Request) -> None:
        host = urlsplit(request.url).netloc
        if host and host != urlsplit(self.site).netloc:
            self.problems.append(f"a request to another host: {request.url}")

    # ------------------------------------------------------------ directly on the server

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask the server directly, as this person."""
        answer = self.context.request.fetch(
            f"{self.site}/api{path}", method=method, data=body, timeout=60_000
        )
        assert answer.ok, f"{method} {path}: {answer.text()}"
        return answer.json()

    def open_table(
        self, game: str, seats: list[str], options: dict[str, Any] | None = None, **settings: Any
    ) -> str:
        """A table: seats are `me`, `open`, or a bot's level. It starts if no seat is open."""
        wishes = [
            {"kind": seat} if seat in ("me", "open") else {"kind": "bot", "level": seat} for seat in seats
        ]
        for number, wish in enumerate(wishes):
            if wish == {"kind": "me"} and seats.count("me") > 1:
                wish["name"] = f"Guest {number + 1}"
        settings = {"game": game, "players": len(seats), "options": options or {}} | settings
        body = {"settings": settings, "seats": wishes, "start": "open" not in seats}
        return str(self.ask("POST", "/tables", body)["table"])

    def view(self, table: str) -> Any:
        """The table as the server shows it to this person."""
        return self.ask("GET", f"/tables/{table}")["view"]

    # ------------------------------------------------------------ looking

    def go(self, path: str = "/") -> None:
        self.page.goto(self.site + path)

    def sit_down(self, table: str) -> None:
        """To the table, until its board (or its curtain) is there."""
        self.go(f"/table/{table}")
        self.page.wait_for_selector("[data-spot], [data-over], [data-curtain]", state="attached")

    def state(self) -> Any:
        return self.page.evaluate("() => reading.state()")

    def wrong(self) -> list[str]:
        found: list[str] = self.page.evaluate("() => reading.wrong()")
        return found

    def scores(self) -> list[int]:
        texts: list[str] = self.state()["scores"]
        return [int(text.replace("−", "-")) for text in texts]

    # ------------------------------------------------------------ doing

    def touch(self, point: list[float] | None, what: str) -> None:
        assert point is not None, (
            f"{what} cannot be reached: something lies over all of it, or it is not in view"
        )
        if self.touches:
            self.page.touchscreen.tap(*point)
        else:
            self.page.mouse.click(*point)

    def pick(self, spot: str) -> None:
        """Click or tap a spot where it can be reached."""
        self.touch(self.reach(spot), spot)

    def reach(self, spot: str) -> list[float] | None:
        """Where a click or a finger can reach it, if anywhere."""
        found: list[float] | None = self.page.evaluate(
            "id => { const it = reading.spot(id); return it && reading.point(it) }", spot
        )
        return found

    def do(self, name: str) -> None:
        """Press the button `data-do=NAME`."""
        selector = f"[data-do={name}]"
        button = "selector => { const it = reading.first(selector); return it && reading.point(it) }"
        self.page.wait_for_function("selector => reading.first(selector)?.disabled === false", arg=selector)
        self.touch(self.page.evaluate(button, selector), selector)

    def step(self, chance: random.Random) -> bool:
        """Do one thing that can be done now: confirm, or choose what glows. False if there is nothing."""
        before = self.state()
        if before["curtain"]:
            self.do("unveil")
        elif before["over"]:
            return False
        elif before["confirm"]:
            yes = self.page.query_selector("[data-do=confirm]:enabled")
            if yes is None:  # it was confirmed, and is on its way
                return False
            yes.evaluate("button => button.click()")
        elif choices := [spot for spot in before["legal"] if spot not in SHOW_ONLY]:
            spot = chance.choice(
                another_kind(choices, before["chosen"]) if chance.random() < 0.6 else choices
            )
            point = self.reach(spot)
            if point is None:
                return False  # the page has changed meanwhile
            self.touch(point, spot)
        else:
            return False
        return self.changes(before)

    def changes(self, before: Any) -> bool:
        """Did it have an effect soon? If not, it is tried again: `play` knows how long a game may take."""
        try:
            self.wait_for_change(before, SOON)
        except TimeoutError:
            return False
        return True

    def wait_for_change(self, before: Any, seconds: float = PATIENCE) -> None:
        changed = "before => JSON.stringify(reading.state()) !== before"
        self.page.wait_for_function(
            changed,
            arg=json.dumps(before, separators=(",", ":"), ensure_ascii=False),
            timeout=seconds * 1000,
        )

    def to_table(self) -> str:
        """Wait for the board; the table's id from the address."""
        self.page.wait_for_selector("[data-spot], [data-curtain]", state="attached", timeout=60_000)
        return urlsplit(self.page.url).path.rsplit("/", 1)[-1]


def another_kind(spots: list[str], chosen: list[str]) -> list[str]:
    """Those of a kind that is not chosen yet: after a tile, a cell rather than another tile."""
    kinds = {spot.split(":")[0] for spot in chosen}
    return [spot for spot in spots if spot.split(":")[0] not in kinds] or spots


def play(visitors: list[Visitor], seed: int = 1, steps: int | None = None, seconds: float = 150) -> int:
    """All play at random until the game is over for everybody, or for `steps`; how many were made."""
    chance = random.Random(seed)
    made = 0
    until = time.monotonic() + seconds
    while steps is None or made < steps:
        acted = sum(visitor.step(chance) for visitor in visitors)
        made += acted
        if not acted:
            if all(visitor.state()["over"] for visitor in visitors):
                break
            visitors[0].page.wait_for_timeout(15)
        elif made % 8 == 0:
            for visitor in visitors:
                assert visitor.wrong() == []
        assert time.monotonic() < until, f"after {made} steps it is not over: {[v.state() for v in visitors]}"
    return made
