"""What people see of a table: the whole of it, what they missed, and each change as it comes."""

from __future__ import annotations

from collections.abc import Callable

from laguna import messages
from laguna.messages import Changed, TableView
from laguna.server.live.clock import ServerClock
from laguna.server.live.followers import Followers
from laguna.server.live.presence import Presence
from laguna.server.live.table_cache import LiveTable
from laguna.server.network.websocket import frame_of
from laguna.table import redact
from laguna.table.table import Table

MAX_LINES = 200  # of the log, in one frame
SPECTATOR = ""  # everybody without a part in a table sees it as this person


class Broadcast:
    """Makes the views of tables, and sends them to their followers."""

    def __init__(self, followers: Followers, presence: Presence, clock: ServerClock) -> None:
        self._followers = followers
        self._presence = presence
        self._clock = clock

    def view(self, table: Table, person_id: str, watched: int | None = None) -> TableView:
        """The table as the person may see it, who may have asked for the view of a seat."""
        return redact.table_view(table, person_id, self._clock.now(), self._presence.seats(table), watched)

    def whole(self, table: Table, person_id: str, watched: int | None = None) -> messages.Table:
        """The table, with the last lines of its log."""
        first = max(0, table.version - MAX_LINES)
        lines = redact.lines(table, person_id, first, watched)
        return messages.Table(self.view(table, person_id, watched), lines)

    def missed(
        self, table: Table, person_id: str, seen: int, watched: int | None = None
    ) -> Changed | messages.Table:
        """What came after the version last seen; the whole table if that is too long ago or never existed."""
        if not 0 < seen <= table.version or table.version - seen > MAX_LINES:
            return self.whole(table, person_id, watched)
        lines = redact.lines(table, person_id, seen, watched)
        return Changed(seen, self.view(table, person_id, watched), lines)

    def show(self, live: LiveTable, table: Table) -> None:
        """Send followers what they have not seen yet, with one frame for all who may see the same."""
        since, live.shown = live.shown, table.version
        if since == table.version or not self._followers.followed(live.id):
            return
        now, here = self._clock.now(), self._presence.seats(table)
        self._tell(table, redact.Update(table, since, now, here).changed)

    def show_anew(self, table: Table) -> None:
        """Send followers the whole table: what they have seen of it is no longer so."""
        self._tell(table, lambda reader, watched: messages.encode(self.whole(table, reader, watched)))

    def _tell(self, table: Table, made: Callable[[str, int | None], bytes]) -> None:
        """Tell every follower, with one frame for all who may see the same."""
        frames: dict[tuple[str, int | None], bytes] = {}
        host, held, table_id = table.host.id, table.held, table.id
        for connection in self._followers.of(table_id):
            person_id = connection.person.id
            reader = person_id if person_id in held or person_id == host else SPECTATOR
            key = reader, connection.watched.get(table_id)
            frame = frames.get(key)
            if frame is None:
                frame = frames[key] = frame_of(made(*key))
            connection.tell(frame)
