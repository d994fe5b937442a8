"""Rate limits, per identity and per address, in memory.

A rate such as `300/10s` lets 300 through at once and then one every thirtieth of a second (the generic
cell rate algorithm: one number per key, so it costs next to nothing on a busy socket).
"""

from __future__ import annotations

import ipaddress
import math
import re
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from laguna.errors import BadOption, LagunaError, either

SECONDS = {"s": 1, "m": 60, "h": 3600}
RATE = re.compile(r"([1-9]\d{0,6})/(\d{0,4})([smh])")
FORGET_EVERY = 50_000  # keys added between clean-ups

# Each kind: per identity, then per address (which many people may share).
DEFAULTS = {
    "request": "200/10s 1000/10s",  # HTTP requests of any kind
    "frame": "300/10s 3000/10s",  # frames on the socket
    "socket": "60/m 600/m",  # opening a socket
    "guest": "100/10m 100/10m",  # becoming a new guest
    "password": "10/10m 60/10m",  # here the identity is an account, tried from one address
    "account": "100/10m 100/10m",  # here an account, tried from anywhere
    "table": "60/10m 300/10m",  # opening tables, rematches included
    "bot": "60/10m 240/10m",  # bots put on seats, also those of a new table
    "say": "30/m 300/m",
    "hint": "30/m 120/m",  # seconds of thinking
    "review": "30/10m 120/10m",  # games whose review begins
    "lesson": "100/10s 400/10s",
    "puzzle": "100/10s 400/10s",
    "import": "20/m 60/m",
    "history": "120/m 600/m",
    "export": "6/h 30/h",
    "position": "100/10s 400/10s",  # checked as one is built
    "card": "60/m 60/m",  # drawing a card; it is kept for the next who asks
    "replay": "1000/10s 4000/10s",  # steps of replays; one request may ask for hundreds
}


class TooMany(LagunaError):
    """Too many requests; `arguments["seconds"]` says when to try again."""


class Rate(NamedTuple):
    """One request every `interval` seconds in the long run, with bursts worth `slack` seconds."""

    interval: float
    slack: float


def read_rate(text: str) -> Rate | None:
    """`300/10s`, `20/m` or `off`."""
    if text == "off":
        return None
    parts = RATE.fullmatch(text)
    seconds = int(parts[2] or 1) * SECONDS[parts[3]] if parts else 0
    if parts is None or not seconds:
        raise BadOption("limits", f"A rate is written as 300/10s, 20/m or off, not {text!r:.40}.")
    return Rate(seconds / int(parts[1]), seconds - seconds / int(parts[1]))


def read_limits(given: Mapping[str, str]) -> dict[str, tuple[Rate | None, Rate | None]]:
    """The defaults plus overrides: KIND = "PER_IDENTITY PER_ADDRESS" or "off"; all = "off"."""
    for kind in given:
        if kind not in DEFAULTS and (kind, given[kind]) != ("all", "off"):
            raise BadOption(
                "limits",
                f"There is no limit {kind!r:.40}; the limits are {either(DEFAULTS, 'and')} (and all=off).",
            )
    if "all" in given:
        return dict.fromkeys(DEFAULTS, (None, None))
    read = {}
    for kind, default in DEFAULTS.items():
        first, *second = given.get(kind, default).split() or [""]
        if len(second) > 1:
            raise BadOption(
                "limits", f"The limit {kind} needs two rates: one per identity and one per address."
            )
        read[kind] = (read_rate(first), read_rate(second[0] if second else first))
    return read


class RateLimits:
    """The counters of one server."""

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        self._limits = read_limits(given or {})
        self._due: dict[tuple[str, str], float] = {}  # key -> when its bucket is empty again
        self._forget_at = FORGET_EVERY

    def allow(self, kind: str, identity: str | None, address: str | None, count: int = 1) -> None:
        """Count requests of that kind; raises TooMany if the identity or the address is over its limit."""
        for_identity, for_address = self._limits[kind]
        now = time.monotonic()
        due = {}
        if for_identity and identity is not None:
            due[kind, identity] = self._after(kind, identity, for_identity, now, count)
        if for_address and address is not None:
            key = neighborhood(address)
            due[kind, key] = self._after(kind, key, for_address, now, count)
        self._due |= due
        if len(self._due) >= self._forget_at:
            self._due = {each: due for each, due in self._due.items() if due > now}
            self._forget_at = len(self._due) + FORGET_EVERY

    def _after(self, kind: str, key: str, rate: Rate, now: float, count: int) -> float:
        """When the key's bucket would be empty again; raises TooMany if it is too full."""
        due = max(self._due.get((kind, key), now), now)
        whole = rate.interval + rate.slack
        cost = min(count * rate.interval, whole)
        wait = due + cost - now - whole
        if wait > 1e-9:
            seconds = math.ceil(wait)
            text = f"Too many requests; try again in {seconds} second{'s' * (seconds > 1)}."
            raise TooMany("too-many", text, seconds=seconds)
        return due + cost


@lru_cache(4096)
def neighborhood(address: str) -> str:
    """The key for an address: an IPv6 client can change freely within its /64 network."""
    try:
        read = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if read.version == 4:
        return address
    if read.ipv4_mapped:
        return str(read.ipv4_mapped)
    return str(ipaddress.ip_network((int(read) >> 64 << 64, 64)))
