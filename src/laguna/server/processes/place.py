"""Which of a server's processes this is, and which of them owns a table."""

from __future__ import annotations

import secrets
from zlib import crc32

from msgspec import Struct


class Place(Struct, frozen=True):
    """Process `index` of `count`; `run` names this start of the server, the same in all its processes."""

    index: int = 0
    count: int = 1
    run: str = ""
    folder: str = ""  # where the sockets are over which the processes talk

    @property
    def alone(self) -> bool:
        return self.count == 1

    def owner(self, table_id: str) -> int:
        """The process that owns the table: it alone reads and changes it."""
        return crc32(table_id.encode()) % self.count

    def owns(self, table_id: str) -> bool:
        return self.count == 1 or self.owner(table_id) == self.index

    def new_name(self) -> str:
        """A name for what this process leaves in the database and on the bus; see `storage.servers`."""
        token = secrets.token_hex(8)
        return token if self.alone else f"{self.run}.{self.index}.{token}"

    def door_of(self, index: int) -> str:
        """The path of the socket at which it takes over websockets of the others."""
        return f"{self.folder}/{index}.sockets"

    def socket_of(self, index: int) -> str:
        """The path of the socket at which a process listens for the others."""
        return f"{self.folder}/{index}"


ALONE = Place()
