"""The parts of a running server, as routes and the socket find them."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from laguna.server.identity import Identity
from laguna.server.rates import Rates
from laguna.server.settings import ServerSettings
from laguna.server.storage import Storage
from laguna.server.tables import Tables


@dataclass
class Services:
    settings: ServerSettings
    storage: Storage
    tables: Tables
    identity: Identity
    rates: Rates


def services(asked: HTTPConnection) -> Services:
    """Those of the application that was asked."""
    found: Services = asked.app.state.services
    return found
