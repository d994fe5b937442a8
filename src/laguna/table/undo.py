"""How far back the actions of a game can be undone.

An action can be undone as long as nobody else has acted and it revealed nothing hidden. If everyone chooses
at once and in secret, a choice can be undone until all have chosen, even if others have chosen since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from laguna.game import Game
from laguna.games import find
from laguna.games.contract import Rules
from laguna.kernel import calls
from laguna.kernel.records import alone
from laguna.table.entries import Milliseconds

WORLDS = 2  # in which an action is tried, to see whether its outcome was certain


@dataclass(slots=True)
class Step:
    """An action, and how things were before it."""

    seat: int
    played: int  # the game's actions before
    record: bytes  # of the game before
    left: Milliseconds | None  # on the seat's clock
    choice: bool  # made when all choose at once
    version: int = 0  # of the table, when it was made
    code: int = -1
    bot: bool = False
    reveals: bool | None = None  # worked out when it is needed


class Past:
    """What can still be undone at a table."""

    def __init__(self, rules: Rules) -> None:
        self._has_secrets = hasattr(rules, "secret")
        self._steps: list[Step] = []  # in a row, all by the same person
        self._holder: str | None = None  # that person
        self._choices: dict[int, Step] = {}  # of the seats that chose at once, in the order they did

    # -------------------------------------------------------------- what happens

    def before(self, game: Game, seat: int, left: Milliseconds | None) -> Step:
        """A step that the seat is about to take."""
        return Step(seat, game.played, game.state_bytes(), left, self._is_choosing(game))

    def _is_choosing(self, game: Game) -> bool:
        return self._has_secrets and bool(calls.is_secret(game.records))

    def acted(self, step: Step, version: int, code: int, holder: str | None) -> None:
        """The step was made, by this person or (None) by a bot."""
        step.version, step.code, step.bot = version, code, holder is None
        if step.choice:
            self._steps.clear()
            if step.seat in self._choices:  # these belong to an earlier round of choices
                self._choices.clear()
            self._choices[step.seat] = step
            return
        self._choices.clear()
        if holder is None or holder != self._holder:
            self._steps.clear()
        if holder is not None:
            self._steps.append(step)
        self._holder = holder

    def take_back(self, game: Game, seat: int, played: int) -> list[Step]:
        """Go back to this many actions, without the seat's own choice; return the steps undone."""
        if seat in self._choices:
            first = min(step.played for step in self._choices.values())
            step = self._choices.pop(seat)
            game.back_to(first)
            for other, chosen in self._choices.items():
                game.play(chosen.code, seat=other)
            return [step]
        game.back_to(played)
        taken = []
        while self._steps and self._steps[-1].played >= played:
            taken.append(self._steps.pop())
        return taken

    # -------------------------------------------------------------- what may be taken back

    def acted_last(self, seats: Collection[int]) -> bool:
        """Is there a step of one of these seats that `last` might find? A quick answer."""
        if self._choices:
            return any(seat in self._choices for seat in seats)
        return bool(self._steps) and self._steps[-1].seat in seats

    def last(self, game: Game, seats: Collection[int]) -> Step | None:
        """The step of one of these seats to undo first, if nobody else has acted since."""
        made = list(self._choices.values())
        if not self._is_choosing(game):
            made = made[-1:] or self._steps[-1:]
        own = [step for step in made if step.seat in seats and not step.bot]
        return own[-1] if own else None

    def turn(self, game: Game, last: Step) -> list[Step]:
        """The steps of that seat's turn, the latest first, back to the last one that revealed something."""
        if last.choice:
            return [last]
        found: list[Step] = []
        after = game.copy()
        for step in reversed(self._steps):
            if step.seat != last.seat or self._reveals(step, after):
                break
            found.append(step)
            after.back_to(step.played)
        return found

    def reveals(self, game: Game, last: Step) -> bool:
        """Did the last step show anyone something they could not have known?"""
        if last.choice and self._is_choosing(game):
            return False
        return self._reveals(last, game)

    def left(self, game: Game, steps: list[Step]) -> int:
        """How many of the game's actions remain without these steps."""
        seat, played = steps[-1].seat, steps[-1].played
        if not steps[-1].choice:
            return played
        first = min(step.played for step in self._choices.values())
        applied = (entry.number for entry in game.log[first + 1 :] if entry.seat == seat)
        return next((number - 1 for number in applied if number is not None), game.played)

    def _reveals(self, step: Step, after: Game) -> bool:
        if step.reveals is None:
            step.reveals = reveals(step, after)
        return step.reveals


def reveals(step: Step, after: Game) -> bool:
    """Did this step, which led to `after`, show anyone something they could not have known?"""
    piles, hands = _hidden(after.meta.id)
    then, now = step.record, after.state_bytes()
    if any(then[pile] != now[pile] for pile in piles):
        return True
    others = any(then[hand] != now[hand] for seat, hand in enumerate(hands) if seat != step.seat)
    if others and _shows_new_cards(step, after):
        return True
    return not step.choice and _outcome_was_unknown(step, after)


@cache
def _hidden(game: str) -> tuple[list[slice], list[slice]]:
    """Where in a record's bytes the hidden piles are, and the hand of each seat."""
    rules = find(game).rules
    fields = rules.STATE.fields
    assert fields is not None
    places = {name: (kind, begin) for name, (kind, begin, *_) in fields.items()}
    piles = []
    for name in rules.HIDDEN.piles:
        kind, begin = places[name]
        piles.append(slice(begin, begin + kind.itemsize))
    hands: list[slice] = []
    if rules.HIDDEN.hand is not None:
        kind, begin = places[rules.HIDDEN.hand]
        size = kind.itemsize // kind.shape[0]
        hands = [slice(at, at + size) for at in range(begin, begin + kind.itemsize, size)]
    return piles, hands


def _shows_new_cards(step: Step, after: Game) -> bool:
    """Does a seat now see cards in its hand that it did not see there before?"""
    hands = {seat: hand for seat in range(after.players) if (hand := _hand(after, seat))}
    before = after.copy()
    before.back_to(step.played)
    return any(hand - _hand(before, seat) for seat, hand in hands.items())


def _hand(game: Game, seat: int) -> Counter[Any]:
    """What the seat sees in its own hand."""
    return Counter(game.view(seat)["hand"] or ())


def _outcome_was_unknown(step: Step, after: Game) -> bool:
    """Is there a world that looked the same to the seat before, but in which it would now see something else?

    A redeal depends only on what the seat knows, so equal redeals are worlds that it cannot tell apart.
    """
    seen = after.records.copy()
    calls.deal_again(seen, step.seat, 0)
    known = seen.tobytes()
    for world in range(1, WORLDS + 1):
        other = alone(after.rules.STATE, step.record)
        calls.deal_again(other, step.seat, world)
        calls.act(other, step.code)
        calls.deal_again(other, step.seat, 0)
        if other.tobytes() != known:
            return True
    return False
