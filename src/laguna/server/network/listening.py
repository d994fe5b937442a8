"""Where a server listens."""

from __future__ import annotations

import socket
from typing import Any

from laguna.errors import BadOption
from laguna.server.settings import ServerSettings

BACKLOG = 4096


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to that address before anything else is started."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        text = f"{host} port {port} cannot be used: {error.strerror}. Choose another with --port."
        raise BadOption("port", text) from None
    except UnicodeError:
        raise BadOption("host", f"{host!r:.60} is not the name of a host.") from None


def reserved(listener: socket.socket) -> socket.socket:
    """Give up listening, since the address proved to be free, but keep it for sockets `beside` it (Linux)."""
    address = listener.getsockname()
    listener.close()
    return _shared(listener.family, address)


def beside(kept: socket.socket) -> socket.socket:
    """Another socket at a `reserved` address; connections are divided evenly among those that listen."""
    return _shared(kept.family, kept.getsockname())


def _shared(family: int, address: Any) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    if family == socket.AF_INET6:
        bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # as `create_server` does
    bound.bind(address)
    return bound


def address_of_server(settings: ServerSettings, listener: socket.socket) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return settings.public_url or f"http://{host}:{listener.getsockname()[1]}"
