"""`python -m laguna.server.processes.child CONTROL LISTENER`: one process of a server, started by its parent.

The arguments are inherited sockets: over the first one it is told what it needs to know, says when it is up,
and notices the end of its parent.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
import threading
from contextlib import suppress

import msgspec

from laguna.errors import LagunaError
from laguna.server import logs
from laguna.server.app import Application, serve
from laguna.server.processes.supervisor import Orders


def work(control: socket.socket, listener: socket.socket) -> None:
    """Serve until a signal arrives, or until the parent is gone."""
    orders = msgspec.json.decode(_line(control), type=Orders)
    settings, place = orders.settings, orders.place
    parent = threading.Thread(target=_outlive_nobody, args=[control, place.folder], daemon=True)
    parent.start()
    logs.set_up(settings.log_format, settings.log_level, process=place.index)

    def started() -> None:
        with suppress(OSError):  # the parent has died, and this process is about to end
            control.sendall(b"up\n")

    serve(Application(settings, place), listener, started)


def _line(control: socket.socket) -> bytes:
    received = b""
    while not received.endswith(b"\n"):
        received += _heard(control, 65_536)
    return received


def _heard(control: socket.socket, most: int, folder: str = "") -> bytes:
    """What the parent says. Once it is dead another server may claim the database: end at once."""
    with suppress(OSError):
        if said := control.recv(most):
            return said
    if folder:  # which the parent would have removed
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _outlive_nobody(control: socket.socket, folder: str) -> None:
    while True:
        _heard(control, 1, folder)


def main() -> None:
    control, listener = (socket.socket(fileno=int(number)) for number in sys.argv[1:])
    try:
        work(control, listener)
    except LagunaError as error:
        print(f"laguna: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
