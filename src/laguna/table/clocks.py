"""How much thinking time each seat has left. The current time is passed in, in milliseconds."""

from __future__ import annotations

from collections.abc import Collection

from laguna.table.entries import Clock, Milliseconds


class Clocks:
    """One clock per seat, running while that seat has to decide. No clock runs if the kind is `none`."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self.limited = clock.kind != "none"
        self._bank = clock.kind == "bank"
        self._full = clock.seconds * 1000
        self._increment = clock.increment * 1000
        self._left = [self._full] * seats  # when its clock last stopped
        self._since: dict[int, Milliseconds] = {}  # the running clocks, and since when

    def left(self, seat: int, now: Milliseconds) -> Milliseconds | None:
        """The time left on the seat's clock; None if there are no clocks."""
        if not self.limited:
            return None
        return max(0, self._left[seat] - max(0, now - self._since.get(seat, now)))

    def run(self, seats: Collection[int], now: Milliseconds) -> None:
        """From now on, run the clocks of exactly these seats."""
        if not self.limited:
            return
        for seat in list(self._since):
            if seat not in seats:
                self._stop(seat, now)
        for seat in seats:
            self._since.setdefault(seat, now)

    def stood(self, time: Milliseconds) -> None:
        """Give the running clocks back this much time, during which no server was up."""
        self._since = {seat: since + time for seat, since in self._since.items()}

    def is_running(self, seat: int) -> bool:
        return seat in self._since

    def _stop(self, seat: int, now: Milliseconds) -> None:
        self._left[seat] = self.left(seat, now) or 0
        self._since.pop(seat, None)

    def acted(self, seat: int, now: Milliseconds) -> None:
        """The seat has acted in time: reset its clock, or add the increment to its bank."""
        if self.limited:
            self._stop(seat, now)
            self._left[seat] = self._granted(self._left[seat])

    def _granted(self, left: Milliseconds) -> Milliseconds:
        return left + self._increment if self._bank else self._full

    def left_without(
        self, seat: int, before: list[Milliseconds | None], now: Milliseconds
    ) -> Milliseconds | None:
        """What the clock would say if the seat had kept thinking instead of acting.

        `before` is what it said at each of the actions to undo, the latest first. Time used since then stays
        used, and any increment is lost; otherwise acting and undoing would gain time.
        """
        left = self.left(seat, now)
        for then in before:
            if left is not None and then is not None:
                left = then - (self._granted(then) - left)
        return left

    def take_back(self, seat: int, before: list[Milliseconds | None], now: Milliseconds) -> None:
        left = self.left_without(seat, before, now)
        if left is not None:
            self._stop(seat, now)
            self._left[seat] = max(0, left)

    def run_out(self, now: Milliseconds) -> list[int]:
        """The seats that have run out of time."""
        return [seat for seat in sorted(self._since) if self.left(seat, now) == 0]

    def due(self) -> Milliseconds | None:
        """When the next running clock runs out."""
        return min((since + self._left[seat] for seat, since in self._since.items()), default=None)
