"""`python -m laguna.server.processes.child CONTROL LISTENER`: one process of a server, started by its parent.

The arguments are inherited sockets: over the first one it is told what it needs to know, says when it is up,
and notices the end of its parent.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys

import msgspec

from laguna.errors import LagunaError
from laguna.server import logs
from laguna.server.app import Application, serve
from laguna.server.processes.supervisor import Orders


def work(control: socket.socket, listener: socket.socket) -> None:
    """Serve until a signal arrives, or until the parent is gone."""
    orders = msgspec.json.decode(_line(control), type=Orders)
    settings, place = orders.settings, orders.place
    logs.set_up(settings.log_format, settings.log_level, process=place.index)

    def started() -> None:
        control.setblocking(False)
        asyncio.get_running_loop().add_reader(control, _orphaned)
        control.send(b"up\n")

    serve(Application(settings, place), listener, started)


def _line(control: socket.socket) -> bytes:
    received = b""
    while not received.endswith(b"\n"):
        piece = control.recv(65_536)
        if not piece:
            sys.exit(1)  # the parent is gone already
        received += piece
    return received


def _orphaned() -> None:
    """The parent has died, and another server may claim the database now: nothing more may be written."""
    os._exit(1)


def main() -> None:
    control, listener = (socket.socket(fileno=int(number)) for number in sys.argv[1:])
    try:
        work(control, listener)
    except LagunaError as error:
        print(f"laguna: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
