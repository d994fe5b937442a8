"""`State`: a position alone, for tree searches in Python. No log, no words, nothing to undo, so it is quick.

>>> import laguna
>>> state = laguna.State(laguna.new("atlantis", players=2, seed=7))
>>> child = state.clone()
>>> child.apply(child.legal[0])
>>> state.seat, child.over, len(child.scores)
(0, False, 2)

Making a copy and playing an action takes one or two microseconds; a `Game` needs twenty times as long. What
an action's code means, `state.game()` tells.
"""

from __future__ import annotations

from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from laguna.errors import IllegalAction, LagunaError, as_int, whole_number
from laguna.game import Game, check_seed, seat_list
from laguna.games import find
from laguna.games.contract import Meta, Options
from laguna.kernel import calls


class _Standing(NamedTuple):
    """What the rules say about a position."""

    seat: int
    legal: list[int]
    scores: list[int]
    winners: int  # as bits


class State:
    """A position of a game, hidden information included. Actions are codes: whole numbers."""

    __slots__ = ("_book", "_bytes", "_options", "_records", "_standing", "players")

    def __init__(self, game: Game) -> None:
        """The position that the game is in now; later actions of either do not change the other."""
        self._fill(find(game.meta.id), game.players, dict(game.options), bytearray(game.state_bytes()))

    def _fill(self, book: Any, players: int, options: dict[str, Any], data: bytearray) -> None:
        self._book = book
        self.players = players
        self._options = options
        self._bytes = data
        self._records = np.frombuffer(data, book.rules.STATE)
        self._standing: _Standing | None = None

    # -------------------------------------------------------------- what is

    @property
    def meta(self) -> Meta:
        """The game's names, player counts and options."""
        meta: Meta = self._book.meta
        return meta

    @property
    def options(self) -> Options:
        """The value of every option."""
        return dict(self._options)

    @property
    def seat(self) -> int | None:
        """The seat that decides next; None when the game is over."""
        seat = self._now.seat
        return None if seat < 0 else seat

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self._now.seat < 0

    @property
    def legal(self) -> list[int]:
        """The codes of the legal actions; none when the game is over."""
        return self._now.legal

    def choices(self, seat: SupportsIndex) -> list[int]:
        """The codes that a seat may choose now: `legal`, or what it may choose before its turn.

        A seat may choose before its turn only where everyone chooses at once; its choice stays legal.
        """
        number = self._seat(seat)
        if number == self.seat:
            return self.legal
        if not hasattr(self._book.rules, "early"):
            return []
        out = np.empty(self._book.rules.MAX_LEGAL, np.int16)
        codes: list[int] = out[: calls.choices(self._records, number, out)].tolist()
        return codes

    def action_mask(self, seat: SupportsIndex) -> np.ndarray[Any, Any]:
        """The same for every code of the game: 1 (int8) if the seat may choose it now, else 0."""
        rules = self._book.rules
        mask = np.empty(rules.CODES, np.int8)
        calls.mask(self._records, self._seat(seat), np.empty(rules.MAX_LEGAL, np.int16), mask)
        return mask

    def observation(self, seat: SupportsIndex) -> np.ndarray[Any, Any]:
        """All that a seat may know, as whole numbers (int16): the fields of the game's `observations.py`."""
        observations = self._book.observations
        if observations is None:
            raise LagunaError("no-observations", f"{self.meta.title} has no observations.py, so it has none.")
        observed = np.empty(observations.SIZE, np.int16)
        calls.observed(self._records, self._seat(seat), observed)
        return observed

    @property
    def scores(self) -> list[int]:
        """The points of each seat now; at the end, the final scores."""
        return self._now.scores

    @property
    def winners(self) -> list[int]:
        """The seats that have won; empty until the game is over."""
        won = self._now.winners
        return [seat for seat in range(self.players) if won >> seat & 1]

    @property
    def secret(self) -> bool:
        """Does the seat to move choose something that others are not told?"""
        return bool(calls.is_secret(self._records))

    @property
    def record(self) -> Any:
        """The record itself, for compiled code; it changes with the state."""
        return self._records[0]

    def _seat(self, seat: SupportsIndex) -> int:
        return whole_number(seat, "A seat", 0, self.players - 1, "seat")

    @property
    def _now(self) -> _Standing:
        if self._standing is None:
            out = np.empty(self._book.rules.MAX_LEGAL, np.int16)
            points = np.empty(self.players, np.int64)
            seat, won, count = calls.standing(self._records, out, points)
            self._standing = _Standing(int(seat), out[:count].tolist(), points.tolist(), int(won))
        return self._standing

    # -------------------------------------------------------------- what changes

    def clone(self) -> State:
        """An independent copy."""
        other = object.__new__(State)
        other._fill(self._book, self.players, self._options, bytearray(self._bytes))
        other._standing = self._standing
        return other

    def apply(self, code: SupportsIndex) -> None:
        """Play a legal action. Only the range of its code is checked: an illegal one spoils the state."""
        number = as_int(code)
        if number is None or not 0 <= number < self._book.rules.CODES:
            most = self._book.rules.CODES - 1
            raise IllegalAction("code", f"A code is a whole number from 0 to {most}, not {code!r:.40}.")
        calls.act(self._records, number)
        self._standing = None

    def redeal(self, seat: SupportsIndex, seed: SupportsIndex) -> None:
        """Deal again everything that a seat cannot know, later random events included."""
        calls.deal_again(self._records, self._seat(seat), check_seed(seed))
        self._standing = None

    # -------------------------------------------------------------- from and to other forms

    def game(self) -> Game:
        """A game that starts in this position, to ask what things mean."""
        names = seat_list(self._book.meta, self.players, None)
        options = dict(self._options)
        return Game(self._book, self.players, options, self.record, seed=None, seats=names, start={})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (self._book, self._options, self._bytes) == (other._book, other._options, other._bytes)

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._book.meta.id, self.players, self._options, bytes(self._bytes))

    def __repr__(self) -> str:
        moves = "over" if self.over else f"seat {self.seat} to move"
        return f"<laguna.State {self._book.meta.id}, {self.players} players, {moves}>"


def _restored(game: str, players: int, options: dict[str, Any], data: bytes) -> State:
    state = object.__new__(State)
    state._fill(find(game), players, options, bytearray(data))
    return state
