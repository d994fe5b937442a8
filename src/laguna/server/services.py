"""The parts of a running server, for the routes and the socket."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from laguna.server.live.cards import Cards
from laguna.server.live.requests import Tables
from laguna.server.network.rate_limits import RateLimits
from laguna.server.people.identity import Identity
from laguna.server.settings import ServerSettings
from laguna.server.storage import Storage


@dataclass
class Services:
    settings: ServerSettings
    storage: Storage
    tables: Tables
    identity: Identity
    rates: RateLimits
    cards: Cards


def services(asked: HTTPConnection) -> Services:
    """The services of the application that received the request."""
    found: Services = asked.app.state.services
    return found
