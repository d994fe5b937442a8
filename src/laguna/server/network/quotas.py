"""What a request costs beyond being read: thinking time, bots, tables, chat."""

from __future__ import annotations

import math

from laguna.messages import Hint, NewTable, PutBot, Rematch, Request, Say, TakeOver
from laguna.server.network.rate_limits import RateLimits


def allow(rates: RateLimits, request: Request, identity: str, address: str) -> None:
    """Count a request at a table; raises TooMany if the identity or the address is over its limit."""
    match request:
        case Say():
            rates.allow("say", identity, address)
        case Hint(seconds=seconds):
            rates.allow("hint", identity, address, math.ceil(seconds))
        case PutBot() | TakeOver():
            rates.allow("bot", identity, address)
        case Rematch():
            rates.allow("table", identity, address)


def allow_table(rates: RateLimits, wanted: NewTable, identity: str, address: str) -> None:
    """Count a new table and its bots."""
    bots = sum(seat.kind == "bot" for seat in wanted.seats or [])
    if bots:
        rates.allow("bot", identity, address, bots)
    rates.allow("table", identity, address)
